"""Estimates by extended statistics: what CREATE STATISTICS and ANALYZE know of columns together.

    groups by a, b           ndistinct of a, b
    a = 1 AND b > 2          the common combinations that satisfy both, and of the others what the columns alone say
    a = 1 AND b = 2          if a tells b, no more than one of the two counts

As PostgreSQL does it: of several statistics the one that covers most counts.
"""
import math

import numpy as np

from caldera.optimize.sampled import UNTRIED, Trial
from caldera.plan.predicates import bare_column, comparison, conjunction


def known_together(estimates, ids):
    """What was found (storage.statistics.extended) for the table that columns come from, as pairs (names, found); nothing
    unless all are of one table."""
    if not ids <= estimates.sources.keys() or len({estimates.sources[id].scan for id in ids}) != 1:
        return []
    relation = estimates.sources[next(iter(ids))].relation
    return [(set(entry.columns), entry.found) for entry in relation.extended_statistics
            if entry.found and estimates.snapshot.sees(entry)]


def combinations(estimates, expressions):
    """How many combinations of values some columns of a table have; None if nobody knows."""
    columns = list(map(bare_column, expressions))
    if len(columns) < 2 or None in columns:
        return None
    names = {estimates.sources[column.id].name for column in columns if column.id in estimates.sources}
    for covered, found in known_together(estimates, {column.id for column in columns}):
        for listed, count in found.get("ndistinct", {}).items() if names <= covered else ():
            if set(listed.split(", ")) == names:
                return max(1.0, count)
    return None


def together(estimates, conditions):
    """(the share of rows for which some of several conditions hold together, the other conditions, whether rows for which
    they hold have been seen); (None, all, False) if nothing is known of them together."""
    best = None, conditions, False
    for covered, found in known_together(estimates, set().union(*(condition.columns for condition in conditions))):
        inside = [condition for condition in conditions if condition.columns and all(
            estimates.sources[id].name in covered for id in condition.columns)]
        if len({id for condition in inside for id in condition.columns}) < 2 or \
                len(best[1]) <= len(conditions) - len(inside):
            continue
        share, is_seen = by_common(estimates, inside, found.get("mcv"))
        if not is_seen:
            told = by_dependencies(estimates, inside, found.get("dependencies", {}))
            share = share if told is None else told
        if share is not None:
            best = share, [condition for condition in conditions if condition not in inside], is_seen
    return best


def by_common(estimates, conditions, known):
    """(the share by the most common combinations, whether one of them satisfies the conditions); (None, False) without
    them."""
    if not known or not known["shares"]:
        return None, False
    columns = {id: known["values"].get(estimates.sources[id].name) for condition in conditions for id in condition.columns}

    def column_of(column):
        values = columns[column.id]
        valid = np.array([value is not None for value in values])
        filler = next((value for value in values if value is not None), 0)
        array = np.array([filler if value is None else value for value in values],
                         object if isinstance(filler, str) else None)
        return array, None if valid.all() else valid
    try:
        holds = Trial(column_of, len(known["shares"])).truth(conjunction(conditions))[0]
    except UNTRIED:
        return None, False
    shares, base = np.array(known["shares"]), np.array(known["base_shares"])
    alone = math.prod(estimates.selectivity(condition) for condition in conditions)
    others = max(0.0, min(alone - float(base[holds].sum()), 1 - float(shares.sum())))
    return min(1.0, float(shares[holds].sum()) + others), bool(holds.any())


def by_dependencies(estimates, conditions, known):
    """The share of equalities with constants, where one column tells another; None if they are none, or none does."""
    shares = {}
    for condition in conditions:
        compared = comparison(condition)
        column = None if compared is None or compared.operator != "=" else bare_column(compared.left)
        if column is None:
            return None
        shares[estimates.sources[column.id].name] = estimates.selectivity(condition)
    share, left = 1.0, dict(shares)
    usable = sorted(((len(told.split(" => ")[0].split(", ")), value, told) for told, value in known.items()), reverse=True)
    for _, value, text in usable:
        telling, told = text.split(" => ")
        if told in left and set(telling.split(", ")) <= left.keys() - {told}:
            share *= value + (1 - value) * left.pop(told)
    return share * math.prod(left.values()) if len(left) < len(shares) else None


