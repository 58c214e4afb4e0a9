-- JSON as records: json_populate_record, json_to_record and their sets; functions in FROM with column definition lists.
-- setup
CREATE TYPE color AS ENUM ('red', 'green');
CREATE TYPE pt AS (x int, y text);
CREATE TYPE single AS (z int);
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN present AS int NOT NULL;
CREATE DOMAIN right_pt AS pt CHECK ((VALUE).x > 0);
CREATE TYPE many AS (a int, b numeric(6,2), c varchar(3), d date, e color, f positive, g pt, h int[], i json, j jsonb, k right_pt, l pt[], m text, n bool);
CREATE TYPE strict AS (a int, q present);
CREATE TABLE u (id int, c text, j jsonb) USING mergetree;
INSERT INTO u VALUES (1,'one','{"x":1,"y":"a"}'), (2,'two','{"x":2}'), (3,NULL,NULL), (4,'q','[{"x":1},{"y":"t"}]');

-- name: populate
SELECT json_populate_record(NULL::pt, '{"x":1,"y":"b"}'), json_populate_record(ROW(7,'old')::pt, '{"x":1}', true), json_populate_record(ROW(7,'old')::pt, '{"x":null}'), json_populate_record(ROW(7,'old')::pt, NULL), json_populate_record(NULL::pt, NULL), json_populate_record(NULL::pt, '{"x":1,"x":2}'), json_populate_record(base => NULL::pt, from_json => '{"y":"n"}');

-- name: populate_nameless
SELECT json_populate_record(ROW(1, 'a'), '{"f2":"b"}'), jsonb_populate_record(ROW(1, ROW(2, 3)), '{"f1":5}');

-- name: all_kinds_of_fields
SELECT json_populate_record(NULL::many, d::json), jsonb_populate_record(NULL::many, d::jsonb) FROM (VALUES ('{"a":"5","b":1.555,"c":"abc","d":"2024-02-29","e":"green","f":3,"g":{"x":1},"h":[1,2],"i": {"p" : 1},"j": {"p" : 1, "a":2},"k":{"x":4},"l":[{"x":1},null,{"y":"s"}],"m":{"q" :  [1]},"n":true}'), ('{"i":"s\u0041","j":"s","m":"s\u0041\n","g":"(1,z)","h":"{1,2}","k":"(1,a)","l":["(1,2)"]}'), ('{"h":[[1,2],[3,null]],"m":1.50e2,"k":null}'), ('{"h":[]}'), ('{"h":[[]]}')) v(d);

-- name: nested_keeps_the_base
SELECT json_populate_record(ROW(1,NULL,NULL,NULL,NULL,NULL,ROW(5,'q'),NULL,NULL,NULL,NULL,NULL,NULL,NULL)::many, '{"g":{"x":1}}');

-- name: base_of_domain
SELECT json_populate_record(NULL::right_pt, '{"x":3}'), json_populate_record(ROW(4,'y')::right_pt, '{"x":3}'), json_populate_record(ROW(1,2)::strict, '{"a":3}');

-- name: parts_of_the_record
SELECT (json_populate_record(NULL::pt, '{"x":1,"y":"b"}')).*, (jsonb_populate_record(NULL::pt, '{"x":1,"y":"b"}')).y;

-- name: is_valid
SELECT jsonb_populate_record_valid(NULL::pt, '{"x":1}'), jsonb_populate_record_valid(NULL::pt, '{"x":"a"}'), jsonb_populate_record_valid(NULL::pt, NULL), jsonb_populate_record_valid(ROW(1,2)::pt, NULL), jsonb_populate_record_valid(NULL::pt, '[1]'), jsonb_populate_record_valid(NULL::many, '{"h":[[1],[1,2]]}'), jsonb_populate_record_valid(NULL::many, '{"f":-1}'), jsonb_populate_record_valid(NULL::many, '{"k":{"x":-1}}'), jsonb_populate_record_valid(NULL::many, '{"e":"x"}');

-- name: unknown_base
SELECT json_populate_record(NULL, '{}');

-- name: base_is_no_record
SELECT json_populate_record(1, '{"x":1}');

