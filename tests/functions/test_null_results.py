"""Functions say whether they may give NULL for arguments that are not: groups and sorts rely on it."""
import pytest

import caldera
from caldera.operators.evaluate import Evaluator
from tests.examples import registered, split_example


@pytest.fixture
def undeclared(monkeypatch):
    """The names of strict staged functions whose results turned out to have a validity of their own. What comes from
    Python has one, too, but only a None there makes a NULL, which a staged body does not ask for."""
    found, from_python, plain_call, plain_python = set(), [], Evaluator.eval_Call, Evaluator.python_value

    def python_value(self, k, *rest):
        result = plain_python(self, k, *rest)
        from_python.append(result.valid)
        return result

    def eval_call(self, k, call, row):
        result, function = plain_call(self, k, call, row), call.function
        known = all(argument.nullable is False for argument in call.arguments)
        if known and function.strict and not function.python and not function.may_be_null and result.valid is not True \
                and not any(result.valid is valid for valid in from_python):
            found.add(repr(function))
        return result
    monkeypatch.setattr(Evaluator, "eval_Call", eval_call)
    monkeypatch.setattr(Evaluator, "python_value", python_value)
    return found


def test_no_function_gives_null_that_does_not_say_so(undeclared):
    with caldera.connect(threads=1) as connection:
        for example in registered():
            try:
                connection.execute_text(split_example(example)[0])
            except caldera.Error:                           # some show errors, or what is not supported yet
                continue
    assert not undeclared


@pytest.mark.parametrize("expression", [
    "least(t, '2013-01-01'::timestamp)::time", "extract(month FROM coalesce(t, 'infinity'))", "scale(coalesce(n, 'NaN'))",
    "date_part('hour', coalesce(t, 'infinity'))", "regexp_substr(coalesce(s, ''), 'a+')",
    "substring(coalesce(s, '') FROM 'a(b?)')"])
def test_null_stays_a_group_of_its_own(expression):
    with caldera.connect(threads=1) as connection:
        connection.execute("CREATE TABLE x (t timestamp, s text, n numeric)")
        connection.execute("INSERT INTO x VALUES ('-infinity', 'b', 'NaN'), ('2000-01-01 00:00', 'a', 0)")
        for tier in ("fast", "python"):
            connection.execute(f"SET caldera.tier = '{tier}'")
            sql = f"SELECT {expression} AS k, count(*) FROM x GROUP BY k ORDER BY k NULLS FIRST"
            groups = connection.sql(sql).fetchall()
            assert len(groups) == 2 and groups[0] == (None, 1)
