"""Windows: f(x) OVER w, WINDOW w AS (PARTITION BY a ORDER BY b ROWS 1 PRECEDING), and the nodes that compute them.

    bind_window_call ─▶ WindowCall, which carries its window ── plan_windows ─▶ a Window node for each different window

PostgreSQL's grammar gives a frame as bits, of which it refuses the senseless ones itself.
"""
from dataclasses import replace

from caldera.bind.conversions import (ASSIGNMENT, EXPLICIT, IMPLICIT, can_convert, check_equality, spelled, supported,
                                      text_if_unknown, to_type)
from caldera.bind.operators import apply, result_type, taken_arguments
from caldera.bind.orders import sort_key
from caldera.bind.overloads import implementation
from caldera.bind.record_types import records_alike, type_among, without_fields
from caldera.bind.rules import bind_expression
from caldera.functions import registry as functions
from caldera.plan.expressions import And, Case, Constant, new_column
from caldera.plan.nodes import Window
from caldera.plan.walk import all_expressions, rewrite
from caldera.plan.windows import Frame, WindowCall, Windowed
from caldera.types.record import RECORD
from caldera.types.registry import TYPES

ALLOWED_IN = ("SELECT", "ORDER BY", "DISTINCT ON")

# PostgreSQL's nodes/parsenodes.h
DEFAULT_FRAME = 0x2 | 0x20 | 0x400
MODES = {0x2: "RANGE", 0x4: "ROWS", 0x8: "GROUPS"}
STARTS = {0x20: "UNBOUNDED PRECEDING", 0x200: "CURRENT ROW", 0x800: "PRECEDING", 0x2000: "FOLLOWING"}
STOPS = {0x100: "UNBOUNDED FOLLOWING", 0x400: "CURRENT ROW", 0x1000: "PRECEDING", 0x4000: "FOLLOWING"}
EXCLUSIONS = {0x8000: "CURRENT ROW", 0x10000: "GROUP", 0x20000: "TIES"}

# What may be added to the key of an order, with RANGE: {type of the key: types of the offset}.
SHORT_INTEGERS = ("int8", "int4", "int2")
RANGE_OFFSETS = {"int8": ("int8",), "int4": SHORT_INTEGERS, "int2": SHORT_INTEGERS, "float8": ("float8",),
                 "float4": ("float8",), "numeric": ("numeric",)}
RANGE_OFFSETS |= dict.fromkeys(("date", "timestamp", "timestamptz", "time", "timetz", "interval"), ("interval",))
ADDED_AS = {"date": "timestamp", "timestamp": "timestamp", "timestamptz": "timestamptz", "interval": "interval",
            "numeric": "numeric"}


