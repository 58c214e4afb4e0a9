-- Arrays: literals, constructors, subscripts, slices, ANY and ALL, casts, order, functions.
-- setup
CREATE TABLE t (id int NOT NULL, a int[], s text[], n numeric[], f float8[], ts timestamp[], b bool[]) USING mergetree WITH (order_by = 'id');
INSERT INTO t VALUES (1, '{1,2,3}', '{a,"b c",NULL}', '{1.0,2.50}', '{1.5,NaN}', '{2024-01-01}', '{t,f}'), (2, '{}', '{}', '{}', '{}', '{}', '{}'), (3, NULL, NULL, NULL, NULL, NULL, NULL), (4, '{1,2}', '{a}', '{1.00,2.5}', '{-0}', '{infinity,NULL}', '{NULL}'), (5, '{NULL,5}', '{"a text that is longer than a cell",""}', '{NaN}', '{0}', '{2000-02-29 01:02:03.5}', '{t}'), (6, '[0:1]={1,2}', '{{a,b},{c,d}}', '{{1},{2}}', '{{1,2},{3,4}}', '{}', '{f,t,NULL}'), (7, '{{1,2},{3,4}}', '{NULL,"NULL"}', '{-1}', '{Infinity,-Infinity}', NULL, '{}');
CREATE TABLE v (x int, y text) USING mergetree;
INSERT INTO v VALUES (1, 'a'), (2, NULL), (NULL, 'b c'), (5, ''), (3, 'd');
CREATE TABLE nothing (a int[], x int) USING mergetree;

-- name: all_columns
SELECT * FROM t ORDER BY id;

-- name: literal_ints
SELECT '{1,2,NULL}'::int[];

-- name: literal_spaces
SELECT ' { 1 , 2 } '::int[], '{ a  b , "c" }'::text[];

-- name: literal_null_word
SELECT '{null,"null",NULL,Null,nullx}'::text[];

-- name: literal_escapes
SELECT '{a\\b,"c\"d",\{}'::text[];

-- name: literal_escape_string
SELECT E'{"a\\"b",c\\\\d}'::text[];

-- name: literal_bounds
SELECT '[2:3]={1,2}'::int[], '[-1:0][5:5]={{1},{2}}'::int[], '[1:2]={1,2}'::int[];

-- name: literal_short_bounds
SELECT '[2]={1,2}'::int[];

-- name: literal_nested
SELECT '{{1,2},{3,4}}'::int[], '{{{1}}}'::int[], '{{},{}}'::int[];

-- name: literal_empty
SELECT '{}'::int[], '{ }'::text[];

-- name: literal_numeric_modifier
SELECT '{1.239,2}'::numeric(5,2)[], '{1.5,2.5}'::numeric(3,0)[];

-- name: literal_varchar_modifier
SELECT '{abc,d}'::varchar(2)[];

-- name: literal_char_modifier
SELECT '{abc,d}'::char(2)[];

-- name: literal_dates
SELECT '{2024-02-29,infinity}'::date[], '{12:00,23:59:59.5}'::time[], '{1 day,2 mons}'::interval[];

-- name: literal_timestamptz
SELECT '{2024-02-29 12:00+02}'::timestamptz[];

-- name: literal_bools
SELECT '{t,f,true,no}'::bool[];

-- name: literal_bytea
SELECT '{"\\x00ff",""}'::bytea[];

-- name: literal_uuid
SELECT '{00000000-0000-0000-0000-000000000001}'::uuid[];

-- name: literal_floats
SELECT '{1,1e300,-0,NaN,-Infinity}'::float8[], '{0.1,1e-30}'::float4[];

-- name: literal_no_brace
SELECT 'abc'::int[];

-- name: literal_empty_text
SELECT ''::int[];

-- name: literal_double_comma
SELECT '{1,,2}'::int[];

-- name: literal_trailing_comma
SELECT '{1,}'::int[];

-- name: literal_junk
SELECT '{1} x'::int[];

-- name: literal_open
SELECT '{1,2'::int[];

-- name: literal_bad_element
SELECT '{1,x}'::int[];

-- name: literal_ragged
SELECT '{{1},{2,3}}'::int[];

-- name: literal_mixed_depth
SELECT '{1,{2}}'::int[];

