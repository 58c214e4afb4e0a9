"""Default values of columns: SQL text in the catalog, bound where a row leaves the column out."""
from functools import lru_cache

from caldera.bind.binder import Binder
from caldera.bind.conversions import ASSIGNMENT, convert
from caldera.bind.rules import bind_expression
from caldera.bind.scope import Scope
from caldera.plan.expressions import Constant
from caldera.sql.libpg_query import scan
from caldera.sql.parse import parse_one
from caldera.types.registry import base_of


class DefaultScope(Scope):
    """Names in a default: none."""
    no_subqueries_in = "DEFAULT expression"

    def find_column(self, names, syntax):
        raise self.binder.error("0A000", "cannot use column reference in DEFAULT expression",
                                syntax["ColumnRef"].get("location", 0))


def bind_default(binder, node):
    """The expression of a default's syntax. Raises 0A000 for columns and subqueries, 42803 for aggregates."""
    scope = DefaultScope(binder)
    scope.clause, scope.aggregates_allowed = "DEFAULT expressions", False
    return bind_expression(scope, node)


def text_of_default(binder, location, ends):
    """The text of a default: from the word DEFAULT to the next constraint, or to the end of the column."""
    encoded = binder.statement.encoded[location:min(ends) if ends else binder.statement.stop]
    depth, stop = 0, len(encoded)
    tokens = scan(encoded.decode())
    for start, end, *_ in tokens[1:]:
        token = encoded[start:end]
        depth += (token in (b"(", b"[")) - (token in (b")", b"]"))
        if depth < 0 or depth == 0 and token == b",":
            stop = start
            break
    return encoded[tokens[0][1]:stop].decode().strip()


def default_value(binder, column):
    """The expression that a row gets which leaves a column out: its default, that of its type, or NULL."""
    text, type = column.default, column.type
    while text is None and type.base is not None:
        text, type = type.default, type.base
    if text is None:
        null = Constant(None, base_of(column.type), column.modifier)
        return null if column.type.base is None else convert(binder, null, column.type)
    inner = Binder(parsed_default(text), binder.session, binder.catalog)
    target = inner.statement.fields["targetList"][0]["ResTarget"]["val"]
    return convert(inner, bind_default(inner, target), column.type, column.modifier, ASSIGNMENT)


@lru_cache(maxsize=256)
def parsed_default(text):
    """The Statement SELECT (default) of a default's text."""
    return parse_one(f"SELECT ({text})")
