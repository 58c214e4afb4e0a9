"""to_date and to_timestamp: dates and times read by a picture.

    text, Items of the picture ─ Reader ─▶ Found (what each field says) ─ settle ─▶ year, month, day, time, offset

A field of digits takes as many as its name has letters, or all there are if the picture has a separator (or nothing) next.
Blanks around fields are skipped, and separators of picture and text need not be the same, unless FX stands in the picture.
"""
from dataclasses import dataclass, field

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar.date_pictures import DAYS, JULIAN_2000, MONTHS, ROMAN_MONTHS, first_monday
from caldera.functions.scalar.pictures import FIELD, LITERAL, SEPARATOR, SPACE, WHITE, is_separator, parse_date_picture
from caldera.functions.scalar.spans import truncated
from caldera.types.calendar import (DATE_MAX, DATE_MIN, DAY, MOMENT_END, MOMENT_MIN, SECOND, civil_from_days,
                                    days_from_civil, is_leap, month_length, round_to_precision)
from caldera.types.zones import abbreviation_offset, session_zone

INT_MIN, INT_MAX = -2**31, 2**31 - 1
NAMES = {
    "A.M.": ("a.m.", "p.m."), "P.M.": ("a.m.", "p.m."), "AM": ("am", "pm"), "PM": ("am", "pm"),
    "A.D.": ("a.d.", "b.c."), "B.C.": ("a.d.", "b.c."), "AD": ("ad", "bc"), "BC": ("ad", "bc"),
    "MONTH": tuple(name.lower() for name in MONTHS), "MON": tuple(name[:3].lower() for name in MONTHS),
    "DAY": tuple(name.lower() for name in DAYS), "DY": tuple(name[:3].lower() for name in DAYS),
    "RM": tuple(name.lower() for name in reversed(ROMAN_MONTHS)),
}
# field of the picture -> what is found; see `Found.values`
TARGETS = {"HH": "hour", "HH12": "hour", "HH24": "hour", "MI": "minute", "SS": "second", "MS": "millisecond",
           "SSSS": "seconds", "SSSSS": "seconds", "MM": "month", "RM": "month", "MONTH": "month", "MON": "month",
           "DD": "day", "DDD": "year day", "IDDD": "year day", "D": "weekday", "ID": "weekday", "DAY": "weekday",
           "DY": "weekday", "WW": "week", "IW": "week", "W": "month week", "CC": "century", "J": "julian",
           "TZM": "zone minute"}
WIDTHS = {"HH": 2, "HH12": 2, "HH24": 2, "MS": 3, "US": 6, "IDDD": 3, "ID": 1, "TZM": 2}
ABBREVIATION_MAX = 10


@dataclass
class Found:
    """What a text says. values: by name, 0 stands for nothing; weekday 1 is Sunday. year_digits: how many the picture has.
    precision: digits of FF, or 0. zone_sign: of TZH, OF. abbreviation: of TZ."""
    values: dict = field(default_factory=dict)
    year_digits: int = 0
    precision: int = 0
    convention: str = ""
    is_12_hours: bool = False
    zone_sign: int = 0
    abbreviation: str = ""

    def __getitem__(self, name):
        return self.values.get(name, 0)


