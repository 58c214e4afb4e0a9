-- Joins: all kinds, keys of all types, NULL keys, empty sides, fan-out, names in scope, and what is refused.
-- setup
CREATE TABLE a (id int NOT NULL, x int, s text, n numeric(8, 2), f float8, d date) USING mergetree;
INSERT INTO a VALUES (1, 10, 'one', 1.50, 1.5, '2024-01-01'), (2, 20, 'two', 2.00, 'NaN', '2024-02-29'), (3, NULL, NULL, NULL, NULL, NULL),
  (4, 10, 'four, which is long enough for the heap', 1.5, -0.0, '2024-01-01'), (5, 30, '', 0, 0, '1999-12-31'), (6, -5, 'one', -7.25, 'Infinity', 'infinity');
CREATE TABLE b (id int8, y int2, t varchar(60), m numeric(12, 4), g float4, ts timestamp) USING mergetree;
INSERT INTO b VALUES (1, 10, 'one', 1.5000, 1.5, '2024-01-01 00:00:00'), (2, 10, 'two', 2.0001, 'NaN', '2024-02-29 12:00:00'), (NULL, NULL, NULL, NULL, NULL, NULL),
  (5, 30, 'four, which is long enough for the heap', 0.0000, -0.0, '1999-12-31'), (7, 99, '', -7.25, '-Infinity', 'infinity'), (7, -5, 'ONE', 99999999.9999, 'Infinity', '2024-01-01'),
  (2, NULL, 'two', 2, 0, NULL);
