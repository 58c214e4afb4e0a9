"""Files as tables: FROM 'hits_*.parquet', read_parquet('a.parquet'), read_csv('a.csv', delimiter => ';')."""
import os

from caldera.base.errors import Error
from caldera.bind.binder import strings
from caldera.bind.rules import bind_expression
from caldera.plan.expressions import Constant
from caldera.storage import external

READERS = {"read_parquet": "parquet", "read_csv": "csv", "read_csv_auto": "csv"}


def open_file(binder, path, location, format=None, options=None):
    """The relation that a file, or a pattern of files, is. Raises 58P01 and what the reader of its format raises."""
    try:
        return external.open_file(path, format=format, options=options or {}, session=binder.session)
    except Error as fault:
        if fault.position is None:
            fault.position = binder.position(location)
        raise


def open_copy(binder, path, format, options, columns):
    """The relation that COPY FROM reads: of a CSV or text file the columns (ColumnSchemas) that it is to be read as."""
    return external.open_copy(path, format, options, columns, session=binder.session)


def stem(path):
    """The name that a file's table goes by: without folder and ending."""
    return os.path.basename(path).partition(".")[0] or path


def read_call(scope, call, name, location):
    """The relation of a call of one of the READERS: the path, then options by name, all constants."""
    path, options = None, {}
    for number, node in enumerate(call.get("args", ())):
        named = node.get("NamedArgExpr")
        value = constant_value(scope, named["arg"] if named else node, location)
        if named:
            options[named["name"]] = value
        elif number == 0:
            path = value
        else:
            raise scope.binder.error("42883", f"function {name} takes one file; options have names: delimiter => ';'",
                                     location)
    if not isinstance(path, str):
        raise scope.binder.error("42883", f"function {name} needs the name of a file", location)
    return open_file(scope.binder, path, location, READERS[name], options)


def constant_value(scope, node, location):
    """The value of an argument or an option. Raises 0A000 for what is not constant."""
    reference = node.get("ColumnRef")
    if reference is not None:
        raise scope.binder.error("0A000", f"column {'.'.join(strings(reference['fields']))} may not be used here", location)
    expression = bind_expression(scope, node)
    if not isinstance(expression, Constant):
        raise scope.binder.error("0A000", "the arguments of a file reader must be constants", location)
    return expression.value
