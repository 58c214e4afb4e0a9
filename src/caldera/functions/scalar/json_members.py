"""Members and elements of JSON: -> and ->>. Generated code walks over the text (kernel.json_walk); results are slices of it.

Plain Python does what is rare: keys and strings with escapes.
"""
from caldera.functions.registry import scalar
from caldera.kernel.interface import BOOL, I64
from caldera.kernel.json_walk import (BACKSLASH, NOT_FOUND, OPEN_ARRAY, OPEN_OBJECT, QUOTE, count_elements, find_element,
                                      find_member)
from caldera.kernel.layouts import TEXT
from caldera.kernel.nullable import Sql
from caldera.kernel.text import Text
from caldera.kernel.utf8 import byte_at
from caldera.types.json_parts import member
from caldera.types.json_values import read
from caldera.types.registry import lookup


def has_escapes(k, address, length):
    """Routine: whether some bytes hold what a string of JSON writes with a backslash, or a backslash."""
    at, found = k.variable(I64, 0), k.variable(BOOL, False)
    for _ in k.while_(lambda: k.and_(at.get() < length, k.not_(found.get()))):
        byte = byte_at(k, address + at.get())
        found.set(k.or_(byte == BACKSLASH, byte == QUOTE, byte < 32))
        at.set(at.get() + 1)
    return found.get()


def has_backslash(k, address, length):
    """Routine: whether a backslash is among some bytes."""
    at, found = k.variable(I64, 0), k.variable(BOOL, False)
    for _ in k.while_(lambda: k.and_(at.get() < length, k.not_(found.get()))):
        found.set(byte_at(k, address + at.get()) == BACKSLASH)
        at.set(at.get() + 1)
    return found.get()


def slice_at(k, document, bounds):
    """The Sql of a part of a document, whose start may be NOT_FOUND."""
    start, stop = bounds
    is_there = start != NOT_FOUND
    start = k.choose(is_there, start, k.constant(I64, 0))
    return Sql(Text(k, document.address + start, stop - start, document.lifetime), is_there)


def member_of(call, document, key):
    """The Sql of a member's value, in the text of JSON."""
    k, kind = call.k, call.types[0]
    slow = k.routine(has_escapes, key.address, key.length)
    if kind.name == "json":
        slow = k.or_(slow, k.routine(has_backslash, document.address, document.length))
    is_unique = k.constant(I64, kind.name == "jsonb")
    quick = slice_at(k, document, k.routine(find_member, document.address, document.length, key.address, key.length,
                                            is_unique))
    value, valid = TEXT.variable(k, in_scratch(quick.value)), k.variable(BOOL, k.as_condition(quick.valid))
    for _ in k.when(slow):
        found = call.python(member, call.types, kind, [document, key])
        value.set(found.value)
        valid.set(k.as_condition(found.valid))
    return Sql(value.get(), valid.get())


def in_scratch(text):
    """A text as one that may be in scratch memory, too."""
    return Text(text.k, text.address, text.length, "block")


def element_of(call, document, index):
    """The Sql of an array's element, in the text of JSON; from the end if the index is negative. A scalar jsonb counts as an
    array of itself."""
    k = call.k
    place = k.variable(I64, k.convert(index, I64))
    for _ in k.when(place.get() < 0):
        place.set(place.get() + k.routine(count_elements, document.address, document.length))
    found = slice_at(k, document, k.routine(find_element, document.address, document.length, place.get()))
    if call.types[0].name == "json":
        return found
    first = byte_at(k, document.address)
    is_scalar = k.and_(first != OPEN_ARRAY, first != OPEN_OBJECT, k.or_(index == 0, index == -1))
    return Sql(TEXT.choose(k, is_scalar, document, found.value), k.or_(is_scalar, found.valid))


def as_text(call, sql):
    """A value of JSON as text: strings without quotes and escapes, null as NULL."""
    k, value = call.k, sql.value
    first = byte_at(k, value.address)
    is_string = k.as_condition(k.and_(sql.valid, first == QUOTE))
    edge = k.convert(is_string, I64)
    result = TEXT.variable(k, Text(k, value.address + edge, value.length - (edge << 1), "block"))
    escaped = k.variable(BOOL, False)
    for _ in k.when(is_string):
        escaped.set(k.routine(has_backslash, value.address, value.length))
    for _ in k.when(escaped.get()):
        result.set(call.python(read, (lookup("json"),), lookup("text"), [value]).value)
    return Sql(result.get(), k.and_(sql.valid, first != ord("n")))


def define(type):
    """-> and ->> of a type, by key and by index."""
    options = {"may_be_null": True}
    document, shown = f"""'{{"a": "x"}}'::{type}""", '"x"'
    scalar(f"{type}_object_field({type}, text) -> {type}", operator="->", **options, doc="A member of an object.",
           example=f"SELECT {document} -> 'a'  -- {shown}")(member_of)
    scalar(f"{type}_object_field_text({type}, text) -> text", operator="->>", **options,
           doc="A member of an object as text.", example=f"SELECT {document} ->> 'a'  -- x",
           )(lambda call, document, key: as_text(call, member_of(call, document, key)))
    scalar(f"{type}_array_element({type}, int4) -> {type}", operator="->", **options,
           doc="An element of an array, from 0; from the end if negative.",
           example=f"SELECT '[1, 2]'::{type} -> -1  -- 2")(element_of)
    scalar(f"{type}_array_element_text({type}, int4) -> text", operator="->>", **options,
           doc="An element of an array as text.", example=f"SELECT '[1, 2]'::{type} ->> 0  -- 1",
           )(lambda call, document, index: as_text(call, element_of(call, document, index)))


for name in ("json", "jsonb"):
    define(name)
