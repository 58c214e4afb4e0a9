-- Window functions: ties, NULL keys, several partitions, no rows, frames of all modes, exclusions, named windows.
-- setup
CREATE TABLE w (id int, g text, k int, n numeric(10,2), f float8, r float4, s smallint, l bigint, t text, d date, ts timestamp,
  tz timestamptz, iv interval, tm time, b bool) USING mergetree;
INSERT INTO w VALUES
  (1, 'a', 1, 1.50, 1.5, 0.1, 1, 10, 'one', '2024-01-01', '2024-01-01 10:00', '2024-01-01 10:00+00', '1 day', '10:00', true),
  (2, 'a', 1, 2.25, 2.5, 0.2, 1, 20, 'two', '2024-01-02', '2024-01-01 11:00', '2024-01-02 11:00+00', '24 hours', '10:30', false),
  (3, 'a', 2, NULL, NULL, 0.3, 2, NULL, NULL, '2024-01-04', '2024-01-02 10:00', '2024-03-30 10:00+00', '2 days', '11:00', NULL),
  (4, 'a', 4, 4.00, 4, NULL, 4, 40, 'a much longer text than fits in place', '2024-01-31', '2024-01-05 10:00', '2024-03-31 10:00+00', '1 mon', '23:30', true),
  (5, 'a', NULL, 5.10, 5, 0.5, NULL, 50, 'five', NULL, NULL, NULL, NULL, NULL, true),
  (6, 'a', NULL, -6.00, -6, 0.6, NULL, -60, 'six', NULL, NULL, NULL, NULL, NULL, false),
  (7, 'b', 3, 7.00, 7, 0.7, 3, 70, 'seven', '2024-02-29', '2024-02-29 00:00', '2024-10-27 00:00+00', '-1 day', '00:00', true),
  (8, 'b', 3, 7.000, 7, 0.8, 3, 70, 'seven', '2024-03-01', '2024-03-01 00:00', '2024-10-28 00:00+00', '00:00', '00:15', true),
  (9, 'b', -3, 0.01, 'NaN', 0.9, -3, 9223372036854775807, '', '2023-12-31', '2023-12-31 23:59', '2023-12-31 23:59+00', '1 mon -1 day', '12:00', NULL),
  (10, NULL, 5, 100, 'Infinity', 1e10, 5, -9223372036854775808, 'ten', '2024-12-31', '2024-12-31 12:00', '2024-12-31 12:00+00', '1 year', '23:59:59', false),
  (11, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (12, 'c', 8, 12345678.90, '-Infinity', -1e10, 32767, 0, 'twelve', '2024-05-05', '2024-05-05 05:05', '2024-05-05 05:05+00', '3 hours', '05:05', true);
CREATE TABLE nothing (id int, k int, t text) USING mergetree;
CREATE TABLE many (id int, p int, v int, x numeric(8,3), y float8, t text) USING mergetree;
INSERT INTO many SELECT i, i % 7, i * 7919 % 1000, (i * 104729 % 100000)::numeric / 1000, (i * 31 % 977) / 8.0, 't' || i % 50 FROM generate_series(1, 200) i;

-- name: row_number
SELECT id, row_number() OVER (ORDER BY id DESC) FROM w ORDER BY id;

-- name: row_number_by_partition
SELECT id, row_number() OVER (PARTITION BY g ORDER BY k, id) FROM w ORDER BY id;

-- name: row_number_of_one_partition
SELECT id, row_number() OVER (PARTITION BY g ORDER BY k DESC NULLS LAST, id) FROM w WHERE g = 'a' ORDER BY id;

-- name: ranks
SELECT id, k, rank() OVER w1, dense_rank() OVER w1, percent_rank() OVER w1, cume_dist() OVER w1 FROM w WINDOW w1 AS
  (ORDER BY k) ORDER BY id;

-- name: ranks_by_partition
SELECT id, g, k, rank() OVER w1, dense_rank() OVER w1, percent_rank() OVER w1, cume_dist() OVER w1 FROM w WINDOW w1 AS
  (PARTITION BY g ORDER BY k) ORDER BY id;

-- name: ranks_nulls_first
SELECT id, k, rank() OVER (ORDER BY k DESC), rank() OVER (ORDER BY k NULLS FIRST), dense_rank() OVER (ORDER BY k DESC
  NULLS LAST) FROM w ORDER BY id;

-- name: ranks_without_order
SELECT id, rank() OVER (PARTITION BY g), dense_rank() OVER (), percent_rank() OVER (), cume_dist() OVER (PARTITION BY g)
  FROM w ORDER BY id;

-- name: ranks_over_text_keys
SELECT id, rank() OVER (ORDER BY t), dense_rank() OVER (ORDER BY t DESC) FROM w ORDER BY id;

-- name: ranks_over_numeric_keys
SELECT id, rank() OVER (ORDER BY n), dense_rank() OVER (PARTITION BY n ORDER BY id) FROM w ORDER BY id;

-- name: ranks_over_float_keys
SELECT id, rank() OVER (ORDER BY f), dense_rank() OVER (ORDER BY f DESC, k) FROM w ORDER BY id;

-- name: ranks_over_interval_keys
SELECT id, rank() OVER (ORDER BY iv), dense_rank() OVER (ORDER BY iv DESC) FROM w ORDER BY id;

-- name: ranks_over_boolean_keys
SELECT id, rank() OVER (PARTITION BY b ORDER BY g) FROM w ORDER BY id;

-- name: ranks_over_expressions
SELECT id, rank() OVER (PARTITION BY k % 2 ORDER BY abs(k), upper(t)) FROM w ORDER BY id;

-- name: ranks_over_several_keys
SELECT id, rank() OVER (ORDER BY g, k DESC, b), dense_rank() OVER (ORDER BY b, g) FROM w ORDER BY id;

-- name: negative_zero_is_a_peer
SELECT x, rank() OVER (ORDER BY x) FROM (VALUES (0.0::float8), ('-0'), (1), ('NaN'), ('NaN')) v (x);

-- name: ntile
SELECT id, ntile(3) OVER (ORDER BY id), ntile(5) OVER (ORDER BY id DESC), ntile(100) OVER (ORDER BY id), ntile(1) OVER
  (ORDER BY id) FROM w ORDER BY id;

-- name: ntile_by_partition
SELECT id, ntile(2) OVER (PARTITION BY g ORDER BY id), ntile(4) OVER (PARTITION BY g ORDER BY id) FROM w ORDER BY id;

-- name: ntile_of_null
SELECT id, ntile(NULL) OVER (ORDER BY id) FROM w ORDER BY id;

-- name: ntile_by_column
SELECT id, ntile(k) OVER (PARTITION BY g ORDER BY id) FROM w WHERE k > 0 OR k IS NULL ORDER BY id;

-- name: ntile_begins_behind_null
SELECT x, ntile(x) OVER (ORDER BY y) FROM (VALUES (NULL::int, 1), (2, 2), (3, 3), (NULL, 4), (5, 5), (5, 6)) v (x, y);

-- name: ntile_of_zero
SELECT ntile(0) OVER (ORDER BY id) FROM w;

-- name: ntile_of_negative
SELECT ntile(-1) OVER (ORDER BY id) FROM w;

-- name: ntile_of_zero_without_rows
SELECT ntile(0) OVER (ORDER BY id) FROM nothing;

-- name: lag_and_lead
SELECT id, lag(k) OVER (ORDER BY id), lead(k) OVER (ORDER BY id), lag(t) OVER (PARTITION BY g ORDER BY id), lead(n) OVER
  (PARTITION BY g ORDER BY id) FROM w ORDER BY id;

-- name: lag_by_distance
SELECT id, lag(id, 2) OVER (ORDER BY id), lag(id, 0) OVER (ORDER BY id), lag(id, -1) OVER (ORDER BY id), lead(id, 100)
  OVER (ORDER BY id), lead(id, -2147483648) OVER (ORDER BY id) FROM w ORDER BY id;

-- name: lag_by_null
SELECT id, lag(id, NULL) OVER (ORDER BY id), lag(id, NULL, 7) OVER (ORDER BY id) FROM w ORDER BY id;

-- name: lag_by_column
SELECT id, lag(id, k) OVER (ORDER BY id), lead(id, k, -1) OVER (PARTITION BY g ORDER BY id) FROM w ORDER BY id;

-- name: lag_with_default
SELECT id, lag(t, 1, 'none') OVER (PARTITION BY g ORDER BY id), lead(k, 2, id) OVER (ORDER BY id), lag(n, 1, 0) OVER
  (ORDER BY id) FROM w ORDER BY id;

-- name: lag_with_default_of_common_type
SELECT id, lag(id, 1, 0.5) OVER (ORDER BY id), pg_typeof(lag(k, 1, 1.5) OVER (ORDER BY id)) FROM w ORDER BY id;

-- name: lag_with_null_default
SELECT id, lag(k, 1, NULL) OVER (ORDER BY id) FROM w ORDER BY id;

-- name: lag_of_expression
SELECT id, id - lag(id) OVER (ORDER BY id DESC), lag(k + 1) OVER (ORDER BY id) * 2 FROM w ORDER BY id;

-- name: lag_of_types
SELECT id, lag(d) OVER o, lag(ts) OVER o, lag(iv) OVER o, lag(tm) OVER o, lag(b) OVER o, lag(f) OVER o, lag(r) OVER o,
  lag(s) OVER o, lag(l) OVER o FROM w WINDOW o AS (ORDER BY id) ORDER BY id;

-- name: first_and_last_value
SELECT id, first_value(t) OVER o, last_value(t) OVER o, first_value(k) OVER o, last_value(k) OVER o FROM w WINDOW o AS
  (PARTITION BY g ORDER BY k, id) ORDER BY id;

-- name: last_value_includes_peers
SELECT id, k, last_value(k) OVER (ORDER BY k), count(*) OVER (ORDER BY k) FROM w ORDER BY id;

-- name: first_value_of_whole_partition
SELECT id, first_value(id) OVER (PARTITION BY g ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING),
  last_value(id) OVER (PARTITION BY g ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM w ORDER
  BY id;

-- name: nth_value
SELECT id, nth_value(t, 2) OVER o, nth_value(id, 1) OVER o, nth_value(id, 5) OVER o, nth_value(id, NULL) OVER o FROM w
  WINDOW o AS (ORDER BY id) ORDER BY id;

-- name: nth_value_by_column
SELECT id, nth_value(id, abs(k)) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 5 FOLLOWING) FROM w ORDER BY id;

-- name: nth_value_of_zero
SELECT nth_value(id, 0) OVER (ORDER BY id) FROM w;

-- name: nth_value_of_negative_column
SELECT nth_value(id, k) OVER (ORDER BY id) FROM w;

-- name: values_of_empty_frames
SELECT id, first_value(id) OVER o, last_value(id) OVER o, nth_value(id, 1) OVER o, count(*) OVER o, sum(id) OVER o FROM
  w WINDOW o AS (ORDER BY id ROWS BETWEEN 20 FOLLOWING AND 30 FOLLOWING) ORDER BY id;

-- name: running_sums (float)
SELECT id, sum(id) OVER o, sum(k) OVER o, sum(n) OVER o, sum(s) OVER o, sum(l) OVER o, sum(f) OVER o FROM w WINDOW o AS
  (ORDER BY id) ORDER BY id;

-- name: running_means (float)
SELECT id, avg(id) OVER o, avg(k) OVER o, avg(n) OVER o, avg(r) OVER o FROM w WINDOW o AS (ORDER BY id) ORDER BY id;

-- name: running_sum_of_float4
SELECT id, sum(r) OVER (ORDER BY id), sum(r) OVER (ORDER BY id ROWS 1 PRECEDING) FROM w ORDER BY id;

-- name: running_aggregates_by_partition
SELECT id, sum(k) OVER o, count(k) OVER o, min(t) OVER o, max(t) OVER o, min(n) OVER o, max(d) OVER o, bool_and(b) OVER
  o, bool_or(b) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY id) ORDER BY id;

