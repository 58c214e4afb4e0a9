"""CREATE STATISTICS: what the planner knows of columns together, and how long it is kept."""
import re

import pytest

import caldera

TABLE = """
CREATE TABLE t (a int, b int, s text, n numeric);
INSERT INTO t SELECT i % 1000, i % 1000 / 10, CASE WHEN i % 3 = 0 THEN 'oslo' ELSE 'lima' || i % 50 END,
    CASE WHEN i % 3 = 0 THEN 1.5 END
  FROM generate_series(1, 20000) AS g (i);
"""


@pytest.fixture
def connection(tmp_path):
    connection = caldera.connect(tmp_path / "database")
    connection.execute_text(TABLE)
    yield connection
    connection.close()


def estimated(connection, query):
    """How many rows EXPLAIN expects of a query."""
    _, rows = connection.execute_text(f"EXPLAIN {query}")
    return int(re.search(r"rows=(\d+)", rows[0][0]).group(1))


def refused(connection, statement):
    """The SQLSTATE and message of a statement."""
    with pytest.raises(caldera.Error) as caught:
        connection.execute_text(statement)
    return caught.value.sqlstate, caught.value.message


def test_groups_are_counted_by_ndistinct(connection):
    connection.execute_text("CREATE STATISTICS s (ndistinct) ON a, b FROM t; ANALYZE t")
    assert estimated(connection, "SELECT a, b FROM t GROUP BY a, b") == 1000


def test_common_combinations_tell_how_often_conditions_hold_together(connection):
    connection.execute_text("CREATE STATISTICS s (mcv) ON s, n FROM t; ANALYZE t")
    assert 6600 < estimated(connection, "SELECT * FROM t WHERE s = 'oslo' AND n > 1") < 6700
    assert estimated(connection, "SELECT * FROM t WHERE s = 'oslo' AND n IS NULL") < 100


def test_a_column_that_is_told_by_another_one_does_not_count(connection):
    connection.execute_text("CREATE STATISTICS s (dependencies) ON a, b FROM t; ANALYZE t")
    assert estimated(connection, "SELECT * FROM t WHERE a = 5 AND b = 0") >= 8             # there are 20


def test_statistics_are_used_only_after_analyze(connection):
    before = estimated(connection, "SELECT * FROM t WHERE a = 5 AND b = 0")
    connection.execute_text("CREATE STATISTICS s ON a, b FROM t")
    assert estimated(connection, "SELECT * FROM t WHERE a = 5 AND b = 0") == before


def test_statistics_outlive_a_restart_and_a_checkpoint(tmp_path):
    query = "SELECT a, b FROM t GROUP BY a, b"
    with caldera.connect(tmp_path / "kept") as connection:
        connection.execute_text(TABLE + "CREATE STATISTICS s ON a, b FROM t; ANALYZE t; ALTER STATISTICS s RENAME TO r")
    for statement in ("CHECKPOINT", "DROP STATISTICS r", "CREATE STATISTICS s ON a, b FROM t"):
        with caldera.connect(tmp_path / "kept") as connection:
            assert (estimated(connection, query) == 1000) == (not statement.startswith("CREATE"))
            connection.execute_text(statement)


def test_statistics_come_and_go_with_transactions_and_with_their_table(connection):
    connection.execute_text("BEGIN; CREATE STATISTICS s ON a, b FROM t; ROLLBACK; CREATE STATISTICS s ON a, b FROM t")
    connection.execute_text("BEGIN; DROP TABLE t; ROLLBACK")
    assert refused(connection, "CREATE STATISTICS s ON a, b FROM t") == ("42710", 'statistics object "s" already exists')
    connection.execute_text("DROP TABLE t;" + TABLE + "CREATE STATISTICS s ON a, b FROM t")


def test_what_is_refused(connection):
    connection.execute_text("CREATE VIEW v AS SELECT * FROM t; CREATE TABLE j (a json, b int)")
    for statement, wanted in {
            "CREATE STATISTICS s ON a FROM t": ("42P17", "extended statistics require at least 2 columns"),
            "CREATE STATISTICS s ON a, a FROM t": ("42701", "duplicate column name in statistics definition"),
            "CREATE STATISTICS s ON a, z FROM t": ("42703", 'column "z" does not exist'),
            "CREATE STATISTICS s (all) ON a, b FROM t": ("42601", None),
            "CREATE STATISTICS s (some_kind) ON a, b FROM t": ("42601", 'unrecognized statistics kind "some_kind"'),
            "CREATE STATISTICS s ON a, b FROM v": ("42809", 'cannot define statistics for relation "v"'),
            "CREATE STATISTICS s ON a, b FROM j": ("0A000", 'column "a" cannot be used in statistics because its type json '
                                                            "has no default btree operator class"),
            "DROP STATISTICS s": ("42704", 'statistics object "s" does not exist'),
            "DROP STATISTICS nowhere.s": ("3F000", 'schema "nowhere" does not exist'),
            "ALTER STATISTICS nowhere.s RENAME TO r": ("3F000", 'schema "nowhere" does not exist'),
            "CREATE STATISTICS s ON a, b FROM t, j": ("0A000", "only a single relation is allowed in CREATE STATISTICS"),
            "ALTER STATISTICS s SET STATISTICS 10": ("42704", 'statistics object "s" does not exist')}.items():
        found = refused(connection, statement)
        assert found[0] == wanted[0] and wanted[1] in (None, found[1])


def test_the_catalog_shows_statistics(connection):
    connection.execute_text("CREATE STATISTICS s (ndistinct, dependencies) ON b, a FROM t")
    connection.execute_text("ALTER STATISTICS s SET STATISTICS 50")
    assert list(connection.execute_text("SELECT stxname, stxkeys, stxstattarget, stxkind FROM pg_statistic_ext")[1]) == [
        ("s", "1 2", "50", "{d,f}")]
    assert list(connection.execute_text("SELECT count(*) FROM pg_stats_ext WHERE n_distinct IS NOT NULL")[1]) == [("0",)]
    connection.execute_text("ANALYZE t")
    assert list(connection.execute_text("SELECT tablename, statistics_name, attnames, n_distinct FROM pg_stats_ext")[1]) == [
        ("t", "s", "{a,b}", '{"1, 2": 1000}')]
