"""The civil calendar over staged values: days to year, month and day and back, moments to days, ISO weeks.

Days are I32 counts from 2000-01-01, moments and times I64 microseconds; years are astronomical (0 is 1 BC). Everything is
branch-free and total, so that it can stand in a vectorised loop: for days and moments that no calendar has (the infinities,
garbage under a mask) the results are meaningless, but nothing is undefined. The work is done in 32 bits wherever it fits,
because vector units multiply 32-bit numbers well and 64-bit ones badly.

    moment ─ split_moment ─▶ day, time of day        day ─ civil_from_days ─▶ year, month, day ─ days_from_civil ─▶ day

An interval is a Pair: microseconds, and months << 32 | days. With all three at their least or greatest it is infinite.

Days to dates follow Neri and Schneider, "Euclidean affine functions and their application to calendar algorithms" (2022):
the year starts in March, and each division by a period with leap days (1461 / 4, 153 / 5) is a multiplication and a shift.
"""
from caldera.kernel.interface import F64, I32, I64
from caldera.kernel.layouts import Pair

SECOND = 1_000_000
MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 86400 * SECOND
DAY_SHIFT = 13                      # DAY is an odd number times 2^13, HOUR times 2^10, and so on
CYCLE_DAYS, CYCLE_YEARS = 146097, 400
MARCH_OF_YEAR_0 = 730425            # days from 0000-03-01 to 2000-01-01
CYCLES_BEFORE = 12                  # cycles of 400 years that make every valid day positive
BASE = MARCH_OF_YEAR_0 + CYCLES_BEFORE * CYCLE_DAYS
SHIFTER, SHIFTER_BITS = 1.5 * 2**52, 0x4338 << 48       # a float whose last bit stands for 1, and its bits
YEARS_BEFORE = CYCLES_BEFORE * CYCLE_YEARS


def day_number(k, days):
    """Days counted from a March far enough in the past; to be read without a sign."""
    return days + BASE


def civil_from_days(k, days):
    """(year, month, day), I32 each."""
    number = day_number(k, days)
    cycle = k.binary("udiv", number, CYCLE_DAYS)
    quarters = (number - cycle * CYCLE_DAYS) * 4 + 3                    # below 2^20
    century = k.binary("udiv", quarters, CYCLE_DAYS)
    quarters = (quarters - century * CYCLE_DAYS) | 3
    scaled = k.convert(quarters, I64) * 2939745                         # 2^32 / 1461, rounded up
    year_of_century = k.convert(scaled >> 32, I32)
    day_of_year = k.binary("udiv", k.convert(scaled, I32), 2939745 * 4)         # counted from 1 March
    sixteenths = day_of_year * 2141 + 197913                            # 2^16 / 30.6: the months from March on
    shifted_month, rest = sixteenths >> 16, sixteenths & 0xFFFF
    in_next_year = day_of_year >= 306
    year = cycle * CYCLE_YEARS + century * 100 + year_of_century + k.convert(in_next_year, I32) - YEARS_BEFORE
    month = k.choose(in_next_year, shifted_month - 12, shifted_month)
    return year, month, k.binary("udiv", rest, 2141) + 1


def days_from_civil(k, year, month, day):
    """Days of a year (not before -4800), a month from 1 to 12 and a day, which may lie beyond the month's end."""
    early = month <= 2
    shifted = year + YEARS_BEFORE - k.convert(early, I32)
    month = k.choose(early, month + 12, month)
    century = k.binary("udiv", shifted, 100)
    before_year = shifted * 365 + (shifted >> 2) - century + (century >> 2)
    return before_year + ((month * 979 - 2919) >> 5) + day - (BASE + 1)


def is_leap(k, year):
    """Staged BOOL. A century's year is divisible by 16 exactly if it is by 400 (it is by 25 already)."""
    shifted = year + YEARS_BEFORE
    is_century = k.binary("urem", shifted, 100) == 0
    return (shifted & k.choose(is_century, k.constant(I32, 15), k.constant(I32, 3))) == 0


def month_length(k, year, month):
    """28 to 31, for a month from 1 to 12: the odd ones up to July and the even ones from August on are long."""
    length = ((month ^ (month >> 3)) & 1) | 30
    return k.choose(month == 2, k.convert(is_leap(k, year), I32) + 28, length)


def weekday(k, days):
    """The day of the week, 0 (Sunday) to 6."""
    return k.binary("urem", day_number(k, days) + (6 - BASE) % 7, 7)    # 2000-01-01 was a Saturday


def iso_weekday(k, days):
    """The day of the week, 1 (Monday) to 7."""
    return k.binary("urem", day_number(k, days) + (5 - BASE) % 7, 7) + 1


def iso_week(k, days):
    """(year, week) by ISO 8601: a week belongs to the year of its Thursday."""
    thursday = days - iso_weekday(k, days) + 4
    year = civil_from_days(k, thursday)[0]
    first = days_from_civil(k, year, k.constant(I32, 1), k.constant(I32, 1))
    return year, k.binary("udiv", thursday - first, 7) + 1


def day_of_year(k, days, year):
    """1 to 366, of a day whose year is known."""
    return days - days_from_civil(k, year, k.constant(I32, 1), k.constant(I32, 1)) + 1


def split_moment(k, moment):
    """(day, I32; time of day, I64, never negative).

    The quotient is computed in floats, which vector units multiply well: below 10^8.1 the product with the reciprocal is off
    by less than 3e-8, and the half step added keeps the exact quotient 4.7e-8 away from the integers. Infinities and garbage
    give some day.
    """
    scaled = small_to_float(k, k.binary("ashr", moment, DAY_SHIFT))
    days = small_to_integer(k, k.math("floor", (scaled + 0.5) * (1.0 / (DAY >> DAY_SHIFT))))
    return k.convert(days, I32), moment - days * DAY


def small_to_float(k, number):
    """An I64 between -2^51 and 2^51 as a float, in two instructions that every vector unit has: it becomes the last bits of
    1.5 * 2^52, which is then taken away."""
    return k.reinterpret(number + SHIFTER_BITS, F64) - SHIFTER


def small_to_integer(k, number):
    """A whole float between -2^51 and 2^51 as an I64."""
    return k.reinterpret(number + SHIFTER, I64) - SHIFTER_BITS


def whole_units(k, time, unit):
    """How many whole hours, minutes or seconds (`unit`: HOUR, MINUTE or SECOND) a time of day (up to 24:00) has: I32."""
    shift = (unit & -unit).bit_length() - 1
    return k.binary("udiv", k.convert(time >> shift, I32), unit >> shift)


def interval_parts(k, interval):
    """(months, I32; days, I32; microseconds, I64) of an interval."""
    return k.convert(interval.high >> 32, I32), k.convert(interval.high, I32), interval.low


def interval_of(k, months, days, microseconds):
    """The interval of these parts."""
    return Pair(microseconds, k.convert(months, I64) << 32 | k.convert(days, I64, signed=False))


def interval_order(k, interval):
    """Two I64 words, most significant first, that are equal or less as intervals are: a month counts as 30 days, a day as 24
    hours. The whole days and the rest of a day, so that nothing overflows."""
    months, days, microseconds = interval_parts(k, interval)
    more_days, rest = split_moment(k, microseconds)
    return [k.convert(months, I64) * 30 + k.convert(days, I64) + k.convert(more_days, I64), rest]
