"""How many rows nodes give and what they cost, as far as that can be known before running.

    Scan ─ row_estimate ─▶ Filter ─ conjunction ─▶ Join ─ join_rows ─▶ Aggregate ─ group_count ─▶ ...
                              (selectivity)           (join_estimates)

What is known of columns are their tables' statistics (storage.statistics). What a node makes of its inputs' rows its
operator knows (plan.operator). Costs are in PostgreSQL's unit, of which reading a page takes 1, computing an operator for a
row 0.0025.
"""
import math
from typing import Any, NamedTuple

import numpy as np

from caldera.optimize import extended, join_estimates, selectivity
from caldera.optimize.sampled import UNTRIED, Trial
from caldera.plan.expressions import Column, Constant, InList, Or
from caldera.plan.nodes import Aggregate, Filter, Project, Scan
from caldera.plan.operator import operator_of
from caldera.plan.predicates import bare_column, comparison, conjuncts, is_known, substituted
from caldera.plan.walk import all_expressions, nodes_of, subqueries
from caldera.storage.statistics.merged import number
from caldera.storage.statistics.sketch import expected_distinct, of_all

DISTINCT_GUESS, ROWS_GUESS = 200, 1000
VALUE_COST, OPERATOR_COST, ROW_COST = 0.0005, 0.0025, 0.001
PYTHON_COST, DEAR_COST = 100, 10            # of a function, in operators
TEXT_WIDTH = 32
KEPT_LEAST = 3                              # rows of a sample that say where the values lie that filters leave
IN_ORDER, PLACES = 0.98, 9                  # correlation of two columns with places; so many values stand for a range
GROUPS_OF_RARE = 2                          # at least so many rows of a sample have a combination of values, on average


class Origin(NamedTuple):
    """Where a column comes from: a relation, its name there, and the number of the scan."""
    relation: Any
    name: str
    scan: int