class WindowDefinitions:
    """The WINDOW clause of one SELECT; a definition may build upon those before it."""

    def __init__(self, scope, nodes=()):
        self.scope, self.binder, self.fields, self.bound = scope, scope.binder, [node["WindowDef"] for node in nodes], {}
        names = set()
        for fields in self.fields:
            if fields["name"] in names:
                raise self.error(f'window "{fields["name"]}" is already defined', fields)
            names.add(fields["name"])

    def error(self, message, fields, hint=None):
        """An error of a definition, to be raised by the caller."""
        return self.binder.error("42P20", message, fields.get("location", 0), hint=hint)

    def bind_all(self):
        """Bind the definitions that no call has asked for, which may be wrong nevertheless."""
        for fields in self.fields:
            self.by_name(fields["name"], fields.get("location", 0))

    def by_name(self, name, location, before=None):
        """(the window of a name, its fields); `before`: the definition that the name must stand before."""
        for fields in self.fields:
            if fields is before:
                break
            if fields["name"] == name:
                if name not in self.bound:
                    self.bound[name] = self.bind(fields)
                return self.bound[name], fields
        raise self.binder.error("42704", f'window "{name}" does not exist', location)

    def of_call(self, fields):
        """The window of an OVER clause."""
        if "name" in fields:
            return self.by_name(fields["name"], fields.get("location", 0))[0]
        return self.bind(fields)

    def bind(self, fields):
        """The window that a definition means, as a Windowed."""
        name, options = fields.get("name", ""), fields.get("frameOptions", DEFAULT_FRAME)
        base = None
        if "refname" in fields:
            base, base_fields = self.by_name(fields["refname"], fields.get("location", 0), before=fields)
        in_window, self.scope.in_window = self.scope.in_window, False
        with self.scope.in_clause("window definitions", aggregates=True):
            order = tuple(self.order_key(node["SortBy"]) for node in fields.get("orderClause", ()))
            partition = tuple(self.value(node) for node in fields.get("partitionClause", ()))
        check_equality(self.binder, partition)
        if base is not None:
            self.check_base(fields, base, base_fields)
            partition, order = base.partition, order or base.order
        window = self.with_offsets(Windowed(partition, order, frame_of(options), name=name), fields)
        self.scope.in_window = in_window
        return window

    def value(self, node):
        """An expression of PARTITION BY or ORDER BY: never a number or name of an output column."""
        return text_if_unknown(self.binder, bind_expression(self.scope, node))

    def order_key(self, fields):
        return sort_key(self.binder, fields, self.value(fields["node"]))

    def check_base(self, fields, base, base_fields):
        """Raise 42P20 where a window says again what the one it builds upon has said."""
        name = fields["refname"]
        if fields.get("partitionClause"):
            raise self.error(f'cannot override PARTITION BY clause of window "{name}"', fields)
        if fields.get("orderClause") and base.order:
            raise self.error(f'cannot override ORDER BY clause of window "{name}"', fields)
        if base_fields.get("frameOptions", DEFAULT_FRAME) != DEFAULT_FRAME:
            bare = not (fields.get("name") or fields.get("orderClause")) and \
                fields.get("frameOptions", DEFAULT_FRAME) == DEFAULT_FRAME
            raise self.error(f'cannot copy window "{name}" because it has a frame clause', fields,
                             "Omit the parentheses in this OVER clause." if bare else None)

    # ---- frames

    def with_offsets(self, window, fields):
        """The window with the offsets of its frame."""
        mode, nodes = window.frame.mode, (fields.get("startOffset"), fields.get("endOffset"))
        if mode == "RANGE" and any(nodes) and len(window.order) != 1:
            raise self.error("RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column", fields)
        if mode == "GROUPS" and not window.order:
            raise self.error("GROUPS mode requires an ORDER BY clause", fields)
        offsets = tuple(node and self.offset(node, window) for node in nodes)
        return replace(window, offsets=offsets, bounds=self.bounds(window, offsets, fields.get("location", 0)))

    def offset(self, node, window):
        """The expression of an offset."""
        mode = window.frame.mode
        with self.scope.in_clause(f"window {mode}"):
            expression = bind_expression(self.scope, node)
        if mode == "RANGE":
            type = self.range_type(window.order[0].expression.type, expression)
        else:
            type = TYPES["int8"]
        location = self.binder.location(expression)
        if not can_convert(expression.type.name, type.name, ASSIGNMENT):
            raise self.binder.error("42804", f"argument of {mode} must be type {type.sql_name}, not type "
                                             f"{expression.type.sql_name}", location)
        if expression.columns:
            raise self.binder.error("42P10", f"argument of {mode} must not contain variables", location)
        return to_type(self.binder, expression, type, ASSIGNMENT)

    def range_type(self, key, offset):
        """The type that an offset of RANGE is used as, for a key of a type: its own if that is one of them, that of the key
        for a literal without a type."""
        words, location = "RANGE with offset PRECEDING/FOLLOWING", self.binder.location(offset)
        possible = RANGE_OFFSETS.get(key.name)
        if possible is None:
            raise self.binder.error("0A000", f"{words} is not supported for column type {key.sql_name}", location)
        matching = [name for name in possible if can_convert(offset.type.name, name, IMPLICIT)]
        both = f"column type {key.sql_name} and offset type {spelled(offset.type.name)}"
        if not matching:
            raise self.binder.error("0A000", f"{words} is not supported for {both}", location,
                                    hint="Cast the offset value to an appropriate type.")
        preferred = key.name if offset.type.name == "unknown" else offset.type.name
        if len(matching) > 1 and preferred not in matching:
            raise self.binder.error("0A000", f"{words} has multiple interpretations for {both}", location,
                                    hint="Cast the offset value to the exact intended type.")
        return supported(self.binder, preferred if preferred in matching else matching[0], location)

    def bounds(self, window, offsets, location):
        """The key and the two bounds of a RANGE frame as expressions, for types whose sums numpy does not make. All rows are
        within an infinite distance back from infinity, or on from -infinity, for which there is no sum."""
        if window.frame.mode != "RANGE" or offsets == (None, None) or window.order[0].expression.type.name not in ADDED_AS:
            return ()
        (key,) = window.order
        value = to_type(self.binder, key.expression, TYPES[ADDED_AS[key.expression.type.name]], EXPLICIT)

        def equal(expression, text):
            return apply(self.scope, "=", expression, literal(text, expression.type), location)

        def literal(text, type):
            return to_type(self.binder, Constant(text, TYPES["unknown"]), type, EXPLICIT)

        def bound(kind, offset, is_start):
            if offset is None:
                return None
            back = (kind == "PRECEDING") != key.descending
            no_sum = And((equal(value, "infinity" if back else "-infinity"), equal(offset, "infinity")))
            outermost = literal("-infinity" if is_start != key.descending else "infinity", value.type)
            distant = apply(self.scope, "-" if back else "+", value, offset, location)
            return Case((no_sum,), (outermost,), distant, value.type)
        return value, bound(window.frame.start, offsets[0], True), bound(window.frame.stop, offsets[1], False)


