"""Arithmetic of numerics while staging: what the operators, the casts and the aggregates of numeric are made of.

Every operation is tried in the registers first (kernel.decimal) and otherwise performed out of line on Python's Decimals by
the type's own functions (types.arithmetic), which also know NaN and the infinities. A result is `(Pair, status)`: the status
(I64) is 0, OVERFLOW, DIVISION_BY_ZERO or FAILED, and `report` makes faults of it; None: nothing can have gone wrong.

    add(k, a, b) ─▶ scales and bounds known while staging (kernel.scaled): an integer addition
                 ─▶ same scale and fits: done ─▶ add_words (a routine): scales made equal ─▶ out_of_line(arithmetic.add)
"""

from caldera.base.errors import error
from caldera.kernel import decimal, scaled
from caldera.kernel.decimal import (DIVISION_BY_ZERO, FAILED, OVERFLOW, SCALE_MAX, bits_of, compose, digits_of,
                                    divide_magnitudes, fits, is_inline, magnitude, mantissa, number_of, otherwise,
                                    out_of_line, power_of_ten, python_operation, same_scale, scaled_up,
                                    tag_of, with_sign_of, words_of)
from caldera.kernel.interface import I64, I128
from caldera.kernel.layouts import Pair
from caldera.types import arithmetic

MINIMUM_SIGNIFICANT_DIGITS, DIVISION_SCALE_MAX = 16, 1000
MESSAGES = {OVERFLOW: ("22003", "value overflows numeric format"), DIVISION_BY_ZERO: ("22012", "division by zero"),
            FAILED: ("XX000", "a numeric operation failed")}


def binary_operation(function):
    """A python_operation on two numerics, of a function of two Decimals."""
    def perform(a_low, a_high, b_low, b_high):
        return words_of(function(number_of(a_low, a_high), number_of(b_low, b_high)))
    return python_operation(4)(perform)


def unary_operation(function):
    """The same for one Decimal."""
    def perform(low, high):
        return words_of(function(number_of(low, high)))
    return python_operation(2)(perform)


def scaled_operation(function):
    """The same for a Decimal and an integer."""
    def perform(low, high, scale):
        return words_of(function(number_of(low, high), scale))
    return python_operation(3)(perform)


ADD, SUBTRACT = binary_operation(arithmetic.add), binary_operation(arithmetic.sub)
MULTIPLY, DIVIDE, MODULO = (binary_operation(arithmetic.mul), binary_operation(arithmetic.div),
                            binary_operation(arithmetic.mod))
NEGATE = unary_operation(lambda number: arithmetic.sub(arithmetic.ZERO, number))
CEILING, FLOOR = unary_operation(arithmetic.ceil), unary_operation(arithmetic.floor)
ROUND, TRUNCATE = scaled_operation(arithmetic.round_to), scaled_operation(arithmetic.trunc_to)


def report(call, result, *possible):
    """The Pair of a (Pair, status), with a fault for each status in `possible`; a failure of the machinery always is one."""
    pair, status = result
    if status is not None:
        for code in (*possible, FAILED):
            call.fault(status == code, *MESSAGES[code])
    return pair


def tried(k, done, number, scale, function, words):
    """`number` (I128) with its scale where `done` holds, else the result of an operation out of line: (Pair, status)."""
    quick = compose(k, number, scale)
    low, high, status = otherwise(k, done, [quick.low, quick.high, k.constant(I64, 0)],
                                  lambda: slow_pair(k, function, words))
    return Pair(low, high), status


def slow_pair(k, function, words):
    """[low, high, status] of an operation out of line."""
    results, status = out_of_line(k, function, words, 2)
    return [*results, status]


def routine_pair(k, done, number, scale, routine, words):
    """As `tried`, with a routine that returns (low, high, status) to go on with."""
    quick = compose(k, number, scale)
    low, high, status = otherwise(k, done, [quick.low, quick.high, k.constant(I64, 0)], lambda: k.routine(routine, *words))
    return Pair(low, high), status


def words(pair_and_status):
    """(Pair, status) as the three values that a routine returns."""
    pair, status = pair_and_status
    return pair.low, pair.high, status


