"""Cursors: queries whose rows are computed as they are fetched, a chunk at a time.

    DECLARE ─▶ Cursor ─ Producer: a thread that runs the pipelines; the last sink hands rows on (operators.collect)
                 ▲                        │ waits with each chunk until it is wanted
    FETCH ───────┴──── rows ◀─────────────┘

What is kept are the rows that the workers have at hand and those from the current one on; of a SCROLL cursor all rows so
far, on disk where memory is short (kept_chunks.py). A cursor sees the table as it was at DECLARE: all pipelines are opened
then, up to the first chunk.
"""
import threading

import numpy as np

from caldera.base.errors import error
from caldera.execute.actions import Result, rows_result
from caldera.execute.kept_chunks import KeptChunks
from caldera.execute.run import Run
from caldera.execute.split_plan import Columns, run_pipelines, split
from caldera.plan.nodes import Scan
from caldera.plan.walk import all_plans, nodes_of
from caldera.storage import arrays

WAIT_S = 0.05                   # between looks at cancellation


class Abandoned(Exception):
    """Nobody wants more rows."""


class Producer:
    """Runs a query in a thread of its own. `take` gives its rows, chunk by chunk, to one other thread."""

    def __init__(self, session, snapshot, prepared, parameters):
        self.session, self.snapshot, self.prepared, self.parameters = session, snapshot, prepared, parameters
        self.change, self.wanted, self.chunk = threading.Condition(), True, None
        self.ended, self.failure, self.cancelled = False, None, threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True, name="caldera-cursor")
        self.thread.start()
        try:
            with self.change:
                self.await_chunk()
        except BaseException:                       # the statement shall stop
            self.close()
            raise

    def run(self):
        """The thread: the query from beginning to end."""
        try:
            run = Run(self.session, self.snapshot, self.session.budget, self.cancelled)
            run.deadline = None                     # it is each FETCH that may time out
            try:
                split_plan = split(self.session, self.prepared.plan.input, run)
                for pipeline in split_plan.pipelines:
                    pipeline.in_order |= pipeline.sink is split_plan.result         # chunks come in the order of the rows
                columns = run_pipelines(run, split_plan, self.parameters, self.put)
                self.put(columns, columns.row_count)
            finally:
                run.close()
        except Abandoned:
            pass
        except BaseException as failure:
            self.failure = failure
        finally:
            with self.change:
                self.ended = True
                self.change.notify_all()

    def put(self, columns, count):
        """Called by workers: give a chunk away once it is wanted."""
        chunk = Columns(columns, count)
        arrays.keep_big_numbers(chunk, columns)
        with self.change:
            self.change.wait_for(lambda: self.wanted and self.chunk is None or self.cancelled.is_set())
            if self.cancelled.is_set():
                raise Abandoned
            self.chunk, self.wanted = chunk, False
            self.change.notify_all()

    def take(self):
        """The next chunk, or None after the last. Raises what the query raised, and 57014."""
        with self.change:
            self.wanted = True
            self.change.notify_all()
            self.await_chunk()
            chunk, self.chunk = self.chunk, None
        if chunk is None and self.failure is not None:
            raise self.failure
        return chunk

    def await_chunk(self):
        """Wait for a chunk or the end, with `change` held. Raises 57014."""
        while self.chunk is None and not self.ended:
            self.change.wait(WAIT_S)
            self.session.check_cancelled()

    def close(self):
        """Stop the query and wait for its end."""
        with self.change:
            self.cancelled.set()
            self.change.notify_all()
        self.thread.join()


