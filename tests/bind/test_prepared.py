"""Statements prepared in SQL: each of a script answers as in PostgreSQL, and plans are kept or made anew as asked."""
import pytest

import caldera
from tests.differential import differences_in_a_script

SETUP = ["CREATE TABLE t (a int, b text)", "INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, NULL), (NULL, 'none')"]
SCRIPT = """
PREPARE q (int) AS SELECT * FROM t WHERE a >= $1 ORDER BY a
EXECUTE q(2)
EXECUTE q('3')
EXECUTE q(1 + 1)
EXECUTE q(NULL)
EXECUTE q(2.4)
EXECUTE q('x')
EXECUTE q
EXECUTE q(1, 2)
EXECUTE q(true)
EXECUTE q(now())
EXECUTE q(a)
EXECUTE q(t.a)
EXECUTE q((SELECT 1))
EXECUTE q(sum(1))
EXECUTE q(rank() OVER ())
EXECUTE q(1 / 0)
EXECUTE q($1)
EXECUTE nothere(1)
PREPARE q AS SELECT 1
PREPARE "Q" AS SELECT 'another name'
EXECUTE "Q"
PREPARE wrong AS SELECT nope FROM t
PREPARE wrong (int) AS SELECT $1 || $2 || $3 FROM t WHERE $2 > 1
PREPARE wrong (nosuchtype) AS SELECT $1
EXECUTE wrong
PREPARE guessed AS SELECT a, $1 FROM t WHERE b = $2
EXECUTE guessed('x', 'one')
PREPARE numbers (numeric, bigint) AS SELECT $1 / $2, $1 * $2 FROM generate_series(1, 2)
EXECUTE numbers(10, 4)
EXECUTE numbers(10, 0)
PREPARE more (int, text) AS INSERT INTO t VALUES ($1, $2)
EXECUTE more(7, 'seven')
EXECUTE more(8, 9)
EXECUTE more('y', 9)
EXECUTE q(4)
CREATE TABLE made AS EXECUTE q(3)
SELECT * FROM made ORDER BY a
CREATE TABLE again AS EXECUTE more(1, 'x')
SET plan_cache_mode = force_custom_plan
EXECUTE q(8)
EXECUTE q(-1)
EXECUTE numbers(1, 0)
RESET plan_cache_mode
PREPARE shadow AS SELECT * FROM t AS s WHERE EXISTS (SELECT FROM t WHERE t.a = s.a + $1) ORDER BY 1
EXECUTE shadow(1)
DEALLOCATE shadow
EXECUTE shadow(1)
DEALLOCATE PREPARE shadow
PREPARE wide AS SELECT count(*) FROM t
DROP TABLE made
EXECUTE wide
DEALLOCATE ALL
EXECUTE q(1)
BEGIN
PREPARE lasting AS SELECT 5
ROLLBACK
EXECUTE lasting
DISCARD ALL
EXECUTE lasting
"""
STATEMENTS = SCRIPT.strip().splitlines()


@pytest.mark.oracle
def test_each_statement_of_a_script_answers_as_in_postgresql(postgres):
    assert differences_in_a_script(postgres, [*SETUP, *STATEMENTS]) == []


@pytest.fixture
def connection():
    with caldera.connect(threads=1) as connection:
        connection.sql("CREATE TABLE t (a int)")
        connection.sql("INSERT INTO t VALUES (1), (2)")
        yield connection


def plans(connection):
    return len(connection.session.plans)


def test_a_generic_plan_is_made_once_for_all_values(connection):
    connection.sql("PREPARE q AS SELECT count(*) FROM t WHERE a > $1")
    kept = [(connection.sql(f"EXECUTE q({value})").fetchall(), plans(connection)) for value in (0, 1, 2)]
    assert kept == [([(2,)], 1), ([(1,)], 1), ([(0,)], 1)]


def test_custom_plans_are_not_kept_and_show_their_values(connection):
    connection.sql("PREPARE q AS SELECT count(*) FROM t WHERE a > $1")
    connection.sql("SET plan_cache_mode = 'force_custom_plan'")
    assert connection.sql("EXECUTE q(1)").fetchall() == [(1,)] and plans(connection) == 0
    assert "a > 1" in str(connection.sql("EXPLAIN EXECUTE q(1)").fetchall())


def test_a_statement_is_planned_anew_when_its_table_has_changed(connection):
    connection.sql("PREPARE q AS SELECT * FROM t")
    connection.sql("EXECUTE q").fetchall()
    connection.sql("DROP TABLE t")
    with pytest.raises(caldera.Error, match="does not exist"):
        connection.sql("EXECUTE q")
