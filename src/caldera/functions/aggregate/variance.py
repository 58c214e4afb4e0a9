"""variance and stddev, of samples and of populations.

Of floats: the sum and the sum of squared differences are kept up to date row by row (Youngs and Cramer, "Some results
relevant to choice of sum and sum-of-product algorithms", 1971), which loses no precision to large means. Of integers and
numerics: the exact sums of x and x^2; the variance (N * sum(x^2) - sum(x)^2) / (N * (N - 1)) is then computed once per
group, in 128 bits where they suffice and of Decimals elsewhere.
"""
import math
from decimal import Decimal

from caldera.functions.aggregate.counting import count_where
from caldera.functions.aggregate.sums import SumOfLongIntegers, SumOfNumerics, accumulate, add_cells
from caldera.functions.registry import Aggregate, aggregate
from caldera.functions.scalar import numeric_words
from caldera.functions.scalar.floats import is_finite, is_infinite, overflow
from caldera.functions.scalar.numeric_words import OVERFLOW, report
from caldera.kernel.decimal import (bits_of, compose, divide_magnitudes, fits, is_inline, magnitude, mantissa, number_of,
                                    otherwise, out_of_line, python_operation, rounded_quotient, scaled_up, tag_of, to_float,
                                    words_of)
from caldera.kernel.interface import BOOL, F64, I64, I128
from caldera.kernel.layouts import Pair
from caldera.kernel.nullable import Sql
from caldera.types import arithmetic


# floats
class DeviationOfFloats(Aggregate):
    """Cells: N, the sum of x, the sum of (x - mean)^2."""
    cells, initial = (F64, F64, F64), (0, 0, 0)
    sample, root, shares_state = True, False, True

    def update(self, call, cells, mask, value):
        k = call.k
        x, (count, total, squares) = k.convert(value, F64), (cell.get() for cell in cells)
        new_count, new_total = count + 1.0, total + x
        distance = x * new_count - new_total
        term = k.binary("div", distance * distance, new_count * count)
        new_squares = k.choose(count > 0, squares + term, k.constant(F64, 0))
        infinite = k.or_(is_infinite(k, new_total), is_infinite(k, new_squares))
        overflow(call, k.and_(infinite, k.not_(is_infinite(k, total)), k.not_(is_infinite(k, x))))
        first_odd = k.and_(count == 0, k.not_(is_finite(k, x)))
        new_squares = k.choose(k.or_(infinite, first_odd), k.constant(F64, math.nan), new_squares)
        for cell, old, new in zip(cells, (count, total, squares), (new_count, new_total, new_squares)):
            cell.set(new if mask is True else k.choose(mask, new, old))

    def combine(self, call, cells, others):
        k = call.k
        count, total, squares = (cell.get() for cell in cells)
        other_count, other_total, other_squares = (cell.get() for cell in others)
        both, all_total = count + other_count, total + other_total
        distance = k.binary("div", total, count) - k.binary("div", other_total, other_count)
        between = k.binary("div", count * other_count * distance * distance, both)
        merged = squares + other_squares + between
        empty, other_empty = count == 0, other_count == 0
        merged = k.choose(empty, other_squares, k.choose(other_empty, squares, merged))
        bad = k.or_(is_infinite(k, all_total), is_infinite(k, merged))
        overflow(call, k.and_(bad, k.not_(is_infinite(k, total)), k.not_(is_infinite(k, other_total))))
        for cell, value in zip(cells, (both, all_total, merged)):
            cell.set(value)

    def final(self, call, cells):
        k, count = call.k, cells[0].get()
        divisor = count - 1.0 if self.sample else count
        variance = k.binary("div", cells[2].get(), divisor)
        return Sql(k.math("sqrt", variance) if self.root else variance, divisor > 0)


# exact
def deviation(count, total, squares, sample, root):
    """The variance (or its root) of N numbers with these sums, as PostgreSQL's numeric; N is enough for it to be defined."""
    if not (total.is_finite() and squares.is_finite()):
        return arithmetic.NAN
    number = Decimal(count)
    numerator = arithmetic.sub(arithmetic.mul(number, squares), arithmetic.mul(total, total))
    if numerator <= 0:
        return arithmetic.ZERO
    divisor = Decimal(count * (count - 1 if sample else count))
    scale = arithmetic.division_scale(numerator, divisor)
    variance = arithmetic.divided(numerator, divisor, scale)
    return square_root(variance, scale) if root else variance


