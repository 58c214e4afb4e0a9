"""Arithmetic of intervals on datums: what is worth plain Python only, and what staged bodies and aggregates share.

An interval is three numbers that are kept apart (a month has no fixed length): months, days, microseconds. An interval with
all three at an extreme of their range is infinite. Multiplying and dividing push the fractions of months down to days (30 to
a month) and those of days to microseconds (24 hours to a day); justifying moves whole days and months up.
"""
import math

from caldera.base.errors import error
from caldera.types.calendar import DAY, DAYS_PER_MONTH, SECOND
from caldera.types.interval_fields import Interval

INT_MIN, INT_MAX, LONG_MIN, LONG_MAX = -2**31, 2**31 - 1, -2**63, 2**63 - 1
EARLY, LATE = Interval(INT_MIN, INT_MIN, LONG_MIN), Interval(INT_MAX, INT_MAX, LONG_MAX)
SECONDS_PER_DAY = 86400


def out_of_range():
    """The error for an interval that has no place in its three fields."""
    return error("22008", "interval out of range")


def is_infinite(interval):
    """Whether it is one of the two infinities."""
    return interval == EARLY or interval == LATE


def fit(months, days, microseconds):
    """The finite interval of these fields; raises 22008 if one does not fit or they spell an infinity."""
    result = Interval(months, days, microseconds)
    if not (INT_MIN <= months <= INT_MAX and INT_MIN <= days <= INT_MAX and LONG_MIN <= microseconds <= LONG_MAX) \
            or is_infinite(result):
        raise out_of_range()
    return result


def negate(interval):
    """-interval."""
    if is_infinite(interval):
        return LATE if interval == EARLY else EARLY
    return fit(-interval.months, -interval.days, -interval.microseconds)


def add(a, b):
    """a + b; infinities of opposite signs have no sum."""
    if is_infinite(a) or is_infinite(b):
        if is_infinite(a) and is_infinite(b) and a != b:
            raise out_of_range()
        return a if is_infinite(a) else b
    return fit(a.months + b.months, a.days + b.days, a.microseconds + b.microseconds)


def subtract(a, b):
    """a - b."""
    if is_infinite(b):
        if a == b:
            raise out_of_range()
        return a if is_infinite(a) else negate(b)
    if is_infinite(a):
        return a
    return fit(a.months - b.months, a.days - b.days, a.microseconds - b.microseconds)


def truncated(a, b):
    """a / b of integers, towards zero, and the remainder with the sign of a."""
    quotient = abs(a) // b if a >= 0 else -(abs(a) // b)
    return quotient, a - quotient * b


def total(interval):
    """Microseconds with 30 days to a month and 24 hours to a day: the order of intervals."""
    return (interval.months * DAYS_PER_MONTH + interval.days) * DAY + interval.microseconds


def sign(interval):
    """-1, 0 or 1."""
    amount = total(interval)
    return (amount > 0) - (amount < 0)


def to_microsecond(seconds):
    """A number of seconds or days rounded to six digits: hides that binary fractions are not decimal ones."""
    return rint(seconds * 1000000.0) / 1000000.0


def rint(number):
    """The nearest integer as a float, ties to even; keeps infinities."""
    return number if math.isinf(number) or math.isnan(number) else float(round(number))


def whole(number, low, high):
    """The integer part of a float that must lie in [low, high]; raises 22008."""
    if math.isnan(number) or not low <= number < high + 1:
        raise out_of_range()
    return int(number)


def scale(interval, operation):
    """The finite interval with `operation` (float -> float) applied to its fields; fractions go down to smaller units."""
    exact_months, exact_days = operation(float(interval.months)), operation(float(interval.days))
    months, days = whole(exact_months, INT_MIN, INT_MAX), whole(exact_days, INT_MIN, INT_MAX)
    more_days = to_microsecond((exact_months - months) * DAYS_PER_MONTH)
    seconds = to_microsecond((exact_days - days + more_days - int(more_days)) * SECONDS_PER_DAY)
    if abs(seconds) >= SECONDS_PER_DAY:
        whole_days = int(seconds / SECONDS_PER_DAY)
        days += whole_days
        seconds -= whole_days * SECONDS_PER_DAY
    days += int(more_days)
    microseconds = whole(rint(operation(float(interval.microseconds)) + seconds * SECOND), LONG_MIN, LONG_MAX)
    return fit(months, days, microseconds)


def multiply(interval, factor):
    """interval * factor; infinity times zero and anything times NaN are out of range."""
    if math.isnan(factor) or (is_infinite(interval) and factor == 0):
        raise out_of_range()
    if is_infinite(interval):
        return negate(interval) if factor < 0 else interval
    if math.isinf(factor):
        direction = sign(interval)
        if direction == 0:
            raise out_of_range()
        return LATE if direction * factor > 0 else EARLY
    return scale(interval, lambda number: number * factor)


def divide(interval, factor):
    """interval / factor."""
    if factor == 0:
        raise error("22012", "division by zero")
    if math.isnan(factor):
        raise out_of_range()
    if is_infinite(interval):
        if math.isinf(factor):
            raise out_of_range()
        return negate(interval) if factor < 0 else interval
    return scale(interval, lambda number: number / factor)


def carried(large, small, size):
    """Whole large units moved up from the small ones, `size` of which make one; then both have the same sign."""
    more, rest = truncated(small, size)
    return with_one_sign(large + more, rest, size)


def with_one_sign(large, small, size):
    """The same span with large and small units that do not differ in sign; there are less than `size` small ones."""
    if large > 0 > small:
        return large - 1, small + size
    return (large + 1, small - size) if large < 0 < small else (large, small)


def justify_hours(interval):
    """24 hours become a day, and both get the same sign."""
    if is_infinite(interval):
        return interval
    return fit(interval.months, *carried(interval.days, interval.microseconds, DAY))


def justify_days(interval):
    """30 days become a month, and both get the same sign."""
    if is_infinite(interval):
        return interval
    return fit(*carried(interval.months, interval.days, DAYS_PER_MONTH), interval.microseconds)


def justify_interval(interval):
    """24 hours become a day, 30 days a month, and all get the same sign."""
    if is_infinite(interval):
        return interval
    more_days, rest = truncated(interval.microseconds, DAY)
    more_months, days = truncated(interval.days + more_days, DAYS_PER_MONTH)
    months = interval.months + more_months
    if months > 0 and (days < 0 or (days == 0 and rest < 0)):
        months, days = months - 1, days + DAYS_PER_MONTH
    elif months < 0 and (days > 0 or (days == 0 and rest > 0)):
        months, days = months + 1, days - DAYS_PER_MONTH
    return fit(months, *with_one_sign(days, rest, DAY))
