"""The members and elements of JSON as rows: json_each, json_object_keys, json_array_elements, and the same for jsonb."""
from caldera.base.errors import error
from caldera.functions.registry import TABLE_FUNCTIONS, TableFunction
from caldera.types.json_parts import kind_of, parts
from caldera.types.json_values import read, sql_text
from caldera.types.registry import lookup


def part_text(part):
    """The text in a value that is written as JSON; None for null."""
    return sql_text(read(part)) if kind_of(part) in '"n' else part


def check_object(kind, name):
    """Raise 22023 unless a value's first character is that of an object."""
    if name.endswith("_object_keys"):
        if kind != "{":
            raise error("22023", f"cannot call {name} on {'an array' if kind == '[' else 'a scalar'}")
    elif kind != "{":
        if name.startswith("jsonb"):
            raise error("22023", f"cannot call {name} on a non-object")
        raise error("22023", f"cannot deconstruct {'an array as an object' if kind == '[' else 'a scalar'}")


def check_array(kind, name):
    """Raise 22023 unless a value's first character is that of an array."""
    if kind == "[":
        return
    if name.startswith("jsonb"):
        raise error("22023", f"cannot extract elements from {'an object' if kind == '{' else 'a scalar'}")
    raise error("22023", f"cannot call {name} on {'a non-array' if kind == '{' else 'a scalar'}")


def members(document, name):
    """Pairs (key, text) of an object in its order: that of json's text, that of jsonb."""
    check_object(kind_of(document), name)
    return parts(document)


def elements(document, name):
    """The texts of an array's elements."""
    check_array(kind_of(document), name)
    return [part for _, part in parts(document)]


def rows_of(make):
    """The rows of a table function of one argument; none for NULL."""
    return lambda session, document: () if document is None else make(document)


def define(type):
    """The functions of a type, json or jsonb."""
    name = type.name
    each, each_text, keys = f"{name}_each", f"{name}_each_text", f"{name}_object_keys"
    array, array_text, text = f"{name}_array_elements", f"{name}_array_elements_text", lookup("text")
    enter(each, type, (("key", text), ("value", type)), lambda document: members(document, each), "Keys and values")
    enter(each_text, type, (("key", text), ("value", text)),
          lambda document: ((key, part_text(part)) for key, part in members(document, each_text)),
          "Keys and texts of values")
    enter(keys, type, ((keys, text),), lambda document: ((key,) for key, _ in members(document, keys)), "Keys")
    enter(array, type, (("value", type),), lambda document: ((part,) for part in elements(document, array)), "Elements")
    enter(array_text, type, (("value", text),),
          lambda document: ((part_text(part),) for part in elements(document, array_text)), "Elements as texts")


def enter(name, type, columns, make, doc):
    """Register a table function of one document."""
    TABLE_FUNCTIONS.setdefault(name, []).append(TableFunction(name, (type,), columns, rows_of(make), doc=doc))


for type in (lookup("json"), lookup("jsonb")):
    define(type)
