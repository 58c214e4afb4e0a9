"""Where Caldera stands on the query corpus: `python -m tests.report [part of a query's id] [options]`.

    --configurations fast,o3     only these (default: fast); `all` for all over rows in the delta, `parts` for those in parts
    --verbose                    what differs, for each query that is not equal
    --write-gaps                 write the queries that are not equal to tests/known_gaps.txt
    --expected                   PostgreSQL's answers only
"""
import argparse
import collections
import sys

from tests.differential import BY_NAME, CONFIGURATIONS, IN_PARTS
from tests.judge import Judge
from tests.oracle import Oracle
from tests.queries import GAPS, corpus, known_gaps

GAPS_HEADER = "# Queries of the corpus whose answer is not right yet, and why. What becomes right must leave the list.\n"


def main():
    """Run the report; exit status 1 if a query outside the known gaps is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.report", description=__doc__.splitlines()[0])
    parser.add_argument("pattern", nargs="?", default="")
    parser.add_argument("--configurations", default="fast")
    parser.add_argument("--verbose", "-v", action="store_true")
    parser.add_argument("--write-gaps", action="store_true")
    parser.add_argument("--expected", action="store_true")
    options = parser.parse_args()
    chosen = {"all": CONFIGURATIONS, "parts": IN_PARTS}.get(options.configurations) or \
        [BY_NAME[name] for name in options.configurations.split(",")]
    oracle = Oracle.start()
    files = corpus()
    judge = Judge(oracle, files, chosen)
    try:
        queries = [query for file in files.values() for query in file.queries if options.pattern in query.id]
        if options.expected:
            return show_expected(judge, queries)
        return compare(judge, queries, options)
    finally:
        judge.close()
        oracle.stop()


def show_expected(judge, queries):
    """Print what PostgreSQL answers."""
    for query in queries:
        print(f"--- {query.id}\n{query.sql}\n{judge.expected(query).answer}\n")
    return 0


def compare(judge, queries, options):
    """Print a line for each query that is not equal, then counts by file; write the gaps if asked."""
    gaps, known, counts = {}, known_gaps(), collections.defaultdict(collections.Counter)
    for query in queries:
        problems = judge.problems(query)
        first = next(iter(problems.values()), "")
        verdict = "equal" if not problems else "error" if first.startswith(("ERROR", "set-up failed")) else "different"
        counts[query.file][verdict] += 1
        if problems:
            gaps[query.id] = " ".join(first.split())[:110]
            print(f"{verdict:9} {query.id}  [{' '.join(problems)}]  {'' if options.verbose else gaps[query.id]}")
            if options.verbose:
                print("  " + query.sql.replace("\n", "\n  ") + "".join(f"\n    {name}: {p}" for name, p in problems.items()))
    print(f"\n{'file':24}{'equal':>9}{'different':>11}{'error':>9}")
    for name, counter in [*counts.items(), ("all", sum(counts.values(), collections.Counter()))]:
        print(f"{name:24}{counter['equal']:9}{counter['different']:11}{counter['error']:9}")
    if options.write_gaps:
        kept = {id: why for id, why in known.items() if options.pattern not in id}
        lines = [f"{id}  {why}" for id, why in sorted((kept | gaps).items())]
        GAPS.write_text(GAPS_HEADER + "".join(line + "\n" for line in lines), encoding="utf-8")
    return int(bool(gaps.keys() - known.keys()))


if __name__ == "__main__":
    sys.exit(main())
