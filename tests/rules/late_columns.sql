-- Top-N over a wide scan reads most columns for the winners only.
-- rules: top_n
-- setup
CREATE TABLE t (a int, b text, c int, d numeric, e text NOT NULL, f int8, v varchar(5)) USING mergetree WITH (order_by = 'c');
INSERT INTO t SELECT i, CASE WHEN i % 5 > 0 THEN 'b' || i % 9 END, i % 17, i / 7.0, 'e' || i, i * 1000000000::int8, 'v' || i % 100
FROM generate_series(1, 30000) AS s (i);
INSERT INTO t SELECT i, 'c', NULL, 10 ^ i, 'f' || i, NULL, 'w' FROM generate_series(30, 60) AS s (i);

-- name: star
SELECT * FROM t ORDER BY a DESC, e LIMIT 5
-- Row Fetch on t
--   Columns: b, c, d, f, v
--   ->  Top-N Sort
--         Sort Key: a DESC, e
--         Limit: 5
--         ->  Seq Scan on t

-- name: filtered
SELECT * FROM t WHERE b LIKE '%3%' AND c > 4 ORDER BY d, a LIMIT 5 OFFSET 2
-- Row Fetch on t
--   Columns: b, c, e, f, v
--   ->  Top-N Sort
--         Sort Key: d, a
--         Limit: 5
--         Offset: 2
--         ->  Seq Scan on t
--               Filter: ((b ~~ '%3%'::text) AND (c > 4))

-- name: hidden_key
SELECT b, d FROM t WHERE b <> '' ORDER BY a LIMIT 7
-- Row Fetch on t
--   Columns: b, d
--   ->  Top-N Sort
--         Sort Key: a
--         Limit: 7
--         ->  Seq Scan on t
--               Filter: (b <> ''::text)

-- name: computed
SELECT a + 1 AS next, upper(b), e, d, c FROM t ORDER BY f DESC NULLS LAST, e LIMIT 4
-- Top-N Sort
--   Sort Key: f DESC NULLS LAST, e
--   Limit: 4
--   ->  Project
--         Compute: (a + 1) AS next, upper(b) AS upper
--         ->  Seq Scan on t

-- name: from_several_parts
SELECT e, b, d, v FROM t WHERE a < 40 ORDER BY a, e LIMIT 25
-- Row Fetch on t
--   Columns: b, d, v
--   ->  Top-N Sort
--         Sort Key: a, e
--         Limit: 25
--         ->  Seq Scan on t
--               Filter: (a < 40)

-- name: key_is_the_text
SELECT b FROM t ORDER BY b, a LIMIT 3
-- Top-N Sort
--   Sort Key: b, a
--   Limit: 3
--   ->  Seq Scan on t

-- name: few_numbers
SELECT a, c FROM t ORDER BY f, e LIMIT 3
-- Top-N Sort
--   Sort Key: f, e
--   Limit: 3
--   ->  Seq Scan on t

-- name: in_a_subquery
SELECT count(*), max(e), min(c) FROM (SELECT * FROM t ORDER BY a, e LIMIT 10) AS s
-- Aggregate
--   Aggregates: count(*), max(e), min(c)
--   ->  Row Fetch on t
--         Columns: b, c, d, f, v
--         ->  Top-N Sort
--               Sort Key: a, e
--               Limit: 10
--               ->  Seq Scan on t

-- name: no_winner
SELECT * FROM t WHERE a < 0 ORDER BY c LIMIT 3
-- Row Fetch on t
--   Columns: a, b, d, e, f, v
--   ->  Top-N Sort
--         Sort Key: c
--         Limit: 3
--         ->  Seq Scan on t
--               Filter: (a < 0)