-- name: whole_partitions
SELECT id, sum(k) OVER o, count(*) OVER o, min(t) OVER o, max(t) OVER o, avg(n) OVER o, max(f) OVER o, min(iv) OVER o
  FROM w WINDOW o AS (PARTITION BY g) ORDER BY id;

-- name: whole_table
SELECT id, count(*) OVER (), sum(k) OVER (), max(t) OVER (), min(ts) OVER () FROM w ORDER BY id;

-- name: count_of_nothing_but_rows
SELECT count(*) OVER () FROM w;

-- name: variances (float)
SELECT id, stddev(k) OVER o, variance(n) OVER o, var_pop(f) OVER o, stddev_samp(id) OVER o FROM w WHERE id < 9 WINDOW o
  AS (ORDER BY id ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) ORDER BY id;

-- name: regression (float)
SELECT id, corr(id, k) OVER o, regr_slope(id, k) OVER o, covar_pop(id, k) OVER o FROM w WINDOW o AS (ORDER BY id) ORDER
  BY id;

-- name: bit_aggregates
SELECT id, bit_and(k) OVER o, bit_or(k) OVER o, bit_xor(k) OVER o FROM w WINDOW o AS (ORDER BY id ROWS 2 PRECEDING)
  ORDER BY id;

-- name: string_agg_running
SELECT id, string_agg(t, '|') OVER (PARTITION BY g ORDER BY id) FROM w ORDER BY id;

