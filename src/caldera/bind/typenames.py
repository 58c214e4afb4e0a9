"""Type names in SQL to types: `numeric(10,2)`, `timestamp(3) with time zone`, `"char"`, `interval day to second`."""
from caldera.base.errors import Error, error
from caldera.bind.binder import Binder, strings
from caldera.catalog import facts
from caldera.catalog.search_path import schema_and_name
from caldera.sql.parse import parse_one
from caldera.types.array import array_of
from caldera.types.registry import TYPES


def bind_type(binder, fields):
    """The pair (SqlType, modifier or None) of a TypeName. Raises 42704 for a type that does not exist, 0A000 for one of
    PostgreSQL's that Caldera lacks, 22023 or 42601 for a wrong modifier."""
    location = fields.get("location", 0)
    if fields.get("pct_type") or fields.get("setof"):
        raise binder.unsupported("such a type name is", location)
    type = find_type(binder, strings(fields["names"]), location)
    if fields.get("arrayBounds") and type.category != "A":              # the number of dimensions is of no interest
        if not type.array_oid:
            raise binder.error("42704", f"could not find array type for data type {type.sql_name}", location)
        type = array_of(type)
    if "typmods" not in fields:
        return type, None
    return type, type.encode_modifier(modifier_numbers(binder, fields["typmods"], location), binder.position(location))


def find_type(binder, names, location=None):
    """The SqlType of a name, qualified or not: PostgreSQL's, unless there is none, else a user's. Raises 42704, 0A000."""
    *qualifier, name = names
    if not qualifier or qualifier == ["pg_catalog"]:
        if name in TYPES and name in facts.TYPES and name != "unknown":
            return TYPES[name]
    entry = binder.catalog.find_type(*schema_and_name(names))
    if entry is not None:
        binder.entries.append(entry)
        if not qualifier and location is not None:
            binder.bare_names[location] = entry
        return entry.type
    relation = binder.catalog.find_relation(*schema_and_name(names))
    if relation is not None and name not in facts.TYPES:
        binder.entries.append(relation)
        return relation.row_type
    if name in facts.TYPES and qualifier in ([], ["pg_catalog"]) and name != "unknown":
        raise binder.error("0A000", f"type {facts.TYPES[name].sql_name} is not supported", location)
    if len(names) == 2 and binder.catalog.schema(names[0]) is None:
        raise binder.error("3F000", f'schema "{names[0]}" does not exist', location)
    raise binder.error("42704", f'type "{".".join(names)}" does not exist', location)


def type_named(text, session):
    """The same of a text that is nothing but a type's name."""
    if not text.strip():
        raise error("42601", f'invalid type name "{text}"')
    try:
        statement = parse_one(f"SELECT NULL::{text}")
        target = statement.fields["targetList"][0]["ResTarget"]
        if set(statement.fields) - {"targetList", "limitOption", "op"} or len(statement.fields["targetList"]) > 1 or \
                "name" in target or "A_Const" not in target["val"].get("TypeCast", {}).get("arg", {}):
            raise error("42601", f'invalid type name "{text}"')
        return bind_type(Binder(statement, session, session.view), target["val"]["TypeCast"]["typeName"])
    except Error as fault:
        fault.position = None
        raise


def modifier_numbers(binder, nodes, location):
    """The modifiers written behind a type's name. Where the grammar adds them (char is char(1)) they have no place."""
    numbers = []
    for node in nodes:
        constant = node.get("A_Const", {})
        if "ival" not in constant:
            raise binder.error("42601", "type modifiers must be simple constants or identifiers", location)
        numbers.append(constant["ival"].get("ival", 0))
    return tuple(numbers)
