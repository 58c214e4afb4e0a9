"""One definition for each SQL function: signature, body, documentation, example. Adding one touches one file.

    @scalar("abs(int4) -> int4", doc="Absolute value", example="SELECT abs(-3)  -- 3")
    def abs_int4(call, a):                                  # staged: a is a Value of I32, call.k the kernel
        call.fault(a == -2**31, "22003", "integer out of range")
        return call.k.choose(a < 0, call.k.negate(a), a)

    @scalar("reverse(text) -> text", python=True)
    def reverse(text):                                      # plain Python over datums, called once per row
        return text[::-1]

Both kinds never see NULL and give NULL for NULL (strict), unless declared `strict=False`: then a staged body gets and gives
`Sql` pairs, a Python body None. A staged body of a strict function may also return an `Sql`. Operators are functions that
name an operator; casts are functions that name a cast context. Types are named as in pg_type.

Aggregates are classes, see `Aggregate`; window functions work on whole columns, see `WindowFunction`. The binder finds
everything through `FUNCTIONS`, `OPERATORS`, `CASTS`, `AGGREGATES` and `WINDOW_FUNCTIONS`.
"""
import re
from dataclasses import dataclass
from typing import Any
from collections.abc import Callable

from caldera.types import registry as types

ANY = "any"                         # a pseudo-type: takes a value of any type
# Names by which PostgreSQL declares arguments of several types, and results whose type follows from theirs.
PSEUDO_TYPES = {ANY, "anyelement", "anynonarray", "anyarray", "anyenum", "anyrange", "anymultirange", "anycompatible",
                "anycompatiblenonarray", "anycompatiblearray", "record"}
# Those that stand for one type in all places of a signature: whether a type may be it.
OF_ONE_TYPE = {"anyelement": lambda type: True, "anyarray": lambda type: type.category == "A",
               "anyenum": lambda type: type.kind == "e", "anyrange": lambda type: type.kind == "r",
               "anymultirange": lambda type: type.kind == "m", "record": lambda type: type.kind in "pc"}


@dataclass(frozen=True, eq=False)
class Function:
    """A scalar function. `arguments` and `result` are SqlTypes or PSEUDO_TYPES; with
    `variadic` the last argument may repeat. `volatility`: "i" immutable, "s" stable, "v" volatile. `cheap`: worth
    computing without a branch around it. `static`: numbers of the arguments whose constants the body wants to know
    while staging (a LIKE needle), which makes them part of the program. `canonical`: with constants there, equal
    results have equal words (a numeric of one scale), so that groups can be told apart by words."""
    name: str
    arguments: tuple
    result: Any
    body: Callable
    python: bool = False
    operator: str | None = None
    cast: str | None = None         # "implicit", "assignment" or "explicit"
    strict: bool = True
    volatility: str = "i"
    variadic: bool = False
    cheap: bool = False
    static: tuple = ()
    canonical: bool = False
    may_be_null: bool = False       # a strict staged body that gives NULL for some arguments
    wants_session: bool = False     # a Python body that takes the session as its first argument
    wants_types: bool = False       # a Python body that takes its arguments' SqlTypes, behind the session if there is one
    wants_result: bool = False      # a Python body that takes the SqlType of its result, behind these
    result_modifier: Callable | None = None     # argument expressions -> modifier of the result
    doc: str = ""
    example: str = ""

    def __repr__(self):
        return f"{self.name}({', '.join(map(str, self.arguments))})"


class Aggregate:
    """An aggregate function: a subclass, registered with `@aggregate("sum(int4) -> int8")`.

    The state of one group is a list of *cells*: machine words of the types in `cells` (I64 or F64), which start at
    `initial`. Staged methods get `cells`, things with `get()` and `set(value)`, and staged argument values:

        update(call, cells, mask, *values)   one row; it counts only where `mask` (True or staged) holds. The mask is the
                                             arguments' validity and the FILTER clause, unless the class is not
                                             `strict`, when values are Sql pairs and the mask is the FILTER clause alone
        combine(call, cells, others)         another state of the same group, as cells, into this one
        final(call, cells) -> Sql            the result

        begin_block(k)                       something to gather the rows of one block in, or None: `update` finds it as
                                             `call.block_sum` and may leave the cells alone, `end_block(call, cells)` follows

    `call.types`, `call.result` are the SqlTypes; `call.own(text)` copies text so that it lives as long as the group.
    Instances are made for one use in one plan: `Sum(types, result)`.

    An aggregate may instead be plain Python (`python = True`): `start() -> state`, `step(state, *datums) -> state`,
    `merge(state, other) -> state`, `finish(state) -> datum or None` (cells are then an affair of the engine).
    """
    name, python, strict = "", False, True
    cells: tuple = ()
    initial: tuple = ()
    text_cells: tuple = ()          # numbers of the cells with which the two words of a text's cell begin
    empty_is_null = True            # of no row at all; count gives 0
    ordered = False                 # the result depends on the order of the rows (string_agg)
    grows = False                   # in plain Python: a state keeps the values of all rows
    gathers = False                 # in plain Python: the state is the list of the one argument's values, NULLs as well
    session: Any = None             # the session of the query, for text forms that depend on its settings
    within_group = False            # an ordered-set aggregate: its last argument is what WITHIN GROUP orders
    shares_state = False            # others with this `update` and `combine` have the same state for the same arguments

    def __init__(self, types, result):
        self.types, self.result = types, result

    def begin_block(self, k):
        """What gathers the rows of one block, see above."""
        return None


