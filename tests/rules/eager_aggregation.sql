-- Groups are made below joins where that leaves them few rows.
-- rules: predicate_push_down, join_order, totals
-- setup
CREATE TABLE fact (k int, d int, x int, b int8, n numeric(10, 2), f float8);
INSERT INTO fact SELECT CASE WHEN i % 50 = 0 THEN NULL ELSE i % 60 END, i % 7, i % 1000, i, i / 100.0, i / 3.0 FROM generate_series(1, 20000) AS g (i);
CREATE TABLE dim (k int, name text);
INSERT INTO dim SELECT i % 70, 'n' || i % 4 FROM generate_series(1, 100) AS g (i);
INSERT INTO dim VALUES (NULL, 'nn'), (1, NULL), (500, 'none');

-- name: star
SELECT name, count(*), sum(b), avg(n), min(f) FROM fact JOIN dim ON fact.k = dim.k GROUP BY name
-- Project
--   Compute: CASE WHEN (total(count(n)) <> '0'::bigint) THEN (sum(sum(n)) / (total(count(n)))::numeric) ELSE NULL::numeric END AS avg
--   ->  HashAggregate
--         Group Key: name
--         Aggregates: total(count(*)), sum(sum(b)), total(count(n)), sum(sum(n)), min(min(f))
--         ->  Hash Join
--               Hash Cond: (dim.k = fact.k)
--               ->  Seq Scan on dim
--               ->  HashAggregate
--                     Group Key: k
--                     Aggregates: count(*), sum(b), sum(n), count(n), min(f)
--                     ->  Seq Scan on fact

-- name: without_keys
SELECT count(*), sum(x), avg(x) FROM fact JOIN dim ON fact.k = dim.k
-- Project
--   Compute: CASE WHEN (count(x) <> '0'::bigint) THEN total(x) ELSE NULL::bigint END AS sum, CASE WHEN (count(x) <> '0'::bigint) THEN ((total(x))::numeric / (count(x))::numeric) ELSE NULL::numeric END AS avg
--   ->  Aggregate
--         Aggregates: total(count(*)), total(total(x)), total(count(x))
--         ->  Hash Join
--               Hash Cond: (dim.k = fact.k)
--               ->  Seq Scan on dim
--               ->  HashAggregate
--                     Group Key: k
--                     Aggregates: count(*), total(x), count(x)
--                     ->  Seq Scan on fact

-- name: side_that_may_be_missing
SELECT name, count(fact.k), count(*) FROM dim LEFT JOIN fact ON fact.k = dim.k GROUP BY name
-- HashAggregate
--   Group Key: name
--   Aggregates: total(count(k)), total(COALESCE(count(*), '1'::bigint))
--   ->  Hash Left Join
--         Hash Cond: (dim.k = fact.k)
--         ->  Seq Scan on dim
--         ->  HashAggregate
--               Group Key: k
--               Aggregates: count(k), count(*)
--               ->  Seq Scan on fact

-- name: side_that_stays
SELECT d, count(name) FROM fact LEFT JOIN dim ON fact.k = dim.k GROUP BY d
-- HashAggregate
--   Group Key: d
--   Aggregates: count(name)
--   ->  Hash Left Join
--         Hash Cond: (fact.k = dim.k)
--         ->  Seq Scan on fact
--         ->  Seq Scan on dim

-- name: rows_with_partner
SELECT d, count(*) FROM fact WHERE EXISTS (SELECT 1 FROM dim WHERE dim.k = fact.k) GROUP BY d
-- HashAggregate
--   Group Key: d
--   Aggregates: total(count(*))
--   ->  Hash Semi Join
--         Hash Cond: (fact.k = dim.k)
--         ->  HashAggregate
--               Group Key: d, k
--               Aggregates: count(*)
--               ->  Seq Scan on fact
--         ->  Seq Scan on dim

