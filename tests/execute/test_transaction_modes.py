"""Transactions that may only read, and SET TRANSACTION. SQLSTATEs and messages are PostgreSQL's."""
import pytest

import caldera


@pytest.fixture
def connection():
    with caldera.connect() as connection:
        connection.execute("CREATE TABLE t (a int)")
        connection.execute("CREATE TEMP TABLE own (a int)")
        yield connection
        connection.rollback()


def shown(connection, name):
    return connection.execute(f"SHOW {name}").fetchone()[0]


def refused(connection, statement):
    """(SQLSTATE, message) of a statement that must fail."""
    with pytest.raises(caldera.Error) as caught:
        connection.execute(statement)
    return caught.value.sqlstate, caught.value.message


@pytest.mark.parametrize("statement, tag", [
    ("INSERT INTO t VALUES (1)", "INSERT"), ("CREATE TABLE u (a int)", "CREATE TABLE"),
    ("CREATE TEMP TABLE u (a int)", "CREATE TABLE"), ("CREATE TABLE u AS SELECT 1", "CREATE TABLE AS"),
    ("CREATE VIEW v AS SELECT 1", "CREATE VIEW"), ("DROP TABLE t", "DROP TABLE"), ("CREATE SCHEMA s", "CREATE SCHEMA"),
    ("TRUNCATE t", "TRUNCATE TABLE"), ("EXPLAIN ANALYZE INSERT INTO t VALUES (1)", "INSERT")])
def test_a_transaction_that_may_only_read_changes_nothing(connection, statement, tag):
    connection.execute("BEGIN READ ONLY")
    connection.execute("SELECT * FROM t")
    connection.execute("INSERT INTO own VALUES (1)")
    assert refused(connection, statement) == ("25006", f"cannot execute {tag} in a read-only transaction")
    connection.execute("ROLLBACK")
    connection.execute("INSERT INTO t VALUES (1)")


def test_reading_only_may_be_the_default(connection):
    connection.execute("SET default_transaction_read_only = on")
    assert shown(connection, "transaction_read_only") == "on"
    assert refused(connection, "INSERT INTO t VALUES (1)")[0] == "25006"
    connection.execute("BEGIN READ WRITE")
    connection.execute("INSERT INTO t VALUES (1)")
    connection.execute("COMMIT")
    assert refused(connection, "INSERT INTO t VALUES (1)")[0] == "25006"


def test_reading_only_may_begin_within_a_transaction_but_not_end(connection):
    connection.execute("BEGIN")
    connection.execute("INSERT INTO t VALUES (1)")
    connection.execute("SET TRANSACTION READ ONLY")
    connection.execute("SELECT 1")
    assert refused(connection, "SET TRANSACTION READ WRITE") == (
        "25001", "transaction read-write mode must be set before any query")


@pytest.mark.parametrize("statement", ["BEGIN", "START TRANSACTION", "SELECT 1"])
def test_no_transaction_begins_in_one_that_has_failed(connection, statement):
    connection.execute("BEGIN")
    assert refused(connection, "SELECT 1 / 0")[0] == "22012"
    assert refused(connection, statement) == (
        "25P02", "current transaction is aborted, commands ignored until end of transaction block")
    connection.execute("ROLLBACK")


def test_the_isolation_of_a_transaction_is_set_before_its_first_query(connection):
    connection.execute("BEGIN")
    connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    assert shown(connection, "transaction_isolation") == "repeatable read"
    with caldera.Connection(connection.database, None) as other:
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (0,)
        other.execute("INSERT INTO t VALUES (1)")
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (0,)
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        assert refused(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED") == (
            "25001", "SET TRANSACTION ISOLATION LEVEL must be called before any query")


def test_a_statement_that_writes_may_be_explained_where_the_transaction_only_reads(connection):
    connection.execute("BEGIN READ ONLY")
    assert connection.execute("EXPLAIN INSERT INTO t VALUES (1)").fetchone() == ("Insert on t",)
    assert refused(connection, "EXPLAIN ANALYZE INSERT INTO t VALUES (1)") == (
        "25006", "cannot execute INSERT in a read-only transaction")


def test_transactions_that_have_ended_are_forgotten(connection):
    for end in ("COMMIT", "ROLLBACK") * 3:
        connection.execute("BEGIN")
        connection.execute(end)
    assert not connection.database.timeline.active


def test_checkpoint_is_a_statement(tmp_path):
    with caldera.connect(tmp_path / "db") as connection:
        connection.execute("CREATE TABLE t (a int)")
        connection.execute("INSERT INTO t VALUES (7)")
        connection.execute("CHECKPOINT")
    with caldera.connect(tmp_path / "db") as connection:
        assert connection.execute("SELECT a FROM t").fetchall() == [(7,)]
