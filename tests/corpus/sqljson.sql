-- SQL/JSON: JSON_VALUE, JSON_QUERY, JSON_EXISTS, JSON_TABLE, the constructors, the aggregates and IS JSON.
-- setup
CREATE TYPE pt AS (x int, y text);
CREATE TABLE docs (id int, d jsonb, minimum int) USING mergetree;
INSERT INTO docs SELECT n, CASE WHEN n % 7 = 0 THEN NULL ELSE jsonb_build_object('a', n, 'b', 't' || n % 5,
  'list', CASE WHEN n % 3 = 0 THEN '[]'::jsonb ELSE jsonb_build_array(n, n % 4, 'x') END) END, n % 6 FROM generate_series(1,
  60) n;

-- name: value_as_text
select json_value('{"a": 1}', '$.a');

-- name: value_that_does_not_convert
select json_value(jsonb '{"a": "x"}', '$.a' returning int);

-- name: value_that_must_convert
select json_value(jsonb '{"a": "x"}', '$.a' returning int error on error);

-- name: value_that_is_no_scalar
select json_value(jsonb '{"a": [1]}', '$.a' error on error);

-- name: value_not_found
select json_value(jsonb '{"a": [1]}', '$.b' error on empty);

-- name: value_of_several_items
select json_value(jsonb '{"a": [1,2]}', '$.a[*]' error on error);

-- name: value_null_is_not_empty
select json_value(jsonb '{"a": null}', '$.a' returning int default 3 on empty default 4 on error);

-- name: value_of_a_string_as_int
select json_value(jsonb '{"a": "12"}', '$.a' returning int);

-- name: value_with_a_fraction_as_int
select json_value(jsonb '{"a": 1.5}', '$.a' returning int error on error);

-- name: value_as_bool
select json_value(jsonb '{"a": true}', '$.a' returning bool error on error);

-- name: value_as_jsonb
select json_value(jsonb '{"a": true}', '$.a' returning jsonb error on error);

-- name: value_as_json
select json_value(jsonb '{"a": "x y"}', '$.a' returning json error on error);

-- name: value_too_long
select json_value(jsonb '{"a": "x y"}', '$.a' returning varchar(2) error on error);

-- name: value_too_long_for_char
select json_value(jsonb '{"a": "xy z"}', '$.a' returning char(2));

-- name: value_rounded
select json_value(jsonb '{"a": 1.255}', '$.a' returning numeric(3,2));

-- name: value_out_of_range
select json_value(jsonb '{"a": 1111.255}', '$.a' returning numeric(3,2) error on error);

-- name: value_as_date
select json_value(jsonb '{"a": "2020-01-02"}', '$.a' returning date);

-- name: value_that_is_a_date
select json_value(jsonb '{"a": "2020-01-02"}', '$.a.date()' );

-- name: value_that_is_a_timestamp
select json_value(jsonb '{"a": "2020-01-02T03:04:05"}', '$.a.datetime()' );

-- name: default_on_error
select json_value(jsonb '{"a": "x"}', '$.a' returning int default 7 on error);

-- name: default_as_literal
select json_value(jsonb '{"a": "x"}', '$.a' returning int default '7' on error);

-- name: default_that_does_not_convert
select json_value(jsonb '{"a": "x"}', '$.a' returning int default 'q' on error);

-- name: default_expression
select json_value(jsonb '{"a": "x"}', '$.b' returning int default 1+1 on empty);

-- name: default_that_fails
select json_value(jsonb '{"a": "x"}', '$.b' returning int default 1/0 on empty);

-- name: default_of_a_column
select json_value(jsonb '{"a": "x"}', '$.b' returning int default x on empty) from (values (1)) t(x);

-- name: default_of_a_subquery
select json_value(jsonb '{"a": "x"}', '$.b' default (select 1) on empty);

-- name: default_of_an_aggregate
select json_value(jsonb '{"a": "x"}', '$.b' default sum(1) on empty);

-- name: default_rounded
select json_value(jsonb '{"a": "x"}', '$.b' returning int default 1.7 on empty);

-- name: default_of_bool
select json_value(jsonb '{"a": "x"}', '$.b' returning int default true on empty);

