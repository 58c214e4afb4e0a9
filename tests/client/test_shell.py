"""The shell as people use it: at a terminal, with files, with wrong input."""
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from caldera.__main__ import main as start
from caldera.client import commands, shell

SHELL = [sys.executable, "-m", "caldera"]
ENDLESS = "SELECT sum(mod(g, 7)) FROM generate_series(1, 50000000000) g;"


def run(*arguments, input="", status=0, **options):
    """Standard output and standard error of the shell, which must end with a status."""
    command = [*SHELL, *map(str, arguments)]
    done = subprocess.run(command, input=input, capture_output=True, text=True, timeout=120, **options)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout, done.stderr


def test_the_shell_tells_its_version_and_how_it_is_called():
    assert re.fullmatch(r"caldera \d+\.\d+\.\d+\n", run("--version")[0])
    assert "directory of the database" in run("--help")[0]


def test_wrong_use_is_status_1(tmp_path):
    assert "unrecognized arguments" in run("--nonsense", status=1)[1]
    assert "No such file" in run("-f", tmp_path / "nothing.sql", status=1)[1]
    assert "unrecognized arguments: -1" in run("-1", status=1)[1]


def test_a_database_that_cannot_be_opened_is_status_2(tmp_path):
    (tmp_path / "file").write_text("x")
    assert run(tmp_path / "file", "-c", "select 1", status=2)[1].startswith(
        f'caldera: error: "{tmp_path}/file" is not a directory, as a database is\nHINT:  Files are read by statements')


def test_data_stays_in_its_directory(tmp_path):
    run(tmp_path / "shop", "-q", "-c", "create table t (a int)", "-c", "insert into t values (1), (2)")
    assert run(tmp_path / "shop", "-At", "-c", "select sum(a) from t")[0] == "3\n"
    assert 'database "shop" in directory' in run(tmp_path / "shop", "-c", "\\conninfo")[0]


def test_a_script_stops_at_its_first_error(tmp_path):
    script = tmp_path / "script.sql"
    script.write_text("select 1 as one;\n\nselect 1 / 0;\nselect 2 as two;\n")
    out, err = run("-f", script, status=3)
    assert "one" in out and "two" not in out and err == f"caldera:{script}:3: ERROR:  division by zero\n"
    out, err = run("-v", "ON_ERROR_STOP=off", "-f", script)
    assert "two" in out and "division by zero" in err
    assert "two" not in run(input=script.read_text(), status=3)[0]


def test_an_included_file_is_named_in_its_errors(tmp_path):
    (tmp_path / "inner.sql").write_text("select 'inner' as place;\nselec;\n")
    (tmp_path / "outer.sql").write_text(f"\\i {tmp_path / 'inner.sql'}\nselect 'outer' as place;")
    out, err = run("-f", tmp_path / "outer.sql", status=3)
    assert "inner" in out and "outer" not in out and "inner.sql:2: ERROR:  syntax error" in err


def test_results_go_to_files_and_commands(tmp_path):
    target = tmp_path / "result.txt"
    run("-c", f"\\o {target}", "-c", "select 42 as n", "-c", "\\o", "-c", "select 1")
    assert "42" in target.read_text()
    run("-o", target, "--csv", "-c", "select g from generate_series(1, 25000) g")
    lines = target.read_text().splitlines()
    assert len(lines) == 25001 and lines[0] == "g" and len(set(lines)) == 25001
    assert run("-At", "-c", f"\\o |sort -r > {target}", "-c", "select g from generate_series(1, 3) g")[0] == ""
    assert target.read_text() == "3\n2\n1\n"


@pytest.mark.parametrize("argument, statement", [
    ("t to out.csv csv header", "t to 'out.csv' csv header"), ("t(a, b) from  it's.csv", "t(a, b) from  'it''s.csv'"),
    ("(select a from t where b = 'to x') to o (format csv)", "(select a from t where b = 'to x') to 'o' (format csv)"),
    ("t to 'a b.csv'", "t to 'a b.csv'"), ('"from" TO "c.csv"', "\"from\" TO 'c.csv'"), ("t from stdin", "t from stdin"),
    ("t to stdout csv", "t to '/dev/stdout' csv"), ("t", "t")])
