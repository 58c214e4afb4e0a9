"""Loops, conditions and routines under every kernel, alone and nested."""
import numpy as np
import pytest

from caldera.kernel.interface import BOOL, F64, I8, I32, I64, Control
from caldera.kernel.llvm import LlvmKernel
from caldera.kernel.python import PythonKernel
from tests.kernel.staged import every_kernel, execute, rows, run


@every_kernel
@pytest.mark.parametrize("step", [1, 3, 8])
def test_range_runs_from_start_to_before_stop(kernel, step):
    bounds = [(0, 0), (0, 1), (2, 10), (5, 5), (7, 3), (-4, 5), (-3, -10), (1, 17)]

    def body(k, start, stop):
        total, count = k.variable(I64, 0), k.variable(I64, 0)
        for i in k.range(start, stop, step=step):
            total.set(total.get() * 3 + i)
            count.set(count.get() + 1)
        return total.get(), count.get()

    def expected(start, stop):
        total = 0
        for i in range(start, stop, step):
            total = total * 3 + i
        return total, len(range(start, stop, step))
    assert rows(kernel, bounds, (I64, I64), body) == [expected(*pair) for pair in bounds]


@every_kernel
@pytest.mark.parametrize("vectorize", [None, True, False])
def test_a_hint_on_vectorising_changes_no_answer(kernel, vectorize):
    def body(k, here):
        for i in k.range(0, here.n, vectorize=vectorize):
            here.ys[i] = here.xs[i] * 2 + 1
    outcome = run(kernel, body, {"xs": np.arange(100, dtype=np.int32), "ys": np.zeros(100, np.int32)}, n=99)
    assert outcome["ys"].tolist() == [2 * i + 1 for i in range(99)] + [0]


@every_kernel
def test_when_runs_its_body_or_not(kernel):
    def body(k, a):
        found = k.variable(I64, 0)
        for _ in k.when(a > 3):
            found.set(1)
            for _ in k.when(a > 10):
                found.set(2)
            for _ in k.when(k.and_(a > 5, a < 8)):
                found.set(3)
        return [found.get()]
    assert rows(kernel, [(3,), (4,), (6,), (11,)], (I64,), body) == [(0,), (1,), (3,), (2,)]


@every_kernel
def test_a_condition_known_while_staging_costs_no_branch(kernel):
    staged = []

    def body(k, a):
        found = k.variable(I64, 0)
        for _ in k.when(True):
            found.set(a)
        for _ in k.when(False):
            staged.append("never")
        return [found.get()]
    assert rows(kernel, [(5,)], (I64,), body) == [(5,)] and staged == []
    k = LlvmKernel(Control())
    for _ in k.when(True):
        k.variable(I64, 1)
    assert " br i1" not in k.finish()


@every_kernel
def test_while_tests_before_every_round(kernel):
    def body(k, n):
        number, rounds = k.variable(I64, n), k.variable(I64, 0)
        for _ in k.while_(lambda: number.get() > 1):
            odd = (number.get() & 1) == 1
            number.set(k.choose(odd, number.get() * 3 + 1, number.get() >> 1))
            rounds.set(rounds.get() + 1)
        never = k.variable(BOOL, False)
        for _ in k.while_(lambda: False):
            never.set(True)
        return rounds.get(), never.get()
    assert rows(kernel, [(1,), (0,), (6,), (27,)], (I64,), body) == [(0, False), (0, False), (8, False), (111, False)]


@every_kernel
def test_loops_and_conditions_nest(kernel):
    def body(k, n):
        """Counts the primes below n."""
        primes = k.variable(I64, 0)
        for candidate in k.range(2, n):
            divisor, prime = k.variable(I64, 2), k.variable(BOOL, True)
            for _ in k.while_(lambda: k.and_(prime.get(), divisor.get() * divisor.get() <= candidate)):
                for _ in k.when(k.binary("rem", candidate, divisor.get()) == 0):
                    prime.set(False)
                divisor.set(divisor.get() + 1)
            for _ in k.when(prime.get()):
                for i in k.range(0, 3):
                    for _ in k.when(i == 1):
                        primes.set(primes.get() + 1)
        return [primes.get()]
    assert rows(kernel, [(2,), (3,), (30,), (100,)], (I64,), body) == [(0,), (1,), (10,), (25,)]


