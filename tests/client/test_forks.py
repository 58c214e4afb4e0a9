"""After `fork` a child cannot use its parent's connections, is told so, and can open its own."""
import os
import signal
import threading

import pytest

import caldera

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
SQL = "SELECT sum(x) FROM generate_series(1, 300000) x WHERE x > 5"


def in_child(function):
    """What a function returns, or the text of what it raises, from a child process; it is killed after a minute."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            signal.alarm(60)
            try:
                answer = function()
            except BaseException as problem:
                answer = f"{type(problem).__name__}: {problem}"
            os.write(writing, str(answer).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    assert os.waitpid(child, 0)[1] == 0
    return answer


def use_all(connection):
    """Have workers, compilers and locks made."""
    connection.execute("SET caldera.tier = 'fast'")
    return connection.sql(SQL).fetchall()


@pytest.mark.parametrize("on_disk", [False, True])
def test_a_connection_does_not_survive_a_fork(tmp_path, on_disk):
    with caldera.connect(tmp_path / "db" if on_disk else None, threads=2) as connection:
        expected = use_all(connection)
        answer = in_child(lambda: connection.sql(SQL).fetchall())
        assert answer == (f"InterfaceError: the connection belongs to the parent process (PID {os.getpid()}): connect anew "
                          "after a fork")
        assert in_child(connection.close) == "None"
        assert connection.sql(SQL).fetchall() == expected


def test_a_child_opens_databases_of_its_own(tmp_path):
    with caldera.connect(tmp_path / "db", threads=2) as connection:
        expected = use_all(connection)
        assert in_child(lambda: use_all(caldera.connect(threads=2))) == str(expected)
        assert in_child(lambda: use_all(caldera.connect(tmp_path / "other", threads=2))) == str(expected)
        assert "is being used by another process" in in_child(lambda: caldera.connect(tmp_path / "db"))


def test_a_child_may_be_made_while_queries_run():
    stop = threading.Event()

    def keep_busy():
        with caldera.connect(threads=2) as connection:
            while not stop.is_set():
                use_all(connection)
    busy = threading.Thread(target=keep_busy)
    busy.start()
    try:
        for _ in range(3):
            assert in_child(lambda: caldera.connect(threads=2).sql(SQL).fetchall()) == "[(45000149985,)]"
    finally:
        stop.set()
        busy.join()


def test_a_child_that_lives_on_does_not_keep_the_directory(tmp_path):
    connection = caldera.connect(tmp_path / "db")
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(writing)
        os.read(reading, 1)                                 # until the parent has done
        os._exit(0)
    connection.close()
    with caldera.connect(tmp_path / "db") as again:
        assert again.sql("SELECT 1").fetchall() == [(1,)]
    os.close(writing)
    os.waitpid(child, 0)