class Reader:
    """Reads one text by a picture. `skipped`: how many characters have been skipped beyond those of the picture."""

    def __init__(self, text, items, session):
        self.text, self.items, self.session = text, items, session
        self.found, self.at, self.skipped, self.is_exact = Found(), 0, 0, False

    def read(self):
        """What the text says. Raises 22007 or 22008."""
        for number, item in enumerate(self.items):
            if self.ended():
                break
            if not self.is_exact and item.field != "FX" and (item.kind == FIELD or number == 0):
                self.skip_blanks()
            if item.kind == FIELD:
                self.read_field(item, number)
                if not self.is_exact:
                    self.skipped = 0
                    self.skip_blanks()
            else:
                self.match_character(item)
        return self.found

    def ended(self):
        """Whether the text has been read."""
        return self.at >= len(self.text)

    def skip_blanks(self):
        """Skip blanks and count them."""
        while not self.ended() and self.text[self.at] in WHITE:
            self.at, self.skipped = self.at + 1, self.skipped + 1

    def match_character(self, item):
        """What the picture's character means for the text: it stands for one character, roughly."""
        if item.kind in (SPACE, SEPARATOR) and not self.is_exact:
            self.skipped -= 1
            if not self.ended() and (self.text[self.at] in WHITE or is_separator(self.text[self.at])):
                self.at, self.skipped = self.at + 1, self.skipped + 1
        elif item.kind == LITERAL and not self.is_exact and self.skipped > 0:
            self.skipped -= 1
        else:
            self.at += 1

    # fields
    def read_field(self, item, number):
        """One field of the picture."""
        name, found = item.field, self.found
        convention = item.word.convention
        if convention and found.convention not in ("", convention):
            raise error("22007", "invalid combination of date conventions",
                        hint="Do not mix Gregorian and ISO week date conventions in a formatting template.")
        found.convention = found.convention or convention
        if name == "FX":
            self.is_exact = True
            return
        if name in NAMES:
            self.read_name(item)
            return
        if name in ("TZ", "OF", "TZH"):
            self.read_zone(item, number)
            return
        self.read_number(item, number)
        if item.ordinal and name != "TZM":
            self.at = min(self.at + 2, len(self.text))

    def read_name(self, item):
        """AM, BC, February, Tue or IX."""
        name = item.field
        index = self.search(NAMES[name], item)
        if name in ("A.M.", "P.M.", "AM", "PM"):
            self.put("afternoon", index, item)
            self.found.is_12_hours = True
        elif "." in name or name in ("AD", "BC"):
            self.put("before Christ", index, item)
        elif name == "RM":
            self.put("month", 12 - index, item)
        elif name in ("DAY", "DY"):
            self.put("weekday", index, item)
            self.found.values["weekday"] += 1
        else:
            self.put("month", index + 1, item)

    def search(self, names, item):
        """Which of the names stands here."""
        rest = self.text[self.at:].lower()
        for index, name in enumerate(names):
            if rest.startswith(name):
                self.at += len(name)
                return index
        until = next((position for position, c in enumerate(rest) if c in WHITE), len(rest))
        raise error("22007", f'invalid value "{self.text[self.at:self.at + until]}" for "{item.word.text}"',
                    detail="The given value did not match any of the allowed values for this field.")

    def read_number(self, item, number):
        """A field of digits."""
        name, found = item.field, self.found
        if name in ("YYYY", "YYY", "YY", "Y", "IYYY", "IYY", "IY", "I"):
            self.read_year(item, number)
        elif name == "Y,YYY":
            self.read_year_with_comma(item)
        elif name == "US" or name.startswith("FF"):
            digits = 6 if name == "US" else int(name[2])
            found.precision = found.precision if name == "US" else digits
            value, length = self.integer(item, number, digits)
            self.put("microsecond", value, item)
            found.values["microsecond"] *= 10 ** (6 - length) if 1 <= length <= 5 else 1
        elif name == "Q":
            self.integer(item, number, 1)           # which date of the quarter it would be is open
        else:
            value, length = self.integer(item, number, WIDTHS.get(name, len(name)))
            self.put(TARGETS[name], value, item)
            self.after_number(name, length)

    def after_number(self, name, length):
        """What some fields mean beyond their value."""
        found = self.found
        if name in ("HH", "HH12"):
            found.is_12_hours = True
        elif name == "MS":
            found.values["millisecond"] *= 10 ** (3 - length) if 1 <= length <= 2 else 1
        elif name == "ID":
            weekday = found.values["weekday"] + 1
            found.values["weekday"] = 1 if weekday > 7 else weekday
        elif name == "TZM":
            found.zone_sign = found.zone_sign or 1

    def read_year(self, item, number):
        """YYYY, YY, ...; years of less than four digits are those next to 2020."""
        digits = len(item.field)
        value, length = self.integer(item, number, digits)
        self.put("year", value, item)
        if digits < 4 and length < 4:
            year = self.found["year"]
            self.found.values["year"] += 2000 if year < 70 else 1900 if year < 100 else 2000 if year < 520 \
                else 1000 if year < 1000 else 0
        self.found.year_digits = digits

    def read_year_with_comma(self, item):
        """2,024."""
        at, (thousands, at) = self.at, leading_integer(self.text, self.at)
        years, end = leading_integer(self.text, at + 1, 3) if self.text[at:at + 1] == "," else (None, at)
        if thousands is None or years is None:
            raise error("22007", f'invalid value "{self.text[self.at:]}" for "Y,YYY"')
        year = thousands * 1000 + years
        if not INT_MIN <= year <= INT_MAX:
            raise error("22008", 'value for "Y,YYY" in source string is out of range')
        self.at = end
        self.put("year", year, item)
        self.found.year_digits = 4

    def read_zone(self, item, number):
        """An abbreviation, or hours and minutes with a sign. A minus that was skipped as a separator counts."""
        found, name = self.found, item.field
        if name == "TZ":
            abbreviation = self.abbreviation()
            if abbreviation:
                found.abbreviation, found.zone_sign = abbreviation, 0
                self.at += len(abbreviation)
                return
            if self.text[self.at:self.at + 1].isascii() and self.text[self.at:self.at + 1].isalpha():
                raise error("22007", f'invalid value "{self.text[self.at:]}" for "{item.word.text}"',
                            detail="Time zone abbreviation is not recognized.")
        if self.text[self.at:self.at + 1] in ("+", "-", " "):
            found.zone_sign = -1 if self.text[self.at] == "-" else 1
            self.at += 1
        else:
            found.zone_sign = -1 if self.skipped > 0 and self.at > 0 and self.text[self.at - 1] == "-" else 1
        self.put("zone hour", self.integer(item, number, 2)[0], item)
        if name != "TZH" and self.text[self.at:self.at + 1] == ":":
            self.at += 1
            self.put("zone minute", self.integer(item, number, 2)[0], item)

    def abbreviation(self):
        """The longest abbreviation of a zone that stands here, or ""."""
        length = 0
        while length < ABBREVIATION_MAX and self.text[self.at + length:self.at + length + 1].isalpha():
            length += 1
        for shorter in range(length, 0, -1):
            word = self.text[self.at:self.at + shorter]
            if abbreviation_offset(word.upper(), 0, self.session) is not None:
                return word
        return ""

    # numbers
    def integer(self, item, number, width):
        """(the integer that stands here, how many characters it took)."""
        start = self.at
        while not self.ended() and self.text[self.at] in WHITE:
            self.at += 1
        copy = self.text[self.at:self.at + width]
        if item.fill or self.ends_at_separator(item, number):
            value, end = leading_integer(self.text, start)
            self.at = start if value is None else end
        else:
            value = self.fixed_integer(item, copy, width)
        if self.at == start:
            raise error("22007", f'invalid value "{copy}" for "{item.word.text}"', detail="Value must be an integer.")
        if value is not None and not INT_MIN <= value <= INT_MAX:
            raise error("22008", f'value for "{item.word.text}" in source string is out of range',
                        detail=f"Value must be in the range {INT_MIN} to {INT_MAX}.")
        return value or 0, self.at - start

    def fixed_integer(self, item, copy, width):
        """The integer in exactly so many characters."""
        hint = 'If your source string is not fixed-width, try using the "FM" modifier.'
        if len(self.text) - self.at < width:
            raise error("22007", f'source string too short for "{item.word.text}" formatting field', hint=hint,
                        detail=f"Field requires {width} characters, but only {len(self.text) - self.at} remain.")
        value, end = leading_integer(copy, 0)
        used = 0 if value is None else end
        if 0 < used < width:
            raise error("22007", f'invalid value "{copy}" for "{item.word.text}"', hint=hint,
                        detail=f"Field requires {width} characters, but only {used} could be parsed.")
        self.at += used
        return value

    def ends_at_separator(self, item, number):
        """Whether what the picture has behind an item cannot be a digit."""
        if item.ordinal or number + 1 == len(self.items):
            return True
        following = self.items[number + 1]
        if following.kind == FIELD:
            return not following.word.is_number
        return not (following.text.isascii() and following.text.isdigit())

    def put(self, name, value, item):
        """Keep a value; a field that says something else than before is an error."""
        if self.found[name] not in (0, value):
            raise error("22007", f'conflicting values for "{item.word.text}" field in formatting string',
                        detail="This value contradicts a previous setting for the same field type.")
        self.found.values[name] = value


