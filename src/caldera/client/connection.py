"""`caldera.connect()` and connections: a session of a database for one program.

    connect(path) ─▶ Connection ─ sql(text, *parameters) ─▶ Relation
                         ├─ execute(text, parameters) ─▶ Cursor, as DB-API 2.0 has it
                         └─ execute_results ─ bound ─▶ query.execute ─▶ Results            what all of them go through

Databases are shared: connecting twice to one path in one process gives two sessions of one database. A connection may be
used from several threads; its statements then run one after the other, those of several connections at the same time.

Each statement is a transaction of its own unless it stands between BEGIN and COMMIT (or `with connection.transaction()`),
as embedded databases have it; with `autocommit=False` a transaction begins by itself before the first statement and lasts
until `commit()` or `rollback()`, as PEP 249 has it.
"""
import contextlib
import itertools
import os
import threading
import weakref
from collections import deque
from collections.abc import Mapping

from caldera import functions, query
from caldera.base.errors import Error, InterfaceError, ProgrammingError
from caldera.base.forks import in_child
from caldera.client.cursor import Cursor
from caldera.client.frames import FrameFinder
from caldera.client.interrupt import Interruptible
from caldera.client.parameters import bound
from caldera.client.relation import Relation
from caldera.client.source_line import marked_line
from caldera.client.rows import Rows
from caldera.client.tracebacks import short
from caldera.execute.session import FAILED, IDLE, Session
from caldera.storage.database import Database

OPEN, OPEN_LOCK = {}, threading.RLock()         # path -> [Database, how many connections]
CONNECTIONS: weakref.WeakSet = weakref.WeakSet()
BATCHES = itertools.count(1)                    # numbers of cursors that `batches` opens
ABANDONED = deque()                             # (database, key, session) of connections that nobody closed


@short
def connect(path=None, *, autocommit=True, **settings):
    """Open a database and return a Connection.

    path: its directory, made if need be; None for a database in memory of its own. settings: of the session, as SET takes
    them (threads=2). Raises 55006 if another process has the directory open, 42704 and 22023 for wrong settings.
    """
    with OPEN_LOCK:
        functions.load()
        close_abandoned()
        key = None if path in (None, ":memory:") else os.path.realpath(os.fspath(path))
        if key is None:
            database = Database(None)
        elif key in OPEN:
            database = OPEN[key][0]
            OPEN[key][1] += 1
        else:
            database = Database(key)
            OPEN[key] = [database, 1]
    connection = Connection(database, key, autocommit)
    try:
        for name, value in settings.items():
            connection.session.set(name, str(value))
    except BaseException:
        connection.close()
        raise
    return connection


@in_child
def leave_databases():
    """In a child process after a fork: the databases are the parent's. The lock on a directory shall end with the parent."""
    global OPEN_LOCK
    OPEN_LOCK = threading.RLock()
    for database, _ in OPEN.values():
        database.directory_lock.leave()
    OPEN.clear()
    ABANDONED.clear()
    for connection in list(CONNECTIONS):
        connection.lock, connection.parent = threading.RLock(), os.getppid()
        connection.abandon.detach()


def let_go(database, key, session):
    """End a session; the last one of a database closes that."""
    with OPEN_LOCK:
        session.close()
        if key is not None:
            OPEN[key][1] -= 1
            if OPEN[key][1]:
                return
            del OPEN[key]
        database.close()


def close_abandoned():
    """Close what connections left open that were forgotten. Not when they are collected as garbage, which may happen while
    any lock is held, but at the next occasion."""
    while ABANDONED:
        with contextlib.suppress(Error):
            let_go(*ABANDONED.popleft())


