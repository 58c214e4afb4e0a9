-- jsonpath: its text form, and what it finds, lax and strict, with predicates, methods, variables and errors.
-- setup
CREATE TABLE docs (id int, j jsonb) USING mergetree;
INSERT INTO docs VALUES
  (1, '{"a": {"b": [1, 2, 3]}, "c": "text"}'), (2, '{"a": [{"b": 1}, {"b": 5}, {"b": "x"}, {}]}'), (3, '[1, 2.50, "3", true, null, [4], {"a": 5}]'),
  (4, NULL), (5, '7'), (6, '"2024-02-29"'), (7, '{}'), (8, '[]'), (9, 'null'), (10, '{"a": null}');

-- name: text_of_paths
SELECT p::jsonpath FROM (VALUES ('$'), ('lax $.a.b'), ('strict $.a[*]'), ('$.*'), ('$."a b".c'), ('$[0, 2 to last]'), ('$.**'), ('$.**{2}'), ('$.**{1 to last}'),
  ('$.**{last}.a'), ('$.a ? (@.b > 1 && @.c == "x")'), ('$ ? (!(@.a == 1) || exists (@.b))'), ('$.a ? ((@ > 1) is unknown)'), ('$.a starts with "x"'),
  ('$ ? (@ like_regex "^a" flag "i")'), ('$.a + 1 * 2'), ('($.a + 1) * 2'), ('-$.a'), ('- 1'), ('+2'), ('$.a.type()'), ('$.a.decimal(5, 2)'), ('$.a.datetime("yyyy")'),
  ('$x.a'), ('$"x y"'), ('1.50'), ('"a\nb"'), ('true'), ('null'), ('$.a == 1'), ('$.a = 1'), ('$.a <> 1'), ('1 + 2 - 3'), ('1 - (2 - 3)'), ('(1).type()'), ('$ ? (@ == 1) ? (@ > 0)'),
  ('$.a[$.b to 3]'), ('$.time(3)'), ('$.last'), ('$.strict'), ('$.a.size().abs()'), ('(-1).abs()'), ('-1.abs()'), ('0x1F'), ('1e3'), ('.5'), ('1_000'), ('$ . a'), ('$.a /* c */ .b'), ('!($.a > 1)'), ('exists($.a)')) t (p);

-- name: wrong_empty
SELECT ''::jsonpath;

-- name: wrong_end
SELECT '$.'::jsonpath;

-- name: wrong_token
SELECT '$.a b'::jsonpath;

-- name: wrong_at_in_root
SELECT '@.a'::jsonpath;

-- name: wrong_last
SELECT 'last'::jsonpath;

-- name: wrong_number
SELECT '1a'::jsonpath;

-- name: wrong_bracket
SELECT '$[1'::jsonpath;

-- name: wrong_filter
SELECT '$ ? (@.a)'::jsonpath;

-- name: wrong_flag
SELECT '$ ? (@ like_regex "a" flag "z")'::jsonpath;

-- name: wrong_operator
SELECT '$.a === 1'::jsonpath;

-- name: members
SELECT id, jsonb_path_query_array(j, '$.a'), jsonb_path_query_array(j, '$.a.b'), jsonb_path_query_array(j, '$.a.b[*]'), jsonb_path_query_array(j, '$.*') FROM docs ORDER BY id;

-- name: elements
SELECT id, jsonb_path_query_array(j, '$[*]'), jsonb_path_query_array(j, '$[0]'), jsonb_path_query_array(j, '$[last]'), jsonb_path_query_array(j, '$[1 to 2, 0]'),
       jsonb_path_query_array(j, '$[last - 1]'), jsonb_path_query_array(j, '$[99]') FROM docs ORDER BY id;

-- name: levels
SELECT id, jsonb_path_query_array(j, '$.**'), jsonb_path_query_array(j, '$.**{1}'), jsonb_path_query_array(j, '$.**{2 to last}'), jsonb_path_query_array(j, '$.**{last}') FROM docs WHERE id < 4 ORDER BY id;

-- name: levels_with_member
SELECT id, jsonb_path_query_array(j, '$.**.b'), jsonb_path_query_array(j, 'strict $.**.b') FROM docs ORDER BY id;

