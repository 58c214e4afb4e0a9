"""`caldera demo [FILE]`: what the engine does, on a million web-analytics hits, in a few screens.

    data (generated, or FILE) ─▶ a sorted column table ─▶ questions ─▶ a function of one's own ─▶ EXPLAIN ─▶ the ladder

Everything that is shown is measured here and now. The database stays, so that one may go on in the shell.
"""
import argparse
import os
import shutil
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.syntax import Syntax
from rich.text import Text

import caldera
from caldera.base.errors import Error
from caldera.bench import data, ladder, report, schema

REPEAT, SHOWN_ROWS = 4, 8
FUNCTION = '''\
@caldera.function("megapixels(int2, int2) -> float8")
def megapixels(width, height):
    return width.cast("float8") * height / 1e6
'''
QUESTIONS = [
    ("How much is there?",
     "SELECT count(*) AS hits, min(EventDate) AS first_day, max(EventDate) AS last_day FROM hits"),
    ("The largest sites, with distinct visitors.",
     """SELECT CounterID, count(*) AS hits, count(DISTINCT UserID) AS visitors
FROM hits GROUP BY CounterID ORDER BY hits DESC LIMIT 5"""),
    ("What people searched for. Text is compared and grouped by its dictionary code.",
     """SELECT SearchPhrase, count(*) AS searches
FROM hits WHERE SearchPhrase <> '' GROUP BY SearchPhrase ORDER BY searches DESC LIMIT 5"""),
    ("Pages whose address mentions Google: a pattern over long texts.",
     "SELECT count(*) AS hits FROM hits WHERE URL LIKE '%google%'"),
    ("One site, three days. The table is sorted by site and day; how much of it was read is shown below.",
     """SELECT EventDate, count(*) AS hits, count(DISTINCT UserID) AS visitors
FROM hits WHERE CounterID = 62 AND EventDate BETWEEN '2013-07-10' AND '2013-07-12'
GROUP BY EventDate ORDER BY EventDate"""),
]
OWN = ("Python above becomes part of the query's machine code, NULLs, overflow checks and all.",
       """SELECT round(avg(megapixels(ResolutionWidth, ResolutionHeight))::numeric, 3) AS megapixels, count(*) AS hits
FROM hits WHERE ResolutionWidth > 0""")
EXPLAINED = 4                       # the question whose plan is shown


def main(arguments):
    """Run the demo; returns the exit status."""
    options = parse(arguments)
    out = Console(file=sys.stdout, highlight=False)
    try:
        tour(options, out)
    except Error as fault:
        print(f"caldera demo: {fault}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ncaldera demo: stopped", file=sys.stderr)
        return 130
    return 0


def parse(arguments):
    """The command's options."""
    parser = argparse.ArgumentParser(prog="caldera demo", description="A tour of the engine on web-analytics data.")
    parser.add_argument("file", nargs="?", help="a Parquet file of hits, such as ClickBench's; generated if none is given")
    parser.add_argument("--rows", type=int, help="how many rows to generate, or to take from the file (default: 1,000,000)")
    parser.add_argument("--database", default=None, help="directory of the database (default: in the user's cache)")
    parser.add_argument("--no-ladder", action="store_true", help="leave out the ladder at the end")
    options = parser.parse_args(arguments)
    if options.rows is not None and options.rows < 1000:
        parser.error("--rows must be at least 1000")
    return options


def tour(options, out):
    """All stations."""
    started = time.perf_counter()
    machine = report.machine()
    claim = "SQL becomes generators, the generators one loop, the loop machine code."
    where = f"{machine['cpu']}, {report.cores()} cores; Python {machine['python']}"
    out.print(Panel(Text.assemble(("Caldera", "bold"), f" {caldera.__version__}: {claim}\n{where}"), expand=False))
    report.warn_if_busy()
    path = Path(options.database) if options.database else data.cache().parent / "demo"
    file = data.prepare(options.file, options.rows)
    with caldera.connect(path) as connection:
        load(connection, file, out)
        for number, (remark, query) in enumerate(QUESTIONS, 1):
            ask(connection, f"{number}. {remark}", query, out)
        out.rule("[bold]A function of one's own")
        show(FUNCTION, out, "python")
        exec(FUNCTION, {"caldera": caldera})
        ask(connection, OWN[0], OWN[1], out)
        explain(connection, QUESTIONS[EXPLAINED][1], out)
    if not options.no_ladder:
        climb(out)
    farewell(path, file, time.perf_counter() - started, out)


# ------------------------------------------------------------------------------------------------ stations

def show(text, out, language="sql"):
    """Print code in colour."""
    out.print(Syntax(text, language, background_color="default", word_wrap=True))


