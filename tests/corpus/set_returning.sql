-- Set-returning functions: in FROM, with ordinality, side by side, over other rows, and in the SELECT list.
-- setup
CREATE TABLE t (id int NOT NULL, x int, a int[], s text, b text[]) USING mergetree WITH (order_by = 'id');
INSERT INTO t VALUES (1, 3, '{10,20}', 'a,b', '{p,q,r}'), (2, NULL, NULL, NULL, NULL), (3, 0, '{}', '', '{}'), (4, 2, '{7,NULL,9}', 'c', '{NULL}'), (5, -1, '{{1,2},{3,4}}', 'd,,e', '{"a text that is longer than a cell"}');
CREATE TABLE nothing (x int, a int[]) USING mergetree;

-- name: series
SELECT * FROM generate_series(1, 3);

-- name: series_step
SELECT * FROM generate_series(1, 10, 4) g;

-- name: series_down
SELECT * FROM generate_series(3, 1, -1) g;

-- name: series_empty
SELECT * FROM generate_series(3, 1) g;

-- name: series_null
SELECT * FROM generate_series(1, NULL::int) g;

-- name: series_zero_step
SELECT * FROM generate_series(1, 2, 0) g;

-- name: series_int8
SELECT g, pg_typeof(g) FROM generate_series(1::int8, 2) g;

-- name: series_extreme
SELECT * FROM generate_series(2147483646, 2147483647) g;

-- name: series_extreme_int8
SELECT * FROM generate_series(9223372036854775806, 9223372036854775807) g;

-- name: series_numeric
SELECT * FROM generate_series(1.0, 2.0, 0.4) g;

-- name: series_timestamp
SELECT * FROM generate_series(timestamp '2024-01-30', '2024-03-31', '1 month') g;

-- name: series_timestamptz
SELECT * FROM generate_series(timestamptz '2024-01-01 00:00+00', '2024-01-01 02:00+00', '1 hour') g;

-- name: series_date
SELECT g::date FROM generate_series(date '2024-01-01', date '2024-01-03', '1 day') g;

-- name: series_alias
SELECT n + 1 FROM generate_series(1, 2) AS q(n);

-- name: series_table_alias
SELECT q.q FROM generate_series(1, 2) AS q;

-- name: series_too_many_aliases
SELECT * FROM generate_series(1, 2) AS q(a, b);

-- name: unnest_from
SELECT * FROM unnest(ARRAY[1, NULL, 3]) u;

-- name: unnest_text
SELECT u, length(u) FROM unnest('{a,"b c",NULL,a text that is longer than a cell}'::text[]) u;

-- name: unnest_two_dimensions
SELECT * FROM unnest('{{1,2},{3,4}}'::int[]) u;

-- name: unnest_empty
SELECT * FROM unnest('{}'::int[]) u;

-- name: unnest_null
SELECT * FROM unnest(NULL::int[]) u;

-- name: unnest_several
SELECT * FROM unnest(ARRAY[1, 2], ARRAY['a', 'b', 'c']);

-- name: unnest_several_named
SELECT q.n, q.l FROM unnest(ARRAY[1, 2], ARRAY['a', 'b', 'c']) AS q(n, l);

-- name: unnest_several_ordinality
SELECT * FROM unnest(ARRAY[1], '{}'::text[], ARRAY[true, false]) WITH ORDINALITY AS q(n, l, b, o);

-- name: unnest_types
SELECT * FROM unnest(ARRAY[1.50, 2], ARRAY[date '2024-01-01'], '{1 day}'::interval[], '{NaN}'::float8[]);

-- name: unnest_unknown
SELECT * FROM unnest('{1}');

-- name: unnest_no_array
SELECT * FROM unnest(1);

-- name: unnest_modifier
SELECT * FROM unnest('{1.239}'::numeric(5,2)[]) u;

-- name: ordinality
SELECT * FROM unnest(ARRAY['x', 'y']) WITH ORDINALITY;

