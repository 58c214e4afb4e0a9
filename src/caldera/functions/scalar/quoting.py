"""Texts as parts of SQL: quoted identifiers and literals, format(), Unicode escapes."""
import re

from caldera.base.errors import error
from caldera.base.names import quoted_name
from caldera.functions.registry import scalar
from caldera.types.registry import lookup

ESCAPE = re.compile(r"\\(?:(\\)|([0-9A-Fa-f]{4})|\+([0-9A-Fa-f]{6})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|)")
ESCAPE_HINT = r"Unicode escapes must be \XXXX, \+XXXXXX, \uXXXX, or \UXXXXXXXX."
FORMAT_HINT = 'For a single "%" use "%%".'
INT_MAX = 2**31 - 1


def quoted_text(text):
    """A literal as SQL text."""
    prefix = "E" if "\\" in text else ""
    return prefix + "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


def as_text(type, datum, session):
    """A datum as its cast to text gives it: bool is spelt out, char(n) loses its padding."""
    if type.name == "bool":
        return "true" if datum else "false"
    return datum.rstrip(" ") if type.name == "bpchar" else type.format(datum, session)


@scalar("quote_ident(text) -> text", python=True, doc="The text as an identifier in SQL, quoted if it must be.",
        example="SELECT quote_ident('Foo bar')  -- \"Foo bar\"")
def quote_ident(name):
    return quoted_name(name)


@scalar("quote_literal(text) -> text", python=True, doc="The text as a literal in SQL.",
        example="SELECT quote_literal(E'O\\'Reilly')  -- 'O''Reilly'")
def quote_literal(text):
    return quoted_text(text)


@scalar("quote_literal(anyelement) -> text", python=True, wants_session=True, wants_types=True, volatility="s",
        doc="The value as a literal in SQL.", example="SELECT quote_literal(42.5)  -- '42.5'")
def quote_literal_of_any(session, types, value):
    return quoted_text(as_text(types[0], value, session))


@scalar("quote_nullable(text) -> text", python=True, strict=False, doc="The text as a literal in SQL; NULL for NULL.",
        example="SELECT quote_nullable(NULL)  -- NULL")
def quote_nullable(text):
    return "NULL" if text is None else quoted_text(text)


@scalar("quote_nullable(anyelement) -> text", python=True, strict=False, wants_session=True, wants_types=True,
        volatility="s",
        doc="The value as a literal in SQL; NULL for NULL.", example="SELECT quote_nullable(42.5)  -- '42.5'")
def quote_nullable_of_any(session, types, value):
    return "NULL" if value is None else quoted_text(as_text(types[0], value, session))


# ------------------------------------------------------------------------------------------------ format

@scalar("format(text) -> text", "format(text, any) -> text", python=True, strict=False, variadic=True, wants_session=True,
        wants_types=True, volatility="s",
        doc="The values put where the format says: %s as text, %I as identifier, %L as literal.",
        example="SELECT format('Hello %s, %1$s', 'World')  -- Hello World, World")
def format_text(session, types, template, *values):
    if template is None:
        return None
    return Formatter(session, types[1:], template, values).run()


def format_error(message, hint=None):
    """A mistake in a format."""
    return error("22023", message, hint=hint)


