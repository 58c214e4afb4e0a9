"""to_char for timestamps and intervals: fields written by a picture.

    Broken (year, month, ..., of a moment or an interval) + Items of the picture ─ write ─▶ text

An interval has no weekday and no era: fields that need a date raise 22007. NULL for an infinite value and an empty picture.
"""
from dataclasses import dataclass
from functools import partial

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar import spans, wall_clock
from caldera.functions.scalar.clocks import NO_ZONE, session_clock
from caldera.functions.scalar.date_writing import (DAYS, JULIAN_2000, MONTHS, NAME_WIDTH, ROMAN_MONTHS, ROMAN_WIDTH,
                                                   writable, written_moment)
from caldera.functions.scalar.moments import in_python, is_finite
from caldera.functions.scalar.pictures import FIELD, ordinal, parse_date_picture
from caldera.kernel.layouts import TEXT
from caldera.kernel.nullable import Sql
from caldera.types.calendar import HOUR, MINUTE, SECOND, civil_from_days, days_from_civil, split_time
from caldera.types.zones import session_zone


@dataclass
class Broken:
    """A moment or an interval in fields. Years are astronomical, seconds whole. `offset`: seconds east; `zone`: the name in
    use, for a moment with a zone."""
    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: int
    microsecond: int
    is_interval: bool = False
    offset: int = 0
    zone: str = ""

    @property
    def days(self):
        """Days since 2000-01-01."""
        return days_from_civil(self.year, self.month, self.day)

    @property
    def year_day(self):
        """1 to 366; for an interval its days, a month counting 30."""
        if self.is_interval:
            return (self.year * 12 + self.month) * 30 + self.day
        return self.days - days_from_civil(self.year, 1, 1) + 1

    @property
    def shown_year(self):
        """The year as it is written; those before Christ are marked by their era."""
        return self.year if self.is_interval or self.year > 0 else 1 - self.year

    @property
    def weekday(self):
        """0 (Sunday) to 6."""
        return (self.days + 6) % 7


def iso_week(days):
    """(astronomical year, week, day of that year) by ISO 8601 of a day since 2000-01-01."""
    thursday = days - (days + 5) % 7 + 3
    year = civil_from_days(thursday)[0]
    monday = first_monday(year)
    return year, (days - monday) // 7 + 1, days - monday + 1


def first_monday(year):
    """The Monday with which an ISO year begins, as days since 2000-01-01: that of the week with 4 January."""
    fourth = days_from_civil(year, 1, 4)
    return fourth - (fourth + 5) % 7


def padded(number, width, item):
    """A number with leading zeros up to a width, and one more place for a sign; in fill mode bare."""
    return f"{number:0{width + (number < 0)}d}" if not item.fill else str(number)


def remainder(number, divisor):
    """What division towards zero leaves, with the sign of the number."""
    return spans.truncated(number, divisor)[1]


def cased(name, item, width=0):
    """A name as the field is written, filled with blanks up to a width."""
    name = {"upper": name.upper(), "lower": name.lower(), "capital": name}[item.word.case]
    return name if item.fill or item.translated and item.field != "RM" else name.ljust(width)


# ------------------------------------------------------------------------------------------------ fields, by name

def half_day(time, item):
    """AM or PM, with or without points."""
    text = "PM" if remainder(time.hour, 24) >= 12 else "AM"
    return cased(f"{text[0]}.M." if "." in item.field else text, item)


def era(time, item):
    """AD or BC, with or without points."""
    text = "BC" if time.year <= 0 else "AD"
    return cased(f"{text[0]}.{text[1]}." if "." in item.field else text, item)


def hour_of_12(time, item):
    """12, 1, 2, ..., 11."""
    hour = remainder(time.hour, 12) or 12
    return f"{hour:0{3 if time.hour < 0 else 2}d}" if not item.fill else str(hour)


def century(time, item):
    """The century; that before Christ is -1."""
    if time.is_interval:
        number = spans.truncated(time.year, 100)[0]
    else:
        number = (time.year - 1) // 100 + 1 if time.year > 0 else spans.truncated(time.year, 100)[0] - 1
    return padded(number, 2, item) if abs(number) <= 99 else str(number)


def year_with_comma(time, item):
    """2,024."""
    thousands, rest = spans.truncated(time.shown_year, 1000)
    return f"{thousands},{rest:03d}"


