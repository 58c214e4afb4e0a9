"""pg_catalog and information_schema: what relations they have, and their rows, made from the catalog when they are read.

A `SystemTable` says its columns, in PostgreSQL's order, and how to make its rows from a CatalogView. The names and types are
PostgreSQL 18's; of pg_catalog there is what common clients look at, and columns that have no meaning here hold what a
PostgreSQL without that feature would show.
"""
import re
from collections.abc import Callable
from dataclasses import dataclass

from caldera.base.settings import BadValue, Setting, define
from caldera.catalog.engines import ENGINES
from caldera.catalog.names import OWNER_OID
from caldera.types.array_image import Array
from caldera.types.registry import TYPES

DATABASE, OWNER = "caldera", "caldera"
HEAP = 2
TABLES, SPELLED_KIND = [], {"table": "BASE TABLE", "view": "VIEW"}


def role_name(text):
    """The name of the one user. Raises BadValue for others."""
    if text != OWNER:
        raise BadValue(f'role "{text}" does not exist')
    return text


define(Setting("session_authorization", OWNER, role_name, "The user."))
define(Setting("role", "none", lambda text: "none" if text.lower() == "none" else role_name(text), "The user's role."))


@dataclass(frozen=True)
class SystemTable:
    """A relation of the system. columns: {name: pg_type name}, in order. rows: function of a CatalogView that yields dicts;
    columns that a row leaves out are NULL. oid: PostgreSQL's, if it is the same in all its databases."""
    schema: str
    name: str
    columns: dict
    rows: Callable
    kind: str = "table"
    oid: int | None = None


def system_table(schema, columns, kind="table", oid=None):
    """Decorator: the function of that name gives the rows of a relation. columns: "name type, name type, ..."."""
    def register(function):
        pairs = dict(part.split() for part in columns.split(","))
        TABLES.append(SystemTable(schema, function.__name__, pairs, function, kind, oid))
        return function
    return register


def kind_of(entry):
    """"table" or "view", as PostgreSQL has it: many of the system's relations are views there."""
    return entry.relation.kind if entry.system else entry.kind


# ------------------------------------------------------------------------------------------------ pg_catalog

@system_table("pg_catalog", "oid oid, nspname name, nspowner oid, nspacl text", oid=2615)
def pg_namespace(view):
    """Schemas."""
    for schema in view.schemas():
        yield dict(oid=schema.oid, nspname=schema.name, nspowner=OWNER_OID)


@system_table("pg_catalog", "oid oid, relname name, relnamespace oid, reltype oid, reloftype oid, relowner oid, relam oid, "
              "relfilenode oid, reltablespace oid, relpages int4, reltuples float4, relallvisible int4, relallfrozen int4, "
              "reltoastrelid oid, relhasindex bool, relisshared bool, relpersistence char, relkind char, relnatts int2, "
              "relchecks int2, relhasrules bool, relhastriggers bool, relhassubclass bool, relrowsecurity bool, "
              "relforcerowsecurity bool, relispopulated bool, relreplident char, relispartition bool, relrewrite oid, "
              "relfrozenxid int8, relminmxid int8, relacl text, reloptions text, relpartbound text", oid=1259)
def pg_class(view):
    """Tables and views."""
    for entry in view.relations():
        is_table, relation = kind_of(entry) == "table", entry.relation
        rows = relation.row_estimate(view.snapshot) if is_table and not entry.system else -1
        options = ",".join(f"{name}={value}" for name, value in entry.options.items())
        yield dict(oid=entry.oid, relname=entry.name, relnamespace=entry.schema.oid, reltype=0, reloftype=0,
                   relowner=OWNER_OID, relam=(HEAP if entry.system else ENGINES[entry.engine].oid) if is_table else 0,
                   relfilenode=entry.oid if is_table else 0, reltablespace=0, relpages=0,
                   reltuples=float(rows), relallvisible=0, relallfrozen=0, reltoastrelid=0,
                   relhasindex=False, relisshared=False, relpersistence="t" if entry.temporary else "p",
                   relkind="r" if is_table else "v", relnatts=len(entry.columns), relchecks=0, relhasrules=not is_table,
                   relhastriggers=False, relhassubclass=False, relrowsecurity=False, relforcerowsecurity=False,
                   relispopulated=True, relreplident="d" if is_table else "n", relispartition=False, relrewrite=0,
                   relfrozenxid=0, relminmxid=0, reloptions=f"{{{options}}}" if options else None)


@system_table("pg_catalog", "attrelid oid, attname name, atttypid oid, attlen int2, attnum int2, atttypmod int4, "
              "attndims int2, attbyval bool, attalign char, attstorage char, attcompression char, attnotnull bool, "
              "atthasdef bool, atthasmissing bool, attidentity char, attgenerated char, attisdropped bool, "
              "attislocal bool, attinhcount int2, attcollation oid, attstattarget int2, attacl text, attoptions text, "
              "attfdwoptions text, attmissingval text", oid=1249)
