-- Equal groups that a statement asks for at several places are made once.
-- rules: predicate_push_down
-- setup
CREATE TABLE t (a int, b int, c int);
INSERT INTO t SELECT i % 50, i % 7, i FROM generate_series(1, 9000) AS g (i);
CREATE TABLE few (a int, b int);
INSERT INTO few VALUES (1, 2), (2, 3);

-- name: one_is_the_average_of_the_other
SELECT x.a, x.total FROM (SELECT a, sum(c) AS total FROM t GROUP BY a) x, (SELECT avg(total) AS mean FROM (SELECT a AS k, sum(c) AS total FROM t GROUP BY a) y) z WHERE x.total > 1.01 * z.mean ORDER BY x.a
-- Sort
--   Sort Key: a
--   ->  Nested Loop Join
--         Join Filter: ((sum)::numeric > (1.01 * avg))
--         ->  CTE Scan on common subplan 1
--               CTE common subplan 1
--                 ->  HashAggregate
--                       Group Key: a
--                       Aggregates: sum(c)
--                       ->  Seq Scan on t
--         ->  Aggregate
--               Aggregates: avg(sum)
--               ->  CTE Scan on common subplan 1

-- name: in_scalar_subqueries
SELECT (SELECT max(n) FROM (SELECT b, count(*) AS n FROM t WHERE c > 5 GROUP BY b) q), (SELECT min(n) FROM (SELECT b, count(*) AS n FROM t WHERE c > 5 GROUP BY b) q)
-- Project
--   Compute: (subquery) AS max, (subquery) AS min
--   InitPlan 1
--     ->  Aggregate
--           Aggregates: max(count)
--           ->  CTE Scan on common subplan 1
--                 CTE common subplan 1
--                   ->  HashAggregate
--                         Group Key: b
--                         Aggregates: count(*)
--                         ->  Seq Scan on t
--                               Filter: (c > 5)
--   InitPlan 2
--     ->  Aggregate
--           Aggregates: min(count)
--           ->  CTE Scan on common subplan 1
--   ->  Result

-- name: largest_first
SELECT x.r, y.r FROM (SELECT a, rank() OVER (ORDER BY sum(c)) AS r FROM t GROUP BY a) x JOIN (SELECT a, rank() OVER (ORDER BY sum(c)) AS r FROM t GROUP BY a) y ON x.r = y.r + 1 ORDER BY 1 LIMIT 3
-- Limit
--   Limit: 3
--   ->  Sort
--         Sort Key: rank
--         ->  Hash Join
--               Hash Cond: (rank = (rank + 1))
--               ->  CTE Scan on common subplan 1
--                     CTE common subplan 1
--                       ->  WindowAgg
--                             Window: w1 AS (ORDER BY sum)
--                             Functions: rank() OVER w1
--                             ->  HashAggregate
--                                   Group Key: a
--                                   Aggregates: sum(c)
--                                   ->  Seq Scan on t
--               ->  CTE Scan on common subplan 1

-- name: the_rest_differs
SELECT x.r, y.r FROM (SELECT a, rank() OVER (ORDER BY sum(c)) AS r FROM t GROUP BY a) x JOIN (SELECT a, rank() OVER (ORDER BY sum(c) DESC) AS r FROM t GROUP BY a) y ON x.r = y.r ORDER BY 1 LIMIT 3
-- Limit
--   Limit: 3
--   ->  Sort
--         Sort Key: rank
--         ->  Hash Join
--               Hash Cond: (rank = rank)
--               ->  WindowAgg
--                     Window: w1 AS (ORDER BY sum)
--                     Functions: rank() OVER w1
--                     ->  CTE Scan on common subplan 1
--                           CTE common subplan 1
--                             ->  HashAggregate
--                                   Group Key: a
--                                   Aggregates: sum(c)
--                                   ->  Seq Scan on t
--               ->  WindowAgg
--                     Window: w1 AS (ORDER BY sum DESC)
--                     Functions: rank() OVER w1
--                     ->  CTE Scan on common subplan 1

