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