def year_digits(time, item):
    """The last digits of the year, or all of it; of the ISO year for the fields that begin with I."""
    digits, year = len(item.field), time.shown_year
    if item.field[0] == "I":
        year = iso_week(time.days)[0]
        year = year if time.is_interval or year > 0 else 1 - year
    sign = time.shown_year < 0
    if digits < 4:
        year = remainder(year, 10 ** digits)
    if item.fill or digits == 1:
        return str(year)
    return f"{year:0{digits + sign}d}"


def roman_month(time, item):
    """The month in Roman numerals; of an interval's months below zero -1 is December."""
    if not time.month and not time.year:
        return ""
    month = time.month or 12
    if time.month < 0 or (time.month == 0 and time.year < 0):
        month = 13 + time.month if time.month else 1
    return cased(ROMAN_MONTHS[month - 1], item, ROMAN_WIDTH)


def offset_hours(time, item):
    """+05, of the zone."""
    return f"{'-' if time.offset < 0 else '+'}{abs(time.offset) // 3600:02d}"


def offset_minutes(time, item):
    """The minutes behind `offset_hours`."""
    return f"{abs(time.offset) // 60 % 60:02d}"


def offset(time, item):
    """+05:30, without the minutes if there are none."""
    hours, minutes = abs(time.offset) // 3600, abs(time.offset) // 60 % 60
    text = f"{'-' if time.offset < 0 else '+'}{hours if item.fill else f'{hours:02d}'}"
    return text + (f":{minutes:02d}" if abs(time.offset) % 3600 else "")


def fraction(digits):
    """A writer of so many digits of the fraction of a second."""
    return lambda time, item: f"{spans.truncated(time.microsecond, 10 ** (6 - digits))[0]:0{digits}d}"


def month_name(time, item):
    """The month's name, whole or its first three letters."""
    name = MONTHS[time.month - 1]
    return cased(name, item, NAME_WIDTH) if item.field == "MONTH" else cased(name[:3], item)


def day_name(time, item):
    """The day's name, whole or its first three letters."""
    name = DAYS[time.weekday]
    return cased(name, item, NAME_WIDTH) if item.field == "DAY" else cased(name[:3], item)


WRITERS = {
    "A.M.": half_day, "P.M.": half_day, "AM": half_day, "PM": half_day,
    "A.D.": era, "B.C.": era, "AD": era, "BC": era,
    "HH": hour_of_12, "HH12": hour_of_12,
    "HH24": lambda time, item: padded(time.hour, 2, item),
    "MI": lambda time, item: padded(time.minute, 2, item),
    "SS": lambda time, item: padded(time.second, 2, item),
    "MS": fraction(3), "US": fraction(6), **{f"FF{digits}": fraction(digits) for digits in range(1, 7)},
    "SSSS": lambda time, item: str(time.hour * 3600 + time.minute * 60 + time.second),
    "SSSSS": lambda time, item: str(time.hour * 3600 + time.minute * 60 + time.second),
    "TZ": lambda time, item: time.zone.lower() if item.word.case == "lower" else time.zone,
    "TZH": offset_hours, "TZM": offset_minutes, "OF": offset,
    "MONTH": month_name, "MON": month_name, "RM": roman_month,
    "MM": lambda time, item: padded(time.month, 2, item),
    "DAY": day_name, "DY": day_name,
    "DDD": lambda time, item: f"{time.year_day:03d}" if not item.fill else str(time.year_day),
    "IDDD": lambda time, item: f"{iso_week(time.days)[2]:03d}" if not item.fill else str(iso_week(time.days)[2]),
    "DD": lambda time, item: f"{time.day:02d}" if not item.fill else str(time.day),
    "D": lambda time, item: str(time.weekday + 1),
    "ID": lambda time, item: str(time.weekday or 7),
    "WW": lambda time, item: f"{week(time):02d}" if not item.fill else str(week(time)),
    "IW": lambda time, item: f"{iso_week(time.days)[1]:02d}" if not item.fill else str(iso_week(time.days)[1]),
    "Q": lambda time, item: str(spans.truncated(time.month - 1, 3)[0] + 1) if time.month else "",
    "CC": century, "Y,YYY": year_with_comma,
    **{field: year_digits for field in ("YYYY", "YYY", "YY", "Y", "IYYY", "IYY", "IY", "I")},
    "W": lambda time, item: str(spans.truncated(time.day - 1, 7)[0] + 1),
    "J": lambda time, item: str(time.days + JULIAN_2000),
    "FX": lambda time, item: "",
}
DATES_ONLY = set("A.D. B.C. AD BC TZ TZH TZM OF MONTH MON DAY DY D ID".split())
NEVER_ORDINAL = set("A.M. P.M. AM PM FX RM".split()) | DATES_ONLY - {"D", "ID"}