-- name: record_without_fields
SELECT json_populate_record(NULL::record, NULL);

-- name: to_record_in_select
SELECT json_to_record('{"a":1}');

-- name: to_record_of_null
SELECT json_to_record(NULL);

-- name: of_array
SELECT json_populate_record(NULL::pt, '[1]');

-- name: of_null
SELECT jsonb_populate_record(NULL::pt, 'null');

-- name: domain_of_field
SELECT json_populate_record(NULL::many, '{"f":-3}');

-- name: domain_of_record
SELECT json_populate_record(NULL::right_pt, '{"x":-3}');

-- name: missing_field_of_domain
SELECT json_populate_record(NULL::strict, '{"a":1}');

-- name: null_for_domain
SELECT json_populate_record(ROW(1,2)::strict, '{"q":null}');

-- name: too_long
SELECT json_populate_record(NULL::many, '{"c":"abcd"}');

-- name: too_large
SELECT json_populate_record(NULL::many, '{"b":99999}');

-- name: no_integer
SELECT json_populate_record(NULL::many, '{"a":[1]}');

-- name: no_array
SELECT json_populate_record(NULL::many, '{"h":{"a":1}}');

-- name: uneven_array
SELECT jsonb_populate_record(NULL::many, '{"h":[[],[1]]}');

-- name: array_beside_number
SELECT jsonb_populate_record(NULL::many, '{"h":[[[1],[2]],[[3],4]]}');

-- name: number_beside_array
SELECT json_populate_record(NULL::many, '{"h":[1,[3]]}');

-- name: object_into_nameless_record
SELECT json_populate_record(ROW(1, ROW(2, 3)), '{"f2":{"f1":3}}');

-- name: sets_in_select
SELECT json_populate_recordset(ROW(8,'z')::pt, '[{"x":1,"y":"b"},{"x":2},{}]'), jsonb_populate_recordset(NULL::u, '[{"id":3},{"c":"x","j":[1]}]'), json_populate_recordset(NULL::pt, NULL);

-- name: set_of_object
SELECT json_populate_recordset(NULL::pt, '{"x":1}');

-- name: set_of_jsonb_object
SELECT jsonb_populate_recordset(NULL::pt, '{"x":1}');

-- name: set_of_numbers
SELECT json_populate_recordset(NULL::pt, '[{"x":1}, 2]');

-- name: from_columns
SELECT t, t.*, s.* FROM json_populate_record(NULL::pt, '{"x":1,"y":"b"}') t(a, b), jsonb_populate_recordset(NULL::single, '[{"z":4},{"z":5}]') s;

-- name: from_domain
SELECT t, t.x FROM json_populate_record(NULL::right_pt, '{"x":1,"y":"b"}') t;

-- name: from_with_ordinality
SELECT t, t.* FROM json_populate_recordset(ROW(7,'d')::pt, '[{"x":1,"y":"b"},{"x":2}]') WITH ORDINALITY t(a, b, n);

-- name: from_filtered
SELECT x FROM json_populate_recordset(NULL::pt, '[{"x":1,"y":"b"},{"x":2}]') WHERE y IS NULL;

-- name: from_the_type_of_a_table
SELECT count(*), sum(id), max(c) FROM json_populate_recordset(NULL::u, '[{"id":7},{"id":8,"c":"x","j":[1]}]');

-- name: definition
SELECT t, t.*, pg_typeof(t) FROM json_to_record('{"a":1,"b":[1,2],"c":{"x":1},"d":"fo"}') AS t(a int, b int[], c pt, d varchar(2), e positive);

-- name: definition_without_alias
SELECT * FROM jsonb_to_recordset('[{"a":1},{"a":2,"b":"x"}]') AS (a int, b numeric(6,2), c text) WHERE a = 1;

-- name: definition_for_base
SELECT * FROM json_populate_record(ROW(1,2), '{"f1":1,"b":5}') t(a int, b int), json_populate_recordset(NULL::record, '[{"a":1,"b":5},{"a":2}]') AS s(c int, b numeric(6,2));

