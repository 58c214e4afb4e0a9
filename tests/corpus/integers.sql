-- Integer arithmetic and comparison at the limits, with NULLs.
-- setup
CREATE TABLE ints (id int, s int2, i int4, b int8) USING mergetree;
INSERT INTO ints VALUES
  (1, 0, 0, 0), (2, 1, 1, 1), (3, -1, -1, -1), (4, 32767, 2147483647, 9223372036854775807),
  (5, -32768, -2147483648, -9223372036854775808), (6, NULL, NULL, NULL), (7, 7, NULL, 3000000000), (8, NULL, 42, NULL),
  (9, 100, 1000, 10000), (10, -100, -1000, -10000), (11, 2, 3, 5), (12, 32766, 2147483646, 9223372036854775806);

-- name: all_rows
SELECT * FROM ints ORDER BY id;

-- name: sums_of_widths
SELECT id, s + i AS a, i + b AS c, s + b AS d FROM ints WHERE id IN (1, 2, 3, 6, 7, 8, 9, 10, 11);

-- name: differences
SELECT id, s - i, i - b, s - b FROM ints WHERE id IN (1, 2, 3, 6, 7, 8, 9, 10, 11);

-- name: products
SELECT id, s * i, i * b FROM ints WHERE id NOT IN (4, 5, 12);

-- name: division_truncates
SELECT id, i / 7, i % 7, -i / 7, -i % 7, b / 3, b % 3 FROM ints WHERE id <> 5;

-- name: modulo_signs
SELECT 7 / -2, -7 / 2, 7 % -2, -7 % 2, -7 % -2, mod(-7, 3), div(-7, 2), 7::int2 / 2::int2, 7::int8 / 2;

-- name: minimum_modulo_minus_one
SELECT (-2147483648) % -1, (-9223372036854775808) % -1, (-32768)::int2 % (-1)::int2;

-- name: unary_minus
SELECT id, -s, -i, -b, + i FROM ints WHERE id <> 5;

-- name: absolute_values
SELECT id, abs(s), @ i, abs(b) FROM ints WHERE id <> 5;

-- name: types_of_mixed_arithmetic
SELECT 1::int2 + 1::int2, 1::int2 + 1, 1 + 1::int8, 1::int2 * 1.5, 1 / 2.0, 1::int8 + 1.5::float8, 1 + 1.5::float4;

-- name: bit_operators
SELECT id, s & 15::int2, i | 15, b # 255, ~ i, ~ s FROM ints ORDER BY id;

-- name: shifts
SELECT 1 << 4, 1 << 31, 1 << 32, 256 >> 4, -256 >> 4, 1::int8 << 40, 1::int2 << 15, -1 >> 31;

-- name: comparisons_between_widths
SELECT id, s < i, i < b, s = b, i <> b, s >= i, i <= b FROM ints ORDER BY id;

-- name: filter_equals
SELECT id FROM ints WHERE i = 42;

-- name: filter_limit_value
SELECT id FROM ints WHERE b = 9223372036854775807 OR i = -2147483648 OR s = 32767;

-- name: filter_out_of_type_range
SELECT id FROM ints WHERE i < 3000000000 ORDER BY id;

-- name: filter_never_true
SELECT id FROM ints WHERE s > 40000;

-- name: filter_range
SELECT id, i FROM ints WHERE i BETWEEN -1000 AND 1000 ORDER BY i;

-- name: between_symmetric
SELECT id FROM ints WHERE i BETWEEN SYMMETRIC 10 AND -10 ORDER BY id;

-- name: not_between
SELECT id FROM ints WHERE i NOT BETWEEN 0 AND 100 ORDER BY id;

-- name: in_list_with_null
SELECT id, i IN (0, 42, NULL), i NOT IN (0, NULL) FROM ints ORDER BY id;

-- name: in_list_of_mixed_types
SELECT id FROM ints WHERE b IN (1, 3000000000, 1.0) ORDER BY id;

