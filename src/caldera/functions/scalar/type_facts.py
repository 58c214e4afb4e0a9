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


for kind, thing, name, shown in (
        ("regclass", "relation", "pg_class", "pg_class"), ("regtype", "type", "int", "integer"),
        ("regnamespace", "schema", "pg_catalog", "pg_catalog"), ("regproc", "only function", "now", "now"),
        ("regprocedure", "function", "abs(int4)", "abs(integer)"), ("regoper", "only operator", "||/", "||/"),
        ("regoperator", "operator", "+(int4,int4)", "+(integer,integer)"), ("regrole", "role", "pg_monitor", "pg_monitor"),
        ("regcollation", "collation", '"C"', '"C"')):
    scalar(f"to_{kind}(text) -> {kind}", python=True, wants_session=True, volatility="s",
           doc=f"The {thing} of a name, or NULL if there is none", example=f"SELECT to_{kind}('{name}')  -- {shown}")(
        lambda session, name, kind=kind: known(kind, name, session))


@scalar("to_regtypemod(text) -> int4", python=True, wants_session=True, volatility="s",
        doc="The modifier behind a type's name as pg_attribute has it, -1 if there is none",
        example="SELECT to_regtypemod('varchar(5)')  -- 9")
def to_regtypemod(session, name):
    try:
        type, modifier = session.named_type(name)
    except Error:
        return None
    return type.typmod_of(modifier)


@scalar("pg_type_is_visible(oid) -> bool", python=True, wants_session=True, volatility="s",
        doc="Whether a type's bare name means it", example="SELECT pg_type_is_visible(23)  -- t")
def pg_type_is_visible(session, oid):
    entry = session.view.type_by_oid(oid)
    if entry is None:
        return True if session.view.any_type_by_oid(oid) is not None else None
    return session.view.is_reachable(entry)


for thing, kind, known_oid in (
        ("function", "regproc", 1299), ("operator", "regoper", 551), ("collation", "regcollation", 100),
        ("ts_config", "regconfig", 3748), ("ts_dict", "regdictionary", 3765)):
    scalar(f"pg_{thing}_is_visible(oid) -> bool", python=True, wants_session=True, volatility="s",
           doc="Whether a bare name means what has an OID, as it does for all of the system; NULL if nothing has it",
           example=f"SELECT pg_{thing}_is_visible({known_oid})  -- t")(
        lambda session, oid, kind=kind: True if session.view.oid_text(kind, oid) is not None else None)
