"""What a query may ask about types and relations by name: format_type, pg_input_is_valid, to_regclass."""
from caldera.base.errors import Error
from caldera.functions.registry import scalar
from caldera.types.registry import FIRST_USERS_OID, TYPES, SqlType, lookup

NAMED_OTHERWISE = {"bpchar": "bpchar"}          # without a length, but with the modifier -1: not what the name means in SQL


@scalar("format_type(oid, int4) -> text", python=True, strict=False, wants_session=True, volatility="s",
        doc="The name of a type with a modifier as pg_attribute has it",
        example="SELECT format_type(1700, 655366)  -- numeric(10,2)")
def format_type(session, oid, typmod):
    if oid is None:
        return None
    array = next((type for type in TYPES.values() if type.array_oid == oid), None) if 0 < oid < FIRST_USERS_OID else None
    type = session.view.any_type_by_oid(oid) if array is None else array
    if type is None:
        return "???" if oid else "-"
    if not isinstance(type, SqlType):                   # one that only PostgreSQL has
        return type.sql_name
    modifier = None if typmod is None else type.modifier_of(typmod)
    name = NAMED_OTHERWISE.get(type.name, type.sql_name) if modifier is None and typmod == -1 else type.spell(modifier)
    return name if array is None else name + "[]"


@scalar("pg_input_is_valid(text, text) -> bool", python=True, wants_session=True, volatility="s",
        doc="Whether a text can be read as a value of a type", example="SELECT pg_input_is_valid('4.2', 'integer')  -- f")
def is_valid_input(session, text, type_name):
    type, modifier = session.named_type(type_name)
    try:
        type.parse(text, modifier, session)
    except Error as fault:
        if fault.sqlstate == "0A000":
            raise
        return False
    return True


def known(type, name, session):
    """The datum of a name, or None if there is no such thing."""
    try:
        return lookup(type).parse(name, None, session)
    except Error as fault:
        if fault.sqlstate == "0A000":
            raise
        return None


@scalar("to_regclass(text) -> regclass", python=True, wants_session=True, volatility="s",
        doc="The relation of a name, or NULL if there is none", example="SELECT to_regclass('pg_class')  -- pg_class")
def to_regclass(session, name):
    return known("regclass", name, session)


@scalar("to_regtype(text) -> regtype", python=True, wants_session=True, volatility="s",
        doc="The type of a name, or NULL if there is none", example="SELECT to_regtype('int')  -- integer")
def to_regtype(session, name):
    return known("regtype", name, session)


@scalar("to_regtypemod(text) -> int4", python=True, wants_session=True, volatility="s",
        doc="The modifier behind a type's name as pg_attribute has it, -1 if there is none",
        example="SELECT to_regtypemod('varchar(5)')  -- 9")
def to_regtypemod(session, name):
    try:
        type, modifier = session.named_type(name)
    except Error:
        return None
    return type.typmod_of(modifier)


@scalar("to_regnamespace(text) -> regnamespace", python=True, wants_session=True, volatility="s",
        doc="The schema of a name, or NULL if there is none",
        example="SELECT to_regnamespace('pg_catalog')  -- pg_catalog")
def to_regnamespace(session, name):
    return known("regnamespace", name, session)


@scalar("pg_type_is_visible(oid) -> bool", python=True, wants_session=True, volatility="s",
        doc="Whether a type's bare name means it", example="SELECT pg_type_is_visible(23)  -- t")
def pg_type_is_visible(session, oid):
    entry = session.view.type_by_oid(oid)
    if entry is None:
        return True if session.view.any_type_by_oid(oid) is not None else None
    return session.view.is_reachable(entry)
