"""Conditions in their simplest form.

    NOT (a < 5)                     ──▶   a >= 5
    NOT (a IN (1, 2) AND b)         ──▶   a NOT IN (1, 2) OR NOT b
    a > 1 AND (true AND a > 1)      ──▶   a > 1
    a = 1 OR a = 2 OR a IN (5)      ──▶   a IN (1, 2, 5)
    a AND b OR a AND c              ──▶   a AND (b OR c)
    WHERE false                     ──▶   no rows at all

Only where both sides of a comparison are put in one order is the opposite of < the operator >=, NULLs staying NULL: that is
so for all types here, NaN included.
"""
from dataclasses import replace

from caldera.functions import registry
from caldera.optimize.constant_folding import decided
from caldera.plan.expressions import And, Call, Case, Constant, InList, IsNull, IsTruth, Not, Or
from caldera.plan.nodes import Filter, Values
from caldera.plan.predicates import NEGATED, conjunction, conjuncts
from caldera.plan.volatility import is_volatile
from caldera.plan.walk import rewrite, rewrite_expressions, rewrite_nodes


def simple_conditions(plan, session):
    """Simplify conditions, and leave out what is never or always true."""
    return rewrite_nodes(plan, without_needless_filter)


def without_needless_filter(node):
    """A node with simple expressions; a Filter that lets all rows or none pass is none."""
    node = rewrite_expressions(node, lambda expression: rewrite(expression, simple))
    if isinstance(node, Filter) and isinstance(node.predicate, Constant):
        return node.input if node.predicate.value else Values((), node.output)
    return node


def simple(expression):
    """An expression whose parts are simple already."""
    if isinstance(expression, Not):
        return negation(expression.argument) or expression
    if isinstance(expression, And):
        return joined(expression)
    if isinstance(expression, Case):
        return decided(expression)
    if isinstance(expression, IsNull) and not expression.argument.nullable and not expression.argument.children:
        return truth(expression.negated, expression)
    return expression


def truth(value, like):
    """A Boolean constant."""
    return Constant(value, like.type)


def negation(condition):
    """NOT condition without the NOT, or None."""
    if isinstance(condition, Not):
        return condition.argument
    if isinstance(condition, Constant):
        return truth(None if condition.value is None else not condition.value, condition)
    if isinstance(condition, (IsNull, IsTruth, InList)):
        return replace(condition, negated=not condition.negated)
    if isinstance(condition, And):
        kind = And if isinstance(condition, Or) else Or
        return joined(kind(tuple(negation(argument) or Not(argument) for argument in condition.arguments)))
    if isinstance(condition, Call) and condition.function.operator in NEGATED and len(condition.arguments) == 2:
        return opposite(condition)
    return None


def opposite(call):
    """A comparison with the operator that holds where the other does not; None if there is none."""
    wanted = NEGATED[call.function.operator]
    function = next((other for other in registry.OPERATORS.get(wanted, ())
                     if other.arguments == call.function.arguments and other.volatility == call.function.volatility), None)
    return None if function is None else replace(call, function=function)


def joined(junction):
    """An And or Or: flat, each condition once, without constants that do not decide it."""
    kind, decisive = type(junction), isinstance(junction, Or)
    kept, over = [], {}                                 # over: those that are kept, by the columns that they use
    for argument in flattened(junction):
        if isinstance(argument, Constant) and argument.value is not None:
            if argument.value is decisive:
                return argument
            continue
        alike = over.setdefault(frozenset(argument.columns), [])
        if is_volatile(argument) or not is_among(argument, alike):
            kept.append(argument)
            alike.append(argument)
    if kind is Or:
        kept = listed(kept)
        common = common_conditions(kept)
        if common:
            return with_common(common, kept)
    if not kept:
        return truth(not decisive, junction)
    return kept[0] if len(kept) == 1 else kind(tuple(kept))


def is_among(condition, others):
    """Whether one of the others is the same condition."""
    return any(condition == other and str(condition) == str(other) for other in others)


def common_conditions(alternatives):
    """The conditions that stand in all of several alternatives."""
    if len(alternatives) < 2 or not any(type(alternative) is And for alternative in alternatives):
        return []
    first, *others = [conjuncts(alternative) for alternative in alternatives]
    return [condition for condition in first if not is_volatile(condition) and
            all(is_among(condition, conditions) for conditions in others)]


def with_common(common, alternatives):
    """What alternatives have in common, and one of what else each asks for; an alternative that asks for no more decides."""
    rests = [[condition for condition in conjuncts(alternative) if not is_among(condition, common)]
             for alternative in alternatives]
    if not all(rests):
        return conjunction(common)
    return joined(And((*common, joined(Or(tuple(map(conjunction, rests)))))))


def flattened(junction):
    """The conditions of nested Ands, or Ors, in order."""
    for argument in junction.arguments:
        if type(argument) is type(junction):
            yield from flattened(argument)
        else:
            yield argument


def listed(alternatives):
    """Alternatives where equalities of one expression with constants are one IN list, at the place of the first."""
    result, places = [], {}
    for condition in alternatives:
        found = values_of(condition)
        if found is None:
            result.append(condition)
            continue
        argument, values, has_null = found
        key = str(argument), argument
        if key not in places:
            places[key] = len(result)
            result.append(condition)
        else:
            before = values_of(result[places[key]])
            result[places[key]] = InList(argument, tuple(dict.fromkeys(before[1] + values)), before[2] or has_null)
    return result


def values_of(condition):
    """(argument, datums, whether NULL is among them) of an equality with a constant or an IN list; else None."""
    if isinstance(condition, InList) and not condition.negated:
        return condition.argument, condition.values, condition.has_null
    if isinstance(condition, Call) and condition.function.operator == "=" and not is_volatile(condition):
        left, right = condition.arguments
        if isinstance(right, Constant) and right.value is not None and right.type is left.type:
            return left, (right.value,), False
    return None
