-- Semi, anti and mark joins that keep the left input's rows, and rows that are dropped early by the keys of a join above.
-- setup
CREATE TABLE few (id int, x int8, s text, c char(5), n numeric(8, 2), f float8, d date, b bool) USING mergetree;
INSERT INTO few VALUES (1, 10, 'n1', 'a', 1.50, 0.0, '2024-01-01', true), (2, 20, 'n2', 'b  ', 2.0, 'NaN', '2024-01-05', false), (2, 21, 'n2', 'b', 2.00, -0.0, '2024-01-05', true),
  (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (7, 9223372036854775807, 'a text that is too long to lie inline', 'c', 7, 1.5, 'infinity', NULL), (-3, -9223372036854775808, '', '', -3, 'Infinity', '-infinity', false);
CREATE TABLE many (k int, y int8, t varchar(60), c char(8), m numeric(12, 4), g float4, d date, ts timestamp) USING mergetree;
INSERT INTO many SELECT i % 100, i, 'n' || i % 9, chr(97 + i % 4), (i % 50) * 0.5, (i % 3)::float4 - 1, '2024-01-01'::date + i % 40, '2024-01-01'::timestamp + i % 30 * interval '12 hours' FROM generate_series(1, 400) AS g (i);
INSERT INTO many VALUES (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (-3, -9223372036854775808, '', '', -3, 'Infinity', '-infinity', '-infinity'), (7, 9223372036854775807, 'a text that is too long to lie inline', 'c', 7.0000, 'NaN', 'infinity', 'infinity');
CREATE TABLE nothing (id int, s text) USING mergetree;
CREATE TABLE sparse (id int8, v int) USING mergetree;
INSERT INTO sparse VALUES (-9223372036854775808, 1), (0, 2), (9223372036854775807, 3), (NULL, 4), (5000000000, 5);

-- name: right_semi
SELECT id, x, s FROM few WHERE EXISTS (SELECT 1 FROM many WHERE k = id);

-- name: right_semi_with_a_rest
SELECT id, x FROM few WHERE EXISTS (SELECT 1 FROM many WHERE k = id AND y > x);

-- name: right_semi_of_duplicates
SELECT count(*), sum(id) FROM few WHERE id IN (SELECT k FROM many UNION ALL SELECT k FROM many);

-- name: right_anti
SELECT id, x, s FROM few WHERE NOT EXISTS (SELECT 1 FROM many WHERE k = id);

-- name: right_anti_with_a_rest
SELECT id, x FROM few WHERE NOT EXISTS (SELECT 1 FROM many WHERE k = id AND y <> x AND t <> s);

-- name: right_mark
SELECT id, EXISTS (SELECT 1 FROM many WHERE k = few.id) AS there, EXISTS (SELECT 1 FROM many WHERE t = few.s) FROM few;

-- name: right_mark_in
SELECT id, id IN (SELECT k FROM many), id IN (SELECT k FROM many WHERE k IS NOT NULL), id NOT IN (SELECT k FROM many WHERE k > 0) FROM few;

-- name: not_in_with_nulls
SELECT id FROM few WHERE id NOT IN (SELECT k FROM many);

-- name: not_in_without_nulls
SELECT id FROM few WHERE id NOT IN (SELECT k FROM many WHERE k IS NOT NULL);

-- name: right_semi_by_text
SELECT id, s FROM few WHERE EXISTS (SELECT 1 FROM many WHERE t = s);

-- name: right_semi_by_char
SELECT id, c FROM few WHERE c IN (SELECT c FROM many);

-- name: right_semi_by_numeric
SELECT id, n FROM few WHERE n IN (SELECT m FROM many);

-- name: right_semi_by_float
SELECT id, f FROM few WHERE f IN (SELECT g FROM many);

-- name: right_semi_by_two_keys
SELECT id, s, d FROM few WHERE EXISTS (SELECT 1 FROM many WHERE k = id AND t = s);

-- name: right_semi_of_nothing
SELECT id FROM few WHERE EXISTS (SELECT 1 FROM nothing WHERE nothing.id = few.id);

-- name: right_semi_nothing_kept
SELECT nothing.id FROM nothing WHERE EXISTS (SELECT 1 FROM many WHERE k = nothing.id);

-- name: right_anti_nothing_kept
SELECT nothing.id FROM nothing WHERE NOT EXISTS (SELECT 1 FROM many WHERE k = nothing.id);

-- name: one_on_another
SELECT id, x FROM few WHERE EXISTS (SELECT 1 FROM many WHERE k = id) AND NOT EXISTS (SELECT 1 FROM many WHERE k = id AND y = x) AND s IN (SELECT t FROM many);

-- name: rest_that_fails
SELECT id FROM few WHERE EXISTS (SELECT 1 FROM many WHERE k = id AND 10 / (id - 1) > y);

-- name: filtered_aggregate
SELECT id, s, total FROM few JOIN (SELECT k, sum(y) AS total, count(*) AS n FROM many GROUP BY k) AS g ON k = id WHERE s <> 'n1';

-- name: filtered_aggregate_by_text
SELECT id, t, total FROM few JOIN (SELECT t, sum(y) AS total FROM many GROUP BY t) AS g ON t = s WHERE id = 2;

-- name: filtered_aggregate_by_numeric
SELECT id, m, total FROM few JOIN (SELECT m, sum(k) AS total FROM many GROUP BY m) AS g ON m = n WHERE id < 5;

-- name: filtered_aggregate_by_date
SELECT id, total FROM few JOIN (SELECT d, count(*) AS total FROM many GROUP BY d) AS g ON g.d = few.d WHERE id > 0;

-- name: filtered_aggregate_by_two_keys
SELECT id, total FROM few JOIN (SELECT k, t, sum(y) AS total FROM many GROUP BY k, t) AS g ON k = id AND t = s WHERE x < 100;

-- name: filtered_by_no_row
SELECT count(*), sum(total) FROM few JOIN (SELECT k, sum(y) AS total FROM many GROUP BY k) AS g ON k = id WHERE s = 'there is none';

-- name: filtered_by_null_only
SELECT count(*) FROM (SELECT k, count(*) FROM many GROUP BY k) AS g JOIN few ON k = id WHERE id IS NULL;

-- name: filtered_having
SELECT k, total FROM (SELECT k, sum(y) AS total FROM many GROUP BY k HAVING count(*) > 1) AS g WHERE k IN (SELECT id FROM few WHERE x > 0);

-- name: filtered_window
SELECT k, y, n FROM (SELECT k, y, count(*) OVER (PARTITION BY k) AS n, sum(y) OVER (PARTITION BY k ORDER BY y) AS r FROM many) AS w WHERE k IN (SELECT id FROM few WHERE s = 'n2');

-- name: window_of_other_partitions_stays_whole
SELECT k, y, n FROM (SELECT k, y, count(*) OVER () AS n FROM many) AS w WHERE k IN (SELECT id FROM few WHERE s = 'n2');

-- name: limit_chooses_first
SELECT k FROM (SELECT k, y FROM many ORDER BY y LIMIT 20) AS l WHERE k IN (SELECT id FROM few WHERE s <> '');

-- name: filtered_union
SELECT p, count(*) FROM (SELECT k, 'k' FROM many UNION ALL SELECT id, 's' FROM few UNION ALL SELECT NULL, NULL) AS u (p, q) JOIN few ON p = id WHERE x = 20 GROUP BY p;

-- name: filtered_left_join_below
SELECT count(*), count(nothing.id), sum(y) FROM many LEFT JOIN nothing ON nothing.id = k JOIN few ON k = few.id WHERE few.s = 'n2';

-- name: filtered_full_join_below
SELECT count(*), sum(y), sum(f2.x) FROM (many FULL JOIN few AS f2 ON k = f2.id) JOIN few ON k = few.id WHERE few.s = 'n2';

-- name: filtered_anti_join_below
SELECT count(*), sum(y) FROM many JOIN few ON k = id WHERE few.s = 'n2' AND NOT EXISTS (SELECT 1 FROM sparse WHERE sparse.id = y);

-- name: filter_of_extremes
SELECT k, y, v FROM many JOIN sparse ON y = sparse.id WHERE v <> 2;

-- name: filter_of_extremes_below_an_aggregate
SELECT y, n, v FROM (SELECT y, count(*) AS n FROM many GROUP BY y) AS g JOIN sparse ON y = sparse.id WHERE v <> 4;

-- name: filter_of_infinite_dates
SELECT count(*), min(k) FROM many JOIN few ON many.d = few.d WHERE few.b IS NULL;

-- name: filter_wider_key
SELECT count(*), sum(y) FROM many JOIN sparse ON k = sparse.id WHERE v > 0;

-- name: filter_by_expression
SELECT count(*), sum(y) FROM many JOIN few ON k + 1 = id WHERE s = 'n2';

-- name: a_filter_by_volatile_rows
SELECT count(*) FROM (SELECT k, random() AS r FROM many) AS v JOIN few ON k = id WHERE s = 'n2' AND r >= 0;

-- name: date_equals_timestamp
SELECT id, few.d, ts FROM few JOIN many ON few.d = ts WHERE id > 0;

-- name: timestamp_equals_date_of_a_left_join
SELECT many.k, ts, few.d FROM many LEFT JOIN few ON ts = few.d WHERE k < 12 OR k IS NULL;

-- name: date_equals_timestamp_and_more
SELECT count(*), min(few.d), max(ts) FROM many JOIN few ON many.ts = few.d AND k <> id;

-- name: date_among_timestamps
SELECT id, d FROM few WHERE d IN (SELECT ts FROM many) ORDER BY id, d;

-- name: date_far_beyond_timestamps
SELECT v.d, ts FROM (VALUES ('5000000-01-01'::date), ('4713-01-01 BC'::date), ('infinity'::date), ('2024-01-03'::date)) AS v (d) JOIN many ON v.d = ts;

-- name: left_rows_kept
SELECT id, x, y FROM few LEFT JOIN many ON x = y;

-- name: left_rows_kept_with_more_to_ask
SELECT few.id, few.s, t, y FROM few LEFT JOIN many ON few.id = k AND y > 20 AND s <> t;

-- name: left_rows_kept_and_grouped
SELECT few.id, few.x, count(y), min(t), count(*) FROM few LEFT JOIN many ON few.c = many.c AND x < y GROUP BY 1, 2;

-- name: left_rows_kept_without_any_partner
SELECT few.id, k, y FROM few LEFT JOIN (SELECT k, y FROM many WHERE y BETWEEN -9 AND -2) AS z ON few.id = k;

-- name: left_rows_kept_twice
SELECT few.id, e.id, many.k, sparse.v FROM few LEFT JOIN nothing e ON few.id = e.id LEFT JOIN many ON few.x = many.y LEFT JOIN sparse ON sparse.id = many.y WHERE few.s >= '' OR few.s IS NULL;

-- name: left_rows_kept_of_extreme_keys
SELECT v, y, t, ts FROM sparse LEFT JOIN many ON sparse.id = many.y;

-- name: partners_by_the_key_itself
SELECT count(*), sum(y), sum(v) FROM many JOIN (SELECT g AS i, g * 2 AS v FROM generate_series(-5, 60, 3) AS h (g)) AS z ON k = i;

-- name: partners_by_the_key_itself_or_none
SELECT k, y, v FROM many LEFT JOIN (SELECT g AS i, g || '' AS v FROM generate_series(95, 105) AS h (g)) AS z ON k + 1 = i WHERE y > 170 OR y IS NULL;

-- name: whether_there_is_a_partner_by_the_key_itself
SELECT count(*), count(*) FILTER (WHERE d IN (SELECT '2024-01-01'::date + g FROM generate_series(0, 9) AS h (g))), count(*) FILTER (WHERE k NOT IN (SELECT g FROM generate_series(10, 60) AS h (g))) FROM many;

-- name: rows_with_and_without_a_partner_by_the_key_itself
SELECT (SELECT count(*) FROM many WHERE EXISTS (SELECT 1 FROM generate_series(-3, 40) AS h (g) WHERE g = k)), (SELECT count(*) FROM many WHERE NOT EXISTS (SELECT 1 FROM generate_series(-3, 40) AS h (g) WHERE g = k));

-- name: conditions_on_keys_of_left_rows
SELECT few.id, few.x, many.y, t FROM few LEFT JOIN many ON few.id = many.k AND few.x >= many.y WHERE few.id IN (1, 2, 7) AND few.x > 5;

-- name: conditions_on_keys_of_rows_without_partner
SELECT k, y FROM many WHERE k > 90 AND d < '2024-01-05' AND NOT EXISTS (SELECT 1 FROM few WHERE few.id * 31 = k OR few.id = k AND b) AND NOT EXISTS (SELECT 1 FROM sparse WHERE sparse.v = k);

-- name: partners_that_another_join_needs
SELECT few.id, many.y, sparse.v FROM few LEFT JOIN many ON few.id = many.k JOIN sparse ON many.k = sparse.v;

-- name: partners_that_another_join_needs_of_either_side
SELECT few.id, many.y, sparse.v FROM few FULL JOIN many ON few.id = many.k AND few.x = many.y JOIN sparse ON few.id = sparse.v LEFT JOIN few g ON g.id = many.k;