-- name: filters
SELECT id, jsonb_path_query_array(j, '$.a[*] ? (@.b > 1)'), jsonb_path_query_array(j, '$.a ? (@.b == 1 || @.b == "x")'), jsonb_path_query_array(j, '$[*] ? (@ > 1)'),
       jsonb_path_query_array(j, '$.a[*] ? (exists (@.b))'), jsonb_path_query_array(j, '$.a[*] ? (!exists (@.b))') FROM docs ORDER BY id;

-- name: filters_with_unknown
SELECT id, jsonb_path_query_array(j, '$.a[*] ? ((@.b > 1) is unknown)'), jsonb_path_query_array(j, '$[*] ? (!(@ > 1))'), jsonb_path_query_array(j, '$[*] ? (@ == null)'),
       jsonb_path_query_array(j, '$[*] ? (@ != null)') FROM docs ORDER BY id;

-- name: predicates_as_values
SELECT id, jsonb_path_query_array(j, '$.a.b > 1'), jsonb_path_query_array(j, '$.c == "text"'), jsonb_path_query_array(j, '$[*] == 1') FROM docs ORDER BY id;

-- name: comparisons_of_texts
SELECT jsonb_path_query_array('["a", "b", "ab", "é"]', '$[*] ? (@ > "a")'), jsonb_path_query_array('["a", "b"]', '$[*] ? (@ <= "a")'), jsonb_path_query('true', '$ > false');

-- name: three_valued_logic
SELECT jsonb_path_query('{"a": "x"}', '$.a > 1 && $.a == "y"'), jsonb_path_query('{"a": "x"}', '$.a > 1 || $.a == "x"'), jsonb_path_query('{"a": "x"}', '!($.a > 1)'),
       jsonb_path_query('{"a": "x"}', '$.a > 1'), jsonb_path_query('{"a": [1]}', '$ == 1');

-- name: starts_with
SELECT jsonb_path_query_array('["abc", "b", 1]', '$[*] ? (@ starts with "a")'), jsonb_path_query_array('["abc", "b"]', '$[*] ? (@ starts with $x)', '{"x": "b"}');

-- name: like_regex
SELECT jsonb_path_query_array('["abc", "ABD", "b\na", 1]', '$[*] ? (@ like_regex "^ab")'), jsonb_path_query_array('["abc", "ABD"]', '$[*] ? (@ like_regex "^ab" flag "i")'),
       jsonb_path_query_array('["b\na", "ba"]', '$[*] ? (@ like_regex "^a" flag "m")'), jsonb_path_query_array('["b\na", "bxa"]', '$[*] ? (@ like_regex "b.a" flag "s")'),
       jsonb_path_query_array('["a.c", "abc"]', '$[*] ? (@ like_regex "a.c" flag "q")'), jsonb_path_query_array('["b\na", "bxa"]', '$[*] ? (@ like_regex "b.a")');

-- name: arithmetic
SELECT jsonb_path_query('{"a": 7}', '$.a + 1'), jsonb_path_query('{"a": 7}', '$.a / 2'), jsonb_path_query('{"a": 7}', '$.a % 4'), jsonb_path_query('{"a": 7}', '-$.a * 2 - 1'),
       jsonb_path_query('[1, 2]', '-$[*]'), jsonb_path_query_array('{"a": 1.50}', '$.a * 1.0'), jsonb_path_query('[5]', '$ + 1');

-- name: division_by_zero
SELECT jsonb_path_query('1', '$ / 0');

-- name: arithmetic_on_text
SELECT jsonb_path_query('"a"', '$ + 1');

-- name: arithmetic_on_text_right
SELECT jsonb_path_query('"a"', '1 - $');

-- name: sign_of_text
SELECT jsonb_path_query('"a"', '-$');

-- name: type_and_size
SELECT id, jsonb_path_query_array(j, '$.type()'), jsonb_path_query_array(j, '$[*].type()'), jsonb_path_query_array(j, '$.size()'), jsonb_path_query_array(j, '$[*].size()') FROM docs ORDER BY id;

-- name: numeric_methods
SELECT jsonb_path_query_array('[-1.5, 2, 2.4]', '$[*].abs()'), jsonb_path_query_array('[-1.5, 2, 2.4]', '$[*].floor()'), jsonb_path_query_array('[-1.5, 2, 2.4]', '$.ceiling()');

