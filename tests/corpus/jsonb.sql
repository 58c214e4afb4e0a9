-- jsonb: one text for each value, comparisons, operators, functions that take it apart, change it and make it.
-- setup
CREATE TABLE docs (id int, j jsonb) USING mergetree;
INSERT INTO docs VALUES
  (1, '{"b": {"c": [1, 2, 3]}, "a": 1}'), (2, '{"a": 2, "a": "x\ny", "aa": null, "B": false}'), (3, '[1, "two", null, true, {"k": 3.50}]'),
  (4, NULL), (5, '"text"'), (6, ' 12.50 '), (7, 'null'), (8, '{}'), (9, '[]'), (10, '12.5'), (11, 'true'), (12, '[12.500]'),
  (13, '{"\u0061": "escaped key", "quote\"d": 1e2, "long key with more than twelve bytes": "a long value, too long for a cell"}'),
  (14, '[[], {}, [[1.0]], {"a": {"b": {"c": "deep"}}}]'), (15, '"text with \"quotes\" \\ and \u00e9\u4e2d\t"'), (16, '[12.5]');

-- name: canonical
SELECT id, j, j::text, length(j::text) FROM docs ORDER BY id;

-- name: keys_by_length_then_bytes
SELECT '{"bb": 1, "a": 2, "ab": 3, "é": 4, "zzz": 5, "": 6, "Z": 7}'::jsonb;

-- name: numbers
SELECT '[1, 1.0, 1.50, 1e2, 1.5e1, 1E-3, -0, -0.0, 0.00, 12345678901234567890123456789.123456789, 1e30, 123e-2]'::jsonb;

-- name: number_too_large
SELECT '1e999999'::jsonb;

-- name: strings
SELECT '["\b\f\n\r\t\"\\\/", "\u0001\u001f\u007f", "\u00e9\ud83d\ude00", "é"]'::jsonb;

-- name: error_zero
SELECT '"\u0000"'::jsonb;

-- name: error_half_surrogate
SELECT '"\ud83d"'::jsonb;

-- name: error_low_surrogate
SELECT '"\ude00"'::jsonb;

-- name: error_two_high_surrogates
SELECT '"\ud83d\ud83d"'::jsonb;

-- name: error_syntax
SELECT '{"a": [1, }'::jsonb;

-- name: member
SELECT id, j -> 'a', j ->> 'a', j -> 'b' -> 'c' -> 1, j -> 'b' ->> 'c', j -> 'B', j ->> 'aa' FROM docs ORDER BY id;

-- name: member_with_odd_keys
SELECT id, j -> 'quote"d', j ->> 'long key with more than twelve bytes', j -> '' FROM docs ORDER BY id;

-- name: element
SELECT id, j -> 0, j -> 1, j ->> 1, j -> -1, j ->> 2, j -> 99, j -> -99 FROM docs ORDER BY id;

-- name: by_columns
SELECT d.id, k, d.j -> k FROM docs d, (VALUES ('a'), ('b'), ('quote"d')) keys (k) WHERE d.id IN (1, 13) ORDER BY 1, 2;

-- name: group_by_member
SELECT j ->> 'a' AS a, count(*) FROM docs GROUP BY 1 ORDER BY 1;

-- name: equality
SELECT a.id, b.id FROM docs a JOIN docs b ON a.j = b.j AND a.id < b.id ORDER BY 1, 2;

-- name: ordered
SELECT j FROM docs ORDER BY j, id;

-- name: ordered_descending
SELECT j FROM docs ORDER BY j DESC NULLS LAST, id LIMIT 9;

-- name: grouped
SELECT count(*), min(id) FROM docs GROUP BY j ORDER BY 2;

-- name: grouped_with_value
SELECT j, count(*) FROM docs WHERE id NOT IN (6, 10, 12, 16) GROUP BY j ORDER BY j;

-- name: distinct
SELECT count(DISTINCT j), count(j) FROM docs;

-- name: distinct_rows
SELECT DISTINCT j -> 0 FROM docs WHERE id <> 16 ORDER BY 1;

