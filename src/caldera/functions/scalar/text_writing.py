"""Values as texts, as their types write them: casts to text, and pieces of concatenations. What nearly all values look like
is written by the machine code, and all others by the type's `format`.

    years 1 to 9999, in DateStyle ISO ─▶ 2024-02-29 12:34:56.789+01        numerics of two words ─▶ -12.50
    floats that are written without an exponent ─▶ 0.1
"""
import functools

from caldera.functions.registry import scalar
from caldera.functions.scalar import number_casts
from caldera.functions.scalar.clocks import NO_ZONE, session_clock
from caldera.functions.scalar.moments import is_finite
from caldera.kernel import decimal
from caldera.kernel.calendar import HOUR, MINUTE, SECOND, civil_from_days, split_moment, whole_units
from caldera.kernel.digits import DECIMAL_ROOM, LOWER_DIGITS, SCALE_MAX, write_decimal, write_padded
from caldera.kernel.interface import BOOL, F32, F64, I8, I64, I128
from caldera.kernel.layouts import TEXT
from caldera.kernel.text import Text
from caldera.types.calendar import days_from_civil
from caldera.types.registry import lookup
from caldera.types.session import output_style, setting

FIRST_DAY, LAST_DAY = days_from_civil(1, 1, 1), days_from_civil(9999, 12, 31)
DATE_BYTES, CLOCK_BYTES = 10, 8
DATE_ROOM = 56                                  # for a date, a time with its fraction, a zone, and what is overwritten
PLAIN = {F64: (1e15, 22), F32: (1e6, 10)}       # numbers below have no exponent; the largest power of ten that is exact
PLAIN_MIN, LONG_MIN = 1e-4, 1e-2


def formatted(type, session, datum):
    """What the type's output function gives."""
    return type.format(datum, session)


def written(call, type, value):
    """A value as Text in its output form."""
    k, text, good = call.k, None, False
    if type.name in WRITERS:
        text, good = WRITERS[type.name](call, value)
    if good is True:
        return text
    with call.row.faults.guarded(k.not_(good)):
        slow = call.python(functools.partial(formatted, type, call.session), (type,), lookup("text"), [value]).value
    return slow if good is False else TEXT.choose(k, good, text, slow)


# ------------------------------------------------------------------------------------------------ dates and times

def put(k, target, character):
    """Write one character (known)."""
    k.array(I8, target)[0] = ord(character)


def write_date(k, days, target):
    """Routine: write a date of the years up to 9999; returns its length."""
    year, month, day = civil_from_days(k, days)
    for place, part, width in ((0, year, 4), (5, month, 2), (8, day, 2)):
        write_padded(k, k.convert(part, I64), width, target + place)
    put(k, target + 4, "-")
    put(k, target + 7, "-")
    return k.constant(I64, DATE_BYTES)


def write_clock(k, time, target):
    """Routine: write a time of day with as many decimals as it needs; returns its length."""
    for place, number in ((0, whole_units(k, time, HOUR)), (3, k.binary("urem", whole_units(k, time, MINUTE), 60)),
                          (6, k.binary("urem", whole_units(k, time, SECOND), 60))):
        write_padded(k, k.convert(number, I64), 2, target + place)
    put(k, target + 2, ":")
    put(k, target + 5, ":")
    length, fraction = k.variable(I64, CLOCK_BYTES), k.binary("urem", time, SECOND)
    for _ in k.when(fraction != 0):
        put(k, target + CLOCK_BYTES, ".")
        write_padded(k, fraction, 6, target + CLOCK_BYTES + 1)
        length.set(k.constant(I64, CLOCK_BYTES + 7))
        for _ in k.while_(lambda: k.array(I8, target + length.get() - 1)[0] == ord("0")):
            length.set(length.get() - 1)
    return length.get()


def write_offset(k, seconds, target):
    """Routine: write seconds (I64) east of Greenwich as +01, -03:30, +00:19:32; returns the length."""
    size, length = k.choose(seconds < 0, k.negate(seconds), seconds), k.variable(I64, 3)
    k.array(I8, target)[0] = k.convert(k.choose(seconds < 0, k.constant(I64, ord("-")), k.constant(I64, ord("+"))), I8)
    minutes = k.binary("udiv", size, 60)
    hours = k.binary("udiv", minutes, 60)
    write_padded(k, hours, 2, target + 1)
    for unit, place, rest in ((3600, 3, minutes - hours * 60), (60, 6, size - minutes * 60)):
        for _ in k.when(k.binary("urem", size, unit) != 0):
            put(k, target + place, ":")
            write_padded(k, rest, 2, target + place + 1)
            length.set(k.constant(I64, place + 3))
    return length.get()


def is_iso(call):
    """Whether DateStyle asks for 2024-02-29."""
    return output_style(call.session)[0] == "ISO"


def date(call, days):
    """(a date as Text, whether it is right)."""
    k = call.k
    target = call.scratch(k.constant(I64, DATE_ROOM))
    text = Text(k, target, k.routine(write_date, days, target), "block")
    return text, k.and_(is_iso(call), days >= FIRST_DAY, days <= LAST_DAY)


def moment_on(call, clock, moment, zoned):
    """(a moment by a clock as Text, whether it is right)."""
    k = call.k
    local, target = clock.local(k, moment), call.scratch(k.constant(I64, DATE_ROOM))
    days, time = split_moment(k, local)
    length = k.routine(write_date, days, target)
    put(k, target + length, " ")
    length = length + 1
    length = length + k.routine(write_clock, time, target + length)
    if zoned:
        length = length + k.routine(write_offset, k.binary("div", local - moment, SECOND), target + length)
    good = k.and_(is_iso(call), is_finite(k, moment), days >= FIRST_DAY, days <= LAST_DAY)
    return Text(k, target, length, "block"), good


