"""SQL/JSON's own syntax: IS JSON [VALUE | ARRAY | OBJECT | SCALAR] [WITH UNIQUE KEYS], the constructors JSON_OBJECT,
JSON_ARRAY, JSON_SCALAR and JSON, JSON_SERIALIZE, and the aggregates JSON_OBJECTAGG and JSON_ARRAYAGG. JSON_VALUE and its
like: bind.json_questions; JSON_TABLE: bind.json_table.

What becomes of an expression is a call of a function that the syntax has for itself.
"""
from functools import cache

from caldera.base.errors import Error, error
from caldera.bind.conversions import EXPLICIT, fit, text_if_unknown, to_type
from caldera.bind.rules import bind_expression, rule
from caldera.bind.typenames import bind_type
from caldera.functions.aggregate.json import check_unique
from caldera.functions.registry import ANY, FUNCTIONS, Function
from caldera.plan.expressions import Call, Constant
from caldera.types.json_parts import kind_of, parts
from caldera.types.json_of_datums import json_of, key_of
from caldera.types.json_values import canonical, check, quoted
from caldera.types.registry import TYPES

WANTED = {"JS_TYPE_ANY": "", "JS_TYPE_OBJECT": "object", "JS_TYPE_ARRAY": "array", "JS_TYPE_SCALAR": "scalar"}
KINDS = {"{": "object", "[": "array"}


@rule("JsonIsPredicate")
def bind_is_json(scope, fields, node):
    """Whether a value is JSON of a kind. Raises 42804 for types that have no text of JSON."""
    binder, text = scope.binder, TYPES["text"]
    argument = text_of_bytes(text_if_unknown(binder, bind_expression(scope, fields["expr"])))
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
def json_scalar(scope, fields, node):
    """JSON_SCALAR(x): to_json."""
    argument = text_if_unknown(scope.binder, bind_expression(scope, fields["expr"]))
    return returned(scope, fields, lambda type: Call(FUNCTIONS[f"to_{type.name}"][0], (argument,), type))


@rule("JsonArrayConstructor")
def json_array(scope, fields, node):
    """JSON_ARRAY(a, b [NULL ON NULL])."""
    items = tuple(value_of(scope, item["JsonValueExpr"]) for item in fields.get("exprs", ()))
    absent = bool(fields.get("absent_on_null"))
    return returned(scope, fields, lambda type: Call(array_maker(type, absent), items, type))


@rule("JsonObjectConstructor")
def json_object(scope, fields, node):
    """JSON_OBJECT(key: value, ... [ABSENT ON NULL] [WITH UNIQUE KEYS])."""
    items = []
    for pair in fields.get("exprs", ()):
        key = bind_expression(scope, pair["JsonKeyValue"]["key"])
        items += [text_if_unknown(scope.binder, key), value_of(scope, pair["JsonKeyValue"]["value"])]
    absent, unique = bool(fields.get("absent_on_null")), bool(fields.get("unique"))
    return returned(scope, fields, lambda type: Call(object_maker(type, absent, unique), tuple(items), type))


@rule("JsonParseExpr")
def bind_json(scope, fields, node):
    """JSON(x [WITH UNIQUE KEYS]): a text taken for JSON. Raises 42804 for keys of what is JSON already."""
    binder, json = scope.binder, TYPES["json"]
    argument = bind_expression(scope, fields["expr"]["raw_expr"])
    check_encoding(scope, fields["expr"]["format"], argument)
    if not fields.get("unique_keys"):
        return to_type(binder, text_of_bytes(argument), json, EXPLICIT)
    argument = text_of_bytes(text_if_unknown(binder, argument))
    if argument.type.category != "S":
        raise binder.error("42804", "cannot use non-string types with WITH UNIQUE KEYS clause", binder.location(argument))
    return Call(UNIQUE_JSON, (to_type(binder, argument, TYPES["text"], EXPLICIT),), json)