-- name: two_joins
SELECT a.name, sum(x) FROM fact JOIN dim a ON fact.k = a.k JOIN dim b ON fact.d = b.k GROUP BY a.name
-- Project
--   Compute: CASE WHEN (count(sum(x)) <> '0'::bigint) THEN total(sum(x)) ELSE NULL::bigint END AS sum
--   ->  HashAggregate
--         Group Key: name
--         Aggregates: total(sum(x)), count(sum(x))
--         ->  Hash Join
--               Hash Cond: (b.k = fact.d)
--               ->  Seq Scan on dim b
--               ->  Project
--                     Compute: CASE WHEN (count(sum(x)) <> '0'::bigint) THEN total(sum(x)) ELSE NULL::bigint END AS sum(x)
--                     ->  HashAggregate
--                           Group Key: name, d
--                           Aggregates: total(sum(x)), count(sum(x))
--                           ->  Hash Join
--                                 Hash Cond: (fact.k = a.k)
--                                 ->  HashAggregate
--                                       Group Key: d, k
--                                       Aggregates: sum(x)
--                                       ->  Seq Scan on fact
--                                 ->  Seq Scan on dim a

-- name: sums_of_floats_stay
SELECT name, sum(f) FROM fact JOIN dim ON fact.k = dim.k GROUP BY name
-- HashAggregate
--   Group Key: name
--   Aggregates: sum(f)
--   ->  Hash Join
--         Hash Cond: (fact.k = dim.k)
--         ->  Seq Scan on fact
--         ->  Seq Scan on dim

-- name: distinct_stays
SELECT name, count(DISTINCT x) FROM fact JOIN dim ON fact.k = dim.k GROUP BY name
-- HashAggregate
--   Group Key: name
--   Aggregates: count(DISTINCT x)
--   ->  Hash Join
--         Hash Cond: (fact.k = dim.k)
--         ->  Seq Scan on fact
--         ->  Seq Scan on dim

-- name: what_may_fail_stays
SELECT name, sum(100 / x) FROM fact JOIN dim ON fact.k = dim.k GROUP BY name HAVING false
-- HashAggregate
--   Group Key: name
--   Aggregates: sum((100 / x))
--   Filter: f
--   ->  Hash Join
--         Hash Cond: (fact.k = dim.k)
--         ->  Seq Scan on fact
--         ->  Seq Scan on dim

-- name: values_of_nulls_stay
SELECT name, sum(coalesce(x, 1)) FROM dim LEFT JOIN fact ON fact.k = dim.k GROUP BY name
-- HashAggregate
--   Group Key: name
--   Aggregates: total(COALESCE(x, 1))
--   ->  Hash Left Join
--         Hash Cond: (dim.k = fact.k)
--         ->  Seq Scan on dim
--         ->  Seq Scan on fact

-- name: too_many_groups
SELECT name, sum(x) FROM fact JOIN dim ON fact.b = dim.k GROUP BY name
-- HashAggregate
--   Group Key: name
--   Aggregates: sum(x)
--   ->  Hash Join
--         Hash Cond: (fact.b = (dim.k)::bigint)
--         ->  Seq Scan on fact
--         ->  Seq Scan on dim

-- name: sums_of_what_the_other_side_chooses
SELECT d, sum(CASE WHEN name = 'n1' THEN n END), sum(CASE name WHEN 'n2' THEN n WHEN 'n3' THEN n + 1 ELSE 0 END) FROM fact JOIN dim ON fact.k = dim.k GROUP BY d
-- HashAggregate
--   Group Key: d
--   Aggregates: sum(CASE WHEN (name = 'n1'::text) THEN sum(n) ELSE NULL::numeric END), sum(CASE WHEN (name = 'n2'::text) THEN sum(n) WHEN (name = 'n3'::text) THEN sum((n + 1)) ELSE 0 END)
--   ->  Hash Join
--         Hash Cond: (fact.k = dim.k)
--         ->  HashAggregate
--               Group Key: d, k
--               Aggregates: sum(n), sum((n + 1))
--               ->  Seq Scan on fact
--         ->  Seq Scan on dim

