-- LIKE, ILIKE, SIMILAR TO and regular expressions.
-- setup
CREATE TABLE words (id int, w text) USING mergetree;
INSERT INTO words VALUES
  (1, ''), (2, 'a'), (3, 'abc'), (4, 'ABC'), (5, NULL), (6, 'foobar'), (7, 'foo'), (8, 'barfoo'), (9, '100%'), (10, 'a_b'),
  (11, 'a\b'), (12, 'line1
line2'), (13, 'Straße'), (14, 'http://www.google.com/search?q=x'), (15, 'https://example.org/a/b'), (16, '日本語'),
  (17, '2024-02-29'), (18, 'aaa'), (19, 'abab'), (20, 'x.y*z'), (21, 'ÄPFEL'), (22, 'äpfel'), (23, 'tab	here'), (24, '12 monkeys'),
  (25, 'first.last@example.com');
INSERT INTO words SELECT 26, repeat('x', 500) || 'needle' || repeat('y', 500);

-- name: like_prefix
SELECT id FROM words WHERE w LIKE 'foo%' ORDER BY id;

-- name: like_suffix
SELECT id FROM words WHERE w LIKE '%foo' ORDER BY id;

-- name: like_infix
SELECT id FROM words WHERE w LIKE '%o%' ORDER BY id;

-- name: like_needle_in_long_text
SELECT id FROM words WHERE w LIKE '%needle%' ORDER BY id;

-- name: like_two_infixes
SELECT id FROM words WHERE w LIKE '%a%b%' ORDER BY id;

-- name: like_underscore
SELECT id, w LIKE '_', w LIKE '___', w LIKE '_b_' FROM words ORDER BY id;

-- name: like_underscore_counts_characters
SELECT id FROM words WHERE w LIKE '___' ORDER BY id;

-- name: like_exact
SELECT id FROM words WHERE w LIKE 'abc' ORDER BY id;

-- name: like_everything
SELECT count(*) FROM words WHERE w LIKE '%';

-- name: like_empty
SELECT id FROM words WHERE w LIKE '';

-- name: like_escapes
SELECT id, w LIKE '%\%', w LIKE 'a\_b', w LIKE 'a\\b', w LIKE '%!%' ESCAPE '!', w LIKE 'a\b' ESCAPE '' FROM words ORDER BY id;

-- name: like_ends_with_escape
SELECT id FROM words WHERE w LIKE 'abc\';

-- name: like_bad_escape
SELECT 'a' LIKE 'b' ESCAPE 'xx';

-- name: not_like
SELECT id FROM words WHERE w NOT LIKE '%a%' ORDER BY id;

-- name: like_null
SELECT w LIKE NULL, NULL LIKE 'a', 'a' NOT LIKE NULL FROM words WHERE id = 1;

-- name: ilike
SELECT id FROM words WHERE w ILIKE 'aB%' ORDER BY id;

-- name: ilike_multibyte
SELECT id FROM words WHERE w ILIKE 'äpf%' ORDER BY id;

-- name: ilike_infix
SELECT id, w NOT ILIKE '%GOOGLE%' FROM words WHERE w ILIKE '%O%' ORDER BY id;

-- name: like_pattern_from_column
SELECT id FROM words WHERE 'foobar' LIKE w || '%' ORDER BY id;

-- name: like_backtracking
SELECT 'aaaaaaaaaaaaaaab' LIKE '%a%a%a%b', 'mississippi' LIKE '%iss%ip%i', 'mississippi' LIKE '%iss_ip%', 'ab' LIKE '%ab%ab%';

-- name: like_any_of
SELECT id FROM words WHERE w LIKE ANY (ARRAY['foo%', '%bar']) ORDER BY id;

-- name: like_on_char
SELECT 'ab '::char(5) LIKE 'ab', 'ab'::char(5) LIKE 'ab   ', 'ab'::varchar LIKE 'a_';

-- name: similar_to
SELECT id, w SIMILAR TO '(foo|bar)%', w SIMILAR TO '[a-c]+', w SIMILAR TO '_{3}', w NOT SIMILAR TO '%o' FROM words ORDER BY id;

-- name: similar_to_is_anchored
SELECT 'abc' SIMILAR TO 'a', 'abc' SIMILAR TO '%(b|d)%', 'abc' SIMILAR TO '(b|c)%', 'a.c' SIMILAR TO 'a.c', 'abc' SIMILAR TO 'a.c';

-- name: substring_similar
SELECT substring('foobar' similar '%#"o_b#"%' escape '#'), substring('foobar' from '%#"o_b#"%' for '#');

-- name: regex_match
SELECT id FROM words WHERE w ~ '^[a-z]+$' ORDER BY id;

-- name: regex_insensitive
SELECT id FROM words WHERE w ~* '^a.c$' ORDER BY id;

-- name: regex_no_match
SELECT id FROM words WHERE w !~ 'o' ORDER BY id;

-- name: regex_no_match_insensitive
SELECT id FROM words WHERE w !~* 'A' ORDER BY id;

-- name: regex_is_unanchored
SELECT id FROM words WHERE w ~ 'oo' ORDER BY id;

-- name: regex_classes
SELECT id, w ~ '\d', w ~ '\s', w ~ '\w', w ~ '[[:alpha:]]{3}', w ~ '[^[:alnum:]]', w ~ '\D\d' FROM words ORDER BY id;

-- name: regex_anchors_and_lines
SELECT id, w ~ '^line2', w ~ '(?n)^line2', w ~ 'line1$', w ~ '(?n)line1$', w ~ '1.l', w ~ '(?p)1.l', w ~ '\Aline', w ~ '2\Z' FROM words WHERE id = 12;

-- name: regex_words
SELECT id FROM words WHERE w ~ '\mfoo\M' ORDER BY id;

-- name: regex_word_boundary
SELECT 'a cat sat' ~ '\ycat\y', 'concat' ~ '\ycat\y', 'concat' ~ '\Bcat', 'x' ~ '\M';

-- name: regex_bounds
SELECT id, w ~ '^a{2,3}$', w ~ '^(ab){2}$', w ~ 'a{4}', w ~ '^a?$' FROM words ORDER BY id;

-- name: regex_back_reference
SELECT id FROM words WHERE w ~ '^(a.)\1$' ORDER BY id;

-- name: regex_alternation_takes_the_longest
SELECT substring('foobar' from 'foo|foobar'), regexp_replace('foobar', 'foo|foobar', 'X'), substring('xabcabcd' from '(abc|abcabcd)');

-- name: regex_captures
SELECT id, substring(w from '^https?://(?:www\.)?([^/]+)'), substring(w from 'o+'), substring(w from '(a)(b)') FROM words ORDER BY id;

-- name: regex_lazy
SELECT substring('<a><b>' from '<.+?>'), substring('<a><b>' from '<.+>'), regexp_replace('aXbXc', '^.*?X', ''), substring('abcd' from 'a.*?d|ab');

-- name: regex_look_around
SELECT 'foobar' ~ 'foo(?=bar)', 'foobaz' ~ 'foo(?!bar)', 'foobar' ~ '(?<=foo)bar', 'xbar' ~ '(?<!foo)bar';

-- name: regexp_replace_first
SELECT id, regexp_replace(w, '[ao]', '#') FROM words WHERE id < 26 ORDER BY id;

-- name: regexp_replace_all
SELECT id, regexp_replace(w, '[ao]', '#', 'g'), regexp_replace(w, 'B', '-', 'gi') FROM words WHERE id < 26 ORDER BY id;

-- name: regexp_replace_groups
SELECT regexp_replace('2024-02-29', '(\d+)-(\d+)-(\d+)', '\3.\2.\1'), regexp_replace('abc', 'b', '[\&]'), regexp_replace('abc', 'b', '\\');

-- name: regexp_replace_host
SELECT id, regexp_replace(w, '^https?://(?:www\.)?([^/]+)/.*$', '\1') FROM words WHERE w <> '' ORDER BY id;

-- name: regexp_replace_empty_matches
SELECT regexp_replace('abc', '', '-', 'g'), regexp_replace('abc', 'x*', '-', 'g'), regexp_replace('', 'x*', '-');

-- name: regexp_replace_from_and_nth
SELECT regexp_replace('A PostgreSQL function', 'a|e|i|o|u', 'X', 1, 0, 'i'), regexp_replace('A PostgreSQL function', 'a|e|i|o|u', 'X', 1, 3, 'i');

-- name: regexp_counts
SELECT id, regexp_count(w, 'o'), regexp_like(w, '^f'), regexp_instr(w, 'b'), regexp_substr(w, '[a-c]+') FROM words ORDER BY id;

-- name: regexp_substr_with_group
SELECT regexp_substr('foo bar baz', '(b..)', 1, 2), regexp_substr('foobar', 'o(b)', 1, 1, '', 1), regexp_instr('foobar', 'o', 1, 2), regexp_count('aXbX', 'x', 1, 'i');

-- name: regex_multibyte
SELECT id, w ~ '^日.語$', w ~ '[ä-ü]', w ~* 'ä', w ~ 'ß' FROM words WHERE id IN (13, 16, 21, 22) ORDER BY id;

-- name: regex_special_characters
SELECT 'x.y*z' ~ 'x\.y\*z', 'a+b' ~ 'a\+b', '[x]' ~ '^[[]x[]]$', 'tab	here' ~ '\t', 'a]' ~ 'a[]]', 'a-b' ~ '[a\-]b', '***:' ~ '***=***';

-- name: regex_bad_bracket
SELECT w ~ '[abc' FROM words;

-- name: regex_bad_parenthesis
SELECT w ~ '(abc' FROM words;

-- name: regex_bad_repetition
SELECT 'a' ~ '*a';

-- name: regex_bad_flag
SELECT regexp_replace('a', 'a', 'b', 'q');

-- name: regex_null
SELECT 'a' ~ NULL, NULL ~ 'a', regexp_replace(NULL, 'a', 'b'), regexp_replace('a', 'a', NULL);

-- name: regex_in_group_by
SELECT regexp_replace(w, '[^a-z].*$', '') AS head, count(*) FROM words WHERE w IS NOT NULL AND id < 26 GROUP BY head ORDER BY head;
