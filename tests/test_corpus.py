"""Every query of tests/corpus gives PostgreSQL's answer under every configuration, but for those in tests/known_gaps.txt.

An ordinary run tries each query under a sample of the configurations, `make campaign-corpus` under all. The tables are so
small that their rows stay in the delta; the files in IN_PARTS_TOO are asked again with the rows in parts.
`make campaign-parts` does that for all files, in more configurations.
"""
import pytest

from tests.differential import BY_NAME, CONFIGURATIONS, IN_PARTS
from tests.judge import Judge, settle
from tests.queries import corpus, known_gaps

FILES, KNOWN = corpus(), known_gaps()
IN_QUICK_RUNS = {"emptiness", "errors", "faults", "selecting"}         # a run of a minute asks these
IN_PARTS_TOO = ("aggregates", "clickbench_small", "emptiness", "grouping", "ordering", "scaled_numerics", "texts")
SOME_PARTS = [BY_NAME[name] for name in ("parts_fast", "many_parts_fast")]


def parameters(names, group):
    """All queries of these files, those of a file in one process."""
    return [pytest.param(query, id=query.id, marks=[pytest.mark.xdist_group(f"{group}-{name}"), *marks(FILES[name], query)])
            for name in names for query in FILES[name].queries]


def marks(file, query):
    """When to ask a query of a file: in quick runs, in ordinary ones or in campaigns."""
    if file.ordinary is not None and query.name not in file.ordinary:
        return [pytest.mark.campaign]
    return [] if file.name in IN_QUICK_RUNS else [pytest.mark.slow]


@pytest.fixture(scope="module")
def judge(oracle, request):
    configurations = CONFIGURATIONS[:1] if request.config.getoption("--quick") else CONFIGURATIONS
    judge = Judge(oracle, FILES, configurations, in_full=lambda query: len(configurations) == 1 or query.id in KNOWN)
    yield judge
    judge.close()


@pytest.fixture(scope="module")
def judge_of_all(oracle):
    judge = Judge(oracle, FILES)
    yield judge
    judge.close()


@pytest.fixture(scope="module")
def judge_of_parts(oracle, request):
    judge = Judge(oracle, FILES, IN_PARTS if request.config.getoption("--campaign") else SOME_PARTS)
    yield judge
    judge.close()


@pytest.mark.oracle
@pytest.mark.parametrize("query", parameters(FILES, "corpus"))
def test_query_gives_the_answer_of_postgresql(query, judge):
    settle(query, judge.problems(query), KNOWN, complete=judge.configurations == CONFIGURATIONS)


@pytest.mark.oracle
@pytest.mark.campaign
@pytest.mark.parametrize("query", parameters(FILES, "corpus"))
def test_every_query_of_the_corpus_in_every_configuration(query, judge_of_all):
    settle(query, judge_of_all.problems(query), KNOWN, complete=True)


@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.parametrize("query", parameters(IN_PARTS_TOO, "parts"))
def test_query_over_parts_gives_the_answer_of_postgresql(query, judge_of_parts):
    settle(query, judge_of_parts.problems(query), KNOWN, complete=False)


@pytest.mark.oracle
@pytest.mark.campaign
@pytest.mark.parametrize("query", parameters([name for name in FILES if name != "examples"], "parts"))
def test_every_query_over_parts_in_every_layout(query, judge_of_parts):
    settle(query, judge_of_parts.problems(query), KNOWN, complete=False)


def test_known_gaps_name_queries_that_exist():
    assert set(KNOWN) <= {query.id for file in FILES.values() for query in file.queries}
