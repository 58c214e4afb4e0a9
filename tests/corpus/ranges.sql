-- Ranges and multiranges: literals, canonical forms, constructors, operators, bounds, sorts, groups, aggregates.
-- setup
CREATE TABLE t (id int NOT NULL, r int4range, n numrange, d daterange, ts tsrange, m int4multirange, nm nummultirange, rs int4range[]) USING mergetree WITH (order_by = 'id');
INSERT INTO t VALUES (1, '[1,5)', '[1.0,2.00)', '[2024-01-01,2024-01-10]', '[2024-01-01 10:00,2024-01-01 12:00)', '{[1,3),[5,8)}', '{[1,2.0)}', '{"[1,3)","[4,5]"}'), (2, '(,3]', '[1.00,2)', '(,)', 'empty', '{}', '{[1.0,2)}', '{}'), (3, 'empty', 'empty', '[2024-01-05,infinity)', '(,2024-01-01]', '{(,)}', '{[-1.5,-1.25],(0,0.001]}', '{NULL,empty}'), (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (5, '[1,4]', '(1,2]', '[2024-01-06,2024-01-06]', '[2024-01-01 10:00:00.000001,)', '{[1,3)}', '{[1,2),[3,4)}', '{"(,)"}'), (6, '[2,)', '[-1000.5,1e30]', '[1999-12-31,2000-01-02)', '[1990-01-01,2030-01-01]', '{[1,3),[5,9)}', '{}', '{"[2,3)"}'), (7, '[-5,-3)', '(-0.5,-0.25)', '(2024-01-06,2024-01-08)', '(,)', '{[-5,-3),[0,1)}', '{(,0),(0,)}', NULL);

-- name: literals
SELECT '[1,5)'::int4range, '(1,5]'::int4range, '[3,3)'::int4range, '(3,4)'::int4range, ' [1 , 5 ) '::int4range, '(,)'::int4range, '[,5]'::int4range, 'empty'::int4range, ' EMPTY '::int4range;

-- name: numeric_literals
SELECT '[1.0,2.50]'::numrange, '(1.5,1.5]'::numrange, '[1.5,1.5]'::numrange, '[-Infinity,NaN]'::numrange, '[0.00,100)'::numrange, '[-12.5,-1e3]'::numrange;

-- name: more_numeric_literals
SELECT '[-12.50,-1e-3]'::numrange, '[1e10,1e20]'::numrange, '[-5,]'::numrange;

-- name: date_literals
SELECT '[2024-01-01,2024-02-01]'::daterange, '(2024-01-01,infinity]'::daterange, '[-infinity,2000-01-01)'::daterange, '(infinity,)'::daterange;

-- name: moment_literals
SELECT '[2024-01-01 10:00,2024-01-01 12:30:15.5]'::tsrange, '[2024-01-01 10:00+02,)'::tstzrange, '["2024-01-01 10:00",]'::tsrange;

-- name: wrong_order
SELECT '[5,1]'::int4range;

-- name: no_neighbour
SELECT '[1,2147483647]'::int4range;

-- name: no_end
SELECT '[1,5'::int4range;

-- name: no_beginning
SELECT '1,5]'::int4range;

-- name: too_many_commas
SELECT '[1,2,3]'::int4range;

-- name: no_comma
SELECT '[1]'::int4range;

-- name: junk
SELECT '[1,2]x'::int4range;

-- name: junk_after_empty
SELECT 'emptyx'::int4range;

-- name: wrong_bound
SELECT '[a,2]'::int4range;

-- name: quoted_bounds
SELECT '["1",\2]'::int4range, '["1"",2]'::int4range;

-- name: no_text
SELECT ''::int4range;

-- name: constructors
SELECT int4range(1,5), int4range(1,5,'[]'), int4range(NULL,5), int4range(1,NULL,'(]'), int4range(3,3), int4range(3,3,'[]'), numrange(1.0,2,'()'), daterange('2024-01-01','2024-01-02'), tsrange('2024-01-01', NULL), int8range(1,2);

-- name: constructor_wrong_order
SELECT int4range(5,1);

-- name: constructor_flags
SELECT int4range(1,5,'x');

-- name: constructor_null_flags
SELECT int4range(1,5,NULL);

-- name: comparisons
SELECT numrange(1.0,2.0) = numrange(1,2), int4range(1,5) < int4range(1,6), int4range(1,5) < int4range(2,3), 'empty'::int4range < '(,)'::int4range, '(,1)'::int4range < '[0,)'::int4range, '[1,2)'::numrange < '(1,2)'::numrange, '[1,2]'::numrange > '[1,2)'::numrange, '(1,)'::numrange > '(1,2)'::numrange;

-- name: containment
SELECT int4range(1,5) @> 3, 5 <@ int4range(1,5), int4range(1,5) @> int4range(2,3), int4range(2,3) <@ int4range(1,5), int4range(1,5) @> 'empty'::int4range, int4range(1,5) && int4range(4,8), int4range(1,5) && int4range(5,8), int4range(1,5) << int4range(5,8), int4range(1,5) >> int4range(-1,1), int4range(1,5) &< int4range(1,5), int4range(1,5) &> int4range(2,5), int4range(1,5) -|- int4range(5,8), numrange(1,5) -|- numrange(5,8,'(]');

-- name: operators_with_ranges
SELECT int4range(1,5) + int4range(3,8), int4range(1,5) + int4range(5,8), int4range(1,5) * int4range(3,8), int4range(1,5) - int4range(3,8), int4range(1,5) - int4range(1,2), int4range(1,5) * int4range(7,8), int4range(1,5) - int4range(0,8), numrange(1,5) - numrange(2,5,'[]');

-- name: no_contiguous_union
SELECT int4range(1,2) + int4range(5,8);

-- name: no_contiguous_difference
SELECT int4range(1,10) - int4range(5,8);

-- name: bounds
SELECT lower(int4range(1,5)), upper('[1,5]'::int4range), isempty(int4range(1,1)), lower_inc(int4range(1,5)), upper_inc(int4range(1,5)), lower_inf('(,1)'::int4range), upper_inf('(,1)'::int4range), lower('empty'::int4range), upper('(1,)'::int4range), lower(numrange(1.50,2)), lower('[2024-01-01,)'::daterange);

-- name: merged
SELECT range_merge(int4range(1,2), int4range(5,8)), range_merge('{[1,2),[5,8)}'::int4multirange), range_merge('{}'::int4multirange);

-- name: multirange_literals
SELECT '{[1,3),[2,5),[7,8)}'::int4multirange, '{}'::int4multirange, '{ empty , [1,2] }'::int4multirange, '{[3,4),[1,2)}'::int4multirange, '{[1.0,2.50],(2.5,3)}'::nummultirange, '{[1,2),[2,3)}'::int4multirange;

-- name: multirange_no_end
SELECT '{[1,3)'::int4multirange;

-- name: multirange_no_brace
SELECT '[1,3)'::int4multirange;

-- name: multirange_no_comma
SELECT '{[1,3) [4,5)}'::int4multirange;

-- name: multirange_no_range
SELECT '{1}'::int4multirange;

-- name: multirange_junk
SELECT '{[1,3)}x'::int4multirange;

-- name: multirange_comma_at_end
SELECT '{[1,3),}'::int4multirange;

-- name: multirange_comma_at_start
SELECT '{,[1,3)}'::int4multirange;

-- name: multirange_constructors
SELECT int4multirange(), int4multirange(int4range(1,3)), int4multirange(int4range(1,3), int4range(2,5)), int4multirange(int4range(1,3), int4range(7,9), int4range(20,30)), multirange(int4range(1,3)), int4range(1,3)::int4multirange, multirange('empty'::int4range);

-- name: multirange_of_array
SELECT int4multirange(VARIADIC ARRAY[int4range(1,3), int4range(5,9)]);

-- name: multirange_of_null
SELECT int4multirange(int4range(1,3), NULL);

-- name: multirange_containment
SELECT '{[1,3),[5,8)}'::int4multirange @> 2, 4 <@ '{[1,3),[5,8)}'::int4multirange, '{[1,3),[5,8)}'::int4multirange @> int4range(5,6), int4range(1,9) @> '{[1,3),[5,8)}'::int4multirange, '{[1,3),[5,8)}'::int4multirange @> '{[1,2),[6,8)}', '{[1,3),[5,8)}'::int4multirange && int4range(3,5), int4range(2,5) && '{[1,3),[5,8)}'::int4multirange, '{[1,3)}'::int4multirange << '{[3,4)}'::int4multirange, '{[1,3)}'::int4multirange -|- int4range(3,4), '{[1,3),[5,8)}'::int4multirange &< int4range(0,9), '{[1,3),[5,8)}'::int4multirange &> int4range(0,9), int4range(9,10) >> '{[1,3),[5,8)}'::int4multirange;

-- name: multirange_operators
SELECT '{[1,3),[5,8)}'::int4multirange + '{[3,5)}', '{[1,3),[5,8)}'::int4multirange * '{[2,6)}', '{[1,3),[5,8)}'::int4multirange - '{[2,6)}', '{[1,10)}'::int4multirange - '{[2,3),[5,6)}'::int4multirange;

-- name: multirange_comparisons
SELECT '{[1,3)}'::int4multirange = '{[1,3)}', '{[1,3)}'::int4multirange < '{[1,3),[5,6)}', '{}'::int4multirange < '{[1,3)}';

-- name: multirange_bounds
SELECT lower('{[1,3),[5,8)}'::int4multirange), upper('{[1,3),[5,8)}'::int4multirange), isempty('{}'::int4multirange), lower_inc('{[1,3)}'::int4multirange), upper_inc('{[1,3)}'::int4multirange), lower_inf('{(,3)}'::int4multirange), upper_inf('{[1,3)}'::int4multirange), lower('{}'::int4multirange);

-- name: unnested
SELECT unnest('{[1,3),[5,8)}'::int4multirange);

-- name: unnested_in_from
SELECT * FROM unnest('{[1,3),[5,8)}'::int4multirange) WITH ORDINALITY u(r, n);

-- name: aggregated
SELECT range_agg(x), range_intersect_agg(x) FROM (VALUES (int4range(1, 3)), (int4range(2, 5)), (NULL), (int4range(2,9))) t (x);

-- name: aggregated_null
SELECT range_agg(x), range_intersect_agg(x) FROM (VALUES (NULL::int4range)) t (x);

-- name: aggregated_nothing
SELECT range_agg(x), range_intersect_agg(x) FROM (VALUES (int4range(1,2))) t (x) WHERE false;

-- name: aggregated_multiranges
SELECT range_agg(x), range_intersect_agg(x) FROM (VALUES ('{[1,3),[5,8)}'::int4multirange), ('{[2,6)}')) t (x);

-- name: arrays_of_ranges
SELECT ARRAY[int4range(1,3), NULL], '{"[1,3)","(,5]"}'::int4range[];

-- name: typed
SELECT pg_typeof(int4range(1,2)), pg_typeof('{}'::nummultirange), int4range(1,2)::text, '[1,'||'2]', ('[1,'||'2]')::int4range;

-- name: contains_numeric
SELECT int4range(1,5) @> 3.0;

-- name: contains_unknown
SELECT int4range(1,5) @> '3';

-- name: overlaps_literal
SELECT int4range(1,5) && '[2,3]';

-- name: different_types
SELECT numrange(1,5) && int4range(1,2);

-- name: no_max
SELECT max(x) FROM (VALUES (int4range(1,2))) t(x);

-- name: as_json
SELECT to_json(int4range(1,2)), to_jsonb('{[1,2)}'::int4multirange);

-- name: in_expressions
SELECT int4range(1,2) IN ('[1,1]', '[3,4]'), int4range(1,2) BETWEEN '[0,1)' AND '[1,2)', int4range(1,2) IS DISTINCT FROM '[1,1]', coalesce(NULL, int4range(1,2)), nullif(int4range(1,2), '[1,1]');

-- name: zones_and_moments
SELECT tstzrange('2024-01-01 10:00+02', '2024-01-02', '[]'), upper(tsrange('2024-01-01', '2024-01-02 03:04:05.678'));

-- name: contains_a_moment
SELECT daterange('2024-01-01', '2024-01-03') @> '2024-01-02'::date, daterange('2024-01-01', '2024-01-03') @> timestamp '2024-01-02';

-- name: all_columns
SELECT * FROM t ORDER BY id;

-- name: ordered_by_integers
SELECT id, r FROM t ORDER BY r, id;

-- name: ordered_by_numerics
SELECT id, n FROM t ORDER BY n DESC NULLS LAST, id;

-- name: ordered_by_days
SELECT id, d FROM t ORDER BY d, id LIMIT 4;

-- name: ordered_by_multiranges
SELECT id, m, nm FROM t ORDER BY m, nm, id;

-- name: grouped
SELECT r, count(*), min(id) FROM t GROUP BY r;

-- name: grouped_numerics
SELECT upper(n), lower_inc(n), count(*) FROM t GROUP BY n;

-- name: grouped_numeric_multiranges
SELECT count(*), min(id) FROM t GROUP BY nm;

-- name: distinct_ranges
SELECT count(DISTINCT r), count(DISTINCT n), count(DISTINCT m), count(DISTINCT ts) FROM t;

-- name: filtered
SELECT id FROM t WHERE r @> 3 ORDER BY id;

-- name: filtered_by_overlap
SELECT id FROM t WHERE n && '[2,3]' ORDER BY id;

-- name: filtered_by_order
SELECT id FROM t WHERE r > '[1,3)' ORDER BY id;

-- name: filtered_by_equality
SELECT id FROM t WHERE n = '[1.0,2)' OR nm = '{[1.0,2.0)}' ORDER BY id;

-- name: filtered_by_list
SELECT id FROM t WHERE r IN ('[1,4]', 'empty') ORDER BY id;

-- name: joined
SELECT a.id, b.id FROM t a JOIN t b ON a.n = b.n WHERE a.id < b.id ORDER BY 1, 2;

-- name: joined_by_overlap
SELECT a.id, b.id FROM t a JOIN t b ON a.r && b.r AND a.id < b.id ORDER BY 1, 2;

-- name: joined_by_value
SELECT t.id, g FROM t JOIN generate_series(0, 6) g ON g <@ t.r ORDER BY 1, 2;

-- name: subquery
SELECT id FROM t WHERE r IN (SELECT r FROM t u WHERE u.id > t.id) ORDER BY id;

-- name: operators_on_columns
SELECT id, r * '[2,6)', n + '(,)', d - '[2024-01-05,)', m * '{[2,6)}' FROM t ORDER BY id;

-- name: bounds_of_columns
SELECT id, lower(r), upper(r), lower(n), upper(n), lower(d), upper(ts), lower(m), isempty(m) FROM t ORDER BY id;

-- name: aggregated_columns
SELECT range_agg(r), range_agg(m), range_agg(n), range_intersect_agg(d) FROM t;

-- name: aggregated_by_group
SELECT id % 2 AS odd, range_agg(r) FROM t GROUP BY 1 ORDER BY 1;

-- name: unnested_column
SELECT id, unnest(m) AS part FROM t ORDER BY id, part;

-- name: unnested_laterally
SELECT id, u FROM t, unnest(m) u ORDER BY id, u;

-- name: windowed
SELECT id, rank() OVER (ORDER BY n), lag(r) OVER (ORDER BY id) FROM t ORDER BY id;

-- name: set_operations
SELECT n FROM t WHERE id = 1 UNION SELECT '[1,2)' ORDER BY 1;

-- name: array_of_ranges
SELECT id, rs, rs[1], '[1,3)' = ANY (rs), array_length(rs, 1) FROM t ORDER BY id;

-- name: ordered_sets
SELECT mode() WITHIN GROUP (ORDER BY r), percentile_disc(0.5) WITHIN GROUP (ORDER BY r), any_value(r) FILTER (WHERE id = 1) FROM t;

-- name: to_text
SELECT id, r::text, n || '', m::varchar(5) FROM t ORDER BY id;

-- name: from_text
SELECT ('[' || id || ',9]')::int4range FROM t ORDER BY id;

-- name: union_fails
SELECT r + '[100,200)' FROM t;

-- name: conditional
SELECT id, CASE WHEN id = 1 THEN r ELSE 'empty' END, coalesce(r, '(,)'), greatest(r, '[2,3)') FROM t ORDER BY id;

-- name: two_keys
SELECT n, r, count(*) FROM t GROUP BY GROUPING SETS ((r), ()) , n HAVING count(*) > 1;
