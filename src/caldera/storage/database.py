"""A database: the directory, its log, the catalog and the tables, and the thread that merges parts.

    directory/lock             held by the process that has it open
    directory/log              one record for each commit (caldera.transaction.log)
    directory/parts/*.part     the parts of all tables (mergetree.format)
    directory/temporary/*      rows that running queries have no room for (temporary)

    Database(path) ─▶ lock ─▶ replay the log: entries, parts, deltas ─▶ remove leftovers ─▶ begin() / snapshot() ─▶ close()

Opening touches no part: the log says how many rows each has. Without a path everything is in memory and gone at the end.
"""
import os
import re
import threading

import msgspec

from caldera.base.errors import error
from caldera.catalog.catalog import FIRST_CSN, Catalog
from caldera.catalog.engines import ENGINES
from caldera.catalog.entries import Schema, TableEntry, TypeEntry
from caldera.kernel.structures.memory import Budget
from caldera.storage.engine import StoredRelation
from caldera.storage.engines import DEFAULT
from caldera.storage.mergetree.table import TableStore
from caldera.storage.system import add_system_relations
from caldera.storage.temporary import TemporaryFolder
from caldera.transaction import changes
from caldera.transaction.files import file_error, remove_quietly, sync_directory
from caldera.transaction.lock_file import DirectoryLock
from caldera.transaction.log import open_log
from caldera.transaction.timeline import Timeline

CHECKPOINT_BYTES = 4 << 20      # the log is rewritten when it has grown by more than this, and to more than twice its size
PART_NAME = re.compile(r"[0-9a-f]{8,}\.part(\.tmp)?")
MAINTENANCE_S = 1.0             # at most that long until dropped files are removed


