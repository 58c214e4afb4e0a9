"""Reading predicates: what rules ask of conditions and expressions.

    conjuncts(a AND (b AND c))  ──▶  [a, b, c]          conjunction  back
    comparison(5 < x)           ──▶  Comparison(">", x, 5): the side with columns on the left
    substituted(x + 1, {x: y})  ──▶  y + 1
"""
from dataclasses import dataclass
from typing import Any

from caldera.plan.expressions import (AggregateCall, And, Call, Column, Constant, InList, InSubquery, IsDistinct, IsNull,
                                      IsTruth, Not, Parameter, Relabel, Subquery)
from caldera.plan.volatility import is_volatile, volatility
from caldera.plan.walk import all_expressions, rewrite

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
