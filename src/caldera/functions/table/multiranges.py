"""unnest of multiranges: their ranges in order."""
from caldera.functions.registry import TABLE_FUNCTIONS, TableFunction
from caldera.types.ranges import RANGES


def ranges_of(session, ranges):
    """The ranges of a multirange."""
    return ((range,) for range in ranges or ())


for type in RANGES:
    function = TableFunction("unnest", (type.multirange,), (("unnest", type),), ranges_of, doc="The ranges of a multirange")
    TABLE_FUNCTIONS.setdefault("unnest", []).append(function)
