"""`caldera bench tpch`, `tpcds` and `ssb`: benchmarks of joins, side by side in one run, with equal answers.

    generate rows ─▶ load every engine ─▶ for each query: cold ─▶ compare answers ─▶ hot x 3, engines in turn ─▶ report

As in caldera.bench.clickbench, whose measuring this uses: the same machine, the same number of threads, one engine at a
time, and a time counts only with the reference's answer.
"""
import argparse
import contextlib
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from caldera.base.errors import error
from caldera.bench import clickbench, peers, report, ssb, tpcds, tpch
from caldera.bench.arena import Contestant


@dataclass(frozen=True)
class Suite:
    """A benchmark: its name for people, the module with its tables, rows and queries, and its usual scale."""
    title: str
    module: object
    scale: float


SUITES = {"tpch": Suite("TPC-H", tpch, 1), "tpcds": Suite("TPC-DS", tpcds, 1),
          "ssb": Suite("Star Schema Benchmark", ssb, 0.1)}


class CalderaTables(peers.Caldera):
    """This database: a column table for each file of a folder."""

    def load(self, folder):
        self.open()
        self.cursor.execute(statements(folder, "USING mergetree"))
        for path in files(folder):
            self.cursor.execute(f"COPY {path.stem} FROM '{path}' (FORMAT parquet)")


class DuckDBTables(peers.DuckDB):
    """DuckDB: a table for each file, in a database file. NULLs are sorted, and integers divided, as PostgreSQL does."""

    def load(self, folder):
        self.open()
        self.connection.execute(statements(folder, ""))
        for path in files(folder):
            self.connection.execute(f"INSERT INTO {path.stem} SELECT * FROM read_parquet('{path}')")
        self.connection.execute("CHECKPOINT")

    def open(self):
        super().open()
        self.connection.execute("SET default_null_order = 'nulls_last_on_asc_first_on_desc'; SET integer_division = true")


ENGINES = {"caldera": CalderaTables, "duckdb": DuckDBTables}


def files(folder):
    """The Parquet files of the tables."""
    return sorted(Path(folder).glob("*.parquet"))


def statements(folder, engine):
    """What makes the tables of the suite with whose name the folder's begins; engine: see `create_tables` there. char(n)
    becomes varchar(n) for all: in DuckDB it has no padding, so answers would differ."""
    name = Path(folder).name.split("-")[0]
    return re.sub(r"\bchar\(", "varchar(", SUITES[name].module.create_tables(engine), flags=re.IGNORECASE)


@dataclass(frozen=True)
class WholeAnswer:
    """What comparing must know of a query that is not taken to pieces: whether its rows were cut. See queries.Shape."""
    text: str
    limit: int | None
    order, offset, hidden = (), 0, ()

    @classmethod
    def parse(cls, text):
        cut = re.search(r"\blimit\s+(\d+)\s*$", text, re.IGNORECASE)
        return cls(text[:cut.start()] if cut else text, int(cut[1]) if cut else None)

    def unlimited(self):
        """The query without its LIMIT."""
        return self.text


def main(name, arguments):
    """Run the command; the exit status is 0 if every engine gave every answer, 1 if not."""
    suite, options = SUITES[name], parse(name, arguments)
    report.warn_if_busy()
    names = ["caldera", *options.vs]
    peers.require(names)
    texts = {str(number): text for number, text in suite.module.texts().items()}
    chosen = select(options.queries, texts)
    with contextlib.ExitStack() as stack:
        directory = working_directory(stack, options.databases)
        rows = directory / f"{name}-{options.scale:g}"
        rows.mkdir(exist_ok=True)
        suite.module.generate(rows, options.scale)
        contestants = [started(stack, engine, directory, options.threads, rows) for engine in names]
        report.header(contestants)
        outcomes = []
        for number in chosen:
            outcomes.append(clickbench.measure(contestants, number, texts[number], options.repeat, options.timeout,
                                               WholeAnswer.parse))
            report.line(contestants, outcomes[-1])
        result = report.summarise(contestants, outcomes, benchmark=suite.title, scale=options.scale, threads=options.threads)
        report.totals(result)
        if options.json:
            report.write_json(result, options.json)
    return int(any(timing.problem for outcome in outcomes for timing in outcome.timings.values()))


def working_directory(stack, kept):
    """Where rows and databases go: a directory to keep, or one that goes with the stack."""
    if kept:
        Path(kept).mkdir(parents=True, exist_ok=True)
        return Path(kept).absolute()
    directory = Path(tempfile.mkdtemp(prefix="caldera-bench-"))
    stack.callback(shutil.rmtree, directory, ignore_errors=True)
    return directory


def started(stack, engine, directory, threads, rows):
    """An engine with the rows loaded, which ends with the stack. Raises 58000 if it cannot load them."""
    contestant = Contestant(engine, directory / f"{rows.name}-{engine}", threads, ENGINES[engine])
    stack.callback(contestant.close)
    failure = contestant.ready(rows)
    if failure:
        raise error("58000", f"{contestant.title}: {failure.message}")
    report.loaded(contestant)
    return contestant


def select(specification, known):
    """The queries that "1,14a" names, in the order of `known`; None means all. Raises 22023 for an unknown one."""
    if not specification:
        return list(known)
    wanted = {word.strip() for word in specification.split(",")}
    unknown = sorted(wanted - known.keys())
    if unknown:
        raise error("22023", f"there is no query {', '.join(unknown)}", hint=f"There are {', '.join(known)}.")
    return [name for name in known if name in wanted]


def parse(name, arguments):
    """The command's options; what is wrong with them ends the program with status 2, as argparse does."""
    suite = SUITES[name]
    parser = argparse.ArgumentParser(prog=f"caldera bench {name}", description=f"{suite.title}, side by side.")
    parser.add_argument("--scale", type=float, default=suite.scale, help=f"how many rows (default: {suite.scale:g})")
    parser.add_argument("--vs", default="duckdb", help=f"of: {', '.join([*ENGINES][1:])}; may be empty")
    parser.add_argument("--threads", type=int, default=report.cores(), help="for every engine (default: all cores)")
    parser.add_argument("--queries", help="which of them, as in 1,5 (default: all)")
    parser.add_argument("--repeat", type=int, default=3, help="hot runs of each query; the best counts")
    parser.add_argument("--timeout", type=float, default=300, help="seconds after which a query is given up")
    parser.add_argument("--databases", help="directory in which to keep rows and loaded databases for the next run")
    parser.add_argument("--json", help="file to write all figures to")
    options = parser.parse_args(arguments)
    options.vs = report.chosen_engines(parser, options.vs, ENGINES)
    if options.threads < 1 or options.repeat < 1 or options.scale <= 0:
        parser.error("--threads and --repeat must be at least 1, --scale must be positive")
    return options
