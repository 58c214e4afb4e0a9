-- Cheap and selective conditions come first.
-- setup
CREATE TABLE t (a int NOT NULL, b int, c text, d text);
INSERT INTO t SELECT i, i % 7, 'c' || i % 3, 'd' || i FROM generate_series(1, 70000) AS g (i);

-- name: selective_first
SELECT a FROM t WHERE b > 1 AND a = 17
-- Seq Scan on t
--   Filter: ((a = 17) AND (b > 1))

-- name: cheap_first
SELECT a FROM t WHERE d LIKE '%7%' AND c LIKE '%1%' AND a < 1000
-- Seq Scan on t
--   Filter: ((a < 1000) AND (c ~~ '%1%'::text) AND (d ~~ '%7%'::text))

-- name: what_may_fail_stays_behind
SELECT a FROM t WHERE b <> 0 AND 10 / b > 2 AND a < 50 AND 100 / a > 3
-- Seq Scan on t
--   Filter: ((a < 50) AND (b <> 0) AND ((10 / b) > 2) AND ((100 / a) > 3))

-- name: presence_leaves_nobody_out
SELECT a FROM t WHERE b IS NOT NULL AND a IS NOT NULL AND b < a
-- Seq Scan on t
--   Filter: ((b < a) AND (b IS NOT NULL) AND (a IS NOT NULL))

-- name: alternatives
SELECT a FROM t WHERE (a < 10 OR c = 'c1') AND b = 3
-- Seq Scan on t
--   Filter: ((b = 3) AND ((a < 10) OR (c = 'c1'::text)))
