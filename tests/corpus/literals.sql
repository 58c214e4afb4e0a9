-- Literals: how they are written, which type they get, what columns are called.
-- setup

-- name: integer_widths
SELECT 1, 2147483647, 2147483648, 9223372036854775807, 9223372036854775808;

-- name: negative_limits
SELECT -2147483648, -9223372036854775808, - 1;

-- name: other_radixes
SELECT 0x1F, 0o17, 0b101, 1_000_000, 0xFFFFFFFF, 0x7fff_ffff;

-- name: decimal_numbers
SELECT 1.5, 1.50, .5, 5., 1e3, 1.5e-3, 1e30;

-- name: strings
SELECT 'plain', 'it''s', '', 'ü€😀';

-- name: strings_over_lines
SELECT 'first'
       ' second';

-- name: escape_strings
SELECT E'a\tb\nc', E'\x41\101\u00e9\U0001F600', E'it\'s', E'back\\slash';

-- name: unicode_strings
SELECT U&'d\0061t\+000061', U&'d!0061t' UESCAPE '!';

-- name: dollar_quotes
SELECT $$it's$$, $tag$a $$ b$tag$;

-- name: bit_of_null
SELECT NULL, NULL::int, 'x' || NULL;

-- name: booleans
SELECT true, false, TRUE AND NULL, 'yes'::bool, 'f'::bool;

-- name: typed_literals
SELECT DATE '2024-02-29', TIME '12:34:56.789', TIMESTAMP '2024-02-29 12:00:00', INTERVAL '1 day 02:03:04', NUMERIC '1.10';

-- name: cast_spellings
SELECT CAST('12' AS int), '12'::int, int4 '12', int '12', float8 '1.5', CAST(1.5 AS double precision);

-- name: column_names
SELECT 1 + 1, upper('x'), 'x'::text, CAST(1 AS int8), CASE WHEN true THEN 1 END, coalesce(1, 2), NULL, count(*), 1 AS one, 2 two,
       greatest(1, 2), nullif(1, 2), current_schema() IS NULL, 3 AS "Mixed Case", extract(year from date '2024-01-01'),
       substring('abc' from 2), position('b' in 'abc'), trim('  x '), not true, -(1), 'a' like 'b';

-- name: column_name_of_array_and_row_forms
SELECT DATE '2024-01-01', (1), (CASE WHEN true THEN upper('x') END), (SELECT 5 AS inner_name), (SELECT 7), exists (SELECT 1);

-- name: comments_are_skipped
SELECT 1 /* a /* nested */ comment */ + 2 -- the end
;

-- name: select_nothing_but_constants_with_where
SELECT 'kept' WHERE 1 = 1;

-- name: select_where_false
SELECT 'dropped' WHERE 1 = 2;

-- name: current_date_is_a_date (shape)
-- the value is the day of the run
SELECT current_date, now(), localtimestamp, current_timestamp;

-- name: operator_precedence
SELECT 2 + 3 * 4, (2 + 3) * 4, 2 ^ 3 ^ 2, -2 ^ 2, 7 - 2 - 1, 100 / 10 / 2, 5 % 3 * 2, NOT false AND false, 1 + 2 = 3, - 3 % 2;

-- name: precedence_of_predicates
SELECT (1 < 2) = true, NOT 1 = 2, 3 BETWEEN 1 AND 5 AND true, 'a' || 'b' LIKE 'ab', 2 IN (1, 2) IS TRUE, (1 IS NULL) = false;

-- name: comparisons_do_not_chain
SELECT 1 < 2 = true;

-- name: strings_on_one_line_do_not_join
SELECT 'a' 'b';
