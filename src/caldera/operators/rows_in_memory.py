"""Rows that lie in memory as columns: what a sort left behind, constants, what plain Python made."""
import itertools

import numpy as np

from caldera.kernel.blocks import Block
from caldera.kernel.interface import I8, I64, Pointer, Struct
from caldera.kernel.layouts import TEXT
from caldera.kernel.nullable import Sql
from caldera.operators.morsels import Morsels
from caldera.operators.pipeline import Stream
from caldera.storage import arrays
from caldera.storage.encodings.text_cells import make_cells
from caldera.types.text_arrays import rebased

MORSEL_ROWS = 1 << 14           # at most: what follows is often much work for a row


def from_memory(columns, data, order=None, row_count=0, batches=None, read=None):
    """The Stream of a ColumnsSource."""
    source = ColumnsSource(columns, data, order, row_count)
    source.batches, source.read = batches, read
    return Stream(source, [], plain_columns={column.id: column.id for column in columns})


class ColumnsSource(Morsels):
    """Columns in memory: `columns` of the plan, and `data()` that gives their ColumnData when the run starts; `order()`, if
    given, gives the row numbers to read, in order (an int64 array). In order means by one worker. `batches()`, if given, is
    asked first: of rows that are not in memory it gives pairs (columns, row count) of some thousands at a time, each for a
    round of its own. `read()`, if given, hears when `data` was read for good."""

    words, batches, read, batch, held = "Rows in Memory", None, None, None, 0

    def __init__(self, columns, data, order=None, row_count=0):
        """`row_count`: how many rows there are, if there is no column to tell; or a function that knows once it runs."""
        super().__init__()
        self.allocation, self.held = None, 0
        self.columns, self.data, self.order, self.nullable = columns, data, order, {}
        self.counted = row_count if callable(row_count) else lambda: self.row_count_without_columns
        self.row_count_without_columns, self.morsels_before = 0 if callable(row_count) else row_count, 0
        self.parallel = order is None
        fields = {}
        for number, column in enumerate(columns):
            fields |= {f"values{number}": Pointer(column.type.layout.element), f"valid{number}": Pointer(I8)}
        self.layout = Struct(**self.fields, before=I64, order=Pointer(I64), **fields)

    @property
    def is_repeatable(self):
        return self.read is None and self.batch is None

    @property
    def facts(self):
        return tuple(sorted(self.nullable.items())), self.lifetime

    @property
    def lifetime(self):
        """Of texts: those of a batch go with it."""
        return "part" if self.batch is None else "block"

    def rounds(self, run):
        """One, or one for each batch of rows."""
        self.batch, self.morsels_before = None, 0
        batches = None if self.batches is None else self.batches()
        if batches is None:
            yield
            return
        nothing = [arrays.empty(column.type) for column in self.columns], 0
        for number, self.batch in enumerate(itertools.chain([next(batches, nothing)], batches)):
            if number:
                self.morsels_before += self.morsel_count
            run.shut(self)
            yield

    def open(self, run):
        self.arrays, values, self.allocation = [], {}, run.allocation
        self.row_count_without_columns = self.counted()
        columns, count = (self.data(), self.row_count_without_columns) if self.batch is None else self.batch
        for number, (column, data) in enumerate(zip(self.columns, columns)):
            count = arrays.row_count(data)
            values[f"values{number}"] = self.texts(number, data) if column.type.layout is TEXT else \
                self.keep(np.ascontiguousarray(data.values))
            self.nullable[column.id] = data.valid is not None or self.batch is not None      # the same for all batches
            if self.nullable[column.id]:
                valid = np.ones(count, np.uint8) if data.valid is None else data.valid
                values[f"valid{number}"] = self.keep(np.ascontiguousarray(valid))
        if self.order is not None:
            order = self.order() if self.batch is None else np.arange(count)
            values["order"], count = self.keep(np.ascontiguousarray(order, np.int64)), len(order)
        if self.batch is None and self.read is not None:
            self.read()
        morsel_rows = min(run.morsel_rows, MORSEL_ROWS) if self.order is None else 1 << 62
        values |= self.morsel_fields([[(0, count)] if count else []], morsel_rows)
        values["before"] = self.morsels_before
        self.instances = [self.layout.make(**values)]
        self.held = sum(array.nbytes for array in self.arrays)
        self.allocation.account(self.held)

    def close(self):
        if self.held:                                           # else the data did not come
            self.allocation.discount(self.held)
        self.instances, self.arrays, self.held = [], [], 0

    def texts(self, number, data):
        """The address of the cells of a column's texts."""
        return self.keep(as_cells(data.values, self.keep))

    @staticmethod
    def morsel_number(here, morsel):
        return here.before + morsel

    def morsel_state(self, k, here, segment):
        arrays = {number: (getattr(here, f"values{number}"), getattr(here, f"valid{number}"))
                  for number in range(len(self.columns))}
        return arrays, here.order if self.order is not None else None

    def morsel_block(self, k, state, first, count):
        arrays, order = state

        def fetch(number, column):
            (values, valid), layout, nullable = arrays[number], column.type.layout, self.nullable[column.id]

            def read(n, row):
                at = first + n if order is None else order[first + n]
                return Sql(layout.load(k, values, at, self.lifetime), valid[at] != 0 if nullable else True)
            return read
        yield Block(k, count, {column.id: (lambda number=number, column=column: fetch(number, column))
                               for number, column in enumerate(self.columns)})


def as_cells(texts, keep):
    """The cells (int64[n + 1, 2]) of n texts given as (offsets, blob), and one to spare; `keep` keeps the bytes alive and
    gives their address."""
    offsets, blob = rebased(texts)
    return make_cells(offsets, blob, keep(blob), spare=1)


class StoredResult:
    """A result whose rows lie in memory already (what a sort left behind): no pipeline is needed to copy them."""
    nullable, hand_on = (), None

    def __init__(self, ids, source):
        self.ids, self.source = ids, source

    def batches(self):
        """If rows are on disk: pairs (columns, row count), else None."""
        batches = None if self.source.batches is None else self.source.batches()
        return None if batches is None else self.chosen(batches)

    def chosen(self, batches):
        """The columns that are wanted, of batches that have all."""
        places = {column.id: number for number, column in enumerate(self.source.columns)}
        for columns, count in batches:
            yield [columns[places[id]] for id in self.ids], count

    def finish(self):
        """The columns as ColumnData, in order; if rows come in batches, those that `hand_on` has not taken."""
        batches = self.batches()
        if batches is not None:
            return self.joined(batches)
        by_id = dict(zip((column.id for column in self.source.columns), self.source.data()))
        self.row_count = next(map(arrays.row_count, by_id.values()), self.source.row_count_without_columns)
        if self.source.order is None:
            return [by_id[id] for id in self.ids]
        order = self.source.order()
        self.row_count = len(order)
        return [arrays.take(by_id[id], order) for id in self.ids]

    def joined(self, batches):
        """All rows of batches together, or only the last batch, when the others are handed on."""
        types = {column.id: column.type for column in self.source.columns}
        kept = [([arrays.empty(types[id]) for id in self.ids], 0)]
        for batch in batches:
            if self.hand_on is not None:
                self.hand_on(*kept.pop())
            kept.append(batch)
        self.row_count = sum(count for _, count in kept)
        return [arrays.concatenate(list(column)) for column in zip(*(columns for columns, _ in kept))]
