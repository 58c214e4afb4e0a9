"""Statistics of pairs (Y, X) of float8: covariance, correlation, linear regression.

N, the sums and the sums of squared differences and products are kept up to date row by row (Youngs and Cramer, 1971, as in
variance.py). A row counts only if both numbers are there.
"""
import math

from caldera.functions.registry import Aggregate, aggregate
from caldera.functions.scalar.floats import is_finite, is_infinite, overflow
from caldera.kernel.interface import F64
from caldera.kernel.nullable import Sql


def not_infinite(k, value):
    """NaN in place of an infinity."""
    return k.choose(is_infinite(k, value), k.constant(F64, math.nan), value)


class Pairs(Aggregate):
    """Cells: N, sum X, Sxx, sum Y, Syy, Sxy, where Sxy is the sum of (X - mean X) * (Y - mean Y), and so on."""
    cells, initial = (F64,) * 6, (0,) * 6

    def update(self, call, cells, mask, y, x):
        k = call.k
        old = [cell.get() for cell in cells]
        count, sum_x, sxx, sum_y, syy, sxy = old
        new_count, new_x, new_y = count + 1.0, sum_x + x, sum_y + y
        from_x, from_y = x * new_count - new_x, y * new_count - new_y
        scale = k.binary("div", k.constant(F64, 1), new_count * count)
        more = [sxx + from_x * from_x * scale, syy + from_y * from_y * scale, sxy + from_x * from_y * scale]
        fine_x, fine_y = (k.not_(k.or_(is_infinite(k, total), is_infinite(k, value)))
                          for total, value in ((sum_x, x), (sum_y, y)))
        later = count > 0
        bad_x = k.and_(k.or_(is_infinite(k, new_x), is_infinite(k, more[0])), fine_x)
        bad_y = k.and_(k.or_(is_infinite(k, new_y), is_infinite(k, more[1])), fine_y)
        overflow(call, k.and_(later, k.or_(bad_x, bad_y, k.and_(is_infinite(k, more[2]), fine_x, fine_y))))
        odd_x, odd_y = k.not_(is_finite(k, x)), k.not_(is_finite(k, y))
        nan, zero = k.constant(F64, math.nan), k.constant(F64, 0)
        first = [k.choose(odd, nan, zero) for odd in (odd_x, odd_y, k.or_(odd_x, odd_y))]
        new_xx, new_yy, new_xy = (k.choose(later, not_infinite(k, value), start) for value, start in zip(more, first))
        for cell, before, after in zip(cells, old, (new_count, new_x, new_xx, new_y, new_yy, new_xy)):
            cell.set(after if mask is True else k.choose(mask, after, before))

    def combine(self, call, cells, others):
        k = call.k
        mine, theirs = [cell.get() for cell in cells], [cell.get() for cell in others]
        count, other_count = mine[0], theirs[0]
        both = count + other_count
        apart_x, apart_y = (k.binary("div", mine[at], count) - k.binary("div", theirs[at], other_count) for at in (1, 3))
        weight = k.binary("div", count * other_count, both)
        extra = [None, None, apart_x * apart_x, None, apart_y * apart_y, apart_x * apart_y]
        sums = [a + b if more is None else a + b + weight * more for a, b, more in zip(mine, theirs, extra)]
        empty, other_empty = count == 0, other_count == 0
        fine = k.and_(*(k.not_(is_infinite(k, side[at])) for side in (mine, theirs) for at in (1, 3)))
        results = [k.choose(empty, b, k.choose(other_empty, a, total)) for a, b, total in zip(mine, theirs, sums)]
        overflow(call, k.and_(fine, k.or_(*(is_infinite(k, result) for result in results))))
        for cell, result in zip(cells, results):
            cell.set(result)

    def final(self, call, cells):
        value, defined = self.result_of(call.k, *(cell.get() for cell in cells))
        return Sql(value, defined)

    def result_of(self, k, count, sum_x, sxx, sum_y, syy, sxy):
        """(value, whether it is defined)."""
        raise NotImplementedError


class Numbers:
    """The numbers of a state by name, and the divisions that statistics are made of."""

    def __init__(self, k, count, sum_x, sxx, sum_y, syy, sxy):
        self.k, self.count = k, count
        self.sum_x, self.sxx, self.sum_y, self.syy, self.sxy = sum_x, sxx, sum_y, syy, sxy
        self.any, self.spread_x, self.spread_y = count >= 1, k.and_(count >= 1, sxx != 0), k.and_(count >= 1, syy != 0)

    def quotient(self, a, b):
        """a / b."""
        return self.k.binary("div", a, b)

    def determination(self):
        """The square of the correlation; 1 where Y does not vary."""
        square = self.quotient(self.sxy * self.sxy, self.sxx * self.syy)
        return self.k.choose(self.syy == 0, self.k.constant(F64, 1), square)


STATISTICS = {      # name: (doc, answer of the example, value, whether it is defined)
    "regr_sxx": ("The sum of squared differences of X from its mean.", 0.5, lambda n: n.sxx, lambda n: n.any),
    "regr_syy": ("The sum of squared differences of Y from its mean.", 2, lambda n: n.syy, lambda n: n.any),
    "regr_sxy": ("The sum of products of both differences from their means.", 1, lambda n: n.sxy, lambda n: n.any),
    "regr_avgx": ("The mean of X.", 1.5, lambda n: n.quotient(n.sum_x, n.count), lambda n: n.any),
    "regr_avgy": ("The mean of Y.", 3, lambda n: n.quotient(n.sum_y, n.count), lambda n: n.any),
    "covar_pop": ("Population covariance.", 0.5, lambda n: n.quotient(n.sxy, n.count), lambda n: n.any),
    "covar_samp": ("Sample covariance.", 1, lambda n: n.quotient(n.sxy, n.count - 1.0), lambda n: n.count >= 2),
    "corr": ("Correlation coefficient.", 1, lambda n: n.quotient(n.sxy, n.k.math("sqrt", n.sxx * n.syy)),
             lambda n: n.k.and_(n.spread_x, n.spread_y)),
    "regr_r2": ("The square of the correlation coefficient.", 1, Numbers.determination, lambda n: n.spread_x),
    "regr_slope": ("The slope of the line that fits best.", 2, lambda n: n.quotient(n.sxy, n.sxx), lambda n: n.spread_x),
    "regr_intercept": ("Where the line that fits best crosses the axis of Y.", 0,
                       lambda n: n.quotient(n.sum_y - n.quotient(n.sum_x * n.sxy, n.sxx), n.count), lambda n: n.spread_x),
}


def statistic(name, doc, answer, value, defined):
    """Register one of the STATISTICS."""
    def result_of(self, k, *numbers):
        state = Numbers(k, *numbers)
        return value(state), defined(state)
    aggregate(f"{name}(float8, float8) -> float8", doc=doc,
              example=f"SELECT {name}(y, x) FROM (VALUES (2, 1), (4, 2)) t (y, x)  -- {answer}",
              )(type(name, (Pairs,), {"result_of": result_of, "__doc__": doc}))


for statistic_name, facts in STATISTICS.items():
    statistic(statistic_name, *facts)
