-- DISTINCT ON, FETCH FIRST with ties, LIMIT in all its forms.
-- setup
CREATE TABLE t (id int, kind text, day date, price numeric(6, 2));
INSERT INTO t VALUES (1, 'a', '2024-01-01', 1), (2, 'a', '2024-01-03', 2), (3, 'b', '2024-01-02', 2.0), (4, NULL, NULL, NULL), (5, 'b', '2024-01-01', 3),
  (6, NULL, '2024-01-05', 1.00), (7, 'c', '2024-01-01', 3), (8, 'a', '2024-01-03', 0.5);

-- name: distinct_on_first_by_order
SELECT DISTINCT ON (kind) kind, id FROM t ORDER BY kind, id DESC;

-- name: distinct_on_two_keys_in_another_order
SELECT DISTINCT ON (kind, day) id, kind, day FROM t ORDER BY day, kind, id;

-- name: distinct_on_position
SELECT DISTINCT ON (1) kind, id FROM t ORDER BY 1 NULLS FIRST, 2;

-- name: distinct_on_hidden_expression
SELECT DISTINCT ON (id % 3) id FROM t ORDER BY id % 3, price DESC NULLS LAST, id;

-- name: distinct_on_without_order
SELECT count(*) FROM (SELECT DISTINCT ON (kind) kind, id FROM t) AS s;

-- name: distinct_on_with_limit
SELECT DISTINCT ON (kind) kind, day FROM t ORDER BY kind, day DESC, id LIMIT 2 OFFSET 1;

-- name: distinct_on_over_groups
SELECT DISTINCT ON (day) day, kind, count(*) FROM t GROUP BY day, kind ORDER BY day, count(*) DESC, kind;

-- name: distinct_on_equal_numbers
SELECT DISTINCT ON (price) price, id FROM t ORDER BY price, id;

-- name: distinct_on_against_the_order
SELECT DISTINCT ON (kind) kind, id FROM t ORDER BY id;

-- name: distinct_on_in_a_union
(SELECT DISTINCT ON (kind) kind, id FROM t ORDER BY kind, id) UNION ALL SELECT 'z', 0 ORDER BY 2;

-- name: with_ties
SELECT price, id FROM t ORDER BY price FETCH FIRST 2 ROWS WITH TIES;

-- name: with_ties_and_offset
SELECT price FROM t ORDER BY price OFFSET 1 FETCH NEXT 2 ROWS WITH TIES;

-- name: with_ties_among_nulls
SELECT kind FROM t ORDER BY kind DESC FETCH FIRST ROW WITH TIES;

-- name: with_ties_descending_with_hidden_key
SELECT id FROM t ORDER BY day DESC NULLS LAST, kind FETCH FIRST 2 ROWS WITH TIES;

-- name: with_ties_of_an_expression
SELECT count(*) FROM (SELECT id FROM t ORDER BY id % 2 FETCH FIRST (1 + 1) ROWS WITH TIES) AS s;

-- name: with_ties_of_nothing
SELECT id FROM t ORDER BY price FETCH FIRST 0 ROWS WITH TIES;

-- name: with_ties_without_order
SELECT id FROM t FETCH FIRST 2 ROWS WITH TIES;

-- name: with_ties_of_null
SELECT id FROM t ORDER BY id FETCH FIRST NULL ROWS WITH TIES;

-- name: with_ties_of_a_negative_number
SELECT id FROM t ORDER BY id FETCH FIRST (-1) ROWS WITH TIES;

-- name: with_ties_of_a_union
SELECT price FROM t UNION ALL SELECT 1 ORDER BY 1 FETCH FIRST 1 ROW WITH TIES;

-- name: with_ties_after_distinct
SELECT DISTINCT price, kind FROM t ORDER BY price FETCH FIRST 2 ROWS WITH TIES;

-- name: fetch_first_only
SELECT id FROM t ORDER BY id OFFSET 2 ROWS FETCH FIRST ROW ONLY;

-- name: limit_all
SELECT id FROM t ORDER BY id LIMIT ALL OFFSET 6;
