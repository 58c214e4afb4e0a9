-- SEARCH and CYCLE of WITH RECURSIVE.
-- setup
CREATE TABLE edges (f int, t int, label text) USING mergetree;
INSERT INTO edges VALUES (1, 2, 'arc 1 -> 2'), (1, 3, 'arc 1 -> 3'), (2, 3, 'arc 2 -> 3'), (1, 4, 'arc 1 -> 4'), (4, 5, 'arc 4 -> 5'), (5, 1, 'arc 5 -> 1');

-- name: depth_first
WITH RECURSIVE s AS (SELECT * FROM edges g WHERE f = 1 AND t < 5 UNION ALL SELECT g.* FROM edges g, s WHERE g.f = s.t AND g.t > 1) SEARCH DEPTH FIRST BY f, t SET seq SELECT * FROM s ORDER BY seq;

-- name: breadth_first
WITH RECURSIVE s AS (SELECT * FROM edges g WHERE f = 1 AND t < 5 UNION ALL SELECT g.* FROM edges g, s WHERE g.f = s.t AND g.t > 1) SEARCH BREADTH FIRST BY f, t SET seq SELECT * FROM s ORDER BY seq;

-- name: cycle
WITH RECURSIVE s(f, t, label) AS (SELECT * FROM edges g WHERE f = 1 UNION ALL SELECT g.* FROM edges g, s WHERE g.f = s.t) CYCLE f, t SET is_cycle USING path SELECT * FROM s ORDER BY path;

-- name: cycle_marked
WITH RECURSIVE s(f, t, label) AS (SELECT * FROM edges g WHERE f = 1 UNION SELECT g.* FROM edges g, s WHERE g.f = s.t) CYCLE f, t SET is_cycle TO 'Y' DEFAULT 'N' USING path SELECT * FROM s ORDER BY path;

-- name: search_and_cycle
WITH RECURSIVE s(f, t, label) AS (SELECT * FROM edges g WHERE f = 1 UNION ALL SELECT g.* FROM edges g, s WHERE g.f = s.t) SEARCH DEPTH FIRST BY f, t SET seq CYCLE f, t SET is_cycle TO 1 DEFAULT 0 USING path SELECT * FROM s ORDER BY seq;

-- name: search_and_cycle_json
WITH RECURSIVE s(f, t, label) AS (SELECT * FROM edges g WHERE f = 1 UNION ALL SELECT g.* FROM edges g, s WHERE g.f = s.t) SEARCH BREADTH FIRST BY f SET seq CYCLE t SET c USING path SELECT row_to_json(s) FROM s ORDER BY seq, path;

-- name: not_a_union
WITH RECURSIVE s AS (SELECT 1 AS x) SEARCH DEPTH FIRST BY x SET seq SELECT * FROM s;

-- name: not_recursive
WITH s AS (SELECT 1 AS x) SEARCH DEPTH FIRST BY x SET seq SELECT * FROM s;

-- name: no_such_search_column
WITH RECURSIVE s AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM s WHERE x < 3) SEARCH DEPTH FIRST BY y SET seq SELECT * FROM s;

-- name: search_column_twice
WITH RECURSIVE s AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM s WHERE x < 3) SEARCH DEPTH FIRST BY x, x SET seq SELECT * FROM s;

-- name: no_such_cycle_column
WITH RECURSIVE s AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM s WHERE x < 3) CYCLE y SET c USING p SELECT * FROM s;

-- name: cycle_column_twice
WITH RECURSIVE s AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM s WHERE x < 3) CYCLE x, x SET c USING p SELECT * FROM s;

-- name: mark_is_path
WITH RECURSIVE s AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM s WHERE x < 3) CYCLE x SET c USING c SELECT * FROM s;

-- name: sequence_is_mark
WITH RECURSIVE s AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM s WHERE x < 3) SEARCH DEPTH FIRST BY x SET c CYCLE x SET c USING p SELECT * FROM s;

