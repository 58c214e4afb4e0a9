"""An engine is its relation and its registration: one that the package has never heard of holds tables like any other."""
import types

import pytest

import caldera
from caldera.catalog.engines import ENGINES, table_engine
from caldera.storage import arrays
from caldera.storage.engine import StoredRelation, TableScan
from caldera.storage.segment import memory_segment


class BatchesInMemory(StoredRelation):
    """A table that keeps each appended batch as a segment in memory. Its rows are gone when the database is closed."""

    def __init__(self, entry):
        self.oid, self.columns, self.batches_held = entry.oid, entry.columns, []

    def visible_segments(self, snapshot):
        return [batch.segment for batch in self.batches_held if snapshot.sees(batch)]

    def version(self, snapshot):
        return self.oid, tuple(map(id, self.visible_segments(snapshot)))

    def row_estimate(self, snapshot):
        return sum(segment.row_count for segment in self.visible_segments(snapshot))

    def scan(self, snapshot, names, ranges=()):
        segments = self.visible_segments(snapshot)
        return TableScan(segments, [[(0, segment.row_count)] for segment in segments])

    def append(self, transaction, columns):
        segment = memory_segment({name: arrays.lasting(data) for name, data in columns.items()})
        batch = types.SimpleNamespace(segment=segment, came=0, gone=0)
        self.batches_held.append(batch)
        transaction.add(batch)

    def truncate(self, transaction):
        for batch in self.batches_held:
            transaction.remove(batch)


@pytest.fixture
def memory_engine():
    table_engine("batches_in_memory", oid=16900)(lambda database, entry: BatchesInMemory(entry))
    yield
    del ENGINES["batches_in_memory"]


@pytest.fixture
def connection(memory_engine, tmp_path):
    with caldera.connect(tmp_path / "database") as connection:
        connection.execute("CREATE TABLE t (a int, b text) USING batches_in_memory")
        connection.execute("INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, NULL)")
        yield connection


def rows(connection, sql):
    return connection.execute(sql).fetchall()


def test_tables_of_an_engine_from_outside_are_read_and_filled_like_others(connection):
    connection.execute("CREATE TABLE u AS SELECT b, count(*) AS n FROM t GROUP BY b")
    assert rows(connection, "SELECT b, n FROM u ORDER BY b") == [("one", 1), ("two", 1), (None, 1)]
    connection.execute("INSERT INTO t SELECT 4, b FROM u WHERE b = 'two'")
    assert rows(connection, "SELECT a, b FROM t WHERE b LIKE 't%' ORDER BY a DESC LIMIT 5") == [(4, "two"), (2, "two")]
    assert rows(connection, "SELECT count(*), min(a), max(a), sum(a) FROM t") == [(4, 1, 4, 10)]


def test_transactions_cover_tables_of_an_engine_from_outside(connection):
    connection.execute("BEGIN")
    connection.execute("INSERT INTO t VALUES (9, 'nine')")
    connection.execute("TRUNCATE t")
    connection.execute("INSERT INTO t VALUES (10, 'ten')")
    assert rows(connection, "SELECT a FROM t") == [(10,)]
    connection.execute("ROLLBACK")
    assert rows(connection, "SELECT a FROM t ORDER BY a") == [(1,), (2,), (3,)]


def test_the_catalog_lists_an_engine_from_outside(connection):
    assert rows(connection, "SELECT amname FROM pg_am WHERE oid = 16900") == [("batches_in_memory",)]
    assert rows(connection, "SELECT relam FROM pg_class WHERE relname = 't'") == [(16900,)]


def test_an_engine_from_outside_may_be_the_default(connection):
    connection.execute("SET default_table_access_method = 'Batches_In_Memory'")
    connection.execute("CREATE TABLE v (a int)")
    assert rows(connection, "SELECT relam FROM pg_class WHERE relname = 'v'") == [(16900,)]


def test_the_background_and_the_log_go_on_beside_an_engine_that_logs_nothing(memory_engine, tmp_path):
    path = tmp_path / "database"
    with caldera.connect(path) as connection:
        connection.execute("CREATE TABLE t (a int) USING batches_in_memory; CREATE TABLE kept (a int) USING mergetree")
        connection.execute("INSERT INTO t VALUES (1); INSERT INTO kept VALUES (2)")
        database = connection.session.database
        database.checkpoint()
        database.collect()
    with caldera.connect(path) as connection:
        assert rows(connection, "SELECT a FROM kept") == [(2,)]
        assert rows(connection, "SELECT a FROM t") == []
        connection.execute("DROP TABLE t")


def test_create_table_names_an_engine_that_does_not_exist():
    with caldera.connect() as connection:
        with pytest.raises(caldera.Error, match='access method "nonsense" does not exist') as caught:
            connection.execute("CREATE TABLE t (a int) USING nonsense")
        assert caught.value.sqlstate == "42704"
