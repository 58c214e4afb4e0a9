"""`python -m caldera.bench.code_waits`: how long the queries of TPC-DS wait for code of the first tier.

    rows at a small scale ─▶ load ─▶ each query once, the code cache being empty at first ─▶ what it waited for code

A query waits while its pipelines are written as text (emit) and while LLVM compiles and links that (compile). Decoders of
stored columns, which a machine compiles once and with all passes, are counted beside that. Times are
processor time of the query's thread, so that other programs disturb them little; a loop in Python that always does the same
is timed beside them, to compare machines. `--alone` empties the cache before each query, so that none gets what another one
has compiled, but for decoders.
"""
import argparse
import contextlib
import dataclasses
import statistics
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from caldera.base.errors import Error
from caldera.bench import report, tpcds
from caldera.bench.suites import select

LOOP_TURNS = 300_000            # of the loop that tells how fast the machine is: 11 ms on a quiet core of 2024


@dataclasses.dataclass
class Wait:
    """What one query waited, in seconds: for texts, for machine code, and for decoders; programs: how many were wanted;
    lines: of all."""
    query: str
    emit_s: float = 0.0
    compile_s: float = 0.0
    decoders_s: float = 0.0
    programs: int = 0
    lines: int = 0

    @property
    def total_s(self):
        return self.emit_s + self.compile_s


@contextlib.contextmanager
def waits_noted(waits):
    """While open, what runs wait for code is added to the last of some Waits."""
    from caldera.execute.run import DECODERS, Run, Staged
    emit, program, decoder = Run.staged, Staged.best_program, DECODERS.address

    def noting_emit(run, pipeline):
        started, before = time.thread_time(), pipeline.staged
        staged = emit(run, pipeline)
        if staged is not before:
            waits[-1].emit_s += time.thread_time() - started
            waits[-1].programs += 1
            waits[-1].lines += staged.line_count
        return staged

    def noting_program(staged):
        started = time.thread_time()
        found = program(staged)
        waits[-1].compile_s += time.thread_time() - started
        return found

    def noting_decoder(encoding):
        started = time.thread_time()
        found = decoder(encoding)
        waits[-1].decoders_s += time.thread_time() - started
        return found
    Run.staged, Staged.best_program, DECODERS.address = noting_emit, noting_program, noting_decoder
    try:
        yield
    finally:
        Run.staged, Staged.best_program = emit, program
        del DECODERS.address


def loaded(scale, threads):
    """A connection with the tables of TPC-DS in memory."""
    import caldera
    connection = caldera.connect()
    connection.sql(f"SET threads = {threads}")
    with tempfile.TemporaryDirectory() as folder:
        for statement in tpcds.create_tables("USING mergetree").split(";\n"):
            if statement.strip():
                connection.sql(statement)
        for name, path in tpcds.generate(folder, scale).items():
            connection.sql(f"COPY {name} FROM '{path}' (FORMAT parquet)")
    return connection


def measure(connection, texts, alone):
    """A Wait for each of {name: text}, with code caches that are empty at first, or each time."""
    from caldera.compile.jit import DiskCache
    from caldera.execute.run import DECODERS, JIT
    waits, kept = [], JIT.disk
    with tempfile.TemporaryDirectory() as folder, waits_noted(waits):
        try:
            for number, (name, text) in enumerate(texts.items()):
                if alone or not number:
                    JIT.disk = DiskCache(Path(folder, str(number)))
                    JIT.objects.clear()
                    decoders = set(DECODERS.addresses.values())
                    JIT.programs = {key: program for key, program in JIT.programs.items() if program.address in decoders}
                waits.append(Wait(name))
                with contextlib.suppress(Error):        # at a small scale one divides by a count of no rows
                    connection.sql(text).fetchall()
        finally:
            JIT.writer.flush()
            JIT.disk = kept
    return waits


def loop_ms():
    """How long a loop of LOOP_TURNS takes here: the least of five."""
    def once():
        started, total = time.thread_time(), 0
        for number in range(LOOP_TURNS):
            total += number * number & 7
        return (time.thread_time() - started) * 1e3
    return min(once() for _ in range(5))


def shown(waits):
    """Medians and maxima as a table."""
    table = Table("of a query", box=None, header_style="bold")
    for name in ("median", "mean", "greatest", "query"):
        table.add_column(name, justify="right")
    figures = {"waiting for code, ms": lambda wait: wait.total_s * 1e3, "... text, ms": lambda wait: wait.emit_s * 1e3,
               "... machine code, ms": lambda wait: wait.compile_s * 1e3,
               "beside that for decoders, ms": lambda wait: wait.decoders_s * 1e3, "programs": lambda wait: wait.programs,
               "lines": lambda wait: wait.lines}
    for name, figure in figures.items():
        values, most = list(map(figure, waits)), max(waits, key=figure)
        shown_values = statistics.median(values), statistics.fmean(values), figure(most)
        table.add_row(name, *(f"{value:.1f}" for value in shown_values), most.query)
    return table


def main(arguments=None):
    """Run the command; the exit status is 0 whatever the figures are."""
    parser = argparse.ArgumentParser(prog="python -m caldera.bench.code_waits", description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=0.01)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--queries", help="which of them, as in 1,14a (default: all)")
    parser.add_argument("--alone", action="store_true", help="with an empty code cache for each query")
    options = parser.parse_args(arguments)
    report.warn_if_busy()
    texts = tpcds.texts()
    chosen = {name: texts[name] for name in select(options.queries, texts)}
    waits = measure(loaded(options.scale, options.threads), chosen, options.alone)
    console = Console(highlight=False, soft_wrap=True)
    console.print(shown(waits))
    console.print(f"a loop of {LOOP_TURNS} turns: {loop_ms():.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
