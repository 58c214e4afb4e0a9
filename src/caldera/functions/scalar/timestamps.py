"""Functions and operators on timestamps with and without a zone: arithmetic, age, overlaps, construction, precision."""
import math

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar import wall_clock
from caldera.functions.scalar.clocks import NO_ZONE, session_clock
from caldera.functions.scalar.intervals import RANGE as INTERVAL_RANGE
from caldera.functions.scalar.intervals import choose, constant, negated
from caldera.functions.scalar.moments import MOMENT_RANGE, in_python, is_finite, precision_of, rounded_to_precision
from caldera.functions.scalar.spans import EARLY, LATE, rint
from caldera.functions.scalar.times import clock_microseconds, write_clock
from caldera.functions.scalar.zones import named_zone, numbered_zone
from caldera.kernel.calendar import DAY, interval_of, split_moment
from caldera.kernel.interface import I32
from caldera.kernel.nullable import checked
from caldera.types.calendar import (MOMENT_EARLY, MOMENT_END, MOMENT_LATE, MOMENT_MIN, UNIX_EPOCH, days_from_civil,
                                    month_length)
from caldera.types.interval_fields import Interval
from caldera.types.session import now
from caldera.types.zones import session_zone

def plus(call, moment, interval, clock=NO_ZONE):
    """moment + interval."""
    result, bad = call.k.routine(clock.plus_interval, moment, interval.low, interval.high)
    call.fault(bad, *MOMENT_RANGE)
    return result


def minus(call, moment, interval, clock=NO_ZONE):
    """moment - interval."""
    backwards, bad = negated(call.k, interval)
    call.fault(bad, *INTERVAL_RANGE)
    return plus(call, moment, choose(call.k, bad, constant(call.k, Interval(0, 0, 0)), backwards), clock)


@scalar("timestamp_pl_interval(timestamp, interval) -> timestamp", operator="+", doc="A timestamp later by an interval",
        example="SELECT timestamp '2024-01-31 12:00' + interval '1 month'  -- 2024-02-29 12:00:00")
def timestamp_pl_interval(call, moment, interval):
    return plus(call, moment, interval)


@scalar("interval_pl_timestamp(interval, timestamp) -> timestamp", operator="+", doc="A timestamp later by an interval",
        example="SELECT interval '1 month' + timestamp '2024-01-31 12:00'  -- 2024-02-29 12:00:00")
def interval_pl_timestamp(call, interval, moment):
    return plus(call, moment, interval)


@scalar("timestamp_mi_interval(timestamp, interval) -> timestamp", operator="-", doc="A timestamp earlier by an interval",
        example="SELECT timestamp '2024-03-31 12:00' - interval '1 month'  -- 2024-02-29 12:00:00")
def timestamp_mi_interval(call, moment, interval):
    return minus(call, moment, interval)


@scalar("timestamptz_pl_interval(timestamptz, interval) -> timestamptz", operator="+", volatility="s",
        doc="A moment later by an interval, on the session's clock",
        example="SELECT timestamptz '2024-01-31 12:00+00' + interval '1 month'  -- 2024-02-29 12:00:00+00")
@scalar("date_add(timestamptz, interval) -> timestamptz", volatility="s",
        doc="A moment later by an interval, on the session's clock",
        example="SELECT date_add(timestamptz '2024-01-31 12:00+00', interval '1 month')  -- 2024-02-29 12:00:00+00")
def timestamptz_pl_interval(call, moment, interval):
    return plus(call, moment, interval, session_clock(call))


@scalar("interval_pl_timestamptz(interval, timestamptz) -> timestamptz", operator="+", volatility="s",
        doc="A moment later by an interval, on the session's clock",
        example="SELECT interval '1 month' + timestamptz '2024-01-31 12:00+00'  -- 2024-02-29 12:00:00+00")
def interval_pl_timestamptz(call, interval, moment):
    return plus(call, moment, interval, session_clock(call))


