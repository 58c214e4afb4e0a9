"""One rule for each kind of statement: `bind` is the binder's entry.

    bind(statement, session, catalog) ──▶ Query | Insert | CreateTableAs | CopyTo | Explain | Utility   (plan.nodes)

A Utility is a statement that no pipeline runs; `run(session)` does it. For that a session gives, besides what types need:

    catalog            the caldera.catalog.catalog.Catalog
    view               a CatalogView for the statement's snapshot
    transaction        the transaction that the statement belongs to
    set(name, text, local=False), reset(name), reset_all(), show(name), show_all()
    begin(...), commit(), rollback(), savepoint(name), release(name), rollback_to(name)
    notice(message)    tell the client
    find_frame(name)   the Relation of a data frame among the caller's variables, or None
"""
from caldera.bind.binder import Binder
from caldera.bind.common_tables import inlined
from caldera.bind.rules import STATEMENT_RULES, statement_rule
from caldera.bind.select import bind_query
from caldera.plan.expressions import Parameter
from caldera.plan.nodes import Explain, Query
from caldera.plan.walk import rewrite, rewrite_expressions, rewrite_nodes, rewrite_plans

DEFINITIONS = {"CreateStmt": "CREATE TABLE", "CreateTableAsStmt": "CREATE TABLE AS", "ViewStmt": "CREATE VIEW",
               "CreateSchemaStmt": "CREATE SCHEMA", "DropStmt": "DROP", "TruncateStmt": "TRUNCATE TABLE",
               "CreateEnumStmt": "CREATE TYPE", "AlterEnumStmt": "ALTER TYPE", "CreateDomainStmt": "CREATE DOMAIN",
               "AlterDomainStmt": "ALTER DOMAIN"}


def bind(statement, session, catalog, parameter_types=None):
    """What a statement means: a plan whose names and types are resolved.

    statement: caldera.sql.parse.Statement. parameter_types: a list of SqlTypes for $1, $2, ..., None where the use shall
    tell; it is filled. Without a list there are no parameters. Raises the errors that PostgreSQL's analysis
    raises, and 0A000 for what Caldera lacks.
    """
    binder = Binder(statement, session, catalog, parameter_types)
    try:
        plan = bind_statement(binder, statement.kind, statement.fields)
    except RecursionError:
        raise binder.error("54001", "stack depth limit exceeded",
                           hint="Write the expression with fewer nested or chained operators.") from None
    binder.check_parameters()
    if binder.has_common_tables:
        plan = inlined(plan)
    return settled(binder, plan) if binder.parameter_types else plan


def settled(binder, plan):
    """The plan with the types of parameters that became known only after they were first mentioned."""
    def settle(expression):
        if isinstance(expression, Parameter) and expression.type.name == "unknown":
            return Parameter(expression.number, binder.parameter_types[expression.number - 1])
        return expression

    def settle_all(plan):
        return rewrite_nodes(plan, lambda node: rewrite_expressions(node, lambda expression: rewrite(expression, settle)))
    return rewrite_plans(plan, settle_all)


def bind_statement(binder, kind, fields):
    """The plan of a statement, or of one inside EXPLAIN, COPY or CREATE TABLE AS."""
    rule = STATEMENT_RULES.get(kind)
    if rule is None:
        raise binder.error("0A000", f"{words(kind)} is not supported yet")
    if kind in DEFINITIONS or kind == "SelectStmt" and "intoClause" in fields:
        tag = DEFINITIONS.get(kind, "SELECT INTO")
        binder.refuse_in_read_only(f"DROP {fields['removeType'].removeprefix('OBJECT_')}" if kind == "DropStmt" else tag)
    return rule(binder, fields)


def bind_once(binder, kind, fields):
    """The plan of a statement that runs once, as a part of another: of EXECUTE it is the prepared statement's."""
    if kind != "ExecuteStmt":
        return bind_statement(binder, kind, fields)
    from caldera.bind.prepared import custom_plan, execution_of
    return custom_plan(binder, execution_of(binder, fields))


