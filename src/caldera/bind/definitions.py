"""CREATE and DROP of tables, schemas and views; TRUNCATE, VACUUM, ANALYZE.

    CREATE TABLE ──▶ Utility whose run makes a CreateTable happen; CREATE TABLE AS ──▶ CreateTableAs(plan, CreateTable)

A column's default and a view's query are kept as SQL text, cut out of the statement, and bound again when they are used.
"""
from dataclasses import dataclass, field

from caldera.base.errors import Error
from caldera.bind.binder import strings
from caldera.bind.conversions import ASSIGNMENT, can_convert, convert
from caldera.bind.cursors import refuse_if_read
from caldera.bind.defaults import bind_default, text_of_default
from caldera.bind.expressions import check_collation
from caldera.bind.record_types import has_records
from caldera.bind.rules import statement_rule
from caldera.bind.select import bind_query
from caldera.bind.sources import find_entry
from caldera.bind.statements import boolean_option, option_value
from caldera.bind.typenames import bind_type
from caldera.catalog.columns import ColumnSchema
from caldera.catalog.engines import ENGINES
from caldera.catalog.search_path import schema_and_name
from caldera.catalog.statistics import drop_statistics, keep_found
from caldera.catalog.types import drop_types
from caldera.plan.expressions import Constant
from caldera.plan.nodes import CreateTableAs, Limit, Query, Utility
from caldera.sql.libpg_query import scan
from caldera.storage.engines import DEFAULT
from caldera.storage.statistics.extended import gathered
from caldera.types.record import RECORD, RowType
from caldera.types.registry import TYPES

REFUSED_CONSTRAINTS = {"PRIMARY": "PRIMARY KEY is", "UNIQUE": "UNIQUE is", "CHECK": "CHECK is",
                       "FOREIGN": "foreign keys are", "EXCLUSION": "EXCLUDE is",
                       "IDENTITY": "identity columns are", "GENERATED": "generated columns are"}

ROWS_FOR_TARGET = 300               # that ANALYZE looks at, for each step of default_statistics_target, as in PostgreSQL

# Columns that each of PostgreSQL's tables has besides those it was made with.
SYSTEM_COLUMNS = {"ctid", "xmin", "cmin", "xmax", "cmax", "tableoid"}


@dataclass(frozen=True)
class CreateTable:
    """A table to be made. Called with a session it is, and gives the TableEntry, or None if IF NOT EXISTS found one."""
    schema: str | None
    name: str
    columns: tuple
    engine: str = DEFAULT
    options: dict = field(default_factory=dict, hash=False)
    temporary: bool = False
    if_not_exists: bool = False

    def __call__(self, session):
        entry, notice = session.catalog.create_table(
            session.transaction, session.view, self.schema, self.name, self.columns, self.engine, self.options,
            self.temporary, self.if_not_exists)
        if notice:
            session.notice(notice)
        return entry


# ------------------------------------------------------------------------------------------------ CREATE TABLE

@statement_rule("CreateStmt")
def bind_create_table(binder, fields):
    """CREATE TABLE. Raises 0A000 for inheritance, partitions, and constraints of tables."""
    if "inhRelations" in fields or "partspec" in fields or "partbound" in fields:
        raise binder.unsupported("inheritance and partitions are")
    columns = []
    for node in fields.get("tableElts", ()):
        (kind, element), = node.items()
        if kind == "ColumnDef":
            columns.append(bind_column(binder, element, fields["relation"]["relname"]))
        elif kind == "TableLikeClause":
            columns += columns_like(binder, element)
        else:
            raise refused_constraint(binder, element)
    table = created_table(binder, fields["relation"], columns, fields, fields.get("if_not_exists", False),
                          fields.get("oncommit"))

    def run(session):
        try:
            table(session)
        except Error as fault:
            if fault.sqlstate == "3F000":
                fault.position = binder.position(fields["relation"].get("location", 0))
            raise
        return "CREATE TABLE"
    return Utility("CREATE TABLE", run)


def created_table(binder, relation, columns, fields, if_not_exists, on_commit):
    """The CreateTable of what both CREATE TABLE and CREATE TABLE AS say."""
    if on_commit in ("ONCOMMIT_DROP", "ONCOMMIT_DELETE_ROWS"):
        raise binder.unsupported("this ON COMMIT is")
    engine = fields.get("accessMethod") or binder.session.setting("default_table_access_method")
    if engine not in ENGINES:
        raise binder.error("42704", f'access method "{engine}" does not exist')
    options = {}
    for node in fields.get("options", ()):
        option = node["DefElem"]
        if option["defname"] in options:
            raise binder.error("22023", f'parameter "{option["defname"]}" specified more than once')
        options[option["defname"]] = str(option_value(option))
    return CreateTable(relation.get("schemaname"), relation["relname"], tuple(columns), engine, options,
                       relation.get("relpersistence") == "t", if_not_exists)


