"""Whether two engines gave the same answer to a query, before anybody believes how long they took.

    rows ──plain──▶ plain values ──compare(shape, a, b)──▶ None, or what differs
                                 ──doubtful(shape, rows)──▶ rows that LIMIT chose among equals ──▶ membership query

Rows without an order are compared as multisets. Under ORDER BY and LIMIT engines may choose differently among rows whose
sort keys tie at the cut: there the keys must be equal, and each such row must occur in the result without the LIMIT.
Averages are floats in one engine and exact numbers in another: numbers agree within 1e-9 of their size.
"""
import datetime
import decimal
import math

TOLERANCE = 1e-9


def plain(rows):
    """Rows as tuples of None, int, float and str, whatever types an engine's Python interface uses."""
    return [tuple(map(plain_value, row)) for row in rows]


def plain_value(value):
    """A value by which engines can be compared: moments as texts, decimals and truth values as numbers, bytes as text."""
    if isinstance(value, (datetime.datetime, datetime.date)):
        text = value.isoformat(" ") if isinstance(value, datetime.datetime) else value.isoformat()
        return text.removesuffix("+00:00")
    if isinstance(value, decimal.Decimal):
        return int(value) if value.as_tuple().exponent == 0 else float(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode("utf-8", "replace")
    if isinstance(value, bool):
        return int(value)
    return value


def close(a, b):
    """Whether two plain values are equal, numbers within the tolerance."""
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and (isinstance(a, float) or isinstance(b, float)):
        return math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=1e-12) or (a != a and b != b)
    return a == b


def compare(shape, one, other):
    """None if the plain answers are the same as far as the query fixes them, else a sentence."""
    if len(one) != len(other):
        return f"{len(one)} rows against {len(other)}"
    for position, (a, b) in enumerate(zip(one, other, strict=True)):
        for key in shape.order:
            if not close(a[key], b[key]):
                return f"row {position + 1} sorts by {a[key]!r} against {b[key]!r}"
    sure_one, sure_other = (certain_rows(shape, rows) for rows in (one, other))
    for a, b in zip(in_order(sure_one, sure_other), in_order(sure_other, sure_one), strict=True):
        if not all(map(close, a, b)):
            return f"{shown_row(a)} against {shown_row(b)}"
    return None


def doubtful(shape, rows):
    """The rows that another engine may rightly have left out: those whose keys tie with the first or last, where cut."""
    cut_below = shape.limit is not None and len(rows) >= shape.limit
    if not cut_below and not shape.offset:
        return []
    keys = [tuple(row[key] for key in shape.order) for row in rows]
    edges = ([keys[-1]] if keys and cut_below else []) + ([keys[0]] if keys and shape.offset else [])
    return [row for row, key in zip(rows, keys, strict=True) if any(all(map(close, key, edge)) for edge in edges)]


def certain_rows(shape, rows):
    """The rows that another engine must have as well: those that are not doubtful."""
    unsure = set(map(id, doubtful(shape, rows)))
    return [row for row in rows if id(row) not in unsure]


def in_order(rows, others):
    """The rows in an order that does not hang on the last bits of floats: exact columns first."""
    if not rows:
        return rows
    inexact = [any(isinstance(row[i], float) for row in (*rows, *others)) for i in range(len(rows[0]))]
    order = sorted(range(len(inexact)), key=inexact.__getitem__)
    return sorted(rows, key=lambda row: [(row[i] is not None, isinstance(row[i], str), row[i]) for i in order])


def shown_row(row):
    """A row for people, of at most 102 characters."""
    text = ", ".join("NULL" if value is None else str(value) for value in row)
    return f"({text})" if len(text) <= 100 else f"({text[:97]}...)"


def membership(shape, rows):
    """A query for those of the plain rows that occur in the result without LIMIT, for PostgreSQL or DuckDB.

    Floats are left to `missing`. The columns are called c0, c1, ...
    """
    names = [f"c{i}" for i in range(len(rows[0]))]
    conditions = sorted({" AND ".join(equality_condition(name, value) for name, value in zip(names, row, strict=True)
                                      if not isinstance(value, float)) for row in rows})
    return f"SELECT * FROM ({shape.unlimited()}) AS u({', '.join(names)}) WHERE {' OR '.join(f'({c})' for c in conditions)}"


def missing(rows, found):
    """The first of the rows that is not among those found, or None."""
    return next((row for row in rows if not any(all(map(close, row, other)) for other in found)), None)


def equality_condition(name, value):
    """The SQL condition that a column has a value: an int, a str, or None for NULL."""
    if value is None:
        return f"{name} IS NULL"
    return f"{name} = '" + value.replace("'", "''") + "'" if isinstance(value, str) else f"{name} = {value}"
