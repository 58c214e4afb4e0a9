"""to_char for numbers: digits written by a picture, and what a picture of a number says.

    picture ─ describe ─▶ Picture (places before and behind the point, signs, fill mode, ...)
    number  ─ rounded to those places ─▶ sign and digits ─ Writer ─▶ text

Where there are more digits than places before the point, places are shown as #. The Writer goes through the picture with the
digits beside it; leading places without a digit become blanks, or zeros from the first 0 of the picture on.
"""
import math
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar.pictures import FIELD, ordinal, parse_number_picture
from caldera.types import arithmetic

ROMAN_LETTERS = ("I", "V", "X"), ("X", "L", "C"), ("C", "D", "M"), ("M", "", "")
ROMAN_MAX, ROMAN_WIDTH = 3999, 15
FLOAT4_DIGITS, FLOAT8_DIGITS = 6, 15


@dataclass
class Picture:
    """What the picture of a number says. before, behind: places around the point; shifted: places behind V. zero_start: the
    first place of the 0s, counted from 1, or 0 if there is none; zero_end: the last. sign: "", "first" (S before the point)
    or "last"; sign_at: how many places stand before S."""
    items: tuple
    before: int = 0
    behind: int = 0
    shifted: int = 0
    zero_start: int = 0
    zero_end: int = 0
    sign: str = ""
    sign_at: int = 0
    marks: set = field(default_factory=set)     # of: point fill bracket minus plus multiply roman power blank zero S


def refuse(message, detail=None):
    """The error for a picture that contradicts itself."""
    return error("42601", message, detail=detail)


def note_digit(picture, name):
    """A place for a digit."""
    marks = picture.marks
    if "bracket" in marks:
        raise refuse(f'"{name}" must be ahead of "PR"')
    if name == "9" and "multiply" in marks:
        picture.shifted += 1
        return
    if name == "0" and not picture.zero_start and "point" not in marks:
        picture.zero_start = picture.before + 1
        marks.add("zero")
    if "point" in marks:
        picture.behind += 1
    else:
        picture.before += 1
    if name == "0":
        picture.zero_end = picture.before + picture.behind


def note_sign(picture, name):
    """S, MI, PL, SG or PR."""
    marks = picture.marks
    if name == "S":
        if "S" in marks:
            raise refuse('cannot use "S" twice')
        if marks & {"plus", "minus", "bracket"}:
            raise refuse('cannot use "S" and "PL"/"MI"/"SG"/"PR" together')
        picture.sign, picture.sign_at = ("last", picture.sign_at) if "point" in marks else ("first", picture.before)
        marks.add("S")
    elif name == "PR":
        if marks & {"S", "plus", "minus"}:
            raise refuse('cannot use "PR" and "S"/"PL"/"MI"/"SG" together')
        marks.add("bracket")
    else:
        if "S" in marks:
            raise refuse(f'cannot use "S" and "{name}" together')
        marks.update({"MI": {"minus"}, "PL": {"plus"}, "SG": {"minus", "plus"}}[name])


def note_power(picture, _):
    """EEEE."""
    if "power" in picture.marks:
        raise refuse('cannot use "EEEE" twice')
    if picture.marks & {"blank", "fill", "S", "bracket", "minus", "plus", "roman", "multiply"}:
        raise refuse('"EEEE" is incompatible with other formats',
                     '"EEEE" may only be used together with digit and decimal point patterns.')
    picture.marks.add("power")


def note_point(picture, _):
    """The decimal point, . or D."""
    if "point" in picture.marks:
        raise refuse("multiple decimal points")
    if "multiply" in picture.marks:
        raise refuse('cannot use "V" and decimal point together')
    picture.marks.add("point")


def note_shift(picture, _):
    """V."""
    if "point" in picture.marks:
        raise refuse('cannot use "V" and decimal point together')
    picture.marks.add("multiply")


def note_roman(picture, _):
    """RN."""
    if "roman" in picture.marks:
        raise refuse('cannot use "RN" twice')
    picture.marks.add("roman")


def note_blank(picture, _):
    """B; it only counts ahead of all digits."""
    if not (picture.before or picture.behind or picture.zero_start):
        picture.marks.add("blank")


