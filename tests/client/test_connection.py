"""The embedded interface: DB-API 2.0, transactions, threads, Ctrl-C, sharing and refusing a directory."""
import os
import signal
import subprocess
import sys
import threading
import time
import traceback

import pytest

import caldera

ENDLESS = "SELECT sum(g % 7) FROM generate_series(1, 50000000000) g"


@pytest.fixture
def connection():
    with caldera.connect(threads=2) as connection:
        yield connection


def test_module_tells_what_dbapi_asks():
    assert (caldera.apilevel, caldera.threadsafety, caldera.paramstyle) == ("2.0", 2, "pyformat")
    assert issubclass(caldera.ProgrammingError, caldera.DatabaseError) and issubclass(caldera.DatabaseError, caldera.Error)
    assert caldera.Binary(b"x") == b"x" and caldera.Date(2024, 2, 29).isoformat() == "2024-02-29"
    assert caldera.Connection.ProgrammingError is caldera.ProgrammingError


def test_cursor_fetches_in_order(connection):
    cursor = connection.cursor()
    assert cursor.description is None and cursor.rowcount == -1
    assert cursor.execute("SELECT g, g::text AS t FROM generate_series(1, 5) g ORDER BY g") is cursor
    assert cursor.rowcount == 5
    assert cursor.fetchone() == (1, "1") and cursor.rownumber == 1
    assert cursor.fetchmany(2) == [(2, "2"), (3, "3")]
    assert list(cursor) == [(4, "4"), (5, "5")]
    assert cursor.fetchone() is None and cursor.fetchall() == []


def test_description_has_names_and_types(connection):
    cursor = connection.execute("SELECT 1 AS n, 'x'::text AS t, 1.5::numeric(10,2) AS d, DATE '2024-01-01' AS day")
    assert [column[0] for column in cursor.description] == ["n", "t", "d", "day"]
    assert [column[1] for column in cursor.description] == [caldera.NUMBER, caldera.STRING, caldera.NUMBER, caldera.DATETIME]
    assert cursor.description[2][4:6] == (10, 2)
    assert all(len(column) == 7 for column in cursor.description)


def test_rowcount_and_tag_of_changes(connection):
    cursor = connection.execute("CREATE TABLE t (a int)")
    assert cursor.rowcount == -1 and cursor.statusmessage == "CREATE TABLE" and cursor.description is None
    assert cursor.execute("INSERT INTO t VALUES (1), (2)").rowcount == 2
    with pytest.raises(caldera.InterfaceError):
        cursor.fetchall()


def test_executemany_is_one_transaction(connection):
    connection.execute("CREATE TABLE t (a int, b text)")
    cursor = connection.executemany("INSERT INTO t VALUES (%s, %s)", [(1, "x"), (2, None), (3, "z")])
    assert cursor.rowcount == 3
    with pytest.raises(caldera.DataError):
        connection.executemany("INSERT INTO t VALUES (%s, %s)", [(4, "x"), ("not a number", "y")])
    assert connection.sql("SELECT count(*), sum(a) FROM t").fetchall() == [(3, 6)]
    with pytest.raises(caldera.NotSupportedError):
        connection.executemany("SELECT %s::int", [(1,), (2,)])


def test_errors_have_sqlstate_and_show_the_line(connection):
    with pytest.raises(caldera.ProgrammingError) as caught:
        connection.sql("SELECT 1 +\n  nothing FROM generate_series(1, 2)")
    assert caught.value.sqlstate == "42703"
    assert caught.value.__notes__ == ["LINE 2:   nothing FROM generate_series(1, 2)\n          ^"]
    with pytest.raises(caldera.DataError) as caught:
        connection.sql("SELECT 1 / 0")
    assert caught.value.sqlstate == "22012"
    assert connection.sql("SELECT 1").fetchone() == (1,)


def frames_of(raised):
    """The functions of an exception's traceback."""
    return [frame.name for frame in traceback.extract_tb(raised.__traceback__)]


def test_tracebacks_show_the_users_lines_and_not_the_engine(connection):
    for act in (lambda: connection.sql("SELECT nothing"), lambda: connection.execute("SELECT 1 / 0"),
                lambda: connection.cursor().executemany("SELECT 1 / %s", [(0,)]), lambda: connection.cursor().fetchall(),
                lambda: caldera.connect(no_such_setting=1), lambda: connection.sql("SELECT * FROM '/no/such/file.csv'")):
        with pytest.raises(caldera.Error) as caught:
            act()
        assert frames_of(caught.value)[-2:] == ["<lambda>", "call"] and caught.value.__cause__ is None
    connection.execute("SET debug = 1")
    with pytest.raises(caldera.Error) as caught:
        connection.sql("SELECT nothing")
    assert "find_column" in frames_of(caught.value)


