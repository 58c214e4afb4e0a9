"""The language of jsonpath: text to tree, by recursive descent.

    'lax $.a[*] ? (@.b > 1)' ─ parse ─▶ Path(strict=False, item)

    Item(kind, value, arguments)
      root current last variable literal           where an expression begins
      chain        arguments: what it begins with, then steps: key any_key elements subscripts levels filter, or a method
      + - * / %    of two or one                   == <> < <= > >= && || ! is_unknown exists like_regex starts_with

Subscripts are pairs (first, last or None); the value of levels is such a pair of numbers, LAST_LEVEL for "last".
"""
import re
from typing import Any, NamedTuple

from caldera.base.errors import error
from caldera.types.json_values import decimal_number, whole_number

LAST_LEVEL = 2**32 - 1


class Item(NamedTuple):
    """A part of a path."""
    kind: str
    value: Any = None
    arguments: tuple = ()


class Path(NamedTuple):
    """A whole jsonpath. strict: structural errors count, nothing is unwrapped."""
    strict: bool
    item: Item


TOKEN = re.compile(r"""
    (?P<space> [ \t\n\r\f]+ | /\*.*?\*/ )
  | (?P<string> "(?:[^"\\]|\\.)*" )
  | (?P<variable> \$(?:"(?:[^"\\]|\\.)*" | (?!\s)[^\W\d][\w$]* ) )
  | (?P<number> 0[xX][0-9a-fA-F_]+ | 0[oO][0-7_]+ | 0[bB][01_]+
      | (?: (?:0|[1-9](?:_?\d)*)(?:\.(?:\d(?:_?\d)*)?)? | \.\d(?:_?\d)* )(?:[eE][+-]?\d+)? )
  | (?P<word> (?:[^\W\d]|\\.)(?:[\w$]|\\.)* )
  | (?P<mark> && | \|\| | == | != | <> | <= | >= | \*\* | [$@!<>()\[\]{}.,*?+\-/%=] )
""", re.VERBOSE | re.DOTALL)
METHODS = {"abs", "size", "type", "floor", "double", "ceiling", "keyvalue", "bigint", "boolean", "date", "integer", "number",
           "string"}
