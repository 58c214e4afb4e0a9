"""Rows that several places of a plan read: they are computed once, kept, and read from memory at each place.

    input ─▶ Collect ─┬─▶ rows in memory ─▶ the pipeline of one place
                      └─▶ rows in memory ─▶ the pipeline of another
"""
from caldera.operators.collect import Collect
from caldera.operators.pipeline import Stream
from caldera.operators.rows_in_memory import ColumnsSource
from caldera.operators.spilled_columns import SpilledColumns
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs


@runs(nodes.Shared)
class SharedOperator(Operator):
    """The first place that is built builds the input; all read what it leaves."""

    def build(self, builder, node):
        kept = builder.shared.get(node.number)
        if kept is None:
            kept = builder.shared[node.number] = lasting(builder.keep(node.input, node.given, "shared"))
        return kept_rows(node.columns, kept)


def lasting(result):
    """What holds rows, such that they may go to disk."""
    if isinstance(result, Collect):
        result.spill = SpilledColumns()
    return result


def kept_rows(columns, kept):
    """The Stream of what holds rows in memory or on disk, as `columns`."""
    return Stream(SharedRows(columns, kept), [], plain_columns={column.id: column.id for column in columns})


class SharedRows(ColumnsSource):
    """The rows of what has `finish()`, `batches()` and `row_count`."""

    def __init__(self, columns, kept):
        super().__init__(columns, self.finished)
        self.kept, self.batches = kept, kept.batches

    def finished(self):
        """All columns."""
        columns = self.kept.finish()
        self.row_count_without_columns = self.kept.row_count
        return columns