-- name: ordinality_alias
SELECT * FROM unnest(ARRAY['x', 'y']) WITH ORDINALITY AS q(v, n) ORDER BY n DESC;

-- name: ordinality_series
SELECT * FROM generate_series(5, 9, 2) WITH ORDINALITY;

-- name: ordinality_numeric
SELECT * FROM generate_series(1.5, 3) WITH ORDINALITY;

-- name: ordinality_timestamp
SELECT ordinality, g FROM generate_series(timestamp '2024-01-01', '2024-01-02', '12 hours') WITH ORDINALITY g;

-- name: ordinality_scalar
SELECT * FROM upper('a') WITH ORDINALITY;

-- name: ordinality_type
SELECT pg_typeof(ordinality) FROM generate_series(1, 1) WITH ORDINALITY;

-- name: rows_from
SELECT * FROM ROWS FROM (generate_series(1, 3), unnest(ARRAY['a', 'b']));

-- name: rows_from_ordinality
SELECT * FROM ROWS FROM (generate_series(1, 3), upper('x')) WITH ORDINALITY AS q(a, b, n);

-- name: rows_from_one
SELECT * FROM ROWS FROM (generate_series(1, 2)) AS q(a);

-- name: lateral_unnest
SELECT id, u FROM t, unnest(a) u;

-- name: lateral_unnest_text
SELECT id, u FROM t CROSS JOIN LATERAL unnest(b) AS u;

-- name: lateral_unnest_left
SELECT id, u, n FROM t LEFT JOIN LATERAL unnest(a) WITH ORDINALITY AS q(u, n) ON true;

-- name: lateral_unnest_left_condition
SELECT id, u FROM t LEFT JOIN LATERAL unnest(a) AS q(u) ON u > 5;

-- name: lateral_unnest_inner_condition
SELECT id, u FROM t JOIN LATERAL unnest(a) AS q(u) ON u > id;

-- name: lateral_several
SELECT id, u, v FROM t, unnest(a, b) AS q(u, v);

-- name: lateral_series
SELECT id, g FROM t, generate_series(1, x) g;

-- name: lateral_series_down
SELECT id, g FROM t, generate_series(x, -1, -2) g;

-- name: lateral_series_left
SELECT id, g FROM t LEFT JOIN generate_series(1, x) g ON true;

-- name: lateral_series_zero
SELECT id, g FROM t, generate_series(1, 5, x) g;

-- name: lateral_chain
SELECT id, u, g FROM t, unnest(a) u, generate_series(u, u + 1) g;

-- name: lateral_rows_from
SELECT id, g, u, n FROM t, ROWS FROM (generate_series(1, x), unnest(b)) WITH ORDINALITY AS q(g, u, n);

-- name: lateral_string_to_table
SELECT id, p FROM t, string_to_table(s, ',') p;

-- name: lateral_regexp
SELECT id, p FROM t, regexp_split_to_table(s, ',') p;

-- name: lateral_numeric
SELECT id, g FROM t, generate_series(0.5, x) g;

-- name: lateral_where
SELECT id, u FROM t, unnest(a) u WHERE id > 1 AND u > 2;

-- name: lateral_of_empty
SELECT * FROM nothing, unnest(a) u;

-- name: lateral_group
SELECT id, count(u), sum(u), array_agg(u) FROM t LEFT JOIN unnest(a) u ON true GROUP BY id;

-- name: lateral_scalar
SELECT id, q FROM t, upper(s) q;

-- name: lateral_ordinality
SELECT id, n FROM t, generate_series(1, x) WITH ORDINALITY AS q(g, n);

-- name: subquery_sum
SELECT id, (SELECT sum(u) FROM unnest(a) u) FROM t;

-- name: subquery_exists
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM unnest(a) u WHERE u > 8);

-- name: subquery_in
SELECT id FROM t WHERE 20 IN (SELECT unnest(a));

