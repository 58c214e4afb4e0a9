"""Errors for people: PostgreSQL's SQLSTATE and words, and where in the statement they arose.

Everything that goes wrong with a statement is raised as `error(sqlstate, message, ...)`, at the place that knows. The class
of the exception follows from the SQLSTATE as DB-API 2.0 asks (PEP 249); callers that care look at `sqlstate`.
"""


class Warning(Exception):
    """Something worth telling that did not stop the statement (PEP 249)."""


class Error(Exception):
    """Root of all errors of the database.

    sqlstate: five characters, as in PostgreSQL's appendix A. position: the 1-based character in the statement, or None.
    context: where inside a value it went wrong, or None.
    """

    def __init__(self, message, sqlstate="XX000", *, detail=None, hint=None, position=None, context=None):
        super().__init__(message)
        self.message, self.sqlstate = message, sqlstate
        self.detail, self.hint, self.position, self.context = detail, hint, position, context

    def __str__(self):
        lines = [self.message]
        if self.detail:
            lines.append(f"DETAIL:  {self.detail}")
        if self.hint:
            lines.append(f"HINT:  {self.hint}")
        if self.context:
            lines.append(f"CONTEXT:  {self.context}")
        return "\n".join(lines)


class InterfaceError(Error):
    """The programming interface was used wrongly: a closed cursor, say."""


class DatabaseError(Error):
    """Anything the database itself reports."""


class DataError(DatabaseError):
    """A value that cannot be: out of range, division by zero, bad input."""


class OperationalError(DatabaseError):
    """The environment's fault: no memory, no disk, a query cancelled."""


class IntegrityError(DatabaseError):
    """A constraint forbids it."""


class InternalError(DatabaseError):
    """A fault in Caldera, or a transaction in a state that forbids the statement."""


class ProgrammingError(DatabaseError):
    """The statement is wrong: syntax, unknown names, types that do not fit."""


class NotSupportedError(DatabaseError):
    """PostgreSQL may have it, Caldera does not (yet)."""


CLASSES = {"0A": NotSupportedError, "21": ProgrammingError, "22": DataError, "23": IntegrityError, "25": InternalError,
           "40": OperationalError, "53": OperationalError, "54": OperationalError, "55": OperationalError,
           "57": OperationalError, "58": OperationalError, "3D": ProgrammingError, "3F": ProgrammingError,
           "42": ProgrammingError, "44": IntegrityError, "F0": InternalError, "XX": InternalError, "08": OperationalError,
           "26": ProgrammingError, "34": ProgrammingError, "28": OperationalError, "2B": InternalError}


def error(sqlstate, message, *, detail=None, hint=None, position=None, context=None):
    """The exception for an SQLSTATE, to be raised by the caller: `raise error("22012", "division by zero")`."""
    kind = CLASSES.get(sqlstate[:2], DatabaseError)
    return kind(message, sqlstate, detail=detail, hint=hint, position=position, context=context)
