-- Enums: literals, comparisons, sorts, groups, aggregates, arrays, what labels there are.
-- setup
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE "Size" AS ENUM ('small', 'Large', 'two words');
ALTER TYPE mood ADD VALUE 'meh' BEFORE 'ok';
ALTER TYPE mood ADD VALUE 'glad' AFTER 'ok';
ALTER TYPE mood ADD VALUE 'thrilled';
ALTER TYPE mood ADD VALUE 'gloomy' BEFORE 'sad';
CREATE TABLE t (a int NOT NULL, m mood, ms mood[], z "Size" NOT NULL) USING mergetree WITH (order_by = 'm, a');
INSERT INTO t VALUES (1, 'ok', '{sad,ok}', 'small'), (2, 'happy', NULL, 'two words'), (3, 'sad', '{}', 'Large'), (4, NULL, ARRAY['ok','sad']::mood[], 'small'), (5, 'meh', '{glad,NULL}', 'Large'), (6, 'thrilled', '{thrilled}', 'small'), (7, 'gloomy', '{meh,gloomy}', 'Large'), (8, 'meh', '{meh}', 'two words'), (9, 'glad', NULL, 'small');
CREATE TABLE u (m mood, x int) USING mergetree;
INSERT INTO u VALUES ('ok', 1), ('glad', 2), ('ok', 3), (NULL, 4), ('happy', 5);

-- name: all_columns
SELECT * FROM t ORDER BY a;

-- name: literals
SELECT 'ok'::mood, mood 'glad', CAST('two words' AS "Size"), 'sad'::mood < 'ok', 'happy' >= 'thrilled'::mood;

-- name: wrong_label
SELECT 'bad'::mood;

-- name: empty_label
SELECT ''::mood;

-- name: wrong_label_of_quoted_type
SELECT 'large'::"Size";

-- name: computed_label
SELECT ('o' || 'k')::mood, (SELECT 'sad'::text)::mood;

-- name: wrong_computed_label
SELECT m::text::"Size" FROM t WHERE a = 1;

-- name: to_text
SELECT m::text, m::varchar(2), m || '!', z::text || m::text FROM t ORDER BY a;

-- name: no_cast_to_number
SELECT m::int FROM t;

-- name: no_cast_from_number
SELECT 1::mood;

-- name: other_enum
SELECT m = z FROM t;

-- name: compared_with_text
SELECT m = 'ok'::text FROM t;

-- name: text_is_not_assigned
SELECT CASE WHEN a = 1 THEN m ELSE 'x'::text END FROM t;

-- name: no_arithmetic
SELECT m + 1 FROM t;

-- name: no_sum
SELECT sum(m) FROM t;

-- name: order_of_labels
SELECT a, m FROM t ORDER BY m, a;

-- name: order_backwards
SELECT a, m FROM t ORDER BY m DESC NULLS LAST, a LIMIT 5;

-- name: less_than
SELECT a, m FROM t WHERE m < 'ok' ORDER BY a;

-- name: between
SELECT a FROM t WHERE m BETWEEN 'meh' AND 'glad' ORDER BY 1;

-- name: in_list
SELECT a FROM t WHERE m IN ('ok', 'meh') ORDER BY 1;

-- name: in_list_with_wrong_label
SELECT a FROM t WHERE m IN ('ok', 'bad');

-- name: not_in_list
SELECT a FROM t WHERE m NOT IN ('ok', 'meh') ORDER BY 1;

-- name: any_of_array
SELECT a FROM t WHERE m = ANY ('{ok,meh}') ORDER BY 1;

-- name: any_of_column
SELECT a FROM t WHERE m = ANY (ms) ORDER BY 1;

-- name: literal_in_column
SELECT a FROM t WHERE 'ok' = ANY (ms) ORDER BY 1;

-- name: arrays_compared
SELECT a, ms FROM t WHERE ms > '{meh}' ORDER BY ms, a;

-- name: array_parts
SELECT a, ms[1], array_length(ms, 1), ms || 'ok'::mood, array_position(ms, 'ok') FROM t ORDER BY a;

-- name: array_contains
SELECT a FROM t WHERE ms @> '{sad}' OR ms && '{gloomy}' ORDER BY a;

-- name: wrong_label_in_array
SELECT '{ok,bad}'::mood[];

-- name: array_to_text
SELECT ms::text, array_to_string(ms, ',', 'none') FROM t ORDER BY a;

-- name: text_array_cast
SELECT '{ok,sad}'::text[]::mood[], ARRAY['ok'::mood]::text[];

