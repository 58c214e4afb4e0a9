"""`@caldera.function`: a Python function becomes a SQL function, fused into the query's machine code like a built-in one.

    @caldera.function("tax(float8) -> float8")          types as in SQL; several signatures make several overloads
    def tax(amount):
        return amount * 1.19                            operators with SQL's meaning and checks: functions.staged

    @caldera.function                                   name and types from the annotations
    def fahrenheit(celsius: float) -> float: ...

    @caldera.function("popcount(int8) -> int8")
    def popcount(k, bits):                              asks for the kernel: gets bare machine values, whose arithmetic wraps
        return k.ones(bits)

    @caldera.function("slug(text) -> text", python=True)
    def slug(title):                                    plain Python over Python objects, called for each row
        return title.lower().replace(" ", "-")

NULL in gives NULL out, and the body never sees it, unless `strict=False` says otherwise: then staged values know
`is_null()`, and plain Python gets None. A function is there for all databases of the process; defining it again replaces it,
and plans that were made with the old one are forgotten. What a function says must depend on its arguments only, or
volatility="v" (each row anew) or "s" (each statement anew) must say that it does not.
"""
import contextlib
import functools
import inspect
import re
import typing
from dataclasses import dataclass

from caldera import functions
from caldera.base.errors import Error, error
from caldera.functions import registry
from caldera.functions.staged import NATURAL, Staged, choose, result_of, type_named
from caldera.kernel.nullable import Sql

__all__ = ["DEFINED", "choose", "function"]

DEFINED = []                    # all Functions that users defined, in order; plans are good for one length of it
OWN = {}                        # (name, arguments) -> the Function that is in force
SIGNATURE = re.compile(r'\s*(?P<name>"[^"]+"|[^\W\d]\w*)\s*\((?P<arguments>(?:[^()]|\([^()]*\))*)\)\s*->\s*'
                       r'(?P<result>.+?)\s*$')


@dataclass(frozen=True, eq=False, repr=False)
class UserFunction(registry.Function):
    """A scalar function of a user's. Its body may say NULL where no argument is."""
    may_be_null: bool = True


def function(*signatures, python=False, strict=True, volatility="i", cheap=False):
    """Register a Python function as a SQL function; see this module. Gives the Python function back as it was.

    signatures: "name(type, ...) -> type"; without one, name and types come from the annotations. cheap: worth computing
    for rows that do not want it rather than branching around it. Raises 42601, 42704 for signatures that say nothing known
    or do not fit the body, 22023 for an unknown volatility, 42723 for a signature that a built-in function has.
    """
    if volatility not in ("i", "s", "v"):
        raise error("22023", f'unrecognized volatility "{volatility}"',
                    hint='It is "i" (immutable), "s" (stable) or "v" (volatile).')
    if len(signatures) == 1 and callable(signatures[0]):
        return function()(signatures[0])

    def register(body):
        functions.load()
        for name, arguments, result in map(parsed, signatures) if signatures else [annotated(body)]:
            existing = next((known for known in registry.FUNCTIONS.get(name, ()) if known.arguments == arguments), None)
            if existing is not None and OWN.get((name, arguments)) is not existing:
                raise error("42723", f'function "{name}" already exists with same argument types')
            check_body(body, name, len(arguments), python)
            inner = plain(body, name, arguments, result) if python else staged(body, name)
            definition = UserFunction(name, arguments, result, inner, python=python, strict=strict, volatility=volatility,
                                      cheap=cheap and not python, doc=inspect.getdoc(body) or "")
            OWN[name, arguments] = registry.add(definition)
            DEFINED.append(definition)
        return body
    return register


def parsed(signature):
    """(name, argument types, result type) of a signature. Names without quotes are folded to lower case, as in SQL."""
    match = SIGNATURE.match(signature)
    if match is None:
        raise error("42601", f'"{signature}" is not a signature', hint='Write it like "tax(float8, date) -> float8".')
    name = match["name"][1:-1] if match["name"].startswith('"') else match["name"].lower()
    arguments = tuple(type_named(word) for word in match["arguments"].split(",") if word.strip())
    return name, arguments, type_named(match["result"])


def kernel_parameter(body):
    """The name of a body's first parameter if that asks for the kernel (k), or for all there is to know of the call."""
    first = next(iter(inspect.signature(body).parameters), None)
    return first if first in ("k", "call") else None


def check_body(body, name, count, python):
    """Raise 42601 if a body does not take so many arguments."""
    try:
        asks = not python and kernel_parameter(body) is not None
        inspect.signature(body).bind(*[None] * (count + asks))
    except ValueError:                              # some functions of Python's own do not tell what they take
        pass
    except TypeError as fault:
        raise error("42601", f'the body of function "{name}" does not take its {count} argument{"" if count == 1 else "s"}: '
                             f"{fault}") from None


def annotated(body):
    """The same from a function's annotations: Python types, or names of SQL types as texts."""
    try:
        hints = typing.get_type_hints(body)
    except NameError:                               # names of SQL types are no names of Python
        hints = dict(body.__annotations__)
    names = [name for name in inspect.signature(body).parameters if name not in ("k", "call")]
    missing = [name for name in [*names, "return"] if name not in hints]
    if missing:
        raise error("42601", f'"{body.__name__}" has no type for {missing[0]}',
                    hint='Annotate arguments and result, or write @caldera.function("name(type) -> type").')
    *arguments, result = [sql_type(hints[name]) for name in [*names, "return"]]
    return body.__name__.lower(), tuple(arguments), result


def sql_type(hint):
    """The SqlType of an annotation."""
    if isinstance(hint, str):
        return type_named(hint)
    options = [option for option in typing.get_args(hint) if option is not type(None)] or [hint]        # Optional[int]
    name = getattr(options[0], "__name__", str(options[0]))
    return type_named("int8" if name == "int" else NATURAL.get(name, name))


def staged(body, name):
    """The registry's kind of body around a user's: Staged values for it, unless it asks for the kernel."""
    asked = kernel_parameter(body)

    @functools.wraps(body)
    def stage(call, *values):
        if asked is not None:
            given = [call.k if asked == "k" else call, *values]
        else:
            given = [Staged(call, type, value if isinstance(value, Sql) else Sql(value, True))
                     for type, value in zip(call.types, values)]
        with faults_told(name):
            return result_of(call, body(*given), call.result)
    return stage


@contextlib.contextmanager
def faults_told(name):
    """What a user's code raises in here becomes the error 38000, unless it is an error of the database."""
    try:
        yield
    except Error:
        raise
    except Exception as exception:
        raise error("38000", f"function {name} failed: {type(exception).__name__}: {exception}") from exception


def plain(body, name, types, result):
    """The registry's kind of body around plain Python: datums to Python objects and back. What the body raises becomes the
    error 38000, unless it is an error of the database."""
    @functools.wraps(body)
    def call(*datums):
        with faults_told(name):
            answer = body(*(None if datum is None else type.to_python(datum) for type, datum in zip(types, datums)))
            return None if answer is None else result.from_python(answer)
    return call

