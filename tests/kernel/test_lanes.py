"""Vectors: every verb works on each lane as it works on a number, under every kernel."""
import itertools

import numpy as np
import pytest

from caldera.kernel.blocks import LANES, select
from caldera.kernel.interface import BOOL, F32, F64, I8, I16, I32, I64
from tests.kernel.staged import MACHINE_TYPES, every_kernel, run

TYPES = {type: dtype for dtype, type in MACHINE_TYPES.items()}
name_of = lambda type: type.name
SHAPES = [(type, lanes) for type in TYPES for lanes in (4, 16)]
every_shape = pytest.mark.parametrize("type, lanes", SHAPES, ids=lambda x: getattr(x, "name", x))


def samples(type, count=16):
    """Numbers with edges, different in every lane."""
    if type.is_float:
        return np.resize(np.array([0.5, -1.5, 2.25, 3.0, 100.0, -7.0, 1e10], TYPES[type]), count)
    top = 1 << (type.bits - 1)
    return np.resize(np.array([5, -3, top - 1, -top, 0, 100, -1], TYPES[type]), count)


def lanewise(kernel, type, lanes, body, result_type, count=2):
    """`body(k, a, b)` over vectors of samples; its vector results as lists."""
    first, second = samples(type, lanes), np.roll(samples(type, lanes), 3)

    def staged(k, here):
        results = body(k, k.load(here.a, 0, lanes=lanes), k.load(here.b, 0, lanes=lanes))
        for number, result in enumerate(results):
            k.store(getattr(here, f"out{number}"), 0, k.convert(result, result_type))
    arrays = {"a": first, "b": second} | {f"out{number}": np.zeros(lanes, TYPES[result_type]) for number in range(count)}
    outcome = run(kernel, staged, arrays)
    return [outcome[f"out{number}"].tolist() for number in range(count)]


@every_kernel
@every_shape
def test_arithmetic_by_lanes_is_arithmetic_of_numbers(kernel, type, lanes):
    names = ["add", "sub", "mul"] + (["div", "rem"] if type.is_float else ["and", "or", "xor", "div", "rem", "udiv", "urem"])
    found = lanewise(kernel, type, lanes, lambda k, a, b: [k.binary(name, a, b) for name in names], type, len(names))
    assert found == by_numbers(type, lanes, lambda k, a, b: [k.binary(name, a, b) for name in names])


def by_numbers(type, lanes, body):
    """What the same body gives for each pair of numbers by the Python kernel: lists as `lanewise` gives them."""
    from tests.kernel.staged import rows
    values = list(zip(samples(type, lanes).tolist(), np.roll(samples(type, lanes), 3).tolist()))
    return [list(column) for column in zip(*rows("python", values, (type, type), body))]


@every_kernel
@pytest.mark.parametrize("type", [type for type in TYPES if not type.is_float], ids=name_of)
def test_shifts_and_bits_by_lanes(kernel, type):
    def body(k, a, b):
        count = k.binary("and", b, type.bits - 1)
        return [k.binary(name, a, count) for name in ("shl", "lshr", "ashr")] + [
            k.ones(a), k.leading_zeros(a), k.trailing_zeros(a), k.swap_bytes(a)]
    assert lanewise(kernel, type, 8, body, type, 7) == by_numbers(type, 8, body)


@every_kernel
@every_shape
def test_comparisons_by_lanes(kernel, type, lanes):
    names = ["eq", "ne", "lt", "le", "gt", "ge"] + ([] if type.is_float else ["ult", "ule", "ugt", "uge"])
    body = lambda k, a, b: [k.convert(k.compare(name, a, b), I8) for name in names]
    assert lanewise(kernel, type, lanes, body, I8, len(names)) == by_numbers(type, lanes, body)


@every_kernel
@pytest.mark.parametrize("source, target", list(itertools.product(TYPES, repeat=2)), ids=name_of)
def test_conversions_by_lanes(kernel, source, target):
    body = lambda k, a, b: [k.convert(a, target), k.convert(a, target, signed=False)]
    assert lanewise(kernel, source, 4, body, target) == by_numbers(source, 4, body)


