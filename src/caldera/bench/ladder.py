"""`caldera bench ladder`: SELECT sum(x) over float8, rung by rung, beside peers and the memory's bandwidth.

    rungs.own_rungs ─▶ engine_rungs ─▶ peer_rungs (DuckDB, PostgreSQL) ─▶ a table with bars

The rungs show what each device of a query engine is worth; the probe shows what is left to gain. PostgreSQL is measured
on fewer rows, since its table is eight times larger; all figures are per row.
"""
import argparse
import contextlib
import dataclasses
import json
import math
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from caldera.base.errors import Error, error
from caldera.bench import postgres, report, rungs
from caldera.bench.peers import require
from caldera.bench.rungs import Rung, default_rows, make_column, own_rungs

__all__ = ["Rung", "chart", "default_rows", "main", "make_column", "own_rungs"]

QUERY = "SELECT sum(x) FROM ladder"
POSTGRESQL_ROWS = 4_000_000
NAMES = {"volcano": "Volcano", "batching": "+ batching", "fusion": "+ fusion", "simd": "+ SIMD", "all cores": "+ all cores"}
NOTES = {"volcano": "a call per row and operator", "batching": "a call per 1,024 rows and operator",
         "fusion": "one loop", "simd": "the same loop in vector registers", "all cores": "workers claim morsels"}


def main(arguments):
    """Run the command; the exit status is 0. Peers that are not installed are named and left out."""
    options = parse(arguments)
    report.warn_if_busy()
    column = make_column(options.rows or default_rows())
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"SELECT sum(x): {len(column):,} rows of float8, {column.nbytes / 2 ** 20:,.0f} MB; "
                  f"last-level cache {rungs.last_level_cache() / 2 ** 20:,.0f} MB; {report.machine()['cpu']}")
    if len(column) < 4 * rungs.last_level_cache() // 8:
        console.print("So few may stay in the cache, whose bandwidth takes the place of the memory's below.")
    measured = own_rungs(column, options.threads, options.repeat)
    sources = {"caldera": engine_rungs} | {name: PEERS[name] for name in options.vs}
    for source in sources.values():
        try:
            measured += source(column, options.threads, options.repeat)
        except Error as failure:
            print(f"caldera bench: {failure}", file=sys.stderr)
    console.print(chart(measured, console.width))
    if options.json:
        figures = [dataclasses.asdict(rung) | {"ns_per_row": rung.nanoseconds, "gb_per_s": rung.gigabytes_per_second}
                   for rung in measured]
        facts = {"benchmark": "ladder", "threads": options.threads, "machine": report.machine(), "rungs": figures}
        Path(options.json).write_text(json.dumps(facts, indent=1) + "\n")
    return 0


def parse(arguments):
    """The command's options; what is wrong with them ends the program with status 2, as argparse does."""
    parser = argparse.ArgumentParser(prog="caldera bench ladder", description="One sum, from Volcano to all cores.")
    parser.add_argument("--rows", type=int, help="default: four times the last-level cache, at least 256 MB")
    parser.add_argument("--threads", type=int, default=report.cores(), help="of the last rung and the peers")
    parser.add_argument("--repeat", type=int, default=7, help="runs of each; the best counts")
    parser.add_argument("--vs", default="duckdb,postgresql", help="peers, of: " + ", ".join(PEERS))
    parser.add_argument("--json", help="file to write all figures to")
    options = parser.parse_args(arguments)
    options.vs = report.chosen_engines(parser, options.vs, PEERS)
    if options.threads < 1 or options.repeat < 1 or (options.rows is not None and options.rows < 1024):
        parser.error("--threads and --repeat must be at least 1, --rows at least 1024")
    return options


