"""Groups found without hashing: where keys are small numbers, the group's row is the number.

A text column whose segments have dictionaries gives a code for each row; an integer column with known bounds gives its
distance from the least value; several keys give one number by mixed radix. The last number of a key's range stands for
NULL. Codes mean something inside one segment only, so each worker has one table for each segment; distances are good
for all.

    rows   used (0 or 1) | cells of the aggregates

`CodeRows` brings the workers' tables together code by code and gives the groups that are in use as blocks. They are unique
unless there are several segments with codes, or a key is an expression over a dictionary: then they go through a hash table.
"""
import numpy as np

from caldera.kernel import layouts
from caldera.kernel.blocks import LANES, Block, select
from caldera.kernel.interface import I8, I32, I64, Cell, Owner, Pointer, Struct
from caldera.kernel.nullable import Sql
from caldera.kernel.text import text_of_stored_cell
from caldera.operators.aggregate_use import KnownCell
from caldera.operators.dictionary import OverDictionary, ctypes_address
from caldera.operators.morsels import Morsels
from caldera.plan.expressions import Column, Constant, Relabel

CODES_MAX = 1 << 22             # rows of all tables of one worker
FEW_CODES = 64                  # so many rows may be kept for each block as well
SMALL_CODES = 1 << 12           # tables up to that many rows pay for any input
DISTANCE_LAYOUTS = layouts.BOOLEAN, layouts.INT2, layouts.INT4, layouts.INT8


class DictionaryKey:
    """A key that is a text column, or an expression over one, by its code."""
    by_segment = True

    def __init__(self, expression, column_id, name, source):
        self.expression, self.column_id, self.name, self.source = expression, column_id, name, source
        self.map = expression.map if isinstance(expression, OverDictionary) else None
        self.columns = [segment.column(name) if segment else None for segment in source.used_segments()]
        self.sizes = [column.dictionary.size + 1 if column is not None else 0 for column in self.columns]
        self.code_id = "code", source.id_of(name)
        self.ids = {self.code_id}
        self.nullable = self.map.nullable if self.map else source.nullable[name]

    def code(self, k, row, low):
        return row[self.code_id]

    def value(self, k, here, number, segment, code):
        """The key that a code means: an Sql."""
        layout = self.expression.type.layout
        if self.map is not None:
            values, valid = k.memory(self.map).values[segment], k.memory(self.map).valid[segment]
            return Sql(layout.load(k, values, code), valid[code] != 0 if self.nullable else True)
        entries = getattr(here, f"size{number}")[segment] - 1
        entry = k.least(code, k.greatest(entries - 1, k.constant(I64, 0)))
        cells, blob = getattr(here, f"cells{number}")[segment], getattr(here, f"blob{number}")[segment]
        text = text_of_stored_cell(k, cells.starting_at(entry * 2), blob)
        return Sql(text, code < entries if self.nullable else True)

    def lookup(self, keep):
        """Addresses of the dictionaries' cells and bytes by segment."""
        empty, cells, blobs = np.zeros(4, np.int64), [], []
        for column, size in zip(self.columns, self.sizes):
            cells.append(ctypes_address(column.struct, "cells") if size > 1 else keep(empty))
            blobs.append(column.struct.blob if size > 1 else 0)
        return cells, blobs


class DistanceKey:
    """A key that is an integer column, by its distance from the least value."""
    by_segment = False

    def __init__(self, expression, name, source):
        self.expression, self.name, self.ids = expression, name, {expression.id}
        columns = [segment.column(name) for segment in source.used_segments() if segment]
        lows, highs = [column.low for column in columns], [column.high for column in columns]
        known = [int(low) for low in lows if low is not None], [int(high) for high in highs if high is not None]
        self.is_known = all(low is not None or column.null_count == column.values.row_count
                            for low, column in zip(lows, columns))
        self.low, high = (min(known[0]), max(known[1])) if known[0] else (0, -1)
        self.nullable = source.nullable[name]
        self.sizes = [high - self.low + 2] * len(source.used_segments())

    def code(self, k, row, low):
        sql = row[self.expression.id]
        distance = k.convert(k.as_condition(sql.value), I64) - low[0]
        return distance if sql.valid is True else k.choose(sql.valid, distance, low[1])

    def value(self, k, here, number, segment, code):
        type, null = self.expression.type.layout.type, getattr(here, f"size{number}")[segment] - 1
        value = code + getattr(here, f"low{number}")
        value = value != 0 if self.expression.type.layout is layouts.BOOLEAN else k.convert(value, type)
        return Sql(value, code != null if self.nullable else True)

    @staticmethod
    def lookup(keep):
        return None


class NullKey:
    """A key that is NULL in all rows, as those are that a grouping set has not."""
    by_segment, nullable, ids = False, True, frozenset()

    def __init__(self, expression, source):
        self.expression, self.sizes = expression, [1] * len(source.used_segments())

    def code(self, k, row, low):
        return k.constant(I64, 0)

    def value(self, k, here, number, segment, code):
        return Sql(self.expression.type.layout.default(k), False)

    @staticmethod
    def lookup(keep):
        return None


