"""The text forms of ranges and multiranges: '[1,5)', 'empty', '{[1,3),[7,)}'.

    read_range(text, parse) ─▶ (lower, upper, lower_inc, upper_inc), or None for an empty one        write_range
    read_multirange(text) ─▶ the texts of its ranges                                                  write_multirange
"""
import re

from caldera.base.errors import error

SPACE = " \t\n\r\v\f"
NEEDS_QUOTES = re.compile(r'["\\()\[\],\s]')


def malformed(what, text, detail):
    """The error for a text that is no range."""
    return error("22P02", f'malformed {what} literal: "{text}"', detail=detail)


def read_range(text, parse):
    """(lower, upper, lower_inc, upper_inc) of a text, None for "empty". parse: reads a bound. Raises 22P02."""
    stripped = text.strip(SPACE)
    if stripped[:5].lower() == "empty":
        if len(stripped) > 5:
            raise malformed("range", text, 'Junk after "empty" key word.')
        return None
    if stripped[:1] not in ("[", "("):
        raise malformed("range", text, "Missing left parenthesis or bracket.")
    lower, at = read_bound(text, stripped, 1)
    if stripped[at] != ",":
        raise malformed("range", text, "Missing comma after lower bound.")
    upper, at = read_bound(text, stripped, at + 1)
    if stripped[at] == ",":
        raise malformed("range", text, "Too many commas.")
    if at + 1 < len(stripped):
        raise malformed("range", text, "Junk after right parenthesis or bracket.")
    lower, upper = (None if bound is None else parse(bound) for bound in (lower, upper))
    return lower, upper, stripped[0] == "[", stripped[at] == "]"


def read_bound(text, stripped, at):
    """(the text of a bound without quotes, or None for one that is not there; the place of what ends it)."""
    if stripped[at:at + 1] in (",", ")", "]"):
        return None, at
    letters, quoted = [], False
    while True:
        letter = stripped[at:at + 1]
        if not letter:
            raise malformed("range", text, "Unexpected end of input.")
        if not quoted and letter in ",)]":
            return "".join(letters), at
        at += 1
        if letter == "\\":
            if at >= len(stripped):
                raise malformed("range", text, "Unexpected end of input.")
            letters.append(stripped[at])
            at += 1
        elif letter == '"' and quoted and stripped[at:at + 1] == '"':
            letters.append('"')
            at += 1
        elif letter == '"':
            quoted = not quoted
        else:
            letters.append(letter)


def write_range(range, format):
    """The text of a Range; format: writes a bound."""
    if range.is_empty:
        return "empty"
    lower, upper = ("" if bound is None else quoted(format(bound)) for bound in (range.lower, range.upper))
    return f"{'[' if range.lower_inc else '('}{lower},{upper}{']' if range.upper_inc else ')'}"


def quoted(text):
    """A bound's text, in quotes if it must be."""
    if text and not NEEDS_QUOTES.search(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '""') + '"'


def read_multirange(text):
    """The texts of the ranges in a multirange's text. Raises 22P02."""
    stripped = text.strip(SPACE)
    if not stripped.startswith("{"):
        raise malformed("multirange", text, "Missing left brace.")
    found, at, wants_range = [], 1, True
    while True:
        while stripped[at:at + 1] and stripped[at] in SPACE:
            at += 1
        letter = stripped[at:at + 1]
        if not letter:
            raise malformed("multirange", text, "Unexpected end of input.")
        if letter == "}" and (not wants_range or not found):
            break
        if not wants_range and letter == ",":
            at, wants_range = at + 1, True
        elif not wants_range:
            raise malformed("multirange", text, "Expected comma or end of multirange.")
        elif stripped[at:at + 5].lower() == "empty":
            found.append("empty")
            at, wants_range = at + 5, False
        elif letter in "[(":
            end = end_of_range(text, stripped, at + 1)
            found.append(stripped[at:end])
            at, wants_range = end, False
        else:
            raise malformed("multirange", text, "Expected range start.")
    if at + 1 < len(stripped):
        raise malformed("multirange", text, "Junk after closing right brace.")
    return found


def end_of_range(text, stripped, at):
    """The place behind the bracket that closes a range inside a multirange."""
    quoted = False
    while at < len(stripped):
        letter = stripped[at]
        at += 2 if letter == "\\" else 1
        if letter == '"':
            quoted = not quoted
        elif not quoted and letter in ")]":
            return at
    raise malformed("multirange", text, "Unexpected end of input.")


def write_multirange(ranges, format):
    """The text of a multirange; format: writes a range."""
    return "{" + ",".join(map(format, ranges)) + "}"
