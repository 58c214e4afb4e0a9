"""Aggregation: sinks that fill group tables, and the sources that give the groups to the next pipeline.

    input ─▶ AggregateSink ─▶ a table for each worker (Grouping) ─▶ Groups: combined, as blocks ─▶ next pipeline

Aggregates with DISTINCT see each value once: their arguments, together with the group's keys, go to a table of their own,
and a pipeline over its distinct rows (`DistinctRows`) updates the groups. Without keys, accumulators are variables while a
worker runs, so registers, and the workers' results are brought together by the Python kernel: they are few numbers.
"""
from dataclasses import replace

from caldera.kernel.blocks import Block, Faults, Row
from caldera.kernel.interface import F64, I64, Cell, Owner, Struct
from caldera.kernel.nullable import Sql
from caldera.kernel.python import PythonKernel
from caldera.kernel.structures.arena import Arena
from caldera.operators.aggregate_use import KnownCell, aggregate_use
from caldera.operators.code_table import BlockCells
from caldera.operators.filter import Filter
from caldera.operators.grouping import Grouping, MergeGuard
from caldera.operators.pipeline import Sink, Source, Stream
from caldera.operators.scan import TableSource
from caldera.operators.spilled_rows import FEW_ROWS
from caldera.optimize.estimates import OPERATOR_COST, ROW_COST
from caldera.operators.dictionary import mapped
from caldera.plan import nodes
from caldera.plan.expressions import new_column
from caldera.plan.operator import Operator, runs


@runs(nodes.Aggregate)
class AggregateOperator(Operator):
    """Fills groups, brings those of all workers together, and gives them on."""

    def describe(self, node):
        keys = {"Group Key": [str(expression) for _, expression in node.keys]} if node.keys else {}
        calls = {"Aggregates": [str(call) for _, call in node.aggregates]} if node.aggregates else {}
        name = "HashAggregate" if node.keys else "Aggregate"
        return name, name, keys | calls

    def estimate(self, estimates, node):
        rows, _, total = estimates.of(node.input)
        total += rows * sum(estimates.expression_cost(expression) + OPERATOR_COST for expression in node.expressions)
        if not node.keys:
            return 1, total, total + OPERATOR_COST
        groups = estimates.group_count([expression for _, expression in node.keys], rows)
        return groups, total, total + groups * ROW_COST

    def build(self, builder, node):
        stream = builder.build(node.input)
        aggregation = Aggregation(*mapped_parts(builder, stream, node), builder.evaluator, builder.block_rows,
                                  scan_of(stream))
        builder.end(stream, AggregateSink(aggregation), "aggregate")
        end_aggregation(builder, aggregation, stream.needs_scratch)
        return Stream(Groups(aggregation) if node.keys else OneGroup(aggregation), [], True, releases=[aggregation.release])


def mapped_parts(builder, stream, node):
    """(keys, aggregates) of a node over a stream, over dictionaries where that is possible."""
    stream.evaluates(node.evaluated)
    return (tuple((column, mapped(builder, stream, expression)) for column, expression in node.keys),
            tuple((column, mapped_call(builder, stream, call)) for column, call in node.aggregates))


def scan_of(stream):
    """Where a stream comes from, as a Grouping wants to know it."""
    return (stream.source, stream.origins) if isinstance(stream.source, TableSource) else None


def end_aggregation(builder, aggregation, needs_scratch):
    """The pipelines behind the input's: groups by code to the hash table, then the aggregates with DISTINCT."""
    for grouping in aggregation.groupings:
        builder.end(Stream(grouping.merge_source(), []), grouping, "merge groups", MergeGuard(grouping))
    tables = list(aggregation.distinct_tables.values())
    for table in tables:
        sink = DistinctSink(aggregation, table, table is tables[-1])
        builder.end(Stream(DistinctRows(table), [], needs_scratch), sink, "distinct")


def mapped_call(builder, stream, call):
    """An aggregate with its arguments, filter and order over dictionaries where that is possible."""
    filter = None if call.filter is None else mapped(builder, stream, call.filter)
    order = tuple(replace(key, expression=mapped(builder, stream, key.expression)) for key in call.order_by)
    return replace(call, arguments=tuple(mapped(builder, stream, argument) for argument in call.arguments), filter=filter,
                   order_by=order)


