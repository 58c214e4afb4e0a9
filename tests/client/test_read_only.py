"""Transactions that only read refuse what writes, in PostgreSQL's words."""
import pytest

import caldera

WRITING = {"INSERT INTO t VALUES (1)": "INSERT", "EXPLAIN ANALYZE INSERT INTO t VALUES (1)": "INSERT",
           "COPY t FROM '/nowhere'": "COPY FROM", "TRUNCATE t": "TRUNCATE TABLE", "DROP TABLE t": "DROP TABLE",
           "CREATE TABLE u (x int)": "CREATE TABLE", "CREATE TABLE u AS SELECT 1": "CREATE TABLE AS",
           "CREATE VIEW v AS SELECT 1": "CREATE VIEW", "CREATE SCHEMA s": "CREATE SCHEMA"}


@pytest.fixture
def connection():
    with caldera.connect(threads=1) as connection:
        connection.execute("CREATE TABLE t (x int)")
        connection.execute("CREATE TEMP TABLE mine (x int)")
        yield connection


@pytest.mark.parametrize("sql", WRITING)
def test_a_transaction_that_only_reads_refuses_to_write(connection, sql):
    connection.execute("BEGIN READ ONLY")
    with pytest.raises(caldera.Error) as caught:
        connection.execute(sql)
    assert caught.value.sqlstate == "25006"
    assert f"cannot execute {WRITING[sql]} in a read-only transaction" in str(caught.value)
    connection.execute("ROLLBACK")
    connection.execute("INSERT INTO t VALUES (1)")


def test_it_reads_and_writes_temporary_tables(connection):
    connection.execute("START TRANSACTION READ ONLY")
    connection.execute("INSERT INTO mine SELECT count(*) FROM t")
    assert connection.sql("SELECT x FROM mine").fetchall() == [(0,)]
    connection.execute("COMMIT")


def test_the_default_holds_for_single_statements_and_kept_plans(connection):
    connection.execute("INSERT INTO t VALUES ($1)", [1])
    connection.execute("SET default_transaction_read_only = on")
    with pytest.raises(caldera.Error, match="cannot execute INSERT in a read-only transaction"):
        connection.execute("INSERT INTO t VALUES ($1)", [1])
    connection.execute("SET default_transaction_read_only = off")
    connection.execute("INSERT INTO t VALUES ($1)", [1])
    assert connection.sql("SELECT count(*) FROM t").fetchall() == [(2,)]
