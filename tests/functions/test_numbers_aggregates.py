"""Aggregates of numbers, text and dates against PostgreSQL: over edge values, groups of every small size, in every tier."""
import random

import pytest

from caldera.base.errors import Error
from caldera.functions import load, registry
from caldera.types import registry as types
from tests.functions.staged import TIERS, aggregate
from tests.functions.test_numbers import EDGES

load()
pytestmark = [pytest.mark.slow, pytest.mark.oracle]
TEXTS = {"text": ["", "a", "ab", "abcdefghijkl", "abcdefghijklm", "abcdefghijklmn" * 9, "ä", "Z"],
         "bytea": [r"\x", r"\x00", r"\x0001", r"\xff", r"\x" + "ab" * 40], "bpchar": ["a", "b", "b", "abcdefghijklmnop"],
         "date": ["-infinity", "2024-02-29", "1999-12-31", "infinity"], "time": ["00:00:00", "24:00:00", "12:34:56.789"],
         "timestamp": ["-infinity", "2024-02-29 12:00:00", "0001-01-01 00:00:00 BC", "infinity"],
         "timestamptz": ["-infinity", "2024-02-29 12:00:00+00", "infinity"],
         "interval": ["1 mon", "30 days", "-1 days", "00:00:00", "720:00:00", "100 years"],
         "uuid": ["00000000-0000-0000-0000-000000000001", "ffffffff-0000-0000-0000-000000000001"],
         "oid": ["0", "4294967295"]}
MILD = {"float8": [1.5, -2.25, 1e10, 0.1, 3.0, 0.0], "float4": [1.5, -2.25, 1e10, 0.10000000149011612, 3.0]}


def datums(type):
    return EDGES.get(type.name) or [type.parse(text) for text in TEXTS[type.name]]


def groups(signature, seed):
    """Lists of rows: empty, single, pairs, more; with NULLs; and numbers of one kind that do not overflow."""
    chance = random.Random(f"{signature.name} {seed}")
    columns = [datums(types.lookup("int4") if type == registry.ANY else type) for type in signature.arguments]
    mild = [MILD.get(getattr(type, "name", ""), column) for type, column in zip(signature.arguments, columns)]
    for size in (0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 5, 5, 9, 20, 40):
        for values in (columns, mild):
            yield [tuple(chance.choice([*column, None] if chance.random() < 0.3 else column) for column in values)
                   for _ in range(size)]


def own_aggregates():
    """Signatures of which every argument has edge values."""
    return [signature for name in sorted(registry.AGGREGATES) for signature in registry.AGGREGATES[name]
            if not signature.implementation.within_group
            and all(getattr(type, "name", type) in (registry.ANY, *EDGES, *TEXTS) for type in signature.arguments)]


def query(signature, rows):
    """The aggregate over the rows as SQL."""
    names = [f"c{number}" for number in range(len(signature.arguments))]
    argument_types = ["int4" if type == registry.ANY else type.name for type in signature.arguments]
    if not names:
        return f"SELECT count(*) FROM generate_series(1, {len(rows)})"
    lines = [", ".join("NULL" if datum is None else "'" + types.lookup(type).format(datum).replace("'", "''") + "'"
                       for type, datum in zip(argument_types, row)) for row in rows]
    values = ", ".join(f"({line})" for line in lines) or f"({', '.join(['NULL'] * len(names))})"
    casts = ", ".join(f"{name}::{type}" for name, type in zip(names, argument_types))
    source = f"(VALUES {values}) t ({', '.join(names)})" + ("" if lines else " WHERE false")
    return f"SELECT {signature.name}({casts}) FROM {source}"


def own_answer(signature, rows, tier, parts):
    """The answer as text, or the SQLSTATE."""
    try:
        datum = aggregate(signature, rows, tier, parts)
    except Error as exception:
        return "! " + exception.sqlstate
    if isinstance(datum, tuple) and isinstance(datum[0], str):
        return "! " + datum[0]
    return None if datum is None else signature.result.format(datum)


def same(signature, got, wanted):
    if got == wanted or got is None or wanted is None or "!" in got + wanted:
        return got == wanted
    if signature.result.name not in ("float4", "float8"):
        return False
    tolerance = 1e-12 if signature.result.name == "float8" else 1e-6
    return abs(float(got) - float(wanted)) <= tolerance * max(abs(float(got)), abs(float(wanted)))


@pytest.mark.parametrize("signature", own_aggregates(),
                         ids=lambda s: f"{s.name}({', '.join(getattr(type, 'name', 'any') for type in s.arguments)})")
def test_aggregate_gives_what_postgresql_gives(oracle, signature):
    for number, rows in enumerate(groups(signature, 1)):
        answer = oracle.query(query(signature, rows))
        wanted = "! " + answer.sqlstate if answer.failed else answer.rows[0][0]
        if signature.name == "any_value" and wanted is not None:
            wanted = signature.result.format(next(value for value, in rows if value is not None))
        for tier in TIERS if number in (15, 22, 31) else TIERS[:1]:
            got = own_answer(signature, rows, tier, parts=1)
            if signature.name == "avg" and wanted == "! 22003" and "!" not in (got or "!"):
                continue            # PostgreSQL also sums squares and fails where those overflow
            assert same(signature, got, wanted), f"{tier}: {rows}"
