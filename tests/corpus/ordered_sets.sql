-- Ordered-set and hypothetical-set aggregates: percentiles, mode, and where a row would stand; DISTINCT, ORDER BY and FILTER
-- inside of aggregates.
-- setup
CREATE TABLE marks (id int, g int, x int, y float8, n numeric(8, 2), t text, d date, b bool, i interval, u int8) USING mergetree WITH (order_by = 'id');
INSERT INTO marks VALUES
  (1, 1, 10, 1.5, 10.50, 'pear', '2024-01-01', true, '1 day', 1), (2, 1, 20, 2.5, 20.00, 'apple', '2024-01-02', false, '2 days', 2),
  (3, 1, 20, 'NaN', 20.0, 'apple', '2024-01-02', true, '1 mon', 9223372036854775807), (4, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (5, 2, -5, -0.0, -5.25, '', '-infinity', false, '30 days', -9223372036854775808), (6, 2, 0, 0.0, 0, 'a text that is too long to be stored inline', 'infinity', true, '-1 day', 0),
  (7, 2, 20, 'Infinity', 99999.99, 'fig', '2024-02-29', false, '24:00:00', 5), (8, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (9, NULL, 7, '-Infinity', 7.00, 'fig', '2023-12-31', true, '0', 7);
CREATE TABLE none (x int, t text) USING mergetree;

-- name: rank_among_integers
SELECT rank(20) WITHIN GROUP (ORDER BY x), rank(21) WITHIN GROUP (ORDER BY x), rank(-100) WITHIN GROUP (ORDER BY x) FROM marks;

-- name: rank_by_group
SELECT g, rank(15) WITHIN GROUP (ORDER BY x), rank(15) WITHIN GROUP (ORDER BY x DESC) FROM marks GROUP BY g ORDER BY g;

-- name: dense_rank_by_group
SELECT g, dense_rank(30) WITHIN GROUP (ORDER BY x), dense_rank(0) WITHIN GROUP (ORDER BY x DESC NULLS LAST) FROM marks GROUP BY g ORDER BY g;

-- name: percent_rank_by_group
SELECT g, percent_rank(15) WITHIN GROUP (ORDER BY x), percent_rank(20) WITHIN GROUP (ORDER BY x NULLS FIRST) FROM marks GROUP BY g ORDER BY g;

-- name: cume_dist_by_group
SELECT g, cume_dist(20) WITHIN GROUP (ORDER BY x), cume_dist(20) WITHIN GROUP (ORDER BY x DESC) FROM marks GROUP BY g ORDER BY g;

-- name: hypothetical_row_among_none
SELECT rank(1) WITHIN GROUP (ORDER BY x), dense_rank(1) WITHIN GROUP (ORDER BY x), percent_rank(1) WITHIN GROUP (ORDER BY x), cume_dist(1) WITHIN GROUP (ORDER BY x) FROM none;

-- name: hypothetical_row_among_nulls
SELECT rank(1) WITHIN GROUP (ORDER BY x), dense_rank(1) WITHIN GROUP (ORDER BY x), percent_rank(1) WITHIN GROUP (ORDER BY x), cume_dist(1) WITHIN GROUP (ORDER BY x) FROM marks WHERE g = 3;

-- name: hypothetical_null_comes_last
SELECT rank(NULL::int) WITHIN GROUP (ORDER BY x), dense_rank(NULL) WITHIN GROUP (ORDER BY x), cume_dist(NULL) WITHIN GROUP (ORDER BY x), percent_rank(NULL) WITHIN GROUP (ORDER BY x) FROM marks;

-- name: hypothetical_null_comes_first
SELECT rank(NULL::int) WITHIN GROUP (ORDER BY x NULLS FIRST), dense_rank(NULL::int) WITHIN GROUP (ORDER BY x DESC), cume_dist(NULL) WITHIN GROUP (ORDER BY x DESC), percent_rank(NULL) WITHIN GROUP (ORDER BY x DESC NULLS FIRST) FROM marks;

-- name: hypothetical_row_of_two
SELECT rank(20, 'b') WITHIN GROUP (ORDER BY x, t), dense_rank(20, 'b') WITHIN GROUP (ORDER BY x, t), cume_dist(20, 'apple') WITHIN GROUP (ORDER BY x, t), percent_rank(20, 'fig') WITHIN GROUP (ORDER BY x, t DESC) FROM marks;

-- name: hypothetical_row_of_two_with_nulls
SELECT rank(NULL, 'b') WITHIN GROUP (ORDER BY x, t), dense_rank(NULL, NULL) WITHIN GROUP (ORDER BY x NULLS FIRST, t NULLS FIRST), cume_dist(20, NULL) WITHIN GROUP (ORDER BY x DESC, t) FROM marks;

-- name: hypothetical_row_of_three_by_group
SELECT g, rank(20, 'apple', 2) WITHIN GROUP (ORDER BY x, t, id), dense_rank(20, 'apple', 3) WITHIN GROUP (ORDER BY x DESC, t, id DESC) FROM marks GROUP BY g ORDER BY g;

-- name: hypothetical_floats
SELECT rank('NaN') WITHIN GROUP (ORDER BY y), rank('Infinity') WITHIN GROUP (ORDER BY y), dense_rank(0.0) WITHIN GROUP (ORDER BY y), cume_dist('-Infinity') WITHIN GROUP (ORDER BY y) FROM marks;

-- name: hypothetical_numerics
SELECT rank(20) WITHIN GROUP (ORDER BY n), dense_rank(20.000) WITHIN GROUP (ORDER BY n), dense_rank(100000) WITHIN GROUP (ORDER BY n), cume_dist(-5.25) WITHIN GROUP (ORDER BY n) FROM marks;

-- name: hypothetical_texts
SELECT rank('b') WITHIN GROUP (ORDER BY t), dense_rank('zzz') WITHIN GROUP (ORDER BY t), cume_dist('') WITHIN GROUP (ORDER BY t), rank('fig'::varchar) WITHIN GROUP (ORDER BY t DESC) FROM marks;

-- name: hypothetical_dates
SELECT rank('2024-01-02') WITHIN GROUP (ORDER BY d), rank('infinity') WITHIN GROUP (ORDER BY d), dense_rank(date '2024-12-31') WITHIN GROUP (ORDER BY d), rank(timestamp '2024-01-01 12:00') WITHIN GROUP (ORDER BY d) FROM marks;

-- name: hypothetical_booleans
SELECT rank(true) WITHIN GROUP (ORDER BY b), dense_rank(true) WITHIN GROUP (ORDER BY b DESC), cume_dist(false) WITHIN GROUP (ORDER BY b) FROM marks;

-- name: hypothetical_intervals
SELECT rank('1 mon') WITHIN GROUP (ORDER BY i), dense_rank('2 mons') WITHIN GROUP (ORDER BY i), cume_dist('24:00:00') WITHIN GROUP (ORDER BY i) FROM marks;

-- name: hypothetical_extremes
SELECT rank(9223372036854775807) WITHIN GROUP (ORDER BY u), rank(-9223372036854775808) WITHIN GROUP (ORDER BY u DESC), rank(9223372036854775808) WITHIN GROUP (ORDER BY u), cume_dist(1e30) WITHIN GROUP (ORDER BY u) FROM marks;

-- name: hypothetical_types_meet
SELECT rank(19.5) WITHIN GROUP (ORDER BY x), rank(19.5::float8) WITHIN GROUP (ORDER BY n), rank('20') WITHIN GROUP (ORDER BY x), rank(20::int2) WITHIN GROUP (ORDER BY u) FROM marks;

-- name: hypothetical_result_types
SELECT rank(1) WITHIN GROUP (ORDER BY x), dense_rank(1) WITHIN GROUP (ORDER BY x), percent_rank(1) WITHIN GROUP (ORDER BY x), cume_dist(1) WITHIN GROUP (ORDER BY x) FROM marks GROUP BY g HAVING g = 1;

-- name: hypothetical_with_filter
SELECT rank(20) WITHIN GROUP (ORDER BY x) FILTER (WHERE b), dense_rank(20) WITHIN GROUP (ORDER BY x) FILTER (WHERE x > 0), percent_rank(20) WITHIN GROUP (ORDER BY x) FILTER (WHERE false), cume_dist(20) WITHIN GROUP (ORDER BY x) FILTER (WHERE NULL) FROM marks;

-- name: hypothetical_of_expressions
SELECT rank(2 * 10) WITHIN GROUP (ORDER BY x + 1), rank(length('pear')) WITHIN GROUP (ORDER BY length(t)) FROM marks;

-- name: hypothetical_of_a_key
SELECT g, rank(g) WITHIN GROUP (ORDER BY x), cume_dist(g * 10) WITHIN GROUP (ORDER BY x) FROM marks GROUP BY g ORDER BY g;

-- name: hypothetical_of_a_subquery
SELECT rank((SELECT max(x) FROM marks)) WITHIN GROUP (ORDER BY x) FROM marks;

-- name: hypothetical_of_the_query_around
SELECT g, (SELECT rank(10) WITHIN GROUP (ORDER BY m.x)) FROM marks m GROUP BY g ORDER BY g;

-- name: hypothetical_percent_of_the_query_around
SELECT (SELECT percent_rank(10) WITHIN GROUP (ORDER BY m.x)), (SELECT cume_dist(10) WITHIN GROUP (ORDER BY m.x)) FROM marks m;

-- name: hypothetical_in_a_correlated_subquery
SELECT id, (SELECT rank(m.x) WITHIN GROUP (ORDER BY o.x) FROM marks o WHERE o.g = m.g) FROM marks m ORDER BY id;

-- name: hypothetical_in_having
SELECT g FROM marks GROUP BY g HAVING rank(15) WITHIN GROUP (ORDER BY x) > 1 ORDER BY g;

-- name: hypothetical_in_order_by
SELECT g FROM marks GROUP BY g ORDER BY cume_dist(15) WITHIN GROUP (ORDER BY x), g;

-- name: hypothetical_over_grouping_sets
SELECT g, b, rank(15) WITHIN GROUP (ORDER BY x), percent_rank(15) WITHIN GROUP (ORDER BY x), dense_rank(15) WITHIN GROUP (ORDER BY x) FROM marks GROUP BY CUBE (g, b);

-- name: hypothetical_of_a_key_of_all_sets
SELECT g, b, rank(g) WITHIN GROUP (ORDER BY x) FROM marks GROUP BY g, ROLLUP (b);

-- name: hypothetical_under_a_window
SELECT g, sum(rank(15) WITHIN GROUP (ORDER BY x)) OVER (ORDER BY g) FROM marks GROUP BY g;

-- name: percentiles_by_group
SELECT g, percentile_cont(0.5) WITHIN GROUP (ORDER BY x), percentile_disc(0.5) WITHIN GROUP (ORDER BY x DESC), percentile_cont(0.25) WITHIN GROUP (ORDER BY i) FROM marks GROUP BY g ORDER BY g;

-- name: percentiles_at_the_ends
SELECT percentile_cont(0) WITHIN GROUP (ORDER BY y), percentile_cont(1) WITHIN GROUP (ORDER BY y), percentile_disc(0) WITHIN GROUP (ORDER BY t), percentile_disc(1) WITHIN GROUP (ORDER BY t) FROM marks;

-- name: percentiles_of_all_types
SELECT percentile_disc(0.4) WITHIN GROUP (ORDER BY x), percentile_disc(0.4) WITHIN GROUP (ORDER BY n), percentile_disc(0.4) WITHIN GROUP (ORDER BY t), percentile_disc(0.4) WITHIN GROUP (ORDER BY d), percentile_disc(0.4) WITHIN GROUP (ORDER BY b), percentile_disc(0.4) WITHIN GROUP (ORDER BY u) FROM marks;

-- name: percentiles_of_a_key
SELECT g, percentile_disc(g / 4.0) WITHIN GROUP (ORDER BY x) FROM marks GROUP BY g ORDER BY g;

-- name: percentiles_of_none
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x), percentile_disc(0.5) WITHIN GROUP (ORDER BY t), mode() WITHIN GROUP (ORDER BY t) FROM none;

-- name: percentile_of_null
SELECT percentile_cont(NULL) WITHIN GROUP (ORDER BY x), percentile_disc(NULL::float8) WITHIN GROUP (ORDER BY t) FROM marks;

-- name: percentiles_with_filter
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FILTER (WHERE x > 0), mode() WITHIN GROUP (ORDER BY x) FILTER (WHERE x < 20) FROM marks;

-- name: modes
SELECT mode() WITHIN GROUP (ORDER BY x), mode() WITHIN GROUP (ORDER BY t), mode() WITHIN GROUP (ORDER BY t DESC), mode() WITHIN GROUP (ORDER BY n), mode() WITHIN GROUP (ORDER BY b), mode() WITHIN GROUP (ORDER BY d) FROM marks;

-- name: modes_by_group
SELECT g, mode() WITHIN GROUP (ORDER BY x), mode() WITHIN GROUP (ORDER BY t DESC) FROM marks GROUP BY g ORDER BY g;

-- name: error_percentile_out_of_range
SELECT percentile_cont(1.5) WITHIN GROUP (ORDER BY x) FROM marks;

-- name: error_percentile_of_text
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY t) FROM marks;