class Formatter:
    """Reads a format from left to right. `next_value`: number of the next argument that no position asks for."""

    def __init__(self, session, types, template, values):
        self.session, self.types, self.text, self.values = session, types, template, values
        self.at, self.next_value = 0, 0

    def run(self):
        """The formatted text."""
        parts = []
        while True:
            percent = self.text.find("%", self.at)
            if percent < 0:
                return "".join([*parts, self.text[self.at:]])
            parts.append(self.text[self.at:percent])
            self.at = percent + 1
            parts.append("%" if self.eat("%") else self.placed())

    def eat(self, sign):
        found = self.text.startswith(sign, self.at)
        self.at += found
        return found

    def number(self):
        """Digits here as a number, or None."""
        start = self.at
        while self.text[self.at:self.at + 1] in tuple("0123456789"):
            self.at += 1
        if start == self.at:
            return None
        if int(self.text[start:self.at]) > INT_MAX:
            raise error("22003", "number is out of range")
        return int(self.text[start:self.at])

    def require_more(self):
        if self.at >= len(self.text):
            raise format_error("unterminated format() type specifier", FORMAT_HINT)

    def argument(self, position):
        """The number (from 0) of an argument by its position (from 1), or of the next one."""
        if position is None:
            position = self.next_value + 1
        if position > len(self.values):
            raise format_error("too few arguments for format()")
        self.next_value = position
        return position - 1

    def checked_position(self, position):
        if position == 0:
            raise format_error("format specifies argument 0, but arguments are numbered from 1")
        return position

    def placed(self):
        """One specifier: [position$][-][width]type."""
        self.require_more()
        position, width, left = None, 0, False
        number = self.number()
        if number is not None and self.eat("$"):
            position = self.checked_position(number)
            number = None
        if number is None:
            self.require_more()
            while self.eat("-"):
                left = True
                self.require_more()
            if self.eat("*"):
                width = self.width_argument()
            else:
                width = self.number() or 0
        else:
            width = number
        self.require_more()
        kind = self.text[self.at]
        self.at += 1
        if kind not in "sIL":
            raise format_error(f'unrecognized format() type specifier "{kind}"', FORMAT_HINT)
        return self.padded(self.value(kind, self.argument(position)), width, left)

    def width_argument(self):
        """The width that an argument gives."""
        self.require_more()
        position = self.number()
        if position is not None:
            self.checked_position(position)
            if not self.eat("$"):
                raise format_error('width argument position must be ended by "$"')
        number = self.argument(position)
        value, type = self.values[number], self.types[number]
        if value is None:
            return 0
        if type.name in ("int2", "int4"):
            return value
        return lookup("int4").parse(type.format(value, self.session))

    def value(self, kind, number):
        """An argument as text."""
        value = self.values[number]
        if value is None:
            if kind == "I":
                raise error("22004", "null values cannot be formatted as an SQL identifier")
            return "NULL" if kind == "L" else ""
        text = self.types[number].format(value, self.session)
        return {"s": str, "I": quoted_name, "L": quoted_text}[kind](text)

    @staticmethod
    def padded(text, width, left):
        if width < 0:
            if width == -INT_MAX - 1:
                raise error("22003", "number is out of range")
            width, left = -width, True
        return text.ljust(width) if left else text.rjust(width)


# ------------------------------------------------------------------------------------------------ Unicode escapes

@scalar("unistr(text) -> text", python=True, doc="The text with Unicode escapes replaced by what they mean.",
        example=r"SELECT unistr('d\0061t\+000061')  -- data")
def unistr(text):
    parts, at, high = [], 0, None
    for match in ESCAPE.finditer(text):
        if high is not None and match.start() != at:
            raise error("42601", "invalid Unicode surrogate pair")
        parts.append(text[at:match.start()])
        at = match.end()
        digits = next(filter(None, match.groups()[1:]), None)
        if match[1] and high is None:
            parts.append("\\")
            continue
        if digits is None:
            raise error("42601", "invalid Unicode surrogate pair" if match[1] else "invalid Unicode escape",
                        hint=None if match[1] else ESCAPE_HINT)
        code = int(digits, 16)
        if code == 0 or code > 0x10FFFF:
            raise error("22023", f"invalid Unicode code point: {code:04X}")
        if (high is not None) != (0xDC00 <= code <= 0xDFFF):
            raise error("42601", "invalid Unicode surrogate pair")
        if high is not None:
            parts.append(chr(0x10000 + (high - 0xD800 << 10) + code - 0xDC00))
            high = None
        elif 0xD800 <= code <= 0xDBFF:
            high = code
        else:
            parts.append(chr(code))
    if high is not None:
        raise error("42601", "invalid Unicode surrogate pair")
    return "".join([*parts, text[at:]])
