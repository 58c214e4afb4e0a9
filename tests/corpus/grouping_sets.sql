-- GROUPING SETS, ROLLUP, CUBE, GROUPING: which sets there are, NULL keys beside keys that are not in a set, empty input, and
-- what stands above, below and around them.
-- setup
CREATE TABLE sales (id int, region text, product text, day date, amount numeric(10, 2), units int, price float8, online bool, ref int8)
  USING mergetree WITH (order_by = 'id');
INSERT INTO sales VALUES
  (1, 'north', 'apple', '2024-01-01', 10.50, 1, 10.5, true, 1), (2, 'north', 'pear', '2024-01-02', 20.00, 2, 10, false, 2),
  (3, 'south', 'apple', '2024-01-01', 31.50, 3, 10.5, true, 1), (4, 'south', NULL, '2024-01-03', NULL, NULL, NULL, NULL, NULL),
  (5, NULL, 'apple', '2024-01-02', 5.25, 1, 5.25, false, 9223372036854775807), (6, NULL, NULL, NULL, NULL, 0, 0, true, -9223372036854775808),
  (7, 'north', 'apple', '2024-01-01', 10.50, 1, 10.5, true, 1), (8, 'east', 'fig', '2024-02-29', 99999999.99, 1000000, 100, NULL, 0),
  (9, 'east', 'fig', '2024-02-29', -99999999.99, -1000000, 100, false, 0), (10, '', 'pear', '2024-01-02', 0, 0, 0, true, 5),
  (11, 'a very long region name that is stored elsewhere', 'kiwi', '2024-03-01', 1.00, 1, 1, true, 6),
  (12, 'a very long region name that is stored elsewhere', 'kiwi', '2024-03-01', 2.00, 1, 2, false, 6);
CREATE TABLE regions (region text, country text) USING mergetree WITH (order_by = 'region');
INSERT INTO regions VALUES ('north', 'A'), ('south', 'A'), ('east', 'B'), ('west', 'B'), (NULL, 'C');
CREATE TABLE nothing (a int, b text, x int) USING mergetree WITH (order_by = 'a');

-- name: rollup_of_one
SELECT region, count(*), sum(units) FROM sales GROUP BY ROLLUP (region);

-- name: rollup_of_two
SELECT region, product, count(*), sum(amount), max(day) FROM sales GROUP BY ROLLUP (region, product);

-- name: rollup_of_three
SELECT region, product, online, count(*), sum(units), avg(price) FROM sales GROUP BY ROLLUP (region, product, online);

-- name: rollup_with_grouping
SELECT region, product, GROUPING(region, product), count(*) FROM sales GROUP BY ROLLUP (region, product) ORDER BY 3, 1, 2;

-- name: cube_of_one
SELECT online, count(*) FROM sales GROUP BY CUBE (online);

-- name: cube_of_two
SELECT region, product, GROUPING(region, product), count(*), sum(ref) FROM sales GROUP BY CUBE (region, product);

-- name: cube_of_three
SELECT region, product, online, GROUPING(online, product, region), count(units), min(amount) FROM sales GROUP BY CUBE (region, product, online);

-- name: cube_of_four
SELECT region, product, day, online, count(*) FROM sales GROUP BY CUBE (region, product, day, online);

-- name: sets_that_do_not_contain_each_other
SELECT region, product, count(*), sum(amount) FROM sales GROUP BY GROUPING SETS ((region), (product));

-- name: sets_of_pairs
SELECT region, product, online, GROUPING(region, product, online), count(*) FROM sales GROUP BY GROUPING SETS ((region, product), (product, online), (region, online));

-- name: sets_and_the_whole
SELECT region, product, count(*) FROM sales GROUP BY GROUPING SETS ((region), (product), ());

-- name: sets_of_one
SELECT region, count(*) FROM sales GROUP BY GROUPING SETS ((region));

-- name: sets_without_parentheses
SELECT region, product, count(*) FROM sales GROUP BY GROUPING SETS (region, product);

-- name: the_same_set_twice
SELECT region, count(*), GROUPING(region) FROM sales GROUP BY GROUPING SETS ((region), (region));