-- name: behaviour_unknown_to_value
select json_value(jsonb '{"a": "x"}', '$.b' true on empty);

-- name: strict_path_silently
select json_value(jsonb '{"a": "x"}', 'strict $.b');

-- name: strict_path
select json_value(jsonb '{"a": "x"}', 'strict $.b' error on error);

-- name: passing_number
select json_value(jsonb '{"a": 5}', '$.a ? (@ > $x)' passing 3 as x);

-- name: passing_text
select json_value(jsonb '{"a": 5}', '$.a + $x' passing '3' as x error on error);

-- name: passing_two
select json_value(jsonb '{"a": 5}', '$x' passing '3' as x, 4 as y);

-- name: passing_names_have_case
select json_value(jsonb '{"a": 5}', '$x' passing jsonb '{"q": 1}' as "X");

-- name: passing_jsonb
select json_value(jsonb '{"a": 5}', '$x.q' passing jsonb '{"q": 1}' as x);

-- name: passing_format_json
select json_value(jsonb '{"a": 5}', '$x.q' passing '{"q": 1}' format json as x);

-- name: passing_date
select json_value(jsonb '{"a": 5}', '$x' passing date '2020-01-01' as x);

-- name: passing_array
select json_value(jsonb '{"a": 5}', '$x' passing array[1] as x error on error);

-- name: passing_null
select json_value(jsonb '{"a": 5}', '$x' passing null::int as x error on error);

-- name: passing_date_compared
select json_value(jsonb '{"a": 5}', '$x < "2021-01-01".date()' passing date '2020-01-01' as x error on error);

-- name: document_null_or_wrong
select json_value(null::jsonb, '$.a' error on empty), json_value('', '$.a');

-- name: document_as_text_is_checked
select json_value('abc'::text, '$.a');

-- name: document_as_json
select json_value('{"a": 2}'::json, '$.a' error on error);

-- name: document_of_number
select json_value(12, '$.a' error on error);

-- name: document_of_bytes
select json_value('{"a": 2}'::bytea, '$.a' error on error);

-- name: document_of_bytes_as_json
select json_value('{"a": 2}'::bytea format json, '$.a' error on error);

-- name: path_from_a_column
select json_value(jsonb '{"a": 2}', x) from (values ('$.a'::jsonpath)) t(x);

-- name: path_from_a_text
select json_value(jsonb '{"a": 2}', x) from (values ('$.a'::text)) t(x);

-- name: path_null
select json_value(jsonb '{"a": 2}', null);

-- name: path_of_number
select json_value(jsonb '{"a": 2}', 3);

-- name: value_as_array
select json_value(jsonb '{"a": [2,3]}', '$.a' returning int[]);

-- name: value_as_array_literal
select json_value(jsonb '{"a": "{2,3}"}', '$.a' returning int[]);

-- name: query_array
select json_query(jsonb '{"a": [1,2]}', '$.a');

-- name: query_several
select json_query(jsonb '{"a": [1,2]}', '$.a[*]');

-- name: query_several_must_be_one
select json_query(jsonb '{"a": [1,2]}', '$.a[*]' error on error);

-- name: query_wrapped
select json_query(jsonb '{"a": [1,2]}', '$.a[*]' with wrapper);

-- name: query_wrapped_scalar
select json_query(jsonb '{"a": [1,2]}', '$.a[0]' with wrapper);

-- name: query_wrapped_if_needed
select json_query(jsonb '{"a": [1,2]}', '$.a[0]' with conditional wrapper);

-- name: query_not_wrapped_if_one
select json_query(jsonb '{"a": [1,2]}', '$.a' with conditional wrapper);

-- name: query_wrapped_array
select json_query(jsonb '{"a": [1,2]}', '$.a' with unconditional array wrapper);

-- name: query_wrapped_nothing
select json_query(jsonb '{"a": [1,2]}', '$.z' with wrapper);

-- name: query_not_found
select json_query(jsonb '{"a": [1,2]}', '$.z' error on empty);

-- name: query_empty_behaviours
select json_query(jsonb '{"a": [1,2]}', '$.z' empty array on empty), json_query(jsonb '{"a": [1,2]}', '$.z' empty object on
  empty), json_query(jsonb '{"a": [1,2]}', '$.z' empty on empty);

