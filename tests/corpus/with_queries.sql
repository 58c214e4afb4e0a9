-- WITH: queries computed once or in their place, column names, errors; WITH RECURSIVE.
-- setup
CREATE TABLE edges (source int, target int, weight numeric(6, 2));
INSERT INTO edges VALUES (1, 2, 1.5), (2, 3, 2), (3, 1, 0.25), (3, 4, 1), (4, 5, 10), (6, 7, 1), (7, 6, 1);
CREATE TABLE people (id int, boss int, name text);
INSERT INTO people VALUES (1, NULL, 'the one with a long name'), (2, 1, 'b'), (3, 1, 'c'), (4, 2, 'd'), (5, 4, 'e'), (6, NULL, NULL);
CREATE VIEW counted AS WITH c AS (SELECT source, count(*) AS n FROM edges GROUP BY source) SELECT a.source, b.n FROM c AS a JOIN c AS b USING (source);

-- name: mentioned_once
WITH c AS (SELECT source + 1 AS x FROM edges) SELECT x FROM c WHERE x > 2 ORDER BY x;

-- name: mentioned_twice
WITH c AS (SELECT source, count(*) AS n FROM edges GROUP BY source) SELECT a.source, b.n FROM c AS a JOIN c AS b ON a.source = b.source + 1 ORDER BY 1;

-- name: mentioned_in_subqueries
WITH c(x) AS (SELECT weight FROM edges) SELECT (SELECT max(x) FROM c), (SELECT min(x) FROM c), count(*) FROM c WHERE x < (SELECT avg(x) FROM c);

-- name: volatile_is_computed_once
WITH c AS (SELECT random() AS x FROM edges) SELECT count(*) FROM (SELECT x FROM c INTERSECT SELECT x FROM c) AS s;

-- name: materialized
WITH c AS MATERIALIZED (SELECT source FROM edges) SELECT count(*) FROM c WHERE source > 2;

-- name: not_materialized
WITH c AS NOT MATERIALIZED (SELECT source, target FROM edges) SELECT count(*) FROM c AS a JOIN c AS b ON a.target = b.source;

-- name: not_mentioned
WITH c AS (SELECT 1 / 0 AS x) SELECT 1;

-- name: not_mentioned_but_wrong
WITH c AS (SELECT nothing FROM edges) SELECT 1;

-- name: a_query_mentions_an_earlier_one
WITH a AS (SELECT source AS x FROM edges), b AS (SELECT x + 10 AS y FROM a) SELECT x, y FROM a JOIN b ON y = x + 10 GROUP BY x, y ORDER BY x;

-- name: a_query_mentions_a_later_one
WITH a AS (SELECT x FROM b), b AS (SELECT 1 AS x) SELECT x FROM a;

-- name: recursive_allows_a_later_one
WITH RECURSIVE a AS (SELECT x FROM b), b AS (SELECT 1 AS x) SELECT x FROM a;

-- name: names_of_columns
WITH c(a, b) AS (SELECT 1, 2, 3 AS three) SELECT * FROM c;

-- name: names_twice_renamed
WITH c(a, b) AS (SELECT 1, 2) SELECT * FROM c AS d(e);

-- name: too_many_names
WITH c(a, b) AS (SELECT 1) SELECT * FROM c;

-- name: the_same_name_twice
WITH c AS (SELECT 1), c AS (SELECT 2) SELECT * FROM c;

-- name: hides_a_table
WITH edges AS (SELECT source FROM edges WHERE source > 5) SELECT count(*) FROM edges;

-- name: inner_with_hides_the_outer_one
WITH c AS (SELECT 1 AS x) SELECT x, (WITH c AS (SELECT 2 AS x) SELECT x FROM c) AS y FROM c;

-- name: literal_is_text
WITH c AS (SELECT '1' AS x, NULL AS y) SELECT x || 'a', y || 'b' FROM c;

-- name: values_as_a_query
WITH c(x, y) AS (VALUES (1, 'a'), (2, 'b')) SELECT * FROM c AS a, c AS b ORDER BY a.x, b.x;

