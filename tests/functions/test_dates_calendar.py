"""The staged calendar against Python's own dates, in both kernels."""
import datetime
import random

import pytest

from caldera.kernel import calendar
from caldera.kernel.interface import I32, I64, Control, Owner, Pointer, Struct
from caldera.kernel.layouts import Pair
from caldera.types import calendar as plain
from caldera.types.interval_fields import EARLY, LATE, Interval
from tests.functions.staged import TIERS, run

EPOCH = datetime.date(2000, 1, 1).toordinal()
EDGES = [plain.DATE_MIN, plain.DATE_MIN + 1, -730426, -730425, -1, 0, 1, 58, 59, 60, 365, 366, 36524, 36525, 146096, 146097,
         plain.DATE_MAX - 1, plain.DATE_MAX]


class Numbers(Owner):
    """Arrays of 64-bit numbers that staged code reads and writes."""

    def __init__(self, numpy, **columns):
        super().__init__()
        self.columns = {name: numpy.array(column, numpy.int64) for name, column in columns.items()}
        self.layout = Struct(**dict.fromkeys(columns, Pointer(I64)))
        self.instances = [self.layout.make(**{name: self.keep(column) for name, column in self.columns.items()})]


def computed(tier, function, inputs, outputs):
    """`outputs` numbers for each of the inputs: function(k, I64) gives as many values."""
    import numpy
    names = [f"out{number}" for number in range(outputs)]
    numbers = Numbers(numpy, source=inputs, **{name: [0] * len(inputs) for name in names})

    def stage(k):
        here = k.memory(numbers)
        for row in k.range(0, len(inputs)):
            for name, value in zip(names, function(k, here.source[row])):
                getattr(here, name)[row] = k.convert(value, I64)
    run(stage, tier, Control())
    return list(zip(*(numbers.columns[name].tolist() for name in names)))


def some_days(seed):
    """Edges, days of all times, and days of ours."""
    numbers = random.Random(seed)
    return EDGES + [numbers.randint(plain.DATE_MIN, plain.DATE_MAX) for _ in range(300)] + \
        [numbers.randint(-800_000, 800_000) for _ in range(700)]


@pytest.mark.parametrize("tier", TIERS)
def test_a_day_becomes_a_date_and_the_date_the_day(tier):
    def there_and_back(k, days):
        year, month, day = calendar.civil_from_days(k, k.convert(days, I32))
        return year, month, day, calendar.days_from_civil(k, year, month, day)
    days = some_days(1)
    assert computed(tier, there_and_back, days, 4) == [(*plain.civil_from_days(day), day) for day in days]


@pytest.mark.parametrize("tier", TIERS)
def test_leap_years_and_lengths_of_months(tier):
    def lengths(k, days):
        year, month, _ = calendar.civil_from_days(k, k.convert(days, I32))
        return calendar.is_leap(k, year), calendar.month_length(k, year, month)
    days = some_days(2)
    expected = [plain.civil_from_days(day)[:2] for day in days]
    assert computed(tier, lengths, days, 2) == [(plain.is_leap(year), plain.month_length(year, month))
                                                for year, month in expected]


@pytest.mark.parametrize("tier", TIERS)
def test_weeks_are_those_of_iso_8601(tier):
    def week(k, days):
        days = k.convert(days, I32)
        return *calendar.iso_week(k, days), calendar.iso_weekday(k, days), calendar.weekday(k, days)
    dates = [datetime.date(year, month, day) for year in (1, 4, 1900, 1999, 2000, 2015, 2016, 2020, 2021, 9999)
             for month, day in ((1, 1), (1, 2), (1, 3), (1, 4), (6, 15), (12, 28), (12, 29), (12, 30), (12, 31))]
    days = [date.toordinal() - EPOCH for date in dates]
    assert computed(tier, week, days, 4) == [(*date.isocalendar()[:3], date.isoweekday() % 7) for date in dates]


@pytest.mark.parametrize("tier", TIERS)
def test_a_moment_splits_into_a_day_and_a_time_that_is_never_negative(tier):
    numbers = random.Random(3)
    moments = [plain.MOMENT_MIN, plain.MOMENT_END - 1, -1, 0, 1] + \
        [numbers.randint(-2450000, 106751990) * plain.DAY + numbers.choice((-1, 0, 1, plain.DAY - 1)) for _ in range(500)]
    expected = [divmod(moment, plain.DAY) for moment in moments]
    assert computed(tier, calendar.split_moment, moments, 2) == expected

    def units(k, moment):
        _, time = calendar.split_moment(k, moment)
        return [calendar.whole_units(k, time, unit) for unit in (calendar.HOUR, calendar.MINUTE, calendar.SECOND)]
    assert computed(tier, units, moments, 3) == [
        (time // plain.HOUR, time // plain.MINUTE, time // plain.SECOND) for _, time in expected]


@pytest.mark.parametrize("tier", TIERS)
def test_garbage_does_no_harm(tier):
    def everything(k, number):
        days, time = calendar.split_moment(k, number)
        year, month, day = calendar.civil_from_days(k, days)
        return calendar.days_from_civil(k, year, month, day), calendar.month_length(k, year, month)
    assert len(computed(tier, everything, [-2**63, 2**63 - 1, -2**62, 2**62], 2)) == 4


@pytest.mark.parametrize("tier", TIERS)
def test_intervals_are_ordered_by_months_of_30_days_and_days_of_24_hours(tier):
    spans = [EARLY, Interval(-1, 0, 0), Interval(0, -29, 0), Interval(0, 0, -1), Interval(0, 0, 0), Interval(0, 1, 0),
             Interval(0, 0, plain.DAY), Interval(0, 30, 0), Interval(1, 0, 0), Interval(1, 0, 1), Interval(2**31 - 1, 0, 0),
             Interval(2**31 - 1, 2**31 - 1, 2**63 - 2), LATE]
    highs = [span.months << 32 | span.days & 0xFFFFFFFF for span in spans]
    for span, high in zip(spans, highs):
        signed = high if high < 2**63 else high - 2**64
        order = computed(tier, lambda k, low, high=signed: calendar.interval_order(k, Pair(low, k.constant(I64, high))),
                         [span.microseconds], 2)
        days, rest = order[0]
        assert days * plain.DAY + rest == span.span
