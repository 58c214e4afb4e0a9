"""extract(field, x) -> numeric and date_part(field, x) -> float8, for date, time, timestamp, timestamptz and interval.

    field name, known while staging ─▶ `staged_field` ─▶ (mantissa, scale) ─▶ words of a numeric, or a float8

A field of an infinite date or moment is NULL if it goes round (month, hour), and infinite if it grows (year, epoch).
Where the field's name comes from a column the same text runs under the Python kernel, row by row. The Julian day with its
fraction is a quotient of numerics and computed in Python, as are the fields of intervals.
"""
from decimal import Decimal
from functools import partial

from caldera.base.errors import Error
from caldera.functions.registry import scalar
from caldera.functions.scalar import spans, wall_clock
from caldera.functions.scalar.clocks import NO_ZONE, clock_of_zone
from caldera.functions.scalar.dates import timestamp_of_date
from caldera.functions.scalar.fields import GROWING_FIELDS, LENGTH_MAX, TIME_FIELDS, UNITS, ZONE_FIELDS, extracted_field
from caldera.functions.scalar.moments import failing, is_finite, is_finite_date
from caldera.kernel.calendar import (HOUR, MINUTE, SECOND, civil_from_days, day_of_year, iso_week, iso_weekday, split_moment,
                                     weekday, whole_units)
from caldera.kernel.decimal import INFINITY, MANTISSA_HIGH, MINUS_INFINITY, number_of
from caldera.kernel.interface import F64, I32, I64, Control
from caldera.kernel.layouts import Pair
from caldera.kernel.nullable import Sql
from caldera.kernel.python import PythonKernel
from caldera.types import arithmetic
from caldera.types import registry as types
from caldera.types.calendar import DAY, UNIX_EPOCH, UNIX_EPOCH_DAYS
from caldera.types.zones import UTC, zone_of_setting

JULIAN_2000 = 2451545               # the Julian day number of 2000-01-01
SCALES = {"second": 6, "millisecond": 3, "microsecond": 0}


# ------------------------------------------------------------------------------------------------ staged fields

def day_field(k, field, days):
    """A field of a day, I32 or I64. `week` and `isoyear` are those of ISO 8601; there is no year 0."""
    if field == "epoch":
        return (k.convert(days, I64) - UNIX_EPOCH_DAYS) * 86400
    if field == "julian":
        return days + JULIAN_2000
    if field in ("dow", "isodow"):
        return weekday(k, days) if field == "dow" else iso_weekday(k, days)
    if field in ("week", "isoyear"):
        year, week = iso_week(k, days)
        return week if field == "week" else numbered(k, year)
    year, month, day = civil_from_days(k, days)
    if field == "doy":
        return day_of_year(k, days, year)
    if field == "quarter":
        return k.binary("udiv", month + 2, 3)
    return {"day": lambda: day, "month": lambda: month, "year": lambda: numbered(k, year),
            "decade": lambda: k.binary("div", k.choose(year < 0, year - 9, year), 10),
            "century": lambda: period(k, year, 100), "millennium": lambda: period(k, year, 1000)}[field]()


def numbered(k, year):
    """The year as people count: 1 BC, astronomically 0, is -1."""
    return k.choose(year > 0, year, year - 1)


def period(k, year, length):
    """The number of the century or millennium, both ways from the birth of Christ."""
    return k.binary("div", k.choose(year > 0, year + (length - 1), year - length), length)


def time_field(k, field, time):
    """A field of a time of day; seconds with their fraction as microseconds."""
    if field == "hour":
        return whole_units(k, time, HOUR)
    minutes = whole_units(k, time, MINUTE)
    if field == "minute":
        return minutes - whole_units(k, time, HOUR) * 60
    return time - k.convert(minutes, I64) * MINUTE


def zone_field(k, field, offset):
    """A field of an offset from UTC in microseconds."""
    seconds = k.binary("div", offset, SECOND)
    if field == "timezone":
        return seconds
    return k.binary("div", seconds, 3600) if field == "timezone_hour" else k.binary("rem", k.binary("div", seconds, 60), 60)


def staged_field(k, field, value, kind, clock):
    """A field of a finite value of the type named `kind`: (I64 mantissa, scale)."""
    if kind == "date":
        return k.convert(day_field(k, field, value), I64), 0
    if field == "epoch":
        return (value if kind == "time" else value - UNIX_EPOCH), 6
    if field in ZONE_FIELDS:
        return zone_field(k, field, clock.local(k, value) - value), 0
    days, time = (None, value) if kind == "time" else split_moment(k, clock.local(k, value))
    if field in TIME_FIELDS:
        return k.convert(time_field(k, field, time), I64), SCALES.get(field, 0)
    return k.convert(day_field(k, field, days), I64), 0


