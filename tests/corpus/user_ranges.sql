-- Ranges of one's own over types of all kinds: literals, constructors, operators, groups, sorts, aggregates, casts.
-- setup
CREATE TYPE floatrange AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = float8mi);
CREATE TYPE textrange AS RANGE (SUBTYPE = text, COLLATION = "C", MULTIRANGE_TYPE_NAME = texts);
CREATE TYPE spans AS RANGE (SUBTYPE = interval);
CREATE TYPE padded AS RANGE (SUBTYPE = bpchar);
CREATE TYPE exact AS RANGE (SUBTYPE = numeric);
CREATE TYPE hours AS RANGE (SUBTYPE = time, SUBTYPE_OPCLASS = time_ops);
CREATE TYPE bits AS RANGE (SUBTYPE = bytea);
CREATE TYPE docs AS RANGE (SUBTYPE = jsonb);
CREATE TYPE nested AS RANGE (SUBTYPE = int4range);
CREATE TYPE lists AS RANGE (SUBTYPE = numeric[]);
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE moods AS RANGE (SUBTYPE = mood);
CREATE DOMAIN digit AS int CHECK (VALUE < 10);
CREATE TYPE digits AS RANGE (SUBTYPE = digit);
CREATE TYPE point2 AS (x int, y numeric);
CREATE TYPE points AS RANGE (SUBTYPE = point2);
CREATE TABLE t (id int NOT NULL, f floatrange, fm floatmultirange, s textrange, i spans, p padded, n exact, m moods, fs floatrange[]) USING mergetree WITH (order_by = 'id');
INSERT INTO t VALUES (1, '[1.5,2)', '{[1,2),[3,4)}', '[a,b)', '["1 month","2 years")', '[a,b)', '[1.0,2.00)', '[sad,ok]', '{"[1,2)","(,)"}'), (2, '[-0,1]', '{}', '["",z]', '["30 days","24 months")', '["a ",b)', '[1,2)', '(sad,happy)', '{}'), (3, '[0,1]', '{[-Infinity,NaN]}', '["a b","c\"d")', '[,"1 day"]', 'empty', '(,5]', 'empty', NULL), (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (5, '[1.5,2)', '{(,1],[2,)}', '(,)', '["-1 day",)', '[,"a  "]', '[-1.50,0)', '[ok,]', '{empty,NULL}'), (6, 'empty', '{[1,2),[3,4)}', '["a\\\\",b)', 'empty', '(A,B)', '[1e30,1e31)', '(,)', '{"[5,6)"}');

-- name: all_of_them
SELECT * FROM t;

-- name: sorted (exact)
SELECT id, f, s, i FROM t ORDER BY i DESC NULLS LAST, f, id;

-- name: grouped
SELECT min(id), count(*) FROM t GROUP BY f;

-- name: grouped_spans
SELECT max(id), count(*) FROM t GROUP BY i;

-- name: grouped_padded
SELECT count(*), count(DISTINCT p), count(DISTINCT n), count(DISTINCT fm) FROM t;

-- name: extremes
SELECT min(f), max(f), min(s), max(fm), max(n), min(m) FROM t;

-- name: joined
SELECT a.id, b.id FROM t a JOIN t b ON a.i = b.i OR a.f = b.f;

-- name: compared
SELECT id, f < '[1,2)', n = exact(1, 2), s > '[a,b)', i = spans('1 month', '24 months'), p = padded('a', 'b') FROM t;

-- name: constructors
SELECT floatrange(1.0, 2), floatrange(1, 2, '[]'), floatrange('-0', NULL), textrange('a b', 'c"d', '(]'), hours('10:00', '11:30'), bits('\x00', '\x00ff'), docs('1', '{"a": [1.50]}'), nested('[1,2)', '[3,4)'), lists('{1.0}', ARRAY[2, 3]), moods('sad', 'happy'), digits(1, 5), points(ROW(1, 2.50), ROW(2, NULL));

-- name: multirange_constructors
SELECT floatmultirange(), floatmultirange(floatrange(1, 2), floatrange(2, 3)), texts(textrange('a', 'b')), texts('{[a,b),[x,y]}'), multirange(floatrange(1, 2)), floatmultirange(VARIADIC ARRAY[floatrange(1, 2), floatrange(5, 6)]), floatrange('[1,2)');

-- name: null_members
SELECT floatmultirange(floatrange(1, 2), NULL);

-- name: wrong_order
SELECT docs('2', '1');

-- name: wrong_type
SELECT floatrange(DATE '2024-01-01', 2);

-- name: wrong_count
SELECT floatrange(1, 2, '[)', 4);

-- name: no_array
SELECT floatmultirange(ARRAY[floatrange(1, 2)]);

-- name: outside_domain
SELECT digits(1, 12);

-- name: outside_domain_in_text
SELECT '[1,12)'::digits;

-- name: casts
SELECT f::floatmultirange, f::text, fs[1], '[1,2)'::text::floatrange FROM t;

-- name: no_cast
SELECT f::numrange FROM t;

-- name: other_range
SELECT floatrange(1, 2) = numrange(1, 2);

-- name: operators
SELECT id, f @> 1.5::float8, f && '[1.9,5)', f -|- '[2,3)', f << '[2,3)', f &> '[0,1)', f * '[0,1.75)', fm @> f, fm + floatmultirange(floatrange(2, 3)), fm - '{[1.5,3.5)}' FROM t;

-- name: union_with_gap
SELECT floatrange(1, 2) + floatrange(3, 4);

-- name: union_of_equal_bounds
SELECT '[1.0,2]'::exact + '[1.00,2.0]', '[1.0,2]'::exact * '[1.00,2.0]', range_merge('[1.00,2.0]'::exact, '[1.0,2]'), '{[1.0,2],[1.00,2.00]}'::nummultirange;

-- name: bounds
SELECT lower(f), upper(f), lower_inc(f), upper_inf(s), isempty(p), lower(n), upper(n), lower(i), upper(fm), lower(s), upper(m) FROM t;

-- name: contains
SELECT s @> 'aa'::text, i @> interval '5 days', p @> 'a   '::bpchar, n @> 1.5, m @> 'ok'::mood, digits(1, 5) @> 3::digit FROM t;

-- name: nested_operators
SELECT nested('[1,2)', '[3,4)') @> int4range(2, 5), lists('{1.0}', '{1.00,2}'), lists('{1}', '{3}') * lists('{1.0}', '{2.00}'), points(ROW(1, 2), ROW(1, 3)) @> ROW(1, 2.5)::point2, docs('1', '[]');

-- name: aggregates
SELECT range_agg(f), range_intersect_agg(f), range_agg(fm), range_merge(range_agg(s)), array_agg(n ORDER BY id) FROM t;

-- name: unnested
SELECT id, unnest(fm) FROM t;

-- name: unnested_from
SELECT x FROM unnest('{[1,2),[5,6)}'::floatmultirange) x;

-- name: types
SELECT pg_typeof(f), pg_typeof(fm), pg_typeof(range_agg(f) OVER ()), pg_typeof(lower(f)), pg_typeof(lower(digits(1, 2))), pg_typeof(texts()), pg_typeof(fs) FROM t LIMIT 1;

-- name: json
SELECT to_json(f), row_to_json(ROW(s, fm)) FROM t;

-- name: in_catalog
SELECT rngtypid::regtype, rngsubtype::regtype, rngmultitypid::regtype, rngcollation, rngsubopc, rngcanonical, rngsubdiff FROM pg_range WHERE rngtypid::regtype::text IN ('floatrange', 'textrange', 'nested', 'lists', 'moods', 'digits', 'points', 'padded', 'int4range', 'daterange', 'tstzrange');

-- name: in_pg_type
SELECT typname, typlen, typtype, typcategory, typelem::regtype, typinput, typoutput, typsend, typanalyze, typsubscript, typalign, typstorage, typcollation FROM pg_type WHERE typname IN ('floatrange', '_floatrange', 'floatmultirange', 'texts', 'mood', 'digit', '_point2', 'point2', 'int4', '_text', 'int4range', 'anyarray');
