"""Deltas: rows of small inserts, in memory and in the log, until there are enough of them for a part.

    commit ─▶ log: AddRows ─▶ Delta.append ─▶ a snapshot sees the first n rows, those that came with its CSN or before
                                            └─▶ at DELTA_ROWS or DELTA_BYTES it is closed, written as a part, and gone

Rows are only ever appended, in the order of commits, so a snapshot's rows are a beginning of the delta, and a scan reads
the same memory that later commits append to.
"""
import bisect

import numpy as np

from caldera.kernel import layouts
from caldera.kernel.text import TEXT_PADDING
from caldera.storage import arrays
from caldera.storage.encodings import choose, encode_plain, encoding_of
from caldera.storage.engine import ColumnData
from caldera.storage.segment import Segment, StoredColumn
from caldera.types.registry import base_of

DELTA_ROWS = 65_536
DELTA_BYTES = 32 << 20
FIRST_CAPACITY = 64


class GrowingArray:
    """A numpy array that is appended to. Views of its beginning stay as they are when it grows."""

    def __init__(self, dtype, words=1, spare=0):
        self.words, self.spare, self.count = words, spare, 0
        self.array = np.zeros(spare + FIRST_CAPACITY * words, dtype)

    def append(self, items):
        items = items.reshape(-1)
        needed = self.count + len(items) + self.spare
        if needed > len(self.array):
            larger = np.zeros(max(needed, 2 * len(self.array)), self.array.dtype)
            larger[:self.count] = self.array[:self.count]
            self.array = larger
        self.array[self.count:self.count + len(items)] = items
        self.count += len(items)

    def view(self, count):
        """The first `count` items, in rows of two for two-word layouts."""
        view = self.array[:count * self.words]
        return view.reshape(-1, 2) if self.words == 2 else view


class GrowingTexts:
    """Texts that are appended to. Their offsets are complete only after their bytes."""

    def __init__(self):
        self.offsets, self.blob = GrowingArray(np.int64), GrowingArray(np.uint8, spare=TEXT_PADDING)
        self.offsets.append(np.zeros(1, np.int64))

    def append(self, values):
        offsets, blob = values
        at = self.blob.count
        self.blob.append(blob[int(offsets[0]):int(offsets[-1])])
        self.offsets.append(offsets[1:] + (at - int(offsets[0])))

    def view(self, count):
        offsets = self.offsets.array[:count + 1]
        return offsets, self.blob.array[:int(offsets[-1]) + TEXT_PADDING]


class GrowingColumn:
    """A column that is appended to. It takes text form when the first column in text form comes. Others may read the rows
    that are there while more are appended, so `values` and `valid` are only replaced by what has all these rows already."""

    def __init__(self, type):
        self.type, self.row_count, self.valid = type, 0, None
        self.values = GrowingTexts() if arrays.is_text(type) else GrowingArray(type.layout.dtype, type.layout.words)

    def append(self, data):
        rows = arrays.row_count(data)
        if arrays.in_text_form(data) and not isinstance(self.values, GrowingTexts):
            texts = GrowingTexts()
            texts.append(arrays.to_text_form(self.data(self.row_count)).values)
            self.values = texts
        if data.valid is not None and self.valid is None:
            valid = GrowingArray(np.uint8)
            valid.append(np.ones(self.row_count, np.uint8))
            self.valid = valid
        self.values.append(arrays.to_text_form(data).values if isinstance(self.values, GrowingTexts) else data.values)
        if self.valid is not None:
            self.valid.append(np.ones(rows, np.uint8) if data.valid is None else data.valid)
        self.row_count += rows

    def data(self, count):
        """The first `count` rows as ColumnData over the same memory."""
        values, valid = self.values, self.valid
        return ColumnData(self.type, values.view(count), None if valid is None else valid.view(count))


class RowBuffer:
    """Growing columns by name."""

    def __init__(self, columns):
        self.columns = {column.name: GrowingColumn(base_of(column.type)) for column in columns}
        self.row_count = self.byte_count = 0

    def append(self, columns, row_count):
        for name, data in columns.items():
            self.columns[name].append(data)
        self.row_count += row_count
        self.byte_count += sum(map(arrays.byte_count, columns.values()))

    @property
    def is_full(self):
        """Whether there are enough rows, or bytes, for a part."""
        return self.row_count >= DELTA_ROWS or self.byte_count >= DELTA_BYTES

    def data(self, count):
        return {name: column.data(count) for name, column in self.columns.items()}

    def segment(self, count):
        """The first `count` rows as a Segment."""
        return Segment(count, lambda name: plain_column(self.columns[name].data(count)))


def plain_column(data):
    """A StoredColumn over the memory of a column array, also that of its validity."""
    if arrays.in_text_form(data) and not arrays.is_text(data.type):
        return StoredColumn(data.type, encoding_of("long", data.type.layout).encode(data.values), validity_of(data))
    if data.type.layout is layouts.NUMERIC:         # of one scale, as a rule: then expressions are integer arithmetic
        valid = None if data.valid is None else data.valid.astype(bool)
        return StoredColumn(data.type, choose(data.type.layout, data.values, valid), validity_of(data))
    return StoredColumn(data.type, encode_plain(data.type.layout, data.values), validity_of(data))


def validity_of(data):
    """The validity bytes of a column array as Encoded, or None."""
    return None if data.valid is None else encode_plain(layouts.BOOLEAN, data.valid.view(np.int8))


class Delta:
    """A delta of one table; comes and goes as all things do, and its rows come one commit after another."""

    def __init__(self, number, columns):
        self.number, self.came, self.gone, self.closed = number, 0, 0, False
        self.buffer = RowBuffer(columns)
        self.csns, self.counts = [], []         # after the commit csns[i] it had counts[i] rows
        self.latest = 0, None                   # (row count, segment) of the last look

    @property
    def row_count(self):
        return self.buffer.row_count

    @property
    def is_full(self):
        """Whether there are enough rows for a part."""
        return self.buffer.is_full

    def append(self, columns, row_count, csn):
        self.buffer.append(columns, row_count)
        self.counts.append(self.buffer.row_count)
        self.csns.append(csn)

    def rows_at(self, csn):
        """How many rows a snapshot sees."""
        at = bisect.bisect_right(self.csns, csn)
        return self.counts[at - 1] if at else 0

    def segment(self, csn):
        """The rows that a snapshot sees, as a Segment."""
        count, segment = self.latest
        rows = self.rows_at(csn)
        if segment is None or count != rows:
            segment = self.buffer.segment(rows)
            self.latest = rows, segment
        return segment


# ------------------------------------------------------------------------------------------------ in the log

def to_logged(columns):
    """{name: ColumnData} as AddRows has them."""
    return {name: arrays.to_bytes(data) for name, data in columns.items()}


def from_logged(schema, logged):
    """{name: ColumnData} of what `to_logged` made for columns of that schema."""
    return {column.name: arrays.from_bytes(column.type, logged[column.name]) for column in schema}
