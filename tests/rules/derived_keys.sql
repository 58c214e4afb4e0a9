-- Group keys that follow from others are computed for each group.
-- setup
CREATE TABLE t (x int NOT NULL, y text, n numeric, f float8, b bpchar(4));
INSERT INTO t SELECT i % 5, 'y' || i % 3, (i % 2)::numeric, i % 4, 'b' FROM generate_series(1, 40) AS s (i);
INSERT INTO t VALUES (1, NULL, 1.00, -0.0, 'b'), (2, 'y0', 0.00, 'NaN', NULL), (7, 'Y', NULL, NULL, '');

-- name: shifted
SELECT x, x - 1, x - 2, count(*) FROM t GROUP BY x, x - 1, x - 2
-- Project
--   Compute: (x - 1) AS ?column?, (x - 2) AS ?column?
--   ->  HashAggregate
--         Group Key: x
--         Aggregates: count(*)
--         ->  Seq Scan on t

-- name: constant
SELECT 1, y, count(*) FROM t GROUP BY 1, y
-- Project
--   Compute: 1 AS ?column?
--   ->  HashAggregate
--         Group Key: y
--         Aggregates: count(*)
--         ->  Seq Scan on t

-- name: only_constants
SELECT 1, 'a', count(*) FROM t WHERE x > 100 GROUP BY 1, 2
-- Project
--   Compute: 'a'::text AS ?column?
--   ->  HashAggregate
--         Group Key: 1
--         Aggregates: count(*)
--         ->  Seq Scan on t
--               Filter: (x > 100)

-- name: functions_of_keys
SELECT upper(y), y, x * 2 + length(y), x, sum(x) FROM t GROUP BY 1, 2, 3, 4
-- Project
--   Compute: upper(y) AS upper, ((x * 2) + length(y)) AS ?column?
--   ->  HashAggregate
--         Group Key: y, x
--         Aggregates: sum(x)
--         ->  Seq Scan on t

-- name: of_a_computed_key
SELECT x / 2, x / 2 + 1, count(*) FROM t GROUP BY 1, 2
-- Project
--   Compute: (?column? + 1) AS ?column?
--   ->  HashAggregate
--         Group Key: (x / 2)
--         Aggregates: count(*)
--         ->  Seq Scan on t

-- name: equal_is_not_same
SELECT n::text, count(*) FROM t GROUP BY n, n::text
-- HashAggregate
--   Group Key: (n)::text, n
--   Aggregates: count(*)
--   ->  Seq Scan on t

-- name: floats_and_padded_texts
SELECT count(*), f::text, b::text FROM t GROUP BY f, f::text, b, b::text
-- HashAggregate
--   Group Key: (f)::text, (b)::text, f, b
--   Aggregates: count(*)
--   ->  Seq Scan on t

-- name: volatile
SELECT count(*) > 0 FROM t GROUP BY x, random() < 2
-- Project
--   Compute: (count > 0) AS ?column?
--   ->  HashAggregate
--         Group Key: x, (random() < 2)
--         Aggregates: count(*)
--         ->  Seq Scan on t

-- name: other_columns
SELECT x, x + f, count(*) FROM t GROUP BY x, x + f
-- HashAggregate
--   Group Key: x, ((x)::double precision + f)
--   Aggregates: count(*)
--   ->  Seq Scan on t

-- name: having_and_order
SELECT x + 1 AS next, x, count(*) FROM t GROUP BY x + 1, x HAVING x + 1 > 2 ORDER BY x + 1 DESC, x
-- Sort
--   Sort Key: next DESC, x
--   ->  Project
--         Compute: (x + 1) AS next
--         Filter: (next > 2)
--         ->  HashAggregate
--               Group Key: x
--               Aggregates: count(*)
--               ->  Seq Scan on t
