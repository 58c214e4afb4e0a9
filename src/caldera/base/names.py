"""Names as SQL text."""
import re

# Key words that cannot stand for a name everywhere: those of PostgreSQL 18 that are not "unreserved".
KEYWORDS = frozenset("""
    all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case cast char
    character check coalesce collate collation column concurrently constraint create cross current_catalog current_date
    current_role current_schema current_time current_timestamp current_user dec decimal default deferrable desc distinct do
    else end except exists extract false fetch float for foreign freeze from full grant greatest group grouping having ilike
    in initially inner inout int integer intersect interval into is isnull join json json_array json_arrayagg json_exists
    json_object json_objectagg json_query json_scalar json_serialize json_table json_value lateral leading least left like
    limit localtime localtimestamp merge_action national natural nchar none normalize not notnull null nullif numeric offset
    on only or order out outer overlaps overlay placing position precision primary real references returning right row select
    session_user setof similar smallint some substring symmetric system_user table tablesample then time timestamp to
    trailing treat trim true union unique user using values varchar variadic verbose when where window with xmlattributes
    xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable""".split())
PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_]*")


def quoted_name(name):
    """An identifier as SQL text, in double quotes where it needs them."""
    if PLAIN_NAME.fullmatch(name) and name not in KEYWORDS:
        return name
    return '"' + name.replace('"', '""') + '"'
