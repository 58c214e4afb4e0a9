"""Expressions over one text column, evaluated once for each entry of its dictionaries instead of once for each row.

    WHERE url LIKE '%google%'      entries ─ DictionarySource ─▶ LIKE ─▶ EntryMap: a byte for each entry
                                   rows    ─ code of the row ─▶ map[code]

`OverDictionary` wraps such an expression. Before a pipeline runs, a pipeline over the entries fills its map; the pipeline
itself then reads `map[code]`. That is decided when the data is seen (`EntryMap.open`): every segment must have a dictionary,
and there must be fewer entries than rows. If an entry raises an error, which no row may have, the map is dropped and the
expression is evaluated row by row. The entry behind the last one stands for NULL.

Maps of immutable expressions are kept with the segment's column, since neither changes: the same predicate on the same part
is never evaluated twice (ClickHouse calls this a condition cache). SET caldera.keep_maps = off makes them anew each time.
"""
import itertools
import threading
from dataclasses import dataclass

import numpy as np

from caldera.base.errors import Error
from caldera.base.forks import in_child
from caldera.kernel.blocks import Block
from caldera.kernel.decimal import keep_numbers
from caldera.kernel.interface import I8, I64, Owner, Pointer, Struct
from caldera.kernel.layouts import NUMERIC, TEXT
from caldera.kernel.nullable import Sql
from caldera.kernel.structures.arena import Arena
from caldera.kernel.text import store_text, text_of_stored_cell
from caldera.operators.morsels import Morsels
from caldera.operators.pipeline import Sink, Stream
from caldera.plan.expressions import AggregateCall, Column, Expression, Parameter, Relabel, Subquery
from caldera.plan.volatility import is_immutable, is_volatile
from caldera.plan.walk import all_expressions, identity

NUMBERS = itertools.count(1)
KEPT_BYTES_MAX = 256 << 20
ENTRY_SHARE_MAX = 0.7           # a map pays while there are fewer entries than this share of the rows


@dataclass(frozen=True)
class OverDictionary(Expression):
    """`argument`, which depends on `column` alone; `map` is its EntryMap."""
    argument: Expression
    column: Column
    map: object

    @property
    def type(self):
        return self.argument.type

    @property
    def modifier(self):
        return self.argument.modifier

    @property
    def nullable(self):
        return self.argument.nullable

    @property
    def columns(self):
        """What a row must offer: the mapped value, or the column."""
        return {self.map.id} if self.map.active else self.argument.columns

    def __str__(self):
        return str(self.argument)


def mapped(builder, stream, expression):
    """The expression with its parts that depend on one text column of the stream's scan wrapped, to be evaluated per entry.
    Pipelines that fill new maps come before those that read them."""
    used = expression.columns
    if not used & stream.origins.keys() or isinstance(expression, (Column, Relabel)):
        return expression
    if len(used) == 1 and is_mappable(expression) and (column := the_column(expression)).type.layout is TEXT:
        if expression not in stream.maps:
            stream.maps[expression] = EntryMap(expression, column, stream.origins[column.id], stream.source)
            fill(builder, stream.maps[expression])
        return OverDictionary(expression, column, stream.maps[expression])
    children = expression.children
    return expression.with_children([mapped(builder, stream, child) for child in children]) if children else expression


def fill(builder, map):
    """The pipeline that fills a map."""
    map.source.maps[map.id] = map
    entries = Stream(DictionarySource(map), [])
    entries.evaluates([map.expression])
    builder.end(entries, MapSink(map, builder.evaluator), "dictionary", MapPipeline(map))


def is_mappable(expression):
    """Whether an expression may be evaluated for entries in place of rows: it is no column, and the same in every row."""
    unknown = Parameter, Subquery, AggregateCall
    return not is_volatile(expression) and not any(isinstance(part, unknown) for part in all_expressions(expression))


def the_column(expression):
    """The only column that an expression uses."""
    return next(part for part in all_expressions(expression) if isinstance(part, Column))


