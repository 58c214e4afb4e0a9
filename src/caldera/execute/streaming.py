"""Loading tables: rows go to the table while the query runs, some hundred thousand at a time, and are not all in memory.

    Insert(Project(Scan(file)))    ──▶  for each piece of the file: append it to the table
    Insert(anything else)          ──▶  the pipeline's last sink hands rows on when it holds many (operators.collect)
"""
import threading
import time

from caldera.execute.actions import Result, append
from caldera.plan.expressions import Column
from caldera.plan.nodes import CreateTableAs, Insert, Project, Scan


class Load:
    """Where the rows of an Insert or CreateTableAs go. Rows may come from several threads."""

    def __init__(self, session, plan):
        """Raises what making the table raises."""
        self.session, self.plan, self.count, self.lock = session, plan, 0, threading.Lock()
        self.entry = plan.entry if isinstance(plan, Insert) else plan.statement(session)

    def add(self, columns, count):
        """Append rows, given as ColumnData in the order of the table's columns."""
        with self.lock:
            if self.entry is not None:
                append(self.session, self.entry, columns)
            self.count += count

    def result(self, timings=()):
        """The statement's Result."""
        if self.entry is None:                      # IF NOT EXISTS found a table: the query has not run
            return Result("CREATE TABLE AS", timings=dict(timings))
        tag = self.plan.tag if isinstance(self.plan, Insert) else "SELECT"
        return Result(f"{tag} {self.count}", row_count=self.count, timings=dict(timings))


def load_of(session, plan):
    """The Load of a plan that fills a table, or None."""
    return Load(session, plan) if isinstance(plan, (Insert, CreateTableAs)) else None


def stream(session, load):
    """Load a table from a scan of files if its rows are not even changed on the way; returns whether that was so."""
    found = bare_scan(load.plan.input)
    if found is None or not found[0].relation.is_streamed:
        return False
    scan, names = found
    started, expected = time.monotonic(), max(1, scan.relation.row_estimate(None) or 1)
    budget, held, rows = session.budget, 0, scan.relation.stream(list(dict.fromkeys(names)))
    try:
        for piece in rows.pieces():
            session.check_cancelled()
            budget.reserve(piece.size)
            held = piece.size
            load.add([piece.columns[name] for name in names], piece.row_count)
            budget.release(held)
            held = 0
            if session.watch is not None:
                session.watch("load", min(1.0, load.count / expected), time.monotonic() - started)
    finally:
        budget.release(held)
        rows.close()
    return True


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
