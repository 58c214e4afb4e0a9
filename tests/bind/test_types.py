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
    ALTER TYPE mood ADD VALUE 'newer'
    SELECT 'new'::mood
    ROLLBACK
    SELECT 'new'::mood
    BEGIN
    ALTER TYPE mood RENAME VALUE 'sad' TO 'low'
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
    DROP VIEW v
    SET search_path = apart
    CREATE VIEW w AS SELECT 'Green'::color AS c
    RESET search_path
    SELECT * FROM apart.w
    DROP VIEW apart.w
    ALTER TYPE apart.color RENAME TO colour
    SELECT 'red'::apart.colour
    ALTER TYPE apart.colour SET SCHEMA nowhere
    CREATE VIEW apart.v AS SELECT 'red'::apart.colour AS c
    DROP TYPE apart.colour
    DROP SCHEMA apart
    DROP TYPE apart.colour CASCADE
    SELECT * FROM apart.v
    CREATE TYPE apart.color AS ENUM ('red')
    DROP SCHEMA apart CASCADE
    SELECT 'red'::apart.color
"""
DOMAINS = r"""
    CREATE DOMAIN pos AS int CHECK (VALUE > 0)
    CREATE DOMAIN small AS pos DEFAULT 7 CHECK (VALUE < 100) CONSTRAINT even CHECK (VALUE % 2 = 0)
    CREATE DOMAIN req AS text NOT NULL
    CREATE DOMAIN code AS varchar(3) CHECK (VALUE ~ '^[a-z]+$')
    CREATE DOMAIN price AS numeric(6,2) DEFAULT 1.005 CHECK (VALUE >= 0 AND VALUE < 1000)
    CREATE DOMAIN day AS date CHECK (VALUE >= '2000-01-01')
    CREATE DOMAIN ints AS int[] CHECK (array_length(VALUE, 1) < 3)
    CREATE TABLE t (id int, p pos, s small, r req DEFAULT 'd', c code, n price, d day, a ints)
    INSERT INTO t VALUES (1, 5, 8, 'x', 'abc', 12.345, '2024-01-01', '{1}')
    INSERT INTO t (id, s) VALUES (2, 4)
    INSERT INTO t (id) VALUES (2)
    INSERT INTO t (id, s, r) VALUES (2, 4, NULL)
    INSERT INTO t (id, p, s) VALUES (2, 0, 4)
    INSERT INTO t (id, s) SELECT g, g FROM generate_series(2, 6, 2) g
    INSERT INTO t (id, s) SELECT g, g FROM generate_series(2, 6) g
    INSERT INTO t (id, s, c) VALUES (9, 2, 'toolong')
    SELECT * FROM t ORDER BY id, p
    CREATE TABLE u AS SELECT p, s FROM t
    SELECT pg_typeof(p), pg_typeof(s) FROM u LIMIT 1
    CREATE DOMAIN pos AS int
    CREATE DOMAIN bad AS int CHECK (x > 0)
    CREATE DOMAIN bad AS int CHECK (VALUE + 1)
    CREATE DOMAIN bad AS int DEFAULT 'x'
    CREATE DOMAIN bad AS int NOT NULL NULL
    CREATE DOMAIN bad AS int UNIQUE
    CREATE DOMAIN bad AS nope
    CREATE DOMAIN bad AS int CHECK (VALUE IN (SELECT 1))
    CREATE DOMAIN bad AS int CHECK (sum(VALUE) > 1)
    DROP DOMAIN pos
    DROP DOMAIN day
    DROP TABLE t, u
    DROP DOMAIN pos
    DROP DOMAIN small
    ALTER DOMAIN pos ADD CONSTRAINT big CHECK (VALUE > 10)
    SELECT 5::pos
    ALTER DOMAIN pos DROP CONSTRAINT big
    ALTER DOMAIN pos DROP CONSTRAINT big
    ALTER DOMAIN pos SET NOT NULL
    SELECT NULL::pos
    ALTER DOMAIN pos DROP NOT NULL
    SELECT NULL::pos, 5::pos
    ALTER DOMAIN pos SET DEFAULT 4
    CREATE TABLE w (x int, p pos)
    INSERT INTO w (x) VALUES (1)
    ALTER DOMAIN pos RENAME CONSTRAINT pos_check TO positive
    INSERT INTO w VALUES (1, -1)
    ALTER DOMAIN pos DROP DEFAULT
    INSERT INTO w (x) VALUES (2)
    SELECT * FROM w ORDER BY x
    ALTER DOMAIN pos RENAME TO positives
    SELECT column_name, data_type, udt_name FROM information_schema.columns WHERE table_name = 'w' ORDER BY 1
    SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'w'::regclass AND attnum > 0
    ALTER DOMAIN nope SET NOT NULL
    DROP TABLE w
    DROP DOMAIN positives, req
    DROP TYPE code
