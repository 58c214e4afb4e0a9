-- Numerics of one scale, which are computed with as single integers: scales of results, edges of 64 and 112 bits, groups, NULLs.
-- setup
CREATE TABLE prices (id int, g text, price numeric(15, 2), discount numeric(15, 2), tax numeric(4, 3), n int, b bigint, s smallint)
  USING mergetree;
INSERT INTO prices SELECT x, CASE x % 3 WHEN 0 THEN 'a' WHEN 1 THEN 'b' END, x * 37.25 - 400, (x % 11) * 0.01,
  CASE WHEN x % 5 = 0 THEN NULL ELSE (x % 9) * 0.001 END, x * 1000, x * 4611686018427387, x
  FROM generate_series(1, 40) AS g (x);
CREATE TABLE edges (id int, w numeric(18, 0), v numeric(18, 9), z numeric(30, 2), m numeric) USING mergetree;
INSERT INTO edges VALUES (1, 999999999999999999, 999999999.999999999, 9999999999999999999999999999.99, 9223372036854775807),
  (2, -999999999999999999, -999999999.999999999, -9999999999999999999999999999.99, -9223372036854775808),
  (3, 0, 0, 0, 0), (4, 1, 0.000000001, 0.01, 1), (5, NULL, NULL, NULL, NULL);
CREATE TABLE mixed (id int, x numeric, y numeric(8, 2)) USING mergetree;
INSERT INTO mixed VALUES (1, 1.5, 2.25), (2, 1.50, -0.75), (3, 'NaN', 0.10), (4, 1e40, 3), (5, NULL, NULL), (6, '-Infinity', 7.77);
CREATE TABLE nothing (x numeric(10, 2)) USING mergetree;

-- name: operators
SELECT id, price + discount, price - tax, price * discount, 1 - discount, 1.000 + discount, -price, abs(price), price * n, n - tax,
  price * s, b * discount FROM prices ORDER BY id;

-- name: nested
SELECT id, price * (1 - discount) * (1 + tax), (price + 1) * (price - 1), price * price * price, price * 0.5 - tax * 2 FROM prices
  ORDER BY id;

-- name: comparisons
SELECT id FROM prices WHERE price > 100 AND price < 1000.005 AND discount BETWEEN 0.06 - 0.01 AND 0.06 + 0.01 AND tax <> 0.0070
  ORDER BY id;

-- name: comparisons_between_scales
SELECT id, price < n, price = s * 37.25 - 400, discount >= tax, tax * 10 = discount, price > b, price <= 1e20, price > -1e40
  FROM prices ORDER BY id;

-- name: comparison_with_special_values
SELECT count(*) FILTER (WHERE price < 'NaN'), count(*) FILTER (WHERE price < 'Infinity'), count(*) FILTER (WHERE price > '-Infinity')
  FROM prices;

-- name: sums
SELECT sum(price), sum(discount), sum(tax), avg(price), avg(tax), sum(price * (1 - discount)), sum(price * (1 - discount) * (1 + tax)),
  sum(-price), sum(price) FILTER (WHERE tax IS NULL), avg(price) FILTER (WHERE id > 100), sum(n * 1.5), count(tax) FROM prices;

-- name: sums_of_groups
SELECT g, sum(price), avg(price), sum(tax), avg(tax), sum(price * (1 - discount) * (1 + tax)), avg(discount), count(*) FROM prices
  GROUP BY g ORDER BY g;

-- name: sums_of_many_groups
SELECT id, sum(price), avg(tax), sum(price * tax) FROM prices GROUP BY id ORDER BY id;

-- name: sums_of_zeros_keep_their_scale
SELECT g, sum(price - price), sum(discount * 0), sum(price * 0.000) FROM prices GROUP BY g ORDER BY g;

-- name: sums_of_different_scales
SELECT sum(CASE WHEN id > 20 THEN price * discount ELSE 0 END), sum(CASE WHEN id > 100 THEN price * discount ELSE 0 END),
  sum(coalesce(tax, 0)), sum(greatest(price, tax)), sum(nullif(price, 1)) FROM prices;

-- name: sums_over_branches_of_a_union
SELECT sum(x), avg(x), count(x) FROM (SELECT price FROM prices UNION ALL SELECT tax FROM prices UNION ALL SELECT v FROM edges) AS t (x);

-- name: distinct_and_spread
SELECT sum(DISTINCT discount), avg(DISTINCT discount), variance(price), stddev_pop(tax), min(price), max(price), min(price * tax)
  FROM prices;