-- name: comparisons
SELECT a.id, b.id, a.j < b.j, a.j <= b.j, a.j > b.j, a.j >= b.j, a.j = b.j, a.j <> b.j FROM docs a, docs b ORDER BY 1, 2;

-- name: order_of_strings
SELECT x FROM (VALUES ('"a"'::jsonb), ('"ab"'), ('"a\"b"'), ('"a!"'), ('"a\u0001"'), ('""'), ('"é"'), ('"Z"'), ('"a\\"'), ('"abcdefghijk"'), ('"abcdefghijj"')) t (x) ORDER BY x;

-- name: order_of_numbers
SELECT x FROM (VALUES ('1'::jsonb), ('-1'), ('10'), ('9'), ('1.5'), ('1.25'), ('-10'), ('-9.99'), ('0'), ('0.001'), ('-0.5'), ('100'), ('99.999')) t (x) ORDER BY x;

-- name: order_of_arrays
SELECT x FROM (VALUES ('[1, 2]'::jsonb), ('[3]'), ('[]'), ('[[]]'), ('[1, [2]]'), ('[1, {"a": 1}]'), ('[1, {}]'), ('["a,b"]'), ('[1, "x"]'), ('[null]')) t (x) ORDER BY x;

-- name: order_of_objects
SELECT x FROM (VALUES ('{"a": 1}'::jsonb), ('{"b": 0}'), ('{}'), ('{"a": 1, "b": 2}'), ('{"aa": 1}'), ('{"a": [1, 2]}'), ('{"a": "{}"}')) t (x) ORDER BY x;

-- name: in_list
SELECT id FROM docs WHERE j IN ('12.5', '[]', '{"a": 1, "b": {"c": [1, 2, 3]}}', '"text"') ORDER BY id;

-- name: in_long_list
SELECT id FROM docs WHERE j IN ('12.5', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '[]', '{}', 'null', '[12.5]') ORDER BY id;

-- name: in_subquery
SELECT id FROM docs WHERE j IN (SELECT j FROM docs WHERE id > 9) ORDER BY id;

-- name: union
SELECT count(*) FROM (SELECT j FROM docs UNION SELECT '12.500') t;

-- name: intersect
SELECT j -> 'a' FROM docs INTERSECT SELECT '1'::jsonb;

-- name: window_functions
SELECT id, rank() OVER (ORDER BY j), count(*) OVER (PARTITION BY j) FROM docs ORDER BY id;

-- name: nullif_and_distinct_from
SELECT id, nullif(j, '12.5'), j IS DISTINCT FROM '12.50' FROM docs WHERE id IN (4, 5, 6, 10) ORDER BY id;

-- name: any_value_and_mode
SELECT mode() WITHIN GROUP (ORDER BY j), any_value(j) FROM docs WHERE id IN (5, 7);

-- name: no_max
SELECT max(j) FROM docs;

-- name: zones_do_not_mislead
SELECT count(*) FROM docs WHERE j > '"text"' AND j = '12.5' OR j < '[]';

-- name: paths
SELECT id, j #> '{b,c,0}', j #>> '{b,c,-1}', j #> '{4,k}', j #>> '{3,a,b,c}', j #> '{}' FROM docs ORDER BY id;

-- name: paths_by_functions
SELECT id, jsonb_extract_path(j, 'b', 'c'), jsonb_extract_path_text(j, 'a'), jsonb_extract_path(j, '1') FROM docs ORDER BY id;

-- name: path_steps_that_are_no_numbers
SELECT '[1, 2]'::jsonb #> '{a}', '[1, 2]'::jsonb #> '{01}', '[1, 2]'::jsonb #> '{ 1}', '[1]'::jsonb #> '{99999999999}', '[1, 2]'::jsonb #> '{+1}';

-- name: subscripts
SELECT id, j['a'], j['b']['c'][0], j[0], j['4'], (j[3])['a']['b'] FROM docs ORDER BY id;

-- name: subscript_null
SELECT ('{"a": 1}'::jsonb)[NULL], ('[1, 2]'::jsonb)[-1], ('{"1": 2}'::jsonb)[1];

-- name: subscript_of_wrong_type
SELECT ('{"a": 1}'::jsonb)[1.5];

-- name: subscript_slice
SELECT ('[1, 2]'::jsonb)[0:1];

