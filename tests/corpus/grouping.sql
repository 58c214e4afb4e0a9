-- GROUP BY, HAVING, DISTINCT: keys of every type and number, NULL keys, expressions.
-- setup
CREATE TABLE sales (id int, region text, product varchar(20), day date, amount numeric(10, 2), units int, price float8, online bool, ref int8, code int2)
  USING mergetree WITH (order_by = 'region, day');
INSERT INTO sales VALUES
  (1, 'north', 'apple', '2024-01-01', 10.50, 1, 10.5, true, 1, 1), (2, 'north', 'pear', '2024-01-02', 20.00, 2, 10, false, 2, 1),
  (3, 'south', 'apple', '2024-01-01', 31.50, 3, 10.5, true, 1, 2), (4, 'south', NULL, '2024-01-03', NULL, NULL, NULL, NULL, NULL, NULL),
  (5, NULL, 'apple', '2024-01-02', 5.25, 1, 5.25, false, 9223372036854775807, 32767), (6, NULL, NULL, NULL, NULL, 0, 0, true, -9223372036854775808, -32768),
  (7, 'north', 'apple', '2024-01-01', 10.50, 1, 10.5, true, 1, 1), (8, 'east', 'fig', '2024-02-29', 99999999.99, 1000000, 100, NULL, 0, 0),
  (9, 'east', 'fig', '2024-02-29', -99999999.99, -1000000, 100, false, 0, 0), (10, '', 'pear', '2024-01-02', 0, 0, 0, true, 5, 5),
  (11, 'a very long region name that is stored elsewhere', 'kiwi', '2024-03-01', 1.00, 1, 1, true, 6, 6),
  (12, 'a very long region name that is stored elsewhere', 'kiwi', '2024-03-01', 2.00, 1, 2, false, 6, 6),
  (13, 'süd', 'äpfel', '2024-03-02', 3.00, 3, 1, true, 7, 7);

-- name: one_text_key
SELECT region, count(*), sum(units) FROM sales GROUP BY region;

-- name: one_int_key
SELECT units, count(*) FROM sales GROUP BY units ORDER BY units;

-- name: int8_key
SELECT ref, count(*), min(id) FROM sales GROUP BY ref ORDER BY ref;

-- name: int2_key
SELECT code, count(*) FROM sales GROUP BY code ORDER BY code NULLS FIRST;

-- name: boolean_key
SELECT online, count(*), sum(amount) FROM sales GROUP BY online ORDER BY online;

-- name: date_key
SELECT day, count(*) FROM sales GROUP BY day ORDER BY day;

-- name: numeric_key
SELECT amount, count(*) FROM sales GROUP BY amount ORDER BY amount;

-- name: float_key
SELECT price, count(*) FROM sales GROUP BY price ORDER BY price;

-- name: two_keys
SELECT region, product, count(*), sum(amount) FROM sales GROUP BY region, product;

-- name: many_keys
SELECT region, product, day, online, code, count(*) FROM sales GROUP BY region, product, day, online, code ORDER BY 1, 2, 3, 4, 5;

-- name: key_order_differs_from_output
SELECT count(*), online, region FROM sales GROUP BY region, online ORDER BY 3, 2;

-- name: expression_key
SELECT upper(region), count(*) FROM sales GROUP BY upper(region) ORDER BY 1;

-- name: expression_key_inside_expression
SELECT units / 2 + 1, count(*) FROM sales GROUP BY units / 2 ORDER BY 1;

-- name: key_by_position
SELECT extract(month from day), count(*) FROM sales GROUP BY 1 ORDER BY 1;

-- name: key_by_alias
SELECT coalesce(region, 'none') AS r, count(*) FROM sales GROUP BY r ORDER BY r;

-- name: alias_gives_way_to_column
SELECT upper(region) AS region, count(*) FROM sales GROUP BY region ORDER BY 1, 2;

-- name: derived_keys
SELECT units, units - 1 AS less, units + 1 AS more, count(*) FROM sales GROUP BY units, units - 1, units + 1 ORDER BY units;

-- name: constant_key
SELECT 1 AS one, count(*) FROM sales GROUP BY one;

-- name: case_key
SELECT CASE WHEN units > 1 THEN 'many' WHEN units = 1 THEN 'one' ELSE 'none' END AS kind, count(*), sum(price) FROM sales GROUP BY kind ORDER BY kind;

-- name: key_not_in_output
SELECT count(*) FROM sales GROUP BY region ORDER BY 1;

-- name: key_without_aggregate
SELECT region FROM sales GROUP BY region ORDER BY region;

-- name: aggregate_without_key
SELECT count(*), count(region), count(DISTINCT region), sum(units), min(day), max(product) FROM sales;

-- name: having_on_count
SELECT region, count(*) FROM sales GROUP BY region HAVING count(*) > 1 ORDER BY region;

-- name: having_on_other_aggregate
SELECT region FROM sales GROUP BY region HAVING sum(units) > 2 AND min(day) < '2024-02-01' ORDER BY region;

-- name: having_on_key
SELECT region, count(*) FROM sales GROUP BY region HAVING region > 'm' ORDER BY region;