def test_the_file_of_backslash_copy_needs_no_quotes(argument, statement):
    assert commands.with_file_quoted(argument) == (statement, "stdout" in statement)


def test_backslash_copy_tells_by_its_status_and_gives_rows_only(tmp_path):
    assert run("-c", "\\copy (values (1, 'x')) to stdout csv", "-c", "select 2 as n")[0].startswith("1,x\n n \n")
    assert run("-c", f"\\copy (values (1)) to {tmp_path}/one.csv csv")[0] == "COPY 1\n"
    out, err = run("-c", "create table t (a int)", "-c", "\\copy t from nothing.csv", "-c", "\\echo no", status=3)
    assert "No such file" in err and out == "CREATE TABLE\n"


def test_many_unaligned_rows_are_counted_once():
    out = run("-A", "-c", "select g from generate_series(1, 25000) g")[0].splitlines()
    assert len(out) == 25002 and out[0] == "g" and out[-1] == "(25000 rows)"


def test_a_reader_that_has_enough_is_no_error():
    done = subprocess.run(f"{sys.executable} -m caldera -At -c 'select g from generate_series(1, 300000) g' | head -2",
                          shell=True, capture_output=True, text=True, timeout=120)
    assert done.stdout == "1\n2\n" and done.stderr == ""


def test_backslash_d_and_its_kin_describe_what_there_is(tmp_path):
    out, _ = run("-c", "create table t (a int not null, b numeric(10,2) default 3) with (order_by = 'a')",
                 "-c", "create view v as select a + 1 as x from t", "-c", "create schema s",
                 "-c", "create table s.u (c text)",
                 "-c", "\\d t", "-c", "\\dt", "-c", "\\dv", "-c", "\\dn", "-c", "\\d s.*", "-c", "\\df lower", "-c", "\\d v")
    assert 'Table "public.t"' in out and "numeric(10,2)" in out and "not null" in out and "order_by=a" in out
    assert re.search(r"public \| t +\| table \| mergetree", out) and re.search(r"public \| v +\| view", out)
    assert 'Table "s.u"' in out and re.search(r"lower \| text", out) and "View definition:\n select a + 1" in out
    assert "Did not find any relation" in run("-c", "\\d nothing", status=3)[1]


def test_unknown_commands_and_wrong_arguments_are_errors():
    assert "invalid command \\nonsense" in run("-c", "\\nonsense", status=3)[1]
    assert "Boolean expected" in run("-c", "\\timing perhaps", status=3)[1]
    assert "missing required argument" in run("-c", "\\i", status=3)[1]


def test_times_notices_and_variables_are_shown():
    out, err = run("-v", "name=x y", "-c", "\\timing", "-c", "drop table if exists t", "-c", "select :'name' as v",
                   "-c", "begin; begin")
    assert re.search(r"Time: \d+\.\d{3} ms", out) and "x y" in out
    assert 'NOTICE:  table "t" does not exist, skipping' in err and "WARNING:  there is already a transaction" in err


def test_the_time_of_a_statement_leaves_out_how_long_its_rows_are_read(monkeypatch):
    clock, said = [0.0], []
    monkeypatch.setattr(shell.time, "perf_counter", lambda: clock[0])
    running = shell.Shell(shell.parser().parse_args([]))
    running.open(None)
    monkeypatch.setattr(running, "print_result", lambda result: clock.__setitem__(0, clock[0] + 1000))
    monkeypatch.setattr(running, "print_lines", said.extend)
    running.timing = True
    assert running.run_statement("select 1")
    running.close()
    assert said == ["Time: 0.000 ms"]


def test_verbose_errors_have_their_code():
    assert "ERROR:  22012: division by zero" in run("-v", "VERBOSITY=verbose", "-c", "select 1/0", status=3)[1]


