"""Arithmetic of numeric on Decimals, with PostgreSQL's result scales.

A Decimal's exponent is minus its display scale, so 1.0 and 1.00 are different datums of the same value. What each operation
makes of the scales is part of SQL's answer (1/3 has 20 decimals, sqrt(2) has 15) and is decided here, in terms of
PostgreSQL's own digits: it calculates in base 10000, so a number's *weight* is the power of 10000 of its first digit.

    add sub mul            exact                            div sqrt exp ln log power    at least 16 significant digits
    mod div_trunc gcd lcm  exact                            round_to trunc_to floor ceil

Every function takes and gives Decimals, rounds halves away from zero, and raises 22003, 22012, 2201E or 2201F.
"""
import math
from decimal import MAX_EMAX, MIN_EMIN, ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from math import log10

from caldera.base.errors import error

INTEGER_DIGITS_MAX, SCALE_MAX = 131072, 16383       # what the format of numeric holds
RESULT_SCALE_MAX, SIGNIFICANT_DIGITS = 1000, 16     # bounds of the scales that operations choose
NUMERIC_MAX_RESULT_SCALE = 2000
LN_10, LOG10_E = 2.302585092994046, 0.434294481903252

NAN, INFINITY, MINUS_INFINITY, ZERO, ONE = (Decimal(text) for text in ("NaN", "Infinity", "-Infinity", "0", "1"))


