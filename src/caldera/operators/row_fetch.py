"""Late materialisation: the other columns of a few rows, by the numbers that their scan gave them.

    scan ─▶ filter ─▶ top-N of (keys, row id) ─▶ RowFetch: the winners' other columns ─▶ result

A row id is segment << ROW_BITS | row, where segments are counted as the scan lists them; it is good for one run. Single rows
are decoded by numpy.
"""
import numpy as np

from caldera.operators.rows_in_memory import from_memory
from caldera.operators.scan import ROW_BITS
from caldera.optimize.estimates import VALUE_COST
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs
from caldera.storage import arrays

FETCH_FACTOR = 10               # what decoding one row costs, in rows of a scan


@runs(nodes.RowFetch)
class RowFetchOperator(Operator):
    """Reads further columns for the rows that a sort has left in memory."""

    def describe(self, node):
        return "Row Fetch", f"Row Fetch on {node.label}", {"Columns": [column.name for column, _ in node.columns]}

    def estimate(self, estimates, node):
        rows, startup, total = estimates.of(node.input)
        return rows, startup, total + rows * len(node.columns) * VALUE_COST * FETCH_FACTOR

    def build(self, builder, node):
        rows = builder.build(node.input).source
        source = builder.row_sources[node.row_id.id]
        fetch = RowFetch(source, node.input.output, node.row_id, rows.data, rows.order, node.columns)
        stream = from_memory(node.output, fetch.finish)
        stream.source.parallel = False              # the rows are in order
        return stream


class RowFetch:
    """Rows in memory and, beside them, columns of the table that they come from. source: the TableSource that gave row
    ids. input: the columns of the rows, of which `row_id` holds those; `data()` and `order()` as of a ColumnsSource.
    columns: pairs (Column, name in the relation) to fetch."""

    def __init__(self, source, input, row_id, data, order, columns):
        self.source, self.input, self.row_id, self.columns = source, input, row_id, columns
        self.data, self.order = data, order

    def finish(self):
        """ColumnData: those of the input without the row ids, then those that were fetched; rows in their final order."""
        data, order = self.data(), self.order()
        kept = [(column.id, arrays.take(values, order)) for column, values in zip(self.input, data)]
        ids = next(column.values for id, column in kept if id == self.row_id.id)
        result = [column for id, column in kept if id != self.row_id.id]
        return result + [self.fetched(name, ids, column.type) for column, name in self.columns]

    def fetched(self, name, ids, type):
        """The values of one column for row ids."""
        numbers, rows = ids >> ROW_BITS, ids & (1 << ROW_BITS) - 1
        pieces, places = [arrays.empty(type)], []
        for number in np.unique(numbers).tolist():
            here = np.flatnonzero(numbers == number)
            pieces.append(self.source.scan.segments[number].column(name).take(rows[here]))
            places.append(here)
        if len(places) == 1:
            return pieces[1]
        back = np.argsort(np.concatenate(places)) if places else np.zeros(0, np.int64)
        return arrays.take(arrays.concatenate(pieces), back)