-- name: string_agg_sliding
SELECT id, string_agg(t, '|') OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING), string_agg(id::text, ',')
  FILTER (WHERE b) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING EXCLUDE CURRENT ROW) FROM w ORDER BY id;

-- name: sum_of_intervals
SELECT id, sum(iv) OVER (ORDER BY id), avg(iv) OVER (ORDER BY id ROWS 2 PRECEDING) FROM w ORDER BY id;

-- name: filter
SELECT id, count(*) FILTER (WHERE b) OVER (ORDER BY id), sum(k) FILTER (WHERE k > 1) OVER (PARTITION BY g), sum(id)
  FILTER (WHERE NULL) OVER (ORDER BY id) FROM w ORDER BY id;

-- name: filter_guards_arguments
SELECT id, sum(10 / k) FILTER (WHERE k <> 0) OVER (ORDER BY id) FROM (SELECT id, k - 1 AS k FROM w) v ORDER BY id;

-- name: overflow_in_a_frame
SELECT sum(x) OVER (ORDER BY y) FROM (VALUES (1.7e308::float8, 1), (1.7e308, 2)) v (x, y);

-- name: infinite_summands_leave_the_frame (float)
SELECT id, sum(f) OVER (ORDER BY id ROWS 1 PRECEDING) FROM w ORDER BY id;

-- name: scale_of_sums_in_sliding_frames
SELECT y, sum(x) OVER (ORDER BY y ROWS 1 PRECEDING), avg(x) OVER (ORDER BY y ROWS 1 PRECEDING) FROM (VALUES (1.50, 1),
  (2.123456, 2), (3, 3), (4, 4), ('NaN', 5), (6, 6), (7, 7)) v (x, y);

-- name: rows_frame_1
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS UNBOUNDED PRECEDING) ORDER BY id;

-- name: rows_frame_2
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS 1 PRECEDING) ORDER BY id;

-- name: rows_frame_3
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS CURRENT ROW) ORDER BY id;

-- name: rows_frame_4
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS 0 PRECEDING) ORDER BY id;

-- name: rows_frame_5
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) ORDER BY id;

-- name: rows_frame_6
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING) ORDER BY id;

-- name: rows_frame_7
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) ORDER BY id;

-- name: rows_frame_8
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) ORDER BY id;

-- name: rows_frame_9
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) ORDER BY id;

-- name: rows_frame_10
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING) ORDER BY id;

-- name: rows_frame_11
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) ORDER BY id;

-- name: rows_frame_12
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) ORDER BY id;

-- name: rows_frame_13
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS BETWEEN 1 PRECEDING AND 2 PRECEDING) ORDER BY id;

-- name: rows_frame_14
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS BETWEEN 3 FOLLOWING AND 1 FOLLOWING) ORDER BY id;

-- name: rows_frame_15
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(id) OVER o, last_value(id)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k, id ROWS BETWEEN 9223372036854775807 PRECEDING AND
  9223372036854775807 FOLLOWING) ORDER BY id;

-- name: groups_frame_1
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS UNBOUNDED PRECEDING) ORDER BY id;

-- name: groups_frame_2
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS 1 PRECEDING) ORDER BY id;

-- name: groups_frame_3
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS CURRENT ROW) ORDER BY id;

-- name: groups_frame_4
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS 0 PRECEDING) ORDER BY id;

-- name: groups_frame_5
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) ORDER BY id;

-- name: groups_frame_6
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING) ORDER BY id;

-- name: groups_frame_7
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS BETWEEN 2 PRECEDING AND 1 PRECEDING) ORDER BY id;

-- name: groups_frame_8
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING) ORDER BY id;

-- name: groups_frame_9
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) ORDER BY id;

-- name: groups_frame_10
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS BETWEEN CURRENT ROW AND 2 FOLLOWING) ORDER BY id;

-- name: groups_frame_11
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) ORDER BY id;

-- name: groups_frame_12
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) ORDER BY id;

-- name: groups_frame_13
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS BETWEEN 1 PRECEDING AND 2 PRECEDING) ORDER BY id;

-- name: groups_frame_14
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS BETWEEN 3 FOLLOWING AND 1 FOLLOWING) ORDER BY id;

-- name: groups_frame_15
SELECT id, g, k, sum(id) OVER o, count(k) OVER o, min(id) OVER o, max(k) OVER o, first_value(k) OVER o, last_value(k)
  OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k GROUPS BETWEEN 9223372036854775807 PRECEDING AND
  9223372036854775807 FOLLOWING) ORDER BY id;

-- name: exclude_current_row
SELECT id, k, sum(id) OVER o, count(*) OVER o, min(k) OVER o, max(id) OVER o FROM w WINDOW o AS (ORDER BY k RANGE
  BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) ORDER BY id;

