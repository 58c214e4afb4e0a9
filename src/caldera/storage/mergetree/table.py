"""A column table: parts and deltas, each of which came with one commit and goes with another.

    append ─▶ PendingRows of the transaction ─▶ parts, or rows of the delta        scan ─▶ what the snapshot sees of these
    delta of many rows ─▶ part          several parts ─▶ one part (merge.py)       truncate ─▶ all of them go

Rows of a part are in the order of `order_by`, NULLS LAST. `TableStore` is what all tables of a database share: where files
are and how much they may hold.
"""
import functools
import os
import threading

import numpy as np

from caldera.base.errors import error
from caldera.catalog.engines import table_engine
from caldera.storage import arrays
from caldera.storage.engine import GRANULE_ROWS, StoredRelation, TableScan
from caldera.storage.mergetree import merge
from caldera.storage.mergetree.delta import Delta, from_logged, to_logged
from caldera.storage.mergetree.options import order_by_columns
from caldera.storage.mergetree.part import PartFile, write_part
from caldera.storage.mergetree.pending import PendingRows
from caldera.storage.statistics.merged import TableStatistics
from caldera.storage.statistics.summary import ROWS_MIN
from caldera.transaction import changes
from caldera.transaction.files import remove_quietly
from caldera.types.columns import to_text

PART_ROWS_MAX = 8 << 20
PART_BYTES_MAX = 1 << 30        # of rows in memory before they become a part
SHOWN_LETTERS = 64              # of a value in an error's detail
OUTGROWN_FACTOR, PLANNED_ROWS_MIN = 10, 1000
STALE_SHARE = 0.1               # of rows that came since statistics were made, until they are made anew


class TableStore:
    """What tables need of their database. directory: of the part files, or None in memory."""

    def __init__(self, timeline, directory=None, durable=True, part_rows_max=PART_ROWS_MAX, part_bytes_max=PART_BYTES_MAX):
        self.timeline, self.directory, self.durable = timeline, directory, durable
        self.part_rows_max, self.part_bytes_max = part_rows_max, part_bytes_max
        self.next_number, self.lock = 1, threading.Lock()
        self.wake = lambda table: None      # told when a table may have something to merge
        self.closing = False                # merges are given up then: what they save is not needed any more

    def new_number(self):
        """A number for a part or a delta that no other has or had."""
        with self.lock:
            self.next_number += 1
            return self.next_number - 1

    def path(self, number):
        """The file of a part; None in memory."""
        return None if self.directory is None else os.path.join(self.directory, f"{number:08x}.part")


class Part:
    """A part of a table: what the catalog's log knows of it, and its file."""

    def __init__(self, number, row_count, byte_count, file):
        self.number, self.row_count, self.byte_count, self.file = number, row_count, byte_count, file
        self.came = self.gone = 0

    def remove(self):
        """The file is not needed any more. Who has it mapped keeps what is mapped."""
        if self.file.given is None:
            remove_quietly(self.file.path)


