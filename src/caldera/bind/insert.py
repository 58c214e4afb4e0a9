"""INSERT: rows to the columns of a table.

    bind_insert ──▶ Insert(Values | Project(query), entry)      output: all columns of the table, in its order

Expressions become the columns' types by assignment; columns that the statement leaves out get their defaults.
"""
from caldera.bind.binder import leftmost
from caldera.bind.common_tables import add_common_tables
from caldera.bind.conversions import ASSIGNMENT, can_convert, convert, text_if_unknown
from caldera.bind.defaults import default_value
from caldera.bind.rules import bind_expression, statement_rule
from caldera.bind.scope import Scope
from caldera.bind.select import bind_query
from caldera.bind.sources import find_entry
from caldera.plan.expressions import new_column
from caldera.plan.nodes import Insert, Project, Values


@statement_rule("InsertStmt")
def bind_insert(binder, fields):
    """The Insert of an InsertStmt."""
    for clause, what in (("returningClause", "RETURNING is"), ("onConflictClause", "ON CONFLICT is")):
        if clause in fields:
            raise binder.unsupported(what)
    entry = writable_table(binder, fields["relation"], fields["relation"].get("location", 0))
    scope = Scope(binder)
    if "withClause" in fields:
        add_common_tables(scope, fields["withClause"])
    numbers = target_columns(binder, entry, fields.get("cols"))
    query = fields.get("selectStmt", {}).get("SelectStmt")
    if query is None:
        return Insert(values(binder, entry, [{}]), entry)
    if "valuesLists" in query and not {"sortClause", "limitCount", "limitOffset", "withClause"} & set(query):
        return Insert(values(binder, entry, inserted_rows(scope, entry, fields, numbers, query["valuesLists"])), entry)
    return Insert(inserted_query(scope, entry, fields, numbers, query), entry)


def writable_table(binder, relation, location=None, tag="INSERT"):
    """The entry of a table into which a statement writes. Raises 42P01, 0A000 for views, 42501 for system tables,
    and 25006 where the transaction only reads."""
    entry = find_entry(binder, relation.get("schemaname"), relation["relname"], location)
    if entry is None or entry.kind != "table":
        raise binder.unsupported(f'writing to "{relation["relname"]}", which is no table, is')
    if entry.system:
        raise binder.error("42501", f"permission denied for table {entry.name}")
    if not entry.schema.name.startswith("pg_temp"):
        binder.refuse_in_read_only(tag)
    return entry


def target_columns(binder, entry, nodes):
    """The numbers of the columns that a statement lists: all if it lists none. Raises 42703, 42701."""
    if nodes is None:
        return list(range(len(entry.columns)))
    known, numbers = {column.name: number for number, column in enumerate(entry.columns)}, []
    for node in nodes:
        target = node.get("ResTarget") or {"name": node["String"]["sval"], "location": -1}
        name, location = target["name"], target.get("location", 0)
        if "indirection" in target:
            raise binder.unsupported("fields and elements as targets are", location)
        if name not in known:
            raise binder.error("42703", f'column "{name}" of relation "{entry.name}" does not exist', location)
        if known[name] in numbers:
            raise binder.error("42701", f'column "{name}" specified more than once', location)
        numbers.append(known[name])
    return numbers


def assign(binder, expression, column):
    """An expression as a value for a column; raises 42804 if it cannot be assigned."""
    if not can_convert(expression.type.name, column.type.name, ASSIGNMENT):
        raise binder.error("42804", f'column "{column.name}" is of type {column.type.sql_name} but expression is of type '
                                    f"{expression.type.sql_name}", binder.location(expression),
                           hint="You will need to rewrite or cast the expression.")
    return convert(binder, expression, column.type, column.modifier, ASSIGNMENT)


def check_count(binder, fields, given, targets, location):
    """Raise 42601 if there are more expressions than columns, or fewer than the statement lists."""
    if given > targets:
        raise binder.error("42601", "INSERT has more expressions than target columns", location)
    if "cols" in fields and given < targets:
        raise binder.error("42601", "INSERT has more target columns than expressions",
                           fields["cols"][given]["ResTarget"].get("location", 0))


def inserted_rows(scope, entry, fields, numbers, lists):
    """The rows of VALUES as dicts {number of the column: expression}; DEFAULT is left out."""
    binder, rows, width = scope.binder, [], len(lists[0]["List"].get("items", ()))
    scope.clause, scope.aggregates_allowed = "VALUES", False
    for node in lists:
        items, row = node["List"].get("items", ()), {}
        if len(items) != width:
            raise binder.error("42601", "VALUES lists must all be the same length", leftmost(items[0]))
        if len(items) != len(numbers):
            extra = leftmost(items[len(numbers)]) if len(items) > len(numbers) else None
            check_count(binder, fields, len(items), len(numbers), extra)
        for number, item in zip(numbers, items):
            if "SetToDefault" not in item:
                row[number] = assign(binder, bind_expression(scope, item), entry.columns[number])
        rows.append(row)
    return rows


def values(binder, entry, rows):
    """Values of all columns of the table."""
    defaults = {number: default_value(binder, column) for number, column in enumerate(entry.columns)
                if any(number not in row for row in rows)}
    complete = tuple(tuple(row[number] if number in row else defaults[number] for number in range(len(entry.columns)))
                     for row in rows)
    columns = tuple(new_column(column.name, column.type, column.modifier, any(row[number].nullable for row in complete))
                    for number, column in enumerate(entry.columns))
    return Values(complete, columns)


def inserted_query(scope, entry, fields, numbers, query):
    """The rows of a query as rows of the table: a Project with a column for each of the table's. numbers: those it goes to.
    Raises 42601 for more columns than these, 42804 for a type that a column cannot take."""
    binder = scope.binder

    def settle(number, expression):
        """A literal in the SELECT list is read as a value of the column it goes to."""
        if number >= len(numbers):
            return text_if_unknown(binder, expression)
        return assign(binder, expression, entry.columns[numbers[number]])
    plan, _ = bind_query(binder, query, None, scope.common_tables, settle)
    given = plan.output
    check_count(binder, fields, len(given), len(numbers), binder.location(given[len(numbers)])
                 if len(given) > len(numbers) else None)
    sources = dict(zip(numbers, given))
    items = []
    for number, column in enumerate(entry.columns):
        value = assign(binder, sources[number], column) if number in sources else default_value(binder, column)
        items.append((new_column(column.name, column.type, column.modifier, value.nullable), value))
    return Project(plan, tuple(items))
