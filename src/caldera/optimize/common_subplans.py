"""Groups that a statement asks for twice are made once.

    FROM (SELECT a, sum(b) FROM t GROUP BY a) x, (SELECT avg(s) FROM (SELECT a, sum(b) FROM t GROUP BY a) y(a, s)) z

    Aggregate(t, a, sum(b)), at two places   ──▶   CommonScan of one Aggregate(t, a, sum(b)), as WITH queries have it

Looked for are aggregates, grouping sets and windows, which joins are not ordered across anyway, in all plans of a statement,
once conditions are pushed down: places that want other rows are not equal. Subplans are equal if they are so but for the ids
of their columns. It is done where the estimate says that computing the rows again costs more than keeping and reading them.
"""
from collections import Counter, defaultdict
from dataclasses import fields, replace
from itertools import count

from caldera.optimize.estimates import ROW_COST, VALUE_COST, Estimates
from caldera.optimize.predicate_push_down import predicate_push_down
from caldera.optimize.unnesting import unnesting
from caldera.plan.basis import Node
from caldera.plan.expressions import Column, Constant, Expression, SortKey, Subquery
from caldera.plan.nodes import Aggregate, CommonScan, GroupingSets, Scan, Shared, Window, WorkingScan
from caldera.plan.volatility import is_volatile_plan
from caldera.plan.walk import all_plans, free_columns, nodes_of, rewrite_nodes, rewrite_plans

SHARED_KINDS = Aggregate, GroupingSets, Window
OF_THEIR_PLACE = Shared, WorkingScan            # their rows are not the same in another plan
SET_UP_COST = 1000 * ROW_COST                   # of a run of its own
NUMBERS = count(-1, -1)                         # of CommonScans; those of WITH queries are positive


def common_subplans(plan, session):
    """Let equal subplans share their rows."""
    if not may_repeat(plan):
        return plan
    ready = rewrite_plans(plan, lambda plan: predicate_push_down(plan, session),
                          prepare=lambda plan: unnesting(plan, session))
    shared = 0
    while (places := repeated(ready, session.view.snapshot)) is not None:
        shared += 1
        ready = with_common(ready, places, shared)
    return ready if shared else plan


def may_repeat(plan):
    """Whether a statement has two candidates over the same tables: a quick look, as few have."""
    kinds = Counter()
    for each in all_plans(plan):
        for node in nodes_of(each):
            if isinstance(node, SHARED_KINDS):
                kinds[type(node), tuple(sorted(id(scan.relation) for scan in nodes_of(node) if isinstance(scan, Scan)))] += 1
    return any(times > 1 and tables for (_, tables), times in kinds.items())


def repeated(plan, snapshot):
    """The equal subplans that are largest among those worth sharing; None if there are none."""
    found = defaultdict(list)
    for each in all_plans(plan):
        for node in nodes_of(each):
            if isinstance(node, SHARED_KINDS):
                found[form(node)].append(node)
    groups = [places for places in found.values() if len(places) > 1 and is_shareable(places[0])]
    estimates = Estimates(plan, snapshot) if groups else None
    groups = [places for places in groups if pays(places, estimates)]
    return max(groups, key=lambda places: len(list(nodes_of(places[0]))), default=None)


def is_shareable(node):
    """Whether a subplan gives the same rows wherever it stands."""
    plans = all_plans(node)
    return not free_columns(node) and not is_volatile_plan(node) and \
        not any(isinstance(each, OF_THEIR_PLACE) for plan in plans for each in nodes_of(plan)) and \
        any(isinstance(each, Scan) for each in nodes_of(node))


def pays(places, estimates):
    """Whether computing a subplan's rows once, keeping and reading them costs less than computing them at each place."""
    rows, _, total = estimates.of(places[0])
    row_cost = ROW_COST + VALUE_COST * len(places[0].output)
    return total * (len(places) - 1) > SET_UP_COST + rows * row_cost * (len(places) + 1)


def with_common(plan, places, number):
    """The plan in which equal subplans read the rows of the first one."""
    first, common = places[0], next(NUMBERS)

    def scan(node):
        if not any(node is place for place in places):
            return node
        return CommonScan(first, common, f"common subplan {number}", tuple(first.output), tuple(node.output))
    return rewrite_plans(plan, lambda plan: rewrite_nodes(plan, scan))


def form(plan):
    """A hashable value that is the same for plans that are equal but for the ids and names of their columns."""
    numbers = {}

    def number(id):
        return numbers.setdefault(id, len(numbers))

    def of(thing):
        if isinstance(thing, Column):
            return number(thing.id), thing.type, thing.modifier
        if isinstance(thing, Constant):
            return "constant", thing.identity
        if isinstance(thing, Scan):
            return "scan", id(thing.relation), tuple((of(column), name) for column, name in thing.columns)
        if isinstance(thing, CommonScan):
            return "common", thing.number, tuple(column.id for column in thing.given), tuple(map(of, thing.columns))
        if isinstance(thing, Subquery):
            outer = replace(thing, plan=None, parameters=())
            return of(thing.plan), tuple(map(number, thing.parameters)), members_of(outer)
        if isinstance(thing, (Node, Expression, SortKey)):
            return members_of(thing)
        if isinstance(thing, tuple):
            return tuple(map(of, thing))
        return thing

    def members_of(thing):
        return type(thing), tuple(of(getattr(thing, member.name)) for member in fields(thing) if member.compare)
    return of(plan)
