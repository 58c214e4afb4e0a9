"""The demo, on little data."""
import os
import subprocess
import sys

import pytest


@pytest.mark.slow
def test_demo_runs_and_leaves_a_database(tmp_path):
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "COLUMNS": "100"}
    command = [sys.executable, "-m", "caldera", "demo", "--rows", "20000", "--no-ladder", "--database", tmp_path / "demo"]
    for _ in range(2):                                      # the second time over the first one's database and data
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
        assert done.returncode == 0, done.stderr
        assert "20,000 rows in" in done.stdout and "first run" in done.stdout and "Now you" in done.stdout
    done = subprocess.run([sys.executable, "-m", "caldera", "-At", tmp_path / "demo", "-c", "SELECT count(*) FROM hits"],
                          capture_output=True, text=True, timeout=60)
    assert done.stdout == "20000\n", done.stderr


def test_demo_refuses_what_is_no_file_of_hits(tmp_path):
    (tmp_path / "wrong.parquet").write_text("nothing")
    command = [sys.executable, "-m", "caldera", "demo", tmp_path / "wrong.parquet", "--database", tmp_path / "demo"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "is not a Parquet file" in done.stderr