def code_key(expression, source, origins):
    """The key as small numbers, or None. `origins`: {column id: name in the relation} of what comes from the source."""
    if isinstance(expression, Constant) and expression.value is None:
        return NullKey(expression, source)
    inner = expression
    while isinstance(inner, Relabel):
        inner = inner.argument
    if isinstance(inner, OverDictionary):
        return DictionaryKey(inner, inner.map.column.id, inner.map.name, source) if inner.map.active else None
    if not isinstance(inner, Column) or inner.id not in origins:
        return None
    name = origins[inner.id]
    if inner.type.layout is layouts.TEXT:
        return DictionaryKey(inner, inner.id, name, source) if source.coded.get(name) else None
    if inner.type.layout in DISTANCE_LAYOUTS:
        key = DistanceKey(inner, name, source)
        return key if key.is_known else None
    return None


def code_keys(expressions, source, origins):
    """All keys as small numbers, or None if one is not, or if together they are too many numbers for the rows to be read."""
    keys = []
    for expression in expressions:
        key = code_key(expression, source, origins)
        if key is None or max(key.sizes, default=1) > CODES_MAX:
            return None
        keys.append(key)
    if not source.used_segments():
        return None
    total = sum(table_sizes(keys))
    return keys if total <= CODES_MAX and total <= max(SMALL_CODES, source.row_count // 2) else None


def table_sizes(keys):
    """How many rows the table of each segment has; one table serves all segments if no key is by segment."""
    sizes = [1] * len(keys[0].sizes)
    for key in keys:
        sizes = [size * other for size, other in zip(sizes, key.sizes)]
    return sizes if any(key.by_segment for key in keys) else sizes[:1]


class CodeTable(Owner):
    """The tables of one grouping. `keys`, from code_keys, are set for every run; `cells`: pairs (machine type, initial
    number)."""

    def __init__(self, key_count, cells):
        super().__init__()
        self.keys, self.cells, self.width = None, cells, 1 + len(cells)
        fields = {"tables": Pointer(Pointer(I64))}
        for number in range(key_count):
            fields |= {f"size{number}": Pointer(I64), f"stride{number}": Pointer(I64),
                       f"cells{number}": Pointer(Pointer(I64)),
                       f"blob{number}": Pointer(I64), f"low{number}": I64}
        self.layout = Struct(**fields)

    @property
    def by_segment(self):
        """Whether there is a table for each segment."""
        return any(key.by_segment for key in self.keys)

    @property
    def is_unique(self):
        """Whether every group has one row when the workers' tables are brought together."""
        segments = sum(1 for size in table_sizes(self.keys) if size)
        return (not self.by_segment or segments == 1) and not any(getattr(key, "map", None) for key in self.keys)

    @property
    def has_few(self):
        return max(table_sizes(self.keys)) <= FEW_CODES

    @property
    def facts(self):
        return self.is_unique, self.by_segment, self.has_few, tuple((type(key).__name__, key.nullable) for key in self.keys)

    def bytes_wanted(self, run):
        """What the tables of all workers take."""
        return 8 * run.workers * sum(table_sizes(self.keys)) * self.width

    def open(self, run):
        self.instances, self.arrays = [], []
        sizes, shared = table_sizes(self.keys), {}
        strides = np.ones(len(self.keys[0].sizes), np.int64)
        for number, key in enumerate(self.keys):
            shared[f"stride{number}"] = self.keep(strides.copy())
            shared[f"size{number}"] = self.keep(np.array(key.sizes, np.int64))
            shared[f"low{number}"] = getattr(key, "low", 0)
            strides = strides * np.array(key.sizes, np.int64)
            if found := key.lookup(self.keep):
                shared[f"cells{number}"], shared[f"blob{number}"] = (self.keep(np.array(part, np.int64)) for part in found)
        self.sizes = sizes
        for _ in range(run.workers):
            tables = [run.allocation.take(size * self.width + 1, zeroed=True) for size in sizes]
            self.arrays += tables
            addresses = self.keep(np.array([table.ctypes.data for table in tables], np.int64))
            self.instances.append(self.layout.make(tables=addresses, **shared))

    def close(self):
        self.instances, self.arrays = [], []

    def code_ids(self):
        """What a row must offer for its code."""
        return set().union(*(key.ids for key in self.keys))

    def rows(self, k, block, ids, vectorize=False):
        """Emit one loop over a block: yields (row, cells of its group)."""
        table = self.table_of(k, segment_of(block))
        for row, first in self.placed_rows(k, block, ids, vectorize):
            yield row, self.touch(k, table, first)

    def table_of(self, k, segment):
        """The staged table of a segment."""
        return k.memory(self).tables[segment if self.by_segment else 0]

    def placed_rows(self, k, block, ids, vectorize=False):
        """Emit one loop over a block: yields (row, first word of its group's row)."""
        here, segment = k.memory(self), segment_of(block)
        strides = [getattr(here, f"stride{number}")[segment] for number in range(len(self.keys))]
        lows = [(getattr(here, f"low{number}"), getattr(here, f"size{number}")[segment] - 1)
                for number in range(len(self.keys))]
        for row in block.rows({*ids, *self.code_ids()}, vectorize=vectorize):
            code = self.keys[0].code(k, row, lows[0])
            for key, stride, low in list(zip(self.keys, strides, lows))[1:]:
                code = code + key.code(k, row, low) * stride
            yield row, code * self.width

    def touch(self, k, table, first):
        """The cells of the row that starts at word `first`, which is in use from now on."""
        if any(initial for _, initial in self.cells):
            for _ in k.when(table[first] == 0):
                self.start(k, table, first)
        else:
            table[first] = 1
        return self.cells_at(table, first)

    def start(self, k, table, first):
        table[first] = 1
        for cell, (type, initial) in zip(self.cells_at(table, first), self.cells):
            cell.set(k.constant(type, initial))

    def cells_at(self, table, first):
        return [Cell(table.of(type), first + 1 + number) for number, (type, _) in enumerate(self.cells)]


def segment_of(block):
    """The staged number of the segment that a block's rows come from."""
    while block.parent is not None:
        block = block.parent
    return block.segment


class BlockCells:
    """Cells like those of a CodeTable that has few rows, for the rows of one block alone: they start at zero, and in front
    stands how many rows of the block are in the group."""

    def __init__(self, k, table, block):
        self.k, self.table, self.block, segment = k, table, block, segment_of(block)
        here, self.shared = k.memory(table), table.table_of(k, segment)
        self.words = k.constant(I64, table.width)
        for number in range(len(table.keys)):
            self.words = self.words * getattr(here, f"size{number}")[segment]
        self.own = k.buffer(I64, FEW_CODES * table.width)
        for word in k.range(0, self.words):
            self.own[word] = 0

    def rows(self, ids):
        """Emit one loop over the block: yields (row, cells of its group, the cell that counts, the block's cells)."""
        for row, first in self.table.placed_rows(self.k, self.block, ids):
            count = self.own.cell(first)
            count.set(count.get() + 1)
            yield row, self.table.touch(self.k, self.shared, first), count, self.table.cells_at(self.own, first)

    def groups(self):
        """Emit one loop over its groups: yields (cells of the group, the cell that counts, the block's cells)."""
        for first in self.k.range(0, self.words, step=self.table.width, vectorize=False):
            for _ in self.k.when(self.own[first] != 0):
                cells, others = self.table.cells_at(self.shared, first), self.table.cells_at(self.own, first)
                yield cells, self.own.cell(first), others


class CodeRows(Morsels):
    """A source: the groups of a CodeTable. `combine(cells, others, row)` emits the union of two workers' states."""
    layout = Struct(**Morsels.fields, workers=Pointer(Pointer(Pointer(I64))), worker_count=I64)

    def __init__(self, table, combine):
        super().__init__()
        self.table, self.combine = table, combine

    def open(self, run):
        self.arrays = []
        values = self.morsel_fields([[(0, size)] if size else [] for size in self.table.sizes], 1 << 14)
        tables = np.array([state.tables for state in self.table.instances], np.int64)
        self.instances = [self.layout.make(**values, workers=self.keep(tables), worker_count=len(tables))]

    def close(self):
        self.instances, self.arrays = [], []

    def morsel_state(self, k, here, segment):
        return here, segment

    def morsel_block(self, k, state, first, count):
        (here, segment), width = state, self.table.width
        mine = here.workers[0][segment]
        keep, positions = k.buffer(I8, k.block_rows + LANES), k.buffer(I32, k.block_rows + LANES)
        codes = Block(k, count, {})
        for worker in k.range(1, here.worker_count, vectorize=False):
            other = here.workers[worker][segment]
            for row in codes.rows((), vectorize=False):
                at = (first + row.number) * width
                for _ in k.when(other[at] != 0):
                    for _ in k.when(mine[at] == 0):
                        self.table.start(k, mine, at)
                    others = [KnownCell(cell.get()) for cell in self.table.cells_at(other, at)]
                    self.combine(self.table.cells_at(mine, at), others, row)
        for number in k.range(0, count):
            keep[number] = k.convert(mine[(first + number) * width], I8)
        selected = k.variable(I64, select(k, keep, count, positions))
        for _ in k.when(selected.get() > 0):
            yield Block(k, count, self.columns(k, mine, segment, first)).narrowed(selected.get(), positions)

    def columns(self, k, table, segment, first):
        """Fetchers of ("key", i) and ("cell", i)."""
        columns, shared = {}, k.memory(self.table)

        def cell_reader(number, type):
            return lambda: lambda n, row: Sql(table.of(type)[(first + n) * self.table.width + 1 + number], True)

        def key_reader(number, key):
            def read(n, row):
                code = first + n
                if len(self.table.keys) > 1:
                    code = k.binary("urem", k.binary("udiv", code, getattr(shared, f"stride{number}")[segment]),
                                    getattr(shared, f"size{number}")[segment])
                return key.value(k, shared, number, segment, code)
            return lambda: read
        for number, key in enumerate(self.table.keys):
            columns["key", number] = key_reader(number, key)
        for number, (type, _) in enumerate(self.table.cells):
            columns["cell", number] = cell_reader(number, type)
        return columns
