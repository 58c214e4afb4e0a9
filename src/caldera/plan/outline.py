"""A plan as people read it: names of nodes, what they do, and what is below them, in the layout of PostgreSQL's EXPLAIN.

    Query ─ outline ─▶ Entry("Top-N Sort", {"Sort Key": [...]}, [Entry("HashAggregate", ...)]) ─ lines ─▶ text
                                                                                                └ document ─▶ JSON

A Filter is shown at the node whose rows it takes. Projects that compute nothing are left out, unless `verbose`, when every
node tells its output.
"""
from dataclasses import dataclass, field, replace
from typing import Any

from caldera.plan import nodes
from caldera.plan.expressions import Column
from caldera.plan.operator import operator_of
from caldera.plan.predicates import conjuncts, substituted
from caldera.plan.walk import all_plans, nodes_of, rewrite_expressions, subqueries


@dataclass
class Entry:
    """One line of an EXPLAIN and what stands below it. name: of the kind of node, title: the same with what it is about.
    details: {label: text, number or list of texts}. figures: {label: number}, costs and rows, shown in the title's line.
    plan: the node."""
    name: str
    title: str
    plan: Any
    details: dict = field(default_factory=dict)
    inputs: list = field(default_factory=list)
    figures: dict = field(default_factory=dict)
    label: str = ""                 # of a subquery: "InitPlan 1"


def outline(plan, figures=None, verbose=False, refusals=None):
    """The Entry of a plan. figures(node) -> {label: number}, or None for none; refusals(node, the same with
    qualified columns) -> texts that say what else it could have done and why it does not, or None."""
    is_statement = isinstance(plan, nodes.Statement) and plan.inputs
    plan_of_rows = plan.input if is_statement else plan
    entry = Outliner(figures, verbose, qualified_columns(plan_of_rows), refusals).entry(plan_of_rows)
    return Entry(plan.name, plan.title, plan, {}, [entry]) if is_statement and plan.title else entry


def qualified_columns(plan):
    """{id: the Column under the name "alias.column"} of all tables that a plan scans."""
    scans = [node for each in all_plans(plan) for node in nodes_of(each) if isinstance(node, nodes.Scan)]
    return {column.id: replace(column, name=f"{scan.alias or scan.label}.{column.name}")
            for scan in scans for column in scan.output}


class Outliner:
    """Makes entries, and numbers subqueries: {id of a subquery's plan: number}. Conditions of joins tell which table a
    column is of."""

    def __init__(self, figures, verbose, qualified, refusals=None):
        self.figures, self.verbose, self.numbers, self.common = figures, verbose, {}, set()
        self.qualified, self.refusals = qualified, refusals

    def entry(self, node, filters=()):
        """The Entry of a node. filters: the Filters directly above it, which belong to it, top first."""
        if isinstance(node, nodes.Filter):
            return self.entry(node.input, (*filters, node))
        if isinstance(node, nodes.Project) and not self.verbose and not filters and all(
                isinstance(expression, Column) for _, expression in node.items):
            return self.entry(node.input)
        top = filters[0] if filters else node
        shown = rewrite_expressions(node, lambda outer: substituted(outer, self.qualified)) \
            if isinstance(node, nodes.Join) else node
        name, title, details = operator_of(node).describe(shown)
        if self.verbose:
            details = {"Output": [column.name for column in node.output]} | details
        if filters:
            predicates = [condition for filter in reversed(filters) for condition in conjuncts(filter.predicate)]
            details["Filter"] = shown_condition(predicates)
        if self.refusals is not None and (refused := self.refusals(node, shown)):
            details["Not Used"] = refused
        entry = Entry(name, title, top, details, [], self.figures(top) if self.figures else {})
        for owner in (node, *filters):
            entry.inputs += self.subplans(owner)
        entry.inputs += [self.entry(below) for below in node.inputs] + self.inner(node)
        return entry

    def inner(self, node):
        """Entries of the plans that a node runs by itself; a common table's only at the first place that reads it."""
        if not isinstance(node, nodes.CommonScan):
            return [self.entry(plan) for plan in node.inner]
        if node.number in self.common:
            return []
        self.common.add(node.number)
        entry = self.entry(node.plan)
        entry.label = f"CTE {node.name}"
        return [entry]

    def subplans(self, node):
        """Entries of the subqueries in a node's own expressions."""
        result = []
        for subquery in subqueries(node.with_inputs([NOTHING] * len(node.inputs)) if node.inputs else node):
            first = id(subquery.plan) not in self.numbers
            number = self.numbers.setdefault(id(subquery.plan), len(self.numbers) + 1)
            if first:
                entry = self.entry(subquery.plan)
                entry.label = f"InitPlan {number}"
                result.append(entry)
        return result


def shown_condition(conditions):
    """Conditions joined by AND, in parentheses as a whole."""
    return str(conditions[0]) if len(conditions) == 1 else f"({' AND '.join(map(str, conditions))})"


NOTHING = nodes.Values(((),), ())


def lines(entry, margin="", below=False):
    """The text of an EXPLAIN, line by line."""
    if entry.label:
        yield f"{margin}{entry.label}"
        margin += "  "
    yield f"{margin}{'->  ' if below else ''}{entry.title}{shown_figures(entry.figures)}"
    inner = margin + ("      " if below else "  ")
    for label, value in entry.details.items():
        yield f"{inner}{label}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
    for input in entry.inputs:
        yield from lines(input, inner, True)


def shown_figures(figures):
    """What stands behind a node's title: "  (cost=0.00..10.00 rows=5 width=4)"."""
    groups = []
    if "Total Cost" in figures:
        groups.append(f"cost={figures['Startup Cost']:.2f}..{figures['Total Cost']:.2f} rows={figures['Plan Rows']} "
                      f"width={figures['Plan Width']}")
    if "Actual Rows" in figures:
        groups.append(f"actual rows={figures['Actual Rows']}" + (
            f" removed={figures['Rows Removed by Filter']}" if "Rows Removed by Filter" in figures else ""))
    if "Never Executed" in figures:
        groups.append("never executed")
    return "".join(f"  ({group})" if number == 0 else f" ({group})" for number, group in enumerate(groups))


def document(entry):
    """The same as a dict for JSON, with PostgreSQL's keys."""
    result = {"Node Type": entry.name}
    if isinstance(entry.plan, nodes.Filter):
        inner = entry.plan
        while isinstance(inner, nodes.Filter):
            inner = inner.input
    else:
        inner = entry.plan
    if isinstance(inner, nodes.Scan):
        result["Relation Name"] = inner.label
    if entry.label:
        result["Subplan Name"] = entry.label
    result |= entry.figures | entry.details
    if entry.inputs:
        result["Plans"] = [document(below) for below in entry.inputs]
    return result
