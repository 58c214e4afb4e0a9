-- json: text kept as it is written, its errors, functions that take it apart and make it.
-- setup
CREATE TABLE docs (id int, j json) USING mergetree;
INSERT INTO docs VALUES
  (1, '{"a": 1, "b": {"c": [1, 2, 3]}}'), (2, '{"a": "x\ny", "a": 2 }'), (3, '[1, "two", null, true, {"k": 3.50}]'),
  (4, NULL), (5, '"text"'), (6, ' 12.50 '), (7, 'null'), (8, '{}'), (9, '[]'),
  (10, '{"\u0061": "escaped key", "quote\"d": 1e2, "long key with more than twelve bytes": "a long value, too long for a cell"}');

-- name: kept_as_written
SELECT id, j, j::text, length(j::text) FROM docs ORDER BY id;

-- name: member
SELECT id, j -> 'a', j ->> 'a' FROM docs ORDER BY id;

-- name: member_of_member
SELECT id, j -> 'b' -> 'c', j -> 'b' -> 'c' -> 1, j -> 'b' -> 'c' ->> -1, j -> 'b' ->> 'c' FROM docs ORDER BY id;

-- name: member_with_odd_keys
SELECT id, j -> 'quote"d', j ->> 'long key with more than twelve bytes', j -> '', j -> 'nothing' FROM docs ORDER BY id;

-- name: member_by_column
SELECT d.id, k, d.j ->> k FROM docs d, (VALUES ('a'), ('b'), (NULL), ('quote"d')) keys (k) ORDER BY 1, 2;

-- name: element
SELECT id, j -> 0, j -> 1, j ->> 1, j -> -1, j ->> 2, j -> 99, j -> -99 FROM docs ORDER BY id;

-- name: element_by_column
SELECT id, n, j -> n FROM docs, generate_series(-2, 2) n WHERE id = 3 ORDER BY n;

-- name: extremes_of_indexes
SELECT '[1]'::json -> 2147483647, '[1]'::json -> -2147483648, '[1]'::json ->> 0;

-- name: group_by_member
SELECT j ->> 'a' AS a, count(*) FROM docs GROUP BY 1 ORDER BY 1;

-- name: filter_on_member
SELECT id FROM docs WHERE j ->> 'a' = '1' OR j -> 'b' IS NOT NULL ORDER BY id;

-- name: spaces_everywhere
SELECT E' { \n "a" \t : \r [ 1 , { "b" : 2 } ] , "c":3 } '::json -> 'a', E' [ 1 , [ 2 , 3 ] , 4 ] '::json -> 1;

-- name: brackets_in_strings
SELECT '{"x": "}]{[,:\"", "a": "]"}'::json -> 'a', '["],", 2]'::json -> 1, '{"a\\": 1, "b": 2}'::json -> 'b';

-- name: paths
SELECT id, j #> '{b,c,0}', j #>> '{b,c,-1}', j #> '{4,k}', j #>> '{a}', j #> '{}' FROM docs ORDER BY id;

-- name: paths_by_functions
SELECT json_extract_path(j, 'b', 'c'), json_extract_path_text(j, 'a'), json_extract_path(j, '1') FROM docs ORDER BY id;

-- name: paths_with_null
SELECT '{"a": {"b": 1}}'::json #> ARRAY['a', NULL], '{"a": 1}'::json #>> NULL::text[];

-- name: typeof
SELECT id, json_typeof(j) FROM docs ORDER BY id;

-- name: array_length
SELECT json_array_length(j) FROM docs WHERE id IN (3, 4, 9) ORDER BY id;

-- name: array_length_of_object
SELECT json_array_length('{"a": 1}');

-- name: array_length_of_scalar
SELECT json_array_length('4');

-- name: strip_nulls
SELECT json_strip_nulls('{"a": null, "b": [1, null, {"c": null, "d" : "\u0041\n"}], "e": 1.50, "e": 2}'),
       json_strip_nulls('[null, 1, [null]]', true), json_strip_nulls('null'), json_strip_nulls('"x"');

-- name: each
SELECT id, key, value FROM (SELECT * FROM docs WHERE id IN (1, 2, 8, 10)) AS d, json_each(j) ORDER BY id, key, value::text;

-- name: each_text
SELECT * FROM json_each_text('{"a": 1, "b": null, "c": "x", "d": [1, 2]}');

-- name: each_of_array
SELECT * FROM json_each('[1]');

-- name: each_of_scalar
SELECT * FROM json_each('1');

-- name: object_keys
SELECT json_object_keys('{"b": 1, "a": {"c": 2}, "b": 3}');

-- name: object_keys_of_array
SELECT json_object_keys('[]');

-- name: object_keys_of_scalar
SELECT json_object_keys('null');

-- name: array_elements
SELECT value, value::text FROM json_array_elements('[1, "a", null, { "x" : [ 1 ] }]');

-- name: array_elements_text
SELECT * FROM json_array_elements_text('[1, "a\tb", null, { "x" : 1 }]') WITH ORDINALITY;

-- name: array_elements_in_select_list
SELECT id, json_array_elements(j) FROM docs WHERE id IN (3, 9);