-- name: subscript_of_json
SELECT ('[1, 2]'::json)[0];

-- name: contains
SELECT a, b, a @> b, a <@ b FROM (VALUES ('{"a": 1, "b": 2}'::jsonb, '{"a": 1}'::jsonb), ('[1, 2, 3]', '[3, 1]'), ('[1]', '1'), ('1', '[1]'),
  ('1', '1.0'), ('{"a": [1, {"b": 2}]}', '{"a": [{}]}'), ('[[1, 2]]', '[1]'), ('[]', '[]'), ('{}', '{}'), ('[1, 1]', '[1]'), ('[1]', '[1, 1]'),
  ('"a"', '"a"'), ('["a", {"b": null}]', '[{"b": null}]'), ('{"a": 1}', '[]'), ('[true]', '[1]'), ('null', 'null'), (NULL, '1')) t (a, b);

-- name: contains_filter
SELECT id FROM docs WHERE j @> '{"a": 1}' OR j @> '[12.5]' ORDER BY id;

-- name: keys
SELECT id, j ? 'a', j ? 'two', j ? 'text', j ?| ARRAY['a', 'two', NULL], j ?& ARRAY['a', 'b'], j ?& '{}' FROM docs ORDER BY id;

-- name: concatenation
SELECT a || b FROM (VALUES ('{"a": 1, "b": 2}'::jsonb, '{"b": 3}'::jsonb), ('[1]', '[2]'), ('[1]', '2'), ('1', '2'), ('[1]', '{"a": 1}'),
  ('{"a": 1}', '[1]'), ('{}', '[]'), ('[]', '[]'), (NULL, '1'), ('{"a": 1}', '1')) t (a, b);

-- name: minus_key
SELECT j - 'a', j - 'two', j - '{a,b,two}'::text[] FROM docs WHERE id IN (1, 2, 3, 4, 8, 9) ORDER BY id;

-- name: minus_index
SELECT '[1, 2, 3]'::jsonb - 0, '[1, 2, 3]'::jsonb - -1, '[1, 2, 3]'::jsonb - 5, '[]'::jsonb - 0, '[1]'::jsonb - -5;

-- name: minus_index_of_object
SELECT '{"a": 1}'::jsonb - 1;

-- name: minus_key_of_scalar
SELECT '1'::jsonb - 'a';

-- name: minus_index_of_scalar
SELECT '1'::jsonb - 1;

-- name: minus_path
SELECT '{"a": [1, {"b": 2}]}'::jsonb #- '{a,1,b}', '[1, 2]'::jsonb #- '{-1}', '{"a": 1}'::jsonb #- '{x,y}', '{"a": 1}'::jsonb #- '{}', '[]'::jsonb #- '{a}';

-- name: minus_path_of_scalar
SELECT '1'::jsonb #- '{a}';

-- name: minus_path_no_index
SELECT '[1]'::jsonb #- '{a}';

-- name: typeof
SELECT id, jsonb_typeof(j) FROM docs ORDER BY id;

-- name: array_length
SELECT id, jsonb_array_length(j) FROM docs WHERE id IN (3, 4, 9, 14) ORDER BY id;

-- name: array_length_of_object
SELECT jsonb_array_length('{"a": 1}');

-- name: array_length_of_scalar
SELECT jsonb_array_length('4');

-- name: each
SELECT id, key, value FROM docs, jsonb_each(j) WHERE id IN (1, 2, 8, 13) ORDER BY id, key;

-- name: each_text
SELECT * FROM jsonb_each_text('{"a": 1, "b": null, "c": "x", "d": [1, 2]}');

-- name: each_of_array
SELECT * FROM jsonb_each('[1]');

-- name: each_text_of_scalar
SELECT * FROM jsonb_each_text('1');

-- name: object_keys
SELECT jsonb_object_keys('{"bb": 1, "a": {"c": 2}, "b": 3}');

-- name: object_keys_of_array
SELECT jsonb_object_keys('[]');

-- name: object_keys_of_scalar
SELECT jsonb_object_keys('1');

-- name: array_elements
SELECT id, n, value FROM docs, jsonb_array_elements(j) WITH ORDINALITY e (value, n) WHERE id IN (3, 9, 14) ORDER BY id, n;

