"""Whatever ends a query early ends it with PostgreSQL's error, gives its memory back, and leaves the next query unharmed."""
import threading
import time
from dataclasses import replace

import pytest

import caldera
from caldera.execute.run import Run
from caldera.functions.registry import FUNCTIONS
from tests.execute.engine import QUERIES, filled

LONG = "SELECT sum(i % 7) FROM generate_series(1, 1000000000000) AS g (i)"


@pytest.fixture(scope="module")
def connection():
    with filled(20_000, parts=2, threads=2) as connection:
        yield connection


def budget(connection):
    return connection.database.budget


@pytest.fixture(autouse=True)
def nothing_is_kept(connection):
    """After every test all memory has been given back, and queries work."""
    yield
    for name in ("statement_timeout", "memory_limit", "threads", "caldera.tier"):
        connection.sql(f"RESET {name}")
    assert budget(connection).used == 0
    assert connection.sql("SELECT count(*), count(DISTINCT big) FROM t").fetchall() == [(20_000, 20_000)]
    assert budget(connection).used == 0


def cancelled_soon(connection, query):
    """Run a query that another thread cancels; the error."""
    ended = threading.Event()

    def keep_cancelling():
        while not ended.wait(0.02):
            connection.cancel()
    thread = threading.Thread(target=keep_cancelling)
    thread.start()
    try:
        with pytest.raises(caldera.Error) as caught:
            connection.sql(query)
        return caught.value
    finally:
        ended.set()
        thread.join()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("query", [LONG, LONG.replace("sum(i % 7)", "i % 10, count(*)") + " GROUP BY 1",
                                   LONG.replace("sum(i % 7)", "i") + " ORDER BY i DESC LIMIT 3",
                                   "SELECT count(DISTINCT i % 100) FROM generate_series(1, 1000000000000) AS g (i)",
                                   "SELECT i FROM generate_series(1, 1000000000000) AS g (i) WHERE i < 0"])
def test_a_long_scan_is_cancelled_from_another_thread(connection, query, threads):
    connection.sql(f"SET threads = {threads}")
    error = cancelled_soon(connection, query)
    assert (error.sqlstate, error.message) == ("57014", "canceling statement due to user request")


@pytest.mark.parametrize("tier", ["auto", "fast", "o3"])
def test_a_long_scan_times_out(connection, tier):
    connection.sql(f"SET caldera.tier = '{tier}'")
    connection.sql("SET statement_timeout = '50ms'")
    with pytest.raises(caldera.Error) as caught:
        connection.sql(LONG)
    assert (caught.value.sqlstate, caught.value.message) == ("57014", "canceling statement due to statement timeout")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("condition", ["", "WHERE NOT EXISTS (SELECT FROM few f WHERE f.i < a.i + b.i + c.i - 6000)"])
def test_a_join_that_makes_many_rows_of_few_times_out(connection, condition, threads):
    connection.sql(f"SET threads = {threads}")
    connection.sql("SET statement_timeout = '50ms'")
    few = "WITH few (i) AS MATERIALIZED (SELECT generate_series(1, 2000)) "
    with pytest.raises(caldera.Error) as caught:
        connection.sql(f"{few} SELECT count(*) FROM few a, few b, few c {condition}")
    assert (caught.value.sqlstate, caught.value.message) == ("57014", "canceling statement due to statement timeout")


def test_python_functions_are_cancelled_and_time_out(connection, monkeypatch):
    """A function that is slow on purpose, on so few rows that no scan would look for a cancel."""
    function = next(function for function in FUNCTIONS["like_escape"] if function.arguments[0].name == "text")
    slow_function = replace(function, body=lambda *arguments: time.sleep(0.01) or "x")
    monkeypatch.setitem(FUNCTIONS, "like_escape", [slow_function])
    slow = "SELECT count(like_escape(unique_word, 'x' || id)) FROM t WHERE id <= 1000"
    error = cancelled_soon(connection, slow)
    assert error.sqlstate == "57014"
    connection.sql("SET statement_timeout = '50ms'")
    with pytest.raises(caldera.Error) as caught:
        connection.sql(slow)
    assert caught.value.sqlstate == "57014"


@pytest.mark.parametrize("name", ["groups by hash", "groups by text", "groups by dictionary", "count distinct", "sort",
                                  "strings"])
