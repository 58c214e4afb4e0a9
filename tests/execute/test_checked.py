"""Checked mode: the Python kernel refuses access outside of known memory. Right queries never meet it, wrong code does."""
import numpy as np
import pytest

import caldera
from caldera.kernel.interface import I64, Control
from caldera.kernel.patterns import match_pattern
from caldera.kernel.python import PythonKernel
from caldera.operators.filter import Filter
from caldera.storage.segment import StoredColumn
from caldera.types.text import length_without_padding
from tests.differential import BY_NAME, CalderaSession, Configuration, settings
from tests.execute.engine import rows_in_parts
from tests.queries import FOLDER, read

CHECKED = Configuration("checked", {"caldera.tier": "python", "threads": "1", "caldera.checked": "on"})
FILES = {path.stem: read(path) for path in sorted(FOLDER.glob("*.sql"))}
SLOW = {"larger"}                                       # files with too many rows for the Python kernel
SLOW_QUERIES = {"sources/series_large", "numerics/too_large", "texts/repeated_concatenation_builds_long_text",
                "patterns/regex_classes", "patterns/regex_multibyte"}
SAMPLE_STEP = 6


def outside(session, query):
    """What checked mode has to say about a query, or None."""
    try:
        with settings(session, query.settings):
            answer = session.query(query.sql)
    except RuntimeError:                                # a setting that is a known gap
        return None
    if answer.failed and "is outside of all known memory" in answer.message:
        return query.id, answer.message
    return None


def reported(file, queries):
    """(id, message) of all queries of a file for which checked mode reports an access."""
    session = CalderaSession()
    try:
        with rows_in_parts():
            file.prepare_caldera(session)
        session.use(CHECKED)
        return [found for query in queries if (found := outside(session, query))]
    finally:
        session.close()


@pytest.mark.parametrize("file", [name for name in FILES if name not in SLOW])
def test_a_sample_of_the_corpus_stays_within_known_memory(file):
    sample = [query for query in FILES[file].queries[::SAMPLE_STEP] if query.id not in SLOW_QUERIES]
    assert reported(FILES[file], sample) == []


@pytest.mark.campaign
@pytest.mark.parametrize("file", [name for name in FILES if name not in SLOW])
def test_checked_corpus_stays_within_known_memory(file):
    assert reported(FILES[file], FILES[file].queries) == []


@pytest.fixture
def connection():
    with caldera.connect(threads=1) as connection, rows_in_parts():
        connection.sql("CREATE TABLE t (a int, s text)")
        connection.sql("INSERT INTO t SELECT i, 'text number ' || i FROM generate_series(1, 100) AS g (i)")
        connection.sql("SET caldera.tier = 'python'")
        connection.sql("SET caldera.checked = on")
        yield connection


QUERIES = ["SELECT count(*) FROM t WHERE s LIKE '%9'", "SELECT s, sum(a) FROM t GROUP BY s ORDER BY 2 DESC LIMIT 3",
           "SELECT DISTINCT a % 7 FROM t", "SELECT upper(s), a::numeric / 3 FROM t ORDER BY a",
           "SELECT string_agg(s, ',') FROM t"]


@pytest.mark.parametrize("query", QUERIES)
def test_parts_constants_and_pools_are_known_memory(connection, query):
    checked = connection.sql(query).fetchall()
    connection.sql("RESET caldera.checked")
    connection.sql("SET caldera.tier = 'fast'")
    assert sorted(checked) == sorted(connection.sql(query).fetchall())


@pytest.mark.parametrize("query", [QUERIES[0], QUERIES[1], QUERIES[3]])
def test_memory_that_nobody_announced_is_refused(connection, query, monkeypatch):
    """The same queries, with the columns of parts forgotten."""
    monkeypatch.setattr(StoredColumn, "reachable", lambda column: ())
    with pytest.raises(IndexError, match="outside of all known memory"):
        connection.sql(query)
    monkeypatch.undo()
    assert connection.sql("SELECT count(*) FROM t").fetchall() == [(100,)]


def test_an_operator_that_reads_behind_its_block_is_caught(connection, monkeypatch):
    """A filter whose readers look far behind its buffer."""
    original = Filter.blocks

    def blocks(step, k, blocks):
        for block in original(step, k, blocks):
            block.positions[k.constant(I64, 1 << 40)]
            yield block
    monkeypatch.setattr(Filter, "blocks", blocks)
    with pytest.raises(IndexError, match="an access of 4 bytes"):
        connection.sql("SELECT a FROM t WHERE a > 50")


def test_checked_mode_changes_no_setting_of_other_sessions(connection):
    with caldera.connect() as other:
        assert other.session.setting("caldera.checked") == "off"


@pytest.mark.parametrize("text, pattern", [("a", "xx"), ("a", ""), ("", "\\"), ("ab", "a\\"), ("abc", "%c"), ("", "%")])
def test_matching_reads_nothing_in_front_of_texts(text, pattern):
    k = PythonKernel(Control(), checked=True)
    arrays = [np.frombuffer(part.encode() + bytes(16), np.uint8) for part in (text, pattern)]
    for array in arrays:
        k.announce(array.ctypes.data, array.nbytes)
    operands = [k.constant(I64, number) for part, array in zip((text, pattern), arrays)
                for number in (array.ctypes.data, len(part))]
    matched, _ = k.routine(match_pattern, *operands)
    assert k.use(matched) == (pattern in ("%c", "%"))


@pytest.mark.parametrize("text", ["", " ", "a  ", "   "])
def test_cutting_spaces_reads_nothing_in_front_of_a_text(text):
    k = PythonKernel(Control(), checked=True)
    array = np.frombuffer(text.encode() + bytes(16), np.uint8)
    k.announce(array.ctypes.data, array.nbytes)
    length = k.routine(length_without_padding, k.constant(I64, array.ctypes.data), k.constant(I64, len(text)))
    assert k.use(length) == len(text.rstrip())


def test_both_ways_of_running_have_a_name():
    assert BY_NAME["python"].settings.items() <= CHECKED.settings.items()
