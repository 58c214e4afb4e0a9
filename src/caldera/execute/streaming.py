"""Loading a file batch by batch: what an INSERT or COPY reads from a file as it is need not be in memory all at once.

    Insert(Project(Scan(file)))  ──▶  for each batch of the file: append it to the table
"""
import time

from caldera.execute.actions import Result, append
from caldera.execute.program import row_count
from caldera.plan.expressions import Column
from caldera.plan.nodes import Insert, Project, Scan


def stream(session, plan):
    """The Result of an Insert that only hands a file's columns on, or None for any other plan."""
    found = bare_scan(plan.input) if isinstance(plan, Insert) else None
    batches = None if found is None else found[0].relation.batches(sorted(set(found[1])))
    if batches is None:
        return None
    scan, names = found
    started, count = time.monotonic(), 0
    expected = max(1, scan.relation.row_estimate(None) or 1)
    for batch in batches:
        session.check_cancelled()
        columns = [batch[name] for name in names]
        append(session, plan.entry, columns)
        count += row_count(columns)
        if session.watch is not None:
            session.watch("load", min(1.0, count / expected), time.monotonic() - started)
    return Result(f"{plan.tag} {count}", row_count=count)


def bare_scan(node):
    """(the Scan, names of its columns in the order of the node's output) if nothing but a choice of columns lies between."""
    if isinstance(node, Scan):
        return (node, [name for _, name in node.columns]) if not node.ranges else None
    if not isinstance(node, Project) or not all(type(expression) is Column for _, expression in node.items):
        return None
    found = bare_scan(node.input)
    if found is None:
        return None
    below = dict(zip((column.id for column in node.input.output), found[1]))
    return found[0], [below[expression.id] for _, expression in node.items]