@rule("JsonSerializeExpr")
def json_serialize(scope, fields, node):
    """JSON_SERIALIZE(x [RETURNING type]): JSON as text or bytes. Raises 42804 for other types."""
    document, output = json_in(scope, fields["expr"], "implicit"), fields.get("output")
    if output is None:
        return to_type(scope.binder, document, TYPES["text"], EXPLICIT)
    type, modifier = bind_type(scope.binder, output["typeName"])
    if type.name != "bytea" and type.category != "S":
        raise scope.binder.error(
            "42804", f"cannot use type {type.sql_name} in RETURNING clause of JSON_SERIALIZE()",
            output["typeName"].get("location"), hint="Try returning a string type or bytea.")
    return as_returned(scope, document, type, modifier)


@rule("JsonArrayQueryConstructor")
def json_array_of_query(scope, fields, node):
    """JSON_ARRAY(SELECT ...): JSON_ARRAYAGG over the query. Raises 42601 for more than one column."""
    from caldera.bind.select import bind_query
    query, location = fields["query"], fields.get("location")
    _, names = bind_query(scope.binder, query["SelectStmt"], scope, scope.common_tables)
    if len(names) > 1:
        raise scope.binder.error("42601", "subquery must return only one column", location)
    value = {"raw_expr": {"ColumnRef": {"fields": text_nodes("q", "a"), "location": -1}}, "format": fields["format"]}
    constructor = {"location": location} | ({"output": fields["output"]} if "output" in fields else {})
    gathered = {"JsonArrayAgg": {"constructor": constructor, "arg": value, "absent_on_null": fields.get("absent_on_null")}}
    rows = {"RangeSubselect": {"subquery": query, "alias": {"aliasname": "q", "colnames": text_nodes("a")}}}
    select = {"targetList": [{"ResTarget": {"val": gathered, "location": location}}], "fromClause": [rows],
              "limitOption": "LIMIT_OPTION_DEFAULT", "op": "SETOP_NONE"}
    return bind_expression(scope, {"SubLink": {"subLinkType": "EXPR_SUBLINK", "subselect": {"SelectStmt": select},
                                               "location": location}})


@rule("JsonArrayAgg")
def json_array_of_rows(scope, fields, node):
    """JSON_ARRAYAGG(x ORDER BY y [NULL ON NULL]): json_agg."""
    return aggregated(scope, fields, "agg", [fields["arg"]])


@rule("JsonObjectAgg")
def json_object_of_rows(scope, fields, node):
    """JSON_OBJECTAGG(key: value [ABSENT ON NULL] [WITH UNIQUE KEYS]): json_object_agg."""
    name = "object_agg_unique" if fields.get("unique") else "object_agg"
    return aggregated(scope, fields, name, [{"raw_expr": fields["arg"]["key"]}, fields["arg"]["value"]])


def aggregated(scope, fields, name, values):
    """The call of an aggregate function with the values' syntax as arguments; the last may say FORMAT JSON."""
    constructor, arguments = fields["constructor"], [value["raw_expr"] for value in values]
    if values[-1]["format"]["format_type"] == "JS_FORMAT_JSON":
        arguments[-1] = {"TypeCast": {"arg": arguments[-1], "typeName": {"names": text_nodes("json"), "location": -1},
                                      "location": -1}}
    strict = "_strict" if fields.get("absent_on_null") else ""
    clauses = {clause: constructor[clause] for clause in ("agg_filter", "agg_order", "over") if clause in constructor}

    def call(type):
        function = text_nodes("pg_catalog", f"{type.name}_{name}{strict}")
        return bind_expression(scope, {"FuncCall": {"funcname": function, "args": arguments, **clauses,
                                                    "location": constructor.get("location", 0)}})
    return returned(scope, constructor, call)


def text_nodes(*texts):
    """String nodes."""
    return [{"String": {"sval": text}} for text in texts]


# ------------------------------------------------------------------------------------------------ what goes in and comes out

def value_of(scope, fields):
    """A value among the arguments; with FORMAT JSON a json."""
    if fields["format"]["format_type"] != "JS_FORMAT_DEFAULT":
        return json_in(scope, fields, "explicit")
    return text_if_unknown(scope.binder, bind_expression(scope, fields["raw_expr"]))


