-- Conditions on single columns become ranges by which a scan leaves out granules.
-- setup
CREATE TABLE t (id int NOT NULL, small int2, big int8, f float8, n numeric, s text, v varchar(9), d date, ts timestamp, b bool);
INSERT INTO t SELECT i, i % 100, i * 1000000000::int8, i / 8.0, i / 4.0, chr(97 + i % 26) || i, 'v' || i, DATE '2024-01-01' + i,
                     TIMESTAMP '2024-01-01' + i * INTERVAL '1 hour', i % 2 = 0 FROM generate_series(1, 30000) AS g (i);
INSERT INTO t (id) VALUES (30001), (30002);

-- name: comparisons
SELECT id FROM t WHERE id > 5 AND 9 >= id
-- Seq Scan on t
--   Granule Cond: (id >= 6 AND id <= 9)
--   Filter: ((id > 5) AND (9 >= id))

-- name: equality_between_widths
SELECT id FROM t WHERE small = 7 AND big < 9000000000
-- Seq Scan on t
--   Granule Cond: ((small = 7) AND (big <= '8999999999'::bigint))
--   Filter: ((small = 7) AND (big < '9000000000'::bigint))

-- name: between
SELECT id FROM t WHERE d BETWEEN '2024-01-05' AND '2024-01-08'
-- Seq Scan on t
--   Granule Cond: (d >= '2024-01-05'::date AND d <= '2024-01-08'::date)
--   Filter: ((d >= '2024-01-05'::date) AND (d <= '2024-01-08'::date))

-- name: date_and_timestamp
SELECT id FROM t WHERE d < TIMESTAMP '2024-01-05 12:00' AND ts >= DATE '2024-01-02'
-- Seq Scan on t
--   Granule Cond: ((d <= '2024-01-05'::date) AND (ts >= '2024-01-02 00:00:00'::timestamp without time zone))
--   Filter: ((d < '2024-01-05 12:00:00'::timestamp without time zone) AND (ts >= '2024-01-02'::date))

-- name: prefix
SELECT id FROM t WHERE s LIKE 'b2%' AND v LIKE 'v\2_%'
-- Seq Scan on t
--   Granule Cond: ((s >= 'b2'::text AND s <= 'b3'::text) AND (v >= 'v2'::text AND v <= 'v3'::text))
--   Filter: ((s ~~ 'b2%'::text) AND ((v)::text ~~ 'v\2_%'::text))

-- name: in_list
SELECT id FROM t WHERE id IN (50, 4, 7) AND s NOT IN ('a', 'b')
-- Seq Scan on t
--   Granule Cond: (id >= 4 AND id <= 50)
--   Filter: ((id IN (50, 4, 7)) AND (s NOT IN ('a'::text, 'b'::text)))

-- name: alternatives
SELECT id FROM t WHERE id = 3 OR (id > 40 AND id < 44 AND f > 1)
-- Seq Scan on t
--   Granule Cond: (id >= 3 AND id <= 43)
--   Filter: ((id = 3) OR ((id > 40) AND (id < 44) AND (f > 1)))

-- name: alternatives_of_different_columns
SELECT id FROM t WHERE id = 3 OR small = 5
-- Seq Scan on t
--   Filter: ((id = 3) OR (small = 5))

-- name: presence
SELECT id FROM t WHERE small IS NOT NULL AND b AND id IS NOT NULL
-- Seq Scan on t
--   Granule Cond: ((small IS NOT NULL) AND (b = t))
--   Filter: ((small IS NOT NULL) AND b AND (id IS NOT NULL))

-- name: different
SELECT id FROM t WHERE small <> 3 AND id <> 7
-- Seq Scan on t
--   Granule Cond: (small IS NOT NULL)
--   Filter: ((small <> 3) AND (id <> 7))

-- name: numbers_with_fractions
SELECT id FROM t WHERE n <= 3.5 AND f < 4.25
-- Seq Scan on t
--   Granule Cond: ((n <= 3.5) AND (f <= 4.25))
--   Filter: ((n <= 3.5) AND (f < 4.25))

-- name: never
SELECT id FROM t WHERE id > 5 AND id < 3
-- Seq Scan on t
--   Granule Cond: (id >= 6 AND id <= 2)
--   Filter: ((id > 5) AND (id < 3))

-- name: far_inside
SELECT count(*), min(id) FROM t WHERE id >= 20000 AND id < 20010 OR ts < '2024-01-02'
-- Aggregate
--   Aggregates: count(*), min(id)
--   ->  Seq Scan on t
--         Filter: (((id >= 20000) AND (id < 20010)) OR (ts < '2024-01-02 00:00:00'::timestamp without time zone))

-- name: not_a_column
SELECT id FROM t WHERE id + 1 > 5 AND s || 'x' = 'b1x'
-- Seq Scan on t
--   Filter: (((id + 1) > 5) AND ((s || 'x'::text) = 'b1x'::text))
