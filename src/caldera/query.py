"""The life of a query, on one screen.

    text ─ parse ─▶ syntax tree ─ bind ─▶ plan ─ optimize ─▶ plan ─ split ─▶ pipelines ─ run ─▶ columns ─▶ Result
           caldera.sql            caldera.bind    caldera.optimize       caldera.execute

Each arrow is a function from one printable value to the next; `trace` times it and shows it under SET debug. A plan that
does not depend on the moment is kept with its machine code under the statement's text, so that a repeated query goes from
its text to its first morsel in a fraction of a millisecond.
"""
import sys
from dataclasses import dataclass
from typing import Any

from caldera.base.errors import error
from caldera.base.garbage import AT_REST
from caldera.base.trace import Trace
from caldera.bind import bind
from caldera.execute.actions import Result, perform, utility_result
from caldera.execute.cursors import Cursor
from caldera.execute.explain import explain
from caldera.execute.split_plan import run_pipelines, split
from caldera.execute.run import Run
from caldera.execute.session import IDLE
from caldera.execute.streaming import load_of, stream
from caldera.optimize import optimize
from caldera.plan import spec
from caldera.plan.nodes import DeclareCursor, Execution, Explain, Insert, Query, Utility
from caldera.plan.volatility import is_lasting
from caldera.sql.parse import parse

KEPT_PLANS_MAX = 256
RECURSION_MAX = 5000            # Python's default of 1,000 calls is enough for some 300 operators in a chain


@dataclass
class Prepared:
    """A statement that is ready to run: its plan, the types of its parameters and, once it has run, its pipelines."""
    plan: Any
    catalog_version: Any
    parameter_types: list
    split_plan: Any = None


def execute(session, text, parameters=()):
    """Run all statements of a text in order; yields a Result for each.

    parameters: what $1, $2, ... are: objects with `type`, an SqlType or None where the use shall tell it, and `datum(type,
    session)`, their value as a datum of the type that was found. Only a single statement may have parameters (42601).
    Raises 54001 for expressions nested deeper than RECURSION_MAX lets the stages follow.
    """
    if sys.getrecursionlimit() < RECURSION_MAX:
        sys.setrecursionlimit(RECURSION_MAX)
    try:
        yield from execute_all(session, text, parameters)
    except RecursionError:
        raise error("54001", "stack depth limit exceeded",
                    hint="Write the expression with fewer nested or chained operators.") from None


def execute_all(session, text, parameters):
    """The same, with Python's error for what is nested too deeply."""
    key = text, session.settings_key, tuple(parameter.type for parameter in parameters)
    kept = session.plans.get(key)
    if kept is not None and kept.catalog_version == session.catalog.version:
        with session.statement() as scope:
            yield run_plan(session, scope.snapshot, kept, Trace(int(session.setting("debug"))), parameters)
        return
    trace = Trace(int(session.setting("debug")), spec.CHECKS if session.setting("caldera.checked") == "on" else None)
    with trace.stage("parse") as keep, AT_REST:
        statements = keep(parse(text))
    if parameters and len(statements) > 1:
        raise error("42601", "cannot insert multiple commands into a prepared statement")
    for statement in statements:
        yield run_statement(session, statement, parameters, trace, key if len(statements) == 1 else None)


def run_statement(session, statement, parameters, trace, key=None):
    """Bind, optimize and run one statement."""
    types = [parameter.type for parameter in parameters]
    with session.statement(ends_block=ends_block(statement)) as scope:
        with trace.stage("bind") as keep, AT_REST:
            plan = keep(bind(statement, session, session.view, types if parameters else None))
        if len(types) > len(parameters):
            raise error("08P01", f"the statement has {len(types)} parameters, but {len(parameters)} were given")
        if isinstance(plan, Utility):
            return utility_result(plan.tag, plan.run(session))
        if isinstance(plan, Execution):
            return run_execution(session, scope.snapshot, plan, trace)
        if isinstance(plan, DeclareCursor):
            return declare(session, plan, types, trace, parameters)
        prepared, lasting = planned(session, plan, types, trace)
        result = run_plan(session, scope.snapshot, prepared, trace, parameters)
    if key is not None and lasting:
        keep_plan(session, key, prepared)
    return result