-- name: sequence_is_path
WITH RECURSIVE s AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM s WHERE x < 3) SEARCH DEPTH FIRST BY x SET p CYCLE x SET c USING p SELECT * FROM s;

-- name: marks_of_no_type
WITH RECURSIVE s AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM s WHERE x < 3) CYCLE x SET c TO 'a' DEFAULT 5 USING p SELECT * FROM s;

-- name: marks_of_other_types
WITH RECURSIVE s AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM s WHERE x < 3) CYCLE x SET c TO true DEFAULT 5 USING p SELECT * FROM s;

-- name: marks_without_equality
WITH RECURSIVE s AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM s WHERE x < 3) CYCLE x SET c TO json '1' DEFAULT json '2' USING p SELECT * FROM s;

-- name: mention_in_subquery
WITH RECURSIVE s AS (SELECT 1 AS x UNION ALL SELECT * FROM (SELECT x + 1 FROM s WHERE x < 3) y) SEARCH DEPTH FIRST BY x SET q SELECT * FROM s;

-- name: right_side_is_union
WITH RECURSIVE s AS (SELECT 1 AS x UNION ALL (SELECT 5 UNION ALL SELECT x + 1 FROM s WHERE x < 3)) SEARCH DEPTH FIRST BY x SET q SELECT * FROM s;

-- name: left_side_is_union
WITH RECURSIVE s AS ((SELECT 1 AS x UNION ALL SELECT 2) UNION ALL SELECT x + 1 FROM s WHERE x < 3) SEARCH DEPTH FIRST BY x SET q SELECT * FROM s;

-- name: values
WITH RECURSIVE s(x) AS (VALUES (1), (7) UNION ALL SELECT x + 1 FROM s WHERE x < 3) SEARCH DEPTH FIRST BY x SET q SELECT * FROM s;

-- name: values_with_both
WITH RECURSIVE s(x) AS (VALUES (1), (7) UNION ALL SELECT s.x + 1 FROM s WHERE x < 3) SEARCH DEPTH FIRST BY x SET q CYCLE x SET c USING p SELECT x, q, c, p, s FROM s;

-- name: aliased
WITH RECURSIVE s(x) AS (SELECT 1 UNION ALL SELECT x.x + 1 FROM edges JOIN s AS x ON f = x.x WHERE x < 3) SEARCH DEPTH FIRST BY x SET q SELECT * FROM s;

-- name: star
WITH RECURSIVE s(x) AS (SELECT 1 UNION ALL SELECT s.* FROM s WHERE x < 3) CYCLE x SET c USING p SELECT * FROM s;

-- name: order_of_fields
WITH RECURSIVE s(x, y) AS (SELECT 1, 'a' UNION ALL SELECT x + 1, y || 'b' FROM s WHERE x < 3) SEARCH DEPTH FIRST BY y, x SET q SELECT q[1], q, x FROM s;

-- name: cycle_of_null
WITH RECURSIVE s(x, y) AS (SELECT 1, NULL::text UNION ALL SELECT x + 1, y FROM s WHERE x < 3) CYCLE y SET q USING p SELECT q, p, x FROM s;

-- name: distinct
WITH RECURSIVE s(x) AS (SELECT 1 UNION ALL SELECT DISTINCT x + 1 FROM s WHERE x < 3) SEARCH DEPTH FIRST BY x SET q SELECT * FROM s;

-- name: read_by_another
WITH RECURSIVE s(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM s WHERE x < 3) SEARCH DEPTH FIRST BY x SET q, t(y) AS (SELECT max(q) FROM s) SELECT * FROM t;

-- name: joined
WITH RECURSIVE s(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM s WHERE x < 3) SEARCH DEPTH FIRST BY x SET q SELECT a.x, b.q FROM s a JOIN s b ON a.q < b.q ORDER BY 1, 2;

-- name: intersect
WITH RECURSIVE s(x) AS (SELECT 1 INTERSECT SELECT x + 1 FROM s WHERE x < 3) SEARCH DEPTH FIRST BY x SET q SELECT * FROM s;
