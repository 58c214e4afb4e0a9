-- LIMIT over ORDER BY keeps only the rows that can be among the first.
-- setup
CREATE TABLE t (x int, y text);
INSERT INTO t SELECT i, 'y' || i % 7 FROM generate_series(1, 50) AS g (i);

-- name: limit
SELECT x FROM t ORDER BY x LIMIT 5
-- Top-N Sort
--   Sort Key: x
--   Limit: 5
--   ->  Seq Scan on t

-- name: offset
SELECT x FROM t ORDER BY y, x DESC LIMIT 5 OFFSET 3
-- Top-N Sort
--   Sort Key: y, x DESC
--   Limit: 5
--   Offset: 3
--   ->  Seq Scan on t

-- name: no_order
SELECT count(*) FROM (SELECT x FROM t LIMIT 5) AS s
-- Aggregate
--   Aggregates: count(*)
--   ->  Limit
--         Limit: 5
--         ->  Seq Scan on t

-- name: nothing
SELECT x FROM t ORDER BY x LIMIT 0
-- Top-N Sort
--   Sort Key: x
--   Limit: 0
--   ->  Seq Scan on t

-- name: the_first_of_each_partition
SELECT x FROM (SELECT x, rank() OVER (PARTITION BY y ORDER BY x) AS r FROM t) AS s WHERE r < 3 AND x > 5
-- Project
--   Filter: ((rank < 3) AND (x > 5))
--   ->  WindowAgg
--         Window: w1 AS (PARTITION BY y ORDER BY x)
--         Functions: rank() OVER w1
--         ->  Seq Scan on t

-- name: the_first_by_two_numbers_of_one_window
SELECT x FROM (SELECT x, rank() OVER w AS r, row_number() OVER w AS n FROM t WINDOW w AS (ORDER BY y)) AS s WHERE r <= 9 AND 4 = n
-- Project
--   Filter: ((rank <= 9) AND (4 = row_number))
--   ->  WindowAgg
--         Window: w AS (ORDER BY y)
--         Functions: rank() OVER w, row_number() OVER w
--         ->  Seq Scan on t

-- name: not_where_more_is_computed
SELECT x FROM (SELECT x, rank() OVER w AS r, count(*) OVER w AS n FROM t WINDOW w AS (ORDER BY y)) AS s WHERE r <= 9
-- Project
--   Filter: (rank <= 9)
--   ->  WindowAgg
--         Window: w AS (ORDER BY y)
--         Functions: rank() OVER w, count(*) OVER w
--         ->  Seq Scan on t

-- name: not_by_what_is_no_rank
SELECT x FROM (SELECT x, dense_rank() OVER (ORDER BY y) AS r FROM t) AS s WHERE r <= 2
-- Project
--   Filter: (dense_rank <= 2)
--   ->  WindowAgg
--         Window: w1 AS (ORDER BY y)
--         Functions: dense_rank() OVER w1
--         ->  Seq Scan on t
