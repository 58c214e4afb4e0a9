"""connection.batches: a large result, piece by piece."""
import pytest

import caldera

QUERY = "SELECT i, i::text FROM generate_series(1, $1) AS g (i)"


@pytest.fixture
def connection():
    with caldera.connect() as connection:
        yield connection


def test_all_rows_come_in_pieces_of_the_size_that_was_asked_for(connection):
    batches = list(connection.batches(QUERY, 2500, rows=1000))
    assert [len(batch) for batch in batches] == [1000, 1000, 500]
    assert [row for batch in batches for row in batch] == [(i, str(i)) for i in range(1, 2501)]
    assert batches[0].columns == ["i", "i"] and batches[2].arrow().num_rows == 500


def test_a_query_without_rows_gives_no_batch(connection):
    assert list(connection.batches("SELECT 1 WHERE false")) == []


def test_the_transaction_ends_with_the_iteration_also_before_the_last_row(connection):
    batches = connection.batches(QUERY, 1_000_000, rows=10)
    assert next(batches).fetchone() == (1, "1") and connection.session.cursors
    batches.close()
    assert not connection.session.cursors
    connection.sql("CREATE TABLE t (a int)")
    connection.sql("DROP TABLE t")


def test_batches_inside_a_transaction_leave_it_open(connection):
    with connection.transaction():
        connection.sql("CREATE TABLE t (a int)")
        assert sum(len(batch) for batch in connection.batches(QUERY, 10, rows=4)) == 10
        connection.sql("INSERT INTO t VALUES (1)")
    assert connection.sql("SELECT count(*) FROM t").fetchone() == (1,)


def test_several_queries_are_read_in_turns(connection):
    with connection.transaction():
        negative = "SELECT -i FROM generate_series(1, 3) AS g (i)"
        pairs = zip(connection.batches(QUERY, 3, rows=1), connection.batches(negative, rows=1))
        assert [(one.fetchone()[0], other.fetchone()[0]) for one, other in pairs] == [(1, -1), (2, -2), (3, -3)]


@pytest.mark.parametrize("query, sqlstate", [("SELECT 1 / (i - 3) FROM generate_series(1, 5) AS g (i)", "22012"),
                                             ("SELECT nope", "42703"), ("CREATE TABLE t (a int)", "42601")])
def test_an_error_comes_out_and_ends_the_transaction(connection, query, sqlstate):
    with pytest.raises(caldera.Error) as caught:
        list(connection.batches(query))
    assert caught.value.sqlstate == sqlstate
    assert connection.sql("SELECT 1").fetchone() == (1,)
