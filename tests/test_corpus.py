"""Every query of tests/corpus gives PostgreSQL's answer under every configuration, but for those in tests/known_gaps.txt."""
import pytest

from tests.differential import CONFIGURATIONS
from tests.judge import Judge, settle
from tests.queries import corpus, known_gaps

FILES, KNOWN = corpus(), known_gaps()
LONG = {"clickbench_large", "examples"}                     # files that a quick run leaves out
QUERIES = [pytest.param(query, id=query.id, marks=[pytest.mark.xdist_group(f"corpus-{query.file}"),
                                                   *([pytest.mark.slow] if query.file in LONG else [])])
           for file in FILES.values() for query in file.queries]


@pytest.fixture(scope="module")
def judge(oracle, request):
    configurations = CONFIGURATIONS[:1] if request.config.getoption("--quick") else CONFIGURATIONS
    judge = Judge(oracle, FILES, configurations)
    yield judge
    judge.close()


@pytest.mark.oracle
@pytest.mark.parametrize("query", QUERIES)
def test_query_gives_the_answer_of_postgresql(query, judge):
    settle(query, judge.problems(query), KNOWN, complete=judge.configurations == CONFIGURATIONS)


def test_known_gaps_name_queries_that_exist():
    assert set(KNOWN) <= {query.id for file in FILES.values() for query in file.queries}
