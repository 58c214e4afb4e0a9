-- Mathematical functions over columns.
-- setup
CREATE TABLE angles (id int, x float8, n numeric, i int) USING mergetree;
INSERT INTO angles VALUES (1, 0, 0, 0), (2, 0.5, 0.5, 1), (3, 1, 1, 2), (4, -1, -1, -3), (5, NULL, NULL, NULL), (6, 3.7, 3.7, 37), (7, -3.7, -3.7, -37), (8, 100, 100.00, 100), (9, 1e-10, 0.0000000001, 7);

-- name: roots (float)
SELECT id, sqrt(abs(x)), cbrt(x), |/ abs(x), ||/ x FROM angles ORDER BY id;

-- name: exponentials (float)
SELECT id, exp(x), exp(-x) FROM angles WHERE id < 8 ORDER BY id;

-- name: logarithms (float)
SELECT id, ln(x), log(x), log10(x) FROM angles WHERE x > 0 ORDER BY id;

-- name: logarithms_of_numeric
SELECT id, ln(n), log(n), log(2, n) FROM angles WHERE n > 0 ORDER BY id;

-- name: powers (float)
SELECT id, power(x, 2), x ^ 3, power(2, x), power(abs(x), 0.5) FROM angles ORDER BY id;

-- name: powers_of_numeric
SELECT id, power(n, 2), n ^ 3, power(1.5, n) FROM angles WHERE id <> 9 ORDER BY id;

-- name: trigonometry (float)
SELECT id, sin(x), cos(x), tan(x), atan(x), atan2(x, 2) FROM angles ORDER BY id;

-- name: arcs (float)
SELECT id, asin(x), acos(x) FROM angles WHERE x BETWEEN -1 AND 1 ORDER BY id;

-- name: hyperbolics (float)
SELECT id, sinh(x), cosh(x), tanh(x), asinh(x) FROM angles WHERE id < 8 ORDER BY id;

-- name: degrees_and_radians (float)
SELECT id, degrees(x), radians(x), sind(x * 30), cosd(x * 60), tand(x * 45) FROM angles WHERE id < 8 ORDER BY id;

-- name: roundings
SELECT id, round(x), ceil(x), floor(x), trunc(x), round(n), round(n, 1), trunc(n, 1), ceil(n), floor(n) FROM angles ORDER BY id;

-- name: integer_functions
SELECT id, abs(i), sign(i), mod(i, 5), i % 7, div(i, 3), gcd(i, 12), lcm(i, 4) FROM angles ORDER BY id;

-- name: powers_of_integers (float)
SELECT id, power(i, 2), i ^ 2, sqrt(i::numeric), 2 ^ i FROM angles WHERE i >= 0 AND i < 50 ORDER BY id;

-- name: buckets
SELECT id, width_bucket(x, -5, 5, 10), width_bucket(n, -5, 5, 4), width_bucket(x, 5, -5, 10) FROM angles ORDER BY id;

-- name: bucket_count_zero
SELECT width_bucket(x, 0, 1, 0) FROM angles;

-- name: bucket_bounds_equal
SELECT width_bucket(x, 1, 1, 5) FROM angles;

-- name: constants
SELECT pi(), pi()::numeric, degrees(pi()), round(pi()::numeric, 5);

-- name: error_functions (float)
SELECT erf(0.5), erfc(0.5), gamma(5), lgamma(10);

-- name: random_functions (shape)
-- values are random
SELECT random(), random(1, 10), random_normal();

-- name: power_domain_error
SELECT power(x, 0.5) FROM angles;

-- name: logarithm_domain_error
SELECT ln(n) FROM angles WHERE n < 0;

-- name: mod_of_numeric_columns
SELECT id, mod(n, 0.3), n % 2, div(n, 0.4) FROM angles ORDER BY id;

-- name: integer_division_and_remainder_identity
SELECT id, i = (i / 5) * 5 + i % 5 FROM angles ORDER BY id;

-- name: scale_of_products
SELECT id, n * n, n * 1.00, n / 2, n / 7, round(n / 7, 3) FROM angles ORDER BY id;

-- name: exponent_operator_of_integers
SELECT 2 ^ 10, 2 ^ -1, 2.0 ^ 3, 0 ^ 0, (-2) ^ 3, pg_typeof(2 ^ 3), pg_typeof(2.0 ^ 3);

-- name: float_modulo_does_not_exist
SELECT 5.5::float8 % 2;

-- name: bit_counts
SELECT bit_count('\x0f'::bytea), 6 & 3, 6 | 3, 6 # 3, ~6, 1 << 10, 1024 >> 3;
