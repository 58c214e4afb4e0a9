"""Operators: a + b, -a, LIKE, IN, BETWEEN, IS DISTINCT FROM, NULLIF, = ANY(...).

    apply(scope, "+", left, right) ── overloads.choose_operator ──▶ which overload ── registry ──▶ Call

All forms become calls of functions of the registry under And, Or and Not, but for IN over constants (`InList`) and IS
DISTINCT FROM. A comparison that the registry lacks is made of one that it has: `a > b` of `b < a`, `a <> b` of NOT `a = b`.
"""
from caldera.base.errors import Error
from caldera.bind import arrays
from caldera.bind.binder import strings
from caldera.bind.conversions import (EXPLICIT, POLYMORPHIC, can_convert, common_type, convert, spelled, supported,
                                      text_if_unknown, to_boolean, to_type)
from caldera.bind.record_types import records_alike, type_among
from caldera.bind.overloads import AMBIGUOUS, NOT_FOUND, choose_operator, implementation
from caldera.bind.records import bind_items
from caldera.bind.rules import bind_expression, rule
from caldera.functions import registry as functions
from caldera.plan.expressions import And, Call, Case, Constant, InList, IsDistinct, IsNull, Not, Or
from caldera.types.record import RECORD
from caldera.types.registry import TYPES, base_of

NEGATED = {"<>": "=", "!~~": "~~", "!~~*": "~~*", "!~": "~", "!~*": "~*"}
SWAPPED = {">": "<", "<=": ">=", ">=": "<=", "<": ">"}
INVERTED = {">=": "<", "<=": ">", "<": ">=", ">": "<="}


# ------------------------------------------------------------------------------------------------ one operator

def choose(scope, name, operands, location):
    """The overload (`overloads.Chosen`) that an operator means for its operands, at least one. Raises 42883 if there is
    none, 42725 if there are several."""
    sources = tuple(operand.type.name for operand in operands)
    chosen = choose_operator(name, sources)
    if chosen not in (NOT_FOUND, AMBIGUOUS):
        return chosen
    shown = " ".join([*map(spelled, sources[:-1]), name, spelled(sources[-1])])
    if chosen == AMBIGUOUS:
        raise scope.binder.error("42725", f"operator is not unique: {shown}", location,
                                 hint="Could not choose a best candidate operator. "
                                      "You might need to add explicit type casts.")
    what = "argument types. You might need to add explicit type casts." if len(sources) == 2 else \
        "argument type. You might need to add an explicit type cast."
    raise scope.binder.error("42883", f"operator does not exist: {shown}", location,
                             hint=f"No operator matches the given name and {what}")


def apply(scope, name, left, right, location):
    """The expression `left name right`, or `name right` if left is None."""
    operands = [right] if left is None else [left, right]
    chosen = choose(scope, name, operands, location)
    if chosen.signature.name in ("textanycat", "anytextcat"):           # text || anything: its text form
        text = TYPES["text"]
        return apply(scope, name, to_type(scope.binder, left, text, EXPLICIT), to_type(scope.binder, right, text, EXPLICIT),
                     location)
    for type_name in (*chosen.arguments, chosen.result):
        if type_name not in POLYMORPHIC and type_name != "any":
            supported(scope.binder, type_name, location)
    call = operator_call(scope, name, operands, chosen, location)
    if call is None:
        raise scope.binder.unsupported(f"operator {' '.join([*map(spelled, chosen.arguments[:-1]), name])} "
                                       f"{spelled(chosen.arguments[-1])} is", location)
    return call


def operator_call(scope, name, operands, chosen, location):
    """The call of what the registry has for a chosen overload, or of what it has for the opposite; None if neither."""
    function = implementation(functions.OPERATORS.get(name, ()), chosen)
    if function is not None:
        return call_function(scope, function, operands, location, chosen)
    if chosen.result != "bool" or len(operands) != 2:
        return None
    for other, swaps, negates in ((NEGATED.get(name), False, True), (SWAPPED.get(name), True, False),
                                  (INVERTED.get(name), False, True)):
        sources = chosen.arguments[::-1] if swaps else chosen.arguments
        mirrored = type(chosen)(chosen.signature, sources, chosen.result)
        function = implementation(functions.OPERATORS.get(other, ()), mirrored)
        if function is not None:
            call = call_function(scope, function, operands[::-1] if swaps else operands, location, mirrored)
            return Not(call) if negates else call
    return None