def square_root(number, scale):
    """The root of a Decimal, rounded to a scale."""
    square = arithmetic.scaled_integer(number, 2 * scale)
    root = math.isqrt(square)
    return arithmetic.from_scaled(root + (square - root * root > root), scale)


def integer_root(k, number):
    """Routine: the square root of a magnitude below 2^126, cut to an integer. One step of Newton's method makes the 52 bits
    of the machine's root exact but for 1."""
    estimate = k.convert(k.convert(k.math("sqrt", to_float(k, number)), I64), I128)
    quotient, _ = k.routine(divide_magnitudes, number, estimate)
    root = estimate + quotient >> 1
    root -= k.convert(root * root > number, I128)
    return root + k.convert((root + 1) * (root + 1) <= number, I128)


def short_deviation(k, count, total, squares, scale, sample, root):
    """Routine: the words of a variance (or its root) and whether 128 bits were enough for them, I64 each. `count`: N, at
    least 1, or 2 of a sample; `total`, `squares`: I128, of scales `scale` / 2 and `scale`; `sample`, `root`: 1 or 0."""
    wide = k.convert(count, I128)
    good = k.and_(bits_of(k, magnitude(k, total)) <= 62, bits_of(k, squares) + bits_of(k, wide) <= 125, count >> 31 == 0)
    numerator, divisor = wide * squares - total * total, wide * (wide - k.convert(sample, I128))
    digits = numeric_words.division_scale(k, numerator, scale, divisor, k.constant(I64, 0))
    scaled, long = scaled_up(k, numerator, digits - scale)
    result, done = k.variable(I128, 0), k.variable(I64, k.convert(k.and_(good, k.or_(numerator <= 0, k.not_(long))), I64))
    for _ in k.when(k.and_(done.get() != 0, numerator > 0)):
        result.set(rounded_quotient(k, scaled, divisor))
    for _ in k.when(k.and_(result.get() != 0, root != 0)):
        square, long = scaled_up(k, result.get(), digits)
        done.set(k.convert(k.not_(long), I64))
        whole = k.routine(integer_root, square)
        result.set(whole + k.convert(square - whole * whole > whole, I128))
    pair = compose(k, result.get(), k.choose(numerator > 0, digits, k.constant(I64, 0)))
    return pair.low, pair.high, done.get() & k.convert(fits(k, result.get()), I64)


class ExactDeviation:
    """What turns exact sums into a result. The state's last cell is N; `moments(k, words)` gives the sums as
    `short_deviation` takes them, and whether it may; `finish`: a python_operation made by `finisher`, for the others."""
    sample, root, shares_state = True, False, True

    def final(self, call, cells):
        k, words = call.k, [cell.get() for cell in cells]
        count, (total, squares, scale, usable) = words[-1], self.moments(k, words)
        sample, root = k.constant(I64, self.sample), k.constant(I64, self.root)
        defined = count > sample
        low, high, done = k.routine(short_deviation, count, total, squares, scale, sample, root)
        done = k.or_(k.not_(defined), k.and_(usable, done != 0))
        low, high, status = otherwise(k, done, [low, high, k.constant(I64, 0)], lambda: self.by_decimals(k, words))
        return Sql(report(call, (Pair(low, high), status), OVERFLOW), defined)

    def by_decimals(self, k, words):
        """Words and status of the result, out of line."""
        results, status = out_of_line(k, self.finish, [k.constant(I64, self.sample | self.root << 1), *words], 2)
        return [*results, status]


def finisher(cells, sums):
    """A python_operation from the kind of deviation and the words of a state to those of a deviation that is defined."""
    def finish(kind, *words):
        return words_of(deviation(words[-1], *sums(*words[:-1]), sample=bool(kind & 1), root=bool(kind & 2)))
    return python_operation(cells + 1)(finish)


def halves(low, high):
    """The number whose low and high halves were summed apart."""
    return low + (high << 32)


def joined(k, low, high):
    """The same as I128."""
    return k.convert(low, I128) + (k.convert(high, I128) << 32)


