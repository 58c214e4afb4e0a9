"""Records byte by byte: *= *<> *< *<= *> *>=, for which 1.0 and 1.00 differ.

The bytes are those that PostgreSQL has in memory, on machines whose words begin with their lowest byte: what fits a word
compares as an unsigned number, all else as bytes. Of types whose bytes are not known here (arrays, jsonb, ranges, records)
two values are told apart, but not put in order.
"""
import operator
import struct
from functools import partial

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.types.mixed_records import order_of

WORD = (1 << 64) - 1
WORDS = {"bool", "int2", "int4", "int8", "oid", "date", "time", "timestamp", "timestamptz"}
TEXTS = {"text", "varchar", "bpchar", "name", "json", "bytea"}
TESTS = {"eq": ("=", operator.eq, "have the same bytes"), "ne": ("<>", operator.ne, "have different bytes"),
         "lt": ("<", operator.lt, "are in order by their bytes"),
         "gt": (">", operator.gt, "are in reverse order by their bytes"),
         "le": ("<=", operator.le, "are alike or in order by their bytes"),
         "ge": (">=", operator.ge, "are alike or in reverse order by their bytes")}


def image_of(type, datum):
    """A datum as PostgreSQL has it in memory: the number of a word, or bytes; None where that is not known."""
    if type.base is not None:
        return image_of(type.base, datum)
    if type.name in WORDS or type.kind == "e":
        return int(datum) & WORD
    if type.name == "float8":
        return int.from_bytes(struct.pack("<d", datum), "little")
    if type.name == "float4":
        return int.from_bytes(struct.pack("<f", datum), "little", signed=True) & WORD
    if type.name == "numeric":
        return image_of_numeric(datum)
    if type.name == "uuid":
        return datum.bytes
    if type.name == "interval":
        return struct.pack("<qii", datum.microseconds, datum.days, datum.months)
    return type.to_bytes(datum) if type.name in TEXTS else None


def image_of_numeric(number):
    """A numeric: sign, scale and the weight of the first digit in two bytes, or in four if they are large; then its digits
    to the base of 10,000, without zeros at either end."""
    if not number.is_finite():
        return struct.pack("<H", 0xC000 if number.is_nan() else 0xF000 if number < 0 else 0xD000)
    sign, digits, exponent = number.as_tuple()
    scale = max(0, -exponent)
    whole = int("".join(map(str, digits))) * 10 ** (max(0, exponent) + -scale % 4)
    groups, weight = [], -((scale + 3) // 4) - 1
    while whole:
        whole, group = divmod(whole, 10_000)
        groups, weight = [group, *groups], weight + 1
    while groups and groups[-1] == 0:
        groups.pop()
    sign, weight = (sign, weight) if groups else (0, 0)
    if scale <= 0x3F and -64 <= weight < 64:
        head = struct.pack("<H", 0x8000 | sign << 13 | scale << 7 | (0x40 if weight < 0 else 0) | weight & 0x3F)
    else:
        head = struct.pack("<Hh", sign << 14 | scale, weight)
    return head + struct.pack(f"<{len(groups)}h", *groups)


def order_of_images(ordered, left, right, a, b):
    """Below, at or above 0 as the bytes of one datum come before, are or come behind those of another. Raises 0A000 where
    `ordered` and that is not known."""
    one, other = image_of(left, a), image_of(right, b)
    if one is None:
        alike = left.to_bytes(a) == right.to_bytes(b)
        if ordered and not alike:
            raise error("0A000", f"the order of the bytes of type {left.sql_name} is not supported yet")
        return 0 if alike else 1
    return (one > other) - (one < other)


def comparison(test, ordered):
    """The body of a comparison by bytes."""
    def body(types, a, b):
        return test(order_of(types, a, b, partial(order_of_images, ordered)), 0)
    return body


for suffix, (symbol, test, words) in TESTS.items():
    scalar(f"record_image_{suffix}(record, record) -> bool", operator=f"*{symbol}", python=True, wants_types=True,
           doc=f"Whether two records {words}.",
           example=f"SELECT record_image_{suffix}(ROW(1.0), ROW(1.00))  -- {'t' if suffix in ('ne', 'gt', 'ge') else 'f'}",
           )(comparison(test, suffix not in ("eq", "ne")))


@scalar("btrecordimagecmp(record, record) -> int4", python=True, wants_types=True,
        doc="-1, 0 or 1 as the left record comes before, with or behind the right one by their bytes.",
        example="SELECT btrecordimagecmp(ROW(1, 2), ROW(1, 3))  -- -1")
def btrecordimagecmp(types, a, b):
    return order_of(types, a, b, partial(order_of_images, True))
