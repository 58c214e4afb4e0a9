"""Data frames and Arrow tables among the variables of the caller, which SQL may name like tables.

    def report(connection, orders):                         # orders: pandas, polars, pyarrow
        return connection.sql("SELECT sum(price) FROM orders").df()

A table or view of the database comes first. Then variables are looked for in the function that called into Caldera, then
in its callers, in each before its module's; SQL folds names to lower case, so where no variable is spelled exactly like the
name, one that differs in case will do.
"""
import sys


class FrameFinder:
    """Gives `session.find_frame` its relations. Within a statement a variable is converted once; Arrow tables cannot change,
    so theirs are kept for as long as the tables live."""

    def __init__(self):
        self.of_statement, self.of_tables = {}, {}

    def __call__(self, name):
        """The relation of a variable, or None. Raises 42846 or 0A000 for frames that hold what SQL has no type for."""
        thing = find_variable(name)
        return None if thing is None else self.relation(thing, name)

    def relation(self, thing, name):
        """The relation over a frame."""
        if id(thing) not in self.of_statement:
            self.of_statement[id(thing)] = thing, self.kept(thing) or self.opened(thing, name)
        return self.of_statement[id(thing)][1]

    def kept(self, thing):
        """The relation made for the same Arrow table by an earlier statement, or None."""
        reference, relation = self.of_tables.get(id(thing), (None, None))
        return relation if reference is not None and reference() is thing else None

    def opened(self, thing, name):
        import weakref

        import pyarrow

        from caldera.storage.external import open_frame
        relation = open_frame(thing, name)
        if isinstance(thing, pyarrow.Table):
            number = id(thing)
            relation.table = thing.slice()          # another object over the same memory, so that it is not kept alive by us
            self.of_tables[number] = weakref.ref(thing, lambda _: self.of_tables.pop(number, None)), relation
        return relation

    def forget(self):
        """The statement has ended."""
        self.of_statement.clear()


def find_variable(name):
    """The nearest variable of the caller with that name that holds a table, or None."""
    scopes = list(caller_scopes())
    for variables in scopes:
        if name in variables and is_table(variables[name]):
            return variables[name]
    for variables in scopes:
        for other in list(variables):
            if isinstance(other, str) and other.lower() == name and is_table(variables[other]):
                return variables[other]
    return None


def caller_scopes():
    """The variables of whoever called into this package, and of their callers: locals, then globals."""
    frame, seen = sys._getframe(1), set()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "caldera":
        frame = frame.f_back
    while frame is not None:
        if frame.f_locals is not frame.f_globals:
            yield frame.f_locals
        if id(frame.f_globals) not in seen:
            seen.add(id(frame.f_globals))
            yield frame.f_globals
        frame = frame.f_back


def is_table(thing):
    """Whether a variable's value can be read as a table; cheap for everything else. A class has the methods, but is none."""
    if isinstance(thing, type):
        return False
    if "pyarrow" not in sys.modules and "pandas" not in sys.modules and "polars" not in sys.modules:
        return hasattr(type(thing), "__arrow_c_stream__")
    from caldera.storage.external.frames import is_frame
    return is_frame(thing)
