"""One sum, five ways: the classic ladder from Volcano to all cores, each rung made with the engine's own kernel.

    SELECT sum(x) FROM t, x a float8         Aggregate ◀─ Project ◀─ Scan

    volcano     each operator is a compiled function `next`, called through a pointer for every row; a row lies in a slot
    batching    the same functions, called for every block of 1,024 rows; a column of the block lies in a vector
    fusion      one loop: what the engine's generators write for this plan
    simd        the same text through the optimising tier: the sum may be regrouped, so LLVM uses vector registers
    all cores   the same machine code in several threads, which claim morsels by an atomic addition

The probe beside it reads the same memory with vector loads and does next to nothing with it: what the memory can give.
Every rung's sum is checked. Rungs below `simd` are compiled by the tier `plain`, which never vectorises.
"""
import ctypes
import math
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from caldera.base.errors import error
from caldera.compile.jit import Jit
from caldera.kernel.interface import BLOCK_ROWS, F64, I64, Control, Owner, Pointer, Struct
from caldera.kernel.llvm import LlvmKernel, plain_function

# The words of an operator's state in memory, for the rungs whose operators are functions called through pointers.
CHILD, CHILD_STATE, POSITION, ROWS, COLUMN, SLOT = range(6)
MORSEL_ROWS = 1 << 16
LANES, CHAINS = 8, 4                # of the probe: vectors of 64 bytes, enough independent sums to hide their latency
DEFAULT_CACHE_BYTES = 32 << 20


@dataclass(frozen=True)
class Rung:
    """A measurement: `seconds` for `rows` rows of 8 bytes with so many cores."""
    name: str
    cores: int
    rows: int
    seconds: float
    note: str = ""

    @property
    def nanoseconds(self):
        return self.seconds / self.rows * 1e9

    @property
    def gigabytes_per_second(self):
        return 8 * self.rows / self.seconds / 1e9


