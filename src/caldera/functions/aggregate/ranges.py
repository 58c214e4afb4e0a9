"""range_agg and range_intersect_agg: what lies in any, and in all, of some ranges or multiranges."""
from caldera.functions.registry import Aggregate, aggregate
from caldera.types import range_algebra as algebra


class RangeAggregate(Aggregate):
    """State: None before the first value."""
    python = True

    def __init__(self, types, result):
        super().__init__(types, result)
        self.range = result if result.kind == "r" else result.range

    def start(self):
        return None

    def finish(self, state):
        return state


@aggregate("range_agg(anyrange) -> anymultirange", doc="What lies in any of the ranges.",
           example="SELECT range_agg(x) FROM (VALUES (int4range(1, 3)), (int4range(2, 5))) t (x)  -- {[1,5)}")
@aggregate("range_agg(anymultirange) -> anymultirange", doc="What lies in any of the multiranges.")
class AllRanges(RangeAggregate):
    """State: the ranges."""
    grows = True

    def step(self, state, datum):
        return (state or []) + list(self.types[0].parts(datum))

    def merge(self, state, other):
        return state if other is None else (state or []) + other

    def finish(self, state):
        return None if state is None else algebra.merged(self.range, state)


class Intersection(RangeAggregate):
    """State: the intersection so far."""

    def step(self, state, datum):
        return datum if state is None else self.both(state, datum)

    def merge(self, state, other):
        return state if other is None else self.step(state, other)


@aggregate("range_intersect_agg(anyrange) -> anyrange", doc="What lies in all of the ranges.",
           example="SELECT range_intersect_agg(x) FROM (VALUES (int4range(1, 3)), (int4range(2, 5))) t (x)  -- [2,3)")
class CommonRange(Intersection):
    """Of ranges."""

    def both(self, a, b):
        """What lies in two."""
        return algebra.intersection(self.range, a, b)


@aggregate("range_intersect_agg(anymultirange) -> anymultirange", doc="What lies in all of the multiranges.")
class CommonRanges(Intersection):
    """Of multiranges."""

    def both(self, a, b):
        """What lies in two."""
        return algebra.common(self.range, a, b)