@every_kernel
def test_choice_logic_and_the_same_bits_by_lanes(kernel):
    def body(k, a, b):
        mask = k.and_(a > 0, k.not_(b > 50))
        return [k.choose(mask, a, b), k.choose(k.or_(mask, a == b), a, 7), k.least(a, b), k.negate(a)]
    assert lanewise(kernel, I32, 8, body, I32, 4) == by_numbers(I32, 8, body)
    bits = lambda k, a, b: [k.reinterpret(a, I64), k.reinterpret(k.reinterpret(b, I64), F64) == b]
    assert lanewise(kernel, F64, 4, bits, I64) == [[int(x) for x in column] for column in by_numbers(F64, 4, bits)]
    mathematics = lambda k, a, b: [k.math(name, a) for name in ("floor", "ceil", "trunc", "rint", "fabs")]
    assert lanewise(kernel, F32, 4, mathematics, F32, 5) == by_numbers(F32, 4, mathematics)


@every_kernel
@pytest.mark.parametrize("lanes", [2, 8, 16, 32, 64])
def test_a_mask_becomes_the_bits_of_a_number(kernel, lanes):
    def body(k, here):
        mask = k.load(here.xs, 0, lanes=lanes) != 0
        here.bits, here.inverted = k.bits(mask), k.bits(k.not_(mask))
    flags = np.array([number % 3 == 0 or number == 63 for number in range(lanes)], np.int8)
    outcome = run(kernel, body, {"xs": flags}, bits=0, inverted=0)
    expected = sum(1 << lane for lane in range(lanes) if flags[lane])
    assert outcome["bits"] & (1 << 64) - 1 == expected
    assert outcome["inverted"] & (1 << 64) - 1 == (1 << lanes) - 1 - expected


@every_kernel
@pytest.mark.parametrize("type, lanes", [(I8, 16), (I16, 8), (I32, 16), (I64, 4), (F32, 8), (F64, 4)],
                         ids=lambda x: getattr(x, "name", x))
def test_compress_moves_kept_lanes_to_the_front(kernel, type, lanes):
    def body(k, here):
        mask = k.load(here.keep, 0, lanes=lanes) != 0
        k.store(here.out, 0, k.compress(k.load(here.xs, 0, lanes=lanes), mask))
    for keep in ([1] * lanes, [0] * lanes, [number % 2 for number in range(lanes)], [0] * (lanes - 1) + [1]):
        arrays = {"xs": np.arange(1, lanes + 1).astype(TYPES[type]), "keep": np.array(keep, np.int8),
                  "out": np.zeros(lanes, TYPES[type])}
        kept = [number + 1 for number in range(lanes) if keep[number]]
        assert run(kernel, body, arrays)["out"][:len(kept)].tolist() == kept


@every_kernel
def test_lane_numbers_and_constants_fill_vectors(kernel):
    def body(k, here):
        numbers = k.lane_numbers(I32, 8)
        k.store(here.out, 0, numbers * 10 + 1)
        k.store(here.out, 8, k.constant(I32.times(8), -5))
        k.store(here.bits, 0, k.choose(k.constant(BOOL.times(8), True), numbers, 0))
    outcome = run(kernel, body, {"out": np.zeros(16, np.int32), "bits": np.ones(8, np.int32)})
    assert outcome["out"].tolist() == [1, 11, 21, 31, 41, 51, 61, 71] + [-5] * 8
    assert outcome["bits"].tolist() == list(range(8))


@every_kernel
def test_lanes_may_start_at_any_element(kernel):
    def body(k, here):
        for i in k.range(0, here.n):
            k.store(here.out, i * 4, k.load(here.xs, i, lanes=4) + k.load(here.xs, i + 3, lanes=4))
    outcome = run(kernel, body, {"xs": np.arange(20, dtype=np.int64), "out": np.zeros(20, np.int64)}, n=5)
    assert outcome["out"].tolist() == [2 * (i + lane) + 3 for i in range(5) for lane in range(4)]


@every_kernel
@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 40])
def test_select_turns_bytes_into_row_numbers(kernel, count):
    keep = np.ones(64 + LANES, np.int8)         # what lies behind the rows must not be selected
    keep[:count] = [number % 3 != 1 for number in range(count)]
    outcome = run(kernel, lambda k, here: setattr(here, "n", select(k, here.keep, here.n, here.positions)),
                  {"keep": keep, "positions": np.zeros(64 + LANES, np.int32)}, n=count)
    expected = [number for number in range(count) if number % 3 != 1]
    assert outcome["n"] == len(expected) and outcome["positions"][:len(expected)].tolist() == expected