@scalar("timestamptz_mi_interval(timestamptz, interval) -> timestamptz", operator="-", volatility="s",
        doc="A moment earlier by an interval, on the session's clock",
        example="SELECT timestamptz '2024-03-31 12:00+00' - interval '1 month'  -- 2024-02-29 12:00:00+00")
@scalar("date_subtract(timestamptz, interval) -> timestamptz", volatility="s",
        doc="A moment earlier by an interval, on the session's clock",
        example="SELECT date_subtract(timestamptz '2024-03-31 12:00+00', interval '1 month')  -- 2024-02-29 12:00:00+00")
def timestamptz_mi_interval(call, moment, interval):
    return minus(call, moment, interval, session_clock(call))


@scalar("date_add(timestamptz, interval, text) -> timestamptz", python=True, wants_session=True,
        doc="A moment later by an interval, on the clock of a zone",
        example="SELECT date_add('2024-03-30 12:00+00', '1 day', 'Europe/Paris')  -- 2024-03-31 11:00:00+00")
def date_add(session, moment, interval, zone):
    return wall_clock.plus(moment, interval, named_zone(zone, session))


@scalar("date_subtract(timestamptz, interval, text) -> timestamptz", python=True, wants_session=True,
        doc="A moment earlier by an interval, on the clock of a zone",
        example="SELECT date_subtract('2024-03-31 12:00+00', '1 day', 'Europe/Paris')  -- 2024-03-30 13:00:00+00")
def date_subtract(session, moment, interval, zone):
    return wall_clock.minus(moment, interval, named_zone(zone, session))


@scalar("timestamp_mi(timestamp, timestamp) -> interval", operator="-", doc="Days and hours between two timestamps",
        example="SELECT timestamp '2024-03-01 12:00' - timestamp '2024-02-01'  -- 29 days 12:00:00")
@scalar("timestamptz_mi(timestamptz, timestamptz) -> interval", operator="-", doc="Days and hours between two moments",
        example="SELECT timestamptz '2024-03-01 12:00+00' - timestamptz '2024-02-01 00:00+00'  -- 29 days 12:00:00")
def timestamp_mi(call, a, b):
    k = call.k
    difference, overflow = checked(k, "sub", a, b)
    days, rest = split_moment(k, difference)
    back = k.and_(difference < 0, rest != 0)            # days and the rest get the same sign
    days, rest = k.choose(back, days + 1, days), k.choose(back, rest - DAY, rest)
    result = interval_of(k, k.constant(I32, 0), days, rest)
    finite = k.and_(is_finite(k, a), is_finite(k, b))
    late = k.or_(a == MOMENT_LATE, b == MOMENT_EARLY)
    call.fault(k.choose(finite, overflow, a == b), *INTERVAL_RANGE)
    return choose(k, finite, result, choose(k, late, constant(k, LATE), constant(k, EARLY)))


@scalar("timestamp_larger(timestamp, timestamp) -> timestamp",
        "timestamptz_larger(timestamptz, timestamptz) -> timestamptz",
        doc="The later timestamp", example="SELECT timestamp_larger('2024-01-01', '2023-01-01')  -- 2024-01-01 00:00:00")
def timestamp_larger(call, a, b):
    return call.k.greatest(a, b)


@scalar("timestamp_smaller(timestamp, timestamp) -> timestamp",
        "timestamptz_smaller(timestamptz, timestamptz) -> timestamptz",
        doc="The earlier timestamp", example="SELECT timestamp_smaller('2024-01-01', '2023-01-01')  -- 2023-01-01 00:00:00")
def timestamp_smaller(call, a, b):
    return call.k.least(a, b)


@scalar("isfinite(timestamp) -> bool", "isfinite(timestamptz) -> bool", doc="Whether a timestamp is no infinity",
        example="SELECT isfinite(timestamp '-infinity')  -- f")
def isfinite_timestamp(call, moment):
    return is_finite(call.k, moment)


@scalar("timestamp(timestamp, int4) -> timestamp", "timestamptz(timestamptz, int4) -> timestamptz", static=(1,),
        doc="A timestamp with so many digits of a second",
        example="SELECT \"timestamp\"(timestamp '2024-01-01 12:00:00.123456', 2)  -- 2024-01-01 12:00:00.12")
