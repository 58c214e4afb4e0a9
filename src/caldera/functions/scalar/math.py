"""Functions of analysis on float8: roots, powers, logarithms, trigonometry in radians and degrees, erf, gamma.

They are the C library's, with PostgreSQL's errors for arguments and results that are out of range. Those in degrees are
exact where the angle is: each quarter of a turn is scaled so that sind(30) is 0.5 and tand(45) is 1.
"""
import math

from caldera.functions.registry import scalar
from caldera.functions.scalar.floats import is_finite, is_infinite, is_nan, overflow, underflow
from caldera.kernel.interface import F64, I32, I64, Control
from caldera.kernel.python import PythonKernel

RADIANS_PER_DEGREE = math.pi / 180
OUT_OF_RANGE = "22003", "input is out of range"


@scalar("pi() -> float8", cheap=True, doc="The ratio of a circle's circumference to its diameter.",
        example="SELECT pi()  -- 3.141592653589793")
def pi(call):
    return call.k.constant(F64, math.pi)


# roots and powers
@scalar("sqrt(float8) -> float8", cheap=True, doc="Square root.", example="SELECT sqrt(2::float8)  -- 1.4142135623730951")
@scalar("dsqrt(float8) -> float8", operator="|/", cheap=True, doc="Square root.", example="SELECT |/ 25.0  -- 5")
def square_root(call, a):
    call.fault(a < 0, "2201F", "cannot take square root of a negative number")
    return call.k.math("sqrt", a)


@scalar("cbrt(float8) -> float8", doc="Cube root.", example="SELECT cbrt(8::float8)  -- 2")
@scalar("dcbrt(float8) -> float8", operator="||/", doc="Cube root.", example="SELECT ||/ 8.0  -- 2")
def cube_root(call, a):
    return call.k.math("cbrt", a)


@scalar("power(float8, float8) -> float8", "pow(float8, float8) -> float8", doc="The first number raised to the second.",
        example="SELECT power(9::float8, 0.5)  -- 3")
@scalar("dpow(float8, float8) -> float8", operator="^", doc="The first number raised to the second.",
        example="SELECT 2::float8 ^ 10::float8  -- 1024")
def power(call, a, b):
    k = call.k
    result = k.math("pow", a, b)
    call.fault(k.and_(a == 0, b < 0), "2201F", "zero raised to a negative power is undefined")
    call.fault(k.and_(a < 0, k.math("floor", b) != b, k.not_(is_nan(k, b))), "2201F",
               "a negative number raised to a non-integer power yields a complex result")
    finite = k.and_(is_finite(k, a), is_finite(k, b))
    overflow(call, k.and_(is_infinite(k, result), finite))
    underflow(call, k.and_(result == 0, a != 0, finite))
    return result


@scalar("exp(float8) -> float8", "dexp(float8) -> float8", doc="e raised to the number.",
        example="SELECT exp(1::float8)  -- 2.718281828459045")
def exponential(call, a):
    k = call.k
    result = k.math("exp", a)
    overflow(call, k.and_(is_infinite(k, result), is_finite(k, a)))
    underflow(call, k.and_(result == 0, is_finite(k, a)))
    return result


# logarithms
def logarithm(name):
    """The body of a logarithm."""
    def body(call, a):
        call.fault(a == 0, "2201E", "cannot take logarithm of zero")
        call.fault(a < 0, "2201E", "cannot take logarithm of a negative number")
        return call.k.math(name, a)
    return body


scalar("ln(float8) -> float8", "dlog1(float8) -> float8", doc="Natural logarithm.",
       example="SELECT ln(2.0::float8)  -- 0.6931471805599453")(logarithm("log"))
scalar("log(float8) -> float8", "log10(float8) -> float8", "dlog10(float8) -> float8", doc="Logarithm to base 10.",
       example="SELECT log(1000::float8)  -- 3")(logarithm("log10"))


# trigonometry in radians
def total(name):
    """The body of a function of the C library that takes every number."""
    return lambda call, *arguments: call.k.math(name, *arguments)


