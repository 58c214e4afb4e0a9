"""Ranges as sets of values: the order of their bounds, and union, intersection and difference of them.

    Range(lower, upper, lower_inc, upper_inc)       a datum; None is a bound that is not there; EMPTY: no value at all
    low(type, range), high(type, range)             places of bounds, which compare as Python tuples do
    merged(type, ranges)                            a multirange: ranges in order that neither overlap nor touch

`type` is the RangeType, which knows the order of the values (`value_key`) and puts ranges into canonical form (`make`).
Definitions are those of PostgreSQL's manual, "Range Functions and Operators".
"""
from typing import Any, NamedTuple

from caldera.base.errors import error


class Range(NamedTuple):
    """What lies between two values. is_empty: there is none, and the other fields mean nothing."""
    lower: Any = None
    upper: Any = None
    lower_inc: bool = False
    upper_inc: bool = False
    is_empty: bool = False


EMPTY = Range(is_empty=True)
FIRST, LAST = (-1,), (1,)


def place(type, value, shift):
    """The place of a bound at a value; shift: -1 just below it, 0 at it, 1 just above."""
    return 0, type.value_key(value), shift


def low(type, range):
    """Where a range begins."""
    return FIRST if range.lower is None else place(type, range.lower, 0 if range.lower_inc else 1)


def high(type, range):
    """Where a range ends."""
    return LAST if range.upper is None else place(type, range.upper, 0 if range.upper_inc else -1)


def holds(type, range, value):
    """Whether a value lies in a range."""
    return not range.is_empty and low(type, range) <= place(type, value, 0) <= high(type, range)


def contains(type, a, b):
    """Whether all values of b lie in a."""
    return b.is_empty or not a.is_empty and low(type, a) <= low(type, b) and high(type, b) <= high(type, a)


def overlap(type, a, b):
    """Whether a value lies in both."""
    return not (a.is_empty or b.is_empty) and low(type, a) <= high(type, b) and low(type, b) <= high(type, a)


def is_before(type, a, b):
    """Whether all of a lies before all of b."""
    return not (a.is_empty or b.is_empty) and high(type, a) < low(type, b)


def touch(type, a, b):
    """Whether a and b lie side by side, with nothing between them and nothing in both."""
    return not (a.is_empty or b.is_empty) and (meets(type, a, b) or meets(type, b, a))


def meets(type, a, b):
    """Whether b begins where a ends, at a value that one of them has."""
    return a.upper is not None and b.lower is not None and type.value_key(a.upper) == type.value_key(b.lower) \
        and a.upper_inc != b.lower_inc


def hull(type, a, b):
    """The least range that contains both."""
    if a.is_empty or b.is_empty:
        return b if a.is_empty else a
    first = a if low(type, a) < low(type, b) else b             # of equal bounds, which may show apart, PostgreSQL takes b's
    last = a if high(type, a) > high(type, b) else b
    return Range(first.lower, last.upper, first.lower_inc, last.upper_inc)


def union(type, a, b):
    """What lies in either. Raises 22000 if there is a gap between them."""
    if not (a.is_empty or b.is_empty or overlap(type, a, b) or touch(type, a, b)):
        raise error("22000", "result of range union would not be contiguous")
    return hull(type, a, b)


def intersection(type, a, b):
    """What lies in both."""
    if not overlap(type, a, b):
        return EMPTY
    first, last = max(a, b, key=lambda range: low(type, range)), min(a, b, key=lambda range: high(type, range))
    return type.make(first.lower, last.upper, first.lower_inc, last.upper_inc)


def remainders(type, a, b):
    """What of a lies before b, and what behind it: Ranges, EMPTY where there is nothing."""
    if not overlap(type, a, b):
        return (a, EMPTY) if is_before(type, a, b) else (EMPTY, a)
    before = after = EMPTY
    if low(type, a) < low(type, b):
        before = type.make(a.lower, b.lower, a.lower_inc, not b.lower_inc)
    if high(type, b) < high(type, a):
        after = type.make(b.upper, a.upper, not b.upper_inc, a.upper_inc)
    return before, after


def difference(type, a, b):
    """What lies in a but not in b. Raises 22000 where that are two pieces."""
    if a.is_empty or b.is_empty:
        return a
    before, after = remainders(type, a, b)
    if not (before.is_empty or after.is_empty):
        raise error("22000", "result of range difference would not be contiguous")
    return after if before.is_empty else before


# ------------------------------------------------------------------------------------------------ multiranges

def merged(type, ranges):
    """The multirange of what lies in any of some ranges."""
    found = []
    present = [range for range in ranges if not range.is_empty]
    for range in sorted(present, key=lambda range: (low(type, range), high(type, range))):
        if found and (overlap(type, found[-1], range) or touch(type, found[-1], range)):
            found[-1] = hull(type, found[-1], range)
        else:
            found.append(range)
    return tuple(found)


def common(type, a, b):
    """The multirange of what lies in two."""
    return merged(type, [intersection(type, one, other) for one in a for other in b])


def without(type, a, b):
    """The multirange of what lies in a but not in b."""
    left = list(a)
    for taken in b:
        left = [piece for range in left for piece in remainders(type, range, taken) if not piece.is_empty]
    return tuple(left)