-- name: query_default
select json_query(jsonb '{"a": [1,2]}', '$.z' default '"q"' on empty);

-- name: query_quotes
select json_query(jsonb '{"a": "x"}', '$.a'), json_query(jsonb '{"a": "x"}', '$.a' omit quotes), json_query(jsonb
  '{"a": "x"}', '$.a' keep quotes);

-- name: query_without_quotes_is_no_json
select json_query(jsonb '{"a": "x"}', '$.a' omit quotes error on error);

-- name: query_quotes_as_text
select json_query(jsonb '{"a": "x"}', '$.a' returning text), json_query(jsonb '{"a": "x"}', '$.a' returning text omit
  quotes), json_query(jsonb '{"a": "x"}', '$.a' returning text keep quotes);

-- name: quotes_with_wrapper
select json_query(jsonb '{"a": "x"}', '$.a' returning text with wrapper omit quotes);

-- name: query_as_array
select json_query(jsonb '{"a": [1,2]}', '$.a' returning int[]);

-- name: query_as_wrong_array
select json_query(jsonb '{"a": [1,"x"]}', '$.a' returning int[]);

-- name: query_array_must_convert
select json_query(jsonb '{"a": [1,"x"]}', '$.a' returning int[] error on error);

-- name: query_array_of_mixed_depth
select json_query(jsonb '{"a": [1,[2]]}', '$.a' returning int[] error on error);

-- name: query_array_of_arrays
select json_query(jsonb '{"a": [[1,3],[2,4]]}', '$.a' returning int[] error on error);

-- name: query_scalar_as_array
select json_query(jsonb '{"a": 5}', '$.a' returning int[] error on error);

-- name: query_as_int
select json_query(jsonb '{"a": 5}', '$.a' returning int);

-- name: query_string_as_int
select json_query(jsonb '{"a": "5"}', '$.a' returning int), json_query(jsonb '{"a": "5"}', '$.a' returning int omit quotes);

-- name: query_string_must_be_int
select json_query(jsonb '{"a": "5"}', '$.a' returning int error on error);

-- name: query_array_must_be_int
select json_query(jsonb '{"a": [1]}', '$.a' returning int error on error);

-- name: query_as_texts
select json_query(jsonb '{"a": [1]}', '$.a' returning text), json_query(jsonb '{"a": [1]}', '$.a' returning varchar(2)),
  json_query(jsonb '{"a": [1]}', '$.a' returning bytea);

-- name: query_as_short_text
select json_query(jsonb '{"a": [1]}', '$.a' returning varchar(2) error on error);

-- name: query_null_as
select json_query(jsonb '{"a": null}', '$.a' returning int), json_query(jsonb '{"a": null}', '$.a' returning text),
  json_query(jsonb '{"a": null}', '$.a');

-- name: query_as_bool
select json_query(jsonb '{"a": true}', '$.a' returning bool), json_query(jsonb '{"a": 1}', '$.a' returning bool);

-- name: query_as_json
select json_query(jsonb '{"a": 1}', '$.a' returning json), json_query(jsonb '{"a": 1}', '$.a' returning text format json);

-- name: empty_array_as_array
select json_query(jsonb '{"a": 1}', '$.z' returning int[] empty array on empty);

-- name: empty_array_as_text
select json_query(jsonb '{"a": 1}', '$.z' returning text empty array on empty);

-- name: empty_object_as_int
select json_query(jsonb '{"a": 1}', '$.z' returning int empty object on empty);

-- name: behaviour_unknown_to_query
select json_query(jsonb '{"a": 1}', '$.z' true on empty);

-- name: exists_or_not
select json_exists(jsonb '{"a": 1}', '$.a'), json_exists(jsonb '{"a": 1}', '$.b'), json_exists(null::jsonb, '$'),
  json_exists(jsonb '{"a": 1}', 'strict $.b');

-- name: exists_must_not_fail
select json_exists(jsonb '{"a": 1}', 'strict $.b' error on error);

-- name: exists_behaviours
select json_exists(jsonb '{"a": 1}', 'strict $.b' true on error), json_exists(jsonb '{"a": 1}', 'strict $.b' unknown on
  error), json_exists(jsonb '{"a": 1}', 'strict $.b' false on error);

