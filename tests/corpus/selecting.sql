-- Names: columns, aliases, case, quoting, whole rows; and WHERE in general.
-- setup
CREATE TABLE "Mixed" (id int, "Upper" text, "with space" int, "select" int, naïve int) USING mergetree;
INSERT INTO "Mixed" VALUES (1, 'a', 10, 100, 1000), (2, 'b', 20, 200, 2000), (3, NULL, NULL, NULL, NULL);
CREATE TABLE defaults (id int NOT NULL, a int DEFAULT 7, b text DEFAULT 'none', c timestamp DEFAULT '2024-01-01', d numeric(6, 2) DEFAULT 1.005) USING mergetree;
INSERT INTO defaults (id) VALUES (1), (2);
INSERT INTO defaults (b, id) VALUES ('given', 3), (DEFAULT, 4), (NULL, 5);
INSERT INTO defaults (id, a) SELECT g, g * g FROM generate_series(6, 8) AS g;
INSERT INTO defaults VALUES (9, 1.6, 'x', '2024-02-02 10:00', '3.149');

-- name: quoted_names
SELECT "Upper", "with space", "select", naïve FROM "Mixed" ORDER BY id;

-- name: unquoted_names_fold
SELECT ID, "id" FROM "Mixed" ORDER BY Id;

-- name: unquoted_name_misses_quoted_column
SELECT upper FROM "Mixed";

-- name: unquoted_name_misses_quoted_table
SELECT id FROM mixed;

-- name: output_names_fold_and_quote
SELECT id AS One, id AS "Two", id three, "with space" FROM "Mixed" WHERE id = 1;

-- name: output_name_of_functions
SELECT upper("Upper"), count(*) AS over_alias, lower("Upper") AS l, length("Upper") + 1 FROM "Mixed" GROUP BY "Upper" ORDER BY 1;

-- name: duplicate_output_names
SELECT id, id, id AS id FROM "Mixed" ORDER BY 1;

-- name: star_twice
SELECT *, * FROM defaults WHERE id = 1;

-- name: defaults_and_conversions
SELECT * FROM defaults ORDER BY id;

-- name: where_and_or
SELECT id FROM defaults WHERE a = 7 AND (b = 'none' OR b IS NULL) ORDER BY id;

-- name: where_many_conditions
SELECT id FROM defaults WHERE id > 1 AND id < 9 AND a <> 49 AND b LIKE 'n%' AND d = 1.01 ORDER BY id;

-- name: where_or_of_ranges
SELECT id FROM defaults WHERE id < 3 OR id BETWEEN 5 AND 6 OR a = 64 ORDER BY id;

-- name: where_contradiction
SELECT id FROM defaults WHERE id = 1 AND id = 2;

-- name: where_constant_true
SELECT count(*) FROM defaults WHERE 1 < 2 AND true;

-- name: where_null_comparison
SELECT count(*) FROM defaults WHERE b = NULL;

-- name: where_expression_on_both_sides
SELECT id FROM defaults WHERE id * 2 > a - 1 ORDER BY id;

-- name: where_not
SELECT id FROM defaults WHERE NOT (id > 3 OR a IS NULL) ORDER BY id;

-- name: where_is_of_text_function
SELECT id FROM defaults WHERE upper(b) = 'NONE' AND length(b) = 4 ORDER BY id;

-- name: row_comparison
SELECT id FROM defaults WHERE (id, a) > (6, 30) ORDER BY id;

-- name: row_equality_and_in
SELECT id FROM defaults WHERE (id, a) = (6, 36) OR (id, b) IN ((3, 'given'), (5, NULL)) ORDER BY id;

-- name: long_chain_of_or
SELECT count(*) FROM defaults WHERE id = 1 OR id = 2 OR id = 3 OR id = 4 OR id = 5 OR id = 6 OR id = 7 OR id = 8 OR id = 90;

-- name: long_in_list
SELECT count(*) FROM defaults WHERE id IN (1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39);

-- name: deep_expression
SELECT ((((((((id + 1) * 2) - 3) * 4) + 5) * 6) - 7) * 8) FROM defaults ORDER BY id;

-- name: many_columns
SELECT id, id + 1, id + 2, id + 3, id + 4, id + 5, id + 6, id + 7, id + 8, id + 9, id * 2, id * 3, id * 4, a + id, a - id, a * id FROM defaults ORDER BY id;

-- name: common_subexpressions
SELECT (a + id) * (a + id), (a + id) / 2, a + id FROM defaults WHERE (a + id) > 10 ORDER BY id;