def of_finite(name):
    """The body of a function that is undefined at infinity."""
    def body(call, a):
        call.fault(is_infinite(call.k, a), *OUT_OF_RANGE)
        return call.k.math(name, a)
    return body


def within(name, low, high):
    """The body of a function that is defined between two numbers, both included."""
    def body(call, a):
        call.fault(call.k.or_(a < low, a > high), *OUT_OF_RANGE)
        return call.k.math(name, a)
    return body


for name, doc, answer in (("sin", "Sine", "0.8414709848078965"), ("cos", "Cosine", "0.5403023058681398"),
                          ("tan", "Tangent", "1.5574077246549023")):
    scalar(f"{name}(float8) -> float8", doc=f"{doc} of an angle in radians.",
           example=f"SELECT {name}(1::float8)  -- {answer}")(of_finite(name))
for name, doc, answer in (("asin", "Inverse sine", "1.5707963267948966"), ("acos", "Inverse cosine", "0")):
    scalar(f"{name}(float8) -> float8", doc=f"{doc}, in radians.",
           example=f"SELECT {name}(1::float8)  -- {answer}")(within(name, -1, 1))
for name, doc, answer in (("atan", "Inverse tangent, in radians", "0.7853981633974483"),
                          ("sinh", "Hyperbolic sine", "1.1752011936438014"),
                          ("cosh", "Hyperbolic cosine", "1.5430806348152437"),
                          ("tanh", "Hyperbolic tangent", "0.7615941559557649"),
                          ("asinh", "Inverse hyperbolic sine", "0.881373587019543")):
    scalar(f"{name}(float8) -> float8", doc=f"{doc}.", example=f"SELECT {name}(1::float8)  -- {answer}")(total(name))
scalar("acosh(float8) -> float8", doc="Inverse hyperbolic cosine.",
       example="SELECT acosh(1::float8)  -- 0")(within("acosh", 1, math.inf))
scalar("atanh(float8) -> float8", doc="Inverse hyperbolic tangent.",
       example="SELECT atanh(0.5::float8)  -- 0.5493061443340548")(within("atanh", -1, 1))
scalar("atan2(float8, float8) -> float8", doc="Inverse tangent of y / x in the right quadrant, in radians.",
       example="SELECT atan2(1, 0)  -- 1.5707963267948966")(total("atan2"))


@scalar("cot(float8) -> float8", doc="Cotangent of an angle in radians.", example="SELECT cot(0.5)  -- 1.830487721712452")
def cotangent(call, a):
    k = call.k
    call.fault(is_infinite(k, a), *OUT_OF_RANGE)
    return k.binary("div", k.constant(F64, 1), k.math("tan", a))


@scalar("degrees(float8) -> float8", cheap=True, doc="Radians to degrees.",
        example="SELECT degrees(0.5)  -- 28.64788975654116")
def degrees(call, a):
    result = call.k.binary("div", a, RADIANS_PER_DEGREE)
    overflow(call, call.k.and_(is_infinite(call.k, result), is_finite(call.k, a)))
    return result


@scalar("radians(float8) -> float8", cheap=True, doc="Degrees to radians.",
        example="SELECT radians(45.0)  -- 0.7853981633974483")
def radians(call, a):
    result = a * RADIANS_PER_DEGREE
    underflow(call, call.k.and_(result == 0, a != 0))
    return result


# trigonometry in degrees: `first_*` are functions on the first quarter, scaled so that landmarks are exact
SINE_30, COSINE_LOSS_60 = math.sin(30 * RADIANS_PER_DEGREE), 1 - math.cos(60 * RADIANS_PER_DEGREE)
ARCSINE_HALF, ARCCOSINE_HALF, ARCTANGENT_1 = math.asin(0.5), math.acos(0.5), math.atan(1.0)


def low_sine(k, a):
    """The sine of 0 to 30 degrees."""
    return k.binary("div", k.math("sin", a * RADIANS_PER_DEGREE), SINE_30) * 0.5