-- name: exclude_current_row_of_rows
SELECT id, sum(id) OVER o, first_value(id) OVER o, last_value(id) OVER o, nth_value(id, 2) OVER o FROM w WINDOW o AS
  (PARTITION BY g ORDER BY k, id ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING EXCLUDE CURRENT ROW) ORDER BY id;

-- name: exclude_current_row_of_groups
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (ORDER BY k GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING
  EXCLUDE CURRENT ROW) ORDER BY id;

-- name: exclude_group
SELECT id, k, sum(id) OVER o, count(*) OVER o, min(k) OVER o, max(id) OVER o FROM w WINDOW o AS (ORDER BY k RANGE
  BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE GROUP) ORDER BY id;

-- name: exclude_group_of_rows
SELECT id, sum(id) OVER o, first_value(id) OVER o, last_value(id) OVER o, nth_value(id, 2) OVER o FROM w WINDOW o AS
  (PARTITION BY g ORDER BY k, id ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING EXCLUDE GROUP) ORDER BY id;

-- name: exclude_group_of_groups
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (ORDER BY k GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING
  EXCLUDE GROUP) ORDER BY id;

-- name: exclude_ties
SELECT id, k, sum(id) OVER o, count(*) OVER o, min(k) OVER o, max(id) OVER o FROM w WINDOW o AS (ORDER BY k RANGE
  BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE TIES) ORDER BY id;

-- name: exclude_ties_of_rows
SELECT id, sum(id) OVER o, first_value(id) OVER o, last_value(id) OVER o, nth_value(id, 2) OVER o FROM w WINDOW o AS
  (PARTITION BY g ORDER BY k, id ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING EXCLUDE TIES) ORDER BY id;

-- name: exclude_ties_of_groups
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (ORDER BY k GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING
  EXCLUDE TIES) ORDER BY id;

-- name: exclude_no_others
SELECT id, k, sum(id) OVER o, count(*) OVER o, min(k) OVER o, max(id) OVER o FROM w WINDOW o AS (ORDER BY k RANGE
  BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE NO OTHERS) ORDER BY id;

-- name: exclude_no_others_of_rows
SELECT id, sum(id) OVER o, first_value(id) OVER o, last_value(id) OVER o, nth_value(id, 2) OVER o FROM w WINDOW o AS
  (PARTITION BY g ORDER BY k, id ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING EXCLUDE NO OTHERS) ORDER BY id;

-- name: exclude_no_others_of_groups
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (ORDER BY k GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING
  EXCLUDE NO OTHERS) ORDER BY id;

-- name: exclude_without_order
SELECT id, sum(id) OVER (PARTITION BY g ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW),
  count(*) OVER (RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE GROUP), sum(id) OVER (RANGE UNBOUNDED
  PRECEDING EXCLUDE TIES) FROM w ORDER BY id;

-- name: exclude_outside_of_the_frame
SELECT id, sum(id) OVER (ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING EXCLUDE CURRENT ROW), sum(id) OVER (ORDER
  BY k GROUPS BETWEEN 1 FOLLOWING AND 1 FOLLOWING EXCLUDE TIES) FROM w ORDER BY id;

-- name: range_int
SELECT id, sum(id) OVER o, count(*) OVER o, max(k) OVER o FROM w WINDOW o AS (ORDER BY k RANGE BETWEEN 2 PRECEDING AND 2
  FOLLOWING) ORDER BY id;

-- name: range_int_descending
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k DESC RANGE BETWEEN 2 PRECEDING
  AND CURRENT ROW) ORDER BY id;

-- name: range_int2
SELECT id, sum(id) OVER o, count(*) OVER o, max(s) OVER o FROM w WINDOW o AS (ORDER BY s RANGE BETWEEN 2::int2 PRECEDING
  AND 2::int2 FOLLOWING) ORDER BY id;

-- name: range_int2_descending
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY s DESC RANGE BETWEEN 2::int2
  PRECEDING AND CURRENT ROW) ORDER BY id;

-- name: range_int_by_int8
SELECT id, sum(id) OVER o, count(*) OVER o, max(k) OVER o FROM w WINDOW o AS (ORDER BY k RANGE BETWEEN
  9223372036854775807 PRECEDING AND 9223372036854775807 FOLLOWING) ORDER BY id;

-- name: range_int_by_int8_descending
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY k DESC RANGE BETWEEN
  9223372036854775807 PRECEDING AND CURRENT ROW) ORDER BY id;

-- name: range_int8
SELECT id, sum(id) OVER o, count(*) OVER o, max(l) OVER o FROM w WINDOW o AS (ORDER BY l RANGE BETWEEN 15::int8
  PRECEDING AND 15::int8 FOLLOWING) ORDER BY id;

-- name: range_int8_descending
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY l DESC RANGE BETWEEN 15::int8
  PRECEDING AND CURRENT ROW) ORDER BY id;

-- name: range_numeric
SELECT id, sum(id) OVER o, count(*) OVER o, max(n) OVER o FROM w WINDOW o AS (ORDER BY n RANGE BETWEEN 2.5 PRECEDING AND
  2.5 FOLLOWING) ORDER BY id;

-- name: range_numeric_descending
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY n DESC RANGE BETWEEN 2.5
  PRECEDING AND CURRENT ROW) ORDER BY id;

-- name: range_float
SELECT id, sum(id) OVER o, count(*) OVER o, max(f) OVER o FROM w WINDOW o AS (ORDER BY f RANGE BETWEEN 1.5 PRECEDING AND
  1.5 FOLLOWING) ORDER BY id;

-- name: range_float_descending
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY f DESC RANGE BETWEEN 1.5
  PRECEDING AND CURRENT ROW) ORDER BY id;

-- name: range_float4
SELECT id, sum(id) OVER o, count(*) OVER o, max(r) OVER o FROM w WINDOW o AS (ORDER BY r RANGE BETWEEN 0.25 PRECEDING
  AND 0.25 FOLLOWING) ORDER BY id;

-- name: range_float4_descending
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY r DESC RANGE BETWEEN 0.25
  PRECEDING AND CURRENT ROW) ORDER BY id;

