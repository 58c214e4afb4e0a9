"""Arrays in queries: forced to disk, from and to files, in checked mode, over several workers."""
import pyarrow.parquet as parquet
import pytest

import caldera

ROWS = "CREATE TABLE t AS SELECT g AS id, ARRAY[g % 7, g, NULL] AS a, ARRAY['text number ' || g, 'x'] AS s, " \
       "ARRAY[g / 4.0] AS n FROM generate_series(1, 1500) g"


@pytest.fixture
def connection():
    with caldera.connect() as connection:
        connection.execute(ROWS)
        yield connection


@pytest.mark.parametrize("query", [
    "SELECT a, s FROM t ORDER BY a DESC, s", "SELECT n, id FROM t ORDER BY n, id LIMIT 700",
    "SELECT a[1], array_agg(id ORDER BY id), max(a), min(s), count(DISTINCT n) FROM t GROUP BY 1 ORDER BY 1",
    "SELECT x.id FROM t x JOIN t y ON x.n = y.n AND x.s = y.s ORDER BY 1",
    "SELECT id, u FROM t, unnest(a) u ORDER BY id, u"])
def test_rows_on_disk_give_the_same_answer(connection, query):
    rows = connection.sql(query).fetchall()
    connection.execute("SET caldera.forced_spill = on")
    assert connection.sql(query).fetchall() == rows


def test_arrays_of_all_rows_do_not_depend_on_workers(connection):
    connection.execute("SET threads = 2; SET caldera.morsel_rows = 64; SET caldera.tier = 'fast'")
    (values, groups), = connection.sql(
        "SELECT (SELECT array_sort(array_agg(id)) FROM t), "
        "(SELECT sum(cardinality(ids)) FROM (SELECT array_agg(id) AS ids FROM t GROUP BY id % 9) q)").fetchall()
    assert (values, groups) == (list(range(1, 1501)), 1500)


def test_lists_in_files_are_arrays(connection, tmp_path):
    table = connection.sql("SELECT id, a, s, n FROM t UNION ALL SELECT 0, NULL, '{}', '{NULL}'").arrow()
    parquet.write_table(table, tmp_path / "lists.parquet", row_group_size=400)
    read = f"FROM '{tmp_path / 'lists.parquet'}'"
    assert connection.sql(f"SELECT count(*), sum(a[2]), count(n[1]), max(s) {read}").fetchall() == \
        connection.sql("SELECT count(*) + 1, sum(a[2]), count(n[1]), max(s) FROM t").fetchall()
    assert connection.sql(f"SELECT a, s, n {read} WHERE id = 0").fetchone() == (None, [], [None])


@pytest.mark.parametrize("expression", ["ARRAY[n, 1]", "array_agg(n)", "ARRAY[n::text]::numeric[]"])
def test_numerics_that_no_array_holds_are_refused(connection, expression):
    with pytest.raises(caldera.NotSupportedError, match="more than 33 digits"):
        connection.sql(f"SELECT {expression} FROM (SELECT 1e40::numeric AS n FROM t LIMIT 1) q")
