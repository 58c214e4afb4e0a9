-- Joins by comparisons search rows that are sorted.
-- rules: predicate_push_down, column_pruning, build_sides
-- setup
CREATE TABLE points (k int, x int, t timestamp, s text, n numeric);
INSERT INTO points SELECT i % 3, i * 7 % 100, timestamp '2024-01-01' + i * interval '1 minute', 's' || i, i / 3.0 FROM generate_series(1, 200) AS g (i);
CREATE TABLE spans (k int, lo int, hi int, t timestamp, s text, n numeric);
INSERT INTO spans SELECT i % 3, i * 11 % 100, i * 11 % 100 + i % 9, timestamp '2024-01-01' + i * interval '90 seconds', 's' || i, i / 7.0 FROM generate_series(1, 150) AS g (i);

-- name: one_bound
SELECT count(*) FROM points JOIN spans ON x < lo
-- Aggregate
--   Aggregates: count(*)
--   ->  Range Join
--         Range Cond: (spans.lo > points.x)
--         Join Filter: (points.x < spans.lo)
--         ->  Seq Scan on points
--         ->  Seq Scan on spans

-- name: two_bounds_of_one_column
SELECT count(*) FROM points JOIN spans ON lo > x - 3 AND lo <= x
-- Aggregate
--   Aggregates: count(*)
--   ->  Range Join
--         Range Cond: (spans.lo > (points.x - 3) AND spans.lo <= points.x)
--         Join Filter: ((spans.lo > (points.x - 3)) AND (spans.lo <= points.x))
--         ->  Seq Scan on points
--         ->  Seq Scan on spans

-- name: point_in_interval
SELECT count(*) FROM points JOIN spans ON x BETWEEN lo AND hi
-- Aggregate
--   Aggregates: count(*)
--   ->  Range Join
--         Range Cond: ((spans.lo <= points.x) AND (spans.hi >= points.x))
--         Join Filter: ((points.x >= spans.lo) AND (points.x <= spans.hi))
--         ->  Seq Scan on points
--         ->  Seq Scan on spans

-- name: intervals_overlap
SELECT count(*) FROM spans a JOIN spans b ON a.lo <= b.hi AND b.lo <= a.hi
-- Aggregate
--   Aggregates: count(*)
--   ->  Range Join
--         Range Cond: ((b.lo <= a.hi) AND (b.hi >= a.lo))
--         Join Filter: ((a.lo <= b.hi) AND (b.lo <= a.hi))
--         ->  Seq Scan on spans a
--         ->  Seq Scan on spans b

-- name: many_rows_with_one_key
SELECT count(*) FROM points JOIN spans ON points.k = spans.k AND points.t > spans.t
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (points.k = spans.k)
--         Range Cond: (spans.t < points.t)
--         Join Filter: (points.t > spans.t)
--         ->  Seq Scan on points
--         ->  Seq Scan on spans

-- name: few_rows_with_one_key
SELECT count(*) FROM points JOIN spans ON points.s = spans.s AND points.t > spans.t
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (points.s = spans.s)
--         Join Filter: (points.t > spans.t)
--         ->  Seq Scan on points
--         ->  Seq Scan on spans

-- name: kept_rows_of_the_left
SELECT count(*) FROM spans WHERE NOT EXISTS (SELECT 1 FROM points WHERE points.k = spans.k AND x >= lo)
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Right Anti Join
--         Hash Cond: (spans.k = points.k)
--         Range Cond: (spans.lo <= points.x)
--         Join Filter: (points.x >= spans.lo)
--         ->  Seq Scan on spans
--         ->  Seq Scan on points

-- name: texts_by_their_first_bytes
SELECT count(*) FROM points LEFT JOIN spans ON points.s < spans.s
-- Aggregate
--   Aggregates: count(*)
--   ->  Range Left Join
--         Range Cond: (spans.s > points.s)
--         Join Filter: (points.s < spans.s)
--         ->  Seq Scan on points
--         ->  Seq Scan on spans

-- name: only_what_cannot_fail
SELECT count(*) FROM points JOIN spans ON x / 2 < lo
-- Aggregate
--   Aggregates: count(*)
--   ->  Nested Loop Join
--         Join Filter: ((points.x / 2) < spans.lo)
--         ->  Seq Scan on points
--         ->  Seq Scan on spans

-- name: as_of
SELECT count(found.hi) FROM points LEFT JOIN LATERAL (SELECT hi FROM spans WHERE spans.k = points.k AND spans.t <= points.t ORDER BY spans.t DESC LIMIT 1) AS found ON true
-- Aggregate
--   Aggregates: count(hi)
--   ->  Hash As-of Join
--         Hash Cond: (points.k = spans.k)
--         Range Cond: (spans.t <= points.t)
--         First By: spans.t DESC
--         Join Filter: (spans.t <= points.t)
--         ->  Seq Scan on points
--         ->  Seq Scan on spans

-- name: as_of_value
SELECT sum(x), sum((SELECT hi FROM spans WHERE spans.t >= points.t AND spans.n < points.n ORDER BY spans.t LIMIT 1)) FROM points
-- Aggregate
--   Aggregates: sum(x), sum(hi)
--   ->  Range As-of Join
--         Range Cond: (spans.t >= points.t)
--         First By: spans.t
--         Join Filter: ((spans.t >= points.t) AND (spans.n < points.n))
--         ->  Seq Scan on points
--         ->  Seq Scan on spans
