"""WITH RECURSIVE: a source whose rows come in rounds.

    first ─▶ rows ─▶ blocks of the pipeline ─┐
               ▲                             │  advance: called by generated code when a round's rows are through
               └──── step over those rows ◀──┘

Each round is a run of its own of the step's pipelines, which read the last round's rows from memory, or from disk where that
is short; so a LIMIT above stops the recursion, and a recursion that never ends can be cancelled. The step runs once even if
the first term has no rows, as it may have some without them; from then on a round without rows is the last. Rows that came
before (UNION) are told by their keys (seen_rows.py).
"""
import threading

import numpy as np

from caldera.kernel.blocks import Block
from caldera.kernel.interface import FUNCTION, I8, I64, Owner, Pointer, Struct
from caldera.kernel.layouts import TEXT
from caldera.kernel.nullable import Sql
from caldera.operators.common_scan import CommonRows
from caldera.operators.morsels import Morsels
from caldera.operators.pipeline import Source, Stream
from caldera.operators.rows_in_memory import ColumnsSource, as_cells
from caldera.operators.seen_rows import SeenRows
from caldera.optimize.estimates import ROW_COST
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs
from caldera.storage import arrays

ROUNDS_GUESS = 10
ROWS_GUESS = 1 << 17            # enough to be worth code, and a thread that can be told to stop


@runs(nodes.Recursion)
class RecursionOperator(Operator):
    """Runs the terms round by round."""

    def describe(self, node):
        return "Recursive Union", f"Recursive Union {node.name}", {}

    def estimate(self, estimates, node):
        (rows, startup, total), (more, _, dear) = estimates.of(node.first), estimates.of(node.step)
        return rows + ROUNDS_GUESS * more, startup, total + ROUNDS_GUESS * dear

    def build(self, builder, node):
        return Stream(RecursionSource(node, builder.rows_of), [], in_order=True)


@runs(nodes.WorkingScan)
class WorkingScanOperator(Operator):
    """Reads the last round's rows."""

    def describe(self, node):
        return "WorkTable Scan", f"WorkTable Scan on {node.name}", {}

    def estimate(self, estimates, node):
        rows = estimates.unknown[0]
        return rows, 0, rows * ROW_COST

    def build(self, builder, node):
        return Stream(WorkingSource(node), [])


class WorkingSource(ColumnsSource):
    """The rows of the last round."""
    is_repeatable = False

    def __init__(self, node):
        super().__init__(node.columns, None)
        self.node = node

    @property
    def words(self):
        return f"WorkTable Scan on {self.node.name}"

    def rounds(self, run):
        """As ColumnsSource does it; on disk or not may be different the next time."""
        self.found = run.working[self.node.number]
        self.batches = self.found.batches if self.found.pieces else None
        yield from super().rounds(run)

    def open(self, run):
        if self.batch is None:
            rows = self.found.columns
            self.data, self.row_count_without_columns = lambda: rows, rows.row_count
        super().open(run)


