"""Rows where a predicate is true.

Two forms. As a step of its own a filter is a stage that ends in a selection: the predicate's columns are read for all rows
of a block, a byte a row is compressed to row numbers, and all that follows is skipped for blocks without a survivor. As a
row step it is fused into the loop of its reader.
"""
from caldera.kernel.blocks import LANES, select
from caldera.kernel.interface import I8, I32, I64
from caldera.kernel.nullable import is_true
from caldera.operators.dictionary import mapped
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs
from caldera.plan.predicates import conjuncts


@runs(nodes.Filter)
class FilterOperator(Operator):
    """Each condition is a stage of its own. EXPLAIN shows them at the node whose rows they take (plan.outline)."""

    def estimate(self, estimates, node):
        rows, startup, total = estimates.of(node.input)
        conditions, left = conjuncts(node.predicate), rows
        for condition in conditions:
            total += left * estimates.expression_cost(condition)
            left *= estimates.selectivity(condition)
        return rows * estimates.conjunction(conditions), startup, total

    def build(self, builder, node):
        stream = builder.build(node.input)
        stream.plain_columns = None
        stream.evaluates([node.predicate])
        stream.steps += [Filter(mapped(builder, stream, condition), builder.evaluator)
                         for condition in conjuncts(node.predicate)]
        return stream


class Filter:
    """Keeps rows; `predicate` is an expression, `evaluator` stages it."""

    def __init__(self, predicate, evaluator):
        self.predicate, self.evaluator = predicate, evaluator

    @property
    def words(self):
        return f"Filter {self.predicate}"

    @property
    def columns(self):
        """What the predicate reads; known for good only when the source has seen its data."""
        return self.predicate.columns

    def holds(self, k, row):
        """Whether a row is kept."""
        return is_true(k, self.evaluator.eval(k, self.predicate, row))

    def rows(self, k, rows):
        """Fused: the body of the reader's loop runs for survivors."""
        for row in rows:
            for _ in k.when(self.holds(k, row)):
                yield row

    def blocks(self, k, blocks):
        """A stage of its own, which ends in a selection."""
        for block in blocks:
            block = block.settled()
            positions, keep = k.buffer(I32, k.block_rows + LANES), k.buffer(I8, k.block_rows + LANES)
            for row in block.rows(self.columns):
                keep[row.number] = k.convert(k.as_condition(self.holds(k, row)), I8)
            selected = k.variable(I64, select(k, keep, block.count, positions))
            for _ in k.when(selected.get() > 0):
                yield block.narrowed(selected.get(), positions)