-- name: definition_of_null
SELECT * FROM json_to_record(NULL) t(a int, b text) LEFT JOIN json_to_recordset(NULL) s(a int, b text) ON true;

-- name: definition_of_unnest
SELECT * FROM unnest(ARRAY[ROW(1, 'a'::text), ROW(2, NULL::text)]) AS t(a int, b text), coalesce(ROW(1, 2)) AS (c int, d int);

-- name: unnested_records
SELECT * FROM unnest(ARRAY[ROW(1,'a')::pt, NULL], ARRAY[7]) WITH ORDINALITY, unnest(ARRAY[ROW(1)::single, NULL]) s, coalesce(NULL::pt, NULL) c;

-- name: named_by_out_parameter
SELECT t, s.* FROM json_array_elements('[1]') AS t, json_object_keys('{"a":1}') AS s;

-- name: rows_from
SELECT * FROM ROWS FROM (json_to_recordset('[{"a":1},{"b":"z"}]') AS (a int, b text), generate_series(1,3), json_to_record('{"q":true}') AS (q bool)) WITH ORDINALITY AS t(p, q, r);

-- name: definition_required
SELECT * FROM json_to_record('{"a":1}') t(a);

-- name: definition_required_for_base
SELECT * FROM json_populate_recordset(ROW(1,2), '[{"f1":1}]');

-- name: definition_redundant
SELECT * FROM json_populate_record(NULL::pt, '{"a":1,"b":5}') AS (a int, b text);

-- name: definition_redundant_for_out_parameters
SELECT * FROM json_each('{"a":1}') AS (a text, b json);

-- name: definition_for_scalars
SELECT * FROM generate_series(1,3) AS t(a int);

-- name: definition_with_other_types
SELECT * FROM json_populate_recordset(ROW(1,2), '[]') AS t(a int, b text);

-- name: definition_with_fewer_columns
SELECT * FROM json_populate_record(ROW(1,2), '{"f1":1}') t(a int);

-- name: definition_with_ordinality
SELECT * FROM json_to_record('{"a":1}') WITH ORDINALITY AS t(a int);

-- name: definition_of_several
SELECT * FROM ROWS FROM (json_to_recordset('[]'), generate_series(1,3)) AS t(a int, b text);

-- name: definition_twice
SELECT * FROM ROWS FROM (json_to_recordset('[]') AS (a int)) AS t(a int, b text);

-- name: definition_of_unnests
SELECT * FROM unnest(ARRAY[ROW(1,'a')], ARRAY[1]) AS t(a int, b text);

-- name: definition_of_one_name
SELECT * FROM json_to_record('{"a":1}') AS (a int, a text);

-- name: definition_of_pseudo_type
SELECT * FROM json_to_record('{"a":1}') AS (a anyelement);

-- name: definition_of_sets
SELECT * FROM json_to_record('{"a":1}') AS (a SETOF int);

-- name: lateral_record
SELECT u.id, t, t.* FROM u, jsonb_populate_record(NULL::pt, j) t WHERE id < 4 ORDER BY 1;

-- name: lateral_definition
SELECT u.id, t.*, s.* FROM u LEFT JOIN LATERAL jsonb_to_record(j) AS t(x int, y text) ON x = id, LATERAL jsonb_to_record(j) AS s(x text) WHERE id < 4 ORDER BY 1;

-- name: lateral_set
SELECT u.id, t.* FROM u LEFT JOIN LATERAL jsonb_populate_recordset(ROW(id, c)::pt, j) t ON true WHERE id > 2 ORDER BY 1, 2;

-- name: lateral_set_of_object
SELECT u.id, t.* FROM u, jsonb_to_recordset(j) AS t(x int, y text) ORDER BY 1;

-- name: rows_as_base
SELECT id, jsonb_populate_record(u, j), jsonb_populate_record_valid(u, j), jsonb_populate_recordset(u, '[{"id":0},{}]') FROM u WHERE id < 4 ORDER BY id;

-- name: correlated
SELECT id, (SELECT string_agg(t.y, ',') FROM jsonb_to_recordset(j) AS t(x int, y text)) FROM u WHERE id > 2 ORDER BY id;
