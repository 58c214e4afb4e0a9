"""SQL/JSON's own syntax: IS JSON [VALUE | ARRAY | OBJECT | SCALAR] [WITH UNIQUE KEYS], and the constructors JSON_OBJECT,
JSON_ARRAY and JSON_SCALAR.

What becomes of an expression is a call of a function that the syntax has for itself.
"""
from functools import cache

from caldera.base.errors import Error
from caldera.bind.conversions import EXPLICIT, text_if_unknown, to_type
from caldera.bind.rules import bind_expression, rule
from caldera.bind.typenames import bind_type
from caldera.functions.aggregate.json import check_unique
from caldera.functions.registry import ANY, FUNCTIONS, Function
from caldera.plan.expressions import Call
from caldera.types.json_parts import kind_of, parts
from caldera.types.json_of_datums import json_of, key_of
from caldera.types.json_values import canonical, check, quoted
from caldera.types.registry import TYPES

WANTED = {"JS_TYPE_ANY": "", "JS_TYPE_OBJECT": "object", "JS_TYPE_ARRAY": "array", "JS_TYPE_SCALAR": "scalar"}
KINDS = {"{": "object", "[": "array"}


@rule("JsonIsPredicate")
def _is_json(scope, fields, node):
    """Whether a value is JSON of a kind. Raises 42804 for types that have no text of JSON."""
    binder, text = scope.binder, TYPES["text"]
    argument = text_if_unknown(binder, bind_expression(scope, fields["expr"]))
    if argument.type.name not in ("json", "jsonb") and argument.type.category != "S":
        raise binder.error("42804", f"cannot use type {argument.type.sql_name} in IS JSON predicate",
                           binder.location(argument))
    test = is_json(WANTED[fields["item_type"]], bool(fields.get("unique_keys")))
    return Call(test, (to_type(binder, argument, text, EXPLICIT),), test.result)


@cache
def is_json(wanted, unique):
    """The function that tells whether a text is JSON of a kind, "" for any; `unique`: and no object has a key twice."""
    def test(text):
        try:
            check(text)
        except Error:
            return False
        return wanted in ("", KINDS.get(kind_of(text), "scalar")) and not (unique and repeats_keys(text))
    return Function("is_json", (TYPES["text"],), TYPES["bool"], test, python=True)


def repeats_keys(text):
    """Whether an object in a text of JSON has a key twice, at any depth."""
    found = list(parts(text))
    keys = [key for key, _ in found if key is not None]
    return len(set(keys)) < len(keys) or any(repeats_keys(part) for _, part in found if part[0] in "[{")


# ------------------------------------------------------------------------------------------------ constructors

@rule("JsonScalarExpr")
def _json_scalar(scope, fields, node):
    """JSON_SCALAR(x): to_json."""
    argument = text_if_unknown(scope.binder, bind_expression(scope, fields["expr"]))
    type = returned(scope, fields)
    function = FUNCTIONS["to_jsonb" if type.name == "jsonb" else "to_json"][0]
    return Call(function, (argument,), type)


@rule("JsonArrayConstructor")
def _json_array(scope, fields, node):
    """JSON_ARRAY(a, b [NULL ON NULL])."""
    items = tuple(value_of(scope, item["JsonValueExpr"]) for item in fields.get("exprs", ()))
    function = array_maker(returned(scope, fields), bool(fields.get("absent_on_null")))
    return Call(function, items, function.result)


@rule("JsonObjectConstructor")
def _json_object(scope, fields, node):
    """JSON_OBJECT(key: value, ... [ABSENT ON NULL] [WITH UNIQUE KEYS])."""
    items = []
    for pair in fields.get("exprs", ()):
        key = bind_expression(scope, pair["JsonKeyValue"]["key"])
        items += [text_if_unknown(scope.binder, key), value_of(scope, pair["JsonKeyValue"]["value"])]
    function = object_maker(returned(scope, fields), bool(fields.get("absent_on_null")), bool(fields.get("unique")))
    return Call(function, tuple(items), function.result)


def value_of(scope, fields):
    """A value among the arguments. Raises 0A000 for FORMAT JSON."""
    if fields["format"]["format_type"] != "JS_FORMAT_DEFAULT":
        raise scope.binder.unsupported("FORMAT JSON is", fields["format"].get("location"))
    return text_if_unknown(scope.binder, bind_expression(scope, fields["raw_expr"]))


def returned(scope, fields):
    """The type that RETURNING names, json without it. Raises 0A000 for others than json and jsonb."""
    output = fields.get("output")
    type = bind_type(scope.binder, output["typeName"])[0] if output else TYPES["json"]
    if type.name not in ("json", "jsonb"):
        raise scope.binder.unsupported(f"RETURNING {type.sql_name} is", output["typeName"].get("location"))
    return type


@cache
def array_maker(result, absent_on_null):
    """The function that makes an array of its arguments."""
    def make(session, types, *datums):
        items = [json_of(type, datum, session) for type, datum in zip(types, datums)
                 if datum is not None or not absent_on_null]
        return finished(result, f"[{', '.join(items)}]")
    return maker("json_array", result, make)


@cache
def object_maker(result, absent_on_null, unique):
    """The function that makes an object of keys and values by turns."""
    def make(session, types, *datums):
        keys = [quoted(key_of(type, datum, session)) for type, datum in zip(types[::2], datums[::2])]
        values = [None if datum is None and absent_on_null else json_of(type, datum, session)
                  for type, datum in zip(types[1::2], datums[1::2])]
        if unique:
            check_unique(keys, shown=result.name == "json")
        members = [f"{key} : {value}" for key, value in zip(keys, values) if value is not None]
        return finished(result, f"{{{', '.join(members)}}}")
    return maker("json_object", result, make)


def finished(result, text):
    """A text of json as the type that is wanted."""
    return canonical(text) if result.name == "jsonb" else text


def maker(name, result, body):
    """A function of any arguments."""
    return Function(name, (ANY,), result, body, python=True, strict=False, variadic=True, volatility="s", wants_session=True,
                    wants_types=True)
