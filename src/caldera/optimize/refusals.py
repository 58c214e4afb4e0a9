"""Why a plan does not do what it could have done: what EXPLAIN says at nodes where a user may ask.

    Nested Loop Join    Not Used: Hash Join (no equality between the inputs), Range Join (x / 2 may fail for rows that ...)

Only what can be told from the plan and its estimates is said; EXPLAIN VERBOSE also says what cost more.
"""
from caldera.optimize.build_sides import words_of_sides
from caldera.optimize.eager_aggregation import Early, over_join
from caldera.optimize.estimates import join_costs
from caldera.optimize.key_filters import SELECTIVE_SHARE, is_selective, possible_values
from caldera.optimize.range_joins import SORTED_ROWS_MIN, all_ranges, key_ranges, may_come_early
from caldera.plan.expressions import Call, IsDistinct, Or
from caldera.plan.nodes import Aggregate, Join
from caldera.plan.predicates import COMMUTED, conjuncts, equalities, sides_of_equality
from caldera.plan.volatility import is_volatile

EXCHANGEABLE = {"inner", "full"}            # kinds of joins whose inputs join_order may exchange


def refusals(node, estimates, disabled=(), verbose=False):
    """Texts "alternative (reason)" for a node. disabled: names of rules that were left out."""
    if isinstance(node, Join):
        return [*why_not_hashed(node), *why_not_searched(node, estimates, disabled),
                *(why_so_built(node, estimates) if verbose else ()),
                *(why_no_key_filter(node, estimates, disabled) if verbose else ())]
    return list(why_not_early(node, estimates, disabled)) if isinstance(node, Aggregate) and verbose else []


def why_not_hashed(node):
    """Of a join that compares rows one by one, why no key is looked up."""
    if node.condition is None or node.ranges or equalities(node)[0]:
        return
    left, right = ({column.id for column in input.output} for input in node.inputs)
    for condition in conjuncts(node.condition):
        if isinstance(condition, Or):
            if any(sides_of_equality(part, left, right) for each in condition.arguments for part in conjuncts(each)):
                yield "Hash Join (equalities are alternatives of an OR)"
                return
        elif is_volatile(condition):
            yield f"Hash Join ({condition} is different for each pair)"
            return
        elif sides := sides_of_equality(condition, left, right):
            yield f"Hash Join ({condition} compares {' with '.join(side.type.sql_name for side in sides)})"
            return
        elif isinstance(condition, IsDistinct) and condition.negated:
            yield f"Hash Join (type {condition.left.type.sql_name} has no value to stand for NULL)"
            return
    yield "Hash Join (no equality between the inputs)"


def why_not_searched(node, estimates, disabled):
    """Why no range of sorted rows is searched."""
    keys, rest = equalities(node)
    if node.ranges or not rest:
        return
    if key_ranges(node):
        if "range_joins" in disabled:
            yield "Range Join (the rule range_joins is disabled)"
        elif keys:
            yield f"Range search (fewer than {SORTED_ROWS_MIN} rows have the same key)"
        return
    if keys:
        return
    early = next((side for condition in rest if is_comparison(condition) for side in condition.arguments
                  if not may_come_early(side)), None)
    if early is not None:
        yield f"Range Join ({early} may fail for rows that are not compared)"
    elif not all_ranges(node):
        yield "Range Join (no comparison between the inputs)"


def is_comparison(condition):
    """Whether a condition is <, <=, > or >=."""
    return isinstance(condition, Call) and condition.function.operator in COMMUTED.keys() - {"=", "<>"}


def why_so_built(node, estimates):
    """Why the rows of one input are kept, and not the other's."""
    keys, _ = equalities(node)
    left, right = map(estimates.rows, node.inputs)
    if not keys:
        return
    if node.kind in EXCHANGEABLE:
        rows = estimates.rows(node)
        mine, other = (sum(join_costs(*sides, rows, True)) for sides in ((left, right), (right, left)))
        yield f"Left input kept (cost {other:.2f} instead of {mine:.2f})"
    elif node.kind == "asof":
        yield "Left input kept (its rows without partner come out in order)"
    else:
        words = words_of_sides(estimates, node)
        sides, (less, more) = ("Right", words) if node.builds_left else ("Left", words[::-1])
        yield f"{sides} input kept (about {more:.0f} words instead of {less:.0f})"


def why_no_key_filter(node, estimates, disabled):
    """Why rows without partner are not dropped earlier."""
    if node.number is not None or node.kind not in ("inner", "semi") and not node.builds_left:
        return
    if "key_filters" in disabled:
        yield "Key Filter (the rule key_filters is disabled)"
        return
    streamed, kept = (node.right, node.left) if node.builds_left else (node.left, node.right)
    for left, right in equalities(node)[0]:
        key, kept_key = (right, left) if node.builds_left else (left, right)
        values = possible_values(estimates, key, estimates.rows(streamed), kept_key, estimates.rows(kept))
        if not is_selective(kept) and estimates.rows(kept) >= SELECTIVE_SHARE * values:
            yield f"Key Filter ({estimates.rows(kept):.0f} rows are kept, {key} has about {values:.0f} values)"


def why_not_early(node, estimates, disabled):
    """Why groups are not made below a join."""
    flat = over_join(node)
    join = flat.input
    for side in ("left", "right") if isinstance(join, Join) and join.kind == "inner" else ():
        early = Early(flat, join, side)
        if not early.is_possible():
            continue
        if not early.pays(estimates):
            rows = estimates.rows(early.input)
            groups = estimates.group_count(list(early.keys), rows)
            yield f"Groups of the {side} input (about {groups:.0f} of {rows:.0f} rows)"
        elif "eager_aggregation" in disabled:
            yield f"Groups of the {side} input (the rule eager_aggregation is disabled)"
