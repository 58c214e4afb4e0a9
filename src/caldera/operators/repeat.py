"""Rows that come several times: what INTERSECT ALL and EXCEPT ALL make of groups.

In each pass over a block every row that is still wanted comes once, so that nothing overflows.
"""
from caldera.kernel.interface import I32, I64
from caldera.operators.pipeline import FansOut
from caldera.optimize.estimates import ROW_COST
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs


@runs(nodes.Repeat)
class RepeatOperator(Operator):
    """Gives each row as often as its number says."""

    def describe(self, node):
        return "Repeat", "Repeat", {"Times": str(node.times)}

    def estimate(self, estimates, node):
        rows, startup, total = estimates.of(node.input)
        return rows, startup, total + rows * (estimates.expression_cost(node.times) + ROW_COST)

    def build(self, builder, node):
        stream = builder.build(node.input)
        stream.plain_columns = None
        stream.evaluates([node.times])
        stream.steps.append(Repeat(node.times, builder.evaluator))
        return stream


class Repeat(FansOut):
    """Rows as often as `times`, an expression of int8 that is never NULL, says."""
    words = "Repeat"

    def __init__(self, times, evaluator):
        self.times, self.evaluator = times, evaluator

    def blocks(self, k, blocks):
        """In each pass the rows of a block that have passes left."""
        for block in blocks:
            block = block.settled()
            positions, passes, count = k.buffer(I32, k.block_rows), k.buffer(I64, k.block_rows), k.variable(I64, 0)
            for row in block.rows(self.times.columns, vectorize=False):
                times = self.evaluator.eval(k, self.times, row).value
                self.put(k, positions, passes, count, k.convert(row.number, I32), times)
            for _ in k.while_(lambda: k.and_(count.get() > 0, k.not_(self.must_stop(k)))):
                yield block.narrowed(count.get(), positions)
                kept = k.variable(I64, 0)
                for number in k.range(0, count.get(), vectorize=False):
                    self.put(k, positions, passes, kept, positions[number], passes[number] - 1)
                count.set(kept.get())

    @staticmethod
    def put(k, positions, passes, count, position, left):
        """Append a row to those that have passes left, if it has."""
        at = count.get()
        positions[at], passes[at] = position, left
        count.set(at + k.convert(k.as_condition(left > 0), I64))