-- name: the_empty_set
SELECT count(*), sum(units) FROM sales GROUP BY ();

-- name: the_empty_set_twice
SELECT count(*), sum(units) FROM sales GROUP BY GROUPING SETS ((), ());

-- name: empty_sets_beside_each_other
SELECT count(*) FROM sales GROUP BY (), ();

-- name: nested_sets
SELECT region, product, online, count(*) FROM sales GROUP BY GROUPING SETS (ROLLUP (region, product), CUBE (online), (), (region, online));

-- name: sets_in_sets
SELECT region, product, count(*) FROM sales GROUP BY GROUPING SETS (GROUPING SETS ((region), (product)), GROUPING SETS ((), (region)));

-- name: plain_key_beside_rollup
SELECT online, region, product, count(*) FROM sales GROUP BY online, ROLLUP (region, product);

-- name: plain_key_beside_sets
SELECT online, region, product, count(*) FROM sales GROUP BY GROUPING SETS ((region), (product)), online;

-- name: two_rollups
SELECT region, product, day, online, GROUPING(region, product, day, online), count(*) FROM sales GROUP BY ROLLUP (region, product), ROLLUP (day, online);

-- name: rollup_and_cube
SELECT region, product, online, count(*) FROM sales GROUP BY ROLLUP (region), CUBE (product, online);

-- name: composite_elements
SELECT region, product, online, count(*) FROM sales GROUP BY ROLLUP ((region, product), online);

-- name: composite_elements_in_cube
SELECT region, product, online, day, count(*) FROM sales GROUP BY CUBE ((region, product), (online, day));

-- name: duplicates_stay
SELECT region, product, count(*) FROM sales GROUP BY ROLLUP (region, product), ROLLUP (region);

-- name: duplicates_stay_with_all
SELECT region, product, count(*) FROM sales GROUP BY ALL ROLLUP (region, product), ROLLUP (region);

-- name: duplicates_go_with_distinct
SELECT region, product, count(*) FROM sales GROUP BY DISTINCT ROLLUP (region, product), ROLLUP (region);

-- name: distinct_groups_of_nested_sets
SELECT region, product, GROUPING(region, product) FROM sales GROUP BY DISTINCT GROUPING SETS (ROLLUP (region, product), CUBE (region, product), (), ());

-- name: one_key_twice_in_a_rollup
SELECT region, count(*) FROM sales GROUP BY ROLLUP (region, region);

-- name: one_key_twice_in_a_rollup_distinct
SELECT region, count(*) FROM sales GROUP BY DISTINCT ROLLUP (region, region);

-- name: two_outputs_that_are_one_column
SELECT region AS r, region AS s, count(*) FROM sales GROUP BY CUBE (1, 2);

-- name: null_keys_are_groups_of_their_own
SELECT region, GROUPING(region), count(*) FROM sales GROUP BY ROLLUP (region) HAVING region IS NULL;

-- name: aggregates_see_the_column_and_not_the_key
SELECT units, sum(units), count(units), min(units) FROM sales GROUP BY ROLLUP (units);

-- name: expressions_of_keys_are_null
SELECT units, units + 1, coalesce(units, -1), GROUPING(units) FROM sales GROUP BY ROLLUP (units);

-- name: expression_as_key
SELECT units % 2, GROUPING(units % 2), count(*) FROM sales GROUP BY ROLLUP (units % 2);

-- name: expression_as_key_by_name
SELECT extract(month FROM day) AS month, count(*), sum(units) FROM sales GROUP BY ROLLUP (month);

-- name: expression_as_key_by_position
SELECT upper(region), product, count(*) FROM sales GROUP BY ROLLUP (1, 2);

-- name: expression_over_an_expression_that_is_a_key
SELECT (units + 1) * 2, units + 1, count(*) FROM sales GROUP BY CUBE (units + 1);

-- name: constant_as_key
SELECT 'x' AS k, 'x', count(*) FROM sales GROUP BY ROLLUP (k);

-- name: constants_as_keys
SELECT 1 AS a, 2 AS b, GROUPING(1, 2), count(*) FROM sales GROUP BY CUBE (a, b);

