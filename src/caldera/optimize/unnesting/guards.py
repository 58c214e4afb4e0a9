"""Parts of an expression that are asked for under a condition: arms of CASE, what stands to the right in AND, OR, COALESCE.

A subquery that becomes a join is computed for all outer rows, also for those that do not ask for it, and what it computes
might fail for these. So its outer columns are NULL for them.

    CASE WHEN a <> 0 THEN (SELECT 1 / t.a FROM u) END        for the subquery, t.a is CASE WHEN a <> 0 THEN a END
"""
from caldera.plan.expressions import And, Call, Case, Coalesce, Constant, IsNull, Not, Or
from caldera.plan.volatility import is_volatile
from caldera.plan.walk import all_expressions, nodes_of

NEVER_FAIL = {"=", "<>", "<", "<=", ">", ">=", "~~", "!~~"}


def rewrite_guarded(expression, change, wanted=lambda value: value):
    """The expression with `change(part, wanted)` applied to every part, innermost first, where `wanted(value)` is the value
    for the rows that ask for the part, and NULL for the others."""
    new = []
    for number, child in enumerate(expression.children):
        new.append(rewrite_guarded(child, change, under(expression, number, tuple(new), wanted)))
    if any(a is not b for a, b in zip(new, expression.children)):
        expression = expression.with_children(new)
    return change(expression, wanted)


def under(expression, number, before, wanted):
    """The `wanted` of a child, by its number, when the children `before` it are known. Conditions that would give something
    else when they are computed once more restrict nothing."""
    skipped, condition = asked_under(expression, number, before)
    conditions = skipped if condition is None else (*skipped, condition)
    if not conditions or any(map(is_volatile, conditions)):
        return wanted
    return lambda value: chosen(skipped, wanted(value), condition)


def asked_under(expression, number, before):
    """(the conditions of which none must hold for a child to be asked for, one that must hold or None)."""
    if isinstance(expression, Case):
        count = len(expression.conditions)
        arm = number - count
        return (before[:arm], before[arm]) if 0 <= arm < count else (before[:count], None)
    if isinstance(expression, Or):                      # a kind of And
        return before, None
    if isinstance(expression, And):
        return tuple(map(Not, before)), None
    if isinstance(expression, Coalesce):
        return tuple(IsNull(argument, negated=True) for argument in before), None
    return (), None


def chosen(skipped, value, condition=None):
    """The value where none of the `skipped` conditions holds, and the other one, if given, does; else NULL."""
    nothing = Constant(None, value.type, value.modifier)
    if condition is None:
        return Case(skipped, (nothing,) * len(skipped), value, value.type, value.modifier)
    return Case((*skipped, condition), (nothing,) * len(skipped) + (value,), nothing, value.type, value.modifier)


def may_fail(plan):
    """Whether a plan computes anything that fails for some values."""
    return any(isinstance(part, Call) and part.function.operator not in NEVER_FAIL
               for node in nodes_of(plan) for outer in node.evaluated for part in all_expressions(outer))
