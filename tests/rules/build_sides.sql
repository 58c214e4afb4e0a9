-- Left, semi, anti and mark joins keep the rows of the smaller input.
-- rules: predicate_push_down, column_pruning
-- setup
CREATE TABLE small (a int, s text);
INSERT INTO small SELECT i, 's' || i FROM generate_series(1, 20) AS g (i);
INSERT INTO small VALUES (NULL, NULL);
CREATE TABLE large (b int, t text);
INSERT INTO large SELECT i % 40, 's' || i % 50 FROM generate_series(1, 2000) AS g (i);

-- name: semi_join
SELECT a FROM small WHERE EXISTS (SELECT 1 FROM large WHERE b = a)
-- Hash Right Semi Join
--   Hash Cond: (small.a = large.b)
--   ->  Seq Scan on small
--   ->  Seq Scan on large

-- name: anti_join
SELECT a FROM small WHERE NOT EXISTS (SELECT 1 FROM large WHERE b = a AND t <> s)
-- Hash Right Anti Join
--   Hash Cond: (small.a = large.b)
--   Join Filter: (large.t <> small.s)
--   ->  Seq Scan on small
--   ->  Seq Scan on large

-- name: mark_join
SELECT a, EXISTS (SELECT 1 FROM large WHERE b = a) FROM small
-- Hash Right Mark Join
--   Hash Cond: (small.a = large.b)
--   ->  Seq Scan on small
--   ->  Seq Scan on large

-- name: small_input_on_the_right
SELECT count(*) FROM large WHERE EXISTS (SELECT 1 FROM small WHERE b = a)
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Semi Join
--         Hash Cond: (large.b = small.a)
--         ->  Seq Scan on large
--         ->  Seq Scan on small

-- name: without_keys
SELECT a FROM small WHERE EXISTS (SELECT 1 FROM large WHERE b > a + 38)
-- Nested Loop Semi Join
--   Join Filter: (large.b > (small.a + 38))
--   ->  Seq Scan on small
--   ->  Seq Scan on large

-- name: left_join_with_few_rows_on_the_right
SELECT s, t FROM small LEFT JOIN large ON b = a AND b > 35
-- Hash Left Join
--   Hash Cond: (small.a = large.b)
--   ->  Seq Scan on small
--   ->  Seq Scan on large
--         Filter: (b > 35)

-- name: left_join
SELECT s, t FROM small LEFT JOIN large ON b = a
-- Hash Right Join
--   Hash Cond: (small.a = large.b)
--   ->  Seq Scan on small
--   ->  Seq Scan on large

-- name: left_join_with_a_small_right_input
SELECT s, t FROM large LEFT JOIN small ON b = a
-- Hash Left Join
--   Hash Cond: (large.b = small.a)
--   ->  Seq Scan on large
--   ->  Seq Scan on small
