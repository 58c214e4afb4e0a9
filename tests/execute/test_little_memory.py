"""Little memory for everything: random queries under random budgets, several at once, limits for files, what errors say."""
import os
import random
import threading

import pytest

import caldera
from tests.execute.engine import filled
from tests.execute.test_spilling import ALL, temporary_files

SEED = 20_261
ROUNDS = int(os.environ.get("CALDERA_EXAMPLES", 8))
KEYS = ("small", "big % 700", "word", "unique_word", "n", "f", "id % 3, word", "big % 90, n")
AGGREGATES = ("count(*)", "sum(id)", "min(unique_word)", "max(word)", "count(DISTINCT big)", "count(DISTINCT word)",
              "sum(n)", "avg(n)", "string_agg(word, ',' ORDER BY id)", "array_agg(id ORDER BY id)",
              "percentile_disc(0.5) WITHIN GROUP (ORDER BY big)")
JOINS = ("JOIN", "LEFT JOIN", "FULL JOIN")
CONDITIONS = ("a.id = b.big", "a.unique_word = b.unique_word", "a.small = b.small AND a.id = b.id",
              "a.n = b.n AND a.id = b.id")
WINDOWS = ("row_number()", "lag(unique_word)", "sum(n)", "rank()", "count(word)")


@pytest.fixture(scope="module")
def connection(tmp_path_factory):
    with filled(4_000, parts=2, path=tmp_path_factory.mktemp("little") / "db", threads=2) as connection:
        yield connection


@pytest.fixture(autouse=True)
def nothing_is_left(connection):
    """After every test there is no file, and all memory is given back."""
    yield
    connection.sql("RESET ALL")
    assert temporary_files(connection.database.path) == [] and connection.database.budget.used == 0


def random_query(random):
    """A query over t whose rows come in order."""
    kind = random.choice(("groups", "join", "window", "sort", "set"))
    if kind == "groups":
        calls = ", ".join(random.sample(AGGREGATES, 3))
        keys = random.choice(KEYS)
        return f"SELECT {keys}, {calls} FROM t GROUP BY {keys} ORDER BY {keys}"
    if kind == "join":
        return (f"SELECT a.id, b.id, a.word, b.unique_word FROM t a {random.choice(JOINS)} "
                f"(SELECT * FROM t WHERE id % 3 <> 1) b ON {random.choice(CONDITIONS)} ORDER BY 1, 2")
    if kind == "window":
        window = f"PARTITION BY {random.choice(KEYS)} ORDER BY id"
        return f"SELECT id, {random.choice(WINDOWS)} OVER ({window}) FROM t ORDER BY 1"
    if kind == "sort":
        return f"SELECT {random.choice(KEYS)}, id, unique_word FROM t ORDER BY {random.choice(KEYS)} DESC NULLS LAST, id"
    operation = random.choice(("UNION", "EXCEPT ALL", "INTERSECT", "EXCEPT"))
    return f"SELECT big % 500, word FROM t {operation} SELECT id % 500, word FROM t WHERE id % 2 = 0 ORDER BY 1, 2"


def test_any_query_has_the_same_answer_under_any_budget(connection):
    """A budget may be too small; then the error says so, and nothing else happens."""
    choices, ended = random.Random(SEED), 0
    for number in range(ROUNDS):
        query = random_query(choices)
        connection.sql("RESET ALL")
        expected = connection.sql(query).fetchall()
        connection.sql(f"SET work_mem = '{choices.choice((64, 100, 300, 1000))}kB'")
        connection.sql(f"SET memory_limit = '{choices.choice((1500, 2500, 4000, 9000))}kB'")
        connection.sql(f"SET threads = {choices.choice((1, 2, 3))}")
        try:
            assert connection.sql(query).fetchall() == expected, (SEED, number, query)
            ended += 1
        except caldera.Error as failure:
            assert failure.sqlstate == "53200", (SEED, number, query)
    assert ended > ROUNDS // 2


def test_queries_at_once_share_one_budget(connection):
    """Four connections run what needs more than the budget, again and again, and all get right answers or 53200."""
    names = ["groups by text", "sort by texts", "inner", "partitions"]
    expected = {name: connection.sql(ALL[name]).fetchall() for name in names}
    wrong, right = [], []

    def run(name):
        with caldera.connect(connection.database.path) as other:
            other.sql("SET memory_limit = '6MB'")
            for _ in range(2):
                try:
                    (right if other.sql(ALL[name]).fetchall() == expected[name] else wrong).append(name)
                except caldera.Error as failure:
                    if failure.sqlstate != "53200":
                        wrong.append((name, failure))
    threads = [threading.Thread(target=run, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(right) >= 4


@pytest.mark.parametrize("name", ["groups by text", "sort by texts", "inner", "common table"])
def test_files_become_no_larger_than_their_limit(connection, name):
    expected = connection.sql(ALL[name]).fetchall()
    connection.sql("SET caldera.forced_spill = on")
    connection.sql("SET temp_file_limit = '70kB'")
    with pytest.raises(caldera.Error) as caught:
        connection.sql(ALL[name])
    assert (caught.value.sqlstate, caught.value.message) == ("53400", 'temporary file size exceeds "temp_file_limit" (70kB)')
    assert temporary_files(connection.database.path) == []
    connection.sql("SET temp_file_limit = '100MB'")
    assert connection.sql(ALL[name]).fetchall() == expected
    assert connection.session.temporary_quota.used == 0


@pytest.mark.parametrize("query, words", [
    ("SELECT length(string_agg(repeat(unique_word, 50), ',')) FROM t", "Aggregate"),
    ("SELECT *, repeat(unique_word, 50) FROM t", "Result"),
    ("SELECT max(w) FROM (SELECT lag(w) OVER (ORDER BY id) w FROM (SELECT id, repeat(unique_word, 30) w FROM t) s) s",
     "Window"),
])
def test_an_error_for_want_of_memory_names_what_wanted_it(connection, query, words):
    connection.sql("SET memory_limit = '3MB'")
    with pytest.raises(caldera.Error) as caught:
        connection.sql(query)
    assert caught.value.sqlstate == "53200" and words in caught.value.detail and "memory_limit" in caught.value.hint
    assert connection.sql("SELECT count(*) FROM t").fetchone() == (4_000,)
