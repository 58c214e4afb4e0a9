"""Rows of a table.

    TableSource     morsels of segments, claimed inside generated code; one indirect decoder call for each block and column
    StreamSource    files, which are read while the query runs (storage.external.row_stream):
                    worker ─ advance ─▶ Python: the piece before is freed, the next one read ─▶ addresses ─▶ blocks

A worker over a stream calls Python once for each morsel; waiting for a file is waiting in that call. Texts of a piece last
only as long as the worker is in it: to structures they are block-lived.

`open(run)` looks at the data (which also tells what is never NULL) before the pipeline is staged; `blocks(k)` is staged.
"""
import numpy as np

from caldera.base.errors import Error
from caldera.kernel.blocks import Block
from caldera.kernel.interface import FUNCTION, I8, I32, I64, Pointer, Struct
from caldera.kernel.layouts import BOOLEAN, TEXT
from caldera.kernel.nullable import Sql
from caldera.kernel.scaled import ScaledLayout, known_bits
from caldera.operators.morsels import Morsels
from caldera.operators.pipeline import Stream
from caldera.optimize.estimates import ROW_COST, VALUE_COST
from caldera.plan import nodes
from caldera.plan.expressions import Constant
from caldera.plan.operator import Operator, runs
from caldera.plan.outline import shown_condition
from caldera.storage.encodings import SPARE_ROWS, encode_plain, encoding_of
from caldera.storage.engine import Range
from caldera.storage.segment import StoredColumn

ROW_BITS = 40                   # of a row id: segment << ROW_BITS | row


@runs(nodes.Scan)
class ScanOperator(Operator):
    """Reads a table; bounds of ranges that are no constants are evaluated when the run starts."""

    def describe(self, node):
        details = {"Granule Cond": shown_condition([f"({range})" for range in node.ranges])} if node.ranges else {}
        alias = f" {node.alias}" if node.alias not in ("", node.label) else ""
        return "Seq Scan", f"Seq Scan on {node.label}{alias}", details

    def estimate(self, estimates, node):
        rows = node.relation.row_estimate(estimates.snapshot)
        return rows, 0, rows * (ROW_COST + VALUE_COST * len(node.columns))

    def build(self, builder, node):
        def ranges():
            return [Range(range.column, known_bound(builder, range.low), known_bound(builder, range.high), range.nulls)
                    for range in node.ranges]
        if node.relation.is_streamed:
            return Stream(StreamSource(node.relation, node.columns, ranges, node.label), [])
        source = TableSource(node.relation, node.columns, ranges, node.label, node.row_id)
        if node.row_id is not None:
            builder.row_sources[node.row_id.id] = source
        return Stream(source, [], origins={column.id: name for column, name in node.columns})


def known_bound(builder, expression):
    """The datum that a bound of a ScanRange has in this run. One that cannot be had leaves its side open."""
    if expression is None or isinstance(expression, Constant):
        return expression and expression.value
    try:
        return builder.constant(expression)
    except Error:
        return None


def common_scale(columns):
    """(scale, bits of a mantissa's magnitude) if all StoredColumns (or None) hold numerics of one scale, else None."""
    used = [column for column in columns if column is not None]
    if len({column.scale for column in used}) != 1 or used[0].scale is None:
        return None
    least, most = (end(bounds) for end, bounds in zip((min, max), zip(*(column.mantissa_bounds for column in used))))
    bits = known_bits(least, most)
    return None if bits is None else (used[0].scale, bits)


