"""Functions and aggregates: f(a, b), count(*) FILTER (WHERE c), string_agg(DISTINCT x, ',' ORDER BY x), CURRENT_DATE.

    bind_call ── overloads.choose_function ──▶ which overload ─┬─ scalar: registry ──▶ Call
                     │ none, but f names a type                ├─ aggregate ──▶ AggregateCall, if the clause allows one
                     └──▶ a cast                               └─ with OVER ──▶ bind.windows

Special syntax (EXTRACT, SUBSTRING ... FROM, TRIM, AT TIME ZONE) arrives as an ordinary call: the grammar rewrites it.
"""
from dataclasses import replace
from functools import lru_cache

from caldera.bind import hypothetical
from caldera.bind.arrays import known_elements
from caldera.bind.binder import leftmost, strings
from caldera.bind.conversions import (CONTAINERS, ELEMENT_LIKE, EXPLICIT, base_name, check_equality, fit, pathway,
                                      spelled, supported, text_if_unknown, to_boolean, to_type)
from caldera.bind.operators import call_function, result_type, taken_arguments
from caldera.bind.orders import sort_key
from caldera.bind.overloads import (AMBIGUOUS, NOT_FOUND, choose_function, function_overload, implementation,
                                    unknown_signatures)
from caldera.bind.record_types import without_fields
from caldera.bind.rules import bind_expression, rule
from caldera.bind.sameness import same
from caldera.bind.set_returning import set_in_select
from caldera.bind.windows import bind_window_call, check_window_call
from caldera.catalog import facts
from caldera.catalog.search_path import schema_and_name
from caldera.functions import registry as functions
from caldera.functions.scalar.ranges import users_constructors
from caldera.plan.expressions import AggregateCall, Call, Constant, new_column
from caldera.plan.nodes import SortKey
from caldera.sql.libpg_query import parse_tree
from caldera.types.record import RECORD
from caldera.types.registry import TYPES


@rule("FuncCall")
def bind_call(scope, fields, node):
    """A FuncCall: a function, an aggregate, or a cast in the form of a call."""
    binder, names, location = scope.binder, strings(fields["funcname"]), fields.get("location", 0)
    name = names[-1]
    if len(names) > 1 and names[-2] != "pg_catalog" and binder.catalog.schema(names[-2]) is None:
        raise binder.error("3F000", f'schema "{names[-2]}" does not exist', location)
    if name == "count" and counts_rows(scope, fields.get("args", ())):
        fields = {**{key: value for key, value in fields.items() if key != "args"}, "agg_star": True}
    if name == "pg_typeof" and len(fields.get("args", ())) == 1:
        return type_of(scope, fields["args"][0], location)
    aggregate = name in functions.AGGREGATES or any(known.kind in "ao" for known in facts.functions(name))
    if "over" in fields:
        arguments, argument_names = within_window(scope, lambda: bound_arguments(scope, fields, False))
    else:
        arguments, argument_names = bound_arguments(scope, fields, aggregate)
    if fields.get("func_variadic"):
        arguments = spread(binder, arguments, location)
    sources = tuple(argument.type.name for argument in arguments)
    foreign = len(names) > 1 and names[-2] != "pg_catalog"
    chosen = NOT_FOUND if foreign else choose_function(name, sources, argument_names)
    if chosen == NOT_FOUND and not argument_names:
        range = made_range(scope, fields, names, arguments, location)
        if range is not None:
            return range
    if chosen in (NOT_FOUND, AMBIGUOUS):
        cast = cast_by_call(scope, name, arguments) if chosen == NOT_FOUND and len(names) == 1 else None
        if cast is not None:
            return cast
        raise no_function(scope, fields, ".".join(names), sources, argument_names, chosen, location)
    if fields.get("func_variadic") and not chosen.signature.variadic:
        raise binder.unsupported("VARIADIC of this function is", location)
    check_kind(scope, fields, name, chosen.signature, location)
    check_polymorphic(binder, chosen.signature, sources)
    if "over" in fields:
        filter = within_window(scope, lambda: bind_filter(scope, fields))
        return bind_window_call(scope, fields, name, arguments, filter, chosen, location)
    if chosen.signature.kind == "o" and chosen.signature.variadic:
        return bind_hypothetical(scope, fields, name, arguments, location)
    if chosen.signature.kind in "ao":
        return bind_aggregate(scope, fields, name, arguments, chosen, location)
    if chosen.signature.many:
        return set_in_select(scope, name, arguments, chosen, location)
    return call_chosen(scope, name, arguments, chosen, location)


