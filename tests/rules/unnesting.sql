-- Correlated subqueries and LATERAL become joins.
-- setup
CREATE TABLE t (id int NOT NULL, a int, b int);
INSERT INTO t VALUES (1, 1, 10), (2, 1, 20), (3, 2, NULL), (4, NULL, 7), (5, 9, 0);
CREATE TABLE u (k int NOT NULL, a int, x int);
INSERT INTO u VALUES (1, 1, 10), (2, 1, NULL), (3, 2, 20), (4, NULL, 7);

-- name: exists
SELECT id FROM t WHERE EXISTS (SELECT x + 1 FROM u WHERE u.a = t.a AND u.x > 5) AND b > 0
-- Hash Semi Join
--   Hash Cond: (t.a = u.a)
--   ->  Seq Scan on t
--         Filter: (b > 0)
--   ->  Seq Scan on u
--         Filter: (x > 5)

-- name: not_exists
SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND u.x <> t.b)
-- Hash Anti Join
--   Hash Cond: (t.a = u.a)
--   Join Filter: (u.x <> t.b)
--   ->  Seq Scan on t
--   ->  Seq Scan on u

-- name: exists_as_value
SELECT id, EXISTS (SELECT 1 FROM u WHERE u.a = t.a) OR b = 0 FROM t
-- Project
--   Compute: (mark OR (b = 0)) AS ?column?
--   ->  Hash Mark Join
--         Hash Cond: (t.a = u.a)
--         ->  Seq Scan on t
--         ->  Seq Scan on u

-- name: in_uncorrelated
SELECT id FROM t WHERE b IN (SELECT x FROM u)
-- Hash Semi Join
--   Hash Cond: (t.b = x)
--   ->  Seq Scan on t
--   ->  Seq Scan on u

-- name: in_correlated
SELECT id FROM t WHERE b IN (SELECT x FROM u WHERE u.a = t.a)
-- Hash Semi Join
--   Hash Cond: ((t.a = u.a) AND (t.b = u.x))
--   ->  Seq Scan on t
--   ->  Seq Scan on u

-- name: not_in_of_columns_that_may_be_null
SELECT id FROM t WHERE b NOT IN (SELECT x FROM u WHERE u.a = t.a)
-- Hash Mark Join
--   Hash Cond: (t.a = a)
--   Filter: (NOT (mark OR CASE WHEN (b IS NULL) THEN mark ELSE f END))
--   ->  Hash Mark Join
--         Hash Cond: (t.a = a)
--         Join Filter: (x IS NULL)
--         ->  Hash Anti Join
--               Hash Cond: ((t.a = u.a) AND (t.b = u.x))
--               ->  Seq Scan on t
--               ->  Seq Scan on u
--         ->  Seq Scan on u
--   ->  Seq Scan on u

-- name: not_in_of_columns_that_are_not_null
SELECT id FROM t WHERE id NOT IN (SELECT k FROM u WHERE u.a = t.a)
-- Hash Anti Join
--   Hash Cond: ((t.a = u.a) AND (t.id = u.k))
--   ->  Seq Scan on t
--   ->  Seq Scan on u

-- name: all_as_value
SELECT id, id > ALL (SELECT x FROM u WHERE u.a = t.a) FROM t
-- Project
--   Compute: (NOT CASE WHEN mark THEN t WHEN mark THEN NULL::boolean ELSE f END) AS ?column?
--   ->  Hash Mark Join
--         Hash Cond: (t.a = a)
--         Join Filter: (x IS NULL)
--         ->  Hash Mark Join
--               Hash Cond: (t.a = u.a)
--               Join Filter: (t.id <= u.x)
--               ->  Seq Scan on t
--               ->  Seq Scan on u
--         ->  Seq Scan on u

-- name: aggregate
SELECT id FROM t WHERE b < (SELECT 0.5 * avg(x) FROM u WHERE u.a = t.a)
-- Hash Left Join
--   Hash Cond: (t.a = a)
--   Filter: ((b)::numeric < (0.5 * avg))
--   ->  Seq Scan on t
--   ->  HashAggregate
--         Group Key: a
--         Aggregates: avg(x)
--         ->  Seq Scan on u

-- name: count_of_no_rows
SELECT id, (SELECT count(*) FROM u WHERE u.a = t.a) FROM t
-- Project
--   Compute: COALESCE(count, '0'::bigint) AS count
--   ->  Hash Left Join
--         Hash Cond: (t.a = a)
--         ->  Seq Scan on t
--         ->  HashAggregate
--               Group Key: a
--               Aggregates: count(*)
--               ->  Seq Scan on u

