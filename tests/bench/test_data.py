"""Where the hits come from: made once and kept, taken as they are, or converted from the published file's types."""
import datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from caldera.base.errors import Error
from caldera.bench import data, hits, schema


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "caldera" / "bench"


def published(rows):
    """Hits in the types of the published file: bytes, seconds, days, unsigned."""
    columns = {}
    for batch in hits.batches(rows):
        for name, kind in schema.COLUMNS:
            column = batch.column(name)
            if kind == "timestamp":
                column = column.cast(pa.timestamp("s")).cast(pa.int64())
            elif kind == "date":
                column = column.cast(pa.int32()).cast(pa.uint16())
            elif pa.types.is_string(column.type):
                column = column.cast(pa.binary())
            columns[name] = column
    return pa.table(columns)


def test_generated_hits_are_kept_and_found_again(cache):
    first = data.prepare(None, 50)
    stamp = first.stat().st_mtime_ns
    assert first.parent == cache and data.count(first) == 50
    assert data.prepare(None, 50) == first and first.stat().st_mtime_ns == stamp


def test_a_file_in_our_types_is_used_where_it_lies(tmp_path):
    hits.generate(tmp_path / "mine.parquet", 60)
    assert data.prepare(tmp_path / "mine.parquet", None) == tmp_path / "mine.parquet"
    assert data.count(data.prepare(tmp_path / "mine.parquet", 25)) == 25


def test_the_published_file_s_types_are_converted(tmp_path):
    pq.write_table(published(40), tmp_path / "hits.parquet")
    converted = pq.read_table(data.prepare(tmp_path / "hits.parquet", None))
    assert converted.equals(pa.Table.from_batches(hits.batches(40)))
    assert isinstance(converted["EventTime"][0].as_py(), datetime.datetime)


def test_bytes_that_are_no_text_become_replacement_characters(tmp_path):
    table = published(3)
    position = table.schema.get_field_index("Title")
    table = table.set_column(position, "Title", pa.array([b"a\xff", "я".encode(), b"x\0y"]))
    pq.write_table(table, tmp_path / "hits.parquet")
    assert pq.read_table(data.prepare(tmp_path / "hits.parquet", None))["Title"].to_pylist() == ["a�", "я", "x y"]


def test_a_missing_file_another_table_and_no_parquet_file_are_told_apart(tmp_path):
    pq.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    (tmp_path / "text.parquet").write_text("hello")
    for name, sqlstate in (("none.parquet", "58P01"), ("other.parquet", "42P16"), ("text.parquet", "22000")):
        with pytest.raises(Error) as caught:
            data.prepare(tmp_path / name, None)
        assert caught.value.sqlstate == sqlstate