def bind_column(binder, fields, table_name):
    """The ColumnSchema of a ColumnDef. Raises 42701 for a system column's name, 42601 where NOT NULL or DEFAULT is said in
    two ways, 0A000 for serial types and other constraints."""
    names = strings(fields["typeName"]["names"])
    if names[-1] in ("serial", "serial4", "bigserial", "serial8", "smallserial", "serial2") and len(names) == 1:
        raise binder.unsupported(f"type {names[-1]} is", fields["typeName"].get("location", 0))
    type, modifier = bind_type(binder, fields["typeName"])
    if fields["colname"] in SYSTEM_COLUMNS:
        raise binder.error("42701", f'column name "{fields["colname"]}" conflicts with a system column name')
    if "collClause" in fields:
        check_collation(binder, fields["collClause"], type)
    nullable, default, said = True, None, None
    for number, node in enumerate(fields.get("constraints", ())):
        constraint = node["Constraint"]
        kind, location = constraint["contype"].removeprefix("CONSTR_"), constraint.get("location", 0)
        if kind in ("NOTNULL", "NULL"):
            if said not in (None, kind):
                raise binder.error("42601", f'conflicting NULL/NOT NULL declarations for column "{fields["colname"]}" '
                                            f'of table "{table_name}"', location)
            said, nullable = kind, kind == "NULL"
        elif kind == "DEFAULT":
            if default is not None:
                raise binder.error("42601", f'multiple default values specified for column "{fields["colname"]}" '
                                            f'of table "{table_name}"', location)
            ends = [other["Constraint"].get("location", 0) for other in fields["constraints"][number + 1:]]
            if "collClause" in fields:
                ends.append(fields["collClause"].get("location", 0))
            default = text_of_default(binder, location, [end for end in ends if end > location])
            check_default(binder, constraint["raw_expr"], fields["colname"], type, modifier)
        else:
            raise refused_constraint(binder, constraint)
    check_named(binder, fields["colname"], type)
    return ColumnSchema(fields["colname"], type, modifier, nullable, default)


def refused_constraint(binder, constraint):
    """The error (0A000) for a constraint that tables cannot have yet, to be raised by the caller."""
    kind = constraint["contype"].removeprefix("CONSTR_")
    return binder.unsupported(REFUSED_CONSTRAINTS.get(kind, f"constraint {kind} is"), constraint.get("location", 0))


def check_default(binder, node, name, type, modifier):
    """Raise unless a default is a value for its column: 42804, 0A000, 42803, or what its literal cannot be."""
    expression = bind_default(binder, node)
    if not can_convert(expression.type.name, type.name, ASSIGNMENT):
        raise binder.error("42804", f'column "{name}" is of type {type.sql_name} but default expression is of type '
                                    f"{expression.type.sql_name}", hint="You will need to rewrite or cast the expression.")
    convert(binder, expression, type, modifier, ASSIGNMENT)


def columns_like(binder, fields):
    """The columns of LIKE t: names, types and NOT NULL; defaults if it says so."""
    relation = fields["relation"]
    entry = find_entry(binder, relation.get("schemaname"), relation["relname"], relation.get("location", 0))
    with_defaults = fields.get("options", 0) & 8
    return [ColumnSchema(column.name, column.type, column.modifier, column.nullable,
                         column.default if with_defaults else None) for column in entry.columns]


# ------------------------------------------------------------------------------------------------ AS a query

@statement_rule("CreateTableAsStmt")
def create_table_as(binder, fields):
    """CREATE TABLE ... AS. Raises 0A000 for materialized views."""
    if fields.get("objtype") != "OBJECT_TABLE":
        raise binder.unsupported("CREATE MATERIALIZED VIEW is")
    (kind, query), = fields["query"].items()
    return table_as(binder, kind, query, fields["into"], fields.get("if_not_exists", False))


def table_as(binder, kind, query, into, if_not_exists=False):
    """The CreateTableAs of a query and an IntoClause."""
    if kind == "ExecuteStmt":
        from caldera.bind.statements import bind_once
        executed = bind_once(binder, kind, query)
        if not isinstance(executed, Query):
            raise binder.error("42809", "prepared statement is not a SELECT")
        plan, names = executed.input, executed.names
    else:
        plan, names = bind_query(binder, query)
    given = strings(into.get("colNames", ()))
    if len(given) > len(names):
        raise binder.error("42601", "too many column names were specified")
    names = given + list(names[len(given):])
    columns = columns_of_query(binder, plan, names)
    table = created_table(binder, into["rel"], columns, into, if_not_exists, into.get("onCommit"))
    if into.get("skipData"):
        plan = Limit(plan, Constant(0, TYPES["int8"]))
    return CreateTableAs(plan, table)


