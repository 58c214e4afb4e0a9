"""Rows of 64-bit words, whose first word is a hash: what hash tables are made of.

    worker's rows, in the order of arrival ─ partition ─▶ row numbers by the top bits of the hash
    TableRows        a source: all rows as they lie
    PartitionRows    a source: a partition of all workers' rows at a time, so that equal keys meet in one worker

Rows are numbered in the order of arrival and never move within a block: `reserve` makes room for a whole block first. Where
the run allows no more memory, that is done by moving all rows out to disk (pages.py).
"""
import numpy as np

from caldera.kernel.blocks import Block, claimed
from caldera.kernel.interface import FUNCTION, I32, I64, Owner, Pointer, Struct
from caldera.kernel.structures.pages import PARTITION_BITS, PARTITIONS

SPARE_WORDS = 4                 # behind a store's rows
RESERVED_TIMES = 4              # addresses that a store takes for each word that it needs now: it grows where it is
SMALL_BYTES = 1 << 16           # what a worker's store may hold before it is worth a page for each partition


class RowStore(Owner):
    """A dense store for each worker. Subclasses say how wide a row is (`width`, in words) and what `columns` it has; `spill`
    (pages.Spill) if its rows may move out, and the `arena` that has their texts then and nothing else."""
    fields = dict(rows=Pointer(I64), row_count=I64, row_limit=I64, partition_rows=Pointer(I32),
                  partition_starts=Pointer(I64), grow_rows=FUNCTION, make_partitions=FUNCTION)
    layout = Struct(**fields)
    width, spill, arena = 1, None, None

    # memory, in Python
    def open(self, run):
        """Empty stores for all workers."""
        self.run, self.instances, self.arrays, self.stores = run, [], [], []
        if self.spill is not None:
            self.spill.begin(run)
            self.arena.when_full = self.settle
        for worker in range(run.workers):
            state = self.layout.make()
            self.instances.append(state)
            self.stores.append({})
            self.place(worker, "rows", SPARE_WORDS, reserve=self.first_words())
            self.resize(worker)
            for name in ("grow_rows", "make_partitions"):
                method = getattr(self, name)
                guarded = run.control.guarded(lambda _, method=method, worker=worker: method(worker))
                setattr(state, name, self.callback(guarded))

    def place(self, worker, name, words, zeroed=False, reserve=0):
        """Point a field of a worker's struct to a new array; the old one is the caller's to give back."""
        array = self.run.allocation.take(words, zeroed, reserve)
        old = self.stores[worker].get(name)
        self.stores[worker][name] = array
        self.arrays.append(array)
        setattr(self.instances[worker], name, array.ctypes.data)
        return old

    def forget(self, array):
        self.arrays = [other for other in self.arrays if other is not array]
        self.run.allocation.give_back(array)

    def rows_at_most(self, worker):
        """How many rows a worker's store has room for."""
        return (self.run.allocation.bytes_of(self.stores[worker]["rows"]) // 8 - SPARE_WORDS) // self.width

    def resize(self, worker):
        self.instances[worker].row_limit = self.rows_at_most(worker)
        if self.spill is not None and self.refuses_always:
            self.settle(worker)

    def settle(self, worker):
        """Let the next block begin with a look at what the store holds."""
        self.instances[worker].row_limit = 0

    def grow_rows(self, worker):
        """Called by generated code: room for a block, by moving all rows out if the run refuses more memory."""
        state = self.instances[worker]
        self.resize(worker)
        is_full = state.row_count + self.run.block_rows > self.rows_at_most(worker)
        may_help = self.may_move_out and (is_full or self.frees_much(worker))
        if may_help and not self.has_room(worker, self.row_bytes if is_full else 0):
            self.move_out(worker)
            is_full = self.run.block_rows > self.rows_at_most(worker)
        if is_full:
            self.make_room(worker)

    @property
    def row_bytes(self):
        """Bytes of a block's rows."""
        return 8 * self.width * self.run.block_rows

    def make_room(self, worker):
        """Room for twice the rows, or for as many as the run allows, but at least for a block more."""
        state, rows = self.instances[worker], self.stores[worker]["rows"]
        used, least = state.row_count * self.width, self.run.block_rows * self.width
        steps = [least if state.row_count else self.first_words(), used // 16, used // 4, used]
        wanted = max(step for step in steps if step <= steps[0] or self.spill is None or self.has_room(worker, 8 * step))
        words = used + max(wanted, least) + SPARE_WORDS
        if words <= len(rows):
            self.run.allocation.extend(rows, words)
        else:
            self.place(worker, "rows", words, reserve=RESERVED_TIMES * words)
            self.stores[worker]["rows"][:used] = rows[:used]
            self.forget(rows)
        self.resize(worker)

    @property
    def is_on_disk(self):
        """Whether rows have moved out."""
        return self.spill is not None and self.spill.has_rows

    @property
    def may_move_out(self):
        """Whether moving rows out may help."""
        return self.spill is not None and self.spill.partition.divides

    @property
    def refuses_always(self):
        """Whether a test wants rows to move out although there is room; not for ever."""
        return self.run.allocation.always_refuses and self.spill.partition.level < 2

    def has_room(self, worker, wanted):
        """Whether a worker may hold some bytes more than it does: no more than its part of what all may, as whoever came
        later would be left with next to nothing, for runs of a few rows."""
        if self.refuses_always:
            return False
        allocation, mine = self.run.allocation, self.held_bytes(worker)
        held = sum(map(self.held_bytes, range(len(self.instances)))) + self.held_beside()
        is_fair = (mine + wanted) * self.run.active_workers(self.run.pipeline) <= allocation.room(held)
        return mine < SMALL_BYTES or is_fair and allocation.allows(held, wanted)

    def frees_much(self, worker):
        """Whether moving out rows that have room would free much beside the array that they lie in, which stays: few wide
        rows would go to and fro for nothing."""
        freed = self.arena.held_bytes(worker) + self.held_beside()
        return self.refuses_always or 2 * freed > self.array_bytes(worker)

    def held_bytes(self, worker):
        """Bytes that a worker's store holds."""
        return self.array_bytes(worker) + self.arena.held_bytes(worker)

    def array_bytes(self, worker):
        """Bytes of a worker's arrays."""
        return sum(map(self.run.allocation.bytes_of, list(self.stores[worker].values())))

    def held_beside(self):
        """Bytes that others keep for the rows."""
        return 0

    # rows on disk
    def move_out(self, worker):
        """Write a worker's rows to disk. If that fails the run ends, but its blocks still need the room."""
        state = self.instances[worker]
        rows = self.stores[worker]["rows"][:state.row_count * self.width].reshape(-1, self.width)
        try:
            if len(rows):
                self.spill.add(rows)
        finally:
            self.start_over(worker)

    def move_all_out(self):
        """Write all rows of all workers to disk, and keep no more memory than in the beginning."""
        for worker in range(len(self.instances)):
            self.move_out(worker)
            self.shrink(worker)

    def shrink(self, worker):
        """Give back what a store without rows has grown by."""
        self.forget(self.place(worker, "rows", SPARE_WORDS, reserve=self.first_words()))
        self.resize(worker)

    def first_words(self):
        """Words of a worker's rows in the beginning."""
        return max(2 * self.run.block_rows, 1 << 10) * self.width

    def release_rows(self):
        """Nobody needs the rows any more, but perhaps their texts."""
        for worker in range(len(self.instances)):
            self.forget_rows(worker)
            self.shrink(worker)

    def give_up(self):
        """Give back all memory but that of texts, which others may have borrowed."""
        for worker, store in enumerate(self.stores):
            self.instances[worker].row_count = 0
            for name in list(store):
                self.forget(store.pop(name))

    def start_over(self, worker):
        """A store without rows and texts."""
        self.forget_rows(worker)
        self.arena.start_over(worker)
        self.resize(worker)

    def forget_rows(self, worker):
        """A store without rows, and without an order of them."""
        state, store = self.instances[worker], self.stores[worker]
        state.row_count = state.partition_rows = state.partition_starts = 0
        for name in store.keys() & {"partition_rows", "partition_starts"}:
            self.forget(store.pop(name))

    def begin_partition(self, partition):
        """The rows that come now are those of a Partition on disk."""
        self.spill.partition = partition
        for worker in range(len(self.instances)):
            self.start_over(worker)

    def make_partitions(self, worker):
        """Called by generated code: room for the row numbers in the order of partitions."""
        count = self.instances[worker].row_count
        for name, words in (("partition_rows", count // 2 + 1), ("partition_starts", PARTITIONS + 2)):
            old = self.place(worker, name, words, zeroed=name == "partition_starts")
            if old is not None:
                self.forget(old)

    def complete_partitions(self):
        """Order the rows of workers that had no part in the last of several pipelines over the store, which left the others'
        in order: what `partition` does, by numpy."""
        for worker, (state, store) in enumerate(zip(self.instances, self.stores)):
            count = state.row_count
            if not count or state.partition_starts and store["partition_starts"][PARTITIONS] == count:
                continue
            self.make_partitions(worker)
            hashes = store["rows"][:count * self.width:self.width].view(np.uint64)
            parts = (hashes >> np.uint64(64 - PARTITION_BITS)).astype(np.uint8)
            store["partition_rows"].view(np.int32)[:count] = np.argsort(parts, kind="stable")
            store["partition_starts"][1:PARTITIONS + 1] = np.cumsum(np.bincount(parts, minlength=PARTITIONS))

    def close(self):
        self.instances, self.arrays, self.stores = [], [], []
        if self.spill is not None:
            self.arena.when_full = None     # the next run of the plan may do without this store, but not without its arena

    def row_counts(self):
        """How many rows each worker's store has."""
        return [state.row_count for state in self.instances]

    # staged
    def reserve(self, k):
        """Make room for a block of rows, so that the loops over them need not check."""
        here = k.memory(self)
        for _ in k.when(here.row_count + k.block_rows > here.row_limit):
            k.call(here.grow_rows, 0)

    def partition(self, k):
        """Emit, at the end of a worker's input: its row numbers by partition, and where each partition starts."""
        here, unfinished = k.memory(self), k.stop_flags() & k.control.STOP_SWAP
        for _ in k.when(unfinished == 0):
            k.call(here.make_partitions, 0)
            arrays = here.rows, here.partition_rows, here.partition_starts
            k.routine(sort_by_partition, here.row_count, k.constant(I64, self.width), *map(k.address, arrays))

    def columns(self, k, rows, row_number):
        """Fetchers, by id, of what a block has whose row n is row `row_number(n)` of the array `rows`."""
        raise NotImplementedError


def sort_by_partition(k, count, width, rows, numbers, starts):
    """Routine: write the numbers of `count` rows in the order of their partitions, and where each partition starts. rows,
    numbers, starts: addresses; where partitions start is 0 before. Returns the count."""
    rows, numbers = k.array(I64, rows, scope="rows"), k.array(I32, numbers, scope="numbers")
    starts = k.array(I64, starts, scope="starts")
    for row in k.range(0, count, vectorize=False):
        after = (rows[row * width] >> (64 - PARTITION_BITS)) + 2
        starts[after] = starts[after] + 1
    for part in k.range(2, PARTITIONS + 2, vectorize=False):
        starts[part] = starts[part] + starts[part - 1]
    for row in k.range(0, count, vectorize=False):
        part = (rows[row * width] >> (64 - PARTITION_BITS)) + 1
        place = starts[part]
        numbers[place] = k.convert(row, I32)
        starts[part] = place + 1
    return count


class TableRows(Owner):
    """A source: all rows of the workers' tables, in morsels that never span tables."""
    layout = Struct(rows=Pointer(Pointer(I64)), counts=Pointer(I64), starts=Pointer(I64), tables=I64, morsels=I64, next=I64)

    def __init__(self, table, morsel_rows=1 << 14):
        super().__init__()
        self.table, self.morsel_rows = table, morsel_rows

    def open(self, run):
        """Look at the tables as the pipelines before have left them."""
        self.arrays, states = [], self.states()
        counts = np.array([state.row_count for state in states], np.int64)
        morsels = -(-counts // self.morsel_rows)
        starts = np.concatenate([[0], np.cumsum(morsels)]).astype(np.int64)
        rows = np.array([state.rows for state in states], np.int64)
        self.row_count = int(counts.sum())
        self.instances = [self.layout.make(rows=self.keep(rows), counts=self.keep(counts), starts=self.keep(starts),
                                           tables=len(states), morsels=int(starts[-1]))]

    def states(self):
        """The structs of the tables to read: of the workers that had work."""
        return [state for state in self.table.instances if state.row_count]

    def close(self):
        self.instances, self.arrays = [], []

    def blocks(self, k):
        """Blocks of the rows of one table each."""
        for _, block in self.blocks_of_tables(k):
            yield block

    def blocks_of_tables(self, k):
        """Pairs (staged number of a table, block of its rows)."""
        here, table = k.memory(self), k.variable(I64, 0)
        for morsel in claimed(k, here.field("next"), here.morsels):
            table.set(0)
            for _ in k.while_(lambda: here.starts[table.get() + 1] <= morsel):
                table.set(table.get() + 1)
            rows = here.rows[table.get()]
            first = (morsel - here.starts[table.get()]) * self.morsel_rows
            stop = k.least(first + self.morsel_rows, here.counts[table.get()])
            for at in k.range(first, stop, step=k.block_rows, vectorize=False):
                count = k.least(stop - at, k.constant(I64, k.block_rows))
                yield table.get(), Block(k, count, self.table.columns(k, rows, lambda number, at=at: at + number))


class PartitionRows(Owner):
    """Rows of the workers' tables, a partition of all tables at a time, so that the rows of one group meet in one worker:

        for part, expected in source.partitions(k):         # expected: how many rows (I64), at least one
            for block in source.blocks_of(k, part): ...
    """
    layout = Struct(rows=Pointer(Pointer(I64)), numbers=Pointer(Pointer(I32)), starts=Pointer(Pointer(I64)), tables=I64,
                    parts=Pointer(I64), expected=Pointer(I64), part_count=I64, next=I64)

    def __init__(self, table):
        super().__init__()
        self.table = table

    def open(self, run):
        """Look at the tables as the pipelines before have left them."""
        self.table.complete_partitions()
        self.arrays, states = [], [state for state in self.table.instances if state.partition_starts]     # those with work
        columns = {field: self.keep(np.array([getattr(state, name) for state in states], np.int64))
                   for field, name in (("rows", "rows"), ("numbers", "partition_rows"), ("starts", "partition_starts"))}
        self.row_count = sum(state.row_count for state in states)
        starts = [store["partition_starts"] for state, store in zip(self.table.instances, self.table.stores)
                  if state.partition_starts]
        counts = self.counts = sum((start[1:PARTITIONS + 1] - start[:PARTITIONS] for start in starts),
                                   np.zeros(PARTITIONS, np.int64))
        parts = np.flatnonzero(counts)
        self.instances = [self.layout.make(tables=len(states), **columns, parts=self.keep(parts), part_count=len(parts),
                                           expected=self.keep(np.asarray(counts, np.int64)))]

    def close(self):
        self.instances, self.arrays = [], []

    def partitions(self, k):
        """Claim partitions that have rows, one after the other."""
        here = k.memory(self)
        for number in claimed(k, here.field("next"), here.part_count):
            part = here.parts[number]
            yield part, here.expected[part]

    def blocks_of(self, k, part):
        """The rows of one partition, table by table."""
        here = k.memory(self)
        for table in k.range(0, here.tables, vectorize=False):
            rows, numbers, starts = here.rows[table], here.numbers[table], here.starts[table]
            stop = starts[part + 1]
            for at in k.range(starts[part], stop, step=k.block_rows, vectorize=False):
                count = k.least(stop - at, k.constant(I64, k.block_rows))
                for number in k.range(at, at + count, vectorize=False):        # the rows lie anywhere in a large table
                    first = k.convert(numbers[number], I64) * self.table.width
                    k.prefetch(rows, first)
                    k.prefetch(rows, first + (self.table.width - 1))
                yield Block(k, count,
                            self.table.columns(k, rows, lambda n, at=at, numbers=numbers: k.convert(numbers[at + n], I64)))