-- name: conversions
SELECT jsonb_path_query_array('["1.5", 2, 1e3]', '$[*].double()'), jsonb_path_query_array('["1.50", 2.5]', '$[*].number()'), jsonb_path_query_array('["12", 2.5, 3.4]', '$[*].integer()'),
       jsonb_path_query_array('["12", 2.5]', '$[*].bigint()'), jsonb_path_query_array('[1.255, "3"]', '$[*].decimal(5, 2)'), jsonb_path_query_array('[1.5]', '$[*].decimal()'),
       jsonb_path_query_array('[true, 1, 0, "yes", "f"]', '$[*].boolean()'), jsonb_path_query_array('[true, 1.50, "x"]', '$[*].string()');

-- name: abs_of_text
SELECT jsonb_path_query('"a"', '$.abs()');

-- name: double_of_text
SELECT jsonb_path_query('"a"', '$.double()');

-- name: double_of_bool
SELECT jsonb_path_query('true', '$.double()');

-- name: double_of_nan
SELECT jsonb_path_query('"NaN"', '$.double()');

-- name: integer_of_fraction
SELECT jsonb_path_query('"1.5"', '$.integer()');

-- name: integer_too_large
SELECT jsonb_path_query('3000000000', '$.integer()');

-- name: bigint_of_object
SELECT jsonb_path_query('{}', '$.bigint()');

-- name: decimal_too_large
SELECT jsonb_path_query('12345', '$.decimal(3, 1)');

-- name: boolean_of_fraction
SELECT jsonb_path_query('1.5', '$.boolean()');

-- name: boolean_of_object
SELECT jsonb_path_query('{}', '$.boolean()');

-- name: string_of_null
SELECT jsonb_path_query('null', '$.string()');

-- name: keyvalue
SELECT jsonb_path_query('{"a": 1, "b": [1, 2]}', '$.keyvalue()'), jsonb_path_query_array('{"a": {"x": 1}, "b": {"y": 1.25}}', '$.*.keyvalue()'), jsonb_path_query_array('[{"a": 1}, {"b": 12345.678}, {"c": "xyz"}]', '$.keyvalue()');

-- name: keyvalue_of_scalar
SELECT jsonb_path_query('1', '$.keyvalue()');

-- name: datetime
SELECT jsonb_path_query('"2024-02-29"', '$.datetime()'), jsonb_path_query('"12:34:56"', '$.datetime()'), jsonb_path_query('"2024-02-29 12:34:56.5"', '$.datetime()'),
       jsonb_path_query('"2024-02-29T12:34:56+02:00"', '$.datetime().type()'), jsonb_path_query('"2024-02-29"', '$.datetime().type()'), jsonb_path_query('"2024-02-29"', '$.date()'),
       jsonb_path_query('"2024-02-29 12:34:56"', '$.date()'), jsonb_path_query('"2024-02-29"', '$.timestamp()'), jsonb_path_query('"12:34:56.789"', '$.time(1)');

-- name: datetime_comparisons
SELECT jsonb_path_query_array('["2024-02-29", "2024-03-01", "2024-02-29 12:00:00"]', '$[*].datetime() ? (@ >= "2024-02-29 12:00:00".datetime())'),
       jsonb_path_query_array('["12:00:00", "13:00:00"]', '$[*].time() ? (@ > "12:30:00".time())');

-- name: datetime_not_recognized
SELECT jsonb_path_query('"x"', '$.datetime()');

-- name: datetime_of_number
SELECT jsonb_path_query('1', '$.datetime()');

-- name: datetime_needs_zone
SELECT jsonb_path_query('"2024-02-29"', '$.timestamp_tz()');

-- name: datetime_with_zone
SELECT jsonb_path_query_tz('"2024-02-29"', '$.timestamp_tz()'), jsonb_path_exists_tz('["2024-02-29"]', '$[*].datetime() ? (@ < "2024-03-01 00:00:00+01".datetime())');

-- name: variables
SELECT jsonb_path_query_array('[1, 2, 3]', '$[*] ? (@ > $x)', '{"x": 1}'), jsonb_path_query('{}', '$x.a', '{"x": {"a": 5}}'), jsonb_path_query('[1, 2]', '$[$i]', '{"i": 1}');

-- name: variable_missing
SELECT jsonb_path_query('1', '$x');

