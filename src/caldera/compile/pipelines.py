"""From a plan to pipelines: where rows stream through, and where they must be kept.

    Scan ─ Filter ─ Project ─┐ Aggregate ┌─ Project ─┐ Sort ┌─ result
    source   step     step   sink        source step  sink  source

`Builder.build` walks the plan from the top down to its source and cuts it at the nodes that need all rows first (breakers).
A pipeline is staged when it is about to run, since its source knows facts only then: which columns hold NULLs.
"""
import itertools
from dataclasses import dataclass, field, replace
from typing import Any

from caldera.base.errors import Error, error
from caldera.kernel.layouts import TEXT
from caldera.operators.aggregate import (AggregateSink, Aggregation, DistinctRows, DistinctSink, Groups, OneGroup)
from caldera.operators.collect import Collect
from caldera.operators.dictionary import DictionarySource, EntryMap, MapPipeline, MapSink, OverDictionary
from caldera.operators.evaluate import Evaluator
from caldera.operators.filter import Filter
from caldera.operators.grouping import MergeGuard
from caldera.operators.limit import Limit
from caldera.operators.project import Project
from caldera.operators.row_fetch import RowFetch
from caldera.operators.scan import ColumnsSource, SeriesSource, TableSource, ValuesSource
from caldera.operators.sort import Sort
from caldera.operators.table_facts import TableFacts
from caldera.plan import expressions, nodes
from caldera.plan.predicates import conjuncts
from caldera.plan.walk import all_expressions
from caldera.storage import arrays
from caldera.storage.engine import ColumnData, Range
from caldera.types.columns import from_datums


@dataclass
class Pipeline:
    """A source, steps and a sink; `label` is for people. `scratch`: the arena to reset with every block, or None.
    `guard`: what decides when the run comes to it whether the pipeline is needed (operators.dictionary.MapPipeline), or
    None."""
    source: Any
    steps: list
    sink: Any
    label: str
    scratch: Any = None
    guard: Any = None
    in_order: bool = False
    timings: dict = field(default_factory=dict)

    def stage(self, k):
        """Emit the pipeline's one function; the text, if the kernel makes text."""
        blocks = self.with_scratch(k, self.source.blocks(k)) if self.scratch else self.source.blocks(k)
        for step in self.steps:
            blocks = step.blocks(k, blocks)
        self.sink.consume(k, blocks)
        return k.finish()

    def with_scratch(self, k, blocks):
        for block in blocks:
            self.scratch.reset(k)
            yield block


@dataclass
class Stream:
    """Rows on their way: a source and the steps so far. `plain_columns` maps ids of the plan to ids of the source's own
    columns while nothing but renaming has happened, else it is None. `in_order`: whether one worker shall take the rows as
    the source has them."""
    source: Any
    steps: list
    needs_scratch: bool = False
    plain_columns: dict | None = None
    origins: dict = field(default_factory=dict)         # id in the plan -> name in the relation of the TableSource
    maps: dict = field(default_factory=dict)            # expression over a dictionary -> EntryMap
    in_order: bool = False


@dataclass
class Program:
    """All pipelines of a query in the order they run, and the sink that holds the result."""
    pipelines: list
    evaluator: Any
    result: Any
    subqueries: list


