-- Joins by comparisons: ranges, intervals that contain or overlap, with and without equalities, all kinds; as-of joins by LIMIT 1.
-- setup
CREATE TABLE points (id int NOT NULL, k int, x int, f float8, t timestamp, s text, n numeric(8, 2), d date);
INSERT INTO points SELECT i, i % 3, i * 37 % 50, CASE WHEN i % 9 = 0 THEN 'NaN' ELSE i * 37 % 50 / 2.0 END, timestamp '2024-01-01' + i * 7 % 40 * interval '1 hour',
  chr(97 + i * 5 % 26) || repeat('x', i % 12), (i * 37 % 50) / 4.0, date '2024-01-01' + i * 7 % 10 FROM generate_series(1, 40) AS g (i);
INSERT INTO points VALUES (41, NULL, 7, 1.5, '2024-01-01', 'm', 1, '2024-01-02'), (42, 1, NULL, NULL, NULL, NULL, NULL, NULL), (43, 2, 2147483647, 'Infinity', 'infinity', '', 99999.99, 'infinity'),
  (44, 0, -2147483648, '-Infinity', '-infinity', 'ümlaut', -99999.99, '-infinity');
CREATE TABLE spans (id int NOT NULL, k int8, lo int8, hi int2, f float4, t timestamp, s varchar(20), n numeric, d date);
INSERT INTO spans SELECT i, i % 4, i * 11 % 60 - 5, i * 11 % 60 - 5 + i % 7, i * 11 % 60 / 4.0, timestamp '2024-01-01' + i * 11 % 50 * interval '30 minutes', chr(97 + i * 3 % 26), i * 11 % 60 / 3.0,
  date '2024-01-01' + i * 11 % 12 FROM generate_series(1, 30) AS g (i);
INSERT INTO spans VALUES (31, NULL, 1, 9, 'NaN', '2024-01-01', 'mxx', 1.00, '2024-01-02'), (32, 1, NULL, 20, NULL, NULL, NULL, NULL, NULL), (33, 2, 3, NULL, 'Infinity', 'infinity', '', 99999.99, 'infinity'),
  (34, 0, -9000000000000000000, 32767, '-Infinity', '-infinity', 'üm', 'NaN', '-infinity'), (35, 1, 5, 3, 0, '2024-01-02', 'a', 0, '2024-01-02');
CREATE TABLE nothing (id int, k int, x int, t timestamp);
CREATE TABLE trades (sym text, at timestamp, qty int);
INSERT INTO trades SELECT chr(65 + i % 4), timestamp '2024-03-01 09:00' + i * 37 % 60 * interval '1 minute', i FROM generate_series(1, 40) AS g (i);
INSERT INTO trades VALUES (NULL, '2024-03-01 09:30', 41), ('A', NULL, 42), ('B', 'infinity', 43), ('B', '-infinity', 44), ('Z', '2024-03-01 09:30', 45);
CREATE TABLE quotes (id int, sym text, at timestamp, price numeric(8, 2), size int);
INSERT INTO quotes SELECT i, chr(65 + i % 5), timestamp '2024-03-01 09:00' + i * 13 % 100 * interval '40 seconds', i / 4.0, i % 6 FROM generate_series(1, 100) AS g (i);
INSERT INTO quotes VALUES (101, NULL, '2024-03-01 09:10', 1, 1), (102, 'A', NULL, 2, 2), (103, 'B', '-infinity', 3, NULL), (104, 'A', '2024-03-01 09:30:07', NULL, 4);

-- name: less
SELECT count(*), sum(p.id), sum(s.id), sum(p.id * s.id) FROM points p JOIN spans s ON p.x < s.lo;

-- name: less_or_equal_of_floats
SELECT count(*), sum(p.id), sum(s.id), sum(p.id * s.id) FROM points p JOIN spans s ON p.f <= s.f;

-- name: greater_of_timestamps
SELECT count(*), sum(p.id), sum(s.id), sum(p.id * s.id) FROM points p JOIN spans s ON p.t > s.t;

-- name: greater_or_equal_of_texts
SELECT count(*), sum(p.id), sum(s.id), sum(p.id * s.id) FROM points p JOIN spans s ON p.s >= s.s;