METHODS_WITH_NUMBER = {"time", "time_tz", "timestamp", "timestamp_tz"}
COMPARISONS = {"==": "==", "=": "==", "!=": "<>", "<>": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
PREDICATES = {*COMPARISONS.values(), "&&", "||", "!", "is_unknown", "exists", "like_regex", "starts_with"}
WORDS = {"true": True, "false": False, "null": None}
ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
LETTERS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
FLAGS = set("isqmx")
NO_NUMBERS = bool, str, type(None)


def unescaped(text):
    """A string or name without its escapes. Surrogate pairs become one character."""
    if "\\" not in text:
        return text

    def meant(found):
        digits = found[1] or found[2] or found[3]
        return chr(int(digits, 16)) if digits else LETTERS.get(found[4], found[4])
    joined = ESCAPE.sub(meant, text)
    if "\0" in joined:
        raise error("22P05", "unsupported Unicode escape sequence", detail="\\u0000 cannot be converted to text.")
    try:
        return joined.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise error("22P02", "invalid input syntax for type jsonpath",
                    detail="Unicode low surrogate must follow a high surrogate.") from None


class Parser:
    """A text on its way to a tree. `token` is a pair (group of TOKEN, text), ("end", "") at the end. `in_subscript` and
    `in_filter`: how deep, since `last` and @ mean something there only."""

    def __init__(self, text):
        self.text, self.at, self.in_subscript, self.in_filter = text, 0, 0, 0
        self.next()

    # ---- tokens

    def next(self):
        """Go to the next token."""
        while True:
            self.start = self.at
            if self.at == len(self.text):
                self.token = "end", ""
                return
            found = TOKEN.match(self.text, self.at)
            if not found:
                self.token = "wrong", self.text[self.at]
                raise self.wrong()
            self.at = found.end()
            if found.lastgroup == "number" and re.match(r"\w", self.text[self.at:self.at + 1]):
                raise error("42601", f'trailing junk after numeric literal at or near "{self.text[self.start:self.at + 1]}" '
                                     "of jsonpath input")
            if found.lastgroup != "space":
                self.token = found.lastgroup, found[0]
                return

    def wrong(self):
        """The error for a token that cannot stand here."""
        if self.token[0] == "end":
            return error("42601", "syntax error at end of jsonpath input")
        return error("42601", f'syntax error at or near "{self.token[1]}" of jsonpath input')

    def sees(self, *marks):
        """Whether the token is one of some marks."""
        return self.token[0] == "mark" and self.token[1] in marks

    def sees_word(self, *words):
        """Whether the token is one of some keywords."""
        return self.token[0] == "word" and self.token[1].lower() in words

    def take(self, *marks):
        """Go beyond one of some marks, which must be there; gives it."""
        if not self.sees(*marks):
            raise self.wrong()
        mark = self.token[1]
        self.next()
        return mark

    def take_word(self, word):
        """Go beyond a keyword, which must be there."""
        if not self.sees_word(word):
            raise self.wrong()
        self.next()

    def whole(self):
        """A number without fraction."""
        if self.token[0] != "number" or not self.token[1].isdigit():
            raise self.wrong()
        number = int(self.token[1])
        self.next()
        return number

    # ---- grammar

    def path(self):
        """All of the text."""
        strict = self.sees_word("strict")
        if strict or self.sees_word("lax"):
            self.next()
        item = self.disjunction()
        if self.token[0] != "end":
            raise self.wrong()
        return Path(strict, item)

    def disjunction(self):
        """a || b."""
        left = self.conjunction()
        while self.sees("||"):
            left = self.joined("||", left, self.conjunction)
        return left

    def conjunction(self):
        """a && b."""
        left = self.predicate()
        while self.sees("&&"):
            left = self.joined("&&", left, self.predicate)
        return left

    def joined(self, kind, left, operand):
        """Two predicates with an operator between them."""
        self.check_predicate(left)
        self.next()
        right = operand()
        self.check_predicate(right)
        return Item(kind, None, (left, right))

    def check_predicate(self, item):
        """Raise where an expression stands in place of a predicate."""
        if item.kind not in PREDICATES:
            raise self.wrong()

    def predicate(self):
        """A comparison and its like, or an expression by itself."""
        if self.sees("!"):
            self.next()
            if not self.sees("(") and not self.sees_word("exists"):
                raise self.wrong()
            argument = self.delimited()
            self.check_predicate(argument)
            return Item("!", None, (argument,))
        left = self.sum()
        if self.sees(*COMPARISONS):
            self.check_expression(left)
            kind = COMPARISONS[self.token[1]]
            self.next()
            right = self.sum()
            self.check_expression(right)
            return Item(kind, None, (left, right))
        if self.sees_word("starts"):
            self.next()
            self.take_word("with")
            return Item("starts_with", None, (left, self.initial()))
        if self.sees_word("like_regex"):
            self.next()
            return self.like_regex(left)
        return left

    def delimited(self):
        """( predicate ) or exists ( expression )."""
        if self.sees_word("exists"):
            self.next()
            self.take("(")
            argument = self.sum()
            self.take(")")
            return Item("exists", None, (argument,))
        self.take("(")
        inner = self.disjunction()
        self.take(")")
        return inner

    def check_expression(self, item):
        """Raise where a predicate stands in place of an expression."""
        if item.kind in PREDICATES:
            raise self.wrong()

    def initial(self):
        """What a text may start with: a string or a variable."""
        if self.token[0] not in ("string", "variable"):
            raise self.wrong()
        return self.primary()

    def like_regex(self, left):
        """The pattern, and perhaps flags."""
        pattern, flags = self.string(), ""
        if self.sees_word("flag"):
            self.next()
            flags = self.string()
        for letter in flags:
            if letter not in FLAGS:
                raise error("42601", "invalid input syntax for type jsonpath",
                            detail=f'Unrecognized flag character "{letter}" in LIKE_REGEX predicate.')
        if "x" in flags and "q" not in flags:
            raise error("0A000", 'XQuery "x" flag (expanded regular expressions) is not implemented')
        return Item("like_regex", (pattern, "".join(letter for letter in "ismxq" if letter in flags)), (left,))

    def string(self):
        """The value of a string."""
        if self.token[0] != "string":
            raise self.wrong()
        value = unescaped(self.token[1][1:-1])
        self.next()
        return value

    def sum(self):
        """a + b, a - b."""
        left = self.product()
        while self.sees("+", "-"):
            self.check_expression(left)
            left = Item(self.take("+", "-"), None, (left, self.product()))
        return left

    def product(self):
        """a * b, a / b, a % b."""
        left = self.signed()
        while self.sees("*", "/", "%"):
            self.check_expression(left)
            left = Item(self.take("*", "/", "%"), None, (left, self.signed()))
        return left

    def signed(self):
        """-a, +a; the sign of a number is part of it."""
        if not self.sees("+", "-"):
            return self.accessor()
        sign, argument = self.take("+", "-"), self.signed()
        if argument.kind == "literal" and not isinstance(argument.value, NO_NUMBERS):
            return Item("literal", -argument.value if sign == "-" else argument.value)
        return Item(sign, None, (argument,))

    def accessor(self):
        """What an expression begins with, and its steps."""
        if self.sees("(") or self.sees_word("exists"):
            head = self.delimited()
            if self.sees_word("is") and head.kind in PREDICATES:
                self.next()
                self.take_word("unknown")
                head = Item("is_unknown", None, (head,))
        else:
            head = self.primary()
        steps = []
        while self.sees(".", "[", "?"):
            steps.append(self.step())
        return Item("chain", None, (head, *steps)) if steps else head

    def primary(self):
        """A literal, $, @, last, or a variable."""
        kind, text = self.token
        if kind == "string":
            return Item("literal", self.string())
        if kind == "number":
            self.next()
            return Item("literal", number_of(text))
        if kind == "variable":
            self.next()
            name = text[1:]
            return Item("variable", unescaped(name[1:-1] if name.startswith('"') else name))
        if kind == "word" and text in WORDS:
            self.next()
            return Item("literal", WORDS[text])
        if self.sees("$"):
            self.next()
            return Item("root")
        if self.sees("@"):
            if not self.in_filter:
                raise error("42601", "@ is not allowed in root expressions")
            self.next()
            return Item("current")
        if self.sees_word("last"):
            if not self.in_subscript:
                raise error("42601", "LAST is allowed only in array subscripts")
            self.next()
            return Item("last")
        raise self.wrong()

    def step(self):
        """.key, .*, .**, [*], [subscripts], ?(predicate), .method()."""
        if self.sees("?"):
            self.next()
            self.take("(")
            self.in_filter += 1
            predicate = self.disjunction()
            self.check_predicate(predicate)
            self.in_filter -= 1
            self.take(")")
            return Item("filter", None, (predicate,))
        if self.sees("["):
            return self.subscripts()
        self.take(".")
        if self.sees("*"):
            self.next()
            return Item("any_key")
        if self.sees("**"):
            self.next()
            return self.levels()
        if self.token[0] == "string":
            return Item("key", self.string())
        if self.token[0] == "variable":             # $ begins no variable behind a point
            name = self.token[1]
            self.next()
            return Item("key", unescaped(name))
        if self.token[0] != "word":
            raise self.wrong()
        name = self.token[1]
        self.next()
        return self.method(name.lower()) if self.sees("(") else Item("key", unescaped(name))

    def subscripts(self):
        """[*] or a list of subscripts and ranges of them."""
        self.take("[")
        if self.sees("*"):
            self.next()
            self.take("]")
            return Item("elements")
        self.in_subscript += 1
        pairs = [self.subscript()]
        while self.sees(","):
            self.next()
            pairs.append(self.subscript())
        self.in_subscript -= 1
        self.take("]")
        return Item("subscripts", None, tuple(pairs))

    def subscript(self):
        """An expression, or two with `to` between them."""
        first, last = self.sum(), None
        self.check_expression(first)
        if self.sees_word("to"):
            self.next()
            last = self.sum()
            self.check_expression(last)
        return first, last

    def levels(self):
        """What stands behind **: {n}, {n to m}, or nothing."""
        if not self.sees("{"):
            return Item("levels", (0, LAST_LEVEL))
        self.next()
        first = self.level()
        last = first
        if self.sees_word("to"):
            self.next()
            last = self.level()
        self.take("}")
        return Item("levels", (first, last))

    def level(self):
        """A number, or last."""
        if self.sees_word("last"):
            self.next()
            return LAST_LEVEL
        return self.whole()

    def method(self, name):
        """A method with its arguments, from its parenthesis on."""
        self.take("(")
        arguments = ()
        if name == "decimal":
            arguments = self.numbers()
        elif name in METHODS_WITH_NUMBER:
            arguments = () if self.sees(")") else (self.whole(),)
        elif name == "datetime":
            arguments = () if self.sees(")") else (self.string(),)
        elif name not in METHODS:
            raise self.wrong()
        self.take(")")
        return Item("method", name, arguments)

    def numbers(self):
        """Whole numbers with commas between them, at most two."""
        found = []
        while not self.sees(")"):
            if found:
                self.take(",")
            sign = self.take("+", "-") if self.sees("+", "-") else "+"
            found.append(self.whole() if sign == "+" else -self.whole())
        if len(found) > 2:
            raise error("42601", "invalid input syntax for type jsonpath",
                        detail=".decimal() can only have an optional precision[,scale].")
        return tuple(found)



def number_of(text):
    """The number that a token means."""
    text = text.replace("_", "")
    if text[:2].lower() in ("0x", "0o", "0b"):
        return int(text, 0)
    return whole_number(text) if text.isdigit() else decimal_number(text)


def parse(text):
    """The Path that a text means. Raises 22P02 if there is nothing in it, 42601 at what cannot stand where it does."""
    if not text.strip(" \t\n\r\f"):
        raise error("22P02", f'invalid input syntax for type jsonpath: "{text}"')
    return Parser(text).path()