class MergeTree(StoredRelation):
    """A column table."""

    def __init__(self, store, oid, name, columns, order_by=(), logged=True):
        self.store, self.oid, self.name, self.columns, self.order_by = store, oid, name, tuple(columns), tuple(order_by)
        self.is_logged = logged
        self.parts, self.deltas = [], []            # replaced, never changed in place
        self.lock, self.merge_lock = threading.RLock(), threading.Lock()
        self.known = (), TableStatistics(())        # (numbers of the parts, their statistics) when somebody asked last
        self.planned_rows = PLANNED_ROWS_MIN        # for about so many, or fewer, the plans that are kept were made

    # what a snapshot sees
    def visible_parts(self, snapshot):
        return [part for part in self.parts if snapshot.sees(part)]

    def visible_deltas(self, snapshot):
        return [delta for delta in self.deltas if snapshot.sees(delta) and delta.rows_at(snapshot.csn)]

    def pending(self, snapshot):
        """The PendingRows of the snapshot's transaction, or None."""
        return None if snapshot.transaction is None else snapshot.transaction.participants.get(self)

    def visible_segments(self, snapshot):
        """The Segments that a snapshot sees. All of their files are open when this returns, so they may be removed."""
        pending = self.pending(snapshot)
        in_memory = [] if pending is None else pending.segments()
        segments = [part.file.segment for part in self.visible_parts(snapshot)]
        return segments + [delta.segment(snapshot.csn) for delta in self.visible_deltas(snapshot)] + in_memory

    def version(self, snapshot):
        pending = self.pending(snapshot)
        return (self.oid, tuple(part.number for part in self.visible_parts(snapshot)),
                tuple((delta.number, delta.rows_at(snapshot.csn)) for delta in self.visible_deltas(snapshot)),
                0 if pending is None else pending.row_count)

    def row_estimate(self, snapshot):
        """The exact number of rows, in fact."""
        pending = self.pending(snapshot)
        return (sum(part.row_count for part in self.visible_parts(snapshot))
                + sum(delta.rows_at(snapshot.csn) for delta in self.visible_deltas(snapshot))
                + (0 if pending is None else pending.row_count))

    def statistics(self, snapshot):
        """The TableStatistics. They are made anew when parts have come or gone, or other rows in noticeable number."""
        parts, rows = tuple(part.number for part in self.visible_parts(snapshot)), self.row_estimate(snapshot)
        numbers, known = self.known
        if numbers != parts or abs(rows - known.rows) > known.rows * STALE_SHARE:
            known = TableStatistics(self.visible_segments(snapshot))
            self.known = parts, known
        return known

    def has_outgrown_plans(self):
        rows = sum(part.row_count for part in self.parts) + sum(delta.row_count for delta in self.deltas)
        if rows <= self.planned_rows * OUTGROWN_FACTOR:
            return False
        self.planned_rows = rows
        return True

    def scan(self, snapshot, names, ranges=()):
        known = {column.name for column in self.columns}
        ranges = [range for range in ranges if range.column in known]
        scan = TableScan([], [])
        for segment in self.visible_segments(snapshot):
            runs = segment.granules(ranges)
            scan.granules_total += segment.granule_count
            scan.granules_read += sum(-(-count // GRANULE_ROWS) for _, count in runs)
            if runs:
                scan.segments.append(segment.for_scan())
                scan.runs.append(runs)
        return scan

    # changes
    def append(self, transaction, columns):
        row_count = arrays.row_count(next(iter(columns.values()))) if columns else 0
        if row_count == 0:
            return
        ready = {column.name: arrays.without_null_values(columns[column.name]) for column in self.columns}
        self.check_not_null(ready)
        ready = {name: arrays.lasting(data) for name, data in ready.items()}
        transaction.participant(self, lambda: PendingRows(self, transaction)).append(ready, row_count)

    def check_not_null(self, columns):
        """Raise 23502 for the first row with a NULL where none may be."""
        guarded = [column.name for column in self.columns if not column.nullable and columns[column.name].valid is not None]
        if guarded:
            row, name = min((int(np.argmin(columns[name].valid)), at, name) for at, name in enumerate(guarded))[::2]
            row_columns = [arrays.cut(columns[column.name], row, 1) for column in self.columns]
            texts = [to_text(data.type, data.values, data.valid)[0] for data in row_columns]
            shown = ("null" if text is None else f"{text[:SHOWN_LETTERS]}..." if len(text) > SHOWN_LETTERS else text
                     for text in texts)
            raise error("23502", f'null value in column "{name}" of relation "{self.name}" violates not-null constraint',
                        detail=f"Failing row contains ({', '.join(shown)}).")

    def truncate(self, transaction):
        """Take everything that is there now, also what the transaction's snapshot does not see, as in PostgreSQL."""
        if self in transaction.participants:
            transaction.participants[self].clear()
        complete = False
        while not complete:             # what was waited for and is gone may have become another part, by a merge
            with self.lock:
                for delta in self.deltas:
                    delta.closed = True
                things = [thing for thing in [*self.parts, *self.deltas] if thing.gone <= 0 and thing.gone != -transaction.id
                          and (thing.came > 0 or thing.came == -transaction.id)]
            complete = all([transaction.remove(thing, self.drop_change(thing)) for thing in things])

    def add_change(self, part):
        """What the log says when a part comes."""
        return changes.AddPart(self.oid, part.number, part.row_count, part.byte_count, part.file.checksum)

    def drop_change(self, thing):
        """What the log says when a part or delta goes."""
        if not self.is_logged:
            return None
        kind = changes.DropPart if isinstance(thing, Part) else changes.DropDelta
        return kind(self.oid, thing.number)

    def analyze(self, transaction, names, rows_max):
        """ANALYZE: each part gives as many rows as its size asks for. What came with the transaction counts at once, also if
        that is rolled back: it is right, and no answer depends on it."""
        parts = self.visible_parts(transaction.snapshot())
        rows = sum(part.row_count for part in parts)
        for part in parts:
            transaction.cancelled()
            found = part.file.analyze(names, max(ROWS_MIN, rows_max * part.row_count // rows))
            if found and self.is_logged:
                transaction.changes.append(changes.AddStatistics(self.oid, part.number, found))
        self.known = (), TableStatistics(())

    def write_rows(self, transaction, columns, row_count):
        """Sort rows and write them as a part that comes with the transaction. Returns the Part."""
        permutation = arrays.sort_permutation([columns[name] for name in self.order_by])

        def ordered(column):
            transaction.cancelled()
            return column.name, column.modifier, in_order(columns[column.name], permutation), None
        return self.install_part(transaction, [functools.partial(ordered, column) for column in self.columns], row_count)

    def install_part(self, transaction, columns, row_count):
        """Write a part from functions that give columns in order (see part.write_part) and add it to the transaction."""
        number = self.store.new_number()
        path = self.store.path(number)
        byte_count, checksum, data = write_part(path, columns, self.order_by, row_count, self.store.durable)
        part = Part(number, row_count, byte_count, PartFile(path or f"part {number}", data, checksum))
        self.add_part(part)

        def undo():
            self.forget({part})
            part.remove()
        transaction.undo.append(undo)
        transaction.after.append(lambda: self.store.wake(self))
        transaction.add(part, self.add_change(part) if self.is_logged else None)
        return part

    def add_part(self, part):
        with self.lock:
            self.parts = [*self.parts, part]

    def open_delta(self):
        """The delta that takes rows of small inserts now; a new one if the last is full, closed or going. To be called
        under the commit lock."""
        with self.lock:
            if self.deltas:
                last = self.deltas[-1]
                if not last.closed and last.gone == 0 and not last.is_full:
                    return last
            delta = Delta(self.store.new_number(), self.columns)
            self.deltas = [*self.deltas, delta]
            return delta

    def close_deltas(self, all_of_them=False):
        """The deltas that are full, or all of them, closed: no more rows will come to them."""
        with self.store.timeline.commit_lock, self.lock:
            chosen = [delta for delta in self.deltas if delta.gone == 0 and delta.came > 0
                      and (delta.closed or delta.is_full or all_of_them)]
            for delta in chosen:
                delta.closed = True
        return chosen

    def forget(self, things):
        """Leave parts and deltas out from now on."""
        with self.lock:
            self.parts = [part for part in self.parts if part not in things]
            self.deltas = [delta for delta in self.deltas if delta not in things]

    def collect(self, oldest_csn):
        """Let go of what no snapshot from `oldest_csn` on can see, with its files."""
        dead = {thing for thing in [*self.parts, *self.deltas] if 0 < thing.gone <= oldest_csn}
        if dead:
            self.forget(dead)
            for thing in dead:
                if isinstance(thing, Part):
                    thing.remove()

    def file_names(self):
        return [os.path.basename(part.file.path) for part in self.parts]

    def remove_files(self):
        """The table is gone and nobody sees it any more."""
        for part in self.parts:
            part.remove()

    # the log
    def replay(self, change, csn):
        """Do again what a record of the log says of this table."""
        if isinstance(change, changes.AddPart):
            path = self.store.path(change.number)
            part = Part(change.number, change.row_count, change.byte_count, PartFile(path, None, change.checksum))
            part.came = csn
            self.parts.append(part)
        elif isinstance(change, changes.DropPart):
            self.parts = [part for part in self.parts if part.number != change.number]
        elif isinstance(change, changes.AddStatistics):
            for part in self.parts:
                if part.number == change.number:
                    part.file.use(change.columns)
        elif isinstance(change, changes.AddRows):
            delta = next((delta for delta in self.deltas if delta.number == change.delta), None)
            if delta is None:
                delta = Delta(change.delta, self.columns)
                delta.came = csn
                self.deltas.append(delta)
            delta.append(from_logged(self.columns, change.columns), change.row_count, csn)
        else:
            self.deltas = [delta for delta in self.deltas if delta.number != change.delta]
        number = change.delta if isinstance(change, (changes.AddRows, changes.DropDelta)) else change.number
        self.store.next_number = max(self.store.next_number, number + 1)

    def checkpoint_changes(self, snapshot):
        """Changes that bring everything that a snapshot sees, for a log that begins anew."""
        for part in self.visible_parts(snapshot):
            yield self.add_change(part)
            if part.file.analyzed:
                yield changes.AddStatistics(self.oid, part.number, part.file.analyzed)
        for delta in self.visible_deltas(snapshot):
            rows = delta.rows_at(snapshot.csn)
            yield changes.AddRows(self.oid, delta.number, rows, to_logged(delta.buffer.data(rows)))

    def decode(self, snapshot, names=None):
        """All rows that a snapshot sees, by numpy: {name: ColumnData}. For tests and tools; queries scan."""
        segments, columns = self.visible_segments(snapshot), {}
        for column in self.columns:
            if names is None or column.name in names:
                pieces = [segment.column(column.name).decode() for segment in segments]
                columns[column.name] = arrays.concatenate(pieces) if pieces else arrays.empty(column.type)
        return columns

    def maintain(self):
        merge.maintain(self)

    def merge_all(self):
        """Bring all rows into as few parts as they fit in, now."""
        merge.merge_all(self)


@table_engine("mergetree", oid=16000)
def make_table(database, entry):
    """The MergeTree of a new TableEntry. Raises what order_by_columns raises."""
    store = database.memory_store if entry.temporary else database.store
    return MergeTree(store, entry.oid, entry.name, entry.columns, order_by_columns(entry), not entry.temporary)


def in_order(data, permutation):
    """Rows in the order of a permutation, None for the order they have."""
    return data if permutation is None else arrays.take(data, permutation)
