"""The life of a query, on one screen.

    text ─ parse ─▶ syntax tree ─ bind ─▶ plan ─ optimize ─▶ plan ─ split ─▶ pipelines ─ run ─▶ columns ─▶ Result
           caldera.sql            caldera.bind    caldera.optimize  caldera.compile   caldera.execute

Each arrow is a function from one printable value to the next; `trace` times it and shows it under SET debug. A plan that does
not depend on the moment is kept with its machine code under the statement's text, so that a repeated query goes from its text
to its first morsel in a fraction of a millisecond.
"""
from dataclasses import dataclass
from typing import Any

from caldera.base.trace import Trace
from caldera.bind import bind
from caldera.execute.actions import perform, utility_result
from caldera.execute.explain import explain
from caldera.execute.program import run_program, split
from caldera.execute.run import Run
from caldera.optimize import optimize
from caldera.plan.nodes import Explain, Query, Utility
from caldera.plan.walk import is_lasting
from caldera.sql.parse import parse

KEPT_PLANS_MAX = 256


@dataclass
class Prepared:
    """A statement that is ready to run: its plan and, while it has one, its pipelines."""
    plan: Any
    catalog_version: Any
    program: Any = None


def execute(session, text, parameters=()):
    """Run all statements of a text in order; yields a Result for each."""
    kept = session.plans.get((text, session.settings_key))
    if kept is not None and not parameters:
        yield run_kept(session, text, kept)
        return
    trace = Trace(int(session.setting("debug")))
    with trace.stage("parse") as keep:
        statements = keep(parse(text))
    for statement in statements:
        yield run_statement(session, statement, parameters, trace, text if len(statements) == 1 and not parameters else None)


def run_statement(session, statement, parameters, trace, key=None):
    """Bind, optimize and run one statement."""
    with session.statement(ends_block=statement.kind == "TransactionStmt") as scope:
        with trace.stage("bind") as keep:
            plan = keep(bind(statement, session, session.view, [None] * len(parameters)))
        if isinstance(plan, Utility):
            return utility_result(plan.tag, plan.run(session))
        with trace.stage("optimize") as keep:
            plan = keep(optimize(plan, session))
        prepared = Prepared(plan, session.catalog.version)
        result = run_plan(session, scope.snapshot, prepared, trace, parameters)
    if key is not None and isinstance(plan, Query) and is_lasting(plan):
        if len(session.plans) >= KEPT_PLANS_MAX:
            session.plans.pop(next(iter(session.plans)))
        session.plans[key, session.settings_key] = prepared
    return result


def run_kept(session, text, prepared):
    """Run a statement whose plan is known; if the catalog has changed since, plan it anew."""
    if prepared.catalog_version != session.catalog.version:
        del session.plans[text, session.settings_key]
        return next(execute(session, text))
    with session.statement() as scope:
        return run_plan(session, scope.snapshot, prepared, Trace(int(session.setting("debug"))))


def run_plan(session, snapshot, prepared, trace, parameters=()):
    """Run a plan and do with its rows what the statement says."""
    if isinstance(prepared.plan, Explain):
        return explain(session, snapshot, prepared.plan, trace)
    run = Run(session, snapshot, session.database.budget, session.cancelled, session.watch)
    try:
        if prepared.program is None:
            with trace.stage("split") as keep:
                prepared.program = keep(split(session, prepared.plan.input, run))
        with trace.stage("run"):
            columns = run_program(run, prepared.program, parameters)
        return perform(session, prepared.plan, columns, trace.seconds)
    finally:
        run.close()
