"""What the definitions of functions promise in their examples is what PostgreSQL says."""
import pytest

from tests.examples import registered, split_example

NOT_IN_POSTGRESQL = frozenset()             # functions of ours alone


@pytest.mark.oracle
@pytest.mark.parametrize("example", sorted(registered()))
def test_example_is_postgresqls_answer(example, oracle):
    sql, result = split_example(example)
    answer = oracle.query(sql)
    assert not answer.failed, f"{sql}: {answer}"
    if result is not None:
        value = answer.rows[0][0]
        assert result == ("NULL" if value is None else value), sql
