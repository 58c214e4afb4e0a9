"""Values of jsonb taken apart and changed: by paths of keys and indexes, joined, cut. A value is never changed in place."""
from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.types.json_parts import kind_of, member, parts
from caldera.types.json_syntax import WHITE_SPACE
from caldera.types.json_values import read, sql_text, write

MISSING = object()                  # what a path leads to where there is nothing; null is something
INDEX_DIGITS_MAX = 10


# ------------------------------------------------------------------------------------------------ going down a path

def index_of(step):
    """The number that a step of a path is, None if it is none."""
    try:
        number = int(step) if len(step) <= INDEX_DIGITS_MAX + 1 and step.isascii() and "_" not in step else None
    except ValueError:
        return None
    return number if number is not None and -2**31 <= number < 2**31 else None


def below(value, step):
    """What a step leads to from a value, or MISSING."""
    if isinstance(value, dict):
        return value.get(step, MISSING)
    index = index_of(step) if isinstance(value, list) else None
    return value[index] if index is not None and -len(value) <= index < len(value) else MISSING


def followed(value, path):
    """What a path leads to, or MISSING."""
    for step in path:
        value = MISSING if step is None else below(value, step)
        if value is MISSING:
            break
    return value


def followed_in_text(text, path):
    """The same for json as it is written; None if there is nothing."""
    for step in path:
        if step is None or text is None:
            return None
        if kind_of(text) == "{":
            text = member(text, step)
        else:
            elements, index = [part for _, part in parts(text)], index_of(step)
            text = elements[index] if index is not None and -len(elements) <= index < len(elements) else None
    return text


def json_at(document, path):
    """The json at a path. White space in front of a scalar stays, as PostgreSQL has it."""
    if not path:
        return document.rstrip(WHITE_SPACE) if kind_of(document) not in "[{" else document.strip(WHITE_SPACE)
    return followed_in_text(document, path)


def json_text_at(document, path):
    """The same as text."""
    found = json_at(document, path)
    if found is None or kind_of(found) == "n":
        return None
    return read(found) if kind_of(found) == '"' else found


def jsonb_at(document, path):
    """The jsonb at a path."""
    found = followed(read(document), path)
    return None if found is MISSING else write(found)


def jsonb_text_at(document, path):
    """The same as text."""
    found = followed(read(document), path)
    return None if found is MISSING else sql_text(found)


for type, result, operator, body in (("json", "json", "#>", json_at), ("json", "text", "#>>", json_text_at),
                                     ("jsonb", "jsonb", "#>", jsonb_at), ("jsonb", "text", "#>>", jsonb_text_at)):
    name = f"{type}_extract_path{'_text' if result == 'text' else ''}"
    document, shown = f"""'{{"a": ["x"]}}'::{type}""", "x" if result == "text" else '"x"'
    scalar(f"{name}({type}, _text) -> {result}", operator=operator, python=True,
           doc="What a path of keys and indexes leads to.", example=f"SELECT {document} {operator} '{{a,0}}'  -- {shown}",
           )(lambda document, path, body=body: body(document, path.elements))
    scalar(f"{name}({type}, text) -> {result}", python=True, variadic=True, strict=False,
           doc="What a path of keys and indexes leads to.", example=f"SELECT {name}({document}, 'a', '0')  -- {shown}",
           )(lambda document, *path, body=body: None if document is None else body(document, path))


# ------------------------------------------------------------------------------------------------ changing at a path

def checked_path(path):
    """The steps of a path; 2202E for one of several dimensions."""
    if len(path.dims) > 1:
        raise error("2202E", "wrong number of array subscripts")
    return path.elements


def at_index(path, depth):
    """The index that a step is; 22P02 if it is none."""
    index = index_of(path[depth])
    if index is None:
        raise error("22P02", f'path element at position {depth + 1} is not an integer: "{path[depth]}"')
    return index


def changed(value, path, change, depth=0):
    """The value with what stands at a path changed: `change(container, key or index)` changes a copied container in place;
    the index may be out of range, the key missing. A path that leads nowhere changes nothing."""
    if path[depth] is None:
        raise error("22004", f"path element at position {depth + 1} is null")
    is_last = depth == len(path) - 1
    if isinstance(value, dict):
        copy, step = dict(value), path[depth]
        if not is_last and step not in copy:
            return value
    elif isinstance(value, list):
        copy, step = list(value), at_index(path, depth)
        if step < 0:
            step += len(copy)
        if not is_last and not 0 <= step < len(copy):
            return value
    else:
        return value
    if is_last:
        change(copy, step)
    else:
        copy[step] = changed(copy[step], path, change, depth + 1)
    return copy


def check_container(value, what):
    """Raise 22023 for a scalar."""
    if not isinstance(value, (dict, list)):
        raise error("22023", f"cannot {what} in scalar")


def setting(new, create):
    """The change that puts a value at a place."""
    def change(container, step):
        if isinstance(container, dict):
            if create or step in container:
                container[step] = new
        elif 0 <= step < len(container):
            container[step] = new
        elif create:
            container.insert(0 if step < 0 else len(container), new)
    return change


