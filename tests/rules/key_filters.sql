-- Rows without a partner in a join are dropped where they come from.
-- rules: predicate_push_down, join_order, column_pruning, scan_ranges, build_sides
-- setup
CREATE TABLE item (k int, part int, amount int, note text);
INSERT INTO item SELECT i % 500, i % 300, i, 'n' || i % 7 FROM generate_series(1, 6000) AS g (i);
INSERT INTO item VALUES (NULL, NULL, 1, NULL);
CREATE TABLE part (id int, name text);
INSERT INTO part SELECT i, 'p' || i FROM generate_series(0, 299) AS g (i);
CREATE TABLE head (id int8, name text);
INSERT INTO head SELECT i, 'h' || i % 10 FROM generate_series(0, 499) AS g (i);

-- name: above_a_filter
SELECT count(*), sum(amount) FROM item JOIN part ON part = id WHERE name = 'p7' AND amount > 10
-- Aggregate
--   Aggregates: count(*), sum(amount)
--   ->  Hash Join
--         Key Filter: 1
--         Hash Cond: (item.part = part.id)
--         ->  Key Filter 1 on part
--               Filter: (amount > 10)
--               ->  Seq Scan on item
--                     Granule Cond: (amount >= 11)
--         ->  Seq Scan on part
--               Granule Cond: (name = 'p7'::text)
--               Filter: (name = 'p7'::text)

-- name: below_an_aggregate
SELECT name, total FROM (SELECT part, sum(amount) AS total FROM item GROUP BY part) AS g JOIN part ON part = id WHERE name < 'p11'
-- Hash Join
--   Key Filter: 1
--   Hash Cond: (part = part.id)
--   ->  HashAggregate
--         Group Key: part
--         Aggregates: sum(amount)
--         ->  Key Filter 1 on part
--               ->  Seq Scan on item
--   ->  Seq Scan on part
--         Granule Cond: (name <= 'p11'::text)
--         Filter: (name < 'p11'::text)

-- name: below_an_aggregate_not_by_its_result
SELECT count(*) FROM (SELECT part, sum(amount) AS total FROM item GROUP BY part) AS g JOIN part ON total = id WHERE name < 'p11'
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Key Filter: 1
--         Hash Cond: (sum = (part.id)::bigint)
--         ->  Key Filter 1 on sum
--               ->  HashAggregate
--                     Group Key: part
--                     Aggregates: sum(amount)
--                     ->  Seq Scan on item
--         ->  Seq Scan on part
--               Granule Cond: (name <= 'p11'::text)
--               Filter: (name < 'p11'::text)

-- name: through_another_join
SELECT count(*), sum(amount) FROM item LEFT JOIN head ON k = head.id JOIN part ON part = part.id WHERE part.name = 'p7'
-- Aggregate
--   Aggregates: count(*), sum(amount)
--   ->  Hash Join
--         Key Filter: 1
--         Hash Cond: (item.part = part.id)
--         ->  Hash Left Join
--               Hash Cond: ((item.k)::bigint = head.id)
--               ->  Key Filter 1 on part
--                     ->  Seq Scan on item
--               ->  Seq Scan on head
--         ->  Seq Scan on part
--               Granule Cond: (name = 'p7'::text)
--               Filter: (name = 'p7'::text)

-- name: to_both_inputs_of_an_equality
SELECT count(*) FROM (SELECT k FROM item JOIN head ON k = id) AS both_sides WHERE k IN (SELECT id FROM head WHERE name = 'h3')
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Semi Join
--         Key Filter: 2
--         Hash Cond: ((item.k)::bigint = id)
--         ->  Hash Join
--               Hash Cond: ((item.k)::bigint = head.id)
--               ->  Key Filter 2 on (k)::bigint
--                     ->  Seq Scan on item
--               ->  Key Filter 2 on id
--                     ->  Seq Scan on head
--         ->  Seq Scan on head
--               Granule Cond: (name = 'h3'::text)
--               Filter: (name = 'h3'::text)

-- name: below_a_window
SELECT part, amount, n FROM (SELECT part, amount, count(*) OVER (PARTITION BY part) AS n FROM item) AS w WHERE part IN (SELECT id FROM part WHERE name = 'p9')
-- Hash Semi Join
--   Key Filter: 1
--   Hash Cond: (item.part = id)
--   ->  WindowAgg
--         Window: w1 AS (PARTITION BY part)
--         Functions: count(*) OVER w1
--         ->  Key Filter 1 on part
--               ->  Seq Scan on item
--   ->  Seq Scan on part
--         Granule Cond: (name = 'p9'::text)
--         Filter: (name = 'p9'::text)

-- name: not_below_a_limit
SELECT count(*) FROM (SELECT part FROM item ORDER BY amount LIMIT 50) AS first JOIN part ON part = id WHERE name = 'p7'
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Key Filter: 1
--         Hash Cond: (item.part = part.id)
--         ->  Key Filter 1 on part
--               ->  Limit
--                     Limit: 50
--                     ->  Sort
--                           Sort Key: amount
--                           ->  Seq Scan on item
--         ->  Seq Scan on part
--               Granule Cond: (name = 'p7'::text)
--               Filter: (name = 'p7'::text)

-- name: below_both_parts_of_a_union
SELECT count(*) FROM (SELECT part FROM item UNION ALL SELECT k FROM item) AS u (p) JOIN part ON p = id WHERE name = 'p7'
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Key Filter: 1
--         Hash Cond: (part = part.id)
--         ->  Append
--               ->  Key Filter 1 on part
--                     ->  Seq Scan on item
--               ->  Key Filter 1 on k
--                     ->  Seq Scan on item
--         ->  Seq Scan on part
--               Granule Cond: (name = 'p7'::text)
--               Filter: (name = 'p7'::text)

-- name: semi_join_that_keeps_the_left_input
SELECT name FROM head WHERE name = 'h4' AND EXISTS (SELECT 1 FROM item WHERE k = id AND amount > 5000)
-- Hash Right Semi Join
--   Key Filter: 1
--   Hash Cond: (head.id = (item.k)::bigint)
--   ->  Seq Scan on head
--         Granule Cond: (name = 'h4'::text)
--         Filter: (name = 'h4'::text)
--   ->  Key Filter 1 on (k)::bigint
--         Filter: (amount > 5000)
--         ->  Seq Scan on item
--               Granule Cond: (amount >= 5001)

-- name: not_the_side_of_a_left_join_that_stays
SELECT count(*), count(name) FROM item LEFT JOIN (SELECT * FROM part WHERE name = 'p7') AS p ON part = id
-- Aggregate
--   Aggregates: count(*), count(name)
--   ->  Hash Left Join
--         Hash Cond: (item.part = part.id)
--         ->  Seq Scan on item
--         ->  Seq Scan on part
--               Granule Cond: (name = 'p7'::text)
--               Filter: (name = 'p7'::text)

-- name: not_by_a_whole_table
SELECT count(*) FROM item AS a JOIN item AS b ON a.k = b.k
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Hash Cond: (a.k = b.k)
--         ->  Seq Scan on item a
--         ->  Seq Scan on item b

-- name: by_text
SELECT count(*) FROM (SELECT note, count(*) FROM item GROUP BY note) AS g JOIN part ON note = name WHERE id < 3
-- Aggregate
--   Aggregates: count(*)
--   ->  Hash Join
--         Key Filter: 1
--         Hash Cond: (note = part.name)
--         ->  HashAggregate
--               Group Key: note
--               ->  Key Filter 1 on note
--                     ->  Seq Scan on item
--         ->  Seq Scan on part
--               Granule Cond: (id <= 2)
--               Filter: (id < 3)