-- name: behaviour_unknown_to_exists
select json_exists(jsonb '{"a": 1}', 'strict $.b' null on error);

-- name: exists_passing
select json_exists(jsonb '{"a": 1}', '$.a ? (@ > $x)' passing 0 as x), json_exists('[]', '$[*]');

-- name: exists_needs_a_type
select * from json_table(jsonb '[{"a":1,"b":"x"},{"a":"q","c":[1,2]}]', '$[*]' columns (id for ordinality, a int, b text, c
  jsonb, e exists path '$.c'));

-- name: table_kinds_of_columns
select * from json_table(jsonb '[{"a":1,"b":"x"},{"a":"q","c":[1,2]}]', '$[*]' columns (id for ordinality, a int, b text, c
  jsonb, e bool exists path '$.c', f int exists path '$.c', g text exists path '$.c'));

-- name: table_column_must_convert
select * from json_table(jsonb '[{"a":1,"b":"x"},{"a":"q","c":[1,2]}]', '$[*]' columns (a int error on error));

-- name: table_error_is_about_rows
select * from json_table(jsonb '[{"a":1,"b":"x"},{"a":"q","c":[1,2]}]', '$[*]' columns (a int) error on error);

-- name: table_strict_path
select * from json_table(jsonb '{"a":1}', 'strict $.b' columns (a int) error on error);

-- name: table_strict_path_silently
select * from json_table(jsonb '{"a":1}', 'strict $.b' columns (a int));

-- name: table_empty_on_error
select * from json_table(jsonb '{"a":1}', 'strict $.b' columns (a int) empty on error);

-- name: table_null_on_error
select * from json_table(jsonb '{"a":1}', 'strict $.b' columns (a int) null on error);

-- name: table_nested_siblings
select * from json_table(jsonb '[{"a":1,"b":[1,2],"c":[5,6]},{"a":2},{"a":3,"c":[7]}]', '$[*]' columns (a int, nested path
  '$.b[*]' columns (b int path '$', n for ordinality), nested path '$.c[*]' as cc columns (c int path '$')));

-- name: table_nested_twice
select * from json_table(jsonb '[{"a":1,"b":[{"x":[1,2]},{"x":[]}]}]', '$[*]' columns (a int, nested path '$.b[*]' columns (n
  for ordinality, nested path '$.x[*]' columns (x int path '$'))));

-- name: table_columns_as_queries
select * from json_table(jsonb '[{"a":1,"b":[1,2]}]', '$[*]' columns (a jsonb path '$.b', b text path '$.b', c text format
  json path '$.b', d int[] path '$.b', e jsonb path '$.b[*]' with wrapper, f text path '$.a' keep quotes, g json path '$.a'));

-- name: table_passing
select * from json_table(jsonb '[1,2,3]', '$[*] ? (@ > $x)' passing 1 as x columns (a int path '$', b int path '$ + $x')) as
  t (p, q);

-- name: table_lateral
select t.id, j.* from (values (1, jsonb '[1,2]'), (2, jsonb '[]'), (3, null)) t(id, d), json_table(t.d, '$[*]' columns (v int
  path '$')) j;

-- name: table_left_join
select t.id, j.* from (values (1, jsonb '[1,2]'), (2, jsonb '[]'), (3, null)) t(id, d) left join json_table(t.d, '$[*]'
  columns (v int path '$')) j on true;

-- name: table_column_twice
select * from json_table(jsonb '[1]', '$' columns (a int, a text));

-- name: table_path_twice
select * from json_table(jsonb '[1]', '$' as p columns (a int, nested path '$' as p columns (b int)));

-- name: table_path_and_column
select * from json_table(jsonb '[1]', '$' as p columns (p int));

-- name: table_of_literal
select * from json_table('[1]', '$' columns (a int path '$[0]'));

-- name: table_of_wrong_literal
select * from json_table('[1', '$' columns (a int path '$[0]'));

-- name: table_of_null
select * from json_table(null, '$' columns (a int path '$[0]') error on error);

