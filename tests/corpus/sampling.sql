-- TABLESAMPLE where the answer does not depend on chance: all rows, none, and mistakes.
-- setup
CREATE TABLE t (a int, b text);
INSERT INTO t VALUES (1, 'one'), (2, NULL), (NULL, 'none'), (4, 'four');
CREATE TABLE nothing (a int);
CREATE VIEW v AS SELECT * FROM t;

-- name: all_rows
SELECT * FROM t TABLESAMPLE bernoulli (100) ORDER BY a;

-- name: no_rows
SELECT count(*), sum(a) FROM t TABLESAMPLE bernoulli (0);

-- name: all_pages
SELECT b, count(*) FROM t AS x (p, b) TABLESAMPLE system (100.0) REPEATABLE (7) GROUP BY b ORDER BY b;

-- name: no_pages
SELECT a FROM t TABLESAMPLE SYSTEM (0) REPEATABLE (-1.5);

-- name: of_nothing
SELECT count(*) FROM nothing TABLESAMPLE bernoulli (50);

-- name: joined
SELECT x.a, y.b FROM t AS x TABLESAMPLE bernoulli (100) JOIN t AS y TABLESAMPLE system (100) ON x.a = y.a WHERE x.a > 1 ORDER BY 1;

-- name: beside_a_left_join
SELECT x.a, y.b FROM t AS x LEFT JOIN t AS y TABLESAMPLE bernoulli (0) USING (a) ORDER BY 1;

-- name: in_a_subquery
SELECT count(*) FROM t WHERE a IN (SELECT a FROM t TABLESAMPLE bernoulli (100));

-- name: computed_percentage
SELECT count(*) FROM t TABLESAMPLE bernoulli (50 + 2 * 25) REPEATABLE (1 + 1);

-- name: too_much
SELECT * FROM t TABLESAMPLE bernoulli (100.1);

-- name: too_little
SELECT * FROM nothing TABLESAMPLE system (-1);

-- name: not_a_number
SELECT * FROM t TABLESAMPLE bernoulli ('NaN');

-- name: unknown_percentage
SELECT * FROM t TABLESAMPLE bernoulli (NULL);

-- name: unknown_seed
SELECT * FROM t TABLESAMPLE bernoulli (1) REPEATABLE (NULL);

-- name: unknown_method
SELECT * FROM t TABLESAMPLE nope (1);

-- name: too_many_arguments
SELECT * FROM t TABLESAMPLE bernoulli (1, 2);

-- name: no_percentage
SELECT * FROM t TABLESAMPLE bernoulli (true);

-- name: text_percentage
SELECT * FROM t TABLESAMPLE bernoulli ('x');

-- name: column_as_percentage
SELECT * FROM t TABLESAMPLE bernoulli (a);

-- name: aggregate_as_percentage
SELECT * FROM t TABLESAMPLE bernoulli (sum(1));

-- name: of_a_view
SELECT * FROM v TABLESAMPLE bernoulli (1);

-- name: of_a_common_table
WITH w AS (SELECT * FROM t) SELECT * FROM w TABLESAMPLE bernoulli (1);
