"""Numbers that do not fit in two words stay readable as long as somebody has the result that shows them."""
import gc
from decimal import Decimal

import pytest

import caldera
from caldera.kernel.decimal import BIG_NUMBERS

TEN_300 = Decimal(10) ** 300


@pytest.fixture
def connection(monkeypatch):
    monkeypatch.setattr(BIG_NUMBERS, "BYTES_MAX", 1 << 16)
    with caldera.connect(threads=1) as opened:
        yield opened


def name_others(connection):
    """Have so many other numbers named that old ones make room."""
    for start in (1, 1000):
        connection.sql(f"SELECT max(10::numeric ^ 200 + x) FROM generate_series({start}, {start + 500}) x").fetchall()


def test_a_result_is_readable_for_as_long_as_it_lives(connection):
    before = len(BIG_NUMBERS.held)
    relation = connection.sql("SELECT 1e300 + x FROM generate_series(1, 20) x")
    cursor = connection.execute("SELECT x, 1e300 - x FROM generate_series(1, 20) x")
    name_others(connection)
    assert [row[0] - TEN_300 for row in relation.fetchall()] == list(range(1, 21))
    assert [TEN_300 - row[1] for row in cursor.fetchall()] == list(range(1, 21))
    del relation, cursor
    gc.collect()
    assert len(BIG_NUMBERS.held) == before


def test_a_kept_map_keeps_its_numbers(connection):
    connection.execute("CREATE TABLE t (s text)")
    connection.execute("INSERT INTO t SELECT '1e300' FROM generate_series(1, 3000)")
    for _ in range(3):
        assert connection.sql("SELECT DISTINCT s::numeric FROM t").fetchall() == [(TEN_300,)]
        name_others(connection)


def test_half_a_surrogate_pair_is_no_parameter(connection):
    with pytest.raises(caldera.Error, match="invalid byte sequence for encoding") as caught:
        connection.sql("SELECT $1", "\ud800")
    assert caught.value.sqlstate == "22021"
