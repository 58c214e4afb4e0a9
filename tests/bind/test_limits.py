"""PostgreSQL's limits on statements."""
import pytest

import caldera


@pytest.fixture
def connection():
    with caldera.connect(threads=1) as opened:
        yield opened


def test_target_lists_have_1664_entries_at_most(connection):
    entries = ", ".join(f"{number} AS c{number}" for number in range(1664))
    assert len(connection.sql(f"SELECT {entries}").fetchone()) == 1664
    with pytest.raises(caldera.Error, match="target lists can have at most 1664 entries") as caught:
        connection.sql(f"SELECT {entries}, 1")
    assert caught.value.sqlstate == "54011"


@pytest.mark.parametrize("text", ["", ";", " ;; ", "-- nothing", "/* nothing */"])
def test_a_text_without_statements_does_nothing(connection, text):
    assert connection.execute_text(text) == ([], [])
    assert list(connection.execute_results(text)) == []


def test_deep_and_long_expressions(connection):
    for sql, value in (("1" + " + 1" * 1500, 1501), ("(" * 1000 + "1" + ")" * 1000, 1), ("not " * 1500 + "true", True),
                       ("CASE WHEN x = 0 THEN 1 ELSE " * 500 + "2" + " END" * 500, 2)):
        assert connection.sql(f"SELECT {sql} FROM (VALUES (1), (1)) AS v (x)").fetchall() == [(value,), (value,)]
    for sql in ("1" + " - 1" * 100000, "abs(" * 20000 + "1" + ")" * 20000):
        with pytest.raises(caldera.Error) as caught:
            connection.sql(f"SELECT {sql}")
        assert caught.value.sqlstate in ("54001", "42601")
    assert connection.sql("SELECT 1").fetchall() == [(1,)]
