-- Inner joins come in the order that costs least; the smaller input is on the right.
-- rules: predicate_push_down
-- setup
CREATE TABLE big (id int, mid_id int, small_id int, v int);
INSERT INTO big SELECT i, i % 1000, i % 10, i % 7 FROM generate_series(1, 20000) AS g (i);
CREATE TABLE mid (id int, small_id int, name text);
INSERT INTO mid SELECT i, i % 10, 'm' || i FROM generate_series(0, 999) AS g (i);
CREATE TABLE small (id int, name text);
INSERT INTO small SELECT i, 's' || i FROM generate_series(0, 9) AS g (i);
CREATE TABLE long (id int8, v int);
INSERT INTO long SELECT i, i FROM generate_series(1, 50) AS g (i);

-- name: smaller_on_the_right
SELECT count(*) FROM small JOIN big ON big.small_id = small.id
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (big.small_id = small.id)
--         ->  Seq Scan on big
--         ->  Seq Scan on small

-- name: star
SELECT count(*) FROM big JOIN mid ON big.mid_id = mid.id JOIN small ON big.small_id = small.id
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (big.mid_id = mid.id)
--         ->  Hash Join
--               Hash Cond: (big.small_id = small.id)
--               ->  Seq Scan on big
--               ->  Seq Scan on small
--         ->  Seq Scan on mid

-- name: selective_first
SELECT count(*) FROM big JOIN small ON big.small_id = small.id JOIN mid ON big.mid_id = mid.id WHERE mid.id < 3
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (big.small_id = small.id)
--         ->  Hash Join
--               Hash Cond: (big.mid_id = mid.id)
--               ->  Seq Scan on big
--               ->  Seq Scan on mid
--                     Filter: (id < 3)
--         ->  Seq Scan on small

-- name: transitive
SELECT count(*) FROM big, mid, small WHERE big.small_id = mid.small_id AND mid.small_id = small.id AND big.mid_id = mid.id
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: ((big.mid_id = mid.id) AND (big.small_id = mid.small_id))
--         ->  Seq Scan on big
--         ->  Hash Join
--               Hash Cond: (mid.small_id = small.id)
--               ->  Seq Scan on mid
--               ->  Seq Scan on small

-- name: constant_for_all
SELECT count(*) FROM big, mid, small WHERE big.small_id = small.id AND mid.small_id = big.small_id AND small.id = 5
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (big.small_id = mid.small_id)
--         ->  Seq Scan on big
--               Filter: (small_id = 5)
--         ->  Hash Join
--               Hash Cond: (mid.small_id = small.id)
--               ->  Seq Scan on mid
--                     Filter: (small_id = 5)
--               ->  Seq Scan on small
--                     Filter: (id = 5)

-- name: constant_of_another_width
SELECT count(*) FROM big, long WHERE big.id = long.id AND big.id = 7
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: ((big.id)::bigint = long.id)
--         ->  Seq Scan on big
--               Filter: (id = 7)
--         ->  Seq Scan on long
--               Filter: (id = '7'::bigint)

-- name: equal_within_an_input
SELECT count(*) FROM big, small WHERE big.small_id = small.id AND big.v = small.id
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (big.small_id = small.id)
--         ->  Seq Scan on big
--               Filter: (small_id = v)
--         ->  Seq Scan on small

-- name: expressions_are_keys_as_they_are
SELECT count(*) FROM small, big, mid WHERE big.id + 1 = mid.id * 2 AND mid.id = small.id
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: ((big.id + 1) = (mid.id * 2))
--         ->  Seq Scan on big
--         ->  Hash Join
--               Hash Cond: (mid.id = small.id)
--               ->  Seq Scan on mid
--               ->  Seq Scan on small

-- name: nothing_connects
SELECT count(*) FROM small a, small b, long
-- Aggregate
--   Aggregates: count(*)
--   ->  Nested Loop Join
--         ->  Nested Loop Join
--               ->  Seq Scan on small a
--               ->  Seq Scan on small b
--         ->  Seq Scan on long

-- name: islands
SELECT count(*) FROM big, small a, mid, small b WHERE big.mid_id = mid.id AND a.id = b.id AND mid.id < 5
-- Aggregate
--   Aggregates: count(*)
--   ->  Nested Loop Join
--         ->  Hash Join
--               Hash Cond: (big.mid_id = mid.id)
--               ->  Seq Scan on big
--               ->  Seq Scan on mid
--                     Filter: (id < 5)
--         ->  Hash Join
--               Hash Cond: (a.id = b.id)
--               ->  Seq Scan on small a
--               ->  Seq Scan on small b

