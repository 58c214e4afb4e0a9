"""What a process must do over after `fork`: of the parent's threads the child has only the one that forked, and locks that
another one held stay locked for ever. So single objects of the process that hold locks, threads or helpers renew themselves
in the child; connections refuse to work there (client.connection)."""
import os


def in_child(function):
    """Have a function called in every child process; returns it, to serve as a decorator, too."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)
    return function
