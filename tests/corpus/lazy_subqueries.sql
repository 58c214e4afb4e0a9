-- Subqueries that fail: an error counts only where some row asks for the value.
-- setup
CREATE TABLE t (id int NOT NULL, a int) USING mergetree;
INSERT INTO t VALUES (1, 0), (2, 1), (3, 2), (4, NULL);
CREATE TABLE u (a int, x int) USING mergetree;
INSERT INTO u VALUES (0, 1), (1, 5), (2, 0);
CREATE TABLE nothing (a int) USING mergetree;

-- name: several_rows_that_no_row_asks_for
SELECT (SELECT id FROM t) FROM t WHERE false;

-- name: several_rows_that_a_row_asks_for
SELECT (SELECT id FROM t) FROM t;

-- name: several_rows_over_an_empty_table
SELECT (SELECT id FROM t), a IN (SELECT 1 / t.a FROM t) FROM nothing;

-- name: several_rows_in_an_arm_that_is_not_taken
SELECT id, CASE WHEN id > 9 THEN (SELECT id FROM t) ELSE 3 END FROM t;

-- name: several_rows_in_an_arm_that_is_taken
SELECT id, CASE WHEN id > 3 THEN (SELECT id FROM t) ELSE 3 END FROM t;

-- name: failing_members_that_no_row_asks_for
SELECT id, id > 9 AND a IN (SELECT 1 / a FROM t) FROM t;

-- name: failing_members
SELECT id, a IN (SELECT 1 / a FROM t) FROM t;

-- name: failing_members_not_in
SELECT id, a NOT IN (SELECT 1 / a FROM t) OR id > 2 FROM t;

-- name: failing_bound
SELECT id FROM t ORDER BY id LIMIT (SELECT 1 / a FROM u WHERE a = 0);

-- name: division_of_outer_column_in_an_arm
SELECT id, CASE WHEN a <> 0 THEN (SELECT 1 / t.a) END FROM t;

-- name: division_by_outer_column_in_an_arm
SELECT id, CASE WHEN a <> 0 THEN (SELECT sum(x / t.a) FROM u) END FROM t;

-- name: division_by_outer_column_in_a_later_arm
SELECT id, CASE WHEN a = 0 THEN 0 WHEN a IS NULL THEN 7 ELSE (SELECT max(x / t.a) FROM u WHERE u.a <= t.a) END FROM t;

-- name: division_by_outer_column_in_the_condition_of_an_arm
SELECT id, CASE WHEN a = 0 THEN 0 WHEN (SELECT max(x / t.a) FROM u) > 2 THEN 1 ELSE 2 END FROM t;

-- name: division_by_outer_column_behind_and
SELECT id, a <> 0 AND (SELECT max(x / t.a) FROM u) > 2 FROM t;

-- name: division_by_outer_column_behind_or
SELECT id, a = 0 OR (SELECT max(x / t.a) FROM u) > 2 FROM t;

-- name: division_by_outer_column_behind_or_in_where
SELECT count(*) FROM t WHERE a = 0 OR (SELECT max(x / t.a) FROM u) >= 0;

-- name: division_by_outer_column_behind_coalesce
SELECT id, coalesce(10 - nullif(a, 1) * 10 + a, (SELECT max(x / t.a) FROM u)) FROM t;

-- name: division_by_outer_column_in_members_behind_or
SELECT id, a = 0 OR 1 / a IN (SELECT x / t.a FROM u) FROM t;

-- name: division_by_outer_column_in_exists_behind_and
SELECT id, a <> 0 AND EXISTS (SELECT 1 FROM u WHERE x / t.a > 2) FROM t;

-- name: division_by_outer_column_that_is_asked_for
SELECT id, CASE WHEN a >= 0 THEN (SELECT sum(x / t.a) FROM u) END FROM t;

-- name: arms_that_are_taken_at_random
SELECT count(*) FROM (SELECT id, CASE WHEN random() < 0.5 THEN (SELECT 1 + max(x / (t.id + u.x - u.x)) FROM u) ELSE 0 END AS v FROM t) q WHERE v IS NULL;

-- name: failing_with_query_that_no_row_asks_for_at_two_places
WITH w AS MATERIALIZED (SELECT 1 / a AS x FROM t) SELECT id, CASE WHEN id > 8 THEN (SELECT max(x) FROM w) WHEN id > 9 THEN (SELECT min(x) FROM w) ELSE 0 END FROM t;

-- name: failing_with_query_that_a_row_asks_for_at_the_second_place
WITH w AS MATERIALIZED (SELECT 1 / a AS x FROM t) SELECT id, CASE WHEN id > 8 THEN (SELECT max(x) FROM w) WHEN id > 2 THEN (SELECT min(x) FROM w) ELSE 0 END FROM t;
