"""Operators of float4 and float8, their roundings, and the casts of integers and floats.

Arithmetic follows IEEE 754, but an infinite result of finite operands is an error (overflow), and so is a zero that is no
true one (underflow). Operands of two widths are taken as float8. Casts to integers round halves to even.
"""
from caldera.functions.registry import scalar
from caldera.kernel.interface import F32, F64
from caldera.types.floats import FLOAT4, FLOAT8
from caldera.types.integers import INT2, INT4, INT8

TYPES = FLOAT4, FLOAT8
INTEGERS = INT2, INT4, INT8
DIGIT = {"float4": "4", "float8": "8"}
PAIRS = [(a, b, FLOAT4 if a is b is FLOAT4 else FLOAT8) for a in TYPES for b in TYPES]


def is_infinite(k, value):
    """Staged BOOL: one of the infinities."""
    return k.math("fabs", value) == float("inf")


def is_finite(k, value):
    """Staged BOOL: neither infinite nor NaN."""
    return k.math("fabs", value) < float("inf")


def is_nan(k, value):
    """Staged BOOL: not a number."""
    return value != value


def overflow(call, bad):
    """Fault where a result is too large."""
    call.fault(bad, "22003", "value out of range: overflow")


def underflow(call, bad):
    """Fault where a result is too small to be told from zero."""
    call.fault(bad, "22003", "value out of range: underflow")


def pair_name(a, b, operation):
    """The name that pg_proc gives to an operation on two widths: float8pl, float48mul."""
    widths = DIGIT[a.name] if a is b else DIGIT[a.name] + DIGIT[b.name]
    return f"float{widths}{operation}({a}, {b})"


def widened(call, a, b):
    """Both operands in the result's machine type."""
    return call.k.convert(a, call.result.layout.type), call.k.convert(b, call.result.layout.type)


# arithmetic
def plus(call, a, b):
    """The body of +."""
    a, b = widened(call, a, b)
    return checked_sum(call, a + b, a, b)


def minus(call, a, b):
    """The body of -."""
    a, b = widened(call, a, b)
    return checked_sum(call, a - b, a, b)


def checked_sum(call, result, a, b):
    """A sum or difference of a and b, with a fault if it overflows."""
    k = call.k
    overflow(call, k.and_(is_infinite(k, result), is_finite(k, a), is_finite(k, b)))
    return result


def times(call, a, b):
    """The body of *."""
    k = call.k
    a, b = widened(call, a, b)
    result = a * b
    overflow(call, k.and_(is_infinite(k, result), is_finite(k, a), is_finite(k, b)))
    underflow(call, k.and_(result == 0, a != 0, b != 0))
    return result


def divided_by(call, a, b):
    """The body of /."""
    k = call.k
    a, b = widened(call, a, b)
    result = k.binary("div", a, b)
    call.fault(k.and_(b == 0, k.not_(is_nan(k, a))), "22012", "division by zero")
    overflow(call, k.and_(is_infinite(k, result), is_finite(k, a), b != 0))
    underflow(call, k.and_(result == 0, a != 0, k.not_(is_infinite(k, b))))
    return result


for left, right, wider in PAIRS:
    for sign, suffix, body, doc, answer in (("+", "pl", plus, "Sum", 8), ("-", "mi", minus, "Difference", 7),
                                            ("*", "mul", times, "Product", 3.75), ("/", "div", divided_by, "Quotient", 15)):
        scalar(f"{pair_name(left, right, suffix)} -> {wider}", operator=sign, cheap=True,
               doc=f"{doc}; fails if out of range.", example=f"SELECT 7.5::{left} {sign} 0.5::{right}  -- {answer}")(body)


# signs
def negation(call, a):
    """The body of the prefix -."""
    return call.k.negate(a)


def absolute(call, a):
    """The body of abs and @."""
    return call.k.math("fabs", a)


def unchanged(call, a):
    """The body of the prefix +."""
    return a