def chart(measured, width=80):
    """Rungs as a rich table whose last column is a bar of gigabytes per second; `width` of the terminal in characters."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading, least in (("", 16), ("cores", 5), ("ns/row", 6), ("GB/s", 5), ("x Volcano", 9), ("of memory", 9), ("", 8)):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True, min_width=least)
    longest = max(8, min(40, width - 64))
    slowest = next((rung.nanoseconds for rung in measured if rung.name == "volcano"), None)
    most = max(rung.gigabytes_per_second for rung in measured)
    bandwidth = {rung.cores: rung.gigabytes_per_second for rung in measured if rung.name == "read bandwidth"}
    for rung in measured:
        speed = rung.gigabytes_per_second
        style = "green" if rung.name in NAMES else "dim" if rung.name == "read bandwidth" else "cyan"
        note = f"  [dim]{NOTES.get(rung.name, rung.note)}[/]"
        table.add_row(NAMES.get(rung.name, rung.name), str(rung.cores), f"{rung.nanoseconds:.3f}", f"{speed:.2f}",
                      f"{slowest / rung.nanoseconds:.1f}" if slowest else "",
                      f"{speed / bandwidth[rung.cores]:.0%}" if rung.cores in bandwidth else "",
                      f"[{style}]{bar(speed / most * longest)}[/]{note if width >= 110 else ''}")
    return table


def bar(length):
    """A bar so many characters long, in eighths of one."""
    eighths = max(1, round(length * 8))
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


def best_of(repeat, query, expected):
    """The best time of a function that gives the sum. Raises XX000 if the sum is wrong."""
    best = math.inf
    for _ in range(repeat):
        started = time.perf_counter()
        total = query()
        best = min(best, time.perf_counter() - started)
        if not math.isclose(total, expected, rel_tol=1e-9):
            raise error("XX000", f"the sum is {total!r} instead of {expected!r}")
    return best


def engine_rungs(column, cores, repeat):
    """The whole engine, from SQL text to the row: a column table with one core and with all."""
    import caldera
    import pyarrow as pa
    import pyarrow.parquet as pq
    with tempfile.TemporaryDirectory(prefix="caldera-bench-") as directory:
        file = os.path.join(directory, "ladder.parquet")
        pq.write_table(pa.table({"x": column}), file, compression="none", use_dictionary=False)
        with contextlib.closing(caldera.connect(os.path.join(directory, "database"))) as connection:
            cursor = connection.cursor()
            cursor.execute("CREATE TABLE ladder (x float8 NOT NULL) USING mergetree")
            cursor.execute(f"COPY ladder FROM '{file}' (FORMAT parquet)")
            measured = []
            for threads in sorted({1, cores}):
                cursor.execute(f"SET threads = {threads}")
                seconds = best_of(repeat + 3, lambda: (cursor.execute(QUERY), cursor.fetchone()[0])[1], column.sum())
                measured.append(Rung("Caldera, SQL", threads, len(column), seconds))
    return measured


def duckdb_rungs(column, cores, repeat):
    """DuckDB on a table in memory."""
    import pyarrow as pa
    require(["duckdb"])
    import duckdb
    measured = []
    with contextlib.closing(duckdb.connect()) as connection:
        connection.execute("SET enable_progress_bar = false")
        connection.register("source", pa.table({"x": column}))
        connection.execute("CREATE TABLE ladder AS SELECT x FROM source")
        for threads in sorted({1, cores}):
            connection.execute(f"SET threads = {threads}")
            seconds = best_of(repeat, lambda: connection.execute(QUERY).fetchone()[0], column.sum())
            measured.append(Rung(f"DuckDB {duckdb.__version__}", threads, len(column), seconds))
    return measured


def postgresql_rungs(column, cores, repeat):
    """PostgreSQL 18, one process and with parallel workers, on the first rows; its table is in the buffer pool."""
    require(["postgresql"])
    column, measured = column[:POSTGRESQL_ROWS], []
    with tempfile.TemporaryDirectory(prefix="caldera-bench-", ignore_cleanup_errors=True) as directory:
        os.chmod(directory, 0o755)
        settings = {"shared_buffers": "512MB", "max_wal_size": "4GB", "fsync": "off", "autovacuum": "off",
                    "max_worker_processes": cores + 4, "max_parallel_workers": cores,
                    "min_parallel_table_scan_size": "1MB", "parallel_setup_cost": 0, "parallel_tuple_cost": 0}
        with contextlib.closing(postgres.Server(os.path.join(directory, "postgresql"), settings)) as server, \
                server.connect() as connection:
            version = connection.execute("SHOW server_version").fetchone()[0]
            connection.execute("CREATE TABLE ladder (x float8 NOT NULL)")
            with connection.cursor().copy("COPY ladder FROM STDIN (FORMAT binary)") as copy:
                copy.write(binary_copy(column))
            connection.execute("VACUUM ANALYZE ladder")
            for threads in sorted({1, cores}):
                connection.execute(f"SET max_parallel_workers_per_gather = {threads - 1}")
                seconds = best_of(repeat, lambda: connection.execute(QUERY).fetchone()[0], column.sum())
                measured.append(Rung(f"PostgreSQL {version}", threads, len(column), seconds))
    return measured


def binary_copy(column):
    """A float8 column in PostgreSQL's binary COPY format."""
    rows = np.empty(len(column), np.dtype([("fields", ">i2"), ("length", ">i4"), ("x", ">f8")]))
    rows["fields"], rows["length"], rows["x"] = 1, 8, column
    return b"PGCOPY\n\xff\r\n\0" + bytes(8) + rows.tobytes() + b"\xff\xff"


PEERS = {"duckdb": duckdb_rungs, "postgresql": postgresql_rungs}
