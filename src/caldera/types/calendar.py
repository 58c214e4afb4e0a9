"""Days and microseconds: the calendar arithmetic that date, time, timestamp and interval share.

All of it is the proleptic Gregorian calendar with astronomical years (0 is 1 BC), as in PostgreSQL. A day is a count from
2000-01-01, a moment a count of microseconds from that midnight.

    (year, month, day) ◀─ days_from_civil / civil_from_days ─▶ days        days * DAY + time of day = moment
"""
SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
DAYS_PER_MONTH = 30                     # what an interval takes for a month when it must

UNIX_EPOCH_DAYS = -10957                # 1970-01-01 counted from 2000-01-01
UNIX_EPOCH = UNIX_EPOCH_DAYS * DAY

DATE_MIN, DATE_MAX = -2451545, 2145031948       # 4714-11-24 BC and 5874897-12-31
DATE_EARLY, DATE_LATE = -2**31, 2**31 - 1       # -infinity and infinity
MOMENT_MIN, MOMENT_END = -211813488000000000, 9223371331200000000     # from 4714-11-24 BC up to before 294277-01-01
MOMENT_EARLY, MOMENT_LATE = -2**63, 2**63 - 1

DAY_NAMES = ("Sat", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri")           # day 0 was a Saturday
MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MONTH_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_leap(year):
    """Whether an astronomical year has a 29th of February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_length(year, month):
    """How many days the month has."""
    return 29 if month == 2 and is_leap(year) else MONTH_LENGTHS[month - 1]


def days_from_civil(year, month, day):
    """Days since 2000-01-01 of a date; a day or month beyond its bounds counts on into the next.

    Years are taken to start in March, so that the leap day comes last and months have a regular pattern of lengths.
    """
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    if month < 3:
        year, month = year - 1, month + 12
    before_year = 365 * year + year // 4 - year // 100 + year // 400
    return before_year + (153 * month - 457) // 5 + day - 730426


def civil_from_days(days):
    """(year, month, day) of days since 2000-01-01; the inverse of `days_from_civil`."""
    days += 730425
    era, day_of_era = divmod(days, 146097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36524 - day_of_era // 146096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted_month = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * shifted_month + 2) // 5 + 1
    month = shifted_month + 3 if shifted_month < 10 else shifted_month - 9
    return era * 400 + year_of_era + (month <= 2), month, day


def split_time(microseconds):
    """(hour, minute, second, microsecond) of the microseconds of a day."""
    seconds, microsecond = divmod(microseconds, SECOND)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return hour, minute, second, microsecond


def write_fraction(microsecond):
    """The fraction of a second as text without its trailing zeros: ".05", or "" for none."""
    return f".{microsecond:06d}".rstrip("0") if microsecond else ""


def write_time(microseconds):
    """A time of day as text: 04:05:06.7."""
    hour, minute, second, microsecond = split_time(microseconds)
    return f"{hour:02d}:{minute:02d}:{second:02d}{write_fraction(microsecond)}"


def write_date(year, month, day):
    """A date as ISO text without its era, which the caller puts at the very end: see `era`."""
    return f"{year if year > 0 else 1 - year:04d}-{month:02d}-{day:02d}"


def era(year):
    """" BC" for the years before 1."""
    return "" if year > 0 else " BC"


def write_styled_date(year, month, day, style, order):
    """A date without its era as DateStyle says: style "ISO", "SQL", "Postgres" or "German"; order as the setting has it."""
    if style == "ISO":
        return write_date(year, month, day)
    shown_year = f"{year if year > 0 else 1 - year:04d}"
    if style == "German":
        return f"{day:02d}.{month:02d}.{shown_year}"
    first, second = (day, month) if order == "DMY" else (month, day)
    mark = "/" if style == "SQL" else "-"
    return f"{first:02d}{mark}{second:02d}{mark}{shown_year}"


def write_spoken_moment(year, month, day, time, order):
    """A date and a written time as DateStyle Postgres has them, without zone and era: Wed Dec 17 07:37:16 1997."""
    weekday = DAY_NAMES[days_from_civil(year, month, day) % 7]
    name = MONTH_NAMES[month - 1]
    date = f"{day:02d} {name}" if order == "DMY" else f"{name} {day:02d}"
    return f"{weekday} {date} {time} {year if year > 0 else 1 - year:04d}"


def round_to_precision(microseconds, precision):
    """Microseconds rounded to so many digits of a second, halves away from zero."""
    unit = 10 ** (6 - precision)
    rounded = (abs(microseconds) + unit // 2) // unit * unit
    return rounded if microseconds >= 0 else -rounded
