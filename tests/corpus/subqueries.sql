-- Subqueries: correlated at every depth, in every clause; NULLs, duplicates and empty tables.
-- setup
CREATE TABLE t (id int NOT NULL, a int, b int, s text, n numeric, d date) USING mergetree WITH (order_by = 'id');
INSERT INTO t VALUES (1, 1, 10, 'x', 1.0, '2024-01-01'), (2, 1, 20, 'y', 1.00, '2024-01-02'), (3, 2, 20, NULL, 2.5, NULL), (4, 2, NULL, 'x', NULL, '2024-02-01'), (5, NULL, 5, 'z', 3, '2024-01-01'), (6, 3, 7, 'w', 1.0, '2023-12-31'), (7, 9, 0, '', 0, '2024-01-02'), (8, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE u (k int NOT NULL, a int, x int, s text, n numeric) USING mergetree;
INSERT INTO u VALUES (1, 1, 10, 'x', 1.00), (2, 1, 11, 'x', 1), (3, 1, NULL, 'q', 2.5), (4, 2, 20, 'y', 2.50), (5, NULL, 7, 'z', NULL), (6, 3, 7, NULL, 3.0), (7, 4, 40, 'w', 4), (8, 2, 20, 'x', 1.0), (9, 5, NULL, NULL, 0.0);
CREATE TABLE v (k int NOT NULL, x int, y int8, w float8) USING mergetree;
INSERT INTO v VALUES (1, 10, 1, 1.5), (2, 10, 2, -0.0), (3, 20, 1, 0.0), (4, NULL, 3, NULL), (5, 7, NULL, 'NaN'), (6, 40, 6, 2.25);
CREATE TABLE nothing (a int, x int) USING mergetree;
CREATE TABLE full_a (a int NOT NULL, x int NOT NULL) USING mergetree;
INSERT INTO full_a VALUES (1, 5), (1, 15), (2, 20), (3, 7), (3, 7);

-- name: exists
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a);

-- name: not_exists
SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.a = t.a);

-- name: exists_two_keys
SELECT id FROM t WHERE EXISTS (SELECT * FROM u WHERE u.a = t.a AND u.x = t.b);

-- name: exists_and_condition
SELECT id FROM t WHERE b > 5 AND EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND u.x > 10) AND id < 7;

-- name: exists_inequality
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x > t.b);

-- name: not_exists_inequality
SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.x > t.b AND u.a <> t.a);

-- name: exists_in_empty
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM nothing WHERE nothing.a = t.a);

-- name: not_exists_in_empty
SELECT count(*) FROM t WHERE NOT EXISTS (SELECT 1 FROM nothing WHERE nothing.a = t.a);

-- name: exists_as_value
SELECT id, EXISTS (SELECT 1 FROM u WHERE u.a = t.a) AS e FROM t;

-- name: not_exists_as_value
SELECT id, NOT EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND u.s = t.s) FROM t;

-- name: exists_under_or
SELECT id FROM t WHERE b = 5 OR EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND u.x = 20);

-- name: exists_under_or_twice
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND u.x > 10) OR NOT EXISTS (SELECT 1 FROM v WHERE v.x = t.b);

-- name: exists_in_case
SELECT id, CASE WHEN EXISTS (SELECT 1 FROM u WHERE u.a = t.a) THEN 'some' ELSE 'none' END FROM t;

-- name: exists_outer_condition
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE t.a = 1);

-- name: exists_outer_condition_of_empty
SELECT id, EXISTS (SELECT 1 FROM nothing WHERE t.a = 1) FROM t;

-- name: exists_or_inside
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a OR u.x = t.b);

-- name: exists_group
SELECT id FROM t WHERE EXISTS (SELECT u.s FROM u WHERE u.a = t.a GROUP BY u.s);

-- name: exists_having
SELECT id FROM t WHERE EXISTS (SELECT u.s FROM u WHERE u.a = t.a GROUP BY u.s HAVING count(*) > 1);

-- name: exists_having_without_group
SELECT id FROM t WHERE EXISTS (SELECT count(*) FROM u WHERE u.a = t.a HAVING count(*) < 2);

-- name: exists_aggregate_is_true
SELECT id, EXISTS (SELECT count(*) FROM u WHERE u.a = t.a), NOT EXISTS (SELECT max(x) FROM u WHERE u.a = t.a) FROM t;

-- name: exists_having_outer
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u GROUP BY u.a HAVING sum(u.x) > t.b AND u.a = t.a);

-- name: exists_limit
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a ORDER BY u.x LIMIT 1);