-- name: error_percentile_over_two
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x, y) FROM marks;

-- name: error_percentile_of_an_ungrouped_column
SELECT percentile_cont(y) WITHIN GROUP (ORDER BY x) FROM marks;

-- name: error_hypothetical_of_an_ungrouped_column
SELECT rank(x) WITHIN GROUP (ORDER BY x) FROM marks GROUP BY g;

-- name: error_too_few_hypothetical_values
SELECT rank(1) WITHIN GROUP (ORDER BY x, y) FROM marks;

-- name: error_too_many_hypothetical_values
SELECT rank(1, 2) WITHIN GROUP (ORDER BY x) FROM marks;

-- name: error_no_hypothetical_value
SELECT dense_rank() WITHIN GROUP (ORDER BY x) FROM marks;

-- name: error_hypothetical_types_do_not_meet
SELECT rank(date '2024-01-01') WITHIN GROUP (ORDER BY x) FROM marks;

-- name: error_hypothetical_value_cannot_be_read
SELECT rank('ten') WITHIN GROUP (ORDER BY x) FROM marks;

-- name: error_hypothetical_without_order
SELECT rank(1) FROM marks;

-- name: error_hypothetical_with_over
SELECT rank(1) WITHIN GROUP (ORDER BY x) OVER () FROM marks;

