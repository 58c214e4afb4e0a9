-- Domains: casts and their conditions, literals, arrays, columns in expressions, groups and joins.
-- setup
CREATE DOMAIN pos AS int CHECK (VALUE > 0);
CREATE DOMAIN small AS pos DEFAULT 7 CHECK (VALUE < 100) CONSTRAINT even CHECK (VALUE % 2 = 0);
CREATE DOMAIN req AS text NOT NULL;
CREATE DOMAIN code AS varchar(3) CHECK (VALUE ~ '^[a-z]+$');
CREATE DOMAIN price AS numeric(6,2) DEFAULT 1.005 CHECK (VALUE >= 0 AND VALUE < 1000);
CREATE DOMAIN day AS date CHECK (VALUE >= '2000-01-01');
CREATE DOMAIN ints AS int[] CHECK (array_length(VALUE, 1) < 3);
CREATE TABLE t (id int, p pos, s small, r req DEFAULT 'd', c code, n price, d day, a ints) USING mergetree;
INSERT INTO t VALUES (1, 5, 8, 'x', 'abc', 12.345, '2024-01-01', '{1}'), (7, 6, 8, 'y', NULL, 0, '2000-01-01', '{1,2}');
INSERT INTO t (id, s) VALUES (2, 4), (4, 10);
INSERT INTO t (id, s) SELECT g, g FROM generate_series(2, 6, 2) g;

-- name: literals
SELECT 5::pos, '7'::pos, 5.4::pos, NULL::pos, pg_typeof(5::pos), 5::pos + 1, pg_typeof(5::pos + 1);

-- name: violated
SELECT 0::pos;

-- name: violated_literal
SELECT '-1'::pos;

-- name: wrong_literal
SELECT 'x'::pos;

-- name: violated_in_order
SELECT 8::small, 7::small;

-- name: violated_by_one
SELECT 8::small;

-- name: violated_by_two
SELECT 200::small;

-- name: violated_below
SELECT (-2)::small;

-- name: null_refused
SELECT NULL::req;

-- name: not_null
SELECT 'a'::req, ''::req;

-- name: too_long
SELECT 'abc'::code, 'abcd'::code;

-- name: pattern_violated
SELECT 'AB'::code;

-- name: rounded
SELECT 1.239::price, 999.999::price;

-- name: in_range
SELECT 12::price;

-- name: day_violated
SELECT '1999-01-01'::day;

-- name: day_arithmetic
SELECT '2024-02-03'::day + 1, extract(year FROM '2024-02-03'::day);

-- name: arrays
SELECT '{1,2}'::ints, ('{1,2}'::ints)[1], array_length('{1,2}'::ints, 1);

-- name: array_violated
SELECT '{1,2,3}'::ints;

-- name: element_violated
SELECT '{1,-2}'::pos[];

-- name: element_array
SELECT ARRAY[1,2]::pos[], pg_typeof(ARRAY[1,2]::pos[]);

-- name: element_of_constructor
SELECT ARRAY[1,-2]::pos[];

-- name: all_rows
SELECT * FROM t ORDER BY id, p;

-- name: grouped
SELECT p, count(*), sum(s), min(d), max(c), avg(n) FROM t GROUP BY p ORDER BY p;

-- name: filtered
SELECT id FROM t WHERE p = 5 AND c = 'abc' AND n > 12 AND d < '2025-01-01';

-- name: in_expressions
SELECT p + s, c || 'x', upper(c), n * 2, d - 1, coalesce(p, 3), CASE WHEN id = 1 THEN p END, greatest(p, s) FROM t ORDER BY id, s;

-- name: as_json
SELECT to_json(d), to_jsonb(n), json_build_object('d', d) FROM t WHERE id = 1;

-- name: united
SELECT c FROM t UNION SELECT 'zz' ORDER BY 1;

-- name: joined
SELECT t.id, u.id FROM t JOIN t u USING (p) ORDER BY 1;

-- name: listed
SELECT p FROM t WHERE p IN (5, 6) AND d BETWEEN '2000-01-01' AND '2030-01-01';

-- name: distinct_values
SELECT DISTINCT s FROM t ORDER BY s DESC;

-- name: cast_fails
SELECT (id - 1)::pos FROM t ORDER BY id;

-- name: cast_under_guard
SELECT CASE WHEN id > 1 THEN (id - 1)::pos END FROM t ORDER BY id;

-- name: ordered
SELECT id, n, d FROM t ORDER BY d DESC NULLS LAST, n, id, s;

-- name: grouped_by_several
SELECT c, d, count(*) FROM t GROUP BY c, d ORDER BY c, d;

-- name: windowed
SELECT id, s, sum(p) OVER (ORDER BY id, s), lag(d) OVER (ORDER BY id, s) FROM t ORDER BY id, s;

-- name: subquery
SELECT id FROM t WHERE p IN (SELECT p FROM t WHERE s > 7) ORDER BY id;

-- name: parts_of_arrays
SELECT id, a[1], a || 3, 1 = ANY (a), cardinality(a) FROM t ORDER BY id, s;

-- name: unnested
SELECT id, unnest(a) FROM t ORDER BY 1, 2;

-- name: extremes
SELECT min(p), max(n), min(c), max(d), count(DISTINCT r) FROM t;

-- name: domain_of_domain
SELECT p::small FROM t WHERE id = 7;

-- name: domain_of_domain_violated
SELECT p::small FROM t WHERE id = 1;

-- name: to_other_types
SELECT p::text, p::float8, n::int, d::timestamp, c::varchar(2) FROM t WHERE id = 1;

-- name: computed_text
SELECT ('2024-0' || id || '-01')::day FROM t ORDER BY id, s;

-- name: computed_text_violated
SELECT ('1' || id || '99-01-01')::day FROM t;

-- name: typed
SELECT pg_typeof(p), pg_typeof(s), pg_typeof(c), pg_typeof(a), pg_typeof(p + 1), pg_typeof(coalesce(p, p)), pg_typeof(coalesce(p, 1)) FROM t WHERE id = 1;

-- name: in_the_catalog
SELECT typname, typtype, typcategory, typnotnull, typbasetype::regtype, typtypmod FROM pg_type WHERE typname IN ('pos', 'req', 'code', 'price') ORDER BY 1;

-- name: columns_in_the_schema
SELECT column_name, data_type, udt_name, domain_name FROM information_schema.columns WHERE table_name = 't' ORDER BY ordinal_position;

-- name: division_in_a_condition
SELECT 5::pos / 0::pos;
