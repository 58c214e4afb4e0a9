"""COPY: a table or a query to a file, a file to a table.

    COPY t FROM 'f' ──▶ Insert(Project(Scan(the file as a relation)), t)        COPY ... TO 'f' ──▶ CopyTo(plan, path)
"""
from dataclasses import replace

from caldera.base.errors import Error
from caldera.bind.binder import strings
from caldera.bind.conversions import to_boolean
from caldera.bind.defaults import default_value
from caldera.bind.files import open_copy
from caldera.bind.insert import assign, target_columns, writable_table
from caldera.bind.rules import bind_expression, statement_rule
from caldera.bind.scope import PlanSource, Scope, TableSource
from caldera.bind.select import bind_query
from caldera.bind.sources import find_entry, relation_source
from caldera.bind.statements import boolean_option, option_value
from caldera.plan.expressions import new_column
from caldera.plan.nodes import CopyTo, Filter, Insert, Project

FORMATS = {"text", "csv", "parquet"}
BOOLEANS = {"freeze"}
TEXTS = {"delimiter", "null", "quote", "escape", "encoding", "compression", "default",
         "row_group_size", "reject_limit"}
LISTS = {"force_quote", "force_not_null", "force_null"}
CSV_ONLY = {"quote": "QUOTE", "escape": "ESCAPE", "force_quote": "FORCE_QUOTE", "force_not_null": "FORCE_NOT_NULL",
            "force_null": "FORCE_NULL"}
CHOICES = {"on_error": ("stop", "ignore"), "log_verbosity": ("silent", "default", "verbose")}
NO_DELIMITERS = "\\.abcdefghijklmnopqrstuvwxyz0123456789"          # text: they mean something behind a backslash


@statement_rule("CopyStmt")
def bind_copy(binder, fields):
    """The Insert of a COPY FROM or the CopyTo of a COPY TO."""
    if fields.get("is_program"):
        raise binder.unsupported("COPY of a program is")
    if "filename" not in fields:
        raise binder.error("0A000", "COPY FROM STDIN and TO STDOUT are not supported yet",
                           hint="Name a file; '/dev/stdin' and '/dev/stdout' are files, too.")
    path, is_from = fields["filename"], fields.get("is_from", False)
    options = copy_options(binder, fields.get("options", ()), is_from)
    form = options.pop("format", None) or ("parquet" if path.endswith(".parquet") else "text")
    if form == "binary":
        raise binder.unsupported('COPY format "binary" is')
    check_options(binder, form, options, is_from)
    return copy_from(binder, fields, path, form, options) if is_from else copy_to(binder, fields, path, form, options)


# ------------------------------------------------------------------------------------------------ options

def copy_options(binder, nodes, is_from):
    """{name: value} of COPY's options, each by itself. Raises 42601, 22023 for a name or a value that there is not, 0A000
    for a HEADER that only COPY FROM can match."""
    options = {}
    for node in nodes:
        option = node["DefElem"]
        name, location = option["defname"].lower(), option.get("location", 0)
        if name in options:
            raise binder.error("42601", "conflicting or redundant options", location)
        if name == "format":
            value = str(option_value(option))
            if value not in FORMATS | {"binary"}:
                raise binder.error("22023", f'COPY format "{value}" not recognized', location)
            options[name] = value
        elif name == "header":
            match = str(option_value(option)).lower() == "match"
            if match and not is_from:
                raise binder.error("0A000", 'cannot use "match" with HEADER in COPY TO', location)
            try:
                options[name] = "match" if match else boolean_option(binder, option)
            except Error:
                raise binder.error("42601", 'header requires a Boolean value or "match"') from None
        elif name in BOOLEANS:
            options[name] = boolean_option(binder, option)
        elif name in LISTS:
            value = option_value(option)
            if value != "*" and not isinstance(value, list):
                raise binder.error("22023", f'argument to option "{name}" must be a list of column names', location)
            options[name] = value
        elif name == "on_error" and not is_from:
            raise binder.error("22023", "COPY ON_ERROR cannot be used with COPY TO", location)
        elif name in CHOICES:
            value = str(option_value(option))
            if value.lower() not in CHOICES[name]:
                raise binder.error("22023", f'COPY {name.upper()} "{value}" not recognized', location)
            options[name] = value.lower()
        elif name in TEXTS:
            options[name] = str(option_value(option))
        else:
            raise binder.error("42601", f'option "{option["defname"]}" not recognized', location)
    return options