def last_level_cache():
    """Bytes of the largest cache that this machine tells of."""
    sizes = [DEFAULT_CACHE_BYTES // 4]
    for file in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"):
        text = file.read_text().strip()
        sizes.append(int(text.rstrip("KMG")) << {"K": 10, "M": 20, "G": 30}.get(text[-1], 0))
    return max(sizes) if len(sizes) > 1 else DEFAULT_CACHE_BYTES


def default_rows():
    """Rows whose column is four times the last-level cache, at least 256 MB: no part of it is still in a cache."""
    return max(4 * last_level_cache(), 256 << 20) // 8


def make_column(rows, seed=1):
    """The column x: float8 between 0 and 1. Raises 53200 if there is no memory for it."""
    try:
        return np.random.default_rng(seed).random(rows)
    except MemoryError:
        raise error("53200", f"no memory for {rows} rows", hint="Give a smaller --rows.") from None


def own_rungs(column, cores, repeat=5):
    """The five rungs and the two probes as Rungs, in order.

    column: float8 array. Each is run `repeat` times, taking turns so that a disturbance of the machine meets all of them;
    the best run counts. Raises XX000 if a rung's sum is wrong.
    """
    jit, expected = Jit(), float(column.sum())
    makers = [("volcano", volcano, 1), ("batching", batching, 1), ("fusion", fusion, 1), ("simd", simd, 1),
              ("all cores", simd, cores), ("read bandwidth", probe, 1), ("read bandwidth", probe, cores)]
    runs = [make(jit, column, workers) for _, make, workers in makers]
    best = [math.inf] * len(runs)
    for _ in range(repeat):
        for number, run in enumerate(runs):
            started = time.perf_counter()
            total = run()
            best[number] = min(best[number], time.perf_counter() - started)
            if total is not None and not math.isclose(total, expected, rel_tol=1e-9):
                raise error("XX000", f"the rung {makers[number][0]} gives {total!r} instead of {expected!r}")
    return [Rung(name, workers, len(column), seconds) for (name, _, workers), seconds in zip(makers, best, strict=True)]


# Rungs whose operators are functions: `i64 next(state)` gives how many rows it made, 0 at the end.

def scan_row(k, state):
    """Volcano's scan: the next value into its slot."""
    words = k.array(I64, state)
    made = k.variable(I64, 0)
    row = words[POSITION]
    for _ in k.when(row < words[ROWS]):
        words[SLOT] = k.array(I64, words[COLUMN])[row]
        words[POSITION] = row + 1
        made.set(1)
    return made.get()


def project_row(k, state):
    """Volcano's projection: asks its child for a row, hands on one column."""
    words = k.array(I64, state)
    made = k.call(words[CHILD], words[CHILD_STATE])
    for _ in k.when(made != 0):
        words[SLOT] = k.array(I64, words[CHILD_STATE])[SLOT]
    return made


def sum_rows(k, state):
    """Volcano's aggregate: asks its child for rows until there is none; the total's bits."""
    words = k.array(I64, state)
    total = k.variable(F64, 0)
    made = k.variable(I64, 1)
    for _ in k.while_(lambda: made.get() != 0):
        made.set(k.call(words[CHILD], words[CHILD_STATE]))
        for _ in k.when(made.get() != 0):
            total.set(total.get() + k.reinterpret(k.array(I64, words[CHILD_STATE])[SLOT], F64))
    return k.reinterpret(total.get(), I64)


def scan_block(k, state):
    """Batching's scan: up to 1,024 values into its vector, as from an encoded page."""
    words = k.array(I64, state)
    first = words[POSITION]
    count = k.least(words[ROWS] - first, k.constant(I64, BLOCK_ROWS))
    column, vector = k.array(I64, words[COLUMN], "column").starting_at(first), k.array(I64, words[SLOT], "vector")
    for row in k.range(0, count):
        vector[row] = column[row]
    words[POSITION] = first + count
    return count


def project_block(k, state):
    """Batching's projection: hands on a column by its address."""
    words = k.array(I64, state)
    made = k.call(words[CHILD], words[CHILD_STATE])
    words[SLOT] = k.array(I64, words[CHILD_STATE])[SLOT]
    return made


def sum_blocks(k, state):
    """Batching's aggregate: a tight loop over each vector."""
    words = k.array(I64, state)
    total = k.variable(F64, 0)
    made = k.variable(I64, 1)
    for _ in k.while_(lambda: made.get() != 0):
        made.set(k.call(words[CHILD], words[CHILD_STATE]))
        vector = k.array(F64, k.array(I64, words[CHILD_STATE])[SLOT])
        for row in k.range(0, made.get()):
            total.set(k.accumulate(total.get(), vector[row]))
    return k.reinterpret(total.get(), I64)


def tree(jit, functions, column, vector=None):
    """Compile a chain of operators, root first, each alone, and join them by pointers. A function that gives the sum."""
    programs = [jit.program(plain_function(function, 1), "plain") for function in functions]
    states = [np.zeros(6, np.int64) for _ in functions]
    for parent, child, program in zip(states, states[1:], programs[1:], strict=False):
        parent[CHILD], parent[CHILD_STATE] = program.address, child.ctypes.data
    states[-1][ROWS], states[-1][COLUMN] = len(column), column.ctypes.data
    root = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(programs[0].address)

    def run():
        states[-1][POSITION] = 0
        if vector is not None:
            states[-1][SLOT] = vector.ctypes.data
        return float(np.int64(root(states[0].ctypes.data)).view(np.float64))
    return run


def volcano(jit, column, workers):
    """Three operators, three calls for each row."""
    return tree(jit, (sum_rows, project_row, scan_row), column)


def batching(jit, column, workers):
    """Three operators, three calls for each block."""
    return tree(jit, (sum_blocks, project_block, scan_block), column, np.zeros(BLOCK_ROWS))


# Rungs of one loop: a pipeline whose workers claim morsels.

class Column(Owner):
    """The scanned column and the number of the next row that nobody has claimed, shared by all workers."""
    layout = Struct(next=I64, rows=I64, values=Pointer(F64))

    def __init__(self, values):
        super().__init__()
        self.instances = [self.layout.make(rows=len(values), values=self.keep(values))]


class Totals(Owner):
    """One sum for each worker."""
    layout = Struct(total=F64)

    def __init__(self, workers):
        super().__init__()
        self.instances = [self.layout.make() for _ in range(workers)]


def fused_sum(k, column, totals):
    """The pipeline: claim a morsel, sum it, until none is left."""
    source, target = k.memory(column), k.memory(totals)
    rows, values, total, first = source.rows, source.values, k.variable(F64, 0), k.variable(I64, 0)

    def claim():
        first.set(k.atomic_add(source.field("next"), 0, MORSEL_ROWS))
        return first.get() < rows

    for _ in k.while_(claim):
        stop = k.least(first.get() + MORSEL_ROWS, rows)
        for row in k.range(first.get(), stop):
            total.set(k.accumulate(total.get(), values[row]))
    target.total = total.get()
    return k.finish()


def pipeline(jit, column, workers, tier):
    """The one loop, compiled by a tier, run by so many threads. A function that gives the sum."""
    source, totals = Column(column), Totals(workers)
    kernel = LlvmKernel(Control())
    program = jit.program(fused_sum(kernel, source, totals), tier)
    blocks = [(ctypes.c_void_p * len(kernel.owners))(*(owner.address(worker) for owner in kernel.owners))
              for worker in range(workers)]

    def run():
        source.instances[0].next = 0
        in_threads(program, [ctypes.addressof(block) for block in blocks])
        return math.fsum(instance.total for instance in totals.instances)
    return run


def in_threads(function, arguments):
    """Call the function with each argument at the same time, the first in this thread."""
    threads = [threading.Thread(target=function, args=(argument,)) for argument in arguments[1:]]
    for thread in threads:
        thread.start()
    function(arguments[0])
    for thread in threads:
        thread.join()


def fusion(jit, column, workers):
    """The one loop by the tier that does not vectorise."""
    return pipeline(jit, column, workers, "plain")


def simd(jit, column, workers):
    """The one loop by the optimising tier."""
    return pipeline(jit, column, workers, "o3")


def read_all(k, base, rows):
    """The probe: every byte through vector registers into integer sums, so that no load can be left out."""
    words = k.array(I64, base, "column")
    sums = [k.variable(I64.times(LANES), 0) for _ in range(CHAINS)]
    for row in k.range(0, k.binary("div", rows, LANES * CHAINS) * (LANES * CHAINS), LANES * CHAINS):
        for chain, total in enumerate(sums):
            total.set(total.get() + k.load(words, row + LANES * chain, lanes=LANES))
    result, lanes = k.variable(I64, 0), k.buffer(I64, LANES)
    for total in sums:
        k.store(lanes, 0, total.get())
        for lane in range(LANES):
            result.set(result.get() + lanes[lane])
    return result.get()


def probe(jit, column, workers):
    """Reading and nothing else: each worker its own stretch of the column."""
    program = jit.program(plain_function(read_all, 2), "o3")
    function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(program.address)
    share = len(column) // workers
    bases = [column.ctypes.data + 8 * share * worker for worker in range(workers)]
    return lambda: in_threads(lambda base: function(base, share), bases)
