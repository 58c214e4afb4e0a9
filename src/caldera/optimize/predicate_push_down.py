"""Conditions go down to where the rows come from, so that fewer rows are worked on and scans can leave out granules.

    Filter(Project(x, a + 1 AS b), b > 5)          ──▶   Project(Filter(x, a + 1 > 5), ...)
    Filter(Aggregate(x, k), k = 3 AND count > 1)   ──▶   Filter(Aggregate(Filter(x, k = 3), k), count > 1)
    Filter(Sort(x), ...)                           ──▶   Sort(Filter(x, ...))

Nothing passes a Limit or a top-N, which would then choose among other rows, nor a volatile expression. A condition on group
keys passes only where equal keys are the same, since it would otherwise see more values than the group shows.
"""
from dataclasses import replace

from caldera.optimize.derived_keys import EQUAL_IS_SAME
from caldera.plan.nodes import Aggregate, Filter, Project, Sort
from caldera.plan.predicates import conjunction, conjuncts, substituted
from caldera.plan.volatility import is_volatile
from caldera.plan.walk import rewrite_nodes


def predicate_push_down(plan, session):
    """Move conditions towards the sources."""
    return rewrite_nodes(plan, pushed)


def pushed(node):
    """A Filter whose input is settled already, with its conditions as far down as they can go."""
    if not isinstance(node, Filter):
        return node
    if isinstance(node.input, Filter):
        inner = node.input
        return pushed(Filter(inner.input, conjunction(conjuncts(inner.predicate) + conjuncts(node.predicate))))
    movable, staying = [], []
    passes = {Project: passes_project, Aggregate: passes_aggregate, Sort: passes_sort}.get(type(node.input))
    for condition in conjuncts(node.predicate):
        below = passes(node.input, condition) if passes and not is_volatile(condition) else None
        if below is None or staying and type(node.input) is not Aggregate:
            staying.append(condition)           # what stands behind a condition that stays may rely on it
        else:
            movable.append(below)
    if not movable:
        return node
    plan = replace(node.input, input=pushed(Filter(node.input.input, conjunction(movable))))
    return Filter(plan, conjunction(staying)) if staying else plan


def passes_project(node, condition):
    """The condition below a Project, or None."""
    items = {column.id: expression for column, expression in node.items if column.id in condition.columns}
    return None if any(is_volatile(expression) for expression in items.values()) else substituted(condition, items)


def passes_aggregate(node, condition):
    """The condition below an Aggregate, or None."""
    keys = {column.id: expression for column, expression in node.keys
            if column.type.name in EQUAL_IS_SAME and not is_volatile(expression)}
    return substituted(condition, keys) if condition.columns and condition.columns <= keys.keys() else None


def passes_sort(node, condition):
    """The condition below a Sort, or None."""
    return condition if node.limit is None else None