-- name: any_of_array
SELECT id FROM ints WHERE i = ANY (ARRAY[0, 1, 42]) ORDER BY id;

-- name: any_of_array_text
SELECT id FROM ints WHERE i = ANY ('{0,1,42,NULL}'::int[]) ORDER BY id;

-- name: is_distinct_from
SELECT id, i IS DISTINCT FROM 42, i IS NOT DISTINCT FROM NULL, s IS DISTINCT FROM i FROM ints ORDER BY id;

-- name: overflow_int4_add
SELECT i + 1 FROM ints;

-- name: overflow_int4_subtract
SELECT i - 1 FROM ints;

-- name: overflow_int4_multiply
SELECT i * 2 FROM ints;

-- name: overflow_int2_add
SELECT s + 1::int2 FROM ints;

-- name: overflow_int2_multiply
SELECT s * s FROM ints;

-- name: overflow_int8_add
SELECT b + 1 FROM ints;

-- name: overflow_int8_multiply
SELECT b * b FROM ints;

-- name: overflow_int8_subtract
SELECT b - 2 FROM ints;

-- name: overflow_negate
SELECT -i FROM ints;

-- name: overflow_negate_int2
SELECT -s FROM ints;

-- name: overflow_negate_int8
SELECT -b FROM ints;

-- name: overflow_abs
SELECT abs(i) FROM ints;

-- name: overflow_divide
SELECT i / -1 FROM ints;

-- name: overflow_divide_int8
SELECT b / (-1)::int8 FROM ints;

-- name: overflow_in_unselected_rows_is_no_error
SELECT i + 1 FROM ints WHERE i < 2147483647 ORDER BY 1;

-- name: overflow_in_filter
SELECT id FROM ints WHERE i + 1 > 0;

-- name: division_by_zero
SELECT 10 / i FROM ints;

-- name: modulo_by_zero
SELECT 10 % s FROM ints;

-- name: division_by_zero_int8
SELECT b / (b - b) FROM ints WHERE id = 2;

-- name: division_guarded_by_case
SELECT id, CASE WHEN i <> 0 THEN 100 / i END FROM ints ORDER BY id;

-- name: division_guarded_by_filter
SELECT id, 100 / i FROM ints WHERE i <> 0 ORDER BY id;

-- name: division_guarded_by_nullif
SELECT id, 100 / nullif(i, 0) FROM ints ORDER BY id;

-- name: division_of_null_by_zero
SELECT NULL::int / 0, 0 / NULL::int;

-- name: sums_do_not_overflow
SELECT sum(s), sum(i), sum(b), avg(s), avg(i), avg(b) FROM ints;

-- name: sum_of_expression
SELECT sum(i::int8 + 1), sum(s * 2), sum(i / 2) FROM ints WHERE id > 5;

-- name: extremes
SELECT min(s), max(s), min(i), max(i), min(b), max(b) FROM ints;

-- name: narrowing_casts
SELECT id, i::int2, b::int4 FROM ints WHERE id IN (1, 2, 3, 6, 9, 10, 11);

-- name: narrowing_cast_overflow
SELECT i::int2 FROM ints;

-- name: narrowing_cast_overflow_int8
SELECT b::int4 FROM ints;

-- name: gcd_and_lcm
SELECT gcd(12, 18), gcd(0, 0), gcd(-12, 18), lcm(4, 6), lcm(0, 5), gcd(2147483648, 6), lcm(21, -6);

-- name: int_to_text
SELECT id, i::text, s || '/' || b, length(b::text) FROM ints ORDER BY id;

-- name: int_to_hex_and_others
SELECT to_hex(255), to_hex(-1), to_hex(9223372036854775807), to_bin(5), to_oct(64), chr(65), ascii('A');

-- name: factorial
SELECT factorial(0), factorial(5), factorial(25);

-- name: sign_and_division_functions
SELECT sign(-5), sign(0), sign(7), div(9, 4), mod(9, 4), width_bucket(5, 0, 10, 5);
