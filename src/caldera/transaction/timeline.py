"""The order of commits, and who sees what.

Every commit has a number, its CSN (commit sequence number). Whatever can come and go - a schema, a table, a part, a delta -
is a thing with two fields, `came` and `gone`, the CSNs of the transactions that brought and took it:

    came   0 not yet                    csn brought by that commit        -id being brought by the transaction `id`
    gone   0 not yet                    csn taken by that commit          -id being taken by the transaction `id`

A snapshot is a CSN and, inside a transaction, the transaction's id. Commits stamp their things first and then advance the
timeline's CSN, so a snapshot sees all of a commit or nothing, without a lock.

    alice   begin ─▶ add(part): came = -7 ─▶ commit: log, came = 12, timeline.csn = 12
    bob               snapshot 11: no part              snapshot 11: still none        new snapshot 12: the part
"""
import itertools
import threading
import time

from caldera.base.errors import error
from caldera.transaction.changes import ENCODER, Record

WAIT_STEP_S = 0.05              # between looks at cancel and timeouts


class Snapshot:
    """What is visible. csn: the last commit that is. transaction: whose own changes are, or None. While it is not released,
    nothing that it sees is removed for good."""

    def __init__(self, timeline, csn, transaction=None):
        self.timeline, self.csn, self.transaction, self.released = timeline, csn, transaction, False
        self.own = -transaction.id if transaction is not None else None

    def sees(self, thing):
        """Whether a thing (with `came` and `gone`) has come and has not gone."""
        came, gone = thing.came, thing.gone
        if came <= 0 or came > self.csn:
            if came != self.own or came == 0:
                return False
        return gone == 0 or gone > self.csn or (gone < 0 and gone != self.own)

    def release(self):
        """Nobody will look any more."""
        if not self.released:
            self.released = True
            self.timeline.forget_snapshot(self.csn)

    __del__ = release


class Transaction:
    """One unit of change. Used by one thread at a time; others may wait for its end.

    isolation: "read committed" (a new snapshot for each statement) or "repeatable read". lock_timeout_ms: 0 waits for ever.
    cancelled: called while waiting, writing parts, and before the commit is logged; raises to give up. session: whose it
    is, for what the system's relations show; None for the database's own.
    """

    def __init__(self, timeline, id, isolation="read committed"):
        self.timeline, self.id, self.isolation = timeline, id, isolation
        self.added, self.removed, self.changes, self.participants = [], [], [], {}
        self.finished, self.waits_for, self.first_snapshot = threading.Event(), None, None
        self.lock_timeout_ms, self.cancelled, self.session = 0, lambda: None, None
        self.undo, self.after = [], []
        self.is_committing = False          # between the first byte in the log and the end; not to be interrupted then

    @property
    def is_active(self):
        return not self.finished.is_set()

    def snapshot(self):
        """What the next statement sees: all that is committed (or was at the first statement), and its own changes."""
        if self.isolation == "read committed":
            return self.timeline.snapshot(self)
        if self.first_snapshot is None:
            self.first_snapshot = self.timeline.snapshot(self)
        return self.first_snapshot

    def add(self, thing, change=None):
        """Bring a thing; `change` is what the log says of it, None for what no log keeps."""
        thing.came = -self.id
        self.added.append(thing)
        if change is not None:
            self.changes.append(change)

    def remove(self, thing, change=None):
        """Take a thing; waits for a transaction that is about to. Returns whether it was still there to be taken."""
        while True:
            with self.timeline.lock:
                other = thing.gone
                if other == 0:
                    thing.gone = -self.id
                    self.removed.append(thing)
                    if change is not None:
                        self.changes.append(change)
                    return True
            if other == -self.id or other > 0:
                return False
            self.wait_for(-other)

    def participant(self, key, make):
        """The object that takes part in this transaction's end for `key`, made at first use. It has `settle()` (what may
        take time or fail), `prepare()` (changes for the log), `publish(csn)` and `discard()`."""
        if key not in self.participants:
            self.participants[key] = make()
        return self.participants[key]

    def wait_for(self, id):
        """Return when another transaction has ended. Raises 40P01 if that waits for this one, 55P03 after lock_timeout."""
        other, started = self.timeline.active.get(id), time.monotonic()
        if other is None:
            return
        self.waits_for = other
        try:
            self.raise_if_deadlocked()
            while not other.finished.wait(WAIT_STEP_S):
                self.cancelled()
                if self.lock_timeout_ms and (time.monotonic() - started) * 1000 > self.lock_timeout_ms:
                    raise error("55P03", "canceling statement due to lock timeout")
        finally:
            self.waits_for = None

    def raise_if_deadlocked(self):
        other = self.waits_for
        while other is not None and other is not self:
            other = other.waits_for
        if other is self:
            raise error("40P01", "deadlock detected", hint="See server log for query details.")

    def commit(self):
        """Make all changes durable and visible, or raise and roll back."""
        self.timeline.commit(self)

    def rollback(self):
        """Undo everything. Harmless if the transaction has ended."""
        self.timeline.rollback(self)


