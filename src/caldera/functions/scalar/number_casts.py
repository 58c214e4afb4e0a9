"""Casts between numeric and the other numbers, and of numeric to its own precision and scale.

To integers, halves are rounded away from zero. From floats, 15 (float8) or 6 (float4) significant digits are taken.
Ordinary magnitudes are converted in the machine code with integers of 128 bits, so that they are rounded once; the others
out of line, by their decimal text.
"""
import ctypes
import math
import struct
from collections import deque

from caldera.functions.registry import scalar
from caldera.functions.scalar import numeric_words
from caldera.functions.scalar.numeric_words import FAILED, OVERFLOW, report
from caldera.kernel import decimal
from caldera.kernel.decimal import mantissa, number_of, out_of_line, power_of_ten, python_operation, words_of
from caldera.kernel.interface import F32, F64, I64, I128
from caldera.kernel.layouts import Pair
from caldera.kernel.text import TEXT_SPARE, Text
from caldera.types import arithmetic
from caldera.types.floats import FLOAT4, FLOAT8, read_single
from caldera.types.integers import INT2, INT4, INT8
from caldera.types.numeric import NUMERIC, field_overflow, read_numeric

INTEGERS = INT2, INT4, INT8
EXACT_POWERS = {F32: 10, F64: 22}               # 10^n is a float without rounding up to this n
PRECISION = {F32: 24, F64: 53}                  # bits
DIGITS = {F32: 6, F64: 15}
LONG_SCALE_MAX = 21                             # 10^n has at most 70 bits up to this n
REFUSED = deque(maxlen=64)                      # texts of numbers that errors are being made of


# integers
def of_integer(call, a):
    """The body of a cast from an integer."""
    return decimal.of_integer(call.k, a)


def to_integer(call, a):
    """The body of a cast to an integer."""
    k, target = call.k, call.result
    call.fault(decimal.tag_of(a) == decimal.NAN, "0A000", f"cannot convert NaN to {target.sql_name}")
    call.fault(decimal.tag_of(a) > decimal.NAN, "0A000", f"cannot convert infinity to {target.sql_name}")
    value, status = k.routine(numeric_words.to_integer_words, a.low, a.high)
    result = k.convert(value, target.layout.type)
    finite = decimal.tag_of(a) < decimal.NAN
    call.fault(k.and_(finite, k.or_(status == OVERFLOW, k.convert(result, I64) != value)), "22003",
               f"{target.sql_name} out of range")
    call.fault(k.and_(finite, status == FAILED), *numeric_words.MESSAGES[FAILED])
    return result


for integer in INTEGERS:
    scalar(f"numeric({integer}) -> numeric", cast="implicit", doc=f"{integer.sql_name} to numeric.",
           example=f"SELECT 42::{integer}::numeric  -- 42")(of_integer)
    scalar(f"{integer}(numeric) -> {integer}", cast="assignment", example=f"SELECT {integer}(42.5)  -- 43",
           doc=f"numeric to {integer.sql_name}, halves rounded away from zero; fails if out of range.")(to_integer)


# floats
def to_float(call, a):
    """The body of a cast to a float. Short numbers are divided by a power of ten, both exact, which rounds once."""
    k, type = call.k, call.result.layout.type
    number, scale = mantissa(k, a), decimal.tag_of(a)
    size = decimal.magnitude(k, number)
    short = k.and_(decimal.is_inline(k, a), size < 1 << PRECISION[type], scale <= EXACT_POWERS[type])
    divisor = float_power(k, k.choose(short, scale, k.constant(I64, 0)), type)
    quick = k.binary("div", k.convert(k.convert(number, I64), type), divisor)
    longer = long_to_double if type == F64 else long_to_single
    bits, address, length = decimal.otherwise(
        k, short, [float_bits(k, quick), k.constant(I64, 0), k.constant(I64, 0)],
        lambda: k.routine(longer, a.low, a.high))
    message = f'"{{}}" is out of range for type {call.result.sql_name}'
    call.fault(address != 0, "22003", message, Text(k, address, length))
    return k.convert(k.reinterpret(bits, F64), type)


def float_bits(k, value):
    """The bits of a float as those of a float8."""
    return k.reinterpret(k.convert(value, F64), I64)


def long_to_double(k, low, high):
    """Routine: (bits of the nearest float8, 0, 0); or, if there is none, (0, address, length) of the number's text."""
    return long_to_float(k, low, high, F64, float8_of_numeric)


