"""Sources: where a pipeline's blocks come from.

    TableSource    segments of a table: morsels by an atomic add, one indirect decoder call for each block and column
    ValuesSource   rows of constant expressions, staged one by one
    SeriesSource   generate_series
    ColumnsSource  columns that lie in memory: results of sorts and of plain Python

`open(run)` looks at the data (which also tells what is never NULL) before the pipeline is staged; `blocks(k)` is staged.
"""
import numpy as np

from caldera.base.errors import error
from caldera.kernel.blocks import Block, claimed
from caldera.kernel.interface import FUNCTION, I8, I32, I64, Owner, Pointer, Struct
from caldera.kernel.layouts import TEXT
from caldera.kernel.nullable import Sql
from caldera.storage import arrays
from caldera.storage.encodings.text_cells import make_cells
from caldera.types.text_arrays import rebased

MORSEL_ROWS = 1 << 16
ROW_BITS = 40                   # of a row id: segment << ROW_BITS | row
SERIES_ROWS_MAX = 1 << 62        # nobody will wait for the end of that
SPARE_ROWS = 16                 # decoders may write that many rows behind those asked for


class Morsels(Owner):
    """Runs of rows that workers claim. Subclasses yield blocks for the rows of one morsel (`morsel_blocks`)."""
    fields = dict(next=I64, count=I64, segment=Pointer(I32), first=Pointer(I64), rows=Pointer(I32))
    parallel = True

    def __init__(self):
        super().__init__()
        self.row_count = self.morsel_count = 0

    def morsel_fields(self, runs, morsel_rows):
        """The struct's values for runs of rows: a list, for each segment, of pairs (first row, row count)."""
        segment, first, rows = [], [], []
        for number, segment_runs in enumerate(runs):
            for start, count in segment_runs:
                for offset in range(0, count, morsel_rows):
                    segment.append(number)
                    first.append(start + offset)
                    rows.append(min(morsel_rows, count - offset))
        self.row_count, self.morsel_count = sum(rows), len(rows)
        return dict(next=0, count=len(rows), segment=self.keep(np.array(segment, np.int32)),
                    first=self.keep(np.array(first, np.int64)), rows=self.keep(np.array(rows, np.int32)))

    def progress(self):
        """The share of morsels that have been claimed, 0 to 1."""
        return min(1.0, self.instances[0].next / max(1, self.morsel_count)) if self.instances else 0.0

    def bounds_of(self, k, here, morsel):
        """(segment, first row, the row behind the last) of a morsel."""
        first = here.first[morsel]
        return k.convert(here.segment[morsel], I64), first, first + k.convert(here.rows[morsel], I64)

    def blocks(self, k):
        here = k.memory(self)
        for morsel in claimed(k, here.field("next"), here.count):
            segment, first, stop = self.bounds_of(k, here, morsel)
            at, state = k.variable(I64, first), self.morsel_state(k, here, segment)
            for _ in k.while_(lambda: k.and_(at.get() < stop, k.not_(self.must_stop(k)))):
                count = k.least(stop - at.get(), k.constant(I64, k.block_rows))
                yield from self.morsel_block(k, state, at.get(), count)
                at.set(at.get() + k.block_rows)

    @staticmethod
    def must_stop(k):
        """Whether workers shall leave at once; for a change of tier they finish their morsel."""
        return (k.memory(k.control).stop & ~k.control.STOP_SWAP) != 0


