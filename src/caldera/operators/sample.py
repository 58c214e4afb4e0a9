"""TABLESAMPLE: rows, or runs of rows, whose number has a small hash.

    Sample(Scan(a), system, 10 %)   ──▶   Filter(Scan(a, row id), in_sample(row id >> 7, percent, seed))

The number of a row stays the same as long as the table does, so a REPEATABLE sample comes again. BERNOULLI draws each row;
SYSTEM draws runs of RUN_ROWS rows, about as many as lie in a page of PostgreSQL.
"""
from dataclasses import replace

from caldera.functions import registry
from caldera.plan import nodes
from caldera.plan.expressions import Call, Constant, new_column
from caldera.plan.operator import Operator, runs
from caldera.types.registry import TYPES

RUN_BITS = 7
RUN_ROWS = 1 << RUN_BITS


@runs(nodes.Sample)
class SampleOperator(Operator):
    """Runs as a filter."""

    def describe(self, node):
        return "Sample Scan", "Sample", {"Sampling": f"{node.method} ({node.percent}) REPEATABLE ({node.seed})"}

    def estimate(self, estimates, node):
        rows, startup, total = estimates.of(node.input)
        share = node.percent.value / 100 if isinstance(node.percent, Constant) else 0.1
        return rows * share, startup, total

    def build(self, builder, node):
        if not isinstance(node.input, nodes.Scan):      # rules found that it has no rows
            return builder.build(node.input)
        row_id = new_column("row id", TYPES["int8"], None, False)
        run = Constant(RUN_BITS if node.method == "system" else 0, TYPES["int4"])
        condition = Call(registry.FUNCTIONS["in_sample"][0], (row_id, run, node.percent, node.seed), TYPES["bool"])
        return builder.build(nodes.Filter(replace(node.input, row_id=row_id), condition))