class Estimates:
    """Estimates for the nodes of one plan, as a snapshot sees the tables."""

    def __init__(self, plan, snapshot):
        self.snapshot, self.known, self.trials, self.shares, self.sizes, self.tables = snapshot, {}, {}, {}, {}, {}
        self.sources, self.derived, self.groups, self.restrictions, self.filters, self.kept = {}, {}, {}, {}, {}, {}
        self.unknown = ROWS_GUESS, 0, ROWS_GUESS * ROW_COST
        self.find_sources(plan)

    def find_sources(self, plan):
        """Which columns of the plan come straight from a table: {id: Origin}; which are computed from others, and which are
        the only key of an Aggregate."""
        for node in reversed(list(nodes_of(plan))):
            if isinstance(node, Scan):
                self.sources |= {column.id: Origin(node.relation, name, id(node.columns)) for column, name in node.columns}
            for column, expression in node.computed:
                if isinstance(expression, Column) and expression.id in self.sources:
                    self.sources[column.id] = self.sources[expression.id]
                elif isinstance(node, Project):
                    self.derived[column.id] = substituted(expression, self.derived)
            if isinstance(node, Filter):
                self.find_restrictions(node)
            keys = getattr(node, "keys", ())
            if isinstance(node, Aggregate) and len(keys) == 1 and keys[0][0].id not in keys[0][1].columns:
                self.groups[keys[0][0].id] = node
        for subquery in subqueries(plan):
            self.find_sources(subquery.plan)
        for node in nodes_of(plan):
            for inner in node.inner:
                self.find_sources(inner)

    def find_restrictions(self, filter):
        """Which conditions of a Filter restrict the values of one column, and which the rows of one scan."""
        for condition in conjuncts(filter.predicate):
            scans = {self.sources[id].scan if id in self.sources else None for id in condition.columns}
            if len(scans) == 1:
                self.filters.setdefault(scans.pop(), []).append(condition)
            if len(condition.columns) == 1:
                self.restrictions.setdefault(next(iter(condition.columns)), {})[condition] = None

    def restriction(self, column):
        """The share of a column's values that the plan's filters on this column leave, about."""
        return math.prod(map(self.selectivity, self.restrictions.get(column.id, ())))

    # ---- columns

    def table_statistics(self, column_id):
        """The TableStatistics of the table that a column comes from, or None."""
        source = self.sources.get(column_id)
        if source is None:
            return None
        if source.scan not in self.tables:
            self.tables[source.scan] = source.relation.statistics(self.snapshot)
        return self.tables[source.scan]

    def column_statistics(self, column):
        """The ColumnStatistics of a plan's Column, or None."""
        known = None if column is None else self.table_statistics(column.id)
        return None if known is None or not known.rows else known.column(self.sources[column.id].name)

    def made_distinct(self, column):
        """How many different values a column has that is the key of an Aggregate, as many as it has rows; else None."""
        node = self.groups.get(column.id)
        return None if node is None else self.rows(node)

    def known_distinct(self, expression):
        """How many different values an expression over one column has in its table at most; None if nobody knows."""
        columns = {part.id: part for part in all_expressions(expression) if isinstance(part, Column)}
        known = self.column_statistics(next(iter(columns.values()))) if len(columns) == 1 else None
        return None if known is None else known.distinct

    def trial(self, ids):
        """The Trial of conditions on the sample of the table that all columns come from; None if there is none."""
        scans = {self.sources[id].scan if id in self.sources else None for id in ids}
        scan = next(iter(scans), None)
        if len(scans) != 1 or scan is None:
            return None
        if scan not in self.trials:
            self.trials[scan] = self.new_trial(next(iter(ids)))
        return self.trials[scan]

    def new_trial(self, id):
        """The Trial for the table of a column."""
        known = self.table_statistics(id)
        if known is None or not known.sample_rows:
            return None
        return Trial(lambda column: known.sample(self.sources[column.id].name), known.sample_rows)

    def kept_values(self, column):
        """The values that a column has in those rows of its table's sample which the plan's filters on the table leave, and
        in all rows of the sample: arrays of numbers. Filters that would leave too few of them are left out, the most
        selective first. None if there are no filters, or nobody knows."""
        source = self.sources.get(column.id)
        if source is None or source.scan not in self.filters:
            return None
        if column.id not in self.kept:
            self.kept[column.id] = self.sample_values(column, self.filters[source.scan])
        return self.kept[column.id]

    def sample_values(self, column, conditions):
        """The same, not kept."""
        trial = self.trial([column.id])
        values, valid = (None, None) if trial is None else trial.column_of(column)
        if values is None or values.dtype == object:
            return None
        mask = np.ones(len(values), bool) if valid is None else valid.copy()
        for condition in sorted(conditions, key=self.selectivity, reverse=True):
            try:
                left = mask & trial.truth(condition)[0]
            except UNTRIED:
                continue
            if np.count_nonzero(left) < KEPT_LEAST:
                found = self.values_in_order(column, conditions)
                mask = mask if found is None else found
                break
            mask = left
        kept = values[mask] if mask.dtype == bool else mask
        return kept, values if valid is None else values[valid]

    def values_in_order(self, column, conditions):
        """Some of the values that a column has where conditions on others hold that its table is in order by, as it is by
        the column: the days of a month in a calendar. None if there are no such conditions."""
        statistics, low, high = self.column_statistics(column), 0.0, 1.0
        for condition in conditions:
            bounds = bounds_of(condition)
            other = None if bounds is None else self.column_statistics(bounds[0])
            if other is not None and (other.correlation or 0) * (statistics.correlation or 0) >= IN_ORDER:
                below, up_to = (None if datum is None else other.share_below(datum, is_high)
                                for is_high, datum in enumerate(bounds[1:]))
                low, high = max(low, below or 0.0), min(high, 1.0 if up_to is None else up_to)
        if high - low >= 1 or low > high or len(statistics.bounds) < 2:
            return None
        places = np.linspace(low, high, PLACES) * (len(statistics.bounds) - 1)
        return np.interp(places, np.arange(len(statistics.bounds)), list(map(number, statistics.bounds)))

    # ---- groups

    def group_count(self, expressions, rows):
        """How many groups so many rows make by some keys."""
        by_scan, count = {}, 1.0
        for expression in [substituted(expression, self.derived) for expression in expressions]:
            scans = {self.sources[id].scan if id in self.sources else None for id in expression.columns}
            by_scan.setdefault(next(iter(scans)) if len(scans) == 1 else None, []).append(expression)
        for scan, keys in by_scan.items():
            count *= math.prod(self.values_of(key, rows) for key in keys) if scan is None else self.combinations(keys, rows)
        return min(rows, expected_distinct(max(1.0, count), rows)) if rows > 0 else 0.0

    def combinations(self, expressions, rows):
        """How many combinations of values some expressions over one table have."""
        known = extended.combinations(self, expressions)
        if known is not None:
            return known
        apart = math.prod(self.values_of(expression, rows) for expression in expressions)
        bare = len(expressions) == 1 and bare_column(expressions[0]) is not None
        trial = None if bare else self.trial(set().union(*(expression.columns for expression in expressions)))
        if trial is None:
            return apart
        try:
            seen = trial.distinct(expressions)
        except UNTRIED:
            return apart
        known = self.table_statistics(next(iter(expressions[0].columns)))
        return min(apart, known.rows) if seen * GROUPS_OF_RARE > trial.rows else min(
            apart, of_all(seen, trial.rows, known.rows))

    def values_of(self, expression, rows):
        """How many different values an expression has, NULL being one; of so many rows where nothing is known."""
        column = bare_column(expression)
        if column is not None:
            known = self.column_statistics(column)
            if known is not None and known.distinct is not None:
                return max(1.0, self.distinct_left(column, known.distinct) + bool(known.null_share))
            made = self.made_distinct(column)
            return min(rows, DISTINCT_GUESS) if made is None else made
        if not expression.columns:
            return 1.0
        if expression.type.name == "bool":
            return 3.0
        parts = {part.id: part for part in all_expressions(expression) if isinstance(part, Column)}
        return math.prod(self.values_of(part, rows) for part in parts.values())

    def distinct_left(self, column, distinct):
        """How many of a column's values the plan's filters on it leave: those that are listed, or lie in a range."""
        for condition in self.restrictions.get(column.id, ()):
            distinct = self.distinct_where(condition, distinct)
        return distinct

    def distinct_where(self, condition, distinct):
        """How many of so many values of a column satisfy a condition on it."""
        if type(condition) is Or:
            return min(distinct, sum(self.distinct_where(each, distinct) for each in condition.arguments))
        bounds = bounds_of(condition)
        if bounds is None:
            return distinct
        if isinstance(condition, InList):
            return min(distinct, len(condition.values))
        return 1.0 if bounds[1] == bounds[2] else distinct * self.selectivity(condition)

    # ---- joins and predicates

    def table_rows(self, expressions):
        """How many rows the table has that all columns of some expressions come from; None if there is no such table."""
        ids = set().union(*(expression.columns for expression in expressions))
        if not ids <= self.sources.keys() or len({self.sources[id].scan for id in ids}) != 1:
            return None
        source = self.sources[next(iter(ids))]
        if source.scan not in self.sizes:
            self.sizes[source.scan] = source.relation.row_estimate(self.snapshot)
        return self.sizes[source.scan]

    def join_rows(self, node, keys, rest):
        """How many rows a Join gives (join_estimates)."""
        return join_estimates.join_rows(self, node, keys, rest)

    def selectivity(self, condition):
        """The share of rows for which a condition is true, 0 to 1."""
        if id(condition) not in self.shares:
            self.shares[id(condition)] = condition, selectivity.selectivity(self, condition)
        return self.shares[id(condition)][1]

    def conjunction(self, conditions):
        """The share of rows for which all of several conditions are true."""
        return selectivity.conjunction(self, conditions)

    @staticmethod
    def expression_cost(expression):
        """What an expression costs for a row."""
        return OPERATOR_COST * sum(part_cost(part) for part in all_expressions(expression))

    # ---- nodes

    def figures(self, node):
        """What EXPLAIN shows for a node."""
        rows, startup, total = self.of(node)
        width = round(sum(map(self.width, node.output)))
        return {"Startup Cost": round(startup, 2), "Total Cost": round(total, 2), "Plan Rows": max(1, round(rows)),
                "Plan Width": width}

    def width(self, column):
        """The bytes of a column's values, on average."""
        if column.type.length > 0:
            return column.type.length
        known = self.column_statistics(column)
        return TEXT_WIDTH if known is None or known.width is None else known.width

    def rows(self, node):
        """How many rows a node gives."""
        return self.of(node)[0]

    def of(self, node):
        """(rows, cost until the first row, cost until the last)."""
        if id(node) not in self.known:
            self.known[id(node)] = node, operator_of(node).estimate(self, node)
        return self.known[id(node)][1]


