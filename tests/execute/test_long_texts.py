"""Few rows with long texts: the Python kernel hands routines that go on too long to machine code."""
import pytest

import caldera
from caldera.execute.python_kernel import OpeningPythonKernel

CASES = (
    ("upper(repeat('aä', 5000))", "AÄ" * 5000),
    ("lower(repeat('AÄ', 5000))", "aä" * 5000),
    ("reverse(repeat('aäb', 5000))", "bäa" * 5000),
    ("position('x' in repeat('abc', 20000) || 'x')", 60001),
    ("substr(repeat('aä', 20000), 39999)", "aä"),
    ("length(repeat('äb', 100000))", 200000),
    ("lpad('x', 20000, 'äb')", ("äb" * 10000)[:19999] + "x"),
    ("repeat('a', 20000) ~ '(a*)*b'", False),
    ("trim(repeat(' ', 20000) || 'x')", "x"),
)


@pytest.fixture
def connection():
    with caldera.connect(threads=1) as opened:
        yield opened


@pytest.fixture
def long_routines(monkeypatch):
    """The names of the routines that were handed over."""
    names, plain = [], OpeningPythonKernel.run_long_routine

    def noted(kernel, function, types, numbers):
        names.append(function.__name__)
        return plain(kernel, function, types, numbers)
    monkeypatch.setattr(OpeningPythonKernel, "run_long_routine", noted)
    return names


def test_what_follows_a_long_routine_goes_on_under_its_conditions(connection):
    sql = "SELECT CASE WHEN x > 1 THEN length(reverse(repeat('aäb', 2000 * x))) ELSE x END FROM generate_series(1, 3) x"
    assert connection.sql(sql).fetchall() == [(1,), (12000,), (18000,)]


@pytest.mark.parametrize(("expression", "expected"), CASES)
def test_a_long_text_gives_the_right_answer(connection, expression, expected):
    assert connection.sql(f"SELECT {expression}").fetchall() == [(expected,)]
    connection.execute("SET caldera.tier = 'fast'")
    assert connection.sql(f"SELECT {expression}").fetchall() == [(expected,)]


def test_a_long_routine_is_compiled_and_a_short_one_is_not(connection, long_routines):
    connection.sql("SELECT reverse('aäb')").fetchall()
    assert not long_routines
    connection.sql("SELECT reverse(repeat('aäb', 5000))").fetchall()
    assert long_routines == ["copy_reversed"]


def test_the_python_tier_stays_in_python_when_it_is_asked_for(connection, long_routines):
    connection.execute("SET caldera.tier = 'python'")
    connection.sql("SELECT reverse(repeat('aäb', 1200))").fetchall()
    assert not long_routines