class Builder:
    """Builds pipelines for one query. `constant(expression)` gives the datum of an expression without columns."""

    def __init__(self, session, constant, block_rows, counts=None):
        self.session, self.constant, self.block_rows, self.counts = session, constant, block_rows, counts
        self.evaluator, self.pipelines, self.ids = Evaluator(session), [], itertools.count(-1, -1)
        self.row_sources = {}                       # id of a column of row ids -> the TableSource that gives them

    def program(self, node):
        """The program whose result has the columns of `node.output`."""
        stream = self.build(node)
        if stream.plain_columns is not None:
            result = StoredResult([stream.plain_columns[column.id] for column in node.output], stream.source)
        else:
            result = Collect(node.output)
            self.end(stream, result, "result")
        return Program(self.pipelines, self.evaluator, result, [])

    def end(self, stream, sink, label):
        """A pipeline from a stream to a sink."""
        self.pipelines.append(Pipeline(stream.source, stream.steps, sink, label,
                                       self.evaluator.scratch if stream.needs_scratch else None, in_order=stream.in_order))

    def build(self, node):
        """The stream of a node's rows."""
        stream = getattr(self, "build_" + type(node).__name__)(node)
        if self.counts is not None:
            self.counts.watch(node, stream)
        return stream

    def build_Scan(self, node):
        def ranges():
            return [self.known_range(range) for range in node.ranges]
        source = TableSource(node.relation, node.columns, ranges, node.label, node.row_id)
        if node.row_id is not None:
            self.row_sources[node.row_id.id] = source
        return Stream(source, [], origins={column.id: name for column, name in node.columns})

    def known_range(self, range):
        """A ScanRange with the datums that its bounds have in this run. A bound that cannot be had leaves its side open."""
        return Range(range.column, self.bound(range.low), self.bound(range.high), range.nulls)

    def bound(self, expression):
        if expression is None or isinstance(expression, expressions.Constant):
            return expression and expression.value
        try:
            return self.constant(expression)
        except Error:
            return None

    def mapped(self, stream, expression):
        """The expression with its parts that depend on one text column of the scan wrapped, to be evaluated per entry."""
        used = expression.columns
        if not used & stream.origins.keys() or isinstance(expression, (expressions.Column, expressions.Relabel)):
            return expression
        if len(used) == 1 and is_mappable(expression) and (column := the_column(expression)).type.layout is TEXT:
            if expression not in stream.maps:
                stream.maps[expression] = EntryMap(expression, column, stream.origins[column.id], stream.source)
                self.fill(stream, stream.maps[expression])
            return OverDictionary(expression, column, stream.maps[expression])
        children = expression.children
        return expression.with_children([self.mapped(stream, child) for child in children]) if children else expression

    def fill(self, stream, map):
        """The pipeline that fills a map, to run before those that read it."""
        stream.source.maps[map.id] = map
        scratch = self.evaluator.scratch if needs_scratch(map.expression) else None
        self.pipelines.append(Pipeline(DictionarySource(map), [], MapSink(map, self.evaluator), "dictionary", scratch,
                                       MapPipeline(map)))

    def build_Values(self, node):
        if all(isinstance(value, expressions.Constant) for row in node.rows for value in row):
            def data():
                result = []
                for number, column in enumerate(node.columns):
                    datums = [row[number].value for row in node.rows]
                    result.append(ColumnData(column.type, *from_datums(column.type, datums)))
                return result
            return self.in_memory(node.columns, data, row_count=len(node.rows))
        source = ValuesSource(node.rows, node.columns, self.evaluator)
        return Stream(source, [], any(needs_scratch(value) for row in node.rows for value in row))

    def in_memory(self, columns, data, order=None, row_count=0):
        source = ColumnsSource(columns, data, order, row_count)
        return Stream(source, [], plain_columns={column.id: column.id for column in columns})

    def build_Series(self, node):
        def bounds():
            return [self.constant(bound) for bound in (node.start, node.stop, node.step)]
        return Stream(SeriesSource(bounds, node.column), [])

    def build_FunctionScan(self, node):
        def data():
            rows = list(node.function.rows(self.session, *(self.constant(argument) for argument in node.arguments)))
            return [ColumnData(column.type, *from_datums(column.type, [row[number] for row in rows]))
                    for number, column in enumerate(node.columns)]
        return self.in_memory(node.columns, data)

    def build_Filter(self, node):
        stream = self.build(node.input)
        stream.plain_columns = None
        stream.needs_scratch |= needs_scratch(node.predicate)
        stream.steps += [Filter(self.mapped(stream, condition), self.evaluator) for condition in conjuncts(node.predicate)]
        return stream

    def build_Project(self, node):
        stream = self.build(node.input)
        stream.needs_scratch |= any(needs_scratch(expression) for _, expression in node.items)
        items = tuple((column, self.mapped(stream, expression)) for column, expression in node.items)
        stream.origins = {column.id: stream.origins[expression.id] for column, expression in node.items
                          if type(expression) is expressions.Column and expression.id in stream.origins}
        only_columns = all(type(expression) is expressions.Column for _, expression in node.items)
        renamed = stream.plain_columns is not None and only_columns
        stream.plain_columns = {column.id: stream.plain_columns[expression.id] for column, expression in node.items} \
            if renamed else None
        stream.steps.append(Project(items, self.evaluator))
        return stream

    def build_Limit(self, node):
        stream = self.build(node.input)
        stream.plain_columns = None

        def bounds():
            return (None if node.limit is None else self.row_number(node.limit, "LIMIT"),
                    (self.row_number(node.offset, "OFFSET") or 0) if node.offset is not None else 0)
        if all(isinstance(step, Project) for step in stream.steps):     # people who ask for a few rows expect the first ones
            stream.in_order = True
        stream.steps.append(Limit(bounds))
        return stream

    def row_number(self, expression, clause):
        number = self.constant(expression)
        if number is not None and number < 0:
            raise error("2201W" if clause == "LIMIT" else "2201X", f"{clause} must not be negative")
        return number

    def build_Aggregate(self, node):
        stream = self.build(node.input)
        keys = tuple((column, self.mapped(stream, expression)) for column, expression in node.keys)
        aggregates = tuple((column, self.mapped_call(stream, call)) for column, call in node.aggregates)
        scan = (stream.source, stream.origins) if isinstance(stream.source, TableSource) else None
        aggregation = Aggregation(keys, aggregates, self.evaluator, self.block_rows, scan)
        used = [expression for _, expression in node.keys] + [call for _, call in node.aggregates]
        stream.needs_scratch |= any(needs_scratch(expression) for expression in used)
        self.end(stream, AggregateSink(aggregation), "aggregate")
        for grouping in aggregation.groupings:
            guard = MergeGuard(grouping)
            self.pipelines.append(Pipeline(grouping.merge_source(), [], grouping, "merge groups", guard=guard))
        tables = list(aggregation.distinct_tables.values())
        for table in tables:
            sink = DistinctSink(aggregation, table, table is tables[-1])
            self.end(Stream(DistinctRows(table), [], stream.needs_scratch), sink, "distinct")
        return Stream(Groups(aggregation) if node.keys else OneGroup(aggregation), [], True)

    def build_TableFacts(self, node):
        """The row that the facts give, or that pipelines give, which run only if facts are missing."""
        facts, first = TableFacts(node.input.input.relation, node.items), len(self.pipelines)
        collected = Collect(node.output)
        self.end(self.build(node.input), collected, "result")
        for pipeline in self.pipelines[first:]:
            pipeline.guard = facts
        return self.in_memory(node.output, lambda: facts.columns() or collected.finish())

    def mapped_call(self, stream, call):
        """An aggregate with its arguments, filter and order mapped."""
        filter = None if call.filter is None else self.mapped(stream, call.filter)
        order = tuple(replace(key, expression=self.mapped(stream, key.expression)) for key in call.order_by)
        return replace(call, arguments=tuple(self.mapped(stream, argument) for argument in call.arguments), filter=filter,
                       order_by=order)

    def build_Sort(self, node):
        stream, keys = self.build(node.input), []
        computed = []
        for key in node.keys:
            expression = key.expression
            if not isinstance(expression, expressions.Column):
                column = expressions.new_column("key", expression.type, expression.modifier, expression.nullable)
                computed.append((column, expression))
                expression = column
            keys.append(nodes.SortKey(expression, key.descending, key.nulls_first))
        if computed:
            stream.needs_scratch |= any(needs_scratch(expression) for _, expression in computed)
            stream.steps.append(Project(tuple(computed), self.evaluator))
        sink = Sort(node.output, tuple(keys), self.ids, node.limit)
        self.end(stream, sink, "sort" if node.limit is None else "top-N")
        finished = Finished(sink, node.offset)
        return self.in_memory(node.output, finished.columns, finished.order)

    def build_RowFetch(self, node):
        rows = self.build(node.input).source
        source = self.row_sources[node.row_id.id]
        fetch = RowFetch(source, node.input.output, node.row_id, rows.data, rows.order, node.columns)
        stream = self.in_memory(node.output, fetch.finish)
        stream.source.parallel = False              # the rows are in order
        return stream


