"""to_char for moments, staged: a picture that is known while staging becomes code that writes its pieces in a row.

    "DD Mon YYYY" ─▶ 2 digits of the day, a blank, 3 letters from a table of names, a blank, 4 digits of the year

The years 1001 to 9900 are written so: their numbers have no signs and as many digits as the fields are wide. Other moments,
and pictures with a field that is not here, are an affair of `date_pictures`.
"""
from functools import cache, cached_property

import numpy as np

from caldera.functions.scalar.pictures import FIELD, parse_date_picture
from caldera.kernel import calendar
from caldera.kernel.calendar import DAY, HOUR, MINUTE, SECOND
from caldera.kernel.digits import write_bare, write_padded
from caldera.kernel.interface import I32, I64, Owner, Pointer, Struct
from caldera.kernel.text import Text
from caldera.types.calendar import days_from_civil

FIRST_DAY, LAST_DAY = days_from_civil(1001, 1, 1), days_from_civil(9900, 12, 31)
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")
DAYS = "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"
ROMAN_MONTHS = "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"
JULIAN_2000, NAME_WIDTH, ROMAN_WIDTH = 2451545, 9, 4
LISTS = {"MONTH": MONTHS, "MON": MONTHS, "DAY": DAYS, "DY": DAYS, "RM": ROMAN_MONTHS}
CASES = {"upper": str.upper, "lower": str.lower, "capital": str}
SPARE = 16                                      # bytes behind a piece that writing it may touch


class Names(Owner):
    """The names of a list in one case: for each its length, and 16 bytes, filled up with blanks."""
    layout = Struct(words=Pointer(I64))

    def __init__(self, names):
        super().__init__()
        words = [(len(name), *np.frombuffer(name.encode().ljust(16), np.int64).tolist()) for name in names]
        self.instances = [self.layout.make(words=self.keep(np.array(words, np.int64).reshape(-1)))]


@cache
def names(field, case):
    """The Names of a field."""
    return Names([CASES[case](name) for name in LISTS[field]])


class Parts:
    """A local time in parts, each staged where it is first asked for. Numbers are I64."""

    def __init__(self, k, local, offset):
        self.k, self.offset = k, offset
        self.days, self.time = calendar.split_moment(k, local)

    def wide(self, number):
        return self.k.convert(number, I64)

    def units(self, unit, period):
        """Whole units of the time of day, modulo a period."""
        return self.wide(self.k.binary("urem", calendar.whole_units(self.k, self.time, unit), period))

    @cached_property
    def civil(self):
        return calendar.civil_from_days(self.k, self.days)

    @cached_property
    def year(self):
        return self.wide(self.civil[0])

    @cached_property
    def iso(self):
        """(year, week)."""
        return tuple(map(self.wide, calendar.iso_week(self.k, self.days)))

    @property
    def month(self):
        return self.wide(self.civil[1])

    @property
    def day(self):
        return self.wide(self.civil[2])

    @property
    def year_day(self):
        return self.wide(calendar.day_of_year(self.k, self.days, self.civil[0]))

    @property
    def hour(self):
        return self.units(HOUR, 24)

    @property
    def iso_weekday(self):
        return self.wide(calendar.iso_weekday(self.k, self.days))

    @property
    def weekday(self):
        return self.wide(calendar.weekday(self.k, self.days))

    @property
    def offset_minutes(self):
        size = self.k.choose(self.offset < 0, self.k.negate(self.offset), self.offset)
        return self.k.binary("udiv", size, 60)

    def fraction(self, digits):
        """The first digits of the fraction of a second."""
        return self.k.binary("udiv", self.k.binary("urem", self.time, SECOND), 10 ** (6 - digits))


def quotient(number, divisor):
    """The quotient of a number that is not negative."""
    return number.kernel.binary("udiv", number, divisor)


def remainder(number, divisor):
    """What its division leaves."""
    return number.kernel.binary("urem", number, divisor)


def year_field(field):
    """(digits, number) of YYYY and its like, of the ISO year for those with an I."""
    width = len(field)
    return width, lambda parts: remainder(parts.iso[0] if field[0] == "I" else parts.year, 10 ** width)


def fraction_of(digits):
    """The number of FF1 to FF6: so many digits behind the second's point."""
    return lambda parts: parts.fraction(digits)


NUMBERS = {                                     # field: (digits, the number), in fill mode without leading zeros
    "HH24": (2, lambda parts: parts.hour), "MI": (2, lambda parts: parts.units(MINUTE, 60)),
    "HH12": (2, lambda parts: remainder(parts.hour + 11, 12) + 1),
    "HH": (2, lambda parts: remainder(parts.hour + 11, 12) + 1),
    "SS": (2, lambda parts: parts.units(SECOND, 60)),
    **{field: year_field(field) for field in ("YYYY", "YYY", "YY", "Y", "IYYY", "IYY", "IY", "I")},
    "CC": (2, lambda parts: quotient(parts.year + 99, 100)), "Q": (1, lambda parts: quotient(parts.month + 2, 3)),
    "MM": (2, lambda parts: parts.month), "DD": (2, lambda parts: parts.day), "DDD": (3, lambda parts: parts.year_day),
    "IDDD": (3, lambda parts: parts.iso[1] * 7 - 7 + parts.iso_weekday),
    "WW": (2, lambda parts: quotient(parts.year_day + 6, 7)), "IW": (2, lambda parts: parts.iso[1]),
    "W": (1, lambda parts: quotient(parts.day + 6, 7)), "D": (1, lambda parts: parts.weekday + 1),
    "ID": (1, lambda parts: parts.iso_weekday), "J": (7, lambda parts: parts.wide(parts.days) + JULIAN_2000)}