-- name: array_elements_of_object
SELECT * FROM json_array_elements('{}');

-- name: array_elements_of_scalar
SELECT * FROM json_array_elements('1');

-- name: to_json_of_scalars
SELECT to_json(1), to_json(1.50), to_json('a"b'::text), to_json(true), to_json(NULL::int), to_json(1.5::float8), to_json(1e20::float8),
       to_json('NaN'::float8), to_json('-Infinity'::float4), to_json('NaN'::numeric);

-- name: to_json_of_times
SELECT to_json(date '2024-02-29'), to_json(timestamp '2024-02-29 12:34:56.789'), to_json(timestamptz '2024-02-29 12:34:56+02'),
       to_json(time '12:00'), to_json(interval '1 day 2 hours'), to_json(date 'infinity'), to_json(timestamp '-infinity'),
       to_json(date '0044-03-15 BC');

-- name: to_json_of_others
SELECT to_json('\x0102'::bytea), to_json('{"a" : 1}'::json), to_json('{"a" : 1}'::jsonb), to_json('ab'::char(4)),
       to_json('41db1265-8bc1-4ab3-992f-885799a4af1d'::uuid);

-- name: to_json_of_arrays
SELECT to_json(ARRAY[1, 2, NULL]), to_json(ARRAY[['a', 'b'], ['c', NULL]]), to_json('{}'::int[]), array_to_json(ARRAY[1.5, 2]),
       array_to_json(ARRAY[[1, 2], [3, 4]], true), to_json(ARRAY['{"a": 1}'::json, '2']);

-- name: to_json_of_unknown
SELECT to_json('a');

-- name: build_array
SELECT json_build_array(), json_build_array(1, 'a', NULL, true, 1.50, ARRAY[1, 2], '{"x" : 1}'::json, date '2024-01-01');

-- name: build_object
SELECT json_build_object(), json_build_object('a', 1, 'b', NULL, 3, 'c', true, 1.5, 'a', json_build_array(1, 2));

-- name: build_object_with_odd_count
SELECT json_build_object('a', 1, 'b');

-- name: build_object_with_null_key
SELECT json_build_object(NULL, 1);

-- name: build_object_with_array_key
SELECT json_build_object(ARRAY[1], 1);

-- name: build_object_with_json_key
SELECT json_build_object('{}'::json, 1);

-- name: object_of_arrays
SELECT json_object('{a,1,b,"x y"}'), json_object('{{a,1},{b,NULL}}'), json_object('{a,b}', '{1,NULL}'), json_object('{}');

-- name: object_of_odd_array
SELECT json_object('{a,1,b}');

-- name: object_of_wide_array
SELECT json_object('{{a,b,c}}');

-- name: object_of_deep_array
SELECT json_object('{{{a,b}}}');

-- name: object_of_different_arrays
SELECT json_object('{a,b}', '{1}');

-- name: object_with_null_key
SELECT json_object('{NULL,1}');

-- name: agg
SELECT json_agg(id ORDER BY id DESC), json_agg(j ORDER BY id) FROM docs WHERE id < 6;

-- name: agg_of_nothing
SELECT json_agg(id), json_object_agg(id, id) FROM docs WHERE id < 0;

-- name: agg_of_texts_and_nulls
SELECT json_agg(x ORDER BY x), json_agg_strict(x ORDER BY x), json_agg(DISTINCT x) FROM (VALUES ('b'), (NULL), ('a'), ('b')) t (x);

-- name: agg_filtered
SELECT json_agg(x) FILTER (WHERE x > 1), json_agg(ARRAY[x, 2 * x] ORDER BY x) FROM (VALUES (1), (2)) t (x);

-- name: agg_by_groups
SELECT x % 2 AS odd, json_agg(x ORDER BY x), json_object_agg(x, x * x ORDER BY x) FROM generate_series(1, 5) x GROUP BY 1 ORDER BY 1;

-- name: object_agg
SELECT json_object_agg(k, v ORDER BY k), json_object_agg_strict(k, v ORDER BY k) FROM (VALUES ('a', 1), ('b', NULL), ('c', 3)) t (k, v);

-- name: object_agg_with_null_key
SELECT json_object_agg(k, 1) FROM (VALUES ('a'), (NULL)) t (k);

-- name: object_agg_unique
SELECT json_object_agg_unique(k, 1 ORDER BY k) FROM (VALUES ('a'), ('b')) t (k);

-- name: object_agg_not_unique
SELECT json_object_agg_unique(k, 1) FROM (VALUES ('a'), ('a')) t (k);

-- name: object_agg_unique_strict
SELECT json_object_agg_unique_strict(k, v ORDER BY k) FROM (VALUES ('a', 1), ('b', NULL)) t (k, v);

-- name: casts
SELECT '{"b": 1, "a": 2}'::json::jsonb, '{"b": 1, "a": 2}'::jsonb::json, ('{"a"' || ':1}')::json, '[1]'::json::varchar;

-- name: cast_from_column
SELECT id, j::jsonb FROM docs WHERE id <> 2 ORDER BY id;

-- name: cast_to_int
SELECT '1'::json::int;