-- name: table_of_number
select * from json_table(12, '$' columns (a int path '$[0]') error on error);

-- name: table_default_on_error
select * from json_table(jsonb '[1]', '$' columns (a int path '$[0]') default 1 on error);

-- name: column_behaviour_unknown
select * from json_table(jsonb '[1]', '$' columns (a int path '$[0]' empty object on error));

-- name: table_two_numberings
select * from json_table(jsonb '[1]', '$' columns (a for ordinality, b for ordinality));

-- name: table_default_too_long
select * from json_table(jsonb '[{"a":1}]', '$[*]' columns (a varchar(3) path '$.z' default 'abcdef' on empty, b numeric(3,1)
  path '$.a', c char(3) path '$.a'));

-- name: table_column_not_found
select * from json_table(jsonb '[{"a":1}]', '$[*]' columns (a int path '$.z' error on empty));

-- name: table_column_must_be_array
select * from json_table(jsonb '[{"a":1}]', '$[*]' columns (a int[] path '$.a' error on error));

-- name: table_column_with_space
select * from json_table(jsonb '[{"a B":1}]', '$[*]' columns ("a B" int));

-- name: table_alias_in_where
select x.a from json_table(jsonb '[{"a":1}]', '$[*]' columns (a int)) x where x.a = 1;

-- name: table_without_alias
select json_table.a from json_table(jsonb '[{"a":1}]', '$[*]' columns (a int));

-- name: exists_as_date
select * from json_table(jsonb '[{"a":"x"}]', '$[*]' columns (a date exists));

-- name: json_of_text
select json('{"a":1}'), json('1' format json), json(null), json('{"a":1,"a":2}');

-- name: json_with_unique_keys
select json('{"a":1,"a":2}' with unique keys);

-- name: json_of_wrong_text
select json('{"a":1' without unique keys);

-- name: json_of_json
select json('{"a":1}'::jsonb), json('{"a":1}'::json);

-- name: json_of_number
select json(12);

-- name: json_of_bytes
select json('{"a":1}'::bytea);

-- name: json_unique_of_jsonb
select json(jsonb '1' with unique);

-- name: scalars
select json_scalar(1), json_scalar('a'), json_scalar(null), json_scalar(date '2020-01-01'), json_scalar(true),
  json_scalar(1.50);

-- name: serialize_as_int
select json_serialize('1' returning int);

-- name: serialize_as_jsonb
select json_serialize('1' returning jsonb);

-- name: serialize_number
select json_serialize(12);

-- name: serialize_wrong_text
select json_serialize('a b');

-- name: serialize_too_long
select json_serialize('[1,2,3]' returning varchar(3));

-- name: object_forms
select json_object('a' value 1, 'b': 2, 'c' value null), json_object('a' value null absent on null), json_object(),
  json_object('a': 1 returning jsonb), json_object('a': 1 returning text);

-- name: object_format_json
select json_object('a': '[1]' format json, 'b': '[1]'), json_object('a': json '[1]');

-- name: object_wrong_format_json
select json_object('a': '[1' format json);

-- name: object_unique_keys
select json_object('a': 1, 'a': 2 with unique keys);

-- name: object_unique_absent
select json_object('a': 1, 'a': null absent on null with unique keys);

-- name: object_null_key
select json_object(null: 1);

-- name: object_as_int
select json_object('a': 1 returning int);

-- name: object_as_text
select json_object('a': 1 returning text format json), json_object(1: 2), json_object(date '2020-01-01': 2);

-- name: object_encoding
select json_object('a': 1 returning text format json encoding utf8);

-- name: array_forms
select json_array(1, 'a', null), json_array(1, null null on null), json_array(), json_array(1 returning jsonb),
  json_array('[1]' format json, '[1]' returning text);

-- name: array_of_query
select json_array(select x from generate_series(1,3) x order by x desc), json_array(select null::int), json_array(select 1
  where false), json_array(select 1 where false returning jsonb);

-- name: array_of_two_columns
select json_array(select 1, 2);

-- name: array_of_query_format_json
select json_array(select '[1]' format json returning text);

-- name: objectagg_forms
select json_objectagg(k: v), json_objectagg(k: v absent on null), json_objectagg(k value v returning jsonb),
  json_objectagg(k: v returning text) from (values ('a', 1), ('b', null)) t(k,v);

