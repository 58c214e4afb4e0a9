"""The comparison itself: what counts as equal, and that what is not equal is seen."""
from dataclasses import replace

import pytest

from tests.answer import Answer
from tests.differential import difference, expect, for_postgres, settings
from tests.queries import FOLDER, corpus, known_gaps, read

pytestmark = pytest.mark.oracle
SETUP = "CREATE TABLE t (a int, b text); INSERT INTO t VALUES (1, 'x'), (1, 'y'), (2, 'z'), (NULL, 'n')"
TEXT, INT, FLOAT = 25, 23, 701


@pytest.fixture(scope="module")
def table(oracle):
    with oracle.session(SETUP) as session:
        yield session


def judge(session, sql, columns, oids, rows, **options):
    """What `difference` says of these rows as the answer to that query; rows are given as tuples."""
    return difference(expect(session, sql), Answer(columns, oids, rows), **options)


def test_without_order_rows_are_a_multiset(table):
    query = ("SELECT a FROM t", ("a",), (INT,))
    assert judge(table, *query, [("2",), (None,), ("1",), ("1",)]) is None
    assert "instead of" in judge(table, *query, [("2",), (None,), ("1",), ("2",)])
    assert "3 rows instead of 4" in judge(table, *query, [("2",), (None,), ("1",)])


def test_with_order_only_ties_may_change_places(table):
    query = ("SELECT b FROM t ORDER BY a", ("b",), (TEXT,))
    assert judge(table, *query, [("y",), ("x",), ("z",), ("n",)]) is None
    assert "rows 1 to 2" in judge(table, *query, [("z",), ("x",), ("y",), ("n",)])


def test_limit_may_choose_among_ties_but_not_twice(table):
    query = ("SELECT b FROM t ORDER BY a LIMIT 2 OFFSET 1", ("b",), (TEXT,))
    assert judge(table, *query, [("x",), ("z",)]) is None
    assert judge(table, *query, [("y",), ("z",)]) is None
    assert judge(table, *query, [("n",), ("z",)]) is not None
    assert judge(table, "SELECT b FROM t ORDER BY a LIMIT 2", ("b",), (TEXT,), [("x",), ("x",)]) is not None


def test_order_by_what_is_not_selected_and_by_position_and_alias(table):
    assert judge(table, "SELECT b AS a FROM t ORDER BY 1 DESC LIMIT 1", ("a",), (TEXT,), [("z",)]) is None
    assert judge(table, "SELECT -a AS a FROM t ORDER BY a LIMIT 1", ("a",), (INT,), [("-2",)]) is None
    assert judge(table, "SELECT b FROM t ORDER BY length(b), a DESC LIMIT 1", ("b",), (TEXT,), [("n",)]) is None
    assert judge(table, "SELECT DISTINCT a FROM t ORDER BY a LIMIT 1", ("a",), (INT,), [("2",)]) is not None


def test_numbers_that_compare_equal_are_ties(table):
    query = ("SELECT x FROM (VALUES (1.0), (1.00), (0.5)) AS v (x) ORDER BY x", ("x",), (1700,))
    assert judge(table, *query, [("0.5",), ("1.00",), ("1.0",)]) is None
    assert judge(table, *query, [("0.5",), ("1.00",), ("1.00",)]) is not None


def test_names_and_types_count(table):
    assert "columns" in judge(table, "SELECT 1 AS one", ("two",), (INT,), [("1",)])
    assert "types" in judge(table, "SELECT 1 AS one", ("one",), (20,), [("1",)])


def test_floats_may_be_near_only_where_asked(table):
    query = ("SELECT 0.1::float8 + 0.2::float8 AS s", ("s",), (FLOAT,), [("0.3",)])
    assert judge(table, *query) is not None
    assert judge(table, *query, approximate=True) is None
    assert judge(table, *query[:3], [("0.300000001",)], approximate=True) is not None
    assert judge(table, *query[:3], [("NaN",)], approximate=True) is not None
    assert judge(table, *query[:3], [("no number",)], approximate=True) is not None


def test_errors_are_compared_by_sqlstate_and_those_of_values_by_message(table):
    expected = expect(table, "SELECT 1 / 0")
    assert difference(expected, Answer(sqlstate="22012", message="division by zero")) is None
    assert difference(expected, Answer(sqlstate="22012", message="cannot divide")) is not None
    assert difference(expected, Answer(sqlstate="22003", message="division by zero")) is not None
    assert difference(expected, Answer(("?column?",), (INT,), [("1",)])) is not None
    assert difference(expect(table, "SELECT nope FROM t"), Answer(sqlstate="42703", message="something")) is None


def test_the_engine_clause_is_stripped_for_postgresql():
    assert for_postgres("CREATE TABLE t (a numeric(3,1)) USING mergetree WITH (order_by = 'a, lower(b)', n = 1);\n"
                        "SELECT 1") == "CREATE TABLE t (a numeric(3,1));\nSELECT 1"


def test_a_corpus_file_is_read_with_flags_and_settings(tmp_path):
    path = tmp_path / "sample.sql"
    path.write_text("-- About.\n-- setup\nCREATE TABLE x (a int);\n\n-- name: first (float)\n-- with: TimeZone = 'UTC'\n"
                    "SELECT 1,\n       2;\n\n-- name: second\n-- why\nSELECT 3\n")
    file = read(path)
    assert file.setup == "CREATE TABLE x (a int);"
    first, second = file.queries
    assert (first.id, first.sql, first.flags, first.settings) == ("sample/first", "SELECT 1,\n       2", {"float"},
                                                                  (("TimeZone", "'UTC'"),))
    assert (second.sql, second.flags) == ("SELECT 3", frozenset())


def test_the_corpus_is_large_and_mostly_about_answers():
    queries = [query for file in corpus().values() for query in file.queries]
    assert len(queries) >= 900
    assert len(known_gaps()) <= len(queries)


def falsified(answer):
    """Answers that are wrong in one respect each."""
    if answer.failed:
        return [replace(answer, sqlstate="99999"), Answer(("x",), (INT,), [("1",)])]
    wrong = [replace(answer, oids=(1, *answer.oids[1:])), replace(answer, columns=("not this", *answer.columns[1:])),
             replace(answer, rows=[*answer.rows, ("one more",) * len(answer.columns)]), Answer(sqlstate="XX000")]
    if answer.rows:
        wrong += [replace(answer, rows=[*answer.rows[:-1], (*answer.rows[-1][:-1], "falsified")]),
                  replace(answer, rows=answer.rows[:-1])]
    return wrong


@pytest.mark.parametrize("file", [path.stem for path in sorted(FOLDER.glob("*.sql"))])
def test_every_query_of_the_corpus_notices_wrong_answers(file, oracle):
    source, unnoticed = read(FOLDER / f"{file}.sql"), []
    with oracle.session(for_postgres(source.setup)) as session:
        for query in source.queries:
            with settings(session, query.settings):
                expected = expect(session, query.sql, exact="exact" in query.flags)
            if expected.answer.columns or expected.answer.failed:
                unnoticed += [(query.id, str(wrong)) for wrong in falsified(expected.answer)
                              if "shape" not in query.flags and difference(expected, wrong, "float" in query.flags) is None]
    assert unnoticed == []
