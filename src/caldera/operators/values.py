"""VALUES, and SELECT without FROM: rows of expressions that use no columns.

Rows of constants are columns in memory; others are staged one by one.
"""
from caldera.kernel.blocks import Block
from caldera.kernel.interface import I8, I64, Owner, Struct
from caldera.kernel.nullable import Sql
from caldera.operators.morsels import Morsels
from caldera.operators.pipeline import Source, Stream
from caldera.operators.rows_in_memory import from_memory
from caldera.optimize.estimates import ROW_COST
from caldera.plan import nodes
from caldera.plan.expressions import Constant
from caldera.plan.operator import Operator, runs
from caldera.storage.engine import ColumnData
from caldera.types.columns import from_datums


@runs(nodes.Values)
class ValuesOperator(Operator):
    """Gives a few rows that stand in the statement."""

    def describe(self, node):
        if len(node.rows) == 1:
            return "Result", "Result", {}
        return "Values Scan", f"Values Scan ({len(node.rows)} rows)", {}

    def estimate(self, estimates, node):
        return len(node.rows), 0, ROW_COST * len(node.rows)

    def build(self, builder, node):
        if all(isinstance(value, Constant) for value in node.evaluated):
            return from_memory(node.columns, lambda: constant_columns(node), row_count=len(node.rows))
        stream = Stream(ValuesSource(node.rows, node.columns, builder.evaluator), [])
        stream.evaluates(node.evaluated)
        return stream


def constant_columns(node):
    """The ColumnData of a Values node whose expressions are all Constants."""
    return [ColumnData(column.type, *from_datums(column.type, [row[number].value for row in node.rows]))
            for number, column in enumerate(node.columns)]


class ValuesSource(Source, Owner):
    """Rows of expressions without columns, each staged as a block of one row."""
    layout = Struct(next=I64)
    parallel, is_repeatable, words = False, True, "Values Scan"

    def __init__(self, rows, columns, evaluator):
        super().__init__()
        self.rows, self.columns, self.evaluator, self.row_count = rows, columns, evaluator, len(rows)

    def open(self, run):
        self.instances = [self.layout.make()]

    def close(self):
        self.instances = []

    def blocks(self, k):
        """Only the worker that comes first gives rows; the sink's code is emitted once, so rows go through buffers."""
        here = k.memory(self)
        turn = k.variable(I64, k.atomic_add(here.field("next"), 0, 1))
        position = k.variable(I64, 0)
        for _ in k.while_(lambda: k.and_(turn.get() == 0, position.get() < len(self.rows), k.not_(Morsels.must_stop(k)))):
            buffers = {}
            single = Block(k, k.constant(I64, 1), {})
            for number, row in enumerate(self.rows):
                for _ in k.when(position.get() == number if len(self.rows) > 1 else True):
                    self.write(k, single, buffers, row)
            position.set(position.get() + 1)
            yield Block(k, k.constant(I64, 1), {column.id: (lambda b=buffers[column.id]: self.reader(k, *b))
                                                for column in self.columns})

    def write(self, k, block, buffers, expressions):
        for row in block.rows(()):
            for column, expression in zip(self.columns, expressions):
                layout = column.type.layout
                if column.id not in buffers:
                    buffers[column.id] = layout, k.buffer(layout.element, 2 * layout.width), k.buffer(I8, 1)
                sql = self.evaluator.eval(k, expression, row)
                _, values, valid = buffers[column.id]
                layout.store(k, values, 0, sql.value)
                valid[0] = k.convert(k.as_condition(sql.valid), I8)

    @staticmethod
    def reader(k, layout, values, valid):
        return lambda number, row: Sql(layout.load(k, values, number, "block"), valid[number] != 0)