-- name: objectagg_unique
select json_objectagg(k: v with unique) from (values ('a', 1), ('a', null)) t(k,v);

-- name: objectagg_unique_jsonb
select json_objectagg(k: v with unique returning jsonb) from (values ('a', 1), ('a', null)) t(k,v);

-- name: objectagg_null_key
select json_objectagg(k: v) from (values (null, 1)) t(k,v);

-- name: objectagg_filter
select json_objectagg(k: v) filter (where v > 1) from (values ('a', 1), ('a', 2)) t(k,v);

-- name: objectagg_filter_all
select json_objectagg(k: v) filter (where v > 5) from (values ('a', 1), ('a', 2)) t(k,v);

-- name: objectagg_over
select k, json_objectagg(k: v) over (order by k) from (values ('a', 1), ('b', 2)) t(k,v);

-- name: arrayagg_filter
select json_arrayagg(v) filter (where v > 1) from (values ('a', 1), ('a', 2)) t(k,v);

-- name: arrayagg_over
select k, json_arrayagg(v) over (partition by k order by v) from (values ('a', 1), ('a', 2), ('b', 3)) t(k,v);

-- name: arrayagg_format_json
select json_arrayagg(v format json), json_arrayagg(v) from (values ('[1]')) t(v);

-- name: arrayagg_as_int
select json_arrayagg(v returning int) from (values ('[1]')) t(v);

-- name: is_json_of_bytes
select '1'::bytea is json;

-- name: query_null_must_be_int
select json_query(jsonb 'null', '$' returning int error on error);

-- name: query_as_array_of_texts
select json_query(jsonb '[null,"a b","{x}"]', '$' returning text[] error on error);

-- name: query_ragged_array
select json_query(jsonb '[[1,2],[3]]', '$' returning int[] error on error);

-- name: query_unquoted_as_array
select json_query(jsonb '"[1]"', '$' returning int[] omit quotes error on error);

-- name: query_unquoted_array_literal
select json_query(jsonb '"{1}"', '$' returning int[] omit quotes error on error);

-- name: default_expression_of_a_column
select json_value(jsonb '1', '$.x' returning text default x+1 on empty) from (values (1)) t(x);

-- name: default_that_is_a_set
select json_value(jsonb '1', '$.x' returning text default generate_series(1,2) on empty);

-- name: default_of_another_type
select json_value(jsonb '1', '$.x' returning int default date '2020-01-01' on empty);

-- name: value_format_json
select json_value(jsonb '1', '$.x' returning int format json);

-- name: query_as_int_format_json
select json_query(jsonb '1', '$' returning int format json);

-- name: query_as_bytes
select json_query(jsonb '1', '$' returning bytea format json encoding utf8);

-- name: value_with_a_zone
select json_value(jsonb '{"a":"2020-01-01"}', '$.a.timestamp_tz()');

-- name: value_as_time_and_float
select json_value(jsonb '{"a":"12:00:00"}', '$.a.time()' returning time), json_value(jsonb '1e400','$' returning float8),
  json_value(jsonb '1e3','$' returning int);

-- name: table_own_columns_first
select * from json_table(jsonb '[1,2]', '$[*]' columns (nested '$' columns (a int path '$'), b int path '$', nested path '$'
  columns (c int path '$')));

-- name: table_nested_must_not_fail
select * from json_table(jsonb '[{"a":[1]}]', 'strict $[*]' columns (b int path 'lax $.zz', nested path 'strict $.zz[*]'
  columns (c int path '$')) error on error);

-- name: table_nested_fails_silently
select * from json_table(jsonb '[{"a":[1]}]', 'strict $[*]' columns (b int path 'lax $.zz', nested path 'strict $.zz[*]'
  columns (c int path '$')));

-- name: table_column_of_several
select * from json_table(jsonb '[[1,2],[3]]', '$[*]' columns (a int path '$[*]' error on error));

-- name: table_query_of_several
select * from json_table(jsonb '[[1,2],[3]]', '$[*]' columns (a jsonb path '$[*]' error on error));