CREATE TABLE c (id int, k1 int, k2 text, note text) USING mergetree;
INSERT INTO c VALUES (1, 10, 'one', 'c1'), (2, 20, 'two', 'c2'), (2, 10, 'one', NULL), (4, NULL, 'one', 'c4'), (NULL, 10, NULL, 'c5'), (9, 30, '', 'c6');
CREATE TABLE nothing (id int, x int, s text) USING mergetree;
CREATE TABLE kinds (i int, u uuid, h bytea, c char(6), v interval, o bool, tz timestamptz, tm time, d date, ts timestamp) USING mergetree;
INSERT INTO kinds VALUES
  (1, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\x00ff', 'ab', '1 day', true, '2024-03-31 02:30:00+00', '12:00', '2024-01-01', '2024-01-01 00:00'),
  (2, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12', '\x', 'ab ', '24 hours', false, '2024-03-31 04:30:00+02', '12:00:00.000001', '2024-01-01', '2024-01-01 00:01'),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (4, 'ffffffff-ffff-ffff-ffff-ffffffffffff', '\x00ff000000000000000000000000000000', 'abcdef', '1 mon', true, '-infinity', '24:00', '-infinity', '-infinity'),
  (5, '00000000-0000-0000-0000-000000000000', '\x', '', '30 days', NULL, '2024-01-01', '00:00', 'infinity', 'infinity');
CREATE TABLE fan (k int, v int) USING mergetree;
INSERT INTO fan SELECT i % 3, i FROM generate_series(1, 60) AS g (i);
CREATE TABLE wide (c01 int, c02 int, c03 int, c04 int, c05 int, c06 int, c07 int, c08 int, c09 int, c10 int, c11 int, c12 int, c13 int, c14 int, c15 int, c16 int, c17 int, c18 int, c19 int, c20 int, c21 int, c22 int,
  c23 int, c24 int, c25 int, c26 int, c27 int, c28 int, c29 int, c30 int, c31 int, c32 int, c33 int, c34 int, c35 int, c36 int, c37 int, c38 int, c39 int, c40 int, c41 int, c42 int, c43 int, c44 int, c45 int,
  c46 int, c47 int, c48 int, c49 int, c50 int, c51 int, c52 int, c53 int, c54 int, c55 int, c56 int, c57 int, c58 int, c59 int, c60 int, c61 int, c62 int, c63 int, c64 int, c65 int, c66 int, c67 int) USING mergetree;
INSERT INTO wide (c01, c31, c32, c33, c62, c63, c64, c65, c66, c67) VALUES (1, 31, 32, 33, 62, 63, 64, 65, 66, 67), (2, NULL, 132, NULL, 162, NULL, 164, NULL, 166, NULL), (3, 231, NULL, 233, NULL, 263, NULL, 265, NULL, 267);

-- name: inner_join
SELECT a.id, a.x, b.id, b.y FROM a JOIN b ON a.x = b.y;

-- name: left_join
SELECT a.id, b.t, b.m FROM a LEFT JOIN b ON a.x = b.y;

-- name: right_join
SELECT a.id, a.s, b.id, b.t FROM a RIGHT JOIN b ON a.x = b.y;

-- name: full_join
SELECT a.id, a.s, b.id, b.t FROM a FULL JOIN b ON a.x = b.y;

-- name: cross_join
SELECT a.id, c.note FROM a CROSS JOIN c;

-- name: comma_join
SELECT a.id, b.t FROM a, b WHERE a.id = b.id;

-- name: comma_without_condition
SELECT count(*), sum(a.id), sum(b.y) FROM a, b;

-- name: join_on_true
SELECT count(*) FROM a JOIN b ON true;

-- name: join_on_false
SELECT a.id, b.t FROM a JOIN b ON false;

-- name: left_join_on_false
SELECT a.id, b.t FROM a LEFT JOIN b ON false;

-- name: left_join_on_true
SELECT a.id, b.y FROM a LEFT JOIN b ON true;

-- name: left_join_on_null
SELECT a.id, b.t FROM a LEFT JOIN b ON NULL;

-- name: full_join_on_true
SELECT count(*), count(a.id), count(b.id) FROM a FULL JOIN b ON true;

-- name: full_join_on_false_of_keys
SELECT a.id, b.t FROM a FULL JOIN b ON a.id = b.id AND a.id > 100;

-- name: int_and_int8
SELECT a.id, b.id FROM a JOIN b ON a.id = b.id;

-- name: int8_and_int_the_other_way
SELECT a.id, b.id FROM b JOIN a ON b.id = a.id;

-- name: int2_and_int8
SELECT p.y, q.id FROM b p JOIN b q ON p.y = q.id + 8;

-- name: int_and_numeric
SELECT a.id, b.m FROM a JOIN b ON a.id = b.m;

-- name: int_and_float
SELECT a.id, b.g FROM a LEFT JOIN b ON a.id = b.g + 0.5;

-- name: float_and_numeric
SELECT a.id, b.m FROM a JOIN b ON a.f = b.m;

-- name: numerics_of_different_scales
SELECT a.id, a.n, b.m FROM a JOIN b ON a.n = b.m;

-- name: numerics_of_different_scales_left
SELECT a.id, a.n, b.m FROM b LEFT JOIN a ON a.n = b.m;

-- name: unbounded_numerics
SELECT p.v, q.v FROM (VALUES (1.0), (2.50), (1e30), ('NaN'::numeric), (NULL)) p (v) JOIN (VALUES (1.000), (2.5), (1e30), ('NaN'), (NULL)) q (v) ON p.v = q.v;

-- name: floats_nan_and_zero
SELECT p.f, q.f FROM a p JOIN a q ON p.f = q.f;

-- name: float4_and_float8
SELECT a.f, b.g FROM a JOIN b ON a.f = b.g;

-- name: texts
SELECT a.id, b.id FROM a JOIN b ON a.s = b.t;

-- name: text_of_expressions
SELECT a.id, b.id FROM a JOIN b ON upper(a.s) = upper(b.t);

-- name: long_texts_built
SELECT a.id, length(b.t || b.t) FROM a JOIN (SELECT t || t AS t FROM b) b ON a.s || a.s = b.t;

-- name: dates
SELECT p.id, q.id FROM a p JOIN a q ON p.d = q.d;

-- name: date_and_timestamp
SELECT a.id, b.ts FROM a JOIN b ON a.d = b.ts;

-- name: date_and_timestamp_left
SELECT a.id, b.ts FROM a LEFT JOIN b ON b.ts = a.d;

-- name: timestamp_and_timestamptz
SELECT p.i, q.i FROM kinds p JOIN kinds q ON p.ts = q.tz;

-- name: timestamptz_keys
SELECT p.i, q.i FROM kinds p JOIN kinds q ON p.tz = q.tz;

-- name: time_keys
SELECT p.i, q.i FROM kinds p JOIN kinds q ON p.tm = q.tm;

-- name: uuid_keys
SELECT p.i, q.u FROM kinds p LEFT JOIN kinds q ON p.u = q.u;

-- name: bytea_keys
SELECT p.i, q.i FROM kinds p FULL JOIN kinds q ON p.h = q.h;

-- name: char_keys
SELECT p.i, q.i FROM kinds p FULL JOIN kinds q ON p.c = q.c;

-- name: char_and_text
SELECT p.i, q.v FROM kinds p JOIN (VALUES ('ab'), ('ab '), (''), ('abcdef')) q (v) ON p.c = q.v;

-- name: char_and_char
SELECT p.i, q.v FROM kinds p JOIN (VALUES ('ab'::char(2)), ('ab '::char(4)), (''), ('abcdef')) q (v) ON p.c = q.v;

-- name: interval_keys
SELECT p.i, q.i FROM kinds p JOIN kinds q ON p.v = q.v;

-- name: boolean_keys
SELECT p.i, q.i FROM kinds p FULL JOIN kinds q ON p.o = q.o;

-- name: boolean_condition
SELECT p.i, q.i FROM kinds p JOIN kinds q ON p.o AND q.i = 2;

-- name: two_keys
SELECT a.id, c.note FROM a JOIN c ON a.x = c.k1 AND a.s = c.k2;

-- name: two_keys_left
SELECT a.id, c.note FROM a LEFT JOIN c ON a.x = c.k1 AND a.s = c.k2;

-- name: two_keys_full
SELECT a.id, c.note FROM a FULL JOIN c ON a.x = c.k1 AND a.s = c.k2;

-- name: expression_keys
SELECT a.id, c.id FROM a JOIN c ON a.id + 1 = c.id * 2;

-- name: expression_keys_full
SELECT a.id, c.id, c.note FROM a FULL JOIN c ON a.x / 5 = c.k1 / 5;

-- name: expression_of_both_sides
SELECT a.id, c.id FROM a JOIN c ON a.id - c.id = 1;

-- name: the_same_key_twice
SELECT a.id, c.id FROM a JOIN c ON a.id = c.id AND a.x = c.id * 10;

-- name: key_of_two_columns
SELECT a.id, c.id FROM a JOIN c ON a.id + a.x = c.k1 + c.id;

-- name: less_than
SELECT a.id, c.id FROM a JOIN c ON a.id < c.id;

-- name: less_than_left
SELECT a.id, c.id FROM a LEFT JOIN c ON a.id < c.id;

-- name: between
SELECT a.id, c.k1 FROM a LEFT JOIN c ON a.x BETWEEN c.k1 - 10 AND c.k1;

-- name: unequal
SELECT a.id, c.id FROM a JOIN c ON a.id <> c.id;

-- name: key_and_unequal
SELECT a.id, c.note FROM a LEFT JOIN c ON a.x = c.k1 AND a.s <> c.k2;

-- name: key_and_unequal_full
SELECT a.id, c.note FROM a FULL JOIN c ON a.x = c.k1 AND a.s <> c.k2;

-- name: key_or_key
SELECT a.id, c.note FROM a JOIN c ON a.x = c.k1 OR a.s = c.k2;

-- name: key_or_key_left
SELECT a.id, c.note FROM a LEFT JOIN c ON a.x = c.k1 OR a.s = c.k2;

-- name: like_condition
SELECT a.id, b.t FROM a JOIN b ON b.t LIKE a.s || '%';

-- name: not_distinct
SELECT a.id, b.id FROM a JOIN b ON a.x IS NOT DISTINCT FROM b.y;

-- name: condition_that_guards_a_division
SELECT a.id, c.id FROM a JOIN c ON a.id = c.id AND 10 / c.id > 2;

-- name: condition_that_fails
SELECT a.id, c.id FROM a JOIN c ON a.id = c.id AND 10 / (c.id - 2) > 0;

-- name: key_that_fails
SELECT a.id FROM a JOIN c ON 10 / (a.id - 1) = c.id;

-- name: empty_right
SELECT a.id, e.x FROM a JOIN nothing e ON a.id = e.id;

-- name: empty_left
SELECT a.id, e.x FROM nothing e JOIN a ON a.id = e.id;

-- name: empty_right_left_join
SELECT a.id, e.x, e.s FROM a LEFT JOIN nothing e ON a.id = e.id;

-- name: empty_left_left_join
SELECT a.id, e.x, e.s FROM nothing e LEFT JOIN a ON a.id = e.id;

-- name: empty_right_full_join
SELECT a.id, e.x, e.s FROM a FULL JOIN nothing e ON a.id = e.id;

-- name: empty_left_full_join
SELECT a.id, e.x, e.s FROM nothing e FULL JOIN a ON a.id = e.id;

-- name: empty_both_full_join
SELECT * FROM nothing p FULL JOIN nothing q ON p.id = q.id;

-- name: empty_cross_join
SELECT count(*) FROM a CROSS JOIN nothing;

-- name: fan_out
SELECT count(*), sum(p.v), sum(q.v), sum(p.v * q.v) FROM fan p JOIN fan q ON p.k = q.k;

-- name: fan_out_left_with_condition
SELECT p.v, count(q.v), min(q.v) FROM fan p LEFT JOIN fan q ON p.k = q.k AND q.v > p.v GROUP BY p.v ORDER BY 1;

-- name: fan_out_full_with_condition
SELECT p.v, q.v FROM fan p FULL JOIN fan q ON p.k = q.k AND p.v = q.v + 57 ORDER BY 1, 2;

-- name: fan_out_cubed
SELECT p.k, count(*) FROM fan p JOIN fan q ON p.k = q.k JOIN fan r ON r.k = q.k WHERE p.v < 9 GROUP BY p.k ORDER BY 1;

-- name: self_join
SELECT p.id, q.id FROM a p JOIN a q ON p.x = q.x AND p.id < q.id;

-- name: self_join_of_pairs
SELECT p.id, q.id, r.id FROM a p, a q, a r WHERE p.id + 1 = q.id AND q.id + 1 = r.id;

-- name: wide_rows
SELECT p.c01, q.c31, q.c32, q.c33, q.c62, q.c63, q.c64, q.c65, q.c66, q.c67 FROM wide p LEFT JOIN wide q ON p.c01 = q.c01 + 1;

-- name: all_columns_of_wide_rows
SELECT q.* FROM wide p JOIN wide q ON p.c01 = q.c01;

-- name: full_join_of_wide_rows
SELECT p.c67, q.* FROM wide p FULL JOIN wide q ON p.c67 = q.c67;

-- name: all_columns
SELECT * FROM a JOIN c ON a.id = c.id;

-- name: all_columns_of_a_side
SELECT c.*, a.x FROM a LEFT JOIN c ON a.id = c.id;

-- name: using_one
SELECT * FROM a JOIN c USING (id);

-- name: using_left
SELECT * FROM a LEFT JOIN c USING (id);

-- name: using_right
SELECT * FROM a RIGHT JOIN c USING (id);

-- name: using_full
SELECT * FROM a FULL JOIN c USING (id);

-- name: using_qualified_columns
SELECT id, a.id, c.id FROM a FULL JOIN c USING (id) ORDER BY id, c.id;

-- name: using_mixed_types
SELECT id, a.id, b.id FROM a FULL JOIN b USING (id);

-- name: using_mixed_types_right
SELECT id, pg_typeof(id) FROM a RIGHT JOIN b USING (id);

-- name: using_two
SELECT * FROM (SELECT id, x, s FROM a) p JOIN nothing q USING (x, id);

-- name: using_full_group
SELECT id, count(*) FROM a FULL JOIN c USING (id) GROUP BY id ORDER BY id;

-- name: using_full_where
SELECT id, note FROM a FULL JOIN c USING (id) WHERE id > 3;

-- name: using_three
SELECT * FROM (SELECT id, x FROM a) p FULL JOIN (SELECT id, y FROM b) q USING (id) FULL JOIN (SELECT id, k1 FROM c) r USING (id);

-- name: using_chain_left
SELECT id, p.x, q.y, r.k1 FROM a p LEFT JOIN b q USING (id) LEFT JOIN c r USING (id);

-- name: natural
SELECT * FROM (SELECT id, x FROM a) p NATURAL JOIN (SELECT id, k1 FROM c) q;

-- name: natural_two_columns
SELECT * FROM (SELECT id, x, s FROM a) p NATURAL LEFT JOIN nothing q;

-- name: natural_full
SELECT * FROM (SELECT id, x FROM a) p NATURAL FULL JOIN (SELECT id, note FROM c) q;

-- name: natural_without_common_columns
SELECT count(*) FROM (SELECT x FROM a) p NATURAL JOIN (SELECT note FROM c) q;

-- name: natural_without_common_columns_left
SELECT count(*) FROM (SELECT x FROM a) p NATURAL LEFT JOIN (SELECT x AS z FROM nothing) q;

-- name: join_alias
SELECT j.* FROM (a JOIN c USING (id)) AS j ORDER BY j.id, j.note;

-- name: join_alias_with_columns
SELECT key, x, note FROM (a JOIN c USING (id)) AS j (key) ORDER BY key, note;

-- name: parenthesised
SELECT a.id, b.id, c.note FROM a LEFT JOIN (b JOIN c ON b.id = c.id) ON a.id = b.id;

-- name: parenthesised_full
SELECT a.id, b.id, c.note FROM a FULL JOIN (b FULL JOIN c ON b.id = c.id) ON a.id = b.id;

-- name: nested_without_parentheses
SELECT a.id, b.id, c.note FROM a LEFT JOIN b LEFT JOIN c ON b.id = c.id ON a.id = b.id;

-- name: where_on_the_left
SELECT a.id, c.note FROM a LEFT JOIN c ON a.id = c.id WHERE a.x = 10;

-- name: where_on_the_right
SELECT a.id, c.note FROM a LEFT JOIN c ON a.id = c.id WHERE c.note = 'c2';

-- name: where_right_is_null
SELECT a.id FROM a LEFT JOIN c ON a.id = c.id WHERE c.id IS NULL;

-- name: where_right_nullable_is_null
SELECT a.id, c.id FROM a LEFT JOIN c ON a.id = c.id WHERE c.note IS NULL;

-- name: where_coalesce_of_the_right
SELECT a.id, c.note FROM a LEFT JOIN c ON a.id = c.id WHERE coalesce(c.note, 'none') <> 'c1';

-- name: where_or_over_both
SELECT a.id, c.note FROM a LEFT JOIN c ON a.id = c.id WHERE a.x = 20 OR c.note = 'c4';

-- name: where_either_or_missing
SELECT a.id, c.note FROM a LEFT JOIN c ON a.id = c.id WHERE c.note = 'c1' OR c.note IS NULL;

-- name: where_case_of_the_right
SELECT a.id FROM a LEFT JOIN c ON a.id = c.id WHERE CASE WHEN c.id IS NULL THEN true ELSE c.k1 = 10 END;

-- name: where_in_list_of_the_right
SELECT a.id FROM a LEFT JOIN c ON a.id = c.id WHERE c.k1 IN (10, 20);

-- name: where_not_in_list_of_the_right
SELECT a.id FROM a LEFT JOIN c ON a.id = c.id WHERE c.k1 NOT IN (20, 30);

-- name: where_not_true_of_the_right
SELECT a.id, c.k1 FROM a LEFT JOIN c ON a.id = c.id WHERE (c.k1 > 5) IS NOT TRUE;

-- name: where_distinct_from_the_right
SELECT a.id, c.k1 FROM a LEFT JOIN c ON a.id = c.id WHERE c.k1 IS DISTINCT FROM 10;

-- name: on_with_left_condition
SELECT a.id, c.note FROM a LEFT JOIN c ON a.id = c.id AND a.x = 10;

-- name: on_with_right_condition
SELECT a.id, c.note FROM a LEFT JOIN c ON a.id = c.id AND c.note IS NOT NULL;

-- name: on_with_left_condition_only
SELECT a.id, c.note FROM a LEFT JOIN c ON a.x = 20;

-- name: on_with_right_condition_only
SELECT a.id, c.note FROM a LEFT JOIN c ON c.k1 = 20;

-- name: full_with_left_condition
SELECT a.id, c.note FROM a FULL JOIN c ON a.id = c.id AND a.x = 10;

-- name: full_with_right_condition
SELECT a.id, c.note FROM a FULL JOIN c ON a.id = c.id AND c.note IS NOT NULL;

-- name: full_where_left
SELECT a.id, c.note FROM a FULL JOIN c ON a.id = c.id WHERE a.x > 10;

-- name: full_where_right
SELECT a.id, c.note FROM a FULL JOIN c ON a.id = c.id WHERE c.k1 = 10;

-- name: full_where_both
SELECT a.id, c.note FROM a FULL JOIN c ON a.id = c.id WHERE c.k1 = 10 AND a.x = 10;

-- name: full_where_missing
SELECT a.id, c.note FROM a FULL JOIN c ON a.id = c.id WHERE a.id IS NULL OR c.id IS NULL;

-- name: left_then_inner
SELECT a.id, b.t, c.note FROM a LEFT JOIN b ON a.id = b.id JOIN c ON c.id = b.id;

-- name: inner_then_left
SELECT a.id, b.t, c.note FROM a JOIN b ON a.id = b.id LEFT JOIN c ON c.id = b.id AND c.k1 = 10;

-- name: left_then_left_of_the_first
SELECT a.id, b.t, c.note FROM a LEFT JOIN b ON a.id = b.id LEFT JOIN c ON c.id = a.id;

-- name: left_on_a_nulled_column
SELECT a.id, b.id, c.id FROM a LEFT JOIN b ON a.x = b.y LEFT JOIN c ON b.id IS NULL AND c.id = a.id;

-- name: three_tables
SELECT a.id, b.t, c.note FROM a, b, c WHERE a.id = b.id AND b.id = c.id;

-- name: three_tables_in_a_triangle
SELECT a.id, b.y, c.note FROM a, b, c WHERE a.x = b.y AND b.id = c.id AND c.k1 = a.x;

-- name: transitive_constant
SELECT a.id, c.note FROM a, c WHERE a.id = c.id AND a.id = 2;

-- name: transitive_constant_of_another_type
SELECT a.id, b.t FROM a, b WHERE a.id = b.id AND b.id = 2;

-- name: transitive_over_scales
SELECT a.n::text, b.m::text FROM a, b WHERE a.n = b.m AND a.n = 2.0;

-- name: transitive_over_case
SELECT p.i, q.i, r.v FROM kinds p, kinds q, (VALUES ('ab'), ('ab ')) r (v) WHERE p.c = q.c AND q.c::text = r.v;

-- name: transitive_floats
SELECT p.id, q.id, q.f::text FROM a p, a q WHERE p.f = q.f AND p.f = 0;

-- name: contradiction
SELECT a.id FROM a, c WHERE a.id = c.id AND a.id = 2 AND c.id = 4;

-- name: five_tables
SELECT a.id, b.y, c.note, d.x, e.v FROM a, b, c, a d, fan e WHERE a.id = b.id AND b.id = c.id AND d.x = c.k1 AND e.v = d.id AND e.k < 3;

-- name: two_islands
SELECT count(*), sum(a.id * d.id) FROM a, b, c, a d WHERE a.id = b.id AND c.id = d.id;

-- name: condition_of_three_tables
SELECT a.id, b.id, c.id FROM a, b, c WHERE a.id + b.id = c.id + 2 AND a.id = b.id;

-- name: cross_with_full
SELECT a.id, b.id, c.id FROM c, a FULL JOIN b ON a.id = b.id WHERE c.id = 2;

-- name: aggregates_over_a_join
SELECT a.s, count(*), sum(b.m), max(b.t) FROM a JOIN b ON a.id = b.id GROUP BY a.s ORDER BY a.s;

-- name: aggregates_of_nulled_columns
SELECT count(*), count(c.id), count(c.note), sum(c.k1), min(c.note), bool_or(c.k1 > 5) FROM a LEFT JOIN c ON a.id = c.id;

-- name: group_by_a_nulled_column
SELECT c.note, count(*) FROM a LEFT JOIN c ON a.id = c.id GROUP BY c.note ORDER BY 1;

-- name: aggregates_without_columns
SELECT count(*) FROM a FULL JOIN c ON a.id = c.id;

-- name: ordered
SELECT a.id, c.note FROM a LEFT JOIN c ON a.id = c.id ORDER BY c.note NULLS FIRST, a.id DESC;

-- name: ordered_and_limited
SELECT p.v, q.v FROM fan p JOIN fan q ON p.k = q.k ORDER BY p.v DESC, q.v LIMIT 5 OFFSET 3;

-- name: limited
SELECT count(*) FROM (SELECT 1 FROM fan p, fan q, fan r LIMIT 7) s;

-- name: distinct_rows
SELECT DISTINCT a.x, c.k1 FROM a JOIN c ON a.x = c.k1;

-- name: having
SELECT a.x, count(*) FROM a LEFT JOIN c ON a.x = c.k1 GROUP BY a.x HAVING count(c.id) > 1 ORDER BY 1;

-- name: join_with_a_subquery
SELECT a.id, s.n FROM a JOIN (SELECT k1, count(*) AS n FROM c GROUP BY k1) s ON s.k1 = a.x;

-- name: join_with_a_constant_of_a_subquery
SELECT a.id, s.one, s.note FROM a LEFT JOIN (SELECT id, 1 AS one, note FROM c) s ON s.id = a.id;

-- name: join_of_limited_rows
SELECT p.v, q.v FROM (SELECT v FROM fan ORDER BY v LIMIT 3) p JOIN (SELECT v FROM fan ORDER BY v DESC LIMIT 58) q ON p.v = q.v;

-- name: join_with_values
SELECT a.id, v.name FROM a JOIN (VALUES (1, 'uno'), (2, 'dos'), (NULL, 'nada')) v (id, name) ON v.id = a.id;

-- name: join_with_a_series
SELECT g, c.note FROM generate_series(0, 4) g LEFT JOIN c ON c.id = g;

-- name: join_of_series
SELECT count(*), sum(p * q) FROM generate_series(1, 3000) p JOIN generate_series(2990, 3010) q ON p = q;

-- name: subquery_over_a_join_as_a_value
SELECT id, (SELECT count(*) FROM b JOIN c ON b.id = c.id) AS n FROM a WHERE id IN (SELECT c.id FROM b JOIN c ON b.id = c.id);

-- name: condition_with_a_subquery
SELECT a.id, c.note FROM a LEFT JOIN c ON a.id = c.id AND c.k1 = (SELECT max(k1) - 20 FROM c);

-- name: case_in_the_condition
SELECT a.id, c.id FROM a JOIN c ON CASE WHEN c.id IS NULL THEN a.id = 6 ELSE a.id = c.id END;

-- name: volatile_condition
SELECT a.id, c.id FROM a JOIN c ON a.id = c.id AND random() < 2;

-- name: volatile_condition_that_never_holds
SELECT a.id, c.id FROM a LEFT JOIN c ON a.id = c.id AND random() > 2 WHERE random() < 2;

-- name: null_in_key_of_not_null_column
SELECT a.id, s.id FROM a FULL JOIN (SELECT id, NULL::int AS k FROM a) s ON s.k = a.id;

-- name: constant_key
SELECT a.id, s.k FROM a JOIN (SELECT 1 AS k) s ON s.k = a.id;

-- name: string_literal_key
SELECT a.id, s.k FROM a LEFT JOIN (SELECT 'one' AS k) s ON s.k = a.s;

-- name: missing_table_on_the_right
SELECT * FROM a JOIN missing ON true;

-- name: later_table_in_condition
SELECT * FROM a JOIN b ON a.id = c.id JOIN c ON true;

-- name: table_beside_in_condition
SELECT * FROM a, b JOIN c ON a.id = c.id;

-- name: table_hidden_by_a_join_alias
SELECT a.id FROM (a JOIN c USING (id)) AS j;

-- name: ambiguous_column
SELECT id FROM a JOIN c ON a.id = c.id;

-- name: ambiguous_column_in_condition
SELECT 1 FROM a JOIN c ON id = 1;

-- name: ambiguous_using
SELECT * FROM a JOIN b ON true JOIN c USING (id);

-- name: ambiguous_using_right
SELECT * FROM c JOIN (a JOIN b ON true) USING (id);

-- name: ambiguous_natural
SELECT * FROM a JOIN b ON true NATURAL JOIN c;

-- name: using_unknown_left
SELECT * FROM a JOIN c USING (note);

-- name: using_unknown_right
SELECT * FROM a JOIN c USING (x);

-- name: using_twice
SELECT * FROM a JOIN c USING (id, id);

-- name: using_incomparable
SELECT * FROM (SELECT id AS k FROM a) p JOIN (SELECT u AS k FROM kinds) q USING (k);

-- name: the_same_alias_twice
SELECT * FROM a JOIN a ON true;

-- name: the_same_alias_twice_nested
SELECT * FROM a p JOIN (b JOIN c p ON true) ON true;

-- name: hidden_alias_may_come_twice
SELECT count(*) FROM (a JOIN c USING (id)) AS j, a;

-- name: too_many_names_for_a_join
SELECT * FROM (c JOIN nothing USING (id)) AS j (p, q, r, s, t, u, v);

-- name: condition_not_boolean
SELECT * FROM a JOIN b ON a.id;

-- name: condition_not_boolean_text
SELECT * FROM a JOIN b ON 'maybe';

-- name: aggregate_in_condition
SELECT 1 FROM a JOIN b ON sum(a.id) = 1;

-- name: incomparable_keys
SELECT 1 FROM a JOIN b ON a.s = b.id;

-- name: unknown_column_in_condition
SELECT 1 FROM a JOIN b ON a.nope = b.id;

-- name: merged_column_must_be_grouped
SELECT id FROM a JOIN c USING (id) GROUP BY note;
