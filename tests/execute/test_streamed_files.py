"""Files that are read while the query runs: what is freed is not used, what is left out holds no row, memory is bounded."""
import ctypes
import datetime
import decimal
import itertools
import os
import time
import tracemalloc
import uuid

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import caldera
from caldera.base.errors import Error
from caldera.operators.scan import StreamSource
from caldera.query import execute
from caldera.storage.external import csv, files, open_file, parquet, row_stream

WAYS = [("python", 1), ("fast", 1), ("fast", 2), ("o3", 2)]         # tiers and workers


@pytest.fixture
def poisoned(monkeypatch):
    """Overwrite the memory of every piece when it is released."""
    release, count = StreamSource.release, itertools.count()

    def overwriting(self, worker):
        held = self.pieces[worker]
        for column in held.columns if held is not None else ():
            for array in column.kept:
                ctypes.memset(array.ctypes.data, 0x7F, array.nbytes)
            next(count)
        release(self, worker)
    monkeypatch.setattr(StreamSource, "release", overwriting)
    monkeypatch.setattr(parquet, "PIECE_ROWS", 16)
    return count


def texts(rows):
    """Texts, many of them long and equal, some NULL or short."""
    return [None if n % 11 == 0 else f"{n % 13:04}" + "größer " * (n % 5 * 7) + f"{n % 7}" for n in range(rows)]


@pytest.fixture
def words(tmp_path):
    """A file of 20 row groups of long texts."""
    rows = 300
    table = pa.table({"n": pa.array(range(rows), pa.int32()), "t": texts(rows), "u": [f"{n:0100}" for n in range(rows)]})
    pq.write_table(table, tmp_path / "words.parquet", row_group_size=15)
    return str(tmp_path / "words.parquet"), table


@pytest.mark.parametrize("query", [
    "SELECT t, count(*) FROM {} GROUP BY t ORDER BY t",
    "SELECT t || '!', sum(n), min(u), max(u) FROM {} GROUP BY 1 ORDER BY 1",
    "SELECT DISTINCT t FROM {} ORDER BY t DESC",
    "SELECT count(DISTINCT t), count(DISTINCT u), min(t), max(t), min(u), max(u) FROM {}",
    "SELECT string_agg(t, ',' ORDER BY n) FROM {}",
    "SELECT n % 3, string_agg(u, t ORDER BY u DESC), min(t) FROM {} GROUP BY 1 ORDER BY 1",
    "SELECT * FROM {} ORDER BY t, u",
    "SELECT t, u FROM {} ORDER BY u DESC LIMIT 7",
    "SELECT t, u, n FROM {} ORDER BY t NULLS FIRST, n LIMIT 40",
    "SELECT u, n FROM {} WHERE t LIKE '%r 3' OR u = '' ORDER BY n",
    "SELECT substr(t, 3), count(*) FROM {} WHERE n BETWEEN 40 AND 260 GROUP BY 1 HAVING max(u) > '0' ORDER BY 1",
    "SELECT max(CASE WHEN n % 2 = 0 THEN t ELSE u END), max(length(t)) FROM {}",
    "SELECT t FROM {} LIMIT 20",
    "SELECT n, u FROM {} OFFSET 290"])
@pytest.mark.parametrize("tier, threads", WAYS)
def test_texts_outlive_the_pieces_that_they_came_in(words, poisoned, query, tier, threads):
    path, table = words
    if tier == "python":
        table = table[:50]                          # tens of microseconds a row
        pq.write_table(table, path, row_group_size=15)
    with caldera.connect() as connection:
        connection.execute(f"SET threads = {threads}")
        expected = answer(connection, query.format("frame"), table)
        connection.execute(f"SET caldera.tier = '{tier}'")
        if tier == "python":
            connection.execute("SET caldera.checked = on")
        assert answer(connection, query.format(f"'{path}'")) == expected and isinstance(expected, list)
    assert next(poisoned) > 1


def answer(connection, query, frame=None):
    """A query's rows, or its error. `frame`: an Arrow table of that name."""
    try:
        return connection.sql(query).fetchall()
    except Error as fault:
        return fault.sqlstate, fault.message


@pytest.mark.parametrize("setting", ["caldera.morsel_rows = 1", "caldera.block_rows = 1", "caldera.equal_hashes = on"])
def test_streams_run_under_hostile_settings(words, poisoned, setting):
    path, table = words
    query = "SELECT t, count(*), min(u), string_agg(u, '' ORDER BY n) FROM {} GROUP BY t ORDER BY t"
    with caldera.connect() as connection:
        expected = answer(connection, query.format("frame"), table)
        connection.execute(f"SET {setting}")
        assert answer(connection, query.format(f"'{path}'")) == expected