-- name: numerics
SELECT count(*), sum(p.id), sum(s.id), sum(p.id * s.id) FROM points p JOIN spans s ON p.n < s.n AND p.n + 5 > s.n;

-- name: dates
SELECT count(*), sum(p.id), sum(s.id), sum(p.id * s.id) FROM points p JOIN spans s ON p.d BETWEEN s.d - 1 AND s.d;

-- name: date_and_timestamp
SELECT count(*), sum(p.id), sum(s.id) FROM points p JOIN spans s ON p.d < s.t;

-- name: point_in_interval
SELECT p.id, s.id FROM points p JOIN spans s ON p.x BETWEEN s.lo AND s.hi ORDER BY 1, 2;

-- name: point_in_interval_of_another_table
SELECT p.id, s.id FROM spans s JOIN points p ON p.x BETWEEN s.lo AND s.hi WHERE s.id < 12 ORDER BY 1, 2;

-- name: intervals_overlap
SELECT a.id, b.id FROM spans a JOIN spans b ON a.lo <= b.hi AND b.lo <= a.hi AND a.id < b.id ORDER BY 1, 2;

-- name: window_around
SELECT p.id, s.id FROM points p JOIN spans s ON s.lo > p.x - 2 AND s.lo < p.x + 2 ORDER BY 1, 2;

-- name: several_bounds
SELECT count(*), sum(p.id * s.id) FROM points p JOIN spans s ON s.lo > p.x AND s.lo > p.k AND s.lo <= p.x + 20 AND s.lo <= p.id;

-- name: left_join
SELECT p.id, s.id FROM points p LEFT JOIN spans s ON p.x BETWEEN s.lo AND s.hi AND s.id < 20 ORDER BY 1, 2;

-- name: right_join
SELECT p.id, s.id FROM points p RIGHT JOIN spans s ON p.x > s.lo AND p.x < s.hi ORDER BY 1, 2;

-- name: full_join_with_equality
SELECT p.id, s.id FROM points p FULL JOIN spans s ON p.k = s.k AND p.x BETWEEN s.lo AND s.hi ORDER BY 1, 2;

-- name: left_join_with_equality
SELECT p.id, s.id FROM points p LEFT JOIN spans s ON p.k = s.k AND p.x > s.lo AND p.f < s.f ORDER BY 1, 2;

-- name: not_distinct_and_range
SELECT count(*), sum(p.id * s.id) FROM points p JOIN spans s ON p.k IS NOT DISTINCT FROM s.k AND p.x >= s.lo;

-- name: exists
SELECT id FROM points p WHERE EXISTS (SELECT 1 FROM spans s WHERE p.x BETWEEN s.lo AND s.hi) ORDER BY id;

-- name: not_exists
SELECT id FROM points p WHERE NOT EXISTS (SELECT 1 FROM spans s WHERE p.x BETWEEN s.lo AND s.hi) ORDER BY id;

-- name: not_exists_with_equality
SELECT id FROM points p WHERE NOT EXISTS (SELECT 1 FROM spans s WHERE s.k = p.k AND p.x BETWEEN s.lo AND s.hi) ORDER BY id;

-- name: exists_as_value
SELECT id, EXISTS (SELECT 1 FROM spans s WHERE s.k = p.k AND p.t > s.t) FROM points p ORDER BY id;

-- name: few_rows_keep_many
SELECT id FROM (SELECT * FROM points WHERE id > 38) p WHERE EXISTS (SELECT 1 FROM spans a, spans b WHERE a.k = p.k AND a.lo < p.x AND b.id > 3) ORDER BY id;

-- name: nothing_on_either_side
SELECT (SELECT count(*) FROM nothing o JOIN spans s ON o.x < s.lo), (SELECT count(*) FROM spans s JOIN nothing o ON o.x < s.lo), (SELECT count(*) FROM spans s LEFT JOIN nothing o ON o.x < s.lo AND o.x > s.hi);

-- name: three_tables
SELECT count(*), sum(a.id), sum(b.id) FROM points p JOIN spans a ON a.lo < p.x AND a.hi > p.x JOIN spans b ON b.lo > a.lo AND b.lo < a.hi;