def pg_attribute(view):
    """Columns."""
    for entry in view.relations():
        for number, column in enumerate(entry.columns, 1):
            type = column.type
            is_text = type.category == "S"
            yield dict(attrelid=entry.oid, attname=column.name, atttypid=type.oid, attlen=type.length, attnum=number,
                       atttypmod=type.typmod_of(column.modifier), attndims=0, attbyval=0 < type.length <= 8,
                       attalign={1: "c", 2: "s", 8: "d"}.get(type.length, "i"), attstorage="x" if is_text else "p",
                       attcompression="", attnotnull=not column.nullable, atthasdef=column.default is not None,
                       atthasmissing=False, attidentity="", attgenerated="", attisdropped=False, attislocal=True,
                       attinhcount=0, attcollation=100 if is_text else 0)


@system_table("pg_catalog", "oid oid, datname name, datdba oid, encoding int4, datlocprovider char, datistemplate bool, "
              "datallowconn bool, datcollate text, datctype text, datlocale text", oid=1262)
def pg_database(view):
    """The one database."""
    yield dict(oid=5, datname=DATABASE, datdba=OWNER_OID, encoding=6, datlocprovider="b", datistemplate=False,
               datallowconn=True, datcollate="C.UTF-8", datctype="C.UTF-8", datlocale="C.UTF-8")


@system_table("pg_catalog", "oid oid, amname name, amhandler int4, amtype char", oid=2601)
def pg_am(view):
    """Table engines."""
    yield dict(oid=HEAP, amname="heap", amhandler=3, amtype="t")
    for engine in ENGINES.values():
        yield dict(oid=engine.oid, amname=engine.name, amhandler=0, amtype="t")


@system_table("pg_catalog", "schemaname name, tablename name, tableowner name, tablespace name, hasindexes bool, "
              "hasrules bool, hastriggers bool, rowsecurity bool", kind="view")
def pg_tables(view):
    """Tables, by name."""
    for entry in view.relations():
        if kind_of(entry) == "table":
            yield dict(schemaname=entry.schema.name, tablename=entry.name, tableowner=OWNER, hasindexes=False,
                       hasrules=False, hastriggers=False, rowsecurity=False)


@system_table("pg_catalog", "schemaname name, viewname name, viewowner name, definition text", kind="view")
def pg_views(view):
    """Views, by name."""
    for entry in view.relations():
        if entry.kind == "view" and not entry.system:
            yield dict(schemaname=entry.schema.name, viewname=entry.name, viewowner=OWNER, definition=entry.query)


@system_table("pg_catalog", "name text, statement text, is_holdable bool, is_binary bool, is_scrollable bool, "
              "creation_time timestamptz", kind="view")
def pg_cursors(view):
    """The session's cursors."""
    for cursor in view.session.cursors.values():
        yield dict(name=cursor.name, statement=cursor.text, is_holdable=cursor.holds, is_binary=False,
                   is_scrollable=cursor.scrolls, creation_time=moment_of(cursor.declared_at))


@system_table("pg_catalog", "name text, statement text, prepare_time timestamptz, parameter_types _regtype, "
              "result_types _regtype, from_sql bool, generic_plans int8, custom_plans int8", kind="view")
def pg_prepared_statements(view):
    """The session's prepared statements."""
    for prepared in view.session.prepared.values():
        results = None if prepared.result_types is None else Array.of(type.oid for type in prepared.result_types)
        yield dict(name=prepared.name, statement=prepared.text, prepare_time=moment_of(prepared.prepared_at),
                   parameter_types=Array.of(type.oid for type in prepared.types), result_types=results, from_sql=True,
                   generic_plans=prepared.generic_plans, custom_plans=prepared.custom_plans)


def moment_of(time):
    """An aware datetime as a datum of timestamptz."""
    return TYPES["timestamptz"].from_python(time)


@system_table("pg_catalog", "schemaname name, tablename name, attname name, inherited bool, null_frac float4, "
              "avg_width int4, n_distinct float4, most_common_vals text, most_common_freqs text, histogram_bounds text, "
              "correlation float4, most_common_elems text, most_common_elem_freqs text, elem_count_histogram text, "
              "range_length_histogram text, range_empty_frac float4, range_bounds_histogram text", kind="view")
def pg_stats(view):
    """What the planner knows of the columns of tables."""
    for entry in view.relations():
        if entry.kind != "table" or entry.system:
            continue
        statistics = entry.relation.statistics(view.snapshot)
        for column in entry.columns if statistics is not None and statistics.rows else ():
            yield dict(schemaname=entry.schema.name, tablename=entry.name, attname=column.name, inherited=False,
                       **shown_statistics(column.type, statistics.column(column.name)))