def test_rows_are_loaded_through_what_was_freed(words, poisoned, monkeypatch):
    path, table = words
    monkeypatch.setattr("caldera.operators.collect.HANDED_ROWS", 64)
    monkeypatch.setattr("caldera.operators.collect.HANDED_BYTES", 1 << 10)
    with caldera.connect() as connection:
        connection.execute("SET caldera.block_rows = 16")
        connection.execute(f"CREATE TABLE a AS SELECT n + 1 AS n, t, upper(u) AS u FROM '{path}' WHERE n <> 7")
        connection.execute("CREATE TABLE b (n int, t text, u text)")
        connection.execute(f"INSERT INTO b SELECT * FROM '{path}'")
        connection.execute(f"COPY b FROM '{path}' (FORMAT parquet)")
        assert answer(connection, "SELECT n - 1, t, u FROM a ORDER BY n") == answer(
            connection, "SELECT n, t, u FROM frame WHERE n <> 7 ORDER BY n", table)
        assert answer(connection, "SELECT n, t, u, count(*) FROM b GROUP BY 1, 2, 3 ORDER BY 1") == answer(
            connection, "SELECT n, t, u, 2 FROM frame ORDER BY n", table)


def test_a_failed_load_leaves_nothing(words, monkeypatch):
    path, _ = words
    monkeypatch.setattr("caldera.operators.collect.HANDED_ROWS", 64)
    with caldera.connect() as connection:
        connection.execute("SET caldera.block_rows = 16")
        connection.execute("CREATE TABLE a (n int, t text NOT NULL)")
        for statement, sqlstate in ((f"INSERT INTO a SELECT n + 0, t FROM '{path}' WHERE n > 0", "23502"),
                                    (f"INSERT INTO a SELECT 1 / (250 - n), 'x' FROM '{path}'", "22012"),
                                    (f"CREATE TABLE c AS SELECT 1 / (250 - n) FROM '{path}'", "22012")):
            assert answer(connection, statement)[0] == sqlstate
        assert answer(connection, "SELECT count(*) FROM a") == [(0,)]
        assert answer(connection, "SELECT * FROM c")[0] == "42P01"


def test_a_table_that_is_there_already_is_not_filled_again():
    with caldera.connect() as connection:
        connection.execute("CREATE TABLE a AS SELECT 1 AS n")
        result, = execute(connection.session, "CREATE TABLE IF NOT EXISTS a AS SELECT 1 / 0 AS n")
        assert result.tag == "CREATE TABLE AS"              # as PostgreSQL says, which does not run the query
        connection.sql("EXPLAIN ANALYZE CREATE TABLE IF NOT EXISTS a AS SELECT 2 AS n")
        assert connection.sql("SELECT n FROM a").fetchall() == [(1,)]


# ------------------------------------------------------------------------------------------------ statistics

MOMENTS = [datetime.datetime(1969, 12, 31, 23, 59, 59, 999999), datetime.datetime(2000, 1, 1),
           datetime.datetime(2013, 7, 1, 10, 11, 12, 345000), datetime.datetime(2100, 1, 1)]