-- name: array_elements_text
SELECT * FROM jsonb_array_elements_text('[1, "a\tb", null, { "x" : 1 }]');

-- name: array_elements_of_object
SELECT * FROM jsonb_array_elements('{}');

-- name: array_elements_of_scalar
SELECT * FROM jsonb_array_elements_text('"x"');

-- name: strip_nulls
SELECT jsonb_strip_nulls('{"a": null, "b": [1, null, {"c": null}]}'), jsonb_strip_nulls('[null, 1, {"a": null}]', true), jsonb_strip_nulls('null');

-- name: pretty
SELECT jsonb_pretty('{"a": [1, {"b": null}], "c": {}, "d": [], "e": "x"}'), jsonb_pretty('[]'), jsonb_pretty('"a"');

-- name: set
SELECT jsonb_set('{"a": 1, "b": [0, 1]}', '{a}', '2'), jsonb_set('{"b": [0, 1]}', '{b,1}', '"x"'), jsonb_set('{"b": [0, 1]}', '{b,9}', '2'),
       jsonb_set('{"b": [0, 1]}', '{b,-9}', '2'), jsonb_set('{"b": [0, 1]}', '{b,-1}', '2'), jsonb_set('{"a": 1}', '{c}', '2', false),
       jsonb_set('{"a": 1}', '{c,d}', '2'), jsonb_set('{"a": 1}', '{}', '2'), jsonb_set('[]', '{0}', '1'), jsonb_set('{}', '{x}', '[1]'),
       jsonb_set('{"a": 1}', '{a,b}', '1'), jsonb_set('{"a": 1}', NULL, '1');

-- name: set_in_scalar
SELECT jsonb_set('1', '{a}', '2');

-- name: set_at_no_index
SELECT jsonb_set('[1]', '{a}', '2');

-- name: set_at_null
SELECT jsonb_set('{"a": 1}', '{NULL}', '2');

-- name: set_lax
SELECT jsonb_set_lax('{"a": 1}', '{a}', NULL), jsonb_set_lax('{"a": 1, "b": 2}', '{a}', NULL, true, 'delete_key'),
       jsonb_set_lax('{"a": 1}', '{a}', NULL, true, 'return_target'), jsonb_set_lax('{"a": 1}', '{a}', '3', true, 'raise_exception');

-- name: set_lax_raises
SELECT jsonb_set_lax('{"a": 1}', '{a}', NULL, true, 'raise_exception');

-- name: set_lax_unknown_treatment
SELECT jsonb_set_lax('{"a": 1}', '{a}', NULL, true, 'other');

-- name: insert
SELECT jsonb_insert('{"a": [0, 1, 2]}', '{a, 1}', '"new"'), jsonb_insert('{"a": [0, 1, 2]}', '{a, 1}', '"new"', true),
       jsonb_insert('{"a": [0, 1]}', '{a, -1}', '"new"'), jsonb_insert('{"a": [0, 1]}', '{a, 9}', '"new"'), jsonb_insert('{"a": [0, 1]}', '{a, -9}', '"n"'),
       jsonb_insert('{"a": 1}', '{b}', '2'), jsonb_insert('[]', '{0}', '1'), jsonb_insert('{"a": {"b": 1}}', '{x, c}', '2');

-- name: insert_existing
SELECT jsonb_insert('{"a": 1}', '{a}', '2');

-- name: to_jsonb_of_scalars
SELECT to_jsonb(1), to_jsonb(1.50), to_jsonb('a"b'::text), to_jsonb(true), to_jsonb(NULL::int), to_jsonb(1.5::float8), to_jsonb(1e20::float8),
       to_jsonb('NaN'::float8), to_jsonb('-Infinity'::numeric), to_jsonb(1e-7::float8);

-- name: to_jsonb_of_others
SELECT to_jsonb(date '2024-02-29'), to_jsonb(timestamp '2024-02-29 12:34:56.789'), to_jsonb(timestamptz '2024-02-29 12:34:56+02'),
       to_jsonb('{"b" : 1, "a": 2}'::json), to_jsonb(ARRAY[[1, 2], [3, NULL]]), to_jsonb(interval '1 day'), to_jsonb('{}'::text[]);

