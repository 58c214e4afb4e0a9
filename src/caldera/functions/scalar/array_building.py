"""Arrays made of others: ||, array_append, array_fill, trim_array, array_reverse, array_sort."""
from math import prod

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar.array_parts import checked
from caldera.functions.scalar.arrays import check_dimensions
from caldera.types.array_image import EMPTY, Array
from caldera.types.array_text import check_size


def single(array):
    """The Array of one dimension or none, of NULL an empty one. Raises 22000."""
    if array is not None and len(array.dims) > 1:
        raise error("22000", "argument must be empty or one-dimensional array")
    return EMPTY if array is None else array


@scalar("array_append(anycompatiblearray, anycompatible) -> anycompatiblearray", operator="||", python=True, strict=False,
        doc="The array with an element behind.", example="SELECT array_append(ARRAY[1, 2], 3)  -- {1,2,3}")
def array_append(array, element):
    elements, lower = single(array).elements, (array.lowers if array else ()) or (1,)
    if lower[0] + len(elements) >= 2**31:
        raise error("22003", "integer out of range")
    return checked(Array((*elements, element), (len(elements) + 1,), lower))


@scalar("array_prepend(anycompatible, anycompatiblearray) -> anycompatiblearray", operator="||", python=True, strict=False,
        doc="The array with an element before; it begins with the same subscript.",
        example="SELECT array_prepend(1, ARRAY[2, 3])  -- {1,2,3}")
def array_prepend(element, array):
    elements, lower = single(array).elements, (array.lowers if array else ()) or (1,)
    return checked(Array((element, *elements), (len(elements) + 1,), lower))


@scalar("array_cat(anycompatiblearray, anycompatiblearray) -> anycompatiblearray", operator="||", python=True, strict=False,
        doc="One array behind the other; one that has a dimension less counts as an element.",
        example="SELECT array_cat(ARRAY[1, 2, 3], ARRAY[4, 5])  -- {1,2,3,4,5}")
def array_cat(a, b):
    if a is None or b is None or not b.dims:
        return b if a is None else a
    if not a.dims:
        return b
    difference = len(a.dims) - len(b.dims)
    if abs(difference) > 1:
        raise incompatible(f"Arrays of {len(a.dims)} and {len(b.dims)} dimensions")
    if difference == 0 and (a.dims[1:], a.lowers[1:]) != (b.dims[1:], b.lowers[1:]):
        raise incompatible("Arrays with differing element dimensions")
    outer, inner = (a, b) if difference > 0 else (b, a)
    if difference and (inner.dims, inner.lowers) != (outer.dims[1:], outer.lowers[1:]):
        raise incompatible("Arrays with differing dimensions")
    length = a.dims[0] + b.dims[0] if difference == 0 else outer.dims[0] + 1
    lowers = a.lowers if difference == 0 else outer.lowers
    return checked(Array(a.elements + b.elements, (length, *outer.dims[1:]), lowers))


def incompatible(which):
    """The error for arrays that do not go together."""
    return error("2202E", "cannot concatenate incompatible arrays",
                 detail=f"{which} are not compatible for concatenation.")


# ------------------------------------------------------------------------------------------------ of one element

@scalar("array_fill(anyelement, _int4) -> anyarray", "array_fill(anyelement, _int4, _int4) -> anyarray", python=True,
        strict=False, doc="An array of some lengths, and lower bounds, filled with a value.",
        example="SELECT array_fill(7, ARRAY[2, 3])  -- {{7,7,7},{7,7,7}}")
def array_fill(element, dims, lowers=EMPTY):
    if dims is None or lowers is None:
        raise error("22004", "dimension array or low bound array cannot be null")
    check_filling(dims, lowers)
    if not dims.elements or 0 in dims.elements:
        return EMPTY
    if any(length < 0 for length in dims.elements):
        check_size((2**31,))
    check_size(dims.elements)
    return checked(Array((element,) * prod(dims.elements), dims.elements, lowers.elements or (1,) * len(dims.elements)))


def check_filling(dims, lowers):
    """Raise 2202E, 54000 or 22004 for lengths and lower bounds that no array can have."""
    for array, name in ((dims, "Dimension array"), (lowers, "Low bound array")):
        if len(array.dims) > 1:
            raise error("2202E", "wrong number of array subscripts", detail=f"{name} must be one dimensional.")
    check_dimensions(len(dims.elements))
    if None in dims.elements or None in lowers.elements:
        raise error("22004", "dimension values cannot be null")
    if lowers is not EMPTY and len(lowers.elements) != len(dims.elements):
        raise error("2202E", "wrong number of array subscripts",
                    detail="Low bound array has different size than dimensions array.")


# ------------------------------------------------------------------------------------------------ by its first dimension

def rows_of(array):
    """The elements of the first dimension: tuples of elements."""
    size = prod(array.dims[1:])
    return [array.elements[first:first + size] for first in range(0, len(array.elements), size)]


def of_rows(array, rows):
    """The Array that has other elements of the first dimension."""
    if not rows:
        return EMPTY
    return Array(tuple(element for row in rows for element in row), (len(rows), *array.dims[1:]), array.lowers)


@scalar("trim_array(anyarray, int4) -> anyarray", python=True, doc="The array without its last elements.",
        example="SELECT trim_array(ARRAY[1, 2, 3, 4], 2)  -- {1,2}")
def trim_array(array, count):
    length = array.dims[0] if array.dims else 0
    if not 0 <= count <= length:
        raise error("2202E", f"number of elements to trim must be between 0 and {length}")
    trimmed = of_rows(array, rows_of(array)[:length - count])
    return trimmed._replace(lowers=(1,) * len(trimmed.dims))


@scalar("array_reverse(anyarray) -> anyarray", python=True, doc="The first dimension in reverse order.",
        example="SELECT array_reverse(ARRAY[1, 2, 3])  -- {3,2,1}")
def array_reverse(array):
    return of_rows(array, rows_of(array)[::-1])


@scalar("array_sort(anyarray) -> anyarray", "array_sort(anyarray, bool) -> anyarray",
        "array_sort(anyarray, bool, bool) -> anyarray", python=True, wants_types=True,
        doc="The first dimension in ascending or descending order, NULLs last or first.",
        example="SELECT array_sort(ARRAY[3, 1, 2])  -- {1,2,3}")
def array_sort(types, array, descending=False, nulls_first=None):
    element = types[0].element
    nulls_first = descending if nulls_first is None else nulls_first
    rows = rows_of(array)
    if len(array.dims) > 1:
        rows.sort(key=lambda row: [(item is None, item if item is None else element.sort_key(item)) for item in row],
                  reverse=descending)
        return of_rows(array, rows)
    nulls = [row for row in rows if row[0] is None]
    present = sorted((row for row in rows if row[0] is not None), key=lambda row: element.sort_key(row[0]),
                     reverse=descending)
    return of_rows(array, nulls + present if nulls_first else present + nulls)