-- name: exists_limit_zero
SELECT id, EXISTS (SELECT 1 FROM u WHERE u.a = t.a LIMIT 0) FROM t;

-- name: exists_offset
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a OFFSET 1);

-- name: exists_distinct
SELECT id FROM t WHERE EXISTS (SELECT DISTINCT u.x FROM u WHERE u.a = t.a AND u.x IS NOT NULL);

-- name: exists_join_inside
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u JOIN v ON v.x = u.x WHERE u.a = t.a AND v.y < 3);

-- name: exists_left_join_inside
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u LEFT JOIN v ON v.x = u.x AND v.y = t.a WHERE u.a = t.a AND v.k IS NULL);

-- name: exists_left_join_right_side
SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM v LEFT JOIN u ON v.x = u.x WHERE u.a = t.a AND v.y > 1);

-- name: exists_full_join_inside
SELECT id, (SELECT count(*) FROM (SELECT * FROM u WHERE u.a = t.a) u1 FULL JOIN (SELECT * FROM v WHERE v.y = t.a) v1 ON u1.x = v1.x) FROM t;

-- name: exists_values
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM (VALUES (1), (2), (5)) w (z) WHERE w.z = t.a OR w.z = t.b);

-- name: exists_without_from
SELECT id FROM t WHERE EXISTS (SELECT 1 WHERE t.a = 1);

-- name: in_correlated
SELECT id FROM t WHERE b IN (SELECT x FROM u WHERE u.a = t.a);

-- name: not_in_correlated
SELECT id FROM t WHERE b NOT IN (SELECT x FROM u WHERE u.a = t.a);

-- name: in_value
SELECT id, b IN (SELECT x FROM u WHERE u.a = t.a), b NOT IN (SELECT x FROM u WHERE u.a = t.a) FROM t;

-- name: in_value_is_null
SELECT id, (b IN (SELECT x FROM u WHERE u.a = t.a)) IS NULL, (b IN (SELECT x FROM u WHERE u.a >= t.a)) IS UNKNOWN FROM t;

-- name: in_uncorrelated
SELECT id FROM t WHERE b IN (SELECT x FROM u);

-- name: not_in_uncorrelated
SELECT id FROM t WHERE b NOT IN (SELECT x FROM u);

-- name: not_in_uncorrelated_without_null
SELECT id FROM t WHERE b NOT IN (SELECT x FROM full_a);

-- name: not_in_empty
SELECT id FROM t WHERE b NOT IN (SELECT x FROM nothing);

-- name: not_in_empty_correlated
SELECT id FROM t WHERE b NOT IN (SELECT x FROM nothing WHERE nothing.a = t.a);

-- name: in_empty_value
SELECT id, b IN (SELECT x FROM nothing WHERE nothing.a = t.a), NULL IN (SELECT x FROM u WHERE u.a = t.a), NULL NOT IN (SELECT x FROM nothing) FROM t;

-- name: not_in_not_null_columns
SELECT id FROM t WHERE id NOT IN (SELECT f.x FROM full_a f WHERE f.a = t.a);

-- name: in_expression
SELECT id FROM t WHERE a + 1 IN (SELECT y + 1 FROM v WHERE v.x = t.b);

-- name: in_outer_in_list
SELECT id FROM t WHERE 10 IN (SELECT x + t.a - 1 FROM u);

-- name: not_in_outer_in_list
SELECT id FROM t WHERE 10 NOT IN (SELECT x + t.a - 1 FROM u WHERE x IS NOT NULL);

-- name: in_types
SELECT id FROM t WHERE n IN (SELECT y FROM v WHERE v.x >= t.b) AND a IN (SELECT n FROM u WHERE u.s = t.s);

-- name: in_text
SELECT id FROM t WHERE s IN (SELECT u.s FROM u WHERE u.a = t.a);

-- name: in_under_or
SELECT id FROM t WHERE b NOT IN (SELECT x FROM u WHERE u.a = t.a) OR s IN (SELECT s FROM u);

-- name: in_under_not
SELECT id FROM t WHERE NOT (a > 1 AND b IN (SELECT x FROM u WHERE u.a = t.a));

-- name: in_rows
SELECT id FROM t WHERE (a, b) IN (SELECT a, x FROM u);

-- name: not_in_rows
SELECT id FROM t WHERE (a, b) NOT IN (SELECT a, x FROM u);

-- name: not_in_rows_correlated
SELECT id, (a, b) NOT IN (SELECT a, x FROM u WHERE u.s = t.s) FROM t;

-- name: in_rows_value
SELECT id, (a, s) IN (SELECT a, s FROM u WHERE u.k > t.id) FROM t;

