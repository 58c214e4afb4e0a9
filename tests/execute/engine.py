"""Connections with data for tests of the engine, and queries that exercise every sink."""
import contextlib

import pytest

import caldera
from caldera.storage.mergetree import pending

TABLE = """CREATE TABLE t (id int NOT NULL, small int, big int8, f float8, word text, unique_word text, n numeric)"""
FILL = """INSERT INTO t SELECT i, CASE WHEN i % 11 <> 0 THEN i % 50 END, (i * 7919::int8) % 100003, (i % 1000) / 8.0,
  CASE WHEN i % 13 <> 0 THEN 'word number ' || i % 200 END, 'a unique text, number ' || i, (i % 5000) / 100.0
  FROM generate_series({first}, {last}) AS g (i)"""

# One for each way of keeping rows. Ordered, or of one row, so that answers can be compared as they are.
QUERIES = {
    "one group": "SELECT count(*), sum(big), min(f), max(word), avg(n) FROM t WHERE id % 3 <> 0",
    "groups by code": "SELECT small, count(*), sum(big), min(unique_word) FROM t GROUP BY small ORDER BY small",
    "groups by dictionary": "SELECT word, count(*), max(f), count(DISTINCT small) FROM t GROUP BY word ORDER BY word",
    "groups by two": "SELECT small, word, sum(big) FROM t GROUP BY small, word ORDER BY 1, 2 LIMIT 500",
    "groups by hash": "SELECT big, count(*), sum(id) FROM t GROUP BY big ORDER BY big LIMIT 300 OFFSET 1000",
    "groups by text": "SELECT unique_word, min(id), max(small) FROM t GROUP BY unique_word ORDER BY 2 DESC LIMIT 100",
    "groups by function": "SELECT upper(word), sum(n) FROM t GROUP BY 1 ORDER BY 1",
    "distinct": "SELECT DISTINCT big % 1000, small FROM t ORDER BY 1, 2",
    "count distinct": "SELECT count(DISTINCT big), count(DISTINCT unique_word), sum(DISTINCT small) FROM t",
    "sort": "SELECT big, unique_word FROM t WHERE small = 7 ORDER BY big, id",
    "top-N": "SELECT f, id, word FROM t ORDER BY f DESC, id LIMIT 50",
    "collect": "SELECT count(*), sum(length(u)), min(u) FROM (SELECT unique_word || word AS u FROM t WHERE id % 2 = 0) AS s",
    "strings": "SELECT small, length(string_agg(word, ',' ORDER BY id)) FROM t WHERE id % 100 = 0 GROUP BY small ORDER BY 1",
    "like": "SELECT count(*) FROM t WHERE unique_word LIKE '%99%' AND word LIKE 'word%1'",
}


@contextlib.contextmanager
def rows_in_parts():
    """What is inserted becomes parts at once, with the encodings that the data ask for. Without it, so few rows as tests
    have would stay in a delta, where they lie plain."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pending, "DELTA_ROWS", 1)
        yield


def filled(rows, parts=1, path=None, **settings):
    """A connection whose table t has `rows` rows in that many parts."""
    connection = caldera.connect(path, **settings)
    connection.sql(TABLE)
    with rows_in_parts():
        fill(connection, 1, rows, parts)
    return connection


def fill(connection, first, rows, parts=1):
    """Add rows to t, each part by a statement of its own."""
    step = rows // parts
    for part in range(parts):
        last = first + rows - 1 if part == parts - 1 else first + step * (part + 1) - 1
        connection.sql(FILL.format(first=first + step * part, last=last))


def answers(connection):
    """{name: rows} of all QUERIES."""
    return {name: connection.sql(query).fetchall() for name, query in QUERIES.items()}
