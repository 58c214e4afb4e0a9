"""Moments on datums: adding intervals on a zone's clock, ages, overlaps. What staged bodies do not cover, in plain Python.

`zone` is a Zone (caldera.types.zones), or None for timestamps without a zone. On a zone's clock months and days are added to
the local time, and what that time means there then is looked up again; hours, minutes and seconds are added to the moment.
"""
from datetime import UTC, datetime, timedelta

from caldera.base.errors import error
from caldera.functions.scalar import spans
from caldera.types.calendar import (DATE_EARLY, DATE_LATE, DAY, MOMENT_EARLY, MOMENT_END, MOMENT_LATE, MOMENT_MIN, SECOND,
                                    civil_from_days, days_from_civil, month_length)
from caldera.types.interval_fields import Interval

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def out_of_range():
    """The error for a moment outside of the calendar."""
    return error("22008", "timestamp out of range")


def from_datetime(time):
    """The moment of an aware datetime."""
    return (time - EPOCH) // MICROSECOND


def is_infinite(moment):
    """Whether a moment is one of the two infinities."""
    return moment in (MOMENT_EARLY, MOMENT_LATE)


def in_range(moment):
    """The moment; raises 22008 if no timestamp can be there."""
    if not MOMENT_MIN <= moment < MOMENT_END:
        raise out_of_range()
    return moment


def to_local(moment, zone):
    """What a zone's clock shows at a moment, as microseconds since 2000-01-01 of that clock; infinities stay."""
    if zone is None or is_infinite(moment):
        return moment
    return moment + zone.offset_at(moment) * SECOND


def to_universal(local, zone):
    """The moment at which a zone's clock shows a local time; raises 22008 if it is out of range."""
    if is_infinite(local):
        return local
    return in_range(local if zone is None else local - zone.offset_of_local(local) * SECOND)


def midnight(days, zone):
    """The moment at which a day (a datum of type date) begins in a zone; raises 22008."""
    if days in (DATE_EARLY, DATE_LATE):
        return MOMENT_EARLY if days < 0 else MOMENT_LATE
    if days * DAY >= MOMENT_END:
        raise error("22008", "date out of range for timestamp")
    local = days * DAY
    moment = local if zone is None else local - zone.offset_of_local(local) * SECOND
    if not MOMENT_MIN <= moment < MOMENT_END:
        raise error("22008", "date out of range for timestamp")
    return moment


def fields(local):
    """((year, month, day), microseconds of the day) of a local time."""
    days, time = divmod(local, DAY)
    return civil_from_days(days), time


def plus(moment, interval, zone=None):
    """moment + interval."""
    if spans.is_infinite(interval):
        if is_infinite(moment) and (moment > 0) != (interval.months > 0):
            raise out_of_range()
        return MOMENT_LATE if interval.months > 0 else MOMENT_EARLY
    if is_infinite(moment):
        return moment
    if interval.months:
        (year, month, day), time = fields(to_local(moment, zone))
        count = year * 12 + month - 1 + interval.months
        year, month = count // 12, count % 12 + 1
        days = days_from_civil(year, month, min(day, month_length(year, month)))
        moment = to_universal(in_some_range(days * DAY + time), zone)
    if interval.days:
        moment = to_universal(in_some_range(to_local(moment, zone) + interval.days * DAY), zone)
    return in_range(moment + interval.microseconds)


def in_some_range(local):
    """A local time that is at most two days out of range; raises 22008 beyond, where no zone's table leads."""
    if not MOMENT_MIN - 2 * DAY <= local < MOMENT_END + 2 * DAY:
        raise out_of_range()
    return local


def minus(moment, interval, zone=None):
    """moment - interval."""
    return plus(moment, spans.negate(interval), zone)


def time_plus(time, interval):
    """A time of day plus an interval, round the clock; the sum is one of 64 bits. Raises 22008 for an infinite interval."""
    if spans.is_infinite(interval):
        raise error("22008", "cannot add infinite interval to time")
    return ((time + interval.microseconds + 2**63) % 2**64 - 2**63) % DAY


def between(later, earlier):
    """later - earlier as an interval of days and microseconds."""
    if is_infinite(later) or is_infinite(earlier):
        if later == earlier:
            raise spans.out_of_range()
        return spans.LATE if later == MOMENT_LATE or earlier == MOMENT_EARLY else spans.EARLY
    difference = later - earlier
    if not spans.LONG_MIN <= difference <= spans.LONG_MAX:
        raise spans.out_of_range()
    return spans.justify_hours(Interval(0, 0, difference))


def age(later, earlier, zone=None):
    """The years, months, days and so on between two moments, as one counts an age: fields are subtracted on the zone's
    clock, and borrow from the next larger one."""
    if is_infinite(later) or is_infinite(earlier):
        return between(later, earlier)
    backwards = later < earlier
    (year1, month1, day1), time1 = fields(to_local(later, zone))
    (year2, month2, day2), time2 = fields(to_local(earlier, zone))
    months, days, time = (year1 - year2) * 12 + month1 - month2, day1 - day2, time1 - time2
    if backwards:
        months, days, time = -months, -days, -time
    if time < 0:
        time, days = time + DAY, days - 1
    while days < 0:
        days += month_length(year1, month1) if backwards else month_length(year2, month2)
        months -= 1
    return Interval(-months, -days, -time) if backwards else Interval(months, days, time)


def overlap(start1, end1, start2, end2):
    """SQL's OVERLAPS of two periods, any end of which may be None (unknown) and whose ends come in any order. A period
    includes its start and not its end, unless both are the same moment."""
    periods = []
    for start, end in ((start1, end1), (start2, end2)):
        if start is None:
            start, end = end, None
        if start is None:
            return None
        periods.append((start, end) if end is None or start <= end else (end, start))
    (start1, end1), (start2, end2) = sorted(periods, key=lambda period: period[0])
    if start1 == start2:
        return None if end1 is None or end2 is None else True
    if end1 is None:
        return None
    if start2 < end1:
        return True
    return None if end2 is None else False
