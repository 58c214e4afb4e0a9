"""What is in an array: @>, <@, &&, array_position, array_remove, array_replace, width_bucket. NULL is found as a value."""
import bisect

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar.arrays import one_dimensional
from caldera.types.array_image import EMPTY, Array


def key_of(types):
    """A function of an element that gives the same for elements that SQL calls equal, and for NULLs; it can be hashed."""
    sort_key = types[0].element.sort_key
    return lambda datum: None if datum is None else sort_key(datum)


def keys(types, array):
    """The keys of an array's elements, without those of NULLs."""
    key = key_of(types)
    return {key(element) for element in array.elements if element is not None}


# ------------------------------------------------------------------------------------------------ as sets

@scalar("arraycontains(anyarray, anyarray) -> bool", operator="@>", python=True, wants_types=True,
        doc="Whether each element of the second array is in the first; NULL is in none.",
        example="SELECT ARRAY[1, 4, 3] @> ARRAY[3, 1, 3]  -- t")
def contains(types, a, b):
    return None not in b.elements and keys(types, b) <= keys(types, a)


@scalar("arraycontained(anyarray, anyarray) -> bool", operator="<@", python=True, wants_types=True,
        doc="Whether each element of the first array is in the second; NULL is in none.",
        example="SELECT ARRAY[2, 2, 7] <@ ARRAY[1, 7, 4, 2, 6]  -- t")
def contained(types, a, b):
    return contains(types, b, a)


@scalar("arrayoverlap(anyarray, anyarray) -> bool", operator="&&", python=True, wants_types=True,
        doc="Whether the arrays have an element in common; NULL is none.",
        example="SELECT ARRAY[1, 4, 3] && ARRAY[2, 1]  -- t")
def overlaps(types, a, b):
    return not keys(types, a).isdisjoint(keys(types, b))


# ------------------------------------------------------------------------------------------------ places

def places(types, array, element):
    """The subscripts of the elements that are equal to one, or NULL as well."""
    key = key_of(types)
    wanted, lower = key(element), (one_dimensional(array, "searching for elements in").lowers or (1,))[0]
    return [number for number, found in enumerate(array.elements, lower) if key(found) == wanted]


@scalar("array_position(anycompatiblearray, anycompatible) -> int4",
        "array_position(anycompatiblearray, anycompatible, int4) -> int4", python=True, strict=False, wants_types=True,
        doc="The subscript of the first element that is equal to a value, from a subscript on.",
        example="SELECT array_position(ARRAY['sun', 'mon', 'tue'], 'mon')  -- 2")
def array_position(types, array, element, *start):
    if array is None:
        return None
    if start == (None,):
        one_dimensional(array, "searching for elements in")
        raise error("22004", "initial position must not be null")
    return next((place for place in places(types, array, element) if not start or place >= start[0]), None)


@scalar("array_positions(anycompatiblearray, anycompatible) -> _int4", python=True, strict=False, wants_types=True,
        doc="The subscripts of all elements that are equal to a value.",
        example="SELECT array_positions(ARRAY['A', 'A', 'B', 'A'], 'A')  -- {1,2,4}")
def array_positions(types, array, element):
    return None if array is None else Array.of(places(types, array, element))


@scalar("width_bucket(anycompatible, anycompatiblearray) -> int4", python=True, wants_types=True,
        doc="How many of the ascending bounds are at most a value.",
        example="SELECT width_bucket(5, ARRAY[0, 5, 10])  -- 2")
def width_bucket(types, value, bounds):
    if len(bounds.dims) > 1:
        raise error("2202E", "thresholds must be one-dimensional array")
    if None in bounds.elements:
        raise error("22004", "thresholds array must not contain NULLs")
    sort_key = types[1].element.sort_key
    return bisect.bisect_right(list(map(sort_key, bounds.elements)), sort_key(value))


# ------------------------------------------------------------------------------------------------ changes

@scalar("array_remove(anycompatiblearray, anycompatible) -> anycompatiblearray", python=True, strict=False, wants_types=True,
        doc="The array without the elements that are equal to a value.",
        example="SELECT array_remove(ARRAY[1, 2, 3, 2], 2)  -- {1,3}")
def array_remove(types, array, element):
    if array is None:
        return None
    one_dimensional(array, "removing elements from")
    key = key_of(types)
    wanted = key(element)
    kept = tuple(found for found in array.elements if key(found) != wanted)
    return Array(kept, (len(kept),), array.lowers) if kept else EMPTY


@scalar("array_replace(anycompatiblearray, anycompatible, anycompatible) -> anycompatiblearray", python=True, strict=False,
        wants_types=True, doc="The array with each element that is equal to a value replaced by another.",
        example="SELECT array_replace(ARRAY[1, 2, 5, 4], 5, 3)  -- {1,2,3,4}")
def array_replace(types, array, old, new):
    if array is None:
        return None
    key = key_of(types)
    wanted = key(old)
    return array._replace(elements=tuple(new if key(found) == wanted else found for found in array.elements))