"""
UNSAFE_LABELS = """
    CREATE TYPE mood AS ENUM ('sad', 'ok')
    CREATE TYPE none AS ENUM ()
    SELECT enum_first(NULL::none)
    BEGIN
    ALTER TYPE mood ADD VALUE 'new'
    ALTER TYPE mood ADD VALUE 'newer'
    SELECT 'new'::mood
    ROLLBACK
    BEGIN
    ALTER TYPE mood ADD VALUE 'new'
    ALTER TYPE mood RENAME VALUE 'new' TO 'news'
    SELECT 'news'::mood
    ROLLBACK
    BEGIN
    ALTER TYPE mood ADD VALUE 'new'
    SELECT enum_first(NULL::mood), enum_range(NULL, 'ok'::mood)
    SELECT enum_range(NULL::mood)
    ROLLBACK
    BEGIN
    ALTER TYPE mood ADD VALUE 'new'
    SELECT enum_last(NULL::mood)
    ROLLBACK
    SELECT enum_range(NULL::mood)
    ALTER TYPE mood ADD VALUE 'new'
    SELECT enum_range(NULL::mood), 'new'::mood
"""
DOMAINS_OF_RECORDS = """
    CREATE TYPE point2 AS (x int, y text)
    CREATE DOMAIN right_of AS point2 CHECK ((VALUE).x > 0)
    CREATE DOMAIN few AS point2[] CHECK (array_length(VALUE, 1) < 2)
    CREATE DOMAIN age AS int
    CREATE TABLE t (p right_of, f few, a age)
    INSERT INTO t VALUES (ROW(0, 'a'), NULL, 1)
    INSERT INTO t VALUES (ROW(1, 'a'), ARRAY[ROW(1, 'b')::point2, ROW(2, 'c')::point2], 1)
    INSERT INTO t VALUES (ROW(1, 'a'), ARRAY[ROW(1, 'b')::point2], 1)
    SELECT (p).x, (p).*, (f[1]).y, p IS NULL, to_json(p), to_jsonb(t), json_agg(ROW(a, p)) OVER () FROM t
    SELECT (p).z FROM t
    SELECT (ROW(1, 'a')::point2).z
    SELECT (t).z FROM t
    SELECT (a).z FROM t
    SELECT ARRAY[ROW(1, 'b')::point2, NULL]::few
    SELECT ROW(NULL, NULL)::right_of IS NULL
    CREATE DOMAIN two AS numeric(4,1)[] CHECK (array_length(VALUE, 1) = 2)
    SELECT ARRAY[1.25, 2]::two, ARRAY[]::point2[]
    SELECT ARRAY[1, 2, 3]::two
    DROP TYPE t
    DROP TYPE IF EXISTS t
    CREATE DOMAIN bad AS int CHECK (VALUE > 1 + (SELECT 1))
    CREATE DOMAIN bad AS int DEFAULT 1 + (SELECT 1)
    CREATE TABLE bad (a int DEFAULT abs((SELECT 1)))
    ALTER TYPE point2 ADD VALUE 'x'
    ALTER DOMAIN point2 SET NOT NULL
"""
DEPENDENCIES = """
    CREATE TYPE mood AS ENUM ('sad', 'ok')
    CREATE DOMAIN low AS text
    ALTER DOMAIN low ADD CONSTRAINT is_low CHECK (VALUE::mood < 'ok')
    DROP TYPE mood
    ALTER DOMAIN low DROP CONSTRAINT is_low
    ALTER DOMAIN low SET DEFAULT 'sad'::mood::text
    DROP TYPE mood
    ALTER DOMAIN low DROP DEFAULT
    DROP TYPE mood
    SELECT 'x'::low