-- name: in_group
SELECT id FROM t WHERE b IN (SELECT max(x) FROM u WHERE u.a = t.a GROUP BY u.s);

-- name: in_aggregate
SELECT id, b IN (SELECT max(x) FROM u WHERE u.a = t.a) FROM t;

-- name: in_nested
SELECT id FROM t WHERE b IN (SELECT x FROM u WHERE u.a IN (SELECT y FROM v WHERE v.x = t.b));

-- name: in_of_subquery
SELECT id FROM t WHERE (SELECT max(x) FROM u WHERE u.a = t.a) IN (SELECT x FROM v WHERE v.y >= t.a);

-- name: any_less
SELECT id FROM t WHERE b < ANY (SELECT x FROM u WHERE u.a = t.a);

-- name: any_value_less
SELECT id, b < ANY (SELECT x FROM u WHERE u.a = t.a), b >= ANY (SELECT x FROM u WHERE u.a = t.a) FROM t;

-- name: all_greater
SELECT id FROM t WHERE b > ALL (SELECT x FROM u WHERE u.a = t.a);

-- name: all_value
SELECT id, b <= ALL (SELECT x FROM u WHERE u.a = t.a), b <> ALL (SELECT x FROM u WHERE u.a = t.a), b = ALL (SELECT x FROM u WHERE u.a = t.a) FROM t;

-- name: all_uncorrelated
SELECT id, b > ALL (SELECT x FROM full_a), b >= ALL (SELECT x FROM u), b < ALL (SELECT x FROM nothing), b = ALL (SELECT 20) FROM t;

-- name: any_uncorrelated
SELECT id, b > ANY (SELECT x FROM full_a), b < SOME (SELECT x FROM u), b <> ANY (SELECT x FROM u), b < ANY (SELECT x FROM nothing) FROM t;

-- name: any_without_from
SELECT 1 < ANY (SELECT x FROM u), 100 > ALL (SELECT x FROM u), 100 > ALL (SELECT x FROM full_a);

-- name: all_float
SELECT k, w >= ALL (SELECT w FROM v v2 WHERE v2.k <> v.k), w = ANY (SELECT w FROM v v2 WHERE v2.k <> v.k) FROM v;

-- name: any_like
SELECT id, s LIKE ANY (SELECT u.s || '%' FROM u WHERE u.a = t.a) FROM t;

-- name: all_not_like
SELECT id, s NOT LIKE ALL (SELECT u.s || '%' FROM u WHERE u.a = t.a) FROM t;

-- name: all_rows
SELECT id, (a, b) >= ALL (SELECT a, x FROM u WHERE u.k < 3) FROM t;

-- name: any_having
SELECT a, sum(b) FROM t GROUP BY a HAVING sum(b) > ANY (SELECT x FROM u WHERE u.a = t.a);

-- name: all_having_count
SELECT a, count(*) FROM t GROUP BY a HAVING count(*) >= ALL (SELECT count(*) FROM t GROUP BY a);

-- name: count
SELECT id, (SELECT count(*) FROM u WHERE u.a = t.a) FROM t;

-- name: count_column
SELECT id, (SELECT count(x) FROM u WHERE u.a = t.a) + 100 FROM t;

-- name: count_plus
SELECT id, (SELECT count(*) * 10 + coalesce(sum(x), -1) FROM u WHERE u.a = t.a) FROM t;

-- name: sum_max
SELECT id, (SELECT sum(x) FROM u WHERE u.a = t.a), (SELECT max(s) FROM u WHERE u.a = t.a) FROM t;

-- name: aggregate_with_outer
SELECT id, (SELECT sum(x + t.b) FROM u WHERE u.a = t.a) FROM t;

-- name: aggregate_filter_outer
SELECT id, (SELECT count(*) FILTER (WHERE x > t.b) FROM u) FROM t;

-- name: aggregate_distinct
SELECT id, (SELECT count(DISTINCT x) FROM u WHERE u.a = t.a) FROM t;

-- name: aggregate_ordered
SELECT id, (SELECT string_agg(u.s, ',' ORDER BY k DESC) FROM u WHERE u.a = t.a) FROM t;

-- name: aggregate_inequality
SELECT id, (SELECT count(*) FROM u WHERE u.x < t.b), (SELECT min(x) FROM u WHERE u.x > t.b) FROM t;

-- name: aggregate_empty
SELECT id, (SELECT count(*) FROM nothing WHERE nothing.a = t.a), (SELECT sum(x) FROM nothing WHERE nothing.a = t.a) FROM t;

-- name: aggregate_regr_count
SELECT id, (SELECT regr_count(x, k) FROM u WHERE u.a = t.a) FROM t;

