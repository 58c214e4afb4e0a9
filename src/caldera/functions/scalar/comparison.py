"""= <> < <= > >= for every type, and between types that share an order.

A type says what equal and less mean (caldera.types); all six operators follow from that. Between types of different width
both sides are first brought to the wider one; dates and timestamps to moments, of which a date beyond the timestamps' range
is the last before infinity.

    OPERATORS x TYPES   int4lt(int4, int4)           CROSS   int48lt(int4, int8)    date_lt_timestamptz(date, timestamptz)
"""
from caldera.functions.registry import scalar
from caldera.functions.scalar.clocks import NO_ZONE, session_clock
from caldera.functions.scalar.moments import is_finite, is_finite_date, moment_of_date
from caldera.kernel.interface import I64
from caldera.types.calendar import MOMENT_EARLY, MOMENT_END, MOMENT_LATE, MOMENT_MIN
from caldera.types.registry import TYPES, lookup

NAMES = {"bool": "bool{}", "int2": "int2{}", "int4": "int4{}", "int8": "int8{}", "float4": "float4{}", "float8": "float8{}",
         "numeric": "numeric_{}", "text": "text_{}", "bpchar": "bpchar{}", "name": "name{}", "char": "char{}",
         "bytea": "bytea{}", "date": "date_{}", "time": "time_{}", "timestamp": "timestamp_{}",
         "timestamptz": "timestamptz_{}",
         "interval": "interval_{}", "uuid": "uuid_{}", "oid": "oid{}",
         "jsonb": "jsonb_{}"}
EXCEPTIONS = {"text_eq": "texteq", "text_ne": "textne"}
EXAMPLES = {"bool": ("false", "true"), "text": ("'a'", "'b'"), "bpchar": ("'a'", "'b'"), "name": ("'a'", "'b'"),
            "char": ("'a'", "'b'"), "bytea": (r"'\x01'", r"'\x02'"), "date": ("'2024-01-01'", "'2024-01-02'"),
            "time": ("'09:00'", "'10:00'"), "timestamp": ("'2024-01-01'", "'2024-01-02'"),
            "timestamptz": ("'2024-01-01'", "'2024-01-02'"), "interval": ("'1 day'", "'25 hours'"),
            "uuid": ("'00000000-0000-0000-0000-000000000001'", "'00000000-0000-0000-0000-000000000002'"),
            "jsonb": ("'1'", "'[2]'")}
OPERATORS = {   # symbol: (suffix, words, whether it holds for a smaller left side)
    "=": ("eq", "equal to", False), "<>": ("ne", "different from", True), "<": ("lt", "less than", True),
    "<=": ("le", "less than or equal to", True), ">": ("gt", "greater than", False),
    ">=": ("ge", "greater than or equal to", False)}
CROSS = [("int2", "int4", "int24{}"), ("int2", "int8", "int28{}"), ("int4", "int2", "int42{}"), ("int4", "int8", "int48{}"),
         ("int8", "int2", "int82{}"), ("int8", "int4", "int84{}"), ("float4", "float8", "float48{}"),
         ("float8", "float4", "float84{}"), ("name", "text", "name{}text"), ("text", "name", "text{}name"),
         ("date", "timestamp", "date_{}_timestamp"), ("timestamp", "date", "timestamp_{}_date"),
         ("date", "timestamptz", "date_{}_timestamptz"), ("timestamptz", "date", "timestamptz_{}_date"),
         ("timestamp", "timestamptz", "timestamp_{}_timestamptz"), ("timestamptz", "timestamp", "timestamptz_{}_timestamp")]


def compared(k, type, symbol, a, b):
    """Staged BOOL of an operator between values of one type."""
    if symbol in ("=", "<>"):
        equal = type.equal(k, a, b)
        return equal if symbol == "=" else k.not_(equal)
    if symbol in ("<", ">="):
        less = type.less(k, a, b)
        return less if symbol == "<" else k.not_(less)
    greater = type.less(k, b, a)
    return greater if symbol == ">" else k.not_(greater)


def comparison(symbol, type, lift=None):
    """The body of an operator on a type; `lift(call, value, its type)` brings arguments of other types to it."""
    def body(call, a, b):
        if lift is not None:
            a, b = (lift(call, value, own) for value, own in zip((a, b), call.types))
        return compared(call.k, type, symbol, a, b)
    return body


def to_wider(call, value, type):
    """An integer or float of either width as one of 64 bits."""
    wider = "float8" if type.category == "N" and "float" in type.name else "int8"
    return call.k.convert(value, lookup(wider).layout.type)


def unchanged(call, value, type):
    """text and name are alike."""
    return value


def to_moment(clock_of):
    """Dates and local times as moments, those out of range just beyond it. `clock_of(call)`: the clock of local times."""
    def lift(call, value, type):
        k, clock = call.k, clock_of(call)
        if type.name == "timestamptz":
            return value
        local, late, finite = value, False, is_finite(k, value)
        if type.name == "date":
            finite = is_finite_date(k, value)
            local, late = moment_of_date(k, value)
        moment = clock.universal(k, local)
        last, first = k.constant(I64, MOMENT_LATE - 1), k.constant(I64, MOMENT_EARLY + 1)
        moment = k.choose(moment < MOMENT_MIN, first, k.choose(k.or_(late, moment >= MOMENT_END), last, moment))
        return k.choose(finite, moment, local)
    return lift


def lift_of(left, right):
    """(type in which two types are compared, how values get there, volatility)."""
    names = {left, right}
    if "timestamptz" in names:
        return "timestamptz", to_moment(session_clock), "s"
    if "date" in names:
        return "timestamp", to_moment(lambda call: NO_ZONE), "i"
    if "name" in names:
        return "text", unchanged, "i"
    return ("float8" if "float4" in names else "int8"), to_wider, "i"


def define(left, right, pattern, type, lift=None, volatility="i"):
    """Register the six operators between two types."""
    low, high = EXAMPLES.get(left, ("1", "2"))[0], EXAMPLES.get(right, ("1", "2"))[1]
    cheap = lookup(type).layout.words == 1 and volatility == "i"
    for symbol, (suffix, words, holds) in OPERATORS.items():
        name = EXCEPTIONS.get(pattern.format(suffix), pattern.format(suffix))
        quoted = ['"char"' if side == "char" else side for side in (left, right)]
        scalar(f"{name}({left}, {right}) -> bool", operator=symbol, cheap=cheap, volatility=volatility,
               doc=f"Whether the left side is {words} the right one.",
               example=f"SELECT {low}::{quoted[0]} {symbol} {high}::{quoted[1]}  -- {'t' if holds else 'f'}",
               )(comparison(symbol, lookup(type), lift))


for own, pattern in NAMES.items():
    if own in TYPES:
        define(own, own, pattern, own)
for left, right, pattern in CROSS:
    define(left, right, pattern, *lift_of(left, right))
