"""Window functions: rows are kept and sorted as by ORDER BY, then functions are computed over whole sorted columns.

    input ─▶ WindowSink: collect, sort ─▶ boundaries of partitions and peers ─┬─ numbers, picked rows: numpy (WindowRows)
                                                                              └─ aggregates: staged (window_aggregates)

Arguments are computed before the rows are kept, so the columns of the sink are the input's and those of the arguments.
"""
import math
from dataclasses import replace

import numpy as np

from caldera.operators.collect import Collect
from caldera.operators.pipeline import Stream
from caldera.operators.project import Project
from caldera.operators.rows_in_memory import from_memory
from caldera.operators.sort import Sort, up_to
from caldera.operators.sort_runs import joined
from caldera.operators.window_aggregates import FramesSource
from caldera.operators.window_rows import Argument, FrameInput, WindowRows, differs
from caldera.optimize.estimates import OPERATOR_COST, ROW_COST
from caldera.plan import nodes
from caldera.plan.expressions import Case, Column, Constant, new_column
from caldera.plan.operator import Operator, runs
from caldera.storage import arrays
from caldera.storage.engine import ColumnData
from caldera.types.columns import from_datums, to_datums

PARTITIONS_MAX = 64             # that are looked at one by one for their first rows
CHECKED_ROWS = 1 << 12          # of an aggregate in plain Python, between looks at cancels


@runs(nodes.Window)
class WindowOperator(Operator):
    """Sorts rows, unless they come sorted from another window, and computes functions over partitions and frames."""

    def describe(self, node):
        calls = [str(call) for _, call in node.calls]
        limit = {} if node.rank_limit is None else {"Rank Limit": node.rank_limit}
        return "WindowAgg", "WindowAgg", {"Window": f"{node.name} AS {node.spell_window()}", "Functions": calls} | limit

    def estimate(self, estimates, node):
        rows, _, total = estimates.of(node.input)
        total += 2 * OPERATOR_COST * rows * math.log2(max(2, rows)) * (not comes_sorted(node))
        total += rows * sum(estimates.expression_cost(call) + OPERATOR_COST for _, call in node.calls)
        return rows, total, total + rows * ROW_COST

    def build(self, builder, node):
        stream, inputs = builder.build(node.input), Inputs()
        keys = tuple(replace(key, expression=inputs.column(key.expression)) for key in node.keys)
        calls = [(column, inputs.of_call(call)) for column, call in node.calls]
        bounds = tuple(bound and inputs.column(bound) for bound in node.bounds)
        if inputs.computed:
            stream.evaluates([expression for _, expression in inputs.computed])
            stream.steps.append(Project(tuple(inputs.computed), builder.evaluator))
        kept = {column.id: column for column in (*node.input.output, *inputs.columns)}
        sink = WindowSink(list(kept.values()), keys, builder.word_ids, len(node.partition), comes_sorted(node),
                          node.rank_limit)
        builder.end(stream, sink, "window")
        staged = [(column, call) for column, call in calls if is_staged(call)]
        result = WindowResult(sink, node, keys, bounds, [pair for pair in calls if not is_staged(pair[1])], builder.constant)
        if not staged:
            stream = from_memory(node.output, result.columns, batches=result.batches)
            stream.source.words = "Rows of a Window"
            return stream
        source = FramesSource(result, staged, builder.evaluator)
        return Stream(source, [], needs_scratch=True)


def comes_sorted(node):
    """Whether the rows come from another window, which has put them in this one's order already."""
    below = node.input
    while isinstance(below, nodes.Project) and all(expression is column or expression == column
                                                   for column, expression in below.items):
        below = below.input                 # one that only leaves columns out
    return isinstance(below, nodes.Window) and below.keys[:len(node.keys)] == node.keys


def is_staged(call):
    """Whether a call is an aggregate whose definition is staged."""
    return call.is_aggregate and not call.function.implementation.python


class Inputs:
    """Expressions as columns: those that are none already get one."""

    def __init__(self):
        self.computed, self.columns = [], []

    def column(self, expression):
        """The Column of an expression."""
        if not isinstance(expression, Column):
            known = next((column for column, other in self.computed if other is expression), None)
            if known is None:
                known = new_column("input", expression.type, expression.modifier, expression.nullable)
                self.computed.append((known, expression))
            expression = known
        self.columns.append(expression)
        return expression

    def of_call(self, call):
        """The call over columns. Arguments are not evaluated for rows that FILTER leaves out."""
        arguments = call.arguments
        if call.filter is not None:
            arguments = [Case((call.filter,), (argument,), Constant(None, argument.type), argument.type, argument.modifier)
                         for argument in arguments]
        filter = None if call.filter is None else self.column(call.filter)
        return replace(call, arguments=tuple(map(self.column, arguments)), filter=filter)


