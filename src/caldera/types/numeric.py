"""numeric: decimal numbers of any length, with a display scale of their own, NaN and both infinities.

A datum is a Decimal whose exponent is minus the display scale; operations on datums are in `arithmetic`. In memory a
numeric is two words. Their format, what becomes of numbers that do not fit (word 0 is then a name), the way between words
and datums, and all operations on staged words are kernel.decimal's.
"""
import re
from decimal import Decimal

from caldera.base.errors import error
from caldera.kernel import decimal, layouts
from caldera.types.arithmetic import EXACT, INTEGER_DIGITS_MAX, SCALE_MAX, overflow, round_to, settled
from caldera.types.registry import TYPMOD_OFFSET, SqlType, register

SPACE = " \t\n\v\f\r"
DIGITS = r"\d(?:_?\d)*"
DECIMAL = re.compile(rf"([+-]?)(?:({DIGITS})(?:\.((?:{DIGITS})?))?|\.({DIGITS}))(?:[eE]([+-]?{DIGITS}))?", re.ASCII)
SPECIAL = re.compile(r"(nan)|([+-]?)inf(?:inity)?", re.IGNORECASE)
INTEGER = re.compile(r"([+-]?)0(?:[xX]((?:_?[0-9a-fA-F])+)|[oO]((?:_?[0-7])+)|[bB]((?:_?[01])+))")
EXPONENT_MAX = (2**31 - 1) // 2

PRECISION_MAX, SCALE_BOUND = 1000, 1000


def read_numeric(text):
    """The Decimal that a text means, or None if it is no number. Raises 22003 if it is too long for the format."""
    stripped = text.strip(SPACE)
    found = DECIMAL.fullmatch(stripped)
    if found:
        minus, whole, fraction, only_fraction, exponent = (part.replace("_", "") if part else "" for part in found.groups())
        fraction = fraction or only_fraction
        shift = int(exponent[:12] or "0")
        if abs(shift) > EXPONENT_MAX:
            raise overflow()
        number = Decimal(f"{minus}{whole or '0'}.{fraction}") if fraction else Decimal(minus + whole)
        decimals = max(len(fraction) - shift, 0)
        if decimals > SCALE_MAX or number and number.adjusted() + shift >= INTEGER_DIGITS_MAX:
            raise overflow()
        if shift:
            number = number.scaleb(shift, EXACT).quantize(Decimal(1).scaleb(-decimals, EXACT), context=EXACT)
        return number.copy_abs() if not number else number
    found = SPECIAL.fullmatch(stripped)
    if found:
        return Decimal("NaN") if found[1] else Decimal(found[2] + "Infinity")
    found = INTEGER.fullmatch(stripped)
    if found:
        minus, *digits = found.groups()
        value = next(int(part.replace("_", ""), base) for part, base in zip(digits, (16, 8, 2)) if part)
        return settled(Decimal(-value if minus == "-" else value))
    return None


class Numeric(SqlType):
    """numeric, numeric(precision), numeric(precision, scale)."""
    name = sql_name = "numeric"
    oid, array_oid = 1700, 1231
    category = "N"
    layout = layouts.NUMERIC
    python_type = Decimal

    def parse(self, text, modifier=None, session=None):
        number = read_numeric(text)
        if number is None:
            raise error("22P02", f'invalid input syntax for type numeric: "{text}"')
        return self.apply_modifier(number, modifier)

    def format(self, datum, session=None):
        return format(datum, "f")

    def apply_modifier(self, datum, modifier, explicit=False):
        """Rounded to the scale; raises 22003 if more digits are left before the point than precision - scale."""
        if modifier is None or datum.is_nan():
            return datum
        precision, digits = modifier
        if datum.is_infinite():
            raise error("22003", "numeric field overflow", detail=field_overflow(precision, digits)[1])
        rounded = round_to(datum, digits)
        if rounded and rounded.adjusted() >= precision - digits:
            raise error("22003", "numeric field overflow", detail=field_overflow(precision, digits)[0])
        return rounded

    def typmod_of(self, modifier):
        return -1 if modifier is None else (modifier[0] << 16 | modifier[1] & 0x7FF) + TYPMOD_OFFSET

    def modifier_of(self, typmod):
        """16 bits of precision, then 11 of the scale with its sign."""
        code = typmod - TYPMOD_OFFSET
        return None if code < 0 else (code >> 16 & 0xFFFF, (code & 0x7FF ^ 1024) - 1024)

    def encode_modifier(self, numbers, position=None):
        if len(numbers) not in (1, 2):
            raise error("22023", "invalid NUMERIC type modifier", position=position)
        precision, digits = numbers[0], numbers[1] if len(numbers) == 2 else 0
        if not 1 <= precision <= PRECISION_MAX:
            raise error("22023", f"NUMERIC precision {precision} must be between 1 and {PRECISION_MAX}", position=position)
        if not -SCALE_BOUND <= digits <= SCALE_BOUND:
            raise error("22023", f"NUMERIC scale {digits} must be between -{SCALE_BOUND} and {SCALE_BOUND}",
                        position=position)
        return precision, digits

    def from_python(self, thing):
        if isinstance(thing, Decimal):
            return settled(thing)
        if isinstance(thing, float):
            return self.parse(repr(thing))
        return self.parse(thing) if isinstance(thing, str) else Decimal(thing)

    def arrow_type(self, modifier=None):
        """A decimal type of the modifier's size. For numeric as such, and where Arrow's 76 digits do not suffice: text;
        `columns.to_arrow` finds a decimal type for such a column if its values allow one."""
        import pyarrow
        if modifier is None or not 0 <= modifier[1] <= modifier[0] <= 76:
            return pyarrow.string()
        return pyarrow.decimal128(*modifier) if modifier[0] <= 38 else pyarrow.decimal256(*modifier)

    # staged
    def equal(self, k, a, b):
        return decimal.equal(k, a, b)

    def less(self, k, a, b):
        return decimal.less(k, a, b)

    def hash(self, k, a):
        return decimal.hash_decimal(k, a)

    def key(self, k, a):
        return [decimal.key_decimal(k, a)]
    key_is_exact, key_words = False, 1


def field_overflow(precision, digits):
    """The details of "numeric field overflow": for a number that is too large, and for an infinite one."""
    field = f"A field with precision {precision}, scale {digits}"
    bound = f"10^{precision - digits}" if precision != digits else "1"
    return f"{field} must round to an absolute value less than {bound}.", f"{field} cannot hold an infinite value."


NUMERIC = register(Numeric())