-- name: having_without_group
SELECT count(*) FROM sales HAVING count(*) > 100;

-- name: having_true_without_group
SELECT 'some' FROM sales HAVING max(units) > 5;

-- name: having_null
SELECT region FROM sales GROUP BY region HAVING NULL;

-- name: aggregate_of_expression
SELECT region, sum(units * price), avg(units + 1), max(length(product)) FROM sales GROUP BY region ORDER BY region;

-- name: expression_of_aggregates
SELECT region, sum(amount) / nullif(sum(units), 0), max(price) - min(price), count(*) * 2 + 1 FROM sales GROUP BY region ORDER BY region;

-- name: order_by_aggregate
SELECT region FROM sales GROUP BY region ORDER BY count(*) DESC, region;

-- name: order_by_aggregate_with_limit
SELECT product, count(*) AS c FROM sales GROUP BY product ORDER BY c DESC LIMIT 2;

-- name: filter_then_group
SELECT region, sum(amount) FROM sales WHERE online AND units > 0 GROUP BY region ORDER BY region;

-- name: group_of_no_rows
SELECT region, count(*) FROM sales WHERE id > 1000 GROUP BY region;

-- name: aggregate_of_no_rows
SELECT count(*), sum(units), avg(price), min(region), max(day), bool_and(online) FROM sales WHERE id > 1000;

-- name: filtered_aggregates
SELECT region, count(*) FILTER (WHERE online), sum(units) FILTER (WHERE product = 'apple'), max(day) FILTER (WHERE units > 100) FROM sales GROUP BY region ORDER BY region;

-- name: filtered_aggregate_without_group
SELECT count(*) FILTER (WHERE online), count(*) FILTER (WHERE NOT online), count(*) FILTER (WHERE online IS NULL) FROM sales;

-- name: count_distinct_by_group
SELECT region, count(DISTINCT product), count(DISTINCT units), sum(DISTINCT units), avg(DISTINCT price) FROM sales GROUP BY region ORDER BY region;

-- name: several_count_distincts
SELECT count(DISTINCT region), count(DISTINCT product), count(DISTINCT day), count(DISTINCT amount), count(DISTINCT price), count(DISTINCT online), count(DISTINCT ref) FROM sales;

-- name: count_distinct_expression
SELECT count(DISTINCT lower(product)), count(DISTINCT units % 2), count(DISTINCT coalesce(region, '')) FROM sales;

-- name: distinct_one_column
SELECT DISTINCT region FROM sales;

-- name: distinct_several_columns
SELECT DISTINCT region, online, units > 0 FROM sales ORDER BY 1, 2, 3;

-- name: distinct_expression_ordered
SELECT DISTINCT length(region) AS n FROM sales ORDER BY n DESC NULLS LAST;

-- name: distinct_with_limit
SELECT DISTINCT product FROM sales ORDER BY product LIMIT 3;

-- name: distinct_of_aggregates
SELECT DISTINCT count(*) FROM sales GROUP BY region ORDER BY 1;

-- name: distinct_on
SELECT DISTINCT ON (region) region, day, id FROM sales ORDER BY region, day DESC, id;

-- name: select_distinct_star
SELECT DISTINCT * FROM (SELECT region, product FROM sales) AS q ORDER BY 1, 2;

-- name: subquery_then_group
SELECT n, count(*) FROM (SELECT region, count(*) AS n FROM sales GROUP BY region) AS q GROUP BY n ORDER BY n;

-- name: scalar_subquery_in_having
SELECT region, sum(units) FROM sales GROUP BY region HAVING sum(units) > (SELECT avg(units) FROM sales WHERE units < 100) ORDER BY region;

-- name: group_by_interval_arithmetic
SELECT date_trunc('month', day) AS month, sum(amount), count(*) FROM sales GROUP BY month ORDER BY month;

-- name: ungrouped_column
SELECT region, product FROM sales GROUP BY region;

-- name: ungrouped_column_in_expression
SELECT region, units + 1 FROM sales GROUP BY region;

-- name: ungrouped_column_in_order_by
SELECT region FROM sales GROUP BY region ORDER BY units;

-- name: ungrouped_column_in_having
SELECT region FROM sales GROUP BY region HAVING units > 1;

-- name: ungrouped_column_beside_aggregate
SELECT region, count(*) FROM sales;

-- name: aggregate_in_where
SELECT region FROM sales WHERE count(*) > 1;

-- name: aggregate_in_group_by
SELECT count(*) FROM sales GROUP BY count(*);

-- name: aggregate_in_aggregate
SELECT sum(count(*)) FROM sales GROUP BY region;

-- name: aggregate_in_filter
SELECT count(*) FILTER (WHERE count(*) > 1) FROM sales;

-- name: group_position_out_of_range
SELECT region FROM sales GROUP BY 2;

-- name: distinct_order_by_must_be_selected
SELECT DISTINCT region FROM sales ORDER BY units;

-- name: distinct_on_must_lead_order
SELECT DISTINCT ON (region) region FROM sales ORDER BY day;
