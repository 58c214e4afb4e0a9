"""Making expressions: operators and casts applied to expressions whose types fit exactly."""
from decimal import Decimal

from caldera.functions import registry
from caldera.plan.expressions import AggregateCall, Call, Case, Constant
from caldera.types.registry import TYPES


def applied(operator, left, right):
    """The Call of an operator on two expressions of exactly the types that it takes."""
    function = next(function for function in registry.OPERATORS[operator] if takes(function, [left.type, right.type]))
    return Call(function, (left, right), function.result)


def takes(function, types):
    """Whether a registered function or aggregate takes just these types; "anyarray" takes arrays of one type, and so on."""
    declared = list(function.arguments)
    if declared == types:
        return True
    kind = registry.OF_ONE_TYPE.get(declared[0]) if len(set(declared)) == 1 else None
    return kind is not None and len(declared) == len(types) and len(set(types)) == 1 and kind(types[0])


def cast(expression, type_name):
    """A number as one of another type, by a cast function; as it is if it has that type."""
    type = TYPES[type_name]
    if expression.type is type:
        return expression
    if isinstance(expression, Constant) and type.name == "numeric":
        return Constant(Decimal(expression.value), type)
    return Call(registry.CASTS[expression.type, type], (expression,), type)


def integer(value):
    """A constant of int8."""
    return Constant(value, TYPES["int8"])


def if_any(count, value):
    """The value where a count is not 0, else NULL."""
    return Case((applied("<>", count, integer(0)),), (value,), Constant(None, value.type), value.type)


def counting(argument=None, filter=None):
    """count(*), or of an argument, as an AggregateCall."""
    arguments = () if argument is None else (argument,)
    signature = next(signature for signature in registry.AGGREGATES["count"] if len(signature.arguments) == len(arguments))
    return AggregateCall(signature, arguments, signature.result, None, False, filter)
