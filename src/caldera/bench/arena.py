"""One process for each engine of a benchmark, and one at a time at work.

    Contestant(name, ...) ──▶ spawned process ──▶ peers.ENGINES[name]
        .ready(parquet)       load, or find loaded
        .run(text, timeout)   ──▶ Run(seconds, rows) | Failure(message)
        .cool()

A query is timed in the engine's own process, from its text to rows of Python values, so what passes between processes
costs nothing. A query that takes too long ends the process; the next one starts a new one on the same database.
"""
import multiprocessing
import os
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

from caldera.base.errors import Error
from caldera.bench import peers

LOADED = "loaded"                   # the mark of a database that is whole; holds the data's name, size and time
START_TIMEOUT_S = 3600


@dataclass(frozen=True)
class Run:
    """A query's time, in seconds, and rows."""
    seconds: float
    rows: list


@dataclass(frozen=True)
class Failure:
    """Why there is no answer."""
    message: str


class Contestant:
    """An engine in its own process. directory: where it keeps its database, which may have been loaded before. kind: a
    subclass of peers.Engine, if it is not the one for ClickBench's table."""

    def __init__(self, name, directory, threads, kind=None):
        self.name, self.directory, self.threads = name, Path(directory).absolute(), threads
        self.kind = kind or peers.ENGINES[name]
        self.title = self.kind.title
        self.process = self.pipe = None
        self.load_s, self.bytes, self.version, self.busy = None, None, "", False

    def ready(self, parquet):
        """Start the engine and load the file, or folder, unless a whole database of it is there. A Failure, or None."""
        stat = os.stat(parquet)
        mark, stamp = self.directory / LOADED, f"{Path(parquet).absolute()} {stat.st_size} {stat.st_mtime_ns}"
        loaded = mark.exists() and mark.read_text().splitlines()[0] == stamp
        if not loaded:
            peers.clear(self.directory)
        self.start()
        answer = self.call(*(("open",) if loaded else ("load", str(Path(parquet).absolute()))), timeout=START_TIMEOUT_S)
        if isinstance(answer, Failure):
            return answer
        self.version, self.bytes = (self.call(method, timeout=START_TIMEOUT_S).rows for method in ("version", "size"))
        if not loaded:
            mark.write_text(f"{stamp}\n{answer.seconds}\n")
        self.load_s = float(mark.read_text().splitlines()[1])
        return None

    def start(self):
        here, there = multiprocessing.get_context("spawn").Pipe()
        self.process = multiprocessing.get_context("spawn").Process(
            target=serve, args=(there, self.kind, self.directory / "engine", self.threads), daemon=False)
        self.process.start()
        there.close()
        self.pipe = here

    def call(self, method, *arguments, timeout):
        """A method of the engine, as Run or Failure. After a time-out or a crash the process is gone."""
        try:
            self.busy = True
            self.pipe.send((method, arguments))
            if not self.pipe.poll(timeout):
                self.kill()
                return Failure(f"took longer than {timeout:g} s")
            reply = self.pipe.recv()
            self.busy = False
            return reply
        except (EOFError, OSError):
            self.process.join(10)
            code = self.process.exitcode
            self.kill()
            return Failure(f"the engine's process ended (exit status {code})")

    def run(self, text, timeout):
        """The time and rows of a query, which is spelled for the engine first."""
        if self.pipe is None:
            self.start()
            answer = self.call("open", timeout=timeout)
            if isinstance(answer, Failure):
                return answer
        return self.call("run", text, timeout=timeout)

    def cool(self):
        """Empty the caches; not possible is not an error."""
        if self.pipe is not None:
            self.call("cool", timeout=START_TIMEOUT_S)

    def kill(self):
        """End the process: politely first, so that a server it has started ends, too."""
        self.pipe.close()
        self.pipe, self.busy = None, False
        self.process.terminate()
        self.process.join(15)
        self.process.kill()
        self.process.join()

    def close(self):
        """End the engine in good order, or at once if it is still at work because somebody pressed Ctrl-C."""
        if self.busy:
            self.kill()
        if self.pipe is not None:
            self.call("close", timeout=120)
        if self.pipe is not None:
            self.pipe.close()
            self.pipe = None
            self.process.join(30)
            if self.process.is_alive():
                self.process.kill()


def serve(pipe, kind, directory, threads):
    """The engine's process: obey until the pipe closes. Replies are Run or Failure."""
    os.environ.update({variable: str(threads) for variable in kind.environment})
    os.environ["TZ"] = "UTC"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])      # whatever an engine thinks of its setting
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.signal(signal.SIGINT, signal.SIG_IGN)                    # Ctrl-C is the parent's, which closes the pipe
    engine = kind(directory, threads)
    opened = False
    try:
        while True:
            method, arguments = pipe.recv()
            try:
                if method == "run":
                    arguments = (engine.spell(*arguments),)
                started = time.perf_counter()
                value = getattr(engine, method)(*arguments)
                reply = Run(time.perf_counter() - started, value)
                opened = method != "close" and (opened or method in ("load", "open"))
            except Exception as failure:                            # whatever an engine raises is its answer
                reply = Failure(failure_text(failure))
            pipe.send(reply)
    except EOFError:
        pass
    finally:
        if opened:
            engine.close()


def failure_text(failure):
    """A failure in a sentence: an Error as it shows, another one by its text, or by its class where it has none."""
    if isinstance(failure, Error):
        return str(failure)
    return (str(failure) or traceback.format_exception_only(failure)[-1]).strip()
