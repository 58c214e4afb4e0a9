"""The arrays behind data structures: the pool, the budget, and arenas."""
import ctypes
import threading

import numpy as np
import pytest

from caldera.base.errors import Error
from caldera.kernel.interface import I64
from caldera.kernel.structures.arena import FIRST_WORDS, Arena
from caldera.kernel.structures.pages import Spill
from caldera.kernel.structures.row_store import RowStore
from caldera.kernel.structures.memory import Allocation, Budget, Pool
from caldera.kernel.text import TEXT_SPARE, Text
from tests.kernel.staged import Arrays, Workers, every_kernel, execute


def test_a_pool_gives_arrays_again_by_size_and_zeroes_them_if_asked():
    pool = Pool()
    array = pool.take(100)
    assert len(array) == 128
    array[:] = 7
    pool.give_back(array)
    assert pool.bytes == 1024
    again = pool.take(128)
    assert again is array and again[5] == 7 and pool.bytes == 0
    pool.give_back(again)
    assert not pool.take(65, zeroed=True).any() and len(pool.take(1)) == 64


def test_a_budget_refuses_what_is_too_much_and_forgets_what_is_released():
    budget = Budget(10_000)
    budget.reserve(6_000)
    with pytest.raises(Error) as caught:
        budget.reserve(6_000)
    assert caught.value.sqlstate == "53200" and budget.used == 6_000
    budget.reserve(6_000, always=True)
    budget.release(12_000)
    budget.reserve(10_000)
    assert Budget().reserve(1 << 60) is None


def test_an_allocation_gives_everything_back_once():
    budget, told = Budget(5_000), []
    allocation = Allocation(budget, told.append)
    arrays = [allocation.take(64) for _ in range(3)]
    assert budget.used == allocation.bytes == 3 * 512
    allocation.give_back(arrays[1])
    assert budget.used == 2 * 512
    allocation.take(1024)                               # too much: told, and given nevertheless, so that the block can end
    assert [error.sqlstate for error in told] == ["53200"] and budget.used == 2 * 512 + 8192
    allocation.close()
    assert budget.used == 0 and allocation.bytes == 0
    with pytest.raises(Error):
        Allocation(budget).take(1024)


def test_allocations_of_many_threads_add_up():
    budget = Budget()

    def work():
        allocation = Allocation(budget)
        for size in range(64, 640, 64):
            allocation.give_back(allocation.take(size))
            allocation.take(size)
        allocation.close()
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert budget.used == 0


@every_kernel
def test_an_arena_hands_out_room_that_never_moves(kernel):
    run, arena = Workers(), Arena()
    arena.open(run)
    sizes = np.array([0, 1, 7, 8, 9, 1000, 8 * FIRST_WORDS, 5, 300_000, 16, 12], np.int64)
    arrays = Arrays({"sizes": sizes, "addresses": sizes * 0}, {})

    def body(k):
        here = k.memory(arrays)
        for i in k.range(0, len(sizes), vectorize=False):
            address = arena.allocate(k, here.sizes[i])
            here.addresses[i] = address
            k.array(I64, address, alignment=1)[0] = i
    execute(kernel, body, run.control, [arrays, arena])
    addresses = arrays.arrays[1].tolist()
    assert run.control.exception is None
    spans = sorted((address, address + size) for address, size in zip(addresses, sizes.tolist()))
    assert all(stop <= start for (_, stop), (start, _) in zip(spans, spans[1:]))
    known = [(start, start + size - TEXT_SPARE) for start, size in arena.reachable()]
    assert all(any(start <= low and high <= stop for start, stop in known) for low, high in spans)
    arena.close()
    run.allocation.close()
    assert run.allocation.budget.used == 0


@every_kernel
def test_an_arena_owns_long_texts_and_leaves_short_ones(kernel):
    run, arena = Workers(), Arena()
    arena.open(run)
    texts = [b"short", b"exactly 12 b", b"thirteen byte", b"x" * 100_000]
    blob = np.frombuffer(b"".join(text + bytes(16) for text in texts), np.int8).copy()
    offsets = np.cumsum([0] + [len(text) + 16 for text in texts])[:-1]
    arrays = Arrays({"blob": blob, "out": np.zeros(4, np.int64)}, {})

    def body(k):
        here = k.memory(arrays)
        for number, text in enumerate(texts):
            mine = arena.own(k, Text(k, k.address(here.blob, int(offsets[number])), k.constant(I64, len(text)), "block"))
            assert mine.lifetime == "part"
            here.out[number] = mine.address
    execute(kernel, body, run.control, [arrays, arena])
    owned = arrays.arrays[1].tolist()
    start = arrays.arrays[0].ctypes.data
    assert [address - start for address in owned[:2]] == offsets[:2].tolist()
    assert [ctypes.string_at(address, len(text)) for address, text in zip(owned, texts)] == texts
    assert not any(start <= address < start + len(blob) for address in owned[2:])


@every_kernel
def test_a_reset_arena_starts_over(kernel):
    run, arena = Workers(), Arena()
    arena.open(run)
    arrays = Arrays({"out": np.zeros(3, np.int64)}, {})

    def body(k):
        here = k.memory(arrays)
        for number in range(3):
            here.out[number] = arena.allocate(k, k.constant(I64, 24))
            for _ in k.when(here.out[0] == 0 if number == 2 else number == 1):
                arena.reset(k)
    execute(kernel, body, run.control, [arrays, arena])
    first, second, third = arrays.arrays[0].tolist()
    assert second == first + 24 and third == first
    assert arena.allocate_in_python(0, 10) == first + 24


def test_an_arena_forgets_the_store_that_listened_to_it_with_its_run():
    run, arena, store = Workers(), Arena(), RowStore()
    store.arena, store.spill = arena, Spill(store.width, [])
    for listens in (True, False):
        arena.open(run)
        if listens:
            store.open(run)
            store.close()
        arena.allocate_in_python(0, 16 * FIRST_WORDS)