class CellStruct(Owner):
    """The cells of one group without keys: a struct for each worker."""

    def __init__(self, cells):
        super().__init__()
        self.cells = cells
        self.layout = Struct(**{f"cell{number}": type for number, (type, _) in enumerate(cells)}, spare=I64)

    def open(self, run):
        self.instances = [self.make() for _ in range(run.workers)]

    def make(self):
        return self.layout.make(**{f"cell{n}": float(initial) if type == F64 else initial
                                   for n, (type, initial) in enumerate(self.cells)})

    def close(self):
        self.instances = []

    def load(self, k):
        """Accumulators as variables, with what the struct holds (a program may be swapped for a better one midway)."""
        here = k.memory(self)
        return [k.variable(type, getattr(here, f"cell{n}")) for n, (type, _) in enumerate(self.cells)]

    def store(self, k, cells):
        here = k.memory(self)
        for n, cell in enumerate(cells):
            setattr(here, f"cell{n}", cell.get())

    def fields(self, k):
        here = k.memory(self)
        return [Cell(here.field(f"cell{n}"), 0) for n in range(len(self.cells))]


class DistinctTable:
    """Where the rows of aggregates with DISTINCT over the same arguments and filter are made unique."""

    def __init__(self, keys, arguments, filter, make_grouping, columns=None):
        self.filter, self.inputs = filter, [expression for _, expression in keys] + list(arguments)
        self.grouping = make_grouping(self.inputs, [], lambda k, cells, others, row: None)
        self.columns = columns or [new_column("distinct", expression.type, expression.modifier, expression.nullable)
                                   for expression in self.inputs]


class Aggregation:
    """What the pipelines of one Aggregate node share. `keys`: pairs (Column, Expression); `aggregates`: pairs (Column,
    AggregateCall). `scan`, `compared`: see Grouping. `like`: an Aggregation of the same aggregates by other keys, which may
    share what they use, as their groups never meet; each has an arena for its keys."""

    def __init__(self, keys, aggregates, evaluator, block_rows, scan=None, compared=None, like=None):
        self.keys, self.aggregates, self.evaluator, self.like = keys, aggregates, evaluator, like
        self.arena, self.distinct_tables = like.arena if like else Arena(), {}

        def make_grouping(keys, cells, combine, **options):
            return Grouping(keys, cells, combine, evaluator, block_rows, scan, **options)
        self.make_grouping = make_grouping
        calls = [self.without_distinct(call) for _, call in aggregates]
        self.uses = like.uses if like else [aggregate_use(call, evaluator, self.arena) for call in calls]
        self.starts, self.cells = [], []            # where each one's cells begin; those of equal states are the same
        for number, use in enumerate(self.uses):
            first = self.first_of_state(number)
            self.starts.append(len(self.cells) if first == number else self.starts[first])
            self.cells += use.cells if first == number else []
        self.owning = [number for number in range(len(self.uses)) if self.first_of_state(number) == number]
        self.grouping = make_grouping([expression for _, expression in keys], self.cells, self.combine, compared=compared,
                                      always_merge=bool(self.distinct_tables or compared),
                                      arena=Arena() if compared else self.arena,
                                      uses=[self.uses[number] for number in self.owning]) if keys else None
        self.accumulators = None if keys else CellStruct(self.cells)

    def without_distinct(self, call):
        """An aggregate with DISTINCT as one over the columns of a DistinctTable."""
        if not call.distinct or not call.arguments:
            return call
        key = call.arguments, call.filter
        if key not in self.distinct_tables:
            columns = self.like.distinct_tables[key].columns if self.like else None
            self.distinct_tables[key] = DistinctTable(self.keys, call.arguments, call.filter, self.make_grouping, columns)
        table = self.distinct_tables[key]
        columns = dict(zip(call.arguments, table.columns[len(self.keys):]))
        order = tuple(replace(sort, expression=columns.get(sort.expression, sort.expression)) for sort in call.order_by)
        return replace(call, arguments=tuple(columns[argument] for argument in call.arguments), distinct=False, filter=None,
                       order_by=order)

    def first_of_state(self, number):
        """The number of the first aggregate that has the state of this one: a sum and the mean of the same are one."""
        state = self.uses[number].state
        return next((first for first in range(number) if state is not None and self.uses[first].state == state), number)

    def of_input(self):
        """Numbers of the aggregates that the input's rows update directly."""
        return [number for number in self.owning
                if not (self.aggregates[number][1].distinct and self.aggregates[number][1].arguments)]

    def of_table(self, table):
        """Numbers of the aggregates that a DistinctTable's rows update."""
        calls = [(number, self.aggregates[number][1]) for number in self.owning]
        return [number for number, call in calls if call.distinct and call.arguments
                and self.distinct_tables[call.arguments, call.filter] is table]

    @property
    def groupings(self):
        """All groupings: of the node, and of its distinct arguments."""
        return [*([self.grouping] if self.grouping else []), *(table.grouping for table in self.distinct_tables.values())]

    @property
    def owners(self):
        """Everything that must be opened before the first pipeline runs and lives until the last one has."""
        return [self.arena, *([self.accumulators] if self.accumulators else []), *self.groupings,
                *(owner for use in self.uses for owner in use.owners)]

    def release(self, run):
        """The groups are read: only their texts are still wanted."""
        run.give_up(*(table for grouping in self.groupings for table in (grouping.table, grouping.final)))

    def cells_of_use(self, cells, number):
        start = self.starts[number]
        return cells[start:start + len(self.uses[number].cells)]

    def combine(self, k, cells, others, row):
        """Emit the union of two states of a group."""
        for number in self.owning:
            self.uses[number].combine(k, self.cells_of_use(cells, number), self.cells_of_use(others, number), row)

    def ids(self, numbers):
        """What updating some of the aggregates reads of a row."""
        return set().union(*(self.uses[number].columns for number in numbers))

    def update(self, k, cells, numbers, row, sums=None):
        for number in numbers:
            self.uses[number].update(k, self.cells_of_use(cells, number), row, sums and sums.get(number))

    def begin_block(self, k, numbers):
        """{number: what gathers the rows of one block} of the aggregates that have such a thing."""
        found = {number: self.uses[number].begin_block(k) for number in numbers}
        return {number: block_sum for number, block_sum in found.items() if block_sum is not None}

    def gather_in(self, sums, rows, cells):
        """Have the rows that follow gathered in `cells`, and counted in the cell `rows`."""
        for number, block_sum in sums.items():
            block_sum.rows, block_sum.cells = rows, self.cells_of_use(cells, number)

    def end_block(self, k, sums, cells, row):
        """Bring to the cells what was gathered for them."""
        for number, block_sum in sums.items():
            self.uses[number].end_block(k, self.cells_of_use(cells, number), block_sum, row)

    def accumulate(self, k, block, accumulators, numbers):
        """Without keys: one loop, which is as short as the aggregates allow."""
        if not numbers:
            return
        sums, rows = self.begin_block(k, numbers), k.variable(I64, 0)
        self.gather_in(sums, rows, [k.variable(type, 0) for type, _ in self.cells])
        for row in block.rows(self.ids(numbers)):
            rows.set(rows.get() + 1)
            self.update(k, accumulators, numbers, row, sums)
        faults = Faults(k)
        self.end_block(k, sums, accumulators, Row(None, None, faults))
        faults.test()

    def update_groups(self, k, block, numbers):
        """With keys: each row's group. If there are few groups, sums are gathered for the block first."""
        few = self.grouping.few_groups
        sums = self.begin_block(k, numbers) if few else {}
        if not sums:
            for row, cells in self.grouping.rows(k, block, self.ids(numbers)):
                self.update(k, cells, numbers, row)
            return
        gathered = BlockCells(k, few, block)
        for row, cells, rows, others in gathered.rows(self.ids(numbers)):
            self.gather_in(sums, rows, others)
            self.update(k, cells, numbers, row, sums)
        faults = Faults(k)
        for cells, rows, others in gathered.groups():
            self.gather_in(sums, rows, others)
            self.end_block(k, sums, cells, Row(None, None, faults))
        faults.test()

    def result_columns(self, k):
        """Keys and results as computed columns over ("key", i) and ("cell", i)."""
        columns = {}
        for i, (column, _) in enumerate(self.keys):
            columns[column.id] = {("key", i)}, lambda row, i=i: row["key", i]
        for (column, _), use, start in zip(self.aggregates, self.uses, self.starts):
            ids = [("cell", i) for i in range(start, start + len(use.cells))]
            columns[column.id] = set(ids), self.final_of(k, use, ids)
        return columns

    @staticmethod
    def final_of(k, use, ids):
        return lambda row: use.final(k, [KnownCell(row[id].value) for id in ids], row)


