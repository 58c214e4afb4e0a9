"""to_number: a number read by a picture.

The picture says where signs and separators may stand and how many digits there may be; it is followed loosely, as PostgreSQL
does: a character of the picture that is no field skips one of the text, whatever it is. What has been gathered is then read
as a numeric(p, s) of the picture's places.
"""
import re

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar.number_pictures import ROMAN_WIDTH, describe, roman_numeral
from caldera.functions.scalar.pictures import FIELD, WHITE
from caldera.types import arithmetic
from caldera.types.registry import lookup

DATA = "0123456789.,+-"
ROMAN_DIGITS = "IVXLCDMivxlcdm"
ROMAN_SHAPE = re.compile("(M{0,3})(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")


class Reader:
    """Reads one text by a Picture. `sign` and `gathered` are what numeric will be made of; `before`, `behind`: digits read.

    Places for digits go through the text byte by byte, so it is held as one character for each byte of UTF-8.
    """

    def __init__(self, picture, text):
        self.picture, self.marks, self.text, self.at = picture, picture.marks, text.encode().decode("latin-1"), 0
        self.sign, self.gathered = " ", ""
        self.before = self.behind = 0
        self.has_point = False
        self.before_places, self.sign_side = picture.before, picture.sign

    def ended(self):
        """Whether all of the text has been read."""
        return self.at >= len(self.text)

    def skip_words(self, count):
        """Skip up to so many characters that cannot belong to a number."""
        while count > 0 and not self.ended() and self.text[self.at] not in DATA:
            self.skip_character()
            count -= 1

    def skip_character(self):
        """Step over all bytes of a character."""
        self.at += 1
        while not self.ended() and "\x80" <= self.text[self.at] < "\xc0":
            self.at += 1

    def read(self):
        """Go through the picture."""
        for item in self.picture.items:
            if self.ended():
                break
            if item.kind != FIELD:
                self.skip_character()
            elif item.field in ("9", "0", ".", "D"):
                self.read_place(item.field)
                self.at += 1
            else:
                self.read_other(item.field)

    def read_other(self, field):
        """What is no place for a digit."""
        here = self.text[self.at]
        if field in (",", "G"):
            self.at += here == "," and "fill" not in self.marks
        elif field == "L":
            self.skip_words(1)
        elif field == "TH":
            if "roman" not in self.marks and "point" not in self.marks and self.sign != "-":
                self.skip_words(2)
        elif field == "RN":
            self.read_roman()
        elif field in ("MI", "PL", "SG"):
            if here in {"MI": "-", "PL": "+", "SG": "+-"}[field]:
                self.sign = here
                self.at += 1
            else:
                self.skip_words(1)

    def read_sign_before(self):
        """The sign ahead of the first digit."""
        here = self.text[self.at]
        if here in "+-" or here == "<" and "bracket" in self.marks and not self.leads_sign():
            self.sign = "+" if here == "+" else "-"
            self.at += 1

    def leads_sign(self):
        """Whether S stands before the digits."""
        return "S" in self.marks and self.sign_side == "first"

    def read_place(self, field):
        """A digit or the point. Leaves the position on the character read; the caller steps over it."""
        if self.text[self.at] == " ":
            self.at += 1
        if self.ended():
            return
        if self.sign == " " and field in ("0", "9") and not self.before + self.behind:
            self.read_sign_before()
        if self.ended():
            return
        here, is_read = self.text[self.at], False
        if here.isascii() and here.isdigit():
            if self.has_point and self.behind == self.picture.behind:
                return
            self.gathered += here
            self.before, self.behind = self.before + (not self.has_point), self.behind + self.has_point
            is_read = True
        elif "point" in self.marks and not self.has_point and here == ".":
            self.gathered += "."
            self.has_point = is_read = True
        if self.sign == " " and self.before + self.behind > 0:
            self.read_sign_behind(is_read)

    def read_sign_behind(self, is_read):
        """A sign behind the digits, whose place the picture may not tell exactly."""
        following = self.text[self.at + 1:self.at + 2]
        if "S" in self.marks:
            if is_read and following and following in "+-":
                self.sign = following
                self.at += 1
        elif not is_read and self.marks & {"plus", "minus"} and self.text[self.at] in "+-":
            self.sign = self.text[self.at]

    def read_roman(self):
        """A Roman numeral from 1 to 3999. Raises 22P02."""
        while not self.ended() and self.text[self.at] in WHITE:
            self.at += 1
        start = self.at
        while not self.ended() and self.text[self.at] in ROMAN_DIGITS and self.at - start < ROMAN_WIDTH:
            self.at += 1
        numeral = self.text[start:self.at].upper()
        if not numeral or not ROMAN_SHAPE.fullmatch(numeral):
            raise error("22P02", "invalid Roman numeral")
        digits = str(next(number for number in range(1, 4000) if roman_numeral(number) == numeral))
        self.gathered += digits
        self.before_places = len(digits)


@scalar("to_number(text, text) -> numeric", python=True, volatility="s", doc="A number read by a picture",
        example="SELECT to_number('1,234.5-', '9G999D9S')  -- -1234.5")
def to_number(text, picture):
    if not picture:
        return None
    described = describe(picture)
    if "power" in described.marks:
        raise error("0A000", '"EEEE" not supported for input')
    reader = Reader(described, text)
    reader.read()
    behind = reader.behind
    numeric, digits = lookup("numeric"), reader.sign + reader.gathered.removesuffix(".")
    number = numeric.parse(digits, (reader.before_places + described.shifted + behind, behind))
    if "multiply" in described.marks:
        ten = numeric.parse("10")
        number = arithmetic.mul(number, arithmetic.power(ten, numeric.parse(str(-described.shifted))))
    return number
