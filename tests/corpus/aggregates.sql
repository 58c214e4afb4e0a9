-- Aggregates over values, NULLs, nothing; statistical ones; ordered ones.
-- setup
CREATE TABLE points (id int, g int, x float8, y float8, i int, n numeric, t text, b bool, d date) USING mergetree;
INSERT INTO points VALUES
  (1, 1, 1, 2, 10, 1.5, 'a', true, '2024-01-01'), (2, 1, 2, 3.9, 20, 2.5, 'b', true, '2024-01-02'), (3, 1, 3, 6.1, 30, 3.50, 'c', false, '2024-01-03'),
  (4, 2, 4, 8, 40, NULL, NULL, NULL, NULL), (5, 2, 5, NULL, NULL, 5.123456789, 'e', false, '2023-12-31'), (6, 2, NULL, 12.2, -60, -6, 'f', false, '2024-01-01'),
  (7, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (8, 4, 8, 16, 7, 8, 'h', true, '2024-01-08'), (9, NULL, 0.5, 1.1, 1, 0, '', true, 'infinity');

-- name: counts
SELECT count(*), count(x), count(n), count(t), count(b), count(NULL), count(1) FROM points;

-- name: sums_and_averages (float)
SELECT sum(x), avg(x), sum(i), avg(i), sum(n), avg(n) FROM points;

-- name: by_group (float)
SELECT g, count(x), sum(x), avg(y), min(i), max(i), avg(i), sum(n), avg(n) FROM points GROUP BY g;

-- name: result_types
SELECT sum(1::int2), sum(1::int4), sum(1::int8), sum(1::float4), sum(1::float8), sum(1.0), avg(1::int2), avg(1::int8), avg(1::float4), avg(1.0), count(*), min(1::int2), max('x'::varchar);

-- name: averages_of_integers
SELECT avg(i), avg(g), avg(id), avg(i::int8), avg(i::int2) FROM points;

-- name: extremes_of_all_types
SELECT min(x), max(x), min(n), max(n), min(t), max(t), min(d), max(d), min(i), max(i) FROM points;

-- name: extremes_by_group
SELECT g, min(t), max(t), min(d), max(d), min(n), max(n) FROM points GROUP BY g ORDER BY g;

-- name: variances (float)
SELECT var_pop(x), var_samp(x), stddev_pop(x), stddev_samp(x), variance(y), stddev(y) FROM points;

-- name: variances_of_integers
SELECT var_pop(i), var_samp(i), stddev_pop(i), stddev_samp(i) FROM points;

-- name: variances_of_numeric
SELECT var_pop(n), var_samp(n), stddev_pop(n), stddev_samp(n) FROM points;

-- name: variances_by_group (float)
SELECT g, var_pop(x), var_samp(x), stddev(i), variance(n) FROM points GROUP BY g ORDER BY g;

-- name: regression (float)
SELECT corr(y, x), covar_pop(y, x), covar_samp(y, x), regr_slope(y, x), regr_intercept(y, x), regr_r2(y, x) FROM points;

-- name: regression_parts (float)
SELECT regr_count(y, x), regr_avgx(y, x), regr_avgy(y, x), regr_sxx(y, x), regr_syy(y, x), regr_sxy(y, x) FROM points;

-- name: regression_by_group (float)
SELECT g, corr(y, x), regr_slope(y, x), regr_count(y, x) FROM points GROUP BY g ORDER BY g;

-- name: booleans
SELECT bool_and(b), bool_or(b), every(b), bool_and(i > 0), bool_or(i < 0) FROM points;

-- name: booleans_by_group
SELECT g, bool_and(b), bool_or(b) FROM points GROUP BY g ORDER BY g;

-- name: bits
SELECT bit_and(i), bit_or(i), bit_xor(i), bit_and(g::int2), bit_or(i::int8) FROM points;

-- name: string_aggregates
SELECT string_agg(t, ',' ORDER BY id), string_agg(t, '' ORDER BY id DESC), string_agg(t, NULL ORDER BY id) FROM points;

-- name: string_aggregate_by_group
SELECT g, string_agg(t, '-' ORDER BY t DESC) FROM points GROUP BY g ORDER BY g;

-- name: string_aggregate_of_casts
SELECT string_agg(id::text, ',' ORDER BY id), string_agg(DISTINCT g::text, ',' ORDER BY g::text) FROM points;

-- name: string_aggregate_separator_per_row
SELECT string_agg(t, id::text ORDER BY id) FROM points;

-- name: string_aggregate_of_bytea
SELECT string_agg(convert_to(t, 'UTF8'), '\x2c'::bytea ORDER BY id) FROM points;

-- name: distinct_aggregates
SELECT count(DISTINCT g), sum(DISTINCT g), avg(DISTINCT g), min(DISTINCT g), count(DISTINCT b), count(DISTINCT t) FROM points;

-- name: filters (float)
SELECT sum(x) FILTER (WHERE i > 15), count(*) FILTER (WHERE b), avg(n) FILTER (WHERE n > 0), min(t) FILTER (WHERE false) FROM points;

-- name: filter_and_distinct
SELECT count(DISTINCT g) FILTER (WHERE x > 1), string_agg(t, ',' ORDER BY id) FILTER (WHERE g = 1) FROM points;

-- name: any_value
SELECT g, any_value(g), any_value(g * 2) FROM points GROUP BY g ORDER BY g;

-- name: sum_with_constant
SELECT sum(i + 1), sum(i - 5), sum(2 * i), sum(i) + 1, sum(i + g) FROM points;

-- name: many_sums_of_shifted_column
SELECT sum(i), sum(i + 1), sum(i + 2), sum(i + 3), sum(i + 4), sum(i + 5), sum(i + 6), sum(i + 7), sum(i + 8), sum(i + 9) FROM points;

-- name: sum_shifted_overflow
SELECT sum(i + 2147483647) FROM points;

-- name: sum_of_case
SELECT sum(CASE WHEN b THEN 1 ELSE 0 END), count(CASE WHEN b THEN 1 END), avg(CASE WHEN g = 1 THEN i END) FROM points;

-- name: same_aggregate_twice
SELECT sum(i), sum(i) * 2, sum(i) / count(i), sum(i)::text FROM points;

-- name: of_nothing
SELECT count(*), sum(x), avg(x), min(t), max(n), stddev(x), bool_or(b), string_agg(t, ','), corr(y, x), regr_count(y, x) FROM points WHERE false;

-- name: of_only_nulls
SELECT count(x), sum(x), avg(x), min(t), max(n), var_samp(x), bool_and(b), string_agg(t, ',') FROM points WHERE g = 3;

-- name: of_constants
SELECT sum(1), count(*), avg(2.5), min('x'), max(3), sum(NULL::int), count(NULL) FROM points;

-- name: without_from
SELECT count(*), sum(5), max('a');

-- name: of_subquery
SELECT avg(s), max(s), sum(c) FROM (SELECT g, sum(i) AS s, count(*) AS c FROM points GROUP BY g) AS q;

-- name: int8_sum_beyond_int8
SELECT sum(v), avg(v) FROM (VALUES (9223372036854775807), (9223372036854775807), (1)) AS q (v);

-- name: int8_sum_below_int8
SELECT sum(v), avg(v), min(v) FROM (VALUES ((-9223372036854775808)::int8), (-9223372036854775807)) AS q (v);

-- name: int4_sum_beyond_int4
SELECT sum(v), avg(v) FROM (VALUES (2147483647), (2147483647), (2147483647)) AS q (v);

-- name: average_scales
SELECT avg(v), avg(v * 1000), avg(v / 1000) FROM (VALUES (1.0), (2.00), (2.000)) AS q (v);

-- name: percentiles
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x), percentile_disc(0.25) WITHIN GROUP (ORDER BY i), mode() WITHIN GROUP (ORDER BY g) FROM points;

