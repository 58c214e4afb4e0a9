"""Hypothetical-set aggregates: where a row that is not there would stand among those that are.

    rank(v) WITHIN GROUP (ORDER BY x)            ──▶   count(*) FILTER (WHERE x < v) + 1
    dense_rank                                         count(DISTINCT x) FILTER (WHERE x < v) + 1        NULL counts, too
    percent_rank                                       count(*) FILTER (WHERE x < v) / count(*)          0 among no rows
    cume_dist                                          (count(*) FILTER (WHERE x <= v) + 1) / (count(*) + 1)

Rows are counted and never sorted: < stands for the order of WITHIN GROUP, key by key, with NULLs where it puts them.
"""
from caldera.bind.conversions import EXPLICIT, common_type, to_common_type, to_type
from caldera.bind.operators import apply
from caldera.functions import registry as functions
from caldera.functions.aggregate.counting import COUNT_OF_ROWS
from caldera.plan.expressions import AggregateCall, And, Case, Constant, IsDistinct, IsNull, Or
from caldera.types.registry import TYPES

HINT = "To use the hypothetical-set aggregate {}, the number of hypothetical direct arguments (here {}) must match the " \
       "number of ordering columns (here {})."


def matched(binder, arguments, count):
    """(direct arguments, ordered ones), each pair converted to one type. Raises 42804."""
    direct, ordered = [], []
    for value, key in zip(arguments[:-count], arguments[-count:]):
        type = common_type(binder, [key, value], "WITHIN GROUP")
        direct.append(to_common_type(binder, value, type, "WITHIN GROUP"))
        ordered.append(to_common_type(binder, key, type, "WITHIN GROUP"))
    return tuple(direct), tuple(ordered)


class HypotheticalRow:
    """The row of `values` among others, in the order of `keys` (SortKeys). filter: which of the others count, or None."""

    def __init__(self, scope, values, keys, filter, location):
        self.scope, self.values, self.keys, self.filter, self.location = scope, values, keys, filter, location

    def place(self, name, placed):
        """The value of the aggregate of a name. placed: what an AggregateCall becomes where it stands."""
        one, before = Constant(1, TYPES["int8"]), self.precedes(None)
        if name in ("rank", "dense_rank"):
            return self.apply("+", placed(self.count(before, distinct=name == "dense_rank")), one)
        total = placed(self.count(None))
        if name == "cume_dist":
            same = Constant(True, TYPES["bool"])
            counted = self.apply("+", placed(self.count(self.precedes(same))), one)
            return self.quotient(counted, self.apply("+", total, one))
        share = self.quotient(placed(self.count(before)), total)
        is_alone = self.apply("=", total, Constant(0, TYPES["int8"]))
        return Case((is_alone,), (Constant(0.0, share.type),), share, share.type)

    def apply(self, operator, left, right):
        return apply(self.scope, operator, left, right, self.location)

    def quotient(self, left, right):
        """left / right as float8."""
        left, right = (to_type(self.scope.binder, each, TYPES["float8"], EXPLICIT) for each in (left, right))
        return self.apply("/", left, right)

    def count(self, condition, distinct=False):
        """How many rows satisfy a condition; with `distinct`, how many different ones."""
        conditions = tuple(each for each in (self.filter, condition) if each is not None)
        filter = And(conditions) if len(conditions) > 1 else conditions[0] if conditions else None
        every = next(signature for signature in functions.AGGREGATES["count"] if not signature.arguments)
        signature, arguments = (COUNT_OF_ROWS, tuple(key.expression for key in self.keys)) if distinct else (every, ())
        return AggregateCall(signature, arguments, signature.result, None, distinct, filter, direct=self.values)

    def precedes(self, otherwise):
        """Whether a row comes before this one; `otherwise`, if all of its keys are the same. NULL stands for no."""
        condition = otherwise
        for key, value in reversed(list(zip(self.keys, self.values))):
            parts = [self.apply(">" if key.descending else "<", key.expression, value)]
            absent, present = (key.expression, value) if key.nulls_first else (value, key.expression)
            parts.append(And((IsNull(absent), IsNull(present, negated=True))))
            if condition is not None:
                parts.append(And((IsDistinct(key.expression, value, negated=True), condition)))
            condition = Or(tuple(parts))
        return condition
