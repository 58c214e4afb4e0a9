-- Sums and averages of integers share totals and counts.
-- setup
CREATE TABLE t (g int, x int2 NOT NULL, y int, z int8, f float8);
INSERT INTO t SELECT i % 3, i, CASE WHEN i % 4 > 0 THEN i * 1000 END, i * 9000000000000000::int8, i FROM generate_series(1, 100) AS s (i);
INSERT INTO t VALUES (9, 32767, NULL, 9223372036854775807, 1), (9, -32768, NULL, 9223372036854775807, NULL), (8, 5, 1, NULL, 2);

-- name: many_sums
SELECT sum(x), sum(x + 1), sum(2 + x), sum(x - 3) FROM t
-- Project
--   Compute: CASE WHEN (count(*) <> '0'::bigint) THEN total(x) ELSE NULL::bigint END AS sum, CASE WHEN (count(*) <> '0'::bigint) THEN (total(x) + ('1'::bigint * count(*))) ELSE NULL::bigint END AS sum, CASE WHEN (count(*) <> '0'::bigint) THEN (total(x) + ('2'::bigint * count(*))) ELSE NULL::bigint END AS sum, CASE WHEN (count(*) <> '0'::bigint) THEN (total(x) + ('-3'::bigint * count(*))) ELSE NULL::bigint END AS sum
--   ->  Aggregate
--         Aggregates: total(x), count(*)
--         ->  Seq Scan on t

-- name: sum_and_average
SELECT avg(y), sum(y), count(y), count(*) FROM t
-- Project
--   Compute: CASE WHEN (count(y) <> '0'::bigint) THEN ((total(y))::numeric / (count(y))::numeric) ELSE NULL::numeric END AS avg, CASE WHEN (count(y) <> '0'::bigint) THEN total(y) ELSE NULL::bigint END AS sum
--   ->  Aggregate
--         Aggregates: total(y), count(y), count(*)
--         ->  Seq Scan on t

-- name: average_alone
SELECT avg(x), avg(z) FROM t
-- Project
--   Compute: CASE WHEN (count(*) <> '0'::bigint) THEN ((total(x))::numeric / (count(*))::numeric) ELSE NULL::numeric END AS avg, CASE WHEN (count(z) <> '0'::bigint) THEN (total(z) / (count(z))::numeric) ELSE NULL::numeric END AS avg
--   ->  Aggregate
--         Aggregates: total(x), count(*), total(z), count(z)
--         ->  Seq Scan on t

-- name: sum_alone
SELECT sum(y), sum(f) FROM t
-- Aggregate
--   Aggregates: sum(y), sum(f)
--   ->  Seq Scan on t

-- name: by_group
SELECT g, count(*), sum(x), avg(x), sum(y), avg(y), avg(z) FROM t GROUP BY g
-- Project
--   Compute: ((total(x))::numeric / (count)::numeric) AS avg, CASE WHEN (count(y) <> '0'::bigint) THEN total(y) ELSE NULL::bigint END AS sum, CASE WHEN (count(y) <> '0'::bigint) THEN ((total(y))::numeric / (count(y))::numeric) ELSE NULL::numeric END AS avg, CASE WHEN (count(z) <> '0'::bigint) THEN (total(z) / (count(z))::numeric) ELSE NULL::numeric END AS avg
--   ->  HashAggregate
--         Group Key: g
--         Aggregates: count(*), total(x), total(y), count(y), total(z), count(z)
--         ->  Seq Scan on t

-- name: of_nothing
SELECT sum(x), sum(x + 1), avg(x), avg(y), count(x) FROM t WHERE g > 100
-- Project
--   Compute: CASE WHEN (count(*) <> '0'::bigint) THEN total(x) ELSE NULL::bigint END AS sum, CASE WHEN (count(*) <> '0'::bigint) THEN (total(x) + ('1'::bigint * count(*))) ELSE NULL::bigint END AS sum, CASE WHEN (count(*) <> '0'::bigint) THEN ((total(x))::numeric / (count(*))::numeric) ELSE NULL::numeric END AS avg, CASE WHEN (count(y) <> '0'::bigint) THEN ((total(y))::numeric / (count(y))::numeric) ELSE NULL::numeric END AS avg
--   ->  Aggregate
--         Aggregates: total(x), count(*), total(y), count(y)
--         ->  Seq Scan on t
--               Filter: (g > 100)

