"""Places of rows in their partitions."""
import numpy as np

from caldera.base.errors import error
from caldera.functions.registry import window

LETTERS = "FROM (VALUES ('a'), ('b'), ('b'), ('c')) t (x) ORDER BY x DESC LIMIT 1"


@window("row_number() -> int8", doc="The number of the row in its partition, from 1.",
        example=f"SELECT row_number() OVER (ORDER BY x) {LETTERS}  -- 4")
def row_number(rows):
    """Rows count from where their partition begins."""
    return rows.numbers - rows.partition_first + 1


@window("rank() -> int8", doc="The number of the first of the row's peers in the partition, from 1.",
        example=f"SELECT rank() OVER (ORDER BY x) {LETTERS}  -- 4")
def rank(rows):
    """With gaps behind peers."""
    return rows.peer_first - rows.partition_first + 1


@window("dense_rank() -> int8", doc="The number of the row's group of peers in the partition, from 1.",
        example=f"SELECT dense_rank() OVER (ORDER BY x) {LETTERS}  -- 3")
def dense_rank(rows):
    """Without gaps."""
    return rows.group - rows.group[rows.partition_first] + 1


@window("percent_rank() -> float8", doc="The rank as a share of the way from the first to the last row, 0 to 1.",
        example=f"SELECT percent_rank() OVER (ORDER BY x) {LETTERS}  -- 1")
def percent_rank(rows):
    """0 where the partition has one row."""
    return (rows.peer_first - rows.partition_first) / np.maximum(rows.partition_size - 1, 1)


@window("cume_dist() -> float8", doc="The share of the partition's rows that come before the row or are its peers.",
        example=f"SELECT cume_dist() OVER (ORDER BY x) {LETTERS}  -- 1")
def cume_dist(rows):
    """Peers count as before."""
    return (rows.peer_stop - rows.partition_first) / rows.partition_size


@window("ntile(int4) -> int4", doc="The number, from 1, of the row's share when the partition is cut into so many.",
        example=f"SELECT ntile(3) OVER (ORDER BY x) {LETTERS}  -- 3")
def ntile(rows, buckets):
    """The first shares are one row larger. The first number in a partition that is not NULL counts, from its row on."""
    counts = np.flatnonzero(buckets.valid)
    place = np.searchsorted(counts, rows.partition_first)
    start = np.append(counts, rows.count)[place]                # where each row's partition begins to count
    valid = start <= rows.numbers
    start = np.where(valid, start, rows.numbers)
    number = np.where(valid, buckets.values[start].astype(np.int64), 1)
    if (number <= 0).any():
        raise error("22014", "argument of ntile must be greater than zero")
    small, larger = rows.partition_size // number, rows.partition_size % number
    at, edge = rows.numbers - start, larger * (small + 1)
    tile = np.where(at < edge, at // (small + 1), larger + (at - edge) // np.maximum(small, 1))
    return tile + 1, valid
