-- Tables without rows, columns of NULLs only, tables of one row.
-- setup
CREATE TABLE nothing (i int, b int8, f float8, n numeric, t text, d date, ts timestamp, o bool, v interval, u uuid, y bytea) USING mergetree WITH (order_by = 'i');
CREATE TABLE nulls (i int, b int8, f float8, n numeric, t text, d date, ts timestamp, o bool, v interval, u uuid, y bytea) USING mergetree;
INSERT INTO nulls VALUES (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO nulls SELECT FROM generate_series(1, 20);
CREATE TABLE single (i int, t text, f float8) USING mergetree;
INSERT INTO single VALUES (1, 'only', 1.5);

-- name: empty_select
SELECT * FROM nothing;

-- name: empty_filter
SELECT i, t FROM nothing WHERE i > 5 AND t LIKE 'a%' ORDER BY d LIMIT 3;

-- name: empty_count
SELECT count(*), count(t), count(DISTINCT i) FROM nothing;

-- name: empty_aggregates
SELECT sum(i), avg(b), min(f), max(n), min(t), max(d), bool_or(o), sum(v), stddev(f), string_agg(t, ',') FROM nothing;

-- name: empty_group
SELECT i, t, count(*) FROM nothing GROUP BY i, t;

-- name: empty_distinct
SELECT DISTINCT i, f, n FROM nothing;

-- name: empty_having
SELECT count(*) FROM nothing HAVING count(*) = 0;

-- name: empty_never_divides
SELECT 1 / i FROM nothing;

-- name: empty_scalar_subquery
SELECT (SELECT max(i) FROM nothing) IS NULL, (SELECT count(*) FROM nothing);

-- name: empty_exists
SELECT EXISTS (SELECT 1 FROM nothing), 1 IN (SELECT i FROM nothing), 1 NOT IN (SELECT i FROM nothing);

-- name: nulls_select
SELECT * FROM nulls LIMIT 1;

-- name: nulls_arithmetic
SELECT i + 1, b * 2, f / 0, n - 1, t || 'x', d + 1, ts + v, NOT o FROM nulls LIMIT 2;

-- name: nulls_filter
SELECT count(*) FROM nulls WHERE i = i OR t = '' OR f > 0;

-- name: nulls_are_null
SELECT count(*) FROM nulls WHERE i IS NULL AND t IS NULL AND u IS NULL AND y IS NULL;

-- name: nulls_aggregates
SELECT count(*), count(i), sum(i), avg(n), min(t), max(d), bool_and(o), sum(v), max(y), variance(i) FROM nulls;

-- name: nulls_group
SELECT t, i, count(*), sum(b) FROM nulls GROUP BY t, i;

-- name: nulls_group_by_every_type
SELECT count(*) FROM nulls GROUP BY i, b, f, n, t, d, ts, o, v, u, y;

-- name: nulls_distinct
SELECT DISTINCT n, v, u FROM nulls;

-- name: nulls_order
SELECT i, t FROM nulls ORDER BY t DESC, i LIMIT 2;

-- name: nulls_in_functions
SELECT upper(t), length(t), abs(i), sqrt(f), round(n), extract(year from d), date_trunc('day', ts), coalesce(t, 'x'), md5(t) FROM nulls LIMIT 1;

-- name: nulls_like
SELECT count(*) FROM nulls WHERE t LIKE '%' OR t ~ '.*' OR t IN ('a', 'b');

-- name: nulls_case
SELECT CASE WHEN i > 0 THEN 'p' WHEN i <= 0 THEN 'n' ELSE 'u' END AS sign, count(*) FROM nulls GROUP BY sign;

-- name: one_row
SELECT i, t, f, i + f, t || i FROM single;

-- name: one_row_aggregates
SELECT count(*), sum(i), avg(f), stddev_samp(f), stddev_pop(f), min(t), string_agg(t, ',') FROM single;

-- name: one_row_top
SELECT t FROM single ORDER BY f DESC LIMIT 10;
