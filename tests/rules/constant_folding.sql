-- Expressions without columns become constants.
-- setup
CREATE TABLE t (x int);
INSERT INTO t VALUES (1), (2), (NULL);

-- name: arithmetic
SELECT x + (2 * 3) FROM t
-- Project
--   Compute: (x + 6) AS ?column?
--   ->  Seq Scan on t

-- name: errors_stay
SELECT CASE WHEN x > 5 THEN 1 / 0 ELSE x END FROM t
-- Project
--   Compute: CASE WHEN (x > 5) THEN (1 / 0) ELSE x END AS x
--   ->  Seq Scan on t

-- name: volatile
SELECT x FROM t WHERE random() < 2
-- Seq Scan on t
--   Filter: (random() < 2)

-- name: arms_that_are_never_taken
SELECT CASE 1 WHEN 2 THEN 1 / 0 WHEN x THEN 5 WHEN 1 THEN 7 ELSE x END FROM t
-- Project
--   Compute: CASE WHEN (1 = x) THEN 5 ELSE 7 END AS x
--   ->  Seq Scan on t

-- name: null_among_what_is_decided
SELECT nullif(CASE 1 WHEN 1 THEN NULL::int WHEN 42 THEN x END, x + x) FROM t
-- Project
--   Compute: NULL::integer AS nullif
--   ->  Seq Scan on t
