"""Where staged values are kept: variables, buffers, structs, pointers, arrays, and memory that workers share."""
import threading

import numpy as np
import pytest

from caldera.kernel.interface import (BOOL, F32, F64, FUNCTION, I8, I16, I32, I64, I128, Array, Cell, Control, Owner,
                                      Pointer, Struct)
from tests.kernel.staged import every_kernel, execute, rows, run


@every_kernel
@pytest.mark.parametrize("type", (BOOL, I8, I16, I32, I64, I128, F32, F64), ids=lambda type: type.name)
def test_a_variable_keeps_what_was_set_last(kernel, type):
    first, second = (False, True) if type == BOOL else (1.5, -2.5) if type.is_float else (-3, 100)

    def body(k, n):
        variable = k.variable(type, first)
        before = variable.get()
        for i in k.range(0, n):
            for _ in k.when(i == 2):
                variable.set(second)
        return before, variable.get()
    assert rows(kernel, [(2,), (3,)], (I64,), body) == [(first, first), (first, second)]


@every_kernel
def test_a_buffer_holds_elements_of_its_type_and_is_aligned(kernel):
    def body(k, n):
        buffers = [k.buffer(type, 5) for type in (I8, I16, I32, I64, F64)]
        for buffer in buffers:
            for i in k.range(0, 5):
                buffer[i] = k.convert(i * n, buffer.type)
        aligned = k.and_(*((k.address(buffer) & 63) == 0 for buffer in buffers))
        return [k.convert(buffer[4] + buffer[2], I64) for buffer in buffers] + [aligned]
    assert rows(kernel, [(-3,)], (I64,), body) == [(-18, -18, -18, -18, -18, True)]


def test_a_fresh_buffer_of_the_python_kernel_shows_that_it_was_not_written():
    found = rows("python", [(0,)], (I64,), lambda k, a: [k.buffer(I64, 3)[2], k.buffer(I8, 3)[1]])
    assert found == [(int.from_bytes(b"\xaa" * 8, "little", signed=True), int.from_bytes(b"\xaa", "little", signed=True))]


class Chain(Owner):
    """A struct with a field of every kind."""
    layout = Struct(small=I8, short=I16, number=I32, long=I64, single=F32, double=F64, rows=Pointer(I32),
                    tables=Pointer(Pointer(I64)), other=Pointer(I32))

    def __init__(self):
        super().__init__()
        tables = [self.keep(np.array(numbers, np.int64)) for numbers in ([10, 11], [20, 21, 22])]
        self.rows_array, self.other_array = np.array([5, 6, 7], np.int32), np.array([8, 9], np.int32)
        self.instances = [self.layout.make(small=-1, short=-2, number=-3, long=-4, single=0.5, double=0.25,
                                           rows=self.keep(self.rows_array), tables=self.keep(np.array(tables, np.int64)),
                                           other=self.keep(self.other_array))]


@every_kernel
def test_fields_of_structs_are_read_and_written(kernel):
    chain = Chain()

    def body(k):
        here = k.memory(chain)
        here.long = (k.convert(here.small, I64) + k.convert(here.short, I64) + k.convert(here.number, I64) + here.long) * 100
        here.double = here.double + k.convert(here.single, F64)
        here.small, here.single = 7, 1.5
        here.short = k.convert(here.long, I16)
    execute(kernel, body, Control(), [chain])
    state = chain.instances[0]
    assert (state.small, state.short, state.number, state.long) == (7, -1000, -3, -1000)
    assert (state.single, state.double) == (1.5, 0.75)


@every_kernel
def test_pointers_lead_to_arrays_and_to_arrays_of_arrays(kernel):
    chain = Chain()

    def body(k):
        here = k.memory(chain)
        total = k.variable(I64, 0)
        for table in k.range(0, 2):
            total.set(total.get() + here.tables[table][table + 1])
        here.long = total.get()
        here.rows[1] = here.rows[0] + here.rows[2]
        here.rows = here.other                      # an array is stored as its address
        here.number = here.rows[1]
    execute(kernel, body, Control(), [chain])
    assert (chain.instances[0].long, chain.instances[0].number, chain.rows_array.tolist()) == (11 + 22, 9, [5, 12, 7])
    assert chain.instances[0].rows == chain.instances[0].other


def test_a_field_cannot_have_a_name_that_a_memory_has_for_itself():
    with pytest.raises(ValueError, match="base"):
        Struct(count=I64, base=I64)


@every_kernel
def test_an_array_may_start_anywhere_and_be_read_as_another_type(kernel):
    data = np.arange(64, dtype=np.int8)

    def body(k, here):
        numbers = here.data
        here.shifted = k.convert(numbers.starting_at(5)[2], I64)
        here.word = Array(k, I64, numbers.starting_at(3).base, alignment=1)[0]
        here.address = k.address(numbers, 9) - k.address(numbers)
        k.array(I16, k.address(numbers) + 33, alignment=1)[0] = 0x0102
        here.cell = k.convert(numbers.cell(4).get(), I64)
        Cell(numbers, 6).set(99)
    outcome = run(kernel, body, {"data": data}, shifted=0, word=0, address=0, cell=0)
    assert outcome["shifted"] == 7 and outcome["address"] == 9 and outcome["cell"] == 4
    assert outcome["word"] == int.from_bytes(bytes(range(3, 11)), "little")
    assert outcome["data"][33:35].tolist() == [2, 1] and outcome["data"][6] == 99


