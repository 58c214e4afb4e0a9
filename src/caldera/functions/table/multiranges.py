"""unnest of multiranges: their ranges in order."""
from functools import cache

from caldera.functions.registry import TABLE_FUNCTIONS, TableFunction
from caldera.types.ranges import RANGES


def ranges_of(session, ranges):
    """The ranges of a multirange."""
    return ((range,) for range in ranges or ())


@cache
def unnest_of(type):
    """The TableFunction that gives the ranges of a multirange type."""
    return TableFunction("unnest", (type,), (("unnest", type.range),), ranges_of, doc="The ranges of a multirange")


TABLE_FUNCTIONS.setdefault("unnest", []).extend(unnest_of(type.multirange) for type in RANGES)