def leading_integer(text, at, digits_max=None):
    """(the integer with blanks and sign before it at a position, the position behind it), (None, at) if there is none."""
    start = at
    while at < len(text) and text[at] in WHITE:
        at += 1
    first, limit = at, len(text) if digits_max is None else at + digits_max
    at += at < len(text) and text[at] in "+-"
    begin = at
    while at < min(len(text), limit) and text[at].isascii() and text[at].isdigit():
        at += 1
    return (int(text[first:at]), at) if at > begin else (None, start)


# ------------------------------------------------------------------------------------------------ what it comes to

def field_overflow(text):
    """The error for a field beyond its range."""
    return error("22008", f'date/time field value out of range: "{text}"')


def settle_time(found):
    """(hour, minute, second, microsecond). Raises 22007 or 22008."""
    hour, rest = truncated(found["seconds"], 3600)
    minute, second = truncated(rest, 60)
    second, minute, hour = found["second"] or second, found["minute"] or minute, found["hour"] or hour
    if found.is_12_hours:
        if not 1 <= hour <= 12:
            raise error("22007", f'hour "{hour}" is invalid for the 12-hour clock',
                        hint="Use the 24-hour clock, or give an hour between 1 and 12.")
        hour = hour % 12 + 12 * (found["afternoon"] == 1)
    return hour, minute, second, found["millisecond"] * 1000 + found["microsecond"]