@every_kernel
def test_adding_to_shared_memory_gives_what_was_there(kernel):
    def body(k, here):
        here.before = k.atomic_add(here.counts, 1, 5)
        here.after = k.atomic_add(here.counts, 1, -2)
        k.prefetch(here.counts, 0)
    outcome = run(kernel, body, {"counts": np.array([1, 2, 3], np.int64)}, before=0, after=0)
    assert (outcome["before"], outcome["after"], outcome["counts"].tolist()) == (2, 7, [1, 5, 3])


class Shared(Owner):
    layout = Struct(count=I64, mine=I64)

    def __init__(self, workers):
        super().__init__()
        self.instances = [self.layout.make() for _ in range(workers)]


@pytest.mark.parametrize("kernel", ("fast", "o3"))
def test_no_addition_of_two_workers_is_lost(kernel):
    shared, control = Shared(1), Control()

    def body(k):
        field = k.memory(shared).field("count")
        for _ in k.range(0, 100_000):
            k.atomic_add(field, 0, 1)
    threads = [threading.Thread(target=execute, args=(kernel, body, control, [shared])) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shared.instances[0].count == 200_000


@pytest.mark.parametrize("kernel", ("fast", "o3"))
def test_a_loop_sees_that_another_thread_wants_it_to_stop(kernel):
    shared, control, most = Shared(1), Control(), 1 << 36

    def body(k):
        here = k.memory(shared)
        for _ in k.while_(lambda: k.and_(here.count < most, k.stop_flags() == 0)):
            here.count = here.count + 1
    timer = threading.Timer(0.05, setattr, (control.instances[0], "stop", control.STOP_ENOUGH))
    timer.start()
    execute(kernel, body, control, [shared])
    timer.join()
    assert 0 <= shared.instances[0].count < most


@every_kernel
def test_each_worker_has_a_struct_of_its_own(kernel):
    owner = Shared(2)

    def body(k):
        here = k.memory(owner)
        here.mine = here.mine + 1
    for worker in (0, 1, 1):
        execute(kernel, body, Control(), [owner], worker=worker)
    assert [state.mine for state in owner.instances] == [1, 2]


class Callbacks(Owner):
    layout = Struct(call=FUNCTION, call0=FUNCTION, call6=FUNCTION, answer=I64, moved=Pointer(I64), fails=FUNCTION)

    def __init__(self, control):
        super().__init__()
        self.calls = []
        first, self.second = np.array([1, 2], np.int64), np.array([30, 40], np.int64)
        self.keep(self.second)
        self.instances = [self.layout.make(call=self.callback(self.swap), call0=self.callback(lambda: 77, 0),
                                           call6=self.callback(lambda *numbers: sum(numbers), 6), moved=self.keep(first),
                                           fails=self.callback(control.guarded(self.fail)))]

    def swap(self, number):
        """Move the array, as growth does."""
        self.calls.append(number)
        self.instances[0].moved = self.second.ctypes.data
        return number + 1

    @staticmethod
    def fail(number):
        raise ValueError(f"number {number}")


@every_kernel
def test_a_call_out_may_move_arrays_whose_bases_are_read_anew(kernel):
    control = Control()
    owner = Callbacks(control)

    def body(k):
        here = k.memory(owner)
        before = here.moved[1]
        answer = k.call(here.call, 41)
        here.answer = answer * 1_000_000 + before * 1000 + here.moved[1] + k.call(here.call0) * 100_000_000 \
            + k.call(here.call6, 1, 2, 3, 4, 5, k.constant(I64, -15))
    execute(kernel, body, control, [owner])
    assert owner.calls == [41] and owner.instances[0].answer == 7_742_002_040


@every_kernel
def test_what_a_callback_raises_stops_the_run_and_is_kept(kernel):
    control = Control()
    owner = Callbacks(control)

    def body(k):
        here = k.memory(owner)
        here.answer = k.call(here.fails, 3) + 5
    execute(kernel, body, control, [owner])
    assert repr(control.exception) == "ValueError('number 3')"
    assert control.instances[0].stop == Control.STOP_FAULT and owner.instances[0].answer == 5


@pytest.mark.parametrize("index", [-1, 4, 1 << 40])
def test_checked_mode_refuses_access_outside_of_an_array(index):
    array = {"xs": np.arange(4, dtype=np.int64)}

    def reads(k, here):
        here.n = here.xs[here.n]

    def writes(k, here):
        here.xs[here.n] = 1
    for body in (reads, writes):
        with pytest.raises(IndexError, match="an access of 8 bytes at .* is outside of all known memory"):
            run("python", body, array, n=index)
    assert run("python", reads, array, n=3)["n"] == 3


def test_checked_mode_refuses_what_lies_half_outside_and_what_lies_behind_buffers():
    def lanes(k, here):
        here.n = k.bits(k.load(here.xs, here.n, lanes=4) == 0)

    def buffer(k, here):
        k.buffer(I64, 4)[here.n] = 1
    with pytest.raises(IndexError, match="32 bytes"):
        run("python", lanes, {"xs": np.zeros(4, np.int64)}, n=1)
    with pytest.raises(IndexError, match="8 bytes"):
        run("python", buffer, n=4)