-- name: alias_is_not_visible_in_where
SELECT a + 1 AS next FROM defaults WHERE next > 1;

-- name: alias_is_not_visible_beside
SELECT a + 1 AS next, next + 1 FROM defaults;

-- name: trailing_semicolon_and_whitespace
  SELECT 1   ;

-- name: names_of_the_session
SELECT current_schema = current_schema(), current_user = session_user, user = current_role, current_catalog = current_database(), pg_typeof(current_user);

-- name: sizes
SELECT pg_size_pretty(x) FROM (VALUES (10239::int8), (10240), (-10240), (10485247), (10485248), (9223372036854775807)) AS v(x);

-- name: unknown_setting
SELECT current_setting('nope', true), current_setting('nope');

-- name: sizes_of_numerics
SELECT pg_size_pretty(x) FROM (VALUES (10239.9), (10240), (-10485247.5), (10485248), (0.5), (1e30), ('NaN'), ('-inf')) AS v(x);

-- name: sizes_to_bytes
SELECT x, pg_size_bytes(x) FROM (VALUES ('1 GB'), ('1.5kB'), (' 12 '), ('12 b'), ('-1.5 MB'), ('1e-2 MB'), ('0.5')) AS v(x);

-- name: size_with_a_wrong_unit
SELECT pg_size_bytes('1 xB');

-- name: size_out_of_range
SELECT pg_size_bytes('10000 PB');

-- name: names_of_types
SELECT t, m, format_type(t::oid, m) FROM (VALUES (23, 5), (1043, 14), (1042, NULL), (1042, -1), (1114, 3), (1186, 2147418115),
    (1186, 470286339), (1700, 655366), (1700, 657411), (1009, NULL), (18, NULL), (99999, NULL)) AS v(t, m);

-- name: whether_input_is_valid
SELECT x, t, pg_input_is_valid(x, t) FROM (VALUES ('42', 'integer'), ('42', 'numeric(3,2)'), ('4.2', 'numeric(3,2)'),
    ('abcd', 'varchar(2)'), ('2024-13-01', 'date'), (NULL, 'date'), ('nope', 'regclass')) AS v(x, t);

-- name: whether_input_is_valid_for_no_type
SELECT pg_input_is_valid('x', 'nosuch');

-- name: relations_by_name
SELECT 'pg_class'::regclass, '"pg_type"'::regclass::oid, 'information_schema.tables'::regclass, '-'::regclass, 99999::regclass,
    to_regclass('nope'), pg_table_is_visible(1259);

-- name: relation_that_is_not_there
SELECT 'nosuch'::regclass;

-- name: relation_of_another_database
SELECT 'a.b.c'::regclass;

-- name: no_name_of_a_relation
SELECT 'x y'::regclass;

-- name: settings_change_within_a_row
SELECT current_setting('application_name') = 'y', set_config('application_name', 'y', true),
    current_setting('application_name');

-- name: comparison_with_any_of_a_subquery
SELECT x, x < ANY (SELECT * FROM (VALUES (2), (NULL), (4)) AS v(y)), x >= ANY (SELECT generate_series(2, 4)),
    x > ANY (SELECT generate_series(2, 4)), x <= ANY (SELECT 2), x <> ANY (SELECT generate_series(2, 3)), x <> ANY (SELECT 3),
    x > ANY (SELECT NULL::int), x > ANY (SELECT 1 WHERE false), x IN (SELECT NULL::int)
FROM (VALUES (1), (2), (3), (NULL), (5)) AS t(x);

-- name: comparison_with_all_of_a_subquery
SELECT x, x < ALL (SELECT generate_series(2, 4)), x >= ALL (SELECT * FROM (VALUES (2), (NULL), (4)) AS v(y)),
    x > ALL (SELECT generate_series(2, 4)), x <= ALL (SELECT 2), x = ALL (SELECT generate_series(2, 3)), x = ALL (SELECT 3.0),
    x > ALL (SELECT NULL::int), x > ALL (SELECT 1 WHERE false)
FROM (VALUES (1), (2), (3), (NULL), (5)) AS t(x);

-- name: comparison_of_texts_and_floats_with_subqueries
SELECT 'b' < ANY (SELECT * FROM (VALUES ('a'), ('c')) AS v(y)), 'a long text of many words' >= ALL (SELECT 'a long text'::text),
    'NaN'::float8 > ALL (SELECT 'inf'::float8), date '2024-01-01' < ANY (SELECT timestamp '2024-01-01 01:00');