def check_options(binder, form, options, is_from):
    """Raise where options do not go together: 22023, 0A000. In PostgreSQL's order, where several are wrong."""
    def refuse(wrong, sqlstate, message):
        if wrong:
            raise binder.error(sqlstate, message)
    delimiter, null = options.get("delimiter"), options.get("null")
    refuse(delimiter is not None and len(delimiter.encode()) != 1, "0A000",
           "COPY delimiter must be a single one-byte character")
    for name, words in (("delimiter", "delimiter"), ("null", "null representation"), ("default", "default representation")):
        refuse(set(options.get(name, "")) & {"\r", "\n"}, "22023",
               f"COPY {words} cannot {'be' if name == 'delimiter' else 'use'} newline or carriage return")
    if form != "csv":
        refuse(delimiter is not None and delimiter in NO_DELIMITERS, "22023", f'COPY delimiter cannot be "{delimiter}"')
        for name, word in CSV_ONLY.items():
            refuse(name in options, "0A000", f"COPY {word} requires CSV mode")
    delimiter = delimiter or ("," if form == "csv" else "\t")
    quote = options.get("quote", '"') if form == "csv" else None
    for name in ("quote", "escape"):
        refuse(len(options.get(name, "x").encode()) != 1, "0A000", f"COPY {name} must be a single one-byte character")
    refuse(delimiter == quote, "22023", "COPY delimiter and quote must be different")
    for name, only_from, state in (("force_quote", False, "0A000"), ("force_not_null", True, "22023"),
                                   ("force_null", True, "22023"), ("freeze", True, "22023"), ("default", True, "0A000")):
        refuse(options.get(name) not in (None, False) and only_from != is_from, state,
               f"COPY {name.upper()} cannot be used with COPY {'FROM' if is_from else 'TO'}")
    for name, state in (("null", "22023"), ("default", "0A000")):
        text = options.get(name, "")
        refuse(delimiter in text, state, f"COPY delimiter character must not appear in the {name.upper()} specification")
        refuse(quote and quote in text, state, f"CSV quote character must not appear in the {name.upper()} specification")
    usual_null = "" if form == "csv" else "\\N"
    refuse(options.get("default") == (usual_null if null is None else null), "0A000",
           "NULL specification and DEFAULT specification cannot be the same")
    refuse("reject_limit" in options and options.get("on_error", "stop") != "ignore", "22023",
           "COPY REJECT_LIMIT requires ON_ERROR to be set to IGNORE")
    refuse("default" in options, "0A000", "COPY DEFAULT is not supported yet")


def check_columns(binder, options, names, relation):
    """Raise 42703, 42701 for columns in options that are none of those that are copied, or come twice."""
    for option in LISTS & set(options):
        listed = options[option] if options[option] != "*" else ()
        for number, name in enumerate(listed):
            if name not in names:
                raise binder.error("42703", f'column "{name}" of relation "{relation}" does not exist' if relation
                                   else f'column "{name}" does not exist')
            if name in listed[:number]:
                raise binder.error("42701", f'column "{name}" specified more than once')


# ------------------------------------------------------------------------------------------------ FROM

def copy_from(binder, fields, path, form, options):
    """The Insert of a file's rows into a table. Raises what `writable_table`, `target_columns` and `check_columns` do."""
    entry = writable_table(binder, fields["relation"], tag="COPY FROM")
    numbers = target_columns(binder, entry, fields.get("attlist"))
    check_columns(binder, options, [entry.columns[number].name for number in numbers], entry.name)
    relation = open_copy(binder, path, form, options, [of_base_type(entry.columns[number]) for number in numbers])
    source = TableSource(relation, tuple(relation.columns), path, entry.name, [column.name for column in relation.columns])
    given = matching(binder, entry, numbers, relation.columns, path)
    items = []
    for number, column in enumerate(entry.columns):
        value = assign(binder, source.column(given[number]), column) if number in given else default_value(binder, column)
        items.append((new_column(column.name, column.type, column.modifier, value.nullable), value))
    plan = Project(source.plan(), tuple(items))
    if "whereClause" in fields:
        plan = Filter(plan, bind_condition(binder, fields["whereClause"], entry, plan))
    return Insert(plan, entry, "COPY")


def of_base_type(column):
    """A column as a file has it: of a domain's base type."""
    while column.type.base is not None:
        column = replace(column, type=column.type.base, modifier=column.type.base_modifier)
    return column


def matching(binder, entry, numbers, columns, path):
    """{number of a table's column: number of the file's column}: by name if the file has all the names, else by place."""
    places = {column.name: place for place, column in enumerate(columns)}
    names = [entry.columns[number].name for number in numbers]
    if all(name in places for name in names):
        return {number: places[name] for number, name in zip(numbers, names)}
    if len(columns) != len(numbers):
        raise binder.error("22P04", f'file "{path}" has {len(columns)} columns, {len(numbers)} are expected')
    return dict(zip(numbers, range(len(columns))))


def bind_condition(binder, node, entry, plan):
    """COPY FROM ... WHERE, over the table's columns."""
    scope = Scope(binder)
    scope.add(PlanSource(plan, entry.name, [column.name for column in entry.columns]))
    scope.clause, scope.aggregates_allowed = "COPY FROM WHERE conditions", False
    return to_boolean(binder, bind_expression(scope, node), "WHERE")


# ------------------------------------------------------------------------------------------------ TO

def copy_to(binder, fields, path, form, options):
    """The CopyTo of a query or of a table's columns. Raises 42809 for a view, 42703 for an unknown column, 0A000 for other
    statements than SELECT."""
    if "query" in fields:
        (kind, query), = fields["query"].items()
        if kind != "SelectStmt":
            raise binder.unsupported("COPY of this statement is")
        plan, names = bind_query(binder, query)
        check_columns(binder, options, names, None)
        return CopyTo(plan, path, form, options, names)
    relation = fields["relation"]
    entry = find_entry(binder, relation.get("schemaname"), relation["relname"], None)
    scope = Scope(binder)
    if entry is not None and entry.kind == "view":
        raise binder.error("42809", f'cannot copy from view "{entry.name}"', hint="Try the COPY (SELECT ...) TO variant.")
    if entry is None:
        source = relation_source(scope, relation, binder.session.find_frame(relation["relname"]), relation["relname"])
    else:
        source = relation_source(scope, relation, entry.relation, entry.name, entry.columns)
    names = strings(fields.get("attlist", ())) or source.column_names
    for name in names:
        if name not in source.numbers:
            raise binder.error("42703", f'column "{name}" of relation "{relation["relname"]}" does not exist')
    check_columns(binder, options, names, relation["relname"])
    columns = [source.column(source.numbers[name][0]) for name in names]
    return CopyTo(Project(source.plan(), tuple((column, column) for column in columns)), path, form, options, tuple(names))
