-- OIDs written as names: regproc and its like, to_reg functions, casts from and to numbers and texts, comparisons.
-- setup
CREATE TABLE t (i int, s smallint, b bigint, o oid, r regproc, n text) USING mergetree;
INSERT INTO t VALUES (23, 23, 1299, 1299, 'now', 'pg_class'), (-1, -1, 4294967295, 4294967295, '-', 'pg_type'), (NULL, NULL, NULL, NULL, NULL, NULL);

-- name: functions
SELECT 'now'::regproc, 'pg_catalog.now'::regproc, '1299'::regproc, 1299::regproc, '-'::regproc, 0::regproc, 99999::regproc, 1397::regproc, ' now '::regproc, 'NOW'::regproc;

-- name: no_function
SELECT 'nosuch'::regproc;

-- name: no_function_in_quotes
SELECT '"NOW"'::regproc;

-- name: several_functions
SELECT 'abs'::regproc;

-- name: no_name
SELECT 'n o w'::regproc;

-- name: three_names
SELECT 'a.b.c'::regproc;

-- name: signatures
SELECT 'abs(int4)'::regprocedure, 'pg_catalog.abs( bigint )'::regprocedure, 'now()'::regprocedure, 'substring(text, integer, integer)'::regprocedure, 'numeric(numeric,int4)'::regprocedure, 'format(text, "any")'::regprocedure, 'timestamptz(date,time)'::regprocedure, 'array_agg(anynonarray)'::regprocedure, 0::regprocedure;

-- name: no_signature
SELECT 'abs(text)'::regprocedure;

-- name: no_argument_type
SELECT 'abs(nosuch)'::regprocedure;

-- name: no_parenthesis
SELECT 'abs'::regprocedure;

-- name: no_end
SELECT 'abs(int4'::regprocedure;

-- name: operators
SELECT '||/'::regoper, '~~*'::regoper, 'pg_catalog.||/'::regoper, '0'::regoper, 597::regoper, 15::regoper, 99999::regoper, '+(int4,int4)'::regoperator, '-(none,int4)'::regoperator, 'pg_catalog.=(text,text)'::regoperator, 551::regoperator, 558::regoperator, 0::regoperator;

-- name: several_operators
SELECT '+'::regoper;

-- name: no_operator
SELECT '#%#'::regoper;

-- name: no_operator_of_types
SELECT '+(int4,text)'::regoperator;

-- name: missing_operand
SELECT '+(int4)'::regoperator;

-- name: three_operands
SELECT '+(int4,int4,int4)'::regoperator;

-- name: named_things
SELECT 'pg_monitor'::regrole, 3373::regrole, '"C"'::regcollation, 'default'::regcollation, 950::regcollation, 'english'::regconfig, 3748::regconfig, 'english_stem'::regdictionary, '-'::regrole, 0::regcollation, 'pg_class'::regclass, 'PUBLIC'::regnamespace, 'int4[]'::regtype, 'character varying'::regtype;

-- name: no_role
SELECT 'nosuch'::regrole;

-- name: role_with_schema
SELECT 'a.b'::regrole;

-- name: no_collation
SELECT 'C'::regcollation;

-- name: no_configuration
SELECT 'nosuch'::regconfig;

-- name: no_dictionary
SELECT 'nosuch'::regdictionary;

-- name: to_reg
SELECT to_regproc('now'), to_regproc('nosuch'), to_regproc('abs'), to_regprocedure('abs(int4)'), to_regprocedure('abs(text)'), to_regprocedure('abs'), to_regoper('||/'), to_regoper('+'), to_regoperator('+(int4,int4)'), to_regoperator('+'), to_regrole('pg_monitor'), to_regrole('nosuch'), to_regcollation('"C"'), to_regcollation('nosuch'), to_regproc('1299'), to_regtype('23'), to_regclass('1259'), to_regproc('-'), to_regproc(NULL), to_regproc('');

-- name: to_reg_of_three_names
SELECT to_regproc('a.b.c');

-- name: casts
SELECT i::oid, i::regtype, s::oid, s::regtype, b::oid, o::int4, o::int8, o::regproc, r::oid, r::int8, r::int4, r::text, b::regproc, n::regclass, n::varchar::regclass FROM t;

-- name: cast_too_large
SELECT (b + 1)::regproc FROM t;

-- name: no_cast
SELECT r::regtype FROM t;

-- name: no_cast_to_numeric
SELECT r::numeric FROM t;

-- name: functions_of_casts
SELECT regproc('now'), regclass('pg_class'), regtype('int4'), oid('now'::regproc), 'now'::text::regproc;

-- name: compared
SELECT r = 1299, r = o, r < 'abs(int4)'::regprocedure, 'now()'::regprocedure = r, i::regtype = 'int4'::regtype FROM t;

-- name: compared_with_text
SELECT 'now'::regproc = 'now';

-- name: extremes
SELECT max(r), min(r), max(i::regtype), count(DISTINCT r) FROM t;

-- name: sorted (exact)
SELECT r FROM t ORDER BY r DESC;

-- name: as_text
SELECT concat(r), format('%s', r), r || 'x', quote_literal(r), to_json(r), ARRAY[r, 'pi'], '{now,pi}'::regproc[] FROM t;

-- name: visible
SELECT pg_function_is_visible(1299), pg_operator_is_visible(15), pg_collation_is_visible(100), pg_ts_config_is_visible(3748), pg_ts_dict_is_visible(3765), pg_function_is_visible(99999);