def settle_year(found):
    """The astronomical year, 0 if nothing tells it, and whether something does."""
    year, century, is_bc = found["year"], found["century"], found["before Christ"]
    century = -century if is_bc else century
    if year and century and found.year_digits <= 2:
        last_digits = year % 100
        if last_digits:
            return (century - 1) * 100 + last_digits if century >= 0 else (century + 1) * 100 - last_digits + 1, True
        return century * 100 + (century < 0), True
    if year:
        year = -year if is_bc else year
        return year + (year < 0), True
    if century:
        return ((century - 1) * 100 if century >= 0 else century * 100) + 1, True
    return 0, False


def settle_date(found, text):
    """(year, month, day); 1 BC and the first of January are what is not told. Raises 22007 or 22008."""
    year, year_known = settle_year(found)
    if not INT_MIN <= year <= INT_MAX or not INT_MIN <= found["week"] * 7 <= INT_MAX:
        raise field_overflow(text)
    month = day = 1
    month_known = day_known = False
    if found["julian"]:
        year, month, day = civil_from_days(found["julian"] - JULIAN_2000)
        year_known = month_known = day_known = True
    year_day = found["year day"]
    if found["week"] and found.convention == "iso":
        weekday = found["weekday"]
        days = first_monday(year) + (found["week"] - 1) * 7 + (weekday - 2 if weekday > 1 else 6 if weekday else 0)
        year, month, day = civil_from_days(days)
        year_known = month_known = day_known = True
    elif found["week"]:
        year_day = (found["week"] - 1) * 7 + 1
    month_day = (found["month week"] - 1) * 7 + 1 if found["month week"] else found["day"]
    if month_day:
        day, day_known = month_day, True
    if found["month"]:
        month, month_known = found["month"], True
    if year_day and (month <= 1 or day <= 1):
        if not year and not found["before Christ"]:
            raise error("22007", "cannot calculate day of year without year information")
        if found.convention == "iso":
            year, month, day = civil_from_days(first_monday(year) + year_day - 1)
            year_known = True
        else:
            month, day = by_day_of_year(year, month, day, year_day)
        month_known = day_known = True
    bad = month_known and not 1 <= month <= 12 or day_known and not 1 <= day <= 31
    if bad or (year_known and month_known and day_known and day > month_length(year, month)):
        raise field_overflow(text)
    return year, month, day


def by_day_of_year(year, month, day, year_day):
    """Month and day as the day of the year tells them, where they are not known."""
    before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]
    if is_leap(year):
        before = before[:2] + [days + 1 for days in before[2:]]
    number = next((number for number in range(1, 13) if year_day <= before[number]), 13)
    return number if month <= 1 else month, year_day - before[number - 1] if day <= 1 else day


def offset_of(found, local, text, session):
    """Seconds east that the text tells, or those of the session's zone."""
    if found.zone_sign:
        hours, minutes = found["zone hour"], found["zone minute"]
        if not 0 <= hours <= 15 or not 0 <= minutes < 60:
            raise error("22009", f'time zone displacement out of range: "{text}"')
        return found.zone_sign * (hours * 60 + minutes) * 60
    if found.abbreviation:
        return abbreviation_offset(found.abbreviation.upper(), local, session)
    return session_zone(session).offset_of_local(local)


def read_fields(session, text, picture):
    """(Found, (year, month, day), time of day in microseconds) of a text. Raises 22007 or 22008."""
    found = Reader(text, parse_date_picture(picture), session).read()
    hour, minute, second, microsecond = settle_time(found)
    date = settle_date(found, text)
    if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60 and 0 <= microsecond < SECOND):
        raise field_overflow(text)
    return found, date, ((hour * 60 + minute) * 60 + second) * SECOND + microsecond


@scalar("to_timestamp(text, text) -> timestamptz", python=True, wants_session=True, volatility="s",
        doc="A moment read by a picture",
        example="SELECT to_timestamp('05 Dec 2000', 'DD Mon YYYY')  -- 2000-12-05 00:00:00+00")
def to_timestamp(session, text, picture):
    found, date, time = read_fields(session, text, picture)
    local = days_from_civil(*date) * DAY + time
    bounded = min(max(local, MOMENT_MIN), MOMENT_END)
    moment = local - offset_of(found, bounded, text, session) * SECOND
    if not MOMENT_MIN <= moment < MOMENT_END:
        raise error("22008", "timestamp out of range")
    return round_to_precision(moment, found.precision) if found.precision else moment


@scalar("to_date(text, text) -> date", python=True, wants_session=True, volatility="s",
        doc="A date read by a picture", example="SELECT to_date('05 Dec 2000', 'DD Mon YYYY')  -- 2000-12-05")
def to_date(session, text, picture):
    found, date, _ = read_fields(session, text, picture)
    if found.zone_sign:
        offset_of(found, 0, text, session)
    days = days_from_civil(*date)
    if not DATE_MIN <= days <= DATE_MAX:
        raise error("22008", f'date out of range: "{text}"')
    return days
