"""Arrays as text: '{1,NULL,"a b"}', '[0:1]={{1,2},{3,4}}'.

    read(text, read_element)    PostgreSQL's grammar of array literals, with its errors
    write(array, write_element)
"""
from itertools import pairwise
from math import prod

from caldera.base.errors import error
from caldera.types.array_image import EMPTY, Array

DIMENSIONS_MAX = 6
ELEMENTS_MAX = 134217727                # as many as PostgreSQL has room for
INT4_MAX = 2**31 - 1
SPACE = " \t\n\r\v\f"
START, END, DELIMITER, ELEMENT = "{", "}", ",", "element"


# ------------------------------------------------------------------------------------------------ reading

def read(text, read_element):
    """The Array that a text means; `read_element(text)` gives the datum of an element's text. Raises 22P02, 54000, 2202E."""
    shape, at = read_dimensions(text)
    if not shape and text[at:at + 1] != START:
        raise malformed(text, 'Array value must start with "{" or dimension information.')
    if shape:
        if text[at:at + 1] != "=":
            raise malformed(text, 'Missing "=" after array dimensions.')
        at = skip_space(text, at + 1)
        if text[at:at + 1] != START:
            raise malformed(text, 'Array contents must start with "{".')
    reader = ContentsReader(text, at, [length for length, _ in shape], read_element)
    at = skip_space(text, reader.read())
    if at < len(text):
        raise malformed(text, "Junk after closing right brace.")
    if not reader.elements:
        return EMPTY
    dims = tuple(reader.dims)
    check_size(dims)
    return Array(tuple(reader.elements), dims, tuple(lower for _, lower in shape) if shape else (1,) * len(dims))


def malformed(text, detail):
    """The error for a text that is no array."""
    return error("22P02", f'malformed array literal: "{text}"', detail=detail)


def too_many_dimensions():
    """The error for more than six."""
    return error("54000", f"number of array dimensions exceeds the maximum allowed ({DIMENSIONS_MAX})")


def check_size(dims):
    """Raise 54000 for more elements than an array may have."""
    if prod(dims) > ELEMENTS_MAX:
        raise error("54000", f"array size exceeds the maximum allowed ({ELEMENTS_MAX})")


def skip_space(text, at):
    """The place of the next character that is no white space."""
    while text[at:at + 1] and text[at] in SPACE:
        at += 1
    return at


def read_dimensions(text):
    """(pairs (length, lower bound) of what stands in [low:high] in front, the place behind)."""
    shape, at = [], 0
    while True:
        at = skip_space(text, at)
        if text[at:at + 1] != "[":
            return shape, at
        if len(shape) == DIMENSIONS_MAX:
            raise too_many_dimensions()
        lower, upper, at = read_bounds(text, at + 1)
        if text[at:at + 1] != "]":
            raise malformed(text, 'Missing "]" after array dimensions.')
        at += 1
        if upper < lower:
            raise error("2202E", "upper bound cannot be less than lower bound")
        if upper == INT4_MAX:
            raise error("54000", f"array upper bound is too large: {upper}")
        if upper - lower + 1 > INT4_MAX:
            raise error("54000", f"array size exceeds the maximum allowed ({ELEMENTS_MAX})")
        shape.append((upper - lower + 1, lower))


def read_bounds(text, at):
    """(lower bound, upper bound, the place behind them)."""
    number, behind = read_bound(text, at)
    if behind == at:
        raise malformed(text, '"[" must introduce explicitly-specified array dimensions.')
    if text[behind:behind + 1] != ":":
        return 1, number, behind
    upper, end = read_bound(text, behind + 1)
    if end == behind + 1:
        raise malformed(text, "Missing array dimension value.")
    return number, upper, end


def read_bound(text, at):
    """(a whole number, the place behind it); nothing is read if there is none."""
    start = at
    if text[at:at + 1] in ("-", "+") and text[at:at + 1]:
        at += 1
    digits = at
    while text[at:at + 1].isascii() and text[at:at + 1].isdigit():
        at += 1
    if at == digits:
        return 0, start
    number = int(text[start:at])
    if not -2**31 <= number <= INT4_MAX:
        raise error("54000", "array bound is out of integer range")
    return number, at