def test_every_pipeline_of_a_query_can_be_cancelled(connection, name, monkeypatch):
    """The flag is set at the moment when pipeline number n starts, for every n."""
    original, started, cancel_at = Run.run, [], [0]

    def run(self, pipeline):
        started.append(pipeline.label)
        if len(started) == cancel_at[0]:
            connection.cancel()
        original(self, pipeline)
    monkeypatch.setattr(Run, "run", run)
    expected = connection.sql(QUERIES[name]).fetchall()
    count = len(started)
    assert count >= 1
    for number in range(1, count + 1):
        started.clear()
        cancel_at[0] = number
        try:
            connection.sql(QUERIES[name])
        except caldera.Error as error:
            assert error.sqlstate == "57014"
        assert budget(connection).used == 0
    cancel_at[0] = 0
    assert connection.sql(QUERIES[name]).fetchall() == expected


@pytest.mark.parametrize("name", ["groups by hash", "groups by text", "count distinct", "sort", "distinct"])
def test_too_little_memory_is_an_error_and_nothing_more(connection, name):
    expected = connection.sql(QUERIES[name]).fetchall()
    connection.sql("SET memory_limit = '100kB'")
    with pytest.raises(caldera.Error) as caught:
        connection.sql(QUERIES[name])
    assert (caught.value.sqlstate, caught.value.message) == ("53200", "out of memory")
    assert budget(connection).used == 0
    connection.sql("RESET memory_limit")
    assert connection.sql(QUERIES[name]).fetchall() == expected


@pytest.mark.parametrize("query, sqlstate", [
    ("SELECT sum(1 / (id - 15000)) FROM t", "22012"), ("SELECT id, 1 / (id - 15000) FROM t ORDER BY 1", "22012"),
    ("SELECT big, sum(2147483647 + small) FROM t GROUP BY big", "22003"), ("SELECT word::int FROM t", "22P02"),
    ("SELECT count(*) FROM t WHERE unique_word::date > '2000-01-01'", "22007"),
    ("SELECT (SELECT id FROM t)", "21000")])
def test_a_fault_in_the_middle_gives_all_memory_back(connection, query, sqlstate):
    with pytest.raises(caldera.Error) as caught:
        connection.sql(query)
    assert caught.value.sqlstate == sqlstate


def test_two_connections_run_at_the_same_time(tmp_path):
    """Different queries from different threads on one database, again and again; all answers stay what they are alone."""
    path = tmp_path / "db"
    with filled(20_000, parts=2, path=path, threads=2) as first, caldera.connect(path, threads=2) as second:
        names = ["groups by code", "groups by hash", "groups by dictionary", "top-N", "count distinct", "like"]
        expected = {name: first.sql(QUERIES[name]).fetchall() for name in names}
        failures = []

        def work(connection, order):
            for name in order * 4:
                try:
                    if connection.sql(QUERIES[name]).fetchall() != expected[name]:
                        failures.append(name)
                except Exception as exception:
                    failures.append((name, repr(exception)))
        threads = [threading.Thread(target=work, args=arguments) for arguments in ((first, names), (second, names[::-1]))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == [] and first.database.budget.used == 0


def test_cancelling_one_connection_leaves_the_other_alone(tmp_path):
    with filled(5_000, path=tmp_path / "db") as first, caldera.connect(tmp_path / "db") as second:
        errors = []

        def run_long():
            try:
                first.sql(LONG)
            except caldera.Error as error:
                errors.append(error.sqlstate)
        thread = threading.Thread(target=run_long)
        thread.start()
        while thread.is_alive():
            assert second.sql("SELECT count(*) FROM t").fetchall() == [(5_000,)]
            first.cancel()
            time.sleep(0.01)
        assert errors == ["57014"]


ENDLESS = {"rows of each round": "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
           "rows that did not come before": "WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n + 1 FROM r) SELECT n FROM r",
           "rows that two places read": "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n FROM r) SELECT 1 FROM r a, r b"}


@pytest.mark.parametrize("what", ENDLESS)
def test_a_recursion_without_end_times_out(connection, what):
    connection.sql("SET statement_timeout = '300ms'")
    with pytest.raises(caldera.Error) as caught:
        connection.sql(ENDLESS[what]).fetchall()
    assert caught.value.sqlstate == "57014"


def test_a_recursion_whose_texts_double_ends_at_the_memory_limit(connection):
    connection.sql("SET memory_limit = '16MB'")
    with pytest.raises(caldera.Error) as caught:
        connection.sql("WITH RECURSIVE r(s) AS (SELECT repeat('x', 1000) UNION ALL SELECT s || s FROM r) "
                       "SELECT s FROM r").fetchall()
    assert caught.value.sqlstate == "53200"


def test_a_limit_ends_a_recursion_that_has_no_end(connection):
    query = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r LIMIT 3"
    assert connection.sql(query).fetchall() == [(1,), (2,), (3,)]