class Timeline:
    """The commits of one database. `log` has `append(payload)`. after_commit: called with each committed transaction."""

    def __init__(self, log, csn=0):
        self.log, self.csn, self.after_commit = log, csn, lambda transaction: None
        self.lock, self.commit_lock = threading.RLock(), threading.RLock()
        self.ids, self.active, self.held = itertools.count(1), {}, {}          # held: csn -> number of snapshots

    def begin(self, isolation="read committed"):
        """A new transaction."""
        with self.lock:
            transaction = Transaction(self, next(self.ids), isolation)
            self.active[transaction.id] = transaction
        return transaction

    def snapshot(self, transaction=None):
        """Everything committed so far."""
        with self.lock:
            self.held[self.csn] = self.held.get(self.csn, 0) + 1
            return Snapshot(self, self.csn, transaction)

    def forget_snapshot(self, csn):
        with self.lock:
            self.held[csn] -= 1
            if not self.held[csn]:
                del self.held[csn]

    def oldest_csn(self):
        """The oldest CSN that any snapshot, also one taken from now on, can have."""
        with self.lock:
            return min(list(self.held), default=self.csn)

    def commit(self, transaction):
        if not transaction.is_active:
            raise error("25P01", "there is no transaction in progress")
        try:
            for participant in list(transaction.participants.values()):
                participant.settle()
            if transaction.participants or transaction.changes:
                transaction.cancelled()
            with self.commit_lock:
                transaction.is_committing = True
                self.commit_in_order(transaction)
        except BaseException:
            transaction.is_committing = False
            self.rollback(transaction)
            raise
        self.end(transaction)
        for call in transaction.after:
            call()
        self.after_commit(transaction)

    def commit_in_order(self, transaction):
        """Log, stamp, publish. After the log nothing should fail; if it does, for want of memory say, the log says more than
        is seen, and is not to be believed until it is written anew."""
        participants = list(transaction.participants.values())
        for participant in participants:
            transaction.changes += participant.prepare()
        if not (transaction.changes or transaction.added or transaction.removed or participants):
            return
        csn = self.csn + 1
        if transaction.changes:
            self.log.append(ENCODER.encode(Record(csn, transaction.changes)))
        try:
            for thing in transaction.added:
                thing.came = csn
            for thing in transaction.removed:
                thing.gone = csn
            for participant in participants:
                participant.publish(csn)
            with self.lock:
                self.csn = csn
        except BaseException:
            self.log.suspect = True
            raise

    def rollback(self, transaction):
        if not transaction.is_active:
            return
        with self.lock:
            for thing in transaction.removed:
                thing.gone = 0
        for participant in transaction.participants.values():
            participant.discard()
        for call in reversed(transaction.undo):
            call()
        self.end(transaction)

    def end(self, transaction):
        if transaction.first_snapshot is not None:
            transaction.first_snapshot.release()
        with self.lock:
            self.active.pop(transaction.id, None)
        transaction.finished.set()
