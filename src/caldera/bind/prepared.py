"""Statements prepared in SQL: PREPARE, EXECUTE, DEALLOCATE.

    PREPARE q (int) AS SELECT ... $1     analysed at once; the session keeps a PreparedStatement under the name
    EXECUTE q (7)                        generic: Execution(statement, values), one plan with its code for all values;
                                         custom: the plan of the statement with the values for constants, made anew

`plan_cache_mode` says which. Code for a plan costs more than the plan itself, so "auto" means generic; EXPLAIN EXECUTE and
CREATE TABLE AS EXECUTE run once by their nature, and are custom unless the setting forbids it.
"""
from caldera.base.errors import error
from caldera.bind.binder import Binder
from caldera.bind.common_tables import inlined
from caldera.bind.conversions import ASSIGNMENT, can_convert, convert
from caldera.bind.defaults import DefaultScope
from caldera.bind.rules import bind_expression, statement_rule
from caldera.bind.statements import bind, bind_statement
from caldera.bind.typenames import bind_type
from caldera.plan.nodes import Execution, PreparedStatement, Query, Utility
from caldera.sql.parse import Statement


@statement_rule("PrepareStmt")
def bind_prepare(binder, fields):
    """PREPARE: mistakes in the statement show now."""
    (kind, inner), = fields["query"].items()
    written = binder.statement
    statement = Statement(kind, inner, written.source, written.first, written.stop, written.files)
    declared = [bind_type(binder, node["TypeName"])[0] for node in fields.get("argtypes", ())]
    types = list(declared)
    name = fields["name"]
    if name in binder.session.prepared:
        raise error("42P05", f'prepared statement "{name}" already exists')
    plan = bind(statement, binder.session, binder.catalog, types)
    results = tuple(column.type for column in plan.input.output) if isinstance(plan, Query) else None

    def run(session):
        session.prepared[name] = PreparedStatement(name, statement, tuple(types), written.text, results,
                                                   session.statement_started)
    return Utility("PREPARE", lambda session: run(session) or "PREPARE")


@statement_rule("ExecuteStmt")
def bind_execute(binder, fields):
    """EXECUTE: an Execution of the statement, or its plan for these values."""
    execution = execution_of(binder, fields)
    if mode(binder) != "force_custom_plan":
        return execution
    execution.statement.custom_plans += 1
    return custom_plan(binder, execution)


def execution_of(binder, fields):
    """The Execution that an ExecuteStmt means. Raises 26000 for an unknown name, 42601 for too few or too many values, 42804
    for a value of a wrong type, and what computing the values raises."""
    statement = binder.session.prepared.get(fields["name"])
    if statement is None:
        raise error("26000", f'prepared statement "{fields["name"]}" does not exist')
    nodes = fields.get("params", ())
    if len(nodes) != len(statement.types):
        raise error("42601", f'wrong number of parameters for prepared statement "{statement.name}"',
                    detail=f"Expected {len(statement.types)} parameters but got {len(nodes)}.")
    values = [value_of(binder, number, node, type) for number, (node, type) in enumerate(zip(nodes, statement.types), 1)]
    return Execution(statement, tuple(values))


class ArgumentScope(DefaultScope):
    """Names in an argument of EXECUTE: none."""
    no_subqueries_in = "EXECUTE parameter"

    def __init__(self, binder):
        super().__init__(binder)
        self.clause, self.aggregates_allowed = "EXECUTE parameters", False

    def find_column(self, names, syntax):
        location = syntax["ColumnRef"].get("location", 0)
        if len(names) > 1:
            raise self.binder.error("42P01", f'missing FROM-clause entry for table "{names[-2]}"', location)
        raise self.binder.error("42703", f'column "{names[0]}" does not exist', location)


def value_of(binder, number, node, type):
    """The datum of an argument as a value of a parameter's type."""
    expression = bind_expression(ArgumentScope(binder), node)
    if not can_convert(expression.type.name, type.name, ASSIGNMENT):
        raise binder.error("42804", f"parameter ${number} of type {expression.type.sql_name} cannot be coerced to the "
                           f"expected type {type.sql_name}", binder.location(expression),
                           hint="You will need to rewrite or cast the expression.")
    return binder.session.evaluate(convert(binder, expression, type, None, ASSIGNMENT))


def mode(binder):
    """The setting plan_cache_mode."""
    return binder.session.setting("plan_cache_mode")


def custom_plan(binder, execution):
    """The plan of a prepared statement for the values of an Execution."""
    statement = execution.statement.statement
    inner = Binder(statement, binder.session, binder.catalog, list(execution.statement.types), execution.values)
    inner.only_explains = binder.only_explains
    plan = bind_statement(inner, statement.kind, statement.fields)
    return inlined(plan) if inner.has_common_tables else plan


@statement_rule("DeallocateStmt")
def bind_deallocate(binder, fields):
    """DEALLOCATE of one or of all."""
    name = fields.get("name")

    def run(session):
        if name is None:
            session.prepared.clear()
            return "DEALLOCATE ALL"
        if session.prepared.pop(name, None) is None:
            raise error("26000", f'prepared statement "{name}" does not exist')
        return "DEALLOCATE"
    return Utility("DEALLOCATE", run)