-- name: literal_mixed_depth_2
SELECT '{{1},2}'::int[];

-- name: literal_bad_quotes
SELECT '{"a" b}'::text[];

-- name: literal_quote_inside
SELECT '{a"b"}'::text[];

-- name: literal_two_elements
SELECT '{"a""b"}'::text[];

-- name: literal_seven_dimensions
SELECT '{{{{{{{1}}}}}}}'::int[];

-- name: literal_bounds_mismatch
SELECT '[1:3]={1,2}'::int[];

-- name: literal_bounds_reversed
SELECT '[3:1]={1,2}'::int[];

-- name: literal_bounds_missing_equals
SELECT '[1:2]{1,2}'::int[];

-- name: literal_bounds_missing_upper
SELECT '[1:]={1,2}'::int[];

-- name: literal_bounds_empty
SELECT '[]={1,2}'::int[];

-- name: literal_bounds_large
SELECT '[1:2147483647]={1,2}'::int[];

-- name: literal_bounds_overflow
SELECT '[1:99999999999]={1,2}'::int[];

-- name: constructor
SELECT ARRAY[1, 2, 3], ARRAY['a', 'b'], ARRAY[1, 2.5], ARRAY[NULL, 1];

-- name: constructor_of_columns
SELECT ARRAY[x, x + 1], ARRAY[y, 'z'] FROM v;

-- name: constructor_nested
SELECT ARRAY[[1, 2], [3, 4]], ARRAY[ARRAY['a'], ARRAY['b']];

-- name: constructor_of_arrays
SELECT ARRAY[a, a] FROM t WHERE id < 6;

-- name: constructor_of_unlike_arrays
SELECT ARRAY[ARRAY[1], ARRAY[1, 2]];

-- name: constructor_cast
SELECT ARRAY[1, 2]::text[], ARRAY['1', '2']::int[], ARRAY[[1, 2]]::numeric(4,1)[];

-- name: constructor_empty
SELECT ARRAY[]::int[], ARRAY[]::text[];

-- name: constructor_empty_without_type
SELECT ARRAY[];

-- name: constructor_unmatched
SELECT ARRAY[1, 'x'::text];

-- name: constructor_bad_literal
SELECT ARRAY[1, 'x'];

-- name: constructor_unknown_only
SELECT ARRAY['1', NULL], pg_typeof(ARRAY['1', NULL]);

-- name: constructor_bools
SELECT ARRAY[x > 2, y IS NULL] FROM v;

-- name: constructor_types
SELECT pg_typeof(ARRAY[1]), pg_typeof(ARRAY[1, 2::int8]), pg_typeof(ARRAY[1, 2.0]), pg_typeof(ARRAY['a'::varchar]);

-- name: constructor_dates
SELECT ARRAY[date '2024-01-01', NULL, 'infinity'];

-- name: query
SELECT ARRAY(SELECT x FROM v ORDER BY x), ARRAY(SELECT y FROM v ORDER BY x DESC NULLS LAST);

-- name: query_empty
SELECT ARRAY(SELECT x FROM nothing);

-- name: query_correlated
SELECT id, ARRAY(SELECT x FROM v WHERE v.x < t.id ORDER BY x) FROM t;

-- name: query_of_arrays
SELECT ARRAY(SELECT ARRAY[x, x] FROM v WHERE x IS NOT NULL ORDER BY x);

-- name: query_two_columns
SELECT ARRAY(SELECT x, y FROM v);

-- name: subscript
SELECT id, a[1], a[2], a[0], s[2], n[1], f[2], ts[1], b[1] FROM t;

-- name: subscript_by_column
SELECT id, a[id], s[id - 4] FROM t;

-- name: subscript_two
SELECT id, a[1][2], s[2][1], f[2][2], a[1][1][1] FROM t;

-- name: subscript_null
SELECT a[NULL] FROM t;

-- name: subscript_of_expression
SELECT (ARRAY[10, 20, 30])[2], ('{x,y}'::text[])[1];

-- name: subscript_out_of_range
SELECT a[2147483647], a[-2147483648] FROM t;

-- name: subscript_of_text
SELECT 'abc'[1];

-- name: subscript_of_int
SELECT x[1] FROM v;