ALWAYS_FILLED = {                               # the same, with leading zeros also in fill mode
    "MS": (3, lambda parts: parts.fraction(3)), "US": (6, lambda parts: parts.fraction(6)),
    **{f"FF{digits}": (digits, fraction_of(digits)) for digits in range(1, 7)}}
NEVER_FILLED = {field: lambda parts: parts.units(SECOND, DAY // SECOND) for field in ("SSSS", "SSSSS")}
NAMED = {"MONTH": lambda parts: parts.month - 1, "MON": lambda parts: parts.month - 1, "RM": lambda parts: parts.month - 1,
         "DAY": lambda parts: parts.weekday, "DY": lambda parts: parts.weekday}
HALVES = {"AM": ("PM", "AM"), "PM": ("PM", "AM"), "A.M.": ("P.M.", "A.M."), "P.M.": ("P.M.", "A.M.")}
ERAS = {"AD": "AD", "BC": "AD", "A.D.": "A.D.", "B.C.": "A.D."}         # in these years
OTHERS = {"Y,YYY", "TZH", "TZM", "FX"}
KNOWN = {*NUMBERS, *ALWAYS_FILLED, *NEVER_FILLED, *NAMED, *HALVES, *ERAS, *OTHERS}


def cased(text, item):
    """A text in the case of a field."""
    return CASES[item.word.case](text)


class Writer:
    """Writes the pieces of a picture one behind the other. `at`: the address of the next."""

    def __init__(self, k, target, parts):
        self.k, self.at, self.parts = k, target, parts

    def known(self, text):
        """A text that is known."""
        data = text.encode()
        for start in range(0, len(data), 8):
            word = int.from_bytes(data[start:start + 8], "little")
            self.k.array(I64, self.at + start, alignment=1)[0] = word - (word >> 63 << 64)
        self.at = self.at + len(data)

    def either(self, condition, yes, no):
        """One of two texts of one length, up to 4 bytes."""
        k = self.k
        words = [k.constant(I32, int.from_bytes(text.encode(), "little")) for text in (yes, no)]
        k.array(I32, self.at, alignment=1)[0] = k.choose(condition, *words)
        self.at = self.at + len(yes)

    def digits(self, number, width):
        """A number with leading zeros."""
        write_padded(self.k, number, width, self.at)
        self.at = self.at + width

    def bare(self, number):
        """A number without."""
        self.at = self.at + self.k.routine(write_bare, number, self.at)

    def name(self, item, index):
        """A name of a list."""
        k, field = self.k, item.field
        words = k.memory(names(field, item.word.case)).words
        for word in range(2):
            k.array(I64, self.at + 8 * word, alignment=1)[0] = words[index * 3 + 1 + word]
        if field in ("MON", "DY"):
            self.at = self.at + 3
        elif item.fill or item.translated and field != "RM":
            self.at = self.at + words[index * 3]
        else:
            self.at = self.at + (ROMAN_WIDTH if field == "RM" else NAME_WIDTH)

    def ordinal(self, number, style):
        """st, nd, rd or th."""
        k, last = self.k, remainder(number, 10)
        word = self.pair("th", style)
        for digit, ending in ((1, "st"), (2, "nd"), (3, "rd")):
            word = k.choose(last == digit, self.pair(ending, style), word)
        word = k.choose(remainder(quotient(number, 10), 10) == 1, self.pair("th", style), word)
        k.array(I32, self.at, alignment=1)[0] = word
        self.at = self.at + 2

    def pair(self, letters, style):
        return self.k.constant(I32, int.from_bytes((letters.upper() if style == "TH" else letters).encode(), "little"))

    def item(self, item):
        """One piece of the picture."""
        field, parts = item.field, self.parts
        if item.kind != FIELD:
            self.known(item.text)
        elif field in NAMED:
            self.name(item, NAMED[field](parts))
        elif field in HALVES:
            self.either(parts.hour >= 12, *(cased(text, item) for text in HALVES[field]))
        elif field in ERAS:
            self.known(cased(ERAS[field], item))
        elif field == "TZH":
            self.either(parts.offset < 0, "-", "+")
            self.digits(quotient(parts.offset_minutes, 60), 2)
        elif field == "TZM":
            self.digits(remainder(parts.offset_minutes, 60), 2)
        elif field != "FX":
            self.number(item)

    def number(self, item):
        """A field that is a number, with its ordinal suffix."""
        field, parts = item.field, self.parts
        if field == "Y,YYY":
            number = parts.year
            self.digits(quotient(number, 1000), 1)
            self.known(",")
            self.digits(remainder(number, 1000), 3)
        elif field in NEVER_FILLED:
            number = NEVER_FILLED[field](parts)
            self.bare(number)
        else:
            width, number_of = (NUMBERS if field in NUMBERS else ALWAYS_FILLED)[field]
            number = number_of(parts)
            if item.fill and width > 1 and field in NUMBERS:
                self.bare(number)
            else:
                self.digits(number, width)
        if item.ordinal:
            self.ordinal(number, item.ordinal)


def writable(picture):
    """Whether the machine code can write a picture (or None)."""
    return bool(picture) and all(item.kind != FIELD or item.field in KNOWN for item in parse_date_picture(picture))


def written_moment(call, picture, local, offset):
    """(a local time (I64) as Text by a known picture, whether it is right). `offset`: seconds east of Greenwich, I64."""
    k, items = call.k, parse_date_picture(picture)
    room = sum(len(item.text.encode()) + (SPARE if item.kind == FIELD else 0) for item in items) + SPARE
    target, parts = call.scratch(k.constant(I64, room)), Parts(k, local, offset)
    writer = Writer(k, target, parts)
    for item in items:
        writer.item(item)
    return Text(k, target, writer.at - target, "block"), k.and_(parts.days >= FIRST_DAY, parts.days <= LAST_DAY)
