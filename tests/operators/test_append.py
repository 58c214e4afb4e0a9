"""UNION ALL keeps no rows: each branch is a pipeline that goes through the steps above it."""
import pytest

import caldera
from caldera.operators.collect import HANDED_ROWS

ROWS = 2 * HANDED_ROWS


@pytest.fixture
def connection():
    with caldera.connect(threads=2) as connection:
        connection.execute(f"CREATE TABLE t AS SELECT i AS a, i % 7 AS b FROM generate_series(1, {ROWS}) AS g (i)")
        yield connection


def pipelines(connection, query):
    """What EXPLAIN ANALYZE says of the pipelines of a query."""
    lines = [line for line, in connection.sql(f"EXPLAIN (ANALYZE, PIPELINES, COSTS off, TIMING off) {query}").fetchall()]
    return "\n".join(lines[lines.index("Pipelines:") + 1:])


def test_branches_stream_into_one_sink(connection):
    shown = pipelines(connection, "SELECT b, sum(a) FROM (SELECT * FROM t UNION ALL SELECT a, a FROM t) AS u GROUP BY b")
    assert shown.count("Seq Scan on t -> Aggregate") == 2 and shown.count("Result") == 1


def test_a_branch_is_not_run_when_its_rows_are_not_wanted(connection):
    shown = pipelines(connection, "SELECT * FROM (SELECT a FROM t UNION ALL SELECT b FROM t WHERE b > 3) AS u LIMIT 5")
    assert shown.count("not needed") == 1


def test_a_branch_that_is_not_wanted_raises_no_error(connection):
    query = "SELECT * FROM (SELECT 7 AS x UNION ALL SELECT 1 / (a - a) FROM t) AS u LIMIT "
    assert connection.sql(query + "1").fetchall() == [(7,)]
    with pytest.raises(caldera.Error, match="division by zero"):
        connection.sql(query + "2")


def test_rows_come_in_the_order_of_branches(connection):
    rows = connection.sql("SELECT a FROM t UNION ALL SELECT -a FROM t").fetchall()
    assert sorted(rows[:ROWS]) == [(number,) for number in range(1, ROWS + 1)] and all(a < 0 for a, in rows[ROWS:])


def test_later_branches_do_not_read_what_earlier_ones_inserted(connection):
    connection.execute("INSERT INTO t SELECT * FROM t UNION ALL SELECT * FROM t")
    assert connection.sql("SELECT count(*) FROM t").fetchall() == [(3 * ROWS,)]
