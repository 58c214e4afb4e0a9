-- Numeric: scales of results, big values, special values.
-- setup
CREATE TABLE nums (id int, n numeric, p numeric(10, 2), q numeric(30, 10)) USING mergetree;
INSERT INTO nums VALUES
  (1, 0, 0, 0), (2, 1.0, 1, 1), (3, 1.00, 1.005, 1.00000000005), (4, -1.5, -1.5, -1.5), (5, NULL, NULL, NULL),
  (6, 'NaN', 'NaN', 'NaN'), (7, 'Infinity', NULL, NULL), (8, '-Infinity', NULL, NULL),
  (9, 12345678901234567890123456789012345678901234567890, 99999999.99, 12345678901234567890.0123456789),
  (10, 0.00000000000000000000000000000000000000001, 0.01, 0.0000000001), (11, 2.5, 2.5, 2.5), (12, 3.5, 3.5, 3.5),
  (13, 1e100, -99999999.99, -12345678901234567890.0123456789), (14, 123.456, 123.456, 123.456), (15, 7, 7, 7);

-- name: all_rows
SELECT * FROM nums ORDER BY id;

-- name: order_of_specials
SELECT id, n FROM nums ORDER BY n, id;

-- name: equality_ignores_scale
SELECT id FROM nums WHERE n = 1 ORDER BY id;

-- name: addition_scales
SELECT id, n + 1.234, p + q, n - 0.5, p - 1 FROM nums ORDER BY id;

-- name: multiplication_scales
SELECT id, p * p, q * p, n * 2, n * 1.10 FROM nums ORDER BY id;

-- name: division_scales
SELECT 1 / 3.0, 10.0 / 3, 1.0 / 7, 100 / 7.00, 1e10 / 3.0, 0.001 / 3, 2.0 / 3.000000000000000000000000000000, 1.0 / 1e20;

-- name: division_of_columns
SELECT id, p / 3, q / 7, n / 9 FROM nums ORDER BY id;

-- name: division_by_zero
SELECT n / (p - p) FROM nums WHERE id = 14;

-- name: special_arithmetic
SELECT id, n + n, n - n, n * 0, n / 2, -n FROM nums WHERE id IN (6, 7, 8);

-- name: modulo
SELECT 7.5 % 2, -7.5 % 2, 7.5 % -2, mod(10.123, 3), div(7.5, 2), div(-7.5, 2), 1e30 % 7;

-- name: modulo_by_zero
SELECT 1.5 % 0.0;

-- name: comparisons
SELECT id, n < p, n > 1, p = q, n <> p, n >= q FROM nums ORDER BY id;

-- name: rounding
SELECT id, round(n), round(p, 1), trunc(q, 3), ceil(n), floor(n) FROM nums WHERE id NOT IN (10, 13) ORDER BY id;

-- name: rounding_ties_go_away_from_zero
SELECT round(2.5), round(-2.5), round(0.5), round(1.45, 1), round(-1.45, 1), round(1250, -2), round(1350, -2), trunc(-1.99), trunc(1999, -3);

-- name: to_integer
SELECT id, p::int, p::int8 FROM nums WHERE id NOT IN (6) ORDER BY id;

-- name: to_integer_overflow
SELECT n::int8 FROM nums WHERE id = 9;

-- name: to_integer_nan
SELECT n::int FROM nums WHERE id = 6;

-- name: to_integer_infinity
SELECT n::int2 FROM nums WHERE id = 7;

-- name: to_float (float)
SELECT id, n::float8, p::float4 FROM nums ORDER BY id;

-- name: type_modifier_rounds
SELECT 1.005::numeric(5, 2), 999.994::numeric(5, 2), -0.005::numeric(3, 2), 12345::numeric(5), 1234.5::numeric(6, -2);

-- name: type_modifier_overflow
SELECT 999.995::numeric(5, 2);

-- name: type_modifier_overflow_of_column
SELECT n::numeric(10, 2) FROM nums;

-- name: from_text
SELECT ' 1.50 '::numeric, '1e3'::numeric, '1.5e-3'::numeric, 'NaN'::numeric, '-inf'::numeric, '1_000.5'::numeric, '0x1F'::numeric;