-- name: grouped
SELECT m, count(*), min(a) FROM t GROUP BY m ORDER BY m;

-- name: grouped_by_two
SELECT z, m, count(*) FROM t GROUP BY z, m ORDER BY z, m;

-- name: grouped_by_array
SELECT ms, count(*) FROM t GROUP BY ms ORDER BY ms;

-- name: rollup
SELECT z, count(m), max(m) FROM t GROUP BY ROLLUP (z) ORDER BY z;

-- name: distinct_values
SELECT DISTINCT m FROM t ORDER BY m;

-- name: extremes
SELECT min(m), max(m), min(z), max(z), count(DISTINCT m), min(ms), max(ms) FROM t;

-- name: extremes_of_nothing
SELECT min(m), max(m) FROM t WHERE a > 100;

-- name: ordered_sets
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY m), mode() WITHIN GROUP (ORDER BY m) FROM t;

-- name: some_value
SELECT any_value(m) FROM t WHERE a IN (1, 4);

-- name: gathered
SELECT array_agg(m ORDER BY m), string_agg(m::text, ',' ORDER BY a) FROM t;

-- name: first_last
SELECT enum_first(NULL::mood), enum_last('ok'::mood), enum_last(z) FROM t WHERE a = 1;

-- name: all_labels
SELECT enum_range(NULL::mood), enum_range('small'::"Size");

-- name: labels_between
SELECT enum_range('ok'::mood, NULL), enum_range(NULL, 'ok'::mood), enum_range('meh'::mood, 'ok'), enum_range('happy'::mood, 'sad'::mood);

-- name: range_of_unknown
SELECT enum_range('ok', 'sad');

-- name: unnested_range
SELECT unnest(enum_range(NULL::mood)) ORDER BY 1 DESC;

-- name: unnested
SELECT a, unnest(ms) AS e FROM t ORDER BY a, e;

-- name: joined
SELECT t.a, u.x FROM t JOIN u ON t.m = u.m ORDER BY 1, 2;

-- name: joined_using
SELECT m, a, x FROM t FULL JOIN u USING (m) ORDER BY m, a, x;

-- name: joined_by_order
SELECT t.a, u.x FROM t JOIN u ON t.m < u.m ORDER BY 1, 2;

-- name: subquery
SELECT a FROM t WHERE m IN (SELECT m FROM u WHERE x > 1) ORDER BY a;

-- name: union_with_literal
SELECT m FROM t UNION SELECT 'ok' ORDER BY 1;

-- name: except
SELECT m FROM t EXCEPT SELECT m FROM u ORDER BY 1;

-- name: conditional
SELECT coalesce(m, 'sad'), CASE WHEN a = 1 THEN m ELSE 'happy' END, nullif(m, 'ok'), greatest(m, 'ok'), least('ok', m) FROM t ORDER BY a;

-- name: simple_case
SELECT CASE m WHEN 'ok' THEN 1 WHEN 'sad' THEN 2 END FROM t ORDER BY a;

-- name: distinct_from
SELECT a FROM t WHERE m IS DISTINCT FROM 'ok' ORDER BY a;

-- name: windowed
SELECT a, row_number() OVER (PARTITION BY m ORDER BY a), lag(m) OVER (ORDER BY a), first_value(m) OVER (ORDER BY m DESC NULLS LAST, a) FROM t ORDER BY a;

-- name: ranked
SELECT a, rank() OVER (ORDER BY m) FROM t ORDER BY a;

-- name: as_json
SELECT to_json(m), to_jsonb(ms), json_build_object('m', m) FROM t ORDER BY a;

-- name: typed
SELECT pg_typeof(m), pg_typeof(ms), pg_typeof(z), 'mood'::regtype, 'mood[]'::regtype FROM t WHERE a = 1;

-- name: in_texts
SELECT concat(m, '!'), format('%s-%s', m, z), length(m::text) FROM t ORDER BY a;

-- name: labels_in_the_catalog
SELECT e.enumlabel FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid WHERE t.typname = 'Size' ORDER BY e.enumsortorder;

-- name: types_in_the_catalog
SELECT typname, typtype, typcategory, typlen FROM pg_type WHERE oid >= 16384 AND typname IN ('mood', '_mood', 'Size', '_Size') ORDER BY typname;

-- name: columns_in_the_catalog
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0 ORDER BY attnum;

-- name: columns_in_the_schema
SELECT column_name, data_type, udt_name FROM information_schema.columns WHERE table_name = 't' AND column_name <> 'a' ORDER BY 1;