NOTES = {"9": note_digit, "0": note_digit, "S": note_sign, "MI": note_sign, "PL": note_sign, "SG": note_sign,
         "PR": note_sign, "EEEE": note_power, ".": note_point, "D": note_point, "V": note_shift, "RN": note_roman,
         "B": note_blank,
         "FM": lambda picture, _: picture.marks.add("fill")}


@lru_cache(500)
def describe(text):
    """The Picture of a format. Raises 42601 for one that contradicts itself."""
    picture = Picture(parse_number_picture(text))
    for item in picture.items:
        if item.kind != FIELD:
            continue
        if "power" in picture.marks and item.field != "EEEE":
            raise refuse('"EEEE" must be the last pattern used')
        if item.field in NOTES:
            NOTES[item.field](picture, item.field)
        if "roman" in picture.marks and picture.marks - {"roman", "fill"}:
            raise roman_conflict()
    return picture


def roman_conflict():
    """The error for RN beside other fields."""
    return refuse('"RN" is incompatible with other formats', '"RN" may only be used together with "FM".')


class Writer:
    """Writes one number by a picture. `digits`: the number without a sign, with a point if it has decimals; `blanks`: how
    many places before the point it leaves empty; `sign`: "+" or "-"."""

    def __init__(self, picture, digits, sign, blanks):
        self.picture, self.marks, self.digits, self.sign, self.blanks = picture, picture.marks, digits, sign, blanks
        self.fills = "fill" in self.marks
        self.zero_start = picture.zero_start - 1 if picture.zero_start else 0
        self.has_zeros = picture.zero_start > 0
        self.at = self.place = 0                # the next digit; how many places have been written
        self.inside = False                     # whether the last place showed a digit
        self.out = []
        self.settle_sign()
        self.last_relevant = self.find_last_relevant()
        self.last_place = picture.behind + picture.before - 1 + (not self.sign_written and blanks == 0)

    def settle_sign(self):
        """Decide where the sign goes."""
        self.sign_side, self.bracket = self.picture.sign, "bracket" in self.marks
        if self.marks & {"plus", "minus"}:
            self.sign_written = "minus" in self.marks
            return
        if self.sign != "-" and self.fills:
            self.bracket = False
        self.sign_written = self.sign == "+" and self.fills and "S" not in self.marks
        if self.sign_side == "first" and self.picture.before == self.picture.sign_at:
            self.sign_side = "last"

    def find_last_relevant(self):
        """In fill mode the last digit that must be shown behind the point, as a position; else None."""
        point = self.digits.find(".")
        if not self.fills or "point" not in self.marks or point < 0:
            return None
        last = len(self.digits.rstrip("0")) - 1
        if self.picture.zero_end > self.blanks:
            last = max(last, min(len(self.digits) - 1, self.picture.zero_end - self.blanks))
        return last

    def write(self):
        """The text."""
        for item in self.picture.items:
            if item.kind != FIELD:
                self.out.append(item.text)
            elif item.field in ("9", "0", ".", "D"):
                self.write_place(item.field)
            else:
                self.out.append(self.other_field(item))
        return "".join(self.out).partition("\0")[0]

    def other_field(self, item):
        """The text of what is no place for a digit."""
        field, blank = item.field, "" if self.fills else " "
        if field in (",", "G"):
            return "," if self.inside else blank
        if field == "L":
            return " "
        if field == "TH":
            shown = self.digits[:1] != "#" and self.sign != "-" and "point" not in self.marks
            return ordinal(self.digits, "TH" if item.word.case == "upper" else "th") if shown else ""
        if field == "MI":
            return "-" if self.sign == "-" else blank
        if field == "PL":
            return "+" if self.sign == "+" else blank
        return self.sign if field == "SG" else ""

    def character(self, at):
        """The digit at a position; what lies behind the end ends the text."""
        return self.digits[at] if at < len(self.digits) else "\0"

    def shows_point_only(self):
        """Whether nothing but the point remains of the decimals."""
        return self.last_relevant is not None and self.character(self.last_relevant) == "."

    def hides_zero(self):
        """Whether this place is the 0 before the point of 0.1, which 9.9 leaves blank."""
        return not self.has_zeros and self.at == 0 and self.digits[:1] == "0" and self.picture.behind != 0

    def write_place(self, field):
        """A digit, a blank or the point, with the sign before the first and behind the last of them."""
        self.inside = False
        starts = self.place >= self.blanks or self.has_zeros and self.zero_start == self.place
        if not self.sign_written and starts and (not self.hides_zero() or self.shows_point_only()):
            self.write_sign_before()
        if self.place < self.blanks and (not self.has_zeros or self.zero_start > self.place):
            self.out.append("" if self.fills else " ")
        elif self.place < self.blanks:
            self.out.append("0")
            self.inside = True
        else:
            self.write_digit(field)
            self.at += self.at < len(self.digits)
        end = self.last_place + (self.blanks > 0) + ("point" in self.marks)
        if self.last_relevant is not None and self.last_relevant == self.at:
            end = self.place
        if self.place + 1 == end:
            self.write_sign_behind()
        self.place += 1

    def write_digit(self, field):
        """The next digit or the point, unless fill mode drops it."""
        digit = self.character(self.at)
        if digit == ".":
            if not self.shows_point_only() or self.fills:
                self.out.append(".")
        elif self.last_relevant is not None and self.at > self.last_relevant and field != "0":
            return
        elif self.hides_zero():
            self.out.append("" if self.fills and not self.shows_point_only() else "0" if self.fills else " ")
        else:
            self.out.append(digit)
            self.inside = True

    def write_sign_before(self):
        """The sign ahead of the first digit, unless it comes last."""
        if "S" in self.marks:
            if self.sign_side != "first":
                return
            self.out.append(self.sign)
        elif self.bracket:
            self.out.append(" " if self.sign == "+" else "<")
        elif self.sign == "+":
            self.out.append("" if self.fills else " ")
        else:
            self.out.append("-")
        self.sign_written = True

    def write_sign_behind(self):
        """The sign behind the last digit, or the closing bracket."""
        if self.sign_written and self.bracket:
            self.out.append(" " if self.sign == "+" else ">")
        elif "S" in self.marks and self.sign_side == "last":
            self.out.append(self.sign)