"""


@pytest.mark.oracle
@pytest.mark.parametrize("script", [pytest.param(ENUMS, id="enums"), pytest.param(SCHEMAS, id="schemas"),
                                    pytest.param(DOMAINS, id="domains"), pytest.param(UNSAFE_LABELS, id="unsafe_labels"),
                                    pytest.param(DOMAINS_OF_RECORDS, id="domains_of_records"),
                                    pytest.param(DEPENDENCIES, id="dependencies")])
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


def test_others_see_labels_as_they_were_before_a_renaming_is_committed(tmp_path):
    with caldera.connect(tmp_path / "db") as alice, caldera.connect(tmp_path / "db") as bob:
        alice.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
        alice.execute("CREATE TABLE t AS SELECT 'sad'::mood AS m")
        alice.execute("BEGIN")
        for statement in ("ALTER TYPE mood RENAME VALUE 'sad' TO 'low'", "ALTER TYPE mood RENAME VALUE 'ok' TO 'sad'",
                          "ALTER TYPE mood RENAME VALUE 'low' TO 'down'"):
            alice.execute(statement)
        seen = "SELECT m, m::text, enum_range(m)::text, m = '{}' FROM t"
        assert alice.sql(seen.format("down")).fetchone() == ("down", "down", "{down,sad}", True)
        assert bob.sql(seen.format("sad")).fetchone() == ("sad", "sad", "{sad,ok}", True)
        assert bob.sql("SELECT m::text FROM t").fetchone() == ("sad",)
        with pytest.raises(caldera.Error, match='invalid input value for enum mood: "down"'):
            bob.sql("SELECT 'down'::mood").fetchall()
        alice.execute("COMMIT")
        assert bob.sql(seen.format("down")).fetchone() == ("down", "down", "{down,sad}", True)
        assert bob.sql("SELECT m::text FROM t").fetchone() == ("down",)


def test_enums_are_strings_in_arrow_and_python():
    with caldera.connect() as connection:
        connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
        table = connection.sql("SELECT m FROM (VALUES ('ok'::mood), (NULL), ('sad')) t (m)").arrow()
        assert table.column("m").to_pylist() == ["ok", None, "sad"]
        assert connection.sql("SELECT $1::mood", "ok").fetchone() == ("ok",)


def test_copy_checks_the_conditions_of_domains(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("1,abc\n2,\n")
    with caldera.connect(tmp_path / "db") as connection:
        connection.execute("CREATE DOMAIN pos AS int CHECK (VALUE > 0)")
        connection.execute("CREATE DOMAIN code AS varchar(3) CHECK (VALUE ~ '^[a-z]+$')")
        connection.execute("CREATE TABLE t (p pos, c code)")
        connection.execute(f"COPY t FROM '{path}' (FORMAT csv)")
        connection.execute("VACUUM t")
        for wrong, sqlstate in (("0,abc", "23514"), ("1,ABC", "23514"), ("1,abcd", "22001"), ("x,abc", "22P02")):
            path.write_text(wrong + "\n")
            with pytest.raises(caldera.Error) as caught:
                connection.execute(f"COPY t FROM '{path}' (FORMAT csv)")
            assert caught.value.sqlstate == sqlstate
    with caldera.connect(tmp_path / "db") as connection:
        assert connection.sql("SELECT * FROM t ORDER BY p").fetchall() == [(1, "abc"), (2, None)]
        assert connection.sql("SELECT p FROM t ORDER BY p").arrow().column("p").to_pylist() == [1, 2]
        with pytest.raises(caldera.Error, match='value for domain pos violates check constraint "pos_check"'):
            connection.execute("INSERT INTO t VALUES (%s, 'x')", (0,))


def test_a_constraint_is_not_added_to_a_domain_that_columns_have():
    with caldera.connect() as connection:
        connection.execute("CREATE DOMAIN pos AS int")
        connection.execute("CREATE TABLE t (p pos)")
        with pytest.raises(caldera.Error) as caught:
            connection.execute("ALTER DOMAIN pos ADD CHECK (VALUE > 0)")
        assert caught.value.sqlstate == "0A000"
        connection.execute("ALTER DOMAIN pos ADD CHECK (VALUE > 0) NOT VALID")
        with pytest.raises(caldera.Error, match="violates check constraint"):
            connection.execute("INSERT INTO t VALUES (0)")


def test_what_is_written_in_views_and_defaults_is_not_renamed():
    with caldera.connect() as connection:
        connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')")
        connection.execute("CREATE TABLE t (m mood DEFAULT 'ok')")
        connection.execute("CREATE VIEW v AS SELECT 'sad'::mood")
        for statement in ("ALTER TYPE mood RENAME VALUE 'ok' TO 'fine'", "ALTER TYPE mood RENAME VALUE 'sad' TO 'low'",
                          "ALTER TYPE mood RENAME TO humour", "ALTER TYPE mood SET SCHEMA information_schema"):
            with pytest.raises(caldera.Error) as caught:
                connection.execute(statement)
            assert caught.value.sqlstate == "0A000"
        connection.execute("ALTER TYPE mood RENAME VALUE 'happy' TO 'glad'")
