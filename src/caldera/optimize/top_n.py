"""LIMIT over ORDER BY: the sort keeps only the rows that can be among the first.

    Limit(Sort(input, keys), 10, offset 5)   ──▶   Limit(Sort(input, keys, limit 15), 10, offset 5)
"""
from dataclasses import replace

from caldera.plan.expressions import Constant
from caldera.plan.nodes import Limit, Project, Sort
from caldera.plan.walk import rewrite_nodes

LARGEST_TOP_N = 1 << 20         # beyond that a plain sort is as good


def top_n(plan, session):
    """Tell sorts how many rows are wanted."""
    return rewrite_nodes(plan, limited)


def limited(node):
    """A Limit with the Sort below it told."""
    if not isinstance(node, Limit) or not isinstance(node.limit, Constant) or node.limit.value is None:
        return node
    if node.offset is not None and not isinstance(node.offset, Constant):
        return node
    wanted = node.limit.value + (node.offset.value or 0 if node.offset is not None else 0)
    if not 0 <= wanted <= LARGEST_TOP_N:
        return node
    below = node.input
    if isinstance(below, Sort):
        return replace(node, input=replace(below, limit=wanted))
    if isinstance(below, Project) and isinstance(below.input, Sort):
        return replace(node, input=replace(below, input=replace(below.input, limit=wanted)))
    return node