def context(digits, rounding=ROUND_HALF_UP):
    """A decimal context of so many digits in which nothing signals."""
    return Context(prec=digits, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


EXACT = context(700_000)            # more than the product of the two longest numerics has
TRUNCATING = context(700_000, ROUND_DOWN)


def scale(number):
    """The display scale: how many digits stand behind the point."""
    return max(-number.as_tuple().exponent, 0) if number.is_finite() else 0


def settled(number):
    """The number as a datum: without a negative zero or a positive exponent; 22003 if it is too large to be stored."""
    if not number.is_finite():
        return number
    if not number:
        return ZERO.scaleb(-scale(number), EXACT)
    if number.adjusted() >= INTEGER_DIGITS_MAX:
        raise overflow()
    return number if number.as_tuple().exponent <= 0 else EXACT.quantize(number, ONE)


def overflow():
    """The error for a number that the format of numeric cannot hold."""
    return error("22003", "value overflows numeric format")


def with_scale(number, digits, how=EXACT):
    """The number rounded to a display scale."""
    return settled(number.quantize(ONE.scaleb(-digits, EXACT), context=how))


def scaled_integer(number, digits):
    """number * 10^digits as an int; cut if the scale is larger than `digits`."""
    return int(number.scaleb(digits, EXACT))


def from_scaled(mantissa, digits):
    """mantissa / 10^digits with display scale `digits`."""
    return settled(Decimal(mantissa).scaleb(-digits, EXACT))


def rounded_quotient(numerator, denominator):
    """The integer nearest to a quotient of integers, halves away from zero."""
    quotient = (2 * abs(numerator) + abs(denominator)) // (2 * abs(denominator))
    return quotient if (numerator < 0) == (denominator < 0) else -quotient


def clamp_scale(*scales):
    """The largest of the scales, but no less than 0 and no more than operations give."""
    return min(max(0, *scales), RESULT_SCALE_MAX)


def weight(number):
    """The power of 10000 of a number's first digit in that base; 0 for zero."""
    return number.adjusted() // 4 if number else 0


def leading(number, count):
    """The first `count` digits of base 10000 as one int, missing ones taken for 0."""
    return abs(int(number.scaleb(4 * (count - 1 - weight(number)), EXACT))) if number else 0


def digit_count(number):
    """How many digits of base 10000 a number takes, from the first to the last that is not zero."""
    if not number:
        return 0
    return weight(number) - number.normalize(EXACT).as_tuple().exponent // 4 + 1


# the four operations
def add(a, b):
    """a + b, with the larger of the two scales."""
    if a.is_nan() or b.is_nan():
        return NAN
    return settled(EXACT.add(a, b))


def sub(a, b):
    """a - b, with the larger of the two scales."""
    return add(a, b.copy_negate())


def mul(a, b):
    """a * b, with the sum of the scales."""
    if a.is_nan() or b.is_nan():
        return NAN
    product = EXACT.multiply(a, b)
    return with_scale(product, SCALE_MAX) if scale(product) > SCALE_MAX else settled(product)


def division_scale(a, b):
    """The scale of a / b: at least 16 significant digits, and no fewer decimals than either has."""
    quotient_weight = weight(a) - weight(b) - (leading(a, 1) <= leading(b, 1))
    return clamp_scale(SIGNIFICANT_DIGITS - quotient_weight * 4, scale(a), scale(b))


def divided(a, b, digits):
    """a / b rounded to a scale; both finite, b not zero."""
    common = max(scale(a), scale(b))
    return from_scaled(rounded_quotient(scaled_integer(a, common) * 10**digits, scaled_integer(b, common)), digits)


def special_quotient(a, b):
    """a / b where a or b is not finite or b is zero, else None."""
    if a.is_nan() or b.is_nan():
        return NAN
    if not b:
        raise error("22012", "division by zero")
    if a.is_infinite():
        return NAN if b.is_infinite() else a if b > 0 else a.copy_negate()
    return ZERO if b.is_infinite() else None


def div(a, b):
    """a / b."""
    special = special_quotient(a, b)
    return divided(a, b, division_scale(a, b)) if special is None else special


def div_trunc(a, b):
    """The function div: the quotient cut to an integer."""
    special = special_quotient(a, b)
    if special is not None:
        return special
    common = max(scale(a), scale(b))
    dividend, divisor = scaled_integer(a, common), scaled_integer(b, common)
    quotient = abs(dividend) // abs(divisor)
    return from_scaled(quotient if (dividend < 0) == (divisor < 0) else -quotient, 0)


def mod(a, b):
    """a % b, with the sign of a."""
    if a.is_nan() or b.is_nan():
        return NAN
    if a.is_infinite() and b:
        return NAN
    if not b:
        raise error("22012", "division by zero")
    if b.is_infinite():
        return a
    common = max(scale(a), scale(b))
    rest = abs(scaled_integer(a, common)) % abs(scaled_integer(b, common))
    return from_scaled(-rest if a < 0 else rest, common)


def gcd(a, b):
    """The greatest common divisor; of numbers with a fraction, too."""
    if not (a.is_finite() and b.is_finite()):
        return NAN
    common = max(scale(a), scale(b))
    return from_scaled(math.gcd(scaled_integer(a, common), scaled_integer(b, common)), common)


def lcm(a, b):
    """The least common multiple; 0 if either is 0."""
    if not (a.is_finite() and b.is_finite()):
        return NAN
    common = max(scale(a), scale(b))
    return from_scaled(math.lcm(scaled_integer(a, common), scaled_integer(b, common)), common)


# rounding
def round_to(number, digits=0):
    """Rounded to `digits` decimals, or to tens, hundreds, ... if negative."""
    return to_digits(number, digits, EXACT)


def trunc_to(number, digits=0):
    """Cut to `digits` decimals, or to tens, hundreds, ... if negative."""
    return to_digits(number, digits, TRUNCATING)


def to_digits(number, digits, how):
    """A Decimal with so many digits behind the point, or zeros before it where they are negative; how: a decimal Context."""
    if not number.is_finite():
        return number
    digits = min(max(digits, -INTEGER_DIGITS_MAX - 1), SCALE_MAX)
    if digits >= 0:
        return with_scale(number, digits, how)
    return settled(number.quantize(ONE.scaleb(-digits, EXACT), context=how))


def floor(number):
    """The greatest integer that is not larger."""
    if not number.is_finite():
        return number
    cut = trunc_to(number)
    return cut if cut <= number else sub(cut, ONE)


def ceil(number):
    """The least integer that is not smaller."""
    if not number.is_finite():
        return number
    cut = trunc_to(number)
    return cut if cut >= number else add(cut, ONE)


def sign(number):
    """-1, 0 or 1."""
    if number.is_nan():
        return NAN
    return ZERO if not number else ONE if number > 0 else -ONE


# roots, exponentials, logarithms
def sqrt(number):
    """The square root. Raises 2201F for negative numbers."""
    if number.is_nan() or number == INFINITY:
        return number
    if number < 0:
        raise error("2201F", "cannot take square root of a negative number")
    digits = clamp_scale(SIGNIFICANT_DIGITS - (weight(number) * 2 + 1), scale(number))
    square = scaled_integer(number, 2 * digits)         # cut, if the number has more decimals
    root = math.isqrt(square)
    return from_scaled(root + (square - root * root > root), digits)       # (root + 1/2)^2 = root^2 + root + 1/4


def as_float(number):
    """The nearest float; infinite beyond."""
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number)


