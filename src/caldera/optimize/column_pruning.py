"""Every node gives only columns that somebody needs.

    Project(Project(Scan(a, b, c), a, b + 1 AS d, c), a)   ──▶   Project(Scan(a), a)

A Project over a Project that only hands columns on is merged with it. Joins and windows keep rows, so that theirs lose what
only a condition below them reads. Keys of groups stay, as they decide what groups there are, and so do the columns of
VALUES, which are there already; what is volatile stays where it is.
"""
from dataclasses import replace

from caldera.plan.expansion import Expand
from caldera.plan.expressions import Column, Constant
from caldera.plan.nodes import (Aggregate, Append, CommonScan, Filter, GroupingSets, Join, Limit, Project, Query,
                                Repeat, Scan, Sort, Window)
from caldera.plan.predicates import substituted
from caldera.plan.volatility import is_volatile


def column_pruning(plan, session):
    """Leave out columns that nobody needs."""
    needed = {column.id for column in plan.output}
    return pruned(plan, needed) if isinstance(plan, PRUNED) else plan.with_inputs(
        [pruned(input, {column.id for column in input.output}) for input in plan.inputs])


PRUNED = (Scan, CommonScan, Filter, Project, Join, Append, Aggregate, GroupingSets, Repeat, Expand, Sort, Limit, Query,
          Window)


def pruned(node, needed):
    """The node, of whose output the ids in `needed` are needed."""
    if isinstance(node, Scan):
        columns = tuple(pair for pair in node.columns if pair[0].id in needed)
        return node if len(columns) == len(node.columns) else replace(node, columns=columns)
    if isinstance(node, CommonScan):
        kept = [pair for pair in zip(node.given, node.columns) if pair[1].id in needed]
        return replace(node, given=tuple(given for given, _ in kept), columns=tuple(column for _, column in kept))
    if isinstance(node, Project):
        items = tuple((column, expression) for column, expression in node.items
                      if column.id in needed or is_volatile(expression))
        return merged(Project(pruned(node.input, used(expression for _, expression in items)), items))
    if isinstance(node, (Aggregate, GroupingSets)):
        return pruned_aggregate(node, needed)
    if isinstance(node, Filter):
        return replace(node, input=pruned(node.input, needed | node.predicate.columns))
    if isinstance(node, Sort):
        return replace(node, input=pruned(node.input, needed | used(key.expression for key in node.keys)))
    if isinstance(node, Join):
        needed = needed | used(node.evaluated)
        return replace(node, left=narrowed(node.left, needed), right=narrowed(node.right, needed))
    if isinstance(node, Window):
        return pruned_window(node, needed)
    if isinstance(node, Append):
        return pruned_append(node, needed)
    if isinstance(node, Repeat):
        return replace(node, input=pruned(node.input, needed | node.times.columns))
    if isinstance(node, Expand):
        return replace(node, input=pruned(node.input, needed | used(node.evaluated)))
    if isinstance(node, (Limit, Query)):
        return replace(node, input=pruned(node.input, needed))
    return node.with_inputs([pruned(input, {column.id for column in input.output}) for input in node.inputs])


def narrowed(node, needed):
    """The node for one that keeps whole rows: what only conditions below have read ends here."""
    node = pruned(node, needed)
    items = tuple((column, column) for column in node.output if column.id in needed)
    return node if len(items) == len(node.output) else Project(node, items)


def pruned_append(node, needed):
    """An Append of the columns that somebody needs; every branch gives those."""
    kept = [number for number, column in enumerate(node.columns) if column.id in needed]
    given = tuple(tuple(columns[number] for number in kept) for columns in node.given)
    branches = tuple(pruned(branch, used(columns)) for branch, columns in zip(node.branches, given))
    return replace(node, branches=branches, given=given, columns=tuple(node.columns[number] for number in kept))


def pruned_aggregate(node, needed):
    """An Aggregate or GroupingSets without aggregates that nobody needs. One without keys keeps one, so that it stays an
    aggregate."""
    aggregates = tuple((column, call) for column, call in node.aggregates if column.id in needed or is_volatile(call))
    if not node.keys and not aggregates:
        aggregates = node.aggregates[:1]
    below = used(expression for _, expression in node.keys) | used(call for _, call in aggregates)
    for _, call in aggregates:
        below |= used(key.expression for key in call.order_by)
    return replace(node, aggregates=aggregates, input=pruned(node.input, below))


def pruned_window(node, needed):
    """A Window without functions that nobody needs; one without any is none."""
    calls = tuple((column, call) for column, call in node.calls if column.id in needed or is_volatile(call))
    if not calls:
        return pruned(node.input, needed)
    node = replace(node, calls=calls)
    return replace(node, input=narrowed(node.input, needed | used(node.evaluated)))


def used(expressions):
    """The ids of all columns that expressions use."""
    return set().union(*(expression.columns for expression in expressions))


def merged(node):
    """A Project over another one that only hands columns and constants on, as one; one that changes nothing is none."""
    inner = node.input
    if [column.id for column in inner.output] == [expression.id for column, expression in node.items
                                                  if isinstance(expression, Column) and expression.id == column.id]:
        return inner if len(inner.output) == len(node.items) else node
    if not isinstance(inner, Project) or \
            not all(isinstance(expression, (Column, Constant)) for _, expression in inner.items):
        return node
    replacements = {column.id: expression for column, expression in inner.items}
    items = tuple((column, substituted(expression, replacements)) for column, expression in node.items)
    given = {column.id for column in inner.input.output}
    if any(column.id in given and not (isinstance(expression, Column) and expression.id == column.id)
           for column, expression in items):
        return node                         # the same id would mean two things
    return Project(inner.input, items)
