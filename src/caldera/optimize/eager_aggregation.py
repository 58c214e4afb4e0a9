"""Groups are made below a join where that leaves it few rows to join.

    Aggregate(Join(x, y, x.k = y.k), y.name, sum(x.a), count(*))
      ──▶   Aggregate(Join(Aggregate(x, x.k, sum(x.a) AS s, count(*) AS c), y, x.k = y.k), y.name, sum(s), total(c))

    Aggregate(Join(x, y, x.k = y.k), sum(CASE WHEN y.b THEN x.a END))
      ──▶   Aggregate(Join(Aggregate(x, x.k, sum(x.a) AS s), y, x.k = y.k), sum(CASE WHEN y.b THEN s END))

The side of the join that all aggregates are about, but for those that do not mind duplicates (min, max), is grouped by its
columns in the condition and among the keys; its groups meet the rows of the other side, and what they have gathered is put
together above. (Yan and Larson, "Eager Aggregation and Lazy Aggregation", VLDB 1995.)

What may differ stays where it is: sums of floats, whose rounding depends on the order; DISTINCT and ordered aggregates;
arguments that may fail for rows that find no partner; keys that are equal but not the same. Rows of NULLs, which an outer
join makes for the side that is grouped, count one for count(*), and nothing for aggregates whose argument is NULL in them.
"""
from dataclasses import replace

from caldera.functions import registry
from caldera.functions.aggregate.totals import TOTAL_OF_COUNTS
from caldera.optimize.applied import applied, cast, counting, if_any, integer
from caldera.optimize.estimates import Estimates
from caldera.optimize.predicate_push_down import is_null_with
from caldera.plan.expressions import AggregateCall, Call, Case, Coalesce, Column, Constant, new_column
from caldera.plan.nodes import Aggregate, GroupingSets, Join, Project, nulled
from caldera.plan.predicates import cannot_fail, is_known, substituted
from caldera.plan.volatility import is_volatile
from caldera.plan.walk import all_expressions, rewrite_nodes
from caldera.types.registry import TYPES

ROWS_MIN = 10_000               # of the side that is grouped
PROBE_WORDS, GROUP_WORDS = 3, 2 # what looking up a row in a join costs, and in a table of groups, in words of keys
TEXT_WORDS = 4                  # what a text costs there
LEFT_KINDS, RIGHT_KINDS = {"inner", "left", "semi", "anti", "asof"}, {"inner", "left"}
DUPLICATES_HARMLESS = {"min", "max", "bool_and", "bool_or", "every", "bit_and", "bit_or"}
EXACT_SUMS = {"int2", "int4", "int8", "numeric"}
EXACT_OPERATORS = {"+", "-", "*"}


def eager_aggregation(plan, session):
    """Group below joins."""
    estimates = Estimates(plan, session.view.snapshot)
    return rewrite_nodes(plan, lambda node: grouped_early(node, estimates))


def grouped_early(node, estimates):
    """An Aggregate or GroupingSets over a Join that is grouped before, if that pays; else the node."""
    if not isinstance(node, (Aggregate, GroupingSets)):
        return node
    flat = over_join(node)
    join = flat.input
    if not isinstance(join, Join) or any(map(is_volatile, (*join.evaluated, *flat.evaluated))):
        return node
    for side, kinds in (("left", LEFT_KINDS), ("right", RIGHT_KINDS)):
        if join.kind in kinds:
            early = Early(flat, join, side)
            if early.is_possible() and early.pays(estimates):
                return early.plan(estimates)
    return node


def over_join(node):
    """The node without the Project between it and a Join, whose expressions go into its own."""
    below = node.input
    if not isinstance(below, Project) or not isinstance(below.input, Join) or \
            any(is_volatile(expression) for _, expression in below.items):
        return node
    items = {column.id: expression for column, expression in below.items}
    keys = tuple((column, substituted(key, items)) for column, key in node.keys)
    aggregates = tuple((column, substituted(call, items)) for column, call in node.aggregates)
    return replace(node, input=below.input, keys=keys, aggregates=aggregates)