def validity(k, field, value, kind):
    """(whether the field has a value, whether that is finite): for infinite dates and moments."""
    if kind == "time":
        return True, True
    finite = is_finite_date(k, value) if kind == "date" else is_finite(k, value)
    return (True, finite) if field in GROWING_FIELDS else (finite, True)


def beyond_64_bits(k, mantissa):
    """The microseconds since 1970 of the last timestamps, which fill all 64 bits without a sign. PostgreSQL divides them as
    numerics, to four decimals of a second, so they are rounded to hundreds. (2^63 is a multiple of 100 plus 8.)"""
    rest = k.convert((mantissa ^ -2**63) + (8 + 50), F64)
    return k.convert(k.math("floor", k.binary("div", rest, 100.0)), I64) * 100 + (-2**63 - 8)


def as_numeric(k, field, value, kind, clock):
    """extract: an Sql of a numeric's words."""
    mantissa, scale = staged_field(k, field, value, kind, clock)
    negative = mantissa < 0
    if field == "epoch" and kind in ("timestamp", "timestamptz"):
        negative = value < UNIX_EPOCH
        mantissa = k.choose(k.and_(mantissa < 0, k.not_(negative)), beyond_64_bits(k, mantissa), mantissa)
    high = k.choose(negative, k.constant(I64, MANTISSA_HIGH), k.constant(I64, 0)) | scale << 48
    valid, finite = validity(k, field, value, kind)
    if finite is not True:
        infinity = k.choose(value < 0, k.constant(I64, MINUS_INFINITY << 48), k.constant(I64, INFINITY << 48))
        mantissa, high = k.choose(finite, mantissa, k.constant(I64, 0)), k.choose(finite, high, infinity)
    return Sql(Pair(mantissa, high), valid)


def as_float(k, field, value, kind, clock):
    """date_part: an Sql of a float8, by the same float operations as PostgreSQL."""
    mantissa, scale = staged_field(k, field, value, kind, clock)
    number = k.convert(mantissa, F64)
    if field == "second":
        seconds = k.binary("udiv", k.convert(mantissa, I32), SECOND)
        fraction = k.convert(mantissa - k.convert(seconds, I64) * SECOND, F64)
        number = k.convert(seconds, F64) + k.binary("div", fraction, 1e6)
    elif field == "millisecond":
        seconds = k.binary("udiv", k.convert(mantissa, I32), SECOND)
        fraction = k.convert(mantissa - k.convert(seconds, I64) * SECOND, F64)
        number = k.convert(seconds, F64) * 1000.0 + k.binary("div", fraction, 1000.0)
    elif field == "epoch" and kind in ("timestamp", "timestamptz"):
        beyond = k.and_(value > 0, mantissa < 0)
        rough = k.convert(value, F64) - float(UNIX_EPOCH)
        number = k.binary("div", k.choose(beyond, rough, number), 1e6)
    elif scale:
        number = k.binary("div", number, 10.0 ** scale)
    valid, finite = validity(k, field, value, kind)
    if finite is not True:
        infinity = k.choose(value < 0, k.constant(F64, float("-inf")), k.constant(F64, float("inf")))
        number = k.choose(finite, number, infinity)
    return Sql(number, valid)


# ------------------------------------------------------------------------------------------------ in Python