class TableSource(Morsels):
    """Rows of a relation. `columns`: pairs (plan Column, name in the relation). `ranges()` gives the Ranges that may be
    used to leave out granules, when the run starts."""
    lifetime = "part"               # of texts (kernel.text)
    is_repeatable = True

    def __init__(self, relation, columns, ranges=list, label="", row_id=None):
        """`row_id`: a Column for the rows' numbers, by which operators.row_fetch finds them again; or None."""
        super().__init__()
        self.relation, self.columns, self.ranges, self.label, self.row_id = relation, columns, ranges, label, row_id
        self.scan, self.nullable, self.coded, self.scales, self.maps = None, {}, {}, {}, {}
        decoders = {}
        for number, (column, _) in enumerate(columns):
            for part in ("values", "valid"):
                decoders[f"{part}_struct{number}"], decoders[f"{part}_decode{number}"] = Pointer(I64), Pointer(FUNCTION)
            if column.type.layout is TEXT:
                decoders[f"code_decode{number}"], decoders[f"entries{number}"] = Pointer(FUNCTION), Pointer(I64)
        self.layout = Struct(**self.fields, **decoders)

    @property
    def words(self):
        return f"Seq Scan on {self.label}"

    def open(self, run):
        """Pin the segments and fill the struct. Sets `nullable`, which the program depends on."""
        self.arrays, names = [], [name for _, name in self.columns]
        self.scan = self.relation.scan(run.snapshot, names, self.ranges())
        values = self.morsel_fields(self.scan.runs, run.morsel_rows)
        used, all_valid = self.used_segments(), run.all_valid
        numbers = {}                                            # {field: a number for each segment}
        for number, name in enumerate(names):
            columns = [segment.column(name) if segment else None for segment in used]
            if self.columns[number][0].type.layout is TEXT:
                numbers |= self.code_fields(run, number, name, columns)
            self.nullable[name] = any(column is not None and column.has_nulls for column in columns)
            self.scales[name] = common_scale(columns) if "scaled_numerics" not in run.disabled else None
            pairs = [(column.address, run.decoder(column.mantissas if self.scales[name] else column.encoding))
                     if column else (0, 0) for column in columns]
            numbers |= self.pointers("values", number, pairs)
            pairs = [(column.validity_address, run.decoder(column.validity_encoding)) if column and column.has_nulls
                     else all_valid if column else (0, 0) for column in columns]
            numbers |= self.pointers("valid", number, pairs)
        at, size = self.keep(np.array(list(numbers.values()), np.int64)), 8 * len(used)
        values |= {field: at + place * size for place, field in enumerate(numbers)}
        self.instances = [self.layout.make(**values)]

    def see(self, run):
        """Pin the segments."""
        run.open(self)

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
        return {f"code_decode{number}": decoders, f"entries{number}": entries}

    @staticmethod
    def pointers(part, number, pairs):
        structs, decoders = zip(*pairs) if pairs else ((), ())
        return {f"{part}_struct{number}": structs, f"{part}_decode{number}": decoders}

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
        scales = tuple(sorted((name, known) for name, known in self.scales.items() if known is not None))
        return tuple(sorted(self.nullable.items())), tuple(sorted(self.coded.items())), scales, active

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
        layout, known = column.type.layout, self.scales.get(name)
        layout = layout if known is None else ScaledLayout(*known)

        def fetch():
            values = self.decoded(k, state["values", number], first, block.count, layout.element, layout.width,
                                  ("column", column.id))
            if self.nullable[name]:
                block.fetch([("valid", column.id)])
            return lambda n, row: Sql(layout.load(k, values, n, self.lifetime),
                                      row["valid", column.id] if self.nullable[name] else True)
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