-- name: one_row
SELECT id, (SELECT x FROM u WHERE u.k = t.id) FROM t
-- Project
--   Compute: one row(x) AS x
--   ->  Hash Left Join
--         Hash Cond: (t.id = k)
--         ->  Seq Scan on t
--         ->  HashAggregate
--               Group Key: k
--               Aggregates: any_value(x), count(*)
--               ->  Seq Scan on u

-- name: without_from
SELECT id, (SELECT t.a + 1 WHERE t.b > 0) FROM t
-- Project
--   Compute: CASE WHEN (b > 0) THEN (a + 1) ELSE NULL::integer END AS ?column?
--   ->  Seq Scan on t

-- name: for_the_domain
SELECT id, (SELECT sum(x) FROM u WHERE u.a < t.a) FROM t
-- Hash Left Join
--   Hash Cond: ((COALESCE(t.a, 0) = COALESCE(a, 0)) AND ((t.a IS NULL) = (a IS NULL)))
--   ->  Shared
--         ->  Seq Scan on t
--   ->  HashAggregate
--         Group Key: a
--         Aggregates: sum(x)
--         ->  Nested Loop Join
--               Filter: (a < a)
--               ->  Shared
--                     ->  HashAggregate
--                           Group Key: a
--                           ->  Shared
--                                 ->  Seq Scan on t
--               ->  Seq Scan on u

-- name: what_may_fail_only_for_the_domain
SELECT id, (SELECT sum(100 / x) FROM u WHERE u.a = t.a) FROM t
-- Hash Left Join
--   Hash Cond: ((COALESCE(t.a, 0) = COALESCE(a, 0)) AND ((t.a IS NULL) = (a IS NULL)))
--   ->  Shared
--         ->  Seq Scan on t
--   ->  HashAggregate
--         Group Key: a
--         Aggregates: sum((100 / x))
--         ->  Nested Loop Join
--               Filter: (a = a)
--               ->  Shared
--                     ->  HashAggregate
--                           Group Key: a
--                           ->  Shared
--                                 ->  Seq Scan on t
--               ->  Seq Scan on u

-- name: first_of_each_value
SELECT id, (SELECT k FROM u WHERE u.a = t.a ORDER BY x LIMIT 1) FROM t
-- Hash As-of Join
--   Hash Cond: (t.a = u.a)
--   First By: u.x
--   ->  Seq Scan on t
--   ->  Project
--         Compute: t AS there
--         ->  Seq Scan on u

-- name: two_levels
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND NOT EXISTS (SELECT 1 FROM u w WHERE w.k > u.k AND w.x = t.b))
-- Hash Semi Join
--   Hash Cond: ((COALESCE(t.a, 0) = COALESCE(a, 0)) AND ((t.a IS NULL) = (a IS NULL)) AND (COALESCE(t.b, 0) = COALESCE(b, 0)) AND ((t.b IS NULL) = (b IS NULL)))
--   ->  Shared
--         ->  Seq Scan on t
--   ->  Hash Anti Join
--         Hash Cond: (b = w.x)
--         Join Filter: (w.k > u.k)
--         ->  Nested Loop Join
--               Filter: (a = a)
--               ->  Shared
--                     ->  HashAggregate
--                           Group Key: a, b
--                           ->  Shared
--                                 ->  Seq Scan on t
--               ->  Seq Scan on u
--         ->  Seq Scan on u w

-- name: lateral
SELECT id, q.z FROM t LEFT JOIN LATERAL (SELECT x + t.b AS z FROM u WHERE u.a = t.a) q ON true
-- Project
--   Compute: CASE WHEN (there IS NOT NULL) THEN (x + b) ELSE NULL::integer END AS z
--   ->  Hash Left Join
--         Hash Cond: (t.a = u.a)
--         ->  Seq Scan on t
--         ->  Project
--               Compute: t AS there
--               ->  Seq Scan on u

-- name: lateral_aggregate
SELECT id, q.n FROM t, LATERAL (SELECT count(*) AS n FROM u WHERE u.a = t.a) q WHERE q.n > 1
-- Project
--   Compute: COALESCE(count, '0'::bigint) AS count
--   Filter: (count > 1)
--   ->  Hash Left Join
--         Hash Cond: (t.a = a)
--         ->  Seq Scan on t
--         ->  HashAggregate
--               Group Key: a
--               Aggregates: count(*)
--               ->  Seq Scan on u

-- name: lateral_series
SELECT id, g FROM t, generate_series(1, t.a) g
-- Expand
--   Lists: generate_series(1, a, 1)
--   ->  Seq Scan on t