def call_function(scope, function, operands, location, chosen):
    """A call of a registered function for a chosen overload, its arguments converted to what it takes."""
    arguments = taken_arguments(scope.binder, function, operands, chosen)
    modifier = function.result_modifier(arguments) if function.result_modifier else None
    if function.wants_result and function.result == "anyelement":
        type = operands[0].type                                 # a domain of records as well
    else:
        type = result_type(scope.binder, function, chosen, arguments)
    return Call(function, arguments, type, modifier, scope.binder.position(location))


def taken_arguments(binder, function, arguments, chosen):
    """Arguments converted to the types that a registered function takes; pseudo-types are what the overload says."""
    declared = function.arguments[:len(arguments)]
    declared += declared[-1:] * (len(arguments) - len(declared))
    taken = tuple(taken_argument(binder, argument, type, name)
                  for argument, type, name in zip(arguments, declared, chosen.arguments))
    return records_alike(binder, taken, declared)


def taken_argument(binder, argument, type, name):
    """One argument for a declared type; `name`: of the type that a pseudo-type stands for."""
    if type not in functions.PSEUDO_TYPES:
        return to_type(binder, argument, type)
    if type == RECORD.name and argument.type.name == "unknown":
        return to_type(binder, argument, RECORD)
    if type == functions.ANY or name in functions.PSEUDO_TYPES or argument.type.name == name:
        return text_if_unknown(binder, to_type(binder, argument, base_of(argument.type)))
    return to_type(binder, argument, supported(binder, name))


def result_type(binder, function, chosen, arguments=()):
    """The type of what a registered function gives for a chosen overload and its arguments."""
    if function.result not in functions.PSEUDO_TYPES:
        return function.result
    return type_among(chosen.result, arguments) or supported(binder, chosen.result)


# ------------------------------------------------------------------------------------------------ forms

@rule("A_Expr")
def bind_operator(scope, fields, node):
    """An A_Expr: whatever the grammar makes of an operator."""
    return FORMS[fields["kind"]](scope, fields, strings(fields["name"])[-1], fields.get("location", 0))


def bind_operator_call(scope, fields, name, location):
    """a op b, op a, LIKE and its like, and (a, b) op (c, d), whose right side may be a subquery."""
    left, right = fields.get("lexpr"), fields["rexpr"]
    if left is not None and "RowExpr" in left and "RowExpr" in right:
        return bind_row_comparison(scope, left["RowExpr"], right["RowExpr"], name, location)
    if left is not None and "RowExpr" in left and right.get("SubLink", {}).get("subLinkType") == "EXPR_SUBLINK":
        return bind_expression(scope, {"SubLink": {**right["SubLink"], "subLinkType": "ROWCOMPARE_SUBLINK", "testexpr": left,
                                                   "operName": fields["name"], "location": location}})
    left = None if left is None else bind_expression(scope, left)
    return apply(scope, name, left, bind_expression(scope, right), location)


def bind_row_comparison(scope, left, right, name, location):
    """(a, b) = (c, d)."""
    pairs = paired_items(scope, left, right, location)
    return row_comparison(scope, name, len(pairs), lambda operator, number: apply(scope, operator, *pairs[number], location),
                          location)


def paired_items(scope, left, right, location):
    """The pairs of items of two RowExprs. Raises 42601 unless there are as many on both sides."""
    left, right = (bind_items(scope, side.get("args", ())) for side in (left, right))
    if len(left) != len(right):
        raise scope.binder.error("42601", "unequal number of entries in row expressions", location)
    return list(zip(left, right))


