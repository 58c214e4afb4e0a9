-- What rows come from: VALUES, generate_series, subqueries, views, scalar subqueries.
-- setup
CREATE TABLE base (id int, name text, v int) USING mergetree WITH (order_by = 'id');
INSERT INTO base VALUES (1, 'one', 10), (2, 'two', 20), (3, 'three', NULL), (4, NULL, 40), (5, 'five', 50);
CREATE VIEW big AS SELECT id, name, v * 2 AS twice FROM base WHERE v >= 20;
CREATE VIEW renamed (a, b) AS SELECT id, name FROM base;

-- name: values_alone
VALUES (1, 'a'), (2, 'b'), (3, NULL);

-- name: values_types
VALUES (1, NULL, 'x'), (2.5, 2, NULL), (NULL, 3, 'y');

-- name: values_ordered
VALUES (3), (1), (2) ORDER BY 1 DESC LIMIT 2;

-- name: values_in_from
SELECT b, a + 1 FROM (VALUES (1, 'x'), (2, 'y')) AS t (a, b) ORDER BY a;

-- name: values_default_names
SELECT column1, column2 FROM (VALUES (1, 2), (3, 4)) AS v ORDER BY column1;

-- name: values_of_different_lengths
VALUES (1, 2), (3);

-- name: values_of_different_types
VALUES (1), ('x');

-- name: values_that_do_not_match
VALUES (1), (true);

-- name: series
SELECT * FROM generate_series(1, 5);

-- name: series_with_step
SELECT g FROM generate_series(10, 1, -3) AS g ORDER BY g;

-- name: series_named
SELECT s.n * 2 AS d FROM generate_series(1, 4) AS s (n) ORDER BY n DESC;

-- name: series_empty
SELECT count(*) FROM generate_series(5, 1);

-- name: series_with_null
SELECT count(*) FROM generate_series(1, NULL);

-- name: series_of_int8
SELECT g, pg_typeof(g) FROM generate_series(9223372036854775805, 9223372036854775807) AS g ORDER BY g;

-- name: series_up_to_int4_limit
SELECT g FROM generate_series(2147483645, 2147483647) AS g ORDER BY g;

-- name: series_of_numeric
SELECT g FROM generate_series(0.5, 2.0, 0.5) AS g ORDER BY g;

-- name: series_of_timestamps
SELECT g FROM generate_series('2024-02-28'::timestamp, '2024-03-01', '12 hours') AS g ORDER BY g;

-- name: series_step_zero
SELECT * FROM generate_series(1, 5, 0);

-- name: series_large
SELECT count(*), sum(g), min(g), max(g), avg(g) FROM generate_series(1, 100000) AS g;

-- name: series_with_expressions
SELECT g % 7 AS m, count(*), sum(g * g) FROM generate_series(1, 1000) AS g GROUP BY m ORDER BY m;

-- name: series_with_ordinality
SELECT * FROM generate_series(10, 12) WITH ORDINALITY AS t (v, n) ORDER BY n;

-- name: subquery_in_from
SELECT q.id, q.w FROM (SELECT id, v + 1 AS w FROM base WHERE v > 10) AS q WHERE q.w < 45 ORDER BY q.id;

-- name: subquery_nested
SELECT max(x) FROM (SELECT x + 1 AS x FROM (SELECT v AS x FROM base) AS a WHERE x > 10) AS b;

-- name: subquery_without_alias
SELECT n FROM (SELECT count(*) AS n FROM base);

-- name: subquery_column_aliases
SELECT b, a FROM (SELECT id, name FROM base) AS t (a, b) ORDER BY a;

-- name: table_column_aliases
SELECT x, y, v FROM base AS t (x, y) ORDER BY x;

-- name: qualified_columns
SELECT base.id, base.name FROM base WHERE base.v = 20;

-- name: star_of_table
SELECT base.*, id + 1 AS next FROM base ORDER BY id;

-- name: alias_hides_table
SELECT base.id FROM base AS b;

-- name: table_command
TABLE base;

-- name: view
SELECT * FROM big ORDER BY id;

-- name: view_with_column_names
SELECT a, b FROM renamed WHERE b LIKE 't%' ORDER BY a;

-- name: view_filtered_and_grouped
SELECT length(name) AS n, count(*), sum(twice) FROM big GROUP BY length(name) ORDER BY n;

-- name: view_alias
SELECT x.twice FROM big AS x WHERE x.id > 2 ORDER BY 1;

-- name: scalar_subquery
SELECT (SELECT max(v) FROM base), (SELECT name FROM base WHERE id = 2);

-- name: scalar_subquery_in_expression
SELECT id, v - (SELECT avg(v) FROM base) AS off FROM base ORDER BY id;

