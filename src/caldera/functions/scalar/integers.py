"""Operators and functions of int2, int4 and int8, and the casts among them.

Arithmetic of two widths is done in the wider one, which is the result's type. It is checked without branches
(kernel.nullable.checked); what does not fit is "smallint", "integer" or "bigint out of range".
"""
import math
from decimal import Decimal

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.kernel.interface import I16, I32, I64, I128
from caldera.kernel.nullable import checked
from caldera.types.integers import INT2, INT4, INT8

DIGIT = {"int2": "2", "int4": "4", "int8": "8"}
SQL_NAMES = {I16: "smallint", I32: "integer", I64: "bigint"}
TYPES = INT2, INT4, INT8
PAIRS = [(a, b, a if a.length >= b.length else b) for a in TYPES for b in TYPES]


def minimum(type):
    """The least number of an integer type of the machine."""
    return -(1 << type.bits - 1)


def out_of_range(call, bad):
    """Fault where the result does not fit in the result's type."""
    call.fault(bad, "22003", f"{SQL_NAMES[call.result.layout.type]} out of range")


def pair_name(a, b, operation):
    """The name that pg_proc gives to an operation on two widths: int4pl, int84mul."""
    widths = DIGIT[a.name] if a is b else DIGIT[a.name] + DIGIT[b.name]
    return f"int{widths}{operation}({a}, {b})"


def widened(call, *values):
    """Values converted to the result's machine type."""
    return [call.k.convert(value, call.result.layout.type) for value in values]


def arithmetic(operation):
    """The body of + - or *."""
    def body(call, a, b):
        result, bad = checked(call.k, operation, *widened(call, a, b))
        out_of_range(call, bad)
        return result
    return body


def quotient(call, a, b):
    """The body of /: towards zero."""
    a, b = widened(call, a, b)
    call.fault(b == 0, "22012", "division by zero")
    out_of_range(call, call.k.and_(a == minimum(a.type), b == -1))
    return call.k.binary("div", a, b)


def remainder(call, a, b):
    """The body of %: it has the sign of the dividend."""
    call.fault(b == 0, "22012", "division by zero")
    return call.k.binary("rem", a, b)


for left, right, wider in PAIRS:
    for sign, suffix, operation, doc, result in (("+", "pl", "add", "Sum", 9), ("-", "mi", "sub", "Difference", 5),
                                                 ("*", "mul", "mul", "Product", 14)):
        scalar(f"{pair_name(left, right, suffix)} -> {wider}", operator=sign, cheap=True,
               doc=f"{doc}; fails if out of range.", example=f"SELECT 7::{left} {sign} 2::{right}  -- {result}",
               )(arithmetic(operation))
    scalar(f"{pair_name(left, right, 'div')} -> {wider}", operator="/", doc="Quotient, cut off towards zero.",
           example=f"SELECT (-7)::{left} / 2::{right}  -- -3")(quotient)

for type in TYPES:
    scalar(f"int{DIGIT[type.name]}mod({type}, {type}) -> {type}", operator="%",
           doc="Remainder of the division; it has the sign of the dividend.",
           example=f"SELECT (-7)::{type} % 2::{type}  -- -1")(remainder)
    scalar(f"mod({type}, {type}) -> {type}", example=f"SELECT mod((-7)::{type}, 2::{type})  -- -1",
           doc="Remainder of the division; it has the sign of the dividend.")(remainder)


# bits
def bitwise(operation):
    """The body of & | or #."""
    return lambda call, a, b: call.k.binary(operation, a, b)


def complement(call, a):
    """The body of ~."""
    return a ^ -1


def shift(operation):
    """The body of << or >>. As on PostgreSQL's machines, only the low bits of the count matter; int2 is shifted as int4."""
    def body(call, a, count):
        k = call.k
        wide = k.convert(a, I32) if a.type == I16 else a
        count = k.convert(count & wide.type.bits - 1, wide.type)
        return k.convert(k.binary(operation, wide, count), a.type)
    return body


for type in TYPES:
    name = f"int{DIGIT[type.name]}"
    for sign, suffix, operation, doc, result in (("&", "and", "and", "Bitwise AND", 4), ("|", "or", "or", "Bitwise OR", 7),
                                                 ("#", "xor", "xor", "Bitwise exclusive OR", 3)):
        scalar(f"{name}{suffix}({type}, {type}) -> {type}", operator=sign, cheap=True, doc=f"{doc}.",
               example=f"SELECT 6::{type} {sign} 5::{type}  -- {result}")(bitwise(operation))
    scalar(f"{name}not({type}) -> {type}", operator="~", cheap=True, doc="Bitwise NOT.",
           example=f"SELECT ~ 6::{type}  -- -7")(complement)
    scalar(f"{name}shl({type}, int4) -> {type}", operator="<<", cheap=True, doc="Bits shifted to the left.",
           example=f"SELECT 3::{type} << 2  -- 12")(shift("shl"))
    scalar(f"{name}shr({type}, int4) -> {type}", operator=">>", cheap=True, doc="Bits shifted to the right, the sign kept.",
           example=f"SELECT (-9)::{type} >> 2  -- -3")(shift("ashr"))


