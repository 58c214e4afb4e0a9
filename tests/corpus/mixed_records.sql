-- Records of several types in one column, comparisons of what can be compared row by row only, and records byte by byte.
-- setup
CREATE TYPE pt AS (x int, y text);
CREATE TYPE color AS ENUM ('red', 'green');
CREATE TABLE w (r pt, i int, q pt) USING mergetree;
INSERT INTO w VALUES (ROW(1, 'a'), 1, ROW(1, 'a')), (ROW(2, 'b'), 2, ROW(0, 'b')), (NULL, 3, NULL), (ROW(2, NULL), 4, ROW(2, NULL));

-- name: values_of_two_types
VALUES (ROW(1, 2)), (ROW('a', 3)), (ROW(1, ROW(true, NULL), 'x')), (NULL);

-- name: union_all
SELECT ROW(1, 2) UNION ALL SELECT ROW('a'::text, 3) UNION ALL SELECT ROW(i) FROM w WHERE i = 2;

-- name: arms_of_case
SELECT CASE WHEN i = 1 THEN ROW(1, 2) WHEN i = 2 THEN r ELSE ROW('a'::text, 3, i) END, coalesce(CASE WHEN i = 1 THEN ROW(1, 2) WHEN i = 2 THEN ROW(i) END, ROW('a', 'b', NULL)) FROM w ORDER BY i;

-- name: arrays_of_two_types
SELECT ARRAY[ROW(1, 2), ROW('a'::text)] UNION ALL SELECT ARRAY[ROW(2.5), NULL];

-- name: texts_and_json
SELECT x, x::text, pg_typeof(x), row_to_json(x), to_jsonb(x), jsonb_agg(x) OVER (), x IS NULL, x IS NOT NULL, x IS DISTINCT FROM NULL, ARRAY[x, NULL], lag(x) OVER () FROM (VALUES (ROW(1, 2)), (ROW('a'::text, 3, true)), (ROW(NULL, NULL, NULL)), (NULL)) v(x);

-- name: counted_and_gathered
SELECT count(x), array_agg(x), string_agg(x::text, ';') FROM (VALUES (ROW(1, 2)), (ROW('a'::text, 3, true))) v(x);

-- name: compared_as_far_as_needed
SELECT x = ROW(1, 2), x < ROW(1, 2), x <> ROW(1, 2), ROW(1, 2) = x, x FROM (VALUES (ROW(0, 2)), (ROW(2, 3, 4)), (ROW(1, 2)), (NULL)) v(x);

-- name: compared_with_fewer_fields
SELECT x = ROW(1, 2) FROM (VALUES (ROW(1, 2)), (ROW(1, 2, 3))) v(x);

-- name: compared_with_other_types
SELECT r = ROW(i, 2) FROM w;

-- name: compared_where_no_row_is
SELECT r = ROW(1, 2, 3), r < ROW('x'::text) FROM w WHERE i = 3 OR i > 9;

-- name: compared_with_a_literal
SELECT r = ROW(1, 'a') FROM w;

-- name: earlier_field_decides
SELECT r = ROW(0, 2), r > ROW(0, 2), r = ROW(0, 2, 3) FROM w WHERE i = 1;

-- name: distinct
SELECT DISTINCT x FROM (VALUES (ROW(1, 2)), (ROW('a'::text, 3))) v(x);

-- name: grouped
SELECT x, count(*) FROM (VALUES (ROW(1, 2)), (ROW(1, 2, 3))) v(x) GROUP BY x;

-- name: ordered
SELECT x FROM (VALUES (ROW(1, 2)), (ROW(1::bigint, 3))) v(x) ORDER BY x;

-- name: united
SELECT ROW(1, 2) UNION SELECT ROW('a'::text, 3);

-- name: largest
SELECT max(x) FROM (VALUES (ROW(1, 2)), (ROW('a'::text, 3))) v(x);

-- name: extremes_are_records
SELECT max(r), pg_typeof(max(r)), min(ROW(i, r)), max(r) = max(q), max(r) > max(q), max(r) IS NULL, row_to_json(max(r)) FROM w;

-- name: extremes_without_fields
SELECT (max(r)).x FROM w;

-- name: fields_of_an_extreme_row
SELECT (max(ROW(i, 1))).f1 FROM w;

-- name: extremes_of_groups
SELECT i % 2, max(r), max(q) OVER () FROM w GROUP BY 1, q HAVING max(r) IS NOT NULL ORDER BY 2, 1;

-- name: joined_with_extremes
SELECT a.i, b.i FROM w a JOIN (SELECT i, max(q) AS q FROM w GROUP BY i) b ON a.r = b.q ORDER BY 1, 2;

-- name: compared_with_an_extreme
SELECT i, r < (SELECT max(q) FROM w) FROM w WHERE r = (SELECT min(q) FROM w WHERE i = 1) ORDER BY i;

-- name: distinct_extremes
SELECT DISTINCT m FROM (SELECT i % 2 AS k, max(r) AS m FROM w GROUP BY 1) s ORDER BY m;

-- name: window_extremes
SELECT max(r) OVER (ORDER BY i), min(ROW(i)) OVER () FROM w ORDER BY i;

