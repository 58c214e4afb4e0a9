"""Side-by-side benchmarks: Caldera and its peers on one machine, in one run, with equal answers.

    caldera bench clickbench ──▶ clickbench: data ─▶ arena (a process for each of peers) ─▶ compare ─▶ report
    caldera bench tpch|tpcds|ssb ──▶ suites: tpch, tpcds, ssb: rows and queries ─▶ arena ─▶ compare ─▶ report
    caldera bench ladder     ──▶ ladder: one sum, from a call per row and operator to all cores at memory bandwidth
    caldera bench estimates  ──▶ estimates: how wrong the planner's row counts are, on skewed and correlated tables
    caldera bench hits PATH  ──▶ hits: a file of generated web-analytics hits
    fixed_costs, spilling    ──▶ what a query costs before its first row, and what too little memory costs (python -m)
    range_joins              ──▶ joins by comparisons beside DuckDB (python -m)
    code_waits, planning     ──▶ how long queries wait for code, and joins of many tables for a plan (python -m)

The peers are optional: what is not installed is named, with the extra that brings it.
"""
import sys

USAGE = """usage: caldera bench COMMAND [OPTIONS]

commands:
  clickbench   the 43 queries of ClickBench beside DuckDB, ClickHouse, PostgreSQL, DataFusion and Polars
  tpch         the 22 queries of TPC-H beside DuckDB
  tpcds        the 99 queries of TPC-DS beside DuckDB
  ssb          the 13 queries of the Star Schema Benchmark beside DuckDB
  ladder       SELECT sum(x): Volcano, batching, fusion, SIMD, all cores, beside the memory's bandwidth
  estimates    the q-errors of the planner's estimates
  hits         write a file of generated web-analytics hits

Each has --help."""


def main(arguments):
    """Run `caldera bench ...`; returns the exit status. Errors for people go to standard error."""
    from caldera.base.errors import Error
    command, rest = (arguments[0], arguments[1:]) if arguments else ("--help", [])
    try:
        if command == "clickbench":
            from caldera.bench import clickbench
            return clickbench.main(rest)
        if command in ("tpch", "tpcds", "ssb"):
            from caldera.bench import suites
            return suites.main(command, rest)
        if command == "ladder":
            from caldera.bench import ladder
            return ladder.main(rest)
        if command == "estimates":
            from caldera.bench import estimates
            return estimates.main(rest)
        if command == "hits":
            return write_hits(rest)
    except Error as failure:
        print(f"caldera bench: {failure}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("caldera bench: cancelled", file=sys.stderr)
        return 130
    if command in ("-h", "--help", "help"):
        print(USAGE)
        return 0
    print(f'caldera bench: there is no command "{command}"\n\n{USAGE}', file=sys.stderr)
    return 2


def write_hits(arguments):
    """`caldera bench hits PATH [--rows N] [--seed N]`."""
    import argparse

    from caldera.bench import data, hits
    parser = argparse.ArgumentParser(prog="caldera bench hits", description="Write a Parquet file of generated hits.")
    parser.add_argument("path")
    parser.add_argument("--rows", type=int, default=data.DEFAULT_ROWS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with data.progress_bar("Generating hits", options.rows) as advance:
        hits.generate(options.path, options.rows, options.seed, advance)
    return 0
