"""The embedded interface: `caldera.connect()`, connections and cursors as DB-API 2.0 (PEP 249) has them, and results.

    connect(path) ─▶ Connection ─ sql(text) ─▶ Relation: fetchall() arrow() df() pl() show()
                         └─ cursor() ─▶ Cursor: execute(text, parameters) fetchone() ...

Databases are shared: connecting twice to one path in one process gives two sessions of one database. A connection may be used
from several threads; its statements then run one after the other.
"""
import os
import sys
import threading

from caldera import functions, query
from caldera.base.errors import InterfaceError
from caldera.execute.session import Session
from caldera.storage.database import Database
from caldera.types.columns import to_text

OPEN, OPEN_LOCK = {}, threading.Lock()          # path -> (Database, how many connections)


def connect(path=None, **settings):
    """Open a database and return a Connection. path: its directory, made if need be; None for one in memory of its own.
    Keyword arguments are settings of the session (threads=2)."""
    functions.load()
    key = None if path in (None, ":memory:") else os.path.abspath(os.fspath(path))
    with OPEN_LOCK:
        if key is None:
            database = Database(None)
        else:
            database, users = OPEN.get(key) or (Database(key), 0)
            OPEN[key] = database, users + 1
    connection = Connection(database, key)
    for name, value in settings.items():
        connection.session.set(name, str(value))
    return connection


class Connection:
    """A session of a database. Closing the last one of a database closes that."""

    def __init__(self, database, key):
        self.database, self.key, self.session, self.lock = database, key, Session(database), threading.RLock()
        self.session.frames = FrameFinder()
        self.closed = False

    def execute_results(self, text, parameters=()):
        """Run all statements; a list of their Results (execute.actions.Result)."""
        with self.lock:
            if self.closed:
                raise InterfaceError("the connection is closed", "08003")
            return list(query.execute(self.session, text, parameters))

    def execute_text(self, text):
        """Run a statement: ([(column name, type OID)], rows as tuples of texts or None), as a server sends them."""
        result = self.execute_results(text)[-1]
        if result.columns is None:
            return [], []
        columns = [to_text(data.type, data.values, data.valid, self.session) for data in result.columns]
        described = [(name, type.oid) for name, (type, _) in zip(result.names, result.types)]
        return described, list(zip(*columns)) if columns else [()] * result.row_count

    def cancel(self):
        """Stop the statement that runs, from another thread."""
        self.session.cancel()

    def close(self):
        """End the session; an open transaction is rolled back."""
        with self.lock, OPEN_LOCK:
            if self.closed:
                return
            self.closed = True
            self.session.close()
            if self.key is None:
                self.database.close()
                return
            database, users = OPEN[self.key]
            if users == 1:
                del OPEN[self.key]
                database.close()
            else:
                OPEN[self.key] = database, users - 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class FrameFinder:
    """Finds data frames among the variables of whoever called into this package."""

    def __call__(self, name):
        """The relation of a variable, or None."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "caldera":
            frame = frame.f_back
        while frame is not None:
            for variables in (frame.f_locals, frame.f_globals):
                if name in variables:
                    return relation_of_frame(variables[name])
            frame = frame.f_back
        return None


def relation_of_frame(thing):
    """The storage relation of a data frame or Arrow table, or None for anything else."""
    from caldera.storage.external.frames import relation_of
    return relation_of(thing)