def inserting(new, after):
    """The change that puts a value before or behind a place."""
    def change(container, step):
        if isinstance(container, list):
            container.insert(min(max(step + after, 0), len(container)), new)
        elif step in container:
            raise error("22023", "cannot replace existing key",
                        hint="Try using the function jsonb_set to replace key value.")
        else:
            container[step] = new
    return change


def deleting(container, step):
    """The change that takes away what is at a place."""
    if isinstance(container, dict):
        container.pop(step, None)
    elif 0 <= step < len(container):
        del container[step]


@scalar("jsonb_set(jsonb, _text, jsonb, bool) -> jsonb", python=True,
        doc="The value with what stands at a path replaced, or added at its end.",
        example="""SELECT jsonb_set('{"a": 1}', '{a}', '2')  -- {"a": 2}""")
def jsonb_set(document, path, new, create):
    value, steps = read(document), checked_path(path)
    check_container(value, "set path")
    if not value and not create or not steps:
        return document
    return write(changed(value, steps, setting(read(new), create)))


def unknown_treatment():
    """The error for a word that jsonb_set_lax does not know."""
    return error("22023", 'null_value_treatment must be "delete_key", "return_target", "use_json_null", '
                          'or "raise_exception"')


@scalar("jsonb_set_lax(jsonb, _text, jsonb, bool, text) -> jsonb", python=True, strict=False,
        doc="As jsonb_set; the last argument says what a new value that is NULL does.",
        example="""SELECT jsonb_set_lax('{"a": 1}', '{a}', NULL)  -- {"a": null}""")
def jsonb_set_lax(document, path, new, create, treatment):
    if document is None or path is None or create is None:
        return None
    if treatment is None:
        raise unknown_treatment()
    if new is not None:
        return jsonb_set(document, path, new, create)
    if treatment == "raise_exception":
        raise error("22004", "JSON value must not be null",
                    detail='Exception was raised because null_value_treatment is "raise_exception".',
                    hint="To avoid, either change the null_value_treatment argument "
                         "or ensure that an SQL NULL is not passed.")
    if treatment == "use_json_null":
        return jsonb_set(document, path, "null", create)
    if treatment == "delete_key":
        return delete_at_path(document, path)
    if treatment == "return_target":
        return document
    raise unknown_treatment()


@scalar("jsonb_insert(jsonb, _text, jsonb, bool) -> jsonb", python=True,
        doc="The value with a new one put in at a path, before or (true) behind an array's element.",
        example="""SELECT jsonb_insert('{"a": [0, 1]}', '{a, 1}', '"new"')  -- {"a": [0, "new", 1]}""")
def jsonb_insert(document, path, new, after):
    value, steps = read(document), checked_path(path)
    check_container(value, "set path")
    return write(changed(value, steps, inserting(read(new), after))) if steps else document


@scalar("jsonb_delete_path(jsonb, _text) -> jsonb", operator="#-", python=True,
        doc="The value without what stands at a path.",
        example="""SELECT '["a", {"b": 1}]'::jsonb #- '{1,b}'  -- ["a", {}]""")
def delete_at_path(document, path):
    value, steps = read(document), checked_path(path)
    check_container(value, "delete path")
    return write(changed(value, steps, deleting)) if steps and value else document


# ------------------------------------------------------------------------------------------------ cutting, joining

def without(document, keys):
    """An object without members, an array without strings."""
    value = read(document)
    if not isinstance(value, (dict, list)):
        raise error("22023", "cannot delete from scalar")
    if isinstance(value, dict):
        return write({key: item for key, item in value.items() if key not in keys})
    return write([item for item in value if not isinstance(item, str) or item not in keys])


@scalar("jsonb_delete(jsonb, text) -> jsonb", operator="-", python=True,
        doc="The object without a member, the array without strings like that.",
        example="""SELECT '{"a": 1, "b": 2}'::jsonb - 'a'  -- {"b": 2}""")
def jsonb_delete(document, key):
    return without(document, {key})


@scalar("jsonb_delete(jsonb, _text) -> jsonb", operator="-", python=True,
        doc="The object without several members, the array without several strings.",
        example="""SELECT '{"a": 1, "b": 2}'::jsonb - '{a,b}'::text[]  -- {}""")
def jsonb_delete_several(document, keys):
    return without(document, set(checked_path(keys)) - {None})


@scalar("jsonb_delete(jsonb, int4) -> jsonb", operator="-", python=True,
        doc="The array without an element; from the end if the index is negative.",
        example="SELECT '[1, 2]'::jsonb - 1  -- [1]")
def jsonb_delete_element(document, index):
    value = read(document)
    if not isinstance(value, (dict, list)):
        raise error("22023", "cannot delete from scalar")
    if isinstance(value, dict):
        raise error("22023", "cannot delete from object using integer index")
    place = index + len(value) if index < 0 else index
    return write(value[:place] + value[place + 1:]) if 0 <= place < len(value) else document


@scalar("jsonb_concat(jsonb, jsonb) -> jsonb", operator="||", python=True,
        doc="Objects merged, later members counting; otherwise arrays joined, a single value being an array of itself.",
        example="SELECT '[1]'::jsonb || '2'  -- [1, 2]")
def jsonb_concat(left, right):
    left, right = read(left), read(right)
    if isinstance(left, dict) and isinstance(right, dict):
        return write({**left, **right})
    left, right = (side if isinstance(side, list) else [side] for side in (left, right))
    return write(left + right)
