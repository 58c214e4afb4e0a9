"""Operators and functions of numeric.

Arithmetic and rounding are staged (numeric_words): numbers of up to 33 digits never leave the machine code. Roots, powers,
logarithms and the like are Python on Decimals (types.arithmetic), whose results have PostgreSQL's scales.
"""
from decimal import Decimal

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar import numeric_words
from caldera.functions.scalar.numeric_words import DIVISION_BY_ZERO, OVERFLOW, report
from caldera.kernel import decimal, scaled
from caldera.kernel.interface import I32, I64
from caldera.kernel.layouts import Pair
from caldera.kernel.nullable import Sql
from caldera.types import arithmetic


def operation(perform, *possible):
    """The body of a staged operation on two numerics."""
    return lambda call, a, b: report(call, perform(call.k, a, b), *possible)


scalar("numeric_add(numeric, numeric) -> numeric", operator="+", doc="Sum, exact.",
       example="SELECT 1.5 + 2.25  -- 3.75")(operation(numeric_words.add, OVERFLOW))
scalar("numeric_sub(numeric, numeric) -> numeric", operator="-", doc="Difference, exact.",
       example="SELECT 1.5 - 2.25  -- -0.75")(operation(numeric_words.subtract, OVERFLOW))
scalar("numeric_mul(numeric, numeric) -> numeric", operator="*", doc="Product, exact.",
       example="SELECT 1.5 * 2.25  -- 3.375")(operation(numeric_words.multiply, OVERFLOW))
scalar("numeric_div(numeric, numeric) -> numeric", operator="/", doc="Quotient, of at least 16 significant digits.",
       example="SELECT 1.0 / 3  -- 0.33333333333333333333")(operation(numeric_words.divide, OVERFLOW, DIVISION_BY_ZERO))
scalar("numeric_mod(numeric, numeric) -> numeric", operator="%", doc="Remainder; it has the sign of the dividend.",
       example="SELECT -7.5 % 2  -- -1.5")(operation(numeric_words.modulo, OVERFLOW, DIVISION_BY_ZERO))
scalar("mod(numeric, numeric) -> numeric", doc="Remainder; it has the sign of the dividend.",
       example="SELECT mod(-7.5, 2)  -- -1.5")(operation(numeric_words.modulo, OVERFLOW, DIVISION_BY_ZERO))


@scalar("div(numeric, numeric) -> numeric", "numeric_div_trunc(numeric, numeric) -> numeric", python=True,
        doc="Quotient cut off at the point.", example="SELECT div(9, 4.0)  -- 2")
def truncated_quotient(a, b):
    return arithmetic.div_trunc(a, b)


# signs
@scalar("numeric_uminus(numeric) -> numeric", operator="-", doc="The number with the other sign.",
        example="SELECT - 1.50  -- -1.50")
def negation(call, a):
    return report(call, numeric_words.negate(call.k, a), OVERFLOW)


@scalar("numeric_uplus(numeric) -> numeric", operator="+", cheap=True, doc="The number itself.",
        example="SELECT + 1.50  -- 1.50")
def unchanged(call, a):
    return a


def is_negative(k, a):
    """Staged BOOL: below zero. BIG numbers are negative as Python says."""
    inline = (a.high << 16) < 0
    compared = decimal.value_class(k, a) < 0
    quick = k.convert(k.choose(decimal.is_inline(k, a), inline, compared), I64)
    zero = k.constant(I64, 0)
    slow = lambda: [k.convert(k.routine(decimal.compare_words, a.low, a.high, zero, zero) < 0, I64)]
    return decimal.otherwise(k, decimal.tag_of(a) != decimal.BIG, [quick], slow)[0] != 0