-- name: null_as_key
SELECT NULL AS k, count(*) FROM sales GROUP BY ROLLUP (k);

-- name: grouping_of_one
SELECT region, GROUPING(region) FROM sales GROUP BY region;

-- name: grouping_repeats_arguments
SELECT GROUPING(region, region, product), count(*) FROM sales GROUP BY ROLLUP (region, product);

-- name: grouping_in_case
SELECT CASE WHEN GROUPING(region) = 1 THEN 'all' ELSE coalesce(region, 'unknown') END AS name, sum(units) FROM sales GROUP BY ROLLUP (region);

-- name: grouping_in_arithmetic
SELECT GROUPING(region) + GROUPING(product) AS level, count(*) FROM sales GROUP BY ROLLUP (region, product) ORDER BY 1, 2;

-- name: grouping_in_having
SELECT region, product, count(*) FROM sales GROUP BY CUBE (region, product) HAVING GROUPING(region, product) IN (1, 2);

-- name: grouping_in_order_by
SELECT region, count(*) FROM sales GROUP BY ROLLUP (region) ORDER BY GROUPING(region) DESC, region NULLS FIRST;

-- name: grouping_without_sets_in_having
SELECT region FROM sales GROUP BY region HAVING GROUPING(region) = 0;

-- name: grouping_of_all_thirty_one_bits
SELECT GROUPING(region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region, region) FROM sales GROUP BY ROLLUP (region) HAVING GROUPING(region) = 1;

-- name: having_on_an_aggregate
SELECT region, product, count(*) FROM sales GROUP BY ROLLUP (region, product) HAVING count(*) > 1;

-- name: having_on_a_key_of_all_sets
SELECT online, region, count(*) FROM sales GROUP BY online, ROLLUP (region) HAVING online;

-- name: having_on_a_key_of_some_sets
SELECT region, product, count(*) FROM sales GROUP BY GROUPING SETS ((region), (product)) HAVING product = 'apple';

-- name: having_that_keeps_nothing
SELECT region, count(*) FROM sales GROUP BY ROLLUP (region) HAVING false;

-- name: order_by_a_hidden_aggregate
SELECT region FROM sales GROUP BY ROLLUP (region) ORDER BY sum(units) NULLS FIRST, count(*), region;

-- name: limit_above
SELECT region, product, count(*) FROM sales GROUP BY ROLLUP (region, product) ORDER BY GROUPING(region, product), region, product LIMIT 3 OFFSET 2;

-- name: distinct_above
SELECT DISTINCT region, GROUPING(region) FROM sales GROUP BY CUBE (region, product);

-- name: distinct_on_above
SELECT DISTINCT ON (GROUPING(region, product)) GROUPING(region, product), region, product, count(*) FROM sales GROUP BY CUBE (region, product) ORDER BY 1, 4 DESC, 2, 3;

-- name: window_above
SELECT region, product, sum(units), rank() OVER (PARTITION BY GROUPING(region, product) ORDER BY sum(units) DESC NULLS LAST) FROM sales GROUP BY ROLLUP (region, product);

-- name: window_over_a_key
SELECT region, sum(count(*)) OVER (ORDER BY GROUPING(region), region) FROM sales GROUP BY ROLLUP (region);

-- name: filter_inside
SELECT region, count(*) FILTER (WHERE online), sum(units) FILTER (WHERE units > 1) FROM sales GROUP BY ROLLUP (region);

-- name: distinct_aggregate_inside
SELECT region, count(DISTINCT product), sum(DISTINCT units) FROM sales GROUP BY ROLLUP (region);

-- name: distinct_aggregates_in_a_cube
SELECT region, online, count(DISTINCT product), count(DISTINCT day), count(*), sum(units) FROM sales GROUP BY CUBE (region, online);

-- name: distinct_aggregate_with_filter
SELECT region, product, count(DISTINCT units) FILTER (WHERE units > 0) FROM sales GROUP BY GROUPING SETS ((region), (product), ());

-- name: string_agg_inside
SELECT region, string_agg(product, ',' ORDER BY product, id) FROM sales GROUP BY ROLLUP (region);

-- name: distinct_string_agg_inside
SELECT region, online, string_agg(DISTINCT product, ',') FROM sales GROUP BY CUBE (region, online);

