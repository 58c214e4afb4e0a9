"""Conditions that cost little and leave few rows come first.

    WHERE url LIKE '%google%' AND counter = 62 AND 10 / x > 2      ──▶   counter = 62, url LIKE '%google%', 10 / x > 2

Each condition is a stage of its own that looks only at rows which those before have left. Conditions that could raise an
error stay behind all others and in their order, so that whatever guards them goes on doing so. Equal ones keep their order.
"""
from dataclasses import replace

from caldera.optimize.estimates import Estimates
from caldera.plan.nodes import Filter
from caldera.plan.predicates import cannot_fail, conjunction, conjuncts
from caldera.plan.walk import rewrite_nodes


def condition_order(plan, session):
    """Bring the conditions of filters in order."""
    estimates = Estimates(plan, session.view.snapshot)

    def ordered(node):
        if not isinstance(node, Filter):
            return node
        conditions = conjuncts(node.predicate)
        harmless = [condition for condition in conditions if cannot_fail(condition)]
        if len(harmless) < 2 and conditions[:len(harmless)] == harmless:
            return node
        best = sorted(harmless, key=lambda condition: rank(condition, estimates))
        others = [condition for condition in conditions if not cannot_fail(condition)]
        return node if best + others == conditions else replace(node, predicate=conjunction(best + others))
    return rewrite_nodes(plan, ordered)


def rank(condition, estimates):
    """Cost for a row, by the share of rows that are left out: the lower, the earlier (Hellerstein and Stonebraker, 1993)."""
    left_out = 1 - min(estimates.selectivity(condition), 0.999)
    return estimates.expression_cost(condition) / max(left_out, 0.001)
