"""What functions on dates and timestamps share, staged: infinities, ranges, months later, rounding to a precision."""
from caldera.kernel.calendar import DAY, civil_from_days, days_from_civil, month_length, split_moment
from caldera.kernel.interface import BOOL, I32, I64
from caldera.kernel.nullable import checked
from caldera.types.calendar import (DATE_EARLY, DATE_LATE, DATE_MAX, DATE_MIN, MOMENT_EARLY, MOMENT_END, MOMENT_LATE,
                                    MOMENT_MIN)

DATE_RANGE = "22008", "date out of range"
MOMENT_RANGE = "22008", "timestamp out of range"
DAY_MIN, DAY_END = MOMENT_MIN // DAY, MOMENT_END // DAY         # the days on which a timestamp may be
FIRST_YEAR, LAST_YEAR = -4713, 294276
MONTHS_BOUND = 12 * (LAST_YEAR - FIRST_YEAR + 1)                # more months than lead from anywhere to anywhere


def is_finite_date(k, days):
    """Staged BOOL: no infinity."""
    return k.and_(days != DATE_EARLY, days != DATE_LATE)


def is_finite(k, moment):
    """Staged BOOL: no infinity."""
    return k.and_(moment != MOMENT_EARLY, moment != MOMENT_LATE)


def date_outside(k, days):
    """Staged BOOL: beyond the calendar (I32 or I64)."""
    return k.or_(days < DATE_MIN, days > DATE_MAX)


def moment_outside(k, moment):
    """Staged BOOL: beyond what a timestamp may be."""
    return k.or_(moment < MOMENT_MIN, moment >= MOMENT_END)


def moment_of_date(k, days):
    """(the midnight at which a day begins, whether a timestamp cannot be there); infinities stay infinite."""
    early, late = days == DATE_EARLY, days == DATE_LATE
    bad = k.and_(days >= DAY_END, k.not_(late))
    moment = k.convert(k.choose(bad, k.constant(I32, 0), days), I64) * DAY
    moment = k.choose(early, k.constant(I64, MOMENT_EARLY), k.choose(late, k.constant(I64, MOMENT_LATE), moment))
    return moment, bad


def date_of_moment(k, moment):
    """The day of a moment; infinities stay infinite."""
    days, _ = split_moment(k, moment)
    early, late = moment == MOMENT_EARLY, moment == MOMENT_LATE
    return k.choose(early, k.constant(I32, DATE_EARLY), k.choose(late, k.constant(I32, DATE_LATE), days))


def plus_months(k, days, months):
    """(the day so many months later, whether it lies beyond the years of timestamps). The day of the month is cut to the
    length of the month it comes to."""
    year, month, day = civil_from_days(k, days)
    months = k.least(k.greatest(months, k.constant(I32, -MONTHS_BOUND)), k.constant(I32, MONTHS_BOUND))
    count = (year - FIRST_YEAR) * 12 + (month - 1) + months
    bad = k.or_(count < 0, count >= MONTHS_BOUND)
    count = k.choose(bad, k.constant(I32, 0), count)
    years = k.binary("udiv", count, 12)
    year, month = years + FIRST_YEAR, count - years * 12 + 1
    return days_from_civil(k, year, month, k.least(day, month_length(k, year, month))), bad


def rounded_to_precision(k, microseconds, precision):
    """(microseconds rounded to so many digits of a second, known or a staged I32, whether that overflows); halves go away
    from zero. Digits beyond 6 count as 6."""
    if isinstance(precision, int):
        unit = k.constant(I64, 10 ** (6 - min(precision, 6)))
    else:
        unit = k.constant(I64, 1)
        for digits in range(6):
            unit = k.choose(precision == digits, k.constant(I64, 10 ** (6 - digits)), unit)
    half = k.binary("div", unit, 2)
    sum, bad = checked(k, "add", microseconds, k.choose(microseconds < 0, k.negate(half), half))
    return k.choose(unit == 1, microseconds, sum - k.binary("rem", sum, unit)), k.and_(bad, unit != 1)


def precision_of(call):
    """The digits of a second that the result's type asks for; all if it does not."""
    return call.result_modifier[0] if call.result_modifier else 6


def failing(call, problem):
    """The result of a body that knows while staging that it will fail: reports the error for every row there is."""
    call.fault(call.k.constant(BOOL, True), problem.sqlstate, problem.message)
    return call.result.layout.default(call.k)


def in_python(call, function, *values):
    """The result of a plain function over the datums of the arguments, called for each row."""
    return call.python(function, call.types, call.result, list(values))
