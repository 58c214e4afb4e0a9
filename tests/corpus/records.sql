-- Records: ROW(...), whole rows of FROM items, fields, comparisons, records where they are stored, set-returning functions.
-- setup
CREATE TABLE t (id int NOT NULL, a int, b text, n numeric(8,2)) USING mergetree WITH (order_by = 'id');
INSERT INTO t VALUES (1, 1, 'x', 1.5), (2, NULL, 'a b', 2), (3, 3, NULL, NULL), (4, NULL, NULL, NULL), (5, 1, 'a text that is longer than a cell', 1.50);
CREATE TABLE u (id int, c int) USING mergetree;
INSERT INTO u VALUES (1, 10), (2, 20), (NULL, 5);
CREATE TABLE v (id int, c int) USING mergetree;
INSERT INTO v VALUES (1, 10), (2, 21), (NULL, 5);
CREATE TABLE nothing (id int, c int) USING mergetree;

-- name: output_quotes
SELECT ROW(1, 'a b', NULL, '', '(', 'a"b', 'c\d', 1.50, true), ROW(), ROW(NULL), (1, 2), ROW(',', E'a\tb', ')');

-- name: output_types
SELECT row(array[1, 2], '{"a": 1}'::jsonb, true, 1.5::float4, '2024-01-01'::date, '1 day'::interval, '\x01'::bytea);

-- name: output_nested
SELECT row(row(1, 2), row('a"b', NULL)), row(array['a b', NULL]);

-- name: many_fields
SELECT ROW(1, 2, 3, 4, 5, 6, 7, 8, 9, NULL, 'a', NULL, 'b');

-- name: many_fields_ordered
SELECT r FROM (SELECT row(id, a, b, n, NULL::int, id + 1, id + 2, id + 3, id + 4, b) r FROM t) s ORDER BY r DESC;

-- name: cast_to_text
SELECT row(1, 2)::text, row(1, 'a')::text || 'x', 'x' || row(1, 2), (1, 2)::record;

-- name: cast_from_text
SELECT '(1,2)'::record;

-- name: whole_row_text
SELECT t::text, s FROM t, (SELECT 1 AS a, 'x' AS b) s ORDER BY id;

-- name: whole_row_in_row
SELECT row(t.*), row(t.*, 1), row(t), row(t.*, u.*) FROM t JOIN u USING (id) ORDER BY id;

-- name: whole_row_order
SELECT t::text FROM t ORDER BY t DESC;

-- name: function_of_row_as_column
SELECT t.to_json, t.row_to_json AS j, v.num_nulls FROM t JOIN v USING (id) ORDER BY t.id;

-- name: aggregate_of_row_as_column
SELECT u.count, u.id FROM u GROUP BY u.id ORDER BY u.id;

-- name: no_function_of_row_as_column
SELECT t.upper FROM t;

-- name: no_cast_of_row_as_column
SELECT t.text FROM t;

-- name: whole_row_of_values
SELECT x FROM (VALUES (1, 'a'), (2, NULL)) AS x(i, s) ORDER BY x DESC;

-- name: whole_row_of_function
SELECT g FROM generate_series(1, 2) AS g(x);

-- name: whole_row_of_join
SELECT j FROM (t JOIN u USING (id)) AS j ORDER BY j;

-- name: whole_row_of_outer_join
SELECT u::text, v::text FROM u FULL JOIN v ON u.c = v.c ORDER BY u.c, v.c;

-- name: whole_row_of_outer_join_is_null
SELECT u IS NULL AS un, v IS NULL AS vn, (u).c, row(u, v) FROM u FULL JOIN v ON u.c = v.c ORDER BY 3, 4;

-- name: whole_row_of_outer_join_counted
SELECT count(u), count(*), count(u.*), count(t) FROM t LEFT JOIN u USING (id);

-- name: whole_row_of_outer_join_json
SELECT to_json(u) FROM t LEFT JOIN u USING (id) ORDER BY t.id;

-- name: whole_row_grouped
SELECT u IS NULL, u IS NOT NULL, count(u), u::text FROM t LEFT JOIN u USING (id) GROUP BY u ORDER BY u;

-- name: whole_row_of_with
WITH w AS MATERIALIZED (SELECT t AS r FROM t) SELECT (r).id, (r).b, r::text FROM w ORDER BY (r).id;

-- name: whole_row_from_outside
SELECT (SELECT t)::text FROM t ORDER BY id;

-- name: whole_row_lateral
SELECT t.id, s.r FROM t LEFT JOIN LATERAL (SELECT row(t.*) AS r) s ON true ORDER BY t.id;

