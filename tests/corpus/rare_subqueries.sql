-- Correlated subqueries where they are seldom met: in ON about both sides, in bounds, in VALUES, with random().
-- setup
CREATE TABLE t (id int NOT NULL, a int, b int, s text);
INSERT INTO t VALUES (1, 1, 10, 'x'), (2, 1, 20, 'y'), (3, 2, NULL, NULL), (4, NULL, 7, 'x'), (5, 9, 0, 'long text beyond twelve bytes');
CREATE TABLE u (k int NOT NULL, a int, x int);
INSERT INTO u VALUES (1, 1, 10), (2, 1, NULL), (3, 2, 20), (4, NULL, 7), (5, 1, 20), (6, 3, 0);
CREATE TABLE v (p int, q int);
INSERT INTO v VALUES (1, 10), (1, 20), (2, 20), (NULL, 7), (9, 3);

-- name: left_join_exists_of_both
SELECT t.id, u.k FROM t LEFT JOIN u ON EXISTS (SELECT 1 FROM v WHERE v.p = t.a AND v.q = u.x) ORDER BY 1, 2;

-- name: right_join_exists_of_both
SELECT t.id, u.k FROM t RIGHT JOIN u ON EXISTS (SELECT 1 FROM v WHERE v.p = t.a AND v.q = u.x) ORDER BY 2, 1;

-- name: full_join_value_of_both
SELECT t.id, u.k FROM t FULL JOIN u ON t.a = u.a AND u.x > (SELECT min(q) FROM v WHERE v.p = t.a AND v.q >= u.k) ORDER BY 1, 2;

-- name: left_join_in_of_both
SELECT t.id, u.k FROM t LEFT JOIN u ON t.a = u.a AND u.x IN (SELECT q + t.b - t.b FROM v WHERE v.p = u.a) AND EXISTS (SELECT 1 FROM v WHERE q = u.x) ORDER BY 1, 2;

-- name: left_join_not_in_of_both_twice
SELECT t.id, u.k, v.q FROM t LEFT JOIN u ON t.a + u.k NOT IN (SELECT q FROM v WHERE p = t.a OR q = u.x) LEFT JOIN v ON v.p = (SELECT max(w.p) FROM v w WHERE w.q > t.b AND w.p <= v.p AND w.p < u.k) ORDER BY 1, 2, 3;

-- name: left_join_of_both_inside_of_a_subquery
SELECT t.id, (SELECT count(*) FROM u LEFT JOIN v ON u.x = v.q AND v.p = (SELECT min(p) FROM v w WHERE w.p >= u.a AND w.q >= v.q AND w.q <= t.b)) FROM t ORDER BY 1;

-- name: offset_of_an_outer_column
SELECT t.id, (SELECT u.x FROM u WHERE u.a = t.a ORDER BY u.x, k LIMIT 1 OFFSET t.id - 1) FROM t ORDER BY 1;

-- name: limit_of_an_outer_column_below_an_aggregate
SELECT t.id, (SELECT array_agg(x) FROM (SELECT u.x FROM u ORDER BY u.x NULLS FIRST LIMIT t.a) q) FROM t ORDER BY 1;

-- name: limit_and_offset_of_outer_columns
SELECT t.id, ARRAY(SELECT u.k FROM u WHERE k <> t.id ORDER BY u.k LIMIT t.a OFFSET t.id - 1) FROM t ORDER BY 1;

-- name: negative_limit_of_an_outer_column
SELECT t.id, (SELECT u.k FROM u ORDER BY u.k LIMIT -t.a) FROM t;

-- name: negative_offset_of_an_outer_column
SELECT t.id, (SELECT u.k FROM u ORDER BY u.k LIMIT 1 OFFSET -t.a) FROM t;

-- name: limit_of_an_outer_column_in_an_arm
SELECT t.id, CASE WHEN t.a = 1 THEN (SELECT u.k FROM u ORDER BY u.k LIMIT t.a) END FROM t ORDER BY 1;

-- name: lateral_limit_of_an_outer_column
SELECT t.id, q.k FROM t, LATERAL (SELECT k FROM u WHERE u.a >= t.a ORDER BY k DESC LIMIT t.a) q ORDER BY 1, 2;

-- name: left_lateral_fetch_of_an_outer_column
SELECT t.id, q.k FROM t LEFT JOIN LATERAL (SELECT k FROM u WHERE u.a >= t.a ORDER BY k DESC FETCH FIRST (t.a) ROWS ONLY) q ON q.k > 3 ORDER BY 1, 2;

-- name: values_of_subqueries
SELECT * FROM (VALUES (1, (SELECT count(*) FROM u)), (2, (SELECT sum(x) FROM u WHERE a = 1))) v(a, b) ORDER BY 1;

-- name: values_of_correlated_subqueries
SELECT t.id, (SELECT max(y) FROM (VALUES ((SELECT max(x) FROM u WHERE u.a = t.a)), ((SELECT count(*) FROM v WHERE v.p = t.a))) w(y)) FROM t ORDER BY 1;

-- name: lateral_values_of_correlated_subqueries
SELECT t.id, q.* FROM t, LATERAL (VALUES (1, (SELECT max(x) FROM u WHERE u.a = t.a)), (t.b, (SELECT min(x) FROM u WHERE u.a = t.a)), (NULL, NULL)) q(n, y) ORDER BY 1, 2, 3;

