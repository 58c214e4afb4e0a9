"""Sorting what memory has no room for: sorted runs on disk, and their merge.

    a worker's rows ─ order ─▶ run: pages of rows in order ─┐
    a worker's rows ─ order ─▶ run                          ├─ merge ─▶ batches of rows in order
                                                           ─┘
A step of the merge looks at the last row of the page that each run is read from. The least of them is a bound: rows up to it
lie in the pages that are there, so they are found by bisection, and put in order together as rows in memory are. Every row
also has a *place*, its number in the order of arrival, which decides between equal ones as a stable sort does.

No more than FAN_IN runs are merged at once; the first ones become one run before. (Knuth, volume 3, 5.4.1.)
"""
import bisect

import numpy as np

from caldera.storage import arrays
from caldera.storage.engine import ColumnData
from caldera.types.columns import to_datums
from caldera.types.registry import TYPES

FAN_IN = 64
PAGE_ROWS_MIN = 1 << 8
BATCH_ROWS_MIN = 1 << 12
MORSEL_SHIFT = 40               # of a place: the morsel's number is above, below it the number among the worker's rows


def places_of(beginnings, worker, seen, count):
    """The places of `count` rows of a worker that has had `seen` before. beginnings: pairs (morsel, first row), or empty
    where there are no morsels."""
    morsels = np.full(count, worker, np.int64)
    for morsel, first in beginnings:
        morsels[first:] = morsel
    return ColumnData(TYPES["int8"], (morsels << MORSEL_SHIFT) + np.arange(seen, seen + count))


class SortRuns:
    """The runs of a Sort (`sort.order_words` says what they are in order by; the place is the last column of all)."""

    def __init__(self, sort, spill):
        self.sort, self.spill, self.runs, self.batch_rows = sort, spill, [], BATCH_ROWS_MIN
        self.few, self.few_rows = [], 0                 # rows that are not worth a run yet
        self.positions = {word.column.id: sort.position_of(word.column) for word in sort.order_words}
        self.positions |= {word.ranked.id: sort.position_of(word.ranked) for word in sort.order_words if word.ranked}

    def add(self, columns, places):
        """Write rows, in any order, as a run; very few of them together with others."""
        self.few.append([*columns, places])
        self.few_rows += len(places.values)
        if self.few_rows >= PAGE_ROWS_MIN:
            self.write_run()

    @property
    def has_rows(self):
        """Whether any rows have come."""
        return bool(self.runs or self.few)

    def write_run(self):
        """Write what has come as a run."""
        columns, self.few, self.few_rows = joined(self.few), [], 0
        order = self.order_of(columns)
        self.batch_rows = max(self.batch_rows, len(order) // 8)
        self.runs.append(self.written([[arrays.take(data, order) for data in columns]]))
        self.spill.runs += 1

    def written(self, batches):
        """The pages of batches of rows in order."""
        pages = []
        for columns in batches:
            count = len(columns[-1].values)
            size = max(PAGE_ROWS_MIN, count // FAN_IN)
            for first in range(0, count, size):
                rows = min(size, count - first)
                pages.append(self.spill.write([arrays.cut(data, first, rows) for data in columns], rows))
        return pages

    def order_of(self, columns):
        """Row numbers in order."""
        words = [*self.sort.key_words(columns[:-1]), columns[-1].values]
        return self.sort.order_of_words(words, len(columns[-1].values))

    def merged(self):
        """Batches of all rows in order: lists of ColumnData, the last of which are the places."""
        if self.few:
            self.write_run()
        while len(self.runs) > FAN_IN:
            self.runs = [self.written(self.merge(self.runs[:FAN_IN])), *self.runs[FAN_IN:]]
        yield from self.merge(self.runs)

    def merge(self, runs):
        """Batches of the rows of some runs in order, with places."""
        readers, waiting, count = [RunReader(self, pages) for pages in runs], [], 0
        while readers:
            columns = self.step(readers)
            waiting.append(columns)
            count += len(columns[-1].values)
            readers = [reader for reader in readers if not reader.is_done]
            if count >= self.batch_rows or not readers:
                yield joined(waiting)
                waiting, count = [], 0

    def step(self, readers):
        """The next rows in order: all that are no greater than the least of the pages' last rows."""
        lasts = joined([reader.last_row for reader in readers])
        bound = readers[self.order_of(lasts)[0]].last_key()
        columns = joined([piece for reader in readers if (piece := reader.taken(bound)) is not None])
        order = self.order_of(columns)
        return [arrays.take(data, order) for data in columns]


class RunReader:
    """Where a run is read, page by page. `runs`: the SortRuns that it belongs to."""

    def __init__(self, runs, pages):
        self.runs, self.pages = runs, pages[::-1]
        self.next_page()

    def next_page(self):
        """Read on; after the last page the run `is_done`."""
        self.is_done, self.first = not self.pages, 0
        self.columns = None if self.is_done else self.runs.spill.read(self.pages.pop())
        self.count = 0 if self.is_done else len(self.columns[-1].values)
        self.last_row = None if self.is_done else self.cut(self.count - 1, 1)

    def cut(self, first, count):
        """Some of the page's rows."""
        return [arrays.cut(data, first, count) for data in self.columns]

    def last_key(self):
        """Its key: what `keys` look up."""
        return [key[self.count - 1] for key in self.keys()]

    def keys(self):
        """What the rows are in order by: sequences, the first one decides first."""
        for word in self.runs.sort.order_words:
            if word.ranked is None:
                yield self.columns[self.runs.positions[word.column.id]].values
            else:
                yield RankedKeys(self.columns[self.runs.positions[word.ranked.id]], word.descending)
        yield self.columns[-1].values

    def taken(self, bound):
        """The rows up to a bound, which are no longer to be read then, or None."""
        low, high = self.first, self.count
        for key, value in zip(self.keys(), bound):          # rows before `low` are less; those from `high` on are greater
            low, high = bisect.bisect_left(key, value, low, high), bisect.bisect_right(key, value, low, high)
        piece = self.cut(self.first, high - self.first) if high > self.first else None
        self.first = high
        if high == self.count:
            self.next_page()
        return piece


class RankedKeys:
    """Texts, arrays or numerics in their order, as what bisection compares."""

    def __init__(self, data, descending):
        self.data, self.descending, self.is_text = arrays.without_null_values(data), descending, arrays.in_text_form(data)

    def __getitem__(self, number):
        if self.is_text:
            offsets, blob = self.data.values
            key = blob[int(offsets[number]):int(offsets[number + 1])].tobytes()
            if not self.data.type.bytes_are_ordered:
                key = self.data.type.sort_key(self.data.type.from_bytes(key))
        else:
            found, = to_datums(self.data.type, self.data.values[number:number + 1])
            key = self.data.type.sort_key(found)
        return Reversed(key) if self.descending else key

    def __len__(self):
        return arrays.row_count(self.data)


class Reversed:
    """A key in the opposite order."""

    def __init__(self, key):
        self.key = key

    def __lt__(self, other):
        return other.key < self.key


def joined(pieces):
    """The columns of several lists of columns, one after the other."""
    return [arrays.concatenate([piece[number] for piece in pieces]) for number in range(len(pieces[0]))]
