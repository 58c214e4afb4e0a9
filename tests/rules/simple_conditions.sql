-- Conditions are brought into their simplest form.
-- rules: constant_folding
-- setup
CREATE TABLE t (a int, b bool, s text, f float8, n int NOT NULL);
INSERT INTO t SELECT i, i % 2 = 0, 's' || i % 5, i, i FROM generate_series(1, 20) AS g (i);
INSERT INTO t VALUES (NULL, NULL, NULL, NULL, 0), (1, true, 's1', 'NaN', 1);

-- name: negated_comparisons
SELECT a FROM t WHERE NOT (a < 5) AND NOT (s = 's1') AND NOT (f > 15)
-- Seq Scan on t
--   Filter: ((a >= 5) AND (s <> 's1'::text) AND (f <= 15))

-- name: de_morgan
SELECT a FROM t WHERE NOT (a IN (1, 2) AND b) AND NOT (a > 18 OR a IS NULL)
-- Seq Scan on t
--   Filter: (((a NOT IN (1, 2)) OR (NOT b)) AND (a <= 18) AND (a IS NOT NULL))

-- name: double_negation
SELECT a FROM t WHERE NOT NOT b
-- Seq Scan on t
--   Filter: b

-- name: flat_and_unique
SELECT a FROM t WHERE a > 1 AND (true AND a > 1) AND (s <> 's3' AND a > 1)
-- Seq Scan on t
--   Filter: ((a > 1) AND (s <> 's3'::text))

-- name: alternatives_as_a_list
SELECT a FROM t WHERE a = 1 OR a = 2 OR s = 's4' OR a IN (5, 2)
-- Seq Scan on t
--   Filter: ((a IN (1, 2, 5)) OR (s = 's4'::text))

-- name: never
SELECT a FROM t WHERE a > 3 AND 1 > 2
-- Values Scan (0 rows)

-- name: never_in_an_aggregate
SELECT count(*), sum(a) FROM t WHERE NULL
-- Aggregate
--   Aggregates: count(*), sum(a)
--   ->  Values Scan (0 rows)

-- name: always
SELECT a FROM t WHERE a > 18 OR 2 > 1
-- Seq Scan on t

-- name: null_in_a_junction
SELECT a FROM t WHERE a > 3 OR NULL
-- Seq Scan on t
--   Filter: ((a > 3) OR NULL::boolean)

-- name: arms
SELECT CASE WHEN 1 > 2 THEN 'a' WHEN b THEN 'b' WHEN true THEN 'c' ELSE 'd' END FROM t
-- Project
--   Compute: CASE WHEN b THEN 'b'::text ELSE 'c'::text END AS case
--   ->  Seq Scan on t

-- name: presence_of_what_is_never_null
SELECT a FROM t WHERE n IS NOT NULL AND a IS NOT NULL
-- Seq Scan on t
--   Filter: (a IS NOT NULL)

-- name: null_in_a_list
SELECT a FROM t WHERE NOT (a IN (1, NULL) OR a = 3)
-- Seq Scan on t
--   Filter: (a NOT IN (1, 3))

-- name: truth_tests
SELECT count(*) FROM t WHERE NOT (b IS TRUE) AND NOT (b IS NULL)
-- Aggregate
--   Aggregates: count(*)
--   ->  Seq Scan on t
--         Filter: ((b IS NOT TRUE) AND (b IS NOT NULL))

-- name: common_to_alternatives
SELECT a FROM t WHERE (a = 1 AND n = 2) OR (a = 1 AND n = 1 AND s = 's1')
-- Seq Scan on t
--   Filter: ((a = 1) AND ((n = 2) OR ((n = 1) AND (s = 's1'::text))))

-- name: an_alternative_that_asks_for_no_more
SELECT a FROM t WHERE (a = 1 AND n = 2) OR a = 1 OR (n = 7 AND a = 1)
-- Seq Scan on t
--   Filter: (a = 1)