-- name: full_join_in_a_subquery
SELECT t.id, (SELECT count(*) FROM u FULL JOIN v ON u.a = v.p AND v.q > 5 WHERE u.k > t.id OR u.k IS NULL) FROM t ORDER BY 1;

-- name: full_join_of_correlated_inputs
SELECT t.id, (SELECT count(*) FROM (SELECT * FROM u WHERE u.a = t.a) u FULL JOIN (SELECT * FROM v WHERE q > t.b) v ON u.a = v.p) FROM t ORDER BY 1;

-- name: volatile_value
SELECT count(*), count(DISTINCT r) > 3 FROM (SELECT t.id, (SELECT max(u.x * 0 + random()) FROM u WHERE u.a = t.a OR t.a IS NULL OR t.a > 2) r FROM t) q;

-- name: volatile_lateral
SELECT count(*), count(DISTINCT r) > 10 FROM (SELECT t.id, q.r FROM t, LATERAL (SELECT random() + u.k * 0 AS r FROM u WHERE u.a <> t.a) q) z;

-- name: volatile_value_that_is_used_twice
SELECT id, (SELECT y - y FROM (SELECT random() + t.a AS y) q) AS zero FROM t ORDER BY 1;

-- name: volatile_conditions
SELECT id, (SELECT count(*) FROM u WHERE u.a = t.a AND random() < 2), EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND random() >= 0), t.b IN (SELECT x FROM u WHERE u.a = t.a AND random() >= 0) FROM t ORDER BY 1;

-- name: volatile_orders
SELECT id, (SELECT k > 0 FROM u WHERE u.a = t.a ORDER BY random() LIMIT 1), q.n FROM t LEFT JOIN LATERAL (SELECT count(*) AS n FROM (SELECT k FROM u WHERE u.a >= t.a ORDER BY random() LIMIT 2) w) q ON true ORDER BY 1;

-- name: volatile_groups_and_windows
SELECT id, (SELECT sum(n) FROM (SELECT u.k * (random() >= 0)::int AS n, rank() OVER (ORDER BY u.k) FROM u WHERE u.a = t.a GROUP BY u.k HAVING random() >= 0) q) FROM t ORDER BY 1;

-- name: volatile_comparison
SELECT t.id FROM t WHERE (SELECT count(*) FROM t w WHERE w.id <= t.id AND random() >= 0) = 3;

-- name: table_sample
SELECT t.id, (SELECT count(*) FROM u TABLESAMPLE BERNOULLI (100) WHERE u.a = t.a) FROM t ORDER BY 1;

-- name: rows_from_with_ordinality
SELECT t.id, (SELECT sum(o * x) FROM ROWS FROM (generate_series(1, t.a), unnest(ARRAY[t.b, 3])) WITH ORDINALITY q(g, x, o)) FROM t ORDER BY 1;

-- name: value_of_the_outer_row_where_there_is_a_row
SELECT id, (SELECT t.b FROM u WHERE u.a = t.a LIMIT 1), (SELECT t.b FROM u WHERE u.a = t.a ORDER BY k LIMIT 1) FROM t ORDER BY id;

-- name: outer_aggregate_where_there_is_a_row
SELECT a, (SELECT max(t.b) FROM u WHERE u.a = t.a LIMIT 1) FROM t GROUP BY a ORDER BY a;

-- name: series_to_a_correlated_count
SELECT t.id, g FROM t, generate_series(1, (SELECT count(*) FROM u WHERE u.a = t.a)) g ORDER BY 1, 2;

-- name: list_of_a_correlated_array
SELECT t.id, w.* FROM t LEFT JOIN LATERAL (SELECT * FROM unnest(ARRAY(SELECT x FROM u WHERE u.a = t.a ORDER BY k)) WITH ORDINALITY z(e, o) WHERE o < 3) w ON true ORDER BY 1, o;

-- name: split_text_of_a_subquery
SELECT id, (SELECT count(*) FROM regexp_split_to_table((SELECT t.s), '') x), (SELECT string_agg(m[1], '') FROM regexp_matches(t.s, '[a-f]', 'g') m) FROM t ORDER BY 1;

-- name: sets_of_subqueries_in_the_select_list
SELECT id, unnest(ARRAY(SELECT x FROM u WHERE u.a = t.a ORDER BY k)), generate_series(1, (SELECT max(k) FROM u WHERE u.a = t.a)) FROM t ORDER BY 1, 3;

-- name: left_series_between_correlated_bounds
SELECT t.id, g.* FROM t LEFT JOIN generate_series((SELECT min(k) FROM u WHERE u.a = t.a), t.id + 1) WITH ORDINALITY g(n, o) ON n <> 2 ORDER BY 1, 2;

-- name: lateral_value_of_the_outer_row
SELECT t.id, q.x FROM t LEFT JOIN LATERAL (SELECT t.b AS x FROM u WHERE u.a = t.a LIMIT 1) q ON true ORDER BY 1;

-- name: count_of_rows_of_the_outer_query_is_its_aggregate
SELECT id, (SELECT count(t.*) FROM u WHERE u.a = t.a) FROM t ORDER BY 1;

-- name: count_of_rows_of_the_outer_query
SELECT (SELECT count(t.*) FROM u WHERE k = 1) FROM t;