class Cursor:
    """A named query. Rows are numbered from 1; `at` is the row that was fetched last, 0 before the first, and one more than
    there are behind the last. scrolls: whether it may go back. held: its rows are all here, whatever becomes of the
    transaction. relations: what the query scans; text: of the statement that declared it, which began at declared_at."""

    def __init__(self, session, declaration, prepared, parameters):
        self.session, self.plan = session, prepared.plan
        self.name, self.scrolls, self.holds = declaration.cursor, declaration.scrolls, declaration.holds
        self.text, self.declared_at = declaration.text, session.statement_started
        self.relations = {node.relation for plan in all_plans(declaration.query) for node in nodes_of(plan)
                          if isinstance(node, Scan)}
        self.at, self.known, self.complete, self.held = 0, 0, False, False
        self.chunks = KeptChunks(session)
        self.snapshot = session.transaction.snapshot()
        self.own_snapshot = self.snapshot is not session.transaction.first_snapshot
        try:
            self.producer = Producer(session, self.snapshot, prepared, parameters)
        except BaseException:
            self.let_snapshot_go()
            raise

    # rows
    def compute(self, count):
        """Have the first `count` rows computed, or all if there are fewer."""
        while self.known < count and not self.complete:
            chunk = self.producer.take()
            if chunk is None:
                self.complete = True
            elif chunk.row_count:
                self.chunks.add(self.known + 1, chunk, chunk.row_count)
                self.known += chunk.row_count

    def rows(self, first, count):
        """Columns of a run of rows that are known."""
        pieces = []
        for start, chunk, chunk_count in self.chunks.between(first, first + count):
            begin, end = max(first, start), min(first + count, start + chunk_count)
            pieces.append([arrays.cut(data, begin - start, end - begin) for data in chunk])
        if not pieces:
            return [arrays.empty(column.type) for column in self.plan.input.output]
        return [arrays.concatenate(list(column)) for column in zip(*pieces)]

    def forget(self):
        """Let go of rows that cannot be asked for any more."""
        if not self.scrolls:
            self.chunks.forget(self.at + 1)

    # positions
    def fetch(self, direction, count, moves):
        """The Result of a FETCH or MOVE. Raises 55000 for a way back that the cursor does not have."""
        try:
            first, found, backward = getattr(self, direction)(count)
            result = self.result(first, found, backward, moves)
        except BaseException:
            self.close()
            raise
        self.forget()
        return result

    def forward(self, count):
        """(the first row, how many, whether in reverse) of the next rows."""
        if count < 0:
            return self.backward(-count)
        if count == 0:
            return self.absolute(self.at) if 0 < self.at <= self.known else (self.at, 0, False)
        first = self.at + 1
        self.compute(self.at + count)
        found = max(0, min(self.known, self.at + count) - self.at)
        self.at = self.at + count if found == count else self.known + 1
        return first, found, False

    def backward(self, count):
        """The same of the rows before."""
        if count <= 0:
            return self.forward(-count)
        self.refuse_way_back()
        before = self.at
        self.at = max(0, self.at - count)
        return max(1, self.at), before - max(1, self.at), True

    def absolute(self, number):
        """The same of one row; from the end, if the number is negative."""
        if number < 0:
            self.refuse_way_back()
            self.compute(1 << 62)
            number = max(0, self.known + 1 + number)
        if number <= self.at:
            self.refuse_way_back()
        self.compute(number)
        self.at = min(number, self.known + 1)
        return self.at, int(0 < number <= self.known), False

    def relative(self, count):
        """The same of the row that is so many rows ahead."""
        if count == 0:
            return self.forward(0)
        return self.absolute(max(0, self.at + count))

    def refuse_way_back(self):
        """Raise 55000 unless the cursor keeps the rows before."""
        if not self.scrolls:
            raise error("55000", "cursor can only scan forward",
                        hint="Declare it with SCROLL option to enable backward scan.")

    def result(self, first, found, backward, moves):
        """The Result with a run of rows, which a MOVE only counts."""
        if moves:
            return Result(f"MOVE {found}", row_count=found)
        columns = self.rows(first, found)
        if backward:
            columns = [arrays.take(data, np.arange(found - 1, -1, -1, dtype=np.int64)) for data in columns]
        return rows_result(f"FETCH {found}", self.plan, columns, found)

    # the end
    def hold(self):
        """The transaction commits: compute the rest, for later transactions."""
        self.compute(1 << 62)
        self.release()
        self.held = True

    def release(self):
        """End the query."""
        self.producer.close()
        self.let_snapshot_go()

    def let_snapshot_go(self):
        """Release the snapshot, unless it is the transaction's."""
        if self.own_snapshot:
            self.snapshot.release()

    def close(self):
        """Forget the cursor and its rows."""
        if not self.held:
            self.release()
        self.chunks.close()
        self.session.cursors.pop(self.name, None)