-- name: percentile_inside
SELECT region, percentile_disc(0.5) WITHIN GROUP (ORDER BY units), mode() WITHIN GROUP (ORDER BY product) FROM sales GROUP BY ROLLUP (region);

-- name: percentiles_in_a_large_cube
SELECT region, product, online, day, percentile_cont(0.5) WITHIN GROUP (ORDER BY price) FROM sales GROUP BY CUBE (region, product, online, day);

-- name: statistics_inside
SELECT region, round(stddev_samp(units)::numeric, 6), round(corr(units, price)::numeric, 6), regr_count(units, price) FROM sales WHERE units < 1000 GROUP BY ROLLUP (region);

-- name: booleans_and_bits_inside
SELECT product, bool_and(online), bool_or(online), bit_or(units), bit_and(units), bit_xor(units) FROM sales GROUP BY CUBE (product);

-- name: extremes_of_texts_inside
SELECT online, min(region), max(region), min(product), max(amount), min(price), max(ref) FROM sales GROUP BY ROLLUP (online);

-- name: any_value_inside
SELECT region, any_value(region) FROM sales WHERE region = 'north' GROUP BY ROLLUP (region);

-- name: sums_overflow_nowhere
SELECT online, sum(ref), sum(amount), avg(ref) FROM sales GROUP BY ROLLUP (online);

-- name: sums_that_cancel
SELECT region, sum(units), sum(amount), avg(units) FROM sales WHERE region = 'east' GROUP BY CUBE (region, day);

-- name: without_aggregates
SELECT region, product FROM sales GROUP BY ROLLUP (region, product);

-- name: nothing_but_a_count
SELECT count(*) FROM sales GROUP BY CUBE (region, product);

-- name: nothing_at_all
SELECT 1 FROM sales GROUP BY CUBE (online);

-- name: dates_as_keys
SELECT day, sum(units) FROM sales GROUP BY ROLLUP (day);

-- name: numerics_as_keys
SELECT amount, count(*) FROM sales GROUP BY ROLLUP (amount, online);

-- name: floats_as_keys
SELECT price, online, count(*) FROM sales GROUP BY CUBE (price, online);

-- name: int8_keys
SELECT ref, count(*) FROM sales GROUP BY ROLLUP (ref);

-- name: empty_input_with_the_empty_set
SELECT a, b, count(*), sum(x), max(b) FROM nothing GROUP BY ROLLUP (a, b);

-- name: empty_input_with_two_empty_sets
SELECT a, count(*), GROUPING(a) FROM nothing GROUP BY GROUPING SETS ((a), (), ());

-- name: empty_input_without_the_empty_set
SELECT a, b, count(*) FROM nothing GROUP BY GROUPING SETS ((a), (b));

-- name: empty_input_and_nothing_but_empty_sets
SELECT count(*), sum(x) FROM nothing GROUP BY GROUPING SETS ((), (), ());

-- name: empty_input_by_a_condition
SELECT region, product, count(*), string_agg(product, ',') FROM sales WHERE id < 0 GROUP BY CUBE (region, product);

-- name: empty_input_with_distinct
SELECT a, count(DISTINCT x), sum(x) FROM nothing GROUP BY ROLLUP (a);

-- name: empty_input_and_having
SELECT a, count(*) FROM nothing GROUP BY ROLLUP (a) HAVING count(*) > 0;

-- name: empty_input_and_a_plain_key
SELECT a, b, count(*) FROM nothing GROUP BY a, ROLLUP (b);

-- name: without_from
SELECT 1 AS a, 2 AS b, count(*) GROUP BY ROLLUP (a, b);

-- name: over_a_join
SELECT country, s.region, GROUPING(country, s.region), sum(units) FROM sales s JOIN regions r ON s.region = r.region GROUP BY ROLLUP (country, s.region);

-- name: over_a_left_join
SELECT country, product, count(*), sum(units) FROM sales s LEFT JOIN regions r ON s.region = r.region GROUP BY CUBE (country, product);

-- name: over_a_full_join_with_using
SELECT region, country, count(units) FROM sales FULL JOIN regions USING (region) GROUP BY ROLLUP (country, region);

