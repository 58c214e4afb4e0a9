"""Reading intervals: "1 year -2 days 04:05:06", "1-2 3 4:05:06", "P1Y2DT3H", "1.5 hours ago".

    text ─ datetime_input.tokens ─▶ [(kind, word)] ─ from right to left ─▶ Sum ─▶ Interval
    text "P..." ─ IsoReader ─▶ Sum

From right to left, since units stand behind their numbers. A number without a unit takes the finest field of the type's
modifier, else seconds, or days if a time stands behind it. Fractions of a large unit spill into the smaller ones: half a
month is 15 days, a tenth of a year 1 month (rounded).
"""
import re

from caldera.base.errors import error
from caldera.types.calendar import DAY, DAYS_PER_MONTH, HOUR, MINUTE, SECOND
from caldera.types.datetime_input import Malformed, clock, complain, tokens
from caldera.types.interval_fields import (ALL_FIELDS, EARLY, LATE, MINUTE_FIELD, RANGES, SECOND_FIELD, Interval,
                                           highest_bit)

UNITS = {name: unit for unit, names in {
    "microsecond": "us usec usecs usecond useconds microsecon", "millisecond": "ms msec msecs msecond mseconds millisecon",
    "second": "s sec secs second seconds", "minute": "m min mins minute minutes", "hour": "h hr hrs hour hours",
    "day": "d day days", "week": "w week weeks", "month": "mon mons month months", "year": "y yr yrs year years",
    "decade": "dec decs decade decades", "century": "c cent century centuries",
    "millennium": "mil mils millennia millennium",
    "quarter": "qtr quarter", "timezone": "timezone timezone_h timezone_m"}.items() for name in names.split()}
