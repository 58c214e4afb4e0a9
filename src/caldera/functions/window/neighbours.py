"""Values of other rows: of those a number of rows away in the partition, and at places in the frame."""
import numpy as np

from caldera.base.errors import error
from caldera.functions.registry import window

LETTERS = "FROM (VALUES ('a'), ('b'), ('c')) t (x) ORDER BY x DESC LIMIT 1"


def away(rows, distance, valid=True):
    """The rows so many rows on, -1 outside of the partition. What is not valid is NULL, whatever the default says."""
    distance = np.clip(distance, -rows.count, rows.count)
    at = rows.numbers + distance
    inside = (at >= rows.partition_first) & (at < rows.partition_stop)
    return np.where(valid, np.where(inside, at, -1), -2)


@window("lag(anyelement) -> anyelement", "lag(anyelement, int4) -> anyelement",
        "lag(anycompatible, int4, anycompatible) -> anycompatible", picks=True,
        doc="The value in the row so many rows before in the partition; a default where there is none.",
        example=f"SELECT lag(x) OVER (ORDER BY x) {LETTERS}  -- b")
def lag(rows, value, distance=None, otherwise=None):
    """One row before, if nothing is said."""
    return away(rows, -1) if distance is None else away(rows, -distance.values.astype(np.int64), distance.valid)


@window("lead(anyelement) -> anyelement", "lead(anyelement, int4) -> anyelement",
        "lead(anycompatible, int4, anycompatible) -> anycompatible", picks=True,
        doc="The value in the row so many rows behind in the partition; a default where there is none.",
        example=f"SELECT lead(x, -2) OVER (ORDER BY x) {LETTERS}  -- a")
def lead(rows, value, distance=None, otherwise=None):
    """One row behind, if nothing is said."""
    return away(rows, 1) if distance is None else away(rows, distance.values.astype(np.int64), distance.valid)


@window("first_value(anyelement) -> anyelement", picks=True, doc="The value in the first row of the frame.",
        example=f"SELECT first_value(x) OVER (ORDER BY x) {LETTERS}  -- a")
def first_value(rows, value):
    """NULL where the frame is empty."""
    return rows.nth_of_frame(np.ones(rows.count, np.int64))


@window("last_value(anyelement) -> anyelement", picks=True, doc="The value in the last row of the frame.",
        example=f"SELECT last_value(x) OVER (ORDER BY x) {LETTERS}  -- c")
def last_value(rows, value):
    """NULL where the frame is empty."""
    return rows.nth_of_frame(rows.frame_size)


@window("nth_value(anyelement, int4) -> anyelement", picks=True, doc="The value in the nth row of the frame, from 1.",
        example=f"SELECT nth_value(x, 2) OVER (ORDER BY x) {LETTERS}  -- b")
def nth_value(rows, value, number):
    """NULL where the frame has fewer rows, or where the number is NULL."""
    n = np.where(number.valid, number.values.astype(np.int64), 1)
    if (n <= 0).any():
        raise error("22016", "argument of nth_value must be greater than zero")
    return np.where(number.valid, rows.nth_of_frame(n), -1)