def row_comparison(scope, name, count, compared, location):
    """A comparison of two rows, field by field: `compared(operator, number)` compares the fields of a number. In the order
    of rows, a later field counts where those before are equal."""
    if count == 0:
        raise scope.binder.error("0A000", "cannot compare rows of zero length", location)
    if name not in ("=", "<>", "<", "<=", ">", ">="):
        compared(name, 0)                       # which fails if the operator is not there at all
        raise scope.binder.error("0A000", "could not determine interpretation of row comparison operator " + name, location,
                                 hint="Row comparison operators must be associated with btree operator families.")
    if name in ("=", "<>"):
        return combined(And if name == "=" else Or, [compared(name, number) for number in range(count)])
    test = compared(name, count - 1)
    for number in reversed(range(count - 1)):
        test = Or((compared(name[0], number), And((compared("=", number), test))))
    return test


def combined(kind, conditions):
    """Conditions by And or Or (`kind`); a single one as it is."""
    return conditions[0] if len(conditions) == 1 else kind(tuple(conditions))


def bind_between(scope, fields, name, location):
    """[NOT] BETWEEN [SYMMETRIC]; what is compared is bound anew for each comparison."""

    def compared(operator, limit):
        return apply(scope, operator, bind_expression(scope, fields["lexpr"]), bind_expression(scope, limit), location)
    low, high = fields["rexpr"]["List"]["items"]
    inner, outer, above, below = (Or, And, "<", ">") if "NOT" in fields["kind"] else (And, Or, ">=", "<=")
    between = inner((compared(above, low), compared(below, high)))
    if "SYM" not in fields["kind"]:
        return between
    return outer((between, inner((compared(above, high), compared(below, low)))))


def bind_distinct_from(scope, fields, name, location):
    """IS [NOT] DISTINCT FROM, of rows by their items."""
    negated = fields["kind"] == "AEXPR_NOT_DISTINCT"
    if "RowExpr" in fields["lexpr"] and "RowExpr" in fields["rexpr"]:
        pairs = paired_items(scope, fields["lexpr"]["RowExpr"], fields["rexpr"]["RowExpr"], location)
        if not pairs:
            return Constant(negated, TYPES["bool"])
        tests = [IsDistinct(*same_type(scope, *pair, location), negated) for pair in pairs]
        return combined(And if negated else Or, tests)
    left, right = bind_expression(scope, fields["lexpr"]), bind_expression(scope, fields["rexpr"])
    for one, other in ((left, right), (right, left)):
        if isinstance(other, Constant) and other.value is None and other.type.name == "unknown" != one.type.name:
            return IsNull(one, not negated)
    return IsDistinct(*same_type(scope, left, right, location), negated)


def same_type(scope, left, right, location):
    """Two expressions as values of the one type in which `=` compares them."""
    chosen = choose(scope, "=", [left, right], location)
    function = implementation(functions.OPERATORS.get("=", ()), chosen)
    left_name, right_name = chosen.arguments if function is None or function.arguments[0] in functions.PSEUDO_TYPES else \
        [type.name for type in function.arguments]
    if left_name != right_name:
        left_name = right_name = right_name if can_convert(left_name, right_name) else left_name
    if left_name == right_name and type_among(left_name, [left, right]):
        return records_alike(scope.binder, (left, right), chosen.arguments)
    type = supported(scope.binder, left_name, location)
    return to_type(scope.binder, left, type), to_type(scope.binder, right, type)


def null_if(scope, fields, name, location):
    """NULLIF(a, b): a unless a = b; it has the type of a as = takes it."""
    left, right = bind_expression(scope, fields["lexpr"]), bind_expression(scope, fields["rexpr"])
    chosen = choose(scope, "=", [left, right], location)
    if type_among(chosen.arguments[0], [left]) is None:
        left = to_type(scope.binder, left, supported(scope.binder, chosen.arguments[0], location))
    equal = to_boolean(scope.binder, apply(scope, "=", left, right, location), "NULLIF")
    return Case((equal,), (Constant(None, left.type, left.modifier),), left, left.type, left.modifier)


# ------------------------------------------------------------------------------------------------ lists