-- name: variable_missing_in_filter
SELECT jsonb_path_query('1', '$ ? (@ > $x)');

-- name: variables_no_object
SELECT jsonb_path_query('1', '$', '[1]');

-- name: strict_member_missing
SELECT jsonb_path_query('{"b": 1}', 'strict $.a');

-- name: strict_member_of_array
SELECT jsonb_path_query('[1]', 'strict $.a');

-- name: strict_any_member_of_scalar
SELECT jsonb_path_query('1', 'strict $.*');

-- name: strict_elements_of_object
SELECT jsonb_path_query('{}', 'strict $[*]');

-- name: strict_element_of_object
SELECT jsonb_path_query('{}', 'strict $[0]');

-- name: strict_out_of_bounds
SELECT jsonb_path_query('[1]', 'strict $[1]');

-- name: strict_size_of_scalar
SELECT jsonb_path_query('1', 'strict $.size()');

-- name: subscript_no_number
SELECT jsonb_path_query('[1]', '$["a"]');

-- name: subscript_fraction
SELECT jsonb_path_query('[1, 2]', '$[1.9]'), jsonb_path_query('[1, 2]', '$[-0.5]');

-- name: subscript_too_large
SELECT jsonb_path_query('[1]', '$[99999999999]');

-- name: strict_filters
SELECT jsonb_path_query_array('[{"a": 1}, {"b": 2}]', 'strict $[*] ? (@.a == 1)'), jsonb_path_query_array('{"a": [1, 2, "x"]}', 'strict $ ? (@.a[*] > 1)'),
       jsonb_path_query_array('{"a": [1, 2, "x"]}', 'lax $ ? (@.a > 1)'), jsonb_path_query_array('{"a": [1, 2]}', 'strict $ ? (@.a > 1)');

-- name: exists
SELECT id, jsonb_path_exists(j, '$.a'), jsonb_path_exists(j, '$.a.b ? (@ > 4)'), j @? '$[*] ? (@ == 1)', j @? 'strict $.a' FROM docs ORDER BY id;

-- name: exists_raises
SELECT jsonb_path_exists('{"b": 1}', 'strict $.a');

-- name: exists_silent
SELECT jsonb_path_exists('{"b": 1}', 'strict $.a', '{}', true), jsonb_path_exists('{"b": 1}', 'strict $.a', silent => true);

-- name: match
SELECT id, jsonb_path_match(j, '$.c == "text"'), j @@ '$.a.b[*] > 2', j @@ '$.a' FROM docs ORDER BY id;

-- name: match_no_boolean
SELECT jsonb_path_match('1', '$');

-- name: match_silent
SELECT jsonb_path_match('1', '$', '{}', true), jsonb_path_match('null', '$');

-- name: query_rows
SELECT id, q FROM docs, jsonb_path_query(j, '$.a[*]') q ORDER BY id, q;

-- name: query_in_select_list
SELECT id, jsonb_path_query(j, '$[*] ? (@ > $least)', '{"least": 1}') FROM docs WHERE id IN (3, 5) ORDER BY id;

-- name: query_first
SELECT id, jsonb_path_query_first(j, '$.a[*]'), jsonb_path_query_first(j, '$.nothing') FROM docs ORDER BY id;

-- name: query_silent
SELECT jsonb_path_query_array('[1, "a", 2]', '$[*].abs()', '{}', true), jsonb_path_query_first('"a"', '$.abs()', '{}', true);

-- name: query_with_nulls
SELECT jsonb_path_query_array(NULL, '$'), jsonb_path_query_array('1', NULL), jsonb_path_exists('1', '$', NULL);

-- name: path_from_column
SELECT p, jsonb_path_query_array('{"a": [1, 2]}', p::jsonpath) FROM (VALUES ('$.a'), ('$.a[*]'), ('$.a[last]')) t (p) ORDER BY p;

-- name: odd_keys
SELECT jsonb_path_query_array('{"a b": 1, "$x": 2, "last": 3, "é": 4, "a\"b": 5}', '$."a b"'), jsonb_path_query('{"$x": 2}', '$."$x"'), jsonb_path_query('{"last": 3}', '$.last'), jsonb_path_query('{"é": 4}', '$.é'), jsonb_path_query('{"a\"b": 5}', '$."a\"b"');
