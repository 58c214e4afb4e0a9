-- ANALYZE and VACUUM: what they take and refuse, and that answers stay the same after them.
-- setup
CREATE TABLE t (a int, b text, c float8) USING mergetree;
INSERT INTO t SELECT i % 10, CASE WHEN i % 3 > 0 THEN chr(97 + i % 5) END, i / 7.0 FROM generate_series(1, 500) AS s (i);
INSERT INTO t VALUES (NULL, NULL, 'NaN'), (2147483647, '', '-Infinity');
CREATE TABLE nothing (x int, y text) USING mergetree;
CREATE VIEW v AS SELECT a FROM t;

-- name: analyze
ANALYZE;

-- name: analyze_tables
ANALYZE t, nothing;

-- name: analyze_columns
ANALYZE t (c, a);

-- name: analyze_with_options
ANALYZE (VERBOSE off) t (a), nothing;

-- name: vacuum_analyze
VACUUM (ANALYZE) t;

-- name: analyze_view
ANALYZE v;

-- name: analyze_unknown_table
ANALYZE missing;

-- name: analyze_unknown_column
ANALYZE t (a, nope);

-- name: analyze_column_twice
ANALYZE t (a, b, a);

-- name: rows_after_analyze
SELECT a, count(*), count(b), max(c) FROM t GROUP BY a ORDER BY a;

-- name: target_out_of_range
SET default_statistics_target = 0;
