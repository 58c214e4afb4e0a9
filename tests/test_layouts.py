"""Layouts of the tests' tables: rows are where they are said to be, and all of them."""
import pytest

from tests.differential import CalderaSession
from tests.layouts import LAYOUTS
from tests.process import CalderaProcess

SETUP = "CREATE TABLE t (a int, s text) WITH (order_by = 'a'); INSERT INTO t SELECT i % 40, 'text ' || i % 7 " \
        "FROM generate_series(1, 90) AS g (i); CREATE TABLE none (a int); INSERT INTO none SELECT 1 WHERE false"


@pytest.mark.parametrize("name", LAYOUTS)
def test_rows_lie_where_the_layout_says(name, tmp_path):
    layout, session = LAYOUTS[name], CalderaSession(tmp_path / "db")
    try:
        session.run(SETUP)
        before = session.query("SELECT a, s FROM t ORDER BY a, s")
        session.arrange(layout)
        tables = {table.name: table for table in session.connection.database.tables()}
        snapshot = session.connection.database.snapshot()
        assert [part.row_count for part in tables["t"].visible_parts(snapshot)] == \
            [round(90 * layout.share) // layout.parts] * layout.parts
        assert sum(delta.row_count for delta in tables["t"].visible_deltas(snapshot)) == 90 - round(90 * layout.share)
        assert session.query("SELECT a, s FROM t ORDER BY a, s") == before
        assert session.query("SELECT count(*) FROM none").rows == [("0",)]
    finally:
        session.close()


def test_few_rows_have_granules_of_which_a_query_leaves_some_out():
    session = CalderaProcess(lambda session: session.run(SETUP), "parts")
    try:
        lines = [row[0] for row in session.query("EXPLAIN ANALYZE SELECT * FROM t WHERE a < 4").rows]
        assert any("granules=2 of 12" in line for line in lines), lines
    finally:
        session.close()
