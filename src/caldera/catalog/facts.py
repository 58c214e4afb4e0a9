"""What PostgreSQL 18 knows about its own types, operators, functions and casts, as facts to reason with.

The file `facts.json` is written by tools/generate_facts.py from a running server. It is a map of what PostgreSQL has, not
of what Caldera has: overloads are resolved among all of PostgreSQL's candidates, so that `'1' + 2.5` or `abs('-3')` mean
what they mean there, and only then is the chosen one looked up in `caldera.functions`. So a missing function is told from a
misspelt one, too. Everything is by name; text is parsed when a name is first asked for.

    operators   "+": ["int4 int4>int4 int4pl", ...]          left (none: prefix), right > result, function behind it
    functions   "abs": ["int4>int4 f", ...]                  arguments > result, flags, then perhaps the arguments' names and
                                                             the last ones' defaults: "... fd2 mean,stddev = 0, 1"
    flags       f function, a aggregate, o ordered-set aggregate, w window function; then s gives a set, v variadic,
                n not strict, d3 the last three arguments have defaults, ~ stable, ! volatile
    casts       "int4 int8 i f"                              source target, context (i, a, e), method (f, b, i)
"""
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

_sections = msgspec.json.decode(Path(__file__).with_name("facts.json").read_bytes())
VERSION = _sections["version"]


class TypeFact(NamedTuple):
    """A type: its pg_type.oid and format_type spelling, category and so on; `element`: of an array its element's name."""
    name: str
    oid: int
    sql_name: str
    category: str
    preferred: bool
    length: int
    kind: str
    element: str


class Signature(NamedTuple):
    """One overload, types by name. `kind`: one of f, a, o, w. `many`: gives a set of rows. `defaults`: how many of the last
    arguments may be left out, `values`: what they are then, as an SQL list. `names`: of the arguments, or empty."""
    name: str
    arguments: tuple
    result: str
    kind: str = "f"
    many: bool = False
    variadic: bool = False
    strict: bool = True
    defaults: int = 0
    names: tuple = ()
    values: str = ""


TYPES = {name: TypeFact(name, *values) for name, values in _sections["types"].items()}
BY_OID = {fact.oid: fact for fact in TYPES.values()}
ARRAYS = {fact.element: name for name, fact in TYPES.items() if fact.element and name.startswith("_")}    # by element

# (source, target) -> (context, method): context "i" implicit, "a" also in assignments, "e" only explicit; method "f" by a
# function, "b" the bits stay, "i" through text.
CASTS = {(source, target): (context, method)
         for source, target, context, method in (line.split() for line in _sections["casts"])}


@cache
def operators(name):
    """The overloads of an operator as Signatures of one or two arguments, named by the function behind each."""
    found = []
    for line in _sections["operators"].get(name, ()):
        arguments, _, rest = line.partition(">")
        result, function = rest.split()
        found.append(Signature(function, tuple(arguments.split()), result))
    return tuple(found)


@cache
def functions(name):
    """The overloads of a function, aggregate or window function as Signatures."""
    found = []
    for line in _sections["functions"].get(name, ()):
        arguments, _, rest = line.partition(">")
        rest, _, values = rest.partition(" = ")
        result, flags, *names = rest.split()
        defaults = int(flags[flags.index("d") + 1]) if "d" in flags else 0
        found.append(Signature(name, tuple(arguments.split()), result, flags[0], "s" in flags, "v" in flags,
                               "n" not in flags, defaults, tuple(names[0].split(",")) if names else (), values))
    return tuple(found)
