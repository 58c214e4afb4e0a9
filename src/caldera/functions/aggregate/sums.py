"""sum and avg.

    int2, int4       a sum of 64 bits, which 2^31 rows cannot overflow
    int8             the low and the high halves are summed apart, so the loop needs no check and the sum is exact
    numeric          a numeric of the state, exact; its scale is the largest seen
    float4, float8   sums of 64 bits, regrouped so that the loop uses lanes; but sum(float4) adds in 32 bits and in order, as
                     PostgreSQL does, since its rounding would show

A float sum that is infinite or NaN although no summand was is an overflow, so the summands that were are counted.
"""
from caldera.functions.aggregate.counting import count_where
from caldera.functions.registry import Aggregate, aggregate
from caldera.functions.scalar import numeric_words, spans
from caldera.functions.scalar.floats import is_finite, overflow
from caldera.functions.scalar.numeric_words import DIVISION_BY_ZERO, OVERFLOW, report
from caldera.kernel import decimal
from caldera.kernel.interface import F32, F64, I32, I64, I128
from caldera.kernel.layouts import Pair
from caldera.kernel.nullable import Sql
from caldera.kernel.scaled import Scaled


def accumulate(k, cell, mask, value):
    """Add a value to a cell where the mask holds, in any order."""
    cell.set(k.accumulate(cell.get(), value if mask is True else k.choose(mask, value, k.constant(value.type, 0))))


def add_cells(k, cells, others):
    """Combine states that are sums."""
    for cell, other in zip(cells, others):
        cell.set(k.accumulate(cell.get(), other.get()))


class SumOfShortIntegers(Aggregate):
    """Cells: total, count."""
    shares_state = True
    cells: tuple = (I64, I64)
    initial: tuple = (0, 0)

    def update(self, call, cells, mask, value):
        accumulate(call.k, cells[0], mask, call.k.convert(value, I64))
        count_where(call.k, cells[1], mask)

    def combine(self, call, cells, others):
        add_cells(call.k, cells, others)

    def total(self, call, cells):
        """The sum as a numeric."""
        return decimal.of_integer(call.k, cells[0].get())


class SumOfLongIntegers(SumOfShortIntegers):
    """Cells: total of the low halves, total of the high halves, count."""
    cells: tuple = (I64, I64, I64)
    initial: tuple = (0, 0, 0)

    def update(self, call, cells, mask, value):
        k = call.k
        accumulate(k, cells[0], mask, value & 0xFFFFFFFF)
        accumulate(k, cells[1], mask, k.convert(k.convert(value >> 32, I32), I64))
        count_where(k, cells[2], mask)

    def total(self, call, cells):
        k = call.k
        low, high = (k.convert(cell.get(), I128) for cell in cells[:2])
        return decimal.compose(k, (high << 32) + low, 0)


class BlockSum:
    """The sum of one block's numbers of a scale that is known while staging, in plain additions of 64 bits.

    cells: what the block's rows have for the state's cells, zero at first: a sum (or that of the low halves), the sum of the
    high halves, a count. rows: the cell that counts all rows.
    """

    def __init__(self, k):
        self.k, self.scaled, self.counts_all, self.cells, self.rows = k, None, False, (), None

    def take(self, mask, value):
        """Add a number where the mask holds. Returns whether it is one that can be added here."""
        k = self.k
        if not isinstance(value, Scaled) or value.number.type != I64:
            return False
        self.scaled, self.counts_all = value, mask is True
        low, high, count = self.cells
        if self.is_short:
            accumulate(k, low, mask, value.number)
        else:
            accumulate(k, low, mask, value.number & 0xFFFFFFFF)
            accumulate(k, high, mask, k.binary("ashr", value.number, 32))
        if not self.counts_all:
            count_where(k, count, mask)
        return True

    @property
    def count(self):
        """How many numbers were added."""
        return (self.rows if self.counts_all else self.cells[2]).get()

    @property
    def is_short(self):
        """Whether 64 bits hold the sum of a block, so that halves need not be summed apart."""
        return max(-self.scaled.least, self.scaled.most) * self.k.block_rows < 1 << 63

    def total(self):
        """The sum as a Scaled."""
        k, one, rows = self.k, self.scaled, self.k.block_rows
        number = self.cells[0].get()
        if not self.is_short:
            number = (k.convert(self.cells[1].get(), I128) << 32) + k.convert(number, I128)
        return Scaled(k, number, one.scale, one.least * rows, one.most * rows)