def week(time):
    """The week of the year, the first starting on its first day."""
    return spans.truncated(time.year_day - 1, 7)[0] + 1


def write(time, items):
    """The text of a Broken by a picture's Items. Raises 22007 for an interval where a date is needed."""
    parts = []
    for item in items:
        if item.kind != FIELD:
            parts.append(item.text)
            continue
        if time.is_interval and item.field in DATES_ONLY:
            raise error("22007", "invalid format specification for an interval value",
                        hint="Intervals are not tied to specific calendar dates.")
        text = WRITERS[item.field](time, item)
        if item.ordinal and text and item.field not in NEVER_ORDINAL:
            text += ordinal(text, item.ordinal)
        parts.append(text)
    return "".join(parts)


def broken_moment(local, offset=0, zone=""):
    """The fields of a local time."""
    (year, month, day), time = wall_clock.fields(local)
    return Broken(year, month, day, *split_time(time), offset=offset, zone=zone)


def to_char_moment(call, moment, picture, clock, slowly):
    """A moment by a picture, on a clock; by `slowly` (session, moment, picture) if the picture is no constant, or beyond
    what `date_writing` knows, and for the moments that are."""
    k, known = call.k, call.known(1)
    slowly = partial(slowly, call.session)
    if not writable(known):
        return in_python(call, slowly, moment, picture)
    local = clock.local(k, moment)
    text, good = written_moment(call, known, local, k.binary("div", local - moment, SECOND))
    good = k.and_(good, is_finite(k, moment))
    with call.row.faults.guarded(k.not_(good)):
        other = in_python(call, slowly, moment, picture)
    return Sql(TEXT.choose(k, good, text, other.value), k.or_(good, other.valid))


@scalar("to_char(timestamp, text) -> text", static=(1,), may_be_null=True, volatility="s",
        doc="A timestamp written by a picture",
        example="SELECT to_char(timestamp '2024-02-29 15:04', 'FMDay, FMDDth FMMonth YYYY HH12:MI AM')  "
                "-- Thursday, 29th February 2024 03:04 PM")
def to_char_timestamp(call, moment, picture):
    return to_char_moment(call, moment, picture, NO_ZONE, write_timestamp)


def write_timestamp(session, moment, picture):
    """to_char on datums."""
    if not picture or wall_clock.is_infinite(moment):
        return None
    return write(broken_moment(moment), parse_date_picture(picture))


@scalar("to_char(timestamptz, text) -> text", static=(1,), may_be_null=True, volatility="s",
        doc="A moment written by a picture, in the session's zone",
        example="SELECT to_char(timestamptz '2024-02-29 15:04+00', 'HH24:MI TZH')  -- 15:04 +00")
def to_char_timestamptz(call, moment, picture):
    return to_char_moment(call, moment, picture, session_clock(call), write_timestamptz)


def write_timestamptz(session, moment, picture):
    """The same in the session's zone."""
    if not picture or wall_clock.is_infinite(moment):
        return None
    zone = session_zone(session)
    time = broken_moment(wall_clock.to_local(moment, zone), zone.offset_at(moment), zone.name_at(moment))
    return write(time, parse_date_picture(picture))


@scalar("to_char(interval, text) -> text", python=True, volatility="s", doc="An interval written by a picture",
        example="SELECT to_char(interval '15 h 2 m 12 s', 'HH24:MI:SS')  -- 15:02:12")
def to_char_interval(interval, picture):
    if not picture or spans.is_infinite(interval):
        return None
    years, months = spans.truncated(interval.months, 12)
    hours, rest = spans.truncated(interval.microseconds, HOUR)
    minutes, rest = spans.truncated(rest, MINUTE)
    seconds, microseconds = spans.truncated(rest, SECOND)
    time = Broken(years, months, interval.days, hours, minutes, seconds, microseconds, is_interval=True)
    return write(time, parse_date_picture(picture))
