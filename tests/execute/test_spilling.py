"""Queries that memory has no room for: their rows go to disk and come back, and nothing is left behind, however they end."""
import errno
import os
import re
import signal
import subprocess
import sys
import time

import pytest

import caldera
from caldera.transaction import files
from tests.execute.engine import QUERIES, filled

JOINS = {
    "inner": "SELECT a.id, b.unique_word FROM t a JOIN t b ON a.id = b.big ORDER BY 1",
    "left": "SELECT a.id, b.unique_word FROM t a LEFT JOIN t b ON a.id = b.big AND b.small > 3 ORDER BY 1",
    "full": "SELECT a.id, b.id FROM t a FULL JOIN (SELECT * FROM t WHERE small < 20) b "
            "ON a.unique_word = b.unique_word ORDER BY 1",
    "semi": "SELECT id FROM t WHERE EXISTS (SELECT FROM t b WHERE b.big = t.id AND b.word IS NOT NULL) ORDER BY 1",
    "anti": "SELECT id FROM t WHERE NOT EXISTS (SELECT FROM t b WHERE b.big = t.id) ORDER BY 1",
    "mark": "SELECT id, EXISTS (SELECT FROM t b WHERE b.big = t.id) FROM t ORDER BY 1",
    "star": "SELECT a.word, count(*), sum(c.n) FROM t a JOIN t b ON a.big = b.big JOIN t c ON b.unique_word = c.unique_word "
            "GROUP BY 1 ORDER BY 1",
    "with equal keys": "SELECT count(*), sum(a.id), min(b.unique_word) FROM t a JOIN t b ON a.small = b.small "
                       "WHERE a.id < 500",
}
OTHERS = {
    "texts of groups": "SELECT big % 500, min(unique_word), max(unique_word) FROM t GROUP BY 1 ORDER BY 1",
    "states in Python": "SELECT big % 100, length(string_agg(unique_word, ',' ORDER BY id)) FROM t GROUP BY 1 ORDER BY 1",
    "groups of groups": "SELECT c, count(*) FROM (SELECT unique_word, count(*) c FROM t GROUP BY 1) s GROUP BY 1",
    "grouping sets": "SELECT small, unique_word, count(*), min(word), grouping(small, unique_word) FROM t WHERE id <= 3000 "
                     "GROUP BY CUBE (small, unique_word) ORDER BY 1, 2, 3, 5",
    "grouping sets of states": "SELECT small, length(string_agg(word, ',')), count(DISTINCT big) FROM t WHERE id <= 2000 "
                               "GROUP BY ROLLUP (small, n) ORDER BY 1, 2, 3",
    "sort by texts": "SELECT unique_word, id FROM t ORDER BY unique_word DESC, id",
    "sort by numerics": "SELECT n, word, id FROM t ORDER BY n, word NULLS FIRST, id",
    "rows that tie": "SELECT small, id FROM t ORDER BY small",
    "offset": "SELECT big FROM t ORDER BY big OFFSET 4000",
    "partitions": "SELECT id, lag(unique_word) OVER w, sum(n) OVER w FROM t WINDOW w AS (PARTITION BY small ORDER BY id) "
                  "ORDER BY 1",
    "one partition": "SELECT id, rank() OVER (ORDER BY big), max(f) OVER (ORDER BY id ROWS 3 PRECEDING) FROM t ORDER BY 1",
    "union": "SELECT id % 100, word FROM t UNION SELECT big % 100, word FROM t ORDER BY 1, 2",
    "union all": "SELECT count(*), min(w), max(w), sum(x) FROM (SELECT id x, unique_word w FROM t "
                 "UNION ALL SELECT big, word FROM t) s",
    "rows of a union and their partners": "SELECT count(*), min(w), max(w), sum(x) FROM (SELECT id x, unique_word w FROM t "
                                          "UNION ALL SELECT big, word FROM t) s JOIN t ON s.x = t.id",
    "common table": "WITH c AS MATERIALIZED (SELECT id, unique_word w, n FROM t) SELECT a.id, b.w, a.n FROM c a JOIN c b "
                    "ON a.id = b.id + 1 ORDER BY 1",
    "common table in order": "WITH c AS MATERIALIZED (SELECT unique_word w, n FROM t ORDER BY big) SELECT * FROM c",
    "common table in a subquery": "WITH c AS MATERIALIZED (SELECT id, n FROM t) "
                                  "SELECT (SELECT sum(n) FROM c), count(*) FROM c",
    "recursion": "WITH RECURSIVE r (n, w, x) AS (SELECT 1, unique_word, id::numeric FROM t WHERE id <= 3000 UNION ALL "
                 "SELECT n + 1, w || n, x / 3 FROM r WHERE n < 4) SELECT n, min(w), max(w), sum(x), count(*) FROM r "
                 "GROUP BY n ORDER BY 1",
    "recursion of distinct rows": "WITH RECURSIVE r (a, w) AS (SELECT id, left(unique_word, 23) FROM t UNION "
                                  "SELECT a * 3 % 4001, w FROM r WHERE a % 5 = 0) SELECT a, count(*), max(w) FROM r "
                                  "GROUP BY a ORDER BY 1",
    "except": "SELECT big % 100, word FROM t EXCEPT ALL SELECT id % 100, word FROM t ORDER BY 1, 2",
}
ALL = QUERIES | JOINS | OTHERS