-- name: under_a_join
SELECT r.country, g.region, g.n FROM (SELECT region, count(*) AS n FROM sales GROUP BY ROLLUP (region)) g JOIN regions r ON g.region IS NOT DISTINCT FROM r.region;

-- name: in_a_subquery
SELECT level, count(*), sum(n) FROM (SELECT GROUPING(region, product) AS level, count(*) AS n FROM sales GROUP BY CUBE (region, product)) g GROUP BY level;

-- name: condition_above_a_subquery
SELECT * FROM (SELECT region, product, sum(units) AS units FROM sales GROUP BY ROLLUP (region, product)) g WHERE region = 'north';

-- name: sets_of_sets
SELECT region, GROUPING(region), sum(n), count(*) FROM (SELECT region, count(*) AS n FROM sales GROUP BY ROLLUP (region)) g GROUP BY ROLLUP (region);

-- name: in_a_common_table
WITH g AS (SELECT region, product, count(*) AS n FROM sales GROUP BY ROLLUP (region, product)) SELECT a.region, a.n, b.n FROM g a JOIN g b ON a.region = b.region WHERE a.product IS NULL AND b.product = 'apple';

-- name: in_a_union
SELECT region, count(*) FROM sales GROUP BY ROLLUP (region) UNION ALL SELECT product, count(*) FROM sales GROUP BY ROLLUP (product);

-- name: in_exists
SELECT country FROM regions r WHERE EXISTS (SELECT 1 FROM sales s WHERE s.region = r.region GROUP BY GROUPING SETS ((product), (online)) HAVING count(*) > 1);

-- name: in_exists_with_the_empty_set
SELECT country FROM regions r WHERE EXISTS (SELECT 1 FROM sales s WHERE s.region = r.region GROUP BY ROLLUP (product));

-- name: in_membership
SELECT id FROM sales WHERE units IN (SELECT max(units) FROM sales GROUP BY ROLLUP (region));

-- name: correlated_subquery_with_sets
SELECT r.country, r.region, (SELECT max(c) FROM (SELECT count(*) AS c FROM sales s WHERE s.region = r.region GROUP BY ROLLUP (s.product)) g) FROM regions r;

-- name: lateral_with_sets
SELECT r.region, g.product, g.n, g.bit FROM regions r, LATERAL (SELECT product, GROUPING(product) AS bit, count(*) AS n FROM sales s WHERE s.region = r.region GROUP BY ROLLUP (product)) g;

-- name: lateral_with_sets_without_the_empty_one
SELECT r.region, g.product, g.online, g.n FROM regions r LEFT JOIN LATERAL (SELECT product, online, sum(units) AS n FROM sales s WHERE s.region = r.region GROUP BY GROUPING SETS ((product), (online))) g ON true;

-- name: subquery_that_uses_a_key
SELECT region, (SELECT country FROM regions r WHERE r.region = s.region), count(*) FROM sales s GROUP BY ROLLUP (region);

-- name: subquery_that_uses_an_aggregate
SELECT region, (SELECT count(*) FROM regions r WHERE length(r.country) < count(s.units)) FROM sales s GROUP BY ROLLUP (region);

-- name: subquery_in_a_key
SELECT (SELECT country FROM regions r WHERE r.region = s.region) AS country, count(*) FROM sales s GROUP BY ROLLUP (country);

-- name: grouping_of_the_query_around
SELECT region, (SELECT GROUPING(s.region)) FROM sales s GROUP BY ROLLUP (region);

-- name: grouping_of_the_query_around_in_a_condition
SELECT region, (SELECT max(country) FROM regions r WHERE GROUPING(s.region) = 1 OR r.region = s.region) FROM sales s GROUP BY ROLLUP (region);

-- name: grouping_of_a_plain_query_around
SELECT region, (SELECT GROUPING(s.region)) FROM sales s GROUP BY region;

-- name: volatile_keys_are_grouped_once
SELECT count(*) FROM (SELECT random() AS r FROM sales GROUP BY ROLLUP (r)) g;

