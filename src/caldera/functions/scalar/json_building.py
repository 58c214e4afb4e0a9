"""JSON made of SQL values: to_json, build_array, build_object, object, and the same for jsonb."""
from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.types.json_of_datums import array_json, json_of, jsonb_of, key_of
from caldera.types.json_values import quoted, write

STABLE = {"python": True, "wants_session": True, "wants_types": True, "volatility": "s"}
ALTERNATING = "The arguments of {} must consist of alternating keys and values."


@scalar("to_json(anyelement) -> json", **STABLE, doc="A value as json.",
        example="SELECT to_json(ARRAY['a', NULL])  -- [\"a\",null]")
def to_json(session, types, datum):
    return json_of(types[0], datum, session)


@scalar("to_jsonb(anyelement) -> jsonb", **STABLE, doc="A value as jsonb.",
        example="SELECT to_jsonb(ARRAY[1, 2])  -- [1, 2]")
def to_jsonb(session, types, datum):
    return write(jsonb_of(types[0], datum, session))


@scalar("array_to_json(anyarray) -> json", **STABLE, doc="An array as json.",
        example="SELECT array_to_json(ARRAY[1, 2])  -- [1,2]")
def array_to_json(session, types, array):
    return array_json(types[0].element, array, session, ",")


@scalar("array_to_json(anyarray, bool) -> json", **STABLE, doc="An array as json, with line feeds between its elements.",
        example="SELECT array_to_json(ARRAY[1, 2], false)  -- [1,2]")
def array_to_json_pretty(session, types, array, line_feeds):
    return array_json(types[0].element, array, session, ",\n " if line_feeds else ",")


# ------------------------------------------------------------------------------------------------ build

@scalar("json_build_array() -> json", python=True, doc="An empty array.", example="SELECT json_build_array()  -- []")
@scalar("jsonb_build_array() -> jsonb", python=True, doc="An empty array.", example="SELECT jsonb_build_array()  -- []")
def empty_array():
    return "[]"


@scalar("json_build_object() -> json", python=True, doc="An empty object.", example="SELECT json_build_object()  -- {}")
@scalar("jsonb_build_object() -> jsonb", python=True, doc="An empty object.", example="SELECT jsonb_build_object()  -- {}")
def empty_object():
    return "{}"


@scalar("json_build_array(any) -> json", variadic=True, strict=False, **STABLE, doc="An array of the arguments.",
        example="SELECT json_build_array(1, 'a', NULL)  -- [1, \"a\", null]")
def json_build_array(session, types, *datums):
    return f"[{', '.join(json_of(type, datum, session) for type, datum in zip(types, datums))}]"


@scalar("jsonb_build_array(any) -> jsonb", variadic=True, strict=False, **STABLE, doc="An array of the arguments.",
        example="SELECT jsonb_build_array(1, 'a', NULL)  -- [1, \"a\", null]")
def jsonb_build_array(session, types, *datums):
    return write([jsonb_of(type, datum, session) for type, datum in zip(types, datums)])


def pairs(types, datums, name):
    """(type, datum) of the arguments two by two: those of a key and those of its value. Raises 22023 for an odd number."""
    if len(datums) % 2:
        raise error("22023", "argument list must have even number of elements", hint=ALTERNATING.format(f"{name}()"))
    typed = list(zip(types, datums))
    return zip(typed[::2], typed[1::2])


@scalar("json_build_object(any) -> json", variadic=True, strict=False, **STABLE,
        doc="An object of the arguments, keys and values by turns.",
        example="SELECT json_build_object('a', 1, 'b', NULL)  -- {\"a\" : 1, \"b\" : null}")
def json_build_object(session, types, *datums):
    members = [f"{quoted(key_of(*key, session))} : {json_of(*value, session)}"
               for key, value in pairs(types, datums, "json_build_object")]
    return f"{{{', '.join(members)}}}"


@scalar("jsonb_build_object(any) -> jsonb", variadic=True, strict=False, **STABLE,
        doc="An object of the arguments, keys and values by turns.",
        example="SELECT jsonb_build_object('a', 1, 'b', NULL)  -- {\"a\": 1, \"b\": null}")
def jsonb_build_object(session, types, *datums):
    members = {}
    for number, (key, value) in enumerate(pairs(types, datums, "jsonb_build_object")):
        if key[1] is None:
            raise error("22023", f"argument {2 * number + 1}: key must not be null")
        members[key_of(*key, session)] = jsonb_of(*value, session)
    return write(members)


# ------------------------------------------------------------------------------------------------ of texts

def text_pairs(array):
    """Keys and values of an array of texts: by turns, or two by two in the second dimension."""
    if len(array.dims) == 1 and array.dims[0] % 2:
        raise error("2202E", "array must have even number of elements")
    if len(array.dims) == 2 and array.dims[1] != 2:
        raise error("2202E", "array must have two columns")
    if len(array.dims) > 2:
        raise error("2202E", "wrong number of array subscripts")
    return checked(list(zip(array.elements[::2], array.elements[1::2])))


def two_arrays(keys, values):
    """Keys of one array with the values of another."""
    if len(keys.dims) > 1 or len(keys.dims) != len(values.dims):
        raise error("2202E", "wrong number of array subscripts")
    if keys.dims != values.dims:
        raise error("2202E", "mismatched array dimensions")
    return checked(list(zip(keys.elements, values.elements)))


def checked(pairs):
    """The pairs; 22004 for a key that is NULL."""
    if any(key is None for key, _ in pairs):
        raise error("22004", "null value not allowed for object key")
    return pairs


def json_of_texts(pairs):
    """The json object of keys and texts."""
    return f"{{{', '.join(f'{quoted(key)} : ' + ('null' if value is None else quoted(value)) for key, value in pairs)}}}"


def jsonb_of_texts(pairs):
    """The jsonb object of keys and texts."""
    return write(dict(pairs))


for type, written, make in (("json", '{"a" : "1"}', json_of_texts), ("jsonb", '{"a": "1"}', jsonb_of_texts)):
    scalar(f"{type}_object(_text) -> {type}", python=True, doc="An object of an array of keys and texts.",
           example=f"SELECT {type}_object('{{a,1}}')  -- {written}")(lambda array, make=make: make(text_pairs(array)))
    scalar(f"{type}_object(_text, _text) -> {type}", python=True, doc="An object of an array of keys and one of texts.",
           example=f"SELECT {type}_object('{{a}}', '{{1}}')  -- {written}",
           )(lambda keys, values, make=make: make(two_arrays(keys, values)))