-- name: table_query_behaviours
select * from json_table(jsonb '[[1,2],[3]]', '$[*]' columns (a text format json path '$[*]' without wrapper keep quotes
  empty array on error));

-- name: exists_as_char
select * from json_table(jsonb '[1]', '$[*]' columns (a bool exists path '$' unknown on error, b char(2) exists path '$'));

-- name: table_grouped
select j.a, sum(j.b) from json_table(jsonb '[{"a":"x","b":1},{"a":"x","b":2},{"a":"y","b":5}]', '$[*]' columns (a text, b
  int)) j group by j.a order by 1;

-- name: object_of_bytes
select json_object('a': 'x'::bytea), json_object('a': '1'::bytea format json);

-- name: objectagg_format_json
select json_objectagg(k: v format json returning text) from (values ('a', '[1]')) t(k,v);

-- name: arrayagg_too_long
select json_arrayagg(v returning varchar(3)) from (values (12345)) t(v);

-- name: query_empty_arrays
select json_query(jsonb '[]', '$' returning int[] error on error), json_query(jsonb '[[],[]]', '$' returning int[] error on
  error);

-- name: query_three_dimensions
select json_query(jsonb '[[[1],[2]],[[3],[4]]]', '$' returning int[] error on error);

-- name: query_as_array_of_jsonb
select json_query(jsonb '[[1],[2]]', '$' returning jsonb[] error on error);

-- name: value_as_record
select json_value(jsonb '1', '$' returning record);

-- name: encoding_of_text
select json('{}' format json encoding utf8);

-- name: encoding_unknown
select json('{}'::bytea format json encoding utf16);

-- name: lateral_project_in_left_join
select t.id, j.* from (values (1, jsonb '[1,2]'), (2, jsonb '[]'), (3, null)) t(id, d) left join lateral (select 5 as v, x
  from jsonb_array_elements(t.d) x) j on true;

-- name: table_lateral_passing
select t.id, j.* from (values (1, jsonb '[1,2]'), (2, jsonb '[]'), (3, null)) t(id, d) join json_table(t.d, '$[*] ? (@ > $y)'
  passing t.id as y columns (n for ordinality, v int path '$', w int path '$ + $y')) j on v < 6;

-- name: table_in_scalar_subquery
select t.id, (select sum(v) from json_table(t.d, '$[*]' columns (v int path '$')) j) from (values (1, jsonb '[1,2]'), (2,
  jsonb '[]'), (3, null)) t(id, d);

-- name: table_in_exists
select t.id from (values (1, jsonb '[1,2]'), (2, jsonb '[]'), (3, null)) t(id, d) where exists (select from json_table(t.d,
  '$[*]' columns (v int path '$')) j where v > 1);

-- name: table_of_a_tables_column
select j.*, k.* from json_table(jsonb '[{"a":[1,2]},{"a":[3]}]', '$[*]' columns (a jsonb)) j, json_table(j.a, '$[*]' columns
  (v int path '$')) k;

-- name: json_scalar_subquery_over_json
select t.id, (select sum(v) from json_table(t.d, '$[*]' columns (v int path '$')) j) from (values (1, json '[1,2]'), (2, json
  '[]'), (3, null)) t(id, d);

-- name: subquery_over_equal_documents
select t.id, (select string_agg(v, ',') from jsonb_array_elements_text(t.d) v) from (values (1, jsonb '[1,2]'), (2, jsonb
  '[]'), (3, null), (4, '[1,2]'), (5, '[1, 2.0]')) t(id, d) order by 1;

-- name: serialize_texts
select json_serialize('{"a" : 1}'), json_serialize('1' returning bytea), json_serialize('1' returning varchar(3)),
  json_serialize(null);

-- name: arrayagg_forms
select json_arrayagg(v order by v desc), json_arrayagg(v order by k null on null), json_arrayagg(v order by k returning jsonb),
  json_arrayagg(v order by v null on null returning jsonb) from (values ('a', 1), ('b', null), ('c', 3)) t(k,v);

-- name: value_of_rows
SELECT id, json_value(d, '$.a' RETURNING int), json_value(d, '$.list[2]'), json_query(d, '$.list'), json_exists(d,
  '$.list[*] ? (@ == $x)' PASSING minimum AS x) FROM docs ORDER BY id;

