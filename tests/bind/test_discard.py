"""DISCARD answers as in PostgreSQL; what it drops comes back with a rollback."""
import pytest

from tests.differential import differences_in_a_script

STATEMENTS = """
    CREATE TEMP TABLE t (a int)
    INSERT INTO t VALUES (1)
    CREATE TEMP VIEW v AS SELECT * FROM t
    CREATE TYPE pg_temp.mood AS ENUM ('sad')
    CREATE TEMP TABLE moods (m pg_temp.mood)
    BEGIN
    DISCARD ALL
    ROLLBACK
    BEGIN
    DISCARD TEMP
    SELECT count(*) FROM t
    ROLLBACK
    SELECT count(*) FROM t
    BEGIN
    DECLARE c CURSOR FOR SELECT * FROM t
    DISCARD TEMP
    ROLLBACK
    DISCARD TEMP
    SELECT * FROM t
    SELECT * FROM v
    SELECT 'sad'::pg_temp.mood
    CREATE TEMP TABLE t (b text)
    INSERT INTO t VALUES ('x')
    SELECT * FROM t
    DISCARD PLANS
    DISCARD SEQUENCES
    DISCARD ALL
    SELECT * FROM t
"""


@pytest.mark.oracle
def test_discard_drops_what_is_temporary(postgres):
    statements = [line.strip() for line in STATEMENTS.strip().splitlines()]
    assert differences_in_a_script(postgres, statements) == []
