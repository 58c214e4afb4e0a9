"""JSON as Python values: None, bool, int, Decimal (an int is a number without decimals), str, list, dict.

    text ─ read ─▶ value ─ write ─▶ the text that jsonb has for it

In jsonb's text keys stand in order of their length in bytes, then bytewise, the last of equal ones counts, numbers are
written as numeric writes them (1.50 keeps its zero, 1e2 is 100), and there is one space behind commas and colons.
Values may be shared between rows: whoever changes one copies it before.
"""
import json
from decimal import Decimal
from functools import lru_cache
from json.encoder import encode_basestring

from caldera.types.json_syntax import check_syntax, too_deep
from caldera.types.numeric import read_numeric
from caldera.types.registry import utf8

INT_DIGITS_MAX = 4000               # Python refuses to read longer ones
KEPT_TEXT_MAX = 4096                # characters of a text whose value is kept for the next function that reads it
NULL, STRING, NUMBER, BOOLEAN, ARRAY, OBJECT = range(6)             # in the order of jsonb's values


def whole_number(digits):
    """The number that digits mean."""
    return int(digits) if len(digits) < INT_DIGITS_MAX else decimal_number(digits)


def decimal_number(text):
    """The number that a text with a fraction or an exponent means. Raises 22003 if numeric cannot hold it."""
    number = read_numeric(text)
    return int(number) if number.as_tuple().exponent == 0 and number.adjusted() < INT_DIGITS_MAX else number


def refused(word):
    """Python would take NaN and Infinity."""
    raise ValueError(word)


DECODER = json.JSONDecoder(parse_int=whole_number, parse_float=decimal_number, parse_constant=refused)
SYNTAX_ONLY = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=refused)


def read_anew(text):
    """The value of a text. Raises 22P02 with PostgreSQL's detail, 22P05 for \\u0000, 22003 for numbers out of range."""
    try:
        value = DECODER.decode(text)
    except ValueError:
        check_syntax(text)
        raise AssertionError(f"JSON for one parser and not for the other: {text[:100]}") from None
    except RecursionError:
        raise too_deep() from None
    if "\\u" in text:
        check_syntax(text)
    return value


read_kept = lru_cache(maxsize=1024)(read_anew)


def read(text):
    """The same; the value of a short text is remembered, as several functions in a row read the same one."""
    return read_kept(text) if len(text) <= KEPT_TEXT_MAX else read_anew(text)


def check(text):
    """Raise 22P02 if a text is no JSON. What escapes stand for does not matter."""
    try:
        SYNTAX_ONLY.decode(text)
    except ValueError:
        check_syntax(text, decodes=False)
    except RecursionError:
        raise too_deep() from None


# ------------------------------------------------------------------------------------------------ writing

def key_order(key):
    """What jsonb sorts keys by."""
    data = utf8(key)
    return len(data), data


def ordered_items(members):
    """The (key, value) pairs of a dict in jsonb's order."""
    if len(members) < 2:
        return members.items()
    return sorted(members.items(), key=lambda item: key_order(item[0]))


def quoted(text):
    """A string of JSON. Raises 22021 for what is no UTF-8."""
    utf8(text)
    return encode_basestring(text)


def number_text(number):
    """A number as numeric writes it."""
    return str(number) if isinstance(number, int) and -10**INT_DIGITS_MAX < number < 10**INT_DIGITS_MAX \
        else format(Decimal(number), "f")


def write(value):
    """The text that jsonb has for a value."""
    kind = type(value)
    if kind is str:
        return quoted(value)
    if kind is dict:
        return "{" + ", ".join([f"{quoted(key)}: {write(item)}" for key, item in ordered_items(value)]) + "}"
    if kind is list:
        return "[" + ", ".join([write(item) for item in value]) + "]"
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    return number_text(value)


def sql_text(value):
    """A value as text that is no JSON any more: strings as they are, null as NULL."""
    return value if value is None or isinstance(value, str) else write(value)


def canonical(text):
    """A text of JSON as jsonb has it."""
    try:
        return write(read_anew(text))
    except RecursionError:
        raise too_deep() from None


# ------------------------------------------------------------------------------------------------ order

RANKS = {type(None): NULL, str: STRING, int: NUMBER, Decimal: NUMBER, bool: BOOLEAN, list: ARRAY, dict: OBJECT}


def rank(value):
    """The place of a value's kind in jsonb's order."""
    return RANKS[type(value)]


def order_key(value):
    """What sorts values inside others as jsonb sorts them: kinds, then sizes, then what is inside."""
    kind = RANKS[type(value)]
    if kind == STRING:
        return kind, utf8(value)
    if kind == ARRAY:
        return kind, len(value), [order_key(item) for item in value]
    if kind == OBJECT:
        return kind, len(value), [(utf8(key), order_key(item)) for key, item in ordered_items(value)]
    return (kind, value) if value is not None else (kind,)


def top_order_key(value):
    """The same for whole values: an empty array sorts before everything else."""
    return (-1,) if value == [] and type(value) is list else order_key(value)


def same(a, b):
    """Whether jsonb takes two values for equal: 1.0 and 1.00 are, 1 and true are not."""
    return rank(a) == rank(b) and order_key(a) == order_key(b)


TYPE_NAMES = {NULL: "null", STRING: "string", NUMBER: "number", BOOLEAN: "boolean", ARRAY: "array", OBJECT: "object"}


def type_name(value):
    """What json_typeof calls the value's kind."""
    return TYPE_NAMES[rank(value)]