@every_kernel
def test_a_value_made_before_a_loop_may_be_used_in_and_after_it(kernel):
    def body(k, a):
        doubled, total = a * 2, k.variable(I64, 0)
        for i in k.range(0, 3):
            total.set(total.get() + doubled + i)
        return total.get(), doubled
    assert rows(kernel, [(5,)], (I64,), body) == [(33, 10)]


def divided(k, a, b):
    """Routine: two results of different types."""
    return k.binary("div", a, b), k.convert(k.binary("rem", a, b), F64)


def absolute(k, a):
    """Routine: one result."""
    result = k.variable(a.type, a)
    for _ in k.when(a < 0):
        result.set(k.constant(a.type, 0) - a)
    return result.get()


def sum_of_absolutes(k, a, b):
    """Routine: calls another one."""
    total = k.variable(I64, 0)
    for _ in k.range(0, 2):
        total.set(total.get() + k.routine(absolute, a) + k.routine(absolute, b))
    return total.get()


@every_kernel
def test_a_routine_gives_one_result_or_several(kernel):
    found = rows(kernel, [(17, -5), (-17, 5)], (I64, I64), lambda k, a, b: (
        *k.routine(divided, a, b), k.routine(absolute, a), k.routine(sum_of_absolutes, a, b)))
    assert found == [(-3, 2.0, 17, 44), (-3, -2.0, 17, 44)]


@every_kernel
def test_a_routine_may_be_called_from_inside_loops(kernel):
    def body(k, n):
        total = k.variable(I64, 0)
        for i in k.range(0, n):
            for _ in k.when((i & 1) == 0):
                quotient, _ = k.routine(divided, i * 10, k.constant(I64, 3))
                total.set(total.get() + quotient)
        return [total.get()]
    assert rows(kernel, [(5,)], (I64,), body) == [(0 + 6 + 13,)]


def test_a_routine_is_emitted_once_for_each_list_of_argument_types():
    def body(k):
        for _ in range(3):
            k.routine(absolute, k.constant(I64, -5))
        k.routine(absolute, k.constant(I32, -5))
    k = LlvmKernel(Control())
    body(k)
    assert k.finish().count("define internal") == 2


@every_kernel
def test_a_routine_reaches_structs(kernel):
    def body(k, here):
        owner = here.owner

        def bump(k, amount):
            there = k.memory(owner)
            there.n = there.n + amount
            return there.n
        k.routine(bump, k.constant(I64, 5))
        here.m = k.routine(bump, here.m)
    outcome = run(kernel, body, n=1, m=10)
    assert (outcome["n"], outcome["m"]) == (16, 16)


@pytest.mark.parametrize("kind", [PythonKernel, LlvmKernel])
def test_a_routine_that_calls_itself_is_refused(kind):
    def factorial(k, n):
        return n * k.routine(factorial, n - 1)
    with pytest.raises(RuntimeError, match="the routine factorial calls itself"):
        k = kind(Control())
        k.routine(factorial, k.constant(I64, 3))


@every_kernel
def test_a_program_may_be_long(kernel):
    """Hundreds of conditions and routines in one function."""
    def body(k):
        total = k.variable(I64, 0)
        for number in range(300):
            for _ in k.when((total.get() & 1) == number % 2):
                total.set(total.get() + k.routine(absolute, k.constant(I64, -number)) + k.convert(k.constant(I8, 1), I64))
        assert k.regions and total.get() is not None
    execute(kernel, body, Control())
