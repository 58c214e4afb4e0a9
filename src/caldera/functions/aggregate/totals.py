"""Totals: sums that are 0 where there is nothing to sum. No SQL names them; the optimizer makes sums and averages of them,

    sum(x)  ──▶  CASE WHEN count(x) <> 0 THEN total(x) END          avg(x)  ──▶  total(x) / count(x)

so that aggregates over one column share a total and a count.
"""
from caldera.functions.aggregate.sums import SumOfLongIntegers, accumulate, add_cells
from caldera.functions.registry import Aggregate, AggregateSignature
from caldera.kernel.interface import I32, I64
from caldera.kernel.nullable import Sql
from caldera.types.registry import TYPES


class TotalOfShortIntegers(Aggregate):
    """One cell, which 2^31 rows cannot overflow."""
    cells, initial, empty_is_null = (I64,), (0,), False

    def update(self, call, cells, mask, value):
        accumulate(call.k, cells[0], mask, call.k.convert(value, I64))

    def combine(self, call, cells, others):
        add_cells(call.k, cells, others)

    def final(self, call, cells):
        return Sql(cells[0].get(), True)


class TotalOfLongIntegers(SumOfLongIntegers):
    """Cells: total of the low halves, total of the high halves."""
    cells, initial, empty_is_null = (I64, I64), (0, 0), False

    def update(self, call, cells, mask, value):
        k = call.k
        accumulate(k, cells[0], mask, value & 0xFFFFFFFF)
        accumulate(k, cells[1], mask, k.convert(k.convert(value >> 32, I32), I64))

    def final(self, call, cells):
        return Sql(self.total(call, cells), True)


SHORT, LONG = ("int8", TotalOfShortIntegers), ("numeric", TotalOfLongIntegers)
TOTAL_OF_COUNTS = AggregateSignature("total", (TYPES["int8"],), TYPES["int8"], TotalOfShortIntegers)   # there are few rows
TOTALS = {name: AggregateSignature("total", (TYPES[name],), TYPES[result], implementation)
          for name, (result, implementation) in {"int2": SHORT, "int4": SHORT, "int8": LONG}.items()}