-- name: subscript_by_text
SELECT a['1'], a['1'::text] FROM t;

-- name: subscript_by_numeric
SELECT a[1.6] FROM t;

-- name: subscript_seven
SELECT a[1][1][1][1][1][1][1] FROM t;

-- name: subscript_where
SELECT id FROM t WHERE a[1] = 1;

-- name: slice
SELECT id, a[1:2], a[2:], a[:1], a[:], s[1:1] FROM t;

-- name: slice_two
SELECT id, a[1:1][2:2], a[2:2], s[1][1:2], f[:][2:] FROM t;

-- name: slice_reversed
SELECT id, a[3:1] FROM t;

-- name: slice_null
SELECT id, a[NULL:2] FROM t;

-- name: slice_bounds
SELECT ('[5:9]={1,2,3,4,5}'::int[])[6:7], ('[5:9]={1,2,3,4,5}'::int[])[:6];

-- name: slice_by_column
SELECT id, a[id:id + 1] FROM t;

-- name: any_equal
SELECT id FROM t WHERE 2 = ANY (a);

-- name: any_of_column
SELECT id, 1 = ANY (a), 5 > ANY (a), 9 = ANY (a), NULL = ANY (a) FROM t;

-- name: all_of_column
SELECT id, 1 <> ALL (a), 0 < ALL (a), 3 > ALL (a) FROM t;

-- name: any_text
SELECT id, 'a' = ANY (s), 'a text that is longer than a cell' = ANY (s), 'zz' <> ALL (s) FROM t;

-- name: any_like
SELECT id, 'a' LIKE ANY (s), 'b c' LIKE ANY (ARRAY['b%', NULL]) FROM t;

-- name: any_numeric
SELECT id, 2.5 = ANY (n), 1 = ANY (n), 2 = ANY (a), 2.0 = ANY (a) FROM t;

-- name: any_float
SELECT id, 'NaN' = ANY (f), 0 = ANY (f), 0 < ANY (f) FROM t;

-- name: any_join
SELECT id, x FROM t JOIN v ON x = ANY (a);

-- name: any_literal
SELECT x, x = ANY ('{1,2}'), y = ANY ('{a,NULL}'), x <> ALL ('{1,2,NULL}') FROM v;

-- name: any_constructor
SELECT x, x = ANY (ARRAY[1, 3]), x = ANY (ARRAY[1, NULL]), x < ALL (ARRAY[2, 3]) FROM v;

-- name: any_empty
SELECT x, x = ANY ('{}'), x = ALL ('{}'), x = ANY (ARRAY[]::int[]) FROM v;

-- name: any_null_array
SELECT x, x = ANY (NULL::int[]), x = ALL (NULL::int[]) FROM v;

-- name: any_two_dimensions
SELECT 4 = ANY ('{{1,2},{3,4}}'::int[]);

-- name: any_not_array
SELECT x = ANY (x) FROM v;

-- name: any_no_operator
SELECT y = ANY (a) FROM v, t;

-- name: any_not_boolean
SELECT x + ANY (a) FROM v, t;

-- name: any_wider
SELECT x, x::int8 = ANY (ARRAY[1, 2]), x = ANY (ARRAY[1::int8]), x::int2 = ANY ('{1}'::int8[]) FROM v;

-- name: any_not
SELECT id FROM t WHERE NOT (1 = ANY (a));

-- name: any_in_case
SELECT id, CASE WHEN 10 / (id - 3) = ANY (a) THEN 'x' ELSE 'y' END FROM t WHERE id <> 3;

-- name: any_division
SELECT 1 / x = ANY (ARRAY[x, 1]) FROM (VALUES (0)) q (x);

-- name: cast_int_text
SELECT id, a::text[], a::text FROM t;

-- name: cast_text_int
SELECT '{1,2}'::text::int[], ARRAY['1', ' 2 ']::int[];

-- name: cast_widen
SELECT id, a::int8[], a::numeric[], a::float8[] FROM t;

-- name: cast_narrow
SELECT id, n::int[], n::numeric(5,1)[] FROM t WHERE id <> 5;

-- name: cast_narrow_error
SELECT ARRAY[100000]::int2[];

-- name: cast_nan_error
SELECT n::int[] FROM t;

-- name: cast_refused
SELECT ARRAY[true]::date[];