class Connection:
    """A session of a database. `with connection:` commits or rolls back what is open at its end, and closes."""
    from caldera.base.errors import (DatabaseError, DataError, Error, IntegrityError, InterfaceError,       # PEP 249
                                     InternalError, NotSupportedError, OperationalError, ProgrammingError, Warning)

    def __init__(self, database, key, autocommit=True):
        self.database, self.key, self.session, self.lock = database, key, Session(database), threading.RLock()
        self.session.frames = FrameFinder()
        self.autocommit, self.closed = autocommit, False
        self.parent = None                      # in a child process after a fork: the process whose connection it is
        CONNECTIONS.add(self)
        self.abandon = weakref.finalize(self, ABANDONED.append, (database, key, self.session))
        self.abandon.atexit = False             # at the end of the process everything is let go of anyway

    def check_open(self):
        if self.closed:
            raise InterfaceError("the connection is closed", "08003")
        if self.parent is not None:
            raise InterfaceError(f"the connection belongs to the parent process (PID {self.parent}): connect anew after a "
                                 "fork", "08003")

    # running statements
    def execute_results(self, text, parameters=None):
        """Run all statements of a text; a list of their Results (execute.actions.Result)."""
        with self.lock:
            self.check_open()
            if not isinstance(text, str):
                raise InterfaceError(f"a statement is a str, not {type(text).__name__}", "08P01")
            text, given = bound(text, parameters)
            if not self.autocommit and self.session.state == IDLE:
                self.session.begin()
            try:
                with Interruptible(self.session):
                    return list(query.execute(self.session, text, given))
            except Error as fault:
                if fault.position is not None:
                    fault.add_note(marked_line(text, fault.position))
                raise
            finally:
                self.session.frames.forget()

    @short
    def sql(self, text, *parameters):
        """Run a statement and return its rows as a Relation; of several statements, those of the last. parameters: the
        values of $1, $2, ... or of %s; or one mapping for %(name)s."""
        if len(parameters) == 1 and isinstance(parameters[0], Mapping):
            results = self.execute_results(text, parameters[0])
        else:
            results = self.execute_results(text, parameters or None)
        if not results:
            raise ProgrammingError("there is no statement", "42601")
        return Relation(results[-1], self.session)

    def batches(self, text, *parameters, rows=1 << 16):
        """Run a query and yield its rows as Relations of `rows` rows, each computed when it is asked for, so that a result
        larger than memory can be read. A transaction stays open until the last is taken or the iterator closed."""
        name, alone = f"batches {next(BATCHES)}", self.session.state == IDLE
        if alone:
            self.begin()
        try:
            self.sql(f'DECLARE "{name}" NO SCROLL CURSOR FOR {text}', *parameters)
            while len(batch := self.sql(f'FETCH {int(rows)} FROM "{name}"')):
                yield batch
        finally:
            if not self.closed and alone:
                self.rollback() if self.session.state == FAILED else self.commit()
            elif name in self.session.cursors and self.session.state != FAILED:
                self.sql(f'CLOSE "{name}"')

    @short
    def execute(self, operation, parameters=None):
        """Run a statement with a cursor of its own, which is returned."""
        return self.cursor().execute(operation, parameters)

    @short
    def executemany(self, operation, seq_of_parameters):
        """Run a statement for each of several lists of parameters, with a cursor of its own, which is returned."""
        cursor = self.cursor()
        cursor.executemany(operation, seq_of_parameters)
        return cursor

    @short
    def execute_text(self, text):
        """Run a statement: ([(column name, type OID)], rows as tuples of texts or None), as a server sends them."""
        results = self.execute_results(text)
        result = results[-1] if results else None
        if result is None or result.columns is None:
            return [], []
        columns = Rows(result, self.session).texts(0, result.row_count)
        described = [(name, type.oid) for name, (type, _) in zip(result.names, result.types)]
        return described, list(zip(*columns)) if columns else [()] * result.row_count

    @short
    def cursor(self):
        """A new Cursor."""
        self.check_open()
        return Cursor(self)

    def cancel(self):
        """Stop the statement that runs, from another thread; there it raises 57014."""
        self.session.cancel()

    def notices(self):
        """What the database had to tell since the last call: a list of texts."""
        told, self.session.notices = self.session.notices, []
        return told

    # transactions
    @short
    def begin(self):
        """Begin a transaction."""
        self.execute_results("BEGIN")

    @short
    def commit(self):
        """Commit the transaction, if there is one. One that failed is rolled back instead, and 25P02 raised."""
        self.end_transaction(self.session.commit)

    @short
    def rollback(self):
        """Roll back the transaction, if there is one."""
        self.end_transaction(self.session.rollback)

    def end_transaction(self, end):
        with self.lock:
            self.check_open()
            if self.session.state != IDLE:
                self.session.not_cancelled()
                with Interruptible(self.session):
                    if end() == "ROLLBACK" and end == self.session.commit:
                        raise Error("the transaction had failed, so it was rolled back", "25P02")

    @contextlib.contextmanager
    def transaction(self):
        """`with connection.transaction(): ...`: commit at the end, roll back if an exception leaves the body."""
        with self.lock:
            self.begin()
            with self.in_transaction(begun=True):
                yield self

    @contextlib.contextmanager
    def in_transaction(self, begun=False):
        """The body in one transaction: the one that is open, or, with autocommit, one of its own."""
        if not begun:
            if self.session.state != IDLE or not self.autocommit:
                yield
                return
            self.begin()
        try:
            yield
        except BaseException:
            self.rollback()
            raise
        self.commit()

    # the end
    @short
    def close(self):
        """End the session; an open transaction is rolled back."""
        with self.lock:
            if self.closed:
                return
            self.closed = True
            self.abandon.detach()
            if self.parent is None:
                let_go(self.database, self.key, self.session)

    def __enter__(self):
        self.check_open()
        return self

    def __exit__(self, kind, exception, traceback):
        if self.closed or self.parent is not None:
            self.closed = True
            return
        try:
            self.rollback() if kind else self.commit()
        finally:
            self.close()