def json_in(scope, fields, written):
    """A value with FORMAT JSON, `written` explicit or implicit, as json or jsonb. Raises 42804 for types without text."""
    binder = scope.binder
    argument = text_if_unknown(binder, bind_expression(scope, fields["raw_expr"]))
    check_encoding(scope, fields["format"], argument)
    if argument.type.name in ("json", "jsonb"):
        return argument
    if argument.type.name != "bytea" and argument.type.category != "S":
        raise binder.error("42804", f"cannot use non-string types with {written} FORMAT JSON clause",
                           fields["format"].get("location") if written == "explicit" else binder.location(argument))
    return to_type(binder, text_of_bytes(argument), TYPES["json"], EXPLICIT)


def document_of(scope, fields):
    """The document that a question is about, as jsonb. Raises 42846 for what becomes no jsonb."""
    argument = bind_expression(scope, fields["raw_expr"])
    check_encoding(scope, fields["format"], argument)
    if fields["format"]["format_type"] == "JS_FORMAT_JSON":
        argument = text_of_bytes(argument)
    return to_type(scope.binder, argument, TYPES["jsonb"], EXPLICIT)


def check_encoding(scope, format, argument):
    """Raise 42804 for ENCODING of what is not bytes, 22023 for another one than UTF8."""
    encoding = format.get("encoding", "JS_ENC_DEFAULT").removeprefix("JS_ENC_")
    if encoding == "DEFAULT":
        return
    if argument.type.name != "bytea":
        raise scope.binder.error("42804", "JSON ENCODING clause is only allowed for bytea input type",
                                 format.get("location"))
    if encoding != "UTF8":
        raise scope.binder.error("22023", f'invalid source encoding name "{encoding}"')


def text_of_bytes(argument):
    """Bytes as the text that they are in UTF-8; other expressions as they are."""
    if argument.type.name != "bytea":
        return argument
    return Call(FUNCTIONS["convert_from"][0], (argument, Constant("UTF8", TYPES["name"])), TYPES["text"])


def returned(scope, fields, make):
    """What a constructor gives as the type that RETURNING names, json without it: make(json or jsonb), converted."""
    output = fields.get("output")
    if output is None:
        return make(TYPES["json"])
    type, modifier = bind_type(scope.binder, output["typeName"])
    check_output_format(scope, output, type)
    return as_returned(scope, make(TYPES["jsonb" if type.name == "jsonb" else "json"]), type, modifier)


def check_output_format(scope, output, type):
    """Raise 0A000 for a FORMAT JSON that does not suit the type that RETURNING names."""
    binder, format = scope.binder, output["returning"]["format"]
    if format["format_type"] != "JS_FORMAT_JSON":
        return
    if type.name not in ("json", "jsonb", "bytea") and type.category != "S":
        raise binder.error("0A000", "cannot use JSON format with non-string output types", format.get("location"))
    if format["encoding"] != "JS_ENC_DEFAULT" and type.name != "bytea":
        raise binder.error("0A000", "cannot set JSON encoding for non-bytea output types", format.get("location"))


def as_returned(scope, document, type, modifier):
    """A document as a value of a type; a text must fit the modifier."""
    binder = scope.binder
    if type.name == "bytea":
        text = to_type(binder, document, TYPES["text"], EXPLICIT)
        return Call(FUNCTIONS["convert_to"][0], (text, Constant("UTF8", TYPES["name"])), type)
    return fit(binder, to_type(binder, document, type, EXPLICIT), modifier)


def checked_keys(text):
    """A text that is JSON without a key twice. Raises 22030."""
    check(text)
    if repeats_keys(text):
        raise error("22030", "duplicate JSON object key value")
    return text


UNIQUE_JSON = Function("json", (TYPES["text"],), TYPES["json"], checked_keys, python=True)


# ------------------------------------------------------------------------------------------------ makers

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
