-- Conditions go down to where the rows come from.
-- setup
CREATE TABLE t (a int, b text, n numeric);
INSERT INTO t SELECT i % 10, 'b' || i % 4, i % 3 FROM generate_series(1, 100) AS s (i);
INSERT INTO t VALUES (NULL, NULL, NULL), (3, 'b1', 1.00), (0, 'zero', 0);

-- name: through_a_project
SELECT * FROM (SELECT a + 1 AS c, upper(b) AS d FROM t) AS s WHERE c > 5 AND d LIKE 'B1%'
-- Project
--   Compute: (a + 1) AS c, upper(b) AS d
--   ->  Seq Scan on t
--         Filter: (((a + 1) > 5) AND (upper(b) ~~ 'B1%'::text))

-- name: having_on_a_key
SELECT a, count(*) FROM t GROUP BY a HAVING a > 3 AND count(*) > 5
-- HashAggregate
--   Group Key: a
--   Aggregates: count(*)
--   Filter: (count > 5)
--   ->  Seq Scan on t
--         Filter: (a > 3)

-- name: having_on_a_numeric_key
SELECT n, count(*) FROM t GROUP BY n HAVING n > 1
-- HashAggregate
--   Group Key: n
--   Aggregates: count(*)
--   Filter: (n > 1)
--   ->  Seq Scan on t

-- name: above_a_grouped_subquery
SELECT * FROM (SELECT a % 3 AS m, b, sum(a) AS total FROM t GROUP BY a % 3, b) AS s WHERE m = 1 AND total > 20
-- HashAggregate
--   Group Key: (a % 3), b
--   Aggregates: sum(a)
--   Filter: (sum > 20)
--   ->  Seq Scan on t
--         Filter: ((a % 3) = 1)

-- name: above_distinct
SELECT * FROM (SELECT DISTINCT a, b FROM t) AS s WHERE a = 3
-- HashAggregate
--   Group Key: a, b
--   ->  Seq Scan on t
--         Filter: (a = 3)

-- name: not_through_limit
SELECT * FROM (SELECT a FROM t ORDER BY a LIMIT 10) AS s WHERE a > 0
-- Limit
--   Limit: 10
--   Filter: (a > 0)
--   ->  Sort
--         Sort Key: a
--         ->  Seq Scan on t

-- name: through_order
SELECT * FROM (SELECT a FROM t ORDER BY a) AS s WHERE a > 7
-- Sort
--   Sort Key: a
--   ->  Seq Scan on t
--         Filter: (a > 7)

-- name: volatile
SELECT count(*) FROM (SELECT a, random() AS r FROM t) AS s WHERE r < 2 AND a > 5
-- Aggregate
--   Aggregates: count(*)
--   ->  Project
--         Compute: random() AS r
--         Filter: ((r < 2) AND (a > 5))
--         ->  Seq Scan on t

-- name: guard_stays_in_front
SELECT * FROM (SELECT a, 10 / a AS q FROM t WHERE a <> 0) AS s WHERE q > 2
-- Project
--   Compute: (10 / a) AS q
--   ->  Seq Scan on t
--         Filter: ((a <> 0) AND ((10 / a) > 2))

-- name: several_levels
SELECT * FROM (SELECT c, c * 2 AS d FROM (SELECT a AS c FROM t WHERE a > 1) AS s WHERE c < 9) AS u WHERE d > 6
-- Project
--   Compute: (a * 2) AS d
--   ->  Seq Scan on t
--         Filter: ((a > 1) AND (a < 9) AND ((a * 2) > 6))

-- name: nothing_to_group_by
SELECT count(*) FROM t HAVING 1 > 2
-- Aggregate
--   Aggregates: count(*)
--   Filter: (1 > 2)
--   ->  Seq Scan on t

-- name: having_on_a_key_of_all_grouping_sets
SELECT a, b, count(*) FROM t GROUP BY a, ROLLUP (b) HAVING a > 3 AND b = 'b1'
-- Grouping Sets
--   Group Keys: (a, b), (a)
--   Aggregates: count(*)
--   Filter: (b = 'b1'::text)
--   ->  Seq Scan on t
--         Filter: (a > 3)

-- name: having_on_a_key_of_some_grouping_sets
SELECT a, count(*) FROM t GROUP BY ROLLUP (a) HAVING a > 3
-- Grouping Sets
--   Group Keys: (a), ()
--   Aggregates: count(*)
--   Filter: (a > 3)
--   ->  Seq Scan on t

-- name: rows_without_a_partner
SELECT x.a, y.b, y.n FROM t AS x LEFT JOIN t AS y ON x.a = y.a + 7 AND y.b > 'b1' WHERE y.a IS NULL AND x.n = 1 AND y.n IS NULL
-- Project
--   Compute: NULL::integer AS a, NULL::text AS b, NULL::numeric AS n
--   ->  Hash Anti Join
--         Hash Cond: (x.a = (y.a + 7))
--         ->  Seq Scan on t x
--               Filter: ((n = 1) AND (NULL::numeric IS NULL))
--         ->  Seq Scan on t y
--               Filter: (b > 'b1'::text)

-- name: rows_whose_partner_may_have_null
SELECT x.a, y.b, y.n FROM t AS x LEFT JOIN t AS y ON x.a = y.a + 7 WHERE y.n IS NULL
-- Hash Left Join
--   Hash Cond: (x.a = (y.a + 7))
--   Filter: (n IS NULL)
--   ->  Seq Scan on t x
--   ->  Seq Scan on t y

