-- EXISTS stops at the first row.
-- setup
CREATE TABLE t (a int, b int);
INSERT INTO t SELECT i, i % 7 FROM generate_series(1, 50) AS g (i);

-- name: exists
SELECT EXISTS (SELECT a + 1 FROM t WHERE b = 3 ORDER BY a)
-- Project
--   Compute: EXISTS(...) AS exists
--   InitPlan 1
--     ->  Limit
--           Limit: 1
--           ->  Project
--                 Compute: t AS exists
--                 ->  Seq Scan on t
--                       Filter: (b = 3)
--   ->  Result

-- name: not_exists
SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM t WHERE b = 9) AND a < 5
-- Seq Scan on t
--   Filter: ((NOT EXISTS(...)) AND (a < 5))
--   InitPlan 1
--     ->  Limit
--           Limit: 1
--           ->  Project
--                 Compute: t AS exists
--                 ->  Seq Scan on t
--                       Filter: (b = 9)

-- name: limited_already
SELECT EXISTS (SELECT a FROM t LIMIT 0)
-- Project
--   Compute: EXISTS(...) AS exists
--   InitPlan 1
--     ->  Limit
--           Limit: 1
--           ->  Project
--                 Compute: t AS exists
--                 ->  Limit
--                       Limit: 0
--                       ->  Seq Scan on t
--   ->  Result

-- name: without_columns
SELECT EXISTS (SELECT 1), EXISTS (SELECT 1 FROM t)
-- Project
--   Compute: EXISTS(...) AS exists, EXISTS(...) AS exists
--   InitPlan 1
--     ->  Limit
--           Limit: 1
--           ->  Project
--                 Compute: t AS exists
--                 ->  Result
--   InitPlan 2
--     ->  Limit
--           Limit: 1
--           ->  Project
--                 Compute: t AS exists
--                 ->  Seq Scan on t
--   ->  Result

-- name: grouped
SELECT EXISTS (SELECT b FROM t GROUP BY b HAVING count(*) > 7)
-- Project
--   Compute: EXISTS(...) AS exists
--   InitPlan 1
--     ->  Limit
--           Limit: 1
--           ->  Project
--                 Compute: t AS exists
--                 ->  HashAggregate
--                       Group Key: b
--                       Aggregates: count(*)
--                       Filter: (count > 7)
--                       ->  Seq Scan on t
--   ->  Result
