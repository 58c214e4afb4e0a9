"""DISTINCT ON and WITH TIES: both are conditions on numbers that window functions give to rows.

    SELECT DISTINCT ON (a) ... ORDER BY a, b     Sort(Filter(Window(row_number() PARTITION BY a ORDER BY b), number = 1))
    ... ORDER BY a FETCH FIRST 3 ROWS WITH TIES  Sort(Filter(Window(rank(), row_number() ORDER BY a), rank <= 3))
"""
from caldera.bind.operators import apply
from caldera.functions import registry as functions
from caldera.plan.expressions import Constant, new_column
from caldera.plan.nodes import Filter, Window
from caldera.plan.predicates import conjunction
from caldera.plan.windows import WindowCall
from caldera.types.registry import TYPES


def numbered(plan, names, partition, order):
    """(a Window node that numbers rows by some of row_number and rank, its columns)."""
    calls = []
    for name in names:
        function = functions.WINDOW_FUNCTIONS[name][0]
        call = WindowCall(name="w1", function=function, arguments=(), type=TYPES["int8"], modifier=None, filter=None)
        calls.append((new_column(name, call.type, None, False), call))
    node = Window(partition=tuple(partition), order=tuple(order), name="w1", input=plan, calls=tuple(calls))
    return node, [column for column, _ in calls]


def first_of_each(scope, plan, keys, order):
    """The first row of each group of rows that have the same keys, in an order."""
    node, (number,) = numbered(plan, ["row_number"], keys, order)
    return Filter(node, apply(scope, "=", number, Constant(1, number.type), None))


def with_ties(scope, plan, order, limit, offset):
    """The rows from `offset` on, in an order: `limit` of them, and those that are equal to the last one."""
    node, (rank, number) = numbered(plan, ["rank", "row_number"], (), order)
    last = limit if offset is None else apply(scope, "+", limit, offset, None)
    conditions = [apply(scope, "<=", rank, last, None)]
    if offset is not None:
        conditions.append(apply(scope, ">", number, offset, None))
    return Filter(node, conjunction(conditions))