def made_range(scope, fields, names, arguments, location):
    """The call of the constructor of a user's range or multirange type; None if the names mean no such type, or it takes no
    such arguments."""
    binder = scope.binder
    entry = binder.catalog.find_constructed(*schema_and_name(names))
    if entry is None or [argument.type.name for argument in arguments] == ["unknown"]:         # a literal is cast
        return None
    registered = users_constructors(entry.type)
    chosen = function_overload(names[-1], tuple(base_name(argument.type.name) for argument in arguments), (),
                               unknown_signatures(registered, ()))
    if chosen in (NOT_FOUND, AMBIGUOUS) or fields.get("func_variadic") and not chosen.signature.variadic:
        return None
    check_kind(scope, fields, names[-1], chosen.signature, location)
    binder.entries.append(entry)
    if len(names) == 1:
        binder.bare_names[location] = entry
    return call_function(scope, implementation(registered, chosen), arguments, location, chosen)


def spread(binder, arguments, location):
    """f(a, VARIADIC ARRAY[b, c]) is f(a, b, c). Raises 42804 for what is no array, 0A000 for arrays that are not written
    out."""
    *others, array = arguments
    if array.type.category != "A":
        raise binder.error("42804", "VARIADIC argument must be an array", binder.location(array))
    elements = known_elements(array)
    if elements is None:
        raise binder.unsupported("VARIADIC of an array that is not written out is", location)
    return others + elements


def check_polymorphic(binder, signature, sources):
    """Raise 42804 where nothing tells what "anyelement" stands for: literals in quotes are no texts there."""
    alike = [source for source, declared in zip(sources, signature.arguments)
             if declared in ELEMENT_LIKE or declared in CONTAINERS and not declared.startswith("anycompatible")]
    if alike and set(alike) == {"unknown"}:
        raise binder.error("42804", "could not determine polymorphic type because input has type unknown")


def within_window(scope, bind):
    """What `bind` gives under the rule that window functions do not nest."""
    before = scope.in_window, scope.in_aggregate
    scope.in_window, scope.in_aggregate = True, False
    bound = bind()
    scope.in_window, scope.in_aggregate = before
    return bound


def type_of(scope, node, location):
    """pg_typeof: the type is known here, and nothing is evaluated."""
    expression = bind_expression(scope, node)
    return Constant(expression.type.oid, supported(scope.binder, "regtype", location))


def counts_rows(scope, nodes):
    """Whether the only argument of count is a whole row of this query, t or t.*, which is never NULL."""
    reference = nodes[0].get("ColumnRef") if len(nodes) == 1 else None
    if reference is None:
        return False
    *qualifier, last = reference["fields"]
    if "A_Star" in last and qualifier:
        source, level = scope.find_source(strings(qualifier), reference.get("location", 0))
        return level is scope and not source.nulled
    name = last.get("String", {}).get("sval")
    return not qualifier and not scope.has_column(name) and any(source.alias == name and not source.nulled
                                                                for source in scope.sources)


