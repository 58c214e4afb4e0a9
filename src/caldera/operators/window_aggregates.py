"""Aggregates over frames, staged: one loop over the sorted rows that updates the aggregates' cells and reads their results.

    running    the frame begins where the last row's did and ends no earlier: only the rows that are new are added
    otherwise  cells begin anew: all rows of the frame are added, or, where frames are long, the nodes of a tree

The tree (Leis, Kundhardt, Kemper, Neumann: Efficient Processing of Window Functions in Analytical SQL Queries, VLDB 2015)
has in its nodes the states of FANOUT rows, of FANOUT nodes, and so on; a frame is put together of the largest ones that
fit, in the order of the rows. It costs FANOUT * log n states a row however long frames are, and needs no inverse of an
aggregate.
"""
import numpy as np

from caldera.kernel.blocks import Block, Faults, Row, buffer_reader, write_column
from caldera.kernel.interface import F64, I64, Cell, Pointer, Struct
from caldera.kernel.structures.arena import Arena
from caldera.operators.aggregate_use import StagedUse
from caldera.operators.rows_in_memory import ColumnsSource
from caldera.plan.windows import WindowCall

FANOUT = 16
ROWS_ADDED_MAX = 64             # for each row, on average, from which on a tree pays


class FrameUse(StagedUse):
    """An aggregate over columns of the sorted rows."""

    def __init__(self, call, evaluator, arena):
        super().__init__(FrameCall(call), evaluator, arena)


class FrameCall:
    """A WindowCall as StagedUse asks for an AggregateCall."""

    def __init__(self, call: WindowCall):
        self.signature, self.arguments, self.filter = call.function, call.arguments, call.filter
        self.type, self.modifier = call.type, call.modifier


