"""How many rows joins give: by how many different values their keys have, and by the values that are common on both sides.

    |A join B on a = b|  =  |A| |B| / max(distinct a, distinct b)          the values of one side are among the other's

The sizes of distinct sets are those of the whole tables, also where filters have left less: a filter takes rows of all
values alike. But where one side is the key of its table, some of its sample's rows tell which values the filters have left:
the days of two years are a small part of a calendar, but may be all that there is in a table of sales. What share of the
left rows finds a partner follows from how many of the values the right rows still have.
Common values are joined one by one (as PostgreSQL's eqjoinsel does), so that skew counts.
"""
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from caldera.optimize.simple_conditions import simple
from caldera.plan.expressions import Column, Or
from caldera.plan.predicates import cannot_fail, conjunction, conjuncts
from caldera.plan.walk import all_expressions
from caldera.storage.statistics.merged import number
from caldera.storage.statistics.sketch import expected_distinct

UNIQUE = 0.9                    # different values for each row, as far as sketches can tell
RANGE_FACTOR = 1.5              # by how much filters must change the share of rows in a range for that to mean anything


@dataclass(frozen=True, eq=False)
class JoinKey:
    """One side of an equality. distinct: how many different values it has in its table, None if nobody knows. rows: of the
    table. statistics: of the column that it is, or None. kept: some of the values that filters on the table leave and some
    of all values, where the table has each once; or None."""
    distinct: float | None
    rows: float
    statistics: Any = None
    kept: Any = None

    @property
    def order(self):
        """Few values first."""
        return self.distinct is None, self.distinct or 0, self.rows

    @property
    def present(self):
        """The share of rows where it is not NULL."""
        return 1 - (self.statistics.null_share or 0.0 if self.statistics is not None else 0.0)


def join_key(estimates, expression, rows):
    """The JoinKey of an expression; `rows` of the input count where there is no table."""
    columns = {part.id: part for part in all_expressions(expression) if isinstance(part, Column)}
    only = next(iter(columns.values())) if len(columns) == 1 else None
    statistics = estimates.column_statistics(only)
    distinct = None if statistics is None else statistics.distinct
    if distinct is None and only is not None:
        distinct = estimates.made_distinct(only)
    share = 1.0 if only is None or distinct is None else estimates.restriction(only)
    if share < 1:                                       # filters on the key itself leave some of its values, with their rows
        return JoinKey(max(1.0, distinct * share), max(1, (estimates.table_rows([expression]) or rows) * share))
    rows = max(1, estimates.table_rows([expression]) or rows)
    is_unique = distinct is not None and distinct >= UNIQUE * rows and expression is only
    return JoinKey(distinct, rows, statistics, estimates.kept_values(only) if is_unique else None)


def common_distinct(left, right):
    """How many values two keys have that their rows are spread over. Where nothing is known, one of them is taken for the
    key of its table."""
    known = [key.distinct for key in (left, right) if key.distinct is not None]
    return max(1, max(known) if known else min(left.rows, right.rows))


def equal_share(left, right):
    """The share of all pairs of rows in which two keys are equal."""
    a, b = left.statistics, right.statistics
    for key, others in ((left, b), (right, a)):
        share = None if key.kept is None or others is None else range_share(key, others)
        if share is not None:
            return share
    if a is None or b is None or not (a.common and b.common) or a.distinct is None or b.distinct is None:
        return left.present * right.present / common_distinct(left, right)
    both = a.common.keys() & b.common.keys()
    share = sum(a.common[value] * b.common[value] for value in both)
    a_only, b_only = (sum(side.common.values()) - sum(side.common[value] for value in both) for side in (a, b))
    a_left, b_left = (max(0.0, side.distinct - len(side.common)) for side in (a, b))
    if b_left >= 1:
        share += a_only * b.rest / max(b_left, len(a.common) - len(both))
    if a_left >= 1:
        share += b_only * a.rest / max(a_left, len(b.common) - len(both))
    return share + a.rest * b.rest / max(a_left, b_left, 1.0)


