-- Literals and how their types are found.
-- setup

-- name: integer_literals
SELECT 1, 2147483647, 2147483648, 9223372036854775807, 9223372036854775808;
