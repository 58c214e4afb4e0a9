"""Databases: commits and snapshots, restart, merges, one process, full disks."""
import decimal
import errno
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from caldera.base.errors import Error
from caldera.catalog.columns import ColumnSchema
from caldera.kernel.decimal import BIG_NUMBERS
from caldera.storage import arrays
from caldera.storage.database import Database
from caldera.storage.engine import ColumnData, Range
from caldera.storage.mergetree.delta import DELTA_ROWS
from caldera.transaction import files
from caldera.types.columns import from_datums, to_datums
from tests.storage.columns import column, lookup
from tests.storage.databases import COLUMNS, Session, create, insert, numbers_in, rows, table_of


@pytest.fixture(params=["directory", "memory"])
def database(request, tmp_path):
    """An open database, with and without a directory; it merges only when told."""
    database = Database(tmp_path / "db" if request.param == "directory" else None, durable=False, merging=False)
    yield database
    database.close()


@pytest.fixture
def directory(tmp_path):
    return tmp_path / "db"


def opened(directory, **options):
    return Database(directory, **{"durable": False, "merging": False, **options})


def wait_until(condition):
    """Return when a condition holds; it fails the test if that takes half a minute."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


# ------------------------------------------------------------------------------------------------ who sees what

@pytest.mark.parametrize("count", [3, DELTA_ROWS + 5])
def test_rows_are_seen_by_their_transaction_and_after_commit_by_all(database, count):
    table = create(database).relation
    alice, before = database.begin(), database.snapshot()
    table.append(alice, rows(range(count)))
    assert numbers_in(table, alice.snapshot()) == list(range(count))
    assert numbers_in(table, database.snapshot()) == []
    alice.commit()
    assert numbers_in(table, database.snapshot()) == list(range(count))
    assert numbers_in(table, before) == []


@pytest.mark.parametrize("count", [3, DELTA_ROWS + 5])
def test_rollback_leaves_no_rows_and_no_files(database, count):
    table = create(database).relation
    insert(database, table, [1])
    alice = database.begin()
    table.append(alice, rows(range(count)))
    table.truncate(alice)
    table.append(alice, rows(range(count)))
    assert numbers_in(table, alice.snapshot()) == list(range(count))
    alice.rollback()
    assert numbers_in(table, database.snapshot()) == [1]
    assert database.path is None or os.listdir(database.store.directory) == []


def test_repeatable_read_keeps_its_first_snapshot(database):
    table = create(database).relation
    alice, bob = database.begin("repeatable read"), database.begin()
    assert numbers_in(table, alice.snapshot()) == numbers_in(table, bob.snapshot()) == []
    insert(database, table, [7])
    assert numbers_in(table, alice.snapshot()) == []
    assert numbers_in(table, bob.snapshot()) == [7]
    table.append(alice, rows([8]))
    assert numbers_in(table, alice.snapshot()) == [8]


def test_truncate_takes_what_was_there_and_not_what_comes(database):
    table = create(database).relation
    insert(database, table, [1, 2])
    insert(database, table, range(DELTA_ROWS))
    alice, old = database.begin(), database.snapshot()
    table.truncate(alice)
    insert(database, table, [3])                # bob, meanwhile
    assert numbers_in(table, alice.snapshot()) == [3]
    alice.commit()
    assert numbers_in(table, database.snapshot()) == [3]
    assert len(numbers_in(table, old)) == DELTA_ROWS + 2
    old.release()
    database.collect()
    assert table.parts == [] and len(table.deltas) == 1


def test_a_second_truncate_waits_for_the_first(database):
    table, done = create(database).relation, []
    insert(database, table, [1])
    alice, bob = database.begin(), database.begin()
    table.truncate(alice)
    thread = threading.Thread(target=lambda: (table.truncate(bob), bob.commit(), done.append(True)))
    thread.start()
    time.sleep(0.1)
    assert not done
    alice.rollback()
    thread.join(10)
    assert done and numbers_in(table, database.snapshot()) == []


def test_who_waits_in_a_circle_is_told(database):
    first, second = create(database, "first").relation, create(database, "second").relation
    insert(database, first, [1])
    insert(database, second, [1])
    alice, bob, failures = database.begin(), database.begin(), []
    first.truncate(alice)
    second.truncate(bob)

    def cross(transaction, table):
        try:
            table.truncate(transaction)
        except Error as error:
            failures.append(error.sqlstate)
        transaction.rollback()
    threads = [threading.Thread(target=cross, args=pair) for pair in ((alice, second), (bob, first))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert failures == ["40P01"]


def test_waiting_ends_with_lock_timeout(database):
    table = create(database).relation
    insert(database, table, [1])
    alice, bob = database.begin(), database.begin()
    table.truncate(alice)
    bob.lock_timeout_ms = 60
    with pytest.raises(Error) as caught:
        table.truncate(bob)
    assert caught.value.sqlstate == "55P03"


def test_null_in_a_column_that_forbids_it_is_refused(database):
    table = create(database, columns=(replace(COLUMNS[0], nullable=False), COLUMNS[1])).relation
    with pytest.raises(Error) as caught:
        table.append(database.begin(), {"a": column("int4", [1, 0], [1, 0]), "t": column("text", [b"x", b"y" * 70])})
    assert caught.value.sqlstate == "23502"
    assert caught.value.detail == f"Failing row contains (null, {'y' * 64}...)."
    assert caught.value.message == 'null value in column "a" of relation "t" violates not-null constraint'


def test_many_small_inserts_make_one_delta_and_many_writers_lose_nothing(database):
    table = create(database, order_by="a").relation

    def write(first):
        for number in range(first, first + 50):
            insert(database, table, [number])
    threads = [threading.Thread(target=write, args=(1000 * writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        snapshot = database.snapshot()
        assert len(numbers_in(table, snapshot)) == table.row_estimate(snapshot)
    assert numbers_in(table, database.snapshot()) == sorted(1000 * writer + i for writer in range(4) for i in range(50))
    assert len(table.deltas) == 1 and table.parts == []


def test_a_version_changes_with_what_is_seen(database):
    table = create(database).relation
    versions = [table.version(database.snapshot())]
    for numbers in ([1], [2], range(DELTA_ROWS)):
        insert(database, table, numbers)
        versions.append(table.version(database.snapshot()))
    assert len(set(versions)) == 4 and versions[-1] == table.version(database.snapshot())


# ------------------------------------------------------------------------------------------------ parts

def test_rows_of_a_part_are_in_order_and_scans_leave_granules_out(database):
    table = create(database, order_by="t, a").relation
    insert(database, table, np.random.default_rng(1).permutation(100_000))
    columns = table.decode(database.snapshot())
    assert arrays.is_sorted(arrays.order_keys(columns["t"]))
    scan = table.scan(database.snapshot(), ["a"], [Range("t", "text 5", "text 50")])
    assert scan.granules_total == 13 and scan.granules_read < 3


def test_parts_have_a_largest_size():
    with Database(None, merging=False, part_rows_max=70_000) as database:
        table = create(database, order_by="a").relation
        transaction = database.begin()
        for first in range(0, 300_000, 30_000):
            table.append(transaction, rows(range(first, first + 30_000)))
        transaction.commit()
        assert numbers_in(table, database.snapshot()) == list(range(300_000))
        assert max(part.row_count for part in table.parts) <= 70_000


def test_merging_everything_keeps_rows_and_order(database):
    table = create(database, order_by="t").relation
    for seed in range(5):
        insert(database, table, np.random.default_rng(seed).integers(0, 200_000, 70_000))
    insert(database, table, [5, 6])
    old = database.snapshot()
    before = numbers_in(table, old)
    table.merge_all()
    assert [part.row_count for part in table.visible_parts(database.snapshot())] == [len(before)]
    assert numbers_in(table, database.snapshot()) == numbers_in(table, old) == before
    assert arrays.is_sorted(arrays.order_keys(table.decode(database.snapshot())["t"]))
    old.release()
    database.collect()
    assert len(table.parts) == 1 and (database.path is None or len(os.listdir(database.store.directory)) == 1)


def test_a_merge_gives_way_to_a_truncate(database):
    from caldera.storage.mergetree import merge
    table = create(database).relation
    for _ in range(2):
        insert(database, table, range(DELTA_ROWS))
    alice = database.begin()
    parts = merge.live_parts(table)
    table.truncate(alice)
    assert merge.merge(table, parts) is False
    alice.commit()
    assert numbers_in(table, database.snapshot()) == []


def test_the_background_merges_parts_and_removes_files(directory):
    with opened(directory, merging=True) as database:
        table = create(database, order_by="a").relation
        for first in range(9):
            insert(database, table, range(first * 66_000, (first + 1) * 66_000))
        wait_until(lambda: len(os.listdir(database.store.directory)) <= 4)
        assert numbers_in(table, database.snapshot()) == list(range(9 * 66_000))


# ------------------------------------------------------------------------------------------------ restart

def test_everything_committed_is_there_after_a_restart(directory):
    with opened(directory) as database:
        table = create(database, order_by="a").relation
        insert(database, table, range(DELTA_ROWS))
        insert(database, table, [-1, -2, -3])
        create(database, "gone")
        database.begin()                        # never ends
        transaction = database.begin()
        view = database.catalog.view(transaction.snapshot(), Session())
        database.catalog.drop_relations(transaction, view, "table", [(None, "gone")])
        transaction.commit()
        lost = database.begin()
        table.append(lost, rows(range(DELTA_ROWS)))
    for _ in range(2):
        with opened(directory) as database:
            table = table_of(database)
            assert numbers_in(table, database.snapshot()) == [-3, -2, -1, *range(DELTA_ROWS)]
            assert table.order_by == ("a",) and [column.name for column in table.columns] == ["a", "t", "f"]
            assert len(os.listdir(database.store.directory)) == 1
            database.checkpoint()
            with pytest.raises(Error):
                table_of(database, "gone")


def test_numbers_are_not_given_out_again_after_a_checkpoint(directory):
    with opened(directory) as database:
        entry = create(database, "gone")
        insert(database, entry.relation, range(DELTA_ROWS))
        transaction = database.begin()
        database.catalog.drop_relations(transaction, database.catalog.view(transaction.snapshot(), Session()), "table",
                                        [(None, "gone")])
        transaction.commit()
        database.checkpoint()
        number = database.store.next_number
    with opened(directory) as database:
        assert create(database).oid > entry.oid and database.store.next_number >= number


def test_a_torn_record_at_the_end_of_the_log_is_cut_off(directory):
    with opened(directory) as database:
        table = create(database).relation
        insert(database, table, [1])
        size = os.path.getsize(directory / "log")
        insert(database, table, [2])
    whole = (directory / "log").read_bytes()
    for cut in (size + 1, size + 9, len(whole) - 1):
        (directory / "log").write_bytes(whole[:cut])
        with opened(directory) as database:
            assert numbers_in(table_of(database), database.snapshot()) == [1]
        assert os.path.getsize(directory / "log") == size


def test_damage_inside_the_log_is_told(directory):
    with opened(directory) as database:
        table = create(database).relation
        for number in range(3):
            insert(database, table, [number])
    whole = bytearray((directory / "log").read_bytes())
    whole[60] ^= 1
    (directory / "log").write_bytes(whole)
    with pytest.raises(Error) as caught:
        opened(directory)
    assert caught.value.sqlstate == "XX001"


def test_a_missing_part_fails_its_table_and_no_other(directory):
    with opened(directory) as database:
        insert(database, create(database).relation, range(DELTA_ROWS))
        insert(database, create(database, "other").relation, [1])
        os.unlink(table_of(database).parts[0].file.path)
    with opened(directory) as database:
        with pytest.raises(Error) as caught:
            numbers_in(table_of(database), database.snapshot())
        assert caught.value.sqlstate == "58P01"
        assert numbers_in(table_of(database, "other"), database.snapshot()) == [1]


def test_the_log_is_rewritten_when_it_has_become_long(directory, monkeypatch):
    monkeypatch.setattr("caldera.storage.database.CHECKPOINT_BYTES", 10_000)
    with opened(directory, merging=True) as database:
        table = create(database).relation
        for _ in range(40):
            transaction = database.begin()
            table.truncate(transaction)
            table.append(transaction, rows(range(50)))
            transaction.commit()
        wait_until(lambda: os.path.getsize(directory / "log") <= 30_000)
    with opened(directory) as database:
        assert numbers_in(table_of(database), database.snapshot()) == list(range(50))


# ------------------------------------------------------------------------------------------------ one process, full disks

def test_a_second_process_is_refused_and_told_who_has_it(directory):
    with opened(directory):
        code = f"from caldera.storage.database import Database; Database({str(directory)!r})"
        outcome = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                                 env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
        assert outcome.returncode != 0
        assert f'database "{directory}" is being used by another process (PID {os.getpid()})' in outcome.stderr
    opened(directory).close()


def test_a_directory_of_other_things_is_not_taken_for_a_database(tmp_path):
    (tmp_path / "letter.txt").write_text("dear reader")
    with pytest.raises(Error) as caught:
        opened(tmp_path)
    assert caught.value.sqlstate == "42602" and os.listdir(tmp_path) == ["letter.txt"]


@pytest.mark.parametrize("call", ["write", "fsync", "rename"])
@pytest.mark.parametrize("count", [3, DELTA_ROWS])
def test_a_full_disk_fails_the_statement_and_nothing_else(directory, monkeypatch, call, count):
    with opened(directory, durable=True) as database:
        table = create(database).relation
        insert(database, table, [1])
        if call == "rename" and count < DELTA_ROWS:
            return                              # rows of the log need no rename

        def full(*arguments):
            if call == "write":
                files_write(arguments[0], bytes(arguments[1])[:10])        # some of it still fits
            raise OSError(errno.ENOSPC, "No space left on device")
        files_write = files.system.write
        with monkeypatch.context() as patch:
            patch.setattr(files.system, call, full)
            for _ in range(2):
                with pytest.raises(Error) as caught:
                    insert(database, table, range(count))
                assert caught.value.sqlstate == "53100"
                assert caught.value.message.endswith(": No space left on device")
                assert numbers_in(table, database.snapshot()) == [1]
        assert os.listdir(database.store.directory) == []
        insert(database, table, range(2, count + 2))
    with opened(directory) as database:
        assert numbers_in(table_of(database), database.snapshot()) == list(range(1, count + 2))


def test_the_background_survives_a_full_disk_and_tries_again(directory, monkeypatch):
    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")
    with opened(directory) as database:
        table = create(database, order_by="a").relation
        for first in range(4):
            insert(database, table, range(first * 66_000, (first + 1) * 66_000))
        database.merging = True
        with monkeypatch.context() as patch:
            patch.setattr(files.system, "write", full)
            database.wake(table)
            wait_until(lambda: database.maintenance_failure is not None)
            with pytest.raises(Error) as caught:
                database.checkpoint()
            assert caught.value.sqlstate == "53100" == database.maintenance_failure.sqlstate
            assert numbers_in(table, database.snapshot()) == list(range(4 * 66_000))
        database.wake(table)
        wait_until(lambda: len(os.listdir(database.store.directory)) == 1)
        insert(database, table, [-1])
    with opened(directory) as database:
        assert numbers_in(table_of(database), database.snapshot()) == list(range(-1, 4 * 66_000))


def test_a_database_of_a_hundred_parts_opens_without_reading_them(directory):
    with opened(directory) as database:
        table = create(database).relation
        transaction = database.begin()
        for number in range(100):
            table.write_rows(transaction, rows([number]), 1)
        transaction.commit()
    with opened(directory) as database:
        table = table_of(database)
        assert table.row_estimate(database.snapshot()) == 100 == len(table.parts)
        assert not any("data" in part.file.__dict__ for part in table.parts)
        assert numbers_in(table, database.snapshot()) == list(range(100))


def test_numerics_too_long_for_two_words_last(directory):
    """Generated code knows them by names that are good only while a query runs; tables hold the numbers."""
    numbers = [decimal.Decimal(text) for text in ("1.50", "1" + "0" * 60, "-0." + "3" * 50, "NaN", "7", "2e40")]
    numbers[-1] = numbers[-1].quantize(decimal.Decimal(1), context=decimal.Context(prec=60))
    type = lookup("numeric")

    def found(database):
        columns = [segment.column("n") for segment in table_of(database).scan(database.snapshot(), ["n"]).segments]
        assert all(column.encoding.family == "plain" for column in columns)
        data = [column.decode() for column in columns]
        return [to_datums(type, column.values, column.valid) for column in data]

    def rows(items):
        values, valid = from_datums(type, items)
        return {"n": ColumnData(type, values, valid)}

    with opened(directory) as database:
        table = create(database, columns=[ColumnSchema("n", type)], order_by="n").relation
        for items in ([numbers[0], None], [*numbers[1:], None], [numbers[0]]):
            transaction = database.begin()
            table.append(transaction, rows(items))
            transaction.commit()
        BIG_NUMBERS.numbers.clear()
        BIG_NUMBERS.names.clear()
        assert str(found(database)) == str([[numbers[0], None, *numbers[1:], None, numbers[0]]])
    with opened(directory) as database:
        assert str(found(database)) == str([[numbers[0], None, *numbers[1:], None, numbers[0]]])
        table_of(database).merge_all()
    with opened(directory) as database:
        _, big, tiny, nan, seven, other = numbers
        expected = [tiny, numbers[0], numbers[0], seven, other, big, nan, None, None]
        assert [len(table_of(database).parts), str(found(database))] == [1, str([expected])]