-- name: aggregate_having
SELECT id, (SELECT count(*) FROM u WHERE u.a = t.a HAVING count(*) > 1) FROM t;

-- name: aggregate_having_outer
SELECT id, (SELECT sum(x) FROM u WHERE u.a = t.a HAVING sum(x) > t.b) FROM t;

-- name: aggregate_bool
SELECT id, (SELECT bool_or(x > 10) FROM u WHERE u.a = t.a), (SELECT avg(n) FROM u WHERE u.a = t.a) FROM t;

-- name: aggregate_in_where
SELECT id FROM t WHERE b > (SELECT avg(x) FROM u WHERE u.a = t.a);

-- name: aggregate_equal_count
SELECT id FROM t WHERE 0 = (SELECT count(*) FROM u WHERE u.a = t.a);

-- name: aggregate_is_null
SELECT id FROM t WHERE (SELECT sum(x) FROM u WHERE u.a = t.a) IS NULL;

-- name: aggregate_coalesce
SELECT id, coalesce((SELECT sum(x) FROM u WHERE u.a = t.a), 0) FROM t;

-- name: aggregate_of_aggregate
SELECT id, (SELECT max(c) FROM (SELECT count(*) AS c FROM u WHERE u.a = t.a) q) FROM t;

-- name: aggregate_of_groups
SELECT id, (SELECT max(c) FROM (SELECT count(*) AS c FROM u WHERE u.a = t.a GROUP BY u.s) q) FROM t;

-- name: aggregate_of_groups_inequality
SELECT id, (SELECT count(*) FROM (SELECT u.a, sum(x) AS sx FROM u WHERE u.x <= t.b GROUP BY u.a) q WHERE q.sx > 5) FROM t;

-- name: aggregate_division_for_outer_rows_only
SELECT id, (SELECT sum(100 / t.b) FROM u WHERE u.a = t.a) FROM t WHERE id < 7;

-- name: aggregate_division_of_rows_not_asked_for
SELECT id, (SELECT sum(10 / (v.y - 6)) FROM v WHERE v.x = t.b) FROM t;

-- name: aggregate_twice_in_expression
SELECT id, (SELECT sum(x) FROM u WHERE u.a = t.a) / nullif((SELECT count(*) FROM u WHERE u.a = t.a), 0) FROM t;

-- name: value
SELECT id, (SELECT f.x FROM full_a f WHERE f.a = t.a AND f.x > 7) FROM t;

-- name: value_two_rows
SELECT id, (SELECT x FROM u WHERE u.a = t.a) FROM t;

-- name: value_two_rows_not_asked_for
SELECT id, CASE WHEN a <> 1 AND a <> 2 THEN (SELECT x FROM u WHERE u.a = t.a) END FROM t;

-- name: value_two_rows_behind_and
SELECT id FROM t WHERE a > 2 AND (SELECT x FROM u WHERE u.a = t.a) = 7;

-- name: value_with_outer
SELECT id, (SELECT u.x + t.b FROM u WHERE u.k = t.id) FROM t;

-- name: value_coalesce_inside
SELECT id, (SELECT coalesce(u.x, t.b, -1) FROM u WHERE u.k = t.id AND u.a = t.a) FROM t;

-- name: value_constant_inside
SELECT id, (SELECT 'here' FROM u WHERE u.k = t.id AND u.k < 4) FROM t;

-- name: value_outer_only
SELECT id, (SELECT t.b FROM u WHERE u.k = t.id AND u.k < 4), (SELECT t.a + t.b) FROM t;

-- name: value_without_from_condition
SELECT id, (SELECT t.b WHERE t.a = 1), (SELECT 5 WHERE t.b > 7) FROM t;

-- name: value_distinct
SELECT id, (SELECT DISTINCT f.x FROM full_a f WHERE f.a = t.a AND f.a > 1) FROM t;

-- name: value_group
SELECT id, (SELECT u.a FROM u WHERE u.a = t.a GROUP BY u.a) FROM t;

-- name: value_limit
SELECT id, (SELECT u.x FROM u WHERE u.a = t.a ORDER BY u.x DESC NULLS LAST LIMIT 1) FROM t;

-- name: value_limit_nulls
SELECT id, (SELECT u.x FROM u WHERE u.a = t.a ORDER BY u.x DESC LIMIT 1) FROM t;

-- name: value_limit_offset
SELECT id, (SELECT u.k FROM u WHERE u.a = t.a ORDER BY u.k LIMIT 1 OFFSET 1) FROM t;

-- name: value_limit_without_order
SELECT id, (SELECT f.a FROM full_a f WHERE f.a = t.a LIMIT 1) FROM t;

