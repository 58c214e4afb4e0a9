"""What the definitions of functions promise in their examples is what PostgreSQL says, or, where PostgreSQL has no such
function, what Caldera does."""
import pytest

import caldera
from tests.examples import is_ours, registered, split_example


@pytest.mark.oracle
@pytest.mark.parametrize("example", sorted(registered()))
def test_example_is_the_answer(example, oracle):
    sql, result = split_example(example)
    if is_ours(example, registered()[example]):
        with caldera.connect() as connection:
            rows = connection.execute_text(sql)[1]
    else:
        answer = oracle.query(sql)
        assert not answer.failed, f"{sql}: {answer}"
        rows = answer.rows
    if result is not None:
        value = rows[0][0]
        assert result == ("NULL" if value is None else value), sql


def test_a_function_that_postgresql_has_not_is_ours():
    assert is_ours("SELECT half(42)  -- 21", ["half"])
    assert not is_ours("SELECT abs(-3)  -- 3", ["abs"]) and not is_ours("SELECT 42::int2::text  -- 42", ["int2_as_text"])