-- name: sums_of_integers_that_the_other_side_chooses
SELECT sum(CASE WHEN name = 'n1' THEN x ELSE 0 END), sum(CASE WHEN name = 'n2' THEN b END), sum(CASE WHEN name < d::text THEN x END) FROM fact JOIN dim ON fact.k = dim.k
-- Project
--   Compute: CASE WHEN (count(CASE WHEN (name = 'n1'::text) THEN sum(x) ELSE '0'::bi <> '0'::bigint) THEN total(CASE WHEN (name = 'n1'::text) THEN sum(x) ELSE '0'::bi ELSE NULL::bigint END AS sum, CASE WHEN (count(CASE WHEN (name < (d)::text) THEN sum(x) ELSE NULL::bi <> '0'::bigint) THEN total(CASE WHEN (name < (d)::text) THEN sum(x) ELSE NULL::bi ELSE NULL::bigint END AS sum
--   ->  Aggregate
--         Aggregates: total(CASE WHEN (name = 'n1'::text) THEN sum(x) ELSE '0'::bigint END), count(CASE WHEN (name = 'n1'::text) THEN sum(x) ELSE '0'::bigint END), sum(CASE WHEN (name = 'n2'::text) THEN sum(b) ELSE NULL::numeric END), total(CASE WHEN (name < (d)::text) THEN sum(x) ELSE NULL::bigint END), count(CASE WHEN (name < (d)::text) THEN sum(x) ELSE NULL::bigint END)
--         ->  Hash Join
--               Hash Cond: (fact.k = dim.k)
--               ->  HashAggregate
--                     Group Key: k, d
--                     Aggregates: sum(x), sum(b)
--                     ->  Seq Scan on fact
--               ->  Seq Scan on dim

-- name: division_by_what_is_known
SELECT name, sum(n / 2), sum((n - x) / 0.5) FROM fact JOIN dim ON fact.k = dim.k GROUP BY name
-- HashAggregate
--   Group Key: name
--   Aggregates: sum(sum((n / 2))), sum(sum(((n - (x)::numeric) / 0.5)))
--   ->  Hash Join
--         Hash Cond: (dim.k = fact.k)
--         ->  Seq Scan on dim
--         ->  HashAggregate
--               Group Key: k
--               Aggregates: sum((n / 2)), sum(((n - (x)::numeric) / 0.5))
--               ->  Seq Scan on fact

-- name: choices_of_what_may_fail_stay
SELECT sum(CASE WHEN name = 'n1' THEN 100 / x END) FROM fact JOIN dim ON fact.k = dim.k HAVING false
-- Aggregate
--   Aggregates: sum(CASE WHEN (name = 'n1'::text) THEN (100 / x) ELSE NULL::integer END)
--   Filter: f
--   ->  Hash Join
--         Hash Cond: (fact.k = dim.k)
--         ->  Seq Scan on fact
--         ->  Seq Scan on dim

-- name: choices_of_both_sides_stay
SELECT sum(CASE WHEN name = 'n1' THEN x ELSE dim.k END) FROM fact JOIN dim ON fact.k = dim.k
-- Aggregate
--   Aggregates: sum(CASE WHEN (name = 'n1'::text) THEN x ELSE k END)
--   ->  Hash Join
--         Hash Cond: (fact.k = dim.k)
--         ->  Seq Scan on fact
--         ->  Seq Scan on dim

-- name: choices_of_the_side_that_may_be_missing_stay
SELECT sum(CASE WHEN name = 'n1' THEN x ELSE 7 END) FROM dim LEFT JOIN fact ON fact.k = dim.k
-- Aggregate
--   Aggregates: sum(CASE WHEN (name = 'n1'::text) THEN x ELSE 7 END)
--   ->  Hash Left Join
--         Hash Cond: (dim.k = fact.k)
--         ->  Seq Scan on dim
--         ->  Seq Scan on fact

-- name: grouping_sets
SELECT name, d, grouping(d), count(*), sum(n) FROM fact JOIN dim ON fact.k = dim.k GROUP BY ROLLUP (name, d)
-- Grouping Sets
--   Group Keys: (name, d), (name), ()
--   Aggregates: total(count(*)), sum(sum(n))
--   ->  Hash Join
--         Hash Cond: (fact.k = dim.k)
--         ->  HashAggregate
--               Group Key: d, k
--               Aggregates: count(*), sum(n)
--               ->  Seq Scan on fact
--         ->  Seq Scan on dim
