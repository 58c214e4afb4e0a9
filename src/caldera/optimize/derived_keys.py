"""Group keys that follow from other keys are computed for each group, not for each row.

    GROUP BY x, x - 1, upper(y), y, 5     ──▶     GROUP BY x, y                 above: x - 1, upper(y), 5

A key decides others only if values that are equal are the same: 1.0 and 1.00 are one group and look different.
"""
from dataclasses import replace

from caldera.plan.expressions import Column, Constant
from caldera.plan.nodes import Aggregate, Project
from caldera.plan.predicates import is_fixed
from caldera.plan.volatility import is_volatile
from caldera.plan.walk import all_expressions, rewrite_nodes


def derived_keys(plan, session):
    """Group by as few keys as decide the groups."""
    return rewrite_nodes(plan, reduced)


def reduced(node):
    """An Aggregate with fewer keys, under a Project that gives the others; or as it is."""
    if not isinstance(node, Aggregate) or len(node.keys) < 2:
        return node
    kept, results = {}, {}
    for column, key in sorted(node.keys, key=lambda pair: size(pair[1])):
        result = follows(key, kept)
        if result is None:
            kept[key] = column
        results[column.id] = column if result is None else result
    keys = tuple((column, key) for column, key in node.keys if results[column.id] is column)
    if len(keys) == len(node.keys):
        return node
    if not keys:                            # a group for nothing but constants still needs a row to exist
        keys = node.keys[:1]
        results[keys[0][0].id] = keys[0][0]
    items = [(column, results[column.id]) for column, _ in node.keys]
    items += [(column, column) for column, _ in node.aggregates]
    return Project(replace(node, keys=keys), tuple(items))


def size(expression):
    """How many parts an expression has."""
    return sum(1 for _ in all_expressions(expression))


def follows(key, kept):
    """A key as an expression over the output columns of kept keys, or None. kept: {expression: its output Column}."""
    if is_volatile(key):
        return None
    if isinstance(key, Constant) or is_fixed(key):
        return key
    return over_keys(key, kept)


def over_keys(expression, kept):
    """The expression with kept keys replaced by their columns; None if it uses anything else of the input."""
    column = next((column for key, column in kept.items() if same(key, expression)), None)
    if column is not None:
        return column if column.type.equal_is_same else None
    if isinstance(expression, Column):
        return None
    children = [over_keys(child, kept) for child in expression.children]
    if any(child is None for child in children):
        return None
    return expression.with_children(children) if children else expression


def same(left, right):
    """Whether two expressions are the same; 1.0 and 1.00 are equal and are not."""
    return left == right and str(left) == str(right)