-- name: value_limit_inside
SELECT id, (SELECT sum(x) FROM (SELECT x FROM u WHERE u.a >= t.a ORDER BY k LIMIT 2) q) FROM t;

-- name: value_union
SELECT id, (SELECT max(z) FROM (SELECT x AS z FROM u WHERE u.a = t.a UNION ALL SELECT y FROM v WHERE v.x = t.b) q) FROM t;

-- name: value_except
SELECT id, (SELECT count(*) FROM (SELECT x FROM u WHERE u.a = t.a EXCEPT SELECT x FROM v WHERE v.y >= t.a) q) FROM t;

-- name: value_inequality_rows
SELECT id, (SELECT v.y FROM v WHERE v.x > t.b AND v.x < 15 AND v.y = 1) FROM t;

-- name: value_numeric_keeps_scale
SELECT id, (SELECT t.n FROM u WHERE u.k = 1), (SELECT max(t.n::text) FROM u WHERE u.a >= t.a), (SELECT t.n * u.n FROM u WHERE u.k = t.a) FROM t;

-- name: value_float_keeps_sign
SELECT k, (SELECT max(v.w::text) FROM u WHERE u.k > v.k) FROM v;

-- name: value_null_outer
SELECT id, (SELECT count(*) FROM u WHERE u.a IS NOT DISTINCT FROM t.a), (SELECT count(*) FROM u WHERE u.a IS DISTINCT FROM t.a) FROM t;

-- name: value_date
SELECT id, (SELECT count(*) FROM t t2 WHERE t2.d < t.d), (SELECT max(t2.d) FROM t t2 WHERE t2.d < t.d) FROM t;

-- name: order_by
SELECT id FROM t ORDER BY (SELECT count(*) FROM u WHERE u.a = t.a) DESC, id;

-- name: group_by
SELECT (SELECT count(*) FROM u WHERE u.a = t.a) AS c, count(*), sum(b) FROM t GROUP BY c ORDER BY c;

-- name: group_by_exists
SELECT EXISTS (SELECT 1 FROM u WHERE u.a = t.a) AS e, count(*) FROM t GROUP BY 1 ORDER BY 1;

-- name: having
SELECT a, count(*) FROM t GROUP BY a HAVING EXISTS (SELECT 1 FROM u WHERE u.a = t.a);

-- name: having_aggregate
SELECT a, sum(b) FROM t GROUP BY a HAVING sum(b) > (SELECT min(x) FROM u WHERE u.a = t.a);

-- name: grouped_select
SELECT a, max(b), (SELECT sum(x) FROM u WHERE u.a = t.a) FROM t GROUP BY a;

-- name: grouped_outer_aggregate
SELECT a, (SELECT count(*) FROM u WHERE u.x < sum(t.b)) FROM t GROUP BY a;

-- name: grouped_outer_aggregate_value
SELECT a, (SELECT max(t.b)), (SELECT max(t.b) + u.k FROM u WHERE u.k = 1) FROM t GROUP BY a;

-- name: outer_aggregate_without_group
SELECT (SELECT count(*) FROM u WHERE u.x < max(t.b)) FROM t;

-- name: outer_aggregate_in_where
SELECT id FROM t WHERE (SELECT max(t.b) FROM u) > 1;

-- name: ungrouped_outer_column
SELECT a, (SELECT sum(x) FROM u WHERE u.x = t.b) FROM t GROUP BY a;

-- name: ungrouped_expression
SELECT a + 1, (SELECT sum(x) FROM u WHERE u.a = t.a + 1) FROM t GROUP BY a + 1;

-- name: aggregate_argument
SELECT sum((SELECT count(*) FROM u WHERE u.a = t.a)), count(*) FILTER (WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a)) FROM t;

-- name: aggregate_argument_grouped
SELECT s, max((SELECT max(x) FROM u WHERE u.a = t.a)) FROM t GROUP BY s;

-- name: distinct
SELECT DISTINCT (SELECT count(*) FROM u WHERE u.a = t.a) FROM t;

-- name: join_condition
SELECT t.id, v.k FROM t JOIN v ON v.x = t.b AND EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND u.x = v.x);

-- name: join_condition_value
SELECT t.id, v.k FROM t JOIN v ON v.y = (SELECT count(*) FROM u WHERE u.a = t.a);

-- name: left_join_condition
SELECT t.id, v.k FROM t LEFT JOIN v ON v.x = t.b AND EXISTS (SELECT 1 FROM u WHERE u.x = v.x AND u.a = 1);