@scalar("abs(numeric) -> numeric", doc="Absolute value.", example="SELECT abs(-1.50)  -- 1.50")
@scalar("numeric_abs(numeric) -> numeric", operator="@", doc="Absolute value.", example="SELECT @ -1.50  -- 1.50")
def absolute(call, a):
    k = call.k
    if (known := scaled.absolute(k, a)) is not None:
        return known
    negative = is_negative(k, a)
    pair, status = numeric_words.negate(k, a)
    report(call, (pair, k.choose(negative, status, k.constant(I64, 0))), OVERFLOW)
    return Pair(k.choose(negative, pair.low, a.low), k.choose(negative, pair.high, a.high))


@scalar("sign(numeric) -> numeric", doc="-1, 0 or 1; NaN for NaN.", example="SELECT sign(-8.4)  -- -1")
def sign(call, a):
    k, zero = call.k, call.k.constant(I64, 0)
    order = decimal.compare(k, a, Pair(zero, zero))
    signed, is_nan = decimal.of_integer(k, order), decimal.tag_of(a) == decimal.NAN
    return Pair(k.choose(is_nan, a.low, signed.low), k.choose(is_nan, a.high, signed.high))


# rounding
@scalar("round(numeric, int4) -> numeric",
        doc="Rounded to so many decimals (to tens, hundreds, ... if negative), halves away from zero.",
        example="SELECT round(42.4382, 2)  -- 42.44")
def round_to(call, a, digits):
    return report(call, numeric_words.round_to(call.k, a, call.k.convert(digits, I64)), OVERFLOW)


@scalar("round(numeric) -> numeric", doc="The nearest integer, halves away from zero.",
        example="SELECT round(42.5)  -- 43")
def round_whole(call, a):
    return report(call, numeric_words.round_to(call.k, a, call.k.constant(I64, 0)), OVERFLOW)


@scalar("trunc(numeric, int4) -> numeric", doc="Cut off behind so many decimals.",
        example="SELECT trunc(42.4382, 2)  -- 42.43")
def truncate_to(call, a, digits):
    return report(call, numeric_words.truncate_to(call.k, a, call.k.convert(digits, I64)), OVERFLOW)


@scalar("trunc(numeric) -> numeric", doc="The integer part.", example="SELECT trunc(-42.8)  -- -42")
def truncate_whole(call, a):
    return report(call, numeric_words.truncate_to(call.k, a, call.k.constant(I64, 0)), OVERFLOW)


def next_whole(routine):
    """The body of ceil or floor."""
    def body(call, a):
        low, high, status = call.k.routine(routine, a.low, a.high)
        return report(call, (Pair(low, high), status), OVERFLOW)
    return body


scalar("ceil(numeric) -> numeric", "ceiling(numeric) -> numeric", doc="The nearest integer not below the number.",
       example="SELECT ceil(-42.8)  -- -42")(next_whole(numeric_words.ceiling_words))
scalar("floor(numeric) -> numeric", doc="The nearest integer not above the number.",
       example="SELECT floor(-42.8)  -- -43")(next_whole(numeric_words.floor_words))


# scales
@scalar("scale(numeric) -> int4", may_be_null=True,
        doc="How many digits are shown behind the point; NULL for NaN and infinities.",
        example="SELECT scale(8.4100)  -- 4")
def scale(call, a):
    k, tag = call.k, decimal.tag_of(a)
    digits = k.choose(decimal.is_inline(k, a), tag, k.constant(I64, 0))
    slow = lambda: decimal.out_of_line(k, scale_of_big, [a.low, a.high], 1)[0]
    digits = decimal.otherwise(k, tag != decimal.BIG, [digits], slow)[0]
    return Sql(k.convert(digits, I32), tag < decimal.NAN)


@decimal.python_operation(2)
def scale_of_big(low, high):
    """The display scale of a BIG number."""
    return (decimal.scale_of(decimal.number_of(low, high)),)


@scalar("min_scale(numeric) -> int4", python=True, doc="How many digits behind the point are needed.",
        example="SELECT min_scale(8.4100)  -- 2")
def min_scale(number):
    if not number.is_finite():
        return None
    return max(0, -number.normalize(arithmetic.EXACT).as_tuple().exponent) if number else 0