def low_cosine(k, a):
    """The cosine of 0 to 60 degrees."""
    one = k.constant(F64, 1)
    return one - k.binary("div", one - k.math("cos", a * RADIANS_PER_DEGREE), COSINE_LOSS_60) * 0.5


def first_sine(k, a):
    """The sine of 0 to 90 degrees."""
    return k.choose(a <= 30, low_sine(k, a), low_cosine(k, k.constant(F64, 90) - a))


def first_cosine(k, a):
    """The cosine of 0 to 90 degrees."""
    return k.choose(a <= 60, low_cosine(k, a), low_sine(k, k.constant(F64, 90) - a))


def first_arcsine(k, a):
    """The inverse sine of 0 to 1, in degrees."""
    low = k.binary("div", k.math("asin", a), ARCSINE_HALF) * 30
    return k.choose(a <= 0.5, low, k.constant(F64, 90) - k.binary("div", k.math("acos", a), ARCCOSINE_HALF) * 60)


def first_arccosine(k, a):
    """The inverse cosine of 0 to 1, in degrees."""
    high = k.binary("div", k.math("acos", a), ARCCOSINE_HALF) * 60
    return k.choose(a <= 0.5, k.constant(F64, 90) - k.binary("div", k.math("asin", a), ARCSINE_HALF) * 30, high)


def quotient_at_45(numerator, denominator):
    """What a quotient of functions gives at 45 degrees, where it should be 1: computed as staged code computes it."""
    k = PythonKernel(Control())
    angle = k.constant(F64, 45)
    return k.use(k.binary("div", numerator(k, angle), denominator(k, angle)))


TANGENT_45, COTANGENT_45 = quotient_at_45(first_sine, first_cosine), quotient_at_45(first_cosine, first_sine)


def folded(call, a, odd):
    """(angle, sign): an angle in degrees brought to the first quarter. `odd`: which folds change the sign, of
    (negation, past 180, past 90)."""
    k = call.k
    call.fault(is_infinite(k, a), *OUT_OF_RANGE)
    angle, sign = k.binary("rem", a, 360.0), k.constant(F64, 1)
    for changes, beyond, image in ((odd[0], angle < 0, None), (odd[1], 180, 360), (odd[2], 90, 180)):
        turns = beyond if image is None else angle > beyond
        angle = k.choose(turns, k.negate(angle) if image is None else k.constant(F64, image) - angle, angle)
        sign = k.choose(turns, k.negate(sign), sign) if changes else sign
    return angle, sign


@scalar("sind(float8) -> float8", doc="Sine of an angle in degrees.", example="SELECT sind(30)  -- 0.5")
def sine_of_degrees(call, a):
    angle, sign = folded(call, a, odd=(True, True, False))
    return sign * first_sine(call.k, angle)


@scalar("cosd(float8) -> float8", doc="Cosine of an angle in degrees.", example="SELECT cosd(60)  -- 0.5")
def cosine_of_degrees(call, a):
    angle, sign = folded(call, a, odd=(False, False, True))
    return sign * first_cosine(call.k, angle)


@scalar("tand(float8) -> float8", doc="Tangent of an angle in degrees.", example="SELECT tand(45)  -- 1")
def tangent_of_degrees(call, a):
    return degree_quotient(call, a, first_sine, first_cosine, TANGENT_45)


@scalar("cotd(float8) -> float8", doc="Cotangent of an angle in degrees.", example="SELECT cotd(45)  -- 1")
def cotangent_of_degrees(call, a):
    return degree_quotient(call, a, first_cosine, first_sine, COTANGENT_45)


def degree_quotient(call, a, numerator, denominator, scale):
    """sine / cosine or the reverse, without a negative zero."""
    k = call.k
    angle, sign = folded(call, a, odd=(True, True, True))
    result = sign * k.binary("div", k.binary("div", numerator(k, angle), denominator(k, angle)), scale)
    return k.choose(result == 0, k.constant(F64, 0), result)


@scalar("asind(float8) -> float8", doc="Inverse sine, in degrees.", example="SELECT asind(0.5)  -- 30")
def arcsine_in_degrees(call, a):
    k = call.k
    call.fault(k.or_(a < -1, a > 1), *OUT_OF_RANGE)
    return k.choose(a >= 0, first_arcsine(k, a), k.negate(first_arcsine(k, k.negate(a))))


