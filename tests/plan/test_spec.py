"""The spec of plans: plans of the corpus obey it after each stage and rule, and plans that break it are refused."""
from dataclasses import replace

import pytest

from caldera.base.errors import Error
from caldera.bind import bind
from caldera.optimize import RULES, optimize
from caldera.plan import nodes, spec
from caldera.plan.expressions import AggregateCall, And, Constant, new_column
from caldera.sql.parse import parse
from caldera.types.registry import TYPES
from tests.differential import CalderaSession
from tests.queries import FOLDER, read

FILES = {path.stem: read(path) for path in sorted(FOLDER.glob("*.sql"))}


def check_stages(session, sql):
    """Bind a query and apply the rules one by one, checking each plan. A query that does not bind has none."""
    with session.statement():
        try:
            plan = bind(parse(sql)[0], session, session.view)
        except Error:
            return
        spec.bound(plan)
        for rule in RULES:
            plan = optimize(plan, session, [rule])
            spec.optimized(plan)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_plans_of_the_corpus_are_legal_after_each_rule(file):
    client = CalderaSession()
    try:
        FILES[file].prepare_caldera(client)
        for query in FILES[file].queries:
            check_stages(client.connection.session, query.sql)
    finally:
        client.close()


INT, BOOL = TYPES["int4"], TYPES["bool"]
A, B = new_column("a", INT), new_column("b", INT)
ONE, TRUE = Constant(1, INT), Constant(True, BOOL)
ROWS = nodes.Values(((ONE,),), (A,))


class Sum:
    """Something like a signature of an aggregate."""
    name = "sum"


CALL = AggregateCall(Sum, (A,), INT)


@pytest.mark.parametrize("plan, fault", [
    (nodes.Project(ROWS, ((new_column("c", INT), B),)), "uses columns"),
    (nodes.Project(ROWS, ((A, ONE),)), "by the id of its input's column a"),
    (nodes.Project(ROWS, ((A, A), (A, A))), "gives one column twice"),
    (nodes.Filter(ROWS, A), "asks whether a is true, which is integer"),
    (nodes.Filter(ROWS, And((TRUE, A))), "asks whether a is true"),
    (nodes.Filter(ROWS, replace(CALL, type=BOOL)), "evaluates the aggregate sum(a) row by row"),
    (nodes.Aggregate(ROWS, (), ((new_column("s", INT), ONE),)), "computes 1, which is no aggregate"),
    (nodes.Limit(ROWS, A), "uses columns"),
    (nodes.Sort(ROWS, (nodes.SortKey(B),)), "uses columns"),
    (nodes.Filter(nodes.Query(ROWS), TRUE), "is a statement inside of a plan"),
], ids=lambda value: value if isinstance(value, str) else type(value).__name__)
def test_illegal_plans_are_refused(plan, fault):
    for check in (spec.bound, spec.optimized):
        with pytest.raises(Error, match="illegal plan") as caught:
            check(plan)
        assert caught.value.sqlstate == "XX000" and fault in caught.value.message


def test_limits_of_sorts_are_for_the_optimizer():
    plan = nodes.Sort(ROWS, (nodes.SortKey(A),), limit=10)
    spec.optimized(plan)
    with pytest.raises(Error, match="Sort is for the optimizer to make"):
        spec.bound(plan)