def long_to_single(k, low, high):
    """Routine: the same of the nearest float4, as a float8."""
    return long_to_float(k, low, high, F32, float4_of_numeric)


def long_to_float(k, low, high, type, operation):
    """A mantissa of 127 bits divided by the power of ten leaves at least 56 bits, of which the last stands for all that is
    lost: converting them rounds once, and the rest is a power of two."""
    a = Pair(low, high)
    number, scale = mantissa(k, a), decimal.tag_of(a)
    size = decimal.magnitude(k, number)
    done = k.and_(decimal.is_inline(k, a), size != 0, scale <= LONG_SCALE_MAX)
    shift = k.convert(k.leading_zeros(k.choose(done, size, k.constant(I128, 1))), I64) - 1
    divisor = power_of_ten(k, k.choose(done, scale, k.constant(I64, 0)))
    quotient, rest = k.routine(decimal.divide_magnitudes, size << k.convert(shift, I128), divisor)
    surplus = k.greatest(decimal.bits_of(k, quotient) - 62, k.constant(I64, 0))
    wide = k.convert(surplus, I128)
    kept = quotient >> wide
    lost = k.or_(rest != 0, kept << wide != quotient)
    leading = decimal.with_sign_of(k, k.convert(kept, I64) | k.convert(lost, I64), number)
    power = k.reinterpret((surplus - shift + 1023) << 52, F64)
    value = k.convert(leading, type) * k.convert(power, type)
    quick = [float_bits(k, value), k.constant(I64, 0), k.constant(I64, 0)]
    return tuple(decimal.otherwise(k, done, quick, lambda: out_of_line(k, operation, [low, high], 3)[0]))


def float_power(k, exponent, type):
    """10^exponent (0 to EXACT_POWERS) as a float, without rounding."""
    power = power_of_ten(k, exponent)
    high, low = k.convert(power >> 64, I64), k.convert(power, I64)
    wide = k.convert(high, F64) * 2.0 ** 64 + k.convert(low, F64, signed=False)
    return k.convert(wide, type)


def float_words(number, value):
    """(bits of a float, 0, 0), or (0, address, length) of the text of a number that no float is near to."""
    if not number.is_finite() or not (math.isinf(value) or value == 0 and number != 0):
        return struct.unpack("q", struct.pack("d", value))[0], 0, 0
    text = ctypes.create_string_buffer(format(number, "f").encode() + bytes(TEXT_SPARE))
    REFUSED.append(text)
    return 0, ctypes.addressof(text), len(text) - 1 - TEXT_SPARE


@python_operation(2)
def float8_of_numeric(low, high):
    """`float_words` of the nearest float8."""
    number = number_of(low, high)
    return float_words(number, arithmetic.as_float(number))


@python_operation(2)
def float4_of_numeric(low, high):
    """`float_words` of the nearest float4."""
    number = number_of(low, high)
    double = arithmetic.as_float(number)
    return float_words(number, read_single(format(number, "f"), double) if number.is_finite() else double)


def of_float(call, a):
    """The body of a cast from a float. Whole numbers of few digits are taken as they are."""
    k, type = call.k, a.type
    wide = k.convert(a, F64)
    whole = k.convert(wide, I64)
    is_short = k.and_(k.convert(whole, F64) == wide, k.math("fabs", wide) < 10.0 ** DIGITS[type])
    quick, digits = decimal.of_integer(k, whole), k.constant(I64, DIGITS[type])
    low, high, status = decimal.otherwise(k, is_short, [quick.low, quick.high, k.constant(I64, 0)],
                                          lambda: k.routine(digits_of_float, wide, digits))
    return report(call, (Pair(low, high), status))