def test_control_c_while_the_shell_starts_ends_it_quietly(monkeypatch, capsys):
    def interrupted(_arguments):
        raise KeyboardInterrupt
    monkeypatch.setattr(shell, "main", interrupted)
    assert start([]) == shell.INTERRUPTED
    assert capsys.readouterr() == ("", "")


# ------------------------------------------------------------------------------------------------ at a terminal

class Terminal:
    """The shell on a pseudo-terminal."""

    def __init__(self, tmp_path, *arguments):
        environment = {**os.environ, "TERM": "xterm", "CALDERA_HISTORY": str(tmp_path / "history"), "PAGER": "cat",
                       "COLUMNS": "100", "LINES": "30", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)        # whatever those who started the tests have made of it
            os.execvpe(SHELL[0], [*SHELL, *map(str, arguments)], environment)
        self.seen = ""

    def read_until(self, text, seconds=60):
        """What is shown from now on until a text appears, and that, without colours. What comes behind it is kept."""
        deadline = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < deadline, f"{text!r} did not appear in: {self.seen[-2000:]!r}"
            if select.select([self.descriptor], [], [], 0.1)[0]:
                data = os.read(self.descriptor, 65536)
                self.seen = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r", "", self.seen + data.decode("utf-8", "replace"))
        shown, found, self.seen = self.seen.partition(text)
        return shown + found

    def type(self, text):
        os.write(self.descriptor, text.encode())

    def run(self, line, until="=>"):
        """Enter a line; what is shown until the next prompt."""
        self.type(line + "\r")
        self.read_until("\n")
        return self.read_until(until)

    def end(self):
        """The exit status, after Ctrl-D."""
        self.type("\x04")
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            pid, status = os.waitpid(self.process, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            if select.select([self.descriptor], [], [], 0.05)[0]:
                try:
                    os.read(self.descriptor, 65536)
                except OSError:
                    pass
        raise AssertionError("the shell did not end")


@pytest.fixture
def terminal(tmp_path):
    terminal = Terminal(tmp_path)
    terminal.read_until("memory=>")
    yield terminal
    try:
        os.kill(terminal.process, signal.SIGKILL)
        os.waitpid(terminal.process, 0)
    except (ProcessLookupError, ChildProcessError):
        pass
    os.close(terminal.descriptor)


def test_the_prompt_tells_what_an_unfinished_statement_or_block_waits_for(terminal):
    terminal.run("select 6 *", until="memory->")
    assert "42" in terminal.run("7 as answer;", until="memory=>")
    assert "memory'>" in terminal.run("select 'a", until="memory'>")
    terminal.type("\x03")                                                           # Ctrl-C forgets it
    terminal.read_until("memory=>")
    terminal.run("begin;", until="memory=*>")
    assert "division by zero" in terminal.run("select 1/0;", until="memory=!>")
    assert "ROLLBACK" in terminal.run("rollback;", until="memory=>")
    assert terminal.end() == 0


def test_control_c_cancels_the_query_and_not_the_shell(terminal):
    terminal.type(ENDLESS + "\r")
    terminal.read_until("aggregate")                                                # the progress bar, after two seconds
    terminal.type("\x03")
    assert "canceling statement due to user request" in terminal.read_until("request\n")
    terminal.read_until("memory=>")
    assert "42" in terminal.run("select 41 + 1 as n;")
    assert terminal.end() == 0


def test_names_are_completed_and_statements_kept_as_history(terminal, tmp_path):
    terminal.run("create table measurements (celsius float8);")
    terminal.type("select cels\t")
    terminal.read_until("celsius")
    terminal.type(" from meas\t")
    terminal.read_until("measurements")
    assert "(0 rows)" in terminal.run(";")
    assert terminal.end() == 0
    assert "create table measurements" in (tmp_path / "history").read_text()


def test_long_results_are_cut_on_a_screen_only(terminal):
    terminal.run("\\pset rows 10")
    shown = terminal.run("select g from generate_series(1, 5000) g;")
    assert "(5,000 rows, the first 10 shown; \\pset rows 0 shows all)" in shown
