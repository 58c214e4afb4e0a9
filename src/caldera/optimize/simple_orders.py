"""Orders that make no difference are left out.

    ORDER BY 'a', x, x DESC, y          ──▶   ORDER BY x, y
    GROUP BY x ORDER BY x, count(*)     ──▶   ORDER BY x            one group has that x
    SELECT count(*) ... ORDER BY 1      ──▶   no order: one row
    SELECT count(*) FROM (... ORDER BY x)     no order: nobody sees it

The order of rows below an aggregate counts for aggregates that depend on it (string_agg). A key that may raise an error
stays, lest the error be lost.
"""
from dataclasses import replace

from caldera.plan.expressions import Column
from caldera.plan.nodes import Aggregate, Filter, GroupingSets, Project, Sort
from caldera.plan.predicates import cannot_fail, is_fixed, substituted
from caldera.plan.walk import rewrite_nodes

ORDERLESS = {"count", "min", "max", "sum", "avg", "total", "bool_and", "bool_or", "every", "bit_and", "bit_or", "bit_xor"}


def simple_orders(plan, session):
    """Leave out sort keys and sorts that change nothing."""
    return rewrite_nodes(plan, simple)


def simple(node):
    """A Sort with the keys that matter, or groups of an input that is not sorted for nothing."""
    if isinstance(node, Sort):
        keys = needed_keys(node)
        if not keys and node.limit is None:
            return node.input
        return replace(node, keys=keys) if keys and len(keys) < len(node.keys) else node
    if isinstance(node, (Aggregate, GroupingSets)) and not any(minds_order(call) for _, call in node.aggregates):
        return replace(node, input=unsorted(node.input))
    return node


def minds_order(call):
    """Whether an aggregate may give something else for rows in another order."""
    rounds = any("float" in argument.type.name for argument in call.arguments)
    return call.signature.name not in ORDERLESS or rounds and call.signature.name in ("sum", "avg")


def needed_keys(sort):
    """The keys of a Sort that can make a difference, in order."""
    keys, seen, unique, decided = [], set(), unique_columns(sort.input), is_one_row(sort.input)
    for key, expression in zip(sort.keys, key_expressions(sort)):
        if (decided or is_fixed(expression) or key.expression in seen) and cannot_fail(expression):
            continue
        keys.append(key)
        if isinstance(key.expression, Column) and key.expression.type.equal_is_same:
            seen.add(key.expression)
        decided = decided or unique is not None and unique <= {column.id for column in seen}
    return tuple(keys)


def key_expressions(sort):
    """What the keys of a Sort are in terms of what is below the Project that computes them, if there is one."""
    items = {column.id: expression for column, expression in sort.input.items} if isinstance(sort.input, Project) else {}
    return [substituted(key.expression, items) for key in sort.keys]


def unique_columns(node):
    """Ids of columns that together are different in every row of a node's output, or None if none are known."""
    if isinstance(node, Filter):
        return unique_columns(node.input)
    if isinstance(node, Project):
        below = unique_columns(node.input)
        handed_on = {expression.id: column.id for column, expression in node.items if isinstance(expression, Column)}
        return None if below is None or not below <= handed_on.keys() else {handed_on[id] for id in below}
    if isinstance(node, Aggregate) and node.keys:
        return {column.id for column, _ in node.keys}
    return None


def is_one_row(node):
    """Whether a node gives at most one row."""
    if isinstance(node, (Filter, Project)):
        return is_one_row(node.input)
    return isinstance(node, Aggregate) and not node.keys


def unsorted(node):
    """A node without the sorts in it that nobody sees."""
    if isinstance(node, Sort) and node.limit is None and all(map(cannot_fail, key_expressions(node))):
        return unsorted(node.input)
    if isinstance(node, (Filter, Project)):
        return replace(node, input=unsorted(node.input))
    return node