class Database:
    """An open database. path: its directory, made if need be, or None for one in memory. Methods may be called from several
    threads. durable: False leaves out fsync, for tests and throw-away data. merging: whether parts are merged in the
    background. budget: of the memory that all runs together take; temporary: where they put what has no room. Raises 55006
    if another process has it open, XX001 for a damaged log, 58P01 and the like."""

    def __init__(self, path=None, durable=True, merging=True, **limits):
        self.path = None if path is None else os.path.abspath(os.fspath(path))
        self.directory_lock, self.log, self.closed, self.budget = None, None, False, Budget()
        self.temporary = TemporaryFolder(None if path is None else os.path.join(self.path, "temporary"))
        parts = self.prepare_directory()
        try:
            self.log = open_log(self.path, durable)
            self.timeline = Timeline(self.log, FIRST_CSN)
            self.store = TableStore(self.timeline, parts, durable, **limits)
            self.memory_store = self.store if path is None else TableStore(self.timeline, None, **limits)
            self.catalog = Catalog(changes, self.make_relation)
            add_system_relations(self.catalog)
            self.replay()
            self.remove_leftovers()
        except BaseException:
            self.release_directory()
            raise
        self.due, self.work, self.stopping = set(), threading.Condition(), False
        self.maintenance = self.maintenance_failure = None
        self.store.wake = self.memory_store.wake = self.wake
        self.timeline.after_commit = self.committed
        self.merging = merging

    def prepare_directory(self):
        """Make and lock the directory; returns that of the parts."""
        if self.path is None:
            return None
        parts = os.path.join(self.path, "parts")
        if os.path.exists(self.path) and not os.path.isdir(self.path):
            raise error("42602", f'"{self.path}" is not a directory, as a database is',
                        hint="Files are read by statements: SELECT ... FROM 'hits.parquet'.")
        try:
            if not os.path.isdir(self.path):
                os.makedirs(self.path)
                sync_directory(os.path.dirname(self.path))
            if not os.path.lexists(os.path.join(self.path, "log")):
                self.check_new(parts)
            self.directory_lock = DirectoryLock(self.path)
            os.makedirs(parts, exist_ok=True)
        except OSError as exception:
            self.release_directory()
            raise file_error(exception, "open directory", self.path) from exception
        return parts

    def check_new(self, parts):
        """Raise unless a directory without a log has nothing that could be lost if a database is made in it: 42602 for the
        files of others, 58P01 for parts, which nobody knows without the log."""
        found = set(os.listdir(self.path)) - {"lock", "log.tmp", "parts", "temporary"}
        inside = os.listdir(parts) if os.path.isdir(parts) else []
        if found or not all(map(PART_NAME.fullmatch, inside)):
            raise error("42602", f'directory "{self.path}" exists but is not a database',
                        hint="Give the path of a new or empty directory, or of a database.")
        if inside:
            raise error("58P01", f'the log of database "{self.path}" is missing',
                        detail=f"There are {len(inside)} files of tables, and only the log says what is in which.",
                        hint='Restore the file "log" from a backup.')

    def make_relation(self, entry):
        """The engine's side of a new table. Raises 42704 for an engine that does not exist, 22023 for bad options."""
        engine = ENGINES.get(entry.engine or DEFAULT)
        if engine is None:
            raise error("42704", f'access method "{entry.engine}" does not exist')
        return engine.make(self, entry)

    # opening
    def replay(self):
        """Do again what the log says."""
        for payload in self.log.payloads:
            try:
                record = changes.DECODER.decode(payload)
                for change in record.changes:
                    self.replay_change(change, record.csn)
            except (LookupError, ValueError, TypeError, AttributeError, StopIteration, msgspec.MsgspecError) as exception:
                raise error("XX001", f'the log of database "{self.path}" cannot be understood: {exception!r}',
                            hint="Restore the database from a backup.") from exception
            self.timeline.csn = max(self.timeline.csn, record.csn)
        self.log.payloads = ()

    def replay_change(self, change, csn):
        if isinstance(change, changes.Counters):
            self.store.next_number = max(self.store.next_number, change.next_number)
        if self.catalog.replay(change, csn):
            return
        if change.table in self.catalog.by_oid:     # if not, it was dropped while the transaction ran
            self.catalog.by_oid[change.table][-1].relation.replay(change, csn)

    def tables(self):
        """The relations of all tables that exist or may still be seen."""
        return [entry.relation for versions in list(self.catalog.relations.values()) for entry in versions
                if isinstance(entry.relation, StoredRelation)]

    def remove_leftovers(self):
        """Remove files of queries and of transactions that did not commit before a crash, and of what went."""
        self.temporary.clear()
        if self.path is None:
            return
        known = {name for table in self.tables() for name in table.file_names()}
        for name in os.listdir(self.store.directory):
            if name not in known and PART_NAME.fullmatch(name):
                remove_quietly(os.path.join(self.store.directory, name))
        remove_quietly(self.log.path + ".tmp")

    # use
    def begin(self, isolation="read committed"):
        """A new Transaction."""
        if self.closed:
            raise error("57P01", "the database has been closed")
        return self.timeline.begin(isolation)

    def snapshot(self):
        """A Snapshot of everything committed."""
        return self.timeline.snapshot()

    def committed(self, transaction):
        """Called by the timeline after each commit: there may be files to remove, or a log that has become long."""
        outgrown = [table for table in transaction.participants
                    if isinstance(table, StoredRelation) and table.has_outgrown_plans()]
        changed = [*transaction.added, *transaction.removed]
        if outgrown or any(isinstance(thing, (Schema, TableEntry, TypeEntry)) for thing in changed):
            self.catalog.version += 1
        if transaction.removed or self.log.size > CHECKPOINT_BYTES + 2 * self.log.compact_size:
            self.wake(None)

    def checkpoint(self):
        """Rewrite the log to what is there now. The changes of running transactions are not in it; they follow later."""
        if self.path is None:
            return
        with self.timeline.commit_lock:
            snapshot = self.timeline.snapshot()
            try:
                kept = [changes.Counters(self.catalog.next_oid, self.store.next_number),
                        *self.catalog.checkpoint_changes(snapshot)]
                for table in self.tables():
                    entry = self.catalog.by_oid[table.oid][-1]
                    if table.is_logged and any(snapshot.sees(version) for version in self.catalog.by_oid[entry.oid]):
                        kept += table.checkpoint_changes(snapshot)
                self.log.rewrite([changes.ENCODER.encode(changes.Record(snapshot.csn, kept))])
            finally:
                snapshot.release()

    def collect(self):
        """Remove what no snapshot sees any more."""
        oldest = self.timeline.oldest_csn()
        for entry in self.catalog.forget(oldest):
            if isinstance(entry.relation, StoredRelation):
                entry.relation.remove_files()
        for table in self.tables():
            table.collect(oldest)

    # the background
    def wake(self, table):
        """Tell the maintenance thread that there may be work; it starts at the first such call."""
        if not self.merging:
            return
        with self.work:
            if table is not None:
                self.due.add(table)
            if self.maintenance is None and not self.stopping:
                self.maintenance = threading.Thread(target=self.maintain, name="caldera maintenance", daemon=True)
                self.maintenance.start()
            self.work.notify()

    def maintain(self):
        """The maintenance thread: merge, remove files, rewrite the log. What fails is tried again at the next change."""
        while not self.stopping:
            with self.work:
                if not self.due:
                    self.work.wait(MAINTENANCE_S)
                due, self.due = self.due, set()
            for work in [*(table.maintain for table in due), self.collect, self.checkpoint_if_due]:
                try:
                    if not self.stopping:
                        work()
                except Exception as exception:  # a full disk or a damaged table: statements will tell
                    self.maintenance_failure = exception

    def checkpoint_if_due(self):
        """Rewrite the log if it has become long, or could not be repaired after a failure."""
        if self.log.suspect or self.log.size > CHECKPOINT_BYTES + 2 * self.log.compact_size:
            self.checkpoint()

    def close(self):
        """Stop the background, let go of the directory. Transactions that are still active are rolled back."""
        if self.closed:
            return
        self.closed = self.stopping = self.store.closing = self.memory_store.closing = True
        with self.work:
            self.work.notify()
        if self.maintenance is not None and self.maintenance is not threading.current_thread():
            self.maintenance.join()
        for transaction in list(self.timeline.active.values()):
            transaction.rollback()
        self.collect()
        self.release_directory()

    def release_directory(self):
        if self.log is not None:
            self.log.close()
        self.temporary.close()
        if self.directory_lock is not None:
            self.directory_lock.release()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()