-- name: bytes_of_fields
SELECT r *= q, r *<> q, r *< q, r *> q, r *<= q, r *>= q, w *= w, r *= ROW(1, 'a'::text) FROM w ORDER BY i;

-- name: bytes_of_integers
SELECT a *= b, a *<> b, a *< b, a *> b, a *<= b, a *>= b FROM (VALUES (ROW(1, 2), ROW(1, 2)), (ROW(1, 2), ROW(1, 3)), (ROW(-1, 2), ROW(1, 2)), (ROW(256, 0), ROW(1, 0)), (ROW(1, NULL::int), ROW(1, 2)), (ROW(1, NULL::int), ROW(1, NULL::int)), (ROW(NULL::int, 2), ROW(1, 2))) v(a, b);

-- name: bytes_of_numerics
SELECT a *= b, a *< b, a *> b FROM (VALUES (ROW(1.0), ROW(1.00)), (ROW(2.0), ROW(1.5)), (ROW(-1.5), ROW(1.5)), (ROW(10000.0), ROW(1.0)), (ROW(0.0001), ROW(1.0)), (ROW(0.0), ROW(0.00)), (ROW('NaN'::numeric), ROW(1.0)), (ROW(123456789.125), ROW(123456789.124)), (ROW('infinity'::numeric), ROW('-infinity'::numeric)), (ROW(0.00000000001), ROW(100000000000.5))) v(a, b);

-- name: bytes_of_floats
SELECT a *= b, a *< b, a *> b FROM (VALUES (ROW(1.5::float8, 1::float4), ROW(2.5::float8, 1::float4)), (ROW(-1.5::float8, 1::float4), ROW(2.5::float8, 1::float4)), (ROW('-0'::float8, 1::float4), ROW('0'::float8, 1::float4)), (ROW('NaN'::float8, -1::float4), ROW('NaN'::float8, 1::float4))) v(a, b);

-- name: bytes_of_texts
SELECT a *= b, a *< b, a *> b FROM (VALUES (ROW('a'::text, 'x'::char(3)), ROW('b'::text, 'x'::char(3))), (ROW('ab'::text, 'x'), ROW('b'::text, 'x')), (ROW(''::text, 'x'), ROW('ab'::text, 'x'))) v(a, b);

-- name: bytes_of_dates_and_others
SELECT a *= b, a *< b, a *> b FROM (VALUES (ROW(DATE '2024-01-01', false, TIMESTAMP '2024-01-01', INTERVAL '1 day', '00000000-0000-0000-0000-000000000001'::uuid, 'red'::color), ROW(DATE '2024-01-01', false, TIMESTAMP '2024-01-01', INTERVAL '24 hours', '00000000-0000-0000-0000-000000000001'::uuid, 'red'::color)), (ROW(DATE '1999-01-01', true, TIMESTAMP '2024-01-01', INTERVAL '1 day', '00000000-0000-0000-0000-000000000001'::uuid, 'red'::color), ROW(DATE '2024-01-01', false, TIMESTAMP '2024-01-01', INTERVAL '1 day', '00000000-0000-0000-0000-000000000001'::uuid, 'red'::color)), (ROW(DATE '2024-01-01', false, TIMESTAMP '2024-01-01', INTERVAL '1 day', '00000000-0000-0000-0000-000000000001'::uuid, 'green'::color), ROW(DATE '2024-01-01', false, TIMESTAMP '2024-01-01', INTERVAL '1 day', '00000000-0000-0000-0000-000000000001'::uuid, 'red'::color))) v(a, b);

-- name: bytes_of_what_has_no_order
SELECT a *= b, a *<> b FROM (VALUES (ROW(ARRAY[1, 2], '{"a":1.0}'::jsonb), ROW(ARRAY[1, 2], '{"a":1.00}'::jsonb)), (ROW(ARRAY[1, 2], '{"a":1, "b":2}'::jsonb), ROW(ARRAY[1, 2], '{"b":2,"a":1}'::jsonb)), (ROW(ARRAY[1, 2], '1'::jsonb), ROW(ARRAY[1, 3], '1'::jsonb))) v(a, b);

-- name: bytes_of_other_types
SELECT a *< b FROM (VALUES (ROW(1, 2), ROW(1, 'a'::text))) v(a, b);

-- name: bytes_of_fewer_fields
SELECT a *= b FROM (VALUES (ROW(1, 2), ROW(1, 2, 3))) v(a, b);

-- name: bytes_of_rows_that_are_made_here
SELECT ROW(1, 2) *= ROW(1, 2);

-- name: bytes_of_a_literal
SELECT r *= '(1,a)' FROM w;

-- name: functions_of_comparisons
SELECT record_image_eq(ROW(1, 2), ROW(1, 2)), record_image_lt(ROW(1), ROW(2)), record_image_ne(ROW(1), ROW(2)), record_image_gt(ROW(1), ROW(2)), record_image_le(ROW(1), ROW(2)), record_image_ge(ROW(1), ROW(2)), btrecordimagecmp(ROW(1, 2), ROW(1, 2)), btrecordcmp(ROW(1), ROW(2)), btrecordcmp(ROW(2, NULL::int), ROW(2, 1));