-- name: sum_that_overflows
SELECT count(*) FROM points p JOIN spans s ON p.x + 1 < s.lo;

-- name: range_join_in_correlated_subquery
SELECT p.id, (SELECT count(*) FROM spans a JOIN spans b ON a.lo < b.lo AND b.lo < a.hi + p.k) FROM points p WHERE p.id < 10 ORDER BY 1;

-- name: asof
SELECT t.qty, q.id, q.price FROM trades t JOIN LATERAL (SELECT * FROM quotes q WHERE q.sym = t.sym AND q.at <= t.at ORDER BY q.at DESC LIMIT 1) q ON true ORDER BY 1;

-- name: asof_left
SELECT t.qty, q.id, q.price FROM trades t LEFT JOIN LATERAL (SELECT * FROM quotes q WHERE q.sym = t.sym AND q.at <= t.at ORDER BY q.at DESC, q.id LIMIT 1) q ON true ORDER BY 1;

-- name: asof_later
SELECT t.qty, q.id, q.price FROM trades t LEFT JOIN LATERAL (SELECT * FROM quotes q WHERE q.sym = t.sym AND q.at > t.at ORDER BY q.at LIMIT 1) q ON true ORDER BY 1;

-- name: asof_at_all_costs
SELECT t.qty, q.id FROM trades t LEFT JOIN LATERAL (SELECT * FROM quotes q WHERE q.sym = t.sym ORDER BY q.at DESC NULLS LAST, q.id LIMIT 1) q ON true ORDER BY 1;

-- name: nulls_come_first
SELECT t.qty, q.id FROM trades t LEFT JOIN LATERAL (SELECT * FROM quotes q WHERE q.sym = t.sym ORDER BY q.at DESC, q.id LIMIT 1) q ON true ORDER BY 1;

-- name: asof_within_tolerance
SELECT t.qty, q.id FROM trades t LEFT JOIN LATERAL (SELECT * FROM quotes q WHERE q.sym = t.sym AND q.at <= t.at AND q.at > t.at - interval '3 minutes' ORDER BY q.at DESC LIMIT 1) q ON true ORDER BY 1;

-- name: asof_without_equality
SELECT t.qty, q.id FROM trades t LEFT JOIN LATERAL (SELECT * FROM quotes q WHERE q.at < t.at ORDER BY q.at DESC, q.size DESC, q.id LIMIT 1) q ON true ORDER BY 1;

-- name: asof_with_further_condition
SELECT t.qty, q.id FROM trades t LEFT JOIN LATERAL (SELECT * FROM quotes q WHERE q.sym = t.sym AND q.at <= t.at AND q.size <> t.qty % 6 ORDER BY q.at DESC LIMIT 1) q ON true ORDER BY 1;

-- name: asof_under_a_condition
SELECT t.qty, q.id FROM trades t JOIN LATERAL (SELECT * FROM quotes q WHERE q.sym = t.sym AND q.at <= t.at ORDER BY q.at DESC LIMIT 1) q ON q.size > 2 AND t.qty > 3 ORDER BY 1;

-- name: asof_left_under_a_condition
SELECT t.qty, q.id FROM trades t LEFT JOIN LATERAL (SELECT * FROM quotes q WHERE q.sym = t.sym AND q.at <= t.at ORDER BY q.at DESC LIMIT 1) q ON q.size > 2 ORDER BY 1;

-- name: asof_filtered_above
SELECT t.qty, q.id FROM trades t LEFT JOIN LATERAL (SELECT * FROM quotes q WHERE q.sym = t.sym AND q.at <= t.at ORDER BY q.at DESC LIMIT 1) q ON true WHERE q.size = 2 OR q.id IS NULL ORDER BY 1;

-- name: asof_value
SELECT qty, (SELECT price FROM quotes q WHERE q.sym = t.sym AND q.at <= t.at ORDER BY q.at DESC LIMIT 1) FROM trades t ORDER BY 1;

