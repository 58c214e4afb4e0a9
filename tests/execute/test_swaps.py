"""Machine code may be swapped for better code at any morsel: no row is lost, none is seen twice."""
import threading

import pytest

from caldera.execute import run as running
from caldera.kernel.interface import Control
from tests.execute.engine import QUERIES, filled

ROWS = 40_000
SWAPS_WANTED, TRIES = 3, 100


@pytest.fixture(scope="module")
def connection():
    with filled(ROWS, parts=2, threads=2) as connection:
        connection.sql("SET caldera.morsel_rows = 1024")
        yield connection


class Swapper:
    """Asks for a swap again and again while workers run, and lets each swap lead to another tier."""

    def __init__(self, monkeypatch):
        self.swaps, self.tiers = 0, ["o3", "fast", "plain"]
        enter = running.Run.enter

        def enter_swapping(run, program, states, better):
            ended = threading.Event()
            asking = threading.Thread(target=self.ask, args=(run.control.instances[0], ended))
            asking.start()
            try:
                enter(run, program, states, better)
            finally:
                ended.set()
                asking.join()
                self.swaps += run.control.instances[0].stop == Control.STOP_SWAP
        monkeypatch.setattr(running.Run, "enter", enter_swapping)
        monkeypatch.setattr(running.Staged, "best_program", lambda staged: self.next_program(staged.text))

    @staticmethod
    def ask(state, ended):
        """Set the flag often, but leave time to get on in between."""
        while not ended.wait(0.0001):
            state.stop |= Control.STOP_SWAP

    def next_program(self, text):
        self.tiers.append(self.tiers.pop(0))
        return running.JIT.program(text, self.tiers[0])


@pytest.mark.parametrize("name", QUERIES)
def test_swaps_change_no_answer(connection, name, monkeypatch):
    connection.sql("SET caldera.tier = 'fast'")
    expected = connection.sql(QUERIES[name]).fetchall()
    swapper = Swapper(monkeypatch)
    for _ in range(TRIES):
        assert connection.sql(QUERIES[name]).fetchall() == expected
        if swapper.swaps >= SWAPS_WANTED:
            break
    assert swapper.swaps


@pytest.mark.parametrize("query", ["SELECT count(*), sum(i) FROM generate_series(1, 100000) AS g (i)",
                                   "SELECT * FROM (VALUES (1 + random() * 0, 'a'), (2, 'c'), (3, 'd')) AS v ORDER BY 1",
                                   "SELECT count(*) FROM (SELECT id FROM t LIMIT 9000 OFFSET 77) AS s"])
def test_swaps_lose_nothing_of_other_sources(connection, query, monkeypatch):
    connection.sql("SET caldera.tier = 'fast'")
    expected = connection.sql(query).fetchall()
    Swapper(monkeypatch)
    for _ in range(5):
        assert connection.sql(query).fetchall() == expected


def test_a_swap_to_optimised_code_happens_by_itself():
    """Enough rows, and morsels enough: the helper process compiles while workers run, or the code was in a cache."""
    with filled(300_000, threads=2) as connection:
        connection.sql("SET caldera.morsel_rows = 4096")
        query = "SELECT small + 1, sum(f * 2 + big) FROM t GROUP BY 1 ORDER BY 1"
        first = connection.sql(query).fetchall()
        for _ in range(3):
            assert connection.sql(query).fetchall() == first
