"""Rows that come once for each element of lists: unnest and generate_series over other rows, side by side.

    block ─ lists of each row ─▶ how many elements ─ fill: (row, element number) ... ─▶ blocks of as many rows as fit

A list is never taken apart before its elements are read: a row of a block that goes on knows the input's row and the number
of the element.
"""
from caldera.kernel.interface import I32, I64
from caldera.kernel.layouts import TEXT
from caldera.kernel.nullable import Sql
from caldera.operators.evaluate_arrays import view_of
from caldera.operators.pipeline import FansOut
from caldera.optimize.estimates import ROW_COST
from caldera.plan import expansion
from caldera.plan.arrays import Steps
from caldera.plan.operator import Operator, runs
from caldera.types.staged_arrays import ArrayView, no_nulls

ELEMENTS_GUESS = 10                 # of a list of which nothing is known
LONGEST = (1 << 63) - 2             # nobody waits for more numbers


@runs(expansion.Expand)
class ExpandOperator(Operator):
    """Gives each row once for each element."""

    def describe(self, node):
        return "Expand", "Expand", {"Lists": [str(expression) for _, expression in node.lists]}

    def estimate(self, estimates, node):
        rows, startup, total = estimates.of(node.input)
        cost = sum(estimates.expression_cost(expression) for expression in node.evaluated)
        return rows * ELEMENTS_GUESS, startup, total + rows * (cost + ELEMENTS_GUESS * ROW_COST)

    def build(self, builder, node):
        stream = builder.build(node.input)
        stream.plain_columns = None
        stream.evaluates(node.evaluated)
        stream.steps.append(Expand(node, builder.evaluator))
        return stream


class Expand(FansOut):
    """`node`: the Expand of the plan."""
    words = "Expand"

    def __init__(self, node, evaluator):
        self.node, self.evaluator = node, evaluator

    def blocks(self, k, blocks):
        """Blocks are filled until the rows of the input's block have no more elements."""
        for block in blocks:
            block = block.settled()
            lists = [(StepsOfRows if isinstance(expression, Steps) else ArraysOfRows)(k, expression)
                     for _, expression in self.node.lists]
            counts = k.buffer(I64, k.block_rows)
            ids = set().union(*(expression.columns for _, expression in self.node.lists))
            for row in block.rows(ids, vectorize=False):
                counts[row.number] = self.longest(k, lists, row)
            rows, numbers = k.buffer(I32, k.block_rows), k.buffer(I64, k.block_rows)
            at = Place(k)
            for _ in k.while_(lambda: k.and_(at.row.get() < block.count, k.not_(self.must_stop(k)))):
                filled = self.fill(k, block.count, counts, at, rows, numbers)
                for _ in k.when(filled > 0):
                    yield block.narrowed(filled, rows, self.columns(k, lists, rows, numbers))

    def longest(self, k, lists, row):
        """How often a row comes; its lists are kept."""
        longest = k.constant(I64, 1 if self.node.keeps_all else 0)
        for each in lists:
            longest = k.greatest(longest, each.keep(self.evaluator, row))
        return longest

    def fill(self, k, row_count, counts, at, rows, numbers):
        """Write pairs of a row and an element's number until the block is full or the rows are at their end; how many."""
        filled = k.variable(I64, 0)
        for _ in k.while_(lambda: k.and_(at.row.get() < row_count, filled.get() < k.block_rows)):
            row, first, target = at.row.get(), at.element.get(), filled.get()
            taken = k.least(counts[row] - first, k.constant(I64, k.block_rows) - target)
            for number in k.range(0, taken):
                rows[target + number] = k.convert(row, I32)
                numbers[target + number] = first + number
            filled.set(target + taken)
            is_done = first + taken >= counts[row]
            at.element.set(k.choose(is_done, k.constant(I64, 0), first + taken))
            at.row.set(row + k.convert(is_done, I64))
        return filled.get()

    def columns(self, k, lists, rows, numbers):
        """Fetchers of the columns that are made."""
        def place(number):
            return k.convert(rows[number], I64), numbers[number]
        columns = {column.id: reader(lambda number, each=each: each.element(*place(number)))
                   for (column, _), each in zip(self.node.lists, lists)}
        if self.node.ordinality is not None:
            def ordinal(number):
                row, element = place(number)
                is_there = k.or_(*(element < each.count(row) for each in lists)) if self.node.keeps_all else True
                return Sql(element + 1, is_there)
            columns[self.node.ordinality.id] = reader(ordinal)
        return columns


def reader(read):
    """The fetcher of a column that is read by the number of the row."""
    return lambda: lambda number, row: read(number)


class Place:
    """Where filling goes on: the row, and the number of its element."""

    def __init__(self, k):
        self.row, self.element = k.variable(I64, 0), k.variable(I64, 0)


class ArraysOfRows:
    """Arrays of the rows of a block; one that is NULL has no elements."""

    def __init__(self, k, expression):
        self.k, self.expression = k, expression
        self.cells = k.buffer(I64, 2 * k.block_rows + 4)

    def keep(self, evaluator, row):
        """Keep a row's array; how many elements it has."""
        sql = evaluator.eval(self.k, self.expression, row)
        image = sql.value if sql.valid is True else no_nulls(self.k, sql)
        TEXT.store(self.k, self.cells, row.number, image)
        return view_of(self.k, self.expression.type, Sql(image, True)).count

    def view(self, row):
        """The ArrayView of a row's array."""
        return ArrayView(self.k, self.expression.type.element, TEXT.load(self.k, self.cells, row, "block"))

    def count(self, row):
        return self.view(row).count

    def element(self, row, number):
        """The Sql of an element; behind the last, NULL."""
        view = self.view(row)
        return view.at(number, number < view.count)


class StepsOfRows:
    """Series of the rows of a block."""

    def __init__(self, k, expression):
        self.k, self.expression = k, expression
        self.starts, self.steps, self.counts = (k.buffer(I64, k.block_rows) for _ in range(3))

    def keep(self, evaluator, row):
        """Keep a row's series; how many numbers it has. A step of zero is an error."""
        k, number = self.k, row.number
        bounds = [evaluator.eval(k, bound, row) for bound in self.expression.children]
        valid = k.and_(*(bound.valid for bound in bounds))
        start, stop, step = (k.convert(bound.value, I64) for bound in bounds)
        with row.faults.guarded(valid):
            row.report("22023", "step size cannot equal zero", step == 0)
        upwards = step > 0
        distance = k.choose(upwards, stop - start, start - stop)            # up to 2^64, unsigned
        steps = k.binary("udiv", distance, k.choose(upwards, step, k.negate(step)))
        is_any = k.and_(valid, step != 0, k.choose(upwards, start <= stop, start >= stop))
        count = k.choose(k.as_condition(is_any), k.choose(steps < 0, LONGEST, steps) + 1, 0)
        self.starts[number], self.steps[number], self.counts[number] = start, step, count
        return count

    def count(self, row):
        return self.counts[row]

    def element(self, row, number):
        """The Sql of a number of the series; behind the last, NULL."""
        value = self.starts[row] + number * self.steps[row]
        return Sql(self.k.convert(value, self.expression.type.element.layout.type), number < self.counts[row])
