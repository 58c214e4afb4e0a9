-- Strings: functions over empty, long, multi-byte and NULL values.
-- setup
CREATE TABLE texts (id int, t text, v varchar(10), c char(5)) USING mergetree;
INSERT INTO texts VALUES
  (1, '', '', ''), (2, 'a', 'a', 'a'), (3, 'Hello World', 'Hello', 'Hello'), (4, NULL, NULL, NULL),
  (5, 'grüße ÄÖÜ', 'äöü', 'ß'), (6, '日本語テキスト', '日本語', '日本'), (7, '😀😁', '😀', '😀'),
  (8, '   padded   ', '  pad ', 'ab'), (9, 'exactly12byt', 'abc', 'abc'), (10, 'thirteen byte', 'abcd', 'abc  '),
  (11, 'line one
line two', 'tab	x', 'x'), (12, 'ABC', 'ABC', 'ABC'), (13, 'abc', 'abc', 'abc'), (14, 'abcabcabc', 'ab%_\', 'a%'),
  (15, 'a,b,,c', ',', ','), (16, '12345', '12', '12'), (17, 'prefix-same-1', 'p1', 'p1'), (18, 'prefix-same-2', 'p2', 'p2');
INSERT INTO texts SELECT 19, repeat('long ', 300), 'long', 'long';
INSERT INTO texts SELECT 20, repeat('Ж', 1000) || 'end', 'Ж', 'Ж';

-- name: all_rows
SELECT id, t, v, c FROM texts WHERE id <= 18 ORDER BY id;

-- name: long_values
SELECT id, length(t), octet_length(t), t FROM texts WHERE id > 18 ORDER BY id;

-- name: order_is_bytewise
SELECT id, t FROM texts ORDER BY t, id;

-- name: order_descending_nulls_last
SELECT id, v FROM texts ORDER BY v DESC NULLS LAST, id DESC;

-- name: lengths
SELECT id, length(t), char_length(v), octet_length(t), bit_length(v), length(c), octet_length(c) FROM texts ORDER BY id;

-- name: cases
SELECT id, upper(t), lower(t), initcap(t) FROM texts ORDER BY id;

-- name: case_of_special_letters
SELECT upper('ß'), lower('İ'), upper('ŉ'), lower('ΑΣ'), upper('éàü'), lower('ÉÀÜ'), initcap('hello wORLD-foo_bar 1st');

-- name: concatenation
SELECT id, t || v, t || '-' || id, v || c || '|' FROM texts WHERE id <= 18 ORDER BY id;

-- name: concat_skips_nulls
SELECT id, concat(t, v, NULL, id), concat_ws('-', v, NULL, c, id) FROM texts WHERE id <= 18 ORDER BY id;

-- name: concat_ws_null_separator
SELECT concat_ws(NULL, 'a', 'b'), concat_ws(',', NULL, NULL), concat_ws(',', 'a');

-- name: substrings
SELECT id, substring(t from 2 for 3), substring(t, 3), substr(t, -1, 4), substring(t for 2) FROM texts ORDER BY id;

-- name: substring_edges
SELECT substr('abc', 0), substr('abc', 0, 2), substr('abc', 4), substr('abc', 2, 100), substr('abc', -5, 3), substr('abc', 2, 0), substr('abc', 1, 2147483647);

-- name: substring_negative_length
SELECT substr('abc', 2, -1);

-- name: left_and_right
SELECT id, left(t, 2), right(t, 2), left(t, -2), right(t, -2), left(t, 0) FROM texts WHERE id <= 18 ORDER BY id;

-- name: trims
SELECT id, trim(t), ltrim(t), rtrim(t), btrim(t, ' a'), trim(both 'H' from t), trim(leading from t), trim(trailing 'd' from t) FROM texts WHERE id <= 18 ORDER BY id;

-- name: trims_of_sets
SELECT btrim('xyxtrimyyx', 'xyz'), ltrim('zzzytest', 'xyz'), rtrim('testxxzx', 'xyz'), btrim('', 'x'), btrim('xxx', 'x'), btrim('ääbä', 'ä');

-- name: padding
SELECT id, lpad(v, 8), rpad(v, 8, '*'), lpad(v, 2), rpad(v, 5, 'äb'), lpad(v, 7, 'xyz') FROM texts ORDER BY id;

-- name: padding_edges
SELECT lpad('hi', 0), lpad('hi', -1), lpad('hi', 5, ''), rpad('日本', 5, '語x');

-- name: positions
SELECT id, position('b' in t), strpos(t, 'c'), position('' in t), strpos(t, 'ö'), strpos(t, '語') FROM texts ORDER BY id;

-- name: replacements
SELECT id, replace(t, 'a', 'XX'), replace(t, 'abc', ''), replace(t, '', 'x'), replace(v, 'ö', 'oe') FROM texts WHERE id <= 18 ORDER BY id;

-- name: translations
SELECT translate('12345', '143', 'ax'), translate('grüße', 'üß', 'us'), translate('abc', '', 'x'), translate('abc', 'abc', '');

-- name: overlays
SELECT overlay('Txxxxas' placing 'hom' from 2 for 4), overlay('abcdef' placing '日' from 3), overlay('abc' placing 'XYZ' from 2 for 0);

-- name: reversal_and_repetition
SELECT id, reverse(t), repeat(v, 2), repeat(v, 0), repeat(v, -1) FROM texts WHERE id <= 18 ORDER BY id;

-- name: split_parts
SELECT id, split_part(t, ',', 1), split_part(t, ',', 2), split_part(t, ',', -1), split_part(t, ',', 9), split_part(t, '', 1) FROM texts WHERE id <= 18 ORDER BY id;

-- name: split_part_zero
SELECT split_part('a,b', ',', 0);

-- name: starts_with
SELECT id FROM texts WHERE starts_with(t, 'prefix') OR t ^@ 'ab' ORDER BY id;

-- name: ascii_and_chr
SELECT ascii(''), ascii('a'), ascii('é'), ascii('日'), ascii('😀'), chr(97), chr(233), chr(128512);

-- name: chr_of_zero
SELECT chr(0);

-- name: chr_too_large
SELECT chr(1114112);

-- name: digests
SELECT id, md5(t) FROM texts ORDER BY id;

-- name: quoting
SELECT quote_literal('it''s'), quote_ident('Mixed Case'), quote_ident('plain'), quote_nullable(NULL), quote_literal(E'a\\b'), quote_ident('select');

-- name: format_function
SELECT format('%s and %s', 'a', 1), format('%I = %L', 'my col', 'it''s'), format('%%'), format('%2$s %1$s', 'x', 'y'), format('|%10s|%-10s|', 'a', 'b'), format('%s', NULL), format('%L', NULL);

-- name: format_too_few_arguments
SELECT format('%s %s', 'a');

-- name: comparisons
SELECT id, t < 'b', t = v, v <> c, t >= v, v < t FROM texts ORDER BY id;

-- name: comparison_ignores_padding_of_char
SELECT id FROM texts WHERE c = 'abc' ORDER BY id;

-- name: char_loses_padding_as_text
SELECT id, c::text || '|', c || '|', length(c), c = c || '  ' FROM texts WHERE id IN (2, 8, 9, 10) ORDER BY id;

-- name: filter_equal_short
SELECT id FROM texts WHERE t = 'abc';

-- name: filter_equal_empty
SELECT id FROM texts WHERE t = '';

-- name: filter_equal_12_and_13_bytes
SELECT id FROM texts WHERE t IN ('exactly12byt', 'thirteen byte', 'prefix-same-2') ORDER BY id;

-- name: filter_range
SELECT id, t FROM texts WHERE t BETWEEN 'a' AND 'b' ORDER BY t, id;

-- name: filter_multibyte
SELECT id FROM texts WHERE v > 'z' ORDER BY id;

-- name: in_list
SELECT id FROM texts WHERE v IN ('a', 'ABC', '日本語', NULL) ORDER BY id;

-- name: not_in_list
SELECT id FROM texts WHERE v NOT IN ('a', 'ABC') ORDER BY id;

-- name: group_by_text
SELECT v, count(*) FROM texts GROUP BY v ORDER BY v;

-- name: group_by_char
SELECT c, count(*), min(t), max(t) FROM texts WHERE id <= 18 GROUP BY c ORDER BY c;

-- name: group_by_long_text
SELECT left(t, 3) AS head, count(*) AS n, max(length(t)) FROM texts GROUP BY t, left(t, 3) ORDER BY n DESC, t LIMIT 7;

-- name: distinct_texts
SELECT count(DISTINCT t), count(DISTINCT v), count(DISTINCT c), count(DISTINCT upper(t)) FROM texts;

-- name: extremes
SELECT min(t), max(t), min(v), max(v), min(c), max(c) FROM texts;

-- name: string_agg_ordered
SELECT string_agg(v, ',' ORDER BY id) FROM texts;

-- name: string_agg_ordered_descending
SELECT string_agg(t, '; ' ORDER BY t DESC) FROM texts WHERE id < 18;

-- name: string_agg_of_nothing
SELECT string_agg(t, ',') FROM texts WHERE id > 1000;

-- name: string_agg_distinct
SELECT string_agg(DISTINCT lower(v), ',' ORDER BY lower(v)) FROM texts WHERE id IN (12, 13, 2, 3);

-- name: string_agg_by_group
SELECT length(v) AS n, string_agg(v, '|' ORDER BY v, id) FROM texts WHERE v IS NOT NULL GROUP BY length(v) ORDER BY n;

-- name: varchar_cast_cuts
SELECT 'abcdef'::varchar(3), 'äöüß'::varchar(2), 'abc'::char(5) || '|', 'abcdef'::char(3), 'ab'::char, 123456::varchar(3);

-- name: case_with_texts
SELECT id, CASE WHEN length(t) > 10 THEN 'long' WHEN t = '' THEN 'empty' WHEN t IS NULL THEN 'none' ELSE t END FROM texts ORDER BY id;

-- name: coalesce_and_nullif
SELECT id, coalesce(t, v, 'none'), nullif(t, v), greatest(t, v), least(t, v, c) FROM texts WHERE id <= 18 ORDER BY id;

-- name: encoding_functions
SELECT encode('abc', 'hex'), encode('abc', 'base64'), decode('616263', 'hex'), decode('YWJj', 'base64'), encode('\x00ff'::bytea, 'escape');

-- name: decode_bad_hex
SELECT decode('6x', 'hex');

-- name: numbers_to_chars
SELECT to_char(1234.5, '9,999.99'), to_char(-5, '999'), to_char(0.5, '0.00'), to_char(12, 'FM0000'), to_char(1485, 'FMRN'), to_char(485, '999PR'), to_char(7, '9th');

-- name: chars_to_numbers
SELECT to_number('1,234.50', '9,999.99'), to_number('-12', 'S99'), to_number('12', '99');

-- name: repeated_concatenation_builds_long_text
SELECT id, length(repeat(t, 20) || repeat(v, 30)), md5(repeat(t, 20) || v) FROM texts ORDER BY id;

-- name: unistr_and_normalize
SELECT unistr('d\0061t\+000061'), normalize(U&'\0061\0308', NFC), U&'\0061\0308' IS NORMALIZED;

-- name: regclass_free_conversions
SELECT to_hex(ascii('z')), chr(ascii('z')), 'abc' = 'abc ', 'abc'::varchar = 'abc', 'abc'::char(6) = 'abc'::text;

-- name: levels_of_quotes
SELECT '"', '''', '\', E'\\', length('\'), 'a' || '''' || 'b';
