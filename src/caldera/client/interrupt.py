"""Ctrl-C during a query: the query is cancelled, then KeyboardInterrupt is raised, and the connection is as good as before.

Python raises KeyboardInterrupt between any two lines, and so in the middle of a commit. So while a query runs, the first
Ctrl-C only asks the engine to stop, which it does between morsels; what the program sees is raised at the end. A second
Ctrl-C is raised at once, for work that the engine cannot stop, but not while a commit is written: between the log and the
memory it must not be torn. Only the main thread gets signals, and a program that handles SIGINT by itself keeps its own way.
"""
import signal
import threading

from caldera.base.errors import Error


class Interruptible:
    """`with Interruptible(session): ...` around a statement."""

    def __init__(self, session):
        self.session, self.pressed = session, False
        self.active = (threading.current_thread() is threading.main_thread()
                       and signal.getsignal(signal.SIGINT) is signal.default_int_handler)

    def __enter__(self):
        if self.active:
            signal.signal(signal.SIGINT, self.cancel)
        return self

    def __exit__(self, kind, exception, traceback):
        if self.active:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self.pressed and (exception is None or isinstance(exception, Error) and exception.sqlstate == "57014"):
            raise KeyboardInterrupt from exception

    def cancel(self, number, frame):
        """The handler while the statement runs."""
        transaction = self.session.transaction
        if self.pressed and not (transaction is not None and transaction.is_committing):
            raise KeyboardInterrupt
        self.pressed = True
        self.session.cancel()
