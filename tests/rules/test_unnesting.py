"""Correlated subqueries that cannot become joins are refused, and none is left to run for each row."""
import pytest

import caldera
from caldera.bind import bind
from caldera.optimize import optimize
from caldera.plan import spec
from caldera.sql.parse import parse


@pytest.fixture(scope="module")
def connection():
    with caldera.connect(threads=1) as connection:
        connection.execute_text("CREATE TABLE t (a int, b int)")
        connection.execute_text("INSERT INTO t VALUES (1, 2), (2, NULL)")
        yield connection


@pytest.mark.parametrize("query, message", [
    ("SELECT (SELECT sum(g + t.a) FROM generate_series(1, floor(random())::int) g) FROM t", "bounds are volatile"),
])
def test_what_cannot_become_a_join_is_refused(connection, query, message):
    with pytest.raises(caldera.Error, match=message) as caught:
        connection.execute_text(query)
    assert caught.value.sqlstate == "0A000"


@pytest.mark.parametrize("query", [
    "SELECT (SELECT count(*) FROM t u WHERE u.a < t.a) FROM t",
    "SELECT 1 FROM t WHERE b NOT IN (SELECT b FROM t u WHERE u.a = t.a AND EXISTS (SELECT FROM t v WHERE v.b > u.a + t.b))",
    "SELECT t.a, q.b FROM t, LATERAL (SELECT u.b FROM t u WHERE u.a = t.a ORDER BY u.b LIMIT 1) q",
    "SELECT (SELECT u.b FROM t u WHERE u.a = t.a ORDER BY u.b LIMIT t.a) FROM t",
    "SELECT 1 FROM t LEFT JOIN t u ON EXISTS (SELECT 1 FROM t v WHERE v.a = t.a AND v.b = u.b)",
    "SELECT (WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n + 1 FROM r WHERE n < t.a) SELECT max(n) FROM r) FROM t",
])
def test_a_plan_that_runs_has_no_correlated_subqueries(connection, query):
    session = connection.session
    with session.statement():
        plan = bind(parse(query)[0], session, session.view)
        with pytest.raises(caldera.Error, match="illegal plan"):
            spec.optimized(plan)
        spec.optimized(optimize(plan, session))


def test_a_volatile_subquery_is_computed_for_each_row_once(connection):
    _, rows = connection.execute_text("SELECT (SELECT y - y FROM (SELECT random() + t.a AS y) q), "
                                      "(SELECT max(u.b * random()) FROM t u WHERE u.a = t.a) "
                                      "FROM t, generate_series(1, 50) WHERE t.a = 1")
    assert {difference for difference, _ in rows} == {'0'} and len({value for _, value in rows}) == 50


def test_a_query_with_random_rows_meets_the_same_rows_at_both_places(connection):
    _, rows = connection.execute_text("SELECT r, (SELECT count(*) FROM generate_series(1, 100) g WHERE g <= q.r) "
                                      "FROM (SELECT 1 + floor(random() * 99)::int AS r FROM generate_series(1, 50)) q")
    assert len(rows) == 50 and all(value == count for value, count in rows)
