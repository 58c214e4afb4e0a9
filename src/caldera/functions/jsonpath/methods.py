"""The methods of a jsonpath that make one value of another: METHODS[name](value, step, evaluation)."""
import math
from decimal import Decimal

from caldera.base.errors import Error, error
from caldera.functions.jsonpath.moments import TYPE_NAMES, TYPE_OF, Moment, converted, read_moment
from caldera.types import arithmetic
from caldera.types.json_values import number_text, type_name
from caldera.types.numeric import read_numeric
from caldera.types.registry import lookup

INVALID_ARGUMENT = "22036"
WHOLE = {"integer": ("int4", 31), "bigint": ("int8", 63)}


def is_number(value):
    """Whether a value is a number."""
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def as_value(number):
    """A Decimal as a value: an int if it has no decimals."""
    return int(number) if number.as_tuple().exponent == 0 else number


def refused(name, wanted):
    """The error for a value of a kind that a method does not take."""
    return error(INVALID_ARGUMENT, f"jsonpath item method .{name}() can only be applied to a {wanted}")


def invalid(value, name, type):
    """The error for a value that is no number of a type."""
    shown = value if isinstance(value, str) else number_text(value)
    return error(INVALID_ARGUMENT, f'argument "{shown}" of jsonpath item method .{name}() is invalid for type {type}')


def type_method(value, step, evaluation):
    """.type()"""
    return TYPE_NAMES[value.type] if isinstance(value, Moment) else type_name(value)


def numeric_method(function):
    """.abs(), .floor(), .ceiling()"""
    def method(value, step, evaluation):
        if not is_number(value):
            raise error(INVALID_ARGUMENT, f"jsonpath item method .{step.value}() can only be applied to a numeric value")
        return as_value(function(Decimal(value)))
    return method


def double(value, step, evaluation):
    """.double(): rounded to a float."""
    if not is_number(value) and not isinstance(value, str):
        raise refused("double", "string or numeric value")
    text = value if isinstance(value, str) else number_text(value)
    try:
        number = lookup("float8").parse(text)
    except Error:
        raise invalid(value, "double", "double precision") from None
    if not math.isfinite(number):
        raise error(INVALID_ARGUMENT, "NaN or Infinity is not allowed for jsonpath item method .double()")
    return as_value(read_numeric(lookup("float8").format(number)))


def number_in(value, name):
    """The Decimal in a number or a string."""
    if is_number(value):
        return Decimal(value)
    if not isinstance(value, str):
        raise refused(name, "string or numeric value")
    number = read_numeric(value)
    if number is None:
        raise invalid(value, name, "numeric")
    if not number.is_finite():
        raise error(INVALID_ARGUMENT, f"NaN or Infinity is not allowed for jsonpath item method .{name}()")
    return number


def number(value, step, evaluation):
    """.number()"""
    return as_value(number_in(value, "number"))


def decimal(value, step, evaluation):
    """.decimal(precision, scale)"""
    found = number_in(value, "decimal")
    if step.arguments:
        numeric = lookup("numeric")
        try:
            found = numeric.apply_modifier(found, numeric.encode_modifier(step.arguments))
        except Error as fault:
            if fault.sqlstate != "22003":
                raise
            raise invalid(value, "decimal", "numeric") from None
    return as_value(found)


def whole(value, step, evaluation):
    """.integer(), .bigint(): numbers are rounded, strings must be whole."""
    type, bits = WHOLE[step.value]
    if is_number(value):
        result = int(arithmetic.round_to(Decimal(value), 0))
        if -1 << bits <= result < 1 << bits:
            return result
    elif isinstance(value, str):
        try:
            return lookup(type).parse(value)
        except Error:
            pass
    else:
        raise refused(step.value, "string or numeric value")
    raise invalid(value, step.value, lookup(type).sql_name)


def boolean(value, step, evaluation):
    """.boolean(): of truth values, whole numbers, and words for them."""
    if isinstance(value, bool):
        return value
    if is_number(value):
        if Decimal(value) != int(value) or not -2**31 <= value < 2**31:
            raise invalid(value, "boolean", "boolean")
        return value != 0
    if not isinstance(value, str):
        raise error(INVALID_ARGUMENT, "jsonpath item method .boolean() can only be applied to a boolean, string, or "
                                      "numeric value")
    try:
        return lookup("bool").parse(value)
    except Error:
        raise invalid(value, "boolean", "boolean") from None


def string(value, step, evaluation):
    """.string()"""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_number(value):
        return number_text(value)
    if isinstance(value, Moment):
        return lookup(value.type).format(value.datum, evaluation.session)
    raise error(INVALID_ARGUMENT, "jsonpath item method .string() can only be applied to a boolean, string, numeric, or "
                                  "datetime value")


def datetime(value, step, evaluation):
    """.datetime(), .date(), .time(), .timestamp(), .timestamp_tz()"""
    if not isinstance(value, str):
        raise error("22031", f"jsonpath item method .{step.value}() can only be applied to a string")
    if step.value == "time_tz":
        raise error("0A000", "type time with time zone is not supported")
    if step.value == "datetime" and step.arguments:
        raise error("0A000", "templates of .datetime() are not supported yet")
    moment = read_moment(value, step.value)
    if step.value == "datetime":
        return moment
    moment = converted(evaluation, moment, TYPE_OF[step.value])
    if step.arguments:
        type = lookup(moment.type)
        return Moment(moment.type, type.apply_modifier(moment.datum, step.arguments))
    return moment


METHODS = {"type": type_method, "abs": numeric_method(abs), "floor": numeric_method(arithmetic.floor),
           "ceiling": numeric_method(arithmetic.ceil), "double": double, "number": number, "decimal": decimal,
           "integer": whole, "bigint": whole, "boolean": boolean, "string": string,
           **dict.fromkeys(("datetime", "date", "time", "time_tz", "timestamp", "timestamp_tz"), datetime)}