def bound_arguments(scope, fields, aggregate):
    """The arguments bound, and the names of those that have one (the last ones). Of an aggregate also those behind WITHIN
    GROUP, and under the rule that aggregates do not nest."""
    if aggregate:
        before, scope.in_aggregate = scope.in_aggregate, True
    nodes = list(fields.get("args", ()))
    if fields.get("agg_within_group"):
        nodes += [key["SortBy"]["node"] for key in fields["agg_order"]]
    arguments, names = [], []
    for node in nodes:
        named = node.get("NamedArgExpr")
        if named is None and names:
            raise scope.binder.error("42601", "positional argument cannot follow named argument", leftmost(node))
        if named is not None:
            if named["name"] in names:
                raise scope.binder.error("42601", f'argument name "{named["name"]}" used more than once',
                                         named.get("location", 0))
            names.append(named["name"])
            node = named["arg"]
        arguments.append(bind_expression(scope, node))
    if aggregate:
        scope.in_aggregate = before
    return arguments, tuple(names)


def call_chosen(scope, name, arguments, chosen, location):
    """The Call of a chosen scalar overload; raises 0A000 if PostgreSQL has it and Caldera has not."""
    registered = functions.FUNCTIONS.get(name, ())
    function = None if chosen.places else implementation(registered, chosen)
    if function is None and (chosen.places or len(arguments) < len(chosen.signature.arguments)):
        arguments, chosen = completed(scope, arguments, chosen)
        function = implementation(registered, chosen)
    if function is None:
        raise scope.binder.unsupported(f"function {written_signature(name, chosen.arguments)} is", location)
    return call_function(scope, function, arguments, location, chosen)


def completed(scope, arguments, chosen):
    """Arguments in the order of the function's definition, with its defaults where the call leaves some out."""
    signature = chosen.signature
    given = dict(zip(chosen.places or range(len(arguments)), arguments))
    defaults = default_syntax(signature.values) if signature.values else []
    first_default, complete = len(signature.arguments) - len(defaults), []
    for place in range(len(signature.arguments)):
        complete.append(given[place] if place in given else bind_expression(scope, defaults[place - first_default]))
    return complete, replace(chosen, arguments=signature.arguments, places=())


@lru_cache(maxsize=256)
def default_syntax(values):
    """The syntax trees of a list of defaults."""
    targets = parse_tree(f"SELECT {values}")[0]["stmt"]["SelectStmt"]["targetList"]
    return [target["ResTarget"]["val"] for target in targets]


def written_signature(name, sources, names=()):
    """f(integer, b => text): a call as messages show it. sources: names of types; names: those of the last arguments."""
    shown = list(map(spelled, sources))
    for number, argument_name in enumerate(reversed(names), 1):
        shown[-number] = f"{argument_name} => {shown[-number]}"
    return f"{name}({', '.join(shown)})"


def no_function(scope, fields, name, sources, argument_names, outcome, location):
    """The error for a call that no overload, or more than one, accepts."""
    shown = written_signature(name, sources, argument_names)
    if outcome == AMBIGUOUS:
        return scope.binder.error("42725", f"function {shown} is not unique", location,
                                  hint="Could not choose a best candidate function. "
                                       "You might need to add explicit type casts.")
    hint = "No function matches the given name and argument types. You might need to add explicit type casts."
    if len(fields.get("agg_order", ())) > 1 and not fields.get("agg_within_group"):
        hint = "No aggregate function matches the given name and argument types. " \
               "Perhaps you misplaced ORDER BY; ORDER BY must appear after all regular arguments of the aggregate."
    return scope.binder.error("42883", f"function {shown} does not exist", location, hint=hint)


def cast_by_call(scope, name, arguments):
    """float8(x) for CAST(x AS float8), where that costs no function or comes from a literal; else None."""
    type = TYPES.get(name) or users_type_named(scope.binder, name)
    if len(arguments) != 1 or type is None or name in ("unknown", "any"):
        return None
    argument = arguments[0]
    if argument.type.name != "unknown" and pathway(argument.type.name, type.name, EXPLICIT) not in ("b", "i"):
        return None
    return to_type(scope.binder, argument, type, EXPLICIT)


