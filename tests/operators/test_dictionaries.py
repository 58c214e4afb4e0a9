"""Expressions over one text column are evaluated once for each entry, and the answer is that of evaluating every row."""
import pytest

import caldera
from caldera.operators import dictionary
from tests.execute.engine import rows_in_parts

ROWS = 4_000


@pytest.fixture
def connection():
    with caldera.connect(threads=2) as connection, rows_in_parts():
        connection.sql("CREATE TABLE t (id int, s text, number text)")
        for part in range(3):
            connection.sql(f"INSERT INTO t SELECT i, CASE WHEN i % 9 <> 0 THEN 'entry ' || (i * {part + 1}) % 30 END, "
                           f"CASE WHEN i % 7 <> 0 THEN (i % 25)::text ELSE 'no number' END "
                           f"FROM generate_series(1, {ROWS}) AS g (i)")
        yield connection


@pytest.fixture
def mapped(monkeypatch):
    """Expressions whose maps were filled, dropped or taken as kept, in that order."""
    events = {"filled": [], "dropped": [], "opened": []}
    for name, method in (("filled", "finished"), ("dropped", "give_up"), ("opened", "open")):
        original = getattr(dictionary.EntryMap, method)

        def noting(map, *arguments, name=name, original=original):
            events[name].append(str(map.expression))
            return original(map, *arguments)
        monkeypatch.setattr(dictionary.EntryMap, method, noting)
    return events


EXPRESSIONS = ["upper(s)", "length(s)", "s LIKE '%1%'", "s || '!'", "coalesce(s, 'none')", "s IS NULL", "substr(s, 7)",
               "CASE WHEN s > 'entry 2' THEN 'high' ELSE s END", "nullif(s, 'entry 3')", "md5(s)", "s ~ '[12]$'"]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_a_map_gives_what_rows_give(connection, mapped, expression):
    """Beside a second column nothing can be mapped: that is the plain way."""
    plain = connection.sql(f"SELECT id, CASE WHEN id > 0 THEN {expression} END AS x FROM t").fetchall()
    assert connection.sql(f"SELECT id, {expression} AS x FROM t").fetchall() == plain or \
        sorted(connection.sql(f"SELECT id, {expression} AS x FROM t").fetchall(), key=str) == sorted(plain, key=str)
    found = connection.sql(f"SELECT {expression} AS x, count(*) FROM t GROUP BY 1").fetchall()
    counts = {}
    for _, value in plain:
        counts[value] = counts.get(value, 0) + 1
    assert dict(found) == counts and len(found) == len(counts)


def test_maps_are_kept_with_the_part(connection, mapped):
    query = "SELECT count(*) FROM t WHERE s LIKE '%12%'"
    first = connection.sql(query).fetchall()
    filled = len(mapped["filled"])
    assert filled
    assert connection.sql(query).fetchall() == first
    connection.session.plans.clear()
    assert connection.sql(query).fetchall() == first
    assert len(mapped["filled"]) == filled
    connection.sql(f"INSERT INTO t SELECT i, 'entry 12', '1' FROM generate_series(1, {ROWS}) AS g (i)")
    assert connection.sql(query).fetchall() == [(first[0][0] + ROWS,)]


@pytest.mark.parametrize("tier", ["fast", "python"])
def test_texts_of_kept_maps_outlive_the_query_that_made_them(connection, mapped, tier):
    """Other queries take and give back memory in between."""
    connection.sql(f"SET caldera.tier = '{tier}'")
    connection.sql("SET threads = 1")
    query = "SELECT upper(s) || ', in capitals' AS u, count(*) FROM t WHERE id <= 300 GROUP BY 1 ORDER BY 1 NULLS FIRST"
    expected = connection.sql(query).fetchall()
    assert all(u is None or u.startswith("ENTRY ") for u, _ in expected)
    filled = len(mapped["filled"])
    for _ in range(5):
        connection.sql("SELECT max(s || number || s || number) FROM t WHERE id <= 300")
        assert connection.sql(query).fetchall() == expected
    assert len(mapped["filled"]) == filled


def test_an_entry_that_raises_an_error_hurts_only_the_rows_that_have_it(connection, mapped):
    """'no number' is an entry, but no row that has it is asked."""
    total = connection.sql("SELECT sum(number::int) FROM t WHERE number <> 'no number'").fetchall()
    expected = 3 * sum(i % 25 for i in range(1, ROWS + 1) if i % 7)
    assert total == [(expected,)]
    with pytest.raises(caldera.Error) as caught:
        connection.sql("SELECT sum(number::int) FROM t")
    assert caught.value.sqlstate == "22P02"
    assert connection.sql("SELECT sum(CASE WHEN number <> 'no number' THEN number::int END) FROM t").fetchall() == total


def test_a_part_without_a_dictionary_is_read_row_by_row(connection, mapped):
    query = "SELECT upper(s), count(*) FROM t GROUP BY 1 ORDER BY 1 NULLS FIRST"
    before = connection.sql(query).fetchall()
    connection.sql("INSERT INTO t SELECT i, 'unique ' || i, '1' FROM generate_series(1, 3000) AS g (i)")
    after = connection.sql(query).fetchall()
    assert [row for row in after if not (row[0] or "").startswith("UNIQUE")] == before and len(after) == len(before) + 3000


def test_a_volatile_function_is_asked_for_every_row(connection):
    found = connection.sql("SELECT count(DISTINCT random()::text || s) FROM t").fetchall()
    assert found[0][0] > 5_000


def test_python_functions_see_each_entry_and_their_errors_come_through(connection):
    found = connection.sql("SELECT regexp_replace(s, '(\\d)(\\d)', '\\2\\1') AS r, count(*) FROM t GROUP BY 1").fetchall()
    assert sum(count for _, count in found) == 3 * ROWS and ("entry 21", ) in {(r,) for r, _ in found}
    with pytest.raises(caldera.Error):
        connection.sql("SELECT count(*) FROM t WHERE s ~ '('")


def test_what_a_part_keeps_survives_a_map_that_another_part_spoils():
    """The entry `w` of the second part divides by zero; the first part's values had been kept before."""
    query = "SELECT repeat(s, 20 / (length(s) - 1)) AS r, count(*) FROM t WHERE id < %s GROUP BY r ORDER BY r"
    with caldera.connect(threads=1) as connection, rows_in_parts():
        connection.sql("CREATE TABLE t (id int, s text) WITH (order_by = 'id')")
        connection.sql("INSERT INTO t SELECT i, 'word ' || i % 10 FROM generate_series(1, 1000) AS g (i)")
        connection.sql("INSERT INTO t SELECT i, left('wx', 1 + i % 2) FROM generate_series(2001, 3000) AS g (i)")
        first = connection.execute(query, (1500,)).fetchall()
        with pytest.raises(caldera.Error, match="division by zero"):
            connection.execute(query, (5000,)).fetchall()
        connection.sql("SELECT string_agg(repeat('yy', 1000), '') FROM generate_series(1, 100)").fetchall()
        assert connection.execute(query, (1500,)).fetchall() == first