-- name: with_queries_of_their_own
SELECT count(*) FROM (WITH w AS (SELECT a, max(c) AS m FROM t GROUP BY a) SELECT v.m FROM w JOIN w AS v USING (m)) x, (SELECT max(c) AS m FROM t GROUP BY a) y WHERE x.m = y.m
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (m = max)
--         ->  Hash Join
--               Hash Cond: (m = m)
--               ->  CTE Scan on w
--                     CTE w
--                       ->  CTE Scan on common subplan 1
--                             CTE common subplan 1
--                               ->  HashAggregate
--                                     Group Key: a
--                                     Aggregates: max(c)
--                                     ->  Seq Scan on t
--               ->  CTE Scan on w
--         ->  CTE Scan on common subplan 1

-- name: conditions_on_the_groups_are_asked_below
SELECT x.total, y.total FROM (SELECT a, sum(c) AS total FROM t GROUP BY a) x, (SELECT a, sum(c) AS total FROM t GROUP BY a) y WHERE x.total > 800000 AND y.total < 790000 AND x.a = y.a + 49
-- Hash Join
--   Hash Cond: (a = (a + 49))
--   ->  CTE Scan on common subplan 1
--         Filter: (sum > 800000)
--         CTE common subplan 1
--           ->  HashAggregate
--                 Group Key: a
--                 Aggregates: sum(c)
--                 ->  Seq Scan on t
--   ->  CTE Scan on common subplan 1
--         Filter: (sum < 790000)

-- name: not_other_rows
SELECT count(*) FROM (SELECT a, sum(c) AS s FROM t GROUP BY a) x, (SELECT a, sum(c) AS s FROM t GROUP BY a) y WHERE x.a = 1 AND y.a = 2
-- Aggregate
--   Aggregates: count(*)
--   ->  Nested Loop Join
--         ->  HashAggregate
--               Group Key: a
--               Aggregates: sum(c)
--               ->  Seq Scan on t
--                     Filter: (a = 1)
--         ->  HashAggregate
--               Group Key: a
--               Aggregates: sum(c)
--               ->  Seq Scan on t
--                     Filter: (a = 2)

-- name: not_what_is_made_at_once
SELECT count(*) FROM (SELECT a, sum(b) AS s FROM few GROUP BY a) x, (SELECT a, sum(b) AS s FROM few GROUP BY a) y WHERE x.s = y.s
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (sum = sum)
--         ->  HashAggregate
--               Group Key: a
--               Aggregates: sum(b)
--               ->  Seq Scan on few
--         ->  HashAggregate
--               Group Key: a
--               Aggregates: sum(b)
--               ->  Seq Scan on few

-- name: as_many_groups_as_rows
SELECT count(*) FROM (SELECT c, sum(b) AS s FROM t GROUP BY c) x, (SELECT c, sum(b) AS s FROM t GROUP BY c) y WHERE x.s = y.c
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (sum = (c)::bigint)
--         ->  CTE Scan on common subplan 1
--               CTE common subplan 1
--                 ->  HashAggregate
--                       Group Key: c
--                       Aggregates: sum(b)
--                       ->  Seq Scan on t
--         ->  CTE Scan on common subplan 1

-- name: nothing_volatile
SELECT count(*) FROM (SELECT a, count(random()) AS s FROM t GROUP BY a) x, (SELECT a, count(random()) AS s FROM t GROUP BY a) y WHERE x.a = y.a
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (a = a)
--         ->  HashAggregate
--               Group Key: a
--               Aggregates: count(random())
--               ->  Seq Scan on t
--         ->  HashAggregate
--               Group Key: a
--               Aggregates: count(random())
--               ->  Seq Scan on t

-- name: correlated_twice
SELECT a, (SELECT sum(c) FROM t WHERE t.a = few.a) AS s FROM few WHERE (SELECT sum(c) FROM t WHERE t.a = few.a) > 10 ORDER BY a
-- Sort
--   Sort Key: a
--   ->  Hash Left Join
--         Hash Cond: (few.a = a)
--         ->  Hash Join
--               Hash Cond: (few.a = a)
--               ->  Seq Scan on few
--               ->  CTE Scan on common subplan 1
--                     Filter: (sum > 10)
--                     CTE common subplan 1
--                       ->  HashAggregate
--                             Group Key: a
--                             Aggregates: sum(c)
--                             ->  Seq Scan on t
--         ->  CTE Scan on common subplan 1
