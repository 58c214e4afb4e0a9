"""SQL/JSON's own syntax: x IS JSON [VALUE | ARRAY | OBJECT | SCALAR] [WITH UNIQUE KEYS]."""
from functools import cache

from caldera.base.errors import Error
from caldera.bind.conversions import EXPLICIT, text_if_unknown, to_type
from caldera.bind.rules import bind_expression, rule
from caldera.functions.registry import Function
from caldera.plan.expressions import Call
from caldera.types.json_parts import kind_of, parts
from caldera.types.json_values import check
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