def check_named(binder, name, type):
    """Raise 42P16 for a column of records whose type has no name, 0A000 for one of a relation's rows."""
    element = getattr(type, "element", type)
    if isinstance(element, RowType):
        raise binder.unsupported("columns of the type of a relation's rows are")
    if has_records(type) and element.name == RECORD.name:
        raise binder.error("42P16", f'column "{name}" has pseudo-type {type.sql_name}')


def columns_of_query(binder, plan, names):
    """The ColumnSchemas of what a query gives. Raises 42P16 for a record, whose type has no name."""
    for name, column in zip(names, plan.output):
        check_named(binder, name, column.type)
    return [ColumnSchema(name, column.type, column.modifier) for name, column in zip(names, plan.output)]


@statement_rule("ViewStmt")
def bind_create_view(binder, fields):
    """CREATE VIEW. Raises 42601 for more names than columns and for SELECT INTO, 42P02 for parameters, 0A000 for WITH CHECK
    OPTION."""
    if fields.get("withCheckOption", "NO_CHECK_OPTION") != "NO_CHECK_OPTION":
        raise binder.unsupported("WITH CHECK OPTION is")
    (_, query), = fields["query"].items()
    if "intoClause" in query:
        raise binder.error("42601", "views must not contain SELECT INTO")
    plan, names = bind_query(binder, query)
    if binder.parameter_types:
        raise binder.error("42P02", "there is no parameter $1")
    given = strings(fields.get("aliases", ()))
    if len(given) > len(names):
        raise binder.error("42601", "CREATE VIEW specifies more column names than columns")
    columns = columns_of_query(binder, plan, given + list(names[len(given):]))
    relation, text = fields["view"], view_text(binder)
    reads = tuple(dict.fromkeys(entry.oid for entry in binder.entries))

    def run(session):
        session.catalog.create_view(session.transaction, session.view, relation.get("schemaname"), relation["relname"],
                                    columns, text, reads, fields.get("replace", False),
                                    relation.get("relpersistence") == "t")
        return "CREATE VIEW"
    return Utility("CREATE VIEW", run)


def view_text(binder):
    """The query of a CREATE VIEW: what follows the first AS outside parentheses, as it was written, but with the schema
    before each table's name, so that the view means the same under another search_path."""
    statement, depth = binder.statement, 0
    encoded = statement.encoded[statement.first:statement.stop]
    for start, end, *_ in scan(encoded.decode()):
        token = encoded[start:end].lower()
        depth += (token == b"(") - (token == b")")
        if token == b"as" and depth == 0:
            break
    pieces, at = [], statement.first + end
    for location, entry in sorted(binder.bare_names.items()):
        pieces += [statement.encoded[at:location], quoted(entry.schema.name).encode() + b"."]
        at = location
    return b"".join([*pieces, statement.encoded[at:statement.stop]]).decode().strip()


def quoted(name):
    """A name as SQL has to write it: in quotes unless it is a plain word and no keyword."""
    if name.isascii() and name.isidentifier() and name == name.lower() and scan(name)[0][3] == 0:
        return name
    return '"' + name.replace('"', '""') + '"'


# ------------------------------------------------------------------------------------------------ schemas, DROP, TRUNCATE

@statement_rule("CreateSchemaStmt")
def bind_create_schema(binder, fields):
    """CREATE SCHEMA. Raises 0A000 for objects in it."""
    if "schemaElts" in fields:
        raise binder.unsupported("objects in CREATE SCHEMA are")
    name = fields.get("schemaname") or fields["authrole"].get("rolename")

    def run(session):
        _, notice = session.catalog.create_schema(session.transaction, name, fields.get("if_not_exists", False))
        if notice:
            session.notice(notice)
        return "CREATE SCHEMA"
    return Utility("CREATE SCHEMA", run)