@dataclass(frozen=True, eq=False)
class AggregateSignature:
    """One overload of an aggregate: argument types, result type, and the class that implements it."""
    name: str
    arguments: tuple
    result: Any
    implementation: type
    variadic: bool = False
    doc: str = ""
    example: str = ""
    result_modifier: Callable | None = None


@dataclass(frozen=True, eq=False)
class WindowFunction:
    """A function that is no aggregate and needs OVER. `body(rows, *arguments)` computes it for all rows at once: `rows` is
    an operators.window_rows.WindowRows, which knows where each row's partition, peers and frame begin and end; arguments are
    its Arguments, in the order of the rows. It returns an array of the results (or a pair of that and an array of which are
    valid); with `picks`, the numbers of the rows whose first argument is the result; -1 where there is no such row: the
    result is the third argument then; else NULL."""
    name: str
    arguments: tuple
    result: Any
    body: Callable
    picks: bool = False
    doc: str = ""
    example: str = ""


@dataclass(frozen=True, eq=False)
class TableFunction:
    """A function in FROM: `columns` are (name, SqlType); `rows(session, *datums)` yields tuples of datums. Without columns
    the rows are of the type of the first argument, if that is declared as anyelement, or what a column definition list
    says; `rows(session, type, *datums)` yields datums of it."""
    variadic = False
    name: str
    arguments: tuple
    columns: tuple | None
    rows: Callable
    doc: str = ""


FUNCTIONS: dict[str, list[Function]] = {}
OPERATORS: dict[str, list[Function]] = {}
CASTS: dict[tuple, Function] = {}               # (source SqlType, target SqlType) -> Function
AGGREGATES: dict[str, list[AggregateSignature]] = {}
WINDOW_FUNCTIONS: dict[str, list[WindowFunction]] = {}
TABLE_FUNCTIONS: dict[str, list[TableFunction]] = {}
SIGNATURE = re.compile(r'\s*(?P<name>"?\w+"?)\s*\(\s*(?P<arguments>[^)]*)\)\s*->\s*(?P<result>\w+)\s*$')


def pseudo_or_type(word):
    """The SqlType of that name, or the name itself if it is one of PSEUDO_TYPES."""
    return word if word in PSEUDO_TYPES else types.lookup(word)


def parse_signature(text):
    """'name(int4, text) -> bool' to (name, argument types, result type)."""
    match = SIGNATURE.match(text)
    if not match:
        raise ValueError(f"not a signature: {text}")
    arguments = [word.strip() for word in match["arguments"].split(",") if word.strip() and word.strip() != "*"]
    return match["name"].strip('"'), tuple(map(pseudo_or_type, arguments)), pseudo_or_type(match["result"])


def scalar(*signatures, **options):
    """Register a function under one or more signatures; keyword options are the fields of `Function`."""
    def register(body):
        for signature in signatures:
            name, arguments, result = parse_signature(signature)
            add(Function(name, arguments, result, body, **options))
        return body
    return register


def add(function):
    """Put a definition into the registry; one with the same name and arguments is replaced (users may redefine theirs)."""
    same_name = FUNCTIONS.setdefault(function.name, [])
    for other in [other for other in same_name if other.arguments == function.arguments]:
        remove(other)
    same_name.append(function)
    if function.operator:
        OPERATORS.setdefault(function.operator, []).append(function)
    if function.cast:
        CASTS[function.arguments[0], function.result] = function
    return function


def remove(function):
    """Take a definition out of the registry."""
    FUNCTIONS[function.name].remove(function)
    if function.operator:
        OPERATORS[function.operator].remove(function)
    if function.cast:
        CASTS.pop((function.arguments[0], function.result), None)


def aggregate(*signatures, **options):
    """Register a subclass of Aggregate under one or more signatures."""
    def register(implementation):
        for signature in signatures:
            name, arguments, result = parse_signature(signature)
            implementation.name = implementation.name or name
            AGGREGATES.setdefault(name, []).append(AggregateSignature(name, arguments, result, implementation, **options))
        return implementation
    return register


def window(*signatures, **options):
    """Register a window function under one or more signatures; keyword options are the fields of `WindowFunction`."""
    def register(body):
        for signature in signatures:
            name, arguments, result = parse_signature(signature)
            WINDOW_FUNCTIONS.setdefault(name, []).append(WindowFunction(name, arguments, result, body, **options))
        return body
    return register


class Call:
    """What a staged body may use besides its arguments: one use of a function in one program.

    k: the kernel. types: SqlTypes of the arguments. result: SqlType of the result. modifiers, result_modifier: likewise.
    """

    def __init__(self, k, row, types, result, modifiers=(), result_modifier=None, known=(), session=None, scratch=None):
        self.k, self.row, self.types, self.result = k, row, types, result
        self.modifiers, self.result_modifier = modifiers, result_modifier
        self.known_datums, self.session, self.scratch_arena = known, session, scratch
        self.block_sum = None           # of an aggregate's update, what `Aggregate.begin_block` made

    def known(self, number):
        """The datum of an argument that is a constant and declared static, else None."""
        return self.known_datums[number] if number < len(self.known_datums) else None

    def fault(self, bad, sqlstate, message, culprit=None, detail=None):
        """Report an error for rows where the staged BOOL `bad` holds (and the arguments are valid, and the row is still
        wanted: the caller masks it). `culprit`: a Text that replaces {} in the message."""
        self.row.report(sqlstate, message, bad, culprit, detail)

    def scratch(self, size):
        """The address (I64) of `size` bytes (I64) that live until the next block; TEXT_SPARE more may be touched."""
        return self.scratch_arena.allocate(self.k, size)

    def setting(self, name):
        """A setting of the session, known while staging."""
        return self.session.setting(name)
