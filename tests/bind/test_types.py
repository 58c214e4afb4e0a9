"""CREATE TYPE, ALTER TYPE and DROP TYPE answer as PostgreSQL's do; types come and go with transactions, and are logged."""
import pytest

import caldera
from tests.differential import differences_in_a_script

ENUMS = """
    CREATE TYPE mood AS ENUM ('sad', 'ok')
    CREATE TYPE mood AS ENUM ('x')
    CREATE TYPE none AS ENUM ()
    SELECT enum_range(NULL::none)
    CREATE TYPE twice AS ENUM ('x', 'x')
    CREATE TYPE nowhere.mood AS ENUM ('a')
    CREATE TYPE int4 AS ENUM ('x')
    CREATE TABLE mood (x int)
    CREATE TABLE t (a int, m mood DEFAULT 'ok')
    CREATE TYPE t AS ENUM ('x')
    INSERT INTO t (a) VALUES (1)
    INSERT INTO t VALUES (1, 'oky')
    INSERT INTO t VALUES (1, 'ok'::text)
    INSERT INTO t SELECT 2, 'sad'
    INSERT INTO t SELECT 2, 'sad'::text
    ALTER TYPE mood ADD VALUE 'meh' BEFORE 'ok'
    ALTER TYPE mood ADD VALUE 'meh'
    ALTER TYPE mood ADD VALUE IF NOT EXISTS 'meh'
    ALTER TYPE mood ADD VALUE 'z' AFTER 'nope'
    ALTER TYPE nope ADD VALUE 'z'
    ALTER TYPE mood RENAME VALUE 'meh' TO 'so-so'
    ALTER TYPE mood RENAME VALUE 'meh' TO 'other'
    ALTER TYPE mood RENAME VALUE 'ok' TO 'so-so'
    INSERT INTO t VALUES (3, 'so-so')
    SELECT * FROM t ORDER BY m
    BEGIN
    ALTER TYPE mood ADD VALUE 'new'
    SELECT 'new'::mood
    ROLLBACK
    SELECT 'new'::mood
    BEGIN
    ALTER TYPE mood RENAME VALUE 'ok' TO 'fine'
    SELECT m FROM t ORDER BY a
    ROLLBACK
    SELECT m FROM t ORDER BY a
    BEGIN
    CREATE TYPE fresh AS ENUM ('a')
    ALTER TYPE fresh ADD VALUE 'b'
    SELECT 'b'::fresh
    ROLLBACK
    SELECT 'b'::fresh
    DROP TYPE mood
    DROP TYPE IF EXISTS nope
    DROP TYPE nope
    DROP TYPE int4
    DROP DOMAIN mood
    DROP TABLE t
    DROP TYPE mood, none
    SELECT 'ok'::mood
"""
SCHEMAS = """
    CREATE SCHEMA apart
    CREATE TYPE apart.color AS ENUM ('red', 'Green')
    SELECT 'red'::color
    SELECT 'red'::apart.color, pg_typeof('red'::apart.color)
    SELECT 'blue'::apart.color
    CREATE VIEW v AS SELECT 'red'::apart.color AS c
    SELECT * FROM v
    SET search_path = apart
    CREATE VIEW w AS SELECT 'Green'::color AS c
    RESET search_path
    SELECT * FROM apart.w
    ALTER TYPE apart.color RENAME TO colour
    SELECT 'red'::apart.colour
    ALTER TYPE apart.colour SET SCHEMA nowhere
    DROP TYPE apart.colour
    DROP SCHEMA apart
    DROP TYPE apart.colour CASCADE
    SELECT * FROM v
    CREATE TYPE apart.color AS ENUM ('red')
    DROP SCHEMA apart CASCADE
    SELECT 'red'::apart.color
"""


@pytest.mark.oracle
@pytest.mark.parametrize("script", [pytest.param(ENUMS, id="enums"), pytest.param(SCHEMAS, id="schemas")])
def test_statements_about_types_answer_as_in_postgresql(script, postgres):
    statements = [line.strip() for line in script.strip().splitlines()]
    assert differences_in_a_script(postgres, statements) == []


def test_types_survive_and_stay_what_they_were_changed_to(tmp_path):
    with caldera.connect(tmp_path / "db") as connection:
        connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
        connection.execute("CREATE TYPE gone AS ENUM ('x')")
        connection.execute("CREATE TABLE t (m mood, ms mood[]) USING mergetree")
        connection.execute("INSERT INTO t VALUES ('ok', '{sad}'), ('sad', NULL)")
        connection.execute("VACUUM t")
        connection.execute("ALTER TYPE mood ADD VALUE 'meh' BEFORE 'ok'")
        connection.execute("INSERT INTO t VALUES ('meh', '{meh,ok}')")
        connection.execute("ALTER TYPE mood RENAME TO humour")
        connection.execute("DROP TYPE gone")
    for _ in range(2):
        with caldera.connect(tmp_path / "db") as connection:
            rows = connection.sql("SELECT m, ms FROM t WHERE m >= 'sad' ORDER BY m").fetchall()
            assert rows == [("sad", None), ("meh", ["meh", "ok"]), ("ok", ["sad"])]
            assert connection.sql("SELECT 'meh'::humour < 'ok', pg_typeof('ok'::humour)").fetchone() == (True, "humour")
            with pytest.raises(caldera.Error, match='type "gone" does not exist'):
                connection.sql("SELECT 'x'::gone").fetchall()
            connection.database.checkpoint()


def test_a_new_label_is_nobody_elses_before_it_is_committed(tmp_path):
    with caldera.connect(tmp_path / "db") as alice, caldera.connect(tmp_path / "db") as bob:
        alice.execute("CREATE TYPE mood AS ENUM ('sad')")
        alice.execute("BEGIN")
        alice.execute("ALTER TYPE mood ADD VALUE 'ok'")
        with pytest.raises(caldera.Error) as caught:
            bob.sql("SELECT 'ok'::mood").fetchall()
        assert caught.value.sqlstate == "22P02"
        alice.execute("COMMIT")
        assert bob.sql("SELECT 'ok'::mood").fetchone() == ("ok",)


def test_enums_are_strings_in_arrow_and_python():
    with caldera.connect() as connection:
        connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
        table = connection.sql("SELECT m FROM (VALUES ('ok'::mood), (NULL), ('sad')) t (m)").arrow()
        assert table.column("m").to_pylist() == ["ok", None, "sad"]
        assert connection.sql("SELECT $1::mood", "ok").fetchone() == ("ok",)
