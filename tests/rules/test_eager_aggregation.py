"""Groups that are made below joins, wherever that is possible and whether it pays or not, give PostgreSQL's answers."""
import importlib

import pytest

from tests.differential import CalderaSession, difference, expect, split

RULE = importlib.import_module("caldera.optimize.eager_aggregation")
SETUP = """
CREATE TABLE fact (k int, d int, x int, b int8, n numeric(10, 2), f float8, s text, ok bool);
INSERT INTO fact SELECT CASE WHEN i % 50 = 0 THEN NULL ELSE i % 11 END, i % 3, NULLIF(i % 13, 5), i::int8 * 1000000007,
  i / 100.0, i / 3.0, 's' || i % 5, i % 4 = 0 FROM generate_series(1, 150) AS g (i);
INSERT INTO fact VALUES (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (NULL, 1, 1, 1, 1, 'NaN', 'x', true), (99, 1, 7,
  7, 7.00, 7, 'alone', true), (2, 2, 2, 9223372036854775807, 99999999.99, 2, 's', false);
CREATE TABLE dim (k int, name text, w numeric, z int);
INSERT INTO dim SELECT i % 14, 'n' || i % 4, i / 2.0, i FROM generate_series(1, 20) AS g (i);
INSERT INTO dim VALUES (NULL, 'nn', 1, 1), (1, NULL, NULL, NULL), (500, 'none', 3.25, 3);
CREATE TABLE nothing (k int, v int);
"""
GATHERED = "count(*), count(x), sum(x), sum(b), sum(fact.n), avg(fact.n), avg(x), " \
    "min(f), max(s), bool_and(ok), bit_or(x), min(w)"
