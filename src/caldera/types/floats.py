"""float4 and float8: IEEE 754 numbers. NaN equals NaN and is greater than all others.

Output is the shortest text that reads back as the same number. A text on the very boundary between two numbers does not
count, although rounding to even would read it back: 1e23 is written 9.999999999999999e+22, as PostgreSQL does.
"""
import math
import re
import struct
from decimal import Decimal
from fractions import Fraction

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.types.registry import SqlType, register
from caldera.types.session import setting

SPACE = " \t\n\v\f\r"
NUMBER = re.compile(r"[+-]?(?:inf(?:inity)?|nan(?:\([0-9a-z_]*\))?|0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?\d+)?"
                    r"|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)", re.IGNORECASE | re.ASCII)


def to_single(value):
    """The float4 nearest to a float8, as a Python float; infinite if it is too large."""
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def from_hexadecimal(text):
    """The float8 of "0x1.8p3"; infinite if it is too large."""
    try:
        return float.fromhex(text)
    except OverflowError:
        return math.inf


def single_bits(value):
    """The bits of a float4 as a signed integer."""
    return struct.unpack("i", struct.pack("f", value))[0]


def single_from_bits(bits):
    """The float4 of these bits."""
    return struct.unpack("f", struct.pack("i", bits))[0]


def read_single(text, double):
    """The float4 nearest to a decimal text whose nearest float8 is known. Rounding twice would err if the float8 lies
    half-way between two float4s: then the text itself decides."""
    single = to_single(double)
    if single == double or math.isinf(double) or "x" in text.lower():
        return single
    if math.isinf(single):
        low = single_from_bits(0x7F7FFFFF)
        low = low if single > 0 else -low
        beyond = math.copysign(2.0**128, single)
        middle = (low + beyond) / 2
        return low if double == middle and abs(Fraction(Decimal(text))) < abs(Fraction(middle)) else single
    bits = single_bits(single)
    other = single_from_bits(bits + (1 if abs(double) > abs(single) else -1)) if single else \
        math.copysign(single_from_bits(1), double)
    if (single + other) / 2 != double:
        return single
    exact, middle = abs(Fraction(Decimal(text))), abs(Fraction(double))
    if exact == middle:
        return single
    return max(single, other, key=abs) if exact > middle else min(single, other, key=abs)


def scientific(value, digits):
    """(sign, digits without trailing zeros, exponent of the first digit) of a number rounded to so many digits."""
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    sign, mantissa = ("-", mantissa[1:]) if mantissa[0] == "-" else ("", mantissa)
    return sign, mantissa.replace(".", "").rstrip("0") or "0", int(exponent)


def shortest(value, neighbours, reads_back, fewest):
    """Scientific parts with the fewest digits that tell the number from its neighbours, nearest to it among those.

    neighbours: the numbers on both sides. The search starts at a length that cannot be too long. A power of two has more
    room above than below, so that the nearest text may fail where the next larger one serves.
    """
    boundaries = [(Fraction(value) + Fraction(other)) / 2 for other in neighbours if not math.isinf(other)]
    for count in range(fewest, 18):
        sign, digits, exponent = scientific(value, count)
        nearest = int(digits.ljust(count, "0"))
        for candidate in (nearest, nearest + 1):
            text = f"{sign}{candidate}e{exponent - count + 1}"
            if reads_back(text) and Fraction(Decimal(text)) not in boundaries:
                return sign, str(candidate).rstrip("0"), exponent + len(str(candidate)) - count
    raise AssertionError(value)         # 17 digits tell all numbers apart


def write(parts, large):
    """Scientific parts as PostgreSQL writes them: with an exponent below 1e-4 and from 10^large on."""
    sign, digits, exponent = parts
    if -4 <= exponent < large:
        if exponent < 0:
            return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
        whole, rest = digits[:exponent + 1].ljust(exponent + 1, "0"), digits[exponent + 1:]
        return f"{sign}{whole}.{rest}" if rest else sign + whole
    rest = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{rest}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def write_special(value):
    """NaN or an infinity as text."""
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"


def write_double(value):
    """Shortest text of a float8."""
    if not math.isfinite(value):
        return write_special(value)
    text = repr(value)
    mantissa, _, exponent = text.partition("e")
    if exponent == "" and abs(value) < 1e15:            # nearly all numbers: Python's text is PostgreSQL's
        if 1e-4 <= abs(value) or value == 0:
            return mantissa[:-2] if mantissa.endswith(".0") else mantissa
    digits = len(mantissa.lstrip("-0.").replace(".", "").rstrip("0")) if exponent else 1
    neighbours = math.nextafter(value, math.inf), math.nextafter(value, -math.inf)
    return write(shortest(value, neighbours, lambda text: float(text) == value, max(digits, 1)), 15)


def write_single(value):
    """Shortest text of a float4."""
    if not math.isfinite(value):
        return write_special(value)
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    if value == int(value) and abs(value) < 1e6:
        return str(int(value))
    bits = single_bits(value)
    neighbours = single_from_bits(bits + 1) if bits & 0x7FFFFFFF < 0x7F7FFFFF else math.inf, single_from_bits(bits - 1)

    def reads_back(text):
        return read_single(text, float(text)) == value
    return write(shortest(value, neighbours, reads_back, 1), 6)


class Float(SqlType):
    """A floating-point number of `length` bytes."""
    category = "N"
    python_type = float

    def __init__(self, name, sql_name, oid, array_oid, length, layout):
        self.name, self.sql_name, self.oid, self.array_oid = name, sql_name, oid, array_oid
        self.length, self.layout, self.preferred = length, layout, length == 8

    def parse(self, text, modifier=None, session=None):
        stripped = text.strip(SPACE)
        found = NUMBER.match(stripped)
        if not found:
            raise error("22P02", f'invalid input syntax for type {self.sql_name}: "{text}"')
        number = found[0].lower()
        value = from_hexadecimal(number) if "x" in number else math.nan if "nan" in number else float(number)
        if self.length == 4:
            value = read_single(number, value)
        is_lost = value == 0 and re.search("[1-9a-f]", re.split("p|e", number.replace("0x", ""))[0])
        if is_lost or math.isinf(value) and "inf" not in number:
            raise error("22003", f'"{found[0]}" is out of range for type {self.sql_name}')
        if found.end() < len(stripped):
            raise error("22P02", f'invalid input syntax for type {self.sql_name}: "{text}"')
        return value

    def format(self, datum, session=None):
        extra = 1 if session is None else int(setting(session, "extra_float_digits"))
        if extra > 0 or not math.isfinite(datum):
            return write_double(datum) if self.length == 8 else write_single(datum)
        digits = max((15 if self.length == 8 else 6) + extra, 1)
        return write(scientific(datum, digits), digits)

    def from_python(self, thing):
        if isinstance(thing, str):
            return self.parse(thing)
        return to_single(float(thing)) if self.length == 4 else float(thing)

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.float32() if self.length == 4 else pyarrow.float64()


FLOAT4 = register(Float("float4", "real", 700, 1021, 4, layouts.FLOAT4))
FLOAT8 = register(Float("float8", "double precision", 701, 1022, 8, layouts.FLOAT8))