def ends_block(statement):
    """Whether a statement may stand in a transaction that has failed."""
    return statement.kind == "TransactionStmt" and statement.fields["kind"].removeprefix("TRANS_STMT_") in (
        "COMMIT", "ROLLBACK", "ROLLBACK_TO")


def planned(session, plan, types, trace):
    """What is ready to run of a bound plan, and whether it is worth keeping for when the statement comes again."""
    lasting = is_lasting(plan)                          # asked now: rules may drop what the moment has decided
    with trace.stage("optimize") as keep, AT_REST:
        plan = keep(optimize(plan, session))
    repeatable = isinstance(plan, Query) or isinstance(plan, Insert) and types           # other INSERTs hardly come twice
    return Prepared(plan, session.catalog.version, types), lasting and repeatable


def keep_plan(session, key, prepared):
    """Keep a plan in place of the one that was kept first."""
    if len(session.plans) >= KEPT_PLANS_MAX:
        session.plans.pop(next(iter(session.plans)))
    session.plans[key] = prepared


def declare(session, declaration, types, trace, parameters):
    """Make a cursor. Raises 25P01 outside of a transaction block, where it would end at once, and 42P03."""
    if session.state == IDLE and not declaration.holds:
        raise error("25P01", "DECLARE CURSOR can only be used in transaction blocks")
    if declaration.cursor in session.cursors:
        raise error("42P03", f'cursor "{declaration.cursor}" already exists')
    prepared, _ = planned(session, declaration.query, types, trace)
    values = [parameter.datum(type, session) for parameter, type in zip(parameters, types)]
    session.cursors[declaration.cursor] = Cursor(session, declaration, prepared, values)
    return Result("DECLARE CURSOR")


@dataclass
class GivenDatum:
    """A parameter whose datum is known."""
    type: Any
    value: Any

    def datum(self, type, session):
        return self.value


def run_execution(session, snapshot, execution, trace):
    """Run a prepared statement by the plan that is kept for all values."""
    statement = execution.statement
    statement.generic_plans += 1
    key, types = (statement, session.settings_key), list(statement.types)
    prepared = session.plans.get(key)
    if prepared is None or prepared.catalog_version != session.catalog.version:
        with trace.stage("bind") as keep, AT_REST:
            plan = keep(bind(statement.statement, session, session.view, types))
        prepared, lasting = planned(session, plan, types, trace)
        if lasting:
            keep_plan(session, key, prepared)
    parameters = [GivenDatum(type, value) for type, value in zip(types, execution.values)]
    return run_plan(session, snapshot, prepared, trace, parameters)


def run_plan(session, snapshot, prepared, trace, parameters=()):
    """Run a plan and do with its rows what the statement says."""
    session.queries = True
    parameters = [parameter.datum(type, session) for parameter, type in zip(parameters, prepared.parameter_types)]
    if isinstance(prepared.plan, Explain):
        return explain(session, snapshot, prepared.plan, trace, parameters)
    load = load_of(session, prepared.plan)
    if load is not None and (load.entry is None or stream(session, load)):
        return load.result()
    run = Run(session, snapshot, session.budget, session.cancelled, session.watch)
    try:
        if prepared.split_plan is None:
            with trace.stage("split") as keep, AT_REST:
                prepared.split_plan = keep(split(session, prepared.plan.input, run))
        with trace.stage("run"):
            columns = run_pipelines(run, prepared.split_plan, parameters, load and load.add)
            if load is not None:
                load.add(columns, columns.row_count)
        return perform(session, prepared.plan, columns, trace.seconds) if load is None else load.result(trace.seconds)
    finally:
        run.close()
