"""The table of rows that joins look partners up in, under every kernel: against a dictionary of Python."""
import collections

import numpy as np
import pytest

from caldera.kernel.blocks import Block
from caldera.kernel.interface import I8, I64
from caldera.kernel.nullable import Sql
from caldera.kernel.structures.arena import Arena
from caldera.kernel.structures.join_table import VALIDITY_BITS, Arrivals, JoinTable, RowLayout
from caldera.kernel.structures.row_store import PARTITIONS, PartitionRows
from caldera.types.registry import TYPES
from tests.kernel.staged import Arrays, Workers, every_kernel, execute

INT8 = TYPES["int8"]
BLOCK_ROWS = 16


def table_of(kernel, rows, workers=1, columns=1):
    """(run, the JoinTable that so many workers have made of `rows`: pairs of a hash and a value or None)."""
    layout = RowLayout([(number, INT8, True) for number in range(columns)])
    run, arena = Workers(workers, BLOCK_ROWS), Arena()
    arrivals = Arrivals(layout, arena)
    for owner in (arena, arrivals):
        run.open(owner)
    for worker in range(workers):
        mine = rows[worker::workers]
        hashes = np.array([signed(hash) for hash, _ in mine] or [0], np.int64)
        values = np.array([0 if value is None else value for _, value in mine] or [0], np.int64)
        valid = np.array([value is not None for _, value in mine] or [0], np.int64)
        arrays = Arrays({"hashes": hashes, "values": values, "valid": valid}, {})

        def body(k):
            here = k.memory(arrays)
            for first in k.range(0, len(mine), step=BLOCK_ROWS, vectorize=False):
                count = k.least(k.constant(I64, len(mine)) - first, k.constant(I64, BLOCK_ROWS))

                def read(number, row, first=first):
                    return Sql(here.values[first + number], here.valid[first + number] != 0)
                block = Block(k, count, {id: (lambda: read) for id in range(columns)})
                arrivals.append(k, block, set(range(columns)),
                                lambda row, first=first: (here.hashes[first + row.number], True))
            arrivals.partition(k)
        execute(kernel, body, run.control, [arrays, arrivals, arena], worker=worker, block_rows=BLOCK_ROWS)
    partitions = PartitionRows(arrivals)
    table = JoinTable(partitions)
    run.open(table)

    def arrange(k):
        k.memory(arrivals)                              # checked mode: that is where the partitions' rows lie
        table.consume(k, partitions.partitions(k))
    execute(kernel, arrange, run.control, [partitions, table, arrivals])
    assert run.control.exception is None
    return run, table


def found_in(kernel, run, table, hashes, usable=None, keeps_all=False):
    """{number of a hash: [its candidates, as (hash, values)]} as a staged lookup finds them."""
    layout, out = table.row_layout, Arrays({"hashes": np.array(hashes, np.int64), "spans": np.full(3 * BLOCK_ROWS, -1),
                                            "count": np.zeros(1, np.int64)}, {})

    def body(k):
        here, buffer = k.memory(out), k.buffer(I64, BLOCK_ROWS)
        for number in k.range(0, len(hashes), vectorize=False):
            buffer[number] = here.hashes[number]
        wanted = None if usable is None else k.buffer(I8, BLOCK_ROWS)
        for number, byte in enumerate(usable or ()):
            wanted[number] = byte
        count, *spans = table.candidates(k, buffer, k.constant(I64, len(hashes)), wanted, keeps_all)
        here.count[0] = count
        for number in k.range(0, count, vectorize=False):
            for place, span in enumerate(spans):
                here.spans[number * 3 + place] = span[number]
    execute(kernel, body, run.control, [out, table], block_rows=BLOCK_ROWS)
    rows = table.arrays[0][:table.row_count * layout.width].reshape(-1, layout.width)
    spans = out.arrays[1].reshape(-1, 3)[:int(out.arrays[2][0])].tolist()
    return {number: [row_of(layout, row) for row in rows[start:stop].tolist()] for number, start, stop in spans}


def row_of(layout, row):
    """(hash, values or None) of a row's words."""
    values = []
    for id, _, _ in layout.entries:
        word, bit = layout.validity[id]
        values.append(row[layout.word[id]] if row[word] >> bit & 1 else None)
    return row[0], tuple(values)


def signed(hash):
    return hash - (1 << 64) if hash >> 63 else hash


SETS = {
    "no rows": [],
    "one row": [(7 << 60, 1)],
    "spread": [(i * 0x9E3779B97F4A7C15 % (1 << 64), i) for i in range(150)],
    "duplicates": [((i % 9) * 0x9E3779B97F4A7C15 % (1 << 64), i) for i in range(90)],
    "equal hashes": [(0, i) for i in range(40)],
    "the last slot": [((1 << 64) - 1, i) for i in range(5)] + [((1 << 63) + i, None) for i in range(40)],
    "nulls": [((i % 5) << 59, None if i % 3 else i) for i in range(64)],
}


@every_kernel
@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("rows", SETS.values(), ids=SETS)
def test_every_row_is_found_by_its_hash(kernel, rows, workers):
    run, table = table_of(kernel, rows, workers)
    assert table.row_count == len(rows)
    expected = collections.defaultdict(list)
    for hash, value in rows:
        expected[signed(hash)].append((value,))
    hashes = sorted(expected)[:BLOCK_ROWS - 1] + [signed(0xABCDEF << 40)]
    found = found_in(kernel, run, table, hashes)
    for number, hash in enumerate(hashes):
        candidates = [values for other, values in found.get(number, ()) if other == hash]
        assert sorted(candidates, key=str) == sorted(expected.get(hash, ()), key=str)


@every_kernel
def test_a_slot_holds_its_own_rows_only_though_partitions_are_empty(kernel):
    rows = [(partition << 58, number) for partition in (3, 40, 63) for number in range(20)]
    run, table = table_of(kernel, rows)
    found = found_in(kernel, run, table, [signed(partition << 58) for partition in (3, 4, 40, 63, 0)])
    assert {number: len(candidates) for number, candidates in found.items()} == {0: 20, 2: 20, 3: 20}
    assert PARTITIONS == 64


@every_kernel
def test_rows_that_want_no_partner_are_left_out_or_kept_without_candidates(kernel):
    run, table = table_of(kernel, [(0, 1), (0, 2)])
    assert found_in(kernel, run, table, [0, 0, 0], (0, 1, 0)) == {1: [(0, (1,)), (0, (2,))]}
    kept = found_in(kernel, run, table, [0, 0], (0, 1), keeps_all=True)
    assert kept == {0: [], 1: [(0, (1,)), (0, (2,))]}


@every_kernel
def test_rows_have_any_number_of_columns_that_may_be_null(kernel):
    columns = 2 * VALIDITY_BITS + 2
    run, table = table_of(kernel, [(0, 5), (0, None)], columns=columns)
    assert found_in(kernel, run, table, [0]) == {0: [(0, (5,) * columns), (0, (None,) * columns)]}
