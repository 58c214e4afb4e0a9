"""Caldera in a process of its own, so that a crash or an endless loop is one wrong answer and not the end of the test run.

    session = CalderaProcess(prepare)         prepare(session) creates tables; it runs again after a crash
    session.query("SELECT ...")               as tests.differential.CalderaSession.query; a crash is an Answer of class XX

Requests and Answers travel as pickles over the child's standard input and output. With CALDERA_IN_PROCESS=1 set,
`open_caldera` gives a session in this process instead: for the debugger.
"""
import contextlib
import os
import pickle
import select
import signal
import subprocess
import sys
import tempfile
import time

from caldera.optimize import RULES
from tests.answer import Answer
from tests.differential import CalderaSession, Configuration
from tests.layouts import LAYOUTS, use_granules

CPU_SECONDS_MAX = 120           # for one answer; on a busy machine that may be a long time
IDLE_SECONDS_MAX = 900          # without any use of the CPU: the process waits for what never comes
LOOK_SECONDS = 5                # between looks at how much CPU time a process has used
ARRANGE = "arrange the tables"                  # requests between statements
ANEW = "begin with an empty database"
RULES_FOR = "tell which rules change the plan of "          # and a query behind it


def cpu_seconds(pid):
    """The CPU time that a process has used so far."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")       # utime and stime, see proc(5)


def open_caldera(prepare, layout="delta"):
    """A session whose tables `prepare(session)` has made, laid out as asked; RuntimeError if that fails."""
    if not os.environ.get("CALDERA_IN_PROCESS") or layout != "delta":
        return CalderaProcess(prepare, layout)
    session = CalderaSession()
    prepare(session)
    return session


class CalderaProcess(CalderaSession):
    """The calls of CalderaSession; what `prepare` made is made anew when the process had to be replaced."""

    def __init__(self, prepare, layout="delta"):
        self.prepare, self.layout, self.child = prepare, layout, None
        self.start()

    def start(self):
        """Begin with a new process and its tables; the configuration in force stays in force."""
        wanted = getattr(self, "configuration", Configuration("default"))
        self.child = subprocess.Popen([sys.executable, "-X", "faulthandler", "-m", "tests.process", self.layout],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.configuration = Configuration("default")
        self.set_up()
        self.use(wanted)

    def set_up(self):
        """Make the tables in an empty database. RuntimeError if that fails."""
        self.prepare(self)
        if self.layout != "delta" and (answer := self.query(ARRANGE)).failed:
            raise RuntimeError(str(answer))

    def prepare_anew(self, prepare):
        """Hold what `prepare` makes in place of what there was: without the start of another process."""
        self.prepare = prepare
        self.begin_anew()
        self.set_up()

    def query(self, sql):
        """The Answer to one statement; class XX if the process died of it or gave no answer in CPU_SECONDS_MAX."""
        if self.child is None:
            self.start()
        try:
            pickle.dump(sql, self.child.stdin)
            self.child.stdin.flush()
            if not self.answers():
                return self.lost(f"no answer in {CPU_SECONDS_MAX} s of the CPU")
            return pickle.load(self.child.stdout)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            return self.lost(None)

    def rules_at_work(self, sql):
        """As CalderaSession.rules_at_work; all there are if the process died of it."""
        answer = self.query(RULES_FOR + sql)
        return {rule.__name__ for rule in RULES} if isinstance(answer, Answer) else answer

    def begin_anew(self):
        """Let the process have an empty database and the default settings; what `prepare` made is gone."""
        self.query(ANEW)
        self.configuration = Configuration("default")

    def answers(self):
        """Wait for the answer; whether it came before the process had used too much CPU time, or none for too long."""
        started, idle_since, before = cpu_seconds(self.child.pid), time.monotonic(), 0.0
        while not select.select([self.child.stdout], [], [], LOOK_SECONDS)[0]:
            used = cpu_seconds(self.child.pid) - started
            if used > before:
                idle_since, before = time.monotonic(), used
            if used > CPU_SECONDS_MAX or time.monotonic() - idle_since > IDLE_SECONDS_MAX:
                return False
        return True

    def lost(self, reason):
        """The Answer for a process that is of no use any more; the next query starts another one."""
        self.child.kill() if reason else None
        status = self.child.wait()
        self.close()
        died = f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"
        return Answer(sqlstate="XX000", message=reason or f"the process died with {died}")

    def close(self):
        """End the process."""
        if self.child is not None:
            for pipe in (self.child.stdin, self.child.stdout):
                try:
                    pipe.close()
                except BrokenPipeError:
                    pass
            self.child.wait()
            self.child = None


def serve(layout):
    """The child: answer the statements on standard input until that ends. layout: of tables in a folder, None for tables in
    memory."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)                                           # whatever prints must not mix with the answers
    with contextlib.ExitStack() as stack:
        session = stack.enter_context(empty_database(layout))
        while True:
            try:
                sql = pickle.load(requests)
            except EOFError:
                return
            if sql == ANEW:
                stack.close()
                session, answer = stack.enter_context(empty_database(layout)), Answer()
            elif sql.startswith(RULES_FOR):
                answer = session.rules_at_work(sql.removeprefix(RULES_FOR))
            else:
                answer = arranged(session, layout) if sql == ARRANGE else session.query(sql)
            pickle.dump(answer, answers)
            answers.flush()


@contextlib.contextmanager
def empty_database(layout):
    """A session: in memory, or for a layout in a folder, whose parts have granules of that layout's size."""
    with tempfile.TemporaryDirectory(prefix="caldera-layout-") if layout else contextlib.nullcontext() as folder:
        session = CalderaSession(folder)
        use_granules(layout.granule_rows if layout else 0)
        try:
            yield session
        finally:
            session.close()


def arranged(session, layout):
    """Arrange the tables; the Answer to that."""
    try:
        session.arrange(layout)
    except Exception as fault:
        return Answer(sqlstate="XX000", message=f"{type(fault).__name__}: {fault}")
    return Answer()


if __name__ == "__main__":
    serve(LAYOUTS.get(sys.argv[1]))