def load(connection, file, out):
    """Make the table and fill it."""
    out.rule("[bold]Loading")
    create = schema.create_table("caldera")
    first, *_, last = create.splitlines()
    show(f"{first} ... {len(schema.COLUMNS)} columns ... {last}", out)
    copy = f"COPY hits FROM '{file}' (FORMAT parquet)"
    show(copy, out)
    connection.sql("DROP TABLE IF EXISTS hits")
    connection.notices()
    connection.sql(create)
    started = time.perf_counter()
    with LoadingBar(connection.session):
        rows = connection.execute(copy).rowcount
    seconds = time.perf_counter() - started
    stored = sum(entry.stat().st_size for entry in Path(connection.key).rglob("*") if entry.is_file())
    out.print(f"{rows:,} rows in {seconds:.1f} s, {rows / seconds:,.0f} a second. The Parquet file has "
              f"{os.path.getsize(file) / 1e6:,.0f} MB, the database {stored / 1e6:,.0f} MB.\n")


class LoadingBar:
    """Shows how a COPY goes on: the engine tells how many rows it has read; what it does before and after has no measure."""

    def __init__(self, session):
        self.session = session
        columns = TextColumn("{task.description:<32}"), BarColumn(40), TimeElapsedColumn()
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True)

    def __enter__(self):
        self.bar.start()
        self.task = self.bar.add_task("Opening the file", total=None)
        self.session.watch = self.look

    def __exit__(self, *_):
        self.session.watch = None
        self.bar.stop()

    def look(self, label, share, seconds):
        """What the engine calls while a pipeline runs."""
        if label == "load" and share < 1:
            self.bar.update(self.task, description="Reading", total=1.0, completed=share)
        elif label == "load":
            self.bar.update(self.task, description="Sorting, encoding, writing", total=None)


def ask(connection, remark, query, out):
    """Run a query, show its answer, and say what the first run and the best of the later ones took."""
    out.print(Text(remark, style="bold"))
    show(query, out)
    times = []
    for _ in range(REPEAT):
        started = time.perf_counter()
        relation = connection.sql(query)
        times.append(time.perf_counter() - started)
    width = min(out.width, 100)
    print(relation.drawn(SHOWN_ROWS, width), file=out.file)
    out.print(f"[green]first run {in_ms(times[0])}, with compiling; again {in_ms(min(times[1:]))}[/]\n")


def explain(connection, query, out):
    """One plan, with what really happened."""
    out.rule("[bold]How it ran")
    show(f"EXPLAIN (ANALYZE)\n{query}", out)
    for line, in connection.sql(f"EXPLAIN (ANALYZE) {query}").fetchall():
        out.print(Text("  " + line), soft_wrap=True)
    out.print()


def climb(out):
    """The rungs of the ladder that need no other engine."""
    out.rule("[bold]Where the speed comes from")
    rows = ladder.default_rows()
    out.print(f"SELECT sum(x) over {rows:,} rows of float8 in memory, by this engine's own means: from a call for every row "
              "and operator (Volcano, as classic databases have it) to one loop in vector registers on all cores.")
    with Console(stderr=True).status("Measuring"):
        measured = ladder.own_rungs(ladder.make_column(rows), report.cores(), repeat=3)
    out.print(ladder.chart(measured, out.width))
    out.print()


def farewell(path, file, seconds, out):
    """What to try next."""
    out.rule("[bold]Now you")
    shown = os.path.relpath(path) if len(os.path.relpath(path)) < len(str(path)) else str(path)
    command = "caldera" if shutil.which("caldera") else f"{os.path.relpath(sys.argv[0])}"
    lines = [(f"{command} {shown}", "the shell, on this database: \\d, \\timing, EXPLAIN (CODE) SELECT ..."),
             (f"{command} -c \"SELECT count(*) FROM '{file}'\"", "files are tables, too"),
             (f"{command} bench ladder", "the ladder beside DuckDB and PostgreSQL (`make bench` installs them first)"),
             (f"{command} bench clickbench", "43 queries beside other engines"),
             ("README.md, docs/", "the embedded API, the life of a query, adding a function")]
    for text, meaning in lines:
        out.print(Text.assemble((text, "bold cyan"), "\n    ", meaning), soft_wrap=True)
    out.print(f"\nThe tour took {seconds:.0f} s. Database and data stay in {path} and {file}; remove them when you like.",
              soft_wrap=True)


def in_ms(seconds):
    """A time in milliseconds, with as many digits as mean something."""
    ms = seconds * 1e3
    return f"{ms:.2f} ms" if ms < 10 else f"{ms:.1f} ms" if ms < 100 else f"{ms:,.0f} ms"