@pytest.fixture(scope="module")
def connection(tmp_path_factory):
    with filled(6_000, parts=2, path=tmp_path_factory.mktemp("spilling") / "db", threads=2) as connection:
        yield connection


@pytest.fixture(autouse=True)
def nothing_is_left(connection):
    """After every test there is no file, all memory is given back, and queries work."""
    yield
    for name in ("work_mem", "memory_limit", "caldera.forced_spill", "caldera.tier", "threads"):
        connection.sql(f"RESET {name}")
    assert temporary_files(connection.database.path) == [] and connection.database.budget.used == 0
    assert connection.sql("SELECT count(DISTINCT big) FROM t").fetchall() == [(6_000,)]


def temporary_files(path):
    """Names of the files of running queries."""
    folder = os.path.join(path, "temporary")
    return os.listdir(folder) if os.path.isdir(folder) else []


def spilled_bytes(connection, query):
    """What EXPLAIN ANALYZE says that a query has written, in kB."""
    lines = [line for line, in connection.sql("EXPLAIN (ANALYZE) " + query).fetchall()]
    return sum(int(size) for line in lines for size in re.findall(r"spilled=(\d+) kB", line))


@pytest.mark.parametrize("setting", ["work_mem = '64kB'", "caldera.forced_spill = on"])
@pytest.mark.parametrize("name", ALL)
def test_the_answer_is_the_same_with_little_memory(connection, name, setting):
    expected = connection.sql(ALL[name]).fetchall()
    connection.sql("SET " + setting)
    assert connection.sql(ALL[name]).fetchall() == expected
    connection.sql("SET threads = 1")
    assert connection.sql(ALL[name]).fetchall() == expected


@pytest.mark.parametrize("name", ["groups by text", "count distinct", "sort by texts", "inner", "full", "partitions",
                                  "union", "grouping sets"])
def test_explain_analyze_tells_what_was_written(connection, name):
    assert spilled_bytes(connection, ALL[name]) == 0
    connection.sql("SET work_mem = '64kB'")
    assert spilled_bytes(connection, ALL[name]) > 50


@pytest.mark.parametrize("name", ["groups by text", "sort by texts", "star", "partitions"])
def test_a_memory_limit_too_small_for_the_rows_is_enough_with_a_disk(connection, name):
    expected = connection.sql(ALL[name]).fetchall()
    connection.sql("SET memory_limit = '6MB'")
    assert connection.sql(ALL[name]).fetchall() == expected


def test_a_common_table_larger_than_memory_goes_to_disk(connection):
    query = ("WITH c AS MATERIALIZED (SELECT g, 'a text of some length ' || g w FROM generate_series(1, 200000) g) "
             "SELECT count(*), min(w), max(w), sum(g) FROM (SELECT * FROM c UNION ALL SELECT * FROM c) s")
    expected = connection.sql(query).fetchall()
    connection.sql("SET memory_limit = '8MB'")
    assert connection.sql(query).fetchall() == expected