class WindowSink(Sort):
    """Rows with the words of the partition's and the order's keys. `comes_sorted`: they need no sorting. `rank_limit`: see
    the node."""

    def __init__(self, columns, keys, ids, partition_keys, comes_sorted, rank_limit):
        super().__init__(columns, keys, ids)
        self.partition_keys, self.comes_sorted, self.rank_limit = partition_keys, comes_sorted, rank_limit

    @property
    def words(self):
        return "Window (sorted)" if self.comes_sorted else "Window"

    def finish(self):
        """({column id: ColumnData in order}, which rows begin a partition, which begin a group of peers)."""
        columns, count = Collect.finish(self), self.row_count
        first = None if self.rank_limit is None or self.comes_sorted else self.best_rows(columns, count)
        if first is not None:
            columns, count = [arrays.take(data, first) for data in columns], len(first)
        words = self.key_words(columns)
        order = None if self.comes_sorted or not words else self.order_of_words(words, count)
        return self.divided(columns, words, count, order)

    @property
    def partition_words(self):
        """How many words the partition's keys have."""
        return sum(1 + key.expression.type.key_words for key in self.keys[:self.partition_keys])

    def best_rows(self, columns, count):
        """The numbers of the rows whose rank in their partition may be within the limit, which the first word of the order
        tells; None where that is all of them, or there are too many partitions to look at each."""
        if not count or len(self.order_words) < self.partition_words + 2:       # without order all rows are peers
            return None
        words = self.key_words(columns, count=self.partition_words)
        partitions = arrays.packed_keys(words) if words else np.zeros(count, np.uint64)
        numbers = PARTITIONS_MAX + 1 if partitions is None else int(partitions.max(initial=0)) + 1
        if numbers > PARTITIONS_MAX or numbers * self.rank_limit > count // 2:
            return None
        leading = columns[self.position_of(self.order_words[self.partition_words + 1].column)].values
        found = [rows if (first := up_to(leading, rows, self.rank_limit)) is None else first
                 for partition in range(numbers) if len(rows := np.flatnonzero(partitions == partition))]
        return np.sort(np.concatenate(found))

    def divided(self, columns, words, count, order=None):
        """The same for `count` rows with the words of their keys, and the order that they are to have."""
        partition_words, first = self.partition_words, np.arange(count) < 1
        new_partition = differs(words[:partition_words], order) if partition_words else first
        new_peers = new_partition | differs(words[partition_words:], order) if words[partition_words:] else new_partition
        data = {column.id: found if order is None else arrays.take(found, order)
                for column, found in zip(self.kept, columns)}
        return data, new_partition, new_peers

    def in_partitions(self):
        """If rows went to disk: what `finish` gives, for some whole partitions at a time; else None."""
        batches = self.batches()
        return None if batches is None else self.whole_partitions(batches)

    def whole_partitions(self, batches):
        """Rows in order, cut where a partition begins. One that memory has no room for ends with 53200."""
        waiting, held = [], 0
        for columns in batches:
            start = self.last_start(waiting[-1:], columns)
            if start is not None:
                waiting.append(cut(columns, 0, start))
                self.run.allocation.discount(held)                      # whoever works on them counts them from now on
                yield self.whole(waiting)
                columns = cut(columns, start, len(columns[-1].values) - start)
                waiting, held = [], 0
            waiting.append(columns)
            size = 2 * sum(map(arrays.byte_count, columns))             # they are copied when they are all there
            self.run.allocation.account(size)
            self.run.check()
            held += size
        self.run.allocation.discount(held)
        yield self.whole(waiting)

    def last_start(self, before, columns):
        """The last of some rows that begins a partition, or None. before: a list of the rows in front, or an empty one."""
        if not self.partition_keys:
            return None
        ends = [cut(rows, len(rows[-1].values) - 1, 1) for rows in before]
        together = joined([*ends, columns])
        _, new_partition, _ = self.divided(together, self.key_words(together), len(together[-1].values))
        starts = np.flatnonzero(new_partition[1:]) + 1 - len(ends)
        return int(starts[-1]) if len(starts) else None

    def whole(self, waiting):
        """What `finish` gives, for the rows of some batches."""
        columns = joined(waiting)
        return self.divided(columns, self.key_words(columns), len(columns[-1].values))


def cut(columns, first, count):
    """A run of the rows of columns."""
    return [arrays.cut(data, first, count) for data in columns]


