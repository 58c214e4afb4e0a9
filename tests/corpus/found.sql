-- What random queries over random schemas have found: the smallest query for each fault.
-- setup
CREATE TABLE t (id int NOT NULL, a int, s text) USING mergetree;
INSERT INTO t VALUES (1, 1, 'x'), (2, NULL, NULL), (3, 2, '');
CREATE TABLE nothing (id int) USING mergetree;
CREATE TABLE nulls (id int, s text) USING mergetree;
INSERT INTO nulls VALUES (0, NULL);

-- name: name_of_a_subquery_in_a_cast
SELECT (SELECT 0)::varchar(12), (SELECT 0), (SELECT CASE WHEN true THEN 1 END)::int8, (SELECT 'x'::text)::varchar;

-- name: name_of_a_subquery_in_case
SELECT CASE WHEN true THEN 1 ELSE (SELECT 2::int) END, CASE WHEN true THEN 1 ELSE (SELECT a FROM t WHERE id = 1) END;

-- name: array_of_a_correlated_query_in_order
SELECT id, ARRAY(SELECT u.id FROM t u WHERE u.s <> t.s OR u.id > t.id ORDER BY u.s DESC, u.id DESC) FROM t;

-- name: array_of_partners_in_order
SELECT v.k, ARRAY(SELECT g.y FROM (VALUES (1, 3), (1, 1), (2, 5), (1, 2), (2, 4)) g (k, y) WHERE g.k = v.k ORDER BY g.y) FROM (VALUES (1), (2), (3)) v (k);

-- name: texts_of_partners_in_order
SELECT v.k, (SELECT string_agg(q.y::text, ',') FROM (SELECT g.y FROM (VALUES (1, 3), (1, 1), (2, 5), (1, 2), (2, 4)) g (k, y) WHERE g.k = v.k ORDER BY g.y DESC) q) FROM (VALUES (1), (2), (3)) v (k);

-- name: texts_of_partners_in_order_by_lateral
SELECT v.k, q.s FROM (VALUES (1), (2), (3)) v (k), LATERAL (SELECT string_agg(p.y::text, ',') AS s FROM (SELECT g.y FROM (VALUES (1, 3), (1, 1), (2, 5), (1, 2), (2, 4)) g (k, y) WHERE g.k = v.k ORDER BY g.y) p) q;

-- name: negative_frame_of_rows
SELECT sum(a) OVER (ORDER BY id ROWS -1 PRECEDING) FROM t;

-- name: full_join_without_columns
SELECT count(*) FROM t FULL JOIN t u ON false;

-- name: full_join_without_columns_beside_a_table
SELECT v.x FROM t FULL JOIN (VALUES (0)) w ON false CROSS JOIN (VALUES (1), (2)) v (x);

-- name: test_of_elements_as_a_group_key
SELECT s = ANY (ARRAY['a'::varchar(12), 'b']) AS k, count(*) FROM (VALUES ('a'), ('c'), (NULL)) AS v (s) GROUP BY s = ANY (ARRAY['a'::varchar(12), 'b']);

-- name: kept_left_rows_whose_right_input_is_an_empty_join
SELECT i FROM generate_series(1, 2) AS a (i) WHERE i IN (SELECT b.i FROM generate_series(1, 50) AS b (i) JOIN generate_series(1, 50) AS c (i) ON b.i > c.i + 1000);

-- name: mark_of_an_empty_join
SELECT i, EXISTS (SELECT 1 FROM generate_series(1, 50) AS b (i), generate_series(1, 50) AS c (i) WHERE b.i = a.i AND b.i > c.i + 1000) AS e FROM generate_series(1, 2) AS a (i);

-- name: limit_in_front_of_a_left_join
SELECT count(*), count(b.i) FROM (SELECT i FROM generate_series(1, 100) AS g (i) LIMIT 50) AS a LEFT JOIN (VALUES (3), (7)) AS b (i) ON a.i = b.i;

-- name: limit_in_front_of_loops
SELECT count(*), count(b.i) FROM (SELECT i FROM generate_series(1, 10) AS g (i) LIMIT 5) AS a LEFT JOIN (VALUES (3), (7)) AS b (i) ON a.i < b.i;