MICROSECONDS = {"microsecond": 1, "millisecond": 1000, "second": SECOND, "minute": MINUTE, "hour": HOUR}
DAYS = {"day": 1, "week": 7}
YEARS = {"year": 1, "decade": 10, "century": 100, "millennium": 1000}
NAME_MAX = 10                           # of longer words only so many letters count
FIELD_UNITS = {mask: name for name, mask in RANGES.items() if " " not in name}
NUMBER = re.compile(r"([+-]?)(\d*)(?:-((?:[+-]?\d+)?)|(\.\d*))?(.*)", re.ASCII)
ISO_NUMBER = re.compile(r"[-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
ISO_LIMIT = 1e15


class Sum:
    """Months, days and microseconds that are being added up; Malformed("interval") when one leaves its range."""

    def __init__(self):
        self.years = self.months = self.days = self.microseconds = 0

    def add_months(self, months):
        self.months = bounded(self.months + months, 31)

    def add_days(self, days):
        self.days = bounded(self.days + days, 31)

    def add_microseconds(self, microseconds):
        self.microseconds = bounded(self.microseconds + microseconds, 63)

    def add_fraction_of_time(self, fraction, unit):
        """A fraction of so many microseconds, rounded, halves towards zero."""
        exact = fraction * unit
        whole = int(exact)
        rest = exact - whole
        self.add_microseconds(whole + (1 if rest > 0.5 else -1 if rest < -0.5 else 0))

    def add_fraction_of_days(self, fraction, days):
        exact = fraction * days
        whole = int(exact)
        self.add_days(whole)
        self.add_fraction_of_time(exact - whole, DAY)

    def add(self, unit, value, fraction):
        """value + fraction (-1 < fraction < 1, a float) of a unit."""
        if unit in MICROSECONDS:
            self.add_microseconds(bounded(value * MICROSECONDS[unit], 63))
            self.add_fraction_of_time(fraction, MICROSECONDS[unit])
        elif unit in DAYS:
            self.add_days(bounded(value * DAYS[unit], 31))
            self.add_fraction_of_days(fraction, DAYS[unit])
        elif unit == "month":
            self.add_months(bounded(value, 31))
            self.add_fraction_of_days(fraction, DAYS_PER_MONTH)
        elif unit in YEARS:
            self.years = bounded(self.years + bounded(value * YEARS[unit], 31), 31)
            self.add_months(round(fraction * YEARS[unit] * 12))
        else:
            raise Malformed()

    def negate(self):
        self.years, self.months, self.days, self.microseconds = (
            bounded(-self.years, 31), bounded(-self.months, 31), bounded(-self.days, 31), bounded(-self.microseconds, 63))

    def interval(self):
        """The Interval; 22008 if years and months together are too many."""
        months = self.years * 12 + self.months
        result = Interval(months, self.days, self.microseconds)
        if not -2**31 <= months < 2**31 or result in (EARLY, LATE):
            raise error("22008", "interval out of range")
        return result


def bounded(value, bits):
    """The value, if it fits so many bits and a sign."""
    if not -2**bits <= value < 2**bits:
        raise Malformed("interval")
    return value


def read_interval(text, fields=ALL_FIELDS, style="postgres"):
    """The Interval of a text. `fields`: what the type's modifier allows, which gives a bare number its unit. In the style
    "sql_standard" a minus in front holds for all parts unless others have signs. Raises 22007, 22015 or 22008."""
    try:
        try:
            return VerboseReader(fields, style).read(tokens(text))
        except Malformed as fault:
            if fault.reason != "syntax":
                raise
            return IsoReader(text).read()
    except Malformed as fault:
        reason = "interval" if fault.reason == "range" else fault.reason
        raise complain(Malformed(reason), text, "interval") from None


class VerboseReader:
    """Reads tokens from the last to the first."""

    def __init__(self, fields, style):
        self.fields, self.style = fields, style
        self.sum, self.known = Sum(), set()
        self.unit = None                # of the number to come
        self.unit_waits = self.ago = self.negative = False

    def read(self, found):
        signs = [word[0] for _, word in found]
        if self.style == "sql_standard" and signs and signs[0] == "-":
            self.negative = not set(signs[1:]) & {"-", "+"}
        for position in range(len(found) - 1, -1, -1):
            kind, word = found[position]
            special = self.read_word(word, position == len(found) - 1) if kind == "word" else self.read_value(kind, word)
            if special:
                if position:
                    self.only_noise(found[:position])
                return special
        if not self.known or self.unit_waits:
            raise Malformed()
        if self.ago:
            self.sum.negate()
        return self.sum.interval()

    def only_noise(self, found):
        """Before "infinity" nothing may stand that adds to it."""
        for kind, word in found:
            if kind != "word" or self.read_word(word, False) or self.unit_waits or self.ago:
                raise Malformed()

    def learn(self, *parts):
        if self.known & set(parts):
            raise Malformed()
        self.known |= set(parts)

    def read_word(self, word, is_last):
        """A unit, "ago" or an infinity (which is returned)."""
        if self.unit_waits:
            raise Malformed()
        name = word[:NAME_MAX]
        if name in UNITS:
            self.unit, self.unit_waits = UNITS[name], True
        elif name == "ago":
            if not is_last:
                raise Malformed()
            self.ago, self.unit = True, "ago"           # which no number may have for a unit
        elif name in ("infinity", "-infinity", "+infinity"):
            if not is_last:
                raise Malformed()
            return EARLY if name[0] == "-" else LATE
        elif name in ("at", "on"):
            self.unit = None
        else:
            raise Malformed()
        return None

    def read_value(self, kind, word):
        if kind == "time" or kind == "zone" and ":" in word[1:]:
            try:
                return self.read_time(word)
            except Malformed:
                if kind == "time":
                    raise
        if kind == "date" and not word[0].isdigit():
            raise Malformed()
        return self.read_number(word)

    def read_time(self, word):
        """04:05:06, with a sign perhaps; a number before it means days."""
        hours, minutes, seconds, microseconds = clock(word.lstrip("+-"), self.fields == MINUTE_FIELD | SECOND_FIELD)
        length = bounded(hours * HOUR + minutes * MINUTE + seconds * SECOND + microseconds, 63)
        self.learn("hour", "minute", "second", "millisecond", "microsecond")
        self.sum.microseconds = -length if word[0] == "-" or self.negative else length     # a day's fraction is lost
        self.unit, self.unit_waits = "day", False

    def read_number(self, word):
        """A number of the unit behind it; 1-2 means years and months."""
        found = NUMBER.fullmatch(word)
        if not found or not (found[2] or found[4]):
            raise Malformed()
        sign, whole, months, rest, surplus = found.groups()
        unit = self.unit or self.default_unit()
        value, fraction = int(whole or "0"), float(rest) if rest and len(rest) > 1 else 0.0
        if months is not None:
            months = int(months or "0")
            if not 0 <= months < 12:
                raise Malformed("interval")
            unit, value = "month", value * 12 + months
        if surplus:
            raise Malformed()
        if sign == "-" or self.negative:
            value, fraction = -value, -fraction
        bounded(value, 63)
        self.sum.add(unit, value, fraction)
        self.learn(*(("second", "millisecond", "microsecond") if unit == "second" and fraction else (unit,)))
        self.unit, self.unit_waits = "day" if unit == "hour" else unit, False

    def default_unit(self):
        return "second" if self.fields == ALL_FIELDS else FIELD_UNITS[highest_bit(self.fields)]


class IsoReader:
    """ISO 8601: P1Y2M3W4DT5H6M7.8S, or the alternative forms P0001-02-03T04:05:06 and P00010203T040506."""

    def __init__(self, text):
        self.text, self.at, self.sum = text, 1, Sum()

    def read(self):
        if len(self.text) < 2 or self.text[0] != "P":
            raise Malformed()
        in_date, has_field = True, False
        while self.at < len(self.text):
            if self.text[self.at] == "T":
                self.at, in_date, has_field = self.at + 1, False, False
                continue
            start = self.at
            value, fraction = self.number()
            width = len(re.match(r"-?(\d*)", self.text[start:])[1])
            unit = self.letter()
            designated = ({"Y": "year", "M": "month", "W": "week", "D": "day"} if in_date else
                          {"H": "hour", "M": "minute", "S": "second"}).get(unit)
            if designated:
                self.sum.add(designated, value, fraction)
                has_field = True
                continue
            ended = (self.basic if width == (8 if in_date else 6) and unit in ("", "T") and not has_field else
                     self.extended)(in_date, has_field, unit, value, fraction)
            if ended:
                return self.sum.interval()
            in_date, has_field = False, False
        return self.sum.interval()

    def letter(self):
        """The next character, or "" at the end."""
        letter = self.text[self.at:self.at + 1]
        self.at += 1
        return letter

    def number(self):
        """(whole part, fraction) of a number, both with its sign."""
        found = ISO_NUMBER.match(self.text, self.at)
        if not found:
            raise Malformed()
        self.at = found.end()
        value = float(found[0])
        if abs(value) > ISO_LIMIT:
            raise Malformed("interval")
        return int(value), value - int(value)

    def basic(self, in_date, has_field, unit, value, fraction):
        """YYYYMMDD or HHMMSS. Returns whether the text has ended."""
        if unit == "T" and not in_date:
            raise Malformed()
        size = abs(value)
        names = ("year", "month", "day") if in_date else ("hour", "minute", "second")
        for name, part in zip(names, (size // 10000, size // 100 % 100, size % 100)):
            self.sum.add(name, -part if value < 0 else part, 0)
        self.sum.add_fraction_of_time(fraction, DAY if in_date else 1)
        return unit == ""

    def extended(self, in_date, has_field, unit, value, fraction):
        """YYYY-MM-DD or HH:MM:SS, or a beginning of one. Returns whether the text has ended."""
        separator, names = ("-", ("year", "month", "day")) if in_date else (":", ("hour", "minute", "second"))
        if has_field or unit not in ("", separator, "T" if in_date else ""):
            raise Malformed()
        self.sum.add(names[0], value, fraction)
        for name in names[1:]:
            if unit == "" or unit == "T":
                return unit == ""
            value, fraction = self.number()
            self.sum.add(name, value, fraction)
            unit = self.letter()
            if unit not in ("", separator if name != names[2] else "", "T" if in_date else ""):
                raise Malformed()
        return unit == ""
