"""Aggregation: sinks that fill group tables, and the sources that give the groups to the next pipeline.

    input ─▶ Aggregation.consume ─▶ a table for each worker ─▶ Groups: partitions combined, groups as blocks ─▶ next pipeline

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
from caldera.kernel.structures.group_table import GroupTable, PartitionRows, TableRows
from caldera.operators.aggregate_use import KnownCell, aggregate_use
from caldera.operators.filter import Filter
from caldera.plan.expressions import Column, new_column


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

    def __init__(self, keys, arguments, filter, arena, block_rows):
        self.keys, self.arguments, self.filter = keys, arguments, filter
        self.inputs = [expression for _, expression in keys] + list(arguments)
        spec = [(expression.type, True) for expression in self.inputs]
        self.local, self.unique = GroupTable(spec, [], arena, block_rows), GroupTable(spec, [], arena, block_rows)
        self.columns = [new_column("distinct", expression.type, expression.modifier) for expression in self.inputs]


class Aggregation:
    """What the pipelines of one Aggregate node share. `keys`: pairs (Column, Expression); `aggregates`: pairs (Column,
    AggregateCall)."""

    def __init__(self, keys, aggregates, evaluator, block_rows):
        self.keys, self.aggregates, self.evaluator, self.arena = keys, aggregates, evaluator, Arena()
        self.uses, self.distinct_tables = [], {}
        for _, call in aggregates:
            self.uses.append(aggregate_use(self.without_distinct(call, block_rows), evaluator, self.arena))
        self.cells = [cell for use in self.uses for cell in use.cells]
        spec = [(expression.type, expression.nullable) for _, expression in keys]
        self.table = GroupTable(spec, self.cells, self.arena, block_rows) if keys else CellStruct(self.cells)

    def without_distinct(self, call, block_rows):
        """An aggregate with DISTINCT as one over the columns of a DistinctTable."""
        if not call.distinct or not call.arguments:
            return call
        key = call.arguments, call.filter
        if key not in self.distinct_tables:
            self.distinct_tables[key] = DistinctTable(self.keys, call.arguments, call.filter, self.arena, block_rows)
        table = self.distinct_tables[key]
        columns = dict(zip(call.arguments, table.columns[len(self.keys):]))
        order = tuple(replace(sort, expression=columns.get(sort.expression, sort.expression)) for sort in call.order_by)
        return replace(call, arguments=tuple(columns[argument] for argument in call.arguments), distinct=False, filter=None,
                       order_by=order)

    def of_input(self):
        """Numbers of the aggregates that the input's rows update directly."""
        return [number for number, (_, call) in enumerate(self.aggregates) if not (call.distinct and call.arguments)]

    def of_table(self, table):
        """Numbers of the aggregates that a DistinctTable's rows update."""
        return [number for number, (_, call) in enumerate(self.aggregates) if call.distinct and call.arguments
                and self.distinct_tables[call.arguments, call.filter] is table]

    @property
    def owners(self):
        """Everything that must be opened before the first pipeline runs and lives until the last one has."""
        tables = [table for distinct in self.distinct_tables.values() for table in (distinct.local, distinct.unique)]
        return [self.arena, self.table, *tables, *(owner for use in self.uses for owner in use.owners)]

    def cells_of_use(self, cells, number):
        start = sum(len(use.cells) for use in self.uses[:number])
        return cells[start:start + len(self.uses[number].cells)]

    def update(self, k, block, key_columns, numbers):
        """Emit the update of all groups by the rows of a block. `key_columns`: expressions of the keys over the block."""
        ids = set().union(*(expression.columns for expression in key_columns),
                          *(self.uses[number].columns for number in numbers))
        row_of = self.table.find(k, block, set().union(*(e.columns for e in key_columns)),
                                 lambda row: [self.evaluator.eval(k, e, row) for e in key_columns])
        for row in block.rows(ids, vectorize=False):
            cells = self.table.cells_of(k, row_of(row))
            for number in numbers:
                self.uses[number].update(k, self.cells_of_use(cells, number), row)