class TableSource(Morsels):
    """Rows of a relation. `columns`: pairs (plan Column, name in the relation). `ranges()` gives the Ranges that may be
    used to leave out granules, when the run starts."""

    def __init__(self, relation, columns, ranges=list, label="", row_id=None):
        """`row_id`: a Column for the rows' numbers, by which operators.row_fetch finds them again; or None."""
        super().__init__()
        self.relation, self.columns, self.ranges, self.label, self.row_id = relation, columns, ranges, label, row_id
        self.scan, self.nullable, self.coded, self.maps = None, {}, {}, {}
        decoders = {}
        for number, (column, _) in enumerate(columns):
            for part in ("values", "valid"):
                decoders[f"{part}_struct{number}"], decoders[f"{part}_decode{number}"] = Pointer(I64), Pointer(FUNCTION)
            if column.type.layout is TEXT:
                decoders[f"code_decode{number}"], decoders[f"entries{number}"] = Pointer(FUNCTION), Pointer(I64)
        self.layout = Struct(**self.fields, **decoders)

    def open(self, run):
        """Pin the segments and fill the struct. Sets `nullable`, which the program depends on."""
        self.arrays, names = [], [name for _, name in self.columns]
        self.scan = self.relation.scan(run.snapshot, names, self.ranges())
        values = self.morsel_fields(self.scan.runs, run.morsel_rows)
        used = self.used_segments()
        for number, name in enumerate(names):
            columns = [segment.column(name) if segment else None for segment in used]
            if self.columns[number][0].type.layout is TEXT:
                values |= self.code_fields(run, number, name, columns)
            self.nullable[name] = any(column is not None and column.has_nulls for column in columns)
            pairs = [(column.address, run.decoder(column.encoding)) if column else (0, 0) for column in columns]
            values |= self.pointers("values", number, pairs)
            pairs = [(column.validity_address, run.decoder(column.validity_encoding)) if column and column.has_nulls
                     else run.all_valid if column else (0, 0) for column in columns]
            values |= self.pointers("valid", number, pairs)
        self.instances = [self.layout.make(**values)]

    def used_segments(self):
        """The segments that have rows to read; None in place of the others."""
        return [segment if runs else None for segment, runs in zip(self.scan.segments, self.scan.runs)]

    def code_fields(self, run, number, name, columns):
        """Decoders of dictionary codes, if every segment has a dictionary (`coded`)."""
        self.coded[name] = all(column is None or column.dictionary is not None for column in columns)
        decoders, entries = [], []
        for column in columns:
            has_codes = column is not None and self.coded[name]
            decoders.append(run.decoder(column.codes) if has_codes else 0)
            entries.append(column.dictionary.size if has_codes else 0)
        return {f"code_decode{number}": self.keep(np.array(decoders, np.int64)),
                f"entries{number}": self.keep(np.array(entries, np.int64))}

    def pointers(self, part, number, pairs):
        structs, decoders = zip(*pairs) if pairs else ((), ())
        return {f"{part}_struct{number}": self.keep(np.array(structs, np.int64)),
                f"{part}_decode{number}": self.keep(np.array(decoders, np.int64))}

    def reachable(self):
        """Besides structs and arrays: the segments' columns."""
        yield from super().reachable()
        for segment in self.used_segments():
            for _, name in self.columns if segment else ():
                yield from segment.column(name).reachable()

    def close(self):
        """Let go of the segments."""
        if self.scan is not None:
            self.scan.close()
        self.scan, self.instances, self.arrays = None, [], []

    @property
    def facts(self):
        """What the program takes for granted about the data; a program with other facts is another program."""
        active = tuple((id[1], map.active, map.active and map.nullable) for id, map in sorted(self.maps.items()))
        return tuple(sorted(self.nullable.items())), tuple(sorted(self.coded.items())), active

    def morsel_state(self, k, here, segment):
        """What is the same for all blocks of a morsel: the segment's number, structs and decoders, by part and column."""
        state = {"segment": segment}
        for number, (_, name) in enumerate(self.columns):
            for part in (("values", "valid") if self.nullable[name] else ("values",)):
                struct, decode = getattr(here, f"{part}_struct{number}"), getattr(here, f"{part}_decode{number}")
                state[part, number] = struct[segment], decode[segment]
            if self.coded.get(name):
                state["code", number] = state["values", number][0], getattr(here, f"code_decode{number}")[segment]
                state["entries", number] = getattr(here, f"entries{number}")[segment]
        return state

    def morsel_block(self, k, state, first, count):
        block = Block(k, count, {})
        block.segment = state["segment"]
        for number, (column, name) in enumerate(self.columns):
            block.columns[column.id] = self.value_fetcher(k, block, state, first, number)
            if self.nullable[name]:
                block.columns["valid", column.id] = self.validity_fetcher(k, block, state, first, number)
            if self.coded.get(name):
                block.columns["code", column.id] = self.code_fetcher(k, block, state, first, number)
        for map in self.maps.values():
            if map.active:
                block.columns[map.id] = self.map_fetcher(k, block, state, map)
        if self.row_id is not None:
            base = (state["segment"] << ROW_BITS) + first
            block.columns[self.row_id.id] = lambda: lambda n, row: Sql(base + n, True)
        yield block

    def validity_fetcher(self, k, block, state, first, number):
        column, _ = self.columns[number]

        def fetch():
            valid = self.decoded(k, state["valid", number], first, block.count, I8, 1, ("valid", column.id))
            return lambda n, row: valid[n] != 0
        return fetch

    def value_fetcher(self, k, block, state, first, number):
        column, name = self.columns[number]
        layout = column.type.layout

        def fetch():
            values = self.decoded(k, state["values", number], first, block.count, layout.element, layout.width,
                                  ("column", column.id))
            if self.nullable[name]:
                block.fetch([("valid", column.id)])
            return lambda n, row: Sql(layout.load(k, values, n), row["valid", column.id] if self.nullable[name] else True)
        return fetch

    def code_fetcher(self, k, block, state, first, number):
        """The row's code as an I64; the number of entries stands for NULL."""
        column, name = self.columns[number]

        def fetch():
            codes = self.decoded(k, state["code", number], first, block.count, I32, 1, ("codes", column.id))
            if self.nullable[name]:
                block.fetch([("valid", column.id)])

            def read(n, row):
                code = k.convert(codes[n], I64, signed=False)
                return k.choose(row["valid", column.id], code, state["entries", number]) if self.nullable[name] else code
            return read
        return fetch

    def map_fetcher(self, k, block, state, map):
        code = "code", self.id_of(map.name)

        def fetch():
            block.fetch([code])
            return map.fetch(k, state["segment"], lambda n, row: row[code])
        return fetch

    def id_of(self, name):
        """The plan's id of a column of the relation."""
        return next(column.id for column, other in self.columns if other == name)

    @staticmethod
    def decoded(k, pair, first, count, element, width, scope):
        """The array of a block's values, decoded by an indirect call."""
        struct, decode = pair
        room = k.buffer(element, (k.block_rows + SPARE_ROWS) * width)
        return k.array(element, k.call(decode, struct, first, count, k.address(room)), scope=scope)


