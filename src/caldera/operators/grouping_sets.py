"""Grouping sets: the input is read once, and its rows go to few sets; the others are merged from the groups of larger ones.

    input ─▶ FeedSets ─▶ the tables of the roots             roots: sets that no other one contains
                             ├─ Groups of a Set ─▶ the table of a set that is contained, and so on down to ()
                             └──────────────┬──▶ SetRows: all tables, set by set ─▶ next pipeline

All tables have one layout: the words of all keys, NULL where a key is not in the set. So a merge is the same program for all
sets; what is different is data, the bits of the keys that a set has. Merging costs a look-up for each group of the larger
set, mostly far fewer than there are rows. (Gray et al., "Data Cube", 1997, call aggregates that can be merged distributive
or algebraic.) Aggregates that cannot, those with DISTINCT and those in plain Python, get all rows for each set: then all
sets are roots.

Groups of a set that memory has no room for go to disk, and come back in rounds, partition by partition: once for each set
that is merged from them, and once for the result.
"""
import math

import numpy as np

from caldera.kernel.blocks import Block
from caldera.kernel.interface import I32, I64, Owner, Pointer, Struct
from caldera.kernel.nullable import Sql
from caldera.kernel.structures.pages import Partition, WaitingPartitions
from caldera.kernel.structures.row_store import TableRows
from caldera.operators.aggregate import Aggregation, AggregateSink, end_aggregation, mapped_parts, scan_of
from caldera.operators.grouping import compared_type
from caldera.operators.pipeline import Pipeline, Sink, Source, Stream
from caldera.operators.shared import kept_rows, lasting
from caldera.optimize.estimates import OPERATOR_COST, ROW_COST
from caldera.plan import nodes
from caldera.plan.expressions import Constant
from caldera.plan.operator import Operator, runs

ROOTS_MAX = 8                   # sets that one pipeline fills: each is code of its own


@runs(nodes.GroupingSets)
class GroupingSetsOperator(Operator):
    """Fills the tables of all sets and gives them on."""

    def describe(self, node):
        names = [str(expression) for _, expression in node.keys]
        sets = [f"({', '.join(names[place] for place in keys)})" for keys in node.sets]
        calls = {"Aggregates": [str(call) for _, call in node.aggregates]} if node.aggregates else {}
        return "Grouping Sets", "Grouping Sets", {"Group Keys": sets} | calls

    def estimate(self, estimates, node):
        rows, _, total = estimates.of(node.input)
        groups = [estimates.group_count([node.keys[place][1] for place in keys], rows) for keys in node.sets]
        fed = sum(parent is None for parent in parents(node))
        cost = sum(estimates.expression_cost(expression) + OPERATOR_COST for expression in node.expressions)
        total += rows * fed * cost + sum(groups) * ROW_COST
        return sum(groups), total, total + sum(groups) * ROW_COST

    def build(self, builder, node):
        above = parents(node)
        roots = [number for number, parent in enumerate(above) if parent is None]
        streams = input_streams(builder, node, math.ceil(len(roots) / ROOTS_MAX))
        sets = aggregations(builder, streams[0], node, roots)
        settled = [SettledSet(aggregation.grouping) for aggregation in sets]
        for start, stream in enumerate(streams):
            sinks = [AggregateSink(sets[number]) for number in roots[start::len(streams)]]
            stream.evaluates(node.evaluated)
            builder.end(stream, FeedSets(sinks), "aggregate")
        for number in roots:
            end_aggregation(builder, sets[number], streams[0].needs_scratch)
        for number in by_size(node.sets):
            finish_set(builder, node, settled, number, above[number])
        return Stream(SetRows(node, sets, settled), [], True)


def by_size(sets):
    """The numbers of the sets, those with most keys first."""
    return sorted(range(len(sets)), key=lambda number: -len(sets[number]))


def parents(node):
    """For each set the number of the one that its groups are merged from: the smallest that contains it. None for a root."""
    if any(call.distinct or call.signature.implementation.python for _, call in node.aggregates):
        return [None] * len(node.sets)
    order = by_size(node.sets)
    return [next((other for other in reversed(order[:order.index(number)]) if set(keys) <= set(node.sets[other])), None)
            for number, keys in enumerate(node.sets)]


def input_streams(builder, node, count):
    """`count` streams of the input's rows, which are kept if there is more than one."""
    if count == 1:
        return [builder.build(node.input)]
    columns = node.input.output
    kept = lasting(builder.keep(node.input, columns, "rows of grouping sets"))
    return [kept_rows(columns, kept) for _ in range(count)]


