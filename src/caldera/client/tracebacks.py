"""Errors as users want to see them: their own line and the message, without the frames of the engine in between.

    @short
    def sql(self, text): ...            an Error leaves it with one frame of this package; SET debug = 1 shows all of them

An error's cause is shown only where it is the user's own: what a Python function of theirs raised, or Ctrl-C.
"""
import functools
import os

from caldera.base.errors import Error

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def short(function):
    """A function, or a method of a Connection or Cursor, whose errors come without the engine's frames."""
    @functools.wraps(function)
    def call(*arguments, **options):
        try:
            return function(*arguments, **options)
        except (Error, KeyboardInterrupt) as raised:
            if shows_all(arguments[0] if arguments else None):
                raise
            fault = raised
        try:
            raise fault.with_traceback(None) from users_cause(fault)
        finally:
            del fault                   # it refers to this frame, which would keep the caller's variables alive
    return call


def shows_all(thing):
    """Whether SET debug asks for the engine's frames; `thing` is a Connection, a Cursor, or neither."""
    session = getattr(getattr(thing, "connection", thing), "session", None)
    return session is not None and session.setting("debug") != "0"


def users_cause(fault):
    """The cause of an error if it came out of the user's code, without our frames before it; else None."""
    cause = fault.__cause__
    if isinstance(fault, KeyboardInterrupt) and cause is not None:
        return cause.with_traceback(None)
    if cause is None or getattr(fault, "sqlstate", None) != "38000":
        return None
    frames = cause.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename.startswith(PACKAGE):
        frames = frames.tb_next
    return cause.with_traceback(frames)
