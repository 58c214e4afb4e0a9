"""date_trunc and date_bin: moments and intervals cut down to a unit.

date_trunc is staged for a unit known while staging, on any clock; times of day by division, days by the calendar. A moment
of a zone is cut on the local clock, and read again there, except that units of less than a day leave the offset as it was.
"""
from functools import partial

from caldera.base.errors import Error, error
from caldera.functions.registry import scalar
from caldera.functions.scalar import spans, wall_clock
from caldera.functions.scalar.clocks import NO_ZONE, clock_of_zone, session_clock
from caldera.functions.scalar.fields import truncated_field
from caldera.functions.scalar.moments import MOMENT_RANGE, failing, in_python, is_finite, moment_outside
from caldera.functions.scalar.zones import Abbreviated, named_zone
from caldera.kernel.calendar import (HOUR, MINUTE, SECOND, civil_from_days, days_from_civil, iso_weekday,
                                     split_moment, whole_units)
from caldera.kernel.interface import I32, I64, Control
from caldera.kernel.python import PythonKernel
from caldera.types import registry as types
from caldera.types.calendar import DAY, MOMENT_END, MOMENT_MIN
from caldera.types.interval_fields import Interval
from caldera.types.zones import session_zone

UNITS = {"hour": HOUR, "minute": MINUTE, "second": SECOND, "millisecond": 1000, "microsecond": 1}
YEARS = {"decade": 10, "century": 100, "millennium": 1000}


def cut_time(k, unit, time):
    """A time of day cut to a unit of at least a millisecond, or as it is."""
    if unit == 1:
        return time
    if unit >= SECOND:
        return k.convert(whole_units(k, time, unit), I64) * unit
    seconds = whole_units(k, time, SECOND)
    rest = k.convert(time - k.convert(seconds, I64) * SECOND, I32)
    return time - k.convert(k.binary("urem", rest, unit), I64)


def cut_days(k, field, days):
    """The first day of the week, month, quarter, year and so on in which a day lies."""
    if field == "day":
        return days
    if field == "week":
        return days - iso_weekday(k, days) + 1
    year, month, day = civil_from_days(k, days)
    if field == "month":
        return days - day + 1
    one = k.constant(I32, 1)
    if field == "quarter":
        return days_from_civil(k, year, k.binary("udiv", month - 1, 3) * 3 + 1, one)
    return days_from_civil(k, first_year(k, field, year), one, one)


def first_year(k, field, year):
    """The first year of the decade, century or millennium of a year. Decades start with a year that ends in 0, the others
    in 1; those of the years before Christ are counted backwards, and start at the greater number."""
    if field == "year":
        return year
    length = YEARS[field]
    if field == "decade":
        return k.binary("div", k.choose(year >= 0, year, year - 9), 10) * 10
    after = k.binary("div", year + (length - 1), length) * length - (length - 1)
    before = k.constant(I32, 1) - k.binary("div", k.constant(I32, length) - year, length) * length
    return k.choose(year > 0, after, before)


def cut(k, field, moment, clock):
    """(the finite moment cut to a field, on a clock, whether that is out of range)."""
    local = clock.local(k, moment)
    days, time = split_moment(k, local)
    if field in UNITS:
        result = moment - (time - cut_time(k, UNITS[field], time))
    else:
        result = clock.universal(k, k.convert(cut_days(k, field, days), I64) * DAY)
    return result, moment_outside(k, result)


def cut_on(call, text, moment, clock):
    """date_trunc for a known unit."""
    k = call.k
    try:
        field = truncated_field(text, call.types[1])
    except Error as problem:
        return failing(call, problem)
    finite, (result, bad) = is_finite(k, moment), cut(k, field, moment, clock)
    call.fault(k.and_(finite, bad), *MOMENT_RANGE)
    return k.choose(finite, result, moment)


def cut_datum(kind, zone_of, session, text, moment, *zone_name):
    """date_trunc on datums, where the unit or the zone is known only now."""
    zone = zone_of(session, *zone_name)
    field = truncated_field(text, types.lookup(kind))
    if wall_clock.is_infinite(moment):
        return moment
    k = PythonKernel(Control())
    if isinstance(zone, Abbreviated):
        local = k.constant(I64, wall_clock.to_local(moment, zone))
        result, _ = cut(k, field, local, NO_ZONE)
        return wall_clock.to_universal(k.use(result), zone)
    result, _ = cut(k, field, k.constant(I64, moment), clock_of_zone(zone) if zone else NO_ZONE)
    return wall_clock.in_range(k.use(result))


