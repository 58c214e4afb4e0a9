"""What a value of JSON is and holds: kinds, sizes, containment, keys; and its other forms."""
from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.types.json_parts import kind_of, parts
from caldera.types.json_syntax import WHITE_SPACE
from caldera.types.json_values import ordered_items, quoted, read, same, top_order_key, write

KINDS = {"{": "object", "[": "array", '"': "string", "t": "boolean", "f": "boolean", "n": "null"}


@scalar("json_typeof(json) -> text", python=True, doc="The kind of a value.",
        example="SELECT json_typeof('[1]')  -- array")
def json_typeof(document):
    return KINDS.get(kind_of(document), "number")


@scalar("jsonb_typeof(jsonb) -> text", python=True, doc="The kind of a value.",
        example="SELECT jsonb_typeof('[1]')  -- array")
def jsonb_typeof(document):
    return json_typeof(document)


@scalar("json_array_length(json) -> int4", "jsonb_array_length(jsonb) -> int4", python=True,
        doc="How many elements an array has.", example="SELECT jsonb_array_length('[1, 2]')  -- 2")
def array_length(document):
    value = read(document)
    if not isinstance(value, list):
        what = "a non-array" if isinstance(value, dict) else "a scalar"
        raise error("22023", f"cannot get array length of {what}")
    return len(value)


# ------------------------------------------------------------------------------------------------ containment

def contains(left, right):
    """Whether one value contains another: objects member by member, arrays without regard to order and number."""
    if isinstance(left, dict):
        return isinstance(right, dict) and all(key in left and contains(left[key], value) for key, value in right.items())
    if isinstance(left, list):
        return isinstance(right, list) and all(any(contains(mine, value) for mine in left) for value in right)
    return same(left, right)


@scalar("jsonb_contains(jsonb, jsonb) -> bool", operator="@>", python=True, doc="Whether the left value contains the right.",
        example="""SELECT '{"a": 1, "b": 2}'::jsonb @> '{"b": 2}'  -- t""")
def jsonb_contains(left, right):
    left, right = read(left), read(right)
    if isinstance(left, list) and not isinstance(right, (list, dict)):      # only whole arrays contain bare scalars
        return any(same(mine, right) for mine in left)
    return contains(left, right)


@scalar("jsonb_contained(jsonb, jsonb) -> bool", operator="<@", python=True,
        doc="Whether the right value contains the left.", example="""SELECT '{"b": 2}'::jsonb <@ '{"a": 1, "b": 2}'  -- t""")
def jsonb_contained(left, right):
    return jsonb_contains(right, left)


def has_key(value, key):
    """Whether a text is a key of an object, a string in an array, or the value itself."""
    if isinstance(value, (dict, list)):
        return key in value
    return value == key


@scalar("jsonb_exists(jsonb, text) -> bool", operator="?", python=True, doc="Whether a text is a key or an element.",
        example="""SELECT '{"a": 1}'::jsonb ? 'a'  -- t""")
def jsonb_exists(document, key):
    return has_key(read(document), key)


@scalar("jsonb_exists_any(jsonb, _text) -> bool", operator="?|", python=True,
        doc="Whether any of some texts is a key or an element.",
        example="""SELECT '["b"]'::jsonb ?| ARRAY['a', 'b']  -- t""")
def jsonb_exists_any(document, keys):
    value = read(document)
    return any(has_key(value, key) for key in keys.elements if key is not None)


@scalar("jsonb_exists_all(jsonb, _text) -> bool", operator="?&", python=True,
        doc="Whether all of some texts are keys or elements.", example="""SELECT '["b"]'::jsonb ?& ARRAY['a', 'b']  -- f""")
def jsonb_exists_all(document, keys):
    value = read(document)
    return all(has_key(value, key) for key in keys.elements if key is not None)


@scalar("jsonb_cmp(jsonb, jsonb) -> int4", python=True, doc="-1, 0 or 1 as the left value sorts before, with or behind.",
        example="SELECT jsonb_cmp('1', '2')  -- -1")
def jsonb_cmp(left, right):
    left, right = (top_order_key(read(side)) for side in (left, right))
    return (left > right) - (left < right)


# ------------------------------------------------------------------------------------------------ forms

def without_nulls(value, in_arrays):
    """The value without members that are null, at any depth; `in_arrays`: and without such elements."""
    if isinstance(value, dict):
        return {key: without_nulls(item, in_arrays) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [without_nulls(item, in_arrays) for item in value if not in_arrays or item is not None]
    return value


@scalar("jsonb_strip_nulls(jsonb, bool) -> jsonb", python=True, doc="The value without members that are null.",
        example="""SELECT jsonb_strip_nulls('{"a": null, "b": [null]}')  -- {"b": [null]}""")
def jsonb_strip_nulls(document, in_arrays):
    return write(without_nulls(read(document), in_arrays))


def stripped(text, in_arrays):
    """The text of a value without what is null, and without white space."""
    kind = kind_of(text)
    if kind not in "[{":
        return quoted(read(text)) if kind == '"' else text.strip(WHITE_SPACE)
    kept = [(key, part) for key, part in parts(text) if part != "null" or kind == "[" and not in_arrays]
    inner = ",".join(("" if key is None else f"{quoted(key)}:") + stripped(part, in_arrays) for key, part in kept)
    return f"{kind}{inner}{'}' if kind == '{' else ']'}"


@scalar("json_strip_nulls(json, bool) -> json", python=True, doc="The value without members that are null.",
        example="""SELECT json_strip_nulls('{"a": null, "b": 1}')  -- {"b":1}""")
def json_strip_nulls(document, in_arrays):
    return stripped(document, in_arrays)


def pretty(value, indent):
    """A value over several lines, each level four spaces further in."""
    if not isinstance(value, (dict, list)):
        return write(value)
    inner = " " * (indent + 4)
    if isinstance(value, dict):
        lines = [f"{inner}{quoted(key)}: {pretty(item, indent + 4)}" for key, item in ordered_items(value)]
    else:
        lines = [inner + pretty(item, indent + 4) for item in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return "\n".join([opening, *([",\n".join(lines)] if lines else []), " " * indent + closing])


@scalar("jsonb_pretty(jsonb) -> text", python=True, doc="The value over several lines, indented.",
        example="SELECT jsonb_pretty('1')  -- 1")
def jsonb_pretty(document):
    return pretty(read(document), 0)
