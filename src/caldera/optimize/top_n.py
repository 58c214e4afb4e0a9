"""LIMIT over ORDER BY: the sort keeps only the rows that can be among the first.

    Limit(Sort(input, keys), 10, offset 5)   ──▶   Sort(input, keys, limit 15, offset 5)
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
