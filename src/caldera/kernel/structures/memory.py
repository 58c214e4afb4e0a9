"""Where structures get their arrays: a pool of freed memory, and a budget that says when it is enough.

Touching a fresh page is a page fault, about 3 microseconds for 4 kB in the virtual machine where this was measured, so
memory that a query gives back serves the next one. Arrays are rounded up to powers of two to make them fit. What counts is
what was asked for: nobody touches the rest. So an array may be taken larger than it is wanted now, and be extended where
it is.
"""
import threading

import numpy as np

from caldera.base.errors import Error, error
from caldera.base.forks import in_child

POOLED_BYTES_MAX = 1 << 30
ANY_BYTES = 1 << 62


class Pool:
    """Arrays of 64-bit words that were given back, by size."""

    def __init__(self):
        self.free, self.bytes, self.lock = {}, 0, threading.Lock()

    def take(self, words, zeroed=False):
        """An int64 array of at least `words`, a power of two; zeros if asked for."""
        size = 1 << max(6, (words - 1).bit_length())
        with self.lock:
            kept = self.free.get(size)
            array = kept.pop() if kept else None
            if array is not None:
                self.bytes -= array.nbytes
        if array is None:
            return np.zeros(size, np.int64) if zeroed else np.empty(size, np.int64)
        if zeroed:
            array[:] = 0
        return array

    def give_back(self, array):
        with self.lock:
            if self.bytes + array.nbytes <= POOLED_BYTES_MAX:
                self.bytes += array.nbytes
                self.free.setdefault(len(array), []).append(array)


POOL = Pool()
in_child(lambda: Pool.__init__(POOL))


class Budget:
    """How many bytes the queries of one database may hold. A query that wants more, and has nothing left to write to disk,
    ends with 53200. `peak`: the most that was used at once."""

    def __init__(self, bytes_max=None):
        self.bytes_max, self.used, self.peak, self.lock = bytes_max, 0, 0, threading.Lock()

    def reserve(self, size, always=False, wanted_for=lambda: ""):
        """Account for `size` more bytes. Raises 53200 if that is too much, unless they are taken `always`. wanted_for():
        what runs, for the error."""
        with self.lock:
            if not always and self.bytes_max is not None and self.used + size > self.bytes_max:
                words = wanted_for()
                purpose = f' for "{words}"' if words else ""
                raise error("53200", "out of memory",
                            detail=f"A query wanted {-(-size >> 10)} kB more{purpose}; of memory_limit = "
                                   f"{self.bytes_max >> 10} kB, {self.used >> 10} kB are in use.",
                            hint="Raise memory_limit, or have the query keep fewer rows at once there.")
            self.used += size
            self.peak = max(self.peak, self.used)

    def release(self, size):
        with self.lock:
            self.used -= size


class Share(Budget):
    """A budget as one session has it: what counts is what all queries together hold, and the session's own limit."""

    def __init__(self, budget, bytes_max=None):
        self.budget, self.bytes_max, self.lock = budget, bytes_max, budget.lock

    @property
    def used(self):
        return self.budget.used

    @used.setter
    def used(self, size):
        self.budget.used = size

    @property
    def peak(self):
        return self.budget.peak

    @peak.setter
    def peak(self, size):
        self.budget.peak = size


class Allocation:
    """Everything that one run of a query has taken; `close` gives it all back.

    Whoever is in the middle of a block needs the memory it asks for, whatever the budget says: `refused(error)` is told that
    the run must end, and it ends with the block.

    Operators that can write rows to disk ask before they grow (`allows`). operator_bytes: what one of them may hold
    (work_mem), None for any number; always_refuses: a hostile setting for tests. wanted_for(): what runs, for errors.
    """

    def __init__(self, budget=None, refused=None, operator_bytes=None, always_refuses=False, wanted_for=lambda: ""):
        self.budget, self.refused, self.arrays, self.bytes, self.accounted = budget, refused, {}, 0, 0
        self.operator_bytes, self.always_refuses, self.wanted_for = operator_bytes, always_refuses, wanted_for
        self.counted = {}                   # by the id of an array: its bytes that count
        self.lock = threading.Lock()

    def allows(self, held, wanted):
        """Whether an operator that holds some bytes may take more."""
        return not self.always_refuses and held + wanted <= self.room(held)

    def room(self, held=0):
        """How many bytes an operator that holds some may have altogether: up to work_mem, and half of what the others have
        left of memory_limit, so that those who come later find room, too."""
        most = ANY_BYTES if self.operator_bytes is None else self.operator_bytes
        if self.budget is None or self.budget.bytes_max is None:
            return most
        return min(most, max(0, self.budget.bytes_max - self.budget.used + held) // 2)

    def take(self, words, zeroed=False, reserve=0):
        """An array of at least that many 64-bit words, from the pool, within the budget; with room to `extend` it to
        `reserve` words, which do not count until then and are not zeroed."""
        self.reserve(8 * words)
        array = POOL.take(max(words, reserve), zeroed)
        with self.lock:
            self.arrays[id(array)], self.counted[id(array)] = array, 8 * words
        return array

    def extend(self, array, words):
        """Let so many words of an array count, which has them."""
        with self.lock:
            more = 8 * words - self.counted[id(array)]
            self.counted[id(array)] += more
        self.reserve(more)

    def bytes_of(self, array):
        """How many bytes of an array count."""
        return self.counted.get(id(array), 0)       # 0: another worker has just given it back

    def account(self, size):
        """Count bytes that the run holds elsewhere, until `close`."""
        self.reserve(size)
        with self.lock:
            self.accounted += size

    def discount(self, size):
        """Bytes that were accounted for are free again."""
        with self.lock:
            self.accounted -= size
            self.bytes -= size
        if self.budget is not None:
            self.budget.release(size)

    def reserve(self, size):
        """Ask the budget."""
        if self.budget is not None:
            try:
                self.budget.reserve(size, wanted_for=self.wanted_for)
            except Error as exception:
                self.budget.reserve(size, always=True)
                if self.refused is None:
                    raise
                self.refused(exception)
        with self.lock:
            self.bytes += size

    def give_back(self, array):
        """One array back before the end of the run."""
        with self.lock:
            self.arrays.pop(id(array))
            size = self.counted.pop(id(array))
            self.bytes -= size
        if self.budget is not None:
            self.budget.release(size)
        POOL.give_back(array)

    def close(self):
        for array in list(self.arrays.values()):
            self.give_back(array)
        if self.budget is not None:
            self.budget.release(self.accounted)
        self.bytes, self.accounted = self.bytes - self.accounted, 0
