"""Casts from text. The forms that nearly all texts have are read by the machine code, and all others by the type's `parse`,
so that there is one definition of what is right and of the errors.

    sign and digits ─▶ integers      digits with a point ─▶ numeric       the same with an exponent ─▶ floats
    2024-02-29 12:34:56.789+01 and its beginnings ─▶ date, timestamp, timestamptz, time           true, f, 1 ─▶ bool
"""
import functools

from caldera.functions.registry import scalar
from caldera.functions.scalar import number_casts
from caldera.functions.scalar.clocks import session_clock
from caldera.kernel import decimal
from caldera.kernel.calendar import DAY, HOUR, MINUTE, SECOND, days_from_civil, month_length
from caldera.kernel.digits import digits_at, read_decimal, read_integer
from caldera.kernel.interface import BOOL, F64, I32, I64, I128
from caldera.kernel.text import INLINE_BYTES
from caldera.kernel.utf8 import byte_at
from caldera.types.registry import lookup

DATE_BYTES, CLOCK_BYTES = 10, 5                 # of 2024-02-29 and of 12:34
WORDS = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}
FRACTION_DIGITS = 6
ZONE_HOURS = 14                                 # east or west: what is farther off is left to `parse`


def parsed(type, session, text):
    """What the type's input function gives."""
    return type.parse(text, None, session)


def otherwise_parsed(call, good, value, text):
    """The value where it is good, else what `parse` makes of the text, or its error."""
    with call.row.faults.guarded(call.k.not_(good)):
        slow = call.python(functools.partial(parsed, call.result, call.session), call.types, call.result, [text])
    return call.result.layout.choose(call.k, good, value, slow.value)


# ------------------------------------------------------------------------------------------------ numbers

def integer(call, text):
    """The body of a cast to an integer."""
    k, type = call.k, call.result
    number, good = k.routine(read_integer, text.address, text.length)
    if type.length < 8:
        good = k.and_(good, number >= type.minimum, number <= type.maximum)
    return otherwise_parsed(call, good, k.convert(number, type.layout.type), text)


for name, value in (("int2", "42"), ("int4", "42"), ("int8", "-42")):
    scalar(f"{name}_of_text(text) -> {name}", cast="explicit", doc=f"The {lookup(name).sql_name} that a text means.",
           example=f"SELECT text '{value}'::{name}  -- {value}")(integer)


@scalar("numeric_of_text(text) -> numeric", cast="explicit", doc="The number that a text means.",
        example="SELECT text '-12.50'::numeric  -- -12.50")
def numeric(call, text):
    k = call.k
    digits, decimals, end, negative, good = k.routine(read_decimal, text.address, text.length)
    good = k.and_(good, end == text.length, decimals <= decimal.SCALE_MAX)
    number = k.convert(k.choose(negative, k.negate(digits), digits), I128)
    return otherwise_parsed(call, good, decimal.compose(k, number, k.choose(good, decimals, k.constant(I64, 0))), text)


def read_scaled(k, address, length):
    """Routine: (digits, scale, whether there is a minus, whether that is all) of a text that means digits / 10^scale."""
    digits, decimals, end, negative, good = k.routine(read_decimal, address, length)
    exponent, complete = k.variable(I64, 0), k.variable(I64, k.convert(end == length, I64))
    for _ in k.when(k.and_(end < length, byte_at(k, address + end) | 0x20 == ord("e"))):
        number, is_number = k.routine(read_integer, address + end + 1, length - end - 1)
        exponent.set(number)
        complete.set(k.convert(is_number, I64))
    return digits, decimals - exponent.get(), negative, k.and_(good, complete.get() != 0)