@pytest.mark.parametrize("python", [True, False])
def test_what_a_users_function_raised_is_shown_from_its_own_line(connection, python):
    @caldera.function("forgetful(int4) -> int4", python=python)
    def careless(x):
        return {}["missing"]
    for text in ("SELECT forgetful(1)", "SELECT forgetful(g) FROM generate_series(1, 100) g"):
        with pytest.raises(caldera.Error) as caught:
            connection.sql(text)
        assert caught.value.sqlstate == "38000" and caught.value.message == "function forgetful failed: KeyError: 'missing'"
        assert frames_of(caught.value.__cause__) == ["careless"] and isinstance(caught.value.__cause__, KeyError)


def test_closed_connection_and_cursor_refuse(connection):
    other = caldera.connect()
    cursor = other.cursor()
    cursor.close()
    with pytest.raises(caldera.InterfaceError):
        cursor.execute("SELECT 1")
    other.close()
    other.close()
    with pytest.raises(caldera.InterfaceError):
        other.sql("SELECT 1")


def test_unknown_setting_is_refused_and_leaves_nothing_open(tmp_path):
    with pytest.raises(caldera.ProgrammingError):
        caldera.connect(tmp_path / "db", no_such_setting=1)
    with pytest.raises(caldera.DataError):
        caldera.connect(tmp_path / "db", threads="many")
    from caldera.client.connection import OPEN
    assert str(tmp_path / "db") not in OPEN


# ------------------------------------------------------------------------------------------------ transactions

def test_statements_commit_by_themselves(tmp_path):
    with caldera.connect(tmp_path / "db") as one, caldera.connect(tmp_path / "db") as other:
        one.execute("CREATE TABLE t (a int)")
        one.execute("INSERT INTO t VALUES (1)")
        assert other.sql("SELECT * FROM t").fetchall() == [(1,)]
        one.commit()
        one.rollback()                          # nothing is open: nothing happens


def test_transaction_block_commits_or_rolls_back(connection):
    connection.execute("CREATE TABLE t (a int)")
    with connection.transaction():
        connection.execute("INSERT INTO t VALUES (1)")
    with pytest.raises(KeyError), connection.transaction():
        connection.execute("INSERT INTO t VALUES (2)")
        raise KeyError
    assert connection.sql("SELECT a FROM t").fetchall() == [(1,)]


def test_in_a_block_each_statement_has_a_time_of_its_own(connection):
    moments = "SELECT now(), statement_timestamp()"
    own_transaction = connection.execute(moments).fetchone()
    assert own_transaction[0] == own_transaction[1]
    connection.execute("BEGIN")
    started, first = connection.execute(moments).fetchone()
    still_started, second = connection.execute(moments).fetchone()
    assert started == still_started < first < second


def test_without_autocommit_a_transaction_begins_by_itself(tmp_path):
    with caldera.connect(tmp_path / "db") as watcher:
        watcher.execute("CREATE TABLE t (a int)")
        with caldera.connect(tmp_path / "db", autocommit=False) as writer:
            writer.execute("INSERT INTO t VALUES (1)")
            assert watcher.sql("SELECT count(*) FROM t").fetchone() == (0,)
            writer.commit()
            assert watcher.sql("SELECT count(*) FROM t").fetchone() == (1,)
            writer.execute("INSERT INTO t VALUES (2)")
            writer.rollback()
            writer.execute("INSERT INTO t VALUES (3)")          # committed by the end of `with`
        assert watcher.sql("SELECT a FROM t ORDER BY a").fetchall() == [(1,), (3,)]
        with pytest.raises(ZeroDivisionError), caldera.connect(tmp_path / "db", autocommit=False) as writer:
            writer.execute("INSERT INTO t VALUES (4)")
            raise ZeroDivisionError
        assert watcher.sql("SELECT count(*) FROM t").fetchone() == (2,)


def test_commit_of_a_failed_transaction_says_so():
    with caldera.connect(autocommit=False) as connection:
        with pytest.raises(caldera.DataError):
            connection.execute("SELECT 1 / 0")
        with pytest.raises(caldera.InternalError) as caught:
            connection.execute("SELECT 1")
        assert caught.value.sqlstate == "25P02"
        with pytest.raises(caldera.Error) as caught:
            connection.commit()
        assert caught.value.sqlstate == "25P02"
        assert connection.execute("SELECT 1").fetchone() == (1,)


# ------------------------------------------------------------------------------------------------ plans that are kept