@statement_rule("DropStmt")
def bind_drop(binder, fields):
    """DROP of tables, views, schemas, types, domains, statistics. Raises 0A000 for other objects."""
    kind = fields["removeType"].removeprefix("OBJECT_").replace("_", " ")
    tag, if_exists, cascade = f"DROP {kind}", fields.get("missing_ok", False), fields["behavior"] == "DROP_CASCADE"
    kind = "STATISTICS" if kind == "STATISTIC EXT" else kind
    tag = f"DROP {kind}"
    if kind not in ("TABLE", "VIEW", "SCHEMA", "TYPE", "DOMAIN", "STATISTICS"):
        raise binder.unsupported(f"{tag} is")
    if kind == "SCHEMA":
        names = [node["String"]["sval"] for node in fields["objects"]]
    elif kind in ("TYPE", "DOMAIN"):
        names = [schema_and_name(strings(node["TypeName"]["names"])) for node in fields["objects"]]
    else:
        names = [schema_and_name(strings(node["List"]["items"])) for node in fields["objects"]]

    def run(session):
        if kind == "SCHEMA":
            notices = []
            for name in names:
                notices += session.catalog.drop_schema(session.transaction, session.view, name, if_exists, cascade)
        elif kind == "STATISTICS":
            notices = drop_statistics(session.catalog, session.transaction, session.view, names, if_exists)
        elif kind in ("TYPE", "DOMAIN"):
            notices = drop_types(session.catalog, session.transaction, session.view, kind.lower(), names, if_exists, cascade)
        else:
            entries = [session.view.find_relation(*name) for name in names]
            notices = session.catalog.drop_relations(session.transaction, session.view, kind.lower(), names, if_exists,
                                                     cascade)
            for entry in entries:
                if entry is not None:
                    refuse_if_read(session, entry, tag)
        for notice in notices:
            session.notice(notice)
        return tag
    return Utility(tag, run)


def named_tables(binder, nodes):
    """The entries of tables that a statement names; raises 42809 for a view."""
    found = []
    for relation in nodes:
        entry = find_entry(binder, relation.get("schemaname"), relation["relname"], None)
        if entry is None or entry.kind != "table":
            raise binder.error("42809", f'"{relation["relname"]}" is not a table')
        if entry.system:
            raise binder.error("42501", f'permission denied: "{entry.name}" is a system catalog')
        found.append(entry)
    return found


@statement_rule("TruncateStmt")
def bind_truncate(binder, fields):
    """TRUNCATE. Raises 42809 for a view; when it runs, what `refuse_if_read` does for a table that a cursor reads."""
    entries = named_tables(binder, [node["RangeVar"] for node in fields["relations"]])

    def run(session):
        for entry in entries:
            refuse_if_read(session, entry, "TRUNCATE")
            entry.relation.truncate(session.transaction)
        return "TRUNCATE TABLE"
    return Utility("TRUNCATE TABLE", run)


@statement_rule("VacuumStmt")
def vacuum(binder, fields):
    """VACUUM merges the parts of tables; ANALYZE, or VACUUM with that option, gathers statistics."""
    vacuums = bool(fields.get("is_vacuumcmd"))
    options = {node["DefElem"]["defname"]: node["DefElem"] for node in fields.get("options", ())}
    analyzes = not vacuums or "analyze" in options and boolean_option(binder, options["analyze"])
    chosen, notices = [], []
    for node in (node["VacuumRelation"] for node in fields.get("rels", ())):
        entry = find_entry(binder, node["relation"].get("schemaname"), node["relation"]["relname"], None)
        if entry is None or entry.kind != "table":
            notices.append(f'skipping "{node["relation"]["relname"]}" --- cannot {"vacuum" if vacuums else "analyze"} '
                           "non-tables or special system tables")
        elif not entry.system:
            chosen.append((entry, analyzed_columns(binder, entry, strings(node.get("va_cols", ())))))

    def run(session):
        for notice in notices:
            session.notice(notice)
        tables = chosen if "rels" in fields else [(entry, [column.name for column in entry.columns]) for entry in
                                                  session.view.relations() if entry.kind == "table" and not entry.system]
        for entry, _ in tables if vacuums else ():
            entry.relation.merge_all()
        steps = int(session.setting("default_statistics_target"))
        for entry, names in tables if analyzes else ():
            entry.relation.analyze(session.transaction, names, ROWS_FOR_TARGET * steps)
            analyze_together(session, entry.relation, names, steps)
            session.catalog.version += 1                # plans that were made before may be bad ones now
        return "VACUUM" if vacuums else "ANALYZE"
    return Utility("VACUUM" if vacuums else "ANALYZE", run)


def analyze_together(session, relation, names, steps):
    """Gather the extended statistics on some of a table's columns. steps: of those that have no target of their own."""
    snapshot = session.view.snapshot
    for entry in relation.extended_statistics:
        own = steps if entry.target < 0 else entry.target
        if own and snapshot.sees(entry) and set(entry.columns) <= set(names):
            found = gathered(relation, snapshot, entry.columns, entry.kinds, ROWS_FOR_TARGET * own, own)
            keep_found(session.catalog, session.transaction, entry, found)


def analyzed_columns(binder, entry, names):
    """The columns of a table that ANALYZE is to look at: those named, or all. Raises 42703, 42701."""
    known = [column.name for column in entry.columns]
    for number, name in enumerate(names):
        if name not in known:
            raise binder.error("42703", f'column "{name}" of relation "{entry.name}" does not exist')
        if name in names[:number]:
            raise binder.error("42701", f'column "{name}" of relation "{entry.name}" appears more than once')
    return names or known