# sums and differences
def add(k, a, b):
    """a + b."""
    if (known := scaled.add(k, a, b)) is not None:
        return known, None
    total = mantissa(k, a) + mantissa(k, b)
    return routine_pair(k, k.and_(same_scale(k, a, b), fits(k, total)), total, tag_of(a), add_words, four(a, b))


def subtract(k, a, b):
    """a - b."""
    if (known := scaled.subtract(k, a, b)) is not None:
        return known, None
    total = mantissa(k, a) - mantissa(k, b)
    return routine_pair(k, k.and_(same_scale(k, a, b), fits(k, total)), total, tag_of(a), subtract_words, four(a, b))


def four(a, b):
    """The words of two numbers."""
    return a.low, a.high, b.low, b.high


def aligned(k, a, b):
    """(mantissa of a, of b, common scale, bad): the scale of the one with more digits behind the point."""
    scale = k.greatest(tag_of(a), tag_of(b))
    a_number, a_bad = scaled_up(k, mantissa(k, a), scale - tag_of(a))
    b_number, b_bad = scaled_up(k, mantissa(k, b), scale - tag_of(b))
    return a_number, b_number, scale, k.or_(a_bad, b_bad, k.not_(k.and_(is_inline(k, a), is_inline(k, b))))


def add_words(k, a_low, a_high, b_low, b_high):
    """Routine: a + b of any scales as (low, high, status)."""
    a_number, b_number, scale, bad = aligned(k, Pair(a_low, a_high), Pair(b_low, b_high))
    bad = k.or_(bad, k.not_(fits(k, a_number)), k.not_(fits(k, b_number)))      # so that the sum cannot wrap
    total = a_number + b_number
    return words(tried(k, k.and_(k.not_(bad), fits(k, total)), total, scale, ADD, (a_low, a_high, b_low, b_high)))


def subtract_words(k, a_low, a_high, b_low, b_high):
    """Routine: a - b of any scales as (low, high, status)."""
    a_number, b_number, scale, bad = aligned(k, Pair(a_low, a_high), Pair(b_low, b_high))
    bad = k.or_(bad, k.not_(fits(k, a_number)), k.not_(fits(k, b_number)))
    total = a_number - b_number
    return words(tried(k, k.and_(k.not_(bad), fits(k, total)), total, scale, SUBTRACT, (a_low, a_high, b_low, b_high)))


def negate(k, a):
    """-a."""
    if (known := scaled.negate(k, a)) is not None:
        return known, None
    number = k.negate(mantissa(k, a))
    return tried(k, k.and_(is_inline(k, a), fits(k, number)), number, tag_of(a), NEGATE, (a.low, a.high))


# products
def multiply(k, a, b):
    """a * b, with the digits behind the point of both."""
    if (known := scaled.multiply(k, a, b)) is not None:
        return known, None
    a_number, b_number = mantissa(k, a), mantissa(k, b)
    product, scale = a_number * b_number, tag_of(a) + tag_of(b)
    short = bits_of(k, magnitude(k, a_number)) + bits_of(k, magnitude(k, b_number)) < 128
    done = k.and_(is_inline(k, a), is_inline(k, b), short, fits(k, product), scale <= SCALE_MAX)
    return tried(k, done, product, scale, MULTIPLY, four(a, b))


# quotients
def divide(k, a, b):
    """a / b with as many digits as PostgreSQL gives."""
    low, high, status = k.routine(divide_words, *four(a, b))
    return Pair(low, high), status


def leading_digits(k, number, scale):
    """(weight, value) of the first group of four decimal digits, groups counted from the point: value * 10^(4 * weight) is
    about number / 10^scale. Both are 0 for zero."""
    digits = digits_of(k, number)
    exponent = digits - 1 - scale
    length = (exponent & 3) + 1
    whole, _ = k.routine(divide_magnitudes, number, power_of_ten(k, digits - length))
    value = k.convert(whole * power_of_ten(k, length - digits), I64)
    zero = k.constant(I64, 0)
    return k.choose(number == 0, zero, k.binary("ashr", exponent, 2)), value


