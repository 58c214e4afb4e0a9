"""timestamp without and with time zone: microseconds since 2000-01-01, on the local clock or in UTC, and two infinities.

A timestamptz holds a moment and no zone: text without a zone is read in the session's, and output is written in it.
"""
from datetime import datetime, timedelta, timezone, tzinfo, UTC
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.types.calendar import (DAY, MOMENT_EARLY, MOMENT_END, MOMENT_LATE, MOMENT_MIN, SECOND, UNIX_EPOCH,
                                    civil_from_days, era, write_spoken_moment, write_styled_date, write_time)
from caldera.types.datetime_input import read
from caldera.types.registry import register
from caldera.types.session import output_style
from caldera.types.time import WithPrecision
from caldera.types.zones import session_zone

EPOCH = datetime(2000, 1, 1)
EPOCH_UTC = EPOCH.replace(tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
ABBREVIATION_MAX = 10                   # characters of a zone's name behind a time
SPECIALS = {"epoch": UNIX_EPOCH, "infinity": MOMENT_LATE, "-infinity": MOMENT_EARLY}


class Timestamp(WithPrecision):
    """A date and time of no particular zone. A zone in the text is ignored."""
    name, base_name, suffix = "timestamp", "timestamp", "without time zone"
    oid, array_oid = 1114, 1115
    category, length = "D", 8
    layout = layouts.INT8
    python_type = datetime
    zoned = False

    def parse(self, text, modifier=None, session=None):
        reading = read(text, "timestamp with time zone" if self.zoned else "timestamp", session)
        if reading.special:
            return SPECIALS[reading.special]
        moment = reading.days * DAY + reading.microseconds
        if self.zoned:
            moment -= reading.offset * SECOND
        if not MOMENT_MIN <= moment < MOMENT_END:
            raise error("22008", f'timestamp out of range: "{text}"')
        return self.apply_modifier(moment, modifier)

    def format(self, datum, session=None):
        if datum in (MOMENT_EARLY, MOMENT_LATE):
            return "infinity" if datum > 0 else "-infinity"
        style, order = output_style(session)
        zone = ""
        if self.zoned:
            where = session_zone(session)
            offset = where.offset_at(datum)
            zone = write_offset(offset) if style == "ISO" else " " + where.name_at(datum)[:ABBREVIATION_MAX]
            datum += offset * SECOND
        days, microseconds = divmod(datum, DAY)
        year, month, day = civil_from_days(days)
        time = write_time(microseconds)
        if style == "Postgres":
            return f"{write_spoken_moment(year, month, day, time, order)}{zone}{era(year)}"
        return f"{write_styled_date(year, month, day, style, order)} {time}{zone}{era(year)}"

    def apply_modifier(self, datum, modifier, explicit=False):
        if datum in (MOMENT_EARLY, MOMENT_LATE):
            return datum
        return super().apply_modifier(datum, modifier)

    def to_python(self, datum, session=None):
        """A datetime, aware if zoned; what Python's calendar cannot hold comes as text."""
        try:
            if not self.zoned:
                return EPOCH + timedelta(microseconds=datum)
            return (EPOCH_UTC + timedelta(microseconds=datum)).astimezone(python_zone(session_zone(session)))
        except OverflowError:
            return self.format(datum, session)

    def from_python(self, thing):
        if isinstance(thing, datetime):
            return (thing.replace(tzinfo=None) - EPOCH) // MICROSECOND
        return self.parse(thing) if isinstance(thing, str) else thing

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.timestamp("us")


class TimestampTz(Timestamp):
    """A moment. A naive datetime is taken for UTC."""
    name, suffix = "timestamptz", "with time zone"
    oid, array_oid = 1184, 1185
    preferred = zoned = True

    def from_python(self, thing):
        if isinstance(thing, datetime):
            aware = thing if thing.tzinfo else thing.replace(tzinfo=UTC)
            return (aware - EPOCH_UTC) // MICROSECOND
        return super().from_python(thing)

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.timestamp("us", tz="UTC")


def write_offset(seconds):
    """Seconds east as PostgreSQL writes them behind a time: +05:30, -08."""
    hours, minutes, rest = abs(seconds) // 3600, abs(seconds) // 60 % 60, abs(seconds) % 60
    text = f"{'-' if seconds < 0 else '+'}{hours:02d}"
    if minutes or rest:
        text += f":{minutes:02d}"
    return text + (f":{rest:02d}" if rest else "")


def python_zone(zone) -> tzinfo:
    """Python's own object for a zone."""
    if zone.is_fixed:
        return timezone(timedelta(seconds=zone.offsets[0])) if zone.offsets[0] else UTC
    try:
        return ZoneInfo(zone.name)
    except (ZoneInfoNotFoundError, ValueError):
        return timezone(timedelta(seconds=zone.offsets[-1]))


TIMESTAMP, TIMESTAMPTZ = register(Timestamp()), register(TimestampTz())
