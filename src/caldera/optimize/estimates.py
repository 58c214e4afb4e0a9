"""How many rows nodes give and what they cost, as far as that can be known before running.

    Scan ─ row_estimate ─▶ Filter ─ selectivity(predicate) ─▶ Aggregate ─ distinct values of the keys ─▶ ...

What is known of columns comes from their segments: bounds, NULLs, sizes of dictionaries. Where nothing is known, the guesses
are PostgreSQL's. What a node makes of its inputs' rows its operator knows (plan.operator). Costs are in PostgreSQL's unit,
of which reading a page takes 1, computing an operator for a row 0.0025.
"""
import math
from dataclasses import dataclass

from caldera.optimize.scan_ranges import ranges_of
from caldera.plan.expressions import And, Call, Column, Constant, InList, IsDistinct, IsNull, IsTruth, Not, Or
from caldera.plan.nodes import Scan
from caldera.plan.operator import operator_of
from caldera.plan.predicates import bare_column, comparison, is_known
from caldera.plan.walk import all_expressions, nodes_of, subqueries
from caldera.storage.zones import contained, surviving

EQUAL, UNEQUAL, RANGE, MATCH, UNKNOWN, IS_NULL = 0.005, 0.995, 1 / 3, 0.005, 1 / 3, 0.005
DISTINCT_GUESS, ROWS_GUESS = 200, 1000
VALUE_COST, OPERATOR_COST, ROW_COST = 0.0005, 0.0025, 0.001
PYTHON_COST, DEAR_COST = 100, 10            # of a function, in operators
TEXT_WIDTH = 32
NUMBERS = {"int2", "int4", "int8", "float4", "float8", "date", "time", "timestamp", "timestamptz"}


@dataclass
class ColumnFacts:
    """What is known of a table's column: bounds of its values as datums, how many different ones there are, the share of
    NULLs; None where nothing is."""
    low: object = None
    high: object = None
    distinct: float | None = None
    null_share: float | None = None


