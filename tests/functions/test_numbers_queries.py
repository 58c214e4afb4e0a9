"""Numbers in whole queries, against PostgreSQL: types, NULL, order, errors in context."""
import pytest

import caldera

pytestmark = pytest.mark.oracle
QUERIES = """
SELECT percentile_cont(0.3) WITHIN GROUP (ORDER BY x DESC) FROM (VALUES (1), (2), (NULL), (5)) t (x)
SELECT percentile_cont(1.5) WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2)) t (x)
SELECT percentile_cont('nan') WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2)) t (x)
SELECT percentile_disc(0) WITHIN GROUP (ORDER BY x) FROM (VALUES ('b'), ('a')) t (x)
SELECT percentile_disc(1) WITHIN GROUP (ORDER BY x) FROM (VALUES ('b'), ('a')) t (x)
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY x) FROM (VALUES (1.0), (2.50)) t (x) WHERE x > 5
SELECT mode() WITHIN GROUP (ORDER BY x DESC) FROM (VALUES (1), (2), (2), (1), (3)) t (x)
SELECT mode() WITHIN GROUP (ORDER BY x) FROM (VALUES ('nan'::float8), ('nan'), (2), (1)) t (x)
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY i) FROM (VALUES (interval '1 mon'), ('29 days'), ('31 days')) t (i)
SELECT sum(x), avg(x), stddev(x), variance(x) FROM (VALUES (1e50::numeric), (2), (-1e50)) t (x)
SELECT sum(x), avg(x), max(x), min(x) FROM (VALUES ('Infinity'::numeric), (2)) t (x)
SELECT avg(x), sum(x), stddev(x) FROM (VALUES ('Infinity'::numeric), ('-Infinity')) t (x)
SELECT x, count(*) FROM (VALUES (1.0), (1.00), (2.5), ('NaN'), ('NaN'), (1e40), (1e40)) t (x) GROUP BY x ORDER BY x
SELECT DISTINCT x FROM (VALUES (1e-20), (1e-20), (3e-20), (2e-400), (1e-400)) t (x) ORDER BY x
SELECT x FROM (VALUES (1e45), (1e44), (-1e45), ('Infinity'), ('-Infinity'), ('NaN'), (0), (1e-30), (-1e-30)) t (x) ORDER BY x
SELECT x FROM (VALUES (123456789012345678.1), (123456789012345678.2), (123456789012345678.15)) t (x) ORDER BY x DESC
SELECT greatest(x, 1e40), least(x, -1e40), x BETWEEN 1 AND 1e50 FROM (VALUES (1.5), (1e41)) t (x)
SELECT x IN (1.0, 2.50, 1e40) FROM (VALUES (1.00), (2.5), (1e40), (3)) t (x)
SELECT coalesce(NULL, 1e60), CASE WHEN true THEN 1e60 END, nullif(1e60, 1e60)
SELECT CASE WHEN x > 0 THEN ln(x) ELSE 0 END, CASE WHEN x > 0 THEN 1 / x END FROM (VALUES (1.0), (0.0)) t (x)
SELECT 1e100000::numeric * 1e100000
SELECT 32767::int2 + 1::int2
SELECT x / y FROM (VALUES ((-32768)::int2, (-1)::int2)) t (x, y)
SELECT 2147483647 + 1
SELECT x + 1 FROM (VALUES (9223372036854775807)) t (x)
SELECT sum(x) FROM (VALUES (9223372036854775807), (1)) t (x)
SELECT sum(f), avg(f) FROM (VALUES (1e308::float8), (1e308)) t (f)
SELECT sum(f) FROM (VALUES ('inf'::float8), ('-inf')) t (f)
SELECT sum(f), max(f), min(f) FROM (VALUES (1.1::float4), (2.2), (3.3)) t (f)
SELECT bool_and(x), bool_or(x), every(x) FROM (VALUES (NULL::bool)) t (x)
SELECT string_agg(x, y) FROM (VALUES ('a', '1'), (NULL, '2'), ('b', NULL), ('c', '4')) t (x, y)
SELECT corr(y, x), regr_r2(y, x), regr_slope(y, x) FROM (VALUES (1, 2), (2, 2)) t (y, x)
SELECT count(DISTINCT x), sum(DISTINCT x), avg(DISTINCT x) FROM (VALUES (1.0), (1.00), (2.5)) t (x)
SELECT num_nulls(x, y), num_nonnulls(x, y, 1) FROM (VALUES (1, NULL), (NULL, NULL)) t (x, y)
SELECT 1e400::numeric::float8
SELECT 'NaN'::numeric::int4
SELECT x::numeric(4, -2), y::numeric(3, 6) FROM (VALUES (12345, 0.000123)) t (x, y)
SELECT x::numeric(5, 0) FROM (VALUES (99999.5)) t (x)
SELECT date '2024-01-01' < timestamp '2024-01-01 00:00:01', timestamptz '2024-01-01' = date '2024-01-01'
SELECT date '5874897-12-31' > timestamp '294276-12-31', date '-infinity' = timestamp '-infinity', 'a'::name = 'a'::text
SELECT setseed(2)
"""


@pytest.mark.parametrize("tier", ["python", "fast"])
@pytest.mark.parametrize("sql", QUERIES.strip().splitlines())
def test_query_gives_postgresqls_answer(oracle, sql, tier):
    expected = oracle.query(sql)
    connection = caldera.connect()
    connection.execute_text(f"SET caldera.tier = '{tier}'")
    if expected.failed:
        with pytest.raises(caldera.Error) as caught:
            connection.execute_text(sql)
        assert (caught.value.sqlstate, caught.value.message) == (expected.sqlstate, expected.message)
    else:
        columns, rows = connection.execute_text(sql)
        assert [tuple(row) for row in rows] == expected.rows
        assert tuple(oid for _, oid in columns) == expected.oids
    connection.close()


def test_a_seed_gives_postgresqls_random_numbers(oracle):
    with oracle.session() as session:
        connection = caldera.connect()
        for sql in ("SELECT setseed(0.25)", "SELECT random()", "SELECT random(1, 6)",
                    "SELECT random(-5000000000, 7000000000000)",
                    "SELECT random(1.5, 7.25)", "SELECT random()"):
            assert connection.execute_text(sql)[1] == session.run(sql).rows, sql
        connection.close()
