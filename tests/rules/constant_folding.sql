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