-- name: no_equality
SELECT '1'::json = '1'::json;

-- name: no_equality_in_group_by
SELECT j, count(*) FROM docs GROUP BY j;

-- name: no_equality_in_distinct
SELECT DISTINCT j FROM docs;

-- name: no_order
SELECT j FROM docs ORDER BY j;

-- name: no_equality_in_union
SELECT j FROM docs UNION SELECT j FROM docs;

-- name: union_all
SELECT j::text FROM (SELECT j FROM docs UNION ALL SELECT '1'::json) t ORDER BY 1;

-- name: no_max
SELECT max(j) FROM docs;

-- name: no_equality_in_count_distinct
SELECT count(DISTINCT j) FROM docs;

-- name: coalesce_and_case
SELECT id, coalesce(j, '"none"'), CASE WHEN id > 8 THEN j END FROM docs ORDER BY id;

-- name: error_empty
SELECT ''::json;

-- name: error_word
SELECT 'abc'::json;

-- name: error_quote
SELECT '"abc'::json;

-- name: error_control
SELECT E'"a\nb"'::json;

-- name: error_escape
SELECT '"\v"'::json;

-- name: error_unicode_escape
SELECT '"\u00"'::json, '"\u000g"'::json;

-- name: error_number
SELECT '01'::json;

-- name: error_number_exponent
SELECT '1e'::json;

-- name: error_nan
SELECT 'NaN'::json;

-- name: error_infinity
SELECT '[-Infinity]'::json;

-- name: error_trailing_comma
SELECT '[1,]'::json;

-- name: error_two_values
SELECT '1 2'::json;

-- name: error_colon
SELECT '{"a" 1}'::json;

-- name: error_key
SELECT '{1: 2}'::json;

-- name: error_brace
SELECT '{"a": 1'::json;

-- name: error_comma_in_object
SELECT '{"a": 1,}'::json;

-- name: error_from_column
SELECT (t || 'x')::json FROM (VALUES ('[1]')) v (t);

-- name: surrogates_in_json
SELECT '"\ud83d\ude00"'::json, '"\ud83d"'::json, '"\u0000"'::json;

-- name: surrogates_as_text
SELECT '["\ud83d\ude00"]'::json ->> 0;

-- name: half_a_surrogate_as_text
SELECT '["\ud83d"]'::json ->> 0;

-- name: zero_as_text
SELECT '["\u0000"]'::json ->> 0;

-- name: empty_table
SELECT j -> 'a', json_typeof(j) FROM docs WHERE id > 100;

-- name: insert_wrong_text
INSERT INTO docs VALUES (11, '{');

-- name: join_on_member
SELECT a.id, b.id FROM docs a JOIN docs b ON a.j ->> 'a' = b.j #>> '{a}' ORDER BY 1, 2;

-- name: is_json
SELECT x, x IS JSON, x IS NOT JSON, x IS JSON OBJECT, x IS JSON ARRAY, x IS JSON SCALAR, x IS JSON VALUE, x IS JSON WITH UNIQUE KEYS, x IS JSON OBJECT WITHOUT UNIQUE
FROM (VALUES ('1'), ('{"a": 1, "a": 2}'), ('[{"a": 1, "b": {"c": 1, "c": 2}}]'), ('x'), (''), (NULL), (' "s" '), ('{}'), ('[1,]'), ('null')) t (x);

-- name: is_json_of_documents
SELECT id, j IS JSON ARRAY, j IS JSON WITH UNIQUE KEYS, j::jsonb IS JSON SCALAR FROM docs WHERE id <> 2 ORDER BY id;

-- name: is_json_of_number
SELECT 1 IS JSON;

-- name: json_object_constructor
SELECT JSON_OBJECT('a': 1, 'b' VALUE NULL), JSON_OBJECT('a': 1, 'b': NULL ABSENT ON NULL), JSON_OBJECT('b': 1, 'a': ARRAY[1, 2] RETURNING jsonb), JSON_OBJECT(), JSON_OBJECT(1: 2);

-- name: json_array_constructor
SELECT JSON_ARRAY(1, 'a', NULL), JSON_ARRAY(1, NULL NULL ON NULL), JSON_ARRAY(), JSON_ARRAY('{"a": 1}'::jsonb, 1.50 RETURNING jsonb);

-- name: json_object_repeats_key
SELECT JSON_OBJECT('a': 1, 'a': 2 WITH UNIQUE KEYS);

-- name: jsonb_object_repeats_key
SELECT JSON_OBJECT('a': 1, 'a': 2 WITH UNIQUE KEYS RETURNING jsonb);

-- name: json_object_repeats_key_of_null
SELECT JSON_OBJECT('a': NULL, 'a': 2 ABSENT ON NULL WITH UNIQUE KEYS);

-- name: json_object_null_key
SELECT JSON_OBJECT(NULL: 1);

-- name: json_scalar
SELECT JSON_SCALAR(1.50), JSON_SCALAR('a'), JSON_SCALAR(true), JSON_SCALAR(NULL::int);

-- name: json_object_of_columns
SELECT JSON_OBJECT(k: v) FROM (VALUES ('x', 1), ('y', NULL)) t (k, v);
