"""Randomly generated expressions and aggregates give PostgreSQL's answers.

The ordinary run repeats the same few hundred queries; `make campaign-random` makes new ones for as long as it is told.
"""
import pytest
from hypothesis import HealthCheck, given, note, settings

from tests.differential import BY_NAME, CONFIGURATIONS, difference, expect, for_postgres
from tests.expressions import SETUP, queries
from tests.process import open_caldera

FAST = [BY_NAME[name] for name in ("fast", "python")]
OPTIONS = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}


@pytest.fixture(scope="module")
def engines(oracle):
    """Both engines' sessions with the table r."""
    caldera = open_caldera(lambda session: session.run(SETUP))
    with oracle.session(for_postgres(SETUP)) as postgres:
        yield postgres, caldera
    caldera.close()


def check(engines, sql, configurations):
    """Fail where an answer differs. Where rows fail in different ways any of their errors is right; where PostgreSQL fails
    while planning, on a constant that may never be needed, so does not failing."""
    postgres, caldera = engines
    expected = expect(postgres, sql)
    if expected.answer.failed and postgres.query(f"EXPLAIN {sql}").failed:
        return
    for configuration in configurations:
        caldera.use(configuration)
        ours = caldera.query(sql)
        if expected.answer.failed and ours.failed and {expected.answer.sqlstate[:2], ours.sqlstate[:2]} == {"22"}:
            continue
        problem = difference(expected, ours, approximate=True)
        note(f"{configuration}: {problem}\n{sql}")
        assert problem is None, f"{configuration}: {problem}\n{sql}"


@pytest.mark.oracle
@pytest.mark.slow
@settings(max_examples=200, derandomize=True, **OPTIONS)
@given(sql=queries())
def test_random_queries_give_the_answers_of_postgresql(engines, sql):
    check(engines, sql, FAST)


@pytest.mark.oracle
@pytest.mark.campaign
@settings(max_examples=20_000, **OPTIONS)
@given(sql=queries())
def test_random_queries_at_length(engines, sql):
    check(engines, sql, CONFIGURATIONS)
