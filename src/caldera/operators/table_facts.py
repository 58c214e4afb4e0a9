"""Aggregates over whole tables, answered from what their segments know of themselves: rows, NULLs, bounds, totals.

    run starts ─▶ TableFacts.open: does every segment know?  yes ─▶ the row of answers; no pipeline reads the rows
                                                             no  ─▶ the pipelines run, as if this was not here

Segments in memory that have no zone maps are small; they are asked by numpy.
"""
import decimal

import numpy as np

from caldera.operators.collect import Collect
from caldera.operators.rows_in_memory import from_memory
from caldera.optimize.estimates import ROW_COST
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs
from caldera.storage import arrays
from caldera.storage.engine import ColumnData
from caldera.types.columns import from_datums

COUNTED_ROWS_MAX = 1 << 17      # rows of a segment without zone maps up to which it is looked through


@runs(nodes.TableFacts)
class TableFactsOperator(Operator):
    """Gives the row that the facts give, or that pipelines give, which run only if facts are missing."""

    def describe(self, node):
        items = ["rows" if name is None else f"{fact} of {name}" for _, fact, name in node.items]
        return "Table Facts", f"Table Facts on {node.input.input.label}", {"Facts": items}

    def estimate(self, estimates, node):
        return 1, 0, ROW_COST

    def build(self, builder, node):
        facts, first = TableFacts(node.input.input.relation, node.items), len(builder.pipelines)
        collected = Collect(node.output)
        builder.end(builder.build(node.input), collected, "result")
        for pipeline in builder.pipelines[first:]:
            pipeline.guard = facts
        return from_memory(node.output, lambda: facts.columns() or collected.finish())


class TableFacts:
    """relation: what is asked. items: triples (Column, fact, name in the relation), where a fact is "rows", "present",
    "min", "max", "sum" or "total" (0 instead of NULL for nothing). Guards the pipelines that it replaces."""

    def __init__(self, relation, items):
        self.relation, self.items, self.answer = relation, items, None

    def open(self, run):
        """Ask the segments that the run's snapshot sees."""
        scan = self.relation.scan(run.snapshot, sorted({name for _, _, name in self.items if name is not None}))
        try:
            segments = list(zip(scan.segments, scan.runs))
            self.answer = [self.fact(column.type, fact, name, segments) for column, fact, name in self.items]
        except LookupError:
            self.answer = None
        finally:
            scan.close()

    def close(self):
        self.answer = None

    def fact(self, type, fact, name, segments):
        """The datum of one item. Raises LookupError if a segment does not know."""
        if fact == "rows":
            return sum(count for _, runs in segments for _, count in runs)
        known = [facts_of(segment, name) for segment, _ in segments]
        if fact == "present":
            return sum(present for present, *_ in known)
        known = [values for present, *values in known if present]
        if fact in ("sum", "total"):
            total = sum(needed(values[2]) for values in known) if known or fact == "total" else None
            return decimal.Decimal(total) if total is not None and type.name == "numeric" else total
        bounds = [needed(values[0 if fact == "min" else 1]) for values in known]
        key = (lambda datum: datum.encode()) if bounds and isinstance(bounds[0], str) else None
        return (min if fact == "min" else max)(bounds, key=key, default=None)

    # as a guard of pipelines
    def wanted(self, run):
        """Whether the rows must be read."""
        run.open(self)
        return self.answer is None

    def ended(self, failure):
        """An error of the pipelines is one of the query."""
        return failure is None

    def columns(self):
        """The row of answers as ColumnData, or None."""
        if self.answer is None:
            return None
        return [ColumnData(column.type, *from_datums(column.type, [datum]))
                for (column, _, _), datum in zip(self.items, self.answer)]


def needed(fact):
    """A fact. Raises LookupError if it is not known."""
    if fact is None:
        raise LookupError
    return fact


def facts_of(segment, name):
    """(how many values are not NULL, least, greatest, total) of a column; None for what is not known."""
    column = segment.column(name)
    if column.zones is None:
        return counted(segment, column)
    nulls = needed(column.null_count)
    low, high = (column.low, column.high) if column.exact_bounds else (None, None)
    return segment.row_count - nulls, low, high, column.total


def counted(segment, column):
    """The same by looking at the rows. Raises LookupError if there are many, or they are no numbers."""
    if segment.row_count > COUNTED_ROWS_MAX:
        raise LookupError
    data = column.decode()
    present = segment.row_count if data.valid is None else int(np.count_nonzero(data.valid))
    if arrays.is_text(data.type) or data.values.dtype.kind != "i" or data.values.ndim > 1:
        return present, None, None, None
    values = (data.values if data.valid is None else data.values[data.valid != 0]).tolist()
    return present, min(values, default=None), max(values, default=None), sum(values)