-- name: three_at_once
SELECT count(*) FROM mid, small, long WHERE mid.id = small.id + long.id
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: ((mid.id)::bigint = (small.id + long.id))
--         ->  Seq Scan on mid
--         ->  Nested Loop Join
--               ->  Seq Scan on long
--               ->  Seq Scan on small

-- name: outer_joins_stay
SELECT count(*) FROM small LEFT JOIN big ON big.small_id = small.id JOIN mid ON mid.id = small.id JOIN long ON long.id = mid.id
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (small.id = mid.id)
--         ->  Hash Left Join
--               Hash Cond: (small.id = big.small_id)
--               ->  Seq Scan on small
--               ->  Seq Scan on big
--         ->  Hash Join
--               Hash Cond: ((mid.id)::bigint = long.id)
--               ->  Seq Scan on mid
--               ->  Seq Scan on long

-- name: full_join_of_a_larger_one
SELECT small.id, mid.id FROM small FULL JOIN mid ON mid.id = small.id
-- Hash Full Join
--   Hash Cond: (mid.id = small.id)
--   ->  Seq Scan on mid
--   ->  Seq Scan on small

-- name: volatile_last
SELECT count(*) FROM small, mid, big WHERE mid.id = small.id AND big.mid_id = mid.id AND random() < 2
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (big.mid_id = small.id)
--         Filter: (random() < 2)
--         ->  Seq Scan on big
--         ->  Hash Join
--               Hash Cond: (mid.id = small.id)
--               ->  Seq Scan on mid
--               ->  Seq Scan on small

-- name: order_of_columns
SELECT * FROM small JOIN big ON big.small_id = small.id
-- Hash Join
--   Hash Cond: (big.small_id = small.id)
--   ->  Seq Scan on big
--   ->  Seq Scan on small

-- name: comparisons_connect
SELECT count(*) FROM small JOIN mid ON mid.small_id < small.id JOIN long ON long.v = mid.id
-- Aggregate
--   Aggregates: count(*)
--   ->  Nested Loop Join
--         Join Filter: (mid.small_id < small.id)
--         ->  Hash Join
--               Hash Cond: (mid.id = long.v)
--               ->  Seq Scan on mid
--               ->  Seq Scan on long
--         ->  Seq Scan on small

-- name: alternatives_ask_something_of_each_input
SELECT count(*) FROM mid, small WHERE mid.small_id = small.id AND (mid.id < 10 AND small.id = 1 OR mid.id > 990 AND small.id = 2)
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (mid.small_id = small.id)
--         Join Filter: (((mid.id < 10) AND (small.id = 1)) OR ((mid.id > 990) AND (small.id = 2)))
--         ->  Seq Scan on mid
--               Filter: ((id < 10) OR (id > 990))
--         ->  Seq Scan on small
--               Filter: (id IN (1, 2))

-- name: an_alternative_that_asks_nothing_of_an_input
SELECT count(*) FROM mid, small WHERE mid.small_id = small.id AND (mid.id < 10 AND small.id = 1 OR mid.id > 990)
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (mid.small_id = small.id)
--         Join Filter: (((mid.id < 10) AND (small.id = 1)) OR (mid.id > 990))
--         ->  Seq Scan on mid
--               Filter: ((id < 10) OR (id > 990))
--         ->  Seq Scan on small

-- name: joins_in_a_subquery_in_from
SELECT count(*) FROM (SELECT big.id, big.small_id, mid.name FROM big JOIN mid ON big.mid_id = mid.id) q JOIN small ON q.small_id = small.id WHERE small.name = 's1' AND q.name > 'm'
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (big.mid_id = mid.id)
--         ->  Hash Join
--               Hash Cond: (big.small_id = small.id)
--               ->  Seq Scan on big
--               ->  Seq Scan on small
--                     Filter: (name = 's1'::text)
--         ->  Seq Scan on mid
--               Filter: (name > 'm'::text)

-- name: joins_of_a_query_in_with
WITH q(v, s, name, t) AS (SELECT big.v, big.small_id, mid.name, mid.small_id FROM mid JOIN big ON big.mid_id = mid.id) SELECT q.v, q.name || small.name FROM q JOIN small ON q.s = small.id AND q.t = q.s WHERE small.name = 's1'
-- Project
--   Compute: (name || name) AS ?column?
--   ->  Hash Join
--         Hash Cond: ((big.mid_id = mid.id) AND (big.small_id = mid.small_id))
--         ->  Seq Scan on big
--         ->  Hash Join
--               Hash Cond: (mid.small_id = small.id)
--               ->  Seq Scan on mid
--               ->  Seq Scan on small
--                     Filter: (name = 's1'::text)
