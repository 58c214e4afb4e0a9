-- UNION, INTERSECT, EXCEPT, with ALL and without: counts of rows, NULLs, types, names, ORDER BY and LIMIT, nesting.
-- setup
CREATE TABLE a (id int, name text, price numeric(8, 2), day date, ratio float8);
CREATE TABLE b (id bigint, name varchar(60), price numeric(8, 3), day timestamp, ratio real);
INSERT INTO a VALUES (1, 'one', 1.00, '2024-01-01', 0.5), (2, 'two', 2.50, '2024-01-02', -0.0), (2, 'two', 2.50, '2024-01-02', -0.0),
  (3, NULL, NULL, NULL, NULL), (3, NULL, NULL, NULL, NULL), (3, NULL, NULL, NULL, NULL), (4, 'a text that is longer than twelve bytes', 0, '2024-02-29', 'NaN');
INSERT INTO b VALUES (2, 'two', 2.500, '2024-01-02', 0), (3, NULL, NULL, NULL, NULL), (3, NULL, NULL, NULL, NULL),
  (4, 'a text that is longer than twelve bytes', 0, '2024-02-29', 'NaN'), (5, 'five', 5.125, '2024-05-05 12:30', 2.5), (5, 'five', 5.125, '2024-05-05 12:30', 2.5);
CREATE TABLE target (day date, id int, name text);
CREATE VIEW both_sides AS SELECT id, name FROM a UNION SELECT id, name FROM b;

-- name: union_all_keeps_every_row
SELECT id, name FROM a UNION ALL SELECT id, name FROM b;

-- name: union_gives_each_row_once
SELECT id, name FROM a UNION SELECT id, name FROM b;

-- name: intersect
SELECT id, name FROM a INTERSECT SELECT id, name FROM b;

-- name: intersect_all_takes_the_smaller_count
SELECT id, name FROM a INTERSECT ALL SELECT id, name FROM b;

-- name: except
SELECT id, name FROM a EXCEPT SELECT id, name FROM b;

-- name: except_all_takes_the_difference_of_counts
SELECT id, name FROM a EXCEPT ALL SELECT id, name FROM b;

-- name: except_all_the_other_way
SELECT id, name FROM b EXCEPT ALL SELECT id, name FROM a;

-- name: all_types
SELECT * FROM a UNION ALL SELECT * FROM b ORDER BY 1, 2, 3, 4;

-- name: names_come_from_the_first_branch
SELECT id AS x, name AS y FROM a WHERE id < 2 UNION ALL SELECT id AS z, name AS w FROM b WHERE id = 5 ORDER BY x DESC, y;

-- name: order_by_name_of_a_later_branch
SELECT id AS x FROM a UNION SELECT id AS z FROM b ORDER BY z;

-- name: order_by_expression
SELECT id AS x FROM a UNION SELECT id FROM b ORDER BY x + 1;

-- name: order_by_position_with_limit_and_offset
SELECT id, name FROM a UNION SELECT id, name FROM b ORDER BY 1 DESC, 2 NULLS FIRST LIMIT 3 OFFSET 1;

-- name: order_by_position_out_of_range
SELECT id FROM a UNION SELECT id FROM b ORDER BY 2;

-- name: order_by_qualified_name
SELECT id FROM a UNION SELECT id FROM b ORDER BY a.id;

-- name: order_by_ambiguous_name
SELECT id AS x, id + 1 AS x FROM a UNION SELECT id, id FROM b ORDER BY x;

-- name: limit_inside_of_parentheses
(SELECT id FROM a ORDER BY id DESC LIMIT 1) UNION ALL (SELECT id FROM b ORDER BY id LIMIT 2) ORDER BY 1;

-- name: union_all_comes_in_the_order_of_branches
SELECT 3 UNION ALL SELECT 1 UNION ALL SELECT 2 LIMIT 2;

-- name: precedence_of_intersect
SELECT 1 UNION SELECT 2 INTERSECT SELECT 2 ORDER BY 1;

-- name: parentheses_before_precedence
(SELECT 1 UNION SELECT 2) INTERSECT SELECT 2;

-- name: except_is_left_associative
SELECT g FROM generate_series(1, 9) g EXCEPT SELECT g FROM generate_series(2, 5) g EXCEPT SELECT g FROM generate_series(5, 8) g ORDER BY 1;

