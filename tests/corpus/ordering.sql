-- ORDER BY, NULLS FIRST and LAST, LIMIT, OFFSET.
-- setup
CREATE TABLE things (id int, a int, b text, c float8, d numeric, e date, f bool) USING mergetree WITH (order_by = 'a');
INSERT INTO things VALUES
  (1, 3, 'c', 1.5, 1.0, '2024-01-03', true), (2, 1, 'a', NULL, 1.00, '2024-01-01', false), (3, NULL, 'b', -1, 2, NULL, NULL), (4, 2, NULL, 'NaN', NULL, '2024-01-02', true),
  (5, 2, 'aa', 0, -5.5, '2024-01-02', false), (6, 1, 'B', 1e300, 'NaN', 'infinity', NULL), (7, NULL, '', '-Infinity', 0, '-infinity', true), (8, 3, 'é', '-0', 1e30, '0001-01-01', false),
  (9, 2147483647, 'prefix of some length 1', 2, 3, '2024-01-09', true), (10, -2147483648, 'prefix of some length 2', 2, 3.0, '2024-01-09', true);

-- name: ascending
SELECT a, id FROM things ORDER BY a, id;

-- name: descending
SELECT a, id FROM things ORDER BY a DESC, id DESC;

-- name: nulls_first
SELECT a, id FROM things ORDER BY a NULLS FIRST, id;

-- name: descending_nulls_last
SELECT a, id FROM things ORDER BY a DESC NULLS LAST, id;

-- name: by_text
SELECT b FROM things ORDER BY b;

-- name: by_text_descending
SELECT b, id FROM things ORDER BY b DESC NULLS LAST;

-- name: by_float
SELECT id, c FROM things ORDER BY c, id;

-- name: by_numeric
SELECT id, d FROM things ORDER BY d DESC, id;

-- name: by_date
SELECT id, e FROM things ORDER BY e, id;

-- name: by_boolean
SELECT id, f FROM things ORDER BY f, id;

-- name: several_keys_of_mixed_directions
SELECT f, a, b FROM things ORDER BY f DESC NULLS LAST, a ASC NULLS FIRST, b DESC;

-- name: by_position
SELECT b, a FROM things ORDER BY 2, 1;

-- name: by_alias
SELECT a + 1 AS next FROM things WHERE id < 9 ORDER BY next DESC;

-- name: alias_wins_over_column
SELECT -id AS a FROM things ORDER BY a;

-- name: column_inside_expression_wins_over_alias
SELECT -id AS a FROM things WHERE a < 100 ORDER BY a + 0, 1;

-- name: by_expression
SELECT id FROM things ORDER BY length(b) DESC, id;

-- name: by_column_that_is_not_selected
SELECT b FROM things ORDER BY a DESC, id;

-- name: by_case
SELECT id FROM things ORDER BY CASE WHEN f THEN 0 ELSE 1 END, id DESC;

-- name: by_constant_expression
SELECT id FROM things ORDER BY 'x'::text, id;

-- name: ties_may_come_in_any_order
SELECT a, f FROM things ORDER BY a;

-- name: using_operator
SELECT id FROM things ORDER BY id USING >;

-- name: limit_only
SELECT id FROM things LIMIT 3;

-- name: limit_with_order
SELECT id, a FROM things ORDER BY a, id LIMIT 4;

-- name: limit_with_ties_open
SELECT id, a FROM things ORDER BY a LIMIT 3;

-- name: limit_offset
SELECT id FROM things ORDER BY id LIMIT 3 OFFSET 4;

-- name: offset_only
SELECT id FROM things ORDER BY id OFFSET 7;

-- name: offset_beyond_the_end
SELECT id FROM things ORDER BY id OFFSET 100;

-- name: limit_beyond_the_end
SELECT id FROM things ORDER BY id LIMIT 100;

-- name: limit_zero
SELECT id FROM things ORDER BY id LIMIT 0;

-- name: limit_null_and_all
SELECT id FROM things ORDER BY id LIMIT NULL;

-- name: limit_all
SELECT id FROM things ORDER BY id LIMIT ALL OFFSET 8;

-- name: limit_expression
SELECT id FROM things ORDER BY id LIMIT 1 + 1 OFFSET (SELECT count(*) FROM things WHERE f);

-- name: fetch_first
SELECT id FROM things ORDER BY id DESC FETCH FIRST 2 ROWS ONLY;

-- name: fetch_with_ties
SELECT id, a FROM things ORDER BY a FETCH FIRST 2 ROWS WITH TIES;

-- name: top_by_text
SELECT b, id FROM things ORDER BY b DESC NULLS LAST LIMIT 3;

-- name: top_of_two_keys
SELECT a, b FROM things ORDER BY a DESC NULLS LAST, b LIMIT 3;

-- name: top_of_filtered
SELECT id FROM things WHERE f ORDER BY c DESC NULLS LAST, id LIMIT 2;

-- name: order_in_subquery_with_limit
SELECT sum(a) FROM (SELECT a FROM things WHERE a < 1000 ORDER BY a DESC LIMIT 3) AS q;

-- name: limit_in_subquery_then_filter
SELECT count(*) FROM (SELECT id FROM things ORDER BY id LIMIT 5) AS q WHERE id > 2;

-- name: order_by_aggregate_of_group
SELECT a, max(id) FROM things GROUP BY a ORDER BY max(id) DESC;

-- name: order_by_text_ignoring_case
SELECT b FROM things WHERE b <> '' ORDER BY lower(b), b;

-- name: collate_c
SELECT b FROM things ORDER BY b COLLATE "C";

-- name: wide_rows
SELECT * FROM things ORDER BY e DESC NULLS LAST, id LIMIT 4;

-- name: negative_limit
SELECT id FROM things LIMIT -1;

-- name: negative_offset
SELECT id FROM things OFFSET -1;

-- name: limit_from_column
SELECT id FROM things LIMIT id;

-- name: limit_not_a_number
SELECT id FROM things LIMIT 'x';

-- name: position_out_of_range
SELECT id FROM things ORDER BY 3;

-- name: position_not_an_integer
SELECT id FROM things ORDER BY 1.5;

-- name: ambiguous_output_name
SELECT id AS x, a AS x FROM things ORDER BY x;

-- name: with_ties_needs_order
SELECT id FROM things FETCH FIRST 2 ROWS WITH TIES;
