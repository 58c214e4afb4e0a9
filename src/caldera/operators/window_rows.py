"""What window functions ask about sorted rows: where each row's partition, peers and frame begin and end, with numpy.

    rows       a a a a a b b        partition_first 0 0 0 0 0 5 5        partition_stop 5 5 5 5 5 7 7
    order      1 2 2 3 9 1 1        peer_first      0 1 1 3 4 5 5        peer_stop      1 3 3 4 5 7 7
                                    group           0 1 1 2 3 4 4

A frame is a list of up to three ranges of rows, as EXCLUDE cuts holes: pairs of arrays (first row, the row behind the last).
"""
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.storage import arrays
from caldera.storage.engine import ColumnData
from caldera.types.registry import TYPES

LARGEST = (1 << 63) - 1


@dataclass
class Argument:
    """An argument's values in the order of the rows, and which are not NULL (an array of bool)."""
    values: Any
    valid: Any


@dataclass
class FrameInput:
    """What a frame needs besides the boundaries of peers: the plan's Frame, the datums of its offsets (None where it has
    none), and for RANGE with offsets the key as ColumnData, the two bounds as ColumnData or None where numpy makes them, and
    whether the key descends."""
    frame: Any
    offsets: tuple = (None, None)
    key: Any = None
    bounds: tuple = (None, None)
    descending: bool = False


class WindowRows:
    """Sorted rows. new_partition, new_peers: which rows differ from the one before in the keys of the partition, and in any
    key."""

    def __init__(self, new_partition, new_peers, frame_input):
        self.count, self.frame_input = len(new_partition), frame_input
        self.new_partition, self.new_peers = new_partition, new_peers

    @cached_property
    def numbers(self):
        """The rows' numbers."""
        return np.arange(self.count)

    @cached_property
    def partition(self):
        """The number of each row's partition."""
        return np.cumsum(self.new_partition) - 1

    @cached_property
    def group(self):
        """The number of each row's group of peers, over all partitions."""
        return np.cumsum(self.new_peers) - 1

    @cached_property
    def group_firsts(self):
        """Where the groups begin, and the number of rows behind them."""
        return np.append(np.flatnonzero(self.new_peers), self.count)

    @cached_property
    def partition_firsts(self):
        """The same for partitions."""
        return np.append(np.flatnonzero(self.new_partition), self.count)

    @cached_property
    def partition_first(self):
        """For each row the first row of its partition."""
        return self.partition_firsts[self.partition]

    @cached_property
    def partition_stop(self):
        """For each row the row behind its partition."""
        return self.partition_firsts[self.partition + 1]

    @property
    def partition_size(self):
        """For each row how many rows its partition has."""
        return self.partition_stop - self.partition_first

    @cached_property
    def peer_first(self):
        """For each row the first of its peers."""
        return self.group_firsts[self.group]

    @cached_property
    def peer_stop(self):
        """For each row the row behind its peers."""
        return self.group_firsts[self.group + 1]

    # ---- frames

    @cached_property
    def ranges(self):
        """The frames: a list of pairs (first row, the row behind the last), arrays over all rows."""
        frame = self.frame_input.frame
        start = np.clip(self.bound(frame.start, 0), self.partition_first, self.partition_stop)
        stop = np.clip(self.bound(frame.stop, 1), start, self.partition_stop)
        if not frame.exclude:
            return [(start, stop)]
        alone = frame.exclude == "CURRENT ROW"
        first, behind = (self.numbers, self.numbers + 1) if alone else (self.peer_first, self.peer_stop)
        ranges = [(start, np.clip(first, start, stop)), (np.clip(behind, start, stop), stop)]
        if frame.exclude == "TIES":
            ranges.insert(1, (np.clip(self.numbers, start, stop), np.clip(self.numbers + 1, start, stop)))
        return ranges

    @property
    def frame_size(self):
        """For each row how many rows its frame has."""
        return sum(stop - start for start, stop in self.ranges)

    def nth_of_frame(self, number):
        """For each row the nth row of its frame, from 1; -1 where the frame has fewer."""
        found, left = np.full(self.count, -1), number - 1
        for start, stop in self.ranges:
            found = np.where((left >= 0) & (left < stop - start), start + left, found)
            left = left - (stop - start)
        return found

    def bound(self, kind, side):
        """Where frames begin (`side` 0), or the rows behind them (1); perhaps outside of the partition."""
        if kind == "UNBOUNDED PRECEDING":
            return self.partition_first
        if kind == "UNBOUNDED FOLLOWING":
            return self.partition_stop
        mode = self.frame_input.frame.mode
        if kind == "CURRENT ROW":
            return self.numbers + side if mode == "ROWS" else (self.peer_stop if side else self.peer_first)
        offset = self.offset(side)
        if mode == "RANGE":
            return self.range_bound(kind, offset, side)
        distance = min(offset, self.count + 1) * (-1 if kind == "PRECEDING" else 1)
        if mode == "ROWS":
            return self.numbers + distance + side
        group = self.group + distance + side
        return np.where(group < 0, 0, self.group_firsts[np.clip(group, 0, len(self.group_firsts) - 1)])

    def offset(self, side):
        """The datum of an offset. Raises 22004 for NULL, 22013 for what is negative."""
        offset, range = self.frame_input.offsets[side], self.frame_input.frame.mode == "RANGE"
        what = "ending" if side else "starting"
        if offset is None:
            raise error("22004", f"frame {what} offset must not be null")
        if not getattr(offset, "span", offset) >= 0:                # NaN is not, either
            raise error("22013", "invalid preceding or following size in window function" if range else
                        f"frame {what} offset must not be negative")
        return offset

    def range_bound(self, kind, offset, side):
        """The same for RANGE: the rows whose key is within the offset; those whose key is NULL see each other."""
        given, key = self.frame_input, self.frame_input.key
        found = (self.peer_stop if side else self.peer_first).copy()
        rows = self.numbers if key.valid is None else np.flatnonzero(key.valid)
        if not len(rows):
            return found
        key = arrays.take(key, rows)
        if given.bounds[side] is not None:
            bound = arrays.take(given.bounds[side], rows)
        else:
            back = (kind == "PRECEDING") != given.descending
            bound, key = moved(key, offset, back, side != given.descending), as_words(key)
        ranks = dense(arrays.concatenate([key, bound]))
        if given.descending:
            ranks = ranks.max() - ranks
        places = self.partition[rows] * (int(ranks.max()) + 1)
        keys, wanted = places + ranks[:len(rows)], places + ranks[len(rows):]
        found[rows] = np.searchsorted(keys, wanted, "right" if side else "left") + rows - np.arange(len(rows))
        return found


