"""Damage: whatever happens to a file of the database, nobody gets a wrong answer, and nothing more is lost."""
import os
import shutil

import pytest

from caldera.base.errors import Error
from caldera.storage.database import Database
from caldera.storage.mergetree.delta import DELTA_ROWS
from caldera.transaction.log import HEADER
from tests.storage.databases import create, insert, numbers_in, table_of
from tests.storage.test_database import opened, wait_until


@pytest.fixture
def directory(tmp_path):
    """A database with two tables of one part and some rows of the log each, closed."""
    with opened(tmp_path / "db") as database:
        for number, name in enumerate(("t", "u")):
            table = create(database, name, order_by="a").relation
            insert(database, table, range(number, number + DELTA_ROWS))
            insert(database, table, [100_000])
    return tmp_path / "db"


def flip(path, at):
    """Flip a bit of a file."""
    data = bytearray(path.read_bytes())
    data[at] ^= 4
    path.write_bytes(data)


def part_of(database, name="t"):
    return table_of(database, name).parts[0].file


def refused(directory):
    """The SQLSTATE with which opening fails, after a look at whether the parts are all there."""
    parts = sorted(os.listdir(directory / "parts"))
    with pytest.raises(Error) as caught:
        opened(directory)
    assert sorted(os.listdir(directory / "parts")) == parts
    return caught.value.sqlstate


def test_without_its_log_a_database_is_not_taken_for_a_new_one(directory):
    os.unlink(directory / "log")
    assert refused(directory) == "58P01"
    os.symlink("/nowhere", directory / "log")
    assert refused(directory) == "58P01"


def test_a_directory_with_parts_of_something_else_is_not_a_database(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "wheel.txt").write_text("round")
    assert refused(tmp_path) == "42602" and os.listdir(tmp_path) == ["parts"]


def test_only_files_of_the_database_are_removed_as_leftovers(directory):
    for name in ("notes.txt", "0000abcd.part", "0000abcd.part.tmp"):
        (directory / "parts" / name).write_text("x")
    opened(directory).close()
    assert sorted(os.listdir(directory / "parts")) == ["00000001.part", "00000003.part", "notes.txt"]


@pytest.mark.parametrize("at", [*range(12), 30])
def test_damage_of_any_byte_of_a_record_is_told_if_others_follow(directory, at):
    flip(directory / "log", len(HEADER) + at)
    assert refused(directory) == "XX001"


def test_zeros_in_the_middle_of_the_log_are_told(directory):
    data = bytearray((directory / "log").read_bytes())
    data[100:200] = bytes(100)
    (directory / "log").write_bytes(data)
    assert refused(directory) == "XX001"


@pytest.mark.parametrize("column", ["a", "t", "f"])
def test_a_flipped_bit_in_a_column_is_told_at_first_use_and_survives_no_merge(directory, column):
    with opened(directory) as database:
        footer = next(found for found in part_of(database).footer.columns if found.name == column)
        path = part_of(database).path
        chunk = max((chunk for name, chunk in footer.chunks.items() if "zone" not in name), key=lambda chunk: chunk.length)
    flip(directory / "parts" / os.path.basename(path), chunk.offset + chunk.length // 2)
    with opened(directory) as database:
        for use in (lambda: part_of(database).segment.column(column).struct, lambda: numbers_in(
                table_of(database), database.snapshot()), table_of(database).merge_all):
            with pytest.raises(Error) as caught:
                use()
            assert caught.value.sqlstate == "XX001" and os.path.basename(path) in caught.value.message
        assert numbers_in(table_of(database, "u"), database.snapshot())[-1] == 100_000


def test_another_part_of_the_same_columns_is_told(directory):
    shutil.copy(directory / "parts" / "00000003.part", directory / "parts" / "00000001.part")
    with opened(directory) as database, pytest.raises(Error) as caught:
        assert part_of(database).segment
    assert caught.value.sqlstate == "XX001" and "another file" in caught.value.message


def test_a_directory_or_a_pipe_in_the_place_of_a_part_is_told(directory):
    for number, make in ((1, os.mkdir), (3, os.mkfifo)):
        os.unlink(directory / "parts" / f"0000000{number}.part")
        make(directory / "parts" / f"0000000{number}.part")
    with opened(directory) as database:
        for name in ("t", "u"):
            with pytest.raises(Error) as caught:
                assert part_of(database, name).segment
            assert caught.value.sqlstate == "XX001"


def test_a_damaged_table_does_not_stop_the_care_for_others(directory):
    flip(directory / "parts" / "00000001.part", 20_000)
    with Database(directory, durable=False) as database:
        damaged, sound = table_of(database), table_of(database, "u")
        for first in range(1, 5):
            for table in (damaged, sound):
                insert(database, table, range(first * 100_000, first * 100_000 + DELTA_ROWS))
        wait_until(lambda: len(sound.parts) < 4 and database.maintenance_failure is not None)
        assert database.maintenance_failure.sqlstate == "XX001" and len(damaged.visible_parts(database.snapshot())) == 5
