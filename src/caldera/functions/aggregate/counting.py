"""count: how many rows, or how many values that are not NULL."""
from caldera.functions.registry import Aggregate, AggregateSignature, aggregate
from caldera.kernel.interface import I64
from caldera.kernel.nullable import Sql
from caldera.types.registry import TYPES


def count_where(k, cell, mask):
    """Add one to a cell where the mask holds."""
    cell.set(cell.get() + (1 if mask is True else k.convert(k.as_condition(mask), I64)))


@aggregate("count(*) -> int8", doc="The number of rows.", example="SELECT count(*) FROM (VALUES (1), (NULL)) t (x)  -- 2")
@aggregate("count(any) -> int8", doc="The number of values that are not NULL.",
           example="SELECT count(x) FROM (VALUES (1), (NULL)) t (x)  -- 1")
@aggregate("regr_count(float8, float8) -> int8", doc="The number of pairs without NULL.",
           example="SELECT regr_count(y, x) FROM (VALUES (2, 1), (4, NULL)) t (y, x)  -- 1")
class Count(Aggregate):
    """One cell."""
    cells, initial, empty_is_null = (I64,), (0,), False

    def update(self, call, cells, mask, *values):
        count_where(call.k, cells[0], mask)

    def combine(self, call, cells, others):
        cells[0].set(cells[0].get() + others[0].get())

    def final(self, call, cells):
        return Sql(cells[0].get(), True)


class CountOfRows(Count):
    """The number of rows, NULL or not. The binder counts distinct rows of several columns with it."""
    strict = False


COUNT_OF_ROWS = AggregateSignature("count", (), TYPES["int8"], CountOfRows, variadic=True)