# signs
def negation(call, a):
    """The body of the prefix -."""
    out_of_range(call, a == minimum(a.type))
    return call.k.negate(a)


def absolute(call, a):
    """The body of abs and @."""
    out_of_range(call, a == minimum(a.type))
    return call.k.choose(a < 0, call.k.negate(a), a)


def unchanged(call, a):
    """The body of the prefix +."""
    return a


for type in TYPES:
    name = f"int{DIGIT[type.name]}"
    scalar(f"{name}um({type}) -> {type}", operator="-", cheap=True, doc="The number with the other sign.",
           example=f"SELECT - 3::{type}  -- -3")(negation)
    scalar(f"{name}up({type}) -> {type}", operator="+", cheap=True, doc="The number itself.",
           example=f"SELECT + 3::{type}  -- 3")(unchanged)
    scalar(f"{name}abs({type}) -> {type}", operator="@", cheap=True, doc="Absolute value.",
           example=f"SELECT @ (-3)::{type}  -- 3")(absolute)
    scalar(f"abs({type}) -> {type}", cheap=True, doc="Absolute value.", example=f"SELECT abs((-3)::{type})  -- 3")(absolute)


# divisors
def greatest_divisor(k, a, b):
    """Routine: Euclid's algorithm on magnitudes, I64 read without sign."""
    larger, smaller = k.variable(I64, a), k.variable(I64, b)
    for _ in k.while_(lambda: smaller.get() != 0):
        rest = k.binary("urem", larger.get(), smaller.get())
        larger.set(smaller.get())
        smaller.set(rest)
    return larger.get()


def magnitudes(k, *values):
    """Absolute values as I64 without sign: that of the least number is 2^63."""
    wide = [k.convert(value, I64) for value in values]
    return [k.choose(value < 0, k.negate(value), value) for value in wide]


@scalar("gcd(int4, int4) -> int4", "gcd(int8, int8) -> int8", doc="Greatest common divisor; that of 0 and 0 is 0.",
        example="SELECT gcd(1071, -462)  -- 21")
def gcd(call, a, b):
    divisor = call.k.routine(greatest_divisor, *magnitudes(call.k, a, b))
    result = call.k.convert(divisor, a.type)
    out_of_range(call, result < 0)                      # 2^31 or 2^63
    return result


@scalar("lcm(int4, int4) -> int4", "lcm(int8, int8) -> int8", doc="Least common multiple; 0 if either is 0.",
        example="SELECT lcm(1071, -462)  -- 23562")
def lcm(call, a, b):
    k = call.k
    a_size, b_size = magnitudes(k, a, b)
    divisor = k.routine(greatest_divisor, a_size, b_size)
    factor = k.binary("udiv", a_size, divisor)
    multiple = k.convert(factor, I128, signed=False) * k.convert(b_size, I128, signed=False)
    out_of_range(call, k.compare("ugt", multiple, (1 << a.type.bits - 1) - 1))
    return k.convert(multiple, a.type)


# casts
def narrowing(call, a):
    """The body of a cast to a narrower integer."""
    result = call.k.convert(a, call.result.layout.type)
    out_of_range(call, call.k.convert(result, a.type) != a)
    return result


def widening(call, a):
    """The body of a cast to a wider integer."""
    return call.k.convert(a, call.result.layout.type)


for source in TYPES:
    for target in TYPES:
        wider = target.length > source.length
        if source is not target:
            scalar(f"{target}({source}) -> {target}", cast="implicit" if wider else "assignment", cheap=True,
                   doc=f"{source.sql_name} to {target.sql_name}" + ("." if wider else "; fails if out of range."),
                   example=f"SELECT {target}(42::{source})  -- 42")(widening if wider else narrowing)


@scalar("factorial(int8) -> numeric", python=True, doc="Product of the whole numbers up to this one.",
        example="SELECT factorial(20)  -- 2432902008176640000")
def factorial(number):
    if number < 0:
        raise error("22003", "factorial of a negative number is undefined")
    if number > 32177:                                  # more than 131072 digits
        raise error("22003", "value overflows numeric format")
    return Decimal(math.factorial(number))