def users_type_named(binder, name):
    """The user's type of a name, but for composite types; None if there is none."""
    entry = binder.catalog.find_type(None, name)
    if entry is None or entry.family == "composite":
        return None
    binder.entries.append(entry)
    return entry.type


def check_kind(scope, fields, name, signature, location):
    """Raise 42809 where a call says something that only an aggregate, or only a window function, may say."""
    aggregate, binder = signature.kind in "ao", scope.binder
    if "over" in fields:
        check_window_call(scope, fields, name, signature, location)
        return
    if signature.kind == "w":
        raise binder.error("42809", f"window function {name} requires an OVER clause", location)
    if aggregate:
        if not fields.get("args") and not fields.get("agg_star") and signature.kind == "a":
            raise binder.error("42809", f"{name}(*) must be used to call a parameterless aggregate function", location)
        if fields.get("agg_within_group") and signature.kind == "a":
            raise binder.error("42809", f"{name} is not an ordered-set aggregate, so it cannot have WITHIN GROUP", location)
        if signature.kind == "o" and not fields.get("agg_within_group"):
            raise binder.error("42809", f"WITHIN GROUP is required for ordered-set aggregate {name}", location)
        return
    for field, words in (("agg_star", f"{name}(*) specified, but"), ("agg_distinct", "DISTINCT specified, but"),
                         ("agg_within_group", "WITHIN GROUP specified, but"), ("agg_order", "ORDER BY specified, but"),
                         ("agg_filter", "FILTER specified, but")):
        if fields.get(field):
            raise binder.error("42809", f"{words} {name} is not an aggregate function", location)


# ------------------------------------------------------------------------------------------------ aggregates

def bind_aggregate(scope, fields, name, arguments, chosen, location):
    """The call of an aggregate, or the column that it is to the query below. Raises 42803 where it may not stand, 42883
    where a type has no equality for DISTINCT, 0A000 for an aggregate that is not there."""
    binder = scope.binder
    signature = implementation(functions.AGGREGATES.get(name, ()), chosen)
    if signature is None:
        raise binder.unsupported(f"aggregate function {written_signature(name, chosen.arguments)} is", location)
    written, arguments = arguments, taken_arguments(binder, signature, arguments, chosen)
    order = bind_order(scope, fields, signature, written, arguments, location)
    if fields.get("agg_distinct"):
        check_equality(binder, arguments)
    modifier = signature.result_modifier(arguments) if signature.result_modifier else None
    call = AggregateCall(signature, arguments, result_type(binder, signature, chosen, arguments), modifier,
                         bool(fields.get("agg_distinct")), bind_filter(scope, fields), order)
    level = scope.home_of(call)
    check_place(level, location, "aggregate functions")
    result = placed(scope, level, call)
    return without_fields(binder, result) if signature.result == RECORD.name else result


def bind_hypothetical(scope, fields, name, arguments, location):
    """rank(v) WITHIN GROUP (ORDER BY x) and its like. Raises 42883 unless there are as many values as keys."""
    binder, nodes = scope.binder, fields["agg_order"]
    if len(arguments) != 2 * len(nodes):
        shown = written_signature(name, [argument.type.name for argument in arguments])
        hint = hypothetical.HINT.format(name, len(arguments) - len(nodes), len(nodes))
        raise binder.error("42883", f"function {shown} does not exist", location, hint=hint)
    direct, ordered = hypothetical.matched(binder, arguments, len(nodes))
    keys = [sort_key(binder, node["SortBy"], key) for node, key in zip(nodes, ordered)]
    row = hypothetical.HypotheticalRow(scope, direct, keys, bind_filter(scope, fields), location)
    level = scope.home_of(row.count(row.precedes(None)))
    check_place(level, location, "aggregate functions")
    return row.place(name, lambda call: placed(scope, level, call))


