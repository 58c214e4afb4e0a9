-- Orders that make no difference are left out.
-- setup
CREATE TABLE t (a int, b int, n numeric);
INSERT INTO t SELECT i % 10, i % 7, i % 3 FROM generate_series(1, 50) AS g (i);

-- name: constants_and_repetitions
SELECT a, b FROM t ORDER BY a, 'x'::text, a DESC, b, a + 0
-- Sort
--   Sort Key: a, b, (a + 0)
--   ->  Project
--         Compute: 'x'::text AS 'x'::text, (a + 0) AS (a + 0)
--         ->  Seq Scan on t

-- name: one_row
SELECT count(*) FROM t ORDER BY 1
-- Aggregate
--   Aggregates: count(*)
--   ->  Seq Scan on t

-- name: behind_group_keys
SELECT a, count(*) FROM t GROUP BY a ORDER BY a, count(*), sum(b)
-- Sort
--   Sort Key: a
--   ->  HashAggregate
--         Group Key: a
--         Aggregates: count(*), sum(b)
--         ->  Seq Scan on t

-- name: before_group_keys
SELECT a, count(*) FROM t GROUP BY a ORDER BY count(*), a, sum(b)
-- Sort
--   Sort Key: count, a
--   ->  HashAggregate
--         Group Key: a
--         Aggregates: count(*), sum(b)
--         ->  Seq Scan on t

-- name: only_some_group_keys
SELECT a, b, count(*) FROM t GROUP BY a, b ORDER BY a, count(*), b
-- Sort
--   Sort Key: a, count, b
--   ->  HashAggregate
--         Group Key: a, b
--         Aggregates: count(*)
--         ->  Seq Scan on t

-- name: numeric_group_key
SELECT n, count(*) FROM t GROUP BY n ORDER BY n, count(*)
-- Sort
--   Sort Key: n, count
--   ->  HashAggregate
--         Group Key: n
--         Aggregates: count(*)
--         ->  Seq Scan on t

-- name: below_an_aggregate
SELECT sum(a) FROM (SELECT a FROM t WHERE b > 2 ORDER BY b) AS s
-- Aggregate
--   Aggregates: sum(a)
--   ->  Seq Scan on t
--         Filter: (b > 2)

-- name: below_an_aggregate_that_cares
SELECT string_agg(a::text, ',') FROM (SELECT a FROM t WHERE b > 2 ORDER BY a) AS s
-- Aggregate
--   Aggregates: string_agg((a)::text, ','::text)
--   ->  Sort
--         Sort Key: a
--         ->  Seq Scan on t
--               Filter: (b > 2)

-- name: with_a_limit
SELECT sum(a) FROM (SELECT a FROM t ORDER BY a LIMIT 5) AS s
-- Aggregate
--   Aggregates: sum(a)
--   ->  Limit
--         Limit: 5
--         ->  Sort
--               Sort Key: a
--               ->  Seq Scan on t

-- name: only_a_constant
SELECT count(*) FROM (SELECT a FROM t ORDER BY 'x'::text LIMIT 5) AS s
-- Aggregate
--   Aggregates: count(*)
--   ->  Limit
--         Limit: 5
--         ->  Project
--               Compute: 'x'::text AS 'x'::text
--               ->  Seq Scan on t