class Early:
    """One way to group early: one side ("left" or "right") of a Join below an Aggregate or GroupingSets."""

    def __init__(self, node, join, side):
        self.node, self.join, self.side = node, join, side
        self.input = getattr(join, side)
        self.ids = {column.id for column in self.input.output}
        self.is_nulled = side == "right" and join.kind == "left"
        self.keys, self.partials, self.calls, self.replaced = {}, [], [], {}

    def is_possible(self):
        """Whether the plan gives the same; finds the keys of the groups that are made early."""
        calls = [call for _, call in self.node.aggregates]
        if not any(self.is_about_side(call) or self.chosen(call) for call in calls) or not all(map(self.divides, calls)):
            return False
        for _, key in self.node.keys:
            if key.columns and key.columns <= self.ids and not self.is_nulled and cannot_fail(key):
                self.add_key(key)
            else:
                self.add_columns(key)
        for expression in self.join.evaluated:
            self.add_columns(expression)
        for call in calls:
            chosen = self.chosen(call)
            if chosen is not None:
                for condition in chosen.conditions:
                    self.add_columns(condition)
            elif not self.is_about_side(call):
                self.add_columns(call)
        return all(key.type.equal_is_same for key in self.keys)

    def add_key(self, key):
        """Group by an expression; what it is called above."""
        if key not in self.keys:
            self.keys[key] = key if isinstance(key, Column) else new_column(str(key)[:60], key.type, key.modifier,
                                                                           key.nullable)

    def add_columns(self, expression):
        """Group by the side's columns in an expression."""
        for part in all_expressions(expression):
            if isinstance(part, Column) and part.id in self.ids:
                self.add_key(given(part, self.input))

    def is_about_side(self, call):
        """Whether an aggregate's rows are gathered early."""
        return call.columns <= self.ids and bool(call.columns or not call.arguments)

    def chosen(self, call):
        """The Case of a sum that is about this side but for the conditions that choose what is added; else None."""
        case = call.arguments[0] if call.signature.name == "sum" and call.filter is None and not self.is_nulled else None
        if not isinstance(case, Case) or self.is_about_side(call):
            return None
        values = (*case.results, case.otherwise)
        return case if case.columns & self.ids and all(value.columns <= self.ids for value in values) and \
            any(value.columns for value in values) else None

    def divides(self, call):
        """Whether an aggregate may be computed in two steps."""
        chosen = self.chosen(call)
        if chosen is not None:
            return not call.distinct and not call.order_by and chosen.type.name in EXACT_SUMS and \
                all(map(is_exact, (*chosen.results, chosen.otherwise)))
        if call.distinct or call.order_by or call.signature.name not in ENDS and not self.is_harmless(call):
            return False
        if not self.is_about_side(call):
            return self.is_harmless(call)
        if not all(is_exact(argument) for argument in call.arguments) or \
                call.filter is not None and not cannot_fail(call.filter):
            return False
        if call.signature.name in ("sum", "avg", "total") and call.arguments[0].type.name not in EXACT_SUMS or \
                call.signature.name == "avg" and call.arguments[0].type.name != "numeric":
            return False
        if not self.is_nulled:
            return True
        return is_null_with(call.arguments[0], self.ids) if call.arguments else call.filter is None

    @staticmethod
    def is_harmless(call):
        """Whether an aggregate may look at rows several times."""
        return call.signature.name in DUPLICATES_HARMLESS

    def pays(self, estimates):
        """Whether joining and grouping rows costs more than grouping them, and joining and grouping the groups."""
        rows, joined = estimates.rows(self.input), estimates.rows(self.join)
        if rows < ROWS_MIN:
            return False
        groups = estimates.group_count(list(self.keys), rows)
        above = PROBE_WORDS + GROUP_WORDS + key_words(key for _, key in self.node.keys)
        early = rows * (GROUP_WORDS + key_words(self.keys)) + (groups + groups * joined / max(1.0, rows)) * above
        return early < joined * above

    def plan(self, estimates):
        """The node over the join of groups."""
        results = [(column, self.result(column, call)) for column, call in self.node.aggregates]
        groups = Aggregate(self.input, tuple((column, key) for key, column in self.keys.items()), tuple(self.partials))
        groups = grouped_early(groups, estimates)
        other = "left" if self.side == "right" else "right"
        join = replace(self.join, **{self.side: groups})
        if join.kind == "inner" and self.side == "left" and estimates.rows(groups) < estimates.rows(join.right):
            join = replace(join, **{self.side: getattr(self.join, other), other: groups})
        above = {column.id: column for column in (nulled(groups.output) if self.is_nulled else groups.output)}
        computed = {key: above[column.id] for key, column in self.keys.items() if not isinstance(key, Column)}
        keys = tuple((column, computed.get(key, key)) for column, key in self.node.keys)
        calls = tuple((column, substituted(call, above)) for column, call in self.calls)
        given_on = [column for column in self.node.output if column.id not in {column.id for column, _ in results}]
        plan = replace(self.node, input=join, keys=keys, aggregates=calls)
        return Project(plan, (*((column, column) for column in given_on), *results))

    def result(self, column, call):
        """An aggregate of the node as an expression over those of `calls`, which it adds to; and to `partials`."""
        chosen = self.chosen(call)
        if chosen is not None:
            return ended_choice(self, column, call, chosen)
        if not self.is_about_side(call):
            return self.final(call, column)
        return ENDS.get(call.signature.name, combined)(self, column, call)

    def partial(self, call):
        """The column of an aggregate that is computed early."""
        known = next((column for column, other in self.partials if other == call), None)
        if known is None:
            known = new_column(str(call)[:60], call.type, call.modifier, call.nullable)
            self.partials.append((known, call))
        return replace(known, nullable=True) if self.is_nulled else known

    def final(self, call, column=None):
        """The column of an aggregate that is computed above the join."""
        column = column or new_column(str(call)[:60], call.type, call.modifier, call.nullable)
        self.calls.append((column, call))
        return column


