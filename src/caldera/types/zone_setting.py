"""The setting TimeZone: what SET takes for a zone, and how SHOW spells it.

A zone is a name ("Europe/Paris"), a POSIX specification ("EST5EDT", "+05:30": hours west), a number of hours east, or the
word INTERVAL with an interval of hours in quotes.
"""
import re

from caldera.base.errors import error
from caldera.base.settings import Setting, define
from caldera.types.calendar import SECOND
from caldera.types.interval import INTERVAL
from caldera.types.zones import find_zone, fixed_zone

OFFSET_MAX = 167 * 3600                         # seconds; what a POSIX specification may say


def spelled_zone(text):
    """The zone's name as `zones.find_zone` takes it. Raises ValueError, or 22023 with a reason."""
    if text[:8].lower() == "interval":
        return fixed_zone(interval_seconds(text[8:].strip())).name
    if re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)", text):
        return fixed_zone(bounded(int(float(text) * 3600), text)).name
    zone = find_zone(text)
    if zone is None:
        raise ValueError(text)
    return zone.name


def interval_seconds(text):
    """The seconds in an interval in quotes."""
    if len(text) < 2 or text[0] != "'" or text[-1] != "'":
        raise ValueError(text)
    interval = INTERVAL.parse(text[1:-1])
    for unit in ("months", "days"):
        if getattr(interval, unit):
            raise error("22023", f'invalid value for parameter "TimeZone": "INTERVAL {text}"',
                        detail=f"Cannot specify {unit} in time zone interval.")
    return bounded(abs(interval.microseconds) // SECOND * (-1 if interval.microseconds < 0 else 1), text)


def bounded(seconds, text):
    """An offset, if a zone may have it."""
    if abs(seconds) > OFFSET_MAX:
        raise ValueError(text)
    return seconds


define(Setting("TimeZone", "UTC", spelled_zone, "The time zone for showing and reading time stamps."))