class AggregateSink:
    """The first pipeline: every row of the input goes to its group, and to the tables that make arguments distinct."""

    def __init__(self, aggregation):
        self.aggregation = aggregation

    def open(self, run):
        """Empty tables, which live until the run ends."""
        for owner in self.aggregation.owners:
            run.open(owner)

    def consume(self, k, blocks):
        shared = self.aggregation
        numbers, keys = shared.of_input(), [expression for _, expression in shared.keys]
        accumulators = None if shared.keys else shared.table.load(k)
        for block in blocks:
            if shared.distinct_tables:
                block = block.settled()
            if not shared.keys:
                self.accumulate(k, block, accumulators, numbers)
            elif numbers or not shared.aggregates or any(table.filter is not None for table in shared.distinct_tables.values()):
                block = block.settled()
                shared.update(k, block, keys, numbers)
            for table in shared.distinct_tables.values():
                self.insert(k, block, table)
        if accumulators is not None:
            shared.table.store(k, accumulators)
        elif not shared.distinct_tables:
            shared.table.partition(k)
        for table in shared.distinct_tables.values():
            table.local.partition(k)

    def accumulate(self, k, block, accumulators, numbers):
        """Without keys: one loop, which is as short as the aggregates allow."""
        if not numbers:
            return
        ids = set().union(*(self.aggregation.uses[number].columns for number in numbers))
        for row in block.rows(ids):
            for number in numbers:
                use = self.aggregation.uses[number]
                use.update(k, self.aggregation.cells_of_use(accumulators, number), row)

    def insert(self, k, block, table):
        """Rows of the block whose keys and arguments are new to a DistinctTable."""
        evaluator = self.aggregation.evaluator
        blocks = [block] if table.filter is None else Filter(table.filter, evaluator).blocks(k, [block])
        for block in blocks:
            ids = set().union(*(expression.columns for expression in table.inputs))
            row_of = table.local.find(k, block, ids, lambda row: [evaluator.eval(k, e, row) for e in table.inputs])
            for row in block.rows((), vectorize=False):
                row_of(row)


class DistinctRows:
    """A source: the distinct rows of a DistinctTable, partition by partition, as the table's columns."""
    facts = ()
    parallel = True

    def __init__(self, table):
        self.table, self.rows = table, PartitionRows(table.local)

    @property
    def row_count(self):
        return self.rows.row_count

    def open(self, run):
        run.open(self.rows)

    def blocks(self, k):
        for block in combined(k, self.rows, self.table.unique, lambda cells, row: None):
            yield block.extended({column.id: ({("key", i)}, lambda row, i=i: row["key", i])
                                  for i, column in enumerate(self.table.columns)})


class DistinctSink:
    """The pipeline over DistinctRows: updates the groups of the aggregates that wanted distinct arguments."""

    def __init__(self, aggregation, table, last):
        self.aggregation, self.table, self.last = aggregation, table, last

    def open(self, run):
        """Everything is open already."""

    def consume(self, k, blocks):
        shared, numbers = self.aggregation, self.aggregation.of_table(self.table)
        if not shared.keys:
            accumulators = shared.table.load(k)
            for block in blocks:
                AggregateSink(shared).accumulate(k, block, accumulators, numbers)
            shared.table.store(k, accumulators)
            return
        keys = [Column(column.id, column.name, column.type) for column in self.table.columns[:len(shared.keys)]]
        for block in blocks:
            shared.update(k, block, keys, numbers)
        if self.last:
            shared.table.partition(k)