-- name: sets
SELECT g, id % 2, sum(price), avg(price), sum(discount) FROM prices GROUP BY GROUPING SETS ((g), (id % 2), ()) ORDER BY g, id % 2;

-- name: windows
SELECT id, sum(price) OVER (ORDER BY id), avg(discount) OVER (PARTITION BY g ORDER BY id ROWS 2 PRECEDING) FROM prices ORDER BY id;

-- name: edges_of_words
SELECT id, w + 1, w - 1, w * 2, w * w, w * 10, v + w, v * v, v * w, -w, w + 0.000000001, v - 0.5 FROM edges ORDER BY id;

-- name: edges_beyond_words
SELECT id, w * w * w, v * v * v * v, z * z, z + w, z * w * w, m + 1, m * m, m - 1, m * w FROM edges ORDER BY id;

-- name: sums_of_edges
SELECT sum(w), sum(v), sum(w * w), sum(w * w * w), sum(z), sum(m), avg(w), avg(v * v), sum(abs(w)), sum(abs(w) * abs(w)) FROM edges;

-- name: comparisons_of_edges
SELECT a.id, b.id, a.w < b.w, a.w * 10 = b.w * 10, a.v < b.w, a.w > b.v * 1000000000, a.z > b.w, a.m <= b.w FROM edges a, edges b
  WHERE a.id < 5 AND b.id < 5 ORDER BY a.id, b.id;

-- name: mixed_with_others
SELECT id, x + y, x * y, x - y, y - x, x < y, x = 1.5, y * 3, sum(x + y) OVER (ORDER BY id ROWS 0 PRECEDING) FROM mixed ORDER BY id;

-- name: sums_with_others
SELECT sum(y), avg(y), sum(x) FILTER (WHERE id < 3), sum(x), sum(y) FILTER (WHERE id < 0) FROM mixed;

-- name: sums_of_nothing
SELECT sum(x), avg(x), sum(x * x), count(x) FROM nothing;

-- name: keys
SELECT price * 2 AS key, count(*) FROM prices WHERE id < 5 GROUP BY price * 2 UNION ALL SELECT discount + 1, count(*) FROM prices
  GROUP BY discount + 1 ORDER BY 1, 2;

-- name: joined_by_numbers
SELECT a.id, b.id FROM prices a JOIN prices b ON a.discount = b.tax * 10 AND a.price * 1.0 <> b.price WHERE a.id < 15 ORDER BY 1, 2;

-- name: joined_values
SELECT a.id, a.price * (1 - b.discount) - b.price * a.tax FROM prices a JOIN prices b ON a.id = b.id + 1 ORDER BY 1;

-- name: casts
SELECT id, price::int, price::float8, price::text, price::numeric(20, 5), (price * tax)::numeric(10, 1), price::bigint, discount::real
  FROM prices ORDER BY id;

-- name: divisions
SELECT id, price / 3, price / (discount + 1), price % 7, round(price, 1), round(price * tax, 2), trunc(price), ceil(price), sign(price)
  FROM prices ORDER BY id;

-- name: overflow_of_a_modifier
SELECT (price * 1000)::numeric(5, 2) FROM prices;

-- name: overflow_of_an_integer
SELECT (w * 10)::bigint FROM edges WHERE id = 1;

-- name: division_by_zero
SELECT price / (discount - discount) FROM prices WHERE id = 1;

-- name: sums_of_few_groups
SELECT s % 1 + 1, g, sum(price) FILTER (WHERE tax IS NOT NULL), sum(w * w), avg(v), sum(w), count(*), count(tax), min(price), sum(tax)
  FROM prices LEFT JOIN edges ON prices.id = edges.id GROUP BY g, s % 1 ORDER BY g;

-- name: sums_of_groups_by_code
SELECT g, sum(price) FILTER (WHERE tax IS NOT NULL), sum(b * 1.5), avg(b * price), avg(tax), sum(tax), count(*), count(tax), min(price),
  sum(b * b * 0.1), sum(tax) FILTER (WHERE id > 39), sum(discount * 0) FROM prices GROUP BY g ORDER BY g;

-- name: states_that_are_shared
SELECT g, variance(price), stddev(price), var_pop(price), stddev_pop(price), sum(price), avg(price), avg(n), sum(n), avg(b), sum(b),
  stddev(n), variance(n), avg(price) FILTER (WHERE id > 5), sum(price) FILTER (WHERE id > 5), sum(DISTINCT price), avg(DISTINCT price),
  sum(s), sum(price::float8), avg(price::float8) FROM prices GROUP BY g ORDER BY g;