def digits_of_float(k, value, digits):
    """Routine: a float rounded to so many significant digits (halves to even), as (low, high, status).

    The float is m / 2^s. Between 10^-4 and 10^digits, m * 10^19 fits in 117 bits, 2^s times the power of ten that leaves the
    wanted digits in 100 bits, and their quotient is exact but for its rest.
    """
    bits = k.reinterpret(k.math("fabs", value), I64)
    limit = k.convert(power_of_ten(k, digits), I64)
    size = k.math("fabs", value)
    done = k.and_(size >= 1e-4, size < k.convert(limit, F64))
    bits = k.choose(done, bits, k.constant(I64, 1023 << 52))                    # 1.0: something harmless
    shift = k.convert(k.constant(I64, 1075) - (bits >> 52), I128)
    product = k.convert(bits & (1 << 52) - 1 | 1 << 52, I128) * 10 ** 19
    count = decimal.digits_of(k, product >> shift)
    divisor = power_of_ten(k, count - digits) << shift
    quotient, rest = k.routine(decimal.divide_magnitudes, product, divisor)
    half = divisor - rest
    up = k.or_(rest > half, k.and_(rest == half, quotient & 1 == 1))
    number, scale = k.variable(I64, k.convert(quotient + k.convert(up, I128), I64)), k.variable(I64, digits + 19 - count)
    for _ in k.while_(lambda: k.and_(scale.get() > 0, k.binary("urem", number.get(), 10) == 0)):
        number.set(k.binary("udiv", number.get(), 10))
        scale.set(scale.get() - 1)
    signed = decimal.with_sign_of(k, k.convert(number.get(), I128), k.reinterpret(value, I64))
    return numeric_words.words(numeric_words.tried(k, done, signed, scale.get(), numeric_of_float,
                                                   (k.reinterpret(value, I64), digits)))


@python_operation(2)
def numeric_of_float(bits, digits):
    """The words of a float's first digits."""
    value = struct.unpack("d", struct.pack("q", bits))[0]
    text = f"{value:.{digits}g}" if math.isfinite(value) else repr(value)
    return words_of(read_numeric(text))


for type in (FLOAT4, FLOAT8):
    scalar(f"{type}(numeric) -> {type}", cast="implicit", doc=f"numeric to {type.sql_name}, the nearest number.",
           example=f"SELECT {type}(42.5)  -- 42.5")(to_float)
    scalar(f"numeric({type}) -> numeric", cast="assignment",
           doc=f"{type.sql_name} to numeric, {DIGITS[type.layout.type]} significant digits.",
           example=f"SELECT 0.1::{type}::numeric  -- 0.1")(of_float)


# precision and scale
@scalar("numeric(numeric) -> numeric", cast="implicit",
        doc="A numeric rounded to the scale of its type; fails if it has too many digits.",
        example="SELECT 1.236::numeric(4, 2)  -- 1.24")
def to_modifier(call, a):
    return a if call.result_modifier is None else fitted(call, a, *call.result_modifier)


@scalar("numeric(numeric, int4) -> numeric", python=True,
        doc="A numeric made to fit a type modifier as pg_attribute has it: precision << 16 | scale, plus 4.",
        example="SELECT pg_catalog.numeric(1.236, 262150)  -- 1.24")
def to_encoded_modifier(number, modifier):
    return NUMERIC.apply_modifier(number, NUMERIC.modifier_of(modifier))


def fitted(call, a, precision, scale):
    """The number rounded to a scale; a fault if more digits are left than the precision allows."""
    k = call.k
    pair = report(call, numeric_words.round_to(k, a, k.constant(I64, scale)), OVERFLOW)
    number = decimal.magnitude(k, mantissa(k, pair))
    shown = max(scale, 0)
    too_long = k.constant(I64, 0)
    if precision - scale + shown < decimal.POWERS:
        too_long = k.convert(number >= 10 ** (precision - scale + shown), I64) if precision - scale + shown >= 0 else \
            k.convert(number != 0, I64)

    def slow():
        inputs = [pair.low, pair.high, k.constant(I64, precision), k.constant(I64, scale)]
        return out_of_line(k, is_too_long, inputs, 1)[0]
    inline = decimal.is_inline(k, pair)
    decided, quick = k.or_(inline, decimal.tag_of(pair) == decimal.NAN), k.choose(inline, too_long, k.constant(I64, 0))
    too_long = decimal.otherwise(k, decided, [quick], slow)[0]
    tag = decimal.tag_of(pair)
    infinite = k.or_(tag == decimal.INFINITY, tag == decimal.MINUS_INFINITY)
    bound, no_infinity = field_overflow(precision, scale)
    call.fault(k.and_(too_long != 0, infinite), "22003", "numeric field overflow", detail=no_infinity)
    call.fault(k.and_(too_long != 0, k.not_(infinite)), "22003", "numeric field overflow", detail=bound)
    return pair


@python_operation(4)
def is_too_long(low, high, precision, scale):
    """1 if a BIG or infinite number does not fit in a precision."""
    number = number_of(low, high)
    return (int(number.is_infinite() or bool(number) and number.adjusted() >= precision - scale),)