def no_zone(session):
    """For timestamps."""
    return None


def zone_named(session, name):
    """For the form that names its zone."""
    return named_zone(name, session)


@scalar("date_trunc(text, timestamp) -> timestamp", static=(0,), doc="A timestamp cut to a unit",
        example="SELECT date_trunc('month', timestamp '2024-02-29 12:34')  -- 2024-02-01 00:00:00")
def date_trunc(call, unit, moment):
    if call.known(0) is None:
        return in_python(call, partial(cut_datum, "timestamp", no_zone, call.session), unit, moment)
    return cut_on(call, call.known(0), moment, NO_ZONE)


@scalar("date_trunc(text, timestamptz) -> timestamptz", static=(0,), volatility="s",
        doc="A moment cut to a unit of the session's clock",
        example="SELECT date_trunc('month', timestamptz '2024-02-29 12:34+00')  -- 2024-02-01 00:00:00+00")
def date_trunc_in_session(call, unit, moment):
    if call.known(0) is None:
        return in_python(call, partial(cut_datum, "timestamptz", session_zone, call.session), unit, moment)
    return cut_on(call, call.known(0), moment, session_clock(call))


@scalar("date_trunc(text, timestamptz, text) -> timestamptz", static=(0, 2), doc="A moment cut to a unit of a zone's clock",
        example="SELECT date_trunc('day', timestamptz '2024-02-29 12:00+00', 'Asia/Tokyo')  -- 2024-02-28 15:00:00+00")
def date_trunc_in_zone(call, unit, moment, zone_name):
    zone = None
    if call.known(0) is not None and call.known(2) is not None:
        try:
            zone = named_zone(call.known(2), call.session)
            truncated_field(call.known(0), call.types[1])
        except Error as problem:
            return failing(call, problem)
    if zone is None or isinstance(zone, Abbreviated):
        return in_python(call, partial(cut_datum, "timestamptz", zone_named, call.session), unit, moment, zone_name)
    return cut_on(call, call.known(0), moment, clock_of_zone(zone))


@scalar("date_trunc(text, interval) -> interval", python=True, doc="An interval cut to a unit",
        example="SELECT date_trunc('hour', interval '2 days 3:45')  -- 2 days 03:00:00")
def date_trunc_interval(text, interval):
    field = truncated_field(text, types.lookup("interval"))
    if spans.is_infinite(interval):
        return interval
    if field in UNITS:
        rest = spans.truncated(interval.microseconds, UNITS[field])[1]
        return Interval(interval.months, interval.days, interval.microseconds - rest)
    if field == "day":
        return Interval(interval.months, interval.days, 0)
    length = {"month": 1, "quarter": 3}.get(field, 12 * YEARS.get(field, 1))
    return Interval(interval.months - spans.truncated(interval.months, length)[1], 0, 0)


@scalar("date_bin(interval, timestamp, timestamp) -> timestamp",
        "date_bin(interval, timestamptz, timestamptz) -> timestamptz",
        python=True, doc="The start of the bin in which a timestamp lies, of bins of a length from an origin on",
        example="SELECT date_bin('15 minutes', timestamp '2024-02-11 15:44:17', '2001-01-01')  -- 2024-02-11 15:30:00")
def date_bin(stride, moment, origin):
    if wall_clock.is_infinite(moment):
        return moment
    if wall_clock.is_infinite(origin):
        raise error("22008", "origin out of range")
    if spans.is_infinite(stride):
        raise error("22008", "timestamps cannot be binned into infinite intervals")
    if stride.months:
        raise error("0A000", "timestamps cannot be binned into intervals containing months or years")
    length, distance = stride.days * DAY + stride.microseconds, moment - origin
    if not spans.LONG_MIN <= length <= spans.LONG_MAX:
        raise spans.out_of_range()
    if length <= 0:
        raise error("22008", "stride must be greater than zero")
    if not spans.LONG_MIN <= distance <= spans.LONG_MAX:
        raise spans.out_of_range()
    result = origin + distance // length * length
    if not MOMENT_MIN <= result < MOMENT_END:
        raise wall_clock.out_of_range()
    return result