def is_float(type):
    """Whether values are floats."""
    return type.layout in (layouts.FLOAT4, layouts.FLOAT8)


def as_words(column):
    """A column of numbers of one word as one of int8 in the same order."""
    values = column.values
    if is_float(column.type):
        values = values.astype(np.float64) + 0.0                    # -0.0 becomes 0.0
        values = np.where(np.isnan(values), np.nan, values).view(np.int64)
        values = np.where(values < 0, values ^ LARGEST, values)
    return ColumnData(TYPES["int8"], values.astype(np.int64))


def moved(column, offset, back, upper):
    """Numbers of one word moved by an offset, as words. `upper`: they are upper bounds, which tells what infinity less
    infinity is."""
    values = column.values
    if is_float(column.type):
        with np.errstate(all="ignore"):
            sums = values.astype(np.float64) + (-offset if back else offset)
        sums = np.where(np.isnan(sums) & ~np.isnan(values), np.inf if upper else -np.inf, sums)
        return as_words(ColumnData(TYPES["float8"], sums))
    distance = getattr(offset, "microseconds", offset) if column.type.name == "time" else offset
    values = values.astype(np.int64)
    if back:
        return ColumnData(TYPES["int8"], np.where(values < distance - LARGEST - 1, -LARGEST - 1, values - distance))
    return ColumnData(TYPES["int8"], np.where(values > LARGEST - distance, LARGEST, values + distance))


def dense(column):
    """The numbers of a column's values in their order, equal ones the same, from 0."""
    keys = arrays.order_keys(column)
    order = arrays.order_of(keys)
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.cumsum(differs(keys, order)) - 1
    return ranks


def differs(keys, order=None):
    """Which rows differ from the one before in some key array, with the rows in an order; the first one does."""
    count = len(keys[0]) if order is None else len(order)
    found = np.zeros(count, bool)
    found[:1] = True
    for key in keys:
        key = key if order is None else key[order]
        found[1:] |= key[1:] != key[:-1]
    return found