-- name: subquery_array
SELECT id, ARRAY(SELECT u * 2 FROM unnest(a) u ORDER BY u) FROM t;

-- name: subquery_position
SELECT id, (SELECT min(n) FROM unnest(b) WITH ORDINALITY q(u, n) WHERE u = 'q') FROM t;

-- name: subquery_series
SELECT id, (SELECT count(*) FROM generate_series(1, x)) FROM t;

-- name: select_unnest
SELECT id, unnest(a) FROM t;

-- name: select_lockstep
SELECT id, unnest(a), unnest(b) FROM t;

-- name: select_series
SELECT generate_series(1, 3), generate_series(1, 2);

-- name: select_expression
SELECT id, unnest(a) * 10 + id AS v FROM t;

-- name: select_nested
SELECT generate_series(1, unnest(ARRAY[1, 2, 3]));

-- name: select_nested_beside
SELECT generate_series(1, unnest(ARRAY[2, 1])), unnest(ARRAY['a', 'b', 'c']);

-- name: select_twice
SELECT unnest(ARRAY[1, 2]), unnest(ARRAY[1, 2]) + 1;

-- name: select_order
SELECT id, unnest(a) AS u FROM t ORDER BY u DESC NULLS LAST, id;

-- name: select_order_by_call
SELECT id FROM t ORDER BY unnest(a), id;

-- name: select_limit
SELECT generate_series(1, 3000) LIMIT 2;

-- name: select_distinct
SELECT DISTINCT unnest(ARRAY[1, 2, 1]) ORDER BY 1;

-- name: select_group
SELECT unnest(a) AS u, count(*) FROM t GROUP BY u ORDER BY u;

-- name: select_group_by_call
SELECT unnest(a), count(*) FROM t GROUP BY unnest(a) ORDER BY 1;

-- name: select_of_aggregate
SELECT unnest(array_agg(id ORDER BY id DESC)) FROM t;

-- name: select_with_aggregate
SELECT count(*), generate_series(1, 2) FROM t;

-- name: select_with_key
SELECT x, generate_series(1, x) FROM t GROUP BY x ORDER BY 1, 2;

-- name: select_window
SELECT id, row_number() OVER (ORDER BY id), generate_series(1, 2) FROM t;

-- name: select_in_subquery
SELECT u FROM (SELECT unnest(a) AS u FROM t) q WHERE u > 5;

-- name: select_union
SELECT unnest(ARRAY[1, 2]) UNION SELECT generate_series(2, 3) ORDER BY 1;

-- name: select_of_nothing
SELECT unnest(a), x FROM nothing;

-- name: select_text
SELECT id, string_to_table(s, ',') FROM t;

-- name: select_matches
SELECT id, regexp_matches(s, '[a-z]', 'g') FROM t;

-- name: where_refused
SELECT id FROM t WHERE generate_series(1, 2) = 1;

-- name: having_refused
SELECT count(*) FROM t HAVING generate_series(1, 2) = 1;

-- name: case_refused
SELECT CASE WHEN x > 1 THEN generate_series(1, 2) END FROM t;

-- name: coalesce_refused
SELECT coalesce(unnest(a), 1) FROM t;

-- name: aggregate_refused
SELECT sum(generate_series(1, 2));

-- name: filter_refused
SELECT count(*) FILTER (WHERE unnest(ARRAY[true])) FROM t;

-- name: join_refused
SELECT 1 FROM t JOIN t u ON generate_series(1, 2) = 1;

-- name: limit_refused
SELECT id FROM t LIMIT generate_series(1, 2);

-- name: values_refused
VALUES (generate_series(1, 2)), (3);

-- name: from_refused
SELECT * FROM abs(generate_series(1, 2));

-- name: window_refused
SELECT sum(generate_series(1, 2)) OVER () FROM t;