-- name: left_join_condition_of_left
SELECT t.id, v.k FROM t LEFT JOIN v ON v.x = t.b AND NOT EXISTS (SELECT 1 FROM u WHERE u.a = t.a);

-- name: where_over_join
SELECT t.id, v.k FROM t LEFT JOIN v ON v.x = t.b WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND u.x = v.x);

-- name: from_subquery
SELECT q.id, q.c FROM (SELECT id, (SELECT count(*) FROM u WHERE u.a = t.a) AS c FROM t) q WHERE q.c > 0;

-- name: with
WITH w AS (SELECT a, x FROM u WHERE x > 7) SELECT id, (SELECT count(*) FROM w WHERE w.a = t.a) FROM t;

-- name: with_inside
SELECT id, (WITH w AS (SELECT a, x FROM u) SELECT sum(x) FROM w WHERE w.a = t.a) FROM t;

-- name: using
SELECT a, (SELECT count(*) FROM v WHERE v.y = a) FROM t JOIN full_a USING (a);

-- name: insensitive_alias
SELECT id FROM t AS o WHERE EXISTS (SELECT 1 FROM t WHERE t.a = o.a AND t.id <> o.id);

-- name: shadowed
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u AS t WHERE t.a = 3 AND t.x = 7);

-- name: bare_names
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM v WHERE x = b);

-- name: same_table
SELECT id, (SELECT count(*) FROM t t2 WHERE t2.b > t.b) AS rank FROM t;

-- name: star_of_outer
SELECT id FROM t WHERE EXISTS (SELECT t.* FROM u WHERE u.a = t.a);

-- name: values_list
SELECT id, (SELECT max(z) FROM (VALUES (t.a), (t.b), (3)) w (z)) FROM t;

-- name: in_values
SELECT id FROM t WHERE 20 IN (VALUES (t.a), (t.b));

-- name: nested_exists
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND EXISTS (SELECT 1 FROM v WHERE v.x = u.x));

-- name: nested_exists_skip
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND EXISTS (SELECT 1 FROM v WHERE v.x = t.b));

-- name: nested_exists_both
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND EXISTS (SELECT 1 FROM v WHERE v.x = u.x AND v.y = t.a));

-- name: nested_not_exists
SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND NOT EXISTS (SELECT 1 FROM v WHERE v.x = u.x));

-- name: division
SELECT DISTINCT a FROM t WHERE NOT EXISTS (SELECT 1 FROM v WHERE v.y = 1 AND NOT EXISTS (SELECT 1 FROM t t2 WHERE t2.a = t.a AND t2.b = v.x));

-- name: nested_scalar
SELECT id, (SELECT max(x) FROM u WHERE u.a = t.a AND u.x > (SELECT min(v.x) FROM v WHERE v.y = u.a)) FROM t;

-- name: nested_scalar_skip
SELECT id, (SELECT max(x + (SELECT count(*) FROM v WHERE v.x = t.b)) FROM u WHERE u.a = t.a) FROM t;

-- name: nested_scalar_only_inner
SELECT id, (SELECT (SELECT count(*) FROM u WHERE u.a = t.a)) FROM t;

-- name: nested_three
SELECT id FROM t WHERE b = (SELECT max(x) FROM u WHERE u.a = t.a AND u.k IN (SELECT k FROM v WHERE v.x = u.x AND v.y <= (SELECT count(*) FROM full_a f WHERE f.a = t.a AND f.x > v.k)));

-- name: nested_three_exists
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND EXISTS (SELECT 1 FROM v WHERE v.x = u.x AND EXISTS (SELECT 1 FROM full_a f WHERE f.a = t.a AND f.x >= v.y AND f.x < u.x + 10)));

-- name: nested_in_from
SELECT id, (SELECT sum(c) FROM (SELECT count(*) AS c FROM u WHERE u.a = t.a GROUP BY u.s HAVING count(*) >= (SELECT min(y) FROM v WHERE v.y = t.a)) q) FROM t;

-- name: nested_not_in
SELECT id FROM t WHERE b NOT IN (SELECT x FROM u WHERE u.a = t.a AND u.x NOT IN (SELECT x FROM v WHERE v.y = t.a));

-- name: nested_outer_aggregate
SELECT a, (SELECT count(*) FROM u WHERE EXISTS (SELECT 1 FROM v WHERE v.x = u.x AND v.y < count(t.b))) FROM t GROUP BY a;

-- name: lateral
SELECT t.id, q.x FROM t, LATERAL (SELECT x FROM u WHERE u.a = t.a) q;

-- name: lateral_left
SELECT t.id, q.x FROM t LEFT JOIN LATERAL (SELECT x FROM u WHERE u.a = t.a) q ON true;

