"""What is wrong with a text that is no JSON: a parser as PostgreSQL's, for its words and places.

Right texts are read by Python's own parser (`json_values`); this one reads those again that it refuses, and those with
escapes, of which jsonb takes only such as stand for characters. It raises, or finds nothing wrong.
"""
import re

from caldera.base.errors import error

EXCERPT_BYTES = 50                  # of the line, in the context of an error
WHITE_SPACE = " \t\n\r"
ANY_SPACE = re.compile(f"[{WHITE_SPACE}]*")
WORD = re.compile(r"[\w$\x80-\U0010ffff]+")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
NUMBER_LIKE = re.compile(r"-?(?:0|[1-9][0-9]*)?(?:\.[0-9]*)?(?:[eE][+-]?[0-9]*)?[A-Za-z0-9_\x80-\U0010ffff]*")
HEXADECIMAL = re.compile(r"[0-9a-fA-F]{4}")
ESCAPES = '"\\/bfnrt'
END = ""


class Syntax:
    """A text on its way through the parser. `token` (its first character, END behind the last) runs from `start` to `stop`.
    `decodes`: escapes are looked at for what they stand for."""

    def __init__(self, text, decodes):
        self.text, self.decodes, self.start, self.stop, self.token = text, decodes, 0, 0, END
        self.next()

    def check(self):
        """Raise the error of the first thing that is wrong."""
        self.value()
        if self.token != END:
            raise self.unexpected("end of input")

    # ---- tokens

    def next(self):
        """Go to the next token."""
        self.start = self.stop = ANY_SPACE.match(self.text, self.stop).end()
        self.token = self.text[self.start:self.start + 1]
        if self.token == END:
            return
        if self.token in "{}[],:":
            self.stop += 1
        elif self.token == '"':
            self.string()
        elif self.token in "-0123456789":
            self.number()
        else:
            word = WORD.match(self.text, self.start)
            self.stop = word.end() if word else self.start + 1
            if self.text[self.start:self.stop] not in ("true", "false", "null"):
                raise self.invalid()

    def number(self):
        """A number; letters behind it belong to it, and make it wrong."""
        self.stop = max(NUMBER_LIKE.match(self.text, self.start).end(), self.start + 1)
        if not NUMBER.fullmatch(self.text, self.start, self.stop):
            raise self.invalid()

    def string(self):
        """A string with its escapes."""
        text, at, high = self.text, self.start + 1, None
        while True:
            letter = text[at:at + 1]
            if letter == END:
                self.stop = len(text)
                raise self.invalid()
            if letter < " ":
                self.stop = at
                raise self.wrong(f"Character with value 0x{ord(letter):02x} must be escaped.")
            if letter == "\\":
                at, high = self.escape(at + 1, high)
                continue
            self.check_pair(high is None, at + 1)
            at += 1
            if letter == '"':
                self.stop = at
                return

    def escape(self, at, high):
        """Behind a backslash: (where it goes on, the high surrogate that waits for its low one)."""
        letter = self.text[at:at + 1]
        if letter == "u":
            return self.code_point(at, high)
        self.check_pair(high is None, at + 1)
        if letter == END:
            self.stop = len(self.text)
            raise self.invalid()
        if letter not in ESCAPES:
            self.start, self.stop = at, at + 1
            raise self.wrong(f'Escape sequence "\\{letter}" is invalid.')
        return at + 1, None

    def code_point(self, at, high):
        """The same for \\u: four digits, in pairs for what UTF-16 needs two for."""
        digits = HEXADECIMAL.match(self.text, at + 1)
        if not digits:
            wrong = next(n for n in range(at + 1, at + 5) if not re.match("[0-9a-fA-F]", self.text[n:n + 1]))
            self.stop = min(wrong + 1, len(self.text))
            if wrong >= len(self.text):
                raise self.invalid()
            raise self.wrong('"\\u" must be followed by four hexadecimal digits.')
        code, stop = int(digits[0], 16), at + 5
        is_low = 0xDC00 <= code < 0xE000
        if 0xD800 <= code < 0xDC00:
            self.check_pair(high is None, stop, "Unicode high surrogate must not follow a high surrogate.")
            return stop, code
        self.check_pair((high is not None) == is_low, stop)
        if code == 0 and self.decodes:
            self.stop = stop
            raise self.wrong("\\u0000 cannot be converted to text.", "22P05", "unsupported Unicode escape sequence")
        return stop, None

    def check_pair(self, fine, stop, detail="Unicode low surrogate must follow a high surrogate."):
        """Raise for half a surrogate pair, if that is of interest."""
        if self.decodes and not fine:
            self.stop = stop
            raise self.wrong(detail)

    # ---- grammar

    def value(self):
        """Any value."""
        if self.token == "{":
            self.object()
        elif self.token == "[":
            self.array()
        elif self.token == END or self.token in "}],:":
            raise self.unexpected("JSON value")
        else:
            self.next()

    def object(self):
        """An object, from its brace on."""
        self.next()
        if self.token == '"':
            self.member()
            while self.token == ",":
                self.next()
                if self.token != '"':
                    raise self.unexpected("string")
                self.member()
            self.expect("}", '"," or "}"')
        else:
            self.expect("}", 'string or "}"')

    def member(self):
        """A key and its value."""
        self.next()
        self.expect(":", '":"')
        self.value()

    def array(self):
        """An array, from its bracket on."""
        self.next()
        if self.token != "]":
            self.value()
            while self.token == ",":
                self.next()
                self.value()
        self.expect("]", '"," or "]"')

    def expect(self, token, wanted):
        """Go beyond a token that must stand here."""
        if self.token != token:
            raise self.unexpected(wanted)
        self.next()

    # ---- errors

    def invalid(self):
        """The error for a token that is none."""
        return self.wrong(f'Token "{self.text[self.start:self.stop]}" is invalid.')

    def unexpected(self, wanted):
        """The error for a token at the wrong place."""
        if self.token == END:
            return self.wrong("The input string ended unexpectedly.")
        return self.wrong(f'Expected {wanted}, but found "{self.text[self.start:self.stop]}".')

    def wrong(self, detail, sqlstate="22P02", message="invalid input syntax for type json"):
        """The error at the current token."""
        return error(sqlstate, message, detail=detail, context=self.context())

    def context(self):
        """The line up to where reading stopped, or its last part."""
        before = self.text[:self.stop]
        first = max(before.rfind("\n"), before.rfind("\r") if "\n" not in before else -1) + 1
        start = first
        while len(self.text[start:self.stop].encode()) >= EXCERPT_BYTES:
            start += 1
        if len(self.text[first:start].encode()) <= 3:
            start = first
        prefix = "..." if start > first else ""
        goes_on = self.token != END and self.stop < len(self.text) and self.text[self.stop] not in "\r\n"
        return f"JSON data, line {before.count(chr(10)) + 1}: {prefix}{self.text[start:self.stop]}{'...' if goes_on else ''}"


def check_syntax(text, decodes=True):
    """Raise 22P02 or 22P05 if a text is no JSON, or, with `decodes`, if an escape stands for no character."""
    try:
        Syntax(text, decodes).check()
    except RecursionError:
        raise too_deep() from None


def too_deep():
    """The error for values inside values without end."""
    return error("54001", "stack depth limit exceeded")
