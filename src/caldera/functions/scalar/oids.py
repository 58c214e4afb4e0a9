"""Casts between integers and OIDs, also those that are written as names. In memory an OID has 64 bits, of which 32 count."""
from caldera.functions.registry import scalar
from caldera.kernel.interface import I64
from caldera.types.integers import Oid
from caldera.types.registry import TYPES

OID_MAX = 2**32 - 1


def oid_of_int8(call, a):
    """The body of a cast from int8."""
    call.fault(call.k.compare("ugt", a, OID_MAX), "22003", "OID out of range")
    return a


def oid_of_smaller(call, a):
    """Of one from int2 and int4: negative numbers are the last OIDs."""
    return call.k.convert(a, I64) & OID_MAX


def int4_of_oid(call, a):
    """Of one to int4: the other way round."""
    return call.k.convert(a, call.result.layout.type)


def same(call, a):
    """Of one to int8."""
    return a


def cast(source, target, context, body, doc):
    """Register a cast. Only those of oid are functions of PostgreSQL's, too, that are called as their results are."""
    name = target if "oid" in (source, target) and "int8" in (source, target) else f"{target}_of_{source}"
    example = f"SELECT 42::{source}::{target}" + ("" if target.startswith("int") else "::int8")
    scalar(f"{name}({source}) -> {target}", cast=context, cheap=True, doc=doc, example=f"{example}  -- 42")(body)


for type in [type for type in TYPES.values() if isinstance(type, Oid)]:
    cast("int8", type.name, "implicit", oid_of_int8, f"bigint to {type}; fails if it has more than 32 bits.")
    for source in ("int2", "int4"):
        cast(source, type.name, "implicit", oid_of_smaller, f"{TYPES[source].sql_name} to {type}; -1 is the last OID.")
    cast(type.name, "int8", "assignment", same, f"{type} to bigint.")
    cast(type.name, "int4", "assignment", int4_of_oid, f"{type} to integer; the last OID is -1.")


@scalar("regclass(text) -> regclass", "regclass_of_varchar(varchar) -> regclass", python=True, cast="implicit",
        wants_session=True, volatility="s", doc="The relation of a name.",
        example="SELECT regclass('pg_type'::text)  -- pg_type")
def relation_named(session, name):
    return TYPES["regclass"].parse(name, None, session)
