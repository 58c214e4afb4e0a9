"""GROUP BY over every kind of key and table, against dictionaries of Python."""
import collections
import contextlib

import pytest

import caldera
from caldera.kernel.structures import group_table
from caldera.operators import grouping
from tests.execute.engine import rows_in_parts

ROWS = 20_000
KEYS = {                                # column -> its value in row i
    "few": lambda i: None if i % 17 == 0 else i % 5,
    "truth": lambda i: None if i % 7 == 0 else i % 2 == 0,
    "far": lambda i: (i % 300) * 1_000_000_007,
    "coded": lambda i: None if i % 19 == 0 else f"entry {i % 40} of a dictionary",
    "plain": lambda i: None if i % 23 == 0 else f"text {i % 9000}, which is different in nearly every row",
    "short": lambda i: "" if i % 2 else f"s{i % 6000}",
    "fraction": lambda i: (i % 100) / 4,
}
SQL_TYPES = {"few": "int", "truth": "boolean", "far": "int8", "coded": "text", "plain": "text", "short": "text",
             "fraction": "float8"}


@pytest.fixture(scope="module", params=[1, 3, 0], ids=["one part", "three parts", "a delta"])
def connection(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("groups")
    with caldera.connect(threads=2) as connection, rows_in_parts() if request.param else contextlib.nullcontext():
        columns = ", ".join(f"{name} {SQL_TYPES[name]}" for name in KEYS)
        connection.sql(f"CREATE TABLE t (id int NOT NULL, {columns})")
        parts = request.param or 1
        step = -(-ROWS // parts)
        for part in range(parts):
            numbers = range(part * step, min(ROWS, (part + 1) * step))
            lines = [",".join([str(i), *(field(make(i)) for make in KEYS.values())]) for i in numbers]
            (path / f"{part}.csv").write_text("\n".join(lines) + "\n")
            connection.sql(f"COPY t FROM '{path}/{part}.csv' (FORMAT csv)")
        connection.parts = request.param
        yield connection


def field(value):
    """A value in a CSV file."""
    return "" if value is None else f'"{value}"'


@pytest.fixture(params=["codes", "hashes", "equal hashes", "one worker", "small blocks"])
def way(request, connection):
    """Ways that must not change an answer."""
    settings = {"hashes": ("disabled_rules", "direct_groups"), "equal hashes": ("caldera.equal_hashes", "on"),
                "one worker": ("threads", "1"), "small blocks": ("caldera.block_rows", "16")}.get(request.param)
    if settings:
        connection.sql(f"SET {settings[0]} = '{settings[1]}'")
    yield request.param
    connection.sql("RESET ALL")


def expected(names):
    """{keys: (count, sum of ids, least id)}"""
    groups = collections.defaultdict(list)
    for i in range(ROWS):
        groups[tuple(KEYS[name](i) for name in names)].append(i)
    return {keys: (len(ids), sum(ids), min(ids)) for keys, ids in groups.items()}


COMBINATIONS = [("few",), ("truth",), ("far",), ("coded",), ("plain",), ("short",), ("fraction",), ("few", "truth"),
                ("few", "coded"), ("coded", "short"), ("plain", "far"), ("truth", "fraction", "coded"),
                ("few", "truth", "coded")]


@pytest.mark.parametrize("names", COMBINATIONS, ids="-".join)
def test_groups_have_all_their_rows(connection, way, names):
    if way == "equal hashes" and names in (("plain",), ("plain", "far"), ("coded", "short"), ("short",)):
        pytest.skip("thousands of groups in one chain")
    keys = ", ".join(names)
    found = connection.sql(f"SELECT {keys}, count(*), sum(id), min(id) FROM t GROUP BY {keys}").fetchall()
    assert {row[:-3]: row[-3:] for row in found} == expected(names) and len(found) == len(expected(names))


@pytest.mark.parametrize("names", [("few",), ("coded",), ("plain",), ("few", "coded")], ids="-".join)
def test_distinct_aggregates_and_distinct_rows(connection, way, names):
    if way == "equal hashes" and "plain" in names:
        pytest.skip("thousands of groups in one chain")
    keys = ", ".join(names)
    groups = expected(names)
    assert sorted(connection.sql(f"SELECT DISTINCT {keys} FROM t").fetchall(), key=str) == sorted(groups, key=str)
    columns = {name: {KEYS[name](i) for i in range(ROWS)} - {None} for name in names}
    counts = connection.sql("SELECT " + ", ".join(f"count(DISTINCT {name})" for name in names) + " FROM t").fetchall()
    assert counts == [tuple(len(columns[name]) for name in names)]
    found = dict(connection.sql("SELECT truth, count(DISTINCT few) FROM t GROUP BY truth").fetchall())
    sets = collections.defaultdict(set)
    for i in range(ROWS):
        sets[KEYS["truth"](i)].add(KEYS["few"](i))
    assert found == {truth: len(values - {None}) for truth, values in sets.items()}


def test_which_table_holds_the_groups(connection, monkeypatch):
    """Codes for small numbers and dictionaries, unless there are too many; merged if codes mean something in one part
    only."""
    seen = []
    original = grouping.Grouping.open_source

    def open_source(self, run):
        original(self, run)
        seen.append((self.codes is not None, self.must_merge))
    monkeypatch.setattr(grouping.Grouping, "open_source", open_source)
    def table_of(names):
        seen.clear()
        connection.sql(f"SELECT {names}, count(*) FROM t GROUP BY {names}").fetchall()
        return seen[-1]
    in_parts, several = connection.parts > 0, connection.parts > 1
    assert table_of("few") == (in_parts, False)
    assert table_of("coded") == (in_parts, several) and table_of("few, coded") == (in_parts, several)
    assert table_of("far") == table_of("few, plain") == (False, False)
    assert table_of("plain")[0] == (connection.parts == 1)      # a dictionary of half as many entries as rows


def test_group_tables_grow(connection, monkeypatch):
    """More groups than a table has at first, for rows and for its index, in every partition."""
    grown = collections.Counter()
    for name in ("grow_rows", "grow_index"):
        original = getattr(group_table.GroupTable, name)

        def counting(table, *arguments, name=name, original=original):
            grown[name] += 1
            return original(table, *arguments)
        monkeypatch.setattr(group_table.GroupTable, name, counting)
    found = connection.sql("SELECT id * 7 % 30011, count(*), min(plain) FROM t GROUP BY 1").fetchall()
    assert len(found) == ROWS and all(count == 1 for _, count, _ in found)
    assert grown["grow_rows"] and grown["grow_index"]


def test_an_aggregate_over_an_aggregate(connection):
    counts = [count for count, _, _ in expected(("coded",)).values()]
    inner = "SELECT coded, count(*) AS n, count(DISTINCT few) AS d FROM t GROUP BY coded"
    found = connection.sql(f"SELECT count(*), sum(n), max(n) FROM ({inner}) AS s").fetchall()
    assert found == [(len(counts), sum(counts), max(counts))]
    found = connection.sql(f"SELECT n, count(*), sum(d) FROM ({inner}) AS s GROUP BY n").fetchall()
    assert {n: count for n, count, _ in found} == collections.Counter(counts)
    found = connection.sql("SELECT count(*) FROM (SELECT few, truth FROM (SELECT DISTINCT few, truth, coded FROM t) AS a"
                           " GROUP BY few, truth) AS b").fetchall()
    assert found == [(len(expected(("few", "truth"))),)]


def test_groups_of_no_rows(connection):
    assert connection.sql("SELECT few, count(*) FROM t WHERE id < 0 GROUP BY few").fetchall() == []
    assert connection.sql("SELECT count(*), sum(id), min(coded) FROM t WHERE id < 0").fetchall() == [(0, None, None)]
    assert connection.sql("SELECT DISTINCT coded FROM t WHERE id < 0").fetchall() == []


def test_workers_that_have_no_part_in_distinct_arguments_keep_their_groups():
    """Which worker takes a morsel is chance; so the query comes often enough for each to have been alone."""
    with caldera.connect(threads=2) as connection:
        connection.sql("CREATE TABLE t AS SELECT i, i % 2 = 0 AS even FROM generate_series(1, 15) AS g (i)")
        for name, value in (("caldera.tier", "fast"), ("caldera.block_rows", "2"), ("caldera.morsel_rows", "3")):
            connection.sql(f"SET {name} = '{value}'")
        query = "SELECT count(*), count(DISTINCT even), count(DISTINCT i), count(DISTINCT i % 3) FROM t GROUP BY i / 100"
        assert {connection.sql(query).fetchone() for _ in range(40)} == {(15, 2, 15, 3)}