def frame_of(options):
    """The Frame that PostgreSQL's bits mean."""
    def of(table, otherwise=""):
        return next((word for bit, word in table.items() if options & bit), otherwise)
    return Frame(of(MODES), of(STARTS), of(STOPS), of(EXCLUSIONS))


# ------------------------------------------------------------------------------------------------ calls

def check_window_call(scope, fields, name, signature, location):
    """Raise the error for what a call with OVER may not say or be."""
    binder = scope.binder
    if signature.kind == "f":
        raise binder.error("42809", f"OVER specified, but {name} is not a window function nor an aggregate function",
                           location)
    if signature.kind == "o" and not fields.get("agg_within_group"):
        raise binder.error("42809", f"WITHIN GROUP is required for ordered-set aggregate {name}", location)
    if signature.kind == "o":
        raise binder.error("0A000", f"OVER is not supported for ordered-set aggregate {name}", location)
    if fields.get("agg_within_group"):
        words = f"{name} is not an ordered-set aggregate, so it" if signature.kind == "a" else f"window function {name}"
        raise binder.error("42809", f"{words} cannot have WITHIN GROUP", location)
    if fields.get("agg_distinct"):
        raise binder.error("0A000", "DISTINCT is not implemented for window functions", location)
    if signature.kind == "a" and not fields.get("args") and not fields.get("agg_star"):
        raise binder.error("42809", f"{name}(*) must be used to call a parameterless aggregate function", location)
    if fields.get("agg_order"):
        raise binder.error("0A000", "aggregate ORDER BY is not implemented for window functions", location)
    if fields.get("agg_filter") and signature.kind == "w":
        raise binder.error("0A000", "FILTER is not implemented for non-aggregate window functions", location)


