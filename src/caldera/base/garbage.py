"""Python's garbage collector, which looks at all objects again and again to find cycles that nobody needs.

Planning and staging a query make tens of thousands of objects within milliseconds and drop nearly all of them; the collector
would run dozens of times meanwhile, and now and then look through the whole heap, which is a pause of 100 milliseconds in
one query of some hundred. So it rests while a query is planned and while a pipeline is staged and compiled, and leaves alone
for good what the engine consists of.
"""
import gc
import threading

from caldera.base.forks import in_child


class CollectorRest:
    """`with AT_REST: ...`: no collection meanwhile. Several threads may be inside; the last one wakes the collector, unless
    it had been switched off before."""

    def __init__(self):
        self.lock, self.inside, self.was_on = threading.Lock(), 0, False

    def __enter__(self):
        with self.lock:
            if not self.inside:
                self.was_on = gc.isenabled()
                gc.disable()
            self.inside += 1

    def __exit__(self, *_):
        with self.lock:
            self.inside -= 1
            if not self.inside and self.was_on:
                gc.enable()


AT_REST = CollectorRest()


@in_child
def renew():
    """In a child process after a fork: only this thread can be inside, and none is that forks."""
    if AT_REST.inside and AT_REST.was_on:
        gc.enable()
    CollectorRest.__init__(AT_REST)


def leave_alone():
    """What there is now stays for good: the collector need not look at it."""
    gc.freeze()
