"""Parameters: from Python objects and DB-API placeholders to typed values of $1, $2, ...

    bound("a = %s AND b = %(b)s", ...)      placeholders as psycopg has them become $1, $2, ...
    bound("a = $1", [7])                    PostgreSQL's own stay as they are

What a parameter is follows from the Python object as from a literal in SQL: an int is an integer or bigint (or numeric, if
it is larger), a float a double precision. A str and None are of no type by themselves: where they are used tells what they
are, so that `day = %s` takes '2024-02-29' as a date; if nothing tells, text.
"""
import datetime
import decimal
import re
import uuid
from collections.abc import Mapping
from functools import lru_cache

import numpy

from caldera.base.errors import InterfaceError, ProgrammingError, error
from caldera.types.array import array_of
from caldera.types.registry import TYPES, utf8


class Given:
    """A parameter's value, as caldera.query.execute takes it."""
    __slots__ = ("type", "thing")

    def __init__(self, thing):
        self.thing = plain(thing)
        self.type = type_of(self.thing)

    def datum(self, type, session):
        """The value as a datum of the type that the statement makes of it. Raises 22P02, 22021 and the like."""
        if self.thing is None:
            return None
        if isinstance(self.thing, (list, tuple)):
            if type.category != "A":
                raise error("42846", f"cannot cast a list to {type.sql_name}", hint=ONE_BY_ONE)
            return type.from_python(self.thing)
        if self.type is None:
            utf8(self.thing)
            return type.parse(self.thing, None, session)
        return type.from_python(self.thing)


def plain(thing):
    """The Python object that a scalar of numpy or pandas stands for; None for what they have for a missing one (NaT, NA)."""
    if thing is None or type(thing) in NAMES or isinstance(thing, str):
        return thing
    kind, package = type(thing).__name__, type(thing).__module__.partition(".")[0]
    if package == "pandas" and kind in ("NaTType", "NAType"):
        return None
    if package != "numpy" or isinstance(thing, bytes) or getattr(thing, "ndim", 0):
        return thing
    if kind not in ("datetime64", "timedelta64"):
        return thing.item()
    is_fine = numpy.datetime_data(thing.dtype)[0] in ("ns", "ps", "fs", "as")      # too fine for a Python object
    found = (thing.astype(f"{thing.dtype.kind}8[us]") if is_fine else thing).item()
    if isinstance(found, int):                      # numpy makes none outside Python's calendar either, nor of months
        raise error("22008", f"{kind} out of range: {thing}")
    return found


def type_of(thing):
    """The SqlType of a Python object, None for str and None. Raises 0A000 for objects that SQL has no type for."""
    if thing is None or isinstance(thing, str):
        return None
    if isinstance(thing, (list, tuple)):
        return array_type_of(thing)
    name = NAMES.get(type(thing)) or next((name for kind, name in NAMES.items() if isinstance(thing, kind)), None)
    if name is None:
        several = isinstance(thing, (set, frozenset, range)) or getattr(thing, "ndim", 0)
        raise error("0A000", f'cannot pass an object of type "{type(thing).__name__}" as a parameter',
                    hint=ONE_BY_ONE if several else None)
    if name == "int4" and not -2**31 <= thing < 2**31:
        name = "int8" if -2**63 <= thing < 2**63 else "numeric"
    elif name == "timestamp" and thing.tzinfo is not None:
        name = "timestamptz"
    elif name == "time" and thing.tzinfo is not None:
        raise error("0A000", "type time with time zone is not supported", hint="Pass a time without tzinfo.")
    return TYPES[name]


def array_type_of(things):
    """The array type of a list, from its elements; None where they do not tell, so that the statement has to."""
    types = [found for found in map(type_of, flat(things)) if found is not None]
    if not types:
        return None
    widest = max(types, key=lambda found: WIDTHS.get(found.name, 0))
    return array_of(widest)