class RecursionSource(Source, Owner):
    """The rows of all rounds. rows_of: see Builder."""
    parallel, row_count = False, ROWS_GUESS

    def __init__(self, node, rows_of):
        super().__init__()
        self.node, self.rows_of = node, rows_of
        fields = dict(count=I64, advance=FUNCTION)
        for number, column in enumerate(node.columns):
            fields |= {f"values{number}": Pointer(column.type.layout.element), f"valid{number}": Pointer(I8)}
        self.layout = Struct(**fields)

    @property
    def words(self):
        return f"Recursive Union {self.node.name}"

    # in Python
    def open(self, run):
        """The first term's rows."""
        self.run, self.arrays, self.shown, self.rows, self.batches = run, [], [], None, iter(())
        self.seen, self.lock = SeenRows(run) if self.node.is_distinct else None, threading.Lock()
        self.instances = [self.layout.make()]
        self.instances[0].advance = self.callback(run.control.guarded(lambda _: self.advance()), 1)
        self.begin_round(self.node.first, self.node.given[0])
        self.show_next()

    def close(self):
        self.instances, self.arrays, self.shown, self.rows, self.seen, self.batches = [], [], [], None, None, iter(())

    def advance(self):
        """Called by generated code: more of the round's rows, or the step's over all of them. Once the run has failed there
        are none."""
        self.instances[0].count = 0
        if self.run.control.exception is None:
            self.run.check()
            if not self.show_next():
                last = self.run.working[self.node.number] = self.rows
                self.begin_round(self.node.step, self.node.given[1])
                last.give_up()                                      # nobody reads them any more
                self.show_next()

    def begin_round(self, plan, given):
        """Make rows of a plan the round's."""
        self.rows = rows = CommonRows(self.run)
        columns = self.rows_of(self.run, plan, given, lambda columns, count: rows.add(*self.new_rows(columns, count)))
        count, size = columns.row_count, sum(map(arrays.byte_count, columns))
        new, new_count = self.new_rows(columns, count)
        kept = type(columns)(new, new_count)
        kept.origin = columns                           # numbers of any length live as long as these rows
        rows.complete(kept, size)
        self.batches = iter([(kept, new_count)]) if not rows.pieces else rows.batches()

    def new_rows(self, columns, count):
        """Pairs (columns, row count) of rows without those that came before, if each shall come once."""
        if self.seen is None:
            return columns, count
        with self.lock:
            chosen = self.seen.new(columns, count)
        if len(chosen) == count:
            return columns, count
        return [arrays.take(data, np.array(chosen, np.int64)) for data in columns], len(chosen)

    def show_next(self):
        """Have the struct show the next rows of the round; whether there are any."""
        columns, count = next((batch for batch in self.batches if batch[1]), (None, 0))
        if not count:
            return False
        state, self.shown = self.instances[0], []
        for number, (column, data) in enumerate(zip(self.node.columns, columns)):
            array = as_cells(data.values, self.keep_shown) if column.type.layout is TEXT else data.values
            valid = np.ones(count, np.uint8) if data.valid is None else data.valid
            setattr(state, f"values{number}", self.keep_shown(np.ascontiguousarray(array)))
            setattr(state, f"valid{number}", self.keep_shown(np.ascontiguousarray(valid)))
        state.count = count
        return True

    def keep_shown(self, array):
        """The address of an array that lives until the next rows are shown."""
        self.shown.append(array)
        return array.ctypes.data

    def reachable(self):
        """Besides structs and arrays: the columns that are shown."""
        yield from super().reachable()
        for array in self.shown:
            yield array.ctypes.data, array.nbytes

    # staged
    def blocks(self, k):
        here, is_first = k.memory(self), k.variable(I64, 1)
        for _ in k.while_(lambda: k.and_(k.or_(here.count > 0, is_first.get() != 0), k.not_(Morsels.must_stop(k)))):
            at = k.variable(I64, 0)
            for _ in k.while_(lambda: k.and_(at.get() < here.count, k.not_(Morsels.must_stop(k)))):
                first = at.get()
                count = k.least(here.count - first, k.constant(I64, k.block_rows))
                yield Block(k, count, {column.id: self.reader(k, here, number, column, first)
                                       for number, column in enumerate(self.node.columns)})
                at.set(at.get() + k.block_rows)
            is_first.set(0)
            for _ in k.when(k.not_(Morsels.must_stop(k))):
                k.call(here.advance, 0)

    @staticmethod
    def reader(k, here, number, column, first):
        """What fetches a column in a block that begins at a row. Texts go with the rows that are shown."""
        def fetch():
            values, valid = getattr(here, f"values{number}"), getattr(here, f"valid{number}")
            return lambda n, row: Sql(column.type.layout.load(k, values, first + n, "block"), valid[first + n] != 0)
        return fetch
