"""Joins by comparisons search rows that are sorted instead of comparing all with all.

    Join(x, y, x.a < y.b AND y.b <= x.c)       ──▶   the same, y sorted by b:     x.a < b <= x.c are neighbours
    Join(x, y, y.lo <= x.a AND x.a <= y.hi)    ──▶   the same, y sorted by lo:    lo <= x.a is a beginning of y; before it
                                                     is left out what lies before the first row that reaches up to x.a
    Join(x, y, x.k = y.k AND y.b <= x.a)       ──▶   the same, by b within rows of one k, where those are many
    Join(x, y, y.b <= x.a, asof, b DESC)       ──▶   the same, by b: the first row of the range is the partner

The condition itself is still asked of each pair in the range, so that bounds may be a little wide, as those of texts are, of
which only the first bytes are compared.
"""
from dataclasses import replace

from caldera.optimize.estimates import Estimates
from caldera.plan.expressions import Call
from caldera.plan.nodes import Join, KeyRange
from caldera.plan.predicates import COMMUTED, EXACT_CASTS, cannot_fail, equalities
from caldera.plan.volatility import is_volatile
from caldera.plan.walk import rewrite_nodes

SORTED_ROWS_MIN = 16            # kept rows that one row has to look at, from which sorting them pays
ARITHMETIC = {"+", "-", "*"}    # operators whose failures are generated code's own


def range_joins(plan, session):
    """Have rows sorted where few of them are within the bounds of a row that looks for partners."""
    estimates = Estimates(plan, session.view.snapshot)

    def searching(node):
        if not isinstance(node, Join) or node.condition is None or not looks_at_many(node, estimates):
            return node
        ranges = key_ranges(node)
        return replace(node, ranges=ranges) if ranges else node
    return rewrite_nodes(plan, searching)


def looks_at_many(node, estimates):
    """Whether rows that look for partners find many kept ones, by the equalities alone."""
    keys, rest = equalities(node)
    if not rest:
        return False
    kept, streamed = (node.left, node.right) if node.builds_left else (node.right, node.left)
    pairs = estimates.join_rows(Join(node.left, node.right, "inner"), keys, ()) if keys else \
        estimates.rows(kept) * estimates.rows(streamed)
    return not keys or node.order or pairs >= SORTED_ROWS_MIN * max(1.0, estimates.rows(streamed))


def key_ranges(node):
    """The KeyRanges to search a join's kept rows by."""
    return chosen(all_ranges(node), node)


def all_ranges(node):
    """The KeyRanges that a join's comparisons make, one for each expression over the kept rows, in order."""
    kept, streamed = ({column.id for column in input.output} for input in node.inputs[::1 if node.builds_left else -1])
    found = {}
    for condition in equalities(node)[1]:
        operator, key, bound = sides_of_comparison(condition, kept, streamed) or (None, None, None)
        if operator is None:
            continue
        before = found.get(key, KeyRange(key))
        pair = bound, operator in ("<", ">")
        found[key] = replace(before, highs=(*before.highs, pair)) if "<" in operator else \
            replace(before, lows=(*before.lows, pair))
    return list(found.values())


def sides_of_comparison(condition, kept, streamed):
    """(operator, expression over the columns `kept`, expression over those `streamed`) of a comparison of values of one
    type, or None."""
    if not isinstance(condition, Call) or condition.function.operator not in COMMUTED or len(condition.arguments) != 2 or \
            condition.function.operator in ("=", "<>") or is_volatile(condition):
        return None
    (a, b), operator = condition.arguments, condition.function.operator
    if a.columns <= streamed and b.columns <= kept:
        a, b, operator = b, a, COMMUTED[operator]
    is_between = a.columns and b.columns and a.columns <= kept and b.columns <= streamed
    names = a.type.name, b.type.name
    is_ordered = names[0] == names[1] or names in EXACT_CASTS or names[::-1] in EXACT_CASTS
    return (operator, a, b) if is_between and is_ordered and all(map(may_come_early, (a, b))) else None


def may_come_early(expression):
    """Whether an expression may be computed for rows that nobody compares: what generated code may find to fail, without
    harm, is arithmetic."""
    return cannot_fail(expression) or isinstance(expression, Call) and not expression.function.python and \
        (expression.function.operator in ARITHMETIC or expression.function.cast == "implicit") and \
        all(map(may_come_early, expression.children))


def chosen(ranges, node):
    """The ranges to search by. Rows that come in an order of their own are searched by what comes first in it."""
    if node.order:
        return tuple(range for range in ranges if range.key == node.order[0].expression)
    both = [range for range in ranges if range.lows and range.highs]
    if both:
        return tuple(both[:1])
    beginnings, ends = ([range for range in ranges if getattr(range, name)] for name in ("highs", "lows"))
    return (*beginnings[:1], *ends[:1])
