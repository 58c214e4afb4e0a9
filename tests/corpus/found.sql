-- What random queries over random schemas have found: the smallest query for each fault.
-- setup
CREATE TABLE t (id int NOT NULL, a int, s text) USING mergetree;
INSERT INTO t VALUES (1, 1, 'x'), (2, NULL, NULL), (3, 2, '');

-- name: name_of_a_subquery_in_a_cast
SELECT (SELECT 0)::varchar(12), (SELECT 0), (SELECT CASE WHEN true THEN 1 END)::int8, (SELECT 'x'::text)::varchar;

-- name: name_of_a_subquery_in_case
SELECT CASE WHEN true THEN 1 ELSE (SELECT 2::int) END, CASE WHEN true THEN 1 ELSE (SELECT a FROM t WHERE id = 1) END;