class SumOfNumerics(Aggregate):
    """Cells: the sum's two words, count."""
    cells, initial, shares_state = (I64, I64, I64), (0, 0, 0), True

    def begin_block(self, k):
        return BlockSum(k)

    def end_block(self, call, cells):
        """Add what has been gathered, if there were rows."""
        block = call.block_sum
        for _ in call.k.when(block.count != 0 if block.scaled is not None else False):
            self.add(call, cells, True, block.total())
            cells[2].set(cells[2].get() + block.count)

    def update(self, call, cells, mask, value):
        k = call.k
        if call.block_sum is not None and call.block_sum.take(mask, value):
            return
        self.add(call, cells, mask, value)
        count_where(k, cells[2], mask)

    def add(self, call, cells, mask, value):
        """Add a numeric to the sum where the mask holds. Values of one scale, which is the rule, take no branch."""
        k, state = call.k, Pair(cells[0].get(), cells[1].get())
        total = decimal.mantissa(k, state) + decimal.mantissa(k, value)
        same_scale = decimal.same_scale(k, state, value)
        if isinstance(value, Scaled):           # an empty state takes the value's scale
            same_scale = k.or_(same_scale, state.low | state.high == 0)
        short = isinstance(value, Scaled) and max(-value.least, value.most) < 1 << 64       # of which 2^47 fit
        fits = short or decimal.fits(k, total)
        quick = k.and_(same_scale, fits)
        result, take = decimal.compose(k, total, decimal.tag_of(value)), k.as_condition(k.and_(quick, mask))
        cells[0].set(k.choose(take, result.low, state.low))
        cells[1].set(k.choose(take, result.high, state.high))
        for _ in k.when(k.and_(mask, k.not_(quick))):
            low, high, status = k.routine(numeric_words.add_words, state.low, state.high, value.low, value.high)
            report(call, (Pair(low, high), status), OVERFLOW)
            cells[0].set(low)
            cells[1].set(high)

    def combine(self, call, cells, others):
        self.add(call, cells, True, Pair(others[0].get(), others[1].get()))
        cells[2].set(cells[2].get() + others[2].get())

    def total(self, call, cells):
        """The sum as a numeric."""
        return Pair(cells[0].get(), cells[1].get())


@aggregate("sum(int2) -> int8", "sum(int4) -> int8", doc="Sum.", example="SELECT sum(x) FROM (VALUES (1), (2)) t (x)  -- 3")
class SumOfIntegers(SumOfShortIntegers):
    """The sum in 64 bits."""

    def final(self, call, cells):
        return Sql(cells[0].get(), cells[1].get() != 0)


@aggregate("sum(int8) -> numeric", doc="Sum.", example="SELECT sum(x::int8) FROM (VALUES (1), (2)) t (x)  -- 3")
class SumOfBigintegers(SumOfLongIntegers):
    """The sum as a numeric."""

    def final(self, call, cells):
        return Sql(self.total(call, cells), cells[2].get() != 0)


@aggregate("sum(numeric) -> numeric", doc="Sum, with the largest scale of the summands.",
           example="SELECT sum(x) FROM (VALUES (1.5), (2.25)) t (x)  -- 3.75")
class NumericSum(SumOfNumerics):
    """The sum as it is."""

    def final(self, call, cells):
        return Sql(self.total(call, cells), cells[2].get() != 0)


class MeanAsNumeric:
    """What turns a sum into avg. The state's last cell is the count."""

    def final(self, call, cells):
        k, count = call.k, cells[-1].get()
        quotient = numeric_words.divide(k, self.total(call, cells), decimal.of_integer(k, count))
        pair, status = quotient
        status = k.choose(status == DIVISION_BY_ZERO, k.constant(I64, 0), status)
        return Sql(report(call, (pair, status), OVERFLOW), count != 0)


@aggregate("avg(int2) -> numeric", "avg(int4) -> numeric", doc="Mean.",
           example="SELECT avg(x) FROM (VALUES (1), (2)) t (x)  -- 1.5000000000000000")
class MeanOfIntegers(MeanAsNumeric, SumOfShortIntegers):
    """Exact sum, divided as numerics are."""


@aggregate("avg(int8) -> numeric", doc="Mean.",
           example="SELECT avg(x::int8) FROM (VALUES (1), (2)) t (x)  -- 1.5000000000000000")