-- name: cast_scalar
SELECT 1::int[];

-- name: cast_array_to_int
SELECT ARRAY[1]::int;

-- name: cast_implicit
SELECT ARRAY[1, 2] || ARRAY[1.5], ARRAY[1] = ARRAY[1::int8];

-- name: equality
SELECT a.id, b.id FROM t a JOIN t b ON a.a = b.a;

-- name: equality_numeric
SELECT a.id, b.id FROM t a JOIN t b ON a.n = b.n;

-- name: equality_float
SELECT a.id, b.id FROM t a JOIN t b ON a.f = b.f;

-- name: comparisons
SELECT id, a = '{1,2}', a <> '{1,2}', a < '{1,2,3}', a <= '{1,2}', a > '{1}', a >= '{}' FROM t;

-- name: comparison_nulls
SELECT ARRAY[1, NULL] = ARRAY[1, NULL], ARRAY[NULL]::int[] > ARRAY[5], ARRAY[1, NULL] < ARRAY[1, 2];

-- name: comparison_shapes
SELECT '{1,2}'::int[] = '[0:1]={1,2}', '{1,2}'::int[] < '[0:1]={1,2}', '{{1,2}}'::int[] > '{1,2}';

-- name: comparison_types
SELECT ARRAY[1] = ARRAY['a'];

-- name: comparison_texts
SELECT id, s < '{b}', s = '{a,"b c",NULL}' FROM t;

-- name: distinct_from
SELECT a.id, b.id FROM t a, t b WHERE a.a IS NOT DISTINCT FROM b.a AND a.id < b.id;

-- name: in_list
SELECT id FROM t WHERE a IN ('{1,2}', '{}', '{{1,2},{3,4}}');

-- name: case_of_arrays
SELECT id, CASE WHEN id < 3 THEN a ELSE '{9}' END, coalesce(a, '{0}'), nullif(a, '{}'), greatest(a, '{1,2}'), least(a, '{2}') FROM t;

-- name: order_by
SELECT id, a FROM t ORDER BY a, id;

-- name: order_by_descending
SELECT id, n FROM t ORDER BY n DESC, id;

-- name: order_by_text
SELECT id, s FROM t ORDER BY s NULLS FIRST, id;

-- name: order_by_float
SELECT id, f FROM t ORDER BY f, id;

-- name: order_by_limit
SELECT id, a FROM t ORDER BY a DESC NULLS LAST LIMIT 3;

-- name: group_by
SELECT a, count(*) FROM t GROUP BY a ORDER BY a;

-- name: group_by_numeric
SELECT count(*), min(id) FROM t GROUP BY n ORDER BY min(id);

-- name: group_by_float
SELECT count(*), min(id) FROM t GROUP BY f ORDER BY min(id);

-- name: distinct
SELECT DISTINCT f[1] FROM t ORDER BY 1;

-- name: distinct_arrays
SELECT count(DISTINCT a), count(DISTINCT n), count(DISTINCT s), count(a) FROM t;

-- name: union
SELECT a FROM t WHERE id < 5 UNION SELECT '{1,2}' ORDER BY 1;

-- name: minimum
SELECT min(a), max(a), min(s), max(n), max(f) FROM t;

-- name: minimum_of_nothing
SELECT min(a), max(a) FROM nothing;

-- name: window
SELECT id, rank() OVER (ORDER BY a), lag(a) OVER (ORDER BY id), count(*) OVER (PARTITION BY a) FROM t;

-- name: is_null
SELECT id, a IS NULL, s IS NOT NULL FROM t;

-- name: concat
SELECT id, a || 9, 9 || a, a || '{7,8}'::int[], a || NULL::int FROM t WHERE id <> 7;

-- name: concat_literal
SELECT ARRAY[1, 2] || '{3}', ARRAY['a'] || 'b'::text, 'x' || ARRAY['a'];

-- name: concat_dimensions
SELECT ARRAY[[1, 2]] || ARRAY[3, 4], ARRAY[1, 2] || ARRAY[[3, 4]], ARRAY[[1, 2]] || ARRAY[[3, 4]];

-- name: concat_bounds
SELECT '[0:1]={1,2}'::int[] || 3, 0 || '[5:6]={1,2}'::int[], '[0:1]={1,2}'::int[] || '{3}'::int[];

