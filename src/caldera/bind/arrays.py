"""Arrays: ARRAY[...], a[1], a[1:2], ARRAY(SELECT ...), x op ANY (array), x op ALL (array).

    ARRAY[1, 2.5]          ArrayOf, its elements of their common type; ARRAY[...]::text[] hands the type down to the elements
    ARRAY[a, b] of arrays  one array of a dimension more
    a[i][j], a[1:2][3]     Subscript; with any slice all are: [3] is [1:3]
    x = ANY (a)            ElementTest; of an array that is known, what IN makes of its elements
"""
from functools import cache

from caldera.bind.binder import leftmost
from caldera.bind.conversions import (ASSIGNMENT, EXPLICIT, can_convert, common_type, convert, supported, to_boolean,
                                      to_common_type, to_type)
from caldera.bind.record_types import has_records, records_alike
from caldera.bind.rules import bind_expression, rule
from caldera.functions import registry as functions
from caldera.functions.scalar.array_parts import joined_arrays, slice_of
from caldera.plan.arrays import ArrayOf, ElementTest, Lambda, Subscript
from caldera.plan.expressions import AggregateCall, Call, Coalesce, Constant, ScalarSubquery, new_column
from caldera.plan.nodes import Aggregate, Project
from caldera.plan.walk import correlation
from caldera.types.array import array_of
from caldera.types.array_image import EMPTY
from caldera.types.array_text import DIMENSIONS_MAX
from caldera.types.registry import TYPES


def array_type(binder, element, location):
    """The type of the arrays of a type; raises 42704 if it has none."""
    try:
        return array_of(element)
    except KeyError:
        raise binder.error("42704", f"could not find array type for data type {element.sql_name}", location) from None


# ------------------------------------------------------------------------------------------------ constructors

@rule("A_ArrayExpr")
def bind_array(scope, fields, node):
    """ARRAY[...] without a cast around it."""
    return constructor(scope, fields, None)


def constructor(scope, fields, type, modifier=None):
    """ARRAY[...] as a value of an array type, which may be None. Raises 42P18, 42804, 42846."""
    binder, location = scope.binder, fields.get("location", 0)
    items = []
    for node in fields.get("elements", ()):
        items.append(binder.note(constructor(scope, node["A_ArrayExpr"], type, modifier), node) if "A_ArrayExpr" in node
                     else bind_expression(scope, node))
    nested = any(item.type.category == "A" for item in items)
    if type is None and not items:
        raise binder.error("42P18", "cannot determine type of empty array", location,
                           hint="Explicitly cast to the desired type, for example ARRAY[]::integer[].")
    if type is None:
        shared = common_type(binder, items, "ARRAY")
        type = shared if shared.category == "A" else array_type(binder, shared, location)
        nested = shared.category == "A"
        items = [to_common_type(binder, item, shared, "ARRAY") for item in items]
    else:
        items = [hard_cast(binder, item, type if nested else type.element, modifier) for item in items]
    if not nested:
        return ArrayOf(tuple(items), type, modifier)
    return Call(joining(type, len(items)), tuple(items), type, modifier, binder.position(location))


def hard_cast(binder, item, type, modifier):
    """An element cast to what the constructor's cast asks for."""
    if not can_convert(item.type.name, type.name, EXPLICIT):
        raise binder.error("42846", f"cannot cast type {item.type.sql_name} to {type.sql_name}", binder.location(item))
    return convert(binder, item, type, modifier, EXPLICIT)


@cache
def joining(type, count):
    """The function that makes of arrays one of a dimension more."""
    return functions.Function("array", (type,) * count, type, lambda *arrays: joined_arrays(arrays), python=True,
                              strict=False)


def bind_array_query(scope, plan, location):
    """ARRAY(SELECT ...): the rows of a plan in its order."""
    binder = scope.binder
    if len(plan.output) != 1:
        raise binder.error("42601", "subquery must return only one column", location)
    value, = plan.output
    type = value.type if value.type.category == "A" else array_type(binder, value.type, location)
    name = "anyarray" if value.type.category == "A" else "anynonarray"
    signature = next(each for each in functions.AGGREGATES["array_agg"] if each.arguments == (name,))
    gathered, result = new_column("array_agg", type, value.modifier), new_column("array", type, value.modifier)
    plan = Aggregate(plan, (), ((gathered, AggregateCall(signature, (value,), type, value.modifier)),))
    whole = Coalesce((gathered, Constant(EMPTY, type, value.modifier)), type, value.modifier)
    plan = Project(plan, ((result, whole),))
    return ScalarSubquery(plan, type, value.modifier, False, *correlation(plan))


# ------------------------------------------------------------------------------------------------ subscripts

