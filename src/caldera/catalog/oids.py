"""The OIDs that PostgreSQL 18 has given to functions, operators and other things with names, as facts.

The file `oids.json` is written by tools/generate_facts.py, as facts.json is; it is read when first asked for.

    functions       "abs 1396 int8 f i 0 int8"          name, OID, result, kind, volatility, gives a set, arguments
    operators       "+ 551 177 int4 int4 int4"          name, OID, OID of its function, result, left (-: prefix), right
    orders          "int4_ops 1978 int4 1"              B-tree operator class: name, OID, type, whether it is the default
    types           "int4 42 43 ..."                    name, columns of pg_type as in MACHINERY
    collations, roles, configurations, dictionaries     "C 950"
"""
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

MACHINERY = ("typinput", "typoutput", "typreceive", "typsend", "typmodin", "typmodout", "typanalyze", "typsubscript",
             "typalign", "typstorage", "typcollation", "typdelim")


class NamedFunction(NamedTuple):
    """A function of PostgreSQL's. Types by name; kind: f, a, w or p; volatility: i, s or v."""
    name: str
    oid: int
    result: str
    kind: str
    volatility: str
    many: bool
    arguments: tuple


class NamedOperator(NamedTuple):
    """An operator; `function` is the OID of the function behind it."""
    name: str
    oid: int
    function: int
    result: str
    arguments: tuple            # of a prefix operator the one behind it


class Order(NamedTuple):
    """A way to sort values of a type, by its name: a B-tree operator class."""
    name: str
    oid: int
    type: str
    is_default: bool


@cache
def sections():
    """The lists of lines, by section."""
    return msgspec.json.decode(Path(__file__).with_name("oids.json").read_bytes())


@cache
def functions():
    """All NamedFunctions, in the order of their OIDs."""
    found = []
    for line in sections()["functions"]:
        name, oid, result, kind, volatility, many, *arguments = line.split(" ")
        found.append(NamedFunction(name, int(oid), result, kind, volatility, many == "1", tuple(arguments)))
    return tuple(found)


@cache
def operators():
    """All NamedOperators."""
    found = []
    for line in sections()["operators"]:
        name, oid, function, result, left, right = line.split(" ")
        found.append(NamedOperator(name, int(oid), int(function), result, (right,) if left == "-" else (left, right)))
    return tuple(found)


@cache
def orders():
    """All Orders."""
    lines = (line.split(" ") for line in sections()["orders"])
    return tuple(Order(name, int(oid), type, is_default == "1") for name, oid, type, is_default in lines)


@cache
def type_machinery():
    """{name of a type: {column of pg_type: value}} for the columns in MACHINERY."""
    lines = (line.split(" ") for line in sections()["types"])
    return {name: {column: int(value) if value.isdigit() else value for column, value in zip(MACHINERY, values)}
            for name, *values in lines}


@cache
def by_name(section):
    """{name: OID} of the things of a section that have no more than that."""
    return {name: int(oid) for name, oid in (line.split(" ") for line in sections()[section])}


@cache
def grouped(things):
    """{name: its NamedFunctions or NamedOperators}; things: the function that gives all."""
    found: dict[str, list] = {}
    for thing in things():
        found.setdefault(thing.name, []).append(thing)
    return found


@cache
def by_oid(things):
    """{OID: NamedFunction or NamedOperator}."""
    return {thing.oid: thing for thing in things()}
