"""What each verb over numbers does, at the edges, under every kernel. Expected values are computed anew in plain Python."""
import itertools
import math
import operator
import struct

import numpy as np
import pytest

from caldera.kernel.interface import BOOL, F32, F64, I8, I16, I32, I64, I128, Control
from caldera.kernel.llvm import LlvmKernel
from caldera.kernel.python import PythonKernel
from tests.kernel.staged import FLOATS, INTEGERS, differing, every_kernel, rows, run

INFINITY, NAN = math.inf, math.nan
FLOAT_SAMPLES = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e30, -1e30, 1e-40, INFINITY, -INFINITY, NAN, 16777217.0]
name_of = operator.attrgetter("name")
BOTH_TRUTHS = [False, True]
WITH_I128 = *INTEGERS, I128


def edges(type):
    """Numbers of an integer type where something may go wrong."""
    top = 1 << (type.bits - 1)
    return sorted({-top, -top + 1, -2, -1, 0, 1, 2, 3, top // 2, top - 2, top - 1, 100, -100})


def wrapped(type, number):
    """What the type's bits keep of a number."""
    number &= (1 << type.bits) - 1
    return number - (1 << type.bits) if number >> (type.bits - 1) else number


def unsigned(type, number):
    return number & (1 << type.bits) - 1


def quotient(x, y):
    """Division of integers towards zero."""
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def single(number):
    """Rounded to 32 bits."""
    return float(np.float32(number))


RESULTS = {
    "add": lambda type, x, y: x + y,
    "sub": lambda type, x, y: x - y,
    "mul": lambda type, x, y: x * y,
    "and": lambda type, x, y: x & y,
    "or": lambda type, x, y: x | y,
    "xor": lambda type, x, y: x ^ y,
    "div": lambda type, x, y: quotient(x, y or 1),
    "rem": lambda type, x, y: x - quotient(x, y or 1) * (y or 1),
    "udiv": lambda type, x, y: unsigned(type, x) // (unsigned(type, y) or 1),
    "urem": lambda type, x, y: unsigned(type, x) % (unsigned(type, y) or 1),
}
SHIFTS = {
    "shl": lambda type, x, y: x << y,
    "lshr": lambda type, x, y: unsigned(type, x) >> y,
    "ashr": lambda type, x, y: x >> y,
}
ORDERS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def holds(order, x, y):
    return eval(f"x {ORDERS[order]} y", {"x": x, "y": y})


@every_kernel
@pytest.mark.parametrize("type", WITH_I128, ids=name_of)
def test_integers_wrap_and_every_operation_is_total(kernel, type):
    names = [name for name in RESULTS if type is not I128 or name not in ("div", "rem", "udiv", "urem")]
    values = list(itertools.product(edges(type), repeat=2))
    found = rows(kernel, values, (type, type), lambda k, a, b: [k.binary(name, a, b) for name in names])
    expected = [tuple(wrapped(type, RESULTS[name](type, x, y)) for name in names) for x, y in values]
    assert differing(values, found, expected) == []


@every_kernel
@pytest.mark.parametrize("type", INTEGERS, ids=name_of)
@pytest.mark.parametrize("divisor", [0, 1, -1, 3, -7, 100])
def test_division_by_a_number_known_while_staging(kernel, type, divisor):
    names = "div", "rem", "udiv", "urem"
    values = [(number,) for number in edges(type)]
    found = rows(kernel, values, (type,), lambda k, a: [k.binary(name, a, divisor) for name in names])
    expected = [tuple(wrapped(type, RESULTS[name](type, x, divisor)) for name in names) for x, in values]
    assert differing(values, found, expected) == []


@every_kernel
@pytest.mark.parametrize("type", WITH_I128, ids=name_of)
def test_shifts_by_less_than_the_width(kernel, type):
    counts = sorted({0, 1, 2, 7, type.bits // 2, type.bits - 2, type.bits - 1})
    values = list(itertools.product(edges(type), counts))
    found = rows(kernel, values, (type, type), lambda k, a, b: [k.binary(name, a, b) for name in SHIFTS])
    expected = [tuple(wrapped(type, SHIFTS[name](type, x, y)) for name in SHIFTS) for x, y in values]
    assert differing(values, found, expected) == []


@every_kernel
def test_operators_of_python_are_verbs(kernel):
    values = [(12, 5), (-12, 5), (-1, 3)]
    body = lambda k, a, b: [a + b, a - b, a * b, a & b, a | b, a ^ b, a << b, a >> b]
    expected = [(x + y, x - y, x * y, x & y, x | y, x ^ y, x << y, unsigned(I64, x) >> y) for x, y in values]
    assert rows(kernel, values, (I64, I64), body) == expected


@every_kernel
@pytest.mark.parametrize("type", WITH_I128, ids=name_of)
def test_integers_compare_with_and_without_sign(kernel, type):
    values = list(itertools.product(edges(type), repeat=2))
    signed = rows(kernel, values, (type, type), lambda k, a, b: [k.compare(name, a, b) for name in ORDERS])
    assert signed == [tuple(holds(name, x, y) for name in ORDERS) for x, y in values]
    names = ["ult", "ule", "ugt", "uge"]
    found = rows(kernel, values, (type, type), lambda k, a, b: [k.compare(name, a, b) for name in names])
    assert found == [tuple(holds(name[1:], unsigned(type, x), unsigned(type, y)) for name in names) for x, y in values]


@every_kernel
def test_true_is_greater_than_false(kernel):
    values = list(itertools.product(BOTH_TRUTHS, repeat=2))
    for names in (list(ORDERS), ["ult", "ule", "ugt", "uge"]):
        found = rows(kernel, values, (BOOL, BOOL), lambda k, a, b: [k.compare(name, a, b) for name in names])
        assert found == [tuple(holds(name.replace("u", ""), x, y) for name in names) for x, y in values]


@every_kernel
@pytest.mark.parametrize("type", FLOATS, ids=name_of)
def test_floats_follow_ieee_754(kernel, type):
    samples = [single(number) if type is F32 else number for number in FLOAT_SAMPLES]
    dtype, values = np.float32 if type is F32 else np.float64, list(itertools.product(samples, repeat=2))
    names = ["add", "sub", "mul", "div", "rem"]
    found = rows(kernel, values, (type, type), lambda k, a, b: [k.binary(name, a, b) for name in names])
    with np.errstate(all="ignore"):
        functions = np.add, np.subtract, np.multiply, np.divide, np.fmod
        expected = [tuple(float(function(dtype(x), dtype(y))) for function in functions) for x, y in values]
    assert differing(values, found, expected) == []


@every_kernel
@pytest.mark.parametrize("type", FLOATS, ids=name_of)
def test_nothing_equals_nan_and_zeros_equal_each_other(kernel, type):
    values = list(itertools.product([single(number) for number in FLOAT_SAMPLES], repeat=2))
    found = rows(kernel, values, (type, type), lambda k, a, b: [k.compare(name, a, b) for name in ORDERS])
    assert found == [tuple(holds(name, x, y) for name in ORDERS) for x, y in values]


@every_kernel
@pytest.mark.parametrize("source", (BOOL, *WITH_I128), ids=name_of)
def test_integers_become_wider_narrower_and_floats(kernel, source):
    values = [(number,) for number in (BOTH_TRUTHS if source == BOOL else edges(source))]
    targets = INTEGERS
    found = rows(kernel, values, (source,), lambda k, a: [k.convert(a, target) for target in targets] + [
        k.convert(a, target, signed=False) for target in targets])
    expected = [tuple(wrapped(target, number) for number in (int(x), unsigned(source, x)) for target in targets)
                for x, in values]
    assert differing(values, found, expected) == []
    found = rows(kernel, values, (source,), lambda k, a: (k.convert(a, I128), k.convert(a, I128, signed=False)))
    assert found == [(int(x), wrapped(I128, unsigned(source, x))) for x, in values]


@every_kernel
@pytest.mark.parametrize("source", (BOOL, *INTEGERS), ids=name_of)
def test_integers_become_the_nearest_float(kernel, source):
    numbers = BOTH_TRUTHS if source == BOOL else edges(source)
    if source is I64:       # between two floats: ties to even, and what would be rounded twice by way of 64 bits
        numbers = numbers + [2**53 + 1, 2**53 + 3, 2**60 + 2**36 + 1, 2**24 + 1, 2**24 + 3, 9007199791611905, -(2**62) + 1]
    values = [(number,) for number in numbers]
    found = rows(kernel, values, (source,), lambda k, a: [
        k.convert(a, F32), k.convert(a, F64), k.convert(a, F32, signed=False), k.convert(a, F64, signed=False)])
    without_sign = [unsigned(source, x) for x, in values]
    expected = [(float(np.float32(np.int64(x))), float(x), float(np.float32(np.uint64(bits))), float(bits))
                for (x,), bits in zip(values, without_sign)]
    assert differing(values, found, expected) == []


@every_kernel
@pytest.mark.parametrize("source", FLOATS, ids=name_of)
def test_floats_become_integers_towards_zero_and_saturate(kernel, source):
    numbers = FLOAT_SAMPLES + [0.9, -0.9, 127.0, 127.9, 128.0, -128.9, -129.0, 32767.5, -32769.0, 2147483647.0, 2147483648.0,
                               -2147483649.0, 9.2e18, 2.0**63, -2.0**63, 1e300]
    with np.errstate(all="ignore"):
        values = [(single(number) if source is F32 else number,) for number in numbers]

    def saturated(type, x):
        top = 1 << (type.bits - 1)
        return 0 if math.isnan(x) else -top if x < -top else top - 1 if x >= top else int(x)
    found = rows(kernel, values, (source,), lambda k, a: [k.convert(a, target) for target in INTEGERS])
    assert differing(values, found, [tuple(saturated(type, x) for type in INTEGERS) for x, in values]) == []


@every_kernel
def test_floats_become_wider_and_narrower(kernel):
    numbers = FLOAT_SAMPLES + [0.1, 1e39, -1e39, 1e-46, 3.4028235677973366e38]
    with np.errstate(all="ignore"):
        expected = [(single(number), single(number)) for number in numbers]
    values = [(number,) for number in numbers]
    found = rows(kernel, values, (F64,), lambda k, a: (k.convert(a, F32), k.convert(k.convert(a, F32), F64)))
    assert differing(values, found, expected) == []


@every_kernel
def test_the_same_bits_are_another_number(kernel):
    values = [(number,) for number in (0.0, -0.0, 1.5, -INFINITY, 1e300)]
    found = rows(kernel, values, (F64,), lambda k, a: (k.reinterpret(a, I64), k.reinterpret(k.reinterpret(a, I64), F64)))
    assert differing(values, found, [(struct.unpack("<q", struct.pack("<d", x))[0], x) for x, in values]) == []
    values = [(number,) for number in (0.0, -0.0, 1.5, INFINITY)]
    found = rows(kernel, values, (F32,), lambda k, a: (k.reinterpret(a, I32), k.reinterpret(k.reinterpret(a, I32), F32)))
    assert differing(values, found, [(struct.unpack("<i", struct.pack("<f", x))[0], x) for x, in values]) == []


@every_kernel
def test_choose_takes_one_of_two_and_either_may_be_a_number(kernel):
    values = [(True, 3, -4), (False, 3, -4)]
    found = rows(kernel, values, (BOOL, I32, I32), lambda k, c, a, b: (
        k.choose(c, a, b), k.choose(c, a, 7), k.choose(c, 7, b), k.choose(True, a, b), k.choose(False, a, b)))
    assert found == [(3, 3, 7, 3, -4), (-4, 7, -4, 3, -4)]


@every_kernel
def test_logic_folds_what_is_known_while_staging(kernel):
    def body(k, a, b):
        assert k.and_(a, False) is False and k.or_(a, True) is True and k.not_(True) is False
        assert k.and_() is True and k.or_() is False and k.and_(True, a) is a and k.or_(False, a) is a
        return k.and_(a, b, True), k.or_(a, b, False), k.not_(a)
    values = list(itertools.product(BOTH_TRUTHS, repeat=2))
    assert rows(kernel, values, (BOOL, BOOL), body) == [(a and b, a or b, not a) for a, b in values]


@every_kernel
def test_least_greatest_and_negation(kernel):
    values = list(itertools.product(edges(I16), repeat=2))
    found = rows(kernel, values, (I16, I16), lambda k, a, b: (k.least(a, b), k.greatest(a, b), k.negate(a)))
    assert found == [(min(x, y), max(x, y), wrapped(I16, -x)) for x, y in values]
    values = [(number,) for number in FLOAT_SAMPLES if not math.isnan(number)]
    assert differing(values, rows(kernel, values, (F64,), lambda k, a: [k.negate(a)]), [(-x,) for x, in values]) == []


@every_kernel
@pytest.mark.parametrize("type", FLOATS, ids=name_of)
def test_rounding_functions(kernel, type):
    names = {"sqrt": np.sqrt, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint, "fabs": np.fabs}
    values = [(single(number),) for number in FLOAT_SAMPLES + [0.49999997, 1.5, 2.5, -0.5, -1.5, 1e-45]]
    dtype = np.float32 if type is F32 else np.float64
    found = rows(kernel, values, (type,), lambda k, a: [k.math(name, a) for name in names])
    with np.errstate(all="ignore"):
        expected = [tuple(float(function(dtype(x))) for function in names.values()) for x, in values]
    assert differing(values, found, expected) == []


@every_kernel
def test_the_sign_of_zero_survives_rounding(kernel):
    names = ["sqrt", "floor", "ceil", "trunc", "rint"]
    found = rows(kernel, [(-0.0,), (-0.25,)], (F64,), lambda k, a: [k.math(name, a) for name in names])
    assert [math.copysign(1, number) for number in found[0]] == [-1.0] * 5
    assert [math.copysign(1, number) for number in found[1][1:]] == [-1.0] * 4 and math.isnan(found[1][0])


@every_kernel
def test_functions_of_the_c_library(kernel):
    names = "exp", "log", "sin", "cos", "tanh", "cbrt"
    values = [(0.5,), (2.0,), (10.25,)]
    found = rows(kernel, values, (F64,), lambda k, a: [k.math(name, a) for name in names])
    for row, (x,) in zip(found, values):
        assert row == pytest.approx([getattr(math, name)(x) for name in names], rel=1e-15)
    pairs = rows(kernel, [(2.0, 10.0), (9.0, 0.5)], (F64, F64), lambda k, a, b: (k.math("pow", a, b), k.math("atan2", a, b)))
    assert pairs[0] == (1024.0, math.atan2(2, 10)) and pairs[1][0] == 3.0


@every_kernel
@pytest.mark.parametrize("type", INTEGERS, ids=name_of)
def test_bits_are_counted_and_bytes_reversed(kernel, type):
    values = [(number,) for number in [*edges(type), 0x12, 1 << (type.bits - 2)]]

    def expected(x):
        bits = unsigned(type, x)
        swapped = int.from_bytes(bits.to_bytes(type.size, "little"), "big")
        return (bits.bit_count(), type.bits - bits.bit_length(), (bits & -bits).bit_length() - 1 if bits else type.bits,
                wrapped(type, swapped))
    found = rows(kernel, values, (type,), lambda k, a: (k.ones(a), k.leading_zeros(a), k.trailing_zeros(a), k.swap_bytes(a)))
    assert differing(values, found, [expected(x) for x, in values]) == []


@every_kernel
def test_constants_are_exact(kernel):
    numbers = [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0, INFINITY]
    found = rows(kernel, [(0,)], (I64,), lambda k, a: [k.constant(F64, number) for number in numbers])
    assert differing([0], found, [tuple(numbers)]) == []
    found = rows(kernel, [(0,)], (I64,), lambda k, a: [
        k.constant(F32, 0.1), k.constant(F32, 16777217), k.constant(I8, 200), k.constant(I64, 1 << 63),
        k.constant(I128, -(1 << 127)), k.constant(BOOL, True)])
    assert found == [(single(0.1), 16777216.0, -56, -(1 << 63), -(1 << 127), True)]


@pytest.mark.parametrize("kind", [PythonKernel, LlvmKernel])
@pytest.mark.parametrize("use", [lambda k, a: k.binary("div", a, 3), lambda k, a: k.binary("urem", a, a),
                                 lambda k, a: k.convert(a, F64), lambda k, a: k.convert(k.constant(F32, 1), I128)])
def test_what_would_need_a_library_for_128_bits_is_refused(kind, use):
    k = kind(Control())
    with pytest.raises(TypeError, match="128 bits"):
        use(k, k.constant(I128, 5))


@every_kernel
def test_a_sum_in_any_order(kernel):
    numbers = np.arange(1000, dtype=np.float64)

    def body(k, here):
        total, count = k.variable(F64, 0), k.variable(I64, 0)
        for i in k.range(0, here.n):
            total.set(k.accumulate(total.get(), here.xs[i]))
            count.set(k.accumulate(count.get(), k.constant(I64, 1)))
        here.total, here.count = total.get(), count.get()
    outcome = run(kernel, body, {"xs": numbers}, n=1000, total=0.5, count=0)
    assert (outcome["total"], outcome["count"]) == (499500.0, 1000)
