"""`caldera bench clickbench`: the 43 queries of ClickBench, side by side in one run, with equal answers.

    prepare data ─▶ load every engine ─▶ for each query: cold ─▶ compare answers ─▶ hot x 3, engines in turn ─▶ report

All engines run on the same machine in the same run with the same number of threads, one at a time. *Cold* is the first
run after the engine's and the operating system's caches for its files were emptied; *hot* is the best of the runs that
follow, which take turns between the engines, so that a disturbance of the machine meets all of them. A time counts only
if the answer is the reference's (DuckDB's or PostgreSQL's where they take part, see caldera.bench.compare).
"""
import argparse
import contextlib
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from caldera.base.errors import error
from caldera.bench import compare, data, peers, queries, report
from caldera.bench.arena import Contestant, Failure

REFEREES = ("duckdb", "postgresql")         # engines that can be asked which rows occur in a result, in order of speed
TIE_CHECK_TIMEOUT_S = 300


@dataclass
class Timing:
    """One engine's times of one query in seconds; `problem` says why they do not count."""
    cold: float | None = None
    hot: list = field(default_factory=list)
    problem: str | None = None


@dataclass
class Outcome:
    """One query: number, text and {engine's name: Timing}."""
    number: int
    text: str
    timings: dict


def main(arguments):
    """Run the command; the exit status is 0 if every engine gave every answer, 1 if not."""
    options = parse(arguments)
    report.warn_if_busy()
    names = options.vs if options.peers_only else ["caldera", *options.vs]
    peers.require(names)
    texts = queries.texts()
    numbers = queries.select(options.queries, texts)
    parquet = data.prepare(options.data, options.rows, options.seed)
    rows = data.count(parquet)
    with contextlib.ExitStack() as stack:
        if options.databases:
            directory = Path(options.databases)
            directory.mkdir(parents=True, exist_ok=True)
        else:
            directory = Path(tempfile.mkdtemp(prefix="caldera-bench-"))
            directory.chmod(0o755)                                  # PostgreSQL's user must get in
            stack.callback(shutil.rmtree, directory, ignore_errors=True)
        contestants = []
        for name in names:
            contestant = Contestant(name, directory / name, options.threads)
            stack.callback(contestant.close)
            failure = contestant.ready(parquet)
            if failure:
                raise error("58000", f"{contestant.title}: {failure.message}")
            report.loaded(contestant)
            contestants.append(contestant)
        outcomes = []
        report.header(contestants)
        for number in numbers:
            outcomes.append(measure(contestants, number, texts[number], options.repeat, options.timeout))
            report.line(contestants, outcomes[-1])
        result = report.summarise(contestants, outcomes, rows=rows, threads=options.threads, data=str(parquet))
        report.totals(result)
        if options.json:
            report.write_json(result, options.json)
        if options.html:
            report.write_html(result, options.html)
    return int(any(timing.problem for outcome in outcomes for timing in outcome.timings.values()))


def parse(arguments):
    """The command's options; what is wrong with them ends the program with status 2, as argparse does."""
    parser = argparse.ArgumentParser(prog="caldera bench clickbench", description="ClickBench's 43 queries, side by side.")
    parser.add_argument("--rows", type=int, help="rows to generate (default 1000000), or to take of --data")
    parser.add_argument("--data", help="a Parquet file of hits instead of generated ones: ours or the published one")
    parser.add_argument("--seed", type=int, default=1, help="of the generated data")
    parser.add_argument("--vs", default="duckdb,clickhouse", help=f"of: {', '.join([*peers.ENGINES][1:])}")
    parser.add_argument("--threads", type=int, default=report.cores(), help="for every engine (default: all cores)")
    parser.add_argument("--queries", help="which of them, as in 1,5-7 (default: all)")
    parser.add_argument("--repeat", type=int, default=3, help="hot runs of each query; the best counts")
    parser.add_argument("--timeout", type=float, default=300, help="seconds after which a query is given up")
    parser.add_argument("--databases", help="directory in which to keep the loaded databases for the next run")
    parser.add_argument("--peers-only", action="store_true", help="leave Caldera out")
    parser.add_argument("--json", help="file to write all figures to")
    parser.add_argument("--html", help="file to write a page with charts to")
    options = parser.parse_args(arguments)
    options.vs = report.chosen_engines(parser, options.vs, peers.ENGINES)
    if options.threads < 1 or options.repeat < 1 or (options.rows is not None and options.rows < 1):
        parser.error("--threads, --repeat and --rows must be at least 1")
    return options


def measure(contestants, number, text, repeat, timeout, parse_shape=queries.Shape.parse):
    """Cold, compared and hot: one query on all engines. parse_shape: what comparing must know of a text."""
    outcome = Outcome(number, text, {contestant.name: Timing() for contestant in contestants})
    answers = {}
    for contestant in contestants:
        timing = outcome.timings[contestant.name]
        contestant.cool()
        run = contestant.run(text, timeout)
        if isinstance(run, Failure):
            timing.problem = run.message
        else:
            timing.cold, answers[contestant.name] = run.seconds, run.rows
    for name, problem in differences(contestants, text, answers, timeout, parse_shape).items():
        outcome.timings[name].problem = problem
    for _ in range(repeat):
        for contestant in contestants:
            timing = outcome.timings[contestant.name]
            if contestant.name in answers and (timing.problem is None or timing.hot == []):
                run = contestant.run(text, timeout)
                if isinstance(run, Failure):
                    timing.problem = timing.problem or run.message
                else:
                    timing.hot.append(run.seconds)
    return outcome


def differences(contestants, text, answers, timeout, parse_shape=queries.Shape.parse):
    """{engine: what is wrong with its answer} for those that do not agree with the reference."""
    present = {contestant.name: contestant for contestant in contestants if contestant.name in answers}
    if len(present) < 2:
        return {}
    shape = parse_shape(text)
    if shape.hidden:                                                # rows alone do not show whether their order is right
        answers = {name: contestant.run(shape.keyed(text), timeout) for name, contestant in present.items()}
        failed = {name: answer.message for name, answer in answers.items() if isinstance(answer, Failure)}
        if failed:
            return failed
        answers = {name: run.rows for name, run in answers.items()}
    rows = {name: compare.plain(answer) for name, answer in answers.items()}
    reference = next((name for name in REFEREES if name in present), next(iter(present)))
    wrong = {name: compare.compare(shape, rows[name], rows[reference]) for name in present if name != reference}
    wrong = {name: f"not {present[reference].title}'s answer: {sentence}" for name, sentence in wrong.items() if sentence}
    agreed = {name: answer for name, answer in rows.items() if name not in wrong}
    return wrong | ties(shape, agreed, present[reference], reference)


def ties(shape, rows, referee, reference):
    """{engine: what is wrong} with rows that a LIMIT chose among ties: each must occur in the result without it."""
    doubtful = {name: compare.doubtful(shape, answer) for name, answer in rows.items()}
    chosen = [row for answer in doubtful.values() for row in answer]
    if not chosen or reference not in REFEREES or referee.pipe is None:
        return {}
    found = referee.run(compare.membership(shape, chosen), TIE_CHECK_TIMEOUT_S)
    if isinstance(found, Failure):
        return {}
    found = compare.plain(found.rows)
    lost = {name: compare.missing(answer, found) for name, answer in doubtful.items()}
    return {name: f"a row that does not occur: {row}" for name, row in lost.items() if row is not None}


