"""generate_series over integers: rows that are counted out, never stored."""
from caldera.base.errors import error
from caldera.kernel.blocks import Block
from caldera.kernel.interface import I64, Struct
from caldera.kernel.nullable import Sql
from caldera.operators.morsels import Morsels
from caldera.operators.pipeline import Stream
from caldera.optimize.estimates import ROW_COST
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs
from caldera.plan.predicates import is_known

SERIES_ROWS_MAX = 1 << 62       # nobody will wait for the end of that


@runs(nodes.Series)
class SeriesOperator(Operator):
    """Counts from start to stop."""

    def describe(self, node):
        return "Function Scan", SeriesSource.words, {}

    def estimate(self, estimates, node):
        bounds = [expression.value for expression in (node.start, node.stop, node.step) if is_known(expression)]
        rows = max(0, (bounds[1] - bounds[0]) // bounds[2] + 1) if len(bounds) == 3 and bounds[2] else estimates.unknown[0]
        return rows, 0, rows * ROW_COST

    def build(self, builder, node):
        def bounds():
            return [builder.constant(bound) for bound in (node.start, node.stop, node.step)]
        return Stream(SeriesSource(bounds, node.column), [])


class SeriesSource(Morsels):
    """generate_series(start, stop, step) over integers; the bounds are expressions without columns. Series may be longer
    than any list of morsels, so those are computed."""
    words, is_repeatable = "Function Scan on generate_series", True
    layout = Struct(next=I64, count=I64, rows=I64, morsel_rows=I64, start=I64, step=I64)

    def __init__(self, bounds, column):
        """`bounds()` gives (start, stop, step) as datums when the run starts."""
        super().__init__()
        self.bounds, self.column, self.facts = bounds, column, ()

    def open(self, run):
        self.arrays = []
        start, stop, step = self.bounds()
        if step == 0:
            raise error("22023", "step size cannot equal zero")
        count = 0 if None in (start, stop, step) else max(0, (stop - start) // step + 1)
        self.row_count = min(count, SERIES_ROWS_MAX)
        self.morsel_count = -(-self.row_count // run.morsel_rows)
        self.instances = [self.layout.make(count=self.morsel_count, rows=self.row_count, morsel_rows=run.morsel_rows,
                                           start=start or 0, step=step or 0)]

    def close(self):
        self.instances, self.arrays = [], []

    def bounds_of(self, k, here, morsel):
        first = morsel * here.morsel_rows
        return k.constant(I64, 0), first, k.least(first + here.morsel_rows, here.rows)

    def morsel_state(self, k, here, segment):
        return here.start, here.step

    def morsel_block(self, k, state, first, count):
        start, step = state
        type = self.column.type.layout.type

        def fetch():
            return lambda number, row: Sql(k.convert(start + (first + number) * step, type), True)
        yield Block(k, count, {self.column.id: fetch})