def division_scale(k, a_number, a_scale, b_number, b_scale):
    """How many digits behind the point a quotient gets: at least 16 significant ones, judged by groups of four."""
    a_weight, a_value = leading_digits(k, a_number, a_scale)
    b_weight, b_value = leading_digits(k, b_number, b_scale)
    weight = a_weight - b_weight - k.convert(a_value <= b_value, I64)
    scale = k.constant(I64, MINIMUM_SIGNIFICANT_DIGITS) - (weight << 2)
    scale = k.greatest(k.greatest(scale, a_scale), k.greatest(b_scale, k.constant(I64, 0)))
    return k.least(scale, k.constant(I64, DIVISION_SCALE_MAX))


def scaled_quotient(k, numerator, exponent, divisor):
    """Routine: numerator * 10^exponent / divisor of magnitudes below 2^112, halves rounded up, and whether it is too long
    (I64). A divisor of zero counts as one. Where the numerator becomes too long, digits are brought down group by group."""
    scaled, long = scaled_up(k, numerator, exponent)
    whole, remainder = k.routine(divide_magnitudes, k.choose(long, numerator, scaled), divisor)
    quotient, rest = k.variable(I128, whole), k.variable(I128, remainder)
    left, bad = k.variable(I64, k.choose(long, exponent, k.constant(I64, 0))), k.variable(I64, 0)
    digits = (k.constant(I64, 127) - bits_of(k, divisor)) * 1233 >> 12                   # bits * log10(2), at least 4
    for _ in k.while_(lambda: left.get() > 0):
        step = k.least(left.get(), digits)
        power = power_of_ten(k, step)
        too_long = k.and_(quotient.get() != 0, bits_of(k, quotient.get()) + bits_of(k, power) > 126)
        more, remainder = k.routine(divide_magnitudes, rest.get() * power, divisor)
        quotient.set(quotient.get() * power + more)
        rest.set(remainder)
        bad.set(bad.get() | k.convert(too_long, I64))
        left.set(k.choose(too_long, k.constant(I64, 0), left.get() - step))
    return quotient.get() + k.convert(rest.get() >= divisor - rest.get(), I128), bad.get()


def divide_words(k, a_low, a_high, b_low, b_high):
    """Routine: a / b as (low, high, status)."""
    a, b = Pair(a_low, a_high), Pair(b_low, b_high)
    a_number, b_number = magnitude(k, mantissa(k, a)), magnitude(k, mantissa(k, b))
    scale = division_scale(k, a_number, tag_of(a), b_number, tag_of(b))
    quotient, bad = k.routine(scaled_quotient, a_number, scale + tag_of(b) - tag_of(a), b_number)
    quotient = with_sign_of(k, quotient, b_high << 16)
    quotient = with_sign_of(k, quotient, a_high << 16)
    inline = k.and_(is_inline(k, a), is_inline(k, b), bad == 0, b_number != 0, fits(k, quotient))
    return words(tried(k, inline, quotient, scale, DIVIDE, (a_low, a_high, b_low, b_high)))


def modulo(k, a, b):
    """The remainder of the quotient cut off at the point; it has the sign of a."""
    low, high, status = k.routine(modulo_words, *four(a, b))
    return Pair(low, high), status


def modulo_words(k, a_low, a_high, b_low, b_high):
    """Routine: a % b as (low, high, status)."""
    a_number, b_number, scale, bad = aligned(k, Pair(a_low, a_high), Pair(b_low, b_high))
    bad = k.or_(bad, b_number == 0)
    numerator = k.choose(bad, k.constant(I128, 0), magnitude(k, a_number))
    _, rest = k.routine(divide_magnitudes, numerator, magnitude(k, k.choose(bad, k.constant(I128, 1), b_number)))
    rest = with_sign_of(k, rest, a_number)
    return words(tried(k, k.and_(k.not_(bad), fits(k, rest)), rest, scale, MODULO, (a_low, a_high, b_low, b_high)))


# rounding
def shifted_down(k, a, scale):
    """(quotient, rest, divisor) of the magnitude of an inline number by the power of ten that leaves `scale` digits behind
    the point. Where that is none to take off, the divisor is 1."""
    excess = tag_of(a) - scale
    divisor = power_of_ten(k, excess)
    quotient, rest = k.routine(divide_magnitudes, magnitude(k, mantissa(k, a)), divisor)
    return quotient, rest, divisor