def timestamp(call, moment):
    """(a timestamp as Text, whether it is right)."""
    return moment_on(call, NO_ZONE, moment, zoned=False)


def timestamptz(call, moment):
    """(a timestamptz as Text, whether it is right)."""
    return moment_on(call, session_clock(call), moment, zoned=True)


def time(call, time):
    """(a time of day as Text, whether it is right)."""
    target = call.scratch(call.k.constant(I64, DATE_ROOM))
    return Text(call.k, target, call.k.routine(write_clock, time, target), "block"), True


# ------------------------------------------------------------------------------------------------ numbers

def decimal_text(call, upper, lower, negative, scale):
    """(upper * 10^LOWER_DIGITS + lower) / 10^scale, or minus that, as Text."""
    target = call.scratch(call.k.constant(I64, DECIMAL_ROOM))
    return Text(call.k, *call.k.routine(write_decimal, upper, lower, negative, scale, target), "block")


def numeric(call, a):
    """(a numeric as Text, whether it is right)."""
    k = call.k
    number, scale = decimal.mantissa(k, a), decimal.tag_of(a)
    good = k.and_(decimal.is_inline(k, a), scale <= SCALE_MAX)
    upper, lower = k.routine(decimal.divide_magnitudes, decimal.magnitude(k, number), k.constant(I128, 10 ** LOWER_DIGITS))
    scale = k.choose(good, scale, k.constant(I64, 0))
    return decimal_text(call, k.convert(upper, I64), k.convert(lower, I64), number < 0, scale), good


def few_digits(k, size):
    """Routine: (digits, scale, whether there are such) for the shortest decimal number digits / 10^scale that is nearest to
    a float, if it has few digits: for float8 up to 15, of which no two decimals are nearest to one float. Then the product
    with the power of ten is off by less than half, and the quotient, of two exact numbers, is rounded once.
    """
    type = size.type
    limit, power_max = PLAIN[type]
    power, scale, digits = k.variable(type, 1), k.variable(I64, 0), k.variable(type, 0)
    going = k.variable(BOOL, k.and_(size < limit, k.or_(size >= PLAIN_MIN, size == 0)))
    found = k.variable(BOOL, False)
    for _ in k.while_(lambda: going.get()):
        product = k.convert(k.math("rint", k.convert(size * power.get(), F64)), type)
        digits.set(product)
        found.set(k.and_(product < limit, k.binary("div", product, power.get()) == size))
        more = k.and_(k.not_(found.get()), product < limit, scale.get() < power_max)
        going.set(more)
        power.set(k.choose(more, power.get() * 10, power.get()))
        scale.set(scale.get() + k.convert(more, I64))
    return k.convert(digits.get(), I64), scale.get(), found.get()


def many_digits(k, size):
    """Routine: (digits, scale) of the same with 16 digits, or 17 if 16 mean another float8; for numbers from LONG_MIN on
    that are no power of two, where the nearest decimal is the one that is wanted."""
    low, high, _ = k.routine(number_casts.digits_of_float, size, k.constant(I64, 16))
    read_back, _, _ = k.routine(number_casts.long_to_double, low, high)
    digits, scale = k.variable(I64, low), k.variable(I64, high >> 48)
    for _ in k.when(read_back != k.reinterpret(size, I64)):
        low, high, _ = k.routine(number_casts.digits_of_float, size, k.constant(I64, 17))
        digits.set(low)
        scale.set(high >> 48)
    return digits.get(), scale.get()


def floating(call, a):
    """(a float as Text, whether it is right)."""
    k, type = call.k, a.type
    size = k.choose(a < 0, k.negate(a), a)
    bits = k.reinterpret(k.convert(a, F64), I64)
    found_digits, found_scale, found = k.routine(few_digits, size)
    digits, scale = k.variable(I64, found_digits), k.variable(I64, k.choose(found, found_scale, k.constant(I64, 0)))
    if type == F64:
        long = k.and_(k.not_(found), size >= LONG_MIN, size < PLAIN[F64][0], bits << 12 != 0)
        found = k.or_(found, long)
        for _ in k.when(long):
            long_digits, long_scale = k.routine(many_digits, size)
            digits.set(long_digits)
            scale.set(long_scale)
    good = k.and_(int(setting(call.session, "extra_float_digits")) > 0, found, bits != -1 << 63)
    return decimal_text(call, k.constant(I64, 0), digits.get(), a < 0, scale.get()), good


WRITERS = {"date": date, "timestamp": timestamp, "timestamptz": timestamptz, "time": time, "numeric": numeric,
           "float4": floating, "float8": floating}


def register_cast(name, volatility, value):
    """The cast of a type to text."""
    @scalar(f"{name}_as_text({name}) -> text", cast="assignment", volatility=volatility,
            doc=f"The {lookup(name).sql_name} as text.", example=f"SELECT {name} '{value}'::text  -- {value}")
    def as_text(call, a):
        return written(call, call.types[0], a)


for name, volatility, value in (("date", "s", "2024-02-29"), ("timestamp", "s", "2024-02-29 12:34:56.7"),
                                ("timestamptz", "s", "2024-02-29 12:34:56+00"), ("time", "i", "12:34:56"),
                                ("numeric", "i", "-12.50"), ("float4", "s", "0.1"), ("float8", "s", "0.1")):
    register_cast(name, volatility, value)
