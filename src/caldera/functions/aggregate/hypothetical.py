"""rank, dense_rank, percent_rank, cume_dist WITHIN GROUP: where a row that is not there would stand among the others.

Nothing computes them as they are written: the binder makes counts of rows of them (bind/hypothetical.py).
"""
from caldera.functions.registry import Aggregate, aggregate


class HypotheticalRow(Aggregate):
    """What stands for such a function among the aggregates."""
    within_group = True


AMONG = "WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (1), (3)) t (x)"
for name, result, doc, shown in (
        ("rank", "int8", "The place that a row would have among the others, with gaps.", "3"),
        ("dense_rank", "int8", "The place that a row would have among the others, without gaps.", "2"),
        ("percent_rank", "float8", "The share of the others that would come before a row.", "0.6666666666666666"),
        ("cume_dist", "float8", "The share of all rows that would come before a row or with it.", "0.75")):
    aggregate(f"{name}(any) -> {result}", doc=doc, example=f"SELECT {name}(2) {AMONG}  -- {shown}", variadic=True,
              )(type(name, (HypotheticalRow,), {"__doc__": doc}))
