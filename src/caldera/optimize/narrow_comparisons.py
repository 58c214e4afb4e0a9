"""Columns are compared in their own type where a constant allows it, without a cast for each row.

    small::int4 = 7      small = 7::int4        ──▶   small = 7::int2
    x::numeric > 2.5                            ──▶   x > 2
    x::float8 <= 3.7     of int2 and int4       ──▶   x <= 3
    day < timestamp '2024-01-05 12:00'          ──▶   day <= date '2024-01-05'

A constant beyond the column's type decides the comparison by itself, unless the column may be NULL.
"""
import decimal
import math
from dataclasses import replace

from caldera.functions import registry
from caldera.plan.expressions import Call, Constant, InList
from caldera.plan.predicates import comparison, is_known
from caldera.plan.walk import rewrite, rewrite_expressions, rewrite_nodes
from caldera.types.calendar import DATE_MAX, DATE_MIN, DAY, MOMENT_END, MOMENT_MIN
from caldera.types.registry import TYPES

WIDTHS = {"int2": 15, "int4": 31, "int8": 63}
EXACT_IN_FLOATS = {"int2", "int4"}


def narrow_comparisons(plan, session):
    """Rewrite comparisons of columns with constants."""
    def change(expression):
        return rewrite(expression, narrowed)
    return rewrite_nodes(plan, lambda node: rewrite_expressions(node, change))


def narrowed(expression):
    """A comparison or an IN list in the type of what is compared."""
    if isinstance(expression, InList):
        return narrow_list(expression)
    compared = comparison(expression)
    if compared is None or not is_known(compared.right):
        return expression
    left, bound = compared.left, compared.right
    narrow = uncast(left)
    if left.type.name == "date" and bound.type.name == "timestamp":
        return in_days(compared, expression)
    if narrow is None or narrow.type.name not in WIDTHS:
        return expression
    if narrow is left and bound.type is left.type or bound.type.name == "float8" and narrow.type.name not in EXACT_IN_FLOATS:
        return expression
    place = whole_place(compared.operator, bound.value)
    return expression if place is None else compared_with(narrow, *place, expression)


def uncast(expression):
    """What an expression is cast from, if the cast keeps every value and its order; or the expression itself."""
    if isinstance(expression, Call) and expression.function.cast and len(expression.arguments) == 1:
        source = expression.arguments[0]
        if source.type.name in WIDTHS and expression.type.name in ("int4", "int8", "numeric", "float8"):
            if WIDTHS[source.type.name] < WIDTHS.get(expression.type.name, 64):
                return source
    return expression


def whole_place(operator, value):
    """(operator, integer) that holds for the same integers as (operator, number); None if there is no such pair."""
    if isinstance(value, int):
        return operator, value
    if isinstance(value, decimal.Decimal) and not value.is_finite() or isinstance(value, float) and not math.isfinite(value):
        return None
    whole = math.floor(value)
    if whole == value:
        return operator, whole
    if operator in ("=", "<>"):
        return None
    return ("<=" if "<" in operator else ">"), whole


def compared_with(column, operator, number, otherwise):
    """column operator number, in the column's type; `otherwise` where that does not work."""
    limit = 1 << WIDTHS[column.type.name]
    if not -limit <= number < limit:
        if column.nullable or column.children:
            return otherwise
        return Constant(operator == "<>" or ("<" in operator) == (number > 0) and operator != "=", TYPES["bool"])
    return same_type(operator, column, Constant(number, column.type), otherwise)


def same_type(operator, left, right, otherwise):
    """The comparison of two expressions of one type; `otherwise` if there is none."""
    for function in registry.OPERATORS[operator]:
        if function.arguments == (left.type, right.type):
            return Call(function, (left, right), function.result, None, otherwise.position)
    return otherwise


def in_days(compared, otherwise):
    """A comparison of a date with a timestamp as one with a date; `otherwise` where that does not work."""
    moment = compared.right.value
    if not MOMENT_MIN <= moment < MOMENT_END:
        return otherwise
    day, rest = divmod(moment, DAY)
    operator = compared.operator
    if not DATE_MIN <= day <= DATE_MAX or rest and operator in ("=", "<>"):
        return otherwise
    if rest:
        operator = "<=" if "<" in operator else ">"
    return same_type(operator, compared.left, Constant(day, TYPES["date"]), otherwise)


def narrow_list(member):
    """An IN list over a cast column as one over the column, if all constants fit."""
    narrow = uncast(member.argument)
    if narrow is member.argument or narrow.type.name not in WIDTHS:
        return member
    if member.argument.type.name == "float8" and narrow.type.name not in EXACT_IN_FLOATS:
        return member
    limit, values = 1 << WIDTHS[narrow.type.name], []
    for value in member.values:
        place = whole_place("=", value)
        if place is not None and -limit <= place[1] < limit:
            values.append(place[1])
    return replace(member, argument=narrow, values=tuple(dict.fromkeys(values))) if values else member
