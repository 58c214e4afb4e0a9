"""Parts: what was written is read back, zone maps leave out only what may be left out, and damage is told."""
import os
import random

import numpy as np
import pytest

from caldera.base.errors import Error
from caldera.storage import arrays
from caldera.storage.engine import GRANULE_ROWS, Range
from caldera.storage.mergetree import format
from caldera.storage.mergetree.part import PartFile, write_part
from tests.storage.columns import column, datums, rows_of, samples, sort_key, with_nulls
from tests.storage.databases import check_all

ROWS = 2 * GRANULE_ROWS + 1_234


def given(**columns):
    """Columns as write_part wants them."""
    return [lambda name=name, data=data: (name, None, data, None) for name, data in columns.items()]


@pytest.fixture(scope="module")
def whole():
    """A part of many columns: (ColumnDatas by name, path)."""
    columns = samples(11, ROWS)
    nullable = ("int4_16", "float8", "numeric_16", "text_300", "text_plain")
    return columns | with_nulls({name: columns[name] for name in nullable}, 12)


@pytest.fixture(scope="module")
def path(whole, tmp_path_factory):
    path = str(tmp_path_factory.mktemp("parts") / "whole.part")
    write_part(path, given(**whole), (), ROWS, durable=False)
    return path


def test_a_part_gives_back_its_rows(whole, path):
    part = PartFile(path)
    for name, data in whole.items():
        assert rows_of(part.segment.column(name).decode()) == rows_of(data), name
    check_all(part)


def test_a_part_in_memory_is_the_same_bytes(whole, path):
    size, _, data = write_part(None, given(**whole), (), ROWS)
    with open(path, "rb") as file:
        assert file.read() == data and size == len(data)
    assert rows_of(PartFile("memory", data).segment.column("uuid").decode()) == rows_of(whole["uuid"])


def test_bounds_counts_and_totals_are_exact_where_they_say_so(whole, path):
    segment, exact = PartFile(path).segment, 0
    for name, data in whole.items():
        stored, values = segment.column(name), [datum for datum in datums(data) if datum is not None]
        assert stored.null_count == ROWS - len(values)
        if stored.exact_bounds:
            exact += 1
            assert [sort_key(stored.low), sort_key(stored.high)] \
                == [sort_key(choose(values, key=sort_key)) for choose in (min, max)], name
        if stored.total is not None:
            scale = stored.scale
            assert stored.total == (sum(int(value.scaleb(scale)) for value in values) if scale else sum(values))
    assert exact > 25


@pytest.mark.parametrize("name", ["int4_16", "int8_limits", "int2_8", "bool", "float8", "float4", "numeric_16", "numeric_63",
                                  "numeric_scales", "numeric_wide", "uuid", "text_300", "text_plain", "text_7",
                                  "int4_16_nulls", "float8_nulls", "numeric_16_nulls", "text_300_nulls", "text_plain_nulls",
                                  "text_plain_void"])
def test_pruning_keeps_every_row_that_satisfies(whole, path, name):
    """Ranges between values that occur and next to them, over sorted data, where pruning leaves out most."""
    data = whole[name]
    permutation = arrays.sort_permutation([data])
    ordered = data if permutation is None else arrays.take(data, permutation)
    *_, written = write_part(None, given(**{name: ordered}), [name], ROWS)
    segment, values, chooser = PartFile("memory", written).segment, datums(ordered), random.Random(5)
    present, left_out = [value for value in values if value is not None] or [datums(column("text", [b"x"]))[0]], 0
    for _ in range(60):
        low, high = sorted((chooser.choice(present), chooser.choice(present)), key=sort_key)
        low, high, nulls = chooser.choice([(low, high), (low, None), (None, high), (low, low)]) + (chooser.random() < 0.3,)
        runs = segment.granules([Range(name, low, high, nulls)])
        kept = set().union(*(range(first, first + count) for first, count in runs))
        left_out += ROWS - len(kept)
        for row in range(0, ROWS, 7):
            value = values[row]
            satisfied = nulls if value is None else ((low is None or sort_key(low) <= sort_key(value))
                                                     and (high is None or sort_key(value) <= sort_key(high)))
            assert row in kept or not satisfied, (low, high, nulls, row, value)
    assert left_out > 0 or name in ("bool", "text_plain_void")


def test_no_granule_has_what_lies_outside_of_all(whole, path):
    segment = PartFile(path).segment
    assert segment.granules([Range("int4_16", 1 << 30, None)]) == []
    assert segment.granules([Range("text_300", "\U0010ffff" * 10, None)]) == []
    assert segment.granules([Range("int4_16", None, None)]) == [(0, ROWS)]
    assert segment.granules() == [(0, ROWS)]


