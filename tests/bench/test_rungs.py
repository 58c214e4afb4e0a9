"""The ladder's rungs give the right sum, each by its own means."""
import numpy as np
import pytest

from caldera.base.errors import Error
from caldera.bench import ladder, rungs
from caldera.bench.rungs import Rung


@pytest.mark.parametrize("rows", [1, 1023, 1024, 1025, 200_000])
def test_every_rung_sums_any_number_of_rows(rows):
    measured = rungs.own_rungs(rungs.make_column(rows), cores=2, repeat=1)
    assert [(rung.name, rung.cores) for rung in measured] == [
        ("volcano", 1), ("batching", 1), ("fusion", 1), ("simd", 1), ("all cores", 2), ("read bandwidth", 1),
        ("read bandwidth", 2)]
    assert all(rung.rows == rows and rung.seconds > 0 for rung in measured)


def test_a_wrong_sum_is_an_error(monkeypatch):
    monkeypatch.setattr(rungs, "volcano", lambda jit, column, workers: lambda: 0.0)
    with pytest.raises(Error, match="the rung volcano gives"):
        rungs.own_rungs(rungs.make_column(100), cores=1, repeat=1)


def test_figures_are_per_row_of_eight_bytes():
    rung = Rung("simd", 1, 1_000_000_000, 0.25)
    assert rung.nanoseconds == 0.25 and rung.gigabytes_per_second == 32


def test_the_chart_shows_every_rung_and_shares_of_the_bandwidth():
    from rich.console import Console
    console = Console(width=80)
    measured = [Rung("volcano", 1, 100, 8e-7), Rung("simd", 1, 100, 1e-7), Rung("read bandwidth", 1, 100, 8e-8)]
    with console.capture() as captured:
        console.print(ladder.chart(measured))
    lines = captured.get().splitlines()
    assert "Volcano" in lines[1] and "+ SIMD" in lines[2] and "80%" in lines[2] and "8.0" in lines[2]


def test_the_default_column_is_four_times_the_cache():
    assert rungs.default_rows() * 8 >= 4 * rungs.last_level_cache() >= 1 << 20


def test_binary_copy_has_postgresql_s_format():
    assert ladder.binary_copy(np.array([1.0])) == (
        b"PGCOPY\n\xff\r\n\0" + bytes(8) + b"\0\1\0\0\0\x08\x3f\xf0\0\0\0\0\0\0" + b"\xff\xff")
