-- Dear expressions that occur twice are computed once.
-- rules: predicate_push_down, column_pruning
-- setup
CREATE TABLE t (x int, f float8, many text, few text);
INSERT INTO t SELECT i, i / 7.0, 'text ' || i, 'text ' || i % 3 FROM generate_series(1, 100) AS g (i);
INSERT INTO t VALUES (NULL, NULL, NULL, NULL), (0, 0, '', '');

-- name: two_items
SELECT md5(many), md5(many) || 'x' FROM t
-- Project
--   Compute: (md5(many) || 'x'::text) AS ?column?
--   ->  Project
--         Compute: md5(many) AS md5(many)
--         ->  Seq Scan on t

-- name: condition_and_item
SELECT sin(f) FROM t WHERE sin(f) > 0
-- Project
--   Compute: sin(f) AS sin(f)
--   Filter: (sin(f) > 0)
--   ->  Seq Scan on t

-- name: aggregates
SELECT sum(sin(f)), max(sin(f) + 1), min(cos(f)) FROM t WHERE cos(f) < 1
-- Aggregate
--   Aggregates: sum(sin(f)), max((sin(f) + 1)), min(cos(f))
--   ->  Project
--         Compute: sin(f) AS sin(f), cos(f) AS cos(f)
--         Filter: (cos(f) < 1)
--         ->  Seq Scan on t

-- name: inside_each_other
SELECT sqrt(abs(sin(f))), 1 + sqrt(abs(sin(f))), sin(f) FROM t
-- Project
--   Compute: sqrt(abs(sin(f))) AS sqrt, (1 + sqrt(abs(sin(f)))) AS ?column?
--   ->  Project
--         Compute: sin(f) AS sin(f)
--         ->  Seq Scan on t

-- name: keys_and_arguments
SELECT upper(many), count(*), max(upper(many)) FROM t GROUP BY upper(many)
-- HashAggregate
--   Group Key: upper(many)
--   Aggregates: count(*), max(upper(many))
--   ->  Project
--         Compute: upper(many) AS upper(many)
--         ->  Seq Scan on t

-- name: arms_stay_arms
SELECT CASE WHEN x > 0 THEN ln(x::float8) END, CASE WHEN x > 1 THEN ln(x::float8) * 2 END FROM t
-- Project
--   Compute: CASE WHEN (x > 0) THEN ln((x)::double precision) ELSE NULL::double precision END AS case, CASE WHEN (x > 1) THEN (ln((x)::double precision) * 2) ELSE NULL::double precision END AS case
--   ->  Project
--         Compute: ln((x)::double precision) AS ln((x)::double precision)
--         ->  Seq Scan on t

-- name: cheap_ones_stay
SELECT x + 1, (x + 1) * 2 FROM t
-- Project
--   Compute: (x + 1) AS ?column?, ((x + 1) * 2) AS ?column?
--   ->  Seq Scan on t

-- name: entries_of_a_dictionary_stay
SELECT upper(few), upper(few) || 'x' FROM t
-- Project
--   Compute: upper(few) AS upper, (upper(few) || 'x'::text) AS ?column?
--   ->  Seq Scan on t

-- name: volatile_ones_stay
SELECT count(random() + random()) FROM t
-- Aggregate
--   Aggregates: count((random() + random()))
--   ->  Seq Scan on t
