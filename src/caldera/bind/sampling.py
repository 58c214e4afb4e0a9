"""TABLESAMPLE: a random part of a table's rows."""
import random

from caldera.bind.binder import strings
from caldera.bind.conversions import ASSIGNMENT, can_convert, to_type
from caldera.bind.rules import bind_expression
from caldera.bind.scope import Scope, TableSource
from caldera.plan.expressions import Constant, Parameter
from caldera.plan.nodes import Sample
from caldera.plan.walk import all_expressions
from caldera.types.registry import TYPES

METHODS = ("bernoulli", "system")


class SampledSource(TableSource):
    """A table of which a part is read. method, percent, seed: see plan.nodes.Sample."""

    def __init__(self, table, method, percent, seed):
        super().__init__(table.relation, table.schemas, table.label, table.alias, table.column_names, table.name,
                         table.schema, table.location)
        self.named = table.named
        self.method, self.percent, self.seed = method, percent, seed

    def plan(self):
        """The node that gives the columns mentioned so far, for the rows that are drawn."""
        return Sample(super().plan(), self.method, self.percent, self.seed)


def sampled(scope, fields, source):
    """The Source of a RangeTableSample over a Source. Raises 0A000 for what is no table, 42704 for an unknown method."""
    binder, location = scope.binder, fields.get("location", 0)
    if not isinstance(source, TableSource) or source.relation.momentary:
        raise binder.error("0A000", "TABLESAMPLE clause can only be applied to tables and materialized views",
                           source.location)
    method = strings(fields["method"])[-1]
    if method not in METHODS:
        raise binder.error("42704", f"tablesample method {method} does not exist", location)
    arguments = fields.get("args", ())
    if len(arguments) != 1:
        raise binder.error("2202H", f"tablesample method {method} requires 1 argument, not {len(arguments)}", location)
    percent = argument(binder, arguments[0], "float4", "TABLESAMPLE")
    if "repeatable" in fields:
        seed = argument(binder, fields["repeatable"], "float8", "TABLESAMPLE REPEATABLE")
    else:
        seed = Constant(random.random(), TYPES["float8"], lasting=False)
    return SampledSource(source, method, percent, seed)


def argument(binder, node, type_name, words):
    """An argument as an expression of a type; its value is checked now if it is known. Raises 2202H, 2202G."""
    scope, type = Scope(binder), TYPES[type_name]
    scope.clause, scope.aggregates_allowed = "functions in FROM", False
    expression = bind_expression(scope, node)
    if not can_convert(expression.type.name, type_name, ASSIGNMENT):
        raise binder.error("42804", f"argument of {words} must be type {type.sql_name}, not type {expression.type.sql_name}",
                           binder.location(expression))
    expression = to_type(binder, expression, type, ASSIGNMENT)
    if any(isinstance(part, Parameter) for part in all_expressions(expression)):
        return expression
    value = binder.session.evaluate(expression)
    if value is None:
        raise binder.error("2202H" if words == "TABLESAMPLE" else "2202G", f"{words} parameter cannot be null")
    if type_name == "float4" and not 0 <= value <= 100:
        raise binder.error("2202H", "sample percentage must be between 0 and 100")
    return Constant(value, type)