def written(picture, digits, sign, before, behind=None):
    """A number in digits by a picture; `before`, `behind`: the places that it has to fit in."""
    behind = picture.behind if behind is None else behind
    length = digits.find(".") if "." in digits else len(digits)
    if length > before:
        digits = "#" * before + "." + "#" * behind
    shaped = Picture(picture.items, before, behind, picture.shifted, picture.zero_start, picture.zero_end, picture.sign,
                     picture.sign_at, picture.marks)
    return Writer(shaped, digits, sign, max(before - length, 0)).write()


def roman_numeral(number):
    """1 to 3999 in Roman numerals; others as ###############."""
    if not 1 <= number <= ROMAN_MAX:
        return "#" * ROMAN_WIDTH
    places = zip(reversed(ROMAN_LETTERS), f"{number:04d}")
    return "".join(roman_digit(int(digit), *letters) for letters, digit in places)


def roman_digit(digit, one, five, ten):
    """0 to 9 in the letters of its place."""
    if digit in (4, 9):
        return one + (five if digit == 4 else ten)
    return five * (digit >= 5) + one * (digit % 5)


def written_roman(picture, number):
    """A number by a picture with RN."""
    text, out = roman_numeral(number), []
    for item in picture.items:
        if item.kind != FIELD:
            out.append(item.text)
        elif item.field == "RN":
            numeral = text.lower() if item.word.case == "lower" else text
            out.append(numeral if "fill" in picture.marks else numeral.rjust(ROMAN_WIDTH))
        elif item.field in (",", "G", "L"):
            out.append("" if "fill" in picture.marks and item.field != "L" else " ")
    return "".join(out)


def with_power(text):
    """A number in scientific notation, with a blank for the sign it has not."""
    return text if text[0] == "-" else " " + text


def scientific(number, digits):
    """A number as d.ddde+dd; halves of a Decimal are rounded away from zero."""
    if isinstance(number, float):
        return f"{number:.{digits}e}"
    exponent = number.adjusted() if number else 0
    mantissa = arithmetic.round_to(number.scaleb(-exponent, arithmetic.EXACT), digits)
    return f"{mantissa:f}e{exponent:+03d}"


