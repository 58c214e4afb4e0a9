"""An operator is its plan node and its Operator: one that the package has never heard of runs, is explained and estimated,
and stays where it is when rules work around it."""
from dataclasses import dataclass

import pytest

import caldera
from caldera.base.trace import Trace
from caldera.bind import bind
from caldera.kernel.interface import I32
from caldera.optimize import optimize
from caldera.plan import spec
from caldera.plan.nodes import Explain, Filter, Node, Query
from caldera.plan.operator import OPERATORS, Operator, runs
from caldera.plan.predicates import substituted
from caldera.query import Prepared, run_plan
from caldera.sql.parse import parse


@dataclass(frozen=True)
class EveryOther(Node):
    """The first, third, fifth row of each block of the input, and so on."""
    input: Node


class EveryOtherStep:
    """Narrows each block."""
    words = "Every Other"

    def blocks(self, k, blocks):
        for block in blocks:
            block = block.settled()
            half, positions = (block.count + 1) >> 1, k.buffer(I32, k.block_rows)
            for number in k.range(0, half):
                positions[number] = k.convert(number * 2, I32)
            for _ in k.when(half > 0):
                yield block.narrowed(half, positions)


@pytest.fixture
def every_other():
    @runs(EveryOther)
    class EveryOtherOperator(Operator):
        def estimate(self, estimates, node):
            rows, startup, total = estimates.of(node.input)
            return rows / 2, startup, total

        def build(self, builder, node):
            stream = builder.build(node.input)
            stream.plain_columns = None
            stream.steps.append(EveryOtherStep())
            return stream
    yield
    del OPERATORS[EveryOther]


@pytest.fixture(params=["python", "fast", "o3"])
def session(request):
    with caldera.connect() as connection:
        connection.execute(f"SET caldera.tier = '{request.param}'; SET threads = 1; SET caldera.checked = on")
        yield connection.session


def halved(session, sql, over=lambda node: node):
    """The optimized plan of a query whose outermost rows pass an EveryOther, and below that whatever `over` adds."""
    plan = bind(parse(sql)[0], session, session.view)
    plan = Query(over(EveryOther(plan.input)), plan.names)
    spec.bound(plan)
    plan = optimize(plan, session)
    spec.optimized(plan)
    return plan


def run(session, make_plan):
    """The first column of what a plan gives."""
    with session.statement() as scope:
        plan = make_plan()
        result = run_plan(session, scope.snapshot, Prepared(plan, None, []), Trace(0))
    data = result.columns[0]
    return data.values.tolist() if not isinstance(data.values, tuple) else \
        [bytes(data.values[1][a:b]).decode() for a, b in zip(data.values[0], data.values[0][1:])]


def test_an_operator_from_outside_runs_in_every_tier(every_other, session):
    assert run(session, lambda: halved(session, "SELECT x * 10 FROM generate_series(1, 7) AS s(x)")) == [10, 30, 50, 70]


def test_conditions_above_an_operator_from_outside_stay_above(every_other, session):
    def large(node):
        more_than_three = bind(parse("SELECT x FROM generate_series(1, 7) AS s(x) WHERE x > 3")[0], session, session.view)
        condition = next(inner for inner in filters(more_than_three)).predicate
        old, = condition.columns
        return Filter(node, renamed(condition, old, node.output[0]))
    assert run(session, lambda: halved(session, "SELECT x FROM generate_series(1, 7) AS s(x)", large)) == [5, 7]


def filters(plan):
    """The Filters of a plan, top first."""
    while plan.inputs:
        if isinstance(plan, Filter):
            yield plan
        plan = plan.inputs[0]


def renamed(condition, old, column):
    """A condition with another column in place of the one with the id `old`."""
    return substituted(condition, {old: column})


def test_an_operator_from_outside_is_explained_with_its_estimate(every_other, session):
    def explained():
        plan = halved(session, "SELECT x FROM generate_series(1, 8) AS s(x)")
        return Explain(plan, {"format": "text", "pipelines": True, "costs": True})
    lines = run(session, explained)
    assert lines[0].startswith("Every Other") and "rows=4 " in lines[0]
    assert lines[-1] == "  1: Function Scan on generate_series -> Every Other -> Result"


def test_a_node_without_an_operator_is_named_when_it_shall_run(session):
    with pytest.raises(NotImplementedError, match="no operator runs EveryOther"):
        run(session, lambda: halved(session, "SELECT x FROM generate_series(1, 7) AS s(x)"))