-- name: rows_without_a_partner_in_both_of_two
SELECT x.a, y.a, z.a FROM t AS x LEFT JOIN t AS y ON x.a = y.a + 7 LEFT JOIN t AS z ON y.a = z.a WHERE y.a IS NULL AND z.a IS NULL
-- Project
--   Compute: NULL::integer AS a
--   ->  Hash Anti Join
--         Hash Cond: (y.a = z.a)
--         ->  Project
--               Compute: NULL::integer AS a
--               ->  Hash Anti Join
--                     Hash Cond: (x.a = (y.a + 7))
--                     ->  Seq Scan on t x
--                     ->  Seq Scan on t y
--         ->  Seq Scan on t z
--               Filter: (a IS NULL)

-- name: branches_of_a_union
SELECT * FROM (SELECT a, b FROM t UNION ALL SELECT n::int, upper(b) FROM t) AS s WHERE a = 1 AND random() < 2 AND b LIKE 'B%'
-- Project
--   Filter: ((random() < 2) AND (b ~~ 'B%'::text))
--   ->  Append
--         ->  Seq Scan on t
--               Filter: (a = 1)
--         ->  Project
--               Compute: (n)::integer AS n, upper(b) AS upper
--               ->  Seq Scan on t
--                     Filter: ((n)::integer = 1)

-- name: asked_of_left_keys_and_of_right_ones
SELECT x.b, y.b FROM t AS x LEFT JOIN t AS y ON x.a = y.a AND x.b = y.b WHERE x.a IN (1, 3) AND x.b > 'b' AND x.n = 1
-- Hash Left Join
--   Hash Cond: ((x.a = y.a) AND (x.b = y.b))
--   ->  Seq Scan on t x
--         Filter: ((a IN (1, 3)) AND (b > 'b'::text) AND (n = 1))
--   ->  Seq Scan on t y
--         Filter: ((a IN (1, 3)) AND (b > 'b'::text))

-- name: asked_of_the_keys_of_rows_without_partner
SELECT count(*) FROM t AS x WHERE x.a < 5 AND NOT EXISTS (SELECT 1 FROM t AS y WHERE x.a = y.a AND y.n = 2)
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Anti Join
--         Hash Cond: (x.a = y.a)
--         ->  Seq Scan on t x
--               Filter: (a < 5)
--         ->  Seq Scan on t y
--               Filter: ((n = 2) AND (a < 5))

-- name: asked_through_two_outer_joins
SELECT x.b, y.b, z.b FROM t AS x LEFT JOIN t AS y ON x.a = y.a LEFT JOIN t AS z ON x.a = z.a WHERE x.a = 3
-- Hash Left Join
--   Hash Cond: (x.a = z.a)
--   ->  Hash Left Join
--         Hash Cond: (x.a = y.a)
--         ->  Seq Scan on t x
--               Filter: (a = 3)
--         ->  Seq Scan on t y
--               Filter: (a = 3)
--   ->  Seq Scan on t z
--         Filter: (a = 3)

-- name: not_asked_of_keys_that_are_equal_and_not_the_same
SELECT x.b, y.b FROM t AS x LEFT JOIN t AS y ON x.n = y.n WHERE x.n::text = '1'
-- Hash Left Join
--   Hash Cond: (x.n = y.n)
--   ->  Seq Scan on t x
--         Filter: ((n)::text = '1'::text)
--   ->  Seq Scan on t y

-- name: not_asked_of_the_left_side
SELECT x.b, y.b FROM t AS x LEFT JOIN t AS y ON x.a = y.a AND y.a = 3
-- Hash Left Join
--   Hash Cond: (x.a = y.a)
--   ->  Seq Scan on t x
--   ->  Seq Scan on t y
--         Filter: (a = 3)

-- name: partners_that_a_join_above_needs
SELECT x.a, y.b FROM t AS x LEFT JOIN t AS y ON x.a = y.a JOIN t AS z ON y.b = z.b
-- Hash Join
--   Hash Cond: (y.b = z.b)
--   ->  Hash Join
--         Hash Cond: (x.a = y.a)
--         ->  Seq Scan on t x
--         ->  Seq Scan on t y
--   ->  Seq Scan on t z

-- name: partners_that_a_join_below_another_needs
SELECT count(*) FROM t AS w LEFT JOIN (t AS x FULL JOIN t AS y ON x.a = y.a) ON w.n = x.n JOIN t AS z ON x.b = z.b
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (x.b = z.b)
--         ->  Hash Join
--               Hash Cond: (w.n = x.n)
--               ->  Seq Scan on t w
--               ->  Hash Left Join
--                     Hash Cond: (x.a = y.a)
--                     ->  Seq Scan on t x
--                     ->  Seq Scan on t y
--         ->  Seq Scan on t z

-- name: partners_that_nobody_needs
SELECT x.a, y.b FROM t AS x LEFT JOIN t AS y ON x.a = y.a JOIN t AS z ON coalesce(y.b, 'b1') = z.b LEFT JOIN t AS v ON v.b = y.b
-- Hash Left Join
--   Hash Cond: (y.b = v.b)
--   ->  Hash Join
--         Hash Cond: (COALESCE(y.b, 'b1'::text) = z.b)
--         ->  Hash Left Join
--               Hash Cond: (x.a = y.a)
--               ->  Seq Scan on t x
--               ->  Seq Scan on t y
--         ->  Seq Scan on t z
--   ->  Seq Scan on t v
