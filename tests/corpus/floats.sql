-- Floating point: special values, text form, comparison, aggregates.
-- setup
CREATE TABLE floats (id int, f float4, d float8) USING mergetree;
INSERT INTO floats VALUES
  (1, 0, 0), (2, '-0', '-0'), (3, 'NaN', 'NaN'), (4, 'Infinity', 'Infinity'), (5, '-Infinity', '-Infinity'),
  (6, NULL, NULL), (7, 1.5, 1.5), (8, -1.5, -1.5), (9, 1e-45, 5e-324), (10, 3.4028235e38, 1.7976931348623157e308),
  (11, 0.1, 0.1), (12, 1e15, 1e15), (13, 123456.789, 123456789.123456789), (14, 1e-5, 1e-5), (15, 2.5, 2.5),
  (16, 3.5, 3.5), (17, -2.5, -2.5), (18, 16777217, 9007199254740993), (19, 1e16, 1e16), (20, 1e-4, 1e-4);

-- name: all_rows
SELECT * FROM floats ORDER BY id;

-- name: order_puts_nan_last
SELECT id, d FROM floats ORDER BY d, id;

-- name: order_descending_float4
SELECT id, f FROM floats ORDER BY f DESC NULLS LAST, id;

-- name: nan_equals_nan
SELECT id FROM floats WHERE d = 'NaN';

-- name: nan_is_greater_than_infinity
SELECT id FROM floats WHERE d > 'Infinity';

-- name: negative_zero_equals_zero
SELECT id FROM floats WHERE d = 0 ORDER BY id;

-- name: comparisons
SELECT id, d < 1, d <= 'NaN', d >= 'Infinity', d <> 0, f < 0.1, f = 0.1 FROM floats ORDER BY id;

-- name: float4_against_float8
SELECT id, f = d, f < d, f > d FROM floats ORDER BY id;

-- name: comparison_with_numeric_and_int
SELECT id, d = 1.5, d > 1, f < 2 FROM floats ORDER BY id;

-- name: arithmetic
SELECT id, d + 1, d - 1, d * 2, d / 4, -d FROM floats WHERE id NOT IN (9, 10) ORDER BY id;

-- name: arithmetic_float4
SELECT id, f + 1::float4, f * 2::float4, f / 4::float4, -f FROM floats WHERE id NOT IN (9, 10) ORDER BY id;

-- name: mixed_arithmetic
SELECT id, f + d, f * 1.5, d + 1.5 FROM floats WHERE id IN (1, 6, 7, 8, 11, 15) ORDER BY id;

-- name: overflow_multiply
SELECT d * 10 FROM floats WHERE id = 10;

-- name: overflow_float4_multiply
SELECT f * 10::float4 FROM floats WHERE id = 10;

-- name: underflow_multiply
SELECT d / 10 FROM floats WHERE id = 9;

-- name: underflow_float4
SELECT f * 0.1::float4 FROM floats WHERE id = 9;

-- name: infinity_arithmetic
SELECT d + d, d - d, d * 0, d / 2, 1 / d FROM floats WHERE id = 4;

-- name: division_by_zero
SELECT 1 / d FROM floats WHERE id = 1;

-- name: division_by_negative_zero
SELECT 1 / d FROM floats WHERE id = 2;

-- name: zero_by_zero
SELECT 0::float8 / 0::float8;

-- name: nan_by_zero
SELECT 'NaN'::float8 / 0;

-- name: to_integer_rounds_half_even
SELECT id, d::int, d::int8, f::int2 FROM floats WHERE id IN (1, 2, 6, 7, 8, 11, 15, 16, 17);

-- name: to_integer_overflow
SELECT d::int FROM floats WHERE id = 12;

-- name: to_integer_nan
SELECT d::int8 FROM floats WHERE id = 3;

-- name: to_int2_overflow
SELECT f::int2 FROM floats WHERE id = 13;

-- name: to_numeric
SELECT id, d::numeric, f::numeric FROM floats WHERE id NOT IN (9, 10) ORDER BY id;

-- name: to_numeric_scaled
SELECT id, d::numeric(12, 2) FROM floats WHERE id IN (1, 6, 7, 11, 13, 14, 15);

-- name: to_float4
SELECT id, d::float4 FROM floats WHERE id NOT IN (9, 10) ORDER BY id;

-- name: to_float4_overflow
SELECT d::float4 FROM floats WHERE id = 10;

-- name: to_float4_underflow
SELECT d::float4 FROM floats WHERE id = 9;

-- name: to_text
SELECT id, d::text, f::text FROM floats ORDER BY id;

-- name: from_text
SELECT ' 1.5 '::float8, '1e3'::float8, 'inf'::float8, '-infinity'::float8, 'nan'::float4, '.5'::float8, '5.'::float8;

-- name: from_bad_text
SELECT '1.5x'::float8;

-- name: from_empty_text
SELECT ''::float8;