-- name: lateral_computed
SELECT t.id, q.z FROM t LEFT JOIN LATERAL (SELECT x + t.b AS z FROM u WHERE u.a = t.a) q ON q.z > 25;

-- name: lateral_coalesce
SELECT t.id, q.z FROM t LEFT JOIN LATERAL (SELECT coalesce(x, t.b, 0) AS z FROM u WHERE u.a = t.a AND u.k > 1) q ON true;

-- name: lateral_aggregate
SELECT t.id, q.c, q.m FROM t, LATERAL (SELECT count(*) AS c, max(x) AS m FROM u WHERE u.a = t.a) q;

-- name: lateral_aggregate_left
SELECT t.id, q.c, q.m FROM t LEFT JOIN LATERAL (SELECT count(*) AS c, max(x) AS m FROM u WHERE u.a = t.a) q ON q.c > 1;

-- name: lateral_aggregate_having
SELECT t.id, q.c FROM t CROSS JOIN LATERAL (SELECT count(*) AS c FROM u WHERE u.a = t.a HAVING count(*) > 1) q;

-- name: lateral_group
SELECT t.id, q.s, q.c FROM t, LATERAL (SELECT u.s, count(*) AS c FROM u WHERE u.a = t.a GROUP BY u.s) q;

-- name: lateral_top
SELECT t.id, q.k FROM t CROSS JOIN LATERAL (SELECT k FROM u WHERE u.a = t.a ORDER BY k DESC LIMIT 2) q;

-- name: lateral_top_left
SELECT t.id, q.k FROM t LEFT JOIN LATERAL (SELECT k FROM u WHERE u.a >= t.a ORDER BY k OFFSET 1 LIMIT 2) q ON true;

-- name: lateral_chain
SELECT t.id, p.z, q.c FROM t, LATERAL (SELECT t.a * 2 AS z) p, LATERAL (SELECT count(*) AS c FROM u WHERE u.a < p.z) q;

-- name: lateral_series
SELECT id, g FROM t, generate_series(1, t.a) g WHERE id < 7;

-- name: lateral_series_step
SELECT id, g FROM t, generate_series(t.b, t.a, -5) g;

-- name: lateral_series_left
SELECT id, g FROM t LEFT JOIN generate_series(t.a, t.b, 4) AS g ON true WHERE id <> 7;

-- name: lateral_function
SELECT id, f FROM t, upper(t.s) AS f;

-- name: lateral_values
SELECT id, w.z FROM t, LATERAL (VALUES (t.a), (t.b), (NULL)) w (z);

-- name: lateral_union
SELECT id, q.z FROM t, LATERAL (SELECT t.a AS z UNION ALL SELECT x FROM u WHERE u.a = t.a UNION ALL SELECT 0) q;

-- name: lateral_nested
SELECT t.id, q.x, q.c FROM t, LATERAL (SELECT u.x, r.c FROM u, LATERAL (SELECT count(*) AS c FROM v WHERE v.x = u.x AND v.y <= t.a) r WHERE u.a = t.a) q;

-- name: lateral_in_join
SELECT t.id, v.k, q.k FROM t JOIN (v JOIN LATERAL (SELECT k FROM u WHERE u.x = v.x) q ON true) ON v.x = t.b;

-- name: lateral_inside_subquery
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u, LATERAL (SELECT y FROM v WHERE v.x = u.x AND v.y = t.a) q);

-- name: lateral_of_subquery
SELECT id, (SELECT sum(q.z) FROM u, LATERAL (SELECT u.x * t.a AS z) q WHERE u.a = t.a) FROM t;

-- name: not_lateral
SELECT * FROM t, (SELECT x FROM u WHERE u.a = t.a) q;

-- name: not_lateral_bare
SELECT * FROM t, (SELECT x FROM u WHERE id = 1) q;

-- name: lateral_right_join
SELECT * FROM t RIGHT JOIN LATERAL (SELECT x FROM u WHERE u.a = t.a) q ON true;

-- name: lateral_aggregate_of_own_level
SELECT * FROM t, LATERAL (SELECT sum(t.a)) q;

-- name: subquery_in_from_of_subquery
SELECT id, (SELECT sum(q.x) FROM (SELECT x FROM u WHERE u.a = t.a) q) FROM t;

-- name: window_inside
SELECT id, (SELECT max(r) FROM (SELECT rank() OVER (ORDER BY x) AS r FROM u WHERE u.a = t.a) q) FROM t;

-- name: window_argument
SELECT id, sum((SELECT count(*) FROM u WHERE u.a = t.a)) OVER (ORDER BY id) FROM t;

