"""Functions and operators on times of day. What goes beyond midnight goes round the clock."""
import math

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar.intervals import is_infinite
from caldera.functions.scalar.moments import precision_of, rounded_to_precision
from caldera.functions.scalar.spans import rint
from caldera.kernel.calendar import interval_of, split_moment
from caldera.kernel.interface import I32
from caldera.types.calendar import DAY, HOUR, MINUTE, SECOND


@scalar("time_pl_interval(time, interval) -> time", operator="+", doc="The time later by the hours of an interval",
        example="SELECT time '22:00' + interval '3 hours'  -- 01:00:00")
def time_pl_interval(call, time, interval):
    call.fault(is_infinite(call.k, interval), "22008", "cannot add infinite interval to time")
    return split_moment(call.k, time + interval.low)[1]


@scalar("interval_pl_time(interval, time) -> time", operator="+", doc="The time later by the hours of an interval",
        example="SELECT interval '3 hours' + time '22:00'  -- 01:00:00")
def interval_pl_time(call, interval, time):
    return time_pl_interval(call, time, interval)


@scalar("time_mi_interval(time, interval) -> time", operator="-", doc="The time earlier by the hours of an interval",
        example="SELECT time '01:00' - interval '3 hours'  -- 22:00:00")
def time_mi_interval(call, time, interval):
    call.fault(is_infinite(call.k, interval), "22008", "cannot subtract infinite interval from time")
    return split_moment(call.k, time - interval.low)[1]


@scalar("time_mi_time(time, time) -> interval", operator="-", doc="The interval between two times of day",
        example="SELECT time '12:00' - time '13:30'  -- -01:30:00")
def time_mi_time(call, a, b):
    zero = call.k.constant(I32, 0)
    return interval_of(call.k, zero, zero, a - b)


@scalar("interval(time) -> interval", cast="implicit", doc="The interval since midnight",
        example="SELECT time '12:30'::interval  -- 12:30:00")
def interval_of_time(call, time):
    zero = call.k.constant(I32, 0)
    return interval_of(call.k, zero, zero, time)


@scalar("time(interval) -> time", cast="assignment", doc="The time of day that the hours of an interval come to",
        example="SELECT interval '25:30'::time  -- 01:30:00")
def time_of_interval(call, interval):
    call.fault(is_infinite(call.k, interval), "22008", "cannot convert infinite interval to time")
    return split_moment(call.k, interval.low)[1]


@scalar("time(time, int4) -> time", doc="A time with so many digits of a second",
        example="SELECT \"time\"(time '12:00:00.123456', 2)  -- 12:00:00.12")
def time_with_digits(call, time, precision):
    return rounded_to_precision(call.k, time, precision)[0]


@scalar("time(time) -> time", cast="implicit", doc="A time with the digits of a second that its type asks for",
        example="SELECT time '12:00:00.123456'::time(2)  -- 12:00:00.12")
def time_of_precision(call, time):
    return rounded_to_precision(call.k, time, precision_of(call))[0]


@scalar("time_larger(time, time) -> time", doc="The later time", example="SELECT time_larger('12:00', '13:00')  -- 13:00:00")
def time_larger(call, a, b):
    return call.k.greatest(a, b)


@scalar("time_smaller(time, time) -> time", doc="The earlier time",
        example="SELECT time_smaller('12:00', '13:00')  -- 12:00:00")
def time_smaller(call, a, b):
    return call.k.least(a, b)


def clock_microseconds(hour, minute, seconds):
    """Microseconds of a time of day given as fields, up to 24:00 and with a leap second; raises 22008."""
    bad = math.isnan(seconds) or math.isinf(seconds) or not (0 <= hour <= 24 and 0 <= minute < 60)
    microseconds = -1 if bad else int(rint(seconds * 1000000.0))
    result = hour * HOUR + minute * MINUTE + microseconds
    if not 0 <= microseconds <= 60 * SECOND or result > DAY:
        raise error("22008", f"time field value out of range: {write_clock(hour, minute, seconds)}")
    return result


def write_clock(hour, minute, seconds):
    """A time of day in the words of an error: 25:00:1.5."""
    if math.isnan(seconds) or math.isinf(seconds):
        return f"{hour}:{minute:02d}:{'NaN' if math.isnan(seconds) else 'Infinity' if seconds > 0 else '-Infinity'}"
    return f"{hour}:{minute:02d}:{seconds:02g}"


@scalar("make_time(int4, int4, float8) -> time", python=True, doc="The time of an hour, minute and seconds",
        example="SELECT make_time(8, 15, 23.5)  -- 08:15:23.5")
def make_time(hour, minute, seconds):
    return clock_microseconds(hour, minute, seconds)
