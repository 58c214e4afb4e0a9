"""WITH RECURSIVE: a source whose rows come in rounds.

    first ─▶ rows ─▶ blocks of the pipeline ─┐
               ▲                             │  advance: called by generated code when a round's rows are through
               └──── step over those rows ◀──┘

Each round is a run of its own of the step's pipelines, which read the last round's rows from memory; so a LIMIT above stops
the recursion, and a recursion that never ends can be cancelled. Rows that came before (UNION) are told by a set of Python's.
"""
import numpy as np

from caldera.kernel.blocks import Block
from caldera.kernel.interface import FUNCTION, I8, I64, Owner, Pointer, Struct
from caldera.kernel.layouts import TEXT
from caldera.kernel.nullable import Sql
from caldera.operators.morsels import Morsels
from caldera.operators.pipeline import Source, Stream
from caldera.operators.rows_in_memory import ColumnsSource, as_cells
from caldera.optimize.estimates import ROW_COST
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs
from caldera.storage import arrays
from caldera.types.columns import to_datums

ROUNDS_GUESS = 10
KEY_BYTES = 100                 # of a value in a set of Python's, about
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

    def __init__(self, node):
        super().__init__(node.columns, None)
        self.node = node

    @property
    def words(self):
        return f"WorkTable Scan on {self.node.name}"

    def open(self, run):
        rows = run.working[self.node.number]
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
        self.run, self.arrays, self.round, self.seen, self.round_bytes = run, [], [], set(), 0
        self.instances = [self.layout.make()]
        self.instances[0].advance = self.callback(run.control.guarded(lambda _: self.step()), 1)
        self.put(self.rows_of(run, self.node.first, self.node.given[0]))

    def close(self):
        self.instances, self.arrays, self.round, self.seen = [], [], [], set()

    def step(self):
        """Called by generated code: the step's rows over the last round's. Once the run has failed there are none."""
        self.instances[0].count = 0
        if self.run.control.exception is None:
            self.run.check()
            self.run.working[self.node.number] = self.rows
            self.put(self.rows_of(self.run, self.node.step, self.node.given[1]))

    def put(self, rows):
        """Make rows the round's, without those that came before if each shall come once."""
        size = sum(map(arrays.byte_count, rows))
        self.run.allocation.discount(self.round_bytes)              # of the last round, which nobody reads any more
        self.round_bytes = size
        rows = self.new_rows(rows) if self.node.is_distinct else rows
        state, self.rows, self.round = self.instances[0], rows, []
        for number, (column, data) in enumerate(zip(self.node.columns, rows)):
            array = as_cells(data.values, self.keep_round) if column.type.layout is TEXT else data.values
            valid = np.ones(rows.row_count, np.uint8) if data.valid is None else data.valid
            setattr(state, f"values{number}", self.keep_round(np.ascontiguousarray(array)))
            setattr(state, f"valid{number}", self.keep_round(np.ascontiguousarray(valid)))
        state.count = rows.row_count

    def keep_round(self, array):
        """The address of an array that lives until the next round."""
        self.round.append(array)
        return array.ctypes.data

    def new_rows(self, rows):
        """Those of a round's rows that have not come before, each once."""
        columns = [keys(data) for data in rows]
        chosen = []
        for number, key in enumerate(zip(*columns) if columns else [()] * rows.row_count):
            if key not in self.seen:
                self.seen.add(key)
                chosen.append(number)
        self.run.allocation.account(len(chosen) * KEY_BYTES * max(1, len(columns)))
        if len(chosen) == rows.row_count:
            return rows
        kept = type(rows)([arrays.take(data, np.array(chosen, np.int64)) for data in rows], len(chosen))
        kept.origin = rows                              # numbers of any length live as long as these rows
        return kept

    def reachable(self):
        """Besides structs and arrays: the round's columns."""
        yield from super().reachable()
        for array in self.round:
            yield array.ctypes.data, array.nbytes

    # staged
    def blocks(self, k):
        here = k.memory(self)
        for _ in k.while_(lambda: k.and_(here.count > 0, k.not_(Morsels.must_stop(k)))):
            at = k.variable(I64, 0)
            for _ in k.while_(lambda: k.and_(at.get() < here.count, k.not_(Morsels.must_stop(k)))):
                first = at.get()
                count = k.least(here.count - first, k.constant(I64, k.block_rows))
                yield Block(k, count, {column.id: self.reader(k, here, number, column, first)
                                       for number, column in enumerate(self.node.columns)})
                at.set(at.get() + k.block_rows)
            for _ in k.when(k.not_(Morsels.must_stop(k))):
                k.call(here.advance, 0)

    @staticmethod
    def reader(k, here, number, column, first):
        """What fetches a column in a block that begins at a row."""
        def fetch():
            values, valid = getattr(here, f"values{number}"), getattr(here, f"valid{number}")
            return lambda n, row: Sql(column.type.layout.load(k, values, first + n), valid[first + n] != 0)
        return fetch


def keys(data):
    """For each value of a column a key that is the same for values that SQL calls equal."""
    datums = to_datums(data.type, data.values, data.valid)
    return [None if datum is None else data.type.sort_key(datum) for datum in datums]