-- name: scalar_subquery_in_where
SELECT id FROM base WHERE v > (SELECT avg(v) FROM base) ORDER BY id;

-- name: scalar_subquery_of_no_rows
SELECT (SELECT v FROM base WHERE id = 100), coalesce((SELECT v FROM base WHERE false), -1);

-- name: scalar_subquery_of_many_rows
SELECT (SELECT v FROM base);

-- name: scalar_subquery_of_two_columns
SELECT (SELECT id, v FROM base WHERE id = 1);

-- name: scalar_subquery_in_case
SELECT id, CASE WHEN v = (SELECT max(v) FROM base) THEN 'top' ELSE 'other' END FROM base ORDER BY id;

-- name: exists_uncorrelated
SELECT id FROM base WHERE EXISTS (SELECT 1 FROM base WHERE v > 45) ORDER BY id;

-- name: not_exists_uncorrelated
SELECT count(*) FROM base WHERE NOT EXISTS (SELECT 1 FROM base WHERE v > 1000);

-- name: in_subquery
SELECT id FROM base WHERE v IN (SELECT v FROM base WHERE id > 3) ORDER BY id;

-- name: not_in_subquery_with_null
SELECT id FROM base WHERE v NOT IN (SELECT v FROM base WHERE id IN (1, 3)) ORDER BY id;

-- name: not_in_subquery
SELECT id FROM base WHERE id NOT IN (SELECT id FROM base WHERE v > 15) ORDER BY id;

-- name: in_empty_subquery
SELECT id FROM base WHERE v IN (SELECT 1 WHERE false);

-- name: with_query
WITH q AS (SELECT id, v FROM base WHERE v IS NOT NULL) SELECT count(*), sum(v) FROM q;

-- name: with_two_queries
WITH a AS (SELECT id, v FROM base), b (x) AS (SELECT v + 1 FROM a WHERE v > 10) SELECT x FROM b ORDER BY x;

-- name: with_query_in_scalar_subquery
WITH q AS (SELECT max(v) AS top FROM base) SELECT id FROM base WHERE v = (SELECT top FROM q);

-- name: no_from
SELECT 1, 'x' WHERE EXISTS (SELECT 1 FROM base);

-- name: star_without_from
SELECT *;

-- name: no_columns_at_all
SELECT count(*) FROM (SELECT FROM base) AS q;

-- name: schema_qualified
SELECT count(*) FROM pg_catalog.generate_series(1, 3);

-- name: series_cross_constant
SELECT g, g || 'x', CASE WHEN g % 2 = 0 THEN 'even' ELSE 'odd' END FROM generate_series(1, 4) AS g ORDER BY 1;

-- name: random_is_in_range
SELECT count(*) FROM generate_series(1, 100) AS g WHERE random() >= 0 AND random() < 1;

-- name: series_of_numeric_down
SELECT * FROM generate_series(3, 1.55, -0.55);

-- name: series_of_numeric_to_nan
SELECT * FROM generate_series(1.0, 'NaN', 1);

-- name: in_subquery_of_other_types
SELECT id, id IN (SELECT v / 10.0 FROM base), id::text = ANY (SELECT v::text FROM base), id <> ALL (SELECT 2), v IN (SELECT v FROM base) FROM base ORDER BY id;

-- name: in_subquery_of_many_texts
SELECT count(*) FROM generate_series(1, 1000) AS g WHERE 'a number: ' || g NOT IN (SELECT 'a number: ' || h * 3 FROM generate_series(1, 500) AS h);

-- name: in_subquery_in_aggregates
SELECT count(*), sum(id) FILTER (WHERE id IN (SELECT 4)) FROM base GROUP BY id IN (SELECT 1) HAVING count(*) IN (SELECT g FROM generate_series(1, 4) AS g);

-- name: in_subquery_of_two_columns
SELECT id IN (SELECT id, v FROM base) FROM base;

-- name: pieces_of_texts_as_rows (exact)
SELECT * FROM string_to_table('a,,b', ',', '') AS piece;

-- name: characters_as_rows (exact)
SELECT * FROM string_to_table('añb', NULL, 'b');

-- name: pieces_of_nothing
SELECT * FROM string_to_table('', ',');

-- name: pieces_between_matches_as_rows (exact)
SELECT regexp_split_to_table('one  two,three', '[ ,]+');

-- name: pieces_between_empty_matches (exact)
SELECT * FROM regexp_split_to_table('axxb', 'x*');

-- name: pieces_between_all_matches_has_no_option
SELECT * FROM regexp_split_to_table('aXb', 'x', 'g');
