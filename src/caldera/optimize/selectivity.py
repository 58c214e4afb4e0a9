"""The share of rows for which conditions are true.

    selectivity(estimates, x = 5)        common values, else as many rows as other values have on average
    selectivity(estimates, x < 5)        the histogram, and zone maps
    conjunction(estimates, [a, b, c])    each by itself, damped, and all together on a sample of the table's rows

Several conditions on one table are seldom independent, so their shares are not simply multiplied: each further one counts
for less (exponential back-off). Then the table's sample is asked for how many rows all hold: if there are some, that says
more than the shares; if there is none, no more than about one in so many rows is to be expected. Where nothing is known, the
guesses are PostgreSQL's.
"""
import math

from caldera.optimize import extended
from caldera.optimize.sampled import NUMBERS, UNTRIED
from caldera.optimize.scan_ranges import ranges_of
from caldera.plan.expressions import And, Call, Column, Constant, InList, IsDistinct, IsNull, IsTruth, Not, Or
from caldera.plan.predicates import bare_column, comparison, conjuncts, is_known
from caldera.plan.walk import all_expressions
from caldera.storage.zones import contained, surviving

EQUAL, RANGE, MATCH, UNKNOWN, IS_NULL = 0.005, 1 / 3, 0.005, 1 / 3, 0.005
BACK_OFF = 0.75, 0.6, 0.5           # how much the second, third, ... most selective condition counts
SIDES = {"<": "high", "<=": "high", ">": "low", ">=": "low"}
SIGNS = {**dict.fromkeys(("~~", "~", "~~*", "~*", "^@"), MATCH), **dict.fromkeys(("!~~", "!~", "!~~*", "!~*"), 1 - MATCH),
         **dict.fromkeys(("<", "<=", ">", ">="), RANGE)}


def selectivity(estimates, condition):
    """The share of one condition, 0 to 1."""
    share = guess(estimates, condition)
    column = next((part for part in all_expressions(condition) if isinstance(part, Column)), None)
    if column is None or column.id not in estimates.sources:
        return share
    source = estimates.sources[column.id]
    for range in ranges_of(condition, {column.id: source.name}):
        least, most = zone_shares(estimates, source.relation, range)
        share = min(most, max(least, share))
    return share


def conjunction(estimates, conditions):
    """The share of rows for which all of several conditions are true."""
    if len(conditions) < 2:
        return estimates.selectivity(conditions[0]) if conditions else 1.0
    share, others, is_seen = extended.together(estimates, conditions)
    if is_seen and not others:
        return share
    shares = apart(estimates, conditions) if share is None else [share, *(apart(estimates, others) if others else ())]
    return min(*shares, on_sample(estimates, And(tuple(conditions)), damped(shares)))


def apart(estimates, conditions):
    """The shares of conditions, those of two that bound one column from below and from above as one."""
    shares, bounds = [], {}
    for condition in conditions:
        compared = comparison(condition)
        column = None if compared is None else bare_column(compared.left)
        if column is None or compared.operator not in SIDES:
            shares.append(estimates.selectivity(condition))
        else:
            sides = bounds.setdefault(column.id, (column, {}))[1]
            side = SIDES[compared.operator]
            sides[side] = min(sides.get(side, 1.0), estimates.selectivity(condition))
    for column, sides in bounds.values():
        known = estimates.column_statistics(column)
        if len(sides) == 2 and known is not None and (known.bounds or known.is_complete):
            present = 1 - (known.null_share or 0.0)
            shares.append(max(sum(sides.values()) - present, math.prod(sides.values()) / max(1.0, known.rows)))
        else:
            shares += sides.values()
    return [*shares, 1.0]


def damped(shares):
    """Shares multiplied, each further one counting for less."""
    first, *others = sorted(shares)
    return first * math.prod(share ** BACK_OFF[min(number, len(BACK_OFF) - 1)] for number, share in enumerate(others))


def on_sample(estimates, condition, share):
    """A share, corrected by how often a condition holds in the sample of the table that its columns come from."""
    trial = estimates.trial(condition.columns)
    if trial is None:
        return share
    try:
        hits = trial.hits(condition)
    except UNTRIED:
        return share
    return weighed(share, hits, trial.rows)


def weighed(share, hits, rows):
    """A share that was expected, and hits among so many random rows, as one share."""
    if hits == 0:
        expected = share * rows
        return expected / (1 + expected) / rows
    weight = hits / (hits + 1)
    return math.exp(weight * math.log(hits / rows) + (1 - weight) * math.log(max(share, 1e-12)))


