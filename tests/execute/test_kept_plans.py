"""A statement that comes again uses its plan and machine code again; what its code took for granted is checked each time."""
import contextlib

import numpy as np
import pytest

import caldera
from caldera.execute import run as running
from tests.execute.engine import rows_in_parts

QUERIES = ["SELECT count(*), count(a), sum(a), min(s), max(s) FROM t",
           "SELECT s, count(*), sum(a) FROM t GROUP BY s ORDER BY s",
           "SELECT a, count(*) FROM t GROUP BY a ORDER BY a NULLS FIRST", "SELECT a, s FROM t ORDER BY a, s",
           "SELECT a, s FROM t ORDER BY s DESC, a LIMIT 3", "SELECT count(*) FROM t WHERE s LIKE '%1%'",
           "SELECT DISTINCT upper(s) FROM t ORDER BY 1", "SELECT upper(s), sum(a) FROM t GROUP BY 1 ORDER BY 1",
           "SELECT count(DISTINCT s), count(DISTINCT a) FROM t", "SELECT sum(a), max(length(s)) FROM t WHERE a > 2"]

# What happens to the table between two runs; `changes` says what the code knew that is no longer so.
STEPS = ["INSERT INTO t SELECT i % 5, 'x' || i % 3 FROM generate_series(1, 500) AS g (i)",                 # a dictionary
         "INSERT INTO t SELECT i % 7, 'y' || i % 2 FROM generate_series(1, 500) AS g (i)",                 # a second part
         "INSERT INTO t VALUES (NULL, 'z'), (9, NULL)",                                                     # NULLs
         "INSERT INTO t SELECT i, 'unique ' || i FROM generate_series(1, 3000) AS g (i)",                  # no dictionary
         "INSERT INTO t SELECT -1000000 * i, '' FROM generate_series(1, 20) AS g (i)",                     # far-away keys
         "INSERT INTO t SELECT NULL, NULL FROM generate_series(1, 2000)",                                   # only NULLs
         "TRUNCATE t",                                                                                      # nothing
         "INSERT INTO t VALUES (1, 'one')"]


@pytest.fixture(params=[("auto", True), ("fast", True), ("fast", False)], ids=["auto", "fast", "fast, in deltas"])
def connection(request):
    tier, in_parts = request.param
    with caldera.connect(threads=2) as connection, rows_in_parts() if in_parts else contextlib.nullcontext():
        connection.sql(f"SET caldera.tier = '{tier}'")
        yield connection


def test_kept_plans_give_what_new_ones_give(connection):
    connection.sql("CREATE TABLE t (a int, s text)")
    for step in [None, *STEPS]:
        if step:
            connection.sql(step)
        kept = [connection.sql(query).fetchall() for query in QUERIES for _ in range(2)]
        connection.session.plans.clear()
        fresh = [connection.sql(query).fetchall() for query in QUERIES]
        assert kept[::2] == kept[1::2] == fresh, step


def test_a_kept_plan_is_not_staged_again_unless_facts_change(connection, monkeypatch):
    staged = []

    class Counting(running.LlvmKernel):
        """Counts how often code is generated."""
        def __init__(self, *arguments, **options):
            staged.append(1)
            super().__init__(*arguments, **options)
    monkeypatch.setattr(running, "LlvmKernel", Counting)
    connection.sql("SET caldera.tier = 'fast'")
    connection.sql("SET threads = 1")                       # whether there is work for one worker or more is a fact, too
    connection.sql("CREATE TABLE t (a int, s text)")
    connection.sql("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    query = "SELECT sum(a + 0) FROM t"
    assert connection.sql(query).fetchall() == [(3,)]
    before = len(staged)
    assert before > 0
    connection.sql("INSERT INTO t VALUES (3, 'z')")
    inserted = len(staged)
    assert connection.sql(query).fetchall() == [(6,)] and len(staged) == inserted
    connection.sql("INSERT INTO t VALUES (NULL, 'z')")
    inserted = len(staged)
    assert connection.sql(query).fetchall() == [(6,)] and len(staged) > inserted


def test_parameters_and_settings_of_kept_plans(connection):
    connection.sql("CREATE TABLE t (a int, s text)")
    connection.sql("INSERT INTO t SELECT i, 'text ' || i FROM generate_series(1, 100) AS g (i)")
    for number in (5, 50, None, 7):
        found = connection.sql("SELECT count(*) FROM t WHERE a < $1", number).fetchall()
        assert found == [(0 if number is None else number - 1,)]
    for text in ("text 1", "text 17", "", None):
        found = connection.sql("SELECT min(a) FROM t WHERE s = $1", text).fetchall()
        assert found == [({"text 1": 1, "text 17": 17}.get(text),)]
    for zone, expected in (("UTC", "12"), ("Europe/Berlin", "13"), ("UTC", "12")):
        connection.sql(f"SET TimeZone = '{zone}'")
        assert connection.sql("SELECT to_char(timestamptz '2024-01-01 12:00+00', 'HH24')").fetchall() == [(expected,)]


def test_subqueries_of_kept_plans_see_new_rows(connection):
    connection.sql("CREATE TABLE t (a int, s text)")
    for count in range(1, 5):
        connection.sql(f"INSERT INTO t VALUES ({count}, 'x')")
        assert connection.sql("SELECT a FROM t WHERE a = (SELECT max(a) FROM t)").fetchall() == [(count,)]


def test_a_dropped_and_recreated_table_is_another_table(connection):
    for type, expected in (("int", 3), ("numeric", 3), ("float8", 3.0)):
        connection.sql(f"CREATE TABLE t (a {type}, s text)")
        connection.sql("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
        assert connection.sql("SELECT sum(a) FROM t").fetchall() == [(expected,)]
        connection.sql("DROP TABLE t")


def test_plans_of_many_statements_are_let_go(connection):
    connection.sql("CREATE TABLE t (a int, s text)")
    for number in range(300):
        connection.sql(f"SELECT {number} + 1")
    assert len(connection.session.plans) <= 256
    assert np.isfinite(connection.database.budget.used) and connection.database.budget.used == 0
