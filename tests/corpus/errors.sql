-- Statements that must fail, with PostgreSQL's SQLSTATE.
-- setup
CREATE TABLE t (id int, name text, v numeric(5, 2), d date) USING mergetree;
INSERT INTO t VALUES (1, 'a', 1.5, '2024-01-01');

-- name: syntax_error
SELEC 1;

-- name: syntax_error_at_end
SELECT id FROM;

-- name: unterminated_string
SELECT 'abc;

-- name: unterminated_quoted_name
SELECT "abc;

-- name: unbalanced_parenthesis
SELECT (1 + 2;

-- name: undefined_table
SELECT * FROM missing;

-- name: undefined_schema
SELECT * FROM nowhere.t;

-- name: undefined_column
SELECT nope FROM t;

-- name: undefined_column_like_another
SELECT nam FROM t;

-- name: undefined_qualified_column
SELECT t.nope FROM t;

-- name: undefined_table_alias
SELECT x.id FROM t;

-- name: undefined_column_in_where
SELECT id FROM t WHERE nope = 1;

-- name: undefined_column_in_order_by
SELECT id FROM t ORDER BY nope;

-- name: undefined_column_in_group_by
SELECT count(*) FROM t GROUP BY nope;

-- name: ambiguous_column
SELECT x FROM (SELECT id AS x, id AS x FROM t) AS q;

-- name: undefined_function
SELECT no_such_function(id) FROM t;

-- name: undefined_function_for_types
SELECT upper(id) FROM t;

-- name: function_with_too_few_arguments
SELECT substr('abc');

-- name: function_with_too_many_arguments
SELECT length('abc', 'UTF8', 3);

-- name: undefined_operator
SELECT name + 1 FROM t;

-- name: undefined_unary_operator
SELECT - name FROM t;

-- name: operator_types
SELECT name || d || v < 5 FROM t;

-- name: date_plus_date
SELECT d + d FROM t;

-- name: undefined_type
SELECT id::nope FROM t;

-- name: bad_cast
SELECT d::int FROM t;

-- name: in_list_types
SELECT id IN ('a', 2) FROM t;

-- name: case_types
SELECT CASE id WHEN 'x' THEN 1 END FROM t;

-- name: coalesce_types
SELECT coalesce(id, name) FROM t;

-- name: where_type
SELECT id FROM t WHERE name;

-- name: having_type
SELECT count(*) FROM t HAVING count(*);

-- name: and_type
SELECT id AND true FROM t;

-- name: subquery_columns
SELECT id IN (SELECT id, name FROM t) FROM t;

-- name: limit_type
SELECT id FROM t LIMIT 'abc';

-- name: insert_too_many_values
INSERT INTO t VALUES (1, 'a', 1, '2024-01-01', 5);

-- name: insert_too_few_values
INSERT INTO t (id, name) VALUES (1);

-- name: insert_undefined_column
INSERT INTO t (nope) VALUES (1);

-- name: insert_column_twice
INSERT INTO t (id, id) VALUES (1, 2);

-- name: insert_bad_type
INSERT INTO t (d) VALUES (5);

-- name: insert_bad_value
INSERT INTO t (id) VALUES ('x');

-- name: insert_numeric_overflow
INSERT INTO t (v) VALUES (1000);

-- name: insert_undefined_table
INSERT INTO missing VALUES (1);

-- name: insert_select_types
INSERT INTO t (id) SELECT name FROM t;

-- name: nothing_was_inserted
SELECT count(*) FROM t;

-- name: create_table_that_exists
CREATE TABLE t (x int);

-- name: create_table_with_column_twice
CREATE TABLE u (x int, x text);

-- name: create_table_with_undefined_type
CREATE TABLE u (x nope);

-- name: create_view_that_exists
CREATE VIEW t AS SELECT 1;

-- name: create_view_of_missing_table
CREATE VIEW u AS SELECT * FROM missing;

-- name: drop_missing_table
DROP TABLE missing;

-- name: drop_view_that_is_a_table
DROP VIEW t;

-- name: drop_missing_schema
DROP SCHEMA missing;

-- name: truncate_missing_table
TRUNCATE missing;

-- name: set_undefined_parameter
SET no_such_parameter = 1;

-- name: set_bad_time_zone
SET TimeZone = 'Nowhere/Land';

-- name: show_undefined_parameter
SHOW no_such_parameter;

-- name: varchar_too_long
SELECT 'abc'::varchar(-1);

-- name: null_character
SELECT E'a\u0000b';

-- name: bad_unicode_escape
SELECT E'\ud800';

-- name: parameter_without_value
SELECT $1 + 1;

-- name: aggregate_in_values
VALUES (count(*));

-- name: aggregate_in_limit
SELECT id FROM t LIMIT count(*);

-- name: star_in_function
SELECT upper(*) FROM t;

-- name: error_at_run_time_names_the_first_cause
SELECT 1 / (id - 1) FROM t;

-- name: error_in_aggregate_argument
SELECT sum(1 / (id - id)) FROM t;

-- name: error_in_order_by
SELECT id FROM t ORDER BY 1 / (id - id);

-- name: error_in_having
SELECT count(*) FROM t HAVING 1 / (count(*) - 1) > 0;

-- name: error_in_constant
SELECT id, 1 / 0 FROM t;

-- name: error_in_constant_that_is_never_reached
SELECT CASE WHEN id = 1 THEN 'fine' ELSE (id / (id - id))::text END FROM t;

-- name: error_in_scalar_subquery
SELECT (SELECT 1 / (id - 1) FROM t);

-- name: works_after_errors
SELECT id, name, v, d FROM t;

-- name: error_in_an_order_over_one_row
SELECT 1 ORDER BY ('a'::text)::numeric;

-- name: error_in_an_order_behind_an_aggregate
SELECT count(*) FROM t ORDER BY 1 / (count(*) - count(*));

-- name: error_in_an_order_behind_group_keys
SELECT id, count(*) FROM t GROUP BY id ORDER BY id, 1 / (count(*) - count(*));

-- name: error_in_an_order_below_an_aggregate
SELECT count(*) FROM (SELECT id FROM t ORDER BY 1 / (id - id)) AS s;
