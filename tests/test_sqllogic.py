"""sqllogictest files give what they say in every configuration; the runner notices what does not (see tests.sqllogic)."""
import pathlib

import pytest

from tests.answer import Answer
from tests.differential import Configuration
from tests.sqllogic.engines import ALL, Caldera, configurations_for, postgres
from tests.sqllogic.records import BadFile, parse, written
from tests.sqllogic.results import hashed
from tests.sqllogic.runner import complete, run_file

FILES = sorted((pathlib.Path(__file__).parent / "sqllogic" / "files").glob("*.test"))
SAMPLE_STEP = 5                 # the files take turns, so that together they see all configurations
SAMPLE = """\
# What a file looks like.
statement ok
CREATE TABLE t (a int, b text, c float8)

statement ok
INSERT INTO t VALUES (1, 'x', 0.5), (2, NULL, 2), (3, '', NULL)

query ITR rowsort
SELECT a, b, c FROM t
----
1\tx\t0.500
2\tNULL\t2.000
3\t(empty)\tNULL

query I valuesort label-a
SELECT a FROM t
----
1
2
3

query I nosort label-a
SELECT a FROM t ORDER BY a

statement error 22012
SELECT 1 / 0

query error does not exist$
SELECT nope FROM t

hash-threshold 2

query I
SELECT a FROM t ORDER BY a
----
{hash}

skipif caldera
query I
SELECT wrong

onlyif mysql
statement ok
nonsense

halt

query I
SELECT 1
----
2
""".replace("{hash}", hashed(["1", "2", "3"]))


@pytest.fixture(scope="module")
def caldera():
    engine = Caldera()
    yield engine
    engine.close()


def problems(caldera, text):
    """The lines and texts of the problems of a file in the usual configuration."""
    caldera.begin(Configuration("usual", {"threads": "1"}))
    return [(problem.line, problem.text) for problem in run_file(parse(text), caldera)]


def test_a_right_file_has_no_problems(caldera):
    assert problems(caldera, SAMPLE) == []


@pytest.mark.parametrize("right, wrong, found", [
    ("1\tx\t0.500", "1\tx\t0.501", (8, "9 values instead of 9; value 3: '0.500' instead of '0.501'")),
    ("2\tNULL\t2.000", "2\t(empty)\t2.000", (8, "9 values instead of 9; value 5: 'NULL' instead of '(empty)'")),
    ("1\n2\n3\n", "1\n2\n", (15, "3 values instead of 2; value 3: '3' instead of nothing")),
    ("query ITR rowsort", "query IT rowsort", (8, "3 columns instead of 2")),
    ("SELECT a FROM t ORDER BY a\n\nstatement", "SELECT a + 1 FROM t ORDER BY a\n\nstatement",
     (22, "another result than that of the query before with the label 'label-a'")),
    ("error 22012", "error 22003", (25, "ERROR 22012: division by zero instead of 22003")),
    ("SELECT 1 / 0", "SELECT 1 / 1", (25, "no error instead of 22012")),
    ("does not exist$", "does exist$", (28, "'column \"nope\" does not exist' does not match 'does exist$'")),
    ("hashing to ", "hashing to 0", (33, "3 values instead of 1; value 1: '1' instead of '3 values hashing to 0")),
    ("skipif caldera", "onlyif caldera", (39, 'ERROR 42703: column "wrong" does not exist')),
    ("halt\n\n", "", (46, "1 values instead of 1; value 1: '1' instead of '2'")),
])
def test_a_wrong_file_is_noticed(caldera, right, wrong, found):
    assert right in SAMPLE
    (line, text), = problems(caldera, SAMPLE.replace(right, wrong, 1))
    assert line == found[0] and text.startswith(found[1])


def test_many_values_are_compared_by_their_hash(caldera):
    right, wrong = hashed(["1", "2", "3"]), hashed(["1", "2", "4"])
    (line, message), = problems(caldera, SAMPLE.replace(right, wrong))
    assert line > 30 and message == f"{right} instead of {wrong}"


@pytest.mark.parametrize("text, message", [
    ("query X\nSELECT 1", "line 1: a query has a type for each column"), ("nonsense", "line 1: 'nonsense' begins no record"),
    ("# a\n\nstatement maybe\nSELECT 1", "line 3: a statement is expected to be ok or an error"),
    ("statement ok", "line 1: the statement is missing"), ("query I\n----\n1", "line 1: the query is missing"),
    ("query I sideways twice\nSELECT 1", "line 1: 'sideways' is no sort mode"), ("skipif\nhalt", "line 1: skipif wants"),
])
def test_a_malformed_file_is_refused_with_its_line(text, message):
    with pytest.raises(BadFile, match=message):
        parse(text)


def test_written_files_are_read_as_before():
    records = parse(SAMPLE)
    again = parse(written(records))
    assert [(r.kind, r.sql, r.expected, r.error, r.before) for r in again] == [
        (r.kind, r.sql, r.expected, r.error, r.before) for r in records]


@pytest.mark.oracle
def test_expectations_are_completed_from_postgresql(oracle, caldera):
    bare = SAMPLE.replace("1\tx\t0.500", "wrong").replace("error 22012", "ok").replace("FROM t\n----\n1\n2\n3", "FROM t")
    with postgres(oracle) as engine:
        text = written(complete(parse(bare), engine))
    assert "1\tx\t0.500\n2\tNULL\t2.000\n" in text and "statement error 22012" in text
    assert problems(caldera, text) == []


def test_types_of_results_are_shown_as_the_format_wants():
    class Fixed:
        names = {"postgresql"}

        def query(self, sql):
            return Answer(("a", "b", "c", "d"), (20, 701, 25, 16),
                          [("7", "NaN", "a\tb\nc\x01", "t"), ("-3", "2", "", None), ("12.9", "1e3", None, "f")])
    (record,) = complete(parse("query IRTI\nSELECT"), Fixed())
    assert record.expected == ("7\tNaN\ta\\tb\\nc@\t1", "-3\t2.000\t(empty)\tNULL", "12\t1000.000\tNULL\t0")


def test_large_files_are_spared_the_python_kernel():
    assert len(configurations_for("SELECT 1")) == len(ALL)
    left_out = {one.name for one in ALL} - {one.name for one in configurations_for("x" * 30_000)}
    assert left_out == {"python", "ones"}


@pytest.mark.oracle
@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_file_expects_what_postgresql_answers(path, oracle):
    with postgres(oracle) as engine:
        assert run_file(parse(path.read_text(encoding="utf-8")), engine) == []


def check(path, caldera, start=0, step=1):
    """Run a file in every step-th of its configurations."""
    text = path.read_text(encoding="utf-8")
    for configuration in configurations_for(text)[start::step]:
        caldera.begin(configuration)
        assert run_file(parse(text), caldera) == [], configuration.name


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(FILES)), ids=[path.stem for path in FILES])
def test_file_is_right_in_a_sample_of_configurations(number, caldera):
    check(FILES[number], caldera, number % SAMPLE_STEP, SAMPLE_STEP)


@pytest.mark.campaign
@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_sqllogic_file_is_right_in_all_configurations(path, caldera):
    check(path, caldera)