-- name: in_a_view
SELECT * FROM counted ORDER BY source;

-- name: in_a_subquery_in_from
SELECT count(*) FROM (WITH c AS (SELECT source FROM edges) SELECT a.source FROM c AS a, c AS b) AS s;

-- name: over_a_set_operation
WITH c AS (SELECT source AS x FROM edges UNION SELECT target FROM edges) SELECT x FROM c EXCEPT SELECT x FROM c WHERE x < 3 ORDER BY x;

-- name: chain_of_queries_each_mentioned_twice
WITH a AS (SELECT 1 AS x), b AS (SELECT p.x + q.x AS x FROM a AS p, a AS q), c AS (SELECT p.x + q.x AS x FROM b AS p, b AS q), d AS (SELECT p.x + q.x AS x FROM c AS p, c AS q) SELECT p.x + q.x FROM d AS p, d AS q;

-- name: counting
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 100) SELECT count(*), sum(n) FROM r;

-- name: values_as_first_term
WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r ORDER BY n;

-- name: limit_stops_what_never_ends
SELECT n FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r LIMIT 5) AS s ORDER BY n;

-- name: union_ends_where_nothing_is_new
WITH RECURSIVE reached(node) AS (SELECT 1 UNION SELECT target FROM reached JOIN edges ON source = node) SELECT node FROM reached ORDER BY node;

-- name: union_with_nulls_and_texts
WITH RECURSIVE r(id, name) AS (SELECT id, name FROM people WHERE boss IS NULL UNION SELECT p.id, p.name FROM people AS p JOIN r ON p.boss = r.id OR p.boss IS NULL) SELECT id, name FROM r ORDER BY id;

-- name: union_with_equal_numbers_of_other_scale
WITH RECURSIVE r(x) AS (VALUES (1.0) UNION SELECT x * 1.00 FROM r) SELECT count(*) FROM r;

-- name: duplicates_in_the_first_term
WITH RECURSIVE r(x) AS (VALUES (1), (1), (2) UNION SELECT x FROM r) SELECT x FROM r ORDER BY x;

-- name: paths
WITH RECURSIVE r(node, path, cost) AS (SELECT 1, '1'::text, 0::numeric UNION ALL SELECT e.target, path || '-' || e.target, cost + e.weight FROM r JOIN edges AS e ON e.source = node WHERE strpos(path, e.target::text) = 0) SELECT * FROM r ORDER BY path;

-- name: hierarchy_with_levels
WITH RECURSIVE r AS (SELECT id, name, 0 AS level FROM people WHERE boss IS NULL UNION ALL SELECT p.id, p.name, level + 1 FROM r, people AS p WHERE p.boss = r.id) SELECT level, count(*), max(name) FROM r GROUP BY level ORDER BY level;

-- name: fibonacci
WITH RECURSIVE r(a, b) AS (SELECT 0::numeric, 1::numeric UNION ALL SELECT b, a + b FROM r WHERE b < 1e40) SELECT max(a) FROM r;

-- name: mentioned_twice_outside
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 4) SELECT a.n, b.n FROM r AS a JOIN r AS b ON a.n + b.n = 5 ORDER BY 1;

-- name: recursion_over_another_query
WITH RECURSIVE e AS (SELECT source, target FROM edges UNION ALL SELECT target, source FROM edges), r(node) AS (SELECT 5 UNION SELECT e.target FROM r, e WHERE e.source = r.node) SELECT node FROM r ORDER BY node;

-- name: recursion_over_a_recursion
WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 3), b(m) AS (SELECT n FROM a UNION ALL SELECT m + 10 FROM b WHERE m < 20) SELECT m FROM b ORDER BY m;

-- name: no_first_row
WITH RECURSIVE r(n) AS (SELECT 1 WHERE false UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r;

-- name: recursive_word_without_recursion
WITH RECURSIVE c AS (SELECT 1 AS x UNION ALL SELECT 2) SELECT sum(x) FROM c;

-- name: left_side_of_an_outer_join
WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT coalesce(e.target, 0) FROM r LEFT JOIN edges AS e ON e.source = r.n) SELECT n FROM r ORDER BY n;