-- name: fields
SELECT (t).b, (t).*, (row(1, 2)).f1 FROM t ORDER BY 2;

-- name: fields_of_subquery
SELECT s.r, (s.r).f1, (s.r).f2 || 'x' FROM (SELECT row(id, b) AS r FROM t) s ORDER BY 2;

-- name: fields_of_kept_records
SELECT (s.r).* FROM (SELECT row(id, b, n) AS r FROM t OFFSET 0) s ORDER BY 1;

-- name: fields_in_conditions
SELECT (s.r).id FROM (SELECT t AS r FROM t) s WHERE (r).id > 1 AND (r).b IS NOT NULL ORDER BY 1;

-- name: fields_of_fields
SELECT (row(row(1, 2), 3)).f1, (row(1, row('x', 2.50))).f2;

-- name: field_that_is_not_there
SELECT (row(1, 2)).f3;

-- name: field_of_row_that_is_not_there
SELECT (t).zzz FROM t;

-- name: field_of_number
SELECT (1).a;

-- name: star_of_number
SELECT (1).*;

-- name: star_where_none_may_stand
SELECT abs((row(1, 2)).*);

-- name: stars
SELECT a.*, (b).*, (row(1, 2.50)).* FROM (SELECT 1 AS x) a, (SELECT 2 AS y, 3 AS z) b;

-- name: subquery_field
SELECT ((SELECT u FROM u WHERE u.id = t.id)).c, (SELECT u FROM u WHERE u.id = t.id)::text FROM t ORDER BY id;

-- name: is_null
SELECT ROW(NULL) IS NULL, ROW() IS NULL, ROW() IS NOT NULL, ROW(ROW(NULL)) IS NULL, ROW(NULL, 1) IS NOT NULL, ROW(NULL, 1) IS NULL;

-- name: is_null_of_rows
SELECT id, t IS NULL, t IS NOT NULL, NOT (t IS NULL), (t.*) IS NULL, row(a, b) IS NULL FROM t ORDER BY id;

-- name: is_null_filter
SELECT id FROM t WHERE row(t.*) IS NOT NULL ORDER BY id;

-- name: is_null_of_stored
SELECT x IS NULL, x IS NOT NULL, x FROM (VALUES (row(1, 'a'::text)), (row(NULL::int, NULL::text)), (row(NULL::int, 'b'::text)), (NULL)) AS y(x) ORDER BY x;

-- name: row_comparisons
SELECT ROW(1, NULL) = ROW(1, NULL), ROW(1, 2) <> ROW(1, NULL), ROW(1, NULL) <> ROW(2, NULL), ROW(1, 'a', 2) < ROW(1, 'b', NULL), ROW(1, NULL) < ROW(2, 1), ROW(NULL, 1) < ROW(1, 2), ROW(1, 2) = ROW(1, '2');

-- name: row_comparisons_of_rows
SELECT id, (id, a) < (2, 2), (a, b) = (1, 'x'), (n, id) >= (1.50, 5), row(t.*) = row(t.*) FROM t ORDER BY id;

-- name: row_between
SELECT (1, 2, 3) BETWEEN (1, 1, 9) AND (1, 2, 3), ROW(1, 2) NOT BETWEEN ROW(1, 1) AND ROW(1, 3);

-- name: row_distinct
SELECT ROW(1) IS DISTINCT FROM ROW(2), ROW(1, NULL) IS DISTINCT FROM ROW(1, NULL), ROW(1, NULL) IS NOT DISTINCT FROM ROW(1, 2);

-- name: row_comparison_unequal
SELECT ROW(1, 2) IS DISTINCT FROM ROW(1);

-- name: row_comparison_empty
SELECT ROW() = ROW();

-- name: row_comparison_operator
SELECT row(1, 2) LIKE row(1, 2);

-- name: row_comparison_types
SELECT row(1, json '1') = row(1, json '1');

-- name: record_comparisons
SELECT r = ROW(1, NULL::int), r < ROW(1, 5), r >= ROW(1, 5), r <> ROW(1, 2), r IS DISTINCT FROM ROW(1, NULL::int) FROM (SELECT row(1, NULL::int) r) s;

-- name: record_comparisons_of_rows
SELECT u = v, u <> v, u < v, u >= v, u IS DISTINCT FROM v, u.* = v.* FROM u JOIN v ON u.id IS NOT DISTINCT FROM v.id ORDER BY u.id;

-- name: record_comparison_dissimilar
SELECT r = ROW(1, 1) FROM (SELECT row(1, 1::bigint) r) s;

-- name: record_comparison_number
SELECT row(1, 2) = 5;

