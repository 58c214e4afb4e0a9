"""A progress bar for statements that take longer than two seconds.

The engine calls `session.watch(label, share, seconds)` some fifty times a second while a pipeline runs; the bar appears on
standard error, if that is a terminal, and is gone when the statement has ended. A thread of its own draws it, so that it is
there as well while the engine is in work that tells nothing of its share: planning, putting rows in order, writing files.
"""
import sys
import threading
import time

SILENT_S = 2.0
REDRAW_S = 0.1
FRESH_S = 1.0                   # how long a share counts after the engine told it last


class ProgressBar:
    """`with ProgressBar(session): ...` around a statement."""

    def __init__(self, session):
        self.session, self.seen, self.ended, self.thread = session, ("running", 0.0, 0.0, 0.0), threading.Event(), None

    def __enter__(self):
        if sys.stderr.isatty():
            self.session.watch = self.look
            self.thread = threading.Thread(target=self.draw, daemon=True, name="caldera-progress")
            self.thread.start()
        return self

    def __exit__(self, *_):
        self.session.watch = None
        self.ended.set()
        if self.thread is not None:
            self.thread.join()

    def look(self, label, share, seconds):
        """What the engine calls. share: 0 to 1 of this pipeline's rows; seconds since the pipeline started."""
        self.seen = label or "running", min(1.0, share), seconds, time.monotonic()

    def draw(self):
        """Wait until the statement takes long, then draw until it ends. What drawing needs is imported only then."""
        if self.ended.wait(SILENT_S):
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
        columns = (TextColumn("{task.description}", markup=False), BarColumn(40), TaskProgressColumn(),
                   TextColumn("{task.fields[left]}"))
        with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
            task = bar.add_task("running", total=None, left="")
            while True:
                label, share, seconds, told = self.seen
                known = share < 1.0 and time.monotonic() - told < FRESH_S
                left = f"about {seconds / share - seconds:.0f} s left" if known and share >= 0.02 else ""
                bar.tasks[0].total = 1.0 if known else None             # without one it only shows that work goes on
                bar.update(task, description=label, completed=share if known else 0, left=left)
                bar.refresh()
                if self.ended.wait(REDRAW_S):
                    return