-- name: build
SELECT jsonb_build_array(), jsonb_build_array(1, 'a', NULL, true, 1.50, ARRAY[1, 2]), jsonb_build_object(),
       jsonb_build_object('b', 1, 'a', NULL, 3, 'c', 'b', jsonb_build_array(1));

-- name: build_object_with_odd_count
SELECT jsonb_build_object('a', 1, 'b');

-- name: build_object_with_null_key
SELECT jsonb_build_object('a', 1, NULL, 1);

-- name: build_object_with_array_key
SELECT jsonb_build_object(ARRAY[1], 1);

-- name: object_of_arrays
SELECT jsonb_object('{b,1,a,"x y"}'), jsonb_object('{{a,1},{b,NULL}}'), jsonb_object('{a,b}', '{1,NULL}');

-- name: agg
SELECT jsonb_agg(id ORDER BY id DESC), jsonb_agg(j ORDER BY id), jsonb_agg_strict(j ORDER BY id) FROM docs WHERE id < 6;

-- name: agg_distinct
SELECT jsonb_agg(DISTINCT x), jsonb_agg(DISTINCT x ORDER BY x DESC) FROM (VALUES (3), (1), (NULL), (3)) t (x);

-- name: agg_of_nothing
SELECT jsonb_agg(id), jsonb_object_agg(id, id) FROM docs WHERE id < 0;

-- name: object_agg
SELECT jsonb_object_agg(k, v ORDER BY v), jsonb_object_agg_strict(k, v ORDER BY k) FROM (VALUES ('b', 1), ('a', NULL), ('b', 3)) t (k, v);

-- name: object_agg_with_null_key
SELECT jsonb_object_agg(k, 1) FROM (VALUES ('a'), (NULL)) t (k);

-- name: object_agg_not_unique
SELECT jsonb_object_agg_unique(k, 1) FROM (VALUES ('a'), ('a')) t (k);

-- name: agg_as_window
SELECT x, jsonb_agg(x) OVER (ORDER BY x) FROM generate_series(1, 3) x ORDER BY x;

-- name: casts
SELECT '5'::jsonb::int, '1.5'::jsonb::int8, '2.5'::jsonb::int2, '1.50'::jsonb::numeric, '1.5'::jsonb::float8, '1e10'::jsonb::float4, 'true'::jsonb::bool,
       'null'::jsonb::int, NULL::jsonb::bool, '"x"'::jsonb::text;

-- name: cast_string_to_int
SELECT '"5"'::jsonb::int;

-- name: cast_array_to_numeric
SELECT '[1]'::jsonb::numeric;

-- name: cast_object_to_float
SELECT '{}'::jsonb::float8;

-- name: cast_number_to_bool
SELECT '1'::jsonb::bool;

-- name: cast_bool_to_int
SELECT 'true'::jsonb::int;

-- name: cast_out_of_range
SELECT '3000000000'::jsonb::int;

-- name: cast_to_date
SELECT '"2024-01-01"'::jsonb::date;

-- name: cast_of_column
SELECT id, (j -> 'a')::text, (j ->> 'a')::text FROM docs WHERE id < 4 ORDER BY id;

-- name: array_of_jsonb
SELECT ARRAY['1'::jsonb, '{"b": 1, "a": 2}'], ARRAY['1.0'::jsonb] = ARRAY['1'::jsonb], array_agg(j ORDER BY j) FROM docs WHERE id IN (6, 8, 11);

-- name: json_of_unequal_texts
SELECT '1.0'::jsonb = '1.00', '{"a": 1.0}'::jsonb = '{"a": 1.00}', '[1, 10]'::jsonb = '[1, 1]', '[1.5, 0]'::jsonb = '[1.50, 0]', '"1.0"'::jsonb = '"1.00"';

-- name: empty_table
SELECT j -> 'a', jsonb_typeof(j), j || '1' FROM docs WHERE id > 100;

-- name: jsonb_cmp
SELECT jsonb_cmp('1', '2'), jsonb_cmp('[]', 'null'), jsonb_cmp('{}', '{}');