def timestamp_with_digits(call, moment, precision):
    """-1 digits are all of them, as a type without a modifier has; PostgreSQL takes any negative constant so."""
    if (call.known(1) or 0) < 0:
        return moment
    k, finite = call.k, is_finite(call.k, moment)
    bad = k.and_(finite, k.or_(precision < -1, precision > 6))
    with call.row.faults.guarded(bad):
        in_python(call, refuse_precision, moment, precision)
    return k.choose(finite, rounded_to_precision(k, moment, precision)[0], moment)


def refuse_precision(moment, precision):
    """Raise what PostgreSQL says of so many digits of a second."""
    raise error("22023", f"timestamp({precision}) precision must be between 0 and 6")


@scalar("timestamp(timestamp) -> timestamp", "timestamptz(timestamptz) -> timestamptz", cast="implicit",
        doc="A timestamp with the digits of a second that its type asks for",
        example="SELECT timestamp '2024-01-01 12:00:00.123456'::timestamp(2)  -- 2024-01-01 12:00:00.12")
def timestamp_of_precision(call, moment):
    k = call.k
    return k.choose(is_finite(k, moment), rounded_to_precision(k, moment, precision_of(call))[0], moment)


# ------------------------------------------------------------------------------------------------ age and overlaps

@scalar("age(timestamp, timestamp) -> interval", python=True, doc="Years, months, days ... from the second to the first",
        example="SELECT age(timestamp '2024-03-01', timestamp '1957-06-13')  -- 66 years 8 mons 18 days")
def age(later, earlier):
    return wall_clock.age(later, earlier)


@scalar("age(timestamptz, timestamptz) -> interval", python=True, wants_session=True,
        doc="Years, months, days and so on between two moments on the session's clock",
        example="SELECT age(timestamptz '2024-03-01 00:00+00', '1957-06-13 00:00+00')  -- 66 years 8 mons 18 days")
def age_in_zone(session, later, earlier):
    return wall_clock.age(later, earlier, session_zone(session))


def today(session):
    """The midnight at which the session's date begins, on its clock."""
    local = wall_clock.to_local(wall_clock.from_datetime(now(session)), session_zone(session))
    return local // DAY * DAY


@scalar("age(timestamp) -> interval", python=True, wants_session=True, volatility="s",
        doc="The age today of what happened at a timestamp", example="SELECT age(current_date::timestamp)  -- 00:00:00")
def age_today(session, earlier):
    return wall_clock.age(today(session), earlier)


@scalar("age(timestamptz) -> interval", python=True, wants_session=True, volatility="s",
        doc="The age today of what happened at a moment", example="SELECT age(current_date::timestamptz)  -- 00:00:00")
def age_today_in_zone(session, earlier):
    zone = session_zone(session)
    return wall_clock.age(wall_clock.to_universal(today(session), zone), earlier, zone)


def period_end(start, end, zone):
    """The end of a period: itself, or the start plus an interval."""
    if not isinstance(end, Interval):
        return end
    return None if start is None else wall_clock.plus(start, end, zone)


def overlaps(start1, end1, start2, end2):
    """OVERLAPS of periods without a zone."""
    return wall_clock.overlap(start1, period_end(start1, end1, None), start2, period_end(start2, end2, None))


def overlaps_in_zone(session, start1, end1, start2, end2):
    """OVERLAPS of periods on the session's clock."""
    zone = session_zone(session)
    return wall_clock.overlap(start1, period_end(start1, end1, zone), start2, period_end(start2, end2, zone))


def overlaps_times(start1, end1, start2, end2):
    """OVERLAPS of times of day; adding an interval goes round the clock."""
    def end(start, end):
        if not isinstance(end, Interval):
            return end
        return None if start is None else wall_clock.time_plus(start, end)
    return wall_clock.overlap(start1, end(start1, end1), start2, end(start2, end2))