-- name: percentiles_by_group
SELECT g, percentile_cont(0.5) WITHIN GROUP (ORDER BY x), percentile_disc(0.5) WITHIN GROUP (ORDER BY x DESC), percentile_cont(0.3) WITHIN GROUP (ORDER BY i DESC), mode() WITHIN GROUP (ORDER BY b), mode() WITHIN GROUP (ORDER BY b DESC), percentile_disc(0.6) WITHIN GROUP (ORDER BY d) FROM points GROUP BY g ORDER BY g;

-- name: percentiles_of_every_type_of_one_word
SELECT percentile_disc(0.4) WITHIN GROUP (ORDER BY i::int2), percentile_disc(0.4) WITHIN GROUP (ORDER BY i::int8 DESC), percentile_disc(0.4) WITHIN GROUP (ORDER BY x::float4), percentile_disc(0.4) WITHIN GROUP (ORDER BY d), percentile_disc(1) WITHIN GROUP (ORDER BY d::timestamp), percentile_disc(0.4) WITHIN GROUP (ORDER BY b), mode() WITHIN GROUP (ORDER BY x::float4), mode() WITHIN GROUP (ORDER BY d) FROM points;

-- name: percentiles_of_infinities_and_nan
SELECT percentile_disc(1) WITHIN GROUP (ORDER BY v), percentile_disc(0) WITHIN GROUP (ORDER BY v DESC), percentile_disc(0) WITHIN GROUP (ORDER BY v), mode() WITHIN GROUP (ORDER BY v), mode() WITHIN GROUP (ORDER BY v DESC), percentile_cont(0.25) WITHIN GROUP (ORDER BY v) FROM (SELECT CASE WHEN id < 3 THEN 'NaN'::float8 WHEN id < 5 THEN '-Infinity' WHEN id = 5 THEN 'Infinity' ELSE x END AS v FROM points) q;

-- name: percentiles_with_filter_and_distinct_mode
SELECT g, percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FILTER (WHERE x > 1), mode() WITHIN GROUP (ORDER BY i) FILTER (WHERE b) FROM points GROUP BY g ORDER BY g;

-- name: percentile_of_the_group
SELECT g, percentile_cont(g / 4.0) WITHIN GROUP (ORDER BY i), percentile_disc(g / 4.0) WITHIN GROUP (ORDER BY d) FROM points GROUP BY g ORDER BY g;

-- name: percentile_of_nothing
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x), percentile_cont(NULL) WITHIN GROUP (ORDER BY x), mode() WITHIN GROUP (ORDER BY i) FROM points WHERE id < 0;

-- name: percentile_beyond_one
SELECT percentile_cont(1.5) WITHIN GROUP (ORDER BY x) FROM points;

-- name: sum_of_text_does_not_exist
SELECT sum(t) FROM points;

-- name: too_many_arguments
SELECT sum(x, y) FROM points;

-- name: star_only_in_count
SELECT sum(*) FROM points;

-- name: filter_on_function
SELECT upper(t) FILTER (WHERE b) FROM points;

-- name: distinct_on_function
SELECT upper(DISTINCT t) FROM points;

-- name: order_in_aggregate_is_harmless
SELECT sum(i ORDER BY id), count(i ORDER BY x), max(t ORDER BY id) FROM points;