def julian_moment(local, numeric):
    """The Julian day with its fraction, of a local time."""
    if wall_clock.is_infinite(local):
        return (Decimal if numeric else float)("Infinity" if local > 0 else "-Infinity")
    days, time = divmod(local, DAY)
    if not numeric:
        return days + JULIAN_2000 + (time // SECOND + time % SECOND / 1e6) / 86400.0
    return arithmetic.add(Decimal(days + JULIAN_2000), arithmetic.div(Decimal(time), Decimal(DAY)))


def evaluated(kind, numeric, zone, text, datum):
    """extract (numeric) or date_part of a datum, for a field's name that is known only now."""
    type = types.lookup(kind)
    field = extracted_field(text, type)
    if field == "julian" and kind != "date":
        return julian_moment(wall_clock.to_local(datum, zone), numeric)
    k = PythonKernel(Control())
    result = (as_numeric if numeric else as_float)(k, field, k.constant(type.layout.type, datum), kind, clock_of_zone(zone))
    if result.valid is not True and not k.use(result.valid):
        return None
    return number_of(k.use(result.value.low), k.use(result.value.high)) if numeric else k.use(result.value)


def interval_field(field, interval):
    """A field of a finite interval as (integer, scale). Fields of a negative interval are negative."""
    if field == "epoch":
        years, months = spans.truncated(interval.months, 12)
        quarter_days = years * 1461 + (months * 30 + interval.days) * 4         # a year counts as 365.25 days
        return quarter_days * (DAY // 4) + interval.microseconds, 6
    if field in ("day", "week"):
        return interval.days if field == "day" else spans.truncated(interval.days, 7)[0], 0
    if field in TIME_FIELDS:
        hours, rest = spans.truncated(interval.microseconds, HOUR)
        minutes, seconds = spans.truncated(rest, MINUTE)
        return {"hour": hours, "minute": minutes}.get(field, seconds), SCALES.get(field, 0)
    years, months = spans.truncated(interval.months, 12)
    quarter = months // 3 + 1 if interval.months >= 0 else -(-months // 3 + 1)
    if interval.months == spans.INT_MIN:
        quarter = 1                                 # its opposite does not exist in 32 bits, and is taken for itself
    length = {"decade": 10, "century": 100, "millennium": 1000}.get(field, 1)
    return {"month": months, "quarter": quarter}.get(field, spans.truncated(years, length)[0]), 0


def infinite_interval_field(field, interval):
    """"Infinity", "-Infinity" or None: a field of an infinite interval; those that go round have no value."""
    if field in ("month", "quarter", "week") or field in ("minute", "second", "millisecond", "microsecond"):
        return None
    return "Infinity" if interval.months > 0 else "-Infinity"


@scalar("extract(text, interval) -> numeric", python=True, doc="A field of an interval",
        example="SELECT extract(hour FROM interval '1 day 26 hours')  -- 26")
def extract_interval(text, interval):
    field = extracted_field(text, types.lookup("interval"))
    if spans.is_infinite(interval):
        special = infinite_interval_field(field, interval)
        return None if special is None else Decimal(special)
    number, scale = interval_field(field, interval)
    return arithmetic.from_scaled(number, scale)


@scalar("date_part(text, interval) -> float8", python=True, doc="A field of an interval, as a float",
        example="SELECT date_part('epoch', interval '1 day')  -- 86400")
def date_part_interval(text, interval):
    field = extracted_field(text, types.lookup("interval"))
    if spans.is_infinite(interval):
        special = infinite_interval_field(field, interval)
        return None if special is None else float(special)
    if field == "epoch":
        years, months = spans.truncated(interval.months, 12)
        return interval.microseconds / 1e6 + 31557600.0 * years + 2592000.0 * months + 86400.0 * interval.days
    number, scale = interval_field(field, interval)
    if field in ("second", "millisecond"):
        seconds, rest = spans.truncated(number, SECOND)
        return seconds + rest / 1e6 if field == "second" else seconds * 1000.0 + rest / 1000.0
    return float(number)


# ------------------------------------------------------------------------------------------------ registration

def body_for(kind, numeric):
    """The staged body of extract (numeric) or date_part for the type named `kind`."""
    def body(call, name, value):
        zone = zone_of_setting(call.setting("TimeZone")) if kind == "timestamptz" else UTC
        text = call.known(0)

        def slowly():
            argument_types = call.types[0], types.lookup(kind)
            return call.python(partial(evaluated, kind, numeric, zone), argument_types, call.result, [name, value])
        if text is None:
            return slowly()
        try:
            field = extracted_field(text, types.lookup(kind))
        except Error as problem:
            if kind == "timestamp" and UNITS.get(text.lower()[:LENGTH_MAX]) in ZONE_FIELDS:     # infinite ones give NULL
                call.fault(is_finite(call.k, value), problem.sqlstate, problem.message)
                return Sql(call.result.layout.default(call.k), False)
            return failing(call, problem)
        if field == "julian" and kind != "date":
            return slowly()
        clock = clock_of_zone(zone) if kind == "timestamptz" else NO_ZONE
        return (as_numeric if numeric else as_float)(call.k, field, value, kind, clock)
    return body


def date_part_of_date(call, name, days):
    """date_part of a date is that of its midnight, so it knows hours, and no dates that timestamps do not reach."""
    return body_for("timestamp", False)(call, name, timestamp_of_date(call, days))


EXAMPLES = {
    "date": ("isodow FROM date '2024-02-29'", "'isodow', date '2024-02-29'", "4"),
    "time": ("minute FROM time '12:34'", "'minute', time '12:34'", "34"),
    "timestamp": ("year FROM timestamp '2024-02-29 12:00'", "'year', timestamp '2024-02-29 12:00'", "2024"),
    "timestamptz": ("hour FROM timestamptz '2024-02-29 12:00+00'", "'hour', timestamptz '2024-02-29 12:00+00'", "12"),
}
for kind, (extracted, part, answer) in EXAMPLES.items():
    steadiness = "s" if kind == "timestamptz" else "i"
    scalar(f"extract(text, {kind}) -> numeric", static=(0,), canonical=True, may_be_null=True, volatility=steadiness,
           doc=f"A field of a {kind}",
           example=f"SELECT extract({extracted})  -- {answer}")(body_for(kind, True))
    scalar(f"date_part(text, {kind}) -> float8", static=(0,), may_be_null=True, volatility=steadiness,
           doc=f"A field of a {kind}, as a float",
           example=f"SELECT date_part({part})  -- {answer}")(date_part_of_date if kind == "date" else body_for(kind, False))