-- name: subscripts
SELECT id, i, a[i] FROM t, generate_subscripts(a, 1) i;

-- name: subscripts_reversed
SELECT generate_subscripts('[0:2]={1,2,3}'::int[], 1, true), generate_subscripts('{{1,2}}'::int[], 2);

-- name: subscripts_none
SELECT * FROM generate_subscripts('{}'::int[], 1);

-- name: regexp_matches
SELECT * FROM regexp_matches('foobarbequebaz', '(b[^b]+)(b[^b]+)', 'g');

-- name: regexp_matches_one
SELECT * FROM regexp_matches('abc', 'b') m;

-- name: regexp_matches_none
SELECT * FROM regexp_matches('abc', 'z');

-- name: regexp_match
SELECT regexp_match('abcd', 'b(.)(x)?'), regexp_match('abc', 'z'), (regexp_match('a=1', '(\w)=(\d)'))[2];

-- name: regexp_split_to_array
SELECT regexp_split_to_array('a1b22c', '\d+'), regexp_split_to_array('abc', '');

-- name: string_to_table
SELECT * FROM string_to_table('a,b,,c', ',', '') WITH ORDINALITY;

-- name: many_rows
SELECT count(*), sum(u), max(n) FROM unnest(ARRAY(SELECT g FROM generate_series(1, 5000) g)) WITH ORDINALITY AS q(u, n);

-- name: many_rows_lateral
SELECT count(*), sum(h) FROM generate_series(1, 60) g, generate_series(1, g) h;

-- name: join_of_functions
SELECT * FROM generate_series(1, 2) a, generate_series(a, 2) b;

-- name: full_join
SELECT * FROM unnest(ARRAY[1, 2]) a FULL JOIN unnest(ARRAY[2, 3]) b ON a = b;

-- name: more_top
SELECT unnest(a) FROM t ORDER BY 1 LIMIT 3;

-- name: more_ordered_gathering
SELECT id, (SELECT array_agg(g ORDER BY g DESC) FROM generate_series(1, x) g) FROM t;

-- name: more_limit_within
SELECT id, (SELECT u FROM unnest(a) WITH ORDINALITY q(u, n) ORDER BY n DESC LIMIT 1) FROM t;

-- name: more_join_inside
SELECT id, (SELECT string_agg(v, '' ORDER BY n) FROM unnest(b) WITH ORDINALITY q(v, n) JOIN generate_series(1, 2) g ON g = n) FROM t;

-- name: more_semi
SELECT id FROM t WHERE 2 IN (SELECT n FROM unnest(b) WITH ORDINALITY q(v, n));

-- name: more_not_exists
SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM unnest(a) u WHERE u IS NULL OR u > 8);

-- name: more_volatile
SELECT count(*), count(DISTINCT r) > 1 FROM (SELECT unnest(ARRAY[1, 2, 3]), random() AS r) q;

-- name: more_two_levels
SELECT id, u, w FROM t, unnest(b) u, LATERAL (SELECT string_to_table(u, ' ') AS w) q WHERE id IN (1, 5);

-- name: more_lateral_subquery
SELECT id, q.total FROM t LEFT JOIN LATERAL (SELECT sum(u) AS total FROM unnest(a) u HAVING count(*) > 1) q ON true;

-- name: more_aliases
SELECT f.*, g FROM unnest(ARRAY[1, 2], ARRAY['x']) WITH ORDINALITY AS f (a, b, c) CROSS JOIN generate_series(1, 1) AS g;

-- name: more_join_using
SELECT * FROM unnest(ARRAY[1, 2]) AS a (k) JOIN unnest(ARRAY[2, 3]) AS b (k) USING (k);

-- name: more_order_of_series
SELECT g FROM generate_series(3, 1, -1) g ORDER BY g LIMIT 2;

-- name: more_insert_like
SELECT row_number() OVER (ORDER BY u), u FROM unnest(ARRAY['b', 'a']) u;
