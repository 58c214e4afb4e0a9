"""Reading predicates: what rules ask of conditions and expressions.

    conjuncts(a AND (b AND c))  ──▶  [a, b, c]          conjunction  back
    comparison(5 < x)           ──▶  Comparison(">", x, 5): the side with columns on the left
    substituted(x + 1, {x: y})  ──▶  y + 1
"""
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from caldera.functions.registry import CASTS
from caldera.plan.expressions import (AggregateCall, And, Call, Coalesce, Column, Constant, InList, InSubquery, IsDistinct,
                                      IsNull, IsTruth, Not, Parameter, Relabel, Subquery)
from caldera.plan.volatility import is_volatile, volatility
from caldera.plan.walk import all_expressions, rewrite
from caldera.types.record import RecordType
from caldera.types.registry import TYPES

COMMUTED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
NEGATED = {"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
HARMLESS = (And, Column, Constant, InList, InSubquery, IsDistinct, IsNull, IsTruth, Not, Parameter, Relabel)
HARMLESS_OPERATORS = {"=", "<>", "<", "<=", ">", ">=", "~~", "!~~", "^@"}


def conjuncts(predicate):
    """The conditions that must all hold, in order."""
    if type(predicate) is not And:
        return [predicate]
    return [part for argument in predicate.arguments for part in conjuncts(argument)]


def conjunction(conditions):
    """One predicate of several conditions; None if there is none."""
    conditions = list(conditions)
    if not conditions:
        return None
    return conditions[0] if len(conditions) == 1 else And(tuple(conditions))


@dataclass(frozen=True)
class Comparison:
    """left operator right, where `right` is the same for all rows of a run. `call`: the expression it was."""
    operator: str
    left: Any
    right: Any
    call: Call


def comparison(expression):
    """The expression as a Comparison, or None if it is none, or neither side is the same for all rows."""
    if not isinstance(expression, Call) or expression.function.operator not in COMMUTED or len(expression.arguments) != 2:
        return None
    left, right = expression.arguments
    if is_fixed(right) and not is_fixed(left):
        return Comparison(expression.function.operator, left, right, expression)
    if is_fixed(left) and not is_fixed(right):
        return Comparison(COMMUTED[expression.function.operator], right, left, expression)
    return None


EXACT_CASTS = {("int2", "int4"), ("int2", "int8"), ("int4", "int8"), ("float4", "float8")}


def equalities(join):
    """How a Join's condition can be looked up: (pairs of an expression over the left input and one over the right, of one
    type, that must be equal; the conditions that remain)."""
    keys, rest = [], []
    left, right = ({column.id for column in input.output} for input in join.inputs)
    for condition in conjuncts(join.condition) if join.condition is not None else ():
        pairs = same_sides(condition, left, right)
        keys += pairs or days_of_sides(condition, left, right)
        if not pairs:
            rest.append(condition)
    return keys, rest


def same_sides(condition, left, right):
    """The pairs of sides (left, right) that must be equal for an equality, or for IS NOT DISTINCT FROM, between two inputs;
    none for other conditions. Where both sides may be NULL, some value stands for NULL, and whether they are NULL is
    compared as well."""
    if not (isinstance(condition, IsDistinct) and condition.negated):
        pair = equal_sides(condition, left, right)
        return [] if pair is None else [pair]
    a, b = condition.left, condition.right
    if a.columns <= right and b.columns <= left:
        a, b = b, a
    if is_volatile(condition) or not (a.columns and b.columns and a.columns <= left and b.columns <= right):
        return []
    if not (a.nullable and b.nullable):
        return [(a, b)]
    substitute = some_value(a.type)
    if substitute is None:
        return []
    a_value, b_value = (Coalesce((side, substitute), side.type, side.modifier) for side in (a, b))
    return [(a_value, b_value), (IsNull(a), IsNull(b))]


SOME_VALUES = {"bool": False, "int2": 0, "int4": 0, "int8": 0, "float4": 0.0, "float8": 0.0, "numeric": Decimal(0),
               "text": "", "varchar": "", "bpchar": "", "name": "", "bytea": b"", "date": 0, "timestamp": 0,
               "timestamptz": 0, "time": 0}


def some_value(type):
    """A Constant of a type that is not NULL, or None."""
    value = (None,) * len(type.fields) if isinstance(type, RecordType) else SOME_VALUES.get(type.name)
    return None if value is None else Constant(value, type)


def equal_sides(condition, left, right):
    """The sides (left, right) of an equality between two inputs, given by the ids of their columns, in one type; or None."""
    a, b = sides_of_equality(condition, left, right) or (None, None)
    if a is None:
        return None
    if (a.type.name, b.type.name) in EXACT_CASTS:
        a = as_type(a, b.type)
    elif (b.type.name, a.type.name) in EXACT_CASTS:
        b = as_type(b, a.type)
    return (a, b) if a.type.name == b.type.name else None


def sides_of_equality(condition, left, right):
    """The same, each in its own type."""
    if not isinstance(condition, Call) or condition.function.operator != "=" or is_volatile(condition) or \
            len(condition.arguments) != 2:
        return None
    a, b = condition.arguments
    if a.columns <= right and b.columns <= left:
        a, b = b, a
    return (a, b) if a.columns and b.columns and a.columns <= left and b.columns <= right else None


def days_of_sides(condition, left, right):
    """For a date that shall equal a timestamp, the pair of their days: equal as well, though the condition remains. A day
    can be told of every timestamp, but not a timestamp of every date."""
    sides = sides_of_equality(condition, left, right)
    if sides is None or {side.type.name for side in sides} != {"date", "timestamp"}:
        return []
    return [tuple(side if side.type.name == "date" else as_type(side, TYPES["date"]) for side in sides)]


def as_type(expression, type):
    """The expression cast to another type."""
    return Call(CASTS[expression.type, type], (expression,), type)


def is_fixed(expression):
    """Whether an expression is the same for all rows of a run."""
    return not expression.columns and not is_volatile(expression) and \
        not any(isinstance(part, (AggregateCall, Subquery)) for part in all_expressions(expression))


def is_known(expression):
    """Whether an expression is a Constant that is not NULL."""
    return isinstance(expression, Constant) and expression.value is not None


def bare_column(expression):
    """The Column that an expression is, but for casts that change the type only; or None."""
    while isinstance(expression, Relabel):
        expression = expression.argument
    return expression if isinstance(expression, Column) else None


def substituted(expression, replacements):
    """The expression with columns replaced: {column id: Expression}."""
    if not replacements:
        return expression
    return rewrite(expression, lambda part: replacements.get(part.id, part) if isinstance(part, Column) else part)


def cannot_fail(expression):
    """Whether an expression is known to raise no error."""
    if isinstance(expression, Call):
        if expression.function.operator not in HARMLESS_OPERATORS or volatility(expression) == "v":
            return False
        if "~" in expression.function.operator and not well_formed(expression.arguments[1]):
            return False
    elif not isinstance(expression, HARMLESS):
        return False
    return all(cannot_fail(child) for child in expression.children)


def well_formed(pattern):
    """Whether a LIKE pattern is a constant that does not end in the middle of an escape."""
    if not isinstance(pattern, Constant) or not isinstance(pattern.value, str):
        return False
    text = pattern.value
    return (len(text) - len(text.rstrip("\\"))) % 2 == 0