def test_rows_that_are_sorted_are_read_by_granule(tmp_path):
    numbers = column("int4", np.arange(ROWS))
    *_, written = write_part(None, given(n=numbers), ["n"], ROWS)
    segment = PartFile("memory", written).segment
    assert segment.granules([Range("n", 0, 5)]) == [(0, GRANULE_ROWS)]
    assert segment.granules([Range("n", GRANULE_ROWS - 1, GRANULE_ROWS)]) == [(0, 2 * GRANULE_ROWS)]
    assert segment.granules([Range("n", ROWS - 1, None)]) == [(2 * GRANULE_ROWS, ROWS - 2 * GRANULE_ROWS)]


def test_the_order_of_rows_is_that_of_sql():
    """NULLS LAST, NaN above all numbers, text bytewise, numerics by value whatever their scale."""
    for name, data in (samples(21, 500) | with_nulls(samples(22, 500), 23)).items():
        if data.type.name == "interval":
            continue
        permutation = arrays.sort_permutation([data])
        ordered = datums(data if permutation is None else arrays.take(data, permutation))
        values = [value for value in ordered if value is not None]
        assert ordered[:len(values)] == values, name
        assert [sort_key(value) for value in values] == sorted(map(sort_key, values)), name


def test_several_keys_order_rows_one_after_the_other():
    data = samples(31, 2_000)
    keys = [data["int2_2"], data["text_7"], data["float8"], data["int8_limits"]]
    permutation = arrays.sort_permutation(keys)
    rows = list(zip(*([sort_key(value) for value in datums(key)] for key in keys)))
    assert [rows[at] for at in permutation.tolist()] == sorted(rows)
    assert arrays.sort_permutation([arrays.take(key, permutation) for key in keys]) is None


# ------------------------------------------------------------------------------------------------ damage

def damaged(path, tmp_path, change):
    """A copy of a part with its bytes changed by `change(bytearray)`, which may return other bytes."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    data = change(data) or data
    copy = tmp_path / "damaged.part"
    copy.write_bytes(data)
    return PartFile(str(copy))


@pytest.mark.parametrize("change", [
    lambda data: bytes(1), lambda data: data[:100], lambda data: data[:-1], lambda data: data[:len(data) // 2],
    lambda data: b"x" + data[1:], lambda data: data[:-30] + b"x" + data[-29:], lambda data: data + b"more",
    lambda data: data[:-24] + bytes(24), lambda data: data[:200] + data[264:]])
def test_a_damaged_file_is_told_before_it_is_used(path, tmp_path, change):
    with pytest.raises(Error) as caught:
        damaged(path, tmp_path, change).segment
    assert caught.value.sqlstate == "XX001" and "damaged.part" in str(caught.value)


def test_an_empty_and_a_missing_file_are_told(tmp_path):
    (tmp_path / "empty.part").touch()
    with pytest.raises(Error) as caught:
        PartFile(str(tmp_path / "empty.part")).segment
    assert caught.value.sqlstate == "XX001"
    with pytest.raises(Error) as caught:
        PartFile(str(tmp_path / "missing.part")).segment
    assert caught.value.sqlstate == "58P01"
    assert caught.value.message == f'could not open file "{tmp_path}/missing.part": No such file or directory'


def test_another_version_is_refused(path, tmp_path):
    def newer(data):
        data[8] = 99
    with pytest.raises(Error) as caught:
        damaged(path, tmp_path, newer).segment
    assert caught.value.sqlstate == "0A000"


@pytest.mark.parametrize("name", ["text_plain", "text_300"])
def test_a_flipped_bit_in_what_native_code_follows_is_told(path, tmp_path, name):
    chunks = next(column for column in PartFile(path).footer.columns if column.name == name).chunks
    for chunk in ("offsets", "cells", "codes"):
        if chunk in chunks:
            def flip(data, at=chunks[chunk].offset + chunks[chunk].length // 2):
                data[at] ^= 0x40
            with pytest.raises(Error) as caught:
                damaged(path, tmp_path, flip).segment.column(name).struct
            assert caught.value.sqlstate == "XX001"


def test_any_flipped_bit_is_found_when_everything_is_verified(path, tmp_path):
    size, chooser = os.path.getsize(path), random.Random(7)
    for _ in range(30):
        at = chooser.randrange(format.HEADER.size, size)

        def flip(data, at=at):
            data[at] ^= 1 << chooser.randrange(8)
        part = damaged(path, tmp_path, flip)
        try:
            check_all(part)
        except Error as error:
            assert error.sqlstate == "XX001"
        else:       # it hit the padding between chunks, which means nothing
            assert all(not chunk.offset <= at < chunk.offset + chunk.length
                       for column in part.footer.columns for chunk in column.chunks.values())