-- name: error_rank_of_a_value_with_over
SELECT rank(1) OVER (ORDER BY x) FROM marks;

-- name: error_distinct_with_within_group
SELECT rank(DISTINCT 1) WITHIN GROUP (ORDER BY x) FROM marks;

-- name: error_variadic_with_within_group
SELECT rank(VARIADIC 1) WITHIN GROUP (ORDER BY x) FROM marks;

-- name: error_hypothetical_in_where
SELECT 1 FROM marks WHERE rank(1) WITHIN GROUP (ORDER BY x) = 1;

-- name: error_aggregate_within_hypothetical
SELECT rank(1) WITHIN GROUP (ORDER BY sum(x)) FROM marks;

-- name: error_aggregate_as_hypothetical_value
SELECT rank(count(*)) WITHIN GROUP (ORDER BY x) FROM marks;

-- name: error_ordinary_aggregate_within_group
SELECT sum() WITHIN GROUP (ORDER BY x) FROM marks;

-- name: distinct_string_agg_is_in_order
SELECT string_agg(DISTINCT t, ',') FROM marks;

-- name: distinct_string_agg_by_group
SELECT g, string_agg(DISTINCT t, ',' ORDER BY t DESC) FROM marks GROUP BY g ORDER BY g;

-- name: distinct_string_agg_with_separators
SELECT string_agg(DISTINCT t, g::text ORDER BY t) FROM marks WHERE g IS NOT NULL;