class Estimates:
    """Estimates for the nodes of one plan, as a snapshot sees the tables."""

    def __init__(self, plan, snapshot):
        self.snapshot, self.sources, self.known, self.facts = snapshot, {}, {}, {}
        self.unknown = ROWS_GUESS, 0, ROWS_GUESS * ROW_COST
        self.find_sources(plan)

    def find_sources(self, plan):
        """Which columns of the plan come straight from a table: {id: (relation, name)}."""
        for node in reversed(list(nodes_of(plan))):
            if isinstance(node, Scan):
                self.sources |= {column.id: (node.relation, name) for column, name in node.columns}
            self.sources |= {column.id: self.sources[expression.id] for column, expression in node.computed
                             if isinstance(expression, Column) and expression.id in self.sources}
        for subquery in subqueries(plan):
            self.find_sources(subquery.plan)
        for node in nodes_of(plan):
            for inner in node.inner:
                self.find_sources(inner)

    # ---- columns

    def column_facts(self, column):
        """The ColumnFacts of a plan's Column."""
        if column is None or column.id not in self.sources:
            return ColumnFacts()
        relation, name = self.sources[column.id]
        key = id(relation), name
        if key not in self.facts:
            self.facts[key] = self.found_facts(relation, name, column.type)
        return self.facts[key]

    def found_facts(self, relation, name, type):
        """The ColumnFacts that segments give."""
        segments = [segment for segment in relation.visible_segments(self.snapshot) if segment.row_count]
        columns = [segment.column(name) for segment in segments]
        rows = sum(segment.row_count for segment in segments)
        nulls = [column.null_count for column in columns]
        facts = ColumnFacts(null_share=sum(nulls) / rows if rows and None not in nulls else None)
        bounds = [(column.low, column.high) for column in columns if column.low is not None]
        if bounds and type.name in NUMBERS:
            facts.low, facts.high = min(low for low, _ in bounds), max(high for _, high in bounds)
            if "float" not in type.name:
                facts.distinct = min(facts.high - facts.low + 1, rows)
        sizes = [column.dictionary.size for column in columns if column.dictionary is not None]
        if sizes and len(sizes) == len(columns):
            facts.distinct = max(sizes)
        return facts

    def distinct(self, expression, rows):
        """How many different values an expression has in so many rows."""
        column = bare_column(expression)
        if column is not None:
            known = self.column_facts(column).distinct
            return min(rows, DISTINCT_GUESS if known is None else known)
        if not expression.columns:
            return 1
        if expression.type.name == "bool":
            return min(rows, 3)
        parts = [part for part in all_expressions(expression) if isinstance(part, Column)]
        return min(rows, math.prod(self.distinct(part, rows) for part in parts))

    # ---- joins

    def table_rows(self, expressions):
        """How many rows the table has that all columns of some expressions come from; None if there is no such table."""
        ids = set().union(*(expression.columns for expression in expressions))
        relations = {id(self.sources[column][0]): self.sources[column][0] for column in ids if column in self.sources}
        if len(relations) != 1 or not ids <= self.sources.keys():
            return None
        return sum(segment.row_count for segment in next(iter(relations.values())).visible_segments(self.snapshot))

    def key_distinct(self, expression, rows):
        """Pair of how many different values a join's key has in its table, None if nobody knows, and of how many rows the
        table has; `rows` where there is no table."""
        columns = {part.id: part for part in all_expressions(expression) if isinstance(part, Column)}
        known = self.column_facts(next(iter(columns.values()))).distinct if len(columns) == 1 else None
        return known, max(1, self.table_rows([expression]) or rows)

    @staticmethod
    def common_distinct(left, right):
        """How many values two keys have that their rows are spread over, of pairs as above. Where nothing is known, one of
        them is taken for the key of its table."""
        known = [distinct for distinct, _ in (left, right) if distinct is not None]
        return max(1, max(known) if known else min(left[1], right[1]))

    @staticmethod
    def key_selectivity(distinct, left_rows=None, right_rows=None):
        """The share of all pairs of rows in which all keys are equal. distinct: for each key what `key_distinct` says of it
        on the left and on the right. left_rows, right_rows: of the tables that have all keys; None if there is none."""
        common = [Estimates.common_distinct(*pair) for pair in distinct]
        share = math.prod(1 / values for values in common)
        if len(distinct) < 2 or left_rows is None or right_rows is None:
            return share
        left, right = (math.prod(values if known is None else known for (known, _), values in zip(side, common))
                       for side in zip(*distinct))
        if left > left_rows and right > right_rows:         # then at least one of them is likely to be a key of its table
            return max(share, 1 / max(1, min(left_rows, right_rows)))
        return max(share, 1 / max(1, min(left, left_rows), min(right, right_rows)))

    @staticmethod
    def join_costs(left_rows, right_rows, rows, has_keys):
        """(cost of building a table of the right input, cost of looking the left one's rows up and giving `rows` rows)."""
        compared = left_rows * (1 if has_keys else max(1, right_rows))
        return right_rows * (ROW_COST + 2 * OPERATOR_COST), compared * OPERATOR_COST + rows * ROW_COST

    # ---- predicates

    def selectivity(self, condition):
        """The share of rows for which a condition is true, 0 to 1: a guess, corrected by what zone maps know."""
        guess = self.guess(condition)
        column = next((part for part in all_expressions(condition) if isinstance(part, Column)), None)
        if column is None or column.id not in self.sources:
            return guess
        relation, name = self.sources[column.id]
        for range in ranges_of(condition, {column.id: name}):
            least, most = self.zone_shares(relation, range)
            guess = min(most, max(least, guess))
        return guess

    def zone_shares(self, relation, range):
        """Bounds of the share of rows that satisfy a ScanRange: of granules that do as a whole, and of those that may."""
        bounds = [bound and bound.value for bound in (range.low, range.high) if bound is None or is_known(bound)]
        if len(bounds) < 2:
            return 0, 1
        granules = certain = possible = 0
        for segment in relation.visible_segments(self.snapshot):
            column = segment.column(range.column)
            granules += segment.granule_count
            if column.zones is None or column.type.name == "bpchar":
                possible += segment.granule_count
            else:
                possible += int(surviving(column.zones, column, *bounds, range.nulls).sum())
                certain += int(contained(column.zones, column, *bounds).sum())
        return (certain / granules, possible / granules) if granules else (0, 1)

    def guess(self, condition):
        """The same by the kind of condition, and the number of different values."""
        if isinstance(condition, Constant):
            return float(condition.value is True)
        if isinstance(condition, Or):
            return 1 - math.prod(1 - self.selectivity(argument) for argument in condition.arguments)
        if isinstance(condition, And):
            return math.prod(self.selectivity(argument) for argument in condition.arguments)
        if isinstance(condition, Not):
            return 1 - self.selectivity(condition.argument)
        if isinstance(condition, IsNull):
            known = self.column_facts(bare_column(condition.argument)).null_share
            share = IS_NULL if known is None else known
            return 1 - share if condition.negated else share
        if isinstance(condition, InList):
            distinct = self.column_facts(bare_column(condition.argument)).distinct or DISTINCT_GUESS
            share = min(1.0, len(condition.values) / distinct)
            return 1 - share if condition.negated else share
        if isinstance(condition, IsDistinct):
            return EQUAL if condition.negated else UNEQUAL
        if isinstance(condition, (Column, IsTruth)):
            return 0.5
        return self.call_selectivity(condition)

    def call_selectivity(self, call):
        """The same for an operator."""
        compared = comparison(call)
        if compared is not None:
            return self.comparison_selectivity(compared)
        operator = call.function.operator if isinstance(call, Call) else None
        guesses = {"=": EQUAL, "<>": UNEQUAL, "~~": MATCH, "~": MATCH, "~~*": MATCH, "~*": MATCH, "^@": MATCH,
                   "!~~": 1 - MATCH, "!~": 1 - MATCH, "!~~*": 1 - MATCH, "!~*": 1 - MATCH}
        return guesses.get(operator, UNKNOWN)

    def comparison_selectivity(self, compared):
        """The same for a comparison with a value that is fixed."""
        facts = self.column_facts(bare_column(compared.left))
        if compared.operator in ("=", "<>"):
            share = 1 / facts.distinct if facts.distinct else EQUAL
            return share if compared.operator == "=" else 1 - share
        bound = compared.right
        if facts.low is None or not is_known(bound) or bound.type.name not in NUMBERS or bound.type.category != \
                compared.left.type.category or not isinstance(bound.value, (int, float)) or facts.high == facts.low:
            return RANGE
        below = (bound.value - facts.low) / (facts.high - facts.low)
        share = below if compared.operator in ("<", "<=") else 1 - below
        return min(1.0, max(0.0, share)) if share == share else RANGE

    @staticmethod
    def expression_cost(expression):
        """What an expression costs for a row."""
        return OPERATOR_COST * sum(part_cost(part) for part in all_expressions(expression))

    # ---- nodes

    def figures(self, node):
        """What EXPLAIN shows for a node."""
        rows, startup, total = self.of(node)
        width = sum(column.type.length if column.type.length > 0 else TEXT_WIDTH for column in node.output)
        return {"Startup Cost": round(startup, 2), "Total Cost": round(total, 2), "Plan Rows": max(1, round(rows)),
                "Plan Width": width}

    def rows(self, node):
        """How many rows a node gives."""
        return self.of(node)[0]

    def of(self, node):
        """(rows, cost until the first row, cost until the last)."""
        if id(node) not in self.known:
            self.known[id(node)] = node, operator_of(node).estimate(self, node)
        return self.known[id(node)][1]


def part_cost(part):
    """What one part of an expression costs for a row, in operators; its own parts not counted."""
    if isinstance(part, (Column, Constant)):
        return 0.2 if part.type.length > 0 else 1
    if part.called is None:
        return 0.5
    if part.called.python:
        return PYTHON_COST
    return 1 if part.called.cheap else DEAR_COST
