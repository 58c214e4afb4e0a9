"""What an array is like: comparisons, numbers of elements and dimensions, bounds."""
from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar.comparison import OPERATORS, compared
from caldera.kernel.interface import I32, I64
from caldera.kernel.nullable import Sql
from caldera.types.array_text import DIMENSIONS_MAX
from caldera.types.staged_arrays import ArrayView


def comparison(symbol):
    """The body of a comparison of two arrays of one type."""
    return lambda call, a, b: compared(call.k, call.types[0], symbol, a, b)


for operator, (suffix, words, holds) in OPERATORS.items():
    scalar(f"array_{suffix}(anyarray, anyarray) -> bool", operator=operator,
           doc=f"Whether the left array is {words} the right one: element by element, then by length.",
           example=f"SELECT ARRAY[1, 2] {operator} ARRAY[1, 3]  -- {'t' if holds else 'f'}")(comparison(operator))


def view_of(call, array):
    """The ArrayView of the first argument."""
    return ArrayView(call.k, call.types[0].element, array)


def of_dimension(call, array, number, fact):
    """The Sql of `fact(length, lower)` of a dimension, NULL if the array has it not."""
    k, view = call.k, view_of(call, array)
    wide = k.convert(number, I64)
    is_there = k.and_(wide >= 1, wide <= view.dimensions)
    return Sql(k.convert(fact(*view.dimension(k.choose(is_there, wide - 1, 0))), I32), is_there)


@scalar("array_length(anyarray, int4) -> int4", may_be_null=True, doc="The length of a dimension.",
        example="SELECT array_length(ARRAY[1, 2, 3], 1)  -- 3")
def array_length(call, array, dimension):
    return of_dimension(call, array, dimension, lambda length, lower: length)


@scalar("array_lower(anyarray, int4) -> int4", may_be_null=True, doc="The least subscript of a dimension.",
        example="SELECT array_lower('[0:2]={1,2,3}'::int[], 1)  -- 0")
def array_lower(call, array, dimension):
    return of_dimension(call, array, dimension, lambda length, lower: lower)


@scalar("array_upper(anyarray, int4) -> int4", may_be_null=True, doc="The greatest subscript of a dimension.",
        example="SELECT array_upper(ARRAY[1, 8, 3, 7], 1)  -- 4")
def array_upper(call, array, dimension):
    return of_dimension(call, array, dimension, lambda length, lower: lower + length - 1)


@scalar("cardinality(anyarray) -> int4", doc="How many elements there are, in all dimensions.",
        example="SELECT cardinality(ARRAY[[1, 2], [3, 4]])  -- 4")
def cardinality(call, array):
    return call.k.convert(view_of(call, array).count, I32)


@scalar("array_ndims(anyarray) -> int4", may_be_null=True, doc="The number of dimensions.",
        example="SELECT array_ndims(ARRAY[[1, 2, 3], [4, 5, 6]])  -- 2")
def array_ndims(call, array):
    view = view_of(call, array)
    return Sql(call.k.convert(view.dimensions, I32), view.dimensions > 0)


@scalar("array_dims(anyarray) -> text", python=True, doc="The bounds of all dimensions.",
        example="SELECT array_dims(ARRAY[[1, 2, 3], [4, 5, 6]])  -- [1:2][1:3]")
def array_dims(array):
    return "".join(f"[{lower}:{lower + length - 1}]" for length, lower in zip(array.dims, array.lowers)) or None


def one_dimensional(array, what):
    """The Array; 0A000 if it has several dimensions."""
    if len(array.dims) > 1:
        raise error("0A000", f"{what} multidimensional arrays is not supported")
    return array


def check_dimensions(count):
    """Raise 54000 for more dimensions than an array may have."""
    if count > DIMENSIONS_MAX:
        raise error("54000", f"number of array dimensions ({count}) exceeds the maximum allowed ({DIMENSIONS_MAX})")