-- name: fault_in_a_round
WITH RECURSIVE r(n) AS (SELECT 3 UNION ALL SELECT n - 1 FROM r WHERE 6 / n > 0) SELECT n FROM r;

-- name: many_rows_in_a_round
WITH RECURSIVE r(n, d) AS (SELECT g, 0 FROM generate_series(1, 200) AS g UNION ALL SELECT n + d, d + 1 FROM r WHERE d < 3) SELECT count(*), sum(n), max(d) FROM r;

-- name: type_of_the_first_term
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1.5 FROM r WHERE n < 5) SELECT n FROM r;

-- name: modifier_of_the_first_term
WITH RECURSIVE r(x) AS (SELECT weight FROM edges UNION ALL SELECT x + 1 FROM r WHERE x < 3) SELECT x FROM r;

-- name: literal_in_the_first_term
WITH RECURSIVE r(x) AS (SELECT 'a' UNION ALL SELECT x || 'b' FROM r WHERE length(x) < 4) SELECT x FROM r ORDER BY x;

-- name: different_numbers_of_columns
WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x, 2 FROM r) SELECT x FROM r;

-- name: not_a_union
WITH RECURSIVE r(x) AS (SELECT x FROM r) SELECT x FROM r;

-- name: intersect_is_no_union
WITH RECURSIVE r(x) AS (SELECT 1 INTERSECT SELECT x FROM r) SELECT x FROM r;

-- name: mentioned_in_the_first_term
WITH RECURSIVE r(x) AS (SELECT x FROM r UNION ALL SELECT 1) SELECT x FROM r;

-- name: mentioned_twice_in_the_step
WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT a.x FROM r AS a, r AS b) SELECT x FROM r;

-- name: mentioned_in_a_subquery_of_the_step
WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT source FROM edges WHERE source IN (SELECT x FROM r)) SELECT x FROM r;

-- name: mentioned_in_an_outer_join
WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT source FROM edges LEFT JOIN r ON x = source) SELECT x FROM r;

-- name: mentioned_in_except
WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL (SELECT source FROM edges EXCEPT SELECT x FROM r)) SELECT x FROM r;

-- name: mentioned_in_a_derived_table
WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT y + 1 FROM (SELECT x AS y FROM r WHERE x < 4) AS s) SELECT x FROM r ORDER BY x;

-- name: aggregate_in_the_step
WITH RECURSIVE r(x) AS (SELECT 1::bigint UNION ALL SELECT count(*) FROM r) SELECT x FROM r;

-- name: order_by_in_the_recursion
WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r WHERE x < 3 ORDER BY 1) SELECT x FROM r;

-- name: limit_in_the_recursion
WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r WHERE x < 3 LIMIT 2) SELECT x FROM r;

-- name: offset_in_the_recursion
WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r WHERE x < 3 OFFSET 2) SELECT x FROM r;

-- name: mutual_recursion
WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT y FROM b), b(y) AS (SELECT 1 UNION ALL SELECT x FROM a) SELECT x FROM a;

-- name: too_many_names_of_a_recursion
WITH RECURSIVE r(x, y) AS (SELECT 1 UNION ALL SELECT x FROM r) SELECT x FROM r;

-- name: groups_by_long_texts_of_a_recursion
WITH RECURSIVE r (a, b) AS (SELECT 1, 'a text of more than a few bytes ' || repeat('x', 200) UNION ALL SELECT a + 1, 'a text of more than a few bytes ' || a || repeat('x', 200) FROM r WHERE a < 60) SELECT b, count(*) FROM r GROUP BY b ORDER BY 1;

-- name: forms_of_recursions_are_looked_at_first
WITH RECURSIVE a(x) AS (SELECT nowhere UNION ALL SELECT x FROM a), b(x) AS (SELECT x FROM b UNION ALL SELECT 1) SELECT x FROM b;