@scalar("acosd(float8) -> float8", doc="Inverse cosine, in degrees.", example="SELECT acosd(0.5)  -- 60")
def arccosine_in_degrees(call, a):
    k = call.k
    call.fault(k.or_(a < -1, a > 1), *OUT_OF_RANGE)
    return k.choose(a >= 0, first_arccosine(k, a), first_arcsine(k, k.negate(a)) + 90)


@scalar("atand(float8) -> float8", doc="Inverse tangent, in degrees.", example="SELECT atand(1)  -- 45")
def arctangent_in_degrees(call, a):
    return call.k.binary("div", call.k.math("atan", a), ARCTANGENT_1) * 45


@scalar("atan2d(float8, float8) -> float8", doc="Inverse tangent of y / x in the right quadrant, in degrees.",
        example="SELECT atan2d(1, 0)  -- 90")
def arctangent2_in_degrees(call, y, x):
    return call.k.binary("div", call.k.math("atan2", y, x), ARCTANGENT_1) * 45


# error function and gamma
scalar("erf(float8) -> float8", doc="Error function.", example="SELECT erf(1.0)  -- 0.8427007929497149")(total("erf"))
scalar("erfc(float8) -> float8", doc="1 - erf, without loss of precision for large arguments.",
       example="SELECT erfc(1.0)  -- 0.15729920705028513")(total("erfc"))


@scalar("gamma(float8) -> float8", doc="Gamma function.", example="SELECT gamma(6)  -- 120")
def gamma(call, a):
    k = call.k
    result = k.math("tgamma", a)
    undefined = k.and_(is_nan(k, result), k.not_(is_nan(k, a)))
    overflow(call, k.and_(k.or_(undefined, is_infinite(k, result)), a != math.inf))
    underflow(call, result == 0)
    return result


@scalar("lgamma(float8) -> float8", doc="Natural logarithm of the absolute value of the gamma function.",
        example="SELECT lgamma(1000)  -- 5905.220423209181")
def log_gamma(call, a):
    result = call.k.math("lgamma", a)
    overflow(call, call.k.and_(is_infinite(call.k, result), is_finite(call.k, a)))
    return result


# histograms
@scalar("width_bucket(float8, float8, float8, int4) -> int4",
        doc="The number of the bucket of an equal-width histogram that an operand falls in; 0 or count + 1 outside.",
        example="SELECT width_bucket(5.35, 0.024, 10.06, 5)  -- 3")
def width_bucket(call, operand, low, high, count):
    k = call.k
    call.fault(count <= 0, "2201G", "count must be greater than zero")
    call.fault(k.or_(is_nan(k, operand), is_nan(k, low), is_nan(k, high)), "2201G",
               "operand, lower bound, and upper bound cannot be NaN")
    call.fault(k.or_(is_infinite(k, low), is_infinite(k, high)), "2201G", "lower and upper bounds must be finite")
    call.fault(low == high, "2201G", "lower bound cannot equal upper bound")
    ascending = low < high
    half = is_infinite(k, high - low)                           # then halves are what can be subtracted
    factor = k.choose(half, k.constant(F64, 0.5), k.constant(F64, 1))
    width = high * factor - low * factor
    share = k.binary("div", operand * factor - low * factor, width)
    wide = k.convert(count, I64)
    inner = k.convert(k.convert(count, F64) * share, I64)
    inner = k.choose(inner >= wide, wide - 1, inner) + 1
    below = k.choose(ascending, k.convert(operand < low, I32), k.convert(operand > low, I32)) != 0
    above = k.choose(ascending, k.convert(operand >= high, I32), k.convert(operand <= high, I32)) != 0
    bucket = k.choose(below, k.constant(I64, 0), k.choose(above, wide + 1, inner))
    call.fault(bucket > 2**31 - 1, "22003", "integer out of range")
    return k.convert(bucket, I32)
