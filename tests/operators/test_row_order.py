"""Rows without ORDER BY come as they lie in their source, whichever workers read them."""
import pyarrow
import pyarrow.parquet
import pytest

import caldera


@pytest.fixture(scope="module")
def connection():
    connection = caldera.connect(threads=2)
    connection.execute("CREATE TABLE t (x int, s text, n numeric)")
    for first in (0, 100_000):
        connection.execute("INSERT INTO t SELECT i, nullif('v' || i % 1000, 'v7'), i / 4.0 "
                           f"FROM generate_series({first}, {first + 99_999}) AS i")
    yield connection
    connection.close()


@pytest.fixture(params=["fast", "python"])
def small_morsels(connection, request):
    connection.execute(f"SET caldera.tier = {request.param}; SET caldera.morsel_rows = 50; SET caldera.block_rows = 20")
    yield connection
    connection.execute("RESET ALL; SET threads = 2")


@pytest.mark.parametrize("query", ["SELECT x FROM t", "SELECT x, s, n FROM t WHERE x % 3 = 0",
                                   "SELECT x FROM t WHERE s LIKE '%9%'",
                                   "SELECT i FROM generate_series(0, 500000) AS i WHERE i % 5 = 1",
                                   "SELECT x FROM (SELECT * FROM t LIMIT 150000) AS q WHERE x > 10"])
def test_rows_of_scans_come_in_their_order(connection, query):
    for _ in range(3):
        rows = [row[0] for row in connection.execute(query).fetchall()]
        assert rows and rows == sorted(rows)


def test_rows_of_files_come_in_their_order(connection, tmp_path):
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"a": range(300_000)}), path, row_group_size=20_000)
    for _ in range(3):
        rows = connection.execute(f"SELECT a FROM '{path}' WHERE a % 3 = 1").fetchall()
        assert rows == [(a,) for a in range(1, 300_000, 3)]


def test_values_stay_with_their_rows(connection):
    for x, s, n in connection.execute("SELECT x, s, n FROM t WHERE x % 7 < 2").fetchall()[::501]:
        assert s == (None if x % 1000 == 7 else f"v{x % 1000}") and n * 4 == x


def test_rows_of_tiny_morsels_come_in_their_order(small_morsels):
    rows = small_morsels.execute("SELECT i, 'text ' || i FROM generate_series(1, 1000) AS i WHERE i % 3 = 0").fetchall()
    assert rows == [(i, f"text {i}") for i in range(3, 1001, 3)]


def test_rows_that_tie_in_a_sort_come_in_their_order(connection):
    rows = connection.execute("SELECT x % 10, x FROM t ORDER BY 1").fetchall()
    assert rows == sorted(rows)


def test_rows_are_copied_in_their_order(connection):
    connection.execute("CREATE TEMPORARY TABLE copied AS SELECT x FROM t WHERE x % 2 = 0")
    assert connection.execute("SELECT x FROM copied").fetchall() == [(x,) for x in range(0, 200_000, 2)]


def test_rows_that_are_handed_on_before_the_end_are_all_there_once(connection):
    connection.execute("CREATE TEMPORARY TABLE many AS SELECT i, 'text ' || i AS s FROM generate_series(1, 1500000) AS i "
                       "WHERE i % 3 <> 0")
    row = connection.execute("SELECT count(*), sum(i), min(i), max(i), count(DISTINCT i), bool_and(s = 'text ' || i) "
                             "FROM many")
    assert row.fetchone() == (1000000, sum(i for i in range(1, 1500001) if i % 3), 1, 1499999, 1000000, True)


def test_a_top_n_over_many_rows_keeps_the_best(connection):
    for _ in range(3):
        rows = connection.execute("SELECT x FROM t ORDER BY (x::int8 * 7919) % 200000, x LIMIT 9000").fetchall()
        assert rows == [(x,) for x in sorted(range(200_000), key=lambda x: (x * 7919 % 200_000, x))[:9000]]