class StreamSource(TableSource):
    """Rows of a relation that is streamed (storage.engine.Relation)."""
    lifetime = "block"

    def __init__(self, relation, columns, ranges=list, label=""):
        super().__init__(relation, columns, ranges, label)
        fields = {f"{part}_{what}{number}": I64 for number in range(len(columns)) for part in ("values", "valid")
                  for what in ("struct", "decode")}
        self.layout = Struct(advance=FUNCTION, place=I64, first=I64, rows=I64, **fields)
        self.scan, self.pieces, self.valid_encoding = None, [], encoding_of("plain", BOOLEAN)

    def open(self, run):
        """Plan what to read, and read nothing. `nullable` is what the files' statistics say."""
        self.run, self.arrays, self.pieces, names = run, [], [None] * run.workers, [name for _, name in self.columns]
        in_order = run.pipeline is not None and run.pipeline.source is self and run.pipeline.in_order
        self.scan = self.relation.stream(names, self.ranges(), in_order)
        self.nullable, self.row_count, self.morsel_count = self.scan.nullable, self.scan.row_count, self.scan.piece_count
        self.instances = []
        for worker in range(run.workers):
            state = self.layout.make()
            state.advance = self.callback(run.control.guarded(lambda _, worker=worker: self.advance(worker)))
            for number, (column, _) in enumerate(self.columns):
                setattr(state, f"values_decode{number}", run.decoder(encoding_of("plain", column.type.layout)))
            self.instances.append(state)

    def used_segments(self):
        """There are none whose columns could be looked at before they are read."""
        return []

    def progress(self):
        """The share of rows that have been read, 0 to 1."""
        return min(1.0, self.scan.rows_read / max(1, self.row_count)) if self.scan is not None else 0.0

    def reachable(self):
        """Besides structs: the columns of the pieces that workers are in."""
        yield from super().reachable()
        for held in self.pieces:
            for column in held.columns if held is not None else ():
                yield from column.reachable()

    def close(self):
        """Free the pieces, let go of the files."""
        for worker in range(len(self.pieces)):
            self.release(worker)
        super().close()
        self.pieces = []

    def advance(self, worker):
        """Called by generated code: show a worker its next morsel. Returns 1, or 0 if there is none."""
        held, state, control = self.pieces[worker], self.instances[worker], self.run.control.instances[0]
        first = 0 if held is None else state.first + state.rows
        if held is None or first >= held.row_count:
            self.run.check()                # also where nobody else looks: a small estimate may be a large file
            self.release(worker)
            piece, first = self.scan.take(worker, lambda: control.stop != 0), 0
            if piece is None:
                return 0
            held = self.pieces[worker] = Held(piece, self.columns, self.valid_encoding)
            self.run.allocation.account(held.size)
            self.show(state, held)
        state.place, state.first, state.rows = held.place, first, min(self.run.morsel_rows, held.row_count - first)
        return 1

    def show(self, state, held):
        """Write the addresses of a piece's columns to a worker's struct."""
        valid_decode = self.run.decoder(self.valid_encoding)
        for number, column in enumerate(held.columns):
            setattr(state, f"values_struct{number}", column.address)
            address, decode = (column.validity_address, valid_decode) if column.has_nulls else self.run.all_valid
            setattr(state, f"valid_struct{number}", address)
            setattr(state, f"valid_decode{number}", decode)

    def release(self, worker):
        """Free the piece that a worker has done with."""
        if self.pieces[worker] is not None:
            self.run.allocation.discount(self.pieces[worker].size)
            self.pieces[worker] = None

    # staged
    def blocks(self, k):
        here, more = k.memory(self), k.variable(I64, 1)
        for _ in k.while_(lambda: k.and_(more.get() != 0, k.stop_flags() == 0)):
            more.set(k.call(here.advance, k.constant(I64, 0)))
            for _ in k.when(more.get() != 0):
                first, place = here.first, here.place
                at, stop, state = k.variable(I64, first), first + here.rows, self.morsel_state(k, here, None)
                for _ in k.while_(lambda: k.and_(at.get() < stop, k.not_(self.must_stop(k)))):
                    count = k.least(stop - at.get(), k.constant(I64, k.block_rows))
                    for block in self.morsel_block(k, state, at.get(), count):
                        block.morsel = place
                        yield block
                    at.set(at.get() + k.block_rows)

    def morsel_state(self, k, here, segment):
        """See TableSource.morsel_state; here the struct holds what belongs to one piece."""
        state = {"segment": segment}
        for number, (_, name) in enumerate(self.columns):
            for part in (("values", "valid") if self.nullable[name] else ("values",)):
                struct, decode = getattr(here, f"{part}_struct{number}"), getattr(here, f"{part}_decode{number}")
                state[part, number] = struct, decode
        return state


class Held:
    """A Piece as generated code reads it. columns: a StoredColumn for each column of the scan."""

    def __init__(self, piece, columns, valid_encoding):
        self.row_count, self.size, self.place, made = piece.row_count, piece.size, piece.place, {}
        for _, name in columns:
            if name not in made:
                data = piece.columns[name]
                valid = None if data.valid is None else valid_encoding.encode(data.valid.view("i1"))
                made[name] = StoredColumn(data.type, encode_plain(data.type.layout, data.values), valid)
        self.columns = [made[name] for _, name in columns]
