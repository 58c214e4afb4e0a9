-- Three-valued logic, CASE, and the functions about NULL.
-- setup
CREATE TABLE logic (id int, a bool, b bool, x int, y int) USING mergetree;
INSERT INTO logic VALUES
  (1, true, true, 1, 1), (2, true, false, 1, 0), (3, true, NULL, 1, NULL), (4, false, true, 0, 1), (5, false, false, 0, 0),
  (6, false, NULL, 0, NULL), (7, NULL, true, NULL, 1), (8, NULL, false, NULL, 0), (9, NULL, NULL, NULL, NULL);

-- name: truth_tables
SELECT id, a AND b, a OR b, NOT a, a = b, a <> b, a < b FROM logic ORDER BY id;

-- name: truth_tests
SELECT id, a IS TRUE, a IS NOT TRUE, a IS FALSE, a IS NOT FALSE, a IS UNKNOWN, a IS NOT UNKNOWN, a IS NULL, a IS NOT NULL FROM logic ORDER BY id;

-- name: filter_boolean_column
SELECT id FROM logic WHERE a ORDER BY id;

-- name: filter_not_boolean_column
SELECT id FROM logic WHERE NOT a ORDER BY id;

-- name: filter_and
SELECT id FROM logic WHERE a AND b;

-- name: filter_or
SELECT id FROM logic WHERE a OR b ORDER BY id;

-- name: filter_null_constant
SELECT id FROM logic WHERE NULL;

-- name: filter_comparison_of_nulls
SELECT id FROM logic WHERE x = y ORDER BY id;

-- name: filter_not_equal_nulls
SELECT id FROM logic WHERE NOT (x = y) ORDER BY id;

-- name: distinct_from_columns
SELECT id, x IS DISTINCT FROM y, x IS NOT DISTINCT FROM y, a IS DISTINCT FROM b FROM logic ORDER BY id;

-- name: case_searched
SELECT id, CASE WHEN a THEN 'a' WHEN b THEN 'b' ELSE 'neither' END FROM logic ORDER BY id;

-- name: case_simple
SELECT id, CASE x WHEN 0 THEN 'zero' WHEN 1 THEN 'one' END, CASE x WHEN NULL THEN 'never' ELSE 'else' END FROM logic ORDER BY id;

-- name: case_types
SELECT CASE WHEN true THEN 1 ELSE 2.5 END, CASE WHEN false THEN 1::int8 ELSE 2 END, CASE WHEN true THEN '5' ELSE 6 END, CASE WHEN true THEN NULL ELSE 'x' END, CASE WHEN false THEN 1 END;

-- name: case_type_conflict
SELECT CASE WHEN a THEN 1 ELSE 'x' END FROM logic;

-- name: case_types_that_do_not_match
SELECT CASE WHEN a THEN x ELSE b END FROM logic;

-- name: case_is_lazy
SELECT id, CASE WHEN x = 0 THEN -1 ELSE 10 / x END FROM logic ORDER BY id;

-- name: case_is_lazy_in_every_arm
SELECT id, CASE WHEN x = 1 THEN 100 / x WHEN y <> 0 THEN 100 / y ELSE 0 END FROM logic ORDER BY id;

-- name: case_nested
SELECT id, CASE WHEN x IS NULL THEN CASE WHEN y IS NULL THEN 'both' ELSE 'x' END ELSE CASE WHEN y IS NULL THEN 'y' ELSE 'none' END END FROM logic ORDER BY id;

-- name: coalesce
SELECT id, coalesce(x, y, -1), coalesce(a, b), coalesce(NULL, x), coalesce(x, 1 / 1) FROM logic ORDER BY id;

-- name: coalesce_is_lazy
SELECT id, coalesce(x, 10 / y) FROM logic WHERE id IN (1, 2, 3, 5, 7) ORDER BY id;

-- name: coalesce_types
SELECT coalesce(1, 2.5), coalesce(NULL, 'x'), coalesce(NULL::int2, 1::int8), coalesce(NULL, NULL);

-- name: nullif
SELECT id, nullif(x, y), nullif(x, 0), nullif(a, b), nullif(1, 1.0) FROM logic ORDER BY id;

-- name: greatest_and_least
SELECT id, greatest(x, y), least(x, y), greatest(x, NULL, y, 5), least(a, b), greatest(1, 2.5, 2) FROM logic ORDER BY id;

-- name: boolean_casts
SELECT true::int, false::int, 5::bool, 0::bool, true::text, 'on'::bool, 'no'::bool, '1'::bool, ' TRUE '::bool, 't'::bool;

-- name: boolean_bad_text
SELECT 'maybe'::bool;

-- name: boolean_from_int8
SELECT 1::int8::bool;

-- name: boolean_order
SELECT a, count(*) FROM logic GROUP BY a ORDER BY a;

-- name: boolean_aggregates
SELECT bool_and(a), bool_or(a), every(b), bool_and(a OR a IS NULL), bool_or(x = 5), count(a) FROM logic;

-- name: boolean_aggregates_by_group
SELECT x, bool_and(b), bool_or(b), count(b) FROM logic GROUP BY x ORDER BY x;

-- name: boolean_min_does_not_exist
SELECT min(a) FROM logic;

-- name: in_list_with_nulls
SELECT id, x IN (0, NULL), x NOT IN (1, NULL), x IN (y, 5), NULL IN (1, 2) FROM logic ORDER BY id;

-- name: and_short_circuit_order_is_open_but_masks_nulls
SELECT id FROM logic WHERE x IS NOT NULL AND y IS NOT NULL AND x + y > 0 ORDER BY id;

-- name: boolean_comparison_operators
SELECT id, a > b, a <= b, a = true, b <> false, (x > 0) = (y > 0) FROM logic ORDER BY id;

-- name: not_of_null_in_where
SELECT count(*) FROM logic WHERE NOT (a AND b);

-- name: where_needs_boolean
SELECT id FROM logic WHERE x;

-- name: not_needs_boolean
SELECT NOT x FROM logic;

-- name: row_is_null_forms
SELECT id, x ISNULL, y NOTNULL FROM logic ORDER BY id;

-- name: num_nulls
SELECT id, num_nulls(x, y, a), num_nonnulls(x, y, a) FROM logic ORDER BY id;
