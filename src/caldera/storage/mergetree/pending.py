"""What a transaction has inserted into one table and not committed.

    append ─▶ batches in memory ─┬─ many rows or bytes: sorted and written as an uncommitted part, at once
                                 └─ at commit: enough for a part ─▶ a part;  few ─▶ rows in the log, appended to the delta

Parts written by a transaction that rolls back are removed; after a crash, by the next opening of the directory.
"""
from caldera.storage import arrays
from caldera.storage.mergetree.delta import DELTA_BYTES, DELTA_ROWS, RowBuffer, to_logged
from caldera.transaction.changes import AddRows


class PendingRows:
    """A participant of a transaction (see Transaction.participant) for one MergeTree table."""

    def __init__(self, table, transaction):
        self.table, self.transaction = table, transaction
        self.parts = []
        self.clear()

    def clear(self):
        self.batches, self.batch_rows, self.batch_bytes, self.small = [], 0, 0, RowBuffer(self.table.columns)

    @property
    def row_count(self):
        return self.batch_rows + self.small.row_count

    def append(self, columns, row_count):
        """Take rows; a part is written when there are as many as a part may have."""
        byte_count = sum(map(arrays.byte_count, columns.values()))
        if row_count < DELTA_ROWS and byte_count < DELTA_BYTES and not self.small.is_full:
            self.small.append(columns, row_count)
            return
        self.batches.append((columns, row_count))
        self.batch_rows += row_count
        self.batch_bytes += byte_count
        if self.row_count >= self.table.store.part_rows_max or self.batch_bytes >= self.table.store.part_bytes_max:
            self.write_part()

    def write_part(self):
        """Write all rows in memory as parts of the transaction."""
        batches = list(self.batches)
        if self.small.row_count:
            batches.append((self.small.data(self.small.row_count), self.small.row_count))
        columns = {column.name: [batch[column.name] for batch, _ in batches] for column in self.table.columns}
        row_count, limit = self.row_count, self.table.store.part_rows_max
        self.clear()
        joined = {}
        while columns:
            name, pieces = columns.popitem()
            joined[name] = arrays.concatenate(pieces)
        del batches
        for first in range(0, row_count, limit):
            count = min(limit, row_count - first)
            run = {name: arrays.cut(data, first, count) for name, data in joined.items()} if count < row_count else joined
            self.parts.append(self.table.write_rows(self.transaction, run, count))

    def segments(self):
        """The rows in memory as segments, for the transaction's own scans; many rows become a part first."""
        self.settle()
        return [self.small.segment(self.small.row_count)] if self.small.row_count else []

    # the transaction's end
    def settle(self):
        """Before the commit lock is taken: what is large becomes a part."""
        if self.batches or self.small.is_full:
            self.write_part()

    def prepare(self):
        """Under the commit lock: the rest goes to the table's open delta. Returns changes for the log."""
        if not self.small.row_count:
            return []
        self.delta = self.table.open_delta()
        self.rows = self.small.data(self.small.row_count)
        if not self.table.is_logged:
            return []
        return [AddRows(self.table.oid, self.delta.number, self.small.row_count, to_logged(self.rows))]

    def publish(self, csn):
        """Under the commit lock, after the log: the rows are committed."""
        if self.small.row_count:
            if self.delta.came <= 0:
                self.delta.came = csn
            self.delta.append(self.rows, self.small.row_count, csn)
            self.table.store.wake(self.table)
        self.clear()

    def discard(self):
        """Rolled back."""
        self.clear()