def at_scale(k, a, scale, quotient):
    """A quotient of `shifted_down`, made a number with max(scale, 0) digits behind the point and the sign of a:
    (number, its scale, bad)."""
    zero = k.constant(I64, 0)
    shown = k.greatest(scale, zero)
    missing = k.choose(scale < 0, k.negate(scale), k.greatest(scale - tag_of(a), zero))
    number, bad = scaled_up(k, quotient, missing)
    far = tag_of(a) - scale >= decimal.POWERS           # the divisor would not do: leave it to Python
    number = with_sign_of(k, number, mantissa(k, a))
    return number, shown, k.or_(bad, far, k.not_(is_inline(k, a)), k.not_(fits(k, number)), shown > SCALE_MAX)


def round_to(k, a, scale):
    """a rounded to `scale` (I64) digits behind the point, halves away from zero."""
    low, high, status = k.routine(round_words, a.low, a.high, scale)
    return Pair(low, high), status


def round_words(k, low, high, scale):
    """Routine: (low, high, status)."""
    a = Pair(low, high)
    quotient, rest, divisor = shifted_down(k, a, scale)
    quotient = quotient + k.convert(k.and_(rest >= divisor - rest, divisor > 1), I128)
    number, shown, bad = at_scale(k, a, scale, quotient)
    return words(tried(k, k.not_(bad), number, shown, ROUND, (low, high, scale)))


def truncate_to(k, a, scale):
    """a cut off behind `scale` (I64) digits."""
    low, high, status = k.routine(truncate_words, a.low, a.high, scale)
    return Pair(low, high), status


def truncate_words(k, low, high, scale):
    """Routine: (low, high, status)."""
    a = Pair(low, high)
    quotient, _, _ = shifted_down(k, a, scale)
    number, shown, bad = at_scale(k, a, scale, quotient)
    return words(tried(k, k.not_(bad), number, shown, TRUNCATE, (low, high, scale)))


def whole_part(k, a, upwards):
    """(number, bad): the next integer below or above a, for an inline number."""
    quotient, rest, _ = shifted_down(k, a, k.constant(I64, 0))
    number, _, bad = at_scale(k, a, k.constant(I64, 0), quotient)
    outwards = k.and_(rest != 0, mantissa(k, a) > 0 if upwards else mantissa(k, a) < 0)
    step = k.convert(outwards, I128)
    return number + step if upwards else number - step, bad


def ceiling_words(k, low, high):
    """Routine: the next integer not below a, as (low, high, status)."""
    number, bad = whole_part(k, Pair(low, high), upwards=True)
    return words(tried(k, k.not_(bad), number, k.constant(I64, 0), CEILING, (low, high)))


def floor_words(k, low, high):
    """Routine: the next integer not above a, as (low, high, status)."""
    number, bad = whole_part(k, Pair(low, high), upwards=False)
    return words(tried(k, k.not_(bad), number, k.constant(I64, 0), FLOOR, (low, high)))


# integers
def to_integer_words(k, low, high):
    """Routine: the nearest integer (halves away from zero) as (I64, status): OVERFLOW where it has more than 64 bits, or
    for numbers that have no integer."""
    a = Pair(low, high)
    quotient, rest, divisor = shifted_down(k, a, k.constant(I64, 0))
    quotient = quotient + k.convert(k.and_(rest >= divisor - rest, divisor > 1), I128)
    number, _, bad = at_scale(k, a, k.constant(I64, 0), quotient)
    narrow = k.convert(number, I64)
    too_large = k.or_(k.convert(narrow, I128) != number, tag_of(a) >= decimal.NAN)

    def slow():
        results, status = out_of_line(k, integer_of_long, (low, high), 1)
        return [*results, status]
    quick = [narrow, k.convert(too_large, I64) * OVERFLOW]
    return tuple(otherwise(k, k.or_(k.not_(bad), tag_of(a) >= decimal.NAN), quick, slow))


@python_operation(2)
def integer_of_long(low, high):
    """The nearest integer of a Decimal that is BIG or has a very long scale."""
    whole = int(arithmetic.round_to(number_of(low, high)))
    if not -2**63 <= whole < 2**63:
        raise error("22003", "bigint out of range")
    return (whole,)
