"""An answer as the lines of a sqllogictest file.

    I   whole numbers, cut off          R   three decimals          T   as it is; NULL, (empty), control characters as @

A file gives one value a line, or one row a line with tabs between the columns. Many values are "30 values hashing to
<md5 of all of them, each with a line feed behind it>".
"""
import hashlib
import re
from decimal import Decimal, InvalidOperation

HASHED = re.compile(r"(\d+) values hashing to ([0-9a-f]{32})")
ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def shown(value, type):
    """A value of an Answer (text or None) as it stands in a file."""
    if value is None:
        return "NULL"
    if type == "T":
        return printable(value) if value else "(empty)"
    try:
        number = Decimal({"t": "1", "f": "0"}.get(value, value))
    except InvalidOperation:
        return printable(value)
    if not number.is_finite():
        return value
    return f"{number:.3f}" if type == "R" else str(int(number))


def printable(text):
    """A text in one line: line feeds and tabs are escaped, other control characters shown as @."""
    return "".join(ESCAPES.get(character, character if character >= " " else "@") for character in text)


def values_of(rows, types, sort):
    """All values in order, as they are compared and hashed."""
    shown_rows = [[shown(value, type) for value, type in zip(row, types)] for row in rows]
    if sort == "rowsort":
        shown_rows.sort()
    values = [value for row in shown_rows for value in row]
    return sorted(values) if sort == "valuesort" else values


def hashed(values):
    """The line that stands for many values."""
    digest = hashlib.md5("".join(value + "\n" for value in values).encode(), usedforsecurity=False).hexdigest()
    return f"{len(values)} values hashing to {digest}"


def lines_of(values, width, sort, threshold):
    """The lines of a file for values: in rows of `width`, hashed where there are more than `threshold` (0 for never)."""
    if threshold and len(values) > threshold:
        return (hashed(values),)
    if sort == "valuesort" or width == 0:
        return tuple(values)
    return tuple("\t".join(values[at:at + width]) for at in range(0, len(values), width))


def unlike(values, expected, width):
    """None if values are what a file says in its lines, else a sentence."""
    if len(expected) == 1 and (found := HASHED.fullmatch(expected[0])):
        ours = hashed(values)
        return None if ours == found[0] else f"{ours} instead of {found[0]}"
    wanted = list(expected)
    if width > 1 and len(expected) * width == len(values) and any("\t" in line for line in expected):
        wanted = [value for line in expected for value in line.split("\t")]
    if values == wanted:
        return None
    at = next((n for n, (ours, theirs) in enumerate(zip(values, wanted)) if ours != theirs), min(len(values), len(wanted)))
    ours, theirs = (repr(side[at]) if at < len(side) else "nothing" for side in (values, wanted))
    return f"{len(values)} values instead of {len(wanted)}; value {at + 1}: {ours} instead of {theirs}"
