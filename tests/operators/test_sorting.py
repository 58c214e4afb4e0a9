"""ORDER BY and top-N: ties, NULLs, descending keys, limits, and pruning, against Python's own sort."""
import itertools
import random

import pytest

import caldera
from caldera.operators import sort
from tests.execute.engine import rows_in_parts

ROWS = 30_000
TYPES = {"small": "int", "big": "int8", "f": "float8", "word": "text", "n": "numeric", "d": "date"}


def rows():
    """Many ties, NULLs in every column but id."""
    source = random.Random(5)

    def some(make):
        return None if source.random() < 0.1 else make()
    return [(number, some(lambda: source.randrange(20)), some(lambda: source.randrange(-2**62, 2**62)),
             some(lambda: source.choice([0.5, -1.25, float("inf"), float("-inf"), float("nan"), source.random()])),
             some(lambda: source.choice(["", "a", "ab", "a longer text than twelve", "ä", "Z"]) * source.randrange(3)),
             some(lambda: source.randrange(-500, 500)), some(lambda: source.randrange(1, 28))) for number in range(ROWS)]


DATA = rows()


@pytest.fixture(scope="module")
def connection(tmp_path_factory):
    path = tmp_path_factory.mktemp("sorting") / "rows.csv"
    written = [(*row[:6], row[6] and f"2024-02-{row[6]:02}") for row in DATA]
    lines = [",".join("" if value is None else f'"{value}"' for value in row) for row in written]
    path.write_text("\n".join(lines) + "\n")
    with caldera.connect(threads=2) as connection, rows_in_parts():
        columns = ", ".join(f"{name} {type}" for name, type in TYPES.items())
        connection.sql(f"CREATE TABLE t (id int NOT NULL, {columns})")
        connection.sql(f"COPY t FROM '{path}' (FORMAT csv)")
        yield connection


def key_of(column):
    """A key for Python: NaN is the greatest number, text sorts bytewise."""
    at = 1 + list(TYPES).index(column)

    def key(row):
        value = row[at]
        return value.encode() if isinstance(value, str) else (value != value, value if value == value else 0)
    return at, key


def ordered(keys):
    """Ids in the order of `keys`: tuples (column, descending, nulls first); ties by id."""
    result = list(DATA)
    for column, descending, nulls_first in reversed(keys):
        at, key = key_of(column)
        present = sorted((row for row in result if row[at] is not None), key=key, reverse=False)
        if descending:
            groups = [list(group) for _, group in itertools.groupby(present, key)]
            present = [row for group in reversed(groups) for row in group]
        absent = [row for row in result if row[at] is None]
        result = absent + present if nulls_first else present + absent
    return [row[0] for row in result]


def clause(keys):
    parts = [f"{column} {'DESC' if descending else 'ASC'} NULLS {'FIRST' if nulls_first else 'LAST'}"
             for column, descending, nulls_first in keys]
    return ", ".join([*parts, "id"])


TRUTHS = False, True
KEYS = [[(column, descending, nulls_first)] for column in TYPES for descending in TRUTHS for nulls_first in TRUTHS]
KEYS += [[("small", True, False), ("word", False, True)],
         [("word", True, True), ("n", True, False), ("small", False, False)], [("d", False, False), ("f", True, True)]]
every_order = pytest.mark.parametrize("keys", KEYS, ids=clause)


@every_order
def test_all_rows_in_order(connection, keys):
    found = connection.sql(f"SELECT id FROM t ORDER BY {clause(keys)}").fetchall()
    assert [id for id, in found] == ordered(keys)


@every_order
@pytest.mark.parametrize("limit, offset", [(1, 0), (100, 0), (50, 29_980), (20, 40_000)])
def test_the_first_rows_in_order(connection, keys, limit, offset):
    """ROWS is more than a worker's store holds before it is pruned."""
    assert ROWS > 2 * (sort.PRUNE_ROWS + limit) or limit > 100
    found = connection.sql(f"SELECT id FROM t ORDER BY {clause(keys)} LIMIT {limit} OFFSET {offset}").fetchall()
    assert [id for id, in found] == ordered(keys)[offset:offset + limit]


def test_stores_of_top_n_are_pruned(connection, monkeypatch):
    pruned, original = [], sort.Sort.prune
    monkeypatch.setattr(sort.Sort, "prune", lambda sink, *arguments: (pruned.append(1), original(sink, *arguments))[1])
    # big falls with id, so that every row may be among the first
    query = "SELECT id FROM t ORDER BY -id LIMIT 5"
    assert connection.sql(query).fetchall() == [(ROWS - 1 - number,) for number in range(5)]
    assert pruned


def test_limit_zero_and_limit_null(connection):
    assert connection.sql("SELECT id FROM t ORDER BY small LIMIT 0").fetchall() == []
    assert len(connection.sql("SELECT id FROM t ORDER BY small LIMIT NULL").fetchall()) == ROWS
    assert len(connection.sql("SELECT id FROM t ORDER BY small OFFSET 29990").fetchall()) == 10
    assert len(connection.sql("SELECT id FROM t LIMIT 7 OFFSET 3").fetchall()) == 7


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("limit, offset", [(0, 0), (1, 0), (1023, 0), (1024, 1), (1025, 5_000), (20_000, 9_999),
                                           (10, 29_995), (5, 30_000)])
def test_limit_without_an_order_counts_over_all_workers(connection, limit, offset, threads):
    connection.sql(f"SET threads = {threads}")
    connection.sql("SET caldera.morsel_rows = 2000")
    found = connection.sql(f"SELECT id FROM t LIMIT {limit} OFFSET {offset}").fetchall()
    connection.sql("RESET ALL")
    assert len(found) == len(set(found)) == max(0, min(limit, ROWS - offset))
    assert {id for id, in found} <= set(range(ROWS))


def test_texts_come_out_of_a_sort_as_they_went_in(connection):
    found = connection.sql("SELECT id, word, n FROM t ORDER BY word DESC, id LIMIT 5000").fetchall()
    by_id = {row[0]: row for row in DATA}
    assert all((word, n) == (by_id[id][4], by_id[id][5]) for id, word, n in found)