-- name: from_bad_text
SELECT '1.5.2'::numeric;

-- name: aggregates
SELECT sum(p), avg(p), min(p), max(p), count(p) FROM nums WHERE id <> 6;

-- name: aggregates_with_nan
SELECT sum(n), avg(n), min(n), max(n) FROM nums;

-- name: aggregates_of_big_values
SELECT sum(n), avg(n), sum(q), avg(q), max(n), min(n) FROM nums WHERE id NOT IN (6, 7, 8);

-- name: aggregates_of_infinity
SELECT sum(n), avg(n), max(n) FROM nums WHERE id IN (2, 7);

-- name: aggregates_of_both_infinities
SELECT sum(n), avg(n) FROM nums WHERE id IN (7, 8);

-- name: sum_keeps_the_largest_scale
SELECT sum(x), avg(x) FROM (VALUES (1.5), (2.25), (3.125)) AS v (x);

-- name: statistics
SELECT var_pop(p), var_samp(p), stddev_pop(p), stddev_samp(p) FROM nums WHERE id IN (2, 3, 4, 11, 12, 14, 15);

-- name: statistics_of_integers
SELECT var_pop(id), var_samp(id), stddev_pop(id), stddev(id), variance(id) FROM nums;

-- name: group_by_ignores_scale
SELECT count(*) AS c FROM nums GROUP BY n ORDER BY c DESC, min(id);

-- name: distinct_ignores_scale
SELECT count(DISTINCT n), count(DISTINCT p), count(DISTINCT q) FROM nums;

-- name: powers_and_roots
SELECT sqrt(2.0), sqrt(1e10), power(2.0, 10), power(2.0, 0.5), 2.0 ^ -1, power(10.0, 20), power(1.5, 3);

-- name: exponentials
SELECT exp(1.0), exp(0.0), ln(2.0), ln(10.00), log(100.0), log(2.0, 64.0), log(2.0, 10.0);

-- name: square_root_of_negative
SELECT sqrt(-1.0);

-- name: logarithm_of_zero
SELECT ln(0.0);

-- name: scale_functions
SELECT scale(1.500), min_scale(1.500), trim_scale(1.500), scale(10), min_scale(10.0), trim_scale(0.000);

-- name: sign_and_abs
SELECT id, sign(n), abs(n), abs(p) FROM nums ORDER BY id;

-- name: gcd_and_lcm
SELECT gcd(12.0, 18), lcm(1.5, 2.0), gcd(0.0, 0), lcm(4.00, 6);

-- name: to_text
SELECT id, n::text, p || 'x' FROM nums ORDER BY id;

-- name: big_products
SELECT 123456789012345678901234567890 * 987654321098765432109876543210, 99999999999999999999 + 1, 1e50 - 1;

-- name: mixed_with_integers_and_floats
SELECT 1.5 + 1, 1.5 * 2::int8, 1.5 + 1::float8, 1::int2 / 4.0, 2 ^ 0.5;

-- name: filter_range
SELECT id FROM nums WHERE p BETWEEN 1 AND 3 ORDER BY id;

-- name: filter_nan
SELECT id FROM nums WHERE n = 'NaN' OR p = 'NaN' ORDER BY id;

-- name: width_bucket_numeric
SELECT width_bucket(5.35, 0.024, 10.06, 5), width_bucket(-1.0, 0.0, 10.0, 5), width_bucket(11.0, 0.0, 10.0, 5);

-- name: sum_of_product
SELECT sum(p * q), sum(p * (1 - 0.05)), avg(p * 2) FROM nums WHERE id NOT IN (6);

-- name: too_large
SELECT 1e131071 * 10;

-- name: quotients_longer_than_their_registers
SELECT x / y AS quotient, abs(x - y) / y AS share, y / x AS inverse FROM (VALUES
    (5000.1666666666666667, 4999.8333333333333333), (99999999999999.99, 7.0000000000000001), (-1.00, 3333333333333333.3333),
    (0.0000000000000001, 99999999999999999999), (12345678901234567890.12, -0.00000000000000000007), (1, 3)) AS t (x, y) ORDER BY x, y;
