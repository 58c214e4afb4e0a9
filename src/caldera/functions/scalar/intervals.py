"""Functions and operators on intervals: arithmetic, justification, construction, precision.

Addition, subtraction and negation are staged; the rest, which computes with fractions, is Python (see `spans`).
"""
from functools import partial

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar import spans
from caldera.functions.scalar.moments import in_python, rounded_to_precision
from caldera.kernel.calendar import interval_of, interval_parts
from caldera.kernel.interface import I32, I64
from caldera.kernel.layouts import Pair
from caldera.kernel.nullable import checked
from caldera.types.calendar import HOUR, MINUTE
from caldera.types.interval_fields import ALL_FIELDS

RANGE = "22008", "interval out of range"


def is_early(k, interval):
    """Staged BOOL: -infinity."""
    return k.and_(interval.low == spans.LONG_MIN, interval.high == -2**63 + 2**31)


def is_late(k, interval):
    """Staged BOOL: infinity."""
    return k.and_(interval.low == spans.LONG_MAX, interval.high == (2**31 - 1) * (2**32 + 1))


def is_infinite(k, interval):
    """Staged BOOL."""
    return k.or_(is_early(k, interval), is_late(k, interval))


def choose(k, condition, a, b):
    """One of two intervals."""
    return Pair(k.choose(condition, a.low, b.low), k.choose(condition, a.high, b.high))


def constant(k, interval):
    """An interval known while staging."""
    return interval_of(k, k.constant(I32, interval.months), k.constant(I32, interval.days),
                       k.constant(I64, interval.microseconds))


def combined(k, operation, a, b):
    """The fields of two intervals added or subtracted, as (interval, whether that is out of range)."""
    parts, bad = zip(*(checked(k, operation, x, y) for x, y in zip(interval_parts(k, a), interval_parts(k, b))))
    result = interval_of(k, *parts)
    return result, k.or_(*bad, is_infinite(k, result))


def negated(k, interval):
    """(-interval, whether that is out of range)."""
    result, bad = combined(k, "sub", Pair(k.constant(I64, 0), k.constant(I64, 0)), interval)
    early, late = is_early(k, interval), is_late(k, interval)
    result = choose(k, early, constant(k, spans.LATE), choose(k, late, constant(k, spans.EARLY), result))
    return result, k.and_(bad, k.not_(k.or_(early, late)))


@scalar("interval_um(interval) -> interval", operator="-", doc="The interval backwards",
        example="SELECT - interval '1 day 2 hours'  -- -1 days -02:00:00")
def interval_um(call, a):
    result, bad = negated(call.k, a)
    call.fault(bad, *RANGE)
    return result


@scalar("interval_pl(interval, interval) -> interval", operator="+", doc="Sum of intervals, field by field",
        example="SELECT interval '1 day' + interval '2 hours'  -- 1 day 02:00:00")
def interval_pl(call, a, b):
    k = call.k
    result, bad = combined(k, "add", a, b)
    a_infinite, b_infinite = is_infinite(k, a), is_infinite(k, b)
    opposite = k.or_(k.and_(is_early(k, a), is_late(k, b)), k.and_(is_late(k, a), is_early(k, b)))
    call.fault(k.choose(k.or_(a_infinite, b_infinite), opposite, bad), *RANGE)
    return choose(k, a_infinite, a, choose(k, b_infinite, b, result))


@scalar("interval_mi(interval, interval) -> interval", operator="-", doc="Difference of intervals, field by field",
        example="SELECT interval '1 day' - interval '2 hours'  -- 1 day -02:00:00")
def interval_mi(call, a, b):
    k = call.k
    result, bad = combined(k, "sub", a, b)
    a_infinite, b_infinite = is_infinite(k, a), is_infinite(k, b)
    same = k.or_(k.and_(is_early(k, a), is_early(k, b)), k.and_(is_late(k, a), is_late(k, b)))
    call.fault(k.choose(k.or_(a_infinite, b_infinite), same, bad), *RANGE)
    return choose(k, a_infinite, a, choose(k, b_infinite, negated(k, b)[0], result))


@scalar("interval_mul(interval, float8) -> interval", operator="*", python=True, doc="An interval times a number",
        example="SELECT interval '1 month' * 1.5  -- 1 mon 15 days")