-- name: value_in_where_and_group
SELECT json_value(d, '$.b'), count(*), sum(json_value(d, '$.a' RETURNING int)) FROM docs WHERE json_exists(d,
  '$.a ? (@ > 10)') GROUP BY 1 ORDER BY 1;

-- name: table_of_rows
SELECT id, n, v, w FROM docs, json_table(d, '$.list[*] ? (@ >= $m)' PASSING minimum AS m COLUMNS (n FOR ORDINALITY, v int
  PATH '$', w text PATH '$')) j ORDER BY id, n;

-- name: table_of_all_rows
SELECT id, v, e FROM docs LEFT JOIN json_table(d, '$.list[*]' COLUMNS (v int PATH '$' DEFAULT -1 ON ERROR, e bool EXISTS PATH
  '$')) j ON true ORDER BY id, v;

-- name: table_nested_of_rows
SELECT id, a, v FROM docs, json_table(d, '$' COLUMNS (a int, NESTED PATH '$.list[*]' COLUMNS (v text PATH '$'))) j ORDER BY
  id, v;

-- name: table_joined
SELECT sum(x.minimum), count(*) FROM docs, json_table(docs.d, '$.list[*]' COLUMNS (v int PATH '$')) j JOIN docs x ON x.id = j.v;

-- name: objects_of_rows
SELECT minimum, json_arrayagg(id ORDER BY id), json_arrayagg(d ORDER BY id RETURNING jsonb) FROM docs WHERE id < 20 GROUP BY
  minimum ORDER BY 1;

-- name: arrays_of_queries_of_rows
SELECT id, json_array(SELECT x.id FROM docs x WHERE x.minimum = docs.minimum AND x.id < 20 ORDER BY x.id) FROM docs WHERE id
  < 8 ORDER BY id;

-- name: table_error_of_an_unused_column
SELECT a FROM JSON_TABLE('[{"a":1,"b":"x"}]', '$[*]' COLUMNS (a int, b int ERROR ON ERROR));

-- name: table_error_of_a_counted_column
SELECT count(*) FROM JSON_TABLE('[{"a":1}]', '$[*]' COLUMNS (a int, b int ERROR ON EMPTY));

-- name: table_error_behind_a_limit
SELECT a FROM JSON_TABLE('[{"a":1},{"a":2,"b":["x"]}]', '$[*]' COLUMNS (a int, NESTED PATH '$.b[*]' COLUMNS (c int PATH '$' ERROR ON ERROR))) LIMIT 1;

-- name: table_error_of_a_passed_variable
SELECT a FROM JSON_TABLE('[{"a":1},{"a":2}]', '$[*]' PASSING 1 AS v COLUMNS (a int, c bool EXISTS PATH 'strict $.q[$v]' ERROR ON ERROR)) WHERE a = 1;

-- name: table_without_errors_of_unused_columns
SELECT a FROM JSON_TABLE('[{"a":1},{"a":2,"b":1}]', '$[*]' COLUMNS (a int, b text, d bool PATH '$.a', NESTED PATH '$.b[*]' COLUMNS (c int PATH '$' ERROR ON ERROR)));

-- name: table_of_composite_columns
SELECT * FROM JSON_TABLE('[{"a":{"x":1,"y":"q"},"d":"{1,2}"},{"a":[1],"d":[3]}]', '$[*]' COLUMNS (a pt, d int[]));

-- name: returning_composite
SELECT JSON_QUERY('{"a":{"x":1}}', '$.a' RETURNING pt), JSON_QUERY('{"a":"(1,z)"}', '$.a' RETURNING pt), JSON_QUERY('{"a":[{"x":4}]}', '$.a' RETURNING pt[]), JSON_QUERY('{"a":[1]}', '$.a' RETURNING pt), JSON_VALUE('{"a":"(1,z)"}', '$.a' RETURNING pt), JSON_QUERY('{"a":"{1,2}"}', '$.a' RETURNING int[] OMIT QUOTES);

-- name: returning_composite_of_an_array
SELECT JSON_QUERY('{"a":[1]}', '$.a' RETURNING pt ERROR ON ERROR);