-- name: range_date
SELECT id, sum(id) OVER o, count(*) OVER o, max(d) OVER o FROM w WINDOW o AS (ORDER BY d RANGE BETWEEN '2 days'
  PRECEDING AND '2 days' FOLLOWING) ORDER BY id;

-- name: range_date_descending
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY d DESC RANGE BETWEEN '2 days'
  PRECEDING AND CURRENT ROW) ORDER BY id;

-- name: range_date_by_month
SELECT id, sum(id) OVER o, count(*) OVER o, max(d) OVER o FROM w WINDOW o AS (ORDER BY d RANGE BETWEEN '1 month'
  PRECEDING AND '1 month' FOLLOWING) ORDER BY id;

-- name: range_date_by_month_descending
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY d DESC RANGE BETWEEN '1 month'
  PRECEDING AND CURRENT ROW) ORDER BY id;

-- name: range_timestamp
SELECT id, sum(id) OVER o, count(*) OVER o, max(ts) OVER o FROM w WINDOW o AS (ORDER BY ts RANGE BETWEEN '1 day'
  PRECEDING AND '1 day' FOLLOWING) ORDER BY id;

-- name: range_timestamp_descending
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY ts DESC RANGE BETWEEN '1 day'
  PRECEDING AND CURRENT ROW) ORDER BY id;

-- name: range_timestamp_by_month
SELECT id, sum(id) OVER o, count(*) OVER o, max(ts) OVER o FROM w WINDOW o AS (ORDER BY ts RANGE BETWEEN '1 month'
  PRECEDING AND '1 month' FOLLOWING) ORDER BY id;

-- name: range_timestamp_by_month_descending
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY ts DESC RANGE BETWEEN '1 month'
  PRECEDING AND CURRENT ROW) ORDER BY id;

-- name: range_time
SELECT id, sum(id) OVER o, count(*) OVER o, max(tm) OVER o FROM w WINDOW o AS (ORDER BY tm RANGE BETWEEN '45 minutes'
  PRECEDING AND '45 minutes' FOLLOWING) ORDER BY id;

-- name: range_time_descending
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY tm DESC RANGE BETWEEN '45
  minutes' PRECEDING AND CURRENT ROW) ORDER BY id;

-- name: range_interval
SELECT id, sum(id) OVER o, count(*) OVER o, max(iv) OVER o FROM w WINDOW o AS (ORDER BY iv RANGE BETWEEN '1 day'
  PRECEDING AND '1 day' FOLLOWING) ORDER BY id;

-- name: range_interval_descending
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY iv DESC RANGE BETWEEN '1 day'
  PRECEDING AND CURRENT ROW) ORDER BY id;

-- name: range_float_by_infinity
SELECT id, sum(id) OVER o, count(*) OVER o, max(f) OVER o FROM w WINDOW o AS (ORDER BY f RANGE BETWEEN 'Infinity'
  PRECEDING AND 'Infinity' FOLLOWING) ORDER BY id;

-- name: range_float_by_infinity_descending
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (PARTITION BY g ORDER BY f DESC RANGE BETWEEN 'Infinity'
  PRECEDING AND CURRENT ROW) ORDER BY id;

-- name: range_timestamptz
-- with: TimeZone = 'Europe/Berlin'
SELECT id, sum(id) OVER o, count(*) OVER o FROM w WINDOW o AS (ORDER BY tz RANGE BETWEEN '1 day' PRECEDING AND '1 day'
  FOLLOWING) ORDER BY id;

-- name: range_behind
SELECT id, k, sum(id) OVER (ORDER BY k RANGE BETWEEN 1 FOLLOWING AND 3 FOLLOWING), sum(id) OVER (ORDER BY k RANGE
  BETWEEN 3 PRECEDING AND 1 PRECEDING), sum(id) OVER (ORDER BY k RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING),
  sum(id) OVER (ORDER BY k RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) FROM w ORDER BY id;

-- name: range_nulls_first
SELECT id, k, sum(id) OVER (ORDER BY k NULLS FIRST RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING), sum(id) OVER (ORDER BY k
  NULLS FIRST RANGE BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING), count(*) OVER (ORDER BY k DESC RANGE BETWEEN 100
  FOLLOWING AND UNBOUNDED FOLLOWING) FROM w ORDER BY id;

-- name: range_of_current_row
SELECT id, k, count(*) OVER (ORDER BY k RANGE CURRENT ROW), sum(id) OVER (ORDER BY k RANGE BETWEEN CURRENT ROW AND
  UNBOUNDED FOLLOWING), count(*) OVER (RANGE CURRENT ROW) FROM w ORDER BY id;

-- name: range_by_expression
SELECT id, sum(id) OVER (ORDER BY k * 2 RANGE 1 + 1 PRECEDING), count(*) OVER (ORDER BY d + 1 RANGE interval '1 day' * 2
  PRECEDING) FROM w ORDER BY id;

-- name: negative_range
SELECT sum(id) OVER (ORDER BY k RANGE -1 PRECEDING) FROM w;

-- name: negative_interval_range
SELECT sum(id) OVER (ORDER BY d RANGE '-1 day' PRECEDING) FROM w;

-- name: nan_range
SELECT sum(id) OVER (ORDER BY f RANGE 'NaN' PRECEDING) FROM w;

-- name: null_range
SELECT sum(id) OVER (ORDER BY k RANGE NULL PRECEDING) FROM w;

-- name: negative_rows
SELECT sum(id) OVER (ORDER BY k ROWS -1 PRECEDING) FROM w;

-- name: negative_rows_at_the_end
SELECT sum(id) OVER (ORDER BY k ROWS BETWEEN CURRENT ROW AND -1 FOLLOWING) FROM w;

-- name: null_rows
SELECT sum(id) OVER (ORDER BY k ROWS NULL PRECEDING) FROM w;

-- name: null_rows_at_the_end
SELECT sum(id) OVER (ORDER BY k ROWS BETWEEN CURRENT ROW AND NULL FOLLOWING) FROM w;

