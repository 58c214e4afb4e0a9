"""Statements about types when the power fails, and when several transactions make and drop types at the same time: the
catalog is the old or the new one, and a database can always be opened again."""
import threading

import pytest

import caldera
from caldera.execute.session import Session
from caldera.query import execute
from caldera.storage.database import Database
from caldera.transaction import files
from tests.storage.disk import Disk, PowerLoss

STORY = ("CREATE TYPE mood AS ENUM ('sad', 'ok')",
         "CREATE TYPE moods AS RANGE (SUBTYPE = mood)",
         "BEGIN; CREATE DOMAIN few AS moods CHECK (NOT isempty(VALUE)); CREATE TYPE pair AS (a mood, b few); COMMIT",
         "CREATE TABLE t (m moods, p pair)",
         "INSERT INTO t VALUES ('[sad,ok]', ROW('ok', '[ok,]'))",
         "ALTER TYPE mood ADD VALUE 'meh' BEFORE 'ok'",
         "CHECKPOINT",
         "ALTER TYPE moods RENAME TO humours",
         "BEGIN; DROP TABLE t; DROP TYPE pair; ROLLBACK",
         "DROP TABLE t",
         "DROP TYPE mood CASCADE")
TYPES = "SELECT typname::text, typtype::text FROM pg_type WHERE oid >= 16384 AND typcategory <> 'A' ORDER BY 1"
LABELS = "SELECT enumlabel::text FROM pg_enum ORDER BY enumsortorder"


def state_of(directory):
    """What types there are, what labels, and what is in the table, None without one."""
    with caldera.connect(directory) as connection:
        has_table = connection.sql("SELECT count(*) FROM pg_class WHERE relname = 't'").fetchone() == (1,)
        rows = connection.sql("SELECT m, p FROM t").fetchall() if has_table else None
        return connection.sql(TYPES).fetchall(), connection.sql(LABELS).fetchall(), rows


def run_story(database, acknowledged):
    """Run the statements; their numbers go to a list."""
    session = Session(database)
    for number, text in enumerate(STORY):
        for _ in execute(session, text):
            pass
        acknowledged.append(number)
    session.close()


def states_of_story(directory):
    """The states before the story and behind each statement."""
    states = []
    for number in range(len(STORY) + 1):
        with caldera.connect(directory / str(number)) as connection:
            for text in STORY[:number]:
                connection.execute(text)
        states.append(state_of(directory / str(number)))
    return states


def after_power_loss(tmp_path, monkeypatch, fatal):
    """The story with the power failing at a call: (how many statements were acknowledged, what is found, whether it came to
    its end)."""
    directory, acknowledged = tmp_path / f"db{fatal}", []
    disk, finished, database = Disk(directory, fatal), False, None
    with monkeypatch.context() as patch:
        disk.attach(patch, files.system)
        try:
            database = Database(directory, merging=False)
            run_story(database, acknowledged)
            finished = True
        except PowerLoss:
            pass
    disk.survivors(tmp_path / f"left{fatal}")
    if database is not None:
        database.release_directory()
    return len(acknowledged), state_of(tmp_path / f"left{fatal}"), finished


@pytest.mark.slow
def test_the_power_may_fail_during_statements_about_types(tmp_path, monkeypatch):
    expected, fatal, finished = states_of_story(tmp_path), 1, False
    while not finished:
        count, found, finished = after_power_loss(tmp_path, monkeypatch, fatal)
        assert found in (expected[count], expected[min(count + 1, len(STORY))]), (fatal, count)
        fatal += 2
    assert fatal > len(STORY)


# ------------------------------------------------------------------------------------------------ several transactions

def outcome(connection, text):
    """Run a statement in a thread of its own: (the thread, a list that gets its SQLSTATE, or None)."""
    found = []

    def run():
        try:
            connection.execute(text)
            found.append(None)
        except caldera.Error as fault:
            found.append(fault.sqlstate)
    thread = threading.Thread(target=run)
    thread.start()
    return thread, found


USES = {"range": "CREATE TYPE uses AS RANGE (SUBTYPE = mood)", "domain": "CREATE DOMAIN uses AS mood",
        "composite": "CREATE TYPE uses AS (m mood)", "table": "CREATE TABLE uses (m mood[])",
        "view": "CREATE VIEW uses AS SELECT 'ok'::mood"}


@pytest.mark.parametrize("statement", USES.values(), ids=USES)
@pytest.mark.parametrize("end, sqlstate", [("COMMIT", "2BP01"), ("ROLLBACK", None)])
def test_a_type_is_not_dropped_that_a_transaction_in_progress_uses(tmp_path, statement, end, sqlstate):
    """Alice uses a type and has not committed, when Bob drops it: he waits for her."""
    with caldera.connect(tmp_path / "db") as alice, caldera.connect(tmp_path / "db") as bob:
        alice.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
        alice.execute("BEGIN")
        alice.execute(statement)
        thread, found = outcome(bob, "DROP TYPE mood")
        thread.join(0.1)
        assert thread.is_alive()
        alice.execute(end)
        thread.join(20)
        assert found == [sqlstate]
    with caldera.connect(tmp_path / "db") as connection:
        count, = connection.sql("SELECT count(*) FROM pg_type WHERE typname = 'mood'").fetchone()
        assert count == (0 if sqlstate is None else 1)


@pytest.mark.parametrize("statement", USES.values(), ids=USES)
def test_a_type_is_not_dropped_by_who_does_not_see_that_it_is_used(tmp_path, statement):
    """Bob's snapshot is older than what Alice has committed."""
    with caldera.connect(tmp_path / "db") as alice, caldera.connect(tmp_path / "db") as bob:
        alice.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
        bob.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        bob.sql("SELECT 'ok'::mood").fetchall()
        alice.execute(statement)
        with pytest.raises(caldera.Error) as caught:
            bob.execute("DROP TYPE mood")
        assert caught.value.sqlstate == "2BP01"
        bob.execute("ROLLBACK")
        alice.database.checkpoint()
    with caldera.connect(tmp_path / "db") as connection:
        assert connection.sql("SELECT 'ok'::mood").fetchone() == ("ok",)


def test_a_table_is_not_dropped_that_a_new_view_reads(tmp_path):
    with caldera.connect(tmp_path / "db") as alice, caldera.connect(tmp_path / "db") as bob:
        alice.execute("CREATE TABLE t (a int)")
        alice.execute("BEGIN")
        alice.execute("CREATE VIEW v AS SELECT * FROM t")
        thread, found = outcome(bob, "DROP TABLE t")
        alice.execute("COMMIT")
        thread.join(20)
        assert found == ["2BP01"]
        assert alice.sql("SELECT * FROM v").fetchall() == []
