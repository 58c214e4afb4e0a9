"""Cursor: DB-API 2.0 (PEP 249) over a Connection, and what that standard wants of a module.

paramstyle is "pyformat" as in psycopg: %s and %(name)s. PostgreSQL's own $1 is taken as well. threadsafety is 2: threads
may share the module and connections.
"""
import datetime
import time

from caldera.base.errors import InterfaceError, error
from caldera.client.rows import Rows
from caldera.client.tracebacks import short

apilevel, threadsafety, paramstyle = "2.0", 2, "pyformat"

Date, Time, Timestamp, Binary = datetime.date, datetime.time, datetime.datetime, bytes


def DateFromTicks(ticks):
    """The local date at a number of seconds since 1970 (PEP 249)."""
    return datetime.date(*time.localtime(ticks)[:3])


def TimeFromTicks(ticks):
    """The local time of day at a number of seconds since 1970 (PEP 249)."""
    return datetime.time(*time.localtime(ticks)[3:6])


def TimestampFromTicks(ticks):
    """The local date and time at a number of seconds since 1970 (PEP 249)."""
    return datetime.datetime(*time.localtime(ticks)[:6])


class TypeObject:
    """A kind of types (PEP 249): equal to the type_code, an OID, of each."""

    def __init__(self, name, *oids):
        self.name, self.oids = name, frozenset(oids)

    def __eq__(self, other):
        return other in self.oids if isinstance(other, int) else self is other

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return self.name


STRING = TypeObject("STRING", 18, 19, 25, 1042, 1043)
BINARY = TypeObject("BINARY", 17)
NUMBER = TypeObject("NUMBER", 20, 21, 23, 700, 701, 1700)
DATETIME = TypeObject("DATETIME", 1082, 1083, 1114, 1184, 1186)
ROWID = TypeObject("ROWID", 26)


class Cursor:
    """Runs statements and hands out the rows of the last one. After a text of several statements, those of its last."""
    arraysize = 1

    def __init__(self, connection):
        self.connection, self.rows, self.position, self.closed = connection, None, 0, False
        self.rowcount, self.statusmessage = -1, None

    def check_open(self):
        if self.closed:
            raise InterfaceError("the cursor is closed", "08003")
        self.connection.check_open()

    # running
    @short
    def execute(self, operation, parameters=None):
        """Run a statement, or several without parameters; returns the cursor."""
        self.check_open()
        self.rows, self.position, self.rowcount, self.statusmessage = None, 0, -1, None
        results = self.connection.execute_results(operation, parameters)
        if results:
            self.keep(results[-1])
        return self

    @short
    def executemany(self, operation, seq_of_parameters):
        """Run a statement for each of several lists of parameters, in one transaction; `rowcount` is the sum."""
        self.check_open()
        self.rows, self.position, self.rowcount, self.statusmessage = None, 0, -1, None
        total = 0
        with self.connection.lock, self.connection.in_transaction():
            for parameters in seq_of_parameters:
                for result in self.connection.execute_results(operation, parameters):
                    if result.columns is not None:
                        raise error("0A000", "executemany is for statements without rows")
                    total += result.row_count
                    self.statusmessage = result.tag
        self.rowcount = total

    def keep(self, result):
        self.rows, self.statusmessage = Rows(result, self.connection.session), result.tag
        counts = self.rows.has_rows or result.tag.split()[0] in ("INSERT", "COPY", "SELECT")
        self.rowcount = result.row_count if counts else -1

    @short
    def callproc(self, procname, parameters=()):
        """Not there: PostgreSQL's functions are called by SELECT."""
        raise error("0A000", "callproc is not supported", hint="Use SELECT function(...).")

    # fetching
    @property
    def description(self):
        """The columns of the rows, 7 values for each; None without rows."""
        return None if self.rows is None else self.rows.description

    @short
    def fetchmany(self, size=None):
        """The next rows, at most `size` (`arraysize` by default). Raises InterfaceError if there were none to fetch."""
        self.check_open()
        if self.rows is None or not self.rows.has_rows:
            raise InterfaceError("the last statement gave no rows", "24000")
        rows, self.position = self.rows.next_objects(self.position, self.arraysize if size is None else size)
        return rows

    @short
    def fetchone(self):
        """The next row, or None."""
        return next(iter(self.fetchmany(1)), None)

    @short
    def fetchall(self):
        """All rows that are left."""
        return self.fetchmany(0 if self.rows is None else len(self.rows))

    @property
    def rownumber(self):
        """The number, from 0, of the row that comes next."""
        return None if self.rows is None or not self.rows.has_rows else self.position

    def __iter__(self):
        while rows := self.fetchmany(1000):
            yield from rows

    def setinputsizes(self, sizes):
        """Nothing to do (PEP 249)."""

    def setoutputsize(self, size, column=None):
        """Nothing to do (PEP 249)."""

    def close(self):
        """Let go of the rows."""
        self.rows, self.closed = None, True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