class AggregateSink(Sink):
    """The first pipeline: every row of the input goes to its group, and to the tables that make arguments distinct."""
    words = "Aggregate"

    def __init__(self, aggregation):
        self.aggregation = aggregation

    def open(self, run):
        """Empty tables, which live until the run ends."""
        for owner in self.aggregation.owners:
            run.open(owner)

    @property
    def facts(self):
        return tuple(grouping.facts for grouping in self.aggregation.groupings)

    @property
    def spills(self):
        return [grouping.table.spill for grouping in self.aggregation.groupings if grouping.table.spill is not None]

    def consume(self, k, blocks):
        accumulators = self.begin(k)
        for block in blocks:
            self.take(k, block, accumulators)
        self.end(k, accumulators)

    def begin(self, k):
        """Emit what comes before the blocks; without keys the accumulators."""
        return None if self.aggregation.keys else self.aggregation.accumulators.load(k)

    def take(self, k, block, accumulators=None):
        """Emit what happens to a block."""
        shared, numbers, tables = self.aggregation, self.aggregation.of_input(), self.tables
        if not shared.keys:
            block = block.settled() if tables else block
            shared.accumulate(k, block, accumulators, numbers)
        else:
            block = block.settled()
            if numbers or not shared.aggregates or any(table.filter is not None for table in tables):
                shared.update_groups(k, block, numbers)
        for table in tables:
            self.insert(k, block, table)

    def end(self, k, accumulators=None):
        """Emit what ends a worker's part."""
        if accumulators is not None:
            self.aggregation.accumulators.store(k, accumulators)
        elif not self.tables:
            self.aggregation.grouping.end_input(k)
        for table in self.tables:
            table.grouping.end_input(k)

    @property
    def tables(self):
        """The DistinctTables that the rows go to as well."""
        return list(self.aggregation.distinct_tables.values())

    def insert(self, k, block, table):
        """Rows of the block whose keys and arguments are new to a DistinctTable."""
        evaluator = self.aggregation.evaluator
        blocks = [block] if table.filter is None else Filter(table.filter, evaluator).blocks(k, [block])
        for block in blocks:
            for _ in table.grouping.rows(k, block, ()):
                pass


