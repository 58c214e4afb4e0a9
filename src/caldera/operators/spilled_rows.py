"""Rows that had to move out to disk, as the source of a pipeline that brings them to where they belong.

    store ─▶ Partitions on disk ─▶ one of them ─▶ SpilledRows ─▶ the store again ─▶ what comes next     round 1
                                   the next    ─▶ SpilledRows ─▶ the store again ─▶ what comes next     round 2 ...

The pipelines are the same in every round: they are staged once, and run once for each Partition, whose rows fit. One that
does not fit is divided again.
"""
import threading

from caldera.kernel.blocks import Block
from caldera.kernel.interface import FUNCTION, I64, Owner, Pointer, Struct
from caldera.kernel.structures.pages import LOADED_BYTES, together
from caldera.operators.morsels import Morsels
from caldera.operators.pipeline import Source

FEW_ROWS = 1 << 16
LOADED_SHARE = 16               # of the room that there is: what a worker loads at once


class SpilledRows(Source, Owner):
    """The rows of the pages of a store's Partition (`pages`, set for every round). Workers take some pages at a time."""
    layout = Struct(rows=Pointer(I64), count=I64, advance=FUNCTION)
    words = "Rows on Disk"

    def __init__(self, store):
        super().__init__()
        self.store, self.pages, self.lock = store, [], threading.Lock()

    @property
    def row_count(self):
        return sum(page.rows for page in self.pages)

    @property
    def parallel(self):
        """Few rows are not worth waking others, once for each round."""
        return self.row_count > FEW_ROWS

    def open(self, run):
        self.run, self.instances, self.arrays, self.left = run, [], [], self.pages[::-1]
        self.held = [None] * run.workers
        for worker in range(run.workers):
            state = self.layout.make()
            state.advance = self.callback(run.control.guarded(lambda _, worker=worker: self.advance(worker)))
            self.instances.append(state)

    def close(self):
        for worker in range(len(self.instances)):
            self.hold(worker, None)
        self.instances, self.arrays = [], []

    def hold(self, worker, data):
        """Keep what a worker reads, and let go of what it read before."""
        if self.held[worker] is not None:
            self.run.allocation.discount(self.held[worker].nbytes)
        self.held[worker] = data
        if data is not None:
            self.run.allocation.account(data.nbytes)

    def advance(self, worker):
        """Called by generated code: the next pages, or none."""
        state = self.instances[worker]
        state.count = 0
        self.run.check()
        with self.lock:
            pages = together(self.left, min(LOADED_BYTES, self.run.allocation.room() // LOADED_SHARE))
        if pages:
            rows, data = self.store.spill.load(pages)
            self.hold(worker, data)
            state.rows, state.count = rows.ctypes.data, len(rows)

    def reachable(self):
        """Besides structs: the pages."""
        yield from super().reachable()
        for data in self.held:
            if data is not None:
                yield data.ctypes.data, data.nbytes

    def blocks(self, k):
        here, more = k.memory(self), k.variable(I64, 1)
        for _ in k.while_(lambda: k.and_(more.get() != 0, k.stop_flags() == 0)):
            k.call(here.advance, 0)
            rows, at, count = here.rows, k.variable(I64, 0), here.count
            more.set(count)
            for _ in k.while_(lambda: k.and_(at.get() < count, k.not_(Morsels.must_stop(k)))):
                first, size = at.get(), k.least(count - at.get(), k.constant(I64, k.block_rows))
                yield Block(k, size, self.store.columns(k, rows, lambda number, first=first: first + number))
                at.set(first + size)
