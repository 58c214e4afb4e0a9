"""TABLESAMPLE: how much is drawn, and that the same seed draws the same."""
import pytest

import caldera
from caldera.operators.sample import RUN_ROWS
from tests.execute.engine import rows_in_parts

ROWS = 20_000


@pytest.fixture(params=["a delta", "parts"])
def connection(request):
    with caldera.connect(threads=2) as connection:
        with rows_in_parts() if request.param == "parts" else pytest.MonkeyPatch.context():
            connection.sql("SET threads = 1")
            connection.sql(f"CREATE TABLE t AS SELECT i AS a FROM generate_series(0, {ROWS - 1}) AS g (i)")
            connection.sql("SET threads = 2")
        yield connection


def drawn(connection, sample):
    return sorted(a for a, in connection.sql(f"SELECT a FROM t TABLESAMPLE {sample}"))


@pytest.mark.parametrize("percent", [1, 10, 50, 99])
def test_about_that_share_of_the_rows_is_drawn(connection, percent):
    count, expected = len(drawn(connection, f"bernoulli ({percent}) REPEATABLE (1)")), ROWS * percent / 100
    assert abs(count - expected) < 5 * (expected * (1 - percent / 100)) ** 0.5      # five standard deviations


@pytest.mark.parametrize("method", ["bernoulli", "system"])
def test_the_same_seed_draws_the_same_rows_and_another_seed_others(connection, method):
    first, again, other = (drawn(connection, f"{method} (30) REPEATABLE ({seed})") for seed in (5, 5, 6))
    assert first == again != other and 0 < len(first) < ROWS


def test_without_a_seed_each_query_draws_anew(connection):
    assert drawn(connection, "bernoulli (50)") != drawn(connection, "bernoulli (50)")


def test_more_rows_of_one_seed_contain_fewer(connection):
    few, many = (set(drawn(connection, f"bernoulli ({percent}) REPEATABLE (3)")) for percent in (10, 40))
    assert few < many


@pytest.mark.parametrize("tier", ["python", "fast", "o3"])
def test_all_kernels_draw_the_same(connection, tier):
    expected = drawn(connection, "bernoulli (1) REPEATABLE (9)")
    connection.sql(f"SET caldera.tier = '{tier}'")
    assert drawn(connection, "bernoulli (1) REPEATABLE (9)") == expected


def test_system_draws_whole_runs_of_rows():
    with caldera.connect(threads=1) as connection:
        connection.sql(f"CREATE TABLE t AS SELECT i AS a FROM generate_series(0, {ROWS - 1}) AS g (i)")
        rows = drawn(connection, "system (20) REPEATABLE (1)")
    runs = {a // RUN_ROWS for a in rows}
    assert rows == [a for a in range(ROWS) if a // RUN_ROWS in runs] and 0 < len(runs) < ROWS / RUN_ROWS / 2


def test_a_percentage_may_be_a_parameter(connection):
    query = "SELECT count(*) FROM t TABLESAMPLE bernoulli ($1)"
    assert connection.sql(query, 100).fetchone() == (ROWS,)
    with pytest.raises(caldera.DataError, match="between 0 and 100"):
        connection.sql(query, 100.5)