@scalar("trim_scale(numeric) -> numeric", python=True, doc="The number without zeros at the end of its decimals.",
        example="SELECT trim_scale(8.4100)  -- 8.41")
def trim_scale(number):
    return arithmetic.round_to(number, min_scale(number)) if number.is_finite() else number


# divisors
@scalar("gcd(numeric, numeric) -> numeric", python=True, doc="Greatest common divisor.",
        example="SELECT gcd(1.5, 0.25)  -- 0.25")
def gcd(a, b):
    return arithmetic.gcd(a, b)


@scalar("lcm(numeric, numeric) -> numeric", python=True, doc="Least common multiple.",
        example="SELECT lcm(1.5, 0.25)  -- 1.50")
def lcm(a, b):
    return arithmetic.lcm(a, b)


# roots, powers, logarithms
@scalar("sqrt(numeric) -> numeric", "numeric_sqrt(numeric) -> numeric", python=True, doc="Square root.",
        example="SELECT sqrt(2::numeric)  -- 1.414213562373095")
def square_root(number):
    return arithmetic.sqrt(number)


@scalar("numeric_power(numeric, numeric) -> numeric", operator="^", python=True,
        doc="The first number raised to the second.", example="SELECT 2::numeric ^ 0.5  -- 1.4142135623730950")
@scalar("power(numeric, numeric) -> numeric", "pow(numeric, numeric) -> numeric", python=True,
        doc="The first number raised to the second.", example="SELECT power(2::numeric, 10)  -- 1024.0000000000000")
def power(base, exponent):
    return arithmetic.power(base, exponent)


@scalar("exp(numeric) -> numeric", "numeric_exp(numeric) -> numeric", python=True, doc="e raised to the number.",
        example="SELECT exp(1.0)  -- 2.7182818284590452")
def exponential(number):
    return arithmetic.exp(number)


@scalar("ln(numeric) -> numeric", "numeric_ln(numeric) -> numeric", python=True, doc="Natural logarithm.",
        example="SELECT ln(2.0)  -- 0.6931471805599453")
def natural_logarithm(number):
    return arithmetic.ln(number)


@scalar("log(numeric) -> numeric", "log10(numeric) -> numeric", python=True, doc="Logarithm to base 10.",
        example="SELECT log(100.0)  -- 2.0000000000000000")
def decimal_logarithm(number):
    return arithmetic.log(Decimal(10), number)


@scalar("log(numeric, numeric) -> numeric", "numeric_log(numeric, numeric) -> numeric", python=True,
        doc="Logarithm of the second number to the base of the first.",
        example="SELECT log(2.0, 64.0)  -- 6.0000000000000000")
def logarithm(base, number):
    return arithmetic.log(base, number)


# histograms
@scalar("width_bucket(numeric, numeric, numeric, int4) -> int4", python=True,
        doc="The number of the bucket of an equal-width histogram that an operand falls in; 0 or count + 1 outside.",
        example="SELECT width_bucket(5.35::numeric, 0.024, 10.06, 5)  -- 3")
def width_bucket(operand, low, high, count):
    if count <= 0:
        raise error("2201G", "count must be greater than zero")
    if operand.is_nan() or low.is_nan() or high.is_nan():
        raise error("2201G", "operand, lower bound, and upper bound cannot be NaN")
    if low.is_infinite() or high.is_infinite():
        raise error("2201G", "lower and upper bounds must be finite")
    if low == high:
        raise error("2201G", "lower bound cannot equal upper bound")
    if operand < low < high or operand > low > high:
        return 0
    if operand >= high > low or operand <= high < low:
        if count == 2**31 - 1:
            raise error("22003", "integer out of range")
        return count + 1
    common = max(arithmetic.scale(operand), arithmetic.scale(low), arithmetic.scale(high))
    operand, low, high = (arithmetic.scaled_integer(number, common) for number in (operand, low, high))
    return (operand - low) * count // (high - low) + 1
