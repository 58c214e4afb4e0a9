"""Top-N over a wide scan: only keys and row numbers are sorted; the other columns are read for the winners alone.

    Sort(Filter(Scan(105 columns)), time, limit 10)   ──▶   RowFetch(Sort(Filter(Scan(time, row id)), time, limit 10))

Columns that are computed stay below the sort, as they may raise errors. Files and data frames read at once what is asked
for.
"""
from dataclasses import replace

from caldera.kernel.layouts import TEXT
from caldera.plan.expressions import Column, new_column
from caldera.plan.nodes import Filter, Project, RowFetch, Scan, Sort
from caldera.plan.walk import rewrite_nodes
from caldera.types.registry import TYPES

FETCHED_ROWS_MAX = 10_000       # single rows cost more than rows of a scan
FETCHED_COLUMNS_MIN = 3         # of numbers; one text is enough


def late_columns(plan, session):
    """Have sorts with a limit fetch columns late."""
    return rewrite_nodes(plan, fetching)


def fetching(node):
    """A Sort with a limit over a Scan, as a RowFetch where that pays."""
    if not isinstance(node, Sort) or node.limit is None or node.limit > FETCHED_ROWS_MAX:
        return node
    project = node.input if isinstance(node.input, Project) else None
    filters, scan = filters_over(node.input if project is None else project.input)
    if not isinstance(scan, Scan) or scan.row_id is not None or scan.relation.momentary:
        return node
    items = [(column, column) for column in scan.output] if project is None else list(project.items)
    keys = set().union(*(key.expression.columns for key in node.keys))
    late = [(column, expression) for column, expression in items
            if isinstance(expression, Column) and column.id not in keys]
    if len(late) < FETCHED_COLUMNS_MIN and not any(column.type.layout is TEXT for column, _ in late):
        return node
    early = [item for item in items if item not in late]
    return assembled(node, items, early, late, filters, scan)


def filters_over(node):
    """(Filters, what is below them), top first."""
    filters = []
    while isinstance(node, Filter):
        filters.append(node)
        node = node.input
    return filters, node


def assembled(sort, items, early, late, filters, scan):
    """The new plan: what is early goes through the sort, what is late is fetched."""
    row_id = new_column("row id", TYPES["int8"], None, False)
    used = set().union(*(filter.predicate.columns for filter in filters), *(expression.columns for _, expression in early))
    names = {column.id: name for column, name in scan.columns}
    plan = replace(scan, columns=tuple(pair for pair in scan.columns if pair[0].id in used), row_id=row_id)
    for filter in reversed(filters):
        plan = replace(filter, input=plan)
    plan = Project(plan, (*early, (row_id, row_id)))
    fetched = tuple((column, names[expression.id]) for column, expression in late)
    plan = RowFetch(replace(sort, input=plan), row_id, fetched, scan.label)
    return Project(plan, tuple((column, column) for column, _ in items))
