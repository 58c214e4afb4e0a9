"""Writing intervals in the four styles of IntervalStyle.

    postgres            1 year 2 mons -3 days +04:05:06.7         iso_8601        P1Y2M-3DT4H5M6.7S
    postgres_verbose    @ 1 year 2 mons -3 days 4 hours ...       sql_standard    +1-2 -3 +4:05:06.7
"""
from caldera.types.calendar import split_time, write_fraction


def parts(datum):
    """(years, months, days, hours, minutes, seconds, microseconds), each with its sign."""
    years, months = divmod(abs(datum.months), 12)
    time = split_time(abs(datum.microseconds))
    if datum.months < 0:
        years, months = -years, -months
    return years, months, datum.days, *((-part for part in time) if datum.microseconds < 0 else time)


def write_seconds(seconds, microseconds, width=2):
    """Seconds without sign: "06.7"."""
    return f"{abs(seconds):0{width}d}{write_fraction(abs(microseconds))}"


def write_postgres(datum):
    """The default. A positive part gets its sign only behind a negative one."""
    years, months, days, hours, minutes, seconds, microseconds = parts(datum)
    words, was_negative = [], False
    for value, unit in ((years, "year"), (months, "mon"), (days, "day")):
        if value:
            words.append(f"{'+' if was_negative and value > 0 else ''}{value} {unit}{'' if value == 1 else 's'}")
            was_negative = value < 0
    if not words or datum.microseconds:
        sign = "-" if datum.microseconds < 0 else "+" if was_negative else ""
        words.append(f"{sign}{abs(hours):02d}:{abs(minutes):02d}:{write_seconds(seconds, microseconds)}")
    return " ".join(words)


def write_verbose(datum):
    """The first part that is not zero decides the sign, written as "ago"; parts of the other sign get a minus."""
    years, months, days, hours, minutes, seconds, microseconds = parts(datum)
    words, is_before = [], None
    for value, unit in ((years, "year"), (months, "mon"), (days, "day"), (hours, "hour"), (minutes, "min")):
        if value:
            if is_before is None:
                is_before = value < 0
            value = -value if is_before else value
            words.append(f"{value} {unit}{'' if value == 1 else 's'}")
    if seconds or microseconds:
        negative = seconds < 0 or microseconds < 0
        if is_before is None:
            is_before = negative
        sign = "-" if negative != is_before else ""
        plural = "" if abs(seconds) == 1 and not microseconds else "s"
        words.append(f"{sign}{write_seconds(seconds, microseconds, 1)} sec{plural}")
    return f"@ {' '.join(words) or '0'}{' ago' if is_before else ''}"


def write_standard(datum):
    """The SQL standard's form; with mixed signs every part gets its own."""
    years, months, days, hours, minutes, seconds, microseconds = parts(datum)
    values = years, months, days, hours, minutes, seconds, microseconds
    has_negative, has_positive = min(values) < 0, max(values) > 0
    has_year_month, has_time, has_day = bool(years or months), bool(datum.microseconds), bool(days)
    if not (has_negative or has_positive):
        return "0"
    clock = f"{abs(hours)}:{abs(minutes):02d}:{write_seconds(seconds, microseconds)}"
    if has_negative and has_positive or has_year_month and (has_day or has_time):
        first = "-" if datum.months < 0 else "+"
        second = "-" if days < 0 else "+"
        third = "-" if datum.microseconds < 0 else "+"
        return f"{first}{abs(years)}-{abs(months)} {second}{abs(days)} {third}{clock}"
    sign = "-" if has_negative else ""
    if has_year_month:
        return f"{sign}{abs(years)}-{abs(months)}"
    return f"{sign}{abs(days)} {clock}" if has_day else sign + clock


def write_iso(datum):
    """ISO 8601, "format with designators"."""
    years, months, days, hours, minutes, seconds, microseconds = parts(datum)
    text = "P" + "".join(f"{value}{unit}" for value, unit in ((years, "Y"), (months, "M"), (days, "D")) if value)
    if datum.microseconds:
        text += "T" + "".join(f"{value}{unit}" for value, unit in ((hours, "H"), (minutes, "M")) if value)
        if seconds or microseconds:
            sign = "-" if datum.microseconds < 0 else ""
            text += f"{sign}{write_seconds(seconds, microseconds, 1)}S"
    return "PT0S" if text == "P" else text


WRITERS = {"postgres": write_postgres, "postgres_verbose": write_verbose, "sql_standard": write_standard,
           "iso_8601": write_iso}