class WindowResult:
    """The sorted rows and the functions that numpy or plain Python computes. `calls`: pairs (Column, WindowCall) of these,
    over columns; `keys`, `bounds`: of the node, over columns; `constant`: gives the datum of a frame's offset."""

    def __init__(self, sink, node, keys, bounds, calls, constant):
        self.sink, self.node, self.keys, self.bounds, self.calls, self.constant = sink, node, keys, bounds, calls, constant
        self.data = self.rows = None

    def open(self):
        """Sort, and compute: `data` has the columns by id, `rows` the WindowRows."""
        self.compute(self.sink.finish())

    def each(self):
        """If rows went to disk: compute for some partitions after the other, with a yield for each time; else None."""
        parts = self.sink.in_partitions()
        return None if parts is None else (self.compute(part) for part in parts)

    def batches(self):
        """The same as pairs (columns of the output, row count)."""
        parts = self.each()
        return None if parts is None else (([self.data[column.id] for column in self.node.output], self.rows.count)
                                           for _ in parts)

    def compute(self, divided):
        """The functions over rows as the sink gives them."""
        offsets = tuple(offset and self.constant(offset) for offset in self.node.offsets)
        self.data, new_partition, new_peers = divided
        frame = FrameInput(self.node.frame, offsets)
        if self.node.frame.mode == "RANGE" and self.node.offsets != (None, None):
            key = self.keys[-1]
            frame.descending = key.descending
            key_column, *bounds = self.bounds or (key.expression, None, None)
            frame.key = self.data[key_column.id]
            frame.bounds = tuple(bound and self.data[bound.id] for bound in bounds)
        self.rows = WindowRows(new_partition, new_peers, frame)
        if self.rows.frame_input.frame.mode != "RANGE":
            self.check_offsets()
        for column, call in self.calls:
            self.data[column.id] = self.aggregated(call) if call.is_aggregate else self.computed(call)

    def check_offsets(self):
        """Raise for offsets that are no numbers of rows, even if there is none."""
        for side, offset in enumerate(self.node.offsets):
            if offset is not None:
                self.rows.offset(side)

    def columns(self):
        """The node's output as ColumnData."""
        self.open()
        return [self.data[column.id] for column in self.node.output]

    def computed(self, call):
        """The ColumnData of a window function."""
        columns = [self.data[argument.id] for argument in call.arguments]
        arguments = [Argument(column.values, np.ones(self.rows.count, bool) & present(column)) for column in columns]
        found = call.function.body(self.rows, *arguments)
        if not call.function.picks:
            values, valid = found if isinstance(found, tuple) else (found, None)
            return ColumnData(call.type, values.astype(call.type.layout.dtype), None if valid is None else
                              valid.astype(np.uint8))
        if len(columns) == 3:
            columns = [arrays.concatenate([columns[0], columns[2]])]
            found = np.where(found == -1, self.rows.count + self.rows.numbers, found)
        if not self.rows.count:
            return ColumnData(call.type, columns[0].values)
        picked = arrays.take(columns[0], np.maximum(found, 0))
        valid = (found >= 0) & present(picked)
        return ColumnData(call.type, picked.values, valid.astype(np.uint8))

    def aggregated(self, call):
        """The ColumnData of an aggregate in plain Python: a frame that grows goes on from the state it had."""
        definition = call.function.implementation([argument.type for argument in call.arguments], call.type)
        columns = [self.data[argument.id] for argument in call.arguments]
        datums = list(zip(*(to_datums(column.type, column.values, column.valid) for column in columns)))
        wanted = self.wanted_rows(call, columns if definition.strict else ()).tolist()
        results, last, state, stepped = [], None, definition.start(), 0
        for ranges in zip(*(zip(start.tolist(), stop.tolist()) for start, stop in self.rows.ranges)):
            if ranges == last:
                results.append(results[-1])
                continue
            added = gained_rows(last, ranges)
            if added is None:
                state, added = definition.start(), ranges
            for first, behind in added:
                for number in range(first, behind):
                    if wanted[number]:
                        state = definition.step(state, *datums[number])
                stepped += behind - first
            results.append(definition.finish(state))
            last = ranges
            if stepped > CHECKED_ROWS:
                self.sink.run.check()
                stepped = 0
        return ColumnData(call.type, *from_datums(call.type, results))

    def wanted_rows(self, call, strict_columns):
        """Which rows an aggregate counts, as bools: those that FILTER lets through and that have no NULL in some columns."""
        wanted = np.ones(self.rows.count, bool)
        for column in strict_columns:
            wanted &= present(column)
        if call.filter is not None:
            filter = self.data[call.filter.id]
            wanted &= (filter.values != 0) & present(filter)
        return wanted


def present(column):
    """Which values of a ColumnData are not NULL, as bools; True for all."""
    return True if column.valid is None else column.valid != 0


def gained_rows(last, ranges):
    """What a frame has more than the one before, which may be None; both are tuples of ranges (first row, behind the last).
    None where it lacks rows that the other has."""
    if last is None or len(ranges) > 1:
        return None
    ((start, stop),), ((last_start, last_stop),) = ranges, last
    return [(last_stop, stop)] if last_start == start and last_stop <= stop else None
