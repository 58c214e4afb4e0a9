"""Aggregates over a whole table that its segments know: how many rows, bounds and totals of columns.

    Aggregate(Scan, count(*), min(x), total(y))   ──▶   TableFacts(Aggregate(...))

The node keeps the Aggregate, since what segments know is asked when the run starts: a plan may be older than its data.
"""
from caldera.plan.expressions import Column
from caldera.plan.nodes import Aggregate, Scan, TableFacts
from caldera.plan.walk import rewrite_nodes

INTEGERS = {"int2", "int4", "int8"}
ORDERED = INTEGERS | {"date", "time", "timestamp", "timestamptz", "text", "varchar"}
FACTS = {"min": ("min", ORDERED), "max": ("max", ORDERED), "sum": ("sum", INTEGERS), "total": ("total", INTEGERS)}


def table_facts(plan, session):
    """Ask tables instead of their rows."""
    return rewrite_nodes(plan, asked)


def asked(node):
    """An Aggregate over a whole table as TableFacts, if all that it wants may be known."""
    if not isinstance(node, Aggregate) or node.keys or not isinstance(node.input, Scan) or node.input.ranges:
        return node
    if node.input.relation.momentary:
        return node
    names = {column.id: name for column, name in node.input.columns}
    facts = [fact_of(call, names) for _, call in node.aggregates]
    if not facts or None in facts:
        return node
    return TableFacts(node, tuple((column, *fact) for (column, _), fact in zip(node.aggregates, facts)))


def fact_of(call, names):
    """(fact, name in the relation) of an aggregate, or None."""
    if call.distinct or call.filter is not None or call.order_by:
        return None
    if not call.arguments:
        return ("rows", None) if call.signature.name == "count" else None
    if len(call.arguments) > 1 or not isinstance(call.arguments[0], Column) or call.arguments[0].id not in names:
        return None
    column, name = call.arguments[0], names[call.arguments[0].id]
    if call.signature.name == "count":
        return "present", name
    fact, types = FACTS.get(call.signature.name, (None, ()))
    return (fact, name) if column.type.name in types else None