def words(kind):
    """A statement's kind as people say it: "CREATE INDEX" hides in IndexStmt, so some are listed."""
    listed = {"IndexStmt": "CREATE INDEX", "UpdateStmt": "UPDATE", "DeleteStmt": "DELETE", "MergeStmt": "MERGE",
              "CreateFunctionStmt": "CREATE FUNCTION", "CreateSeqStmt": "CREATE SEQUENCE",
              "CreateTrigStmt": "CREATE TRIGGER",
              "AlterTableStmt": "ALTER TABLE", "LockStmt": "LOCK TABLE",
              "CreateRoleStmt": "CREATE ROLE", "DefineStmt": "this CREATE",
              "RefreshMatViewStmt": "REFRESH"}
    if kind in listed:
        return listed[kind]
    name = kind.removesuffix("Stmt")
    return "".join(" " + letter if letter.isupper() else letter for letter in name).strip().upper()


@statement_rule("SelectStmt")
def bind_select(binder, fields):
    """SELECT, VALUES: a Query; SELECT ... INTO is CREATE TABLE ... AS."""
    if "intoClause" in fields:
        from caldera.bind.definitions import table_as
        query = {key: value for key, value in fields.items() if key != "intoClause"}
        return table_as(binder, "SelectStmt", query, fields["intoClause"])
    plan, names = bind_query(binder, fields)
    return Query(plan, names)


EXPLAIN_FLAGS = {"analyze", "verbose", "costs", "buffers", "timing", "summary", "settings", "generic_plan", "wal", "memory",
                 "pipelines", "code", "asm"}


@statement_rule("ExplainStmt")
def bind_explain(binder, fields):
    """EXPLAIN of a statement. Raises 22023 for an unknown FORMAT, 42601 for an unknown option."""
    options = {"format": "text"}
    for node in fields.get("options", ()):
        option = node["DefElem"]
        name, value = option["defname"].lower(), option_value(option)
        if name == "format":
            if str(value).lower() not in ("text", "json"):
                raise binder.error("22023", f'unrecognized value for EXPLAIN option "format": "{value}"',
                                   option.get("location", 0))
            options["format"] = value.lower()
        elif name in EXPLAIN_FLAGS:
            options[name] = boolean_option(binder, option)
        elif name == "serialize":
            options[name] = value
        else:
            raise binder.error("42601", f'unrecognized EXPLAIN option "{option["defname"]}"', option.get("location", 0))
    (kind, inner), = fields["query"].items()
    binder.only_explains = not options.get("analyze")
    return Explain(bind_once(binder, kind, inner), options)


# ------------------------------------------------------------------------------------------------ options

def option_value(option):
    """What stands behind a DefElem's name: text, a number, a list, or None."""
    node = option.get("arg")
    if node is None:
        return None
    (kind, value), = node.items()
    if kind == "String":
        return value.get("sval", "")
    if kind == "Integer":
        return value.get("ival", 0)
    if kind == "Float":
        return value["fval"]
    if kind == "Boolean":
        return value.get("boolval", False)
    if kind == "List":
        return [option_value({"arg": item}) for item in value.get("items", ())]
    if kind == "TypeName":
        return value["names"][-1]["String"]["sval"]
    if kind == "A_Star":
        return "*"
    return value


def boolean_option(binder, option):
    """A DefElem as PostgreSQL's defGetBoolean reads it: nothing, true, on, 1 or false, off, 0. Raises 42601."""
    value = option_value(option)
    if value is None or value is True or value is False:
        return value is not False
    if value in (0, 1):
        return value == 1
    if isinstance(value, str) and value.lower() in ("true", "on", "false", "off"):
        return value.lower() in ("true", "on")
    raise binder.error("42601", f"{option['defname']} requires a Boolean value")
