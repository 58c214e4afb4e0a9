"""JSON_VALUE, JSON_QUERY and JSON_EXISTS, and the columns of JSON_TABLE, which are the same questions about its rows.

    JSON_VALUE(document, path PASSING x AS a RETURNING int DEFAULT 0 ON EMPTY ERROR ON ERROR)
    ─▶ Call(answering(Question), (document, path, 0, NULL, x))

What a behaviour gives is an argument of the call: a constant, or the expression behind DEFAULT. ERROR is a fact of the
Question.
"""
from dataclasses import replace
from functools import lru_cache

from caldera.bind.conversions import EXPLICIT, can_convert, fit, to_type
from caldera.bind.json import check_output_format, document_of, value_of
from caldera.bind.rules import bind_expression, rule
from caldera.bind.typenames import bind_type
from caldera.functions.jsonpath.questions import ALWAYS, CONDITIONAL, EXISTS, NO_WRAPPER, QUERY, VALUE, Question
from caldera.functions.registry import ANY, Function
from caldera.plan.expressions import AggregateCall, Call, Constant
from caldera.plan.walk import all_expressions
from caldera.types.registry import TYPES

KINDS = {"JSON_VALUE_OP": VALUE, "JSON_QUERY_OP": QUERY, "JSON_EXISTS_OP": EXISTS}
WRAPPERS = {"JSW_UNSPEC": NO_WRAPPER, "JSW_NONE": NO_WRAPPER, "JSW_CONDITIONAL": CONDITIONAL, "JSW_UNCONDITIONAL": ALWAYS}
BEHAVIOURS = {VALUE: {"NULL", "ERROR", "DEFAULT"}, EXISTS: {"ERROR", "TRUE", "FALSE", "UNKNOWN"},
              QUERY: {"NULL", "ERROR", "DEFAULT", "EMPTY", "EMPTY_ARRAY", "EMPTY_OBJECT"}}
ALLOWED = {VALUE: "ERROR, NULL, or DEFAULT expression is allowed in {} for scalar columns.",
           QUERY: "ERROR, NULL, EMPTY ARRAY, EMPTY OBJECT, or DEFAULT expression is allowed in {} for formatted columns.",
           EXISTS: "ERROR, TRUE, FALSE, or UNKNOWN is allowed in {} for EXISTS columns."}
ALLOWED_IN_CALLS = {VALUE: "Only ERROR, NULL, or DEFAULT expression is allowed in {} for JSON_VALUE().",
                    QUERY: "Only ERROR, NULL, EMPTY ARRAY, EMPTY OBJECT, or DEFAULT expression is allowed in {} for "
                           "JSON_QUERY().",
                    EXISTS: "Only ERROR, TRUE, FALSE, or UNKNOWN is allowed in {} for JSON_EXISTS()."}
CONSTANTS = {"EMPTY": "[]", "EMPTY_ARRAY": "[]", "EMPTY_OBJECT": "{}", "TRUE": True, "FALSE": False}


@rule("JsonFuncExpr")
def bind_question(scope, fields, node):
    """JSON_VALUE, JSON_QUERY, JSON_EXISTS."""
    binder, kind = scope.binder, KINDS[fields["op"]]
    document = document_of(scope, fields["context_item"])
    path = path_expression(scope, fields["pathspec"])
    names, values = passed(scope, fields)
    type, modifier = returned_type(scope, fields, kind)
    question = Question(kind, type, modifier, names=names)
    return binder.note(asked(scope, fields, question, document, path, values), node)


def path_expression(scope, syntax):
    """A path as an expression of jsonpath. Raises 42804 for other types than it and text."""
    binder, jsonpath = scope.binder, TYPES["jsonpath"]
    path = bind_expression(scope, syntax)
    if path.type.name not in ("unknown", "jsonpath") and path.type.category != "S":
        raise binder.error("42804", f"JSON path expression must be of type jsonpath, not of type {path.type.sql_name}",
                           binder.location(path))
    return to_type(binder, path, jsonpath, EXPLICIT)


def passed(scope, fields):
    """(names, expressions) of PASSING."""
    arguments = [argument["JsonArgument"] for argument in fields.get("passing", ())]
    names = tuple(argument["name"] for argument in arguments)
    return names, tuple(value_of(scope, argument["val"]) for argument in arguments)


def returned_type(scope, fields, kind):
    """(type, modifier) of RETURNING, or those that a function has without it. Raises 0A000 for records."""
    binder, output = scope.binder, fields.get("output")
    if output is None:
        return TYPES[{VALUE: "text", QUERY: "jsonb", EXISTS: "bool"}[kind]], None
    name, format = output["typeName"], output["returning"]["format"]
    if kind == VALUE and format["format_type"] == "JS_FORMAT_JSON":
        raise binder.error("42601", "cannot specify FORMAT JSON in RETURNING clause of JSON_VALUE()", format.get("location"))
    type, modifier = bind_type(binder, name)
    check_returned(scope, type, name.get("location"))
    check_output_format(scope, output, type)
    return type, modifier