def key_words(keys):
    """What making groups by some keys costs for a row."""
    return sum(TEXT_WORDS if key.type.python_type is str else key.type.layout.words for key in keys)


def given(column, node):
    """A column as a node gives it."""
    return next(each for each in node.output if each.id == column.id)


def is_exact(expression):
    """Whether an argument can be computed for rows that find no partner: if it cannot fail, or overflow only as numerics do,
    beyond 131,072 digits; what it is divided by is known."""
    if cannot_fail(expression) or not isinstance(expression, Call) or expression.type.name != "numeric":
        return cannot_fail(expression)
    function, divisor = expression.function, expression.arguments[-1]
    return all(map(is_exact, expression.children)) and (
        function.operator in EXACT_OPERATORS or function.cast == "implicit" or
        function.operator == "/" and is_known(divisor) and divisor.value != 0)


def ended_count(early, column, call):
    """count: the total of counts. A row of NULLs that stands for no partner is a row."""
    counted = early.partial(call)
    if early.is_nulled and not call.arguments:
        counted = Coalesce((counted, integer(1)), counted.type)
    return early.final(AggregateCall(TOTAL_OF_COUNTS, (counted,), TOTAL_OF_COUNTS.result), column)


def ended_sum(early, column, call):
    """sum: of short integers a total where there is any; numerics add up to numerics."""
    return sum_of_sums(early, column, early.partial(call))


def ended_choice(early, column, call, chosen):
    """sum of a choice: the sum of what is chosen among sums."""
    def whole(value):
        if isinstance(value, Constant) and value.value is None:
            return Constant(None, call.type)
        if isinstance(value, Constant) and value.value == 0:
            if value.type is call.type:
                return value
            return integer(0) if call.type.name == "int8" else cast(value, "numeric")
        return early.partial(replace(call, arguments=(value,)))
    case = Case(chosen.conditions, tuple(map(whole, chosen.results)), whole(chosen.otherwise), call.type)
    return sum_of_sums(early, column, case)


def sum_of_sums(early, column, part):
    """The sum of sums, which are an expression above the join."""
    if part.type.name == "numeric":
        return early.final(numeric_sum(part), column)
    whole = early.final(AggregateCall(TOTAL_OF_COUNTS, (part,), TOTAL_OF_COUNTS.result))
    return if_any(early.final(counting(part)), whole)


def ended_total(early, column, call):
    """total: 0 where there is nothing."""
    part = early.partial(call)
    if part.type.name != "numeric":
        return early.final(AggregateCall(TOTAL_OF_COUNTS, (part,), TOTAL_OF_COUNTS.result), column)
    return Coalesce((early.final(numeric_sum(part)), cast(Constant(0, TYPES["int8"]), "numeric")), part.type)


def ended_average(early, column, call):
    """avg of numerics: the sum through the count."""
    part = early.partial(numeric_sum(call.arguments[0], call.filter))
    counted = early.partial(counting(call.arguments[0], call.filter))
    rows = early.final(AggregateCall(TOTAL_OF_COUNTS, (counted,), TOTAL_OF_COUNTS.result))
    return if_any(rows, applied("/", early.final(numeric_sum(part)), cast(rows, "numeric")))


def combined(early, column, call):
    """The same aggregate of its parts."""
    return early.final(replace(call, arguments=(early.partial(call),), filter=None), column)


def numeric_sum(argument, filter=None):
    """sum of numerics as an AggregateCall."""
    signature = next(signature for signature in registry.AGGREGATES["sum"] if signature.arguments == (TYPES["numeric"],))
    return AggregateCall(signature, (argument,), signature.result, None, False, filter)


ENDS = {"count": ended_count, "sum": ended_sum, "total": ended_total, "avg": ended_average}
