"""Functions that return sets: what they give as lists, and their calls in the SELECT list (in FROM: function_rows.py).

    a call ── lists_of ──▶ lists: pairs (name, expression whose elements are the column's values) ──▶ Expand

Several lists run side by side; one that ends before the others goes on with NULL.

In the SELECT list a call stands for a new column, of an Expand below the SELECT list's Project. Calls inside the arguments
of others are expanded before them.
"""
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from caldera.bind.conversions import spelled, supported, to_type
from caldera.bind.overloads import fits
from caldera.functions import registry as functions
from caldera.functions.table.multiranges import unnest_of
from caldera.plan.arrays import ArrayOf, Steps
from caldera.plan.expansion import Expand
from caldera.plan.expressions import Call, Case, Constant, new_column
from caldera.plan.nodes import Values
from caldera.types.array import list_of
from caldera.types.array_image import Array
from caldera.types.record import RECORD, Field, record_of
from caldera.types.registry import TYPES

ONE_ROW = Values(((),), ())
IN_FROM = "functions in FROM"          # the clause, as messages call it
HINT = "You might be able to move the set-returning function into a LATERAL FROM item."


# ------------------------------------------------------------------------------------------------ lists

def lists_of(scope, name, arguments, chosen, location):
    """Pairs (name, list) of the columns that a set-returning function gives. Raises 0A000 for one that is not there."""
    binder, written = scope.binder, arguments
    arguments = [argument if type in ("any", "anyarray", argument.type.name) else
                 to_type(binder, argument, supported(binder, type, location))
                 for argument, type in zip(arguments, chosen.arguments)]
    if name == "generate_series" and chosen.result in ("int4", "int8"):
        step = arguments[2] if len(arguments) > 2 else Constant(1, TYPES[chosen.result])
        return [(name, Steps(arguments[0], arguments[1], step))]
    if name == "generate_subscripts":
        return [(name, subscripts_of(*arguments))]
    if name == "unnest" and arguments[0].type.category == "A":
        return [(name, arguments[0])]
    function = table_function(scope, name, chosen, location)
    if function.columns is None:
        records = listing_records(function)
        type = written[0].type if "anyelement" in function.arguments else RECORD
        return [(name, Call(records, tuple(arguments), list_of(type)))]
    arguments = tuple(to_type(binder, argument, type) for argument, type in zip(arguments, function.arguments))
    return [(column_name, Call(listing(function, number), arguments, listing(function, number).result))
            for number, (column_name, _) in enumerate(function.columns)]


def subscripts_of(array, dimension, reverse=None):
    """The subscripts of a dimension of an array, in reverse order where `reverse` is true."""
    lower, upper = (Call(functions.FUNCTIONS[name][0], (array, dimension), TYPES["int4"])
                    for name in ("array_lower", "array_upper"))
    one, back = Constant(1, TYPES["int4"]), Constant(-1, TYPES["int4"])
    if reverse is None:
        return Steps(lower, upper, one)
    first, last, step = (Case((reverse,), (a,), b, TYPES["int4"])
                         for a, b in ((upper, lower), (lower, upper), (back, one)))
    return Steps(first, last, step)


def table_function(scope, name, chosen, location):
    """The registered table function for a chosen overload; raises 0A000."""
    function = next((function for function in functions.TABLE_FUNCTIONS.get(name, ()) if fits(function, chosen)), None)
    if function is None and name == "unnest" and TYPES[chosen.arguments[0]].kind == "m":
        return unnest_of(TYPES[chosen.arguments[0]])
    if function is None:
        raise scope.binder.unsupported(f"function {name}({', '.join(map(spelled, chosen.arguments))}) is", location)
    return function


@cache
def listing(function, number):
    """The scalar function that gives a column of a table function's rows as a list."""
    def rows(session, *arguments):
        return Array.of(row[number] for row in function.rows(session, *arguments))
    type = function.columns[number][1]
    return functions.Function(function.name, function.arguments, list_of(type), rows, python=True, strict=False,
                              wants_session=True, volatility="s")


@cache
def listing_rows(function):
    """The scalar function that gives a table function's rows as a list of records."""
    def rows(session, *arguments):
        return Array.of(function.rows(session, *arguments))
    type = list_of(record_of(tuple(Field(*column) for column in function.columns)))
    return functions.Function(function.name, function.arguments, type, rows, python=True, strict=False, wants_session=True,
                              volatility="s")


@cache
def listing_records(function):
    """The scalar function that gives the records of a table function as a list, of the type that its call has."""
    def records(session, type, *arguments):
        return Array.of(function.rows(session, type.element, *arguments))
    return functions.Function(function.name, function.arguments, "anyarray", records, python=True, strict=False,
                              wants_session=True, wants_result=True, volatility="s")


def one_element(expression):
    """An expression as a list of one element."""
    return ArrayOf((expression,), list_of(expression.type))


# ------------------------------------------------------------------------------------------------ the SELECT list

@dataclass
class SetCall:
    """A set-returning function in a SELECT list: its column, its list, and how many calls are inside its arguments at most,
    one in another."""
    column: object
    expression: object
    depth: int


ALLOWED_IN = {"SELECT", "ORDER BY", "GROUP BY", "DISTINCT ON"}


def set_in_select(scope, name, arguments, chosen, location):
    """The column that a call stands for. Raises 0A000 where there may be no set."""
    binder = scope.binder
    if scope.clause == "functions in FROM":
        raise binder.error("0A000", "set-returning functions must appear at top level of FROM", location)
    if scope.in_aggregate or scope.in_window:
        which = "window function" if scope.in_window else "aggregate function"
        raise binder.error("0A000", f"{which} calls cannot contain set-returning function calls", location, hint=HINT)
    if scope.clause not in ALLOWED_IN:
        raise binder.error("0A000", f"set-returning functions are not allowed in {scope.clause}", location)
    scope.last_set = location
    (_, expression), *others = lists_of(scope, name, arguments, chosen, location)
    if others:                                          # several columns are one of records
        rows = listing_rows(table_function(scope, name, chosen, location))
        expression = Call(rows, expression.arguments, rows.result)
    known = next((call for call in scope.set_calls if call.expression == expression), None)
    if known is None:
        inner = [call.depth + 1 for call in scope.set_calls if call.column.id in expression.columns]
        column = new_column(name, expression.type.element, expression.modifier)
        known = SetCall(column, expression, max(inner, default=0))
        scope.set_calls.append(known)
    return known.column


@contextmanager
def check_no_sets(scope, what):
    """While what may hold no set-returning functions is bound. Raises 0A000."""
    before, scope.last_set = scope.last_set, None
    yield
    if scope.last_set is not None:
        raise scope.binder.error("0A000", f"set-returning functions are not allowed in {what}", scope.last_set, hint=HINT)
    scope.last_set = before


def divided(calls, expressions):
    """SetCalls in two lists: those that expressions (of GROUP BY, of windows) use, at whatever depth; the others."""
    early, used = [], set().union(*(expression.columns for expression in expressions))
    for call in sorted(calls, key=lambda call: -call.depth):
        if call.column.id in used:
            early.append(call)
            used |= call.expression.columns
    return early, [call for call in calls if call not in early]


def expand(plan, calls):
    """The plan with the columns of SetCalls, innermost calls first."""
    for depth in sorted({call.depth for call in calls}):
        plan = Expand(plan, tuple((call.column, call.expression) for call in calls if call.depth == depth))
    return plan
