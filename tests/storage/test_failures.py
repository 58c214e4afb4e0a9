"""Failures at bad moments: in the middle of writing the log, of a merge, of a wait. What is there stays as it was."""
import errno
import os
import stat
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import caldera
from caldera.base.errors import Error
from caldera.client.interrupt import Interruptible
from caldera.storage.engine import ColumnData
from caldera.storage.mergetree import merge
from caldera.storage.mergetree.delta import DELTA_BYTES, DELTA_ROWS, GrowingArray, GrowingColumn, plain_column
from caldera.storage.segment import memory_column
from caldera.transaction import files
from tests.storage.columns import column, lookup
from tests.storage.databases import create, insert, numbers_in, rows, table_of
from tests.storage.test_database import opened


@pytest.fixture
def database(tmp_path):
    with opened(tmp_path / "db", durable=True) as database:
        create(database)
        insert(database, table_of(database), [1])
        yield database


def held(database):
    return numbers_in(table_of(database), database.snapshot())


def reopened(database):
    """What another process would find."""
    path = database.path
    database.close()
    with opened(path) as again:
        return held(again)


def failing_directories(monkeypatch, original=files.system.fsync):
    """From now on the names in directories cannot be made durable."""
    def fsync(descriptor):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, "Input/output error")
        original(descriptor)
    monkeypatch.setattr(files.system, "fsync", fsync)


@pytest.mark.parametrize("call, after", [("write", False), ("write", True), ("fsync", False), ("fsync", True)])
def test_an_interrupt_while_the_log_is_written_leaves_no_trace(database, monkeypatch, call, after):
    original = getattr(files.system, call)

    def interrupted(*arguments):
        if after:
            original(*arguments)
        raise KeyboardInterrupt
    with monkeypatch.context() as patch:
        patch.setattr(files.system, call, interrupted)
        with pytest.raises(KeyboardInterrupt):
            insert(database, table_of(database), [2])
    insert(database, table_of(database), [3])
    assert held(database) == reopened(database) == [1, 3]


def test_a_second_interrupt_waits_for_the_end_of_a_commit():
    session = SimpleNamespace(cancel=lambda: None, transaction=SimpleNamespace(is_committing=True))
    running = Interruptible(session)
    running.cancel(2, None)
    running.cancel(2, None)
    session.transaction.is_committing = False
    with pytest.raises(KeyboardInterrupt):
        running.cancel(2, None)


def test_a_failure_behind_the_log_refuses_commits_until_the_log_is_written_anew(database, monkeypatch):
    def fail(*arguments):
        raise MemoryError
    with monkeypatch.context() as patch:
        patch.setattr("caldera.storage.mergetree.delta.Delta.append", fail)
        with pytest.raises(MemoryError):
            insert(database, table_of(database), [2])
    with pytest.raises(Error) as caught:
        insert(database, table_of(database), [3])
    assert caught.value.sqlstate == "58030" and held(database) == [1]
    database.checkpoint_if_due()
    insert(database, table_of(database), [4])
    assert held(database) == reopened(database) == [1, 4]


def test_a_checkpoint_whose_name_is_not_durable_refuses_commits_until_it_is(database, monkeypatch):
    with monkeypatch.context() as patch:
        failing_directories(patch)
        with pytest.raises(Error) as caught:
            database.checkpoint()
        assert caught.value.sqlstate == "58030"
        with pytest.raises(Error) as caught:
            insert(database, table_of(database), [2])
        assert caught.value.sqlstate == "58030" and held(database) == [1]
    database.checkpoint()
    insert(database, table_of(database), [3])
    assert held(database) == reopened(database) == [1, 3]


def test_a_part_whose_name_is_not_durable_is_removed(database, monkeypatch):
    failing_directories(monkeypatch)
    with pytest.raises(Error):
        insert(database, table_of(database), range(DELTA_ROWS))
    assert os.listdir(database.store.directory) == [] and held(database) == [1]


def test_a_database_that_cannot_be_made_can_be_made_later_and_one_that_is_there_opens(database, monkeypatch, tmp_path):
    """On a disk that is full, which later has space again."""
    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")
    database.close()
    with monkeypatch.context() as patch:
        for module, name in ((os, "pwrite"), (files.system, "write")):
            patch.setattr(module, name, full)
        with pytest.raises(Error) as caught:
            opened(tmp_path / "new")
        assert caught.value.sqlstate == "53100"
        with opened(database.path) as again:
            assert held(again) == [1]
    opened(tmp_path / "new").close()


def test_few_but_large_rows_become_a_part_and_not_a_record_of_the_log(database):
    text = column("text", [b"x" * DELTA_BYTES])
    transaction = database.begin()
    table_of(database).append(transaction, {**rows([2]), "t": text})
    transaction.commit()
    assert [part.row_count for part in table_of(database).parts] == [1] and database.log.size < 10_000


