"""Numerics of two words: the staged arithmetic against Python's, on random numbers of all lengths; names of big numbers."""
import random
from decimal import Decimal

import pytest

from caldera.base.errors import Error
from caldera.functions.registry import Function
from caldera.functions.scalar import number_casts, numeric_words  # noqa: F401
from caldera.functions.scalar.numeric_words import DIVISION_BY_ZERO, OVERFLOW, report
from caldera.kernel import decimal
from caldera.kernel.decimal import BigNumbers, number_of, words_of
from caldera.kernel.layouts import Pair
from caldera.types import arithmetic
from caldera.types.floats import read_single
from caldera.types.numeric import read_numeric
from caldera.types.registry import lookup
from tests.functions.staged import evaluate

NUMERIC, INT8 = lookup("numeric"), lookup("int8")
ROWS = {"python": 150, "fast": 4000}
EDGES = ["0", "0.00", "1", "-1", "1.0", "10", "0.1", "NaN", "Infinity", "-Infinity", "18446744073709551616",
         "-9223372036854775808", "9223372036854775807", "9223372036854775807.5", "9223372036854775807.4",
         *(str(sign * (2**111) + delta) for sign in (1, -1) for delta in (-1, 0, 1))]


@pytest.fixture
def chance(request):
    seed = request.config.getoption("--seed")
    seed = random.randrange(10**6) if seed is None else seed
    print("seed", seed)
    return random.Random(seed)


def some_numeric(chance):
    if chance.random() < 0.15:
        return Decimal(chance.choice(EDGES))
    digits = chance.choice([1, 2, 3, 5, 8, 12, 15, 17, 18, 19, 20, 25, 30, 33, 34, 35, 40, 60])
    number = chance.randrange(10**digits) * chance.choice([1, -1])
    if chance.random() < 0.2:
        number = number // 10**(digits // 2) * 10**(digits // 2)
    scale = chance.choice([0, 0, 1, 2, 2, 4, 6, 10, 16, 20, 30, 38, 40, 50, 100, 400])
    return arithmetic.settled(Decimal(number).scaleb(-scale, arithmetic.EXACT))


def some_pair(chance):
    """Two numerics, sometimes equal but for their scales."""
    a, b = some_numeric(chance), some_numeric(chance)
    if chance.random() < 0.2 and a.is_finite():
        b = arithmetic.with_scale(a, chance.randrange(0, 40))
    return a, b


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Error as exception:
        return exception.sqlstate, exception.message


def alike(a, b):
    """Equal datums of one scale, or equal faults."""
    return a.as_tuple() == b.as_tuple() if isinstance(a, Decimal) and isinstance(b, Decimal) else a == b


def check(function, reference, rows, tier):
    wrong = [(row, got, wanted) for row, got in zip(rows, evaluate(function, rows, tier))
             if not alike(got, wanted := outcome(reference, *row))]
    assert not wrong, wrong[:5]


def order(number):
    """A sort key: -Infinity first, NaN last."""
    return (2, 0) if number.is_nan() else (number == Decimal("Infinity"), 0) if number == Decimal("Infinity") else \
        (-1, 0) if number == Decimal("-Infinity") else (0, number)


BINARY = [(numeric_words.add, arithmetic.add), (numeric_words.subtract, arithmetic.sub),
          (numeric_words.multiply, arithmetic.mul), (numeric_words.divide, arithmetic.div),
          (numeric_words.modulo, arithmetic.mod)]


@pytest.mark.parametrize("tier", ROWS)
@pytest.mark.parametrize("staged, reference", BINARY, ids=lambda function: function.__name__)
def test_arithmetic_agrees_with_decimals(chance, staged, reference, tier):
    function = Function("f", (NUMERIC, NUMERIC), NUMERIC,
                        lambda call, a, b: report(call, staged(call.k, a, b), OVERFLOW, DIVISION_BY_ZERO))
    check(function, reference, [some_pair(chance) for _ in range(ROWS[tier])], tier)


@pytest.mark.parametrize("tier", ROWS)
@pytest.mark.parametrize("staged, reference", [(numeric_words.round_to, arithmetic.round_to),
                                               (numeric_words.truncate_to, arithmetic.trunc_to)],
                         ids=lambda function: function.__name__)
