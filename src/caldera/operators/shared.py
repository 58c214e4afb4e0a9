"""Rows that several places of a plan read: they are computed once, kept, and read from memory at each place.

    input ─▶ Collect ─┬─▶ rows in memory ─▶ the pipeline of one place
                      └─▶ rows in memory ─▶ the pipeline of another
"""
from caldera.operators.append import AppendedRows, lasting
from caldera.operators.pipeline import Stream
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs


@runs(nodes.Shared)
class SharedOperator(Operator):
    """The first place that is built builds the input; all read what it leaves."""

    def build(self, builder, node):
        kept = builder.shared.get(node.number)
        if kept is None:
            kept = builder.shared[node.number] = lasting(builder.keep(node.input, node.given, "shared"))
        plain_columns = {column.id: column.id for column in node.columns}
        return Stream(AppendedRows(node.columns, [kept]), [], plain_columns=plain_columns)