-- name: record_equal_values
SELECT row(1.0) = ANY (ARRAY[row(1.00)]), r = row(1.00, 'NaN'::float8) FROM (SELECT row(1.0, 'NaN'::float8) AS r) s;

-- name: record_join
SELECT count(*) FROM t a JOIN t b ON a = b;

-- name: row_join
SELECT count(*) FROM t a JOIN t b ON row(a.*) = row(b.*);

-- name: record_in_subquery
SELECT t::text FROM t WHERE t IN (SELECT t FROM t WHERE id < 3) ORDER BY t DESC;

-- name: record_in_other_rows
SELECT u::text FROM u WHERE u IN (SELECT v FROM v) ORDER BY u;

-- name: record_in_records
SELECT u::text FROM u WHERE u IN (SELECT row(id, c) FROM v) OR u IN (SELECT row(n.*) FROM nothing n) ORDER BY u;

-- name: row_in_subquery
SELECT ROW(1, NULL) IN (SELECT 1, 2), ROW(1, NULL) NOT IN (SELECT 2, 2), (1, 2) NOT IN (SELECT 1, 3);

-- name: row_in_subquery_star
SELECT c FROM u WHERE row(u.*) IN (SELECT * FROM v) ORDER BY c;

-- name: row_in_list
SELECT id FROM t WHERE (id, a) IN ((1, 1), (2, 2), (3, 3)) ORDER BY id;

-- name: record_in_list
SELECT s.r IN (ROW(1, 1), ROW(3, 3)) FROM (SELECT row(id, a) AS r FROM t) s ORDER BY s.r;

-- name: row_any_subquery
SELECT id FROM t WHERE row(id, a) > ANY (SELECT id, c FROM u) ORDER BY id;

-- name: row_all_subquery
SELECT id FROM t WHERE row(id, 1) <= ALL (SELECT id, c FROM u WHERE id > 1) ORDER BY id;

-- name: record_any_array
SELECT row(id, c) = ANY (ARRAY[row(1, 10), row(3, 4)]), row(id, c) <> ALL (ARRAY[row(1, 10), row(3, 4)]), row(id, c) > ANY (ARRAY[row(1, 10), NULL]) FROM u ORDER BY c;

-- name: row_equals_subquery
SELECT id FROM t WHERE (id, a) = (SELECT id, a FROM t WHERE b = 'x');

-- name: row_equals_correlated
SELECT id FROM t WHERE (id, a) = (SELECT u.id, c - 9 FROM u WHERE u.id = t.id);

-- name: row_compared_with_aggregates
SELECT id FROM t WHERE (id, a) <= (SELECT max(id), max(c) FROM u) ORDER BY id;

-- name: row_compared_in_list
SELECT (id, 5) < (SELECT 2, c FROM u WHERE u.id = t.id), (1, 2) < (SELECT 2, 3), ROW(1) = (SELECT 1) FROM t ORDER BY id;

-- name: row_equals_no_row
SELECT (1, 2) = (SELECT 1, 2 WHERE false), (1, 2) < (SELECT 1, 3);

-- name: row_equals_few_columns
SELECT (1, 2) = (SELECT 1);

-- name: row_equals_many_columns
SELECT (1, 2) = (SELECT 1, 2, 3);

-- name: row_equals_several_rows
SELECT (1, 2) = (SELECT id, c FROM u);

-- name: grouped
SELECT row(a, b), count(*), sum(id) FROM t GROUP BY row(a, b) ORDER BY 1;

-- name: grouped_by_fields
SELECT (a, b), count(*) FROM t GROUP BY (a, b) ORDER BY 1;

-- name: grouped_equal_values
SELECT r, count(*) FROM (VALUES (row(1.00, 'x'::char(3))), (row(1.00, 'x'::char(5))), (row(2.5, 'y'::char(3)))) s(r) GROUP BY r ORDER BY r;

-- name: grouped_floats
SELECT count(*) FROM (VALUES (row('NaN'::float8, '1 day'::interval)), (row('NaN'::float8, '24 hours'::interval)), (row(0::float8, '0'::interval)), (row('-0'::float8, '0'::interval))) s(r) GROUP BY r ORDER BY 1;

-- name: distinct
SELECT DISTINCT (a IS NULL, b IS NULL) FROM t ORDER BY 1;

-- name: distinct_on
SELECT DISTINCT ON (row(a IS NULL)) a, id FROM t ORDER BY row(a IS NULL), id;

-- name: distinct_counted
SELECT count(DISTINCT row(a, n)), count(DISTINCT t) FROM t;

