"""WITH queries that are computed once: when the first source over one opens, its plan runs, and all read what it leaves."""
from caldera.kernel.interface import Owner
from caldera.operators.pipeline import Stream
from caldera.operators.rows_in_memory import ColumnsSource, as_cells
from caldera.optimize.estimates import ROW_COST
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs


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

    def open(self, run):
        node = self.node
        if node.number not in run.common:
            run.common[node.number] = CommonRows(self.rows_of(run, node.plan, node.plan.output))
        self.found = run.common[node.number]
        places = {column.id: number for number, column in enumerate(node.plan.output)}
        self.places = [places[column.id] for column in node.given]
        self.data = lambda: [self.found.columns[place] for place in self.places]
        self.row_count_without_columns = self.found.columns.row_count
        super().open(run)

    def texts(self, number, data):
        return self.found.texts(self.places[number], self.allocation)

    def reachable(self):
        yield from super().reachable()
        yield from self.found.reachable()


class CommonRows(Owner):
    """What a run keeps of a common table."""

    def __init__(self, columns):
        super().__init__()
        self.columns, self.addresses, self.arrays = columns, {}, []

    def texts(self, place, allocation):
        """The address of the cells of a column's texts, which are made for the first that reads them."""
        if place not in self.addresses:
            self.addresses[place] = self.keep(as_cells(self.columns[place].values, self.keep))
            allocation.account(self.arrays[-1].nbytes)
        return self.addresses[place]
