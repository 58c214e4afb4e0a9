"""Default values of columns: SQL text in the catalog, bound where a row leaves the column out."""
from functools import lru_cache

from caldera.bind.binder import Binder
from caldera.bind.conversions import ASSIGNMENT, convert
from caldera.bind.rules import bind_expression
from caldera.bind.scope import Scope
from caldera.plan.expressions import Constant
from caldera.sql.parse import parse_one


class DefaultScope(Scope):
    """Names in a default: none."""

    def find_column(self, names, syntax):
        raise self.binder.error("0A000", "cannot use column reference in DEFAULT expression",
                                syntax["ColumnRef"].get("location", 0))


def bind_default(binder, node):
    """The expression of a default's syntax. Raises 0A000 for columns and subqueries, 42803 for aggregates."""
    if "SubLink" in node:
        raise binder.error("0A000", "cannot use subquery in DEFAULT expression", node["SubLink"].get("location", 0))
    scope = DefaultScope(binder)
    scope.clause, scope.aggregates_allowed = "DEFAULT expressions", False
    return bind_expression(scope, node)


def default_value(binder, column):
    """The expression that a row gets which leaves a column out: its default, or NULL."""
    if column.default is None:
        return Constant(None, column.type, column.modifier)
    inner = Binder(_parsed(column.default), binder.session, binder.catalog)
    target = inner.statement.fields["targetList"][0]["ResTarget"]["val"]
    return convert(inner, bind_default(inner, target), column.type, column.modifier, ASSIGNMENT)


@lru_cache(maxsize=256)
def _parsed(text):
    return parse_one(f"SELECT ({text})")