for kind, body in (("timestamp", overlaps), ("timestamptz", overlaps_in_zone), ("time", overlaps_times)):
    for first_end in (kind, "interval"):
        for second_end in (kind, "interval"):
            scalar(f"overlaps({kind}, {first_end}, {kind}, {second_end}) -> bool", python=True, strict=False,
                   wants_session=kind == "timestamptz", doc="Whether two periods have a moment in common: OVERLAPS",
                   volatility="s" if kind == "timestamptz" and "interval" in (first_end, second_end) else "i",
                   example="SELECT (time '10:00', time '11:00') OVERLAPS (time '10:30', interval '1 hour')  -- t"
                   )(body)


# ------------------------------------------------------------------------------------------------ construction

def local_of_fields(year, month, day, hour, minute, seconds):
    """The local time of fields; raises 22008. Years BC are negative."""
    astronomical, date = year + 1 if -2**31 < year < 0 else year, f"{year}-{month:02d}-{day:02d}"
    if year in (0, -2**31) or not 1 <= month <= 12 or not 1 <= day <= month_length(astronomical, month):
        raise error("22008", f"date field value out of range: {date}")
    if not (-4713, 11) <= (astronomical, month) < (5874898, 6):
        raise error("22008", f"date out of range: {date}")
    local = days_from_civil(astronomical, month, day) * DAY + clock_microseconds(hour, minute, seconds)
    if not MOMENT_MIN <= local < MOMENT_END:
        raise error("22008", f"timestamp out of range: {date} {write_clock(hour, minute, seconds)}")
    return local


@scalar("make_timestamp(int4, int4, int4, int4, int4, float8) -> timestamp", python=True,
        doc="The timestamp of a year, month, day, hour, minute and seconds",
        example="SELECT make_timestamp(2024, 7, 15, 8, 15, 23.5)  -- 2024-07-15 08:15:23.5")
def make_timestamp(*fields):
    return local_of_fields(*fields)


@scalar("make_timestamptz(int4, int4, int4, int4, int4, float8) -> timestamptz", python=True, wants_session=True,
        volatility="s", doc="The moment of a date and time of the session",
        example="SELECT make_timestamptz(2024, 7, 15, 8, 15, 23.5)  -- 2024-07-15 08:15:23.5+00")
def make_timestamptz(session, *fields):
    return wall_clock.to_universal(local_of_fields(*fields), session_zone(session))


@scalar("make_timestamptz(int4, int4, int4, int4, int4, float8, text) -> timestamptz", python=True, wants_session=True,
        volatility="s", doc="The moment of a date and time of a zone",
        example="SELECT make_timestamptz(2024, 7, 15, 8, 15, 23.5, 'Europe/Paris')  -- 2024-07-15 06:15:23.5+00")
def make_timestamptz_in_zone(session, *fields_and_zone):
    *fields, zone = fields_and_zone
    return wall_clock.to_universal(local_of_fields(*fields), numbered_zone(zone, session))


@scalar("to_timestamp(float8) -> timestamptz", python=True, doc="The moment so many seconds after 1970-01-01 00:00 UTC",
        example="SELECT to_timestamp(1284352323.5)  -- 2010-09-13 04:32:03.5+00")
def to_timestamp(seconds):
    if math.isnan(seconds):
        raise error("22008", "timestamp cannot be NaN")
    if math.isinf(seconds):
        return MOMENT_LATE if seconds > 0 else MOMENT_EARLY
    problem = error("22008", f'timestamp out of range: "{write_seconds(seconds)}"')
    if not (MOMENT_MIN - UNIX_EPOCH) / 1000000 <= seconds < (MOMENT_END - UNIX_EPOCH) / 1000000:
        raise problem
    moment = int(rint((seconds + UNIX_EPOCH / 1000000) * 1000000.0))
    if not MOMENT_MIN <= moment < MOMENT_END:
        raise problem
    return moment


def write_seconds(seconds):
    """A number in the words of an error, with 6 digits or as many as it takes."""
    return f"{seconds:g}"
