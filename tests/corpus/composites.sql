-- Composite types: columns, casts, texts, fields; rows of tables as a type.
-- setup
CREATE TABLE u (id int, c int) USING mergetree;
INSERT INTO u VALUES (1,10),(2,20);
CREATE TYPE pt AS (x int, y text);
CREATE TYPE edge AS (a pt, b pt, w numeric(6,2));
CREATE TABLE s (id int, p pt, ps pt[], l edge) USING mergetree;
INSERT INTO s VALUES (1, ROW(1,'a'), ARRAY[ROW(1,'a')::pt, NULL], NULL), (2, '(2,"b c")', '{"(1,)"}', '("(1,a)","(2,)",1.555)'), (3, NULL, NULL, ROW(ROW(1,2), NULL, 2)), (4, (NULL, NULL), '{}', NULL);

-- name: columns
SELECT * FROM s ORDER BY id;

-- name: fields
SELECT id, (p).x, (p).y, (l).a, ((l).a).x, (l).w, ps[1], (ps[1]).x FROM s ORDER BY id;

-- name: grouped
SELECT p, count(*) FROM s GROUP BY p ORDER BY p;

-- name: compared
SELECT id FROM s WHERE p = ROW(1, 'a'::text) OR p > ROW(1, 'b'::text)::pt ORDER BY id;

-- name: is_null
SELECT p IS NULL, p IS NOT NULL, p IS DISTINCT FROM NULL FROM s ORDER BY id;

-- name: all_fields
SELECT (p).* FROM s ORDER BY id;

-- name: json
SELECT row_to_json(s) FROM s ORDER BY id;

-- name: casts
SELECT ROW(1,2)::pt, ROW('7','b')::pt, '(1,a)'::pt, '(,)'::pt, '( 1 ," a")'::pt, NULL::pt, ROW(1,2)::pt::text;

-- name: cast_many
SELECT ROW(1,2,3)::pt;

-- name: cast_few
SELECT ROW(1)::pt;

-- name: cast_field
SELECT ROW('a', 2)::pt;

-- name: cast_impossible
SELECT ROW(DATE '2024-01-01', 2)::pt;

-- name: text_many
SELECT '(1,2,3)'::pt;

-- name: text_few
SELECT '(1)'::pt;

-- name: text_no_parenthesis
SELECT '1,2'::pt;

-- name: text_junk
SELECT '(1,2) x'::pt;

-- name: text_open_quote
SELECT '(1,"2)'::pt;

-- name: text_bad_field
SELECT '(a,2)'::pt;

-- name: text_no_record
SELECT 'x'::pt;

-- name: row_of_table
SELECT row(1,2)::u, (row(1,2)::u).c, '(1,2)'::u, '(1,)'::u, u::text FROM u ORDER BY u;

-- name: types
SELECT pg_typeof(p), pg_typeof(u) FROM s, u LIMIT 1;

-- name: operator_text
SELECT p || 'x' FROM s ORDER BY id;

-- name: unnest_record
SELECT unnest(ps) FROM s ORDER BY 1;

-- name: unnest_fields
SELECT x, y FROM unnest(ARRAY[ROW(1,'a')::pt, ROW(2,'b')::pt]);

-- name: unnest_lateral
SELECT * FROM s, unnest(ps) ORDER BY id;

-- name: union
SELECT p FROM s UNION SELECT ROW(1,'a')::pt ORDER BY 1;

-- name: case
SELECT CASE WHEN id > 1 THEN p ELSE ROW(0,'z') END FROM s ORDER BY id;

-- name: coalesce
SELECT coalesce(p, ROW(0,'z')::pt) FROM s ORDER BY id;

-- name: nested_wrong
SELECT (1.555, 2)::edge;

-- name: nested
SELECT ROW(NULL, ROW(1,2), 1.555)::edge;

-- name: compared_with_number
SELECT p = 5 FROM s;

-- name: no_function
SELECT upper(p) FROM s;

-- name: no_field
SELECT (p).z FROM s;

-- name: window
SELECT lag(p) OVER (ORDER BY id) FROM s ORDER BY id;

-- name: array_literals
SELECT '{"(1,a)",NULL}'::pt[], ARRAY[ROW(1,2)]::pt[], ARRAY['(1,2)', ROW(3,'x')]::pt[];

-- name: no_such_type
SELECT NULL::nosuch;

-- name: pairs
SELECT a.p = b.p, a.p < b.p FROM s a, s b WHERE a.id = 1 AND b.id IN (1, 2) ORDER BY b.id;

-- name: joined
SELECT count(*) FROM s a JOIN s b USING (p);

-- name: distinct
SELECT DISTINCT p FROM s ORDER BY p DESC;

-- name: in_list
SELECT p FROM s WHERE p IN (ROW(1,'a')::pt, '(2,"b c")') ORDER BY p;

-- name: rounded
SELECT ROW(NULL, NULL, 1.555)::edge, (ROW('(1,a)', NULL, id / 3.0)::edge).w FROM s ORDER BY id;

-- name: stored_record
SELECT r::pt FROM (SELECT ROW(1, 'a'::text) AS r) x;