class EntryMap(Owner):
    """The values of one expression for the entries of all segments that a scan reads. `outcome`, for EXPLAIN: "found" (an
    earlier query's was kept), "made", "given up" (an entry raised an error), "not used" (no dictionary, or too many
    entries), or None before that is known."""
    layout = Struct(values=Pointer(Pointer(I64)), valid=Pointer(Pointer(I8)))

    def __init__(self, expression, column, name, source):
        """`source`: the TableSource whose column `name` is what the expression calls `column`; the map becomes one of its
        columns."""
        super().__init__()
        self.expression, self.column, self.name, self.source = expression, column, name, source
        self.id, self.active, self.complete, self.outcome = ("map", next(NUMBERS)), False, False, None
        self.arena, self.lasting = Arena(), is_immutable(expression)
        self.layout = Struct(values=Pointer(Pointer(expression.type.layout.element)), valid=Pointer(Pointer(I8)))

    def open(self, run):
        """Decide whether the map is used, and make room for it or take what the columns have kept."""
        self.arrays, self.instances, self.keeps = [], [], run.keeps_maps and self.lasting
        columns = [segment.column(self.name) if segment else None for segment in self.source.used_segments()]
        coded = self.source.coded.get(self.name)
        self.sizes = [column.dictionary.size if coded and column is not None else 0 for column in columns]
        self.kept = [column.kept_maps.get(self.key) if coded and column is not None else None for column in columns]
        self.missing = [kept is None and column is not None for kept, column in zip(self.kept, columns)]
        self.complete = not any(self.missing)
        self.active = bool(coded) and (self.complete or sum(self.sizes) < ENTRY_SHARE_MAX * self.source.row_count)
        self.outcome = "found" if self.active and self.complete else None if self.active else "not used"
        if not self.active:
            return
        self.columns_of_segments, layout = columns, self.expression.type.layout
        for number, (kept, size) in enumerate(zip(self.kept, self.sizes)):
            if kept is None:
                shape = (size + 2, 2) if layout.width == 2 else size + 2
                self.kept[number] = [np.zeros(shape, layout.dtype), np.zeros(size + 2, np.uint8)]
        self.arrays += [array for kept in self.kept for array in kept]
        values = np.array([kept[0].ctypes.data for kept in self.kept], np.int64)
        valid = np.array([kept[1].ctypes.data for kept in self.kept], np.int64)
        self.instances = [self.layout.make(values=self.keep(values), valid=self.keep(valid))]
        self.owns_texts = layout is TEXT
        if self.owns_texts and not self.complete:
            run.open(self.arena, LastingMemory(run))        # through the run, which would open it with its own memory later

    @property
    def key(self):
        """What the map is kept under: the expression, whatever plan it stands in; None if it is not kept."""
        return identity(self.expression) if self.keeps else None

    def reachable(self):
        """Besides structs and arrays: the arena of texts, which the run does not know."""
        yield from super().reachable()
        yield from self.arena.reachable()

    def close(self):
        self.instances, self.arrays = [], []

    def finished(self):
        """All entries are there: keep those that are new with the columns. Texts lie in the map's own arena, whose memory is
        kept as well."""
        self.complete, self.outcome = True, "made"
        for column, kept in itertools.compress(zip(self.columns_of_segments, self.kept), self.missing):
            if self.owns_texts:
                kept += self.arena.arrays
            if self.key is None:
                continue
            if self.expression.type.layout is NUMERIC:
                keep_numbers(kept[0], kept[0])
            KEPT.keep(column.kept_maps, self.key, kept)

    def give_up(self):
        """Some entry raises an error: evaluate row by row."""
        self.active, self.outcome = False, "given up"

    def fetch(self, k, segment, code_of):
        """Called by the source for a block: the reader of the mapped value. `code_of(row)` gives the row's code as an
        I64, that of NULL for a NULL."""
        here, layout = k.memory(self), self.expression.type.layout
        values, valid = here.values[segment], here.valid[segment]
        nullable = self.nullable

        def read(number, row):
            code = code_of(number, row)
            return Sql(layout.load(k, values, code), valid[code] != 0 if nullable else True)
        return read

    @property
    def nullable(self):
        """Whether any entry's value is NULL; known when the map is complete."""
        may_be_null = self.source.nullable.get(self.name)
        return any(not kept[1][:size + bool(may_be_null)].all() for kept, size in zip(self.kept, self.sizes))


class LastingMemory:
    """A run for an arena whose memory outlives the query: it is not taken from the pool."""

    def __init__(self, run):
        self.workers, self.control, self.allocation = run.workers, run.control, self

    @staticmethod
    def take(words, zeroed=False):
        return np.zeros(words, np.int64) if zeroed else np.empty(words, np.int64)


