"""Expressions without columns become constants.

    SELECT x + (2 * 3)                            ──▶   SELECT x + 6
    SELECT CASE WHEN true THEN x ELSE y END       ──▶   SELECT x

What would raise an error stays as it is, since it may never be evaluated (an arm of CASE). What is the same for a whole
statement (now()) becomes a constant of this statement, which is not `lasting`; volatile functions (random()) stay. Where
the statement changes settings while it runs (set_config), nothing may be taken for the same that only is for a statement.
"""
from dataclasses import replace

from caldera.base.errors import Error
from caldera.plan.arrays import Steps
from caldera.plan.expressions import AggregateCall, Call, Case, Constant, Parameter, Relabel, Subquery
from caldera.plan.volatility import changes_settings, is_immutable, is_volatile, lasts, volatility
from caldera.plan.walk import all_expressions, nodes_of, rewrite, rewrite_expressions, rewrite_nodes
from caldera.plan.windows import WindowCall


def constant_folding(plan, session):
    """Fold every constant expression of the plan."""
    unsettled = any(changes_settings(part) for node in nodes_of(plan) for outer in node.expressions
                    for part in all_expressions(outer))

    def fold(outer):
        return rewrite(outer, lambda part: part if unsettled and not is_immutable(part) else folded(part, session))
    return rewrite_nodes(plan, lambda node: rewrite_expressions(node, fold))


def folded(expression, session):
    """The expression as a Constant, if it is one."""
    if isinstance(expression, Case):
        return decided(expression)
    if isinstance(expression, Relabel) and isinstance(expression.argument, Constant):
        return Constant(expression.argument.value, expression.type, expression.modifier, lasting=expression.argument.lasting)
    if is_null(expression):
        return Constant(None, expression.type, expression.modifier)
    if not is_constant(expression):
        return expression
    try:
        return Constant(session.evaluate(expression), expression.type, expression.modifier, lasting=lasts(expression))
    except Error:
        return expression


def decided(case):
    """A CASE without arms that are never taken, and without what stands behind one that always is."""
    conditions, results, otherwise = [], [], case.otherwise
    for condition, result in zip(case.conditions, case.results):
        if isinstance(condition, Constant) and condition.value is True:
            otherwise = result
            break
        if not isinstance(condition, Constant):
            conditions.append(condition)
            results.append(result)
    if len(conditions) == len(case.conditions):
        return case
    if not conditions:
        return otherwise
    return replace(case, conditions=tuple(conditions), results=tuple(results), otherwise=otherwise)


def is_null(expression):
    """Whether a strict function gets a NULL, so that its result is known, whatever its other arguments would do."""
    return isinstance(expression, Call) and expression.function.strict and volatility(expression) != "v" and \
        any(isinstance(argument, Constant) and argument.value is None for argument in expression.arguments)


def is_constant(expression):
    """Whether an expression can be computed now, for the whole statement."""
    if isinstance(expression, (Constant, Parameter)):
        return False
    if isinstance(expression, Call) and not all(isinstance(argument, Constant) for argument in expression.arguments):
        return False                                                    # folding came to the arguments before
    for part in all_expressions(expression):
        if isinstance(part, (AggregateCall, WindowCall, Parameter, Subquery, Steps)):
            return False
        if not part.children and not isinstance(part, (Call, Constant)):
            return False
    return not is_volatile(expression)
