-- Casts: explicit, implicit, between all pairs that people use; typmods; unknown literals.
-- setup
CREATE TABLE strings (id int, s text) USING mergetree;
INSERT INTO strings VALUES (1, '1'), (2, ' 42 '), (3, '-7'), (4, NULL), (5, '0'), (6, '+5');
CREATE TABLE dirty (id int, s text) USING mergetree;
INSERT INTO dirty VALUES (1, '1'), (2, 'x'), (3, '3');

-- name: text_to_numbers
SELECT id, s::int2, s::int4, s::int8, s::float4, s::float8, s::numeric FROM strings ORDER BY id;

-- name: text_to_int_bad_value
SELECT s::int FROM dirty;

-- name: text_to_int_bad_value_filtered_out
SELECT s::int FROM dirty WHERE id <> 2 ORDER BY 1;

-- name: text_to_int_bad_value_guarded
SELECT id, CASE WHEN s ~ '^\d+$' THEN s::int END FROM dirty ORDER BY id;

-- name: text_to_int_empty
SELECT ''::int;

-- name: text_to_int_out_of_range
SELECT '2147483648'::int;

-- name: text_to_int2_out_of_range
SELECT '40000'::int2;

-- name: text_to_int8_out_of_range
SELECT '9223372036854775808'::int8;

-- name: text_to_int_forms
SELECT '0x1F'::int, '0b11'::int, '0o17'::int, '1_000'::int, '-0'::int, '  12  '::int;

-- name: text_to_int_trailing_garbage
SELECT '12abc'::int;

-- name: decimal_text_is_no_integer
SELECT '1.0'::int;

-- name: numbers_to_text
SELECT 1::text, 1.50::text, 1e10::float8::text, true::text, (-5)::int8::text, 0.1::float4::text;

-- name: rounding_of_float_and_numeric_to_int
SELECT 2.5::float8::int, 2.5::numeric::int, (-2.5)::float8::int, (-2.5)::numeric::int, 0.5::float4::int2, 1e9::float8::int;

-- name: integers_widen_by_themselves
SELECT 1::int2 + 1::int8, 1::int2 = 1::int8, 1::int4 = 1.0, 1::int8 < 1.5::float4;

-- name: unknown_literal_takes_the_other_type
SELECT 1 + '2', 1.5 + '2', DATE '2024-01-01' + '1 day'::interval, '2024-01-02' > DATE '2024-01-01', '5' = 5, TIMESTAMP '2024-01-01' - '2023-12-31';

-- name: unknown_literal_bad_for_the_other_type
SELECT 1 + 'x';

-- name: two_unknown_literals_are_text
SELECT 'a' || 'b', 'a' = 'b', 'a' < 'b', length('abc');

-- name: two_unknown_literals_without_operator
SELECT '1' + '2';

-- name: unknown_literal_in_case
SELECT CASE WHEN true THEN '2024-01-01' ELSE DATE '2024-01-02' END, coalesce(NULL, '5', 6), greatest('10', 9);

-- name: no_cast_from_int_to_date
SELECT 1::date;

-- name: no_cast_from_bool_to_float
SELECT true::float8;

-- name: no_cast_from_date_to_int
SELECT DATE '2024-01-01'::int;

-- name: text_to_date_and_time
SELECT '2024-02-29'::text::date, '12:34'::text::time, '2024-02-29 12:34'::text::timestamp, '1 day'::text::interval;

-- name: function_argument_casts
SELECT sqrt(4), round(2.567, 1), abs('-5'), upper('x'::varchar), length('abc'::char(5)), power(2, 3), ln(1);

-- name: int_is_no_text_for_functions
SELECT upper(5);

-- name: int_is_no_text_for_like
SELECT 5 LIKE '5';

-- name: int_and_text_do_not_compare
SELECT 5 = '5'::text;

-- name: varchar_modifier
SELECT 'abcdef'::varchar(3), 'abc'::varchar(10), 12345::varchar(2), NULL::varchar(3);

-- name: varchar_modifier_zero
SELECT 'a'::varchar(0);

-- name: numeric_modifier
SELECT 1.239::numeric(3, 2), 1::numeric(5, 2), '12.345'::numeric(4, 1), 0.5::decimal(1, 0);

-- name: numeric_modifier_too_large
SELECT 1::numeric(2000, 2);

-- name: float_modifier
SELECT 1.5::float(24), 1.5::float(25), 1.5::real, 1.5::double precision;

-- name: type_spellings
SELECT 1::smallint, 1::integer, 1::bigint, 1::decimal, 1.5::dec(3, 1), 'x'::character varying, 'x'::character(2), 'x'::bpchar, true::boolean, now()::timestamp with time zone IS NULL, '10:00'::time without time zone;

-- name: type_unknown
SELECT 1::nonsense;

-- name: null_casts
SELECT NULL::int, NULL::text, NULL::numeric(3, 1), NULL::date, NULL::interval, NULL::uuid, NULL::bytea, NULL::bool;

-- name: chained_casts
SELECT '12.7'::numeric::int::text::int8, 3.9::float8::int::bool, '2024-02-29'::date::timestamp::date::text;

-- name: char_type_pads
SELECT 'ab'::char(4) || 'x', 'ab'::char(4)::text || 'x', 'ab'::char(4) = 'ab', length('ab  '::char(4)), octet_length('ab'::char(4));

-- name: single_byte_char
SELECT 'a'::"char", 'abc'::"char";

-- name: name_type
SELECT 'some_name'::name, pg_typeof('x'::name);

-- name: pg_typeof_of_expressions
SELECT pg_typeof(1), pg_typeof(1.5), pg_typeof('x'), pg_typeof(1 + 1::int8), pg_typeof(sum(1)), pg_typeof(avg(1)), pg_typeof(now()), pg_typeof(1::float4 + 1);

-- name: insert_casts_assign
SELECT 1.5::int4, '7'::int2 + 1, 70000::int4 % 32768::int4;

-- name: bit_casts_of_int
SELECT 5::int8::int2, 255::int4::int8, (-1)::int2::int8;