-- name: negative_groups
SELECT sum(id) OVER (ORDER BY k GROUPS BETWEEN -1 PRECEDING AND CURRENT ROW) FROM w;

-- name: negative_rows_without_rows
SELECT sum(id) OVER (ORDER BY k ROWS -1 PRECEDING) FROM nothing;

-- name: offset_by_subquery
SELECT id, sum(id) OVER (ORDER BY id ROWS (SELECT 1) PRECEDING) FROM w ORDER BY id;

-- name: no_rows
SELECT id, row_number() OVER (), rank() OVER (ORDER BY k), ntile(2) OVER (ORDER BY k), lag(t) OVER (ORDER BY id),
  lead(t, 1, 'x') OVER (ORDER BY id), first_value(t) OVER (), sum(k) OVER (PARTITION BY t ORDER BY k RANGE 1 PRECEDING),
  string_agg(t, ',') OVER () FROM nothing;

-- name: one_row
SELECT row_number() OVER (), sum(x) OVER (), lag(x) OVER (ORDER BY x), percent_rank() OVER (ORDER BY x), cume_dist()
  OVER () FROM (VALUES (5)) v (x);

-- name: without_from
SELECT row_number() OVER (), count(*) OVER (), sum(3) OVER (ORDER BY 1);

-- name: over_groups
SELECT g, count(*), sum(count(*)) OVER (ORDER BY g), rank() OVER (ORDER BY count(*) DESC), sum(sum(k)) OVER () FROM w
  GROUP BY g ORDER BY g;

-- name: over_one_group
SELECT sum(count(*)) OVER (), row_number() OVER () FROM w;

-- name: over_groups_with_having
SELECT g, row_number() OVER (ORDER BY sum(k)) FROM w GROUP BY g HAVING count(*) > 1 ORDER BY g;

-- name: partition_by_group_key
SELECT g, b, count(*), sum(count(*)) OVER (PARTITION BY g), lag(count(*)) OVER (PARTITION BY g ORDER BY b) FROM w GROUP
  BY g, b ORDER BY g, b;

-- name: over_groups_with_filter
SELECT g, sum(count(*)) FILTER (WHERE g > 'a') OVER (ORDER BY g) FROM w GROUP BY g ORDER BY g;

-- name: filter_with_aggregate
SELECT g, sum(count(*)) FILTER (WHERE count(*) > 2) OVER (ORDER BY g) FROM w GROUP BY g ORDER BY g;

-- name: in_order_by (exact)
SELECT id FROM w ORDER BY row_number() OVER (ORDER BY id DESC);

-- name: in_order_by_beside_others (exact)
SELECT id, k FROM w ORDER BY sum(id) OVER (PARTITION BY g) DESC, id;

-- name: by_alias_in_order_by (exact)
SELECT id, rank() OVER (ORDER BY t) AS place FROM w ORDER BY place DESC, id;

-- name: in_expressions
SELECT id, CASE WHEN row_number() OVER (ORDER BY id) % 2 = 0 THEN 'even' ELSE t END, coalesce(lag(k) OVER (ORDER BY id),
  0) + 1, n / sum(n) OVER (PARTITION BY g) FROM w ORDER BY id;

-- name: in_subquery
SELECT * FROM (SELECT id, g, row_number() OVER (PARTITION BY g ORDER BY id) AS place FROM w) v WHERE place <= 2 ORDER BY id;

-- name: filtered_by_partition
SELECT * FROM (SELECT id, g, sum(id) OVER (PARTITION BY g ORDER BY id) AS total, count(*) OVER (PARTITION BY g) FROM w)
  v WHERE g = 'a' AND total > 3 ORDER BY id;

-- name: filtered_by_one_of_two_partitions
SELECT * FROM (SELECT id, g, k, sum(id) OVER (PARTITION BY g ORDER BY id), count(*) OVER (PARTITION BY k) FROM w) v
  WHERE g = 'a' ORDER BY id;

-- name: filtered_by_order_key
SELECT * FROM (SELECT id, k, sum(id) OVER (ORDER BY k) FROM w) v WHERE k = 3 ORDER BY id;

-- name: unused_windows
SELECT count(*) FROM (SELECT id, rank() OVER (ORDER BY k) FROM w) v;

-- name: distinct
SELECT DISTINCT count(*) OVER (PARTITION BY g), g FROM w ORDER BY g;

-- name: limit (exact)
SELECT id, sum(id) OVER (ORDER BY id) FROM w ORDER BY id LIMIT 3 OFFSET 2;

-- name: named_windows
SELECT id, sum(id) OVER a, sum(id) OVER (a ORDER BY id), sum(id) OVER c, sum(id) OVER (d ROWS 1 PRECEDING) FROM w WINDOW
  a AS (PARTITION BY g), c AS (a ORDER BY k, id ROWS 1 PRECEDING), d AS (a ORDER BY id DESC) ORDER BY id;

-- name: window_of_a_frame_by_name
SELECT id, sum(id) OVER c FROM w WINDOW c AS (ORDER BY id ROWS 1 PRECEDING) ORDER BY id;

-- name: unused_named_window
SELECT id FROM w WINDOW a AS (PARTITION BY g) ORDER BY id;

-- name: several_windows
SELECT id, row_number() OVER (ORDER BY id), rank() OVER (ORDER BY k), sum(k) OVER (PARTITION BY g ORDER BY id), max(n)
  OVER (PARTITION BY b), lead(t) OVER (ORDER BY id DESC), count(*) OVER () FROM w ORDER BY id;

-- name: windows_sharing_an_order
SELECT id, sum(id) OVER (PARTITION BY g ORDER BY id), sum(id) OVER (PARTITION BY g ORDER BY id ROWS 1 PRECEDING),
  count(*) OVER (PARTITION BY g), row_number() OVER (PARTITION BY g, k ORDER BY id) FROM w ORDER BY id;

-- name: order_of_rows_is_the_windows (exact)
SELECT id, row_number() OVER (PARTITION BY g ORDER BY k, id) FROM w;

-- name: numbers_in_order_by_are_constants
SELECT id, rank() OVER (ORDER BY 1), row_number() OVER (PARTITION BY 1 ORDER BY id) FROM w ORDER BY id;

