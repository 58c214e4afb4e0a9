"""COPY TO files of all kinds that a user may name."""
import os
import stat
import subprocess
import sys
import threading

import pytest

import caldera

ROWS = "COPY (SELECT x FROM generate_series(1, 3) x) TO '{}' (FORMAT csv)"


@pytest.fixture
def connection():
    with caldera.connect() as opened:
        yield opened


def test_a_file_is_replaced_and_keeps_its_permissions(connection, tmp_path):
    target = tmp_path / "rows.csv"
    target.write_text("old")
    target.chmod(0o640)
    connection.execute(ROWS.format(target))
    assert target.read_text() == "1\n2\n3\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["rows.csv"]


def test_no_other_file_is_touched(connection, tmp_path):
    other = tmp_path / "rows.csv.tmp"
    other.write_text("mine")
    connection.execute(ROWS.format(tmp_path / "rows.csv"))
    assert other.read_text() == "mine"


def test_a_symbolic_link_stays_one(connection, tmp_path):
    (tmp_path / "link.csv").symlink_to(tmp_path / "rows.csv")
    for _ in range(2):
        connection.execute(ROWS.format(tmp_path / "link.csv"))
        assert (tmp_path / "link.csv").is_symlink()
        assert (tmp_path / "rows.csv").read_text() == "1\n2\n3\n"


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_a_pipe_is_written_to(connection, tmp_path, format):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    connection.execute(ROWS.format(pipe).replace("csv", format))
    reader.join()
    assert read[0] == b"1\n2\n3\n" if format == "csv" else read[0].startswith(b"PAR1") and read[0].endswith(b"PAR1")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_stays_one(connection):
    connection.execute(ROWS.format("/dev/null"))
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(caldera.Error, match="No space left on device") as caught:
        connection.execute(ROWS.format("/dev/full"))
    assert caught.value.sqlstate == "53100"
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_the_standard_output_goes_on_where_the_program_is_with_it(tmp_path):
    copy = ROWS.format("/dev/stdout")
    program = f"import caldera; print('before'); caldera.connect().execute({copy!r}); print('behind')"
    with open(tmp_path / "out", "w") as out:
        subprocess.run([sys.executable, "-c", program], stdout=out, check=True)
    assert (tmp_path / "out").read_text() == "before\n1\n2\n3\nbehind\n"


def test_a_directory_is_refused(connection, tmp_path):
    with pytest.raises(caldera.Error, match="Is a directory") as caught:
        connection.execute(ROWS.format(tmp_path))
    assert caught.value.sqlstate == "42809"


def test_copies_to_one_file_at_once_leave_one_of_them(tmp_path):
    def work(number):
        with caldera.connect() as connection:
            for _ in range(5):
                connection.execute(f"COPY (SELECT {number} FROM generate_series(1, 5000) x) TO '{tmp_path}/rows.csv'")
    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = (tmp_path / "rows.csv").read_text().split()
    assert len(lines) == 5000 and len(set(lines)) == 1
    assert os.listdir(tmp_path) == ["rows.csv"]
