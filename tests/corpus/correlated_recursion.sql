-- WITH RECURSIVE that uses columns of the queries around: the recursion runs once for all values that they have.
-- setup
CREATE TABLE edges (source int, target int, weight numeric(6, 2));
INSERT INTO edges VALUES (1, 2, 1.5), (2, 3, 2), (3, 1, 0.25), (3, 4, 1), (4, 5, 10), (6, 7, 1), (7, 6, 1);
CREATE TABLE people (id int, boss int, name text);
INSERT INTO people VALUES (1, NULL, 'the one with a long name'), (2, 1, 'b'), (3, 1, 'c'), (4, 2, 'd'), (5, 4, 'e'), (6, NULL, NULL);

-- name: first_term_of_an_outer_column
SELECT id, (WITH RECURSIVE r(n) AS (SELECT p.id UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT count(*) FROM r) FROM people p ORDER BY id;

-- name: step_until_an_outer_column
SELECT id, (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < p.id) SELECT sum(n) FROM r) FROM people p ORDER BY id;

-- name: lateral_way_up
SELECT p.id, r.id, r.depth FROM people p, LATERAL (WITH RECURSIVE up(id, boss, depth) AS (SELECT p.id, p.boss, 0 UNION ALL SELECT q.id, q.boss, depth + 1 FROM up JOIN people q ON q.id = up.boss) SELECT id, depth FROM up) r ORDER BY 1, 3;

-- name: left_lateral_reach
SELECT p.id, q.n FROM people p LEFT JOIN LATERAL (WITH RECURSIVE reach(n) AS (SELECT target FROM edges WHERE source = p.id UNION SELECT target FROM edges JOIN reach ON source = n) SELECT n FROM reach) q ON true ORDER BY 1, 2;

-- name: exists_reach
SELECT id FROM people p WHERE EXISTS (WITH RECURSIVE reach(n) AS (SELECT target FROM edges WHERE source = p.id UNION SELECT target FROM edges JOIN reach ON source = n) SELECT FROM reach WHERE n = p.id) ORDER BY 1;

-- name: in_reach
SELECT id, p.id IN (WITH RECURSIVE reach(n) AS (SELECT target FROM edges WHERE source = p.boss UNION SELECT target FROM edges JOIN reach ON source = n) SELECT n FROM reach) FROM people p ORDER BY 1;

-- name: step_of_a_union
SELECT p.id, (WITH RECURSIVE r(n) AS (SELECT p.id UNION ALL (SELECT n + 1 FROM r WHERE n < 4 UNION ALL SELECT 10 FROM r WHERE n = 3)) SELECT array_agg(n ORDER BY n) FROM r) FROM people p ORDER BY 1;

-- name: step_that_has_rows_of_its_own
SELECT p.id, (WITH RECURSIVE r(n) AS (SELECT boss FROM people q WHERE q.id = p.id AND boss IS NOT NULL UNION (SELECT n + 1 FROM r WHERE n < 4 UNION ALL SELECT 42)) SELECT array_agg(n ORDER BY n) FROM r) FROM people p ORDER BY 1;

-- name: step_with_a_correlated_subquery
SELECT p.id, (WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r WHERE n < (SELECT count(*) FROM edges e WHERE e.source >= p.id AND e.source > r.n)) SELECT string_agg(n::text, ',' ORDER BY n) FROM r) FROM people p ORDER BY 1;

-- name: step_with_a_lateral_series
SELECT p.id, (WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT g FROM r, LATERAL (SELECT max(x) AS g FROM generate_series(r.n, r.n + p.id) x) q WHERE n < 5 AND p.id > 0) SELECT string_agg(n::text, ',' ORDER BY n) FROM r) FROM people p ORDER BY 1;

-- name: arrays_of_the_way
SELECT p.id, (WITH RECURSIVE r(n, way) AS (SELECT p.id, ARRAY[p.id] UNION ALL SELECT target, way || target FROM r JOIN edges ON source = n WHERE target <> ALL (way)) SELECT max(cardinality(way)) FROM r) FROM people p ORDER BY 1;

-- name: cycle
SELECT p.id, (WITH RECURSIVE r(n) AS (SELECT p.id UNION ALL SELECT target FROM r JOIN edges ON source = n) CYCLE n SET c USING path SELECT string_agg(n || ':' || c, ' ' ORDER BY path) FROM r) FROM people p ORDER BY 1;

-- name: search
SELECT p.id, (WITH RECURSIVE r(n) AS (SELECT p.id UNION ALL SELECT q.id FROM people q JOIN r ON q.boss = n) SEARCH DEPTH FIRST BY n SET o SELECT array_agg(n ORDER BY o) FROM r) FROM people p ORDER BY 1;