def test_a_single_group_without_room_ends_with_an_error(connection):
    connection.sql("SET memory_limit = '3MB'")
    with pytest.raises(caldera.Error) as caught:
        connection.sql("SELECT length(string_agg(repeat(unique_word, 50), ',' ORDER BY id)) FROM t GROUP BY id > 0")
    assert caught.value.sqlstate == "53200"


@pytest.mark.parametrize("kind", ["JOIN", "LEFT JOIN", "FULL JOIN"])
def test_a_join_ends_though_all_keys_are_equal(connection, kind):
    query = f"SELECT count(*) FROM (SELECT id % 2 k FROM t WHERE id <= 300) a {kind} (SELECT 1 k, word FROM t) b USING (k)"
    connection.sql("SET work_mem = '64kB'")
    missing = 150 if kind != "JOIN" else 0
    assert connection.sql(query).fetchone() == (150 * 6_000 + missing,)


@pytest.mark.parametrize("name", ["groups by text", "sort by texts", "inner", "partitions", "union", "grouping sets",
                                  "recursion of distinct rows"])
def test_a_full_disk_ends_a_query_and_nothing_else(connection, name, monkeypatch):
    """The disk is full at the first write, at the second, ..."""
    expected = connection.sql(ALL[name]).fetchall()
    connection.sql("SET caldera.forced_spill = on")
    for allowed in (0, 1, 7):
        left = [allowed]

        def write(descriptor, data, left=left):
            left[0] -= 1
            if left[0] < 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            return os.write(descriptor, data)
        with monkeypatch.context() as patch:
            patch.setattr(files.system, "write", write)
            with pytest.raises(caldera.Error) as caught:
                connection.sql(ALL[name]).fetchall()
        assert caught.value.sqlstate == "53100" and "No space left on device" in caught.value.message
        assert temporary_files(connection.database.path) == []
    assert connection.sql(ALL[name]).fetchall() == expected


@pytest.mark.parametrize("name", ["groups by text", "sort by texts", "inner", "partitions", "grouping sets",
                                  "recursion of distinct rows"])
def test_a_query_is_cancelled_while_it_writes(connection, name, monkeypatch):
    connection.sql("SET caldera.forced_spill = on")

    def write(*arguments):
        connection.cancel()
        return os.write(*arguments)
    with monkeypatch.context() as patch:
        patch.setattr(files.system, "write", write)
        with pytest.raises(caldera.Error) as caught:
            connection.sql(ALL[name])
    assert caught.value.sqlstate == "57014" and temporary_files(connection.database.path) == []


@pytest.mark.parametrize("name", ["inner", "sort by texts", "groups by text"])
def test_a_damaged_page_is_noticed(connection, name, monkeypatch):
    connection.sql("SET caldera.forced_spill = on")

    def write(descriptor, data):
        damaged = bytearray(data)
        damaged[-1] ^= 1
        return os.write(descriptor, damaged)
    with monkeypatch.context() as patch:
        patch.setattr(files.system, "write", write)
        with pytest.raises(caldera.Error) as caught:
            connection.sql(ALL[name])
    assert caught.value.sqlstate == "XX001"


CHILD = """
import sys, caldera
connection = caldera.connect(sys.argv[1])
connection.sql("SET work_mem = '64kB'")
print("open", flush=True)
connection.sql("SELECT g, 'a text of some length ' || g FROM generate_series(1, 100000000) g ORDER BY 2 LIMIT 10000000")
"""


def test_what_a_killed_process_leaves_is_removed_by_the_next(tmp_path):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(tmp_path / "db")], stdout=subprocess.PIPE, env=environment)
    assert child.stdout.readline() == b"open\n"
    until = time.monotonic() + 60
    while not temporary_files(tmp_path / "db") and time.monotonic() < until:
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert temporary_files(tmp_path / "db")
    with caldera.connect(tmp_path / "db") as connection:
        assert temporary_files(tmp_path / "db") == []
        assert connection.sql("SELECT 1").fetchone() == (1,)


def test_a_database_in_memory_writes_to_the_folder_of_the_system_and_removes_it():
    with filled(3_000, threads=1) as connection:
        connection.sql("SET caldera.forced_spill = on")
        connection.sql(QUERIES["sort"])
        folder = connection.database.temporary.path
        assert os.listdir(folder) == []
    assert not os.path.exists(folder)
