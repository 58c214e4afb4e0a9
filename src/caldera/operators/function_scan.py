"""Table functions in plain Python: their rows are made when the run starts, as columns in memory."""
from caldera.operators.rows_in_memory import from_memory
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs
from caldera.storage.engine import ColumnData
from caldera.types.columns import from_datums


@runs(nodes.FunctionScan)
class FunctionScanOperator(Operator):
    """Calls the function once."""

    def describe(self, node):
        return "Function Scan", f"Function Scan on {node.function.name}", {}

    def build(self, builder, node):
        def data():
            arguments = [builder.constant(argument) for argument in node.arguments]
            rows = list(node.function.rows(builder.session, *arguments))
            return [ColumnData(column.type, *from_datums(column.type, [row[number] for row in rows]))
                    for number, column in enumerate(node.columns)]
        return from_memory(node.columns, data)