def range_share(key, others):
    """The same where filters have left rows of a table with the key `key` that lie elsewhere between the least and the
    greatest of the other side's values than all its rows do; None where that makes no difference or nobody knows."""
    if others.distinct is None or len(others.bounds) < 2:
        return None
    low, high = number(others.bounds[0]), number(others.bounds[-1])
    left, all_rows = (float(np.mean((values >= low) & (values <= high))) for values in key.kept)
    if not left or not all_rows or 1 / RANGE_FACTOR < left / all_rows < RANGE_FACTOR:
        return None
    return (1 - (others.null_share or 0.0)) * left / max(1.0, others.distinct, key.rows * all_rows)


def share_between(statistics, others):
    """The share of a column's rows between the least and the greatest of another one's values; 0 where nobody knows."""
    if statistics is None or others is None or len(others.bounds) < 2:
        return 0.0
    low, high = statistics.share_below(others.bounds[0], False), statistics.share_below(others.bounds[-1], True)
    return 0.0 if low is None or high is None else max(0.0, high - low)


def pair_share(pairs, left_rows=None, right_rows=None):
    """The share of all pairs of rows in which all keys are equal, given as pairs of JoinKeys. left_rows, right_rows: of the
    tables that have all keys of a side; None if there is none."""
    shares = [equal_share(*pair) for pair in pairs]
    share = math.prod(shares)
    if len(pairs) < 2 or left_rows is None or right_rows is None:
        return share
    common = [common_distinct(*pair) for pair in pairs]
    left, right = (math.prod(values if key.distinct is None else key.distinct for key, values in zip(side, common))
                   for side in zip(*pairs))
    if left > left_rows and right > right_rows:         # then at least one of them is likely to be a key of its table
        least = 1 / max(1, min(left_rows, right_rows))
    else:
        least = 1 / max(1, min(left, left_rows), min(right, right_rows))
    return min(*shares, max(share, least))              # no more than one of the keys leaves


def partner_share(pairs, right_rows):
    """The share of the left rows that have a partner among so many right rows, by their keys."""
    if not pairs:
        return 1.0 if right_rows >= 1 else right_rows
    left, right, present = 1.0, 1.0, 1.0
    for a, b in pairs:
        values = common_distinct(a, b)
        left *= a.distinct or values
        right *= b.distinct or values
        present *= a.present
    left, right = min(left, max(a.rows for a, _ in pairs)), min(right, max(b.rows for _, b in pairs))
    found = expected_distinct(max(right, 1.0), right_rows)
    return present * min(1.0, found / max(left, right, 1.0))


def rest_share(estimates, condition, inputs):
    """The share of pairs of rows for which a condition between inputs is true. What alternatives all ask of one of the
    inputs has been asked of it before (join_order), and does not count again."""
    share = estimates.selectivity(condition)
    for input in inputs if type(condition) is Or else ():
        asked = asked_of(condition, {column.id for column in input.output})
        if asked is not None and share > 0:
            share /= max(estimates.selectivity(asked), share)
    return min(1.0, share)


def asked_of(alternatives, ids):
    """What columns with some ids must satisfy for one of several alternatives to hold, if each asks something of them that
    cannot fail; else None."""
    asked = [[condition for condition in conjuncts(alternative)
              if condition.columns and condition.columns <= ids and cannot_fail(condition)]
             for alternative in alternatives.arguments]
    return simple(Or(tuple(map(conjunction, asked)))) if all(asked) else None


def join_rows(estimates, node, keys, rest):
    """How many rows a Join gives. keys, rest: see plan.predicates.equalities."""
    left, right = estimates.rows(node.left), estimates.rows(node.right)
    pairs = [(join_key(estimates, a, left), join_key(estimates, b, right)) for a, b in keys]
    remaining = math.prod(rest_share(estimates, condition, node.inputs) for condition in rest)
    matches = left * right * pair_share(pairs, *(estimates.table_rows(side) for side in zip(*keys)))
    if node.kind == "inner":
        return matches * remaining
    if node.kind in ("mark", "asof"):
        return left
    share = partner_share(pairs, right)
    if remaining < 1 and left * share > 0:              # that at least one of a row's partners satisfies the rest, too
        share *= 1 - (1 - remaining) ** max(1.0, matches / (left * share))
    met = left * min(1.0, share)
    if node.kind in ("semi", "anti"):
        return met if node.kind == "semi" else left - met
    rows = matches * remaining + left - met
    return rows if node.kind == "left" else rows + right * (1 - partner_share([pair[::-1] for pair in pairs], left))
