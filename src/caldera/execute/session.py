"""A session: settings, the transaction in progress, temporary tables, and the plans it has made.

Statements outside of a transaction block run in a transaction of their own. An error in a block spoils it until ROLLBACK, as
in PostgreSQL.
"""
import threading
import time
from datetime import datetime, UTC

import caldera.base.inert_settings  # noqa: F401
from caldera.base.errors import Error, error
from caldera.base.settings import Settings, duration_ms, memory_bytes
from caldera.bind.binder import Binder
from caldera.bind.domains import constrained
from caldera.bind.typenames import type_named
from caldera.execute.constants import constant_value
from caldera.catalog import facts
from caldera.catalog.introspection import DATABASE
from caldera.functions.user import DEFINED
from caldera.kernel.structures.memory import Share
from caldera.plan.expressions import Constant
from caldera.storage.temporary import TemporaryQuota

LEVELS = {"serializable": "repeatable read", "read uncommitted": "read committed"}       # others stand for themselves
IDLE, IN_BLOCK, FAILED = "idle", "in block", "failed"


class Session:
    """What one client has. Not for several threads at once, but for `cancel`, which any thread may call."""

    def __init__(self, database, user="caldera"):
        self.database, self.user, self.settings = database, user, Settings()
        self.transaction, self.state, self.temp_schema, self.started = None, IDLE, None, None
        self.frames, self.plans, self.cancelled, self.notices = None, {}, threading.Event(), []
        self.watch, self.view, self.closed, self.random = None, None, False, None
        self.prepared, self.cursors = {}, {}        # PreparedStatements and Cursors by name
        self.settings_before, self.queries = {}, False      # queries: whether the transaction has run one
        self.statement_started = None       # aware of its zone; of the first statement of a transaction, when that started
        self.budget, self.deadline = Share(database.budget), None
        self.temporary_quota = TemporaryQuota(self.temporary_bytes_max)
        self.apply_memory_limit()

    # settings
    def setting(self, name):
        """A setting's value as text. Raises 42704."""
        return self.settings.get(name)

    def set(self, name, text, local=False):
        """Change a setting, for the session or until the transaction ends."""
        of_transaction = name.lower() in ("transaction_isolation", "transaction_read_only")
        before = self.setting(name) if of_transaction else None
        self.settings.set(name, text, local or of_transaction)
        if of_transaction and self.transaction is not None and self.setting(name) != before:
            self.change_transaction(name.lower(), self.setting(name), before)
        effect = self.settings.for_change(name).effect
        if effect is not None:
            effect(self, text)
        if name.lower() == "memory_limit":
            self.apply_memory_limit()

    def change_transaction(self, name, value, before):
        """Let the transaction in progress follow a setting of its own. Raises 25001 where a statement of it has run that
        went by the other value."""
        if self.queries and (name == "transaction_isolation" or value == "off"):
            self.settings.local[name] = before
            raise error("25001", "SET TRANSACTION ISOLATION LEVEL must be called before any query"
                        if name == "transaction_isolation" else
                        "transaction read-write mode must be set before any query")
        if name == "transaction_isolation":
            self.transaction.isolation = LEVELS.get(value, value)

    def reset(self, name):
        """Back to the default."""
        self.settings.reset(name)
        self.apply_memory_limit()

    def reset_all(self):
        self.settings.reset_all()
        self.apply_memory_limit()

    def apply_memory_limit(self):
        """Let the budget follow the setting."""
        self.budget.bytes_max = memory_bytes(self.setting("memory_limit"))

    def temporary_bytes_max(self):
        """How large all temporary files together may be; None for any size."""
        limit = self.setting("temp_file_limit")
        return None if limit == "-1" else memory_bytes(limit)

    def show(self, name):
        """(name, value) as SHOW gives them."""
        return self.settings.setting(name).name, self.setting(name)

    def show_all(self):
        return self.settings.all()

    @property
    def settings_key(self):
        """What plans may depend on besides the catalog."""
        return tuple(sorted(self.settings.values.items())), tuple(sorted(self.settings.local.items())), len(DEFINED)

    # what types, the binder and functions ask for
    @property
    def catalog(self):
        return self.database.catalog

    @property
    def database_name(self):
        """What the database is called in queries."""
        return DATABASE

    def now(self):
        """When the transaction started, aware of its zone."""
        return self.started or datetime.now(UTC)

    def evaluate(self, expression):
        """The datum of an expression without columns (for the optimizer, which knows no kernel)."""
        return constant_value(self, expression)

    def named_type(self, text):
        """(SqlType, modifier) of a type's name in SQL. Raises 42704, 42601, 0A000."""
        return type_named(text, self)

    def type_oid(self, text):
        """The OID of a type's name in SQL, also of one that only PostgreSQL has. Raises 42704, 42601."""
        try:
            return self.named_type(text)[0].oid
        except Error as fault:
            if fault.sqlstate in ("0A000", "42704") and text in facts.TYPES:
                return facts.TYPES[text].oid
            raise

    def checked(self, datum, domain):
        """A datum of a domain's base type, if the domain has it; raises 23502, 23514."""
        binder = Binder(None, self, self.view)
        return constant_value(self, constrained(binder, Constant(datum, *domain.root()), domain))

    def notice(self, message):
        """Something to tell the client; kept until it asks."""
        self.notices.append(message)

    def find_frame(self, name):
        """The relation of a data frame among the caller's variables, or None."""
        return self.frames(name) if self.frames is not None else None

    # transactions
    def begin(self, isolation=None, read_only=None):
        """Open a block. read_only: "on", "off", or None for the default."""
        if self.state != IDLE:
            self.notice("there is already a transaction in progress")
            return
        if self.transaction is not None:                # the statement's own
            self.transaction.rollback()
        self.start(isolation, read_only)
        self.state = IN_BLOCK

    @property
    def in_block(self):
        """Whether a statement has opened a transaction that another one will end."""
        return self.state != IDLE

    def start(self, isolation=None, read_only=None):
        """A transaction for the next statement or block."""
        isolation = isolation or self.setting("default_transaction_isolation")
        self.transaction, self.queries = self.database.begin(LEVELS.get(isolation, isolation)), False
        self.settings_before = dict(self.settings.values)
        self.transaction.lock_timeout_ms = duration_ms(self.setting("lock_timeout"))
        self.transaction.cancelled, self.transaction.session = self.check_cancelled, self
        self.started = datetime.now(UTC)
        read_only = read_only or self.setting("default_transaction_read_only")
        self.settings.local |= {"transaction_isolation": isolation, "transaction_read_only": read_only}

    def check_cancelled(self):
        """Raise 57014 if the statement shall stop: what works long outside of runs, or waits, calls this at times."""
        if self.cancelled.is_set():
            raise error("57014", "canceling statement due to user request")
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise error("57014", "canceling statement due to statement timeout")

    def not_cancelled(self):
        """A statement begins: what came before does not concern it."""
        self.cancelled.clear()
        timeout_ms = duration_ms(self.setting("statement_timeout"))
        self.deadline = time.monotonic() + timeout_ms / 1e3 if timeout_ms else None

    def commit(self):
        """End the block; of a spoilt one nothing stays. Returns the command tag."""
        if self.state == IDLE and self.transaction is None:
            self.notice("there is no transaction in progress")
            return "COMMIT"
        if self.state == FAILED:
            return self.rollback()
        transaction = self.transaction
        try:
            for cursor in list(self.cursors.values()):
                if cursor.holds and not cursor.held:
                    cursor.hold()
            transaction.commit()
        finally:
            self.end()
        return "COMMIT"

    def rollback(self):
        if self.transaction is None:
            self.notice("there is no transaction in progress")
            return "ROLLBACK"
        try:
            if self.transaction.is_active:
                self.transaction.rollback()
        finally:
            self.settings.values = self.settings_before         # SET is undone, too
            self.apply_memory_limit()
            self.end()
        return "ROLLBACK"

    def end(self):
        """The transaction is over, and with it the cursors that were not held when it committed."""
        self.close_cursors(held=False)
        self.transaction, self.state, self.started, self.settings.local = None, IDLE, None, {}

    def close_cursors(self, held=True):
        """Close all cursors, or those that are not held."""
        for cursor in [cursor for cursor in self.cursors.values() if held or not cursor.held]:
            cursor.close()

    def savepoint(self, name):
        raise error("0A000", "savepoints are not supported yet")

    release = rollback_to = savepoint

    def statement(self, ends_block=False):
        """Enter a statement: `with session.statement(): ...` gives it a transaction and ends that as the block demands."""
        return StatementScope(self, ends_block)

    def cancel(self):
        """Stop the statement that runs; from any thread."""
        self.cancelled.set()

    def close(self):
        """Roll back what is open and drop temporary tables."""
        if self.closed:
            return
        self.closed = True
        if self.transaction is not None:
            self.rollback()
        self.close_cursors()
        if self.temp_schema is not None and not self.database.closed:
            transaction = self.database.begin()
            self.database.catalog.end_session(transaction, self)
            transaction.commit()


class StatementScope:
    """One statement's part of a transaction."""

    def __init__(self, session, ends_block):
        self.session, self.ends_block = session, ends_block

    def __enter__(self):
        session = self.session
        if session.closed:
            raise error("08003", "the connection is closed")
        if session.state == FAILED and not self.ends_block:
            raise error("25P02", "current transaction is aborted, commands ignored until end of transaction block")
        session.not_cancelled()
        self.own = session.transaction is None
        if self.own:
            session.start()
        session.statement_started = session.started if self.own else datetime.now(UTC)
        self.snapshot = session.transaction.snapshot()
        session.view = session.database.catalog.view(self.snapshot, session)
        return self

    def __exit__(self, kind, exception, traceback):
        session = self.session
        if session.transaction is None or self.snapshot is not session.transaction.first_snapshot:
            self.snapshot.release()
        if session.transaction is None:                 # the statement was COMMIT or ROLLBACK
            return
        if exception is not None:
            if session.state == IDLE:
                session.rollback()
            else:
                session.state = FAILED
        elif session.state == IDLE:
            session.commit()