def in_list(scope, fields, name, location):
    """x [NOT] IN (a, b, ...): `any_of`, or comparisons of rows."""
    items = fields["rexpr"]["List"]["items"]
    if "RowExpr" in fields["lexpr"]:
        tests = [bind_operator_call(scope, {"lexpr": fields["lexpr"], "rexpr": item}, name, location) for item in items]
        return combined(Or if name == "=" else And, tests)
    argument = bind_expression(scope, fields["lexpr"])
    items = [bind_expression(scope, item) for item in items]
    return any_of(scope, fields["lexpr"], argument, items, name, location, some=name == "=")


def bind_quantified(scope, fields, name, location):
    """x op ANY (array) and x op ALL (array); of an array that is written out, what IN makes of its elements."""
    argument = bind_expression(scope, fields["lexpr"])
    some = fields["kind"] == "AEXPR_OP_ANY"
    test = arrays.quantified(scope, argument, bind_expression(scope, fields["rexpr"]), name, location, some)
    items = arrays.known_elements(test.array)
    if items is None:
        return test
    if not items:
        return Constant(not some, TYPES["bool"])
    return any_of(scope, fields["lexpr"], test.argument, items, name, location, some)


def any_of(scope, syntax, argument, items, name, location, some):
    """Whether the comparison holds for some, or for all, of the items. Those without columns are compared first, in their
    common type; where they have none, all are compared as they come."""
    binder, tests = scope.binder, []
    fixed = [item for item in items if not item.columns]
    shared = shared_type(binder, [argument, *fixed]) if len(fixed) > 1 else None
    if shared is not None:
        fixed = [to_type(binder, item, shared) for item in fixed]
        items = [*fixed, *(item for item in items if item.columns)]
    constants = [item for item in items if isinstance(item, Constant)]
    if len(constants) > 1 and (shared is not None or len(constants) == len(items)) \
            and (name == "=") == some and name in ("=", "<>"):
        choose(scope, name, [argument, constants[0]], location)
        listed = constant_list(scope, argument, constants, location, negated=name == "<>")
        if listed is not None:
            tests, items = [listed], [item for item in items if not isinstance(item, Constant)]
    for item in items:
        repeated = argument if not tests else bind_expression(scope, syntax)
        test = apply(scope, name, repeated, item, location)
        tests.append(to_boolean(binder, test, "OR" if some else "AND"))
    return combined(Or if some else And, tests)


def shared_type(binder, expressions):
    """The common type of an IN list with its operand; None if there is none, which is no error."""
    try:
        return common_type(binder, expressions, "IN")
    except Error as fault:
        if fault.sqlstate != "42804":
            raise
        return None


def constant_list(scope, argument, constants, location, negated):
    """Membership in a set of constants; None if constants of the compared type cannot be had without computing."""
    left, _ = same_type(scope, argument, constants[0], location)
    values = []
    for constant in constants:
        value = constant if constant.type is left.type else known_value(scope.binder, constant, left.type)
        if value is None:
            return None
        values.append(value.value)
    present = tuple(dict.fromkeys(value for value in values if value is not None))
    return InList(left, present, has_null=None in values, negated=negated)


def known_value(binder, constant, type):
    """A constant converted to a type while binding, or None if that needs a function to run."""
    if not can_convert(constant.type.name, type.name):
        return None
    converted = convert(binder, constant, type)
    return converted if isinstance(converted, Constant) else None


FORMS = {
    "AEXPR_OP": bind_operator_call, "AEXPR_LIKE": bind_operator_call,
    "AEXPR_ILIKE": bind_operator_call, "AEXPR_SIMILAR": bind_operator_call,
    "AEXPR_BETWEEN": bind_between, "AEXPR_NOT_BETWEEN": bind_between, "AEXPR_BETWEEN_SYM": bind_between,
    "AEXPR_NOT_BETWEEN_SYM": bind_between, "AEXPR_DISTINCT": bind_distinct_from, "AEXPR_NOT_DISTINCT": bind_distinct_from,
    "AEXPR_NULLIF": null_if, "AEXPR_IN": in_list, "AEXPR_OP_ANY": bind_quantified, "AEXPR_OP_ALL": bind_quantified,
}