def test_a_repeated_statement_sees_new_rows_and_new_tables(connection):
    connection.execute("CREATE TABLE t (a int)")
    for expected in range(3):
        assert connection.sql("SELECT count(*) FROM t").fetchone() == (expected,)
        connection.execute("INSERT INTO t VALUES ($1)", [expected])
    connection.execute("DROP TABLE t")
    connection.execute("CREATE TABLE t (a text, b int)")
    assert connection.sql("SELECT count(*) FROM t").fetchone() == (0,)


def test_a_repeated_statement_with_parameters_takes_each_anew(connection):
    for count in (2, 0, 5):
        rows = connection.execute("SELECT g FROM generate_series(1, 10) g ORDER BY g LIMIT $1", [count]).fetchall()
        assert rows == [(number,) for number in range(1, count + 1)]
    for value, expected in ((3, (3,)), (None, (None,)), (4, (4,))):
        assert connection.execute("SELECT $1::int", [value]).fetchone() == expected


# ------------------------------------------------------------------------------------------------ threads and Ctrl-C

def test_threads_share_a_connection(connection):
    connection.execute("CREATE TABLE t (a int)")
    faults = []

    def work(number):
        try:
            for turn in range(10):
                connection.execute("INSERT INTO t VALUES ($1)", [number * 100 + turn])
                assert connection.sql("SELECT $1::int + 1", number).fetchone() == (number + 1,)
        except BaseException as fault:
            faults.append(fault)
    in_threads(work, 4)
    assert faults == []
    assert connection.sql("SELECT count(*), count(DISTINCT a) FROM t").fetchone() == (40, 40)


def test_threads_have_connections_of_one_database(tmp_path):
    with caldera.connect(tmp_path / "db") as connection:
        connection.execute("CREATE TABLE t (a int)")
        faults = []

        def work(number):
            try:
                with caldera.connect(tmp_path / "db") as own:
                    for turn in range(10):
                        own.execute("INSERT INTO t VALUES ($1)", [number * 100 + turn])
                        assert own.sql("SELECT count(*) FROM t").fetchone()[0] > turn
            except BaseException as fault:
                faults.append(fault)
        in_threads(work, 4)
        assert faults == []
        assert connection.sql("SELECT count(*) FROM t").fetchone() == (40,)


def in_threads(work, count):
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)


def test_cancel_from_another_thread(connection):
    timer = threading.Timer(0.5, connection.cancel)
    timer.start()
    with pytest.raises(caldera.OperationalError) as caught:
        connection.sql(ENDLESS)
    assert caught.value.sqlstate == "57014"
    assert connection.sql("SELECT 1").fetchone() == (1,)


def test_control_c_cancels_the_query_and_the_connection_lives():
    code = f"""
import os, signal, threading, caldera
connection = caldera.connect()
connection.sql("SELECT 1")
threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    connection.sql({ENDLESS!r})
except KeyboardInterrupt as interrupt:
    print("interrupted", type(interrupt.__cause__).__name__)
print(connection.sql("SELECT 41 + 1").fetchone())
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "interrupted OperationalError\n(42,)\n", done.stderr


def test_a_program_with_its_own_sigint_handler_keeps_it(connection):
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        connection.sql("SELECT 1")
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


# ------------------------------------------------------------------------------------------------ sharing a directory

def test_a_second_process_is_refused(tmp_path):
    with caldera.connect(tmp_path / "db") as connection:
        connection.execute("CREATE TABLE t (a int)")
        code = "import sys, caldera; caldera.connect(sys.argv[1])"
        done = subprocess.run([sys.executable, "-c", code, tmp_path / "db"], capture_output=True, text=True, timeout=60)
        assert done.returncode == 1
        assert "is being used by another process" in done.stderr and str(os.getpid()) in done.stderr
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "db"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_connections_that_are_forgotten_let_the_database_go(tmp_path):
    from caldera.client.connection import OPEN
    connection = caldera.connect(tmp_path / "db")
    key = connection.key
    connection.execute("CREATE TABLE t (a int)")
    del connection
    deadline = time.monotonic() + 10
    while key in OPEN and time.monotonic() < deadline:
        caldera.connect().close()
    assert key not in OPEN


def test_data_stays_in_its_directory_when_the_connection_is_closed(tmp_path):
    with caldera.connect(tmp_path / "db") as connection:
        connection.execute("CREATE TABLE t (a int)")
        connection.execute("INSERT INTO t VALUES (1)")
    with caldera.connect(str(tmp_path / "db")) as connection:
        assert connection.sql("SELECT a FROM t").fetchall() == [(1,)]
