"""Aggregates in plain Python: what they keep counts against memory_limit and is let go of when a query has ended."""
import gc
import weakref

import pytest

import caldera
from caldera.operators.aggregate_use import States

GROWING = ("length(string_agg(x::text, ''))", "percentile_cont(0.5) WITHIN GROUP (ORDER BY x)",
           "mode() WITHIN GROUP (ORDER BY x)")


@pytest.mark.parametrize("aggregate", GROWING)
def test_rows_that_are_kept_count_against_the_memory_limit(aggregate):
    with caldera.connect(threads=1, memory_limit="8MB") as connection:
        connection.execute("SET caldera.tier = 'fast'")
        with pytest.raises(caldera.Error) as caught:
            connection.sql(f"SELECT {aggregate} FROM generate_series(1, 200000) x")
        assert caught.value.sqlstate == "53200"
        assert connection.session.database.budget.used == 0
        assert connection.sql(f"SELECT {aggregate} FROM generate_series(1, 10) x").fetchall()


def test_a_kept_plan_keeps_no_rows(monkeypatch):
    made, plain = [], States.__init__

    def noted(self):
        plain(self)
        made.append(weakref.ref(self))
    monkeypatch.setattr(States, "__init__", noted)
    with caldera.connect(threads=2) as connection:
        for _ in range(3):
            assert connection.sql("SELECT string_agg(x::text, '') FROM generate_series(1, 5) x").fetchall() == [("12345",)]
        gc.collect()
        assert made and all(states() is None or not states().by_number for states in made)