-- name: asof_value_of_both
SELECT qty, (SELECT price * t.qty FROM quotes q WHERE q.sym = t.sym AND q.at <= t.at ORDER BY q.at DESC LIMIT 1), (SELECT coalesce(q.size, -1) FROM quotes q WHERE q.at >= t.at ORDER BY q.at, q.id LIMIT 1) FROM trades t ORDER BY 1;

-- name: asof_value_that_may_fail
SELECT qty, (SELECT 100 / (q.size - 1) FROM quotes q WHERE q.sym = t.sym AND q.size <> 1 AND q.at <= t.at ORDER BY q.at DESC LIMIT 1) FROM trades t ORDER BY 1;

-- name: asof_ordered_by_text
SELECT qty, (SELECT q.sym FROM quotes q WHERE q.sym <= t.sym ORDER BY q.sym DESC LIMIT 1) FROM trades t ORDER BY 1;

-- name: asof_ordered_by_numeric
SELECT qty, (SELECT q.id FROM quotes q WHERE q.price <= t.qty ORDER BY q.price DESC LIMIT 1) FROM trades t ORDER BY 1;

-- name: any_row
SELECT qty, (SELECT 1 FROM quotes q WHERE q.sym = t.sym AND q.at < t.at LIMIT 1) FROM trades t ORDER BY 1;

-- name: any_row_as_table
SELECT qty, one FROM trades t, LATERAL (SELECT 1 AS one FROM quotes q WHERE q.sym = t.sym AND q.at < t.at LIMIT 1) AS found ORDER BY 1;

-- name: first_of_groups
SELECT qty, (SELECT count(*) FROM quotes q WHERE q.sym < t.sym GROUP BY q.size ORDER BY q.size LIMIT 1) FROM trades t ORDER BY 1;

-- name: first_row_of_nothing
SELECT qty, (SELECT x FROM nothing o WHERE o.t <= t.at ORDER BY o.t DESC LIMIT 1) FROM trades t ORDER BY 1;

-- name: asof_inside_exists
SELECT qty FROM trades t WHERE EXISTS (SELECT 1 FROM points p WHERE p.id = t.qty AND (SELECT s.id FROM spans s WHERE s.k = p.k AND s.lo <= p.x ORDER BY s.lo DESC LIMIT 1) > t.qty % 20) ORDER BY 1;

-- name: asof_of_asof
SELECT t.qty, a.id, b.id FROM trades t LEFT JOIN LATERAL (SELECT * FROM quotes q WHERE q.sym = t.sym AND q.at <= t.at ORDER BY q.at DESC LIMIT 1) a ON true
  LEFT JOIN LATERAL (SELECT * FROM quotes q WHERE q.sym = a.sym AND q.at < a.at ORDER BY q.at DESC LIMIT 1) b ON true ORDER BY 1;

-- name: two_rows
SELECT t.qty, q.id FROM trades t JOIN LATERAL (SELECT * FROM quotes q WHERE q.sym = t.sym AND q.at <= t.at ORDER BY q.at DESC LIMIT 2) q ON true ORDER BY 1, 2;

-- name: bounds_that_fail_but_for_another_condition
SELECT count(*) FROM points p JOIN spans s ON p.x < 100 AND p.x > -100 AND s.lo < p.x + 1 AND s.lo >= p.x - 1;

-- name: keys_that_fail_but_for_another_condition
SELECT count(*), sum(p.id * s.id) FROM spans s JOIN points p ON s.hi < 100 AND p.x < 40 AND p.x > -2 AND s.lo < p.x + 1 AND s.lo >= p.x - 1 AND s.k = p.k;

-- name: windows_of_time
SELECT p.id, s.id FROM points p JOIN spans s ON p.t BETWEEN s.t - interval '90 minutes' AND s.t + interval '90 minutes' ORDER BY 1, 2;

-- name: windows_of_time_of_the_other_table
SELECT p.id, s.id FROM spans s JOIN points p ON p.t BETWEEN s.t - interval '90 minutes' AND s.t + interval '90 minutes' WHERE s.id < 8 ORDER BY 1, 2;

-- name: multiples
SELECT count(*), sum(p.id * s.id) FROM points p LEFT JOIN spans s ON s.f * 2 > p.f AND s.f * 2 < p.f + 3;
