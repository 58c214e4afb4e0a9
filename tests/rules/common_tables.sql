-- WITH queries that are computed once give only columns and rows that one of their mentions needs.
-- rules: predicate_push_down, column_pruning
-- setup
CREATE TABLE t (a int, b int, c int, s text);
INSERT INTO t SELECT i, i % 7, i % 3, 'text ' || i FROM generate_series(1, 100) AS g (i);

-- name: conditions_of_all_mentions
WITH w AS (SELECT a, b, c, s FROM t) SELECT w.a FROM w, w AS v WHERE w.b = 1 AND v.b = 2 AND v.c = 0 AND w.a = v.a + 1
-- Hash Join
--   Hash Cond: (a = (a + 1))
--   ->  CTE Scan on w
--         Filter: (b = 1)
--         CTE w
--           ->  Seq Scan on t
--                 Filter: ((b = 1) OR ((b = 2) AND (c = 0)))
--   ->  CTE Scan on w
--         Filter: ((b = 2) AND (c = 0))

-- name: a_mention_without_condition
WITH w AS (SELECT a, b, s FROM t) SELECT w.s FROM w, w AS v WHERE w.b = 1 AND w.a = v.a + 1
-- Hash Join
--   Hash Cond: (a = (a + 1))
--   ->  CTE Scan on w
--         Filter: (b = 1)
--         CTE w
--           ->  Seq Scan on t
--   ->  CTE Scan on w

-- name: not_what_stays_above_aggregates
WITH w AS (SELECT b, c, sum(a) AS total, max(s) FROM t GROUP BY b, c) SELECT w.total - v.total FROM w, w AS v WHERE w.b = 1 AND v.b = 2 AND w.c = v.c AND w.total > 9
-- Project
--   Compute: (total - total) AS ?column?
--   ->  Hash Join
--         Hash Cond: (c = c)
--         ->  CTE Scan on w
--               Filter: ((b = 1) AND (total > 9))
--               CTE w
--                 ->  HashAggregate
--                       Group Key: b, c
--                       Aggregates: sum(a)
--                       ->  Seq Scan on t
--                             Filter: ((b = 1) OR (b = 2))
--         ->  CTE Scan on w
--               Filter: (b = 2)

-- name: branches
WITH w AS (SELECT 'x' AS kind, b AS k, count(*) AS n FROM t GROUP BY b UNION ALL SELECT 'y', c, count(*) FROM t GROUP BY c) SELECT w.n, v.n FROM w, w AS v WHERE w.kind = 'x' AND v.kind = 'y' AND w.k = v.k AND v.k < 2
-- Hash Join
--   Hash Cond: (k = k)
--   ->  CTE Scan on w
--         Filter: (kind = 'x'::text)
--         CTE w
--           ->  Append
--                 ->  Project
--                       Compute: 'x'::text AS kind
--                       ->  HashAggregate
--                             Group Key: b
--                             Aggregates: count(*)
--                             ->  Seq Scan on t
--                                   Filter: (('x'::text = 'x'::text) OR (('x'::text = 'y'::text) AND (b < 2)))
--                 ->  Project
--                       Compute: 'y'::text AS ?column?
--                       ->  HashAggregate
--                             Group Key: c
--                             Aggregates: count(*)
--                             ->  Seq Scan on t
--                                   Filter: (('y'::text = 'x'::text) OR (('y'::text = 'y'::text) AND (c < 2)))
--   ->  CTE Scan on w
--         Filter: ((kind = 'y'::text) AND (k < 2))

-- name: one_reads_the_other
WITH w AS (SELECT a, b, c FROM t), v AS (SELECT a, b FROM w WHERE c = 1) SELECT x.a FROM v AS x, v AS y, w WHERE x.b = 1 AND y.b = 2 AND w.c = 2 AND x.a = y.a AND w.a = x.a
-- Hash Join
--   Hash Cond: (a = a)
--   ->  Hash Join
--         Hash Cond: (a = a)
--         ->  CTE Scan on v
--               Filter: (b = 1)
--               CTE v
--                 ->  CTE Scan on w
--                       Filter: ((c = 1) AND ((b = 1) OR (b = 2)))
--                       CTE w
--                         ->  Seq Scan on t
--                               Filter: ((c = 2) OR ((c = 1) AND ((b = 1) OR (b = 2))))
--         ->  CTE Scan on v
--               Filter: (b = 2)
--   ->  CTE Scan on w
--         Filter: (c = 2)

-- name: in_subqueries
WITH w AS (SELECT a, b, c FROM t) SELECT a, (SELECT count(*) FROM w WHERE w.b = 3) FROM t WHERE EXISTS (SELECT 1 FROM w WHERE w.a = t.a AND w.b = 4)
-- Project
--   Compute: (subquery) AS count
--   InitPlan 1
--     ->  Aggregate
--           Aggregates: count(*)
--           ->  CTE Scan on w
--                 Filter: (b = 3)
--                 CTE w
--                   ->  Seq Scan on t
--                         Filter: ((b = 4) OR (b = 3))
--   ->  Hash Semi Join
--         Hash Cond: (t.a = a)
--         ->  Seq Scan on t
--         ->  CTE Scan on w
--               Filter: (b = 4)

-- name: all_rows_if_asked_for
WITH w AS MATERIALIZED (SELECT a, b, s FROM t) SELECT w.a FROM w, w AS v WHERE w.b = 1 AND v.b = 1 AND w.a = v.a
-- Hash Join
--   Hash Cond: (a = a)
--   ->  CTE Scan on w
--         Filter: (b = 1)
--         CTE w
--           ->  Seq Scan on t
--   ->  CTE Scan on w
--         Filter: (b = 1)

-- name: nothing_volatile
WITH w AS (SELECT a, random() AS r, b FROM t) SELECT count(*) FROM w, w AS v WHERE w.r < 2 AND v.r < 2 AND w.a = v.a
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (a = a)
--         ->  CTE Scan on w
--               Filter: (r < 2)
--               CTE w
--                 ->  Project
--                       Compute: random() AS r
--                       Filter: (r < 2)
--                       ->  Seq Scan on t
--         ->  CTE Scan on w
--               Filter: (r < 2)