KIND_LETTERS = {"ndistinct": "d", "dependencies": "f", "mcv": "m"}


@system_table("pg_catalog", "oid oid, stxrelid oid, stxname name, stxnamespace oid, stxowner oid, stxkeys text, "
              "stxstattarget int2, stxkind text, stxexprs text", oid=3381)
def pg_statistic_ext(view):
    """Extended statistics, as they were made."""
    for entry in view.statistics():
        numbers = column_numbers(entry)
        yield dict(oid=entry.oid, stxrelid=entry.table.oid, stxname=entry.name, stxnamespace=entry.schema.oid,
                   stxowner=OWNER_OID, stxkeys=" ".join(str(numbers[name]) for name in entry.columns),
                   stxstattarget=None if entry.target < 0 else entry.target, stxkind=kind_letters(entry))


@system_table("pg_catalog", "schemaname name, tablename name, statistics_schemaname name, statistics_name name, "
              "statistics_owner name, attnames text, exprs text, kinds text, inherited bool, n_distinct text, "
              "dependencies text, most_common_vals text, most_common_val_nulls text, most_common_freqs text, "
              "most_common_base_freqs text", kind="view")
def pg_stats_ext(view):
    """What the planner knows of columns together."""
    for entry in view.statistics():
        numbers, found = column_numbers(entry), entry.found

        def named(text, numbers=numbers):
            told = [", ".join(str(numbers[name]) for name in part.split(", ")) for part in text.split(" => ")]
            return f'"{" => ".join(told)}"'
        distinct = [f"{named(names)}: {count:.0f}" for names, count in found.get("ndistinct", {}).items()]
        degrees = [f"{named(names)}: {share:.6f}" for names, share in found.get("dependencies", {}).items() if share]
        mcv = found.get("mcv", {})
        yield dict(schemaname=entry.table.schema.name, tablename=entry.table.name, inherited=False,
                   statistics_schemaname=entry.schema.name, statistics_name=entry.name, statistics_owner=OWNER,
                   attnames="{" + ",".join(map(array_element, entry.columns)) + "}", kinds=kind_letters(entry),
                   n_distinct="{" + ", ".join(distinct) + "}" if distinct else None,
                   dependencies="{" + ", ".join(degrees) + "}" if degrees else None,
                   most_common_freqs="{" + ",".join(map(str, mcv["shares"])) + "}" if mcv else None,
                   most_common_base_freqs="{" + ",".join(map(str, mcv["base_shares"])) + "}" if mcv else None)


def column_numbers(entry):
    """{name: number} of the columns of the table that statistics are about."""
    return {column.name: number for number, column in enumerate(entry.table.columns, 1)}


def kind_letters(entry):
    """The kinds of statistics as an array of letters."""
    return "{" + ",".join(KIND_LETTERS[kind] for kind in KIND_LETTERS if kind in entry.kinds) + "}"


MANY_DISTINCT = 0.1             # of the rows: distinct values are then taken to grow with the table, as PostgreSQL does


def shown_statistics(type, known):
    """ColumnStatistics as the columns of pg_stats."""
    def listed(datums):
        return "{" + ",".join(map(array_element, datums)) + "}" if datums else None
    distinct = known.distinct or 0
    if distinct > MANY_DISTINCT * known.rows:
        distinct = -min(1.0, distinct / known.rows)
    return dict(null_frac=known.null_share, avg_width=None if known.width is None else round(known.width),
                n_distinct=float(distinct), correlation=known.correlation,
                most_common_vals=listed(list(map(type.format, known.common))),
                most_common_freqs=listed([f"{share:.6g}" for share in known.common.values()]),
                histogram_bounds=listed(list(map(type.format, known.bounds))))


def array_element(text):
    """A text as an element in the text form of an array."""
    if text and not re.search(r'[\s{},"\\]', text) and text.upper() != "NULL":
        return text
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


# ------------------------------------------------------------------------------------------------ information_schema

@system_table("information_schema", "catalog_name name, schema_name name, schema_owner name, "
              "default_character_set_catalog name, default_character_set_schema name, default_character_set_name name, "
              "sql_path varchar", kind="view")
def schemata(view):
    """Schemas."""
    for schema in view.schemas():
        yield dict(catalog_name=DATABASE, schema_name=schema.name, schema_owner=OWNER)


@system_table("information_schema", "table_catalog name, table_schema name, table_name name, table_type varchar, "
              "self_referencing_column_name name, reference_generation varchar, user_defined_type_catalog name, "
              "user_defined_type_schema name, user_defined_type_name name, is_insertable_into varchar, is_typed varchar, "
              "commit_action varchar", kind="view")
