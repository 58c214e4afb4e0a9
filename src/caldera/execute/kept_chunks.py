"""Rows that a cursor keeps, because it may go back to them or its query has ended: in memory while there is room, then on
disk.

    chunk after chunk ─ add ─▶ in memory | ColumnPages ─ between ─▶ those that have some rows
"""
from caldera.base.settings import memory_bytes
from caldera.kernel.structures.memory import Allocation
from caldera.operators.spilled_columns import ColumnPage, SpilledColumns
from caldera.storage import arrays


class KeptChunks:
    """The chunks of one cursor, in order; rows are numbered from 1. `session`: whose budget counts, and whose folder has the
    file."""

    def __init__(self, session):
        self.session, self.chunks, self.file, self.recent = session, [], None, (None, None)
        self.allocation = Allocation(session.budget, None, memory_bytes(session.setting("work_mem")),
                                     session.setting("caldera.forced_spill") == "on")
        self.spill = SpilledColumns()
        self.spill.begin(self)

    def temporary_file(self):
        """The file for what has no room."""
        self.file = self.session.database.temporary.file(self.session.temporary_quota)
        return self.file

    def add(self, first, columns, count):
        """Keep `count` rows, the first of which has the number `first`."""
        arrays.keep_big_numbers(self, columns)
        size = sum(map(arrays.byte_count, columns))
        if self.allocation.allows(self.allocation.accounted, size):
            self.allocation.account(size)
            self.chunks.append((first, count, size, columns))
        else:
            self.chunks.append((first, count, 0, self.spill.write(columns, count)))

    def between(self, first, behind):
        """Triples (number of the first row, columns, row count) of the chunks that have rows in front of `behind`, from
        `first` on."""
        for start, count, _, columns in self.chunks:
            if start < behind and first < start + count:
                yield start, self.read(columns) if isinstance(columns, ColumnPage) else columns, count

    def read(self, page):
        """The columns of a page; those that were read last are at hand, as rows are mostly fetched in order."""
        if self.recent[0] is not page:
            self.recent = page, self.spill.read(page)
        return self.recent[1]

    def forget(self, number):
        """Let go of the chunks whose rows all come before a number."""
        for start, count, size, _ in self.chunks:
            if start + count <= number:
                self.allocation.discount(size)
        self.chunks = [chunk for chunk in self.chunks if chunk[0] + chunk[1] > number]

    def close(self):
        """Give everything back."""
        self.chunks, self.recent = [], (None, None)
        self.allocation.close()
        if self.file is not None:
            self.file.close()