class StoredResult:
    """A result whose rows lie in memory already (what a sort left behind): no pipeline is needed to copy them."""
    nullable = ()

    def __init__(self, ids, source):
        self.ids, self.source = ids, source

    def finish(self):
        """The columns as ColumnData, in order."""
        by_id = dict(zip((column.id for column in self.source.columns), self.source.data()))
        self.row_count = self.source.row_count_without_columns      # counts only where there is no column
        if self.source.order is None:
            return [by_id[id] for id in self.ids]
        order = self.source.order()
        self.row_count = len(order)
        return [arrays.take(by_id[id], order) for id in self.ids]


class Finished:
    """The outcome of a Sort, asked for twice: columns, and the order of their rows, from row number `offset` on."""

    def __init__(self, sink, offset=0):
        self.sink, self.offset, self.outcome = sink, offset, None

    def columns(self):
        self.outcome = self.sink.finish()
        return self.outcome[0]

    def order(self):
        return self.outcome[1][self.offset:]


def is_mappable(expression):
    """Whether an expression may be evaluated for entries in place of rows: it is no column, and it is always the same."""
    volatility = getattr(getattr(expression, "function", None), "volatility", "i")
    unknown = expressions.Parameter, expressions.Subquery, expressions.AggregateCall
    if volatility == "v" or isinstance(expression, unknown):
        return False
    return all(is_mappable(child) for child in expression.children)


def the_column(expression):
    """The only column that an expression uses."""
    return next(part for part in all_expressions(expression) if isinstance(part, expressions.Column))


def needs_scratch(expression):
    """Whether staging an expression may ask for scratch memory."""
    function = getattr(expression, "function", None)
    if function is not None and (function.python or not function.cheap):
        return True
    if isinstance(expression, expressions.AggregateCall):
        return True
    return any(needs_scratch(child) for child in expression.children)