def guess(estimates, condition):
    """The share by the kind of condition, without zone maps."""
    if isinstance(condition, Constant):
        return float(condition.value is True)
    if type(condition) is And:
        return conjunction(estimates, conjuncts(condition))
    if isinstance(condition, Or):
        any_of_them = 1 - math.prod(1 - estimates.selectivity(argument) for argument in condition.arguments)
        return on_sample(estimates, condition, any_of_them)
    if isinstance(condition, Not):
        return 1 - estimates.selectivity(condition.argument)
    if isinstance(condition, IsNull):
        known = estimates.column_statistics(bare_column(condition.argument))
        share = IS_NULL if known is None or known.null_share is None else known.null_share
        return 1 - share if condition.negated else share
    if isinstance(condition, InList):
        return in_list(estimates, condition)
    if isinstance(condition, IsDistinct):
        return on_sample(estimates, condition, EQUAL if condition.negated else 1 - EQUAL)
    if isinstance(condition, (Column, IsTruth)):
        return on_sample(estimates, condition, 0.5)
    return call_share(estimates, condition)


def call_share(estimates, call):
    """The same for an operator or function."""
    compared = comparison(call)
    known = None if compared is None else comparison_share(estimates, compared)
    if known is not None:
        return known
    sign = call.function.operator if isinstance(call, Call) else None
    if sign in ("=", "<>"):
        share = equal_share(estimates, call)
        share = share if sign == "=" else 1 - share
    else:
        share = SIGNS.get(sign, UNKNOWN)
    return on_sample(estimates, call, share)


def equal_share(estimates, call):
    """The share of rows where the two sides of an equality are equal, if nothing but their distinct values is known."""
    known = [estimates.known_distinct(side) for side in call.arguments if side.columns]
    known = [distinct for distinct in known if distinct]
    return 1 / max(known) if known else EQUAL


def in_list(estimates, condition):
    """The same for membership in a list."""
    known = estimates.column_statistics(bare_column(condition.argument))
    if known is None or known.distinct is None:
        share = min(1.0, len(condition.values) * EQUAL)
        return on_sample(estimates, condition, 1 - share if condition.negated else share)
    share = min(1.0, sum(known.share_of(as_known(value)) for value in condition.values))
    return max(0.0, 1 - (known.null_share or 0.0) - share) if condition.negated else share


def as_known(datum):
    """A datum as statistics have it: without spaces at the end, which do not count in char(n)."""
    return datum.rstrip(" ") if isinstance(datum, str) else datum


def comparison_share(estimates, compared):
    """The same for a comparison of a column with a value that is fixed; None if nothing is known of the column."""
    known = estimates.column_statistics(bare_column(compared.left))
    if known is None or not is_comparable(compared):
        return None
    present = 1 - (known.null_share or 0.0)
    if compared.operator in ("=", "<>"):
        if known.distinct is None:
            return None
        one_of_all = present / max(1.0, known.distinct)
        share = known.share_of(as_known(compared.right.value)) if is_known(compared.right) else one_of_all
        return share if compared.operator == "=" else max(0.0, present - share)
    if not is_known(compared.right) or compared.right.value != compared.right.value:
        return RANGE
    below = known.share_below(compared.right.value, compared.operator in ("<=", ">"))
    if below is None:
        return RANGE
    return below if compared.operator in ("<", "<=") else max(0.0, present - below)


def is_comparable(compared):
    """Whether the datums of both sides are of one kind."""
    left, right = compared.left.type.name, compared.right.type.name
    return left == right or {left, right} <= NUMBERS or compared.left.type.layout is compared.right.type.layout


def zone_shares(estimates, relation, range):
    """Bounds of the share of rows that satisfy a ScanRange: of granules that do as a whole, and of those that may."""
    bounds = [bound and bound.value for bound in (range.low, range.high) if bound is None or is_known(bound)]
    if len(bounds) < 2:
        return 0, 1
    granules = certain = possible = 0
    for segment in relation.visible_segments(estimates.snapshot):
        column = segment.column(range.column)
        granules += segment.granule_count
        if column.zones is None or column.type.name == "bpchar":
            possible += segment.granule_count
        else:
            possible += int(surviving(column.zones, column, *bounds, range.nulls).sum())
            certain += int(contained(column.zones, column, *bounds).sum())
    return (certain / granules, possible / granules) if granules else (0, 1)
