-- Nodes give only columns that somebody needs.
-- setup
CREATE TABLE t (a int, b int, c text);
INSERT INTO t SELECT i, i % 7, 'c' || i % 3 FROM generate_series(1, 30) AS g (i);

-- name: unused_in_a_subquery
SELECT a FROM (SELECT a, b + 1 AS d, c FROM t) AS s
-- Seq Scan on t

-- name: used_in_a_condition
SELECT a FROM (SELECT a, b + 1 AS d, upper(c) AS e FROM t) AS s WHERE d > 3
-- Project
--   Compute: (b + 1) AS d
--   Filter: (d > 3)
--   ->  Seq Scan on t

-- name: unused_aggregates
SELECT m FROM (SELECT b, max(a) AS m, sum(a) AS n, count(*) FROM t GROUP BY b) AS s
-- HashAggregate
--   Group Key: b
--   Aggregates: max(a)
--   ->  Seq Scan on t

-- name: no_column
SELECT count(*) FROM (SELECT a, b, c FROM t) AS s
-- Aggregate
--   Aggregates: count(*)
--   ->  Seq Scan on t

-- name: one_aggregate_stays
SELECT 1 AS one FROM (SELECT sum(a), max(b) FROM t) AS s
-- Project
--   Compute: 1 AS one
--   ->  Aggregate
--         Aggregates: sum(a)
--         ->  Seq Scan on t

-- name: distinct_keys_stay
SELECT a FROM (SELECT DISTINCT a, b FROM t) AS s
-- HashAggregate
--   Group Key: a, b
--   ->  Seq Scan on t

-- name: sort_keys
SELECT c FROM (SELECT * FROM t ORDER BY b DESC, a) AS s
-- Sort
--   Sort Key: b DESC, a
--   ->  Seq Scan on t

-- name: merged_projects
SELECT x + y AS z FROM (SELECT p AS x, p AS y FROM (SELECT a AS p, 5 AS q FROM t) AS s) AS u
-- Project
--   Compute: (a + a) AS z
--   ->  Seq Scan on t

-- name: constants
SELECT q, a FROM (SELECT a, 5 AS q FROM t) AS s
-- Project
--   Compute: 5 AS q
--   ->  Seq Scan on t

-- name: ordered_aggregate
SELECT string_agg(c, ',' ORDER BY b, a) FROM (SELECT * FROM t) AS s
-- Aggregate
--   Aggregates: string_agg(c, ','::text ORDER BY b, a)
--   ->  Seq Scan on t
