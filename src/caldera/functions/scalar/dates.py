"""Functions and operators on dates, and the casts between dates and timestamps without a zone."""
from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar.moments import (DATE_RANGE, MOMENT_RANGE, date_of_moment, date_outside, is_finite,
                                              is_finite_date, moment_of_date, moment_outside)
from caldera.functions.scalar.timestamps import minus, plus
from caldera.kernel.calendar import split_moment
from caldera.kernel.nullable import Sql, checked
from caldera.types.calendar import DATE_MAX, DATE_MIN, days_from_civil, month_length

MIDNIGHT_RANGE = "22008", "date out of range for timestamp"


@scalar("date_pli(date, int4) -> date", operator="+", doc="So many days later",
        example="SELECT date '2024-02-28' + 2  -- 2024-03-01")
def date_pli(call, days, count):
    return moved(call, "add", days, count)


@scalar("date_mii(date, int4) -> date", operator="-", doc="So many days earlier",
        example="SELECT date '2024-03-01' - 2  -- 2024-02-28")
def date_mii(call, days, count):
    return moved(call, "sub", days, count)


@scalar("integer_pl_date(int4, date) -> date", operator="+", doc="So many days later",
        example="SELECT 2 + date '2024-02-28'  -- 2024-03-01")
def integer_pl_date(call, count, days):
    return moved(call, "add", days, count)


def moved(call, operation, days, count):
    """The day so many days later or earlier; an infinity stays where it is."""
    k, finite = call.k, is_finite_date(call.k, days)
    result, overflow = checked(k, operation, days, count)
    call.fault(k.and_(finite, k.or_(overflow, date_outside(k, result))), *DATE_RANGE)
    return k.choose(finite, result, days)


@scalar("date_mi(date, date) -> int4", operator="-", doc="Days from the second date to the first",
        example="SELECT date '2024-03-01' - date '2024-02-01'  -- 29")
def date_mi(call, a, b):
    k = call.k
    call.fault(k.not_(k.and_(is_finite_date(k, a), is_finite_date(k, b))), "22008", "cannot subtract infinite dates")
    return a - b


@scalar("date_larger(date, date) -> date", doc="The later date",
        example="SELECT date_larger('2024-01-01', '2023-01-01')  -- 2024-01-01")
def date_larger(call, a, b):
    return call.k.greatest(a, b)


@scalar("date_smaller(date, date) -> date", doc="The earlier date",
        example="SELECT date_smaller('2024-01-01', '2023-01-01')  -- 2023-01-01")
def date_smaller(call, a, b):
    return call.k.least(a, b)


@scalar("isfinite(date) -> bool", doc="Whether a date is no infinity", example="SELECT isfinite(date 'infinity')  -- f")
def isfinite_date(call, days):
    return is_finite_date(call.k, days)


@scalar("make_date(int4, int4, int4) -> date", python=True, doc="The date of a year, month and day; years BC are negative",
        example="SELECT make_date(2024, 2, 29)  -- 2024-02-29")
def make_date(year, month, day):
    astronomical = year + 1 if -2**31 < year < 0 else year
    text = f"{astronomical}-{month:02d}-{day:02d}"
    if year in (0, -2**31) or not 1 <= month <= 12 or not 1 <= day <= month_length(astronomical, month):
        raise error("22008", f"date field value out of range: {text}")
    days = days_from_civil(astronomical, month, day)
    if not DATE_MIN <= days <= DATE_MAX:
        raise error("22008", f"date out of range: {text}")
    return days


# ------------------------------------------------------------------------------------------------ dates and timestamps

@scalar("timestamp(date) -> timestamp", cast="implicit", doc="Midnight at which the date begins",
        example="SELECT date '2024-02-29'::timestamp  -- 2024-02-29 00:00:00")
def timestamp_of_date(call, days):
    moment, bad = moment_of_date(call.k, days)
    call.fault(bad, *MIDNIGHT_RANGE)
    return moment


@scalar("date(timestamp) -> date", cast="assignment", doc="The date of a timestamp",
        example="SELECT timestamp '2024-02-29 12:00'::date  -- 2024-02-29")
def date_of_timestamp(call, moment):
    return date_of_moment(call.k, moment)


@scalar("time(timestamp) -> time", cast="assignment", may_be_null=True,
        doc="The time of day of a timestamp; NULL for an infinite one",
        example="SELECT timestamp '2024-02-29 12:00'::time  -- 12:00:00")
def time_of_timestamp(call, moment):
    _, time = split_moment(call.k, moment)
    return Sql(time, is_finite(call.k, moment))


@scalar("timestamp(date, time) -> timestamp", doc="The timestamp of a date and a time of day",
        example="SELECT \"timestamp\"(date '2024-02-29', time '12:00')  -- 2024-02-29 12:00:00")
def timestamp_of_date_and_time(call, days, time):
    return at_time(call, days, time)


@scalar("datetime_pl(date, time) -> timestamp", operator="+", doc="The timestamp of a date and a time of day",
        example="SELECT date '2024-02-29' + time '12:00'  -- 2024-02-29 12:00:00")
def datetime_pl(call, days, time):
    return at_time(call, days, time)


@scalar("timedate_pl(time, date) -> timestamp", operator="+", doc="The timestamp of a date and a time of day",
        example="SELECT time '12:00' + date '2024-02-29'  -- 2024-02-29 12:00:00")
def timedate_pl(call, time, days):
    return at_time(call, days, time)


def at_time(call, days, time):
    """The moment of a day and a time; an infinite day stays infinite."""
    k = call.k
    midnight = timestamp_of_date(call, days)
    finite, result = is_finite_date(k, days), midnight + time
    call.fault(k.and_(finite, moment_outside(k, result)), *MOMENT_RANGE)
    return k.choose(finite, result, midnight)


@scalar("date_pl_interval(date, interval) -> timestamp", operator="+", doc="The date's midnight plus an interval",
        example="SELECT date '2024-01-31' + interval '1 month'  -- 2024-02-29 00:00:00")
def date_pl_interval(call, days, interval):
    return plus(call, timestamp_of_date(call, days), interval)


@scalar("interval_pl_date(interval, date) -> timestamp", operator="+", doc="The date's midnight plus an interval",
        example="SELECT interval '1 month' + date '2024-01-31'  -- 2024-02-29 00:00:00")
def interval_pl_date(call, interval, days):
    return plus(call, timestamp_of_date(call, days), interval)


@scalar("date_mi_interval(date, interval) -> timestamp", operator="-", doc="The date's midnight less an interval",
        example="SELECT date '2024-03-31' - interval '1 month'  -- 2024-02-29 00:00:00")
def date_mi_interval(call, days, interval):
    return minus(call, timestamp_of_date(call, days), interval)