-- name: literals_as_keys
SELECT id, count(*) OVER (PARTITION BY 'x' ORDER BY NULL) FROM w ORDER BY id;

-- name: over_values
SELECT x, lag(x) OVER (ORDER BY x), sum(x) OVER (ORDER BY x DESC) FROM (VALUES (3), (1), (2)) v (x) ORDER BY x;

-- name: over_series
SELECT i, sum(i) OVER (ORDER BY i ROWS 2 PRECEDING), ntile(4) OVER (ORDER BY i) FROM generate_series(1, 10) i ORDER BY i;

-- name: window_in_scalar_subquery
SELECT id, (SELECT max(r) FROM (SELECT row_number() OVER () AS r FROM w) v) FROM w ORDER BY id;

-- name: any_value_over
SELECT id, any_value(id) OVER (ORDER BY id) FROM w ORDER BY id;

-- name: type_of_functions
SELECT pg_typeof(row_number() OVER ()), pg_typeof(ntile(1) OVER ()), pg_typeof(cume_dist() OVER ()), pg_typeof(lag('x')
  OVER ()), pg_typeof(sum(k) OVER ()) FROM w LIMIT 1;

-- name: many_ranks
SELECT sum(a), sum(b), sum(c), sum(d) FROM (SELECT row_number() OVER (PARTITION BY p ORDER BY id) a, rank() OVER (ORDER
  BY v) b, dense_rank() OVER (PARTITION BY p ORDER BY t) c, ntile(13) OVER (PARTITION BY t ORDER BY id) d FROM many) q;

-- name: many_running_sums
SELECT id, sum(v) OVER (PARTITION BY p ORDER BY id), sum(x) OVER (ORDER BY id), count(*) OVER (PARTITION BY t ORDER BY
  v) FROM many ORDER BY id;

-- name: many_sliding_sums
SELECT id, sum(v) OVER o, count(*) OVER o FROM many WHERE id <= 120 WINDOW o AS (ORDER BY id ROWS BETWEEN 45 PRECEDING
  AND 40 FOLLOWING) ORDER BY id;

-- name: many_sliding_means
SELECT id, avg(x) OVER o FROM many WHERE id <= 120 WINDOW o AS (ORDER BY id ROWS BETWEEN 45 PRECEDING AND 40 FOLLOWING)
  ORDER BY id;

-- name: many_sliding_texts
SELECT id, max(t) OVER o FROM many WHERE id <= 120 WINDOW o AS (ORDER BY id ROWS BETWEEN 45 PRECEDING AND 40 FOLLOWING)
  ORDER BY id;

-- name: many_sliding_deviations (float)
SELECT id, stddev(y) OVER o FROM many WHERE id <= 120 WINDOW o AS (ORDER BY id ROWS BETWEEN 45 PRECEDING AND 40
  FOLLOWING) ORDER BY id;

-- name: many_shrinking_frames
SELECT id, sum(v) OVER o, max(x) OVER o, min(t) OVER o FROM many WINDOW o AS (ORDER BY id ROWS BETWEEN CURRENT ROW AND
  UNBOUNDED FOLLOWING) ORDER BY id;

-- name: many_excluding
SELECT id, sum(v) OVER o, min(t) OVER o, count(*) OVER o FROM many WINDOW o AS (ORDER BY v RANGE BETWEEN 100 PRECEDING
  AND 300 FOLLOWING EXCLUDE TIES) ORDER BY id;

-- name: many_excluding_the_row
SELECT id, sum(v) OVER o, max(v) OVER o FROM many WINDOW o AS (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
  EXCLUDE CURRENT ROW) ORDER BY id;

-- name: many_neighbours
SELECT id, lag(t, 20, 'none') OVER (PARTITION BY p ORDER BY id), lead(x, 7) OVER (ORDER BY v, id), nth_value(t, 17) OVER
  (PARTITION BY p ORDER BY id) FROM many ORDER BY id;

-- name: distinct_aggregate
SELECT count(DISTINCT k) OVER () FROM w;

-- name: ordered_aggregate
SELECT string_agg(t, ',' ORDER BY id) OVER () FROM w;

-- name: ordered_set_aggregate
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY k) OVER () FROM w;

-- name: nested_windows
SELECT sum(row_number() OVER ()) OVER () FROM w;

-- name: window_in_an_aggregate
SELECT sum(row_number() OVER ()) FROM w;

-- name: window_in_where
SELECT id FROM w WHERE row_number() OVER () = 1;

-- name: window_in_having
SELECT count(*) FROM w HAVING row_number() OVER () = 1;

-- name: window_in_group_by
SELECT count(*) FROM w GROUP BY rank() OVER ();

-- name: window_in_group_by_position
SELECT rank() OVER (), count(*) FROM w GROUP BY 1;

-- name: window_in_limit
SELECT id FROM w LIMIT row_number() OVER ();

-- name: window_in_values
VALUES (row_number() OVER ());

-- name: window_in_window
SELECT rank() OVER (ORDER BY rank() OVER ()) FROM w;

-- name: ungrouped_window_key
SELECT count(*), rank() OVER (ORDER BY id) FROM w GROUP BY g;

-- name: unknown_window
SELECT rank() OVER nowhere FROM w;

-- name: window_defined_twice
SELECT rank() OVER a FROM w WINDOW a AS (), a AS ();

-- name: insert_of_windows
SELECT a FROM (SELECT row_number() OVER (ORDER BY id) AS a FROM w) q WHERE a BETWEEN 3 AND 5 ORDER BY a;

-- name: range_offsets_of_another_integer_type
SELECT i2, i4, i8, sum(i2) OVER (ORDER BY i2 RANGE BETWEEN 2 PRECEDING AND CURRENT ROW), sum(i2) OVER (ORDER BY i2 RANGE BETWEEN 2::int8 PRECEDING AND 40000::int8 FOLLOWING), sum(i2) OVER (ORDER BY i4 RANGE BETWEEN 1::int2 PRECEDING AND 1::int8 FOLLOWING), sum(i2) OVER (ORDER BY i8 RANGE '2' PRECEDING), sum(i2) OVER (ORDER BY i8 RANGE 1 PRECEDING), sum(i2) OVER (ORDER BY i2 RANGE '1' PRECEDING) FROM (VALUES (1::int2, 5, 7::int8), (2::int2, 6, 8), (4::int2, 4, 9), (NULL, NULL, NULL), (32767::int2, 2147483647, 9223372036854775807), ((-32768)::int2, -2147483648, -9223372036854775808)) v (i2, i4, i8) ORDER BY i2;