def floating(call, text):
    """The body of a cast to a float. Numbers of few digits are multiplied or divided by a power of ten, both exact, which
    rounds once; longer ones with decimals are converted as numerics are, which rounds once, too."""
    k, type = call.k, call.result.layout.type
    power_max, zero = number_casts.EXACT_POWERS[type], k.constant(I64, 0)
    digits, scale, negative, good = k.routine(read_scaled, text.address, text.length)
    short = k.and_(digits < 1 << number_casts.PRECISION[type], scale <= power_max, scale >= -power_max)
    short = k.or_(short, digits == 0)
    shown = k.choose(short, k.choose(digits == 0, zero, scale), zero)
    power = number_casts.float_power(k, k.choose(shown < 0, k.negate(shown), shown), type)
    whole = k.convert(digits, type)
    quick = k.choose(shown < 0, whole * power, k.binary("div", whole, power))
    long = k.and_(good, k.not_(short), scale >= 0, scale <= number_casts.LONG_SCALE_MAX)
    bits = k.variable(I64, number_casts.float_bits(k, quick))
    longer = number_casts.long_to_double if type == F64 else number_casts.long_to_single
    for _ in k.when(long):
        bits.set(k.routine(longer, digits, scale << 48)[0])
    value = k.convert(k.reinterpret(bits.get(), F64), type)
    value = k.choose(negative, k.negate(value), value)
    return otherwise_parsed(call, k.and_(good, k.or_(short, long)), value, text)


for name in ("float4", "float8"):
    scalar(f"{name}_of_text(text) -> {name}", cast="explicit", doc=f"The {lookup(name).sql_name} nearest to a number.",
           example=f"SELECT text '-1.5e2'::{name}  -- -150")(floating)


# ------------------------------------------------------------------------------------------------ truth

@scalar("bool_of_text(text) -> bool", cast="explicit", doc="The truth value that a text means.",
        example="SELECT text 'true'::bool  -- t")
def boolean(call, text):
    k = call.k
    first, second = text.words()
    good, truth = False, False
    for word, meaning in WORDS.items():
        data = word.encode().ljust(INLINE_BYTES, b"\0")
        low, high = len(word) | int.from_bytes(data[:4], "little") << 32, int.from_bytes(data[4:], "little")
        same = k.and_(first == low, second == high)
        good, truth = k.or_(good, same), k.or_(truth, same) if meaning else truth
    return otherwise_parsed(call, good, truth, text)


# ------------------------------------------------------------------------------------------------ dates and times

def read_date(k, address):
    """(days, I32; whether there is such a date) of the 10 bytes of 2024-02-29. Years from 1 on."""
    year, good_year = digits_at(k, address, 4)
    month, good_month = digits_at(k, address + 5, 2)
    day, good_day = digits_at(k, address + 8, 2)
    marked = k.and_(byte_at(k, address + 4) == ord("-"), byte_at(k, address + 7) == ord("-"))
    year, month, day = (k.convert(part, I32) for part in (year, month, day))
    good = k.and_(good_year, good_month, good_day, marked, year >= 1, month >= 1, month <= 12, day >= 1)
    month, year = k.choose(good, month, k.constant(I32, 1)), k.choose(good, year, k.constant(I32, 1))
    good = k.and_(good, day <= month_length(k, year, month))
    return days_from_civil(k, year, month, k.choose(good, day, k.constant(I32, 1))), good


def read_clock(k, address, length):
    """Routine: (microseconds, where they end, whether there is such a time) of a text of at least 5 bytes that starts with
    12:34, 12:34:56 or 12:34:56.789."""
    hour, good_hour = digits_at(k, address, 2)
    minute, good_minute = digits_at(k, address + 3, 2)
    good = k.and_(good_hour, good_minute, byte_at(k, address + 2) == ord(":"), hour < 24, minute < 60)
    time, end = k.variable(I64, hour * HOUR + minute * MINUTE), k.variable(I64, CLOCK_BYTES)
    well = k.variable(BOOL, good)
    for _ in k.when(k.and_(length >= 8, byte_at(k, address + 5) == ord(":"))):
        second, good_second = digits_at(k, address + 6, 2)
        well.set(k.and_(well.get(), good_second, second < 60))
        time.set(time.get() + second * SECOND)
        end.set(k.constant(I64, 8))
    for _ in k.when(k.and_(end.get() == 8, length > 9, byte_at(k, address + 8) == ord("."))):
        fraction, going, count = k.constant(I64, 0), True, k.constant(I64, 0)
        for place in range(FRACTION_DIGITS):
            digit = byte_at(k, address + 9 + place) - ord("0")
            going = k.and_(going, k.compare("ult", digit, 10), length > 9 + place)
            fraction = fraction * 10 + k.choose(going, digit, k.constant(I64, 0))
            count = count + k.convert(going, I64)
        well.set(k.and_(well.get(), count > 0))
        time.set(time.get() + fraction)
        end.set(count + 9)
    return time.get(), end.get(), well.get()


