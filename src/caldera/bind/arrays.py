"""Arrays written out behind ANY and ALL: ARRAY[1, 2], '{1,2}', ARRAY['a']::text[]. There are no array values yet."""
import re

from caldera.bind.conversions import EXPLICIT, common_type, convert, to_common_type
from caldera.bind.rules import bind_expression
from caldera.bind.typenames import bind_type
from caldera.plan.expressions import Constant
from caldera.types.registry import TYPES

_ELEMENT = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|((?:[^",{}\\]|\\.)*))\s*(,|$)', re.DOTALL)


def elements(scope, node, type):
    """The elements of a written-out array as expressions, or None if the node is something else. `type`: what a literal
    without a type of its own is an array of."""
    binder = scope.binder
    if "A_ArrayExpr" in node:
        items = [bind_expression(scope, item) for item in node["A_ArrayExpr"].get("elements", ())]
        shared = common_type(binder, items, "ARRAY") if items else None
        return [to_common_type(binder, item, shared, "ARRAY") for item in items]
    if "TypeCast" in node and len(node["TypeCast"]["typeName"].get("arrayBounds", ())) == 1:
        name = {key: value for key, value in node["TypeCast"]["typeName"].items() if key != "arrayBounds"}
        cast_type, modifier = bind_type(binder, name)
        items = elements(scope, node["TypeCast"]["arg"], cast_type)
        return items and [convert(binder, item, cast_type, modifier, EXPLICIT) for item in items]
    literal = node.get("A_Const", {}).get("sval")
    if literal is None:
        return None
    if type.name == "unknown":
        type = TYPES["text"]
    written = literal.get("sval", "")
    texts = split_array(written)
    if texts is None:
        raise binder.error("22P02", f'malformed array literal: "{written}"', node["A_Const"].get("location", 0))
    return [convert(binder, binder.note(Constant(text, TYPES["unknown"]), node), type) for text in texts]


def split_array(text):
    """The elements of an array of one dimension in text form, None for NULL; None if the text is no such array."""
    text = text.strip()
    if not (text.startswith("{") and text.endswith("}")):
        return None
    inner, at, found = text[1:-1], 0, []
    if not inner.strip():
        return []
    while True:
        match = _ELEMENT.match(inner, at)
        if match is None:
            return None
        quoted, bare, comma = match.groups()
        bare = bare.strip() if bare is not None else None
        if quoted is None and not bare:
            return None
        value = re.sub(r"\\(.)", r"\1", quoted if quoted is not None else bare, flags=re.DOTALL)
        found.append(None if quoted is None and bare.upper() == "NULL" else value)
        if not comma:
            return found
        at = match.end()
