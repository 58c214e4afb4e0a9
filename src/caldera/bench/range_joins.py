"""Joins by comparisons beside DuckDB's: as-of, points in intervals, intervals that overlap, windows of time.

    python -m caldera.bench.range_joins --rows 100000

Both engines hold the same random tables of that many rows. The times are the best of three, the answers must be the same.
"""
import argparse
import math
import time

import numpy as np
import pyarrow as pa

import caldera
from caldera.bench.peers import require

DAY_MS, SPREAD, LONGEST, SYMBOLS = 86_400_000, 100, 500, 100      # values spread over SPREAD times as many numbers as rows
ROUNDS = 3
LATEST = "(SELECT price FROM quotes WHERE {} quotes.at <= trades.at ORDER BY quotes.at DESC LIMIT 1)"
QUERIES = {                         # name -> the query, and DuckDB's words for it where it has words of its own
    "as-of, 100 symbols": (
        "SELECT count(*), sum(qty * price) FROM trades "
        f"JOIN LATERAL {LATEST.format('quotes.sym = trades.sym AND')} AS q ON true",
        "SELECT count(*), sum(qty * price) FROM trades "
        "ASOF JOIN quotes ON quotes.sym = trades.sym AND quotes.at <= trades.at"),
    "as-of": (f"SELECT count(*) FROM trades JOIN LATERAL {LATEST.format('')} AS q ON true",
              "SELECT count(*) FROM trades ASOF JOIN quotes ON quotes.at <= trades.at"),
    "point in interval": ("SELECT count(*), sum(points.id) FROM points JOIN spans ON x BETWEEN lo AND hi",),
    "intervals overlap": ("SELECT count(*), sum(a.id) FROM spans a JOIN spans b ON a.lo <= b.hi AND b.lo <= a.hi",),
    "near a value": ("SELECT count(*), sum(points.id) FROM points JOIN spans ON lo > x - 100 AND lo < x + 100",),
    "by symbol, within a second": ("SELECT count(*), sum(qty) FROM trades JOIN quotes ON trades.sym = quotes.sym "
                                   "AND quotes.at BETWEEN trades.at - interval '1 second' AND trades.at",)}


def main(arguments=None):
    """Run and print a line for each query."""
    parser = argparse.ArgumentParser(prog="python -m caldera.bench.range_joins", description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args(arguments)
    require(["duckdb"])
    import duckdb
    mine, peer = caldera.connect(threads=options.threads), duckdb.connect()
    peer.execute(f"SET threads = {options.threads}")
    for name, arrived in tables(options.rows).items():
        mine.sql(f"CREATE TABLE {name} AS SELECT * FROM arrived")               # variables are tables for both
        peer.sql(f"CREATE TABLE {name} AS SELECT * FROM arrived")
        del arrived
    print(f"{'query':<28}{'Caldera ms':>12}{'DuckDB ms':>12}{'ratio':>8}  answer")
    for name, texts in QUERIES.items():
        found, seconds = timed(mine, texts[0])
        expected, peer_seconds = timed(peer, texts[-1])
        verdict = "same" if all(map(close, found, expected)) else "DIFFERENT"
        print(f"{name:<28}{seconds * 1e3:>12.1f}{peer_seconds * 1e3:>12.1f}{seconds / peer_seconds:>8.2f}  {verdict}",
              flush=True)


def tables(rows):
    """{name: an Arrow table of random rows}, the same for the same number of rows."""
    random = np.random.default_rng(rows)

    def moments():
        return np.datetime64("2024-01-01", "us") + (random.permutation(DAY_MS)[:rows] * 1000).astype("m8[us]")
    low, numbers = random.integers(0, SPREAD * rows, rows), np.arange(rows, dtype=np.int32)
    symbols = [random.integers(0, SYMBOLS, rows).astype(np.int32) for _ in range(2)]
    quantities = random.integers(0, 1000, rows).astype(np.int32)
    return {"trades": pa.table({"sym": symbols[0], "at": moments(), "qty": quantities}),
            "quotes": pa.table({"sym": symbols[1], "at": moments(), "price": random.random(rows)}),
            "spans": pa.table({"id": numbers, "lo": low, "hi": low + random.integers(0, LONGEST, rows)}),
            "points": pa.table({"id": numbers, "x": random.integers(0, SPREAD * rows, rows)})}


def timed(engine, text):
    """(the row, the least seconds of ROUNDS runs after a first one)."""
    seconds, row = [], engine.execute(text).fetchone()
    for _ in range(ROUNDS):
        started = time.perf_counter()
        row = engine.execute(text).fetchone()
        seconds.append(time.perf_counter() - started)
    return row, min(seconds)


def close(mine, theirs):
    """Whether two numbers are the same but for the rounding of sums."""
    return math.isclose(float(mine), float(theirs), rel_tol=1e-9)


if __name__ == "__main__":
    main()