def test_truncate_takes_what_a_merge_has_made_while_it_waited(database, monkeypatch):
    """The merge has taken the delta, but not committed, when TRUNCATE comes."""
    table, waiting, original = table_of(database), threading.Event(), database.timeline.commit

    def commit(transaction):
        if threading.current_thread() is merging:
            assert waiting.wait(30)
        original(transaction)
    monkeypatch.setattr(database.timeline, "commit", commit)
    merging = threading.Thread(target=table.merge_all)
    transaction = database.begin()
    transaction.cancelled = waiting.set                 # called in the wait
    merging.start()
    while not any(delta.gone for delta in table.deltas):
        assert merging.is_alive()
    table.truncate(transaction)
    merging.join()
    transaction.commit()
    assert held(database) == reopened(database) == []


def test_a_merge_is_given_up_when_the_database_closes(database, monkeypatch):
    table, original = table_of(database), merge.joined

    def joined(segments, name):
        database.store.closing = True
        return original(segments, name)
    monkeypatch.setattr(merge, "joined", joined)
    table.merge_all()
    assert table.parts == [] and os.listdir(database.store.directory) == [] and held(database) == [1]


def test_rows_can_be_read_while_more_are_appended(monkeypatch):
    """At every step of an append the rows that were there before are read."""
    numeric, original, known, read = GrowingColumn(lookup("numeric")), GrowingArray.append, [], []

    def append(self, items):
        for act in (lambda: None, lambda: original(self, items)):
            act()
            if known:
                data = numeric.data(len(known))
                read.append(plain_column(data).decode())
                assert data.valid is None or data.valid.tolist() == [1] * len(known)
                assert len(data.values) == len(known) or len(data.values[0]) == len(known) + 1
    monkeypatch.setattr(GrowingArray, "append", append)
    short = column("numeric", np.zeros((3, 2), np.int64))
    numeric.append(short)
    known += [0] * 3
    numeric.append(column("numeric", np.zeros((100, 2), np.int64), np.zeros(100, bool)))
    texts = np.zeros(2, np.int64), np.zeros(64, np.uint8)
    texts[0][1] = 1
    texts[1][0] = ord("7")
    numeric.append(ColumnData(lookup("numeric"), texts))
    assert len(read) > 8 and numeric.row_count == 104


def test_threads_that_come_to_a_column_at_once_share_its_structure(monkeypatch):
    """The first to make it is held up until the second has come, too."""
    stored, found = memory_column(column("int4", np.arange(10))), []
    encoding, second = type(stored.encoding), threading.Thread(target=lambda: found.append(stored.struct))
    original = encoding.struct

    def struct(self, *arguments):
        if second.ident is None:
            second.start()
            second.join(0.2)
        return original(self, *arguments)
    monkeypatch.setattr(encoding, "struct", struct)
    found.append(stored.struct)
    second.join()
    assert found[0] is found[1]


# ------------------------------------------------------------------------------------------------ statements

@pytest.fixture
def connection(tmp_path):
    with caldera.connect(tmp_path / "a path with ü", threads=1) as connection:
        connection.sql("CREATE TABLE t (a int)")
        connection.sql("INSERT INTO t VALUES (1)")
        yield connection


def failure(connection, statement):
    with pytest.raises(caldera.Error) as caught:
        connection.sql(statement)
    return caught.value.sqlstate, caught.value.message


def test_a_statement_that_waits_for_another_transaction_times_out(connection):
    with caldera.connect(connection.database.path) as other:
        other.sql("BEGIN")
        other.sql("TRUNCATE t")
        connection.sql("SET statement_timeout = '50ms'")
        assert failure(connection, "TRUNCATE t") == ("57014", "canceling statement due to statement timeout")
        other.sql("ROLLBACK")
    connection.sql("RESET statement_timeout")
    assert connection.sql("SELECT count(*) FROM t").fetchone() == (1,)


def test_an_insert_is_cancelled_while_it_writes(connection, monkeypatch):
    original = files.system.write

    def write(*arguments):
        connection.cancel()
        return original(*arguments)
    with monkeypatch.context() as patch:
        patch.setattr(files.system, "write", write)
        assert failure(connection, "INSERT INTO t SELECT g FROM generate_series(1, 70000) g") == (
            "57014", "canceling statement due to user request")
    assert connection.sql("SELECT count(*) FROM t").fetchone() == (1,)
    assert os.listdir(connection.database.store.directory) == []


def test_a_cancel_between_statements_does_not_stop_a_commit(connection):
    connection.begin()
    connection.sql("INSERT INTO t VALUES (2)")
    connection.cancel()
    connection.commit()
    assert connection.sql("SELECT count(*) FROM t").fetchone() == (2,)


def test_a_memory_limit_is_the_sessions_own(connection):
    query = "SELECT cardinality(array_agg(g)) FROM generate_series(1, 100000) g"           # what array_agg keeps must fit
    connection.sql("SET memory_limit = '100kB'")
    with caldera.connect(connection.database.path) as other:
        assert failure(other, "SELECT 1 / 0")[0] == "22012"
        assert failure(connection, query) == ("53200", "out of memory")
        assert other.sql(query).fetchone() == (100_000,)
    assert connection.database.budget.used == 0
