"""Functions that return sets: in FROM (WITH ORDINALITY, ROWS FROM) and in the SELECT list.

    a call ── lists_of ──▶ lists: pairs (name, expression whose elements are the column's values) ──▶ Expand

Several lists run side by side; one that ends before the others goes on with NULL. What needs no Expand goes without: a
series and a function in plain Python, alone in FROM and without columns of other items, are sources by themselves.

In the SELECT list a call stands for a new column, of an Expand below the SELECT list's Project. Calls inside the arguments
of others are expanded before them.
"""
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from caldera.bind.binder import strings
from caldera.bind.conversions import spelled, supported, to_type
from caldera.bind.overloads import AMBIGUOUS, NOT_FOUND, choose_function, fits
from caldera.bind.rules import bind_expression
from caldera.functions import registry as functions
from caldera.functions.table.multiranges import unnest_of
from caldera.plan.arrays import ArrayOf, ElementMap, Lambda, Steps
from caldera.plan.expansion import Expand
from caldera.plan.expressions import Call, Case, Constant, new_column
from caldera.plan.nodes import FunctionScan, Series, Values
from caldera.plan.records import field_of
from caldera.types.array import list_of
from caldera.types.array_image import Array
from caldera.types.record import Field, RecordType, record_of
from caldera.types.registry import TYPES

ONE_ROW = Values(((),), ())
IN_FROM = "functions in FROM"          # the clause, as messages call it
HINT = "You might be able to move the set-returning function into a LATERAL FROM item."


# ------------------------------------------------------------------------------------------------ lists

def lists_of(scope, name, arguments, chosen, location):
    """Pairs (name, list) of the columns that a set-returning function gives. Raises 0A000 for one that is not there."""
    binder = scope.binder
    arguments = [argument if type in ("any", "anyarray", argument.type.name) else
                 to_type(binder, argument, supported(binder, type, location))
                 for argument, type in zip(arguments, chosen.arguments)]
    if name == "generate_series" and chosen.result in ("int4", "int8"):
        step = arguments[2] if len(arguments) > 2 else Constant(1, TYPES[chosen.result])
        return [(name, Steps(arguments[0], arguments[1], step))]
    if name == "generate_subscripts":
        return [(name, subscripts_of(*arguments))]
    if name == "unnest" and arguments[0].type.category == "A":
        if scope.clause == IN_FROM and isinstance(arguments[0].type.element, RecordType):
            return lists_of_fields(binder, arguments[0], location)
        return [(name, arguments[0])]
    function = table_function(scope, name, chosen, location)
    arguments = tuple(to_type(binder, argument, type) for argument, type in zip(arguments, function.arguments))
    return [(column_name, Call(listing(function, number), arguments, listing(function, number).result))
            for number, (column_name, _) in enumerate(function.columns)]


def lists_of_fields(binder, array, location):
    """Pairs (name, list) of the fields of an array of records. Raises 42601 for records whose type has no name."""
    type = array.type.element
    if type.kind != "c":
        raise binder.error("42601", 'a column definition list is required for functions returning "record"', location)
    element = new_column("element", type)
    return [(field.name, ElementMap(array, Lambda((element,), field_of(element, number)), list_of(field.type)))
            for number, field in enumerate(type.fields)]


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


def one_element(expression):
    """An expression as a list of one element."""
    return ArrayOf((expression,), list_of(expression.type))


# ------------------------------------------------------------------------------------------------ FROM

def function_rows(scope, fields):
    """(plan, alias, column names) of a RangeFunction."""
    calls = []
    for item in fields["functions"]:
        call, columns = item["List"]["items"]
        if columns or fields.get("coldeflist"):
            raise scope.binder.unsupported("a column definition list is", call.get("FuncCall", {}).get("location"))
        calls += single_calls(call)
    with scope.in_clause(IN_FROM):
        if len(calls) == 1 and not fields.get("ordinality"):
            return rows_of_one(scope, fields, calls[0])
        found = [pair for call in calls for pair in lists_of_call(scope, call)]
    return expanded_rows(scope, fields, found, name_of_call(calls[0]))


def single_calls(call):
    """unnest(a, b) is unnest(a) beside unnest(b)."""
    fields = call.get("FuncCall")
    if fields and strings(fields["funcname"]) in (["unnest"], ["pg_catalog", "unnest"]) and len(fields.get("args", ())) > 1:
        return [{"FuncCall": {**fields, "args": [argument]}} for argument in fields["args"]]
    return [call]


def name_of_call(call):
    """What a function in FROM is called."""
    return strings(call["FuncCall"]["funcname"])[-1] if "FuncCall" in call else "unnamed"


def set_overload(scope, call):
    """(the arguments of a call, the set-returning overload chosen for them); (None, None) if it means something else, which
    gives one row."""
    if "FuncCall" not in call or call["FuncCall"].get("func_variadic"):
        return None, None
    arguments = [bind_expression(scope, node) for node in call["FuncCall"].get("args", ())]
    chosen = choose_function(name_of_call(call), tuple(argument.type.name for argument in arguments))
    if chosen in (NOT_FOUND, AMBIGUOUS) or not chosen.signature.many:
        return None, None
    return arguments, chosen


def lists_of_call(scope, call):
    """The lists of a function in FROM."""
    arguments, chosen = set_overload(scope, call)
    if chosen is None:
        expression = bind_expression(scope, call)
        supported(scope.binder, expression.type.name)
        return [(name_of_call(call), one_element(expression))]
    return lists_of(scope, name_of_call(call), arguments, chosen, call["FuncCall"].get("location", 0))


def rows_of_one(scope, fields, call):
    """One function without ordinality: a series, rows of plain Python, one row, or else an Expand."""
    name, (arguments, chosen) = name_of_call(call), set_overload(scope, call)
    if chosen is None:
        expression = bind_expression(scope, call)
        supported(scope.binder, expression.type.name)
        column = new_column(name, expression.type, expression.modifier, expression.nullable)
        return with_names(fields, Values(((expression,),), (column,)), name, [name])
    location = call["FuncCall"].get("location", 0)
    found = lists_of(scope, name, arguments, chosen, location)
    if any(expression.columns for _, expression in found):
        return expanded_rows(scope, fields, found, name)
    expression = found[0][1]
    if isinstance(expression, Steps):
        column = new_column(name, expression.type.element, None, False)
        return with_names(fields, Series(*expression.children, column), name, [name])
    if name == "unnest":
        return expanded_rows(scope, fields, found, name)
    function = table_function(scope, name, chosen, location)
    columns = tuple(new_column(column_name, type) for column_name, type in function.columns)
    scan = FunctionScan(function, expression.arguments, columns)
    return with_names(fields, scan, name, [column_name for column_name, _ in function.columns])


def expanded_rows(scope, fields, found, name):
    """Lists side by side, over one row of nothing."""
    lists = tuple((new_column(column_name, expression.type.element, expression.modifier), expression)
                  for column_name, expression in found)
    ordinality = new_column("ordinality", TYPES["int8"], None, False) if fields.get("ordinality") else None
    names = [column_name for column_name, _ in found]
    return with_names(fields, Expand(ONE_ROW, lists, ordinality), name, names)


def with_names(fields, node, name, names):
    """A function's only column goes by the item's alias, if it has one."""
    if len(names) == 1 and "alias" in fields:
        names = [fields["alias"]["aliasname"]]
    return node, name, names + (["ordinality"] if fields.get("ordinality") else [])


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
