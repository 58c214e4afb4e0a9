"""pg_type, pg_range and pg_enum: the types that PostgreSQL has, and those of users."""
from caldera.catalog import facts, oids
from caldera.catalog.introspection import system_table
from caldera.catalog.names import OWNER_OID
from caldera.types.ranges import RANGES
from caldera.types.registry import TYPES

PG_CATALOG = 11                 # the OID of the schema
WORDS = {"e": "enum", "c": "record"}            # of users' types, by kind, in the names of their functions


@system_table("pg_catalog", "oid oid, typname name, typnamespace oid, typowner oid, typlen int2, typbyval bool, "
              "typtype char, typcategory char, typispreferred bool, typisdefined bool, typdelim char, typrelid oid, "
              "typsubscript regproc, typelem oid, typarray oid, typinput regproc, typoutput regproc, typreceive regproc, "
              "typsend regproc, typmodin regproc, typmodout regproc, typanalyze regproc, typalign char, typstorage char, "
              "typnotnull bool, typbasetype oid, typtypmod int4, typndims int4, typcollation oid, typdefaultbin text, "
              "typdefault text, typacl text", oid=1247)
def pg_type(view):
    """Types: those that PostgreSQL has, and those of users with their arrays."""
    arrays = {fact.element: fact.oid for fact in facts.TYPES.values() if fact.element and fact.name.startswith("_")}
    known = {fact.name: fact.oid for fact in facts.TYPES.values()}
    for fact in sorted(facts.TYPES.values(), key=lambda fact: fact.oid):
        yield type_row(fact, known.get(fact.element, 0), arrays.get(fact.name, 0))
    for entry in view.types():
        type, schema = entry.type, entry.schema.oid
        yield type_row(type, 0, type.array_oid, typname=entry.name, typnamespace=schema, **type.catalog_row())
        if type.array_oid:
            array = TYPES[f"_{type.name}"]
            yield type_row(array, type.oid, 0, typname=array.catalog_name, typnamespace=schema)


def type_row(type, element, array, **fields):
    """The row of a TypeFact or SqlType; element, array: OIDs of its elements and of its arrays."""
    return dict(oid=type.oid, typname=type.name, typnamespace=PG_CATALOG, typowner=OWNER_OID, typlen=type.length,
                typbyval=0 < type.length <= 8, typtype=type.kind, typcategory=type.category,
                typispreferred=type.preferred, typisdefined=True, typrelid=0, typelem=element, typarray=array,
                typnotnull=False, typbasetype=0, typtypmod=-1, typndims=0, **machinery(type)) | fields


def machinery(type):
    """The columns of pg_type about a TypeFact's or SqlType's functions and storage: of PostgreSQL's types they are known,
    users' types have those of their kinds."""
    known = oids.type_machinery()
    if type.name in known:
        return known[type.name]
    if type.category == "A" and type.kind != "d":
        element = machinery(type.element)
        return known["_int4"] | dict(typcollation=element["typcollation"], typalign=wide(element))
    if type.kind in "rm":
        return known["int4range" if type.kind == "r" else "int4multirange"] | dict(typalign=wide(machinery(type.subtype)))
    if type.kind == "d":
        return machinery(type.base) | dict(typinput=function_oid("domain_in"), typreceive=function_oid("domain_recv"),
                                           typmodin=0, typmodout=0, typanalyze=0, typsubscript=0)
    return known["int4" if type.kind == "e" else "record"] | {
        f"typ{column}": function_oid(f"{WORDS[type.kind]}_{suffix}") for column, suffix in (
            ("input", "in"), ("output", "out"), ("receive", "recv"), ("send", "send"))}


def wide(fields):
    """How what consists of values of a type is aligned, of which some columns of pg_type are given."""
    return "d" if fields["typalign"] == "d" else "i"


@system_table("pg_catalog", "rngtypid oid, rngsubtype oid, rngmultitypid oid, rngcollation oid, rngsubopc oid, "
              "rngcanonical regproc, rngsubdiff regproc", oid=3541)
def pg_range(view):
    """Range types: PostgreSQL's and those of users."""
    orders = {order.type: order.oid for order in oids.orders() if order.is_default}
    for type in RANGES:
        canonical = f"{type.name}_canonical" if type.next is not None else None
        yield range_row(type, rngcollation=0, rngsubopc=orders[type.subtype.name], rngcanonical=function_oid(canonical),
                        rngsubdiff=function_oid(f"{type.name}_subdiff"))
    for entry in view.types():
        if entry.family == "range":
            yield range_row(entry.type, rngcanonical=0, **entry.definition["facts"])


def range_row(type, **fields):
    """The row of a range type in pg_range."""
    return dict(rngtypid=type.oid, rngsubtype=type.subtype.oid, rngmultitypid=type.multirange.oid, **fields)


def function_oid(name):
    """The OID of the one function of a name, 0 for None."""
    return 0 if name is None else oids.grouped(oids.functions)[name][0].oid


@system_table("pg_catalog", "oid oid, enumtypid oid, enumsortorder float4, enumlabel name", oid=3501)
def pg_enum(view):
    """The labels of enums. Their OIDs are made up of the type's and the label's number."""
    for entry in view.types():
        for number, label in enumerate(entry.definition["labels"] if entry.family == "enum" else (), 1):
            yield dict(oid=entry.oid * 1000 + number, enumtypid=entry.oid, enumsortorder=float(number), enumlabel=label)
