"""Arrays: for each type that has arrays one type of them, integer[] for integer, with any number of dimensions.

    types.array.array_of(element)     the type of a type's arrays; registered as PostgreSQL names it, "_int4"
    array_image.py  the bytes         array_text.py  '{1,2}'          staged_arrays.py  generated code

A modifier is that of the elements: numeric(10,2)[]. Arrays lie in memory as texts do, so that all that holds texts (tables
of groups, sorts, parts) holds arrays.
"""
from functools import cache
from itertools import pairwise

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.types import array_text
from caldera.types.array_image import EMPTY, Array, pack, unpack
from caldera.types.registry import TYPES, SqlType, register
from caldera.types.staged_arrays import comparing, hashing, leading_key


class ArrayType(SqlType):
    """Arrays of a type, in the order of their elements."""
    category = "A"
    layout = layouts.TEXT
    python_type = list
    bytes_are_ordered, has_parts = False, True

    def __init__(self, element):
        self.element = element
        self.name, self.oid = f"_{element.name}", element.array_oid
        self.equal_is_same, self.comparable = element.equal_is_same, element.comparable
        self.compare_routine, self.hash_routine = comparing(element), hashing(element)

    @property
    def sql_name(self):
        return f"{self.element.sql_name}[]"

    @property
    def schema_name(self):
        return self.element.schema_name

    @property
    def catalog_name(self):
        return f"_{self.element.catalog_name}"

    @property
    def short_name(self):
        return f"{self.element.short_name}[]"

    # ---- text and Python forms

    def parse(self, text, modifier=None, session=None):
        return array_text.read(text, lambda part: self.element.parse(part, modifier, session))

    def format(self, datum, session=None):
        return array_text.write(datum, lambda part: self.element.format(part, session))

    def spell(self, modifier=None):
        return f"{self.element.spell(modifier)}[]"

    def encode_modifier(self, numbers, position=None):
        return self.element.encode_modifier(numbers, position)

    def typmod_of(self, modifier):
        return self.element.typmod_of(modifier)

    def modifier_of(self, typmod):
        return self.element.modifier_of(typmod)

    def apply_modifier(self, datum, modifier, explicit=False):
        return self.with_elements(datum, lambda part: self.element.apply_modifier(part, modifier, explicit))

    @staticmethod
    def with_elements(datum, change):
        """The Array with each element changed that is not NULL."""
        return datum._replace(elements=tuple(None if part is None else change(part) for part in datum.elements))

    def to_python(self, datum, session=None):
        """Nested lists; lower bounds are lost."""
        if not datum.elements:
            return []
        parts = [None if part is None else self.element.to_python(part, session) for part in datum.elements]
        for length in reversed(datum.dims[1:]):
            parts = [parts[first:first + length] for first in range(0, len(parts), length)]
        return parts

    def from_python(self, thing):
        """Of nested lists, or of a text. Raises 22P02 for lists of different lengths."""
        if isinstance(thing, str):
            return self.parse(thing)
        dims, parts = [], list(thing)
        while parts and all(isinstance(part, (list, tuple)) for part in parts):
            dims.append(len(parts))
            if any(len(part) != len(parts[0]) for part in parts):
                raise error("22P02", "malformed array literal",
                            detail="Multidimensional arrays must have sub-arrays with matching dimensions.")
            parts = [inner for part in parts for inner in part]
        if not parts:
            return EMPTY
        counts = [1, *dims, len(parts)]                 # how many there are at each depth
        elements = tuple(None if part is None else self.element.from_python(part) for part in parts)
        return Array(elements, tuple(below // above for above, below in pairwise(counts)), (1,) * (len(counts) - 1))

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.list_(self.element.arrow_type(modifier))

    # ---- bytes

    def to_bytes(self, datum):
        return pack(self.element, datum)

    def from_bytes(self, data):
        return unpack(self.element, data)

    def sort_key(self, datum):
        elements = tuple((part is None, None if part is None else self.element.sort_key(part)) for part in datum.elements)
        return elements, len(datum.dims), datum.dims, datum.lowers

    # ---- staged

    def equal(self, k, a, b):
        if self.equal_is_same:
            return super().equal(k, a, b)
        return self.compared(k, a, b) == 0

    def less(self, k, a, b):
        return self.compared(k, a, b) < 0

    def compared(self, k, a, b):
        """Below, at or above 0 as one array sorts before, with or behind the other."""
        return k.routine(self.compare_routine, a.address, a.length, b.address, b.length)

    def hash(self, k, a):
        return super().hash(k, a) if self.equal_is_same else k.routine(self.hash_routine, a.address, a.length)

    def key(self, k, a):
        return [leading_key(k, self.element, a)]


@cache
def array_of(element):
    """The type of the arrays of a type; KeyError for a type that has none."""
    if not element.array_oid:
        raise KeyError(element.name)
    if TYPES.get(element.name) is not element:              # one of the many that are called record
        return ArrayType(element)
    return TYPES.get(f"_{element.name}") or register(ArrayType(element))


@cache
def list_of(type):
    """Arrays of a type as the engine has them for itself, be it of arrays; SQL knows none of them by name."""
    return ArrayType(type)


def register_arrays():
    """Make the array types of all types that are registered by now."""
    for element in [type for type in TYPES.values() if type.array_oid]:
        array_of(element)