-- name: many_sets
SELECT count(*), sum(n), sum(bits) FROM (SELECT GROUPING(region, product, day, online, units, ref) AS bits, count(*) AS n FROM sales GROUP BY CUBE (region, product, day, online, units, ref)) g;

-- name: set_operations_around_levels
SELECT region FROM sales GROUP BY ROLLUP (region) EXCEPT ALL SELECT region FROM regions;

-- name: error_ungrouped_column
SELECT region, product FROM sales GROUP BY ROLLUP (region);

-- name: error_ungrouped_in_having
SELECT region FROM sales GROUP BY ROLLUP (region) HAVING product = 'fig';

-- name: error_grouping_of_a_column_that_is_no_key
SELECT GROUPING(product) FROM sales GROUP BY ROLLUP (region);

-- name: error_grouping_of_an_expression_that_is_no_key
SELECT GROUPING(units + 1) FROM sales GROUP BY ROLLUP (units);

-- name: error_grouping_without_group_by
SELECT GROUPING(region) FROM sales;

-- name: error_grouping_in_where
SELECT region FROM sales WHERE GROUPING(region) = 0 GROUP BY region;

-- name: error_grouping_in_group_by
SELECT count(*) FROM sales GROUP BY ROLLUP (GROUPING(region));

-- name: error_grouping_in_a_join
SELECT 1 FROM sales s JOIN regions r ON GROUPING(s.region) = 1 GROUP BY s.region;

-- name: error_grouping_in_filter
SELECT count(*) FILTER (WHERE GROUPING(region) = 0) FROM sales GROUP BY ROLLUP (region);

-- name: error_grouping_in_limit
SELECT region FROM sales GROUP BY region LIMIT GROUPING(region);

-- name: error_grouping_in_an_aggregate
SELECT sum(GROUPING(region)) FROM sales GROUP BY ROLLUP (region);

-- name: error_aggregate_in_grouping
SELECT GROUPING(sum(units)) FROM sales GROUP BY ROLLUP (region);

-- name: error_grouping_of_both_queries
SELECT (SELECT GROUPING(s.region, v.y) FROM (VALUES (1)) v (y) GROUP BY y) FROM sales s GROUP BY ROLLUP (region);

-- name: error_too_many_arguments_of_grouping
SELECT GROUPING(units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units, units) FROM sales GROUP BY ROLLUP (units);

-- name: error_too_large_a_cube
SELECT count(*) FROM sales GROUP BY CUBE (id, id, id, id, id, id, id, id, id, id, id, id, id);

-- name: error_too_many_sets
SELECT count(*) FROM sales GROUP BY CUBE (id, region, product, day, amount), CUBE (id, region, product, day, amount), CUBE (id, region, product);

-- name: error_aggregate_as_key
SELECT count(*) FROM sales GROUP BY ROLLUP (sum(units));

-- name: error_window_as_key
SELECT rank() OVER () AS r FROM sales GROUP BY CUBE (r);

-- name: error_position_out_of_range
SELECT region FROM sales GROUP BY ROLLUP (1, 2);

-- name: error_column_does_not_exist
SELECT count(*) FROM sales GROUP BY GROUPING SETS ((region), (nosuch));

-- name: error_constant_as_key
SELECT count(*) FROM sales GROUP BY ROLLUP ('region');

-- name: error_in_one_group
SELECT region, 1 / sum(units) FROM sales GROUP BY ROLLUP (region);

-- name: error_in_a_key
SELECT 1 / units FROM sales GROUP BY ROLLUP (1 / units);

-- name: error_in_a_merged_sum
SELECT region, sum(ref::int8 * 1)::int8 FROM sales WHERE ref > 0 GROUP BY ROLLUP (region);

-- name: arrays_of_values_inside
SELECT region, array_agg(id ORDER BY id DESC), array_agg(DISTINCT product) FROM sales GROUP BY ROLLUP (region);

-- name: arrays_as_keys
SELECT ARRAY[units, 1] AS pair, count(*), min(ARRAY[id]) FROM sales GROUP BY CUBE (pair, online);

-- name: percentiles_at_several_fractions_inside
SELECT online, percentile_disc(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY product) FROM sales GROUP BY ROLLUP (online);