-- name: filters
SELECT sum(x) FILTER (WHERE y > 5), avg(x) FILTER (WHERE y > 5), count(*) FILTER (WHERE y > 5), sum(x) FROM t
-- Project
--   Compute: CASE WHEN (count(*) FILTER (WHERE (y > 5)) <> '0'::bigint) THEN total(x) FILTER (WHERE (y > 5)) ELSE NULL::bigint END AS sum, CASE WHEN (count(*) FILTER (WHERE (y > 5)) <> '0'::bigint) THEN ((total(x) FILTER (WHERE (y > 5)))::numeric / (count(*) FILTER (WHERE (y > 5)))::numeric) ELSE NULL::numeric END AS avg, CASE WHEN (count(*) <> '0'::bigint) THEN total(x) ELSE NULL::bigint END AS sum
--   ->  Aggregate
--         Aggregates: total(x) FILTER (WHERE (y > 5)), count(*) FILTER (WHERE (y > 5)), total(x), count(*)
--         ->  Seq Scan on t

-- name: could_overflow
SELECT sum(y), sum(y + 1), sum(y + 2147483647) FROM t
-- Aggregate
--   Aggregates: sum(y), sum((y + 1)), sum((y + 2147483647))
--   ->  Seq Scan on t

-- name: wider_results
SELECT sum(y + 1::int8), sum(y), avg(x + 1) FROM t
-- Project
--   Compute: CASE WHEN (count(y) <> '0'::bigint) THEN ((total(y))::numeric + (1 * (count(y))::numeric)) ELSE NULL::numeric END AS sum, CASE WHEN (count(y) <> '0'::bigint) THEN total(y) ELSE NULL::bigint END AS sum, CASE WHEN (count(*) <> '0'::bigint) THEN (((total(x))::numeric + (1 * (count(*))::numeric)) / (count(*))::numeric) ELSE NULL::numeric END AS avg
--   ->  Aggregate
--         Aggregates: total(y), count(y), total(x), count(*)
--         ->  Seq Scan on t

-- name: distinct
SELECT sum(DISTINCT x), avg(DISTINCT x), count(DISTINCT x) FROM t
-- Aggregate
--   Aggregates: sum(DISTINCT x), avg(DISTINCT x), count(DISTINCT x)
--   ->  Seq Scan on t

-- name: in_having
SELECT g FROM t GROUP BY g HAVING avg(x) > 50 ORDER BY sum(x + 1)
-- Sort
--   Sort Key: sum
--   ->  Project
--         Compute: (total(x) + ('1'::bigint * count(*))) AS sum, ((total(x))::numeric / (count(*))::numeric) AS avg
--         Filter: (avg > 50)
--         ->  HashAggregate
--               Group Key: g
--               Aggregates: total(x), count(*)
--               ->  Seq Scan on t

-- name: counts
SELECT count(x), count(1), count(NULL), count(y), count(x + 1) FROM t
-- Aggregate
--   Aggregates: count(*), count(NULL::text), count(y), count((x + 1))
--   ->  Seq Scan on t

-- name: grouping_sets_with_the_empty_one
SELECT g, sum(x), avg(x) FROM t GROUP BY ROLLUP (g)
-- Project
--   Compute: CASE WHEN (count(*) <> '0'::bigint) THEN total(x) ELSE NULL::bigint END AS sum, CASE WHEN (count(*) <> '0'::bigint) THEN ((total(x))::numeric / (count(*))::numeric) ELSE NULL::numeric END AS avg
--   ->  Grouping Sets
--         Group Keys: (g), ()
--         Aggregates: total(x), count(*)
--         ->  Seq Scan on t

-- name: grouping_sets_without_the_empty_one
SELECT g, sum(x), avg(x) FROM t GROUP BY GROUPING SETS ((g), (x))
-- Project
--   Compute: ((total(x))::numeric / (count(*))::numeric) AS avg
--   ->  Grouping Sets
--         Group Keys: (g), (x)
--         Aggregates: total(x), count(*)
--         ->  Seq Scan on t