def bind_window_call(scope, fields, name, arguments, filter, chosen, location):
    """The WindowCall of a call with OVER."""
    binder = scope.binder
    if scope.clause not in ALLOWED_IN:
        clause = "window definitions" if scope.clause.startswith("window ") else scope.clause
        raise binder.error("42P20", f"window functions are not allowed in {clause}", location)
    window = (scope.windows or WindowDefinitions(scope)).of_call(fields["over"])
    if scope.in_aggregate:
        raise binder.error("42803", "aggregate function calls cannot contain window function calls", location)
    if scope.in_window:
        raise binder.error("42P20", "window function calls cannot be nested", location)
    modifier = None
    if chosen.signature.kind == "a":
        function = implementation(functions.AGGREGATES.get(name, ()), chosen)
        if function is None:
            shown = f"{name}({', '.join(map(spelled, chosen.arguments))})"
            raise binder.unsupported(f"aggregate function {shown} is", location)
        arguments = taken_arguments(binder, function, arguments, chosen)
        result = result_type(binder, function, chosen, arguments)
        modifier = function.result_modifier(arguments) if function.result_modifier else None
    else:
        function = next(function for function in functions.WINDOW_FUNCTIONS[name]
                        if len(function.arguments) == len(arguments))
        arguments = tuple(to_type(binder, argument, type_among(type, [argument]) or supported(binder, type, location))
                          for argument, type in zip(arguments, chosen.arguments))
        arguments = records_alike(binder, arguments, chosen.arguments)
        result = type_among(chosen.result, arguments) or supported(binder, chosen.result, location)
    call = WindowCall(**window.__dict__, function=function, arguments=arguments, type=result, modifier=modifier,
                      filter=filter)
    return without_fields(binder, call) if getattr(function, "result", None) == RECORD.name else call


def window_calls(expression):
    """The WindowCalls in an expression."""
    return [part for part in all_expressions(expression) if isinstance(part, WindowCall)]


# ------------------------------------------------------------------------------------------------ nodes

def plan_windows(binder, plan, expressions):
    """(plan, expressions) with a Window node for each different window, and columns in place of the calls."""
    columns, windows = [], []               # pairs (call, its column); lists of the pairs whose window is the same
    for call in (call for expression in expressions for call in window_calls(expression)):
        if any(same(call, other) for other, _ in columns):
            continue
        column = new_column(call.function.name, call.type, call.modifier, call.nullable)
        columns.append((call, column))
        alike = next((window for window in windows if same_window(window[0][0], call)), None)
        if alike is None:
            windows.append(alike := [])
        alike.append((call, column))
    taken = {name for call, _ in columns if (name := call.name)}
    fresh = (name for number in range(1, len(windows) + len(taken) + 1) if (name := f"w{number}") not in taken)
    named = [(next((call.name for call, _ in window if call.name), None) or next(fresh), window) for window in windows]
    for name, window in in_sorting_order(named):
        shared = window[0][0]
        calls = tuple((column, WindowCall(name=name, function=call.function, arguments=call.arguments, type=call.type,
                                          modifier=call.modifier, filter=call.filter)) for call, column in window)
        plan = Window(shared.partition, shared.order, shared.frame, shared.offsets, shared.bounds, name, plan, calls)

    def replaced(part):
        if not isinstance(part, WindowCall):
            return part
        return binder.at(next(column for call, column in columns if same(call, part)), part)
    return plan, [binder.at(rewrite(expression, replaced), expression) for expression in expressions]


def same(left, right):
    """Whether two calls compute the same; equality alone takes 1.0 for 1.00."""
    return same_window(left, right) and (left.function, left.arguments, left.filter, left.type) == \
        (right.function, right.arguments, right.filter, right.type) and str(left.arguments) == str(right.arguments)


def same_window(left, right):
    """Whether two calls have the same window, whatever it is called."""
    return left.window == right.window


def in_sorting_order(windows):
    """The windows such that one whose rows come sorted from another one stands behind it; else the last one mentioned comes
    first, so that rows come out in the order of the first one, as PostgreSQL's do. `windows`: pairs (name, calls)."""
    waiting, found = windows[::-1], []
    while waiting:
        keys = max((keys_of(window) for window in waiting if begins(keys_of(window), keys_of(waiting[0]))), key=len)
        chain = [window for window in waiting if begins(keys, keys_of(window))]
        found += sorted(chain, key=lambda window: -len(keys_of(window)))
        waiting = [window for window in waiting if window not in found]
    return sorted(found, key=lambda window: not keys_of(window))


def keys_of(window):
    """What a window's rows are sorted by."""
    _, ((call, _), *_) = window
    return [(expression, False, False) for expression in call.partition] + \
        [(key.expression, key.descending, key.nulls_first) for key in call.order]


def begins(keys, others):
    """Whether a list begins with another one."""
    return keys[:len(others)] == others