-- name: distinct_in_every_aggregate (float)
SELECT count(DISTINCT x), sum(DISTINCT x), avg(DISTINCT x), min(DISTINCT t), max(DISTINCT d), bool_and(DISTINCT b), every(DISTINCT b), bit_or(DISTINCT x), bit_xor(DISTINCT x), stddev(DISTINCT n), variance(DISTINCT x), corr(DISTINCT x, id), regr_count(DISTINCT x, g) FROM marks;

-- name: order_in_aggregates_that_do_not_mind
SELECT sum(x ORDER BY y), count(* ) FILTER (WHERE x > 0), max(t ORDER BY id DESC), avg(n ORDER BY n), bool_or(b ORDER BY x) FROM marks;

-- name: order_by_several_keys
SELECT string_agg(t, ',' ORDER BY x DESC NULLS LAST, id), string_agg(t, ',' ORDER BY g NULLS FIRST, t DESC, id) FROM marks;

-- name: order_with_using
SELECT string_agg(t, ',' ORDER BY id USING >) FROM marks;

-- name: any_value_in_order
SELECT g, any_value(x ORDER BY x DESC) IS NULL FROM marks GROUP BY g ORDER BY g;

-- name: statistics_by_group (float)
SELECT g, covar_pop(x, id), covar_samp(x, id), corr(x, id), regr_slope(x, id), regr_intercept(x, id), regr_r2(x, id), regr_avgx(x, id), regr_avgy(x, id), regr_sxx(x, id), regr_syy(x, id), regr_sxy(x, id), regr_count(x, id) FROM marks GROUP BY g ORDER BY g;

