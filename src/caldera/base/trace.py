"""Watching a query on its way: every stage passes its value through `trace`, which times it and prints it on request.

    SET debug = 1     the stages and their times      3   plans      5   generated code
    SET debug = 2     and the pipelines               4   syntax     6   everything
"""
import contextlib
import sys
import time

LEVELS = {"parse": 4, "bind": 3, "optimize": 3, "split": 2, "stage": 5, "run": 2}


class Trace:
    """Times of the stages of one statement, in seconds by name, and the level of what is printed."""

    def __init__(self, level=0, checks=None):
        self.level, self.seconds, self.checks = level, {}, checks or {}

    @contextlib.contextmanager
    def stage(self, name):
        """`with trace.stage("bind") as keep: ...; keep(value)`: time the body; the value is checked and printed."""
        started, values = time.perf_counter(), []
        yield lambda value: values.append(value) or value
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - started
        for value in values:
            if name in self.checks:
                self.checks[name](value)
            self.show(name, value)

    def show(self, name, value):
        """Print a stage, and from its level on its value."""
        if self.level >= 1:
            print(f"-- {name}: {self.seconds[name] * 1e3:.3f} ms", file=sys.stderr)
        if self.level >= LEVELS.get(name, 6):
            print(value, file=sys.stderr)