for type in TYPES:
    scalar(f"{type}um({type}) -> {type}", operator="-", cheap=True, doc="The number with the other sign.",
           example=f"SELECT - 1.5::{type}  -- -1.5")(negation)
    scalar(f"{type}up({type}) -> {type}", operator="+", cheap=True, doc="The number itself.",
           example=f"SELECT + 1.5::{type}  -- 1.5")(unchanged)
    scalar(f"{type}abs({type}) -> {type}", operator="@", cheap=True, doc="Absolute value.",
           example=f"SELECT @ (-1.5)::{type}  -- 1.5")(absolute)
    scalar(f"abs({type}) -> {type}", cheap=True, doc="Absolute value.",
           example=f"SELECT abs((-1.5)::{type})  -- 1.5")(absolute)


@scalar("sign(float8) -> float8", cheap=True, doc="-1, 0 or 1; 0 for NaN.", example="SELECT sign(-8.4::float8)  -- -1")
def sign_of(call, a):
    k = call.k
    return k.choose(a > 0, k.constant(F64, 1), k.choose(a < 0, k.constant(F64, -1), k.constant(F64, 0)))


# rounding
def whole(name):
    """The body of a function that rounds to whole numbers."""
    return lambda call, a: call.k.math(name, a)


scalar("ceil(float8) -> float8", "ceiling(float8) -> float8", cheap=True, doc="The nearest integer not below the number.",
       example="SELECT ceil(42.2::float8)  -- 43")(whole("ceil"))
scalar("floor(float8) -> float8", cheap=True, doc="The nearest integer not above the number.",
       example="SELECT floor(-42.2::float8)  -- -43")(whole("floor"))
scalar("round(float8) -> float8", "dround(float8) -> float8", cheap=True, doc="The nearest integer, halves to even.",
       example="SELECT round(2.5::float8)  -- 2")(whole("rint"))
scalar("trunc(float8) -> float8", "dtrunc(float8) -> float8", cheap=True, doc="The integer part.",
       example="SELECT trunc(-42.8::float8)  -- -42")(whole("trunc"))


# casts
def of_integer(call, a):
    """The body of a cast from an integer."""
    return call.k.convert(a, call.result.layout.type)


def to_integer(call, a):
    """The body of a cast to an integer: rounded to the nearest, halves to even."""
    k, type = call.k, call.result.layout.type
    rounded, limit = k.math("rint", a), float(1 << type.bits - 1)
    fits = k.and_(rounded >= -limit, rounded < limit)
    call.fault(k.not_(fits), "22003", f"{call.result.sql_name} out of range")
    return k.convert(k.choose(fits, rounded, k.constant(a.type, 0)), type)


for integer in INTEGERS:
    for type in TYPES:
        scalar(f"{type}({integer}) -> {type}", cast="implicit", cheap=True, example=f"SELECT {type}(42::{integer})  -- 42",
               doc=f"{integer.sql_name} to {type.sql_name}, rounded to the nearest.")(of_integer)
        scalar(f"{integer}({type}) -> {integer}", cast="assignment", cheap=True,
               doc=f"{type.sql_name} to {integer.sql_name}, halves rounded to even; fails if out of range.",
               example=f"SELECT {integer}(42.5::{type})  -- 42")(to_integer)


@scalar("float8(float4) -> float8", cast="implicit", cheap=True, doc="real to double precision.",
        example="SELECT float8(1.5::float4)  -- 1.5")
def float8_of_float4(call, a):
    return call.k.convert(a, F64)


@scalar("float4(float8) -> float4", cast="assignment", cheap=True, doc="double precision to real; fails if out of range.",
        example="SELECT float4(0.1::float8)  -- 0.1")
def float4_of_float8(call, a):
    k = call.k
    result = k.convert(a, F32)
    overflow(call, k.and_(is_infinite(k, result), is_finite(k, a)))
    underflow(call, k.and_(result == 0, a != 0))
    return result