-- name: concat_incompatible
SELECT ARRAY[1] || ARRAY[[1, 2], [3, 4]];

-- name: concat_incompatible_depth
SELECT ARRAY[1] || ARRAY[[[1]]];

-- name: concat_types
SELECT pg_typeof(ARRAY[1] || 2.5), ARRAY[1] || 2.5, ARRAY[1] || 3::int8;

-- name: concat_unmatched
SELECT ARRAY[1] || 'x'::text;

-- name: append
SELECT array_append(NULL, 1), array_append('{}'::int[], NULL), array_prepend(1, NULL), array_append('{{1}}'::int[], 2);

-- name: append_overflow
SELECT array_append('[2147483646:2147483646]={1}'::int[], 2);

-- name: cat
SELECT array_cat(NULL::int[], NULL), array_cat('{1}', NULL::int[]), array_cat('{}'::int[], '{2}');

-- name: contains
SELECT id, a @> '{1}', a <@ '{1,2,3}', a && '{5,3}', a @> '{}', a @> '{NULL}' FROM t;

-- name: contains_text
SELECT id, s @> '{a}', s && ARRAY['b', 'b c'], n @> '{2.5}' FROM t;

-- name: lengths
SELECT id, array_length(a, 1), array_length(a, 2), array_length(a, 0), cardinality(a), array_ndims(a), array_dims(a) FROM t;

-- name: bounds
SELECT id, array_lower(a, 1), array_upper(a, 1), array_lower(a, 2), array_upper(a, 2), array_upper(s, 1) FROM t;

-- name: length_null
SELECT array_length(a, NULL), array_length(NULL::int[], 1), cardinality(NULL::text[]) FROM t WHERE id = 1;

-- name: position
SELECT array_position(ARRAY['a', 'b', 'a'], 'a', 2), array_position(ARRAY[1, NULL], NULL), array_position('{}'::int[], 1), array_position(NULL::int[], 1);

-- name: position_bounds
SELECT array_position('[0:2]={5,6,7}'::int[], 6), array_positions('[0:2]={5,6,5}'::int[], 5), array_positions(ARRAY[1], 9);

-- name: position_dimensions
SELECT array_position('{{1}}'::int[], 1);

-- name: position_null_start
SELECT array_position(ARRAY[1], 1, NULL);

-- name: remove
SELECT id, array_remove(a, 1), array_remove(a, NULL) FROM t WHERE id <> 7;

-- name: remove_dimensions
SELECT array_remove('{{1}}'::int[], 1);

-- name: replace
SELECT id, array_replace(a, 1, 9), array_replace(a, NULL, 0), array_replace(a, 2, NULL) FROM t;

-- name: to_string
SELECT id, array_to_string(a, ','), array_to_string(s, '|', '*'), array_to_string(ts, ';'), array_to_string(f, ' ') FROM t;

-- name: to_string_null
SELECT array_to_string(ARRAY[1, NULL], NULL), array_to_string(NULL::int[], ',');

-- name: string_to_array
SELECT string_to_array('a,b,,c', ','), string_to_array('abc', NULL), string_to_array('abc', ''), string_to_array('', ','), string_to_array(NULL, ',');

-- name: string_to_array_null
SELECT string_to_array('a,b,c', ',', 'b'), string_to_array('xxbxx', 'b', ''), string_to_array('b', ',', 'b');

-- name: fill
SELECT array_fill(7, ARRAY[3]), array_fill('x'::text, ARRAY[2, 2]), array_fill(1, ARRAY[2], ARRAY[5]), array_fill(NULL::int, ARRAY[2]), array_fill(1, '{}'), array_fill(1, ARRAY[2, 0]);

-- name: fill_null
SELECT array_fill(1, NULL);

-- name: fill_null_dimension
SELECT array_fill(1, ARRAY[1, NULL]);

-- name: fill_unlike
SELECT array_fill(1, ARRAY[1, 2], ARRAY[1]);

-- name: fill_negative
SELECT array_fill(1, ARRAY[-1]);

-- name: fill_seven
SELECT array_fill(1, ARRAY[1, 1, 1, 1, 1, 1, 1]);