class MeanOfBigintegers(MeanAsNumeric, SumOfLongIntegers):
    """Exact sum, divided as numerics are."""


@aggregate("avg(numeric) -> numeric", doc="Mean.",
           example="SELECT avg(x) FROM (VALUES (1.5), (2.25)) t (x)  -- 1.8750000000000000")
class MeanOfNumerics(MeanAsNumeric, SumOfNumerics):
    """Exact sum, divided as numerics are."""


class SumOfFloats(Aggregate):
    """Cells: the sum, how many values were infinite or NaN, count. (The sum of x - x would tell as well, but where additions
    may be regrouped LLVM takes it for zero.)"""
    cells, initial, shares_state = (F64, I64, I64), (0, 0, 0), True

    def update(self, call, cells, mask, value):
        k = call.k
        value = k.convert(value, F64)
        value = value if mask is True else k.choose(mask, value, k.constant(F64, 0))
        cells[0].set(k.accumulate(cells[0].get(), value))
        count_where(k, cells[1], k.not_(is_finite(k, value)))
        count_where(k, cells[2], mask)

    def combine(self, call, cells, others):
        add_cells(call.k, cells, others)

    def total(self, call, cells):
        """The sum, with a fault if it has overflowed."""
        total, special = cells[0].get(), cells[1].get()
        overflow(call, call.k.and_(call.k.not_(is_finite(call.k, total)), special == 0))
        return total


@aggregate("sum(float8) -> float8", doc="Sum.", example="SELECT sum(x) FROM (VALUES (1.5::float8), (2)) t (x)  -- 3.5")
class SumOfDoubles(SumOfFloats):
    """The sum as it is."""

    def final(self, call, cells):
        return Sql(self.total(call, cells), cells[2].get() != 0)


@aggregate("sum(float4) -> float4", doc="Sum, rounded to real at each step.",
           example="SELECT sum(x) FROM (VALUES (1.5::float4), (2)) t (x)  -- 3.5")
class SumOfSingles(SumOfFloats):
    """The sum is kept in 64 bits, but is a float4 after each step."""

    def add(self, k, cells, mask, value):
        """Add a float4."""
        total = k.convert(cells[0].get(), F32)
        total = total + value if mask is True else k.choose(mask, total + value, total)
        cells[0].set(k.convert(total, F64))

    def update(self, call, cells, mask, value):
        k = call.k
        self.add(k, cells, mask, value)
        count_where(k, cells[1], k.and_(mask, k.not_(is_finite(k, k.convert(value, F64)))))
        count_where(k, cells[2], mask)

    def combine(self, call, cells, others):
        self.add(call.k, cells, True, call.k.convert(others[0].get(), F32))
        add_cells(call.k, cells[1:], others[1:])

    def final(self, call, cells):
        return Sql(call.k.convert(self.total(call, cells), F32), cells[2].get() != 0)


@aggregate("avg(float4) -> float8", "avg(float8) -> float8", doc="Mean.",
           example="SELECT avg(x) FROM (VALUES (1.5::float8), (2)) t (x)  -- 1.75")
class MeanOfFloats(SumOfFloats):
    """The sum divided by the count."""

    def final(self, call, cells):
        k, count = call.k, cells[2].get()
        return Sql(k.binary("div", self.total(call, cells), k.convert(count, F64)), count != 0)


class SumOfIntervals(Aggregate):
    """State: (sum, count), or None before the first row."""
    python = True

    def start(self):
        return None

    def step(self, state, interval):
        return (interval, 1) if state is None else (spans.add(state[0], interval), state[1] + 1)

    def merge(self, state, other):
        if state is None or other is None:
            return state or other
        return spans.add(state[0], other[0]), state[1] + other[1]

    def finish(self, state):
        return state and state[0]


aggregate("sum(interval) -> interval", doc="Sum, field by field.",
          example="SELECT sum(x) FROM (VALUES (interval '1 day'), ('2 hours')) t (x)  -- 1 day 02:00:00")(SumOfIntervals)


@aggregate("avg(interval) -> interval", doc="Mean.",
           example="SELECT avg(x) FROM (VALUES (interval '1 day'), ('2 days')) t (x)  -- 1 day 12:00:00")
class MeanOfIntervals(SumOfIntervals):
    """The sum divided by the count."""

    def finish(self, state):
        return state and spans.divide(state[0], float(state[1]))
