"""WITH queries that are computed once: when the first source over one opens, its plan runs, and all read what it leaves."""
from caldera.operators.pipeline import Stream
from caldera.operators.rows_in_memory import ColumnsSource
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
    """The rows of a common table, which the run keeps for all its parts. rows_of: see Builder."""

    def __init__(self, node, rows_of):
        super().__init__(node.columns, None)
        self.node, self.rows_of = node, rows_of

    @property
    def words(self):
        return f"CTE Scan on {self.node.name}"

    def open(self, run):
        node = self.node
        found = run.common.get(node.number)
        if found is None:
            found = run.common[node.number] = self.rows_of(run, node.plan, node.plan.output)
        places = {column.id: number for number, column in enumerate(node.plan.output)}
        self.data = lambda: [found[places[column.id]] for column in node.given]
        self.row_count_without_columns = found.row_count
        super().open(run)
