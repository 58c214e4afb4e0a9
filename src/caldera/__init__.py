"""Caldera: PostgreSQL's SQL over columns, compiled to machine code.

    import caldera
    connection = caldera.connect()          # in memory; connect("folder") for one that stays
    connection.sql("SELECT 1 + 1").show()

Importing this package loads nothing else: names arrive from their modules when they are first used.
"""
import importlib

__version__ = "0.1.0"

HOMES = {"connect": "caldera.client.connection", "Connection": "caldera.client.connection"} | {
    name: "caldera.base.errors" for name in ("Warning", "Error", "InterfaceError", "DatabaseError", "DataError", "OperationalError",
                                             "IntegrityError", "InternalError", "ProgrammingError", "NotSupportedError")}


def __getattr__(name):
    if name not in HOMES:
        raise AttributeError(f"module 'caldera' has no attribute {name!r}")
    return getattr(importlib.import_module(HOMES[name]), name)


def __dir__():
    return sorted([*globals(), *HOMES])
