-- What went wrong once: small queries cut out of random and hostile ones.
-- setup
CREATE TABLE t (i int, s int2, v varchar(12), c char(3), t text) USING mergetree;
INSERT INTO t VALUES (1, 1, 'b', 'x', 'q'), (2, 2, 'a', 'y', 'r'), (3, 2, 'a', 'y', 'r'), (NULL, NULL, NULL, NULL, NULL);
CREATE TABLE empty (d date, f float8) USING mergetree;

-- name: distinct_argument_that_is_converted
SELECT string_agg(DISTINCT v, ',' ORDER BY v), string_agg(DISTINCT c, ',' ORDER BY c DESC),
       string_agg(DISTINCT least(v, v), ',' ORDER BY least(v, v)), sum(DISTINCT s ORDER BY s) FROM t;

-- name: distinct_argument_is_not_its_conversion
SELECT string_agg(DISTINCT v, ',' ORDER BY v::text) FROM t;

-- name: limit_and_offset_beyond_the_largest_number
SELECT i FROM t LIMIT 9223372036854775807 OFFSET 2;

-- name: limit_and_offset_beyond_the_largest_number_in_order
SELECT i FROM t ORDER BY i LIMIT 9223372036854775807 OFFSET 2;

-- name: limit_at_the_largest_offset
SELECT i FROM t LIMIT 2 OFFSET 9223372036854775807;

-- name: ordered_set_without_rows
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY NULL::text) FROM empty;