DECIMALS = [decimal.Decimal(text) for text in ("-99.50", "0.00", "1.25", "99.99")]
VALUES = {                                  # one column each, and how SQL spells its values
    "int8": (pa.array([-128, -1, 0, 127], pa.int8()), str), "uint8": (pa.array([0, 1, 128, 255], pa.uint8()), str),
    "uint16": (pa.array([0, 1, 2**15, 2**16 - 1], pa.uint16()), str),
    "uint32": (pa.array([0, 1, 2**31, 2**32 - 1], pa.uint32()), str),
    "uint64": (pa.array([0, 1, 2**63, 2**64 - 1], pa.uint64()), str),
    "int64": (pa.array([-2**63, -1, 0, 2**63 - 1], pa.int64()), lambda n: f"({n + 1} - 1)" if n < -2**62 else str(n)),
    "float16": (pa.array(np.array([-2, 0, 1.5, np.nan], np.float16)), lambda x: f"'{x}'::float4"),
    "float32": (pa.array([-0.1, -0.0, 0.1, float("nan")], pa.float32()), lambda x: f"'{np.float32(x)}'::float4"),
    "float64": (pa.array([float("-inf"), -0.0, float("inf"), float("nan")]), lambda x: f"'{x}'::float8"),
    "numbers": (pa.array([1.0, 2.0, float("nan"), float("nan")]), lambda x: f"'{x}'::float8"),
    "decimal5": (pa.array(DECIMALS, pa.decimal128(5, 2)), str), "decimal30": (pa.array(DECIMALS, pa.decimal128(30, 2)), str),
    "decimal60": (pa.array(DECIMALS, pa.decimal256(60, 2)), str),
    "date": (pa.array([moment.date() for moment in MOMENTS]), lambda day: f"DATE '{day}'"),
    **{f"timestamp_{unit}": (pa.array(MOMENTS, pa.timestamp("us")).cast(pa.timestamp(unit), safe=False),
                             lambda moment: f"TIMESTAMP '{str(moment)[:26]}'") for unit in ("s", "ms", "us", "ns")},
    "timestamptz": (pa.array(MOMENTS, pa.timestamp("us", "Europe/Oslo")), lambda moment: f"TIMESTAMPTZ '{moment}'"),
    "time": (pa.array([moment.time() for moment in MOMENTS]), lambda time: f"TIME '{time}'"),
    "bool": (pa.array([False, False, True, True]), str),
    "text": (pa.array(["", "a", "größer" * 40, "\U0010ffff" * 70]), lambda text: f"'{text}'"),
    "binary": (pa.array([b"", b"\x00", b"a\xff" * 50, b"\xff" * 200]), lambda data: f"'\\x{data.hex()}'::bytea"),
    "uuid": (pa.array([uuid.UUID(int=n).bytes for n in (0, 1, 2**127, 2**128 - 1)], pa.binary(16)),
             lambda data: f"'{uuid.UUID(bytes=data)}'::uuid")}


OPERATORS = "<", "<=", "=", ">=", ">", "<>", "IS NOT DISTINCT FROM"


@pytest.mark.parametrize("kind, integers", [*((kind, False) for kind in VALUES), ("decimal5", True)])
def test_statistics_leave_out_no_row(tmp_path, kind, integers):
    array, spell = VALUES[kind]
    column = pa.concat_arrays([array, pa.array([None, None, *array.to_pylist()[1:3]], array.type)])
    path = tmp_path / "values.parquet"
    pq.write_table(pa.table({"x": column}), path, row_group_size=2, store_decimal_as_integer=integers)
    with caldera.connect() as connection:
        for operator, value in itertools.product(OPERATORS, array.to_pylist()):
            query = f"SELECT x::text FROM '{path}' WHERE x {operator} {spell(value)} ORDER BY 1"
            found = answer(connection, query)
            connection.execute("SET disabled_rules = 'scan_ranges'")
            assert found == answer(connection, query) and isinstance(found, list), (operator, value)
            connection.execute("RESET disabled_rules")


@pytest.mark.parametrize("condition, read", [
    ("x = 5", 1), ("x > 7", 0), ("x IS NULL", 4), ("x IS NOT NULL", 3), ("x BETWEEN 2 AND 5", 2), ("f > 100", 4),
    ("f < 2", 2), ("f = 5", 1), ("f <= 'NaN'", 4), ("t = 'k5'", 1), ("t LIKE 'k1%'", 2), ("day > DATE '2024-01-07'", 1)])
def test_explain_tells_how_many_row_groups_were_read(tmp_path, condition, read):
    path, numbers = tmp_path / "numbers.parquet", [0, 1, 2, 3, 4, 5, 8, 9]
    days = [datetime.date(2024, 1, n + 1) for n in numbers]
    pq.write_table(pa.table({"x": [*range(2), 2, 3, 4, 5, None, None], "f": [float(n) for n in numbers],
                             "t": [f"k{n}" for n in numbers], "day": days}), path, row_group_size=2)
    with caldera.connect() as connection:
        lines = [line for line, in connection.sql(f"EXPLAIN ANALYZE SELECT * FROM '{path}' WHERE {condition}").fetchall()]
        text, = connection.sql(f"EXPLAIN (ANALYZE, FORMAT json) SELECT x FROM '{path}' WHERE {condition}").fetchone()
    assert any(f"row_groups={read} of 4" in line for line in lines), lines
    assert f'"Row Groups Read": {read}' in text and f'"Row Groups Skipped": {4 - read}' in text


