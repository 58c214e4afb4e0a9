-- What went wrong once: small queries cut out of random and hostile ones.
-- setup
CREATE TABLE t (i int, s int2, v varchar(12), c char(3), t text) USING mergetree;
INSERT INTO t VALUES (1, 1, 'b', 'x', 'q'), (2, 2, 'a', 'y', 'r'), (3, 2, 'a', 'y', 'r'), (NULL, NULL, NULL, NULL, NULL);
CREATE TABLE empty (d date, f float8) USING mergetree;
CREATE DOMAIN positive AS numeric(10,2) CHECK (VALUE > 0);
CREATE TABLE bad (i int, n numeric, x text, f numeric) USING mergetree;
INSERT INTO bad VALUES (1, 5, '1', 1), (2, -1, '2', 2), (3, 99999999999, 'q', 1e-400), (4, -2, 'z', 1e400), (5, 0, 'zz', 0);

-- name: distinct_argument_that_is_converted
SELECT string_agg(DISTINCT v, ',' ORDER BY v), string_agg(DISTINCT c, ',' ORDER BY c DESC),
       string_agg(DISTINCT least(v, v), ',' ORDER BY least(v, v)), sum(DISTINCT s ORDER BY s) FROM t;

-- name: distinct_argument_is_not_its_conversion
SELECT string_agg(DISTINCT v, ',' ORDER BY v::text) FROM t;

-- name: limit_and_offset_beyond_the_largest_number
SELECT i FROM t LIMIT 9223372036854775807 OFFSET 2;

-- name: limit_and_offset_beyond_the_largest_number_in_order
SELECT i FROM t ORDER BY i LIMIT 9223372036854775807 OFFSET 2;

-- name: limit_at_the_largest_offset
SELECT i FROM t LIMIT 2 OFFSET 9223372036854775807;

-- name: ordered_set_without_rows
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY NULL::text) FROM empty;

-- name: long_in_lists_of_all_types
SELECT i, v IN ('a', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'a longer one'), t NOT IN ('s', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n'),
       c IN ('x', 'x ', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n'),
       i::numeric IN (1.0, 1.00, 'NaN', 'Infinity', '-Infinity', 5, 6, 7, 8, 9, 10, 11, 12, 1e50, NULL),
       i / 2.0::float8 IN (-0.0, 0.5, 'NaN', 'Infinity', '-Infinity', 5, 6, 7, 8, 9, 10, 11, 12, 1e50),
       make_interval(days => i * 30) IN ('1 mon', '-2 days', '3 days', '4 days', '5 days', '6 days', '7 days', '8 days', '9 days', '10 days', '11 days', '12 days', '60 days'),
       t::bytea IN ('q', '\x00', '', '\x01', '\x02', '\x03', '\x04', '\x05', '\x06', '\x07', '\x08', '\x09', '\xff')
FROM t;

-- name: long_in_list_of_uuids
SELECT i FROM t WHERE ('80000000-0000-0000-0000-00000000000' || i)::uuid IN ('80000000-0000-0000-0000-000000000001', 'ffffffff-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000001',
  '00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000003', '00000000-0000-0000-0000-000000000004', '00000000-0000-0000-0000-000000000005', '00000000-0000-0000-0000-000000000006',
  '00000000-0000-0000-0000-000000000007', '00000000-0000-0000-0000-000000000008', '00000000-0000-0000-0000-000000000009', '80000000-0000-0000-0000-000000000002', '70000000-0000-0000-0000-000000000003');

-- name: python_functions_on_the_last_rows_before_a_limit
SELECT format('%s-%s', v, t), string_agg(c, ',' ORDER BY c) FROM t WHERE i > 1 AND s = 2 GROUP BY 1, c LIMIT 1;

-- name: conditions_that_are_known_while_staging
SELECT NOT (NULL::int8 BETWEEN 2 AND 100) AS k, bit_and(i), (NULL::bool AND false) = (i > 1) AS e, NULL::bool OR true < (i > 1) AS l
FROM t GROUP BY NOT (NULL::int8 BETWEEN 2 AND 100), i ORDER BY NULL::bool AND false, NOT (NULL::int8 BETWEEN 2 AND 100) DESC;

-- name: distinct_argument_that_the_optimizer_changes
SELECT string_agg(DISTINCT CASE WHEN 0::int2 > 0 THEN left(t, 0) ELSE t END, ',' ORDER BY CASE WHEN 0::int2 > 0 THEN left(t, 0) ELSE t END),
       string_agg(v, ',' ORDER BY CASE WHEN i IN (i, i) THEN i + (1 - 1) ELSE 2 * 3 END DESC) FROM t;

-- name: nullif_of_what_is_known_to_be_null
SELECT nullif(CASE 1 WHEN 1 THEN NULL::int4 WHEN 42 THEN i END, i + i) AS k, count(t) FROM t GROUP BY 1;

-- name: computed_column_in_an_arm_and_outside
SELECT CASE WHEN x <> 0 THEN y END, y FROM (SELECT x, 1 / x AS y FROM (VALUES (1), (0), (2)) AS v (x)) AS s;

-- name: computed_column_in_two_arms
SELECT CASE WHEN x <> 0 THEN y END, CASE WHEN x > 0 THEN y + 1 END, CASE WHEN x = 0 THEN 5 ELSE y END FROM (SELECT x, 1 / x AS y FROM (VALUES (1), (0), (2)) AS v (x)) AS s;

-- name: dear_function_in_an_arm_and_outside
SELECT CASE WHEN x > 0 THEN ln(x) END, ln(abs(x) + 1), CASE WHEN x > 1 THEN 2 * ln(x) END FROM (VALUES (1.0::float8), (0), (2)) AS v (x);

-- name: dear_function_that_fails_outside_of_its_arm
SELECT CASE WHEN x > 0 THEN ln(x) END, ln(x) + 1 FROM (VALUES (1.0::float8), (0), (2)) AS v (x);

-- name: python_function_in_an_arm_and_outside
SELECT CASE WHEN x > 1 THEN md5(x::text) END AS a, md5(x::text) AS b, md5(x::text) || 'c' AS c FROM (VALUES (1), (0), (2), (NULL)) AS v (x);

-- name: dear_condition_and_value
SELECT count(*), sum(length(md5(x::text))), max(md5(x::text)) FROM generate_series(1, 50) AS g (x) WHERE md5(x::text) > '8';

-- name: condition_of_an_earlier_row
SELECT n::positive FROM bad;

-- name: cast_of_an_earlier_row
SELECT n::positive FROM bad WHERE i <> 2;

-- name: underflow_before_overflow
SELECT f::float8 FROM bad;

-- name: first_text_that_is_no_number
SELECT x::int FROM bad;

-- name: later_column_of_an_earlier_row
SELECT x::int, n::positive FROM bad;

-- name: python_before_machine_code
SELECT 1 / (i - 4), x::int FROM bad;

-- name: machine_code_before_python
SELECT x::int, 1 / (i - 2) FROM bad;

-- name: first_row_of_an_aggregate
SELECT sum(1 / (i - 4)), max(x::int) FROM bad;

-- name: first_row_of_a_condition
SELECT count(*) FROM bad WHERE x::int > 0 AND 1 / (i - 2) > 0;

-- name: first_row_of_many
SELECT 1 / (g - 40000), g::int2 FROM generate_series(29990, 40010) g;
