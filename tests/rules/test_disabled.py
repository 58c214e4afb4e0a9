"""Answers are PostgreSQL's whichever rule is disabled, and without any rule: a sample of the corpus."""
import pytest

from caldera.optimize import RULES
from tests.differential import WITHOUT_RULES, Configuration
from tests.judge import Judge, settle
from tests.queries import corpus, known_gaps

NAMES = [rule.__name__ for rule in RULES]
WITHOUT = [*WITHOUT_RULES, Configuration("without rules", {"disabled_rules": ", ".join(NAMES), "threads": "2"})]
FILES, KNOWN, EVERY = corpus(), known_gaps(), 10
LEFT_OUT = {"examples", "clickbench_large"}         # expressions without tables; the same queries as clickbench_small
SAMPLE = [query for file in FILES.values() if file.name not in LEFT_OUT for query in file.queries[::EVERY]]
QUERIES = [pytest.param(query, id=query.id, marks=[pytest.mark.xdist_group(f"disabled-{query.file}")]) for query in SAMPLE]


@pytest.fixture(scope="module")
def judge(oracle):
    judge = Judge(oracle, FILES, WITHOUT)
    yield judge
    judge.close()


@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.parametrize("query", QUERIES)
def test_no_rule_is_needed_for_the_answer(query, judge):
    settle(query, judge.problems(query), KNOWN, complete=False)