def read_zone(k, address, length):
    """(seconds east of Greenwich, whether there is a zone, whether the text is right) of "", "Z", "+01", "-03:30"."""
    first = byte_at(k, address)
    hours, good_hours = digits_at(k, address + 1, 2)
    minutes, good_minutes = digits_at(k, address + 4, 2)
    has_minutes = length == 6
    offset = hours * 3600 + k.choose(has_minutes, minutes * 60, k.constant(I64, 0))
    good_minutes = k.or_(k.not_(has_minutes), k.and_(good_minutes, minutes < 60, byte_at(k, address + 3) == ord(":")))
    good = k.and_(k.or_(length == 3, has_minutes), k.or_(first == ord("+"), first == ord("-")), good_hours,
                  hours <= ZONE_HOURS, good_minutes)
    is_utc = k.and_(length == 1, first == ord("Z"))
    offset = k.choose(good, k.choose(first == ord("-"), k.negate(offset), offset), k.constant(I64, 0))
    return offset, length > 0, k.or_(length == 0, is_utc, good)


def read_moment(k, address, length):
    """Routine: (days, microseconds of the day, seconds east, whether a zone is named, whether all is right) of a date that a
    time and a zone may follow."""
    days, time, offset = (k.variable(I64, 0) for _ in range(3))
    zoned, good = k.variable(BOOL, False), k.variable(BOOL, False)
    for _ in k.when(length >= DATE_BYTES):
        day, is_date = read_date(k, address)
        days.set(k.convert(day, I64))
        good.set(k.and_(is_date, length == DATE_BYTES))
        mark = byte_at(k, address + DATE_BYTES)
        start = DATE_BYTES + 1
        timed = k.and_(is_date, length >= start + CLOCK_BYTES, k.or_(mark == ord(" "), mark == ord("T")))
        for _ in k.when(timed):
            clock, end, is_time = k.routine(read_clock, address + start, length - start)
            east, named, is_zone = read_zone(k, address + start + end, length - start - end)
            time.set(clock)
            offset.set(east)
            zoned.set(named)
            good.set(k.and_(is_time, is_zone))
    return days.get(), time.get(), offset.get(), zoned.get(), good.get()


@scalar("date_of_text(text) -> date", cast="explicit", volatility="s", doc="The date that a text means.",
        example="SELECT text '2024-02-29'::date  -- 2024-02-29")
def date(call, text):
    days, _, _, _, good = call.k.routine(read_moment, text.address, text.length)
    return otherwise_parsed(call, good, call.k.convert(days, I32), text)


@scalar("timestamp_of_text(text) -> timestamp", cast="explicit", volatility="s", doc="The timestamp that a text means.",
        example="SELECT text '2024-02-29 12:34'::timestamp  -- 2024-02-29 12:34:00")
def timestamp(call, text):
    days, time, _, _, good = call.k.routine(read_moment, text.address, text.length)
    return otherwise_parsed(call, good, days * DAY + time, text)


@scalar("timestamptz_of_text(text) -> timestamptz", cast="explicit", volatility="s",
        doc="The moment that a text means, by the session's clock if it names no zone.",
        example="SELECT text '2024-02-29 12:34+00'::timestamptz  -- 2024-02-29 12:34:00+00")
def timestamptz(call, text):
    k = call.k
    days, time, offset, zoned, good = k.routine(read_moment, text.address, text.length)
    local = days * DAY + time
    moment = k.choose(zoned, local - offset * SECOND, session_clock(call).universal(k, local))
    return otherwise_parsed(call, good, moment, text)


@scalar("time_of_text(text) -> time", cast="explicit", volatility="s", doc="The time of day that a text means.",
        example="SELECT text '12:34'::time  -- 12:34:00")
def time(call, text):
    k = call.k
    clock, good = k.variable(I64, 0), k.variable(BOOL, False)
    for _ in k.when(text.length >= CLOCK_BYTES):
        microseconds, end, is_time = k.routine(read_clock, text.address, text.length)
        clock.set(microseconds)
        good.set(k.and_(is_time, end == text.length))
    return otherwise_parsed(call, good.get(), clock.get(), text)