def interval_mul(interval, factor):
    return spans.multiply(interval, factor)


@scalar("mul_d_interval(float8, interval) -> interval", operator="*", python=True, doc="A number times an interval",
        example="SELECT 2 * interval '1 hour'  -- 02:00:00")
def mul_d_interval(factor, interval):
    return spans.multiply(interval, factor)


@scalar("interval_div(interval, float8) -> interval", operator="/", python=True, doc="An interval divided by a number",
        example="SELECT interval '1 hour' / 2  -- 00:30:00")
def interval_div(interval, factor):
    return spans.divide(interval, factor)


@scalar("justify_hours(interval) -> interval", python=True, doc="24 hours become a day",
        example="SELECT justify_hours(interval '50 hours')  -- 2 days 02:00:00")
def justify_hours(interval):
    return spans.justify_hours(interval)


@scalar("justify_days(interval) -> interval", python=True, doc="30 days become a month",
        example="SELECT justify_days(interval '65 days')  -- 2 mons 5 days")
def justify_days(interval):
    return spans.justify_days(interval)


@scalar("justify_interval(interval) -> interval", python=True, doc="24 hours become a day, 30 days a month",
        example="SELECT justify_interval(interval '1 mon -1 hour')  -- 29 days 23:00:00")
def justify_interval(interval):
    return spans.justify_interval(interval)


@scalar("isfinite(interval) -> bool", doc="Whether an interval is no infinity",
        example="SELECT isfinite(interval '4 hours')  -- t")
def isfinite_interval(call, a):
    return call.k.not_(is_infinite(call.k, a))


@scalar("interval_larger(interval, interval) -> interval", doc="The longer interval",
        example="SELECT interval_larger('1 day', '25 hours')  -- 25:00:00")
def interval_larger(call, a, b):
    return choose(call.k, call.result.less(call.k, b, a), a, b)


@scalar("interval_smaller(interval, interval) -> interval", doc="The shorter interval",
        example="SELECT interval_smaller('1 day', '25 hours')  -- 1 day")
def interval_smaller(call, a, b):
    return choose(call.k, call.result.less(call.k, a, b), a, b)


@scalar("interval(interval) -> interval", cast="implicit",
        doc="An interval with the fields and the digits of a second that its type asks for",
        example="SELECT interval '1.23456 s'::interval(2)  -- 00:00:01.23")
def interval_of_modifier(call, a):
    k, (fields, precision) = call.k, call.result_modifier or (ALL_FIELDS, None)
    if fields != ALL_FIELDS:
        return in_python(call, partial(call.result.apply_modifier, modifier=call.result_modifier), a)
    if precision is None:
        return a
    months, days, microseconds = interval_parts(k, a)
    rounded, bad = rounded_to_precision(k, microseconds, precision)
    infinite = is_infinite(k, a)
    call.fault(k.and_(bad, k.not_(infinite)), *RANGE)
    return choose(k, infinite, a, interval_of(k, months, days, rounded))


@scalar("make_interval(int4, int4, int4, int4, int4, int4, float8) -> interval", python=True,
        doc="An interval of years, months, weeks, days, hours, minutes and seconds",
        example="SELECT make_interval(0, 0, 0, 10, 0, 0, 1.5)  -- 10 days 00:00:01.5")
def make_interval(years, months, weeks, days, hours, minutes, seconds):
    if seconds != seconds or seconds in (float("inf"), float("-inf")):
        raise error(*RANGE)
    microseconds = spans.rint(seconds * 1000000.0)
    if not -2.0**63 <= microseconds < 2.0**63:
        raise error(*RANGE)
    return spans.fit(years * 12 + months, weeks * 7 + days, hours * HOUR + minutes * MINUTE + int(microseconds))


def make_interval_of_fewer(count):
    """make_interval with only its first arguments; the others are zero."""
    @scalar(f"make_interval({', '.join(['int4'] * count)}) -> interval", python=True,
            doc="An interval of years, months, weeks, days, hours and minutes",
            example="SELECT make_interval()  -- 00:00:00")
    def make(*numbers):
        return make_interval(*numbers, *[0] * (6 - count), 0.0)
    return make


for argument_count in range(7):
    make_interval_of_fewer(argument_count)
