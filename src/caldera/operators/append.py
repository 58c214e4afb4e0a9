"""UNION ALL: the rows of several inputs, one input after the other.

    input 1 ─▶ Collect ─┐
    input 2 ─▶ Collect ─┴─▶ AppendedRows ─▶ next pipeline

Every input ends in a store of its own, so that rows come in the order of the inputs whoever read them; what lies in memory
already is read where it lies.
"""
from caldera.operators.collect import Collect
from caldera.operators.pipeline import Stream
from caldera.operators.rows_in_memory import ColumnsSource
from caldera.operators.spilled_columns import SpilledColumns
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs
from caldera.storage import arrays


@runs(nodes.Append)
class AppendOperator(Operator):
    """Keeps the rows of all inputs, and gives them on."""

    def estimate(self, estimates, node):
        figures = [estimates.of(input) for input in node.inputs]
        rows, total = sum(rows for rows, _, _ in figures), sum(total for _, _, total in figures)
        return rows, total, total

    def build(self, builder, node):
        results = [lasting(builder.keep(branch, given, "append")) for branch, given in zip(node.branches, node.given)]
        source = AppendedRows(node.columns, results)
        return Stream(source, [], plain_columns={column.id: column.id for column in node.columns})


def lasting(result):
    """What holds rows, such that they may go to disk."""
    if isinstance(result, Collect):
        result.spill = SpilledColumns()
    return result


class AppendedRows(ColumnsSource):
    """The rows of results, one after the other. `results`: what has `finish()` and `row_count`."""
    words = "Append"

    def __init__(self, columns, results):
        super().__init__(columns, self.appended)
        self.results, self.batches = results, self.appended_batches

    def appended_batches(self):
        """If rows of any result are on disk: pairs (columns, row count) of all results; else None."""
        found = [result.batches() for result in self.results]
        return None if all(batches is None for batches in found) else self.one_by_one(found)

    def one_by_one(self, found):
        """The batches of each result, or all its rows as one."""
        for result, batches in zip(self.results, found):
            if batches is None:
                columns = result.finish()
                yield columns, result.row_count
            else:
                yield from batches

    def appended(self):
        """The columns of all results."""
        found = [result.finish() for result in self.results]
        self.row_count_without_columns = sum(result.row_count for result in self.results)
        return [arrays.concatenate([columns[number] for columns in found]) for number in range(len(self.columns))]
