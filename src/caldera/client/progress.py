"""A progress bar for statements that take longer than two seconds.

The engine calls `session.watch(label, share, seconds)` some fifty times a second while a pipeline runs; the bar appears on
standard error, if that is a terminal, and is gone when the statement has ended.
"""
import sys
import time

SILENT_S = 2.0
REDRAW_S = 0.1


class ProgressBar:
    """`with ProgressBar(session): ...` around a statement."""

    def __init__(self, session):
        self.session, self.bar, self.task, self.drawn_at, self.pipelines = session, None, None, 0.0, 0
        self.last_share = 1.0

    def __enter__(self):
        self.started = time.monotonic()
        if sys.stderr.isatty():
            self.session.watch = self.look
        return self

    def __exit__(self, *_):
        self.session.watch = None
        if self.bar is not None:
            self.bar.stop()

    def look(self, label, share, seconds):
        """What the engine calls. share: 0 to 1 of this pipeline's rows; seconds since the pipeline started."""
        now = time.monotonic()
        if now - self.started < SILENT_S or now - self.drawn_at < REDRAW_S:
            return
        self.drawn_at = now
        if self.bar is None:
            self.open(label or "running")
        left = "" if share < 0.02 else f"about {seconds / share - seconds:.0f} s left"
        self.bar.update(self.task, description=label or "running", completed=min(1.0, share), left=left)
        self.bar.refresh()

    def open(self, label):
        """Draw the bar for the first time; what it needs is imported only now."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
        columns = (TextColumn("{task.description}", markup=False), BarColumn(40), TaskProgressColumn(),
                   TextColumn("{task.fields[left]}"))
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
        self.task = self.bar.add_task(label, total=1.0, left="")
        self.bar.start()