class FramesSource(ColumnsSource):
    """The sorted rows with the results of aggregates. `result`: operators.window.WindowResult; `calls`: pairs (Column,
    WindowCall over its columns)."""
    words, is_repeatable = "Rows of a Window in Frames", False

    def __init__(self, result, calls, evaluator):
        self.result, self.arena, self.parts = result, Arena(), len(range_names(result.node.frame))
        self.calls = [(column, FrameUse(call, evaluator, self.arena)) for column, call in calls]
        ids = {column.id for column, _ in calls}
        inputs = {argument.id: argument for _, call in calls for argument in (*call.arguments, call.filter) if argument}
        given = {column.id: column for column in result.node.output if column.id not in ids}
        super().__init__(list((given | inputs).values()), self.ordered)
        self.batches = self.ordered_batches
        self.input_ids, self.parallel, self.deep = sorted(inputs), False, False
        self.cells = [cell for _, use in self.calls for cell in use.cells]
        frames = {name: Pointer(I64) for pair in range_names(result.node.frame) for name in pair}
        self.layout = Struct(**self.layout.fields, **frames, nodes=Pointer(I64), float_nodes=Pointer(F64),
                             levels=Pointer(I64), level_count=I64, built=I64)

    @property
    def facts(self):
        return super().facts, self.deep

    def ordered(self):
        """The columns, once the rows are sorted."""
        self.result.open()
        self.row_count_without_columns = self.result.rows.count
        return [self.result.data[column.id] for column in self.columns]

    def ordered_batches(self):
        """The columns for some partitions after the other, if rows went to disk."""
        parts = self.result.each()
        return None if parts is None else (([self.result.data[column.id] for column in self.columns], self.result.rows.count)
                                           for _ in parts)

    def open(self, run):
        run.open(self.arena)
        super().open(run)
        state, ranges = self.instances[0], self.result.rows.ranges
        for names, arrays in zip(range_names(self.result.node.frame), ranges):
            for name, array in zip(names, arrays):
                setattr(state, name, self.keep(np.ascontiguousarray(array, np.int64)))
        was_deep = self.deep and self.batch is not None         # one text serves all batches
        self.deep = was_deep or added_rows(ranges) > ROWS_ADDED_MAX * self.row_count
        if self.deep:
            counts = [0]                        # of nodes on each level; level 0 are the rows themselves
            while (size := self.row_count // FANOUT ** len(counts)) > 1:
                counts.append(size)
            nodes = run.allocation.take(sum(counts) * len(self.cells) + 1)
            self.arrays.append(nodes)
            state.nodes = state.float_nodes = nodes.ctypes.data
            state.levels = self.keep(np.cumsum([0, *counts]).astype(np.int64))
            state.level_count = len(counts)

    # staged
    def blocks(self, k):
        """Blocks of sorted rows; the state of the last row's frame goes along in variables."""
        self.running = self.new_cells(k), k.variable(I64, -1), k.variable(I64, -1)
        if self.deep:
            self.build_tree(k)
        yield from super().blocks(k)

    def new_cells(self, k):
        """Variables for the cells of all aggregates, in their initial states."""
        return [k.variable(type, initial_value(k, type, initial)) for type, initial in self.cells]

    def reset(self, k, cells):
        for cell, (type, initial) in zip(cells, self.cells):
            cell.set(initial_value(k, type, initial))

    def uses(self, cells):
        """Triples (column, use, its cells)."""
        start = 0
        for column, use in self.calls:
            yield column, use, cells[start:start + len(use.cells)]
            start += len(use.cells)

    def all_rows(self, k):
        """A block in which the number of a row is its place among all rows."""
        state = self.morsel_state(k, k.memory(self), None)
        (block,) = super().morsel_block(k, state, k.constant(I64, 0), k.constant(I64, self.row_count))
        block.fetch(self.input_ids)
        return block

    def morsel_block(self, k, state, first, count):
        cells, low, high = self.running
        for block in super().morsel_block(k, state, first, count):
            here, everything, faults, buffers = k.memory(self), self.all_rows(k), Faults(k), {}
            ranges = [(getattr(here, start), getattr(here, stop)) for start, stop in range_names(self.result.node.frame)]
            for number in k.range(0, count, vectorize=False):
                row = Row(block, number, faults)
                start, stop = (bound[first + number] for bound in ranges[0])
                restarts = True if len(ranges) > 1 else k.or_(low.get() != start, stop < high.get())
                for _ in k.when(restarts):
                    self.reset(k, cells)
                    low.set(start)
                    high.set(start)
                self.add_rows(k, cells, everything, row, high, stop)
                for bounds in ranges[1:]:
                    start, stop = (bound[first + number] for bound in bounds)
                    high.set(start)
                    self.add_rows(k, cells, everything, row, high, stop)
                for column, use, own in self.uses(cells):
                    write_column(k, buffers, column.id, column.type.layout, number, use.final(k, own, row))
            faults.test()
            readers = {id: (lambda buffer=buffer: buffer_reader(k, *buffer)) for id, buffer in buffers.items()}
            yield Block(k, count, readers, parent=block)

    def add_rows(self, k, cells, everything, row, at, stop):
        """Add the rows from `at`, a variable, up to `stop`."""
        def add_one():
            self.add_row(k, cells, everything, at.get(), row.faults)
            at.set(at.get() + 1)
        for _ in k.while_(lambda: at.get() < stop):
            if not self.deep:
                add_one()
                continue
            here, level, size = k.memory(self), k.variable(I64, 0), k.variable(I64, 1)

            def wider():
                larger = size.get() * FANOUT
                return k.and_(level.get() + 1 < here.level_count, (at.get() & (larger - 1)) == 0, at.get() + larger <= stop)
            for _ in k.while_(wider):
                size.set(size.get() * FANOUT)
                level.set(level.get() + 1)
            for _ in k.when(level.get() == 0):
                add_one()
            for _ in k.when(level.get() > 0):
                self.combine(k, cells, here.levels[level.get()] + k.binary("div", at.get(), size.get()), row)
                at.set(at.get() + size.get())

    def add_row(self, k, cells, everything, number, faults):
        row = Row(everything, number, faults)
        for _, use, own in self.uses(cells):
            use.update(k, own, row)

    def node_cells(self, k, number):
        """The cells of a node of the tree."""
        here, first = k.memory(self), number * len(self.cells)
        return [Cell(here.float_nodes if type == F64 else here.nodes, first + i) for i, (type, _) in enumerate(self.cells)]

    def combine(self, k, cells, number, row):
        """Add the state of a node."""
        for (_, use, own), (_, _, others) in zip(self.uses(cells), self.uses(self.node_cells(k, number))):
            use.combine(k, own, others, row)

    def build_tree(self, k):
        """The states of all nodes, level by level."""
        here, everything, faults = k.memory(self), self.all_rows(k), Faults(k)
        cells, level = self.new_cells(k), k.variable(I64, 1)
        for _ in k.while_(lambda: k.and_(here.built == 0, level.get() < here.level_count)):
            below, first, stop = here.levels[level.get() - 1], here.levels[level.get()], here.levels[level.get() + 1]
            for number in k.range(0, stop - first, vectorize=False):
                self.reset(k, cells)
                row = Row(everything, number * FANOUT, faults)
                for child in k.range(0, FANOUT, vectorize=False):
                    place = number * FANOUT + child
                    for _ in k.when(level.get() == 1):
                        self.add_row(k, cells, everything, place, faults)
                    for _ in k.when(level.get() > 1):
                        self.combine(k, cells, below + place, row)
                for mine, cell in zip(self.node_cells(k, first + number), cells):
                    mine.set(cell.get())
            level.set(level.get() + 1)
        here.built = k.constant(I64, 1)
        faults.test()


def initial_value(k, type, initial):
    """What a cell starts with."""
    return k.constant(type, float(initial) if type == F64 else initial)


def range_names(frame):
    """The struct's names of the ranges that a Frame consists of."""
    parts = {"": 1, "TIES": 3}.get(frame.exclude, 2)
    return [(f"start{part}", f"stop{part}") for part in range(parts)]


def added_rows(ranges):
    """How many rows are added to cells without a tree."""
    if len(ranges) > 1:
        return sum(int((stop - start).sum()) for start, stop in ranges)
    (start, stop), = ranges
    if not len(start):
        return 0
    grows = np.append(False, (start[1:] == start[:-1]) & (stop[1:] >= stop[:-1]))
    return int(np.where(grows, stop - np.append(0, stop[:-1]), stop - start).sum())
