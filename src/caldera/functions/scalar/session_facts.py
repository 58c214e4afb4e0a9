"""What a query may ask about the session and the database: names, settings, the version, who may do what.

Caldera has one user, who may do everything, and its databases have one name each.
"""
import os

from caldera.base.errors import error
from caldera.base.settings import SETTINGS
from caldera.functions.registry import scalar


@scalar("current_schema() -> name", python=True, wants_session=True, volatility="s",
        doc="The schema in which new tables are made, or NULL", example="SELECT current_schema() IS NOT NULL  -- t")
def current_schema(session):
    schema = session.view.creation_schema()
    return None if schema is None else schema.name


@scalar("current_database() -> name", "current_catalog() -> name", python=True, wants_session=True, volatility="s",
        doc="The name of the database", example="SELECT current_database() = current_catalog  -- t")
def current_database(session):
    return session.database_name


@scalar("current_user() -> name", "session_user() -> name", "getpgusername() -> name", python=True, wants_session=True,
        volatility="s", doc="The name of the user", example="SELECT current_user = session_user  -- t")
def current_user(session):
    return session.user


@scalar("pg_get_userbyid(oid) -> name", python=True, wants_session=True, volatility="s",
        doc="The name of the user with an OID", example="SELECT pg_get_userbyid(10) = current_user  -- t")
def user_by_id(session, oid):
    return session.user if oid == 10 else f"unknown (OID={oid})"


@scalar("version() -> text", python=True, wants_session=True, volatility="s", doc="The version of the program",
        example="SELECT version() LIKE 'PostgreSQL 18%'  -- t")
def version(session):
    return f"PostgreSQL {session.setting('server_version')}"


@scalar("pg_backend_pid() -> int4", python=True, volatility="s", doc="The number of the process",
        example="SELECT pg_backend_pid() > 0  -- t")
def process_id():
    return os.getpid()


@scalar("pg_client_encoding() -> name", python=True, wants_session=True, volatility="s", doc="The encoding of the client",
        example="SELECT pg_client_encoding()  -- UTF8")
def client_encoding(session):
    return session.setting("client_encoding")


@scalar("pg_is_in_recovery() -> bool", python=True, volatility="v", doc="Whether this is a standby: never",
        example="SELECT pg_is_in_recovery()  -- f")
def is_in_recovery():
    return False


@scalar("current_setting(text) -> text", python=True, wants_session=True, volatility="s", doc="The value of a setting",
        example="SELECT current_setting('DateStyle')  -- ISO, MDY")
def current_setting(session, name):
    return session.setting(name)


@scalar("current_setting(text, bool) -> text", python=True, wants_session=True, volatility="s",
        doc="The value of a setting, or NULL if there is none of that name and that may be",
        example="SELECT current_setting('no.such', true)  -- NULL")
def current_setting_if_known(session, name, missing_ok):
    if missing_ok and name.lower() not in SETTINGS:
        return None
    return session.setting(name)


@scalar("set_config(text, text, bool) -> text", python=True, strict=False, wants_session=True, volatility="v",
        doc="Change a setting (back to its default if NULL), for the transaction if so told, and give its new value",
        example="SELECT set_config('work_mem', '8MB', false)  -- 8MB")
def set_config(session, name, value, is_local):
    if name is None:
        raise error("22004", "SET requires parameter name")
    if value is None:
        session.reset(name)
    else:
        session.set(name, value, bool(is_local))
    return session.setting(name)


@scalar("pg_table_is_visible(oid) -> bool", python=True, wants_session=True, volatility="s",
        doc="Whether a relation is what its bare name means; NULL if there is none of that OID",
        example="SELECT pg_table_is_visible(1259)  -- t")
def is_visible(session, oid):
    entry = session.view.relation_by_oid(oid)
    return None if entry is None else session.view.is_reachable(entry)


@scalar("obj_description(oid, name) -> text", "col_description(oid, int4) -> text", python=True, volatility="s",
        doc="The comment on something: there are none", example="SELECT obj_description(0, 'pg_class')  -- NULL")
def description(oid, which):
    return None