class ValuesSource(Owner):
    """Rows of expressions without columns, each staged as a block of one row."""
    layout = Struct(next=I64)
    parallel = False

    def __init__(self, rows, columns, evaluator):
        super().__init__()
        self.rows, self.columns, self.evaluator, self.row_count = rows, columns, evaluator, len(rows)

    def open(self, run):
        self.instances = [self.layout.make()]

    def close(self):
        self.instances = []

    def blocks(self, k):
        """Only the worker that comes first gives rows; the sink's code is emitted once, so rows go through buffers."""
        here = k.memory(self)
        turn = k.variable(I64, k.atomic_add(here.field("next"), 0, 1))
        position = k.variable(I64, 0)
        for _ in k.while_(lambda: k.and_(turn.get() == 0, position.get() < len(self.rows), k.not_(Morsels.must_stop(k)))):
            buffers = {}
            single = Block(k, k.constant(I64, 1), {})
            for number, row in enumerate(self.rows):
                for _ in k.when(position.get() == number if len(self.rows) > 1 else True):
                    self.write(k, single, buffers, row)
            position.set(position.get() + 1)
            yield Block(k, k.constant(I64, 1), {column.id: (lambda b=buffers[column.id]: self.reader(k, *b))
                                                for column in self.columns})

    def write(self, k, block, buffers, expressions):
        for row in block.rows(()):
            for column, expression in zip(self.columns, expressions):
                layout = column.type.layout
                if column.id not in buffers:
                    buffers[column.id] = layout, k.buffer(layout.element, 2 * layout.width), k.buffer(I8, 1)
                sql = self.evaluator.eval(k, expression, row)
                _, values, valid = buffers[column.id]
                layout.store(k, values, 0, sql.value)
                valid[0] = k.convert(k.as_condition(sql.valid), I8)

    @staticmethod
    def reader(k, layout, values, valid):
        return lambda number, row: Sql(layout.load(k, values, number, "block"), valid[number] != 0)


