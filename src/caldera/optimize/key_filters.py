"""Rows that cannot find a partner in a join are dropped early: filters by the join's keys go to where rows come from.

    Join(Aggregate(Scan(x), k), y, k = b)       ──▶   Join(Aggregate(KeyFilter(Scan(x), k), k), y, k = b)
    Join(Join(x, z, x.c = z.d), y, x.a = b)     ──▶   Join(Join(KeyFilter(x, a), z, x.c = z.d), y, x.a = b)

The rows that the join keeps are there before those that look for them are read. A filter goes through whatever hands its key
on, and through equalities of other joins to both of their inputs. It pays where the kept rows have few of the values that
the key could have, which is known for good only when the query runs; here, unfiltered tables are left out.
"""
from dataclasses import dataclass, replace
from itertools import count

from caldera.optimize.condition_order import cannot_fail
from caldera.optimize.estimates import Estimates
from caldera.optimize.join_estimates import join_key, share_between
from caldera.plan.expressions import Column
from caldera.plan.nodes import Aggregate, Append, Filter, Join, KeyFilter, Limit, Project, Scan, Sort, Window
from caldera.plan.predicates import equalities, substituted
from caldera.plan.volatility import is_volatile
from caldera.plan.walk import nodes_of, rewrite_nodes

SELECTIVE_SHARE = 0.7           # of a key's values in the kept rows, from which no filter is worth a thought
SMALL_SHARE = 0.1               # of the values of another column, below which a table is no list of all of them


def key_filters(plan, session):
    """Put filters by the keys of joins where rows come from."""
    estimates, numbers = Estimates(plan, session.view.snapshot), count(1)

    def filtering(node):
        if not isinstance(node, Join) or node.kind not in ("inner", "semi") and not node.builds_left:
            return node
        keys = [(right, left) if node.builds_left else (left, right) for left, right in equalities(node)[0]]
        streamed, kept = (node.right, node.left) if node.builds_left else (node.left, node.right)
        number, above, selective = next(numbers), streamed, is_selective(kept)
        for place, (key, kept_key) in enumerate(keys):
            values = possible_values(estimates, key, estimates.rows(streamed), kept_key, estimates.rows(kept))
            if selective or estimates.rows(kept) < SELECTIVE_SHARE * values:
                above = Placing(estimates, number, place, values, estimates.rows(kept) / values).above(above, key, False)
        if above is streamed:
            return node
        return replace(node, number=number, **{"right" if node.builds_left else "left": above})
    return rewrite_nodes(plan, filtering)


def is_selective(kept):
    """Whether an input may have lost most of the rows that it comes from."""
    return any(isinstance(node, (Filter, Limit)) for node in nodes_of(kept))


def possible_values(estimates, key, rows, kept_key, kept_rows):
    """About how many values a key could have: those that both sides have, unless the kept side is no list of them all. Of a
    list of more, those between the bounds of the key: of the days of a few years, a table may have one in a week."""
    side, kept = join_key(estimates, key, rows), join_key(estimates, kept_key, kept_rows)
    mine, theirs = side.distinct or side.rows, kept.distinct or kept.rows
    if theirs < SMALL_SHARE * mine:
        return mine
    alike = isinstance(key, Column) and isinstance(kept_key, Column) and key.type is kept_key.type
    return max(min(mine, theirs), theirs * share_between(kept.statistics, side.statistics) if alike else 0.0)


@dataclass(frozen=True)
class Placing:
    """One key of one join on its way down. number, place, values: see KeyFilter. share: of the rows that it may leave."""
    estimates: Estimates
    number: int
    place: int
    values: float
    share: float

    def above(self, node, key, is_early):
        """A node whose output is filtered, as far down as possible; `key` is over that output. is_early: see KeyFilter."""
        ways = {KeyFilter: self.through_filter, Filter: self.through_filter, Project: self.through_project,
                Join: self.through_join, Aggregate: self.through_aggregate, Sort: self.through_sort,
                Window: self.through_window, Append: self.through_append}
        below = ways[type(node)](node, key, is_early) if type(node) in ways else None
        return KeyFilter(node, key, self.number, self.place, self.values, is_early) if below is None else below

    def through_filter(self, node, key, is_early):
        """Below what a table's rows are asked only if more of them are dropped."""
        if isinstance(node, Filter):
            if is_volatile(node.predicate) or isinstance(node.input, Scan) and not (
                    cannot_fail(node.predicate) and self.share < self.estimates.selectivity(node.predicate)):
                return None
        return replace(node, input=self.above(node.input, key, is_early))

    def through_project(self, node, key, is_early):
        items = dict((column.id, expression) for column, expression in node.items)
        if any(is_volatile(expression) for expression in items.values()):
            return None
        return replace(node, input=self.above(node.input, substituted(key, items), is_early))

    def through_join(self, node, key, is_early):
        """To the input that has the key, and to the other one if the join equates the key with something of it."""
        left, right = ({column.id for column in input.output} for input in node.inputs)
        pairs = equalities(node)[0]
        if key.columns <= left:
            other = next((right_key for left_key, right_key in pairs if left_key == key), None)
            plan = replace(node, left=self.above(node.left, key, True))
            return plan if other is None else replace(plan, right=self.above(node.right, other, True))
        if key.columns <= right and node.kind == "inner":
            other = next((left_key for left_key, right_key in pairs if right_key == key), None)
            plan = replace(node, right=self.above(node.right, key, True))
            return plan if other is None else replace(plan, left=self.above(node.left, other, True))
        return None

    def through_aggregate(self, node, key, is_early):
        """Whole groups are dropped if the key is one of theirs."""
        keys = {column.id: expression for column, expression in node.keys if not is_volatile(expression)}
        if not key.columns <= keys.keys():
            return None
        return replace(node, input=self.above(node.input, substituted(key, keys), True))

    def through_sort(self, node, key, is_early):
        return replace(node, input=self.above(node.input, key, True)) if node.limit is None and not node.offset else None

    def through_window(self, node, key, is_early):
        """Whole partitions are dropped if the key is what makes them."""
        return replace(node, input=self.above(node.input, key, True)) if key in node.partition else None

    def through_append(self, node, key, is_early):
        branches = tuple(
            self.above(branch, substituted(key, {column.id: mine for column, mine in zip(node.columns, given)}), is_early)
            for branch, given in zip(node.branches, node.given))
        return replace(node, branches=branches)