class DeviationOfShortIntegers(ExactDeviation, Aggregate):
    """Cells: sum of x, sums of the low and the high halves of x^2 (which has at most 63 bits), N."""
    cells, initial = (I64,) * 4, (0,) * 4
    finish = finisher(4, lambda total, low, high: (Decimal(total), Decimal(halves(low, high))))

    def update(self, call, cells, mask, value):
        k, x = call.k, call.k.convert(value, I64)
        accumulate(k, cells[0], mask, x)
        accumulate(k, cells[1], mask, x * x & 0xFFFFFFFF)
        accumulate(k, cells[2], mask, x * x >> 32)
        count_where(k, cells[3], mask)

    def moments(self, k, words):
        return k.convert(words[0], I128), joined(k, *words[1:3]), k.constant(I64, 0), k.constant(BOOL, True)

    def combine(self, call, cells, others):
        add_cells(call.k, cells, others)


class DeviationOfLongIntegers(ExactDeviation, Aggregate):
    """Cells: sums of the halves of x, of the four quarters of x^2 (which has at most 127 bits), N."""
    cells, initial = (I64,) * 7, (0,) * 7
    finish = finisher(7, lambda low, high, a, b, c, d: (Decimal(halves(low, high)),
                                                       Decimal(a + (b << 32) + (c << 64) + (d << 96))))

    def update(self, call, cells, mask, value):
        k = call.k
        wide = k.convert(value, I128)
        square = wide * wide
        SumOfLongIntegers.update(self, call, [cells[0], cells[1], cells[6]], mask, value)
        for quarter in range(4):
            accumulate(k, cells[2 + quarter], mask, k.convert(square >> 32 * quarter, I64) & 0xFFFFFFFF)

    def moments(self, k, words):
        squares = joined(k, *words[2:4]) + (k.convert(words[4], I128) << 64)
        return joined(k, *words[:2]), squares, k.constant(I64, 0), k.and_(words[4] >> 40 == 0, words[5] == 0)

    def combine(self, call, cells, others):
        add_cells(call.k, cells, others)


class DeviationOfNumerics(ExactDeviation, Aggregate):
    """Cells: the words of the sum of x, of the sum of x^2, N."""
    cells, initial = (I64,) * 5, (0,) * 5
    finish = finisher(5, lambda a, b, c, d: (number_of(a, b), number_of(c, d)))

    def update(self, call, cells, mask, value):
        k = call.k
        square = report(call, numeric_words.multiply(k, value, value), OVERFLOW)
        SumOfNumerics.add(self, call, cells[0:2], mask, value)
        SumOfNumerics.add(self, call, cells[2:4], mask, square)
        count_where(k, cells[4], mask)

    def moments(self, k, words):
        total, squares = Pair(*words[:2]), Pair(*words[2:4])
        scale = tag_of(squares)
        usable = k.and_(is_inline(k, total), is_inline(k, squares), scale == tag_of(total) * 2)
        return mantissa(k, total), mantissa(k, squares), scale, usable

    def combine(self, call, cells, others):
        for at in (0, 2):
            SumOfNumerics.add(self, call, cells[at:at + 2], True, Pair(others[at].get(), others[at + 1].get()))
        cells[4].set(cells[4].get() + others[4].get())


FORMS = [(("var_samp", "variance"), True, False, "Sample variance", ("0.5", "0.50000000000000000000")),
         (("var_pop",), False, False, "Population variance", ("0.25", "0.25000000000000000000")),
         (("stddev_samp", "stddev"), True, True, "Sample standard deviation",
          ("0.7071067811865476", "0.70710678118654752440")),
         (("stddev_pop",), False, True, "Population standard deviation", ("0.5", "0.50000000000000000000"))]
STATES = {"float4": DeviationOfFloats, "float8": DeviationOfFloats, "int2": DeviationOfShortIntegers,
          "int4": DeviationOfShortIntegers, "int8": DeviationOfLongIntegers, "numeric": DeviationOfNumerics}

for names, is_sample, is_root, doc, answers in FORMS:
    for argument, state in STATES.items():
        kind = type(f"{state.__name__}{'Sample' if is_sample else ''}{'Root' if is_root else ''}", (state,),
                    {"sample": is_sample, "root": is_root, "__doc__": doc + "."})
        is_float = "float" in argument
        for name in names:
            source = f"SELECT {name}(x::{argument}) FROM (VALUES (1), (2)) t (x)"
            aggregate(f"{name}({argument}) -> {'float8' if is_float else 'numeric'}", doc=f"{doc}.",
                      example=f"{source}  -- {answers[not is_float]}")(kind)