QUERIES = """
SELECT name, GATHERED FROM fact JOIN dim ON fact.k = dim.k GROUP BY name;
SELECT GATHERED FROM fact JOIN dim ON fact.k = dim.k;
SELECT GATHERED FROM fact JOIN dim ON fact.k = dim.k AND name = 'nobody';
SELECT name, d, GATHERED FROM fact JOIN dim ON fact.k = dim.k AND fact.x < dim.z GROUP BY name, d;
SELECT name, GATHERED FROM dim LEFT JOIN fact ON fact.k = dim.k AND x > 3 GROUP BY name;
SELECT GATHERED FROM dim LEFT JOIN fact ON fact.k = dim.k AND s = 'nobody';
SELECT name, fact.d, GATHERED FROM dim LEFT JOIN fact ON fact.k = dim.k GROUP BY name, fact.d;
SELECT name, coalesce(fact.d, -1), GATHERED FROM dim LEFT JOIN fact ON fact.k = dim.k GROUP BY 1, 2;
SELECT name, GATHERED FROM fact LEFT JOIN dim ON fact.k = dim.k GROUP BY name;
SELECT name, GATHERED FROM fact FULL JOIN dim ON fact.k = dim.k GROUP BY name;
SELECT d, count(*), sum(x), avg(b) FROM fact WHERE EXISTS (SELECT 1 FROM dim WHERE dim.k = fact.k) GROUP BY d;
SELECT d, count(*), sum(x), avg(b) FROM fact WHERE NOT EXISTS (SELECT 1 FROM dim WHERE dim.k = fact.k AND z > x) GROUP
  BY d;
SELECT name, count(*) FILTER (WHERE x > 4), sum(x) FILTER (WHERE s = 's1'), avg(fact.n) FILTER (WHERE ok) FROM dim JOIN
  fact ON fact.k = dim.k GROUP BY name;
SELECT name, count(*) FILTER (WHERE x IS NULL), count(x) FILTER (WHERE s = 's1') FROM dim LEFT JOIN fact ON fact.k =
  dim.k GROUP BY name;
SELECT name, count(x) FILTER (WHERE s = 's1'), sum(x) FILTER (WHERE z > 3) FROM dim LEFT JOIN fact ON fact.k = dim.k
  GROUP BY name;
SELECT name, count(DISTINCT x), sum(x) FROM fact JOIN dim ON fact.k = dim.k GROUP BY name;
SELECT name, string_agg(s, ',' ORDER BY s, x), count(*) FROM fact JOIN dim ON fact.k = dim.k GROUP BY name;
SELECT name, sum(coalesce(x, 1)), count(coalesce(x, 1)), sum(1) FROM dim LEFT JOIN fact ON fact.k = dim.k GROUP BY name;
SELECT name, sum(fact.n / 3), sum((fact.n - x) / 0.5), avg(fact.n / 7) FROM fact JOIN dim ON fact.k = dim.k GROUP BY name;
SELECT name, sum(100 / NULLIF(x, 0)) FROM fact JOIN dim ON fact.k = dim.k GROUP BY name;
SELECT sum(1 / (x - 7)) FROM fact JOIN dim ON fact.k = dim.k WHERE fact.x <> 7;
SELECT name, sum(fact.n * 2 + fact.n), sum(x * z), max(x + z) FROM fact JOIN dim ON fact.k = dim.k GROUP BY name;
SELECT a.name, b.name, count(*), sum(x), avg(fact.n) FROM fact JOIN dim a ON fact.k = a.k JOIN dim b ON fact.d = b.k
  GROUP BY 1, 2;
SELECT a.name, count(*), sum(x), count(b.k) FROM fact LEFT JOIN dim a ON fact.k = a.k LEFT JOIN dim b ON fact.d = b.k
  AND b.z < a.z GROUP BY 1;
SELECT d, sum(CASE WHEN name = 'n1' THEN x END), sum(CASE WHEN z > 3 THEN fact.n WHEN z > x THEN b ELSE 0 END), sum(CASE
  WHEN z > 2 THEN x ELSE 1 END), count(*) FROM fact JOIN dim ON fact.k = dim.k GROUP BY d;
SELECT sum(CASE WHEN name = 'nobody' THEN x END), sum(CASE WHEN name = 'nobody' THEN b ELSE 0 END), sum(CASE WHEN z > 1 THEN
  fact.n ELSE 0.00 END) FROM fact JOIN dim ON fact.k = dim.k;
SELECT sum(CASE WHEN z > 3 THEN fact.n END), sum(CASE WHEN z > 1 THEN x ELSE 0 END) FROM fact JOIN nothing ON fact.k =
  nothing.k JOIN dim ON fact.k = dim.k;
SELECT name, d, grouping(d, name), GATHERED FROM fact JOIN dim ON fact.k = dim.k GROUP BY CUBE (name, d);
SELECT name, grouping(name), GATHERED FROM fact JOIN dim ON fact.k = dim.k AND name = 'nobody' GROUP BY ROLLUP (name);
SELECT w, count(*), sum(x) FROM fact JOIN dim ON fact.n < dim.w GROUP BY w;
SELECT x % 2, d, count(*), sum(z), min(x) FROM fact JOIN dim USING (k) GROUP BY 1, 2;
SELECT count(*), sum(v), count(v) FROM fact LEFT JOIN nothing ON fact.k = nothing.k;
SELECT count(*), sum(v), count(v) FROM fact JOIN nothing ON fact.k = nothing.k;
SELECT name FROM fact JOIN dim ON fact.k = dim.k GROUP BY name;
SELECT d, count(*), sum(price) FROM fact LEFT JOIN LATERAL (SELECT w AS price FROM dim WHERE dim.k <= fact.k ORDER BY
  dim.k DESC, z LIMIT 1) AS l ON true GROUP BY d;
SELECT name, c FROM (SELECT name, count(*) AS c, sum(x) AS t FROM fact JOIN dim ON fact.k = dim.k GROUP BY name) AS g
  WHERE t > 10;
SELECT (SELECT sum(x) FROM fact JOIN dim ON fact.k = dim.k WHERE dim.z < o.z) FROM dim o;
"""


@pytest.fixture(scope="module")
def sessions(oracle):
    """(PostgreSQL's session, Caldera's) with the same tables."""
    caldera = CalderaSession()
    caldera.run(SETUP)
    with oracle.session(SETUP) as postgres:
        yield postgres, caldera
    caldera.close()


@pytest.mark.oracle
@pytest.mark.parametrize("query", split(QUERIES.replace("GATHERED", GATHERED)))
def test_groups_below_a_join_give_the_answer_of_postgresql(query, sessions, monkeypatch):
    monkeypatch.setattr(RULE.Early, "pays", lambda *_: True)
    postgres, caldera = sessions
    found = difference(expect(postgres, query), caldera.query(query))
    assert not found, found