class ContentsReader:
    """Reads what stands in braces from a place on. dims: lengths, if they were given; else what is found."""

    def __init__(self, text, at, dims, read_element):
        self.text, self.at, self.read_element = text, at, read_element
        self.given, self.dims, self.elements = bool(dims), list(dims), []
        self.frozen, self.after_item, self.counts = self.given, False, []
        self.depth_max = len(dims)
        self.lengths = dims + [-1] * (DIMENSIONS_MAX - len(dims))

    def read(self):
        """Read to the last brace; the place behind it."""
        while True:
            self.item()
            if not self.counts:
                self.dims = self.lengths[:self.depth_max]
                return self.at

    def item(self):
        """One token, and what follows from it."""
        token, value = self.token()
        if token == START:
            self.start_level()
        elif token == END:
            self.end_level()
        elif token == DELIMITER:
            if not self.after_item:
                raise self.unexpected(DELIMITER)
            self.after_item = False
        else:
            self.element(value)

    def start_level(self):
        if self.after_item:
            raise self.unexpected(START)
        if len(self.counts) == DIMENSIONS_MAX:
            raise too_many_dimensions()
        self.counts.append(0)
        if len(self.counts) > self.depth_max:
            if self.frozen:
                raise self.mismatch()
            self.depth_max = len(self.counts)

    def end_level(self):
        if self.counts[-1] and not self.after_item:
            raise self.unexpected(END)
        count = self.counts.pop()
        level = len(self.counts)
        if level:
            self.counts[-1] += 1
        if self.lengths[level] < 0:
            self.lengths[level] = count
        elif count != self.lengths[level]:
            raise self.mismatch()
        self.after_item = True

    def element(self, text):
        if self.after_item:
            raise malformed(self.text, "Unexpected array element.")
        self.elements.append(None if text is None else self.read_element(text))
        self.frozen = True
        if len(self.counts) != self.depth_max:
            raise self.mismatch()
        self.counts[-1] += 1
        self.after_item = True

    def unexpected(self, character):
        return malformed(self.text, f'Unexpected "{character}" character.')

    def mismatch(self):
        return malformed(self.text, "Specified array dimensions do not match array contents." if self.given else
                         "Multidimensional arrays must have sub-arrays with matching dimensions.")

    def token(self):
        """(the kind of the next token, of an element its text, or None for NULL)."""
        self.at = skip_space(self.text, self.at)
        character = self.next()
        if character in (START, END, DELIMITER):
            self.at += 1
            return character, None
        return ELEMENT, self.quoted() if character == '"' else self.bare()

    def next(self):
        """The character at the place, which must be there."""
        if self.at >= len(self.text):
            raise malformed(self.text, "Unexpected end of input.")
        return self.text[self.at]

    def quoted(self):
        """An element's text in quotes."""
        parts, self.at = [], self.at + 1
        while (character := self.next()) != '"':
            if character == "\\":
                self.at += 1
                character = self.next()
            parts.append(character)
            self.at += 1
        self.at = skip_space(self.text, self.at + 1)
        if self.next() not in (DELIMITER, START, END):
            raise malformed(self.text, "Incorrectly quoted array element.")
        return "".join(parts)

    def bare(self):
        """An element's text without quotes, None for NULL; white space at its end does not count."""
        parts, length, escaped = [], 0, False
        while (character := self.next()) not in (DELIMITER, END):
            if character == START:
                raise self.unexpected(START)
            if character == '"':
                raise malformed(self.text, "Incorrectly quoted array element.")
            is_escape = character == "\\"
            if is_escape:
                escaped, self.at = True, self.at + 1
                character = self.next()
            parts.append(character)
            if is_escape or character not in SPACE:
                length = len(parts)
            self.at += 1
        text = "".join(parts[:length])
        return None if text.upper() == "NULL" and not escaped else text


# ------------------------------------------------------------------------------------------------ writing

def write(array, write_element):
    """The text of an Array; `write_element(datum)` gives that of an element."""
    if not array.elements:
        return "{}"
    texts = ["NULL" if datum is None else quoted_if_needed(write_element(datum)) for datum in array.elements]
    for length in reversed(array.dims):
        edges = range(0, len(texts) + 1, length)
        texts = ["{" + ",".join(texts[first:stop]) + "}" for first, stop in pairwise(edges)]
    bounds = "".join(f"[{lower}:{lower + length - 1}]" for length, lower in zip(array.dims, array.lowers))
    return f"{bounds}={texts[0]}" if any(lower != 1 for lower in array.lowers) else texts[0]


def quoted_if_needed(text):
    """An element's text as it stands in an array's."""
    if text and text.upper() != "NULL" and not any(character in '"\\{},' or character in SPACE for character in text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