-- name: mentioned_by_another_and_twice
SELECT p.id, (WITH RECURSIVE r(n) AS (SELECT p.id UNION ALL SELECT q.id FROM people q JOIN r ON q.boss = n), s AS (SELECT count(*) AS c FROM r) SELECT c FROM s), (SELECT count(*) FROM (WITH RECURSIVE r(n) AS (SELECT p.boss UNION SELECT q.boss FROM people q JOIN r ON q.id = n) SELECT a.n FROM r a, r b) x) FROM people p ORDER BY 1;

-- name: text_of_the_outer_row_in_both_terms
SELECT p.name, (WITH RECURSIVE r(n, s) AS (SELECT 1, p.name UNION ALL SELECT n + 1, s || '+' || p.name FROM r WHERE n < 3) SELECT s FROM r ORDER BY n DESC LIMIT 1) FROM people p ORDER BY p.id;

-- name: numeric_with_a_modifier
SELECT e.source, (WITH RECURSIVE r(w) AS (SELECT e.weight UNION ALL SELECT (w * 2)::numeric(6,2) FROM r WHERE w < 10) SELECT max(w) FROM r) FROM edges e ORDER BY 1, 2;

-- name: outer_values_that_are_equal_and_not_the_same
SELECT x, (WITH RECURSIVE r(w) AS (SELECT 1 UNION ALL SELECT w + 1 FROM r WHERE w < x) SELECT x || ':' || max(w) FROM r) FROM (VALUES (1.0), (1.00), (2.5), (NULL)) v(x) ORDER BY 1, 2;

-- name: two_levels_of_outer_rows
SELECT p.id, (SELECT max(q.c) FROM edges e, LATERAL (WITH RECURSIVE r(n) AS (SELECT e.target UNION SELECT f.target FROM edges f JOIN r ON f.source = r.n WHERE f.target <> p.id) SELECT count(*) AS c FROM r) q WHERE e.source = p.id) FROM people p ORDER BY 1;

-- name: recursion_inside_of_a_step
SELECT p.id, (WITH RECURSIVE r(n) AS (SELECT p.id UNION ALL SELECT k FROM r JOIN LATERAL (WITH RECURSIVE s(k) AS (SELECT r.n + 1 UNION ALL SELECT k + p.id FROM s WHERE k < 6) SELECT max(k) AS k FROM s) q ON k < 20) SELECT array_agg(n) FROM r) FROM people p WHERE id > 1 ORDER BY 1;

-- name: recursion_over_the_last_round_inside_of_a_step
SELECT p.id, (WITH RECURSIVE r(n) AS (SELECT p.id UNION ALL (WITH RECURSIVE s(k) AS (SELECT n + 1 FROM r WHERE n < 6 UNION ALL SELECT k + 1 FROM s WHERE k < p.id) SELECT max(k) FROM s HAVING max(k) < 7)) SELECT array_agg(n) FROM r) FROM people p ORDER BY 1;

-- name: grouped_by_a_recursion
SELECT count(*) FROM people p GROUP BY (WITH RECURSIVE r(n) AS (SELECT p.boss UNION ALL SELECT q.boss FROM people q JOIN r ON q.id = n) SELECT count(n) FROM r) ORDER BY 1;

-- name: values_and_an_outer_join
SELECT p.id, (WITH RECURSIVE r(n) AS (VALUES (p.id), (p.boss) UNION ALL SELECT n + 1 FROM r LEFT JOIN edges ON source = n AND target = p.id WHERE n < 4) SELECT count(*) FROM r) FROM people p ORDER BY 1;

-- name: limit_inside_of_a_step
SELECT p.id FROM people p WHERE (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM (SELECT n FROM r ORDER BY n DESC LIMIT 1) q WHERE n < p.id) SELECT count(*) FROM r) = 3;

-- name: step_without_rows_of_the_first_term
WITH RECURSIVE r(n) AS (SELECT 1 WHERE false UNION (SELECT n + 1 FROM r WHERE n < 4 UNION ALL SELECT 42)) SELECT * FROM r;

-- name: no_rows_at_all
WITH RECURSIVE r(n) AS (SELECT 1 WHERE false UNION ALL SELECT n + 1 FROM r WHERE n < 4) SELECT * FROM r;

-- name: outer_join_is_refused
SELECT p.id, (WITH RECURSIVE r(n, s) AS (SELECT boss, p.name FROM people q WHERE q.id = p.id AND boss > 1 UNION SELECT coalesce(r.n, 7) + 1, s FROM r RIGHT JOIN (VALUES (p.id)) v(x) ON r.n < 4 WHERE coalesce(n, 1) < 7) SELECT string_agg(concat(n, s), ',' ORDER BY n) FROM r) FROM people p ORDER BY 1;
