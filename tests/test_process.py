"""The process that Caldera runs in for tests: what never ends is one wrong answer, measured in CPU time."""
import os

import pytest

from tests import process
from tests.differential import Configuration
from tests.process import CalderaProcess, cpu_seconds

ENDLESS = "SELECT count(*) FROM generate_series(1, 1000000000000)"


@pytest.fixture
def caldera():
    session = CalderaProcess(lambda session: session.run("CREATE TABLE t (a int); INSERT INTO t VALUES (1)"))
    yield session
    session.close()


def test_cpu_time_grows_with_work():
    before = cpu_seconds(os.getpid())
    while cpu_seconds(os.getpid()) - before < 0.05:
        sum(range(10000))
    assert cpu_seconds(os.getpid()) > before


def test_an_endless_query_is_given_up_and_the_next_finds_its_tables_again(caldera, monkeypatch):
    monkeypatch.setattr(process, "CPU_SECONDS_MAX", 0.3)
    monkeypatch.setattr(process, "LOOK_SECONDS", 0.1)
    answer = caldera.query(ENDLESS)
    assert answer.sqlstate == "XX000" and answer.message == "no answer in 0.3 s of the CPU"
    monkeypatch.undo()
    assert caldera.query("SELECT a FROM t").rows == [("1",)]


def test_a_process_that_only_waits_is_given_up(caldera, monkeypatch):
    monkeypatch.setattr(process, "IDLE_SECONDS_MAX", 0.2)
    monkeypatch.setattr(process, "LOOK_SECONDS", 0.1)
    assert caldera.query("SELECT pg_sleep(60)").sqlstate == "XX000"


def test_beginning_anew_empties_the_database_and_resets_settings(caldera):
    caldera.use(Configuration("one", {"threads": "1"}))
    caldera.begin_anew()
    assert caldera.query("SELECT a FROM t").sqlstate == "42P01"
    assert caldera.query("SHOW caldera.tier").rows == [("auto",)]
    caldera.use(Configuration("one", {"caldera.tier": "fast"}))
    assert caldera.query("SHOW caldera.tier").rows == [("fast",)]


@pytest.mark.parametrize("layout", ["delta", "parts"])
def test_a_process_takes_other_tables_in_place_of_those_that_it_held(layout):
    caldera = CalderaProcess(lambda session: session.run("CREATE TABLE t (a int); INSERT INTO t VALUES (1)"), layout)
    child = caldera.child.pid
    caldera.prepare_anew(lambda session: session.run("CREATE TABLE u (b int); INSERT INTO u VALUES (2)"))
    assert caldera.query("SELECT b FROM u").rows == [("2",)] and caldera.query("SELECT a FROM t").sqlstate == "42P01"
    assert caldera.child.pid == child
    caldera.close()
