"""Sets of characters as sorted ranges (first, last) of code points, and the names that brackets may use."""
from bisect import bisect_right
from functools import lru_cache

from caldera.functions.unicode import CODE_MAX, case_map, merged

CLASS_NAMES = {"alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper",
               "xdigit", "word"}
# POSIX names of control characters and signs (POSIX.1, "Portable Character Set"); letters and digits stand for themselves.
CONTROL_NAMES = ("NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC "
                 "IS4 IS3 IS2 IS1").split()
ELEMENT_NAMES = {name: code for code, name in enumerate(CONTROL_NAMES)} | {
    "alert": 7, "backspace": 8, "tab": 9, "newline": 10, "vertical-tab": 11, "form-feed": 12, "carriage-return": 13,
    "DEL": 127, "space": 32, "exclamation-mark": 33, "quotation-mark": 34, "number-sign": 35, "dollar-sign": 36,
    "percent-sign": 37, "ampersand": 38, "apostrophe": 39, "left-parenthesis": 40, "right-parenthesis": 41, "asterisk": 42,
    "plus-sign": 43, "comma": 44, "hyphen": 45, "hyphen-minus": 45, "period": 46, "full-stop": 46, "slash": 47,
    "solidus": 47,
    "zero": 48, "one": 49, "two": 50, "three": 51, "four": 52, "five": 53, "six": 54, "seven": 55, "eight": 56, "nine": 57,
    "colon": 58, "semicolon": 59, "less-than-sign": 60, "equals-sign": 61, "greater-than-sign": 62, "question-mark": 63,
    "commercial-at": 64, "left-square-bracket": 91, "backslash": 92, "reverse-solidus": 92, "right-square-bracket": 93,
    "circumflex": 94, "circumflex-accent": 94, "underscore": 95, "low-line": 95, "grave-accent": 96, "left-brace": 123,
    "left-curly-bracket": 123, "vertical-line": 124, "right-brace": 125, "right-curly-bracket": 125, "tilde": 126}


def named_element(name):
    """The code point of a collating element, or None."""
    return ord(name) if len(name) == 1 else ELEMENT_NAMES.get(name)


def complement(ranges):
    """All other code points."""
    found, start = [], 0
    for first, last in ranges:
        if first > start:
            found.append((start, first - 1))
        start = last + 1
    return tuple(found + [(start, CODE_MAX)] if start <= CODE_MAX else found)


def contains(ranges, code):
    """Whether a code point is in the set."""
    at = bisect_right(ranges, (code, CODE_MAX)) - 1
    return at >= 0 and code <= ranges[at][1]


@lru_cache(maxsize=256)
def closed_under_case(ranges):
    """The set with the lower and the upper form of each member."""
    added = []
    for mapping in (case_map("to_lower"), case_map("to_upper")):
        added += [(mapped, mapped) for code, mapped in mapping.items() if contains(ranges, code)]
    return merged([*ranges, *added])