-- name: fill_unknown
SELECT array_fill('x', ARRAY[1]);

-- name: trim
SELECT trim_array(ARRAY[1, 2, 3], 2), trim_array(ARRAY[1], 1), trim_array('[0:1]={1,2}'::int[], 1), trim_array(ARRAY[[1, 2], [3, 4]], 1);

-- name: trim_too_many
SELECT trim_array(ARRAY[1], 2);

-- name: trim_negative
SELECT trim_array(ARRAY[1], -1);

-- name: reverse
SELECT id, array_reverse(a), array_reverse(s) FROM t;

-- name: sort
SELECT array_sort(ARRAY[3, NULL, 1, 2]), array_sort(ARRAY[3, NULL, 1], true), array_sort(ARRAY[3, NULL, 1], false, true), array_sort(ARRAY[[3, 1], [1, 2]]);

-- name: sort_texts
SELECT id, array_sort(s), array_sort(n), array_sort(f) FROM t;

-- name: width_bucket
SELECT width_bucket(5, ARRAY[1, 5, 9]), width_bucket(0, ARRAY[1, 5, 9]), width_bucket(100, ARRAY[1, 5, 9]), width_bucket(now(), ARRAY['yesterday', 'today', 'tomorrow']::timestamptz[]);

-- name: agg
SELECT array_agg(x ORDER BY x), array_agg(y ORDER BY x DESC) FROM v;

-- name: agg_distinct
SELECT array_agg(DISTINCT x % 2), array_agg(DISTINCT y) FROM v;

-- name: agg_filter
SELECT array_agg(x ORDER BY x) FILTER (WHERE x > 1), array_agg(x) FILTER (WHERE false) FROM v;

-- name: agg_empty
SELECT array_agg(x) FROM nothing;

-- name: agg_groups
SELECT x IS NULL, array_agg(y ORDER BY y NULLS FIRST) FROM v GROUP BY 1 ORDER BY 1;

-- name: agg_arrays
SELECT array_agg(ARRAY[x, x + 1] ORDER BY x) FROM v;

-- name: agg_null_array
SELECT array_agg(a ORDER BY id) FROM t;

-- name: agg_empty_array
SELECT array_agg(a) FROM t WHERE id = 2;

-- name: agg_unlike_arrays
SELECT array_agg(a ORDER BY id) FROM t WHERE id IN (1, 4);

-- name: agg_types
SELECT array_agg(x::numeric / 4 ORDER BY x), array_agg(x::float8 ORDER BY x), array_agg(x > 2 ORDER BY x), array_agg(date '2024-01-01' + x ORDER BY x) FROM v;

-- name: agg_window
SELECT x, array_agg(x) OVER (ORDER BY x) FROM v;

-- name: agg_of_expression
SELECT cardinality(array_agg(x)), (array_agg(y ORDER BY x))[1] FROM v;

-- name: typeof
SELECT pg_typeof(a), pg_typeof(s), pg_typeof(n), pg_typeof(ts), pg_typeof('{1}'::varchar(3)[]) FROM t WHERE id = 1;

-- name: format_type
SELECT format_type(1007, NULL), format_type(1015, 7), format_type(1231, 655366);

-- name: insert_modifier
SELECT CAST('{1.005,NULL}' AS numeric(4,2)[]), CAST(ARRAY['abcd'] AS varchar(3)[]);

-- name: values_of_arrays
VALUES ('{1}'::int[]), (NULL), (ARRAY[2, 3]);

-- name: filter_empty
SELECT a FROM nothing WHERE a = '{}' OR x = ANY (a);

-- name: min_length
SELECT max(cardinality(a)), sum(array_length(a, 1)), avg(a[1]) FROM t;

-- name: variadic_no
SELECT array_length(1, 1);

-- name: unknown_function
SELECT array_nothing(a) FROM t;

-- name: ambiguous_length
SELECT array_length('{1}', 1);

-- name: variadic
SELECT concat(VARIADIC ARRAY['a', NULL, 'b']), concat_ws(',', VARIADIC ARRAY[1, 2]), format('%s-%s', VARIADIC ARRAY['x', 'y']), num_nulls(VARIADIC '{1,NULL,NULL}'::int[]);

