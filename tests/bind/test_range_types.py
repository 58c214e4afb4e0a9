"""CREATE TYPE ... AS RANGE and what becomes of range types later answer as in PostgreSQL; the types are logged."""
import pytest

import caldera
from tests.differential import differences_in_a_script

STATEMENTS = """
    CREATE TYPE floatrange AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = float8mi)
    CREATE TYPE floatrange AS RANGE (SUBTYPE = float8)
    CREATE TYPE x AS RANGE (SUBTYPE = float8, foo = 3)
    CREATE TYPE x AS RANGE (SUBTYPE = float8, SUBTYPE = int4)
    CREATE TYPE x AS RANGE (SUBTYPE_DIFF = float8mi)
    CREATE TYPE x AS RANGE (SUBTYPE = 5)
    CREATE TYPE x AS RANGE (SUBTYPE = json)
    CREATE TYPE x AS RANGE (SUBTYPE = anyelement)
    CREATE TYPE x AS RANGE (SUBTYPE = record)
    CREATE TYPE x AS RANGE (SUBTYPE = nosuch)
    CREATE TYPE x AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = nosuch)
    CREATE TYPE x AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = float4mi)
    CREATE TYPE x AS RANGE (SUBTYPE = int4, SUBTYPE_DIFF = int4mi)
    CREATE TYPE x AS RANGE (SUBTYPE = float8, SUBTYPE_OPCLASS = nosuch)
    CREATE TYPE x AS RANGE (SUBTYPE = float8, SUBTYPE_OPCLASS = int4_ops)
    CREATE TYPE x AS RANGE (SUBTYPE = float8, COLLATION = "C")
    CREATE TYPE x AS RANGE (SUBTYPE = text, COLLATION = "nosuch")
    CREATE TYPE x AS RANGE (SUBTYPE = float8, CANONICAL = nosuch)
    CREATE TYPE nowhere.x AS RANGE (SUBTYPE = int4)
    CREATE TYPE x AS RANGE (SUBTYPE = 'varchar', SUBTYPE_OPCLASS = pg_catalog.text_ops)
    SELECT x('abcdef', 'x'), '[abcdef,x)'::x
    CREATE TYPE y AS RANGE (SUBTYPE = float8, MULTIRANGE_TYPE_NAME = x_multirange)
    CREATE TYPE arangebrange AS RANGE (SUBTYPE = int4)
    CREATE TYPE "aRange" AS RANGE (SUBTYPE = int4)
    CREATE TYPE a23456789012345678901234567890123456789012345678901234567890123 AS RANGE (SUBTYPE = int4)
    SELECT typname FROM pg_type WHERE typname ~* '^a.*multi'
    CREATE TYPE zmultirange AS ENUM ('a')
    CREATE TYPE zrange AS RANGE (SUBTYPE = int4)
    SELECT 'zrange'::regtype
    CREATE TABLE zt (a int)
    CREATE TYPE zt AS RANGE (SUBTYPE = int4)
    DROP TYPE floatmultirange
    CREATE TABLE mm (a floatrange, b floatmultirange)
    DROP TYPE floatrange
    DROP TABLE mm
    ALTER TYPE floatmultirange RENAME TO floats
    SELECT pg_typeof(floatmultirange()), floatmultirange(floatrange(1, 2))
    ALTER TYPE floatrange OWNER TO CURRENT_USER
    ALTER TYPE floats OWNER TO CURRENT_USER
    ALTER TYPE floats OWNER TO nosuch
    ALTER TYPE nosuch OWNER TO CURRENT_USER
    ALTER DOMAIN floatrange OWNER TO CURRENT_USER
    ALTER TYPE floatrange RENAME TO reals
    SELECT pg_typeof(floatrange(1, 2))
    SELECT reals(1, 2)
    ALTER TYPE reals RENAME TO floatrange
    ALTER TYPE floatrange RENAME TO floats
    CREATE VIEW v AS SELECT floatrange(1, 2) AS a
    DROP TYPE floatrange
    DROP TYPE floatrange CASCADE
    SELECT * FROM v
    SELECT floatrange(1, 2)
    SELECT '{}'::floats
    BEGIN
    CREATE TYPE floatrange AS RANGE (SUBTYPE = float8)
    SELECT floatrange(1, 2)
    ROLLBACK
    SELECT floatrange(1, 2)
    CREATE TYPE floatrange AS RANGE (SUBTYPE = float8)
    BEGIN
    DROP TYPE floatrange
    SELECT floatrange(1, 2)
    ROLLBACK
    SELECT floatrange(1, 2)
    CREATE TYPE mood AS ENUM ('sad', 'ok')
    CREATE TYPE moods AS RANGE (SUBTYPE = mood)
    CREATE TYPE nested AS RANGE (SUBTYPE = moods)
    DROP TYPE mood
    DROP TYPE mood CASCADE
    SELECT 'empty'::nested
    SELECT count(*) FROM pg_type WHERE typname LIKE '%moods%' OR typname LIKE '%nested%'
"""