def join_costs(left_rows, right_rows, rows, has_keys, is_sorted=False):
    """(cost of building a table of the right input, cost of looking the left one's rows up and giving `rows` rows).
    is_sorted: whether partners are found by bisection in sorted rows."""
    steps = math.log2(max(2.0, right_rows)) if is_sorted else 0.0
    compared = left_rows * (1 if has_keys or is_sorted else max(1, right_rows)) + left_rows * steps
    building = right_rows * (ROW_COST + 2 * OPERATOR_COST * (1 + steps))
    return building, compared * OPERATOR_COST + rows * (ROW_COST + (OPERATOR_COST if is_sorted else 0))


def bounds_of(condition):
    """(Column, least datum, greatest datum) of a condition that tells a column's range, None being open; or None."""
    if isinstance(condition, InList):
        column = None if condition.negated or not condition.values else bare_column(condition.argument)
        return None if column is None else (column, *(end(condition.values, key=column.type.sort_key) for end in (min, max)))
    found = comparison(condition)
    column = None if found is None or not is_known(found.right) else bare_column(found.left)
    if column is None or found.operator == "<>" or found.left.type is not found.right.type:
        return None
    datum, operator = found.right.value, found.operator
    return column, None if operator in ("<", "<=") else datum, None if operator in (">", ">=") else datum


def part_cost(part):
    """What one part of an expression costs for a row, in operators; its own parts not counted."""
    if isinstance(part, (Column, Constant)):
        return 0.2 if part.type.length > 0 else 1
    if part.called is None:
        return 0.5
    if part.called.python:
        return PYTHON_COST
    return 1 if part.called.cheap else DEAR_COST
