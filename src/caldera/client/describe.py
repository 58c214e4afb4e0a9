"""What \\d and its like show: schemas, tables, views, columns, functions, as printing.Tables.

Patterns are psql's: * and ? stand for any letters, a dot separates the schema, quotes keep capitals.
"""
import re

from caldera.catalog import facts
from caldera.client.printing import Table
from caldera.functions import registry
from caldera.functions.user import OWN

KINDS = {"b": "base", "p": "pseudo", "r": "range", "m": "multirange"}           # of the system's types, by pg_type.typtype


def table_of(names, rows, title="", rights=None, footers=()):
    """A Table of rows."""
    columns = [[text or "" for text in column] for column in zip(*rows)] if rows else [[] for _ in names]
    return Table(list(names), rights or [False] * len(names), columns, len(rows), title, list(footers))


def matcher(pattern):
    """A function (schema, name, reachable) -> whether a pattern means it. No pattern: what is reachable without a schema."""
    if not pattern:
        return lambda schema, name, reachable: reachable
    *schemas, last = split_pattern(pattern)
    name_expression = re.compile(translated(last))
    schema_expression = re.compile(translated(schemas[-1])) if schemas else None

    def matches(schema, name, reachable):
        if not name_expression.fullmatch(name):
            return False
        return reachable if schema_expression is None else schema_expression.fullmatch(schema) is not None
    return matches


def split_pattern(pattern):
    """The parts of a pattern between its dots."""
    return re.findall(r'(?:"(?:[^"]|"")*"|[^".])+', pattern) or [pattern]


def translated(part):
    """One part of a pattern as a regular expression."""
    expression = []
    for quoted, letter in re.findall(r'"((?:[^"]|"")*)"|([^"])', part):
        plain = letter.lower() if letter else quoted.replace('""', '"')
        expression.append({"*": ".*", "?": "."}.get(letter, re.escape(plain)))
    return "".join(expression)


def relations(view, pattern, kinds, with_system=False):
    """The entries of the catalog that a pattern means, tables and views alike, sorted by name."""
    matches = matcher(pattern)
    explicit = bool(pattern)
    found = [entry for entry in view.relations() if entry.kind in kinds and (explicit or with_system or not entry.system)
             and matches(entry.schema.name, entry.name, view.is_reachable(entry))]
    return sorted(found, key=lambda entry: (entry.schema.name, entry.name))


def list_of_relations(view, pattern, kinds):
    """\\dt, \\dv, \\d: a Table, or None if there is nothing to list."""
    entries = relations(view, pattern, kinds)
    if not entries:
        return None
    rows = []
    for entry in entries:
        count = str(entry.relation.row_estimate(view.snapshot)) if entry.kind == "table" and entry.relation else None
        rows.append((entry.schema.name, entry.name, entry.kind, entry.engine, count))
    return table_of(("Schema", "Name", "Type", "Engine", "Rows"), rows, "List of relations", [False] * 4 + [True])


def described(view, entry):
    """\\d name: a Table of the columns."""
    rows = [(column.name, column.type.spell(column.modifier), None, None if column.nullable else "not null", column.default)
            for column in entry.columns]
    footers = []
    if entry.kind == "view":
        footers += ["View definition:", *(" " + line for line in entry.query.strip().splitlines())]
    elif entry.relation is not None and not entry.system:
        footers.append(f"Access method: {entry.engine}")
        if entry.options:
            footers.append("Options: " + ", ".join(f"{name}={value}" for name, value in sorted(entry.options.items())))
        footers.append(f"Rows: {entry.relation.row_estimate(view.snapshot):,}")
        if parts := entry.relation.visible_parts(view.snapshot):
            footers.append(f"Parts: {len(parts)}, {size(sum(part.byte_count or 0 for part in parts))}")
    kind = "Temporary table" if entry.temporary and entry.kind == "table" else entry.kind.capitalize()
    title = f'{kind} "{entry.schema.name}.{entry.name}"'
    return table_of(("Column", "Type", "Collation", "Nullable", "Default"), rows, title, footers=footers or [""])


def size(count):
    """Bytes for people."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 10240:
            return f"{count:.0f} {unit}"
        count /= 1024
    return f"{count:.0f} TB"


def list_of_schemas(view, pattern):
    """\\dn."""
    matches = matcher(pattern)
    names = [schema.name for schema in view.schemas()]
    rows = [(name,) for name in names if matches("", name, bool(pattern) or not is_internal(name))]
    return table_of(("Name",), rows, "List of schemas")


def list_of_types(view, pattern):
    """\\dT: users' types; with a pattern also the system's. Neither has arrays in it."""
    matches = matcher(pattern)
    rows = [(entry.schema.name, entry.type.sql_name, entry.family) for entry in view.types()
            if matches(entry.schema.name, entry.name, view.is_reachable(entry))]
    if pattern:
        rows += [("pg_catalog", type.sql_name, KINDS[type.kind]) for type in facts.TYPES.values()
                 if not type.element and any(matches("pg_catalog", name, True) for name in (type.name, type.sql_name))]
    return table_of(("Schema", "Name", "Kind"), sorted(rows), "List of data types")


def is_internal(name):
    """Whether a schema is the system's own."""
    return name.startswith("pg_") or name == "information_schema"


def list_of_functions(pattern):
    """\\df: a user's functions, or all that a pattern means. Operators and casts are left out."""
    matches, rows = matcher(pattern), []
    for name, signatures in sorted(registry.FUNCTIONS.items()):
        for function in signatures:
            own = OWN.get((name, function.arguments)) is function
            if matches("", name, own or bool(pattern)) and not function.operator:
                kind = "user" if own else "built-in"
                rows.append((name, sql_name(function.result), spelled(function), kind, first_line(function.doc)))
    if pattern:
        for kind, table in (("aggregate", registry.AGGREGATES), ("window", registry.WINDOW_FUNCTIONS)):
            rows += [(name, sql_name(signature.result), spelled(signature) or "*" * (kind == "aggregate"), kind,
                      first_line(signature.doc))
                     for name, signatures in sorted(table.items()) for signature in signatures if matches("", name, True)]
    return table_of(("Name", "Result data type", "Argument data types", "Type", "Description"), rows, "List of functions")


def spelled(function):
    """The arguments of a signature as SQL spells their types."""
    names = [sql_name(argument) for argument in function.arguments]
    if function.variadic and names:
        names[-1] = "VARIADIC " + names[-1]
    return ", ".join(names)


def sql_name(type):
    """A type as SQL spells it; pseudo-types, which are no SqlTypes, by their names."""
    return getattr(type, "sql_name", f'"{type}"' if type == "any" else type)


def first_line(text):
    """The first line of a text, or nothing."""
    return text.strip().split("\n")[0] if text else ""