def test_rounding_agrees_with_decimals(chance, staged, reference, tier):
    function = Function("f", (NUMERIC, INT8), NUMERIC, lambda call, a, n: report(call, staged(call.k, a, n), OVERFLOW))
    scales = [0, 0, 1, 2, 3, 5, 10, 30, 60, -1, -2, -5, -20, -40] * 20 + [16383, 20000]
    check(function, reference, [(some_numeric(chance), chance.choice(scales)) for _ in range(ROWS[tier])], tier)


@pytest.mark.parametrize("tier", ROWS)
@pytest.mark.parametrize("routine, reference", [(numeric_words.ceiling_words, arithmetic.ceil),
                                                (numeric_words.floor_words, arithmetic.floor)],
                         ids=lambda function: function.__name__)
def test_ceiling_and_floor_agree_with_decimals(chance, routine, reference, tier):
    def body(call, a):
        low, high, status = call.k.routine(routine, a.low, a.high)
        return report(call, (Pair(low, high), status), OVERFLOW)
    check(Function("f", (NUMERIC,), NUMERIC, body), reference, [(some_numeric(chance),) for _ in range(ROWS[tier])], tier)


@pytest.mark.parametrize("tier", ROWS)
def test_order_hash_and_key_agree_with_values(chance, tier):
    rows = [some_pair(chance) for _ in range(ROWS[tier])]
    comparison = Function("f", (NUMERIC, NUMERIC), INT8, lambda call, a, b: decimal.compare(call.k, a, b))
    compared = evaluate(comparison, rows, tier)
    for (a, b), sign in zip(rows, compared):
        assert sign == (order(a) > order(b)) - (order(a) < order(b)), (a, b)
    numbers = [(number,) for row in rows for number in row]
    hashes = evaluate(Function("f", (NUMERIC,), INT8, lambda call, a: decimal.hash_decimal(call.k, a)), numbers, tier)
    keys = evaluate(Function("f", (NUMERIC,), INT8, lambda call, a: decimal.key_decimal(call.k, a)), numbers, tier)
    seen = {}
    for (number,), *found in zip(numbers, hashes, keys):
        assert seen.setdefault(order(number), found) == found, number
    in_order = [key for _, (_, key) in sorted(seen.items())]
    assert in_order == sorted(in_order)


@pytest.mark.parametrize("tier", ROWS)
def test_floats_become_numerics_by_their_first_digits(chance, tier):
    kinds = [lambda: round(chance.uniform(-1000, 1000), chance.randrange(8)), lambda: 10**chance.uniform(-6, 17),
             lambda: chance.randrange(10**15) * 0.5**chance.randrange(40), lambda: chance.randrange(10**15) + 0.5]
    rows = [(chance.choice(kinds)(),) for _ in range(ROWS[tier])]
    for (value,), number in zip(rows, evaluate("numeric(float8)", rows, tier)):
        assert alike(number, read_numeric(f"{value:.15g}")), value


@pytest.mark.parametrize("tier", ROWS)
def test_numerics_become_the_nearest_float(chance, tier):
    rows = [(number,) for number in (some_numeric(chance) for _ in range(ROWS[tier]))
            if number.is_finite() and 1e-37 < abs(float(number)) < 1e38 or not number]
    for (number,), value in zip(rows, evaluate("float8(numeric)", rows, tier)):
        assert value == float(number), number
    for (number,), value in zip(rows, evaluate("float4(numeric)", rows, tier)):
        assert value == read_single(format(number, "f"), float(number)), number


def test_words_hold_what_they_are_made_of(chance):
    for _ in range(2000):
        number = some_numeric(chance)
        assert alike(number_of(*words_of(number)), number)


def test_big_numbers_stay_while_a_run_that_may_know_them_lasts(monkeypatch):
    bigs = BigNumbers()
    monkeypatch.setattr(BigNumbers, "BYTES_MAX", 10_000)
    first = bigs.begin_run()
    names = [bigs.name(Decimal(10**60 + number)) for number in range(100)]
    assert bigs.name(Decimal(10**60)) == names[0], "one name for one number while the run lasts"
    second = bigs.begin_run()
    assert bigs.name(Decimal(10**60)) not in names, "a younger run must not rely on names of an older one"
    bigs.end_run(second)
    assert [bigs.number(name) for name in names] == [Decimal(10**60 + number) for number in range(100)]
    bigs.end_run(first)
    assert bigs.bytes <= 10_000 and len(bigs.numbers) == len(bigs.names) < 100, "the oldest make room"
