-- Aggregates over whole tables are answered from what segments know.
-- rules: totals
-- setup
CREATE TABLE t (x int2 NOT NULL, y int, z int8, d date, s text, f float8, n numeric);
INSERT INTO t SELECT i % 1000, CASE WHEN i % 3 > 0 THEN i END, i * 3000000000, DATE '2020-01-01' + i % 77, 's' || i % 50, i, i
FROM generate_series(1, 20000) AS g (i);
INSERT INTO t VALUES (-5, -7, -9000000000000000000, '1999-12-31', 'ä', 'NaN', 1.5), (6, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE empty (x int, s text);
CREATE TABLE nothing (x int, s text);
INSERT INTO nothing VALUES (NULL, NULL), (NULL, NULL);

-- name: rows
SELECT count(*) FROM t
-- Table Facts on t
--   Facts: rows
--   ->  Aggregate
--         Aggregates: count(*)
--         ->  Seq Scan on t

-- name: numbers
SELECT min(x), max(x), sum(x), avg(x), count(y), min(y), max(y), sum(y), avg(y), sum(z), max(z) FROM t
-- Project
--   Compute: CASE WHEN (count(*) <> '0'::bigint) THEN total(x) ELSE NULL::bigint END AS sum, CASE WHEN (count(*) <> '0'::bigint) THEN ((total(x))::numeric / (count(*))::numeric) ELSE NULL::numeric END AS avg, CASE WHEN (count <> '0'::bigint) THEN total(y) ELSE NULL::bigint END AS sum, CASE WHEN (count <> '0'::bigint) THEN ((total(y))::numeric / (count)::numeric) ELSE NULL::numeric END AS avg
--   ->  Table Facts on t
--         Facts: min of x, max of x, total of x, rows, present of y, min of y, max of y, total of y, sum of z, max of z
--         ->  Aggregate
--               Aggregates: min(x), max(x), total(x), count(*), count(y), min(y), max(y), total(y), sum(z), max(z)
--               ->  Seq Scan on t

-- name: dates_and_texts
SELECT min(d), max(d), count(d), min(s), max(s), count(s), count(f) FROM t
-- Table Facts on t
--   Facts: min of d, max of d, present of d, min of s, max of s, present of s, present of f
--   ->  Aggregate
--         Aggregates: min(d), max(d), count(d), min(s), max(s), count(s), count(f)
--         ->  Seq Scan on t

-- name: of_nothing
SELECT count(*), count(x), min(x), max(s), sum(x), avg(x) FROM empty
-- Project
--   Compute: CASE WHEN (count <> '0'::bigint) THEN total(x) ELSE NULL::bigint END AS sum, CASE WHEN (count <> '0'::bigint) THEN ((total(x))::numeric / (count)::numeric) ELSE NULL::numeric END AS avg
--   ->  Table Facts on empty
--         Facts: rows, present of x, min of x, max of s, total of x
--         ->  Aggregate
--               Aggregates: count(*), count(x), min(x), max(s), total(x)
--               ->  Seq Scan on empty

-- name: of_nulls
SELECT count(*), count(x), min(x), max(s), sum(x), avg(x) FROM nothing
-- Project
--   Compute: CASE WHEN (count <> '0'::bigint) THEN total(x) ELSE NULL::bigint END AS sum, CASE WHEN (count <> '0'::bigint) THEN ((total(x))::numeric / (count)::numeric) ELSE NULL::numeric END AS avg
--   ->  Table Facts on nothing
--         Facts: rows, present of x, min of x, max of s, total of x
--         ->  Aggregate
--               Aggregates: count(*), count(x), min(x), max(s), total(x)
--               ->  Seq Scan on nothing

-- name: some_unknown
SELECT min(x), sum(f) FROM t
-- Aggregate
--   Aggregates: min(x), sum(f)
--   ->  Seq Scan on t

-- name: floats
SELECT min(f), max(f) FROM t
-- Aggregate
--   Aggregates: min(f), max(f)
--   ->  Seq Scan on t

-- name: filtered
SELECT count(*) FILTER (WHERE x > 5), count(DISTINCT x) FROM t
-- Aggregate
--   Aggregates: count(*) FILTER (WHERE (x > 5)), count(DISTINCT x)
--   ->  Seq Scan on t

-- name: of_some_rows
SELECT count(*) FROM t WHERE x > 5
-- Aggregate
--   Aggregates: count(*)
--   ->  Seq Scan on t
--         Filter: (x > 5)

-- name: used_further
SELECT max(x) + 1 AS next FROM t HAVING count(*) > 3 ORDER BY 1 LIMIT 1
-- Limit
--   Limit: 1
--   ->  Sort
--         Sort Key: next
--         ->  Project
--               Compute: (max + 1) AS next
--               ->  Table Facts on t
--                     Facts: max of x, rows
--                     Filter: (count > 3)
--                     ->  Aggregate
--                           Aggregates: max(x), count(*)
--                           ->  Seq Scan on t

-- name: in_a_condition
SELECT count(*) FROM t WHERE y = (SELECT max(y) FROM t)
-- Aggregate
--   Aggregates: count(*)
--   ->  Seq Scan on t
--         Filter: (y = (subquery))
--         InitPlan 1
--           ->  Table Facts on t
--                 Facts: max of y
--                 ->  Aggregate
--                       Aggregates: max(y)
--                       ->  Seq Scan on t
