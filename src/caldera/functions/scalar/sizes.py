"""Sizes in bytes as people write them: pg_size_pretty, pg_size_bytes."""
import re
from decimal import Decimal

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.types import arithmetic
from caldera.types.registry import lookup

UNITS = "bytes", "kB", "MB", "GB", "TB", "PB"
SIZE_MAX = 10 << 10                             # bytes; more of them are shown in a larger unit
SIZE = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)\s*", re.IGNORECASE | re.ASCII)
BITS = {unit.lower(): 10 * number for number, unit in enumerate(UNITS)} | {"b": 0, "": 0}


@scalar("pg_size_pretty(int8) -> text", python=True, doc="A size in bytes, in the unit that suits it",
        example="SELECT pg_size_pretty(1234567::int8)  -- 1206 kB")
def size_pretty(size):
    """Between units the size is kept doubled, so that the last half can be rounded away from zero."""
    if abs(size) < SIZE_MAX:
        return f"{size} {UNITS[0]}"
    sign, doubled, unit = (-1 if size < 0 else 1), abs(size) >> 9, 1
    while doubled >= 2 * SIZE_MAX - 1 and unit < len(UNITS) - 1:
        doubled, unit = doubled >> 10, unit + 1
    return f"{sign * ((doubled + 1) // 2)} {UNITS[unit]}"


@scalar("pg_size_pretty(numeric) -> text", python=True, doc="A size in bytes, in the unit that suits it",
        example="SELECT pg_size_pretty(1234567.5)  -- 1206 kB")
def size_pretty_numeric(size):
    if not size.is_finite() or abs(size) < SIZE_MAX:
        return f"{lookup('numeric').format(size)} {UNITS[0] if size.is_finite() else UNITS[-1]}"
    return size_pretty(int(size))


@scalar("pg_size_bytes(text) -> int8", python=True, doc="The bytes of a size with a unit, or without",
        example="SELECT pg_size_bytes('1.5 kB')  -- 1536")
def size_bytes(text):
    found = SIZE.fullmatch(text)
    if found is None or found[2].lower() not in BITS:
        hint = None if found is None else \
            f'Valid units are "bytes", "B", {", ".join(f"{chr(34)}{unit}{chr(34)}" for unit in UNITS[1:-1])}, and "PB".'
        raise error("22023", f'invalid size: "{text}"', hint=hint,
                    detail=None if found is None else f'Invalid size unit: "{found[2]}".')
    size = int(arithmetic.round_to(arithmetic.mul(lookup("numeric").parse(found[1]), Decimal(1 << BITS[found[2].lower()]))))
    if not -2**63 <= size < 2**63:
        raise error("22003", "bigint out of range")
    return size