class KeptMaps:
    """How much memory kept maps take, and which go first."""

    def __init__(self):
        self.order, self.bytes, self.lock = {}, 0, threading.Lock()

    def keep(self, maps, key, arrays):
        """Keep a list of arrays in a column's `maps`, and drop the oldest ones beyond the limit."""
        size = sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
        with self.lock:
            maps[key] = arrays
            self.bytes += size - self.order.pop((id(maps), key), (None, 0))[1]
            self.order[id(maps), key] = maps, size
            while self.bytes > KEPT_BYTES_MAX and len(self.order) > 1:
                oldest = next(iter(self.order))
                owner, size = self.order.pop(oldest)
                owner.pop(oldest[1], None)
                self.bytes -= size


KEPT = KeptMaps()
in_child(lambda: setattr(KEPT, "lock", threading.Lock()))


class DictionarySource(Morsels):
    """The entries of those dictionaries of one column for which the map has no values yet, as that column; behind each
    dictionary's last entry a NULL. Values that were found are left alone: other queries read them, and they may stay longer
    than this query's memory."""
    layout = Struct(**Morsels.fields, cells=Pointer(Pointer(I64)), blobs=Pointer(I64), sizes=Pointer(I64))
    facts = ()

    def __init__(self, map):
        super().__init__()
        self.map = map

    @property
    def words(self):
        return f"Dictionary of {self.map.name}"

    def open(self, run):
        self.arrays, map = [], self.map
        empty, cells, blobs = np.zeros(4, np.int64), [], []
        for column, size in zip(map.columns_of_segments, map.sizes):
            struct = column.struct if column is not None else None
            cells.append(ctypes_address(struct, "cells") if size else self.keep(empty))
            blobs.append(struct.blob if size else 0)
        runs = [[(0, size + 1)] if missing else [] for missing, size in zip(map.missing, map.sizes)]
        values = self.morsel_fields(runs, run.morsel_rows)
        self.instances = [self.layout.make(**values, cells=self.keep(np.array(cells, np.int64)),
                                           blobs=self.keep(np.array(blobs, np.int64)),
                                           sizes=self.keep(np.array(map.sizes, np.int64)))]

    def close(self):
        self.instances, self.arrays = [], []

    def morsel_state(self, k, here, segment):
        return segment, here.cells[segment], here.blobs[segment], here.sizes[segment]

    def morsel_block(self, k, state, first, count):
        segment, cells, blob, size = state
        last = k.greatest(size - 1, k.constant(I64, 0))

        def read(number, row):
            entry = k.least(first + number, last)
            return Sql(text_of_stored_cell(k, cells.starting_at(entry * 2), blob), first + number < size)
        block = Block(k, count, {self.map.column.id: lambda: read})
        block.segment, block.first = segment, first
        yield block


class MapSink(Sink):
    """Stores the value of the map's expression for every entry."""

    def __init__(self, map, evaluator):
        self.map, self.evaluator = map, evaluator

    @property
    def words(self):
        return f"Map of {self.map.expression}"

    def open(self, run):
        """The map was opened by the source."""

    def consume(self, k, blocks):
        map, layout = self.map, self.map.expression.type.layout
        for block in blocks:
            here = k.memory(map)
            values, valid = here.values[block.segment], here.valid[block.segment]
            for row in block.rows([map.column.id]):
                sql, at = self.evaluator.eval(k, map.expression, row), block.first + row.number
                valid[at] = k.convert(k.as_condition(sql.valid), I8)
                if layout is not TEXT:
                    layout.store(k, values, at, sql.value)
                    continue
                store_text(k, values, at, map.arena.own(k, sql.value))


class MapPipeline:
    """What decides, before the pipeline over the entries runs, whether it shall, and afterwards what its errors mean."""

    def __init__(self, map):
        self.map = map

    def wanted(self, run):
        """Open the scan and the map; whether entries are to be evaluated."""
        run.open(self.map.source)
        run.open(self.map)
        return self.map.active and not self.map.complete

    def ended(self, exception):
        """Whether the run may go on after `exception` (None if all went well)."""
        if exception is None:
            self.map.finished()
            return True
        if isinstance(exception, Error) and exception.sqlstate[:2] not in ("53", "57", "XX"):
            self.map.give_up()
            return True
        return False


def ctypes_address(struct, name):
    """A pointer field's value."""
    return int(getattr(struct, name))