-- name: limit_in_front_of_lists
SELECT i, unnest(ARRAY[i, i + 1]) FROM (SELECT i FROM generate_series(1, 10) AS g (i) LIMIT 2) AS a;

-- name: limit_in_front_of_a_series
SELECT count(*) FROM (SELECT i FROM generate_series(1, 10) AS g (i) ORDER BY i LIMIT 5) AS a, LATERAL generate_series(1, a.i) AS b;

-- name: limits_on_both_sides_and_above
SELECT count(*) FROM (SELECT 1 FROM (SELECT i FROM generate_series(1, 9) AS g (i) LIMIT 5) AS a, (SELECT i FROM generate_series(1, 9) AS g (i) LIMIT 7) AS b LIMIT 33) AS c;

-- name: limit_in_front_of_repeated_rows
SELECT count(*) FROM (SELECT i FROM (SELECT i FROM generate_series(1, 9) AS g (i) LIMIT 5) AS a INTERSECT ALL SELECT i FROM (SELECT i FROM generate_series(1, 9) AS g (i) LIMIT 6) AS b) AS c;

-- name: distinct_on_a_subquery
SELECT DISTINCT ON (EXISTS (SELECT FROM t u WHERE u.id = t.a)) id FROM t ORDER BY EXISTS (SELECT FROM t u WHERE u.id = t.a), id;

-- name: distinct_subqueries_in_order
SELECT DISTINCT (SELECT u.a FROM t u WHERE u.id = t.id), (SELECT 2) FROM t ORDER BY (SELECT 2), (SELECT u.a FROM t u WHERE u.id = t.id);

-- name: distinct_subqueries_in_the_order_of_another
SELECT DISTINCT (SELECT u.a FROM t u WHERE u.id = t.id) FROM t ORDER BY (SELECT v.a FROM t v WHERE v.id = t.id);

-- name: groups_of_a_subquery
SELECT (SELECT u.a FROM t u WHERE u.id = t.id) + 1, id IN (SELECT a FROM t), count(*) FROM t GROUP BY (SELECT u.a FROM t u WHERE u.id = t.id), id IN (SELECT a FROM t);

-- name: groups_of_another_subquery
SELECT (SELECT v.a FROM t v WHERE v.id = t.id), count(*) FROM t GROUP BY (SELECT u.a FROM t u WHERE u.id = t.id);

-- name: groups_of_a_subquery_in_a_subquery
SELECT (SELECT (SELECT u.a FROM t u WHERE u.id = t.id)) FROM t GROUP BY (SELECT u.a FROM t u WHERE u.id = t.id);

-- name: grouping_sets_of_a_subquery
SELECT (SELECT u.a FROM t u WHERE u.id = t.id), a, count(*), grouping((SELECT u.a FROM t u WHERE u.id = t.id)) FROM t GROUP BY ROLLUP ((SELECT u.a FROM t u WHERE u.id = t.id), a);

-- name: condition_on_groups_of_a_subquery
SELECT array(SELECT a FROM t u WHERE u.id <= t.id ORDER BY 1), count(*) FROM t GROUP BY a > ALL (SELECT b.a FROM t b WHERE b.id < t.id), array(SELECT a FROM t u WHERE u.id <= t.id ORDER BY 1) HAVING (a > ALL (SELECT b.a FROM t b WHERE b.id < t.id)) IS NULL;

-- name: distinct_texts_with_subqueries_in_order
SELECT string_agg(DISTINCT s || (SELECT u.s FROM t u WHERE u.id = t.id), ',' ORDER BY s || (SELECT u.s FROM t u WHERE u.id = t.id)) FROM t;

-- name: window_over_all_rows_without_columns
SELECT percent_rank() OVER () FROM (SELECT i FROM generate_series(1, 3) g (i) GROUP BY i) r;

-- name: window_over_all_rows_with_a_text
SELECT percent_rank() OVER (), s FROM (SELECT i::text AS s FROM generate_series(1, 3) g (i) GROUP BY i) r;

-- name: alternatives_that_no_row_satisfies
SELECT b.id FROM nulls a LEFT JOIN nothing b ON a.s NOT BETWEEN '' AND '' FULL JOIN nothing c ON a.id = c.id;