def exp(number):
    """e to the power of a number."""
    if number.is_nan() or number == INFINITY:
        return number
    if number == MINUS_INFINITY:
        return ZERO
    power_of_ten = min(max(as_float(number) * LOG10_E, -NUMERIC_MAX_RESULT_SCALE), NUMERIC_MAX_RESULT_SCALE)
    return exponential(number, clamp_scale(SIGNIFICANT_DIGITS - int(power_of_ten), scale(number)))


def exponential(number, digits):
    """e^number rounded to a scale."""
    approximate = as_float(number)
    if abs(approximate) >= NUMERIC_MAX_RESULT_SCALE * 3:
        if approximate > 0:
            raise overflow()
        return ZERO.scaleb(-digits, EXACT)
    significant = max(digits + int(approximate * LOG10_E), 0) + 15
    return with_scale(context(significant, ROUND_HALF_EVEN).exp(number), digits)


def logarithm_weight(number):
    """About log10(|ln(number)|), as an int, by which the scale of a logarithm is chosen."""
    if number <= 0:
        return 0
    if Decimal("0.9") <= number <= Decimal("1.1"):
        distance = EXACT.subtract(number, ONE)
        return weight(distance) * 4 + int(log10(leading(distance, 1))) if distance else 0
    count = min(digit_count(number), 2)
    logarithm = math.log(leading(number, count)) + (weight(number) - count + 1) * 4 * LN_10
    return int(log10(abs(logarithm)))


def check_logarithm(number):
    """Raises 2201E for numbers that have no logarithm."""
    if number < 0:
        raise error("2201E", "cannot take logarithm of a negative number")
    if number == 0:
        raise error("2201E", "cannot take logarithm of zero")


def natural_logarithm(number, digits):
    """ln(number) to at least so many decimals, not rounded to them."""
    return context(digits + max(logarithm_weight(number), 0) + 20, ROUND_HALF_EVEN).ln(number)


def ln(number):
    """The natural logarithm."""
    if number.is_nan():
        return NAN
    check_logarithm(number)
    if number.is_infinite():
        return number
    digits = clamp_scale(SIGNIFICANT_DIGITS - logarithm_weight(number), scale(number))
    return with_scale(natural_logarithm(number, digits), digits)


def log(base, number):
    """The logarithm of a number to a base."""
    if base.is_nan() or number.is_nan():
        return NAN
    if (base.is_infinite() or number.is_infinite()) and min(base, number) < 0:
        check_logarithm(MINUS_INFINITY)
    check_logarithm(base)
    check_logarithm(number)
    if base.is_infinite():
        return NAN if number.is_infinite() else ZERO
    if number.is_infinite():
        return number
    base_weight, number_weight = logarithm_weight(base), logarithm_weight(number)
    digits = clamp_scale(SIGNIFICANT_DIGITS - (number_weight - base_weight), scale(base), scale(number))
    working = digits + 10 + abs(base_weight) + abs(number_weight)
    divisor = natural_logarithm(base, working)
    if not divisor:
        raise error("22012", "division by zero")
    return with_scale(context(2 * working + 40).divide(natural_logarithm(number, working), divisor), digits)