-- name: extremes
SELECT max(row(a, b)), min(row(a, b)), max(t)::text, greatest(row(1, 2), row(1, 3)) FROM t;

-- name: extremes_of_nothing
SELECT max(row(id, c)), count(nothing) FROM nothing;

-- name: arrays
SELECT ARRAY[row(1, 2), NULL], ARRAY[(1, 'a'), (2, 'b')], ARRAY(SELECT row(id) FROM u ORDER BY id);

-- name: array_agg
SELECT array_agg(row(id, b) ORDER BY id), array_agg(row(id, b) ORDER BY id) = array_agg(row(id, b) ORDER BY id), (array_agg(u ORDER BY u.id))[2].c FROM t LEFT JOIN u USING (id);

-- name: array_functions
SELECT array_position(ARRAY[row(1, 2), row(3, 4)], row(3, 4)), row(1, 2) || ARRAY[row(3, 4)], array_length(ARRAY[row(1)], 1);

-- name: unnest
SELECT unnest(ARRAY[row(1, 2), row(3, NULL)]);

-- name: unnest_without_definition
SELECT * FROM unnest(ARRAY[row(1, 2), row(3, NULL)]);

-- name: windows
SELECT lag(row(id, b)) OVER (ORDER BY id), first_value(row(id)) OVER (ORDER BY id), rank() OVER (ORDER BY row(a, b)), count(*) OVER (PARTITION BY row(a)) FROM t ORDER BY id;

-- name: union
SELECT row(1, 2) UNION SELECT row(1, 2) UNION SELECT row(1, NULL::int) ORDER BY 1;

-- name: union_all_with_null
SELECT row(1, NULL) UNION ALL SELECT row(2, 3) ORDER BY 1;

-- name: intersect
SELECT row(id, c) FROM u INTERSECT SELECT row(id, c) FROM v ORDER BY 1;

-- name: except
SELECT row(id, c) FROM u EXCEPT SELECT row(id, c) FROM v;

-- name: conditionals
SELECT coalesce(NULL, row(1, 2)), nullif(row(1, 2), row(1, 2)), nullif(row(1, 2), row(1, 3)), CASE WHEN id > 2 THEN row(id, b) END, (CASE WHEN id > 2 THEN row(id, b) END) IS NULL FROM t ORDER BY id;

-- name: with_nulls_last
SELECT x FROM (VALUES (row(1, 'a')), (row(2, NULL)), (NULL)) AS y(x) ORDER BY x NULLS FIRST;

-- name: text_functions
SELECT concat(row(1, 2), t), length(u::text), u::text LIKE '(1%', string_agg(t::text, ';') FROM t JOIN u USING (id) GROUP BY t, u ORDER BY t;

-- name: no_such_operator
SELECT row(1, 2) + 1;

-- name: no_such_function
SELECT upper(row(1, 2));

-- name: json
SELECT row_to_json(t), to_json(t), to_jsonb(row(1, 2, 'x')), row_to_json(row(1, array[1, 2]), true), row_to_json(row(b, id), false) FROM t ORDER BY id;

-- name: json_nested
SELECT to_json(x), row_to_json(x) FROM (SELECT 1 AS a, row(1, 2) AS r, ARRAY[row(1, 2), row(3, 4)] AS l) x;

-- name: json_aggregates
SELECT json_agg(t ORDER BY id), jsonb_agg(t ORDER BY id), jsonb_build_object('t', row(1, 2)), json_object_agg(id, row(a)) FROM t;

-- name: json_key
SELECT json_build_object(row(1, 2), 3);

-- name: set_returning_fields
SELECT (json_each('{"a": 1, "b": 2}')).*;

-- name: set_returning_record
SELECT json_each('{"a": 1, "b": 2}'), generate_series(1, 3);

-- name: set_returning_field
SELECT id, (jsonb_each(j)).key FROM (VALUES (1, '{"a": 1, "b": 2}'::jsonb), (2, '{}'), (3, '{"c": null}')) x(id, j) ORDER BY 1, 2;

-- name: exists
SELECT EXISTS (SELECT u FROM u WHERE u = row(1, 10)), EXISTS (SELECT FROM u WHERE u = row(1, 11));

-- name: row_type
SELECT t, u, (SELECT u FROM u WHERE u.id = t.id) FROM t JOIN u USING (id) ORDER BY t.id;

-- name: row_types_compared
SELECT u = ROW(1, 10), u = v, ARRAY[u] FROM u JOIN v USING (id) ORDER BY u.id;

-- name: row_types_in_case
SELECT CASE WHEN id > 2 THEN t END, coalesce(NULL, t) FROM t ORDER BY id;
