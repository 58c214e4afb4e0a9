"""WITH queries that are computed once give only what somebody reads: columns that are mentioned, rows that pass the
conditions of one mention at least.

    WITH w AS (SELECT a, b, c FROM t) SELECT w.a FROM w, w AS v WHERE w.b = 1 AND v.b = 2 AND w.a = v.a

    w: Project(t, a, b, c)   ──▶   Project(Filter(Project(t, a, b, c), b = 1 OR b = 2), a, b)

The mentions are found by pushing conditions down and leaving out columns in all plans, those that read before those that are
read. Each mention keeps its conditions, so that what goes down need not be all of them: conditions about results of
aggregates and window functions would go no further, and stay out. MATERIALIZED asks for all rows.
"""
import graphlib
from collections import defaultdict
from dataclasses import dataclass, field

from caldera.optimize.column_pruning import column_pruning
from caldera.optimize.predicate_push_down import predicate_push_down
from caldera.optimize.unnesting import unnesting
from caldera.plan.expressions import Or, Subquery
from caldera.plan.nodes import Aggregate, Append, CommonScan, Filter, GroupingSets, Project, Recursion, Window
from caldera.plan.predicates import conjunction, conjuncts, substituted
from caldera.plan.volatility import is_volatile
from caldera.plan.walk import all_expressions, nodes_of, rewrite_plans, subqueries


@dataclass
class Readers:
    """What the places that read a common table want of it."""
    is_materialized: bool = False
    columns: set = field(default_factory=set)           # ids of its plan's columns
    conditions: list = field(default_factory=list)      # for each place the conditions, over the plan's columns


def common_tables(plan, session):
    """Narrow the plans of common tables to what their mentions need."""
    tables, users = {}, defaultdict(set)
    find_tables(plan, None, tables, users)
    if not tables:
        return plan
    settled, readers = {}, defaultdict(Readers)

    def settle(original, narrow):
        ready = column_pruning(predicate_push_down(unnesting(narrow, session), session), session)
        settled[id(original)] = ready
        note_readers(ready, readers)
    settle(plan, plan)
    for number in graphlib.TopologicalSorter({number: users[number] - {None} for number in tables}).static_order():
        settle(tables[number], narrowed(tables[number], readers[number]))
    return rewrite_plans(plan, lambda plan: plan, prepare=lambda plan: settled.get(id(plan), plan))


def find_tables(plan, reader, tables, users):
    """Note all common tables inside a plan, {number: plan}, and who mentions them: `reader`, the number of the common table
    whose plan this is, or None."""
    for node in nodes_of(plan):
        if isinstance(node, CommonScan):
            users[node.number].add(reader)
            if node.number not in tables:
                tables[node.number] = node.plan
                find_tables(node.plan, node.number, tables, users)
        else:
            for inner in node.inner:
                find_tables(inner, reader, tables, users)
    for subquery in subqueries(plan):
        find_tables(subquery.plan, reader, tables, users)


def note_readers(plan, readers):
    """Note what a plan, and all plans inside it, want of common tables."""
    for scan, conditions in scans_of(plan):
        reader = readers[scan.number]
        reader.is_materialized |= scan.is_materialized
        reader.columns |= {column.id for column in scan.given}
        given = dict(zip((column.id for column in scan.columns), scan.given))
        reader.conditions.append([substituted(condition, given) for condition in conditions])
    for node in nodes_of(plan):
        for inner in () if isinstance(node, CommonScan) else node.inner:
            note_readers(inner, readers)
    for subquery in subqueries(plan):
        note_readers(subquery.plan, readers)


def scans_of(plan, conditions=()):
    """The CommonScans of a plan, each with the conditions that stand on it."""
    if isinstance(plan, CommonScan):
        yield plan, conditions
    for node in plan.inputs:
        yield from scans_of(node, conjuncts(plan.predicate) if isinstance(plan, Filter) else ())


def narrowed(plan, readers):
    """The plan of a common table with what its readers want."""
    columns = [column for column in plan.output if column.id in readers.columns]
    condition = None if readers.is_materialized or isinstance(plan, Recursion) else wanted_rows(plan, readers.conditions)
    if condition is not None:
        plan = Filter(plan, condition)
    return plan if len(columns) == len(plan.output) else Project(plan, tuple((column, column) for column in columns))


def wanted_rows(plan, conditions):
    """The condition that every row meets which one of the readers wants, by the conditions of each; None if that is any."""
    output = {column.id for column in plan.output}
    usable = [[condition for condition in each if is_usable(condition, output)] for each in conditions]
    sinking = plain_columns(plan)
    lower = [[condition for condition in each if condition.columns <= sinking] for each in usable]
    chosen = lower if all(lower) else usable
    if not all(chosen):
        return None
    different = list(dict.fromkeys(map(conjunction, chosen)))
    return different[0] if len(different) == 1 else Or(tuple(different))


def is_usable(condition, output):
    """Whether a condition is about a common table's own columns only and may be asked twice."""
    return condition.columns and condition.columns <= output and not is_volatile(condition) and \
        not any(isinstance(part, Subquery) for part in all_expressions(condition))


def plain_columns(node):
    """The ids of a plan's columns that are not made of what aggregates and window functions give."""
    if not node.inputs:
        return {column.id for column in node.output}
    below = set().union(*map(plain_columns, node.inputs))
    if isinstance(node, (Aggregate, GroupingSets)):
        return {column.id for column, expression in node.keys if expression.columns <= below}
    if isinstance(node, Project):
        return {column.id for column, expression in node.items if expression.columns <= below}
    if isinstance(node, Append):
        return {column.id for column, *given in zip(node.columns, *node.given) if {each.id for each in given} <= below}
    made = {column.id for column, _ in node.calls} if isinstance(node, Window) else set()
    return {column.id for column in node.output} & below - made