def combined(k, rows, table, combine):
    """Blocks of the rows of `table`, into which each partition of `rows` (PartitionRows) is brought together.
    `combine(cells, row)` emits the union of a row's cells with those of its group."""
    key_ids = [("key", i) for i in range(len(table.keys))]
    cell_ids = [("cell", i) for i in range(len(table.cells))]
    for part, expected in rows.partitions(k):
        here = k.memory(table)
        here.row_count = 0
        table.clear_index(k, expected)
        for block in rows.blocks_of(k, part):
            row_of = table.find(k, block, [*key_ids, "hash"], lambda row: [row[id] for id in key_ids],
                                hash_of=lambda row: row["hash"].value)
            for row in block.rows(cell_ids, vectorize=False):
                combine(table.cells_of(k, row_of(row)), row)
        here = k.memory(table)
        stored = here.rows
        for at in k.range(0, here.row_count, step=k.block_rows, vectorize=False):
            count = k.least(here.row_count - at, k.constant(I64, k.block_rows))
            yield Block(k, count, table.columns(k, stored, lambda n, at=at: at + n))


class Groups:
    """A source: the groups, with the columns of the Aggregate node. With one worker its table is read as it is."""
    parallel = True

    def __init__(self, aggregation, block_rows):
        self.aggregation = aggregation
        spec = [(expression.type, expression.nullable) for _, expression in aggregation.keys]
        self.final = GroupTable(spec, aggregation.cells, aggregation.arena, block_rows)

    @property
    def facts(self):
        return (self.workers == 1,)

    @property
    def row_count(self):
        return self.rows.row_count

    def open(self, run):
        self.workers = len(self.aggregation.table.instances)
        if self.workers == 1:
            self.rows = TableRows(self.aggregation.table)
        else:
            self.rows = PartitionRows(self.aggregation.table)
            run.open(self.final)
        run.open(self.rows)

    def blocks(self, k):
        blocks = self.rows.blocks(k) if self.workers == 1 else combined(k, self.rows, self.final, self.combine(k))
        for block in blocks:
            yield block.extended(self.columns(k))

    def combine(self, k):
        shared = self.aggregation

        def combine(cells, row):
            others = [KnownCell(row["cell", i].value) for i in range(len(shared.cells))]
            for number, use in enumerate(shared.uses):
                use.combine(k, shared.cells_of_use(cells, number), shared.cells_of_use(others, number), row)
        return combine

    def columns(self, k):
        """Keys and results as computed columns."""
        shared, columns = self.aggregation, {}
        for i, (column, _) in enumerate(shared.keys):
            columns[column.id] = {("key", i)}, lambda row, i=i: row["key", i]
        start = 0
        for (column, _), use in zip(shared.aggregates, shared.uses):
            ids = [("cell", i) for i in range(start, start + len(use.cells))]
            columns[column.id] = set(ids), self.final_of(k, use, ids)
            start += len(use.cells)
        return columns

    @staticmethod
    def final_of(k, use, ids):
        return lambda row: use.final(k, [KnownCell(row[id].value) for id in ids], row)


class OneGroup(Owner):
    """A source for aggregates without keys: one row. The workers' cells are combined when it opens."""
    layout, facts, parallel, row_count = Struct(turn=I64), (), False, 1

    def __init__(self, aggregation):
        super().__init__()
        self.aggregation = aggregation

    def open(self, run):
        self.instances = [self.layout.make()]
        shared = self.aggregation
        k = PythonKernel(run.control)
        for worker in range(1, run.workers):
            into = shared.table.fields(k)
            others_kernel = PythonKernel(run.control, worker=worker)
            others = [KnownCell(k.constant(cell.type, others_kernel.use(cell.get()))) for cell in shared.table.fields(others_kernel)]
            row = Row(None, None, Faults(k))
            for number, use in enumerate(shared.uses):
                use.combine(k, shared.cells_of_use(into, number), shared.cells_of_use(others, number), row)
        shared.table.instances = shared.table.instances[:1]

    def close(self):
        self.instances = []

    def blocks(self, k):
        """One block of one row, for the worker that comes first."""
        shared, here = self.aggregation, k.memory(self)
        fields = shared.table.fields(k)
        for _ in k.when(k.atomic_add(here.field("turn"), 0, 1) == 0):
            columns = {("cell", i): (lambda i=i: lambda number, row: Sql(fields[i].get(), True)) for i in range(len(fields))}
            yield Block(k, k.constant(I64, 1), columns).extended(Groups.columns(self, k))

    final_of = staticmethod(Groups.final_of)