-- name: infinite_distances
SELECT id, sum(id) OVER (ORDER BY n RANGE BETWEEN 'infinity' PRECEDING AND 'infinity' PRECEDING), sum(id) OVER (ORDER BY n RANGE BETWEEN 'infinity' FOLLOWING AND 'infinity' FOLLOWING), sum(id) OVER (ORDER BY n RANGE BETWEEN 'infinity' PRECEDING AND 'infinity' FOLLOWING), sum(id) OVER (ORDER BY t RANGE BETWEEN 'infinity' PRECEDING AND 'infinity' PRECEDING), sum(id) OVER (ORDER BY t RANGE BETWEEN 'infinity' FOLLOWING AND 'infinity' FOLLOWING), sum(id) OVER (ORDER BY t RANGE BETWEEN 'infinity' PRECEDING AND 'infinity' FOLLOWING), sum(id) OVER (ORDER BY i RANGE BETWEEN 'infinity' PRECEDING AND 'infinity' PRECEDING), sum(id) OVER (ORDER BY i RANGE BETWEEN 'infinity' FOLLOWING AND 'infinity' FOLLOWING), sum(id) OVER (ORDER BY i RANGE BETWEEN 'infinity' PRECEDING AND 'infinity' FOLLOWING) FROM (VALUES (1, '-infinity'::numeric, '-infinity'::timestamp, '-infinity'::interval), (2, 1, '2020-01-01', '1 day'), (4, 'infinity', 'infinity', 'infinity'), (8, 'NaN', '2020-01-02', '2 days'), (16, NULL, NULL, NULL)) v (id, n, t, i) ORDER BY id;

-- name: infinite_distances_descending
SELECT id, sum(id) OVER (ORDER BY n DESC RANGE BETWEEN 'infinity' PRECEDING AND 'infinity' PRECEDING), sum(id) OVER (ORDER BY n DESC RANGE BETWEEN 'infinity' FOLLOWING AND 'infinity' FOLLOWING), sum(id) OVER (ORDER BY n DESC RANGE BETWEEN 'infinity' PRECEDING AND 'infinity' FOLLOWING), sum(id) OVER (ORDER BY t DESC RANGE BETWEEN 'infinity' PRECEDING AND 'infinity' PRECEDING), sum(id) OVER (ORDER BY t DESC RANGE BETWEEN 'infinity' FOLLOWING AND 'infinity' FOLLOWING), sum(id) OVER (ORDER BY t DESC RANGE BETWEEN 'infinity' PRECEDING AND 'infinity' FOLLOWING), sum(id) OVER (ORDER BY i DESC RANGE BETWEEN 'infinity' PRECEDING AND 'infinity' PRECEDING), sum(id) OVER (ORDER BY i DESC RANGE BETWEEN 'infinity' FOLLOWING AND 'infinity' FOLLOWING), sum(id) OVER (ORDER BY i DESC RANGE BETWEEN 'infinity' PRECEDING AND 'infinity' FOLLOWING) FROM (VALUES (1, '-infinity'::numeric, '-infinity'::timestamp, '-infinity'::interval), (2, 1, '2020-01-01', '1 day'), (4, 'infinity', 'infinity', 'infinity'), (8, 'NaN', '2020-01-02', '2 days'), (16, NULL, NULL, NULL)) v (id, n, t, i) ORDER BY id;

-- name: first_ranks_of_partitions
SELECT i, p, k, r FROM (SELECT i, p, k, rank() OVER (PARTITION BY p ORDER BY k DESC) AS r FROM (SELECT i, NULLIF('p' || i % 5, 'p3') AS p, NULLIF(i * 7 % 31, 4) / 10.0 AS k FROM generate_series(1, 200) AS g (i)) AS t) AS s WHERE r <= 4 ORDER BY i;

-- name: first_numbers_of_partitions
SELECT i, p, n FROM (SELECT i, p, row_number() OVER (PARTITION BY p, p < 2 ORDER BY t NULLS FIRST, i DESC) AS n FROM (SELECT i, NULLIF(i % 4, 1) AS p, NULLIF('a long text that begins alike ' || i % 13, 'a long text that begins alike 7') AS t FROM generate_series(1, 150) AS g (i)) AS t) AS s WHERE n < 4 AND i > 20 ORDER BY i;

-- name: first_rank_without_partitions
SELECT i, r, n FROM (SELECT i, rank() OVER w AS r, row_number() OVER w AS n FROM generate_series(1, 90) AS g (i) WINDOW w AS (ORDER BY i % 7 DESC, i)) AS s WHERE r <= 3 AND n < 5 ORDER BY i;

-- name: ranks_of_no_rows
SELECT i FROM (SELECT i, rank() OVER (ORDER BY i) AS r FROM generate_series(1, 0) AS g (i)) AS s WHERE r < 1;

-- name: ranks_that_no_row_has
SELECT i FROM (SELECT i, rank() OVER (PARTITION BY i % 3 ORDER BY i) AS r FROM generate_series(1, 90) AS g (i)) AS s WHERE r <= 0 AND r < 5;

-- name: first_ranks_where_all_are_peers
SELECT count(*) FROM (SELECT i, rank() OVER (PARTITION BY i % 3) AS r FROM generate_series(1, 90) AS g (i)) AS s WHERE r <= 1;

-- name: first_of_numerics_of_many_scales
SELECT i, n, r FROM (SELECT i, n, rank() OVER (ORDER BY n) AS r FROM (SELECT i, (i * 37 % 101)::numeric / (i % 6 + 1) AS n FROM generate_series(1, 120) AS g (i)) AS t) AS s WHERE r <= 6 ORDER BY r, i;
