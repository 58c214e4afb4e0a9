"""Which pipelines the Python kernel runs: those with few rows to handle, those that joins make of them included."""
import re

import pytest

import caldera


@pytest.fixture
def connection():
    with caldera.connect() as connection:
        connection.execute("CREATE TABLE one (x int) USING mergetree")
        connection.execute("INSERT INTO one VALUES (1)")
        for name, rows in (("few", 3), ("many", 1000)):
            connection.execute(f"CREATE TABLE {name} (x int, y int) USING mergetree")
            connection.execute(f"INSERT INTO {name} SELECT 1, g FROM generate_series(1, {rows}) g")
        yield connection


def tier(connection, query, words):
    """The tier of the pipeline whose description contains the words."""
    lines = [line for line, in connection.sql(f"EXPLAIN (ANALYZE) {query}").fetchall()]
    (number,) = [number for number, line in enumerate(lines) if re.match(r" *\d+: ", line) and words in line]
    return re.search(r"tier=(\w+)", lines[number + 1])[1]


@pytest.mark.parametrize("query, words", [
    ("SELECT sum(y) FROM one LEFT JOIN {} t ON one.x = t.x", "Probe"),
    ("SELECT sum(y) FROM one LEFT JOIN {} t ON one.x <= t.x", "Loop")])
def test_a_row_with_many_partners_is_joined_by_machine_code(connection, query, words):
    assert tier(connection, query.format("few"), words) == "python"
    assert tier(connection, query.format("many"), words) in ("fast", "o3")


def test_a_row_that_comes_many_times_is_repeated_by_machine_code(connection):
    query = "SELECT x FROM many INTERSECT ALL SELECT x FROM many"
    assert tier(connection, query, "Repeat") in ("fast", "o3")


def test_a_row_with_a_list_is_expanded_by_machine_code(connection):
    assert tier(connection, "SELECT generate_series(1, x * 1000) FROM one", "Expand") in ("fast", "o3")
