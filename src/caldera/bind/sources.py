"""FROM: tables, views, common table expressions, subqueries, VALUES, functions, files.

    bind_from(scope, nodes) ── each node ──▶ a Source in the scope; joins: bind.joins

A view is bound anew wherever it is mentioned; WITH queries: bind.common_tables.
"""
from caldera.bind import files
from caldera.bind.binder import Binder, strings
from caldera.bind.common_tables import common_rows
from caldera.bind.function_rows import function_rows
from caldera.bind.joins import bind_join
from caldera.bind.json_table import json_table_rows
from caldera.bind.sampling import sampled
from caldera.bind.scope import PlanSource, TableSource
from caldera.bind.set_returning import IN_FROM
from caldera.sql.parse import parse_one

VIEW_DEPTH_MAX = 100


def bind_from(scope, nodes):
    """Put the items of a FROM list into scope."""
    for node in nodes:
        (kind, fields), = node.items()
        if kind == "JoinExpr":
            bind_join(scope, fields)
            continue
        rule = RULES.get(kind)
        if rule is None:
            raise scope.binder.unsupported(f"{kind} in FROM is", fields.get("location", -1))
        scope.add(rule(scope, fields))


# ------------------------------------------------------------------------------------------------ names

def renamed(scope, fields, names, default):
    """(alias, column names) of a FROM item: what AS t(a, b) says, else what it has by itself."""
    alias = fields.get("alias")
    if alias is None:
        return default, list(names)
    given = strings(alias.get("colnames", ()))
    if len(given) > len(names):
        raise scope.binder.error("42P10", f'table "{alias["aliasname"]}" has {len(names)} columns available but '
                                          f"{len(given)} columns specified")
    return alias["aliasname"], given + list(names[len(given):])


# ------------------------------------------------------------------------------------------------ tables

def bind_table(scope, fields):
    """The Source of a name in FROM: a file, a WITH query, a table, a view, or a data frame of the program, in this order.
    Raises 42P01 for none of these, 0A000 for another database."""
    binder, location = scope.binder, fields.get("location", 0)
    path = binder.statement.files.get(location)
    if path is not None:
        return relation_source(scope, fields, files.open_file(binder, path, location), files.stem(path))
    schema, name = fields.get("schemaname"), fields["relname"]
    if "catalogname" in fields:
        written = f"{fields['catalogname']}.{schema}.{name}"
        raise binder.error("0A000", f'cross-database references are not implemented: "{written}"', location)
    if schema is None and name in scope.common_tables:
        return common_table_source(scope, fields, name, scope.common_tables[name])
    entry = find_entry(binder, schema, name, location)
    if entry is None:
        return relation_source(scope, fields, binder.session.find_frame(name), name)
    if entry.kind == "view":
        source = view_source(scope, fields, entry, schema)
    else:
        source = relation_source(scope, fields, entry.relation, name, entry.columns, schema or entry.schema.name)
    source.entry = entry
    return source


def find_entry(binder, schema, name, location):
    """The catalog's entry of a relation; None if only a data frame of the caller's has that name. Raises 42P01."""
    entry = binder.catalog.find_relation(schema, name)
    if entry is None:
        if schema is None and binder.session.find_frame(name) is not None:
            return None
        written = name if schema is None else f"{schema}.{name}"
        raise binder.error("42P01", f'relation "{written}" does not exist', location)
    binder.entries.append(entry)
    if schema is None and location is not None:
        binder.bare_names[location] = entry
    return entry


def relation_source(scope, fields, relation, label, schemas=None, schema=None):
    """A Source that scans a relation."""
    schemas = tuple(relation.columns) if schemas is None else schemas
    alias, names = renamed(scope, fields, [column.name for column in schemas], label)
    return TableSource(relation, schemas, label, alias, names, name=label, schema=None if "alias" in fields else schema,
                       location=fields.get("location", 0))


def view_source(scope, fields, entry, schema):
    """The Source of a view, whose text is bound here. Raises 54001 for views too deep in each other."""
    from caldera.bind.select import bind_query
    outer = scope.binder
    if outer.view_depth >= VIEW_DEPTH_MAX:
        raise outer.error("54001", "views are nested too deeply", fields.get("location", 0))
    binder = Binder(parse_one(entry.query), outer.session, outer.catalog)
    binder.view_depth = outer.view_depth + 1
    plan, _ = bind_query(binder, binder.statement.fields)
    outer.has_common_tables |= binder.has_common_tables
    alias, names = renamed(scope, fields, [column.name for column in entry.columns], entry.name)
    return PlanSource(plan, alias, names, fields.get("location", 0), name=entry.name,
                      schema=None if "alias" in fields else schema or entry.schema.name)


def common_table_source(scope, fields, name, table):
    """The Source of a WITH query where FROM names it."""
    alias, names = renamed(scope, fields, table.names, name)
    return PlanSource(common_rows(scope.binder, table), alias, names, fields.get("location", 0), name=name)


# ------------------------------------------------------------------------------------------------ subqueries and functions

def subselect(scope, fields):
    """The Source of a subquery in FROM."""
    from caldera.bind.select import bind_query
    with scope.in_from(lateral=fields.get("lateral", False)):
        plan, names = bind_query(scope.binder, fields["subquery"]["SelectStmt"], scope, scope.common_tables)
    alias, names = renamed(scope, fields, names, "unnamed_subquery")
    return PlanSource(plan, alias, names)


def function(scope, fields):
    """A function in FROM: a file, or what `function_rows` makes of it."""
    call = fields["functions"][0]["List"]["items"][0].get("FuncCall")
    name = strings(call["funcname"])[-1] if call else None
    if name in files.READERS and not fields.get("is_rowsfrom"):
        location = call.get("location", 0)
        with scope.in_clause(IN_FROM):
            relation = files.read_call(scope, call, name, location)
        return relation_source(scope, {**fields, "location": location}, relation, name)
    rows = function_rows(scope, fields)
    source = PlanSource(rows.plan, *renamed(scope, fields, rows.names, rows.alias))
    source.is_value, source.composite = rows.is_value, rows.composite
    return source


def bind_json_table(scope, fields):
    """The Source of JSON_TABLE(...)."""
    plan, names = json_table_rows(scope, fields)
    alias, names = renamed(scope, fields, names, "json_table")
    return PlanSource(plan, alias, names)


def bind_sample(scope, fields):
    """The Source of t TABLESAMPLE method (percentage)."""
    (kind, inner), = fields["relation"].items()
    return sampled(scope, fields, RULES[kind](scope, inner))


RULES = {"RangeVar": bind_table, "RangeSubselect": subselect, "RangeFunction": function, "RangeTableSample": bind_sample,
         "JsonTable": bind_json_table}
