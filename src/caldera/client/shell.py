"""The shell: `caldera [PATH]` for people at a terminal, and for scripts.

    main ─▶ options ─▶ Shell ─ lines ─▶ script.Reader ─▶ Items ─▶ run_statement ─▶ query ─▶ printing
                                                           └────▶ commands (\\d, \\timing, ...)
    a terminal: editor.prompts()        -c, -f, standard input: the text's own lines

Exit status: 0 all was well; 1 wrong use of the command line; 2 the database could not be opened; 3 a statement failed in a
script. A script stops at the first error unless `-v ON_ERROR_STOP=off` says otherwise; then it goes on, and the status is 0.
"""
import argparse
import contextlib
import importlib
import os
import shutil
import subprocess
import sys
import time
import traceback
from dataclasses import replace

import caldera
from caldera.base.errors import Error
from caldera.base.settings import boolean
from caldera.client.commands import Quit, UsageError, run_command
from caldera.client.connection import connect
from caldera.client.printing import Style, Table, counted, lines_of
from caldera.client.progress import ProgressBar
from caldera.client.rows import Rows
from caldera.client.script import Reader, substituted
from caldera.client.source_line import marked_line
from caldera.client.text_width import width

OK, WRONG_USE, NOT_OPENED, FAILED, INTERRUPTED = 0, 1, 2, 3, 130
ROWS_MAX = 1000                         # rows that a terminal is shown; \pset rows changes it
CHUNK_ROWS = 10_000                     # rows that are printed at a time where widths do not matter
OTHERS = {"demo": "caldera.bench.demo", "bench": "caldera.bench"}       # commands with a main of their own
DESCRIPTION = """SQL over column tables, files and data frames: PostgreSQL's dialect, compiled to machine code.

  caldera                       a database in memory
  caldera shop                  the one in directory shop, made if need be
  caldera -c "SELECT count(*) FROM 'hits.parquet'"
  caldera demo                  a tour on generated data
  caldera bench                 benchmarks beside other engines"""


class ArgumentParser(argparse.ArgumentParser):
    """Wrong use gives status 1, as psql does."""

    def error(self, message):
        self.exit(WRONG_USE, f"caldera: error: {message}\nTry \"caldera --help\" for more information.\n")


