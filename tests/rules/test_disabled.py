"""Answers are PostgreSQL's whichever rule is disabled, and without any rule.

An ordinary run asks a sample of the corpus without each rule, `make campaign-disabled` all of it: a query without each rule
that changes its plan, since without another one its plan stays as it is.
"""
import pytest

from caldera.optimize import RULES
from tests.differential import WITHOUT_RULES, CalderaSession, Configuration
from tests.judge import Judge, problems, settle
from tests.queries import corpus, known_gaps

NAMES = [rule.__name__ for rule in RULES]
WITHOUT = [*WITHOUT_RULES, Configuration("without rules", {"disabled_rules": ", ".join(NAMES), "threads": "2"})]
FILES, KNOWN, EVERY = corpus(), known_gaps(), 10
LEFT_OUT = {"examples", "clickbench_large"}         # expressions without tables; the same queries as clickbench_small
ALL = [query for file in FILES.values() if file.name not in LEFT_OUT for query in file.queries]
SAMPLE = [query for file in FILES.values() if file.name not in LEFT_OUT for query in file.queries[::EVERY]]


def parameters(queries):
    """The queries, those of a file in one process."""
    return [pytest.param(query, id=query.id, marks=[pytest.mark.xdist_group(f"disabled-{query.file}")]) for query in queries]


@pytest.fixture(scope="module")
def judge(oracle):
    judge = Judge(oracle, FILES, WITHOUT)
    yield judge
    judge.close()


@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.parametrize("query", parameters(SAMPLE))
def test_no_rule_is_needed_for_the_answer(query, judge):
    settle(query, judge.problems(query), KNOWN, complete=False)


@pytest.mark.oracle
@pytest.mark.campaign
@pytest.mark.parametrize("query", parameters(ALL))
def test_no_rule_that_changes_a_plan_is_needed_for_the_answer(query, judge):
    expected, session = judge.expected(query), judge.session("delta")
    rules = session.rules_at_work(query.sql)
    without = [one for one in WITHOUT_RULES if one.settings["disabled_rules"] in rules] + WITHOUT[-1:] * bool(rules)
    settle(query, problems(expected, judge.session, query, without), KNOWN, complete=False)


def test_the_rules_that_change_a_plan_are_found():
    session = CalderaSession()
    session.run("CREATE TABLE t (a int, b int)")
    assert {"predicate_push_down", "top_n"} <= session.rules_at_work(
        "SELECT * FROM (SELECT a, count(*) FROM t GROUP BY a) AS q WHERE a > 1 ORDER BY a LIMIT 2")
    assert not {"predicate_push_down", "top_n"} & session.rules_at_work("SELECT a FROM t")
    assert session.rules_at_work("SELECT nothing FROM t") == set()
    session.close()