def power(base, exponent):
    """base ^ exponent."""
    special = special_power(base, exponent)
    if special is not None:
        return special
    is_integer = exponent == exponent.to_integral_value()
    if not base and exponent < 0:
        raise error("2201F", "zero raised to a negative power is undefined")
    if base < 0 and not is_integer:
        raise error("2201F", "a negative number raised to a non-integer power yields a complex result")
    if is_integer and -2**31 <= exponent < 2**31:
        return integer_power(base, int(exponent), scale(exponent))
    if not base:
        return ZERO.scaleb(-SIGNIFICANT_DIGITS, EXACT)
    negative = base < 0 and is_odd(exponent)
    base = base.copy_abs()
    rough_digits = max(8 - logarithm_weight(base), 0)
    logarithm = as_float(EXACT.multiply(with_scale(natural_logarithm(base, rough_digits), rough_digits), exponent))
    if abs(logarithm) > NUMERIC_MAX_RESULT_SCALE * 3.01:
        if logarithm > 0:
            raise overflow()
        return ZERO.scaleb(-RESULT_SCALE_MAX, EXACT)
    digits = clamp_scale(SIGNIFICANT_DIGITS - int(logarithm * LOG10_E), scale(base), scale(exponent))
    working = max(max(digits + int(logarithm * LOG10_E), 0) - logarithm_weight(base) + 8, 0)
    product = EXACT.multiply(with_scale(natural_logarithm(base, working), working), exponent)
    product = with_scale(product, working)              # these two roundings show in the last digits of large results
    result = exponential(product, digits)
    return settled(result.copy_negate()) if negative else result


def is_odd(number):
    """Whether an integer is odd."""
    return EXACT.remainder(number, Decimal(2)).copy_abs() == 1


def special_power(base, exponent):
    """base ^ exponent where either is not finite, else None."""
    if base.is_nan() or exponent.is_nan():
        return ONE if exponent == 0 or base == 1 else NAN
    if exponent.is_infinite():
        if base.copy_abs() == 1:
            return ONE
        if not base and exponent < 0:
            raise error("2201F", "zero raised to a negative power is undefined")
        return INFINITY if (base.copy_abs() > 1) == (exponent > 0) else ZERO
    if not base.is_infinite():
        return None
    if exponent == 0:
        return ONE
    if base < 0 and exponent != exponent.to_integral_value():
        raise error("2201F", "a negative number raised to a non-integer power yields a complex result")
    if exponent < 0:
        return ZERO
    return MINUS_INFINITY if base < 0 and is_odd(exponent) else INFINITY


def integer_power(base, exponent, exponent_scale):
    """base ^ exponent for an int. The scale follows from the first 16 digits of the base."""
    result_weight = 0.0
    if base:
        count = min(digit_count(base), 4)
        result_weight = exponent * (log10(leading(base, count)) + (weight(base) - count + 1) * 4)
    if result_weight > INTEGER_DIGITS_MAX:
        raise overflow()
    if result_weight + 1 < -RESULT_SCALE_MAX:
        return ZERO.scaleb(-RESULT_SCALE_MAX, EXACT)
    digits = clamp_scale(SIGNIFICANT_DIGITS - int(result_weight), scale(base), exponent_scale)
    if exponent == 0:
        return ONE.quantize(ONE.scaleb(-digits, EXACT), context=EXACT)
    if not base:
        return ZERO.scaleb(-digits, EXACT)
    if exponent == -1:
        return divided(ONE, base, digits)
    significant = max(digits + int(result_weight), 0) + 30
    return with_scale(context(significant, ROUND_HALF_EVEN).power(base, exponent), digits)