-- name: variadic_columns
SELECT concat(VARIADIC ARRAY[x::text, y]), num_nonnulls(VARIADIC ARRAY[x, NULL]) FROM v;

-- name: variadic_of_no_array
SELECT concat(VARIADIC 'a'::text);

-- name: numerics_apart
SELECT n[1], n[2], n[9] FROM t WHERE id IN (1, 4) ORDER BY n[1], id;

-- name: more_slice_compared
SELECT id FROM t WHERE a[1:2] = '{1,2}';

-- name: more_subscript_of_concat
SELECT id, (a || 4)[1], (ARRAY(SELECT x FROM v ORDER BY x))[2], ((SELECT array_agg(y ORDER BY x) FROM v))[1] FROM t WHERE id < 6;

-- name: more_union_types
SELECT ARRAY[1] UNION ALL SELECT ARRAY[2.5] UNION ALL SELECT '{3}';

-- name: more_in_subquery
SELECT id FROM t WHERE a IN (SELECT a FROM t WHERE id < 5) OR n IN (SELECT n FROM t WHERE id = 1);

-- name: more_not_in_subquery
SELECT id FROM t WHERE a NOT IN (SELECT a FROM t WHERE id IN (1, 2));

-- name: more_recursive_path
WITH RECURSIVE r (n, path) AS (SELECT 1, ARRAY[1] UNION ALL SELECT n + 1, path || (n + 1) FROM r WHERE n < 4) SELECT * FROM r;

-- name: more_recursive_distinct
WITH RECURSIVE r (path) AS (SELECT ARRAY[1.0] UNION SELECT ARRAY[1.00] FROM r) SELECT * FROM r;

-- name: more_window
SELECT id, lag(s) OVER w, first_value(a) OVER w, max(n) OVER w, array_agg(id) OVER w FROM t WINDOW w AS (ORDER BY id ROWS 1 PRECEDING);

-- name: more_grouped_extremes
SELECT id % 2, min(a), max(s), any_value(b) IS NULL FROM t GROUP BY 1 ORDER BY 1;

-- name: more_as_text
SELECT id, a::text LIKE '{1%', s::text, length(a::varchar) FROM t;

-- name: more_case_arms
SELECT id, CASE WHEN id > 4 THEN a[1] / (a[1] - 1) END, coalesce(a[1], cardinality(s), 0) FROM t WHERE id <> 6 AND id <> 1 AND id <> 4;

-- name: more_distinct_on
SELECT DISTINCT ON (a) a, id FROM t ORDER BY a, id DESC;

-- name: more_any_of_any
SELECT id FROM t WHERE ARRAY[1, 2] = ANY (SELECT a FROM t) AND 'a' = ANY (s[1:1]);

-- name: more_nested_any
SELECT id FROM t WHERE (SELECT count(*) FROM v WHERE v.x = ANY (t.a)) > 1;

-- name: more_full_join
SELECT a.id, b.id FROM t a FULL JOIN (SELECT * FROM t WHERE id > 3) b ON a.s = b.s;

-- name: more_except
SELECT a FROM t EXCEPT SELECT a FROM t WHERE id > 3 ORDER BY 1;

-- name: more_bool_text_cast
SELECT id, b::text[], ts::date[], f::numeric[] FROM t WHERE id IN (1, 2, 3, 6);

-- name: more_cast_infinite_date
SELECT ARRAY['infinity', NULL]::timestamp[]::date[], '{NaN}'::float8[]::numeric[];

-- name: more_cast_error_element
SELECT s::int[] FROM t WHERE id = 1;

-- name: more_correlated_value
SELECT id, (SELECT s FROM t u WHERE u.id = t.id + 1) FROM t;

-- name: more_correlated_numeric
SELECT id, (SELECT count(*) FROM v WHERE v.x > cardinality(t.n) OR v.x < t.n[1]) FROM t;

-- name: more_correlated_limit
SELECT id, (SELECT y FROM v WHERE v.x = ANY (t.n) ORDER BY x LIMIT 1) FROM t WHERE id <> 5;

-- name: more_correlated_array
SELECT id, (SELECT u.a FROM t u WHERE u.n = t.n ORDER BY u.id LIMIT 1), EXISTS (SELECT 1 FROM t u WHERE u.n = t.n AND u.id <> t.id) FROM t;