-- name: except_in_parentheses
SELECT g FROM generate_series(1, 9) g EXCEPT (SELECT g FROM generate_series(2, 5) g EXCEPT SELECT g FROM generate_series(5, 8) g) ORDER BY 1;

-- name: union_of_union_all
SELECT 1 UNION ALL SELECT 1 UNION SELECT 1 UNION ALL SELECT 1;

-- name: union_all_of_union
SELECT 1 UNION ALL (SELECT 1 UNION SELECT 1 UNION SELECT 2) ORDER BY 1;

-- name: literals_take_the_type_beside_them
SELECT '2024-01-01', '7' UNION SELECT day, id FROM a ORDER BY 1, 2;

-- name: literal_that_is_no_number
SELECT id FROM a UNION SELECT 'x';

-- name: null_beside_a_number
SELECT NULL UNION ALL SELECT 1.5 ORDER BY 1;

-- name: two_literals_are_text
SELECT 'a' AS letter UNION SELECT NULL UNION SELECT 'b' ORDER BY letter;

-- name: two_nulls_are_text_for_a_third
SELECT NULL UNION SELECT NULL UNION SELECT 1;

-- name: literal_after_a_nested_union
SELECT '1' UNION (SELECT 2 UNION SELECT '3') ORDER BY 1;

-- name: ordered_literal_is_text
(SELECT '1' AS x ORDER BY x) UNION SELECT 2;

-- name: distinct_literal_is_text
SELECT DISTINCT '1' UNION SELECT 'b' ORDER BY 1;

-- name: literals_in_values
VALUES ('1'), ('2') UNION SELECT 'x' ORDER BY 1;

-- name: numbers_become_the_wider_type
SELECT 1 UNION ALL SELECT 2.5 UNION ALL SELECT 1e10::float8 ORDER BY 1;

-- name: types_of_different_categories
SELECT id FROM a UNION SELECT name FROM a;

-- name: types_of_different_categories_in_a_nested_branch
SELECT name FROM a UNION ALL (SELECT id FROM a UNION ALL SELECT 2.5);

-- name: intersect_names_itself
SELECT 1 INTERSECT SELECT now();

-- name: except_names_itself
SELECT true EXCEPT ALL SELECT 1;

-- name: different_numbers_of_columns
SELECT id, name FROM a UNION SELECT id FROM b;

-- name: different_numbers_of_columns_intersect
SELECT id FROM a INTERSECT SELECT id, name FROM b;

-- name: varchar_and_text
SELECT name FROM b UNION SELECT name FROM a ORDER BY 1;

-- name: char_keeps_its_length_if_shared
SELECT 'a'::char(3) AS c UNION ALL SELECT 'b'::char(3) ORDER BY 1;

-- name: numeric_and_integer
SELECT price FROM a INTERSECT SELECT id FROM b;

-- name: equal_numbers_of_other_scale
SELECT count(*) FROM (SELECT price FROM a EXCEPT SELECT price FROM b) AS different;

-- name: zeros_and_nan
SELECT count(*) FROM (SELECT ratio FROM a INTERSECT SELECT ratio FROM b) AS common;

-- name: grouped_branches
SELECT name, count(*) FROM a GROUP BY name HAVING count(*) > 1 UNION ALL SELECT name, sum(id) FROM b GROUP BY name ORDER BY 1, 2;

-- name: in_a_view
SELECT id, count(*) FROM both_sides GROUP BY id ORDER BY id;

-- name: in_from_with_a_condition
SELECT x, y FROM (SELECT id, name FROM a UNION ALL SELECT id, name FROM b) AS u(x, y) WHERE x > 2 ORDER BY x, y;

-- name: in_a_scalar_subquery
SELECT (SELECT max(id) FROM (SELECT id FROM a UNION SELECT id FROM b) AS u) AS most;

-- name: in_an_in_list
SELECT id FROM a WHERE id IN (SELECT 1 UNION ALL SELECT id FROM b WHERE id > 3) ORDER BY id;

-- name: in_exists
SELECT EXISTS (SELECT id FROM a EXCEPT SELECT id FROM b), EXISTS (SELECT 2::bigint INTERSECT SELECT id FROM b WHERE id > 2);

-- name: in_a_with_query
WITH w AS (SELECT id FROM a INTERSECT SELECT id FROM b) SELECT sum(id) FROM w;