-- name: from_text_out_of_range
SELECT '1e400'::float8;

-- name: from_text_too_small
SELECT '1e-400'::float8;

-- name: from_text_float4_out_of_range
SELECT '1e40'::float4;

-- name: rounding
SELECT id, round(d), trunc(d), ceil(d), floor(d), ceiling(d) FROM floats ORDER BY id;

-- name: rounding_float4
SELECT id, round(f), trunc(f), ceil(f), floor(f) FROM floats WHERE id IN (1, 2, 6, 7, 8, 15, 16, 17);

-- name: sign_and_abs
SELECT id, sign(d), abs(d), abs(f), @ d FROM floats ORDER BY id;

-- name: sum_and_avg (float)
SELECT sum(d), avg(d), count(d), sum(f), avg(f) FROM floats WHERE id IN (1, 2, 6, 7, 8, 11, 13, 14, 15, 16, 17);

-- name: sum_with_nan
SELECT sum(d), avg(d), max(d), min(d) FROM floats;

-- name: sum_with_infinity
SELECT sum(d), avg(d) FROM floats WHERE id IN (4, 7);

-- name: sum_of_infinities
SELECT sum(d), avg(d) FROM floats WHERE id IN (4, 5);

-- name: sum_overflow
SELECT sum(x) FROM (VALUES (1.7e308::float8), (1.7e308)) AS v (x);

-- name: extremes
SELECT min(d), max(d), min(f), max(f) FROM floats WHERE id NOT IN (3);

-- name: extremes_of_infinities_and_null
SELECT min(d), max(d) FROM floats WHERE id IN (4, 5, 6);

-- name: group_by_float
SELECT d, count(*) FROM floats WHERE id NOT IN (2) GROUP BY d ORDER BY d;

-- name: zeros_are_one_group
SELECT count(*) FROM (SELECT d FROM floats WHERE id IN (1, 2) GROUP BY d) AS q;

-- name: distinct_floats
SELECT count(DISTINCT d), count(DISTINCT f) FROM floats;

-- name: statistics (float)
SELECT var_pop(d), var_samp(d), stddev_pop(d), stddev_samp(d), variance(d), stddev(d) FROM floats WHERE id IN (7, 8, 11, 15, 16, 17);

-- name: statistics_of_one_row
SELECT var_pop(d), var_samp(d), stddev_pop(d), stddev_samp(d) FROM floats WHERE id = 7;

-- name: square_roots (float)
SELECT id, sqrt(d), cbrt(d) FROM floats WHERE d >= 0 OR d IS NULL ORDER BY id;

-- name: square_root_of_negative
SELECT sqrt(d) FROM floats WHERE id = 8;

-- name: exponentials (float)
SELECT exp(0::float8), exp(1::float8), exp(-1.5::float8), ln(2::float8), log(1000::float8), log10(0.01::float8), power(2::float8, 0.5), 2::float8 ^ 10;

-- name: exponential_overflow
SELECT exp(1000::float8);

-- name: exponential_underflow
SELECT exp(-1000::float8);

-- name: logarithm_of_zero
SELECT ln(0::float8);

-- name: logarithm_of_negative
SELECT ln(-1::float8);

-- name: power_special_cases
SELECT power('NaN'::float8, 0), power(1::float8, 'NaN'), power(0::float8, 0), power('Infinity'::float8, -1), power(-2::float8, 3), power('-Infinity'::float8, 3);

-- name: power_zero_to_negative
SELECT power(0::float8, -1);

-- name: power_negative_to_fraction
SELECT power(-2::float8, 0.5);

-- name: power_overflow
SELECT power(10::float8, 400);

-- name: trigonometry (float)
SELECT sin(1), cos(1), tan(1), cot(1), asin(0.5), acos(0.5), atan(1), atan2(1, -1), sinh(1), cosh(1), tanh(1), asinh(1), acosh(2), atanh(0.5);

-- name: trigonometry_in_degrees
SELECT sind(30), cosd(60), tand(45), cotd(45), asind(0.5), acosd(0.5), atand(1), atan2d(1, 1), degrees(pi()), radians(180);

-- name: arcsine_out_of_range
SELECT asin(2);

-- name: sine_of_infinity
SELECT sin('Infinity'::float8);

-- name: width_buckets
SELECT id, width_bucket(d, 0, 10, 5) FROM floats WHERE d BETWEEN -5 AND 20 ORDER BY id;

-- name: shortest_text
SELECT 0.1::float8 + 0.2::float8, 1e22::float8, 1e21::float8, 123456789012345680::float8, 1e15::float8, 1e16::float8, 0.0001::float8, 0.00001::float8;

-- name: shortest_text_float4
SELECT 1e5::float4, 1e6::float4, 1234567::float4, 0.1::float4, 16777216::float4, 1e-4::float4, 1e-5::float4, 0.3::float4::float8;