def parser():
    """The command line's options."""
    options = ArgumentParser(prog="caldera", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("path", nargs="?", help="directory of the database; without one, it is in memory")
    options.add_argument("-c", "--command", action=Task, metavar="SQL", help="run statements or a command and exit")
    options.add_argument("-f", "--file", action=Task, metavar="FILE", help="run a file (- is standard input) and exit")
    options.add_argument("-o", "--output", metavar="FILE", help="write results to a file, or to |COMMAND")
    options.add_argument("-v", "--set", "--variable", action="append", default=[], metavar="NAME=VALUE", dest="variables",
                         help="set a variable, as \\set does")
    options.add_argument("-q", "--quiet", action="store_true", help="results only, no messages")
    options.add_argument("-t", "--tuples-only", action="store_true", help="rows only, no names and counts")
    options.add_argument("-A", "--no-align", action="store_true", help="unaligned output")
    options.add_argument("-F", "--field-separator", default="|", metavar="TEXT",
                         help="what separates values in unaligned output")
    options.add_argument("--csv", action="store_true", help="CSV output")
    options.add_argument("-x", "--expanded", action="store_true", help="a line for each value")
    options.add_argument("-V", "--version", action="version", version=f"caldera {caldera.__version__}")
    return options


class Task(argparse.Action):
    """-c and -f, kept in the order they came."""

    def __call__(self, parser, namespace, value, option=None):
        namespace.tasks = [*getattr(namespace, "tasks", ()), (self.dest, value)]


def main(arguments=None):
    """Run the command line; returns the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments and arguments[0] in OTHERS:
        return importlib.import_module(OTHERS[arguments[0]]).main(arguments[1:])
    options = parser().parse_args(arguments)
    if options.path and options.path.startswith("-"):           # -1, say, which argparse takes for a number
        parser().error(f"unrecognized arguments: {options.path}")
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(errors="replace", line_buffering=stream.isatty())
    shell = Shell(options)
    try:
        shell.open(options.path)
    except Error as fault:
        print(f"caldera: error: {fault}", file=sys.stderr)
        return NOT_OPENED
    try:
        return shell.run(getattr(options, "tasks", []))
    except UsageError as fault:
        print(f"caldera: error: {fault}", file=sys.stderr)
        return WRONG_USE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:                     # whoever read the results has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    finally:
        shell.close()


class Failed(Exception):
    """A statement of a script failed, and the script is to stop."""


class Shell:
    """The state of one shell: connection, variables, how to print, and where to."""

    def __init__(self, options):
        form = "csv" if options.csv else "unaligned" if options.no_align else "aligned"
        self.style = Style(form, "on" if options.expanded else "off", "", options.tuples_only, options.field_separator)
        self.quiet, self.output_name, self.interactive = options.quiet, options.output, False
        self.variables = {"ON_ERROR_STOP": "on", "VERBOSITY": "default"}
        for setting in options.variables:
            name, _, value = setting.partition("=")
            self.variables[name] = value
        self.connection, self.timing, self.rows_max, self.pager = None, False, 0, True
        self.out, self.pipe, self.reader, self.place, self.last_statement = sys.stdout, None, Reader(), None, ""

    # the database
    def open(self, path):
        """Connect to a database, and only then let go of the one before."""
        connection = connect(path)
        if self.connection is not None:
            self.connection.close()
        self.connection = connection

    def close(self):
        """Let go of everything."""
        self.redirect("")
        if self.connection is not None:
            self.connection.close()

    def database_name(self):
        return os.path.basename(self.connection.key) if self.connection.key else "memory"

    def database_words(self):
        """Which database this is, in words."""
        place = f'in directory "{self.connection.key}"' if self.connection.key else "in memory"
        return f'database "{self.database_name()}" {place}'

    @contextlib.contextmanager
    def catalog(self):
        """The CatalogView of this moment."""
        with self.connection.lock, self.connection.session.statement():
            yield self.connection.session.view

    # running
    def run(self, tasks):
        """Do what the command line says; returns the exit status."""
        if self.output_name:
            self.redirect(self.output_name)
        if not tasks and sys.stdin.isatty():
            return self.run_interactively()
        try:
            for kind, value in tasks or [("file", "-")]:
                if kind == "command":
                    self.run_lines(value.splitlines(), None)
                else:
                    self.run_file(value)
        except Quit:
            return OK
        except Failed:
            return FAILED
        return OK

    def run_interactively(self):
        """Prompt until the input ends."""
        from caldera.client.editor import prompts
        self.interactive, self.rows_max = True, ROWS_MAX
        self.say(f"Caldera {caldera.__version__}, PostgreSQL 18's dialect. Type \\? for help, \\q to quit.")
        if self.connection.key is None:
            self.say("This database is in memory; start with \"caldera PATH\" for one that stays.")
        for line in prompts(self):
            try:
                self.run_line(line)
            except Quit:
                break
        return OK

    def run_file(self, name):
        """Run a script; - is standard input."""
        if name == "-":
            return self.run_lines((line.rstrip("\n") for line in sys.stdin), "<stdin>")
        try:
            with open(name, encoding="utf-8-sig") as file:
                self.run_lines((line.rstrip("\n") for line in file), name)
        except (OSError, UnicodeDecodeError) as fault:
            raise UsageError(f"{name}: {getattr(fault, 'strerror', None) or fault}") from None

    def run_lines(self, lines, place):
        """Run lines of a script, or of an included file, with a Reader of their own."""
        before = self.reader, self.place
        self.reader, self.place = Reader(), place
        try:
            for line in lines:
                self.run_line(line)
            for item in self.reader.finish():
                self.run_item(item)
        finally:
            self.reader, self.place = before

    def run_line(self, line):
        """Run what a line completes."""
        for item in self.reader.feed(line):
            self.run_item(item)

    def run_item(self, item):
        """Run a statement or a command. Raises Failed if it failed and that ends the script."""
        succeeded = self.try_command(item) if item.is_command else self.run_statement(item.text, item.line)
        if not succeeded and not self.interactive and boolean_or(self.variables.get("ON_ERROR_STOP", "off")):
            raise Failed

    def try_command(self, item):
        """Run a backslash command; False if it failed."""
        try:
            return run_command(self, substituted(item.text, self.variables)) is not False
        except UsageError as fault:
            self.complain(str(fault), item.line)
            return False
        except Error as fault:
            self.show_error(fault, "", item.line)
            return False

    def run_pending(self):
        """Run what was typed and not ended by a semicolon, or else the last statement again. Raises Failed."""
        text = self.reader.pending.strip() or self.last_statement
        line = self.reader.line
        self.reader.reset()
        if text and not self.run_statement(text, line) and not self.interactive:
            raise Failed

    def run_statement(self, text, line=None):
        """Run one statement and print its results; False if it failed."""
        self.last_statement = text
        text, started, took, succeeded = substituted(text, self.variables), time.perf_counter(), None, True
        try:
            with ProgressBar(self.connection.session):
                results = self.connection.execute_results(text)
            took = time.perf_counter() - started        # reading the rows in a pager is not the statement's time
            self.tell_notices()
            for result in results:
                self.print_result(result)
        except Error as fault:
            self.tell_notices()
            self.show_error(fault, text, line)
            succeeded = False
        except KeyboardInterrupt:
            if not self.interactive:
                raise
            print("Cancel request sent\nERROR:  canceling statement due to user request", file=sys.stderr)
            succeeded = False
        except (BrokenPipeError, Quit):
            raise
        except Exception as fault:                      # a fault of ours must not cost the user the session
            self.complain(f"ERROR:  internal error: {type(fault).__name__}: {fault}", line)
            if self.variables.get("VERBOSITY") == "verbose":
                traceback.print_exc()
            succeeded = False
        if self.timing:
            self.print_lines([time_line((time.perf_counter() - started if took is None else took) * 1e3)])
        return succeeded

    # telling
    def say(self, text):
        """A message of the shell's, unless it is to be quiet."""
        if not self.quiet:
            print(text, file=self.out)

    def complain(self, text, line=None):
        """A message on standard error, with the place in the script."""
        self.out.flush()
        where = f"caldera:{self.place}:{line}: " if self.place is not None and line is not None else ""
        print(where + text, file=sys.stderr)

    def show_error(self, fault, text, line=None):
        """An error as psql shows it."""
        state = f"{fault.sqlstate}: " if self.variables.get("VERBOSITY") == "verbose" else ""
        lines = [f"ERROR:  {state}{fault.message}"]
        if fault.position is not None and text:
            lines.append(marked_line(text, fault.position))
        lines += [f"DETAIL:  {fault.detail}"] if fault.detail else []
        lines += [f"HINT:  {fault.hint}"] if fault.hint else []
        self.complain("\n".join(lines), line)

    def tell_notices(self):
        """What the database had to say besides."""
        silent = self.connection.session.setting("client_min_messages") in ("warning", "error")
        for text in self.connection.notices():
            level = "WARNING" if text.startswith("there is ") else "NOTICE"
            if level == "WARNING" or not silent:
                self.complain(f"{level}:  {text}")

    # printing
    def print_result(self, result):
        """A statement's rows, or its command tag."""
        rows = Rows(result, self.connection.session)
        if not rows.has_rows:
            return self.say(result.tag)
        if self.style.format != "aligned" and self.style.expanded == "off":
            return self.print_in_chunks(rows)
        shown = min(len(rows), self.rows_max or len(rows)) if self.out is sys.stdout else len(rows)
        table = table_of_rows(rows, 0, shown)
        if shown < len(rows):
            table.footers = [f"({len(rows):,} rows, the first {shown:,} shown; \\pset rows 0 shows all)"]
        self.print_table(table)

    def print_in_chunks(self, rows):
        """Rows whose widths do not matter, some at a time."""
        style, counted_rows = self.style, self.style.format == "unaligned" and not self.style.tuples_only
        for first in range(0, max(len(rows), 1), CHUNK_ROWS):
            lines = lines_of(table_of_rows(rows, first, first + CHUNK_ROWS), style)
            if counted_rows and first == 0:
                lines.pop()
            self.out.write("".join(line + "\n" for line in lines))
            style = replace(style, tuples_only=True)                # names come once, in front
        if counted_rows:
            self.out.write(counted(len(rows)) + "\n")
        self.out.flush()

    def print_table(self, table):
        """A Table in the style that is set."""
        screen = shutil.get_terminal_size().columns if self.out is sys.stdout and self.out.isatty() else None
        self.page(lines_of(table, replace(self.style, screen_width=screen)))

    def print_lines(self, lines):
        print("\n".join(lines), file=self.out)

    def page(self, lines):
        """Print lines, through a pager if they do not fit on the screen."""
        if self.interactive and self.pager and self.out is sys.stdout and sys.stdout.isatty():
            size = shutil.get_terminal_size()
            pager = os.environ.get("CALDERA_PAGER") or os.environ.get("PAGER") or (shutil.which("less") and "less -SXFR")
            if pager and (len(lines) >= size.lines or any(width(line) > size.columns for line in lines)):
                subprocess.run(pager, shell=True, input="\n".join(lines) + "\n", text=True)
                return
        self.out.write("".join(line + "\n" for line in lines))
        self.out.flush()

    def redirect(self, target):
        """Send results to a file or |command; an empty target means standard output again. Raises UsageError."""
        if self.out is not sys.stdout:
            self.out.close()
            if self.pipe is not None:
                self.pipe.wait()
        self.out, self.pipe = sys.stdout, None
        if target.startswith("|"):
            self.pipe = subprocess.Popen(target[1:], shell=True, stdin=subprocess.PIPE, text=True)
            self.out = self.pipe.stdin
        elif target:
            try:
                self.out = open(os.path.expanduser(target.strip("'\"")), "w", encoding="utf-8")
            except OSError as fault:
                raise UsageError(f"{target}: {fault.strerror}") from None


def table_of_rows(rows, first, stop):
    """A printing.Table of some rows of a result."""
    rights = [type.category == "N" for type, _ in rows.result.types]
    return Table(list(rows.result.names), rights, rows.texts(first, stop), len(rows))


def boolean_or(text, otherwise=True):
    """Whether a variable is on; what is no Boolean counts as `otherwise`."""
    try:
        return boolean(text) == "on"
    except ValueError:
        return otherwise


def time_line(ms):
    """How long a statement took, as psql says it."""
    if ms < 1000:
        return f"Time: {ms:.3f} ms"
    seconds = ms / 1e3
    minutes, hours = int(seconds // 60), int(seconds // 3600)
    clock = f"{minutes:02}:{seconds % 60:06.3f}" if hours == 0 else f"{hours:02}:{minutes % 60:02}:{seconds % 60:06.3f}"
    return f"Time: {ms:.3f} ms ({clock})"
