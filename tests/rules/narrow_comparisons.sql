-- Columns are compared in their own type.
-- rules: constant_folding
-- setup
CREATE TABLE t (s int2 NOT NULL, m int2, i int, l int8, d date);
INSERT INTO t SELECT i, CASE WHEN i % 5 > 0 THEN i END, i * 1000, i * 10000000000, DATE '2024-01-01' + i FROM generate_series(-30, 30) AS g (i);
INSERT INTO t VALUES (7, NULL, NULL, NULL, NULL), (32767, -32768, 2147483647, 9223372036854775807, 'infinity');

-- name: width
SELECT s FROM t WHERE s = 7 AND m <> 4 AND 5 < s AND l < 70000000001
-- Seq Scan on t
--   Filter: ((s = '7'::smallint) AND (m <> '4'::smallint) AND (s > '5'::smallint) AND (l < '70000000001'::bigint))

-- name: lists
SELECT s FROM t WHERE s IN (-1, 6, 100000) OR m NOT IN (3, 4)
-- Seq Scan on t
--   Filter: ((s IN ('-1'::smallint, '6'::smallint)) OR (m NOT IN ('3'::smallint, '4'::smallint)))

-- name: fractions
SELECT s FROM t WHERE i > 2500.5 AND s <= 20.0 AND l >= -1e12 AND m < 17.3
-- Seq Scan on t
--   Filter: ((i > 2500) AND (s <= '20'::smallint) AND (l >= '-1000000000000'::bigint) AND (m <= '17'::smallint))

-- name: equal_to_a_fraction
SELECT s FROM t WHERE i = 2000.00 OR s = 3.5
-- Seq Scan on t
--   Filter: ((i = 2000) OR ((s)::numeric = 3.5))

-- name: floats
SELECT s FROM t WHERE i < 3e3::float8 AND s >= -2.5::float8 AND l < 1e11::float8
-- Seq Scan on t
--   Filter: ((i < 3000) AND (s > '-3'::smallint) AND ((l)::double precision < 100000000000))

-- name: beyond_the_type
SELECT s FROM t WHERE s < 100000 AND s <> 40000 AND s > -70000
-- Seq Scan on t
--   Filter: (t AND t AND t)

-- name: never_equal
SELECT count(*) FROM t WHERE s = 100000
-- Aggregate
--   Aggregates: count(*)
--   ->  Seq Scan on t
--         Filter: f

-- name: beyond_the_type_of_a_nullable_column
SELECT s FROM t WHERE m < 100000
-- Seq Scan on t
--   Filter: (m < 100000)

-- name: days
SELECT s FROM t WHERE d < TIMESTAMP '2024-01-05 12:00' AND d >= TIMESTAMP '2023-12-20'
-- Seq Scan on t
--   Filter: ((d <= '2024-01-05'::date) AND (d >= '2023-12-20'::date))

-- name: days_after
SELECT s FROM t WHERE d > TIMESTAMP '2024-01-15 12:00' AND d <> TIMESTAMP '2024-01-20 01:00'
-- Seq Scan on t
--   Filter: ((d > '2024-01-15'::date) AND (d <> '2024-01-20 01:00:00'::timestamp without time zone))

-- name: not_a_number
SELECT s FROM t WHERE i > 'NaN'::numeric OR s < 'Infinity'::numeric
-- Seq Scan on t
--   Filter: (((i)::numeric > NaN) OR ((s)::numeric < Infinity))
