"""Caldera: PostgreSQL's SQL over columns, compiled to machine code.

    import caldera
    connection = caldera.connect()          # in memory; connect("folder") for one that stays
    connection.sql("SELECT 1 + 1").show()

Importing this package loads nothing else: names arrive from their modules when they are first used.
"""
import importlib

__version__ = "0.1.0"

# The names of the package, by the module that each comes from. Those of DB-API 2.0 (PEP 249) are among them.
NAMES = {
    "caldera.client.connection": ("connect", "Connection"),
    "caldera.client.relation": ("Relation",),
    "caldera.client.cursor": ("Cursor", "apilevel", "threadsafety", "paramstyle",
                              "STRING", "BINARY", "NUMBER", "DATETIME", "ROWID", "Date", "Time", "Timestamp", "Binary",
                              "DateFromTicks", "TimeFromTicks", "TimestampFromTicks"),
    "caldera.base.errors": ("Warning", "Error", "InterfaceError", "DatabaseError", "DataError", "OperationalError",
                            "IntegrityError", "InternalError", "ProgrammingError", "NotSupportedError"),
    "caldera.functions.user": ("function", "choose"),
}
HOMES = {name: module for module, names in NAMES.items() for name in names}


def __getattr__(name):
    if name not in HOMES:
        raise AttributeError(f"module 'caldera' has no attribute {name!r}")
    return getattr(importlib.import_module(HOMES[name]), name)


def __dir__():
    return sorted([*globals(), *HOMES])
