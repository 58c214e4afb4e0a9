"""EXPLAIN: how a statement would run and, with ANALYZE, how it ran."""
from caldera.execute.actions import Result
from caldera.execute.program import run_program, split
from caldera.execute.run import Run
from caldera.storage.engine import ColumnData
from caldera.types.columns import from_datums
from caldera.types.registry import TYPES


def explain(session, snapshot, plan, trace):
    """The Result of an EXPLAIN: one column of text."""
    lines = [repr(plan.input)]
    text = TYPES["text"]
    return Result("EXPLAIN", ["QUERY PLAN"], [(text, None)], [ColumnData(text, *from_datums(text, lines))], len(lines))


def analyzed(session, snapshot, node):
    """Run a plan and keep what its pipelines tell."""
    run = Run(session, snapshot, session.database.budget, session.cancelled, session.watch)
    try:
        program = split(session, node, run)
        return program, run_program(run, program)
    finally:
        run.close()
