"""A sink that keeps rows in columns, one set of growing arrays for each worker: results, sorts, inserts.

Numbers are written in one loop over the block; texts, whose bytes are copied, in one loop each. `finish` gives the
columns of all workers as ColumnData (storage.engine).

Workers claim morsels in their order, so each worker's rows are in order, too. A worker notes where in its rows a morsel
begins, and `finish` puts the workers' pieces in the order of morsels: rows come as they lie in the table, whoever read them.
"""
import threading

import numpy as np

from caldera.kernel.interface import FUNCTION, I8, I64, Owner, Pointer, Struct
from caldera.kernel.layouts import TEXT
from caldera.kernel.structures.row_store import RESERVED_TIMES, SMALL_BYTES
from caldera.kernel.text import TEXT_PADDING, copy_bytes
from caldera.operators.pipeline import Sink
from caldera.storage import arrays
from caldera.storage.engine import ColumnData

FIRST_ROWS = 1 << 11
FIRST_BYTES = 1 << 14
HANDED_ROWS, HANDED_BYTES = 1 << 16, 1 << 25        # rows and bytes of texts that a worker hands on, where it may


class Collect(Sink, Owner):
    """`columns`: plan Columns (id, type). `hand_on(ColumnData, row count)`, if set, takes a worker's rows when there are
    many, or, unless `is_eager`, when the run refuses more memory. `spill` (spilled_columns.SpilledColumns), if set, lets
    rows go to disk then, and come back by `batches`."""
    words, hand_on, is_eager, spill = "Result", None, True, None

    def __init__(self, columns):
        super().__init__()
        self.columns, self.nullable = list(columns), {}    # {column id: whether it may be NULL}, as staging finds out
        self.text_numbers = [number for number, column in enumerate(self.columns) if column.type.layout is TEXT]
        fields = {"row_count": I64, "row_limit": I64, "grow_rows": FUNCTION, "grow_text": FUNCTION,
                  "morsel": I64, "begin": FUNCTION}
        for number, column in enumerate(self.columns):
            element = column.type.layout.element
            fields |= {f"values{number}": Pointer(element), f"valid{number}": Pointer(I8)}
            if column.type.layout is TEXT:
                fields |= {f"bytes{number}": I64, f"used{number}": I64, f"room{number}": I64}
        self.layout = Struct(**fields)

    @property
    def spills(self):
        return [] if self.spill is None else [self.spill]

    # memory, in Python
    def open(self, run):
        """Empty columns for all workers."""
        self.run, self.instances, self.arrays, self.stores = run, [], [], []
        self.beginnings = [[] for _ in range(run.workers)]         # for each worker: pairs (morsel, its first row here)
        self.first_rows = max(FIRST_ROWS, 2 * run.block_rows)
        self.limits = [0] * run.workers                            # a worker that has no rows holds nothing
        self.seen, self.lock = [0] * run.workers, threading.Lock()              # rows that each worker has handed on
        self.pages = []                                                         # ColumnPages of rows on disk
        if self.spill is not None:
            self.spill.begin(run)
        for worker in range(run.workers):
            state = self.layout.make(morsel=-1)
            self.instances.append(state)
            self.stores.append({})
            state.grow_rows = self.callback(run.control.guarded(lambda _, worker=worker: self.grow_rows(worker)), 1)
            state.grow_text = self.callback(run.control.guarded(
                lambda number, size, worker=worker: self.grow_text(worker, number, size)), 2)
            state.begin = self.callback(run.control.guarded(
                lambda morsel, state=state, list=self.beginnings[worker]: list.append((morsel, state.row_count))), 1)

    @staticmethod
    def value_bytes(column, rows):
        """Texts keep where they end, in 8 bytes."""
        return rows * (8 if column.type.layout is TEXT else column.type.layout.size)

    def place(self, worker, name, size, used=0):
        """Point a field to an array of at least `size` bytes, with the first `used` bytes of the old one, which may be the
        same."""
        allocation, words, old = self.run.allocation, size // 8 + 2, self.stores[worker].get(name)
        if used and words <= len(old):
            allocation.extend(old, words)
            return
        grows_far = used and self.hand_on is None
        array = allocation.take(words, reserve=RESERVED_TIMES * words if grows_far else 0)
        if old is not None:
            used_words = -(-used // 8)
            array[:used_words] = old[:used_words]
            allocation.give_back(old)
        self.stores[worker][name] = array
        setattr(self.instances[worker], name, array.ctypes.data)

    def reachable(self):
        """Besides structs and arrays: the columns."""
        yield from super().reachable()
        for store in self.stores:
            for array in store.values():
                yield array.ctypes.data, array.nbytes

    def grow_rows(self, worker):
        """Called by generated code between blocks: twice the room in all columns, or empty ones."""
        state = self.instances[worker]
        is_full = state.row_count + self.run.block_rows > self.limits[worker]
        if self.hands_over(worker, is_full):
            self.make_way(worker)
        elif state.row_count + self.run.block_rows > self.limits[worker]:
            self.limits[worker] = max(self.first_rows, 2 * self.limits[worker])
            for number, column in enumerate(self.columns):
                self.place(worker, f"values{number}", self.value_bytes(column, self.limits[worker]),
                           self.value_bytes(column, state.row_count))
                self.place(worker, f"valid{number}", self.limits[worker], state.row_count)
            for number in self.text_numbers if not state.row_count else ():
                self.begin_texts(worker, number)
        state.row_limit = 0 if self.refuses_always else self.limits[worker]

    def hands_over(self, worker, is_full):
        """Whether a worker's rows shall go on instead of staying."""
        if self.hand_on is not None:
            is_much = self.is_eager and (not is_full or self.limits[worker] >= HANDED_ROWS)
            return is_much or self.is_short(worker)
        if self.spill is None or not self.instances[worker].row_count:
            return False
        mine, held = self.held_bytes(worker), sum(map(self.held_bytes, range(len(self.stores))))
        return self.refuses_always or mine >= SMALL_BYTES and not self.run.allocation.allows(held, mine if is_full else 0)

    def is_short(self, worker):
        """Whether the run refuses twice the memory."""
        held, allocation = self.held_bytes(worker), self.run.allocation
        return (held >= SMALL_BYTES and self.instances[worker].row_count > 0 and not allocation.always_refuses
                and not allocation.allows(held, held))

    @property
    def refuses_always(self):
        """Whether a test wants rows to go to disk although there is room."""
        return self.spill is not None and self.hand_on is None and self.run.allocation.always_refuses

    def held_bytes(self, worker):
        """Bytes of a worker's columns."""
        return sum(map(self.run.allocation.bytes_of, self.stores[worker].values()))

    def make_way(self, worker):
        """Let rows go, as there is no room for more."""
        self.hand_over(worker)

    def hand_over(self, worker):
        """Hand on the rows of a worker, which then has room for as many, even if they were not taken."""
        state = self.instances[worker]
        try:
            columns = self.gathered([worker])
            if self.hand_on is not None:
                self.hand_on(columns, state.row_count)
            elif state.row_count:
                self.write_out(worker, columns, state.row_count)
        finally:
            self.seen[worker] += state.row_count
            state.row_count, state.row_limit, state.morsel = 0, self.limits[worker], -1
            self.beginnings[worker].clear()
            for number in self.text_numbers:
                self.begin_texts(worker, number)

    def begin_texts(self, worker, number):
        """No texts, and room for some."""
        state = self.instances[worker]
        setattr(state, f"used{number}", 0)
        self.place(worker, f"bytes{number}", FIRST_BYTES)
        setattr(state, f"room{number}", FIRST_BYTES - TEXT_PADDING)

    def grow_text(self, worker, number, size):
        """Called by generated code: room for `size` more bytes in a text column; if that is much, the next block begins with
        a look whether rows shall go on. Once the run has failed, perhaps for want of memory, nobody will read the column, so
        it begins anew where it is."""
        state = self.instances[worker]
        if self.run.control.exception is not None:
            setattr(state, f"used{number}", 0)
            if size <= getattr(state, f"room{number}"):
                return
        used = getattr(state, f"used{number}")
        room = 2 * (used + size) + FIRST_BYTES
        self.place(worker, f"bytes{number}", room, used)
        setattr(state, f"room{number}", room - TEXT_PADDING)
        text_bytes = sum(getattr(state, f"room{number}") for number in self.text_numbers)
        is_eager = self.hand_on is not None and self.is_eager
        if text_bytes > HANDED_BYTES if is_eager else self.hands_over(worker, is_full=False):
            state.row_limit = 0

    def give_up(self):
        """Give back all memory: the rows were read, and nobody will read them again."""
        for store in self.stores:
            while store:
                self.run.allocation.give_back(store.popitem()[1])

    def close(self):
        self.instances, self.arrays, self.stores = [], [], []

    @property
    def row_count(self):
        return sum(page.rows for page in self.pages) + sum(state.row_count for state in self.instances)

    # staged
    def consume(self, k, blocks):
        """Append every block's rows."""
        for block in blocks:
            self.append(k, block.settled())

    def append(self, k, block):
        here = k.memory(self)
        for _ in k.when(here.row_count + k.block_rows > here.row_limit):
            k.call(here.grow_rows, 0)
        if block.morsel is not None:
            for _ in k.when(block.morsel != here.morsel):
                here.morsel = block.morsel
                k.call(here.begin, block.morsel)
        numbers = [(i, column) for i, column in enumerate(self.columns) if column.type.layout is not TEXT]
        first = here.row_count
        arrays = {i: (getattr(here, f"values{i}").starting_at(first * column.type.layout.width),
                      getattr(here, f"valid{i}").starting_at(first)) for i, column in numbers}
        if numbers:
            for row in block.rows([column.id for _, column in numbers]):
                for i, column in numbers:
                    sql, (values, valid) = row[column.id], arrays[i]
                    self.nullable[column.id] = self.nullable.get(column.id, False) or sql.valid is not True
                    column.type.layout.store(k, values, row.number, sql.value)
                    valid[row.number] = k.convert(k.as_condition(sql.valid), I8)
        for i, column in enumerate(self.columns):
            if column.type.layout is TEXT:
                self.append_texts(k, block, here, first, i, column)
        here.row_count = first + block.count

    def append_texts(self, k, block, here, first, i, column):
        """Copy the bytes of one column; `values` hold where each text ends."""
        ends, valid = getattr(here, f"values{i}").starting_at(first), getattr(here, f"valid{i}").starting_at(first)
        for row in block.rows([column.id], vectorize=False):
            sql = row[column.id]
            self.nullable[column.id] = self.nullable.get(column.id, False) or sql.valid is not True
            length = sql.value.length if sql.valid is True else \
                k.choose(k.as_condition(sql.valid), sql.value.length, k.constant(I64, 0))
            for _ in k.when(getattr(here, f"used{i}") + length > getattr(here, f"room{i}")):
                k.call(here.grow_text, k.constant(I64, i), length)
            used = getattr(here, f"used{i}")
            for _ in k.when(length > 0):
                k.routine(copy_bytes, sql.value.address, length, getattr(here, f"bytes{i}") + used)
            setattr(here, f"used{i}", used + length)
            ends[row.number] = used + length
            valid[row.number] = k.convert(k.as_condition(sql.valid), I8)

    # rows on disk
    def write_out(self, worker, columns, count):
        """Write a worker's rows to disk."""
        page = self.spill.write(columns, count)
        with self.lock:
            self.pages.append(page)
            self.spill.runs += 1

    def batches(self):
        """If rows went to disk: pairs (columns, row count) of all rows, else None. May be asked several times."""
        return self.read_back() if self.pages else None

    def read_back(self):
        """The pages, then the rows that are in memory."""
        for page in self.pages:
            yield self.spill.read(page), page.rows
        yield self.gathered(range(len(self.instances))), sum(state.row_count for state in self.instances)

    # the answer, in Python
    def finish(self):
        """The columns of all workers as a list of ColumnData, copied out of pooled memory."""
        batches = self.batches()
        if batches is None:
            return self.gathered(range(len(self.instances)))
        return [arrays.concatenate(list(column)) for column in zip(*(columns for columns, _ in batches))]

    def gathered(self, workers):
        """The same of some workers."""
        pieces = self.pieces(workers)
        return [self.gathered_column(number, column, pieces) for number, column in enumerate(self.columns)]

    def pieces(self, workers):
        """Where the rows of some workers lie, in their order: tuples (worker, first row, the row behind the last)."""
        counts = {worker: self.instances[worker].row_count for worker in workers}
        known = all(not count or self.beginnings[worker][:1] and self.beginnings[worker][0][1] == 0
                    for worker, count in counts.items())
        if len(counts) == 1 or not known:
            return [(worker, 0, count) for worker, count in counts.items() if count]
        ordered = []
        for worker, count in counts.items():
            stops = [first for _, first in self.beginnings[worker][1:]] + [count]
            ordered += [(morsel, worker, first, stop) for (morsel, first), stop in zip(self.beginnings[worker], stops)]
        return [(worker, first, stop) for _, worker, first, stop in sorted(ordered) if first < stop]

    def gathered_column(self, number, column, pieces):
        layout, found, valids = column.type.layout, [], []
        for worker, first, stop in pieces:
            store = self.stores[worker]
            valids.append(store[f"valid{number}"].view(np.uint8)[first:stop])
            if layout is TEXT:
                ends = store[f"values{number}"][:stop]
                begin, end = int(ends[first - 1]) if first else 0, int(ends[-1])
                found.append((ends[first:] - begin, store[f"bytes{number}"].view(np.uint8)[begin:end]))
            else:
                array = store[f"values{number}"].view(layout.dtype)[first * layout.width:stop * layout.width]
                found.append(array.reshape(-1, 2) if layout.width == 2 else array)
        valid = joined(valids, np.uint8)
        valid = None if not len(valid) or not self.nullable.get(column.id, True) or valid.all() else valid
        return ColumnData(column.type, joined_texts(found) if layout is TEXT else
                          joined(found, layout.dtype, layout.width), valid)


def joined(pieces, dtype, width=1):
    """One array of all pieces, never a view of them."""
    if not pieces:
        return np.zeros((0, 2) if width == 2 else 0, dtype)
    return np.concatenate(pieces) if len(pieces) > 1 else pieces[0].copy()


def joined_texts(pieces):
    """(offsets, padded blob) of texts given as pairs (ends, blob)."""
    offsets, shift = [np.zeros(1, np.int64)], 0
    for ends, blob in pieces:
        offsets.append(ends + shift)
        shift += len(blob)
    return np.concatenate(offsets), np.concatenate([*(blob for _, blob in pieces), np.zeros(TEXT_PADDING, np.uint8)])
