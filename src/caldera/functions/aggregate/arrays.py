"""array_agg: the values, NULLs as well, as an array; of arrays one of a dimension more."""
from caldera.base.errors import error
from caldera.functions.registry import Aggregate, aggregate
from caldera.functions.scalar.array_parts import joined_arrays
from caldera.types.array_image import Array


@aggregate("array_agg(anynonarray) -> anyarray", doc="The values as an array.",
           example="SELECT array_agg(x ORDER BY x DESC) FROM (VALUES (1), (2)) t (x)  -- {2,1}")
class Gathered(Aggregate):
    """State: the list of the values."""
    python, strict, ordered, grows, gathers = True, False, True, True, True

    def start(self):
        return []

    def step(self, state, value):
        state.append(value)
        return state

    def merge(self, state, other):
        return state + other

    def finish(self, state):
        return Array.of(state) if state else None


@aggregate("array_agg(anyarray) -> anyarray", doc="The arrays, which are alike, as one of a dimension more.",
           example="SELECT array_agg(x ORDER BY x) FROM (VALUES (ARRAY[1, 2]), (ARRAY[3, 4])) t (x)  -- {{1,2},{3,4}}")
class GatheredArrays(Gathered):
    """The same for arrays. Raises 22004 for NULL, 2202E for empty ones and for those that are not alike."""
    gathers = False

    def step(self, state, value):
        if value is None:
            raise error("22004", "cannot accumulate null arrays")
        if not value.dims and not state:
            raise error("2202E", "cannot accumulate empty arrays")
        if state and (value.dims, value.lowers) != (state[0].dims, state[0].lowers):
            raise error("2202E", "cannot accumulate arrays of different dimensionality")
        state.append(value)
        return state

    def finish(self, state):
        return joined_arrays(state) if state else None