def placed(scope, level, call):
    """What an aggregate is where it stands; if it is one of a query around (`level`), a column."""
    if level is scope:
        return call
    signature = call.signature
    column = new_column(signature.name, call.type, call.modifier, call.nullable)
    level.outer_aggregates.append((column, call))
    return scope.of_level(level, column)


def check_place(scope, location, what):
    """Raise 42803 where the SELECT that an aggregate, or GROUPING, belongs to may have none. what: they in the message."""
    if scope.in_aggregate and not scope.clause == "FILTER":
        raise scope.binder.error("42803", "aggregate function calls cannot be nested", location)
    if not scope.aggregates_allowed:
        raise scope.binder.error("42803", f"{what} are not allowed in {scope.clause}", location)
    scope.has_aggregates = True


def bind_order(scope, fields, signature, written, arguments, location):
    """The ORDER BY of an aggregate as SortKeys; with DISTINCT only arguments, as they are written, may be keys: they then
    stand for what they were converted to. The other arguments are further keys, since PostgreSQL finds what is distinct by
    sorting, which string_agg shows."""
    keys, nodes = [], fields.get("agg_order", ())
    for number, node in enumerate(nodes):
        if fields.get("agg_within_group"):
            expression = arguments[len(arguments) - len(nodes) + number]
        else:
            before, scope.in_aggregate = scope.in_aggregate, True
            expression = text_if_unknown(scope.binder, bind_expression(scope, node["SortBy"]["node"]))
            scope.in_aggregate = before
        if fields.get("agg_distinct"):
            argument = next((argument for argument, other in zip(arguments, written)
                             if same(scope.binder, other, expression)), None)
            if argument is None:
                raise scope.binder.error(
                    "42P10", "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list",
                    scope.binder.location(expression))
            expression = argument
        keys.append(sort_key(scope.binder, node["SortBy"], expression))
    if fields.get("agg_distinct") and signature.implementation.ordered:
        keys += [SortKey(argument) for argument in arguments if argument not in [key.expression for key in keys]]
    return tuple(keys)


def bind_filter(scope, fields):
    """The condition in FILTER (WHERE ...) of an aggregate, or None. Raises 42804 for what is not boolean."""
    if "agg_filter" not in fields:
        return None
    with scope.in_clause("FILTER"):
        return to_boolean(scope.binder, bind_expression(scope, fields["agg_filter"]), "FILTER")


# ------------------------------------------------------------------------------------------------ CURRENT_DATE and its like

# SQL's names without parentheses, as casts of now() or calls of functions of the same name.
OF_NOW = {"CURRENT_DATE": "date", "CURRENT_TIMESTAMP": "timestamptz", "LOCALTIME": "time", "LOCALTIMESTAMP": "timestamp",
          "CURRENT_TIME": "timetz"}


@rule("SQLValueFunction")
def bind_value_function(scope, fields, node):
    """CURRENT_DATE, LOCALTIMESTAMP(3), CURRENT_USER, ..."""
    binder, location = scope.binder, fields.get("location", 0)
    word = fields["op"].removeprefix("SVFOP_")
    name = word.removesuffix("_N")
    if name in OF_NOW:
        type = supported(binder, OF_NOW[name], location)
        value = to_type(binder, call_by_name(scope, "now", location), type, EXPLICIT)
        if not word.endswith("_N"):
            return value
        return fit(binder, value, type.encode_modifier((fields.get("typmod", 0),), binder.position(location)), EXPLICIT)
    synonyms = {"CURRENT_ROLE": "current_user", "USER": "current_user", "CURRENT_CATALOG": "current_database"}
    return call_by_name(scope, synonyms.get(name, name.lower()), location)


def call_by_name(scope, name, location):
    """The call of a function without arguments. Raises 0A000 for one that is not there."""
    function = next((function for function in functions.FUNCTIONS.get(name, ()) if not function.arguments), None)
    if function is None:
        raise scope.binder.unsupported(f"{name} is", location)
    return Call(function, (), function.result, None, scope.binder.position(location))