class GroupSource(Source):
    """Base of sources whose rows are the groups of a Grouping."""

    def __init__(self, grouping):
        self.grouping = grouping

    @property
    def facts(self):
        return self.grouping.facts

    @property
    def row_count(self):
        return self.grouping.source.row_count

    def open(self, run):
        self.grouping.open_source(run)

    @property
    def parallel(self):
        """Few groups are not worth waking others, if that is once for each round."""
        spill = self.grouping.table.spill
        return spill is None or not spill.runs or self.row_count > FEW_ROWS

    def rounds(self, run):
        for _ in self.grouping.rounds(run):
            run.shut(self)
            yield


class DistinctRows(GroupSource):
    """The distinct rows of a DistinctTable, as the table's columns."""
    words = "Distinct Rows"

    def __init__(self, table):
        super().__init__(table.grouping)
        self.table = table

    def blocks(self, k):
        for block in self.grouping.blocks(k):
            yield block.extended({column.id: ({("key", i)}, lambda row, i=i: row["key", i])
                                  for i, column in enumerate(self.table.columns)})


class DistinctSink(Sink):
    """The pipeline over DistinctRows: updates the groups of the aggregates that wanted distinct arguments. They are in
    the hash table, and found by the keys that the distinct rows carry."""
    words = "Aggregate"

    def __init__(self, aggregation, table, last):
        self.aggregation, self.table, self.last = aggregation, table, last

    def open(self, run):
        """Groups by code may not have been merged, if the input had no rows for them."""
        if self.aggregation.grouping:
            run.open(self.aggregation.grouping.table)

    @property
    def facts(self):
        return AggregateSink(self.aggregation).facts

    def consume(self, k, blocks):
        shared, numbers = self.aggregation, self.aggregation.of_table(self.table)
        if not shared.keys:
            accumulators = shared.accumulators.load(k)
            for block in blocks:
                shared.accumulate(k, block, accumulators, numbers)
            shared.accumulators.store(k, accumulators)
            return
        keys = self.table.columns[:len(shared.keys)]
        for block in blocks:
            block = block.settled()
            for row, cells in shared.grouping.hashed_rows(k, block, shared.ids(numbers), keys):
                shared.update(k, cells, numbers, row)
        if self.last:
            shared.grouping.table.partition(k)


class Groups(GroupSource):
    """The groups, with the columns of the Aggregate node."""
    words = "Groups"

    def __init__(self, aggregation):
        super().__init__(aggregation.grouping)
        self.aggregation = aggregation

    def blocks(self, k):
        for block in self.grouping.blocks(k):
            yield block.extended(self.aggregation.result_columns(k))


class OneGroup(Source, Owner):
    """A source for aggregates without keys: one row. The workers' cells are combined when it opens."""
    layout, parallel, row_count, words = Struct(turn=I64), False, 1, "Group"

    def __init__(self, aggregation):
        super().__init__()
        self.aggregation = aggregation

    def open(self, run):
        self.instances = [self.layout.make()]
        shared = self.aggregation
        k = PythonKernel(run.control)
        for worker in range(1, run.workers):
            into = shared.accumulators.fields(k)
            others_kernel = PythonKernel(run.control, worker=worker)
            others = [KnownCell(k.constant(cell.type, others_kernel.use(cell.get())))
                      for cell in shared.accumulators.fields(others_kernel)]
            row = Row(None, None, Faults(k))
            shared.combine(k, into, others, row)
        shared.accumulators.instances = shared.accumulators.instances[:1]

    def close(self):
        self.instances = []

    def blocks(self, k):
        """One block of one row, for the worker that comes first."""
        shared, here = self.aggregation, k.memory(self)
        fields = shared.accumulators.fields(k)
        for _ in k.when(k.atomic_add(here.field("turn"), 0, 1) == 0):
            columns = {("cell", i): (lambda i=i: lambda number, row: Sql(fields[i].get(), True)) for i in range(len(fields))}
            yield Block(k, k.constant(I64, 1), columns).extended(shared.result_columns(k))
