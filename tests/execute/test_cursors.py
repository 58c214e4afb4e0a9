"""Cursors in SQL: each statement of a script answers as in PostgreSQL; rows are computed as they are fetched."""
import os
import threading

import pytest

import caldera
from caldera.operators.collect import HANDED_ROWS
from tests.differential import differences_in_a_script

SCRIPT = """
CREATE TABLE t (a int, b text)
INSERT INTO t SELECT i, 'text ' || i FROM generate_series(1, 10) AS g (i)
DECLARE c CURSOR FOR SELECT * FROM t
FETCH c
BEGIN
DECLARE c SCROLL CURSOR FOR SELECT a, b AS name FROM t ORDER BY a
FETCH 3 FROM c
FETCH BACKWARD 2 FROM c
FETCH c
FETCH ALL c
FETCH c
FETCH PRIOR c
FETCH PRIOR c
FETCH FIRST c
FETCH LAST c
FETCH ABSOLUTE 4 c
FETCH RELATIVE -2 c
FETCH RELATIVE 0 c
FETCH 0 c
FETCH BACKWARD 0 c
FETCH -1 c
FETCH BACKWARD ALL c
FETCH 0 c
MOVE 3 c
FETCH c
MOVE ALL c
FETCH RELATIVE 0 c
MOVE BACKWARD ALL c
FETCH ABSOLUTE 0 c
FETCH ABSOLUTE 100 c
FETCH PRIOR c
FETCH ABSOLUTE -3 c
FETCH ABSOLUTE -100 c
FETCH RELATIVE 100 c
FETCH RELATIVE -1 c
MOVE ABSOLUTE 5 c
FETCH FORWARD ALL c
CLOSE c
FETCH c
ROLLBACK
BEGIN
DECLARE n NO SCROLL CURSOR FOR SELECT a FROM t ORDER BY a DESC
FETCH 2 n
FETCH ABSOLUTE 4 n
FETCH RELATIVE 2 n
FETCH PRIOR n
FETCH n
ROLLBACK
BEGIN
DECLARE n NO SCROLL CURSOR FOR SELECT a FROM t ORDER BY a
DECLARE n CURSOR FOR SELECT 1
ROLLBACK
BEGIN
DECLARE n NO SCROLL CURSOR FOR SELECT 10 / (a - 3) AS q FROM t ORDER BY a
FETCH ALL n
FETCH n
ROLLBACK
FETCH n
CLOSE n
BEGIN
DECLARE empty CURSOR FOR SELECT a FROM t WHERE a > 100
FETCH empty
FETCH ALL empty
DECLARE bare CURSOR FOR SELECT FROM t
MOVE 4 bare
MOVE ALL bare
CLOSE ALL
FETCH empty
ROLLBACK
DECLARE h CURSOR WITH HOLD FOR SELECT a FROM t ORDER BY a
FETCH 2 h
BEGIN
FETCH h
ROLLBACK
FETCH h
DROP TABLE t
FETCH ALL h
CLOSE h
BEGIN
DECLARE h CURSOR WITH HOLD FOR SELECT 1 AS one
ROLLBACK
FETCH h
BEGIN
DECLARE h CURSOR WITH HOLD FOR SELECT 1 AS one
COMMIT
FETCH h
DISCARD ALL
FETCH h
DECLARE wrong CURSOR FOR SELECT nope
"""
STATEMENTS = SCRIPT.strip().splitlines()


@pytest.mark.oracle
def test_each_statement_of_a_script_answers_as_in_postgresql(postgres):
    assert differences_in_a_script(postgres, STATEMENTS) == []


ROWS = 4 * HANDED_ROWS


@pytest.fixture
def connection():
    with caldera.connect(threads=2) as connection:
        connection.sql("SET threads = 1")               # rows lie in their order
        connection.sql(f"CREATE TABLE t AS SELECT i AS a, 'text ' || i AS b FROM generate_series(1, {ROWS}) AS g (i)")
        connection.sql("RESET threads")
        connection.sql("BEGIN")
        yield connection


def test_rows_are_computed_as_they_are_fetched_and_come_in_order(connection):
    connection.sql("DECLARE c CURSOR FOR SELECT a, b FROM t WHERE a % 2 = 0")
    assert connection.sql("FETCH 2 c").fetchall() == [(2, "text 2"), (4, "text 4")]
    cursor = connection.session.cursors["c"]
    assert not cursor.complete and cursor.known < ROWS // 2
    rest = connection.sql("FETCH ALL c").fetchall()
    assert [a for a, _ in rest] == list(range(6, ROWS + 1, 2)) and cursor.complete and not cursor.chunks.chunks


def test_a_cursor_sees_the_table_as_it_was_declared(connection):
    connection.sql("DECLARE c CURSOR FOR SELECT count(*) FROM t")
    connection.sql("DECLARE d CURSOR FOR SELECT a FROM t WHERE a <= 0")
    connection.sql("INSERT INTO t VALUES (0, 'new')")
    assert connection.sql("FETCH c").fetchall() == [(ROWS,)]
    assert connection.sql("FETCH d").fetchall() == []


def test_a_cursor_over_a_union_sees_all_its_tables_as_it_was_declared(connection):
    connection.sql("DECLARE c CURSOR FOR SELECT a FROM t UNION ALL SELECT a FROM t WHERE a <= 0")
    connection.sql("INSERT INTO t VALUES (0, 'new')")
    assert connection.sql("FETCH 1 c").fetchall() == [(1,)]
    assert connection.sql("FETCH ALL c").fetchall()[-1] == (ROWS,)


