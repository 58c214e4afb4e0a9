"""Machine code: tiers, caches in memory and on disk, the helper process."""
import ctypes
import os
import signal
import stat

import pytest

from caldera.compile.jit import DiskCache, Jit
from caldera.kernel.interface import I64
from caldera.kernel.llvm import plain_function

RUN = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
TIERS = "fast", "plain", "o3"


def text(number):
    """A program whose `run(a)` is a + number; the number makes it another text."""
    return plain_function(lambda k, a: a + number, 1)


def call(program, argument):
    return RUN(program.address)(argument)


@pytest.fixture
def jit(tmp_path):
    return Jit(DiskCache(tmp_path / "code"))


@pytest.mark.parametrize("tier", TIERS)
def test_a_program_runs_and_is_compiled_once(jit, tier):
    program = jit.program(text(5), tier)
    assert call(program, 37) == 42 and program.tier == tier
    assert jit.program(text(5), tier) is program and jit.compiled == 1
    assert call(jit.program(text(6), tier), 37) == 43 and jit.compiled == 2


def test_tiers_are_kept_apart(jit):
    programs = {tier: jit.program(text(1), tier) for tier in TIERS}
    assert len({program.address for program in programs.values()}) == 3
    assert jit.program_if_ready(text(1), "o3") is programs["o3"] and jit.program_if_ready(text(2), "o3") is None


def test_object_bytes_on_disk_serve_another_process(jit, tmp_path):
    jit.program(text(7), "fast")
    jit.writer.flush()
    other = Jit(DiskCache(tmp_path / "code"))
    assert call(other.program(text(7), "fast"), 1) == 8 and other.compiled == 0


def test_damaged_files_are_compiled_anew(jit, tmp_path):
    jit.program(text(8), "fast")
    jit.writer.flush()
    for damage in (lambda data: data[:-1], lambda data: b"", lambda data: data[:10] + bytes([data[10] ^ 1]) + data[11:]):
        file, = [path for path in (tmp_path / "code").iterdir() if not path.name.startswith(".")]
        file.write_bytes(damage(file.read_bytes()))
        other = Jit(DiskCache(tmp_path / "code"))
        assert call(other.program(text(8), "fast"), 1) == 9 and other.compiled == 1
        other.writer.flush()


def test_a_cache_that_cannot_be_written_is_only_slow(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    jit = Jit(DiskCache(tmp_path / "file" / "code"))
    assert call(jit.program(text(9), "fast"), 1) == 10
    jit.writer.flush()


def test_the_cache_is_private_and_old_files_go_first(jit, tmp_path):
    for number in range(5):
        jit.program(text(100 + number), "fast")
    jit.writer.flush()
    folder = tmp_path / "code"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    files = sorted(folder.iterdir(), key=lambda path: path.name)
    for age, file in enumerate(files):
        os.utime(file, (1000 + age, 1000 + age))
    size = files[0].stat().st_size
    jit.disk.prune(2 * size + size // 2)
    assert sorted(folder.iterdir()) == sorted(files[3:])


def test_what_is_no_program_is_an_error(jit):
    with pytest.raises(RuntimeError):
        jit.program("define i64 @run(i64 %a) { ret i64 %b }", "fast")
    assert call(jit.program(text(3), "fast"), 1) == 4


def wait_for(event, seconds=60):
    assert event.wait(seconds)


def test_another_process_compiles_in_the_background(jit):
    event = jit.compile_in_background(text(11))
    assert jit.compile_in_background(text(11)) is event
    wait_for(event)
    assert call(jit.program_if_ready(text(11), "o3"), 1) == 12 and jit.compiled == 0
    wait_for(jit.compile_in_background("this is no program"))
    assert jit.program_if_ready("this is no program", "o3") is None
    wait_for(jit.compile_in_background(text(12)))
    assert call(jit.program_if_ready(text(12), "o3"), 1) == 13


def test_a_compiling_process_that_dies_is_replaced(jit):
    wait_for(jit.compile_in_background(text(13)))
    first = jit.background.process
    os.kill(first.pid, signal.SIGKILL)
    for number in range(14, 20):                        # each is answered; at the latest the second by a new process
        wait_for(jit.compile_in_background(text(number)))
    first.wait()
    assert call(jit.program_if_ready(text(19), "o3"), 1) == 20
    assert jit.background.process is not first and jit.background.process.poll() is None


def test_plain_functions_take_what_they_are_given(jit):
    body = plain_function(lambda k, a, b, c, d: a * 1000 + b * 100 + c * 10 + d + k.constant(I64, 0), 4)
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 4)(jit.program(body, "o3").address)
    assert function(1, 2, 3, 4) == 1234