def subscripted(scope, argument, parts):
    """An element or a slice of an expression; `parts`: the syntax of the subscripts, A_Indices."""
    binder, location = scope.binder, scope.binder.location(argument)
    if argument.type.name == "jsonb":
        return json_subscript(scope, argument, parts)
    if argument.type.category != "A":
        raise binder.error("42804", f"cannot subscript type {argument.type.sql_name} because it does not support "
                                    "subscripting", location)
    if len(parts) > DIMENSIONS_MAX:
        raise binder.error("54000", f"number of array dimensions ({len(parts)}) exceeds the maximum allowed "
                                    f"({DIMENSIONS_MAX})")
    if not any(part.get("is_slice") for part in parts):
        return Subscript(argument, tuple(bind_index(scope, part["uidx"]) for part in parts))
    return bind_slice(scope, argument, parts)


def json_subscript(scope, argument, parts):
    """jsonb[key][index]: each step a text, or an integer as one. Raises 42804 for slices and for other types."""
    binder, text, steps = scope.binder, TYPES["text"], []
    for part in parts:
        if part.get("is_slice"):
            place = next((leftmost(part[end]) for end in ("lidx", "uidx") if end in part), None)
            raise binder.error("42804", "jsonb subscript does not support slices", place)
        step = bind_expression(scope, part["uidx"])
        taken = next((name for name in ("int4", "text") if step.type.name != "unknown"
                      and can_convert(step.type.name, name)), "text")
        if not can_convert(step.type.name, taken):
            raise binder.error("42804", f"subscript type {step.type.sql_name} is not supported", binder.location(step),
                               hint="jsonb subscript must be coercible to either integer or text.")
        steps.append(to_type(binder, to_type(binder, step, TYPES[taken]), text, EXPLICIT))
    path = next(function for function in functions.FUNCTIONS["jsonb_extract_path"] if function.variadic)
    return Call(path, (argument, *steps), path.result)


def bind_index(scope, node):
    """A subscript as an int4."""
    index = bind_expression(scope, node)
    if not can_convert(index.type.name, "int4", ASSIGNMENT):
        raise scope.binder.error("42804", "array subscript must have type integer", scope.binder.location(index))
    return convert(scope.binder, index, TYPES["int4"], context=ASSIGNMENT)


def bind_slice(scope, argument, parts):
    """array[low:high]: a bound that is left out is the array's own."""
    bounds, given = [], []
    for part in parts:
        low = part.get("lidx") if part.get("is_slice") else {"A_Const": {"ival": {"ival": 1}, "location": -1}}
        for node in (low, part.get("uidx")):
            given.append(node is not None)
            bounds += [bind_index(scope, node)] if node is not None else []
    return Call(slicing(argument.type, tuple(given)), (argument, *bounds), argument.type, argument.modifier)


@cache
def slicing(type, given):
    """The function of an array and those bounds that are given."""
    def sliced(array, *bounds):
        remaining = iter(bounds)
        every = [next(remaining) if is_given else None for is_given in given]
        return slice_of(array, list(zip(every[::2], every[1::2])))
    return functions.Function("array_slice", (type,) + (TYPES["int4"],) * sum(given), type, sliced, python=True)


# ------------------------------------------------------------------------------------------------ ANY, ALL

def known_elements(array):
    """The elements of an array that is written out, as expressions; None of others."""
    if isinstance(array, ArrayOf):
        return list(array.elements)
    if isinstance(array, Constant) and array.value is not None:
        return [Constant(datum, array.type.element, array.modifier) for datum in array.value.elements]
    return None


def quantified(scope, argument, array, name, location, some):
    """x op ANY (array), x op ALL (array). Raises 42809, 42883."""
    from caldera.bind.operators import choose
    binder = scope.binder
    if array.type.name != "unknown" and array.type.category != "A":
        raise binder.error("42809", "op ANY/ALL (array) requires array on right side", location)
    element = new_column("element", array.type if array.type.name == "unknown" else array.type.element)
    stand_in = Constant(None, element.type) if element.type.name == "unknown" else element
    chosen = choose(scope, name, [argument, stand_in], location)
    if chosen.result != "bool":
        raise binder.error("42809", "op ANY/ALL (array) requires operator to yield boolean", location)
    if has_records(array.type) and argument.type.name == "record":
        argument, array = records_alike(binder, (argument, array), chosen.arguments)
        return element_test(scope, argument, array, argument.type, name, location, some)
    left, right = (supported(binder, each, location) if each in TYPES or each not in ("any", "anyelement") else
                   TYPES["text"] for each in chosen.arguments)
    argument, array = to_type(binder, argument, left), to_type(binder, array, array_type(binder, right, location))
    return element_test(scope, argument, array, right, name, location, some)


def element_test(scope, argument, array, right, name, location, some):
    """The ElementTest of an operator; right: the type of the array's elements."""
    from caldera.bind.operators import apply
    operand, element = new_column("operand", argument.type, argument.modifier, argument.nullable), \
        new_column("element", right, array.modifier)
    test = to_boolean(scope.binder, apply(scope, name, operand, element, location), "ANY")
    return ElementTest(argument, array, Lambda((operand, element), test), some)
