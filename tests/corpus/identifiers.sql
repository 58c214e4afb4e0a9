-- Identifiers and what stands for them: name, "char", regtype, regnamespace, regclass.

-- name: char_literals
SELECT 'a'::"char", 'abc'::"char", ''::"char", '\101'::"char", '\377'::"char", 'é'::"char";

-- name: char_numbers
SELECT 65::"char", 'A'::"char"::int, (-1)::"char", 200::"char";

-- name: char_compared
SELECT 'a'::"char" < 'b'::"char", 'a'::"char" = 'a', 'a'::"char"::text, 'abc'::text::"char", 'ab'::varchar::"char";

-- name: char_in_texts
SELECT 'x'::"char" || 'y', length('a'::"char"), upper('a'::"char");

-- name: char_grouped
SELECT min(c), max(c), count(DISTINCT c) FROM (VALUES ('a'::"char"), ('b'), ('a')) t (c);

-- name: char_ordered
SELECT c FROM (VALUES ('b'::"char"), ('a')) t (c) ORDER BY c;

-- name: names
SELECT 'abc'::name, repeat('x', 100)::name, length(repeat('é', 40)::name), 'a'::name < 'b', 'a'::name || 'b', 'abc'::name::text, 'abc'::name = 'abc'::text;

-- name: names_grouped
SELECT min(n), max(n) FROM (VALUES ('a'::name), ('b')) t (n);

-- name: name_expressions
SELECT 'a'::name LIKE 'a%', upper('a'::name), pg_typeof('a'::name), pg_typeof('a'::"char"), pg_typeof('a'::name || 'b');

-- name: no_schema
SELECT 'pg_catalog'::regnamespace, 'pg_catalog'::regnamespace::oid, 11::regnamespace, 2200::regnamespace, 'nope'::regnamespace;

-- name: schemas
SELECT 'pg_catalog'::regnamespace, 'pg_catalog'::regnamespace::oid, 11::regnamespace, 2200::regnamespace, 999999::regnamespace, 0::regnamespace, '-'::regnamespace;

-- name: found_or_not
SELECT to_regnamespace('pg_catalog'), to_regnamespace('nope'), to_regtype('int'), to_regtype('nope'), to_regtype('numeric(3,2)'), to_regtype('int[]');

-- name: schema_condition
SELECT relname FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relname = 'pg_type';

-- name: types
SELECT 23::regtype, 'integer'::regtype, 'int4'::regtype::oid, '_int4'::regtype, 'timestamp with time zone'::regtype, 'numeric(3,2)'::regtype, 'pg_catalog.int4'::regtype, '23'::regtype, 0::regtype, 999999::regtype, '-'::regtype;

-- name: types_compared
SELECT 'integer[]'::regtype = 1007, 'text'::regtype IN ('text', 'int4'), pg_typeof(1) = 'int4'::regtype, pg_typeof(1)::text, pg_typeof('x'::regtype);

-- name: no_type_schema
SELECT 'nope.x'::regtype;

-- name: no_type_name
SELECT 'int int'::regtype;

-- name: pseudo_types
SELECT 'anyelement'::regtype, 'record'::regtype, 'void'::regtype, 'unknown'::regtype;

-- name: relations
SELECT 'pg_class'::regclass, 1259::regclass, 'pg_catalog.pg_class'::regclass, 999999::regclass, '"pg_class"'::regclass;

-- name: visible
SELECT pg_type_is_visible(23), pg_table_is_visible(1259), pg_type_is_visible(999999);

-- name: no_relation
SELECT 'nope'::regclass;

-- name: oid_as_type
SELECT oid::regtype FROM pg_type WHERE typname = 'int4';

-- name: formats
SELECT format_type('int4'::regtype, NULL), format_type('text[]'::regtype, -1);

-- name: modifiers
SELECT to_regtypemod('varchar(5)'), to_regtypemod('int');