def check_returned(scope, type, location):
    """Raise 0A000 for types whose values are not made of JSON here."""
    if type.kind == "p":
        raise scope.binder.error("0A000", "returning pseudo-types is not supported in SQL/JSON functions", location)
    if type.base is not None:
        raise scope.binder.unsupported(f"RETURNING {type.sql_name} is", location)


def asked(scope, fields, question, document, path, values):
    """The call of a question. fields: the behaviours, WRAPPER and QUOTES. Raises 42601 for what does not go together."""
    if fields.get("quotes") not in (None, "JS_QUOTES_UNSPEC") and WRAPPERS[fields["wrapper"]] != NO_WRAPPER:
        raise scope.binder.error("42601", "SQL/JSON QUOTES behavior must not be specified when WITH WRAPPER is used",
                                 fields.get("location"))
    empty_fails, if_empty = behaviour(scope, fields, question, "on_empty")
    error_fails, if_error = behaviour(scope, fields, question, "on_error")
    question = replace(question, empty_fails=empty_fails, error_fails=error_fails, wrapper=WRAPPERS[fields["wrapper"]],
                       omits_quotes=fields.get("quotes") == "JS_QUOTES_OMIT")
    return Call(answering(question), (document, path, if_empty, if_error, *values), question.type, question.modifier)


@lru_cache(maxsize=1024)
def answering(question):
    """The function that answers a question."""
    return Function(question.kind.lower(), (ANY,), question.type, question.answer, python=True, strict=False, variadic=True,
                    volatility="s", wants_session=True, wants_types=True)


# ------------------------------------------------------------------------------------------------ behaviours

def behaviour(scope, fields, question, clause):
    """(whether it is ERROR, the expression of what is given otherwise) for ON EMPTY or ON ERROR. Raises 42601 for one that
    the function has not."""
    syntax, type = fields.get(clause), question.type
    if syntax is None:
        return False, Constant(False if question.kind == EXISTS else None, type)
    word = syntax["btype"].removeprefix("JSON_BEHAVIOR_")
    if word not in BEHAVIOURS[question.kind]:
        raise invalid(scope, question, clause.replace("_", " ").upper(), syntax)
    if word == "DEFAULT":
        return False, default_value(scope, syntax["expr"], question)
    return word == "ERROR", constant_value(scope, word, question, clause, syntax.get("location"))


def invalid(scope, question, clause, syntax):
    """The error for a behaviour that a function has not."""
    of_column = "" if question.column is None else f' for column "{question.column}"'
    allowed = ALLOWED_IN_CALLS if question.column is None else ALLOWED
    return scope.binder.error("42601", f"invalid {clause} behavior{of_column}", syntax.get("location"),
                              detail=allowed[question.kind].format(clause))


def constant_value(scope, word, question, clause, location):
    """What a behaviour without an expression gives. Raises 42804 where the type has no such value."""
    value, type = CONSTANTS.get(word), question.type
    if isinstance(value, str) and type.category == "A" and value == "[]":
        value = "{}"
    elif isinstance(value, str) and type.name not in ("json", "jsonb", "bytea") and type.category != "S":
        raise scope.binder.error("42804", f"could not coerce {clause.replace('_', ' ').upper()} expression "
                                          f"({word.replace('_', ' ')}) to the RETURNING type", location)
    if isinstance(value, str):
        return to_type(scope.binder, Constant(value, TYPES["unknown"]), type)
    return Constant(value, type)


def default_value(scope, syntax, question):
    """The expression behind DEFAULT as a value of the type. Raises 42804 for what depends on rows."""
    binder, before = scope.binder, scope.last_set
    scope.last_set = None
    expression = bind_expression(scope, syntax)
    location = binder.location(expression)
    if scope.last_set is not None:
        raise binder.error("42804", "DEFAULT expression must not return a set", location)
    scope.last_set = before
    parts = list(all_expressions(expression))
    if not isinstance(expression, (Call, Constant)) and not {"TypeCast", "A_Const"} & set(syntax) or \
            any(isinstance(part, AggregateCall) for part in parts):
        raise binder.error("42804", "can only specify a constant, non-aggregate function, or operator expression for "
                                    "DEFAULT", location)
    if expression.columns:
        raise binder.error("42804", "DEFAULT expression must not contain column references", location)
    if not can_convert(expression.type.name, question.type.name, EXPLICIT):
        raise binder.error("42846", f"cannot cast behavior expression of type {expression.type.sql_name} to "
                                    f"{question.type.sql_name}", location)
    return fit(binder, to_type(binder, expression, question.type, EXPLICIT), question.modifier)


def text_path(text):
    """A literal path as an expression."""
    return Constant(TYPES["jsonpath"].parse(text), TYPES["jsonpath"])
