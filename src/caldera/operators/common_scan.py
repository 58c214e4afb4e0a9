"""WITH queries that are computed once: when the first source over one opens, its plan runs, and all read what it leaves,
in memory or, where that is short, on disk."""
import threading

from caldera.kernel.interface import Owner
from caldera.operators.pipeline import Stream
from caldera.operators.rows_in_memory import ColumnsSource, as_cells
from caldera.operators.spilled_columns import ColumnPage, SpilledColumns
from caldera.optimize.estimates import ROW_COST
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs
from caldera.storage import arrays

PIECE_ROWS = 1 << 13            # rows that come back at once from the disk


@runs(nodes.CommonScan)
class CommonScanOperator(Operator):
    """Reads the rows; what they cost counts at each place."""

    def describe(self, node):
        return "CTE Scan", f"CTE Scan on {node.name}", {}

    def estimate(self, estimates, node):
        rows, _, total = estimates.of(node.plan)
        return rows, total, total + rows * ROW_COST

    def build(self, builder, node):
        return Stream(CommonSource(node, builder.rows_of), [])


class CommonSource(ColumnsSource):
    """The rows of a common table, which the run keeps for all its parts, with the cells of its texts. rows_of: see
    Builder."""

    def __init__(self, node, rows_of):
        super().__init__(node.columns, None)
        self.node, self.rows_of = node, rows_of

    @property
    def words(self):
        return f"CTE Scan on {self.node.name}"

    def rounds(self, run):
        """As ColumnsSource does it, when the rows are there."""
        node = self.node
        if node.number not in run.common:
            rows = CommonRows(run.root)
            rows.complete(self.rows_of(run, node.plan, node.plan.output, rows.add))
            run.common[node.number] = rows                  # not of a plan that failed, which the next reader runs again
        self.found = run.common[node.number]
        places = {column.id: number for number, column in enumerate(node.plan.output)}
        self.places = [places[column.id] for column in node.given]
        self.batches = self.batches_of_rows if self.found.pieces else None
        yield from super().rounds(run)

    def batches_of_rows(self):
        """Pairs (columns, row count)."""
        for columns, count in self.found.batches():
            yield [columns[place] for place in self.places], count

    def open(self, run):
        if self.batch is None:
            self.data = lambda: [self.found.columns[place] for place in self.places]
            self.row_count_without_columns = self.found.columns.row_count
        super().open(run)

    def texts(self, number, data):
        if self.batch is not None:
            return super().texts(number, data)
        return self.found.texts(self.places[number], self.allocation)

    def reachable(self):
        yield from super().reachable()
        yield from self.found.reachable()


class CommonRows(Owner):
    """What a run keeps of a common table: `columns`, if all rows are in memory; else `pieces`, which are lists of ColumnData
    or ColumnPages. run: the outermost one, which has the files and the memory."""

    def __init__(self, run):
        super().__init__()
        self.run, self.columns, self.pieces, self.lock = run, None, [], threading.Lock()
        self.addresses, self.arrays, self.held, self.accounted = {}, [], 0, 0
        self.spill = SpilledColumns()
        self.spill.begin(run)

    def add(self, columns, count):
        """Keep some of the rows, on disk if the run refuses the memory."""
        arrays.keep_big_numbers(self, columns)
        size = sum(map(arrays.byte_count, columns))
        with self.lock:
            in_memory = self.run.allocation.allows(2 * self.held, 2 * size)         # others have yet to work on them
            self.held += size if in_memory else 0
        if in_memory:
            self.account(size)
        for first in range(0, count, PIECE_ROWS):
            rows = min(PIECE_ROWS, count - first)
            piece = [arrays.cut(data, first, rows) for data in columns]
            self.pieces.append((piece, rows) if in_memory else self.spill.write(piece, rows))

    def account(self, size):
        """Count bytes of rows in memory."""
        self.run.allocation.account(size)
        self.accounted += size

    def complete(self, columns, size=0):
        """Those are the last rows. size: bytes that the run counts for them already, and `give_up` gives back."""
        self.columns, self.accounted = columns, self.accounted + size
        if columns and (self.pieces or self.run.allocation.always_refuses):
            self.add(columns, columns.row_count)

    def give_up(self):
        """Nobody reads the rows any more."""
        self.run.allocation.discount(self.accounted)
        self.columns, self.pieces, self.accounted = None, [], 0
        if self.spill.file is not None:
            self.spill.file.close()

    def batches(self):
        """Pairs (columns, row count) of all rows."""
        for piece in self.pieces:
            yield (self.spill.read(piece), piece.rows) if isinstance(piece, ColumnPage) else piece

    def texts(self, place, allocation):
        """The address of the cells of a column's texts, which are made for the first that reads them."""
        if place not in self.addresses:
            self.addresses[place] = self.keep(as_cells(self.columns[place].values, self.keep))
            allocation.account(self.arrays[-1].nbytes)
        return self.addresses[place]