-- name: error_distinct_in_another_order
SELECT string_agg(DISTINCT t, ',' ORDER BY id) FROM marks;

-- name: error_distinct_in_the_order_of_an_expression
SELECT sum(DISTINCT x ORDER BY x + 1) FROM marks;

-- name: error_distinct_of_all_rows
SELECT count(DISTINCT *) FROM marks;

-- name: error_aggregate_in_the_order
SELECT string_agg(t, ',' ORDER BY count(*)) FROM marks;

-- name: error_order_of_a_function
SELECT length(t ORDER BY t) FROM marks;

-- name: error_misplaced_order
SELECT string_agg(t ORDER BY t, ',') FROM marks;

-- name: percentiles_at_several_fractions
SELECT percentile_cont(ARRAY[0.25, 0.5, NULL, 1]) WITHIN GROUP (ORDER BY x), percentile_disc(ARRAY[0, 0.5, 0.9]) WITHIN GROUP (ORDER BY t), percentile_cont(ARRAY[0.5]) WITHIN GROUP (ORDER BY make_interval(days => x)) FROM marks;

-- name: percentiles_at_several_fractions_by_group
SELECT g, percentile_cont(ARRAY[1, 0]::float8[]) WITHIN GROUP (ORDER BY x), percentile_disc(ARRAY[[0, 0.5], [0.7, NULL]]) WITHIN GROUP (ORDER BY d DESC) FROM marks GROUP BY g ORDER BY g;

-- name: percentiles_at_fractions_with_other_subscripts
SELECT percentile_disc('[2:3]={0.1,0.9}'::float8[]) WITHIN GROUP (ORDER BY n), percentile_cont('{}') WITHIN GROUP (ORDER BY x) FROM marks;

-- name: percentiles_at_no_fractions
SELECT percentile_cont(NULL::float8[]) WITHIN GROUP (ORDER BY x), percentile_cont(ARRAY[0.5, 7]) WITHIN GROUP (ORDER BY x) FILTER (WHERE false) FROM marks;

-- name: ordered_sets_of_arrays
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY ARRAY[x, g]), mode() WITHIN GROUP (ORDER BY ARRAY[g]), rank(ARRAY[20]) WITHIN GROUP (ORDER BY ARRAY[x]) FROM marks;

-- name: error_percentile_of_fractions_out_of_range
SELECT percentile_disc(ARRAY[0.5, -1]) WITHIN GROUP (ORDER BY x) FROM marks;

-- name: error_percentile_of_a_fraction_that_is_no_number
SELECT percentile_cont(ARRAY['NaN'::float8]) WITHIN GROUP (ORDER BY x) FROM marks;

-- name: distinct_array_agg_is_in_order
SELECT g, array_agg(DISTINCT t), array_agg(DISTINCT x ORDER BY x DESC) FROM marks GROUP BY g ORDER BY g;