def tables(view):
    """Tables and views."""
    for entry in view.relations():
        yield dict(table_catalog=DATABASE, table_schema=entry.schema.name, table_name=entry.name,
                   table_type="LOCAL TEMPORARY" if entry.temporary else SPELLED_KIND[kind_of(entry)],
                   is_insertable_into="YES" if kind_of(entry) == "table" else "NO", is_typed="NO")


@system_table("information_schema", "table_catalog name, table_schema name, table_name name, view_definition varchar, "
              "check_option varchar, is_updatable varchar, is_insertable_into varchar, is_trigger_updatable varchar, "
              "is_trigger_deletable varchar, is_trigger_insertable_into varchar", kind="view")
def views(view):
    """Views."""
    for entry in view.relations():
        if kind_of(entry) == "view":
            yield dict(table_catalog=DATABASE, table_schema=entry.schema.name, table_name=entry.name,
                       view_definition=entry.query, check_option="NONE", is_updatable="NO", is_insertable_into="NO",
                       is_trigger_updatable="NO", is_trigger_deletable="NO", is_trigger_insertable_into="NO")


@system_table("information_schema", "table_catalog name, table_schema name, table_name name, column_name name, "
              "ordinal_position int4, column_default varchar, is_nullable varchar, data_type varchar, "
              "character_maximum_length int4, character_octet_length int4, numeric_precision int4, "
              "numeric_precision_radix int4, numeric_scale int4, datetime_precision int4, interval_type varchar, "
              "interval_precision int4, character_set_catalog name, character_set_schema name, character_set_name name, "
              "collation_catalog name, collation_schema name, collation_name name, domain_catalog name, "
              "domain_schema name, domain_name name, udt_catalog name, udt_schema name, udt_name name, scope_catalog name, "
              "scope_schema name, scope_name name, maximum_cardinality int4, dtd_identifier name, "
              "is_self_referencing varchar, is_identity varchar, identity_generation varchar, identity_start varchar, "
              "identity_increment varchar, identity_maximum varchar, identity_minimum varchar, identity_cycle varchar, "
              "is_generated varchar, generation_expression varchar, is_updatable varchar", kind="view")
def columns(view):
    """Columns of tables and views."""
    for entry in view.relations():
        for number, column in enumerate(entry.columns, 1):
            type, modifier = column.type, column.modifier
            if type.base is not None:
                type, modifier = type.base, type.base_modifier
            yield dict(table_catalog=DATABASE, table_schema=entry.schema.name, table_name=entry.name,
                       column_name=column.name, ordinal_position=number, column_default=column.default,
                       is_nullable="YES" if column.nullable else "NO", data_type=data_type(type),
                       udt_catalog=DATABASE, udt_schema=type.schema_name, udt_name=type.catalog_name,
                       **domain_names(column.type),
                       dtd_identifier=str(number), is_self_referencing="NO", is_identity="NO", identity_cycle="NO",
                       is_generated="NEVER", is_updatable="YES" if kind_of(entry) == "table" else "NO",
                       **measures(type, modifier))


def domain_names(type):
    """The columns that name the domain of a column."""
    return dict(domain_catalog=DATABASE, domain_schema=type.schema_name, domain_name=type.catalog_name) \
        if type.kind == "d" else {}


def data_type(type):
    """A type as information_schema.columns spells it."""
    return "ARRAY" if type.category == "A" else type.sql_name if type.schema_name == "pg_catalog" else "USER-DEFINED"


BINARY_DIGITS = {"int2": 16, "int4": 32, "int8": 64, "float4": 24, "float8": 53}
OCTETS_MAX = 1 << 30


def measures(type, modifier):
    """Length, precision and scale of a column's type as information_schema.columns shows them."""
    name = type.name
    if name in ("varchar", "bpchar"):
        length = modifier[0] if modifier else None
        return dict(character_maximum_length=length, character_octet_length=OCTETS_MAX if length is None else 4 * length)
    if name == "text":
        return dict(character_octet_length=OCTETS_MAX)
    if name in BINARY_DIGITS:
        scale = 0 if "int" in name else None
        return dict(numeric_precision=BINARY_DIGITS[name], numeric_precision_radix=2, numeric_scale=scale)
    if name == "numeric":
        precision, scale = (*modifier, 0)[:2] if modifier else (None, None)
        return dict(numeric_precision=precision, numeric_precision_radix=10, numeric_scale=scale)
    if name == "date":
        return dict(datetime_precision=0)
    if type.category in "DT":
        return dict(datetime_precision=modifier[-1] if modifier else 6)
    return {}


def column_types(table):
    """[(name, SqlType)] of a SystemTable."""
    return [(name, TYPES[type]) for name, type in table.columns.items()]