def unwritable(picture):
    """NaN and the infinities in scientific notation."""
    return " " + "#" * picture.before + "." + "#" * (picture.behind + 4)


def write_integer(number, picture):
    """to_char of an integer; `number` is already shifted by the places behind V."""
    digits = str(abs(number)) + ("." + "0" * picture.behind if picture.behind else "")
    return written(picture, digits, "-" if number < 0 else "+", picture.before + picture.shifted)


@scalar("to_char(int4, text) -> text", python=True, volatility="s", doc="An integer written by a picture",
        example="SELECT to_char(1234, 'FM9,999')  -- 1,234")
def to_char_int4(number, picture):
    picture = describe(picture)
    if "roman" in picture.marks:
        return written_roman(picture, number)
    if "power" in picture.marks:
        return with_power(scientific(float(number), picture.behind))
    if "multiply" in picture.marks:                 # PostgreSQL's product of 32 bits wraps
        factor = 10 ** picture.shifted if picture.shifted < 10 else -2**31
        number = (number * factor + 2**31) % 2**32 - 2**31
    return write_integer(number, picture)


@scalar("to_char(int8, text) -> text", python=True, volatility="s", doc="A bigint written by a picture",
        example="SELECT to_char(1234::int8, 'FM000000')  -- 001234")
def to_char_int8(number, picture):
    picture = describe(picture)
    if "roman" in picture.marks:
        return written_roman(picture, number)
    if "power" in picture.marks:
        return with_power(scientific(Decimal(number), picture.behind))
    if "multiply" in picture.marks:
        number *= 10 ** picture.shifted
        if not -2**63 <= number < 2**63:
            raise error("22003", "bigint out of range")
    return write_integer(number, picture)


@scalar("to_char(numeric, text) -> text", python=True, volatility="s", doc="A numeric written by a picture",
        example="SELECT to_char(-1234.5, 'FM9,999.00')  -- -1,234.50")
def to_char_numeric(number, picture):
    picture = describe(picture)
    if "roman" in picture.marks:
        whole = arithmetic.round_to(number) if number.is_finite() else None
        return written_roman(picture, 0 if whole is None else int(whole))
    if "power" in picture.marks:
        if not number.is_finite():
            return unwritable(picture)
        return with_power(scientific(number, picture.behind))
    if "multiply" in picture.marks:
        number = arithmetic.mul(number, arithmetic.power(Decimal(10), Decimal(picture.shifted)))
    rounded = arithmetic.round_to(number, picture.behind) if number.is_finite() else number
    digits = f"{rounded:f}" if number.is_finite() else "NaN" if number.is_nan() else str(number)
    sign = "-" if digits[0] == "-" else "+"
    return written(picture, digits.lstrip("-"), sign, picture.before + picture.shifted)


def write_float(number, picture, digits_max):
    """to_char of a float with so many reliable digits."""
    if "roman" in picture.marks:
        return written_roman(picture, round(number) if math.isfinite(number) else 0)
    if "power" in picture.marks:
        return with_power(scientific(number, picture.behind)) if math.isfinite(number) else unwritable(picture)
    if "multiply" in picture.marks:
        number = number * math.pow(10, picture.shifted)
    length = len(f"{abs(number):.0f}") if math.isfinite(number) else 8 if math.isinf(number) else 3
    behind = 0 if length >= digits_max else min(picture.behind, digits_max - length)
    if math.isfinite(number):
        text = f"{number:.{behind}f}"
    else:
        text = "NaN" if math.isnan(number) else "-Infinity" if number < 0 else "Infinity"
    sign = "-" if text[0] == "-" else "+"
    return written(picture, text.lstrip("-"), sign, picture.before + picture.shifted, behind)


@scalar("to_char(float8, text) -> text", python=True, volatility="s", doc="A float written by a picture",
        example="SELECT to_char(3.14159::float8, 'FM9.99')  -- 3.14")
def to_char_float8(number, picture):
    return write_float(number, describe(picture), FLOAT8_DIGITS)


@scalar("to_char(float4, text) -> text", python=True, volatility="s", doc="A float written by a picture",
        example="SELECT to_char(3.14159::float4, 'FM9.99')  -- 3.14")
def to_char_float4(number, picture):
    return write_float(number, describe(picture), FLOAT4_DIGITS)