def test_a_limit_reads_the_first_rows_only(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "PIECE_ROWS", 16)
    path = tmp_path / "numbers.parquet"
    pq.write_table(pa.table({"x": range(1000)}), path, row_group_size=10)
    with caldera.connect() as connection:
        lines = [line for line, in connection.sql(f"EXPLAIN ANALYZE SELECT x FROM '{path}' LIMIT 3").fetchall()]
        assert any(f"row_groups={read} of 100" in line for line in lines for read in (1, 2)), lines
        assert connection.sql(f"SELECT x FROM '{path}' LIMIT 3").fetchall() == [(0,), (1,), (2,)]


# ------------------------------------------------------------------------------------------------ files that change

def change(path, how):
    """Do something to a file."""
    if how == "deleted":
        os.remove(path)
    elif how == "truncated":
        os.truncate(path, os.path.getsize(path) // 2)
    elif how == "rewritten":
        with open(path, "r+b") as file:
            file.write(b"x" * 100)
        os.utime(path, ns=(1, 1))


@pytest.mark.parametrize("format", ["parquet", "csv"])
@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("how, sqlstate", [("deleted", "58P01"), ("truncated", "58030"), ("rewritten", "58030")])
def test_a_file_that_is_no_longer_what_was_planned_is_told(tmp_path, monkeypatch, format, begun, how, sqlstate):
    monkeypatch.setattr(parquet, "PIECE_ROWS", 1000)
    path, numbers = str(tmp_path / f"file.{format}"), range(100_000)
    table = pa.table({"n": numbers, "t": [f"{n:030}" for n in numbers]})
    pq.write_table(table, path, row_group_size=1000) if format == "parquet" else pa.csv.write_csv(table, path)
    stream = open_file(path).stream(["n", "t"])
    if begun and format == "parquet":
        assert stream.take().row_count == 1000
    change(path, how)
    with pytest.raises(Error) as caught:
        list(stream.pieces())
    assert caught.value.sqlstate == sqlstate and path in caught.value.message


def test_a_damaged_row_group_is_told_when_it_is_read(words):
    path, _ = words
    metadata = pq.read_metadata(path)
    place = metadata.row_group(10).column(1).data_page_offset
    with open(path, "r+b") as file:
        file.seek(place)
        file.write(b"\xff" * 40)
    with caldera.connect() as connection:
        assert connection.sql(f"SELECT n FROM '{path}' WHERE n < 3").fetchall() == [(0,), (1,), (2,)]
        sqlstate, message = answer(connection, f"SELECT count(t) FROM '{path}'")
        assert sqlstate == "XX001" and path in message
        assert connection.sql(f"SELECT count(t) FROM '{path}' WHERE n < 10").fetchall() == [(9,)]


@pytest.mark.parametrize("other, sqlstate", [({"b": [1.5], "a": [2]}, None), ({"a": [2]}, "42703"),
                                             ({"a": ["x"], "b": [1.5]}, "42804")])
def test_files_may_have_their_columns_in_another_order(tmp_path, other, sqlstate):
    pq.write_table(pa.table({"a": [1], "b": [0.5]}), tmp_path / "0.parquet")
    pq.write_table(pa.table(other), tmp_path / "1.parquet")
    with caldera.connect() as connection:
        found = answer(connection, f"SELECT a, b FROM '{tmp_path}/*.parquet' ORDER BY a")
    assert found == [(1, 0.5), (2, 1.5)] if sqlstate is None else found[0] == sqlstate and "1.parquet" in found[1]


# ------------------------------------------------------------------------------------------------ memory

@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Two files of 200 MB of texts, the same rows: Parquet, where they take little room, and CSV."""
    folder = tmp_path_factory.mktemp("large")
    text = [f"{n:05}" + "x" * 495 for n in range(1000)]
    table = pa.table({"n": pa.array(range(400_000), pa.int32()),
                      "t": pa.DictionaryArray.from_arrays(pa.array([n % 1000 for n in range(400_000)], pa.int32()), text)})
    pq.write_table(table, folder / "large.parquet", row_group_size=400_000)
    pa.csv.write_csv(table, folder / "large.csv")
    return folder


@pytest.fixture
def small_pieces(monkeypatch):
    """Sizes that fit the file."""
    monkeypatch.setattr(parquet, "PIECE_BYTES", 4 << 20)
    monkeypatch.setattr(csv, "SAMPLE_BYTES", 1 << 20)
    monkeypatch.setattr("caldera.storage.external.copy_reader.CHUNK_BYTES", 4 << 20)
    monkeypatch.setattr("caldera.operators.collect.HANDED_BYTES", 4 << 20)


@pytest.mark.parametrize("query", ["SELECT count(*), count(DISTINCT t), min(t), max(length(t)), sum(n) FROM {}",
                                   "SELECT substr(t, 1, 1), max(n) FROM {} WHERE n > 5 GROUP BY 1"])
@pytest.mark.parametrize("name", ["large.parquet", "large.csv"])
def test_a_query_holds_some_pieces_of_a_file_and_not_all(large, small_pieces, query, name):
    with caldera.connect() as connection:
        connection.execute("SET threads = 2")
        connection.execute("SET memory_limit = '50MB'")
        tracked = tracked_peak()
        with tracked:
            connection.sql(query.format(f"'{large / name}'")).fetchall()
        assert connection.database.budget.used == 0
    assert tracked.peak < 60 << 20


class tracked_peak:
    """Measures how many bytes Python, numpy and Arrow hold at most, beyond those at the beginning."""

    def __enter__(self):
        self.arrow = pa.proxy_memory_pool(pa.default_memory_pool())
        pa.set_memory_pool(self.arrow)
        tracemalloc.start()
        return self

    def __exit__(self, *_):
        self.peak = tracemalloc.get_traced_memory()[1] + self.arrow.max_memory()
        tracemalloc.stop()
        pa.set_memory_pool(pa.system_memory_pool())


def test_what_a_query_holds_of_a_file_counts_against_memory_limit(large):
    with caldera.connect() as connection:
        connection.execute("SET memory_limit = '8MB'")
        sqlstate, _ = answer(connection, f"SELECT max(t) FROM '{large}/large.parquet'")
        assert sqlstate == "53200" and connection.database.budget.used == 0
        assert connection.sql("SELECT 1").fetchall() == [(1,)]


@pytest.mark.parametrize("statement", [
    "CREATE TABLE loaded AS SELECT * FROM '{0}/large.parquet'",
    "CREATE TABLE loaded AS SELECT n + 1 AS n, t || 'y' AS t FROM '{0}/large.parquet'",
    "COPY loaded FROM '{0}/large.csv' (FORMAT csv, HEADER)", "INSERT INTO loaded SELECT n, t FROM '{0}/large.csv'"])
def test_loading_a_file_takes_less_memory_than_its_rows(large, tmp_path, small_pieces, statement):
    with caldera.connect(tmp_path / "database") as connection:
        connection.database.store.part_bytes_max = 8 << 20
        if not statement.startswith("CREATE"):
            connection.execute("CREATE TABLE loaded (n int, t text)")
        tracked = tracked_peak()
        with tracked:
            connection.execute(statement.format(large))
        assert connection.sql("SELECT count(*) FROM loaded").fetchall() == [(400_000,)]
    assert tracked.peak < 200 << 20           # the rows themselves; read at once they take several times as much


def test_cancelling_ends_a_query_over_a_file(large, monkeypatch):
    with caldera.connect() as connection:
        take = row_stream.RowStream.take

        def cancelling(self, *arguments):
            connection.session.cancelled.set()
            return take(self, *arguments)
        monkeypatch.setattr(row_stream.RowStream, "take", cancelling)
        assert answer(connection, f"SELECT count(DISTINCT t) FROM '{large}/large.parquet'")[0] == "57014"
        monkeypatch.undo()
        files.cache.clear()
        assert connection.sql(f"SELECT count(*) FROM '{large}/large.parquet'").fetchall() == [(400_000,)]


def test_a_stream_that_seemed_small_can_be_cancelled_and_times_out(large, monkeypatch):
    monkeypatch.setattr(parquet, "PIECE_BYTES", 1 << 20)
    stream, taken = parquet.ParquetRelation.stream, []

    def small(self, *arguments):
        found = stream(self, *arguments)
        found.row_count = found.piece_count = 10
        return found
    monkeypatch.setattr(parquet.ParquetRelation, "stream", small)
    take = row_stream.RowStream.take
    with caldera.connect() as connection:
        connection.execute("SET threads = 1")
        connection.execute("SET statement_timeout = '200ms'")

        def slowly(self, *arguments):
            taken.append(time.sleep(0.05))
            return take(self, *arguments)
        monkeypatch.setattr(row_stream.RowStream, "take", slowly)
        assert answer(connection, f"SELECT max(t) FROM '{large}/large.parquet'")[0] == "57014"
        assert len(taken) < 20
