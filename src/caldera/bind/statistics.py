"""CREATE STATISTICS and ALTER STATISTICS. What is gathered: storage.statistics.extended; how it is used:
optimize.extended."""
from caldera.bind.binder import strings
from caldera.bind.rules import statement_rule
from caldera.bind.sources import find_entry
from caldera.catalog.search_path import schema_and_name
from caldera.catalog.statistics import alter_statistics, create_statistics
from caldera.plan.nodes import Utility

KINDS, COLUMNS_MAX, TARGET_MAX = ("ndistinct", "dependencies", "mcv"), 8, 10_000
UNORDERED = {"json", "xml", "point"}


@statement_rule("CreateStatsStmt")
def bind_create_statistics(binder, fields):
    """CREATE STATISTICS. Raises 42P17 for fewer than two columns, 54011 for too many, 42701 for one twice, 42601 for an
    unknown kind."""
    table = statistics_table(binder, fields["relations"])
    kinds = strings(fields.get("stat_types", ())) or list(KINDS)
    columns = [statistics_column(binder, table, node["StatsElem"]) for node in fields["exprs"]]
    if len(columns) < 2:
        raise binder.error("42P17", "extended statistics require at least 2 columns")
    if len(columns) > COLUMNS_MAX:
        raise binder.error("54011", f"cannot have more than {COLUMNS_MAX} columns in statistics")
    if len(set(columns)) < len(columns):
        raise binder.error("42701", "duplicate column name in statistics definition")
    for kind in kinds:
        if kind not in KINDS:
            raise binder.error("42601", f'unrecognized statistics kind "{kind}"')
    names = schema_and_name(strings(fields["defnames"])) if "defnames" in fields else None
    in_order = [column.name for column in table.columns if column.name in columns]

    def run(session):
        notice = create_statistics(session.catalog, session.transaction, session.view, names, table, in_order, kinds,
                                   fields.get("if_not_exists", False))
        if notice is not None:
            session.notice(notice)
        return "CREATE STATISTICS"
    return Utility("CREATE STATISTICS", run)


def statistics_table(binder, relations):
    """The TableEntry that statistics are about. Raises 0A000, 42809."""
    if len(relations) != 1 or "RangeVar" not in relations[0]:
        raise binder.error("0A000", "only a single relation is allowed in CREATE STATISTICS")
    relation = relations[0]["RangeVar"]
    entry = find_entry(binder, relation.get("schemaname"), relation["relname"], None)
    if entry is None or entry.kind != "table":
        raise binder.error("42809", f'cannot define statistics for relation "{relation["relname"]}"',
                           detail="This operation is not supported for views.")
    if entry.system:
        raise binder.error("42501", f'permission denied: "{entry.name}" is a system catalog')
    return entry


def statistics_column(binder, table, element):
    """The name of a column that statistics may be about. Raises 42703, 0A000."""
    if "name" not in element:
        raise binder.unsupported("statistics on an expression are")
    column = table.column(element["name"])
    if column is None:
        raise binder.error("42703", f'column "{element["name"]}" does not exist')
    if column.type.name in UNORDERED:
        raise binder.error("0A000", f'column "{column.name}" cannot be used in statistics because its type '
                                    f"{column.type.sql_name} has no default btree operator class")
    return column.name


@statement_rule("AlterStatsStmt")
def bind_alter_statistics(binder, fields):
    """ALTER STATISTICS ... SET STATISTICS n; DEFAULT is -1. Raises 22023 for less."""
    target = fields.get("stxstattarget", {}).get("Integer", {}).get("ival", 0) if "stxstattarget" in fields else -1
    if target < -1:
        raise binder.error("22023", f"statistics target {target} is too low")

    def change(session):
        if target > TARGET_MAX:
            session.notice(f"lowering statistics target to {TARGET_MAX}")
        return {"target": min(target, TARGET_MAX)}
    return altered_statistics(binder, strings(fields["defnames"]), change, fields.get("missing_ok", False))


def altered_statistics(binder, names, change, if_exists=False):
    """The Utility that changes statistics. names: their qualified name; change: session -> the arguments of
    alter_statistics that change."""
    schema, name = schema_and_name(names)

    def run(session):
        if schema is not None and not if_exists:
            schema_named(binder, session, schema)
        entry = session.view.find_statistics(schema, name)
        if entry is None and not if_exists:
            raise binder.error("42704", f'statistics object "{".".join(names)}" does not exist')
        if entry is None:
            session.notice(f'statistics object "{".".join(names)}" does not exist, skipping')
        else:
            alter_statistics(session.catalog, session.transaction, entry, **change(session))
        return "ALTER STATISTICS"
    return Utility("ALTER STATISTICS", run)


def schema_named(binder, session, name):
    """The Schema of a name. Raises 3F000."""
    schema = session.view.schema(name)
    if schema is None:
        raise binder.error("3F000", f'schema "{name}" does not exist')
    return schema