def flat(things):
    """The elements of nested lists."""
    for thing in things:
        if isinstance(thing, (list, tuple)):
            yield from flat(thing)
        else:
            yield plain(thing)


WIDTHS = {"int4": 1, "int8": 2, "numeric": 3, "float8": 4}          # of mixed numbers the widest type is meant


# By type; where several fit an object, the first one counts: a bool is an int, a datetime a date.
NAMES = {bool: "bool", int: "int4", float: "float8", decimal.Decimal: "numeric", bytes: "bytea", bytearray: "bytea",
         memoryview: "bytea", datetime.datetime: "timestamp", datetime.date: "date", datetime.time: "time",
         datetime.timedelta: "interval", uuid.UUID: "uuid", dict: "jsonb"}


ONE_BY_ONE = "Each value needs a placeholder: sql(text, 1, 2) or execute(text, (1, 2)) for \"IN (%s, %s)\"."


def bound(text, parameters):
    """(text with $1, $2, ..., a list of Given). parameters: None, a sequence, or a mapping for %(name)s. Raises
    ProgrammingError (42P02) if placeholders and parameters do not fit each other."""
    if parameters is None:
        return text, []
    if isinstance(parameters, str) or not isinstance(parameters, Mapping) and not hasattr(parameters, "__iter__"):
        raise InterfaceError("parameters must be a sequence or a mapping", "08P01",
                             hint="For one value: execute(text, (value,)).")
    translated, names, highest = translate(text)
    if names and isinstance(names[0], str):
        if not isinstance(parameters, Mapping):
            raise ProgrammingError("the placeholders have names, so the parameters must be a mapping", "42P02")
        missing = [name for name in names if name not in parameters]
        if missing:
            raise ProgrammingError(f"the parameter {missing[0]} is missing", "42P02")
        return translated, [Given(parameters[name]) for name in names]
    if isinstance(parameters, Mapping) and parameters:
        raise ProgrammingError("the placeholders have no names, so the parameters must be a sequence", "42P02")
    given = [Given(thing) for thing in parameters]
    wanted = len(names) or highest
    if len(given) != wanted:
        raise ProgrammingError(f"placeholders in the statement: {wanted}, parameters given: {len(given)}", "42P02")
    return translated, given


TOKEN = re.compile(r"""
    (?P<skip> [eE]'(?:[^'\\]|\\.|'')*' | '(?:[^']|'')*' | "(?:[^"]|"")*" | --[^\n]* | /\*.*?\*/
            | \$(?P<tag>(?:[^\W\d]\w*)?)\$.*?\$(?P=tag)\$ )
  | (?<!\w)\$(?P<number>\d+)
  | %(?P<percent>%) | %\((?P<name>[^)]+)\)[sbt] | %(?P<place>[sbt])(?!\w)
""", re.VERBOSE | re.DOTALL)


@lru_cache(maxsize=512)
def translate(text):
    """(text with placeholders of the form $1, what they are in order, the highest $number that stood there already).

    Placeholders are %s and %(name)s outside quotations and comments; then %% means one % everywhere, as in psycopg. A text
    that has none, but $1, is left alone. What they are: names without repetition, or None for each %s.
    """
    kinds = {kind for match in TOKEN.finditer(text) for kind, value in match.groupdict().items() if value is not None}
    highest = max((int(match["number"]) for match in TOKEN.finditer(text) if match["number"]), default=0)
    if not kinds & {"name", "place"}:
        return (text if highest else text.replace("%%", "%")), (), highest
    if len(kinds & {"name", "place", "number"}) > 1:
        raise ProgrammingError("placeholders of different styles cannot be mixed", "42P02")
    names = []

    def written(match):
        if match["skip"] is not None:
            return match["skip"].replace("%%", "%")
        if match["percent"]:
            return "%"
        if match["name"] is None:
            names.append(None)
            return f"${len(names)}"
        if match["name"] not in names:
            names.append(match["name"])
        return f"${names.index(match['name']) + 1}"
    return TOKEN.sub(written, text), tuple(names), 0
