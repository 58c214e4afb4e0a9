"""`python -m caldera.bench.fixed_costs`: what Caldera costs before the first row moves.

    repeated query      its text ─▶ machine code entered, the plan and the program being kept
    new query           its text ─▶ rows, no program like it being in any cache; a simple one, and one with groups
    import              a fresh interpreter that imports caldera, beside one that imports nothing
    opening             connect() to a database of 100 parts

Each figure is a median, with the least and the greatest beside it. The targets are those of the project for two cores of a
server; a busy machine misses them. `--profile` shows where the time of a repeated or a new query goes.
"""
import argparse
import contextlib
import cProfile
import dataclasses
import itertools
import os
import pstats
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from rich.console import Console
from rich.table import Table

from caldera.bench import report

ROWS, PARTS, PART_ROWS = 100_000, 100, 1 << 16
REPEATED = "SELECT count(*), sum(a + b) FROM t WHERE c < 50"
COMPARISONS = "<", ">", "=", "<>", "<=", ">="


@dataclasses.dataclass
class Cost:
    """One figure: seconds of all runs, and the target in seconds."""
    name: str
    seconds: list
    target: float | None = None

    @property
    def median(self):
        return statistics.median(self.seconds)


def filled():
    """A connection whose table t has ROWS rows in one part."""
    import caldera
    connection = caldera.connect()
    connection.sql("CREATE TABLE t (a int, b int8, c int, s text)")
    connection.sql("INSERT INTO t SELECT i, i * 7, i % 100, 'text ' || i % 1000 FROM generate_series(1, $1) AS g (i)", ROWS)
    return connection


@contextlib.contextmanager
def entries_noted(moments):
    """While open, the moment at which each pipeline's machine code is entered is appended to a list."""
    from caldera.execute.run import Run
    enter = Run.enter

    def noting(run, *arguments):
        moments.append(time.perf_counter())
        return enter(run, *arguments)
    Run.enter = noting
    try:
        yield
    finally:
        Run.enter = enter


def repeated_query(connection, repeat):
    """Seconds from the text to the first morsel."""
    moments, seconds = [], []
    with entries_noted(moments):
        for number in range(repeat + 5):
            moments.clear()
            started = time.perf_counter()
            connection.sql(REPEATED)
            if number >= 5:                     # the first runs compile, and get to know the data
                seconds.append(moments[0] - started)
    return seconds


def new_texts(pattern):
    """Queries of one pattern of which no two have the same program."""
    for first, comparison, second in itertools.product("+-*", COMPARISONS, "+-*"):
        yield pattern.format(first, comparison, second)


SIMPLE = new_texts("SELECT a {0} b {2} c AS x, c FROM t WHERE a {1} 50 LIMIT 10")
GROUPED = new_texts("SELECT c, sum(a {0} b), count(*) FROM t WHERE b {1} a {2} c GROUP BY c")


def new_query(connection, repeat, texts=SIMPLE):
    """Seconds from the text to all (few) rows, while no cache knows the program."""
    from caldera.compile.jit import DiskCache
    from caldera.execute.run import JIT
    kept, seconds = JIT.disk, []
    with tempfile.TemporaryDirectory() as folder:
        JIT.disk = DiskCache(folder)
        try:
            for text in itertools.islice(texts, repeat):
                started = time.perf_counter()
                connection.sql(text)
                seconds.append(time.perf_counter() - started)
        finally:
            JIT.writer.flush()
            JIT.disk = kept
    return seconds


def interpreter(code, repeat):
    """Seconds that a fresh interpreter takes for some code, whose modules have been compiled to bytecode before."""
    environment, seconds = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}, []
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    for number in range(repeat + 1):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)
        if number:
            seconds.append(time.perf_counter() - started)
    return seconds


def make_database(path):
    """A database whose table has PARTS parts that nobody merges."""
    from caldera.client.connection import Connection
    from caldera.storage.database import Database
    from caldera.storage.engine import ColumnData
    from caldera.types.registry import TYPES
    database = Database(path, merging=False)
    connection = Connection(database, None)
    connection.sql("CREATE TABLE t (a int, b int8)")
    session = connection.session
    for part in range(PARTS):
        with session.statement():
            numbers = np.arange(part * PART_ROWS, (part + 1) * PART_ROWS, dtype=np.int32)
            session.view.relation("t").relation.append(session.transaction, {
                "a": ColumnData(TYPES["int4"], numbers, None),
                "b": ColumnData(TYPES["int8"], numbers * np.int64(3), None)})
    connection.close()


def opening(repeat):
    """Seconds for connect(), and seconds for the first query after it, with a database of PARTS parts."""
    import caldera
    opened, first = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "database")
        make_database(path)
        for _ in range(repeat):
            started = time.perf_counter()
            connection = caldera.connect(path)
            opened.append(time.perf_counter() - started)
            rows = connection.sql("SELECT count(*), sum(b) FROM t").fetchall()
            first.append(time.perf_counter() - started)
            assert rows[0][0] == PARTS * PART_ROWS, rows
            connection.close()
    return opened, first


def measure(repeat):
    """All Costs."""
    with filled() as connection:
        costs = [Cost("a repeated query, from text to first morsel", repeated_query(connection, 40 * repeat), 0.0003),
                 Cost("a new simple query, from text to its rows", new_query(connection, 5 * repeat), 0.008),
                 Cost("a new query with GROUP BY, to its rows", new_query(connection, 5 * repeat, GROUPED))]
    costs.append(Cost("an interpreter that imports nothing", interpreter("pass", repeat)))
    costs.append(Cost("the same with import caldera", interpreter("import caldera", repeat), 0.5))
    costs.append(Cost("... and caldera.connect()", interpreter("import caldera; caldera.connect()", repeat)))
    opened, first = opening(repeat)
    costs.append(Cost(f"connect() to a database of {PARTS} parts", opened, 0.2))
    costs.append(Cost("... and a query over all of them", first))
    return costs


def shown(costs):
    """The figures as a table, in milliseconds."""
    table = Table("what", box=None, header_style="bold")
    for name in ("median ms", "least", "greatest", "target"):
        table.add_column(name, justify="right")
    for cost in costs:
        target = "" if cost.target is None else f"{cost.target * 1e3:g}"
        style = "" if cost.target is None else "green" if cost.median <= cost.target else "red"
        figures = [f"{seconds * 1e3:.2f}" for seconds in (cost.median, min(cost.seconds), max(cost.seconds))]
        table.add_row(cost.name, f"[{style}]{figures[0]}[/]" if style else figures[0], *figures[1:], target)
    return table


def profile(repeat, lines=25):
    """Print where a repeated and a new query spend their time, in Python."""
    with filled() as connection:
        for name, work in (("repeated", repeated_query), ("new", new_query)):
            work(connection, 2)
            profiler = cProfile.Profile()
            profiler.enable()
            work(connection, repeat)
            profiler.disable()
            print(f"---- {repeat} runs of a {name} query")
            pstats.Stats(profiler).sort_stats("tottime").print_stats(lines)


def main(arguments=None):
    """Run the command; the exit status is 0 whatever the figures are."""
    parser = argparse.ArgumentParser(prog="python -m caldera.bench.fixed_costs", description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--profile", action="store_true", help="profile the first two instead")
    options = parser.parse_args(arguments)
    report.warn_if_busy()
    if options.profile:
        profile(4 * options.repeat)
        return 0
    Console(highlight=False, soft_wrap=True).print(shown(measure(options.repeat)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