def aggregations(builder, stream, node, roots):
    """An Aggregation for each set, over all keys of the node, of which those that the set has not are NULL. `roots`: the
    numbers of the sets whose rows come from the stream."""
    keys, aggregates = mapped_parts(builder, stream, node)
    compared = [(compared_type(expression), True) for _, expression in keys]
    sets = []
    for number, own in enumerate(node.sets):
        given = tuple(pair if place in own else (pair[0], Constant(None, pair[1].type)) for place, pair in enumerate(keys))
        scan = scan_of(stream) if number in roots else None
        sets.append(Aggregation(given, aggregates, builder.evaluator, builder.block_rows, scan, compared,
                                like=sets[0] if sets else None))
    return sets


def finish_set(builder, node, settled, number, parent):
    """The pipelines by which a set gets its groups: merged from its parent's, one for the set without keys if there is no
    other, and those of all workers brought together."""
    grouping = settled[number].grouping
    if parent is not None:
        merged = GroupsOfSet(settled[parent], node.sets[number])
        builder.end(Stream(merged, []), grouping, "merge sets")
    if not node.sets[number]:
        builder.end(Stream(EmptyGroup(grouping), []), grouping, "empty set", WithoutGroups(grouping))
    builder.end(Stream(WorkersGroups(grouping), []), Settled(), "settle set", Scattered(grouping))


# ------------------------------------------------------------------------------------------------ sinks

class FeedSets(Sink):
    """Every row goes to the tables of several sets. `sinks`: an AggregateSink for each."""
    words = "Grouping Sets"

    def __init__(self, sinks):
        self.sinks = sinks

    @property
    def facts(self):
        return tuple(sink.facts for sink in self.sinks)

    @property
    def spills(self):
        return [spill for sink in self.sinks for spill in sink.spills]

    def open(self, run):
        for sink in self.sinks:
            run.open(sink)

    def consume(self, k, blocks):
        for block in blocks:
            block = block.settled()
            for sink in self.sinks:
                sink.take(k, block)
        for sink in self.sinks:
            sink.end(k)


class Settled(Sink):
    """Takes nothing: the source has put the groups where they stay."""
    words = "Groups"

    def open(self, run):
        """Nothing is needed."""

    def consume(self, k, blocks):
        for _ in blocks:
            pass


# ------------------------------------------------------------------------------------------------ sources

class SettledSet:
    """The groups of a set whose pipelines have run: in each worker's table, or where the workers' are brought together. If
    they went to disk they come back in rounds, for each set that is merged from them and for the result."""

    def __init__(self, grouping):
        self.grouping, self.pages_of = grouping, (None, [])         # (a run, its Partitions that have come back once)
        self.settling = Pipeline(WorkersGroups(grouping), [], Settled(), "settle set")

    @property
    def is_on_disk(self):
        """Whether any groups went to disk."""
        return self.grouping.table.spill.runs > 0

    @property
    def states(self):
        """The structs of the tables that have groups now."""
        table = self.grouping.final if self.grouping.is_settled else self.grouping.table
        return [state for state in table.instances if state.row_count]

    def rounds(self, run):
        """Yield once, or each time when groups of some partitions are there."""
        if not self.is_on_disk:
            yield
            return
        table, done, (of_run, known) = self.grouping.table, [], self.pages_of
        partitions = WaitingPartitions(table)
        partitions.again(known if of_run is run else [])
        for partition in self.grouping.brought_back(run, partitions):
            done.append(partition)
            self.settle(run)
            yield
        table.begin_partition(Partition([]))
        self.pages_of = run, done

    def settle(self, run):
        """Bring the groups of all workers together that are there."""
        grouping = self.grouping
        for state in grouping.final.instances:
            state.row_count = state.first_indexed = 0
        if Scattered.is_true_of(grouping):
            for source in (grouping.table_rows, grouping.partition_rows, self.settling.source):
                run.shut(source)
            run.run_once(self.settling)


class SettledRows(TableRows):
    """The groups of SettledSets. `shown`: the numbers of those that are read."""

    def __init__(self, sets):
        super().__init__(sets[0].grouping.table)
        self.sets, self.shown = sets, range(len(sets))

    def states(self):
        return [state for _, state in self.states_of_sets()]

    def states_of_sets(self):
        """Pairs (number of the set, struct of one of its tables)."""
        return [(number, state) for number in self.shown for state in self.sets[number].states]


class GroupsOfSet(Source, Owner):
    """The groups of a set with those keys NULL that a smaller set has not: as columns ("key", i) and ("cell", i)."""
    layout, words = Struct(keys=I64), "Groups of a Set"

    def __init__(self, settled, keys):
        super().__init__()
        self.settled, self.grouping, self.rows, self.keys = settled, settled.grouping, SettledRows([settled]), keys

    def rounds(self, run):
        """Over all groups, or those of some partitions."""
        for _ in self.settled.rounds(run):
            run.shut(self.rows)
            run.shut(self)
            yield

    @property
    def facts(self):
        return self.grouping.facts

    @property
    def row_count(self):
        return self.rows.row_count

    def open(self, run):
        """Look at the tables of the larger set."""
        run.open(self.rows)
        self.instances = [self.layout.make(keys=sum(1 << place for place in self.keys))]

    def close(self):
        self.instances = []

    def blocks(self, k):
        here, ids = k.memory(self), self.grouping.ids()[0]
        for block in self.rows.blocks(k):
            keys = here.keys
            yield block.extended({id: ({id}, lambda row, id=id, keys=keys: self.kept(k, row, id, keys)) for id in ids})

    @staticmethod
    def kept(k, row, id, keys):
        """A key, or NULL if its bit is not among those of `keys`."""
        return Sql(row[id].value, k.and_(row[id].valid, (keys & (1 << id[1])) != 0))