-- name: window_of_outer
SELECT id, (SELECT max(q.z) FROM (SELECT sum(x + t.b) OVER (PARTITION BY u.s ORDER BY u.k) AS z FROM u WHERE u.a = t.a) q) FROM t;

-- name: limit_of_outer
SELECT id, (SELECT sum(q.y) FROM (SELECT y FROM v WHERE v.x IS NOT NULL ORDER BY y - t.a DESC, k LIMIT 3) q) FROM t;

-- name: error_missing_column
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.nope);

-- name: error_ambiguous
SELECT 1 FROM t, u WHERE EXISTS (SELECT 1 FROM v WHERE v.y = a);

-- name: error_columns
SELECT id FROM t WHERE b IN (SELECT a, x FROM u WHERE u.a = t.a);

-- name: error_rows_columns
SELECT id FROM t WHERE (a, b) IN (SELECT a FROM u WHERE u.a = t.a);

-- name: error_scalar_columns
SELECT (SELECT a, x FROM u WHERE u.a = t.a) FROM t;

-- name: error_operator
SELECT id FROM t WHERE d < ANY (SELECT x FROM u WHERE u.a = t.a);

-- name: error_division
SELECT id, (SELECT max(u.x / t.b) FROM u WHERE u.a <= t.a) FROM t WHERE id = 7;

-- name: shape_of_q2
SELECT u.k, v.k FROM u JOIN v ON u.x = v.x WHERE v.y = (SELECT min(v2.y) FROM v v2 JOIN full_a f ON f.x >= v2.k WHERE v2.x = u.x AND f.a < 3);

-- name: shape_of_q4
SELECT s, count(*) FROM t WHERE d >= '2023-12-31' AND EXISTS (SELECT * FROM u WHERE u.a = t.a AND u.x < u.k * 12) GROUP BY s ORDER BY s;

-- name: shape_of_q17
SELECT sum(u.x) / 7.0 FROM u, t WHERE t.a = u.a AND t.s = 'x' AND u.x < (SELECT 1.2 * avg(x) FROM u u2 WHERE u2.a = t.a);

-- name: shape_of_q18
SELECT t.id, sum(u.x) FROM t, u WHERE t.a IN (SELECT a FROM u GROUP BY a HAVING sum(x) > 20) AND t.a = u.a GROUP BY t.id ORDER BY t.id;

-- name: shape_of_q20
SELECT id FROM t WHERE a IN (SELECT f.a FROM full_a f WHERE f.x IN (SELECT x FROM u WHERE s LIKE 'x%' OR s = 'y' OR k = 6) AND f.x > (SELECT 0.5 * sum(v.y) FROM v WHERE v.x = f.x)) ORDER BY id;

-- name: shape_of_q21
SELECT t.s, count(*) FROM t, u l1 WHERE t.a = l1.a AND EXISTS (SELECT * FROM u l2 WHERE l2.a = l1.a AND l2.k <> l1.k) AND NOT EXISTS (SELECT * FROM u l3 WHERE l3.a = l1.a AND l3.k <> l1.k AND l3.x > l1.x) GROUP BY t.s ORDER BY count(*) DESC, t.s;

-- name: shape_of_q22
SELECT substring(s FROM 1 FOR 1) AS code, count(*), sum(b) FROM t WHERE b > (SELECT avg(b) FROM t WHERE b > 0) AND NOT EXISTS (SELECT * FROM u WHERE u.a = t.a AND u.x > 15) GROUP BY code ORDER BY code;

-- name: outer_column_of_type_interval
SELECT o.n, (SELECT string_agg(i.x::text, ',' ORDER BY i.x) FROM (VALUES (interval '1 day', 10), ('2 days', 20), ('24 hours', 30), (NULL, 40)) AS i (v, x) WHERE i.v <= o.v OFFSET 0),
  (SELECT max(i.x / 10) || o.v::text FROM (VALUES (interval '1 day', 10), ('2 days', 20)) AS i (v, x) WHERE i.v <= o.v)
FROM (VALUES (1, interval '1 day'), (2, '24 hours'), (3, NULL), (4, '1 mon')) AS o (n, v) ORDER BY 1;

-- name: outer_column_of_type_interval_and_groups
SELECT o.n, (SELECT count(*) FROM (VALUES (interval '1 day', 10), ('2 days', 20), ('24 hours', 30)) AS i (v, x) WHERE i.v <= o.v GROUP BY i.x ORDER BY i.x LIMIT 1)
FROM (VALUES (1, interval '1 day'), (2, '24 hours'), (3, NULL)) AS o (n, v) ORDER BY 1;
