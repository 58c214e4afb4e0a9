"""Sums and averages of integers become totals and counts, so that those over one column share their work.

    sum(x), avg(x), count(x)     ──▶   total(x), count(x)                         above: CASE WHEN count <> 0 THEN total END,
    sum(x), sum(x + 1), ...      ──▶   total(x), count(x)                                total + 1 * count, total / count

Constants move out of a sum only where the addition cannot overflow: where it is done in a wider type than the column's. A
column that is never NULL shares the count of all rows.
"""
from dataclasses import replace

from caldera.functions.aggregate.totals import TOTALS
from caldera.optimize.applied import applied, cast, counting, if_any, integer
from caldera.plan.expressions import AggregateCall, Call, Column, Constant, new_column
from caldera.plan.nodes import Aggregate, GroupingSets, Project
from caldera.plan.walk import rewrite_nodes

WIDTHS = {"int2": 15, "int4": 31, "int8": 63}


def totals(plan, session):
    """Rewrite sums, averages and counts."""
    return rewrite_nodes(plan, shared)


def shared(node):
    """An Aggregate or GroupingSets whose aggregates share totals and counts, under a Project that makes of them what was
    wanted."""
    if not isinstance(node, (Aggregate, GroupingSets)):
        return node
    grouped = bool(node.keys) if isinstance(node, Aggregate) else all(node.sets)
    sharing = Sharing(grouped, [call for _, call in node.aggregates])
    results = [(column, sharing.result(column, call)) for column, call in node.aggregates]
    aggregates = tuple((column, call) for call, column in sharing.columns.values())
    if aggregates == node.aggregates:
        return node
    below = replace(node, aggregates=aggregates)
    handed_on = node.output[:len(node.output) - len(node.aggregates)]
    return below if all(column == result for column, result in results) else \
        Project(below, tuple((column, column) for column in handed_on) + tuple(results))


class Sharing:
    """The aggregates that a node will compute. grouped: whether every group has a row. calls: those that were wanted."""

    def __init__(self, grouped, calls):
        self.grouped, self.columns = grouped, {}
        self.plain = [rows_if_never_null(call) for call in calls]
        self.summed = [summed(call) for call in calls]

    def column(self, call, column=None):
        """The column of an aggregate, which is computed once. column: what it is called if it is new."""
        key = str(call), call
        if key not in self.columns:
            self.columns[key] = call, column or new_column(str(call)[:60], call.type, call.modifier, call.nullable)
        return self.columns[key][1]

    def result(self, column, call):
        """An aggregate as an expression over the shared ones."""
        parts = summed(call)
        if parts is None or not self.pays(call, parts):
            return self.column(rows_if_never_null(call), column)
        base, shift = parts
        total = self.column(total_of(base, call.filter))
        always = self.grouped and not base.nullable and call.filter is None
        result_type = "numeric" if call.signature.name == "avg" else call.type.name
        value = cast(total, result_type)
        if call.signature.name == "avg" or shift or not always:
            count = self.column(rows_if_never_null(counting(base, call.filter)))
        if shift:
            value = applied("+", value, applied("*", cast(integer(shift), result_type), cast(count, result_type)))
        if call.signature.name == "avg":
            value = applied("/", value, cast(count, "numeric"))
        return value if always else if_any(count, value)

    def pays(self, call, parts):
        """Whether a sum or average is better shared: not a sum that stands alone and must count anyway."""
        base, shift = parts
        if call.signature.name == "avg" or self.grouped and not base.nullable and call.filter is None:
            return True
        alike = sum(other is not None and other[0] == base for other in self.summed)
        return alike > 1 or rows_if_never_null(counting(base, call.filter)) in self.plain


def summed(call):
    """(base, shift) if a call is a sum or an average of integers: those of base + shift. Else None."""
    if call.signature.name not in ("sum", "avg") or call.distinct or call.order_by:
        return None
    argument = call.arguments[0]
    return unshifted(argument) if argument.type.name in WIDTHS else None


def unshifted(expression):
    """(base, shift): the expression is base + shift, which cannot overflow."""
    if isinstance(expression, Call) and expression.function.operator in ("+", "-") and len(expression.arguments) == 2:
        left, right = expression.arguments
        if expression.function.operator == "+" and isinstance(left, Constant):
            left, right = right, left
        if isinstance(right, Constant) and right.value is not None and is_roomy(left.type, right.value, expression.type):
            return left, right.value if expression.function.operator == "+" else -right.value
    return expression, 0


def is_roomy(type, shift, result):
    """Whether every value of an integer type plus or minus `shift` fits in the result's type."""
    names = WIDTHS.get(type.name), WIDTHS.get(result.name)
    return None not in names and (1 << names[0]) + abs(shift) < 1 << names[1]


def total_of(base, filter):
    """total(base) as an AggregateCall."""
    signature = TOTALS[base.type.name]
    return AggregateCall(signature, (base,), signature.result, None, False, filter)


def rows_if_never_null(call):
    """count(x) as count(*) if x is a column or a constant that is never NULL; other aggregates as they are."""
    if call.signature.name != "count" or call.distinct or not call.arguments:
        return call
    argument = call.arguments[0]
    return counting(None, call.filter) if isinstance(argument, (Column, Constant)) and not argument.nullable else call