class SeriesSource(Morsels):
    """generate_series(start, stop, step) over integers; the bounds are expressions without columns. Series may be longer
    than any list of morsels, so those are computed."""
    layout = Struct(next=I64, count=I64, rows=I64, morsel_rows=I64, start=I64, step=I64)

    def __init__(self, bounds, column):
        """`bounds()` gives (start, stop, step) as datums when the run starts."""
        super().__init__()
        self.bounds, self.column, self.facts = bounds, column, ()

    def open(self, run):
        self.arrays = []
        start, stop, step = self.bounds()
        if step == 0:
            raise error("22023", "step size cannot equal zero")
        count = 0 if None in (start, stop, step) else max(0, (stop - start) // step + 1)
        self.row_count = min(count, SERIES_ROWS_MAX)
        self.morsel_count = -(-self.row_count // run.morsel_rows)
        self.instances = [self.layout.make(count=self.morsel_count, rows=self.row_count, morsel_rows=run.morsel_rows,
                                           start=start or 0, step=step or 0)]

    def close(self):
        self.instances, self.arrays = [], []

    def bounds_of(self, k, here, morsel):
        first = morsel * here.morsel_rows
        return k.constant(I64, 0), first, k.least(first + here.morsel_rows, here.rows)

    def morsel_state(self, k, here, segment):
        return here.start, here.step

    def morsel_block(self, k, state, first, count):
        start, step = state
        type = self.column.type.layout.type

        def fetch():
            return lambda number, row: Sql(k.convert(start + (first + number) * step, type), True)
        yield Block(k, count, {self.column.id: fetch})


class ColumnsSource(Morsels):
    """Columns in memory: `columns` of the plan, and `data()` that gives their ColumnData when the run starts; `order()`, if
    given, gives the row numbers to read, in order (an int64 array). In order means by one worker."""

    def __init__(self, columns, data, order=None, row_count=0):
        """`row_count`: how many rows there are, if there is no column to tell."""
        super().__init__()
        self.columns, self.data, self.order, self.nullable = columns, data, order, {}
        self.row_count_without_columns = row_count
        self.parallel = order is None
        fields = {}
        for number, column in enumerate(columns):
            fields |= {f"values{number}": Pointer(column.type.layout.element), f"valid{number}": Pointer(I8)}
        self.layout = Struct(**self.fields, order=Pointer(I64), **fields)

    @property
    def facts(self):
        return tuple(sorted(self.nullable.items()))

    def open(self, run):
        self.arrays, columns, values = [], self.data(), {}
        count = self.row_count_without_columns
        for number, (column, data) in enumerate(zip(self.columns, columns)):
            count = arrays.row_count(data)
            array = as_cells(data.values, self.keep) if column.type.layout is TEXT else data.values
            values[f"values{number}"] = self.keep(np.ascontiguousarray(array))
            self.nullable[column.id] = data.valid is not None
            if data.valid is not None:
                values[f"valid{number}"] = self.keep(np.ascontiguousarray(data.valid))
        if self.order is not None:
            order = self.order()
            values["order"], count = self.keep(np.ascontiguousarray(order, np.int64)), len(order)
        values |= self.morsel_fields([[(0, count)] if count else []], run.morsel_rows if self.order is None else 1 << 62)
        self.instances = [self.layout.make(**values)]

    def close(self):
        self.instances, self.arrays = [], []

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
                return Sql(layout.load(k, values, at), valid[at] != 0 if nullable else True)
            return read
        yield Block(k, count, {column.id: (lambda number=number, column=column: fetch(number, column))
                               for number, column in enumerate(self.columns)})


def as_cells(texts, keep):
    """The cells (int64[n, 2]) of n texts given as (offsets, blob); `keep` keeps the bytes alive and gives their address."""
    offsets, blob = rebased(texts)
    return make_cells(offsets, blob, keep(blob))
