"""The values of groups, kept by generated code and put in order by numpy: what percentiles and the mode are taken from.

    append: (group, arguments...), for each worker ─▶ join: two groups are one ─▶ of_group: values in order

Groups are numbered from 1, each worker by steps of its own, so that no two are alike.
"""
import threading

import numpy as np

from caldera.kernel.interface import FUNCTION, I64, Owner, Struct
from caldera.kernel.layouts import FLOAT4, FLOAT8
from caldera.storage import arrays

FIRST_WORDS, LAST_WORDS = 1 << 10, 1 << 21          # of a worker's chunks, each of which is twice the one before
DATUM_BYTES = 40                                    # of a value in a list of Python's, about


class KeptValues(Owner):
    """`layouts`: those of the arguments, of one word each. Rows are ordered by the last if `in_order`, else they come as
    each worker met them."""
    layout = Struct(next=I64, step=I64, at=I64, limit=I64, grow=FUNCTION)

    def __init__(self, layouts, in_order=True):
        super().__init__()
        self.layouts, self.width, self.lock, self.in_order = layouts, 1 + len(layouts), threading.Lock(), in_order

    def open(self, run):
        """Nothing is kept."""
        self.run, self.instances, self.arrays, self.filled = run, [], [], []
        self.members, self.columns, self.places = {}, None, {}
        for worker in range(run.workers):
            state = self.layout.make(next=worker + 1, step=run.workers)
            self.instances.append(state)
            self.filled.append([])
            self.chunk(worker, FIRST_WORDS)
            state.grow = self.callback(run.control.guarded(lambda _, worker=worker: self.grow(worker)))

    def close(self):
        self.instances, self.arrays, self.filled, self.columns = [], [], [], None

    def chunk(self, worker, words):
        array, state = self.run.allocation.take(words), self.instances[worker]
        self.arrays.append(array)
        self.filled[worker].append(array)
        state.at, state.limit = array.ctypes.data, array.ctypes.data + array.nbytes

    def grow(self, worker):
        """The chunk is full. What does not fit a row at its end is cut off."""
        chunks = self.filled[worker]
        last = chunks[-1]
        chunks[-1] = last[:len(last) // self.width * self.width]
        self.chunk(worker, min(2 * len(last), LAST_WORDS))

    def append(self, k, cell, words):
        """Emit one more row of a group, whose number is in a cell; 0 there makes a new group."""
        here = k.memory(self)
        for _ in k.when(cell.get() == 0):
            cell.set(here.next)
            here.next = here.next + here.step
        for _ in k.when(here.at + 8 * self.width > here.limit):
            k.call(here.grow, 0)
        row = k.array(I64, here.at)
        row[0] = cell.get()
        for number, word in enumerate(words, 1):
            row[number] = word
        here.at = here.at + 8 * self.width

    def join(self, number, other):
        """Two groups are one; its number."""
        if number and other:
            self.members[number] = [*self.members.pop(number, [number]), *self.members.pop(other, [other])]
        return number or other

    def of_group(self, number):
        """For each argument an array of the group's values, in the order of the last one. All rows are there by now, but
        other workers may still be joining other groups."""
        with self.lock:
            if self.columns is None:
                self.sort()
        places = [slice(*self.places[member]) for member in self.members.get(number, [number])]
        if len(places) == 1:
            return [column[places[0]] for column in self.columns]
        columns = [np.concatenate([column[place] for place in places]) for column in self.columns]
        if not self.in_order:
            return columns
        order = np.argsort(columns[-1], kind="stable")
        return [column[order] for column in columns]

    def sort(self):
        """All rows by number of the group and value."""
        pieces = []
        for state, chunks in zip(self.instances, self.filled):
            used = (state.at - chunks[-1].ctypes.data) // 8
            pieces += [*chunks[:-1], chunks[-1][:used]]
        rows = np.concatenate(pieces).reshape(-1, self.width)
        self.run.allocation.account(len(rows) * (2 * 8 * self.width + DATUM_BYTES))
        groups = rows[:, 0]
        columns = [column_of(layout, rows[:, place]) for place, layout in enumerate(self.layouts, 1)]
        is_one = bool((groups == groups[0]).all())
        if not self.in_order:
            order = arrays.order_of([groups])
        else:
            order = arrays.order_of([columns[-1]] if is_one else [groups, columns[-1]])
        numbers, starts = np.unique(groups[order], return_index=True)
        stops = [*starts[1:].tolist(), len(rows)]
        self.places = dict(zip(numbers.tolist(), zip(starts.tolist(), stops)))
        self.columns = [column[order] for column in columns]


def column_of(layout, words):
    """The values that words mean, as an array; NaN comes last in its order."""
    if layout is FLOAT8:
        return np.ascontiguousarray(words).view(np.float64)
    return words.astype(np.int32).view(np.float32) if layout is FLOAT4 else words