class EmptyGroup(Source, Owner):
    """One group of no rows, whose keys are NULL."""
    layout, parallel, row_count, words = Struct(turn=I64), False, 1, "Empty Group"

    def __init__(self, grouping):
        super().__init__()
        self.grouping = grouping

    def open(self, run):
        self.instances = [self.layout.make()]

    def close(self):
        self.instances = []

    def blocks(self, k):
        """One block of one row, for the worker that comes first."""
        key_ids, cell_ids = self.grouping.ids()
        columns = {id: (lambda key=key: lambda number, row: Sql(key.type.layout.default(k), False))
                   for id, key in zip(key_ids, self.grouping.keys)}
        columns |= {id: (lambda cell=cell: lambda number, row: Sql(k.constant(*cell), True))
                    for id, cell in zip(cell_ids, self.grouping.cells)}
        for _ in k.when(k.atomic_add(k.memory(self).field("turn"), 0, 1) == 0):
            yield Block(k, k.constant(I64, 1), columns)


class WithoutGroups:
    """A guard: whether a set has no groups."""

    def __init__(self, grouping):
        self.grouping = grouping

    def wanted(self, run):
        """Whether no worker has found one."""
        run.open(self.grouping.table)
        return not self.grouping.table.spill.runs and not sum(self.grouping.table.row_counts())

    @staticmethod
    def ended(exception):
        return exception is None


class Scattered(WithoutGroups):
    """A guard: whether one group may have several rows, in the tables of several workers or in one that has forgotten it."""

    def wanted(self, run):
        """Look at the tables; groups on disk are brought together when they come back."""
        run.open(self.grouping.table)
        self.grouping.is_settled = False
        return not self.grouping.table.spill.runs and self.is_true_of(self.grouping)

    @staticmethod
    def is_true_of(grouping):
        """Look at the tables, and have the Grouping know."""
        filled = [state for state in grouping.table.instances if state.row_count]
        grouping.is_settled = len(filled) > 1 or any(state.first_indexed for state in filled)
        return grouping.is_settled


class WorkersGroups(Source):
    """The groups of all workers, brought together: they stay in the grouping's table `final`."""
    words = "Groups of Workers"

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

    def blocks(self, k):
        return self.grouping.blocks(k)


class SetRows(Source, Owner):
    """The groups of all sets as rows, with the columns of the GroupingSets node. The struct has the values of GROUPING(...)
    for each table, those of one table after the other."""
    layout, words = Struct(groupings=Pointer(I64)), "Groups of all Sets"

    def __init__(self, node, sets, settled):
        super().__init__()
        self.node, self.sets, self.settled, self.rows = node, sets, settled, SettledRows(settled)

    def rounds(self, run):
        """Over the sets that are in memory, then over those on disk, one after the other."""
        on_disk = [number for number, settled in enumerate(self.settled) if settled.is_on_disk]
        if on_disk:                         # the tables of all sets are read by one program
            for settled in self.settled:
                settled.grouping.table.lifetime = settled.grouping.final.lifetime = "block"
        in_memory = [number for number in range(len(self.settled)) if number not in on_disk]
        for shown in [in_memory, *([number] for number in on_disk)]:
            for _ in self.settled[shown[0]].rounds(run) if shown else ():
                self.rows.shown = shown
                run.shut(self.rows)
                run.shut(self)
                yield

    @property
    def facts(self):
        return self.sets[0].grouping.facts

    @property
    def row_count(self):
        return self.rows.row_count

    def open(self, run):
        """Look at the tables."""
        run.open(self.rows)
        self.arrays = []
        values = [bits[number] for number, _ in self.rows.states_of_sets() for _, bits in self.node.groupings]
        self.instances = [self.layout.make(groupings=self.keep(np.array([*values, 0], np.int64)))]

    def close(self):
        self.instances, self.arrays = [], []

    def blocks(self, k):
        here, count = k.memory(self), len(self.node.groupings)
        for table, block in self.rows.blocks_of_tables(k):
            columns = self.sets[0].result_columns(k)
            values = here.groupings
            for place, (column, _) in enumerate(self.node.groupings):
                columns[column.id] = set(), lambda row, at=table * count + place: Sql(k.convert(values[at], I32), True)
            yield block.extended(columns)
