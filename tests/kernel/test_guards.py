"""What a staged language makes easy to get wrong is caught, by both kernels."""
import pytest

from caldera.kernel.interface import BOOL, F64, I64, Control, Fault
from caldera.kernel.llvm import LlvmKernel
from caldera.kernel.python import PythonKernel

both_kernels = pytest.mark.parametrize("kind", [PythonKernel, LlvmKernel])
ESCAPED = "made in a loop or condition that has closed"


@both_kernels
def test_a_staged_value_has_no_truth(kind):
    k = kind(Control())
    a = k.constant(I64, 1)
    for use in (lambda: bool(a), lambda: a == 1 and a, lambda: not a, lambda: a in [k.constant(I64, 1)], lambda: 0 < a < 2):
        with pytest.raises(TypeError, match="no truth while staging"):
            use()
    assert len({a, k.constant(I64, 1)}) == 2            # identity hash


@both_kernels
@pytest.mark.parametrize("use", [lambda k, v: v + 1, lambda k, v: k.variable(I64, v), lambda k, v: k.convert(v, F64),
                                 lambda k, v: k.choose(k.constant(BOOL, True), v, 0), lambda k, v: list(k.range(0, v)),
                                 lambda k, v: k.buffer(I64, 2).__setitem__(0, v), lambda k, v: k.buffer(I64, 2)[v],
                                 lambda k, v: k.routine(lambda k, x: x, v), lambda k, v: v == 1,
                                 lambda k, v: k.array(I64, v)[0]])
def test_a_value_that_leaves_its_loop_is_refused(kind, use):
    k, escaped = kind(Control()), []
    for i in k.range(0, 1):
        escaped.append(i + 1)
    with pytest.raises(RuntimeError, match=ESCAPED):
        use(k, escaped[0])


@both_kernels
def test_so_is_one_that_leaves_a_condition_or_the_head_of_a_loop(kind):
    k, escaped = kind(Control()), []
    for _ in k.when(k.constant(I64, 1) == 1):
        escaped.append(k.constant(I64, 2) + 2)
    done = k.variable(I64, 0)

    def more():
        escaped.append(done.get())
        return escaped[-1] == 0
    for _ in k.while_(more):
        done.set(1)
    for value in escaped:
        with pytest.raises(RuntimeError, match=ESCAPED):
            value + 1
    k.finish()


@both_kernels
def test_constants_and_variables_outlive_every_region(kind):
    k = kind(Control())
    for i in k.range(0, 2):
        constant, variable = k.constant(I64, 7), k.variable(I64, i)
    total = constant + variable.get()
    assert kind is LlvmKernel or k.use(total) == 8
    k.finish()


@both_kernels
@pytest.mark.parametrize("loop", [lambda k: k.range(0, 3), lambda k: k.when(k.constant(I64, 1) == 1),
                                  lambda k: k.while_(lambda: k.constant(I64, 1) == 1)])
def test_a_body_that_is_left_early_poisons_the_kernel(kind, loop):
    def leaves_by_break(k):
        for _ in loop(k):
            break

    def leaves_by_return(k):
        for _ in loop(k):
            return

    def abandons(k):
        body = loop(k)
        next(body)
        body.close()
    for leave in (leaves_by_break, leaves_by_return, abandons):
        k = kind(Control())
        leave(k)
        with pytest.raises(RuntimeError, match="was left early: a staged loop has no break or return"):
            k.finish()


@both_kernels
def test_an_abandoned_loop_is_seen_though_its_generator_lives(kind):
    k = kind(Control())
    body = k.range(0, 3)
    next(body)
    with pytest.raises(RuntimeError, match="a staged loop is still open"):
        k.finish()


@both_kernels
def test_two_loops_in_lock_step_poison_the_kernel(kind):
    k = kind(Control())
    try:
        for _ in zip(k.range(0, 4), k.range(0, 4)):
            pass
    except (RuntimeError, IndexError):
        pass
    with pytest.raises(RuntimeError, match="lock-step|left early"):
        k.finish()


@both_kernels
def test_a_routine_is_guarded_as_a_function_of_its_own(kind):
    def leaves(k, a):
        for i in k.range(0, a):
            return i
    k = kind(Control())
    with pytest.raises(RuntimeError):
        k.routine(leaves, k.constant(I64, 3))


def test_a_routine_cannot_use_values_of_its_caller():
    """The Python kernel could; the compiler's text would name what the routine does not have."""
    k = LlvmKernel(Control())
    for outer in k.range(0, 3):
        inside = outer + 1
    for _ in k.range(0, 1):
        with pytest.raises(RuntimeError, match=ESCAPED):
            k.routine(lambda k, a: a + inside, k.constant(I64, 1))
            k.finish()
        break


@both_kernels
def test_a_program_knows_a_fault_by_one_number(kind):
    k = kind(Control())
    numbers = [k.fault_number(Fault("22000", f"number {number}")) for number in range(100)]
    assert numbers == list(range(100)) and k.fault_number(Fault("22000", "number 5")) == 5