@pytest.mark.oracle
def test_statements_about_range_types_answer_as_in_postgresql(postgres):
    statements = [line.strip() for line in STATEMENTS.strip().splitlines()]
    assert differences_in_a_script(postgres, statements) == []


def test_range_types_survive_with_their_multirange_types(tmp_path):
    with caldera.connect(tmp_path / "db") as connection:
        connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
        connection.execute("CREATE TYPE moods AS RANGE (SUBTYPE = mood, MULTIRANGE_TYPE_NAME = many)")
        connection.execute("CREATE TABLE t (a moods, b many, c many[])")
        connection.execute("INSERT INTO t VALUES ('[sad,ok)', '{[ok,ok]}', '{\"{[sad,)}\",NULL}'), ('empty', '{}', NULL)")
        connection.execute("VACUUM t")
        connection.execute("ALTER TYPE moods RENAME TO humours")
    for _ in range(2):
        with caldera.connect(tmp_path / "db") as connection:
            assert connection.sql("SELECT a, b, c FROM t ORDER BY a").fetchall() == [
                ("empty", "{}", None), ("[sad,ok)", "{[ok,ok]}", ["{[sad,)}", None])]
            assert connection.sql("SELECT moods('sad', 'ok') = a, pg_typeof(a), many(a) FROM t ORDER BY a DESC").fetchone() \
                == (True, "humours", "{[sad,ok)}")
            connection.database.checkpoint()
    with caldera.connect(tmp_path / "db") as connection:
        connection.execute("DROP TABLE t")
        connection.execute("DROP TYPE humours, mood")
        assert connection.sql("SELECT count(*) FROM pg_type WHERE oid >= 16384").fetchone() == (0,)


def test_constructors_are_found_in_the_schema_of_their_type():
    with caldera.connect() as connection:
        connection.execute("CREATE SCHEMA apart")
        connection.execute("CREATE TYPE apart.spans AS RANGE (SUBTYPE = interval)")
        assert connection.sql("SELECT apart.spans('1 day', '2 days'), apart.spans_multirange()").fetchone() == (
            '["1 day","2 days")', "{}")
        with pytest.raises(caldera.Error, match=r"function spans\(unknown, unknown\) does not exist"):
            connection.sql("SELECT spans('1 day', '2 days')").fetchall()
        connection.execute("SET search_path = apart")
        connection.execute("CREATE VIEW v AS SELECT spans('1 day', '2 days')")
        connection.execute("RESET search_path")
        assert connection.sql("SELECT * FROM apart.v").fetchone() == ('["1 day","2 days")',)


def test_subtypes_that_do_not_exist_have_no_position_as_in_postgresql():
    with caldera.connect() as connection, pytest.raises(caldera.Error, match='type "nosuch" does not exist') as failed:
        connection.execute("CREATE TYPE x AS RANGE (SUBTYPE = nosuch)")
    assert failed.value.position is None
