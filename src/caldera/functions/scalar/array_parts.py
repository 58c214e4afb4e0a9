"""Arrays put together and taken apart, on Arrays in Python: what constructors, slices and functions of arrays share."""
from itertools import product
from math import prod

from caldera.base.errors import error
from caldera.types.array_image import EMPTY, Array, joined
from caldera.types.array_text import DIMENSIONS_MAX, ELEMENTS_MAX, too_many_dimensions


def checked(array):
    """The Array, if it is one that may be: 54000 for too many elements, an upper bound beyond int4."""
    if len(array.elements) > ELEMENTS_MAX:
        raise error("54000", f"array size exceeds the maximum allowed ({ELEMENTS_MAX})")
    for length, lower in zip(array.dims, array.lowers):
        if lower + length > 2**31 - 1:
            raise error("54000", f"array lower bound is too large: {lower}")
    return array


def joined_arrays(arrays):
    """The Array of a dimension more that consists of others (array_image.joined). Raises 54000 for too many dimensions."""
    whole = joined(arrays)
    if len(whole.dims) > DIMENSIONS_MAX:
        raise too_many_dimensions()
    return checked(whole)


def slice_of(array, bounds):
    """array[low:high]...: bounds are pairs for the first dimensions, None for the array's own. What is outside does not
    count; subscripts of the result start at 1."""
    if not array.elements or len(bounds) > len(array.dims):
        return EMPTY
    ranges = []
    for number, (length, lower) in enumerate(zip(array.dims, array.lowers)):
        low, high = bounds[number] if number < len(bounds) else (None, None)
        low = lower if low is None else max(low, lower)
        high = lower + length - 1 if high is None else min(high, lower + length - 1)
        if low > high:
            return EMPTY
        ranges.append(range(low - lower, high - lower + 1))
    strides = [prod(array.dims[number + 1:]) for number in range(len(array.dims))]
    elements = tuple(array.elements[sum(place * stride for place, stride in zip(places, strides))]
                     for places in product(*ranges))
    return Array(elements, tuple(map(len, ranges)), (1,) * len(ranges))
