"""Routines that programs share: compiled by themselves, once, and called by all who have them."""
import ctypes

import pytest

from caldera.compile.jit import DiskCache, Jit
from caldera.compile.routines import take_apart
from caldera.kernel.interface import I64, I128, Control, Owner, Struct
from caldera.kernel.llvm import LlvmKernel, plain_function

RUN = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)


def halves_of_square(k, number):
    """Routine: the two words of a number's square."""
    square = k.convert(number, I128) * k.convert(number, I128)
    return k.convert(square, I64), k.convert(square >> 64, I64)


def words_together(k, number):
    """Routine: their sum, by another routine."""
    low, high = k.routine(halves_of_square, number)
    return low + high + k.ones(number)


def text(summand):
    return plain_function(lambda k, a: k.routine(words_together, a) + k.routine(words_together, a + 1) + summand, 1)


def expected(summand, a):
    def together(number):
        return number * number % (1 << 64) + (number * number >> 64) + number.bit_count()
    whole = (together(a) + together(a + 1) + summand) % (1 << 64)
    return whole - (1 << 64) if whole >> 63 else whole


@pytest.fixture
def jit(tmp_path):
    return Jit(DiskCache(tmp_path / "code"))


def test_a_program_is_taken_apart_callees_first():
    program, (inner, outer) = take_apart(text(5))
    assert "halves_of_square" in inner.name and inner.calls == ()
    assert "words_together" in outer.name and outer.calls == (inner.name,)
    assert "define internal" not in program and f"declare i64 @{outer.name}(" in program
    assert "@llvm.ctpop.i64" in outer.text and "@llvm" not in inner.text


def test_routines_have_the_same_name_in_all_programs_that_stage_the_same():
    assert [routine.name for routine in take_apart(text(5))[1]] == [routine.name for routine in take_apart(text(6))[1]]


def test_programs_share_their_routines(jit):
    programs = [jit.program(text(summand), "fast") for summand in (5, 6)]
    assert jit.compiled == 4                # two programs, two routines
    assert programs[0].routines[0] is programs[1].routines[0]
    for summand, program in zip((5, 6), programs):
        for number in (0, 7, 1 << 40, (1 << 62) + 12345):
            assert RUN(program.address)(number) == expected(summand, number)


def test_a_program_from_the_disk_finds_its_routines(jit, tmp_path):
    jit.program(text(7), "fast")
    jit.writer.flush()
    other = Jit(DiskCache(tmp_path / "code"))
    assert RUN(other.program(text(7), "fast").address)(3) == expected(7, 3) and other.compiled == 0


def test_other_tiers_keep_routines_in_the_program(jit):
    for tier in ("plain", "o3"):
        assert RUN(jit.program(text(8), tier).address)(3) == expected(8, 3)
    assert jit.compiled == 2


class Counter(Owner):
    """Memory that a routine reaches."""
    layout = Struct(spare=I64, count=I64)


def count_up(k, owner, by):
    here = k.memory(owner)
    here.count = here.count + by
    return here.count


def test_a_routine_that_reaches_an_owner_is_given_its_struct(jit):
    first, second = Counter(), Counter()
    for owner in (first, second):
        owner.instances = [owner.layout.make(count=10)]
    k = LlvmKernel(Control())
    for owner, by in ((first, 1), (second, 5)):
        k.memory(owner).spare = k.routine(lambda_of(owner), k.constant(I64, by))
    module = k.finish()
    assert len(take_apart(module)[1]) == 1, "what is staged for two owners is one routine"
    program = jit.program(module, "fast")
    addresses = [owner.address(0) for owner in k.owners]
    program(ctypes.addressof((ctypes.c_void_p * len(addresses))(*addresses)))
    assert [(owner.instances[0].spare, owner.instances[0].count) for owner in (first, second)] == [(11, 11), (15, 15)]


def lambda_of(owner):
    def counted(k, by):
        return count_up(k, owner, by)
    return counted
