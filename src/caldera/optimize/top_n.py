"""LIMIT over ORDER BY, and conditions on ranks: only the rows are kept that can be among the first.

    Limit(Sort(input, keys), 10, offset 5)   ──▶   Sort(input, keys, limit 15, offset 5)
    Filter(Window(input, rank()), rank < 3)  ──▶   Filter(Window(input, rank(), rank limit 2), rank < 3)

A window that only numbers rows need not put those in order whose numbers are too high; a row's number and rank do not depend
on what comes behind its peers.
"""
from dataclasses import replace

from caldera.plan.expressions import Column, Constant
from caldera.plan.nodes import Filter, Limit, Project, Sort, Window
from caldera.plan.predicates import comparison, conjuncts, is_known
from caldera.plan.volatility import is_volatile
from caldera.plan.walk import rewrite_nodes

LARGEST_TOP_N = 1 << 20         # beyond that a plain sort is as good
RANKS = {"row_number", "rank"}


def top_n(plan, session):
    """Tell sorts and windows how many rows are wanted."""
    return rewrite_nodes(plan, lambda node: ranked(node) if isinstance(node, Filter) else limited(node))


def ranked(node):
    """A Filter over a Window, which is told the greatest rank that the Filter lets pass if it computes nothing else."""
    window = node.input
    if not isinstance(window, Window) or is_volatile(node.predicate) or \
            any(call.is_aggregate or call.function.name not in RANKS for _, call in window.calls):
        return node
    ids = {column.id for column, _ in window.calls}
    limits = [limit for condition in conjuncts(node.predicate) if (limit := greatest(condition, ids)) is not None]
    return replace(node, input=replace(window, rank_limit=max(0, min(limits)))) if limits else node


def greatest(condition, ids):
    """The greatest whole number that a condition lets one of the columns `ids` be; None if it is about something else."""
    found = comparison(condition)
    if found is None or not isinstance(found.left, Column) or found.left.id not in ids or \
            found.operator not in ("=", "<", "<=") or not is_known(found.right) or not isinstance(found.right.value, int):
        return None
    return found.right.value - (found.operator == "<")


def limited(node):
    """The Sort below a Limit, which does the Limit's work."""
    if not isinstance(node, Limit) or not isinstance(node.limit, Constant) or node.limit.value is None:
        return node
    if node.offset is not None and not isinstance(node.offset, Constant):
        return node
    offset = node.offset.value or 0 if node.offset is not None else 0
    wanted = node.limit.value + offset
    if not 0 <= offset <= wanted <= LARGEST_TOP_N:
        return node
    below = node.input
    if isinstance(below, Sort):
        return replace(below, limit=wanted, offset=offset)
    if isinstance(below, Project) and isinstance(below.input, Sort):
        return replace(below, input=replace(below.input, limit=wanted, offset=offset))
    return node