-- name: with_query_over_a_union
WITH w(x) AS (VALUES (1), (2)) SELECT x FROM w UNION ALL SELECT x + 10 FROM w ORDER BY x;

-- name: with_query_inside_of_a_branch
(WITH w(x) AS (VALUES (1), (2)) SELECT x FROM w) EXCEPT SELECT 1;

-- name: joins_of_unions
SELECT count(*) FROM (SELECT id FROM a UNION SELECT id FROM b) AS l JOIN (SELECT id FROM a EXCEPT SELECT 3) AS r USING (id);

-- name: aggregates_over_a_union_without_columns_of_it
SELECT count(*) FROM (SELECT id, name FROM a UNION ALL SELECT id, name FROM b) AS u;

-- name: without_columns
SELECT count(*) FROM (SELECT FROM a UNION ALL SELECT FROM b) AS u;

-- name: without_columns_each_once
SELECT count(*) FROM (SELECT FROM a UNION SELECT FROM b) AS u;

-- name: many_branches
SELECT g FROM generate_series(1, 3) g UNION ALL SELECT g * 2 FROM generate_series(1, 3) g UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT id FROM a ORDER BY 1;

-- name: many_rows_of_each_side
SELECT count(*), sum(g) FROM (SELECT g % 100 AS g FROM generate_series(1, 2500) g INTERSECT ALL SELECT g % 70 FROM generate_series(1, 1500) g) AS s;

-- name: many_rows_without_those_of_the_other_side
SELECT count(*), sum(g) FROM (SELECT g % 100 AS g FROM generate_series(1, 2500) g EXCEPT ALL SELECT g % 70 FROM generate_series(1, 1500) g) AS s;

-- name: rows_of_a_union_look_for_partners
SELECT u.id, u.name, b.price FROM (SELECT id, name FROM a UNION ALL SELECT id, name FROM b) AS u JOIN b ON b.id = u.id ORDER BY 1, 2, 3;

-- name: rows_of_a_union_without_partners
SELECT u.id, a.id FROM (SELECT id FROM a WHERE id > 1 UNION ALL SELECT id FROM b) AS u FULL JOIN a ON a.id = u.id ORDER BY 1, 2;

-- name: rows_of_a_union_kept_for_a_join
SELECT a.id, u.price FROM a LEFT JOIN (SELECT id, price FROM a WHERE id < 3 UNION ALL SELECT id, price FROM b) AS u ON a.id = u.id ORDER BY 1, 2;

-- name: steps_between_a_union_and_the_one_inside
SELECT name, count(*), sum(id) FROM (SELECT u.id, b.name FROM (SELECT id FROM a UNION ALL SELECT id FROM b) AS u JOIN b ON b.id = u.id WHERE u.id < 5 UNION ALL SELECT id, name FROM a) AS v GROUP BY name;

-- name: rows_of_a_union_in_groups_distinct_and_not
SELECT day, count(*), count(DISTINCT name), sum(price), sum(DISTINCT ratio) FROM (SELECT * FROM a UNION ALL SELECT * FROM b) AS u GROUP BY day;

-- name: rows_of_a_union_in_grouping_sets
SELECT name, day, count(*), max(id) FROM (SELECT * FROM a UNION ALL SELECT * FROM b) AS u GROUP BY ROLLUP (name, day);

-- name: rows_of_a_union_in_windows
SELECT id, rank() OVER (PARTITION BY name ORDER BY id), count(*) OVER () FROM (SELECT id, name FROM a UNION ALL SELECT id, name FROM b) AS u ORDER BY 1, 2;

-- name: a_text_and_null_in_the_same_column
SELECT s, count(*) FROM (SELECT name AS s FROM a UNION ALL SELECT NULL UNION ALL SELECT upper(name) FROM b) AS u GROUP BY s;

-- name: more_rows_than_the_first_branch_has
SELECT count(*) FROM (SELECT * FROM (SELECT id FROM a UNION ALL SELECT id FROM b UNION ALL SELECT id FROM a) AS u OFFSET 5 LIMIT 10) AS v;

-- name: fault_in_a_branch
SELECT id FROM a UNION ALL SELECT 1 / (id - 5) FROM b;

-- name: window_of_limit_must_not_be_negative
SELECT 1 UNION SELECT 2 LIMIT -1;

-- name: for_update
SELECT id FROM a UNION SELECT id FROM b FOR UPDATE;