def test_a_closed_cursor_leaves_no_thread_and_no_memory(connection):
    used = connection.session.database.budget.used
    connection.sql("DECLARE c CURSOR FOR SELECT a, b FROM t")
    connection.sql("FETCH 10 c")
    connection.sql("CLOSE c")
    assert connection.session.database.budget.used == used
    assert not [thread for thread in threading.enumerate() if thread.name == "caldera-cursor"]


@pytest.mark.parametrize("setting", ["caldera.forced_spill = on", "work_mem = '1MB'"])
def test_a_cursor_that_may_go_back_keeps_its_rows_on_disk_where_memory_is_short(connection, setting):
    database = connection.session.database
    used = database.budget.used
    connection.sql("SET " + setting)
    connection.sql("DECLARE c SCROLL CURSOR WITH HOLD FOR SELECT a, b FROM t")
    assert connection.sql("FETCH LAST c").fetchall() == [(ROWS, f"text {ROWS}")]
    connection.sql("COMMIT")
    assert database.budget.used - used < 2 << 20 and len(os.listdir(database.temporary.path)) == 1
    assert connection.sql("FETCH ABSOLUTE 3 c").fetchall() == [(3, "text 3")]
    assert connection.sql("FETCH RELATIVE 100000 c").fetchall() == [(100_003, "text 100003")]
    assert connection.sql("FETCH BACKWARD 2 c").fetchall() == [(100_002, "text 100002"), (100_001, "text 100001")]
    connection.sql("CLOSE c")
    assert database.budget.used == used and os.listdir(database.temporary.path) == []


def test_an_error_on_the_way_comes_with_the_fetch_that_meets_it(connection):
    connection.sql(f"DECLARE c CURSOR FOR SELECT 1 / (a - {ROWS}) AS q FROM t")
    assert connection.sql("FETCH 1 c").fetchall() == [(0,)]
    with pytest.raises(caldera.DataError, match="division by zero"):
        connection.sql("FETCH ALL c")
    connection.sql("ROLLBACK")
    assert connection.sql("SELECT 1").fetchall() == [(1,)]


def test_closing_the_connection_ends_cursors():
    connection = caldera.connect()
    connection.sql("BEGIN")
    connection.sql("DECLARE c CURSOR FOR SELECT i FROM generate_series(1, 10000000) AS g (i)")
    connection.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "caldera-cursor"]


def test_parameters_of_a_cursor_keep_their_values(connection):
    connection.execute("DECLARE c CURSOR FOR SELECT a FROM t WHERE a > $1 ORDER BY a", [ROWS - 2])
    assert connection.sql("FETCH ALL c").fetchall() == [(ROWS - 1,), (ROWS,)]


@pytest.mark.parametrize("stop", ["timeout", "cancel"])
def test_a_cursor_whose_first_row_takes_long_can_be_stopped(connection, stop):
    slow = "DECLARE slow CURSOR FOR SELECT count(i % 7) FROM generate_series(1, 1000000000000) AS g (i)"
    if stop == "timeout":
        connection.sql("SET LOCAL statement_timeout = '50ms'")
    timer = threading.Timer(0.2 if stop == "cancel" else 0, connection.cancel if stop == "cancel" else lambda: None)
    timer.start()
    with pytest.raises(caldera.OperationalError, match="canceling statement") as caught:
        connection.sql(slow)
    timer.join()
    connection.sql("ROLLBACK")
    assert caught.value.sqlstate == "57014" and not connection.session.cursors
    assert not [thread for thread in threading.enumerate() if thread.name == "caldera-cursor"]


IN_USE = """
    CREATE TABLE t (a int)
    INSERT INTO t VALUES (1), (2), (3)
    CREATE VIEW v AS SELECT a FROM t
    BEGIN
    DECLARE c CURSOR FOR SELECT a FROM v ORDER BY a
    FETCH 1 FROM c
    DROP TABLE t
    ROLLBACK
    BEGIN
    DECLARE c SCROLL CURSOR FOR SELECT a FROM t WHERE a > (SELECT min(a) FROM v)
    DECLARE h NO SCROLL CURSOR WITH HOLD FOR SELECT 1
    SELECT name, statement, is_holdable, is_binary, is_scrollable, creation_time <= now() FROM pg_cursors ORDER BY 1
    TRUNCATE t
    ROLLBACK
    BEGIN
    DECLARE c CURSOR FOR SELECT a FROM v
    DROP TABLE t CASCADE
    ROLLBACK
    BEGIN
    DECLARE c CURSOR FOR SELECT a FROM t
    CLOSE c
    TRUNCATE t
    COMMIT
    BEGIN
    DECLARE c CURSOR WITH HOLD FOR SELECT a FROM t
    COMMIT
    DROP TABLE t CASCADE
    FETCH ALL FROM c
    SELECT name FROM pg_cursors
    CLOSE c
    PREPARE p (int, text) AS SELECT $1 + 1, $2 || 'x', now()
    PREPARE q AS INSERT INTO nothing VALUES (1)
    PREPARE r AS SELECT 1
    SELECT name, statement, parameter_types, result_types, from_sql FROM pg_prepared_statements ORDER BY name
    DEALLOCATE p
    SELECT name FROM pg_prepared_statements ORDER BY name
"""


@pytest.mark.oracle
def test_what_a_cursor_reads_stays_and_the_catalog_lists_cursors_and_prepared_statements(postgres):
    assert differences_in_a_script(postgres, [line.strip() for line in IN_USE.strip().splitlines()]) == []
