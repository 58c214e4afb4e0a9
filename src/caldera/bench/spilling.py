"""What too little memory costs: TPC-H's queries with all the memory that they want, and with a tenth of it.

    python -m caldera.bench.spilling --scale 1 --folder DIRECTORY

Each query runs hot, then again with `memory_limit` at a tenth of the most that it held (at least --least MB). The answers
must be the same; the times are the best of three.
"""
import argparse
import json
import pathlib
import statistics
import time

import caldera
from caldera.base.errors import Error
from caldera.bench import tpch

LEAST_MB = 8                    # that any query is given
SHARE = 10
ROUNDS = 3


def main(arguments=None):
    """Run and print a line for each query."""
    parser = argparse.ArgumentParser(prog="python -m caldera.bench.spilling", description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=0.1)
    parser.add_argument("--folder", default="tpch-spilling")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--queries", default="")
    parser.add_argument("--least", type=float, default=LEAST_MB)
    options = parser.parse_args(arguments)
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [int(number) for number in options.queries.split(",") if number]
    print(f"{'query':>5}{'wants MB':>10}{'has MB':>9}{'s':>9}{'s':>9}{'times':>8}{'written MB':>12}  answer")
    with opened(folder, options) as connection:
        ratios = [compared(connection, number, text, options.least) for number, text in sorted(tpch.texts().items())
                  if not chosen or number in chosen]
    ended = [ratio for ratio in ratios if ratio is not None]
    print(f"median {statistics.median(ended):.2f}, largest {max(ended):.2f} times; "
          f"{len(ratios) - len(ended)} did not end well")


def opened(folder, options):
    """A connection to the database of the rows, made if it is not there."""
    path = folder / f"database-{options.scale:g}"
    is_new = not path.exists()
    connection = caldera.connect(path, threads=options.threads)
    if is_new:
        connection.sql(tpch.create_tables())
        rows = folder / f"rows-{options.scale:g}"
        rows.mkdir(exist_ok=True)
        for name, file in tpch.generate(rows, options.scale).items():
            connection.sql(f"COPY {name} FROM '{file}' (FORMAT parquet)")
    return connection


def compared(connection, number, text, least_mb):
    """Print the line of one query; how many times longer it took with little memory, None if that was an error."""
    budget = connection.database.budget
    connection.sql("RESET memory_limit")
    connection.sql(text).fetchall()
    budget.peak = 0
    expected, seconds = timed(connection, text)
    wants = budget.peak
    limit = max(int(least_mb * 1e6), wants // SHARE)
    connection.sql(f"SET memory_limit = '{limit >> 10}kB'")
    try:
        found, with_little = timed(connection, text)
        verdict = "same" if sorted(map(repr, found)) == sorted(map(repr, expected)) else "DIFFERENT"
        written = written_bytes(connection, text)
    except Error as problem:
        verdict, with_little, written = f"{problem.sqlstate} {problem.message}", float("nan"), 0
    ratio = with_little / seconds
    print(f"{number:>5}{wants / 1e6:>10.1f}{limit / 1e6:>9.1f}{seconds:>9.3f}{with_little:>9.3f}{ratio:>8.2f}"
          f"{written / 1e6:>12.1f}  {verdict}", flush=True)
    return None if verdict[:1].isdigit() else ratio


def timed(connection, text):
    """(rows, the least seconds of ROUNDS runs)."""
    seconds, rows = [], None
    for _ in range(ROUNDS):
        started = time.perf_counter()
        rows = connection.sql(text).fetchall()
        seconds.append(time.perf_counter() - started)
    return rows, min(seconds)


def written_bytes(connection, text):
    """What the query writes to disk, as EXPLAIN ANALYZE counts it."""
    plan = connection.sql("EXPLAIN (ANALYZE, FORMAT JSON) " + text).fetchone()[0]
    entries = json.loads(plan) if isinstance(plan, str) else plan
    return sum(pipeline.get("Spilled Bytes", 0) for pipeline in entries[0].get("Pipelines", []))


if __name__ == "__main__":
    main()
