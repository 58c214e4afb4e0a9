"""Numbers of known scale and bounds (kernel.scaled) give what Decimals give, also at the edges of 64 and 112 bits."""
import random
from decimal import Decimal

import pytest

from caldera.functions.registry import Function
from caldera.functions.scalar import numeric_words
from caldera.functions.scalar.numeric_words import OVERFLOW, report
from caldera.kernel import decimal, scaled
from caldera.kernel.interface import I64, I128
from caldera.kernel.scaled import Scaled, known_bits, of_bits
from caldera.types import arithmetic
from caldera.types.registry import lookup
from tests.functions.staged import evaluate

NUMERIC, INT8, BOOLEAN = lookup("numeric"), lookup("int8"), lookup("bool")
SHAPES = [((2, 24), (2, 8)), ((0, 63), (0, 63)), ((2, 63), (9, 56)), ((30, 63), (0, 8)), ((0, 8), (40, 63)),
          ((3, 63), (3, 63)), ((0, 40), (18, 63)), ((16000, 8), (500, 8))]
OPERATIONS = [(numeric_words.add, arithmetic.add), (numeric_words.subtract, arithmetic.sub),
              (numeric_words.multiply, arithmetic.mul)]
TIERS = "python", "fast", "o3"


def edges(bits):
    """Mantissas of up to so many bits."""
    chance, most = random.Random(bits), (1 << bits) - 1
    return [0, 1, -1, most, -most, most - 1, *(chance.randint(-most, most) >> chance.randrange(bits) for _ in range(6))]


def pairs(shapes):
    (_, a_bits), (_, b_bits) = shapes
    return [(a, b) for a in edges(a_bits) for b in edges(b_bits)]


def datum(mantissa, scale):
    return arithmetic.from_scaled(mantissa, scale)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("staged, reference", OPERATIONS, ids=lambda function: function.__name__)
def test_arithmetic_agrees_with_decimals(staged, reference, shapes, tier):
    (a_scale, a_bits), (b_scale, b_bits) = shapes

    def body(call, a, b):
        a, b = of_bits(call.k, a, a_scale, a_bits), of_bits(call.k, b, b_scale, b_bits)
        return report(call, staged(call.k, a, b), OVERFLOW)
    rows = pairs(shapes)
    found = evaluate(Function("f", (INT8, INT8), NUMERIC, body), rows, tier)
    wanted = [reference(datum(a, a_scale), datum(b, b_scale)) for a, b in rows]
    assert [str(number) for number in found] == [str(number) for number in wanted]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_comparisons_agree_with_decimals(shapes, tier):
    (a_scale, a_bits), (b_scale, b_bits) = shapes
    for staged, reference in ((decimal.less, Decimal.__lt__), (decimal.equal, Decimal.__eq__)):
        def body(call, a, b):
            return staged(call.k, of_bits(call.k, a, a_scale, a_bits), of_bits(call.k, b, b_scale, b_bits))
        rows = pairs(shapes)
        assert evaluate(Function("f", (INT8, INT8), BOOLEAN, body), rows, tier) == [
            reference(datum(a, a_scale), datum(b, b_scale)) for a, b in rows]


@pytest.mark.parametrize("tier", TIERS)
def test_negation_and_magnitude_of_the_smallest_integer(tier):
    rows = [(number,) for number in (-2**63, -2**63 + 1, -1, 0, 1, 2**63 - 1)]
    for staged, reference in ((scaled.negate, lambda number: -number), (scaled.absolute, abs)):
        function = Function("f", (INT8,), NUMERIC, lambda call, a: staged(call.k, scaled.of_integer(call.k, a)))
        assert [int(number) for number in evaluate(function, rows, tier)] == [reference(number) for number, in rows]


def test_results_are_single_words_while_bounds_allow_it():
    seen = []

    def body(call, a):
        k = call.k
        price, discount = of_bits(k, a, 2, 24), of_bits(k, a, 2, 8)
        charge = scaled.multiply(k, price, scaled.subtract(k, of_bits(k, k.constant(I64, 1), 0, 8), discount))
        long = scaled.multiply(k, of_bits(k, a, 0, 63), of_bits(k, a, 0, 40))
        seen.extend([charge, long, scaled.multiply(k, long, of_bits(k, a, 0, 16))])
        return charge
    evaluate(Function("f", (INT8,), NUMERIC, body), [(5,)], "python")
    assert (seen[0].scale, seen[0].number.type, seen[1].number.type, seen[2]) == (4, I64, I128, None)
    assert isinstance(seen[1], Scaled) and seen[1].most == (2**63 - 1) * (2**40 - 1)


def test_bounds_come_in_classes():
    assert [known_bits(-1, 10), known_bits(0, 255), known_bits(-256, 0), known_bits(0, 2**57), known_bits(-2**63, 0)] == \
        [8, 8, 16, 63, None]
