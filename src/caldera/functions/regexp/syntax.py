"""Regular expression text to a tree.

    parse(pattern, options) ─▶ Alternatives(branches) ─▶ Sequence(items)
        items: Assertion | Look | Repeat(atom, least, most, prefer)
        atoms: Chars(ranges) | Group(content, number) | Back(number)

Three flavours share the parser: "advanced" (ARE, the default), "extended" (ERE) and "basic" (BRE); "literal" takes every
character for itself. Embedded options, (?i) and the like, and the prefixes ***: and ***= may change the flavour.
"""
from dataclasses import dataclass, replace

from caldera.base.errors import error
from caldera.functions import unicode
from caldera.functions.regexp.charsets import CLASS_NAMES, closed_under_case, complement, named_element

REPEAT_MAX = 255
LONG, SHORT = 1, 2                  # what a quantifier prefers; 0: what its atom prefers
MESSAGES = {"collate": "invalid collating element", "class": "invalid character class",
            "escape": "invalid escape \\ sequence", "back": "invalid backreference number",
            "bracket": "brackets [] not balanced", "paren": "parentheses () not balanced", "brace": "braces {} not balanced",
            "count": "invalid repetition count(s)", "range": "invalid character range",
            "quantifier": "quantifier operand invalid",
            "option": "invalid embedded option", "complex": "regular expression is too complex",
            "pattern": "invalid regexp (reg version 0.8)", "argument": "invalid argument to regex function"}
SIMPLE_ESCAPES = {"a": 7, "b": 8, "B": 92, "e": 27, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
CLASS_ESCAPES = {"d": "digit", "s": "space", "w": "word"}
ASSERTION_ESCAPES = {"A": "start", "Z": "end", "m": "word start", "M": "word end", "y": "word edge", "Y": "no word edge"}


@dataclass(frozen=True)
class Options:
    """flavour: "advanced", "extended", "basic" or "literal". newline_stops: . and [^...] exclude the newline;
    newline_anchors: ^ and $ match beside one. expanded: white space and comments in the pattern are skipped."""
    flavour: str = "advanced"
    ignore_case: bool = False
    newline_stops: bool = False
    newline_anchors: bool = False
    expanded: bool = False

    def with_letter(self, letter):
        """Changed by an option letter; None if it is none."""
        changes = {"b": {"flavour": "basic"}, "e": {"flavour": "extended"}, "q": {"flavour": "literal"},
                   "i": {"ignore_case": True}, "c": {"ignore_case": False}, "x": {"expanded": True},
                   "t": {"expanded": False}}
        for newline_letter, stops, anchors in ("nTT", "mTT", "sFF", "pTF", "wFT"):
            changes[newline_letter] = {"newline_stops": stops == "T", "newline_anchors": anchors == "T"}
        return replace(self, **changes[letter]) if letter in changes else None


DEFAULTS = Options()


@dataclass(frozen=True)
class Chars:
    """One character out of sorted ranges (first, last) of code points."""
    ranges: tuple


@dataclass(frozen=True)
class Assertion:
    """Something that holds between two characters: "start", "end", "line start", "line end", "word start" ..."""
    kind: str


@dataclass(frozen=True)
class Look:
    """(?=x) and its like: that x matches here (`ahead`) or ends here, or that it does not."""
    ahead: bool
    positive: bool
    content: object


@dataclass(frozen=True)
class Back:
    """A back reference."""
    number: int


@dataclass(frozen=True)
class Group:
    """Parentheses. `number`: of the capturing group, 0 if it does not capture."""
    content: object
    number: int


@dataclass(frozen=True)
class Repeat:
    """An atom and its quantifier. `most` is None for any number. `prefer`: LONG, SHORT or 0."""
    atom: object
    least: int = 1
    most: int | None = 1
    prefer: int = 0


@dataclass(frozen=True)
class Sequence:
    """Items that follow each other."""
    items: tuple


@dataclass(frozen=True)
class Alternatives:
    """One or more Sequences."""
    branches: tuple


@dataclass(frozen=True)
class Syntax:
    """A parsed pattern: the tree, the options in force, how many groups capture, and the tree of each group by number."""
    tree: Alternatives
    options: Options
    groups: int
    contents: dict


def is_anchored(tree):
    """Whether matches can start only at the start of the text."""
    return all(branch.items and branch.items[0] == Assertion("start") for branch in tree.branches)


def literal_prefix(tree):
    """A text with which every match starts; often empty."""
    letters = []
    for item in tree.branches[0].items if len(tree.branches) == 1 else ():
        if not (isinstance(item, Repeat) and item.least == item.most == 1 and isinstance(item.atom, Chars)):
            break
        (first, last), *others = item.atom.ranges or ((0, 1),)
        if others or first != last:
            break
        letters.append(chr(first))
    return "".join(letters)


def invalid(reason):
    """The error for a pattern that is wrong, by a key of MESSAGES."""
    return error("2201B", f"invalid regular expression: {MESSAGES[reason]}")


def parse_options(letters, allowed=""):
    """Options from the flags argument of an SQL function. `allowed`: letters that mean something to the caller, passed over.
    As in PostgreSQL, "e" gives the basic flavour, though the embedded option (?e) gives the extended one."""
    options = Options()
    for letter in letters:
        if letter not in allowed:
            changed = options.with_letter("b" if letter == "e" else letter)
            if changed is None:
                raise error("22023", f'invalid regular expression option: "{letter}"')
            options = changed
    return options


def parse(pattern, options=DEFAULTS):
    """A pattern to its Syntax; raises 2201B."""
    if options.flavour == "literal" and (options.expanded or options.newline_stops or options.newline_anchors):
        raise invalid("argument")
    parser = Parser(pattern, options)
    try:
        parser.read_prefix()
        tree = parser.literal() if parser.options.flavour == "literal" else parser.alternatives(outermost=True)
    except RecursionError:
        raise invalid("complex") from None
    return Syntax(tree, parser.options, parser.groups, parser.contents)


class Parser:
    """Reads a pattern from left to right; `at` is the next character's number."""

    def __init__(self, pattern, options):
        self.text, self.at, self.options = pattern, 0, options
        self.groups, self.contents, self.depth_of_looks = 0, {}, 0

    # characters
    def sees(self, words):
        """Whether the text goes on with these characters."""
        return self.text.startswith(words, self.at)

    def eat(self, words):
        """Skip them if so."""
        found = self.sees(words)
        self.at += len(words) * found
        return found

    @property
    def ended(self):
        return self.at >= len(self.text)

    @property
    def advanced(self):
        return self.options.flavour == "advanced"

    @property
    def basic(self):
        return self.options.flavour == "basic"

    def skip(self, in_count=False):
        """Pass over comments and, in expanded syntax, white space; (?#...) is none inside of a repetition count."""
        while True:
            if self.options.expanded:
                while not self.ended and self.text[self.at] in " \t\n\v\f\r":
                    self.at += 1
                if self.sees("#"):
                    line_end = self.text.find("\n", self.at)
                    self.at = len(self.text) if line_end < 0 else line_end
                    continue
            if in_count or not (self.advanced and self.sees("(?#")):
                return
            comment_end = self.text.find(")", self.at)
            self.at = len(self.text) if comment_end < 0 else comment_end + 1

    def read_prefix(self):
        """***: or ***= and embedded options."""
        if self.options.flavour == "literal":
            return
        if len(self.text) > 3 and self.sees("***"):
            flavour = {":": "advanced", "=": "literal"}.get(self.text[3])
            if flavour is None:
                raise invalid("pattern" if self.text[3] == "?" else "quantifier")
            self.at = 4
            self.options = replace(self.options, flavour=flavour)
            if flavour == "literal":
                self.options = replace(self.options, expanded=False, newline_stops=False, newline_anchors=False)
                return
        if self.advanced and self.sees("(?") and self.text[self.at + 2:self.at + 3].isalpha():
            self.at += 2
            while not self.ended and self.text[self.at].isalpha():
                options = self.options.with_letter(self.text[self.at])
                if options is None:
                    raise invalid("option")
                self.options, self.at = options, self.at + 1
            if not self.eat(")"):
                raise invalid("option")

    def literal(self):
        """The rest of the text, each character for itself."""
        items = tuple(Repeat(self.one(letter)) for letter in self.text[self.at:])
        return Alternatives((Sequence(items),))

    def one(self, letter):
        """A character for itself, in any case if case is ignored."""
        code = ord(letter) if isinstance(letter, str) else letter
        if not self.options.ignore_case:
            return Chars(((code, code),))
        codes = {mapping.get(code, code) for mapping in (unicode.case_map("to_lower"), unicode.case_map("to_upper"))}
        return Chars(unicode.merged((code, code) for code in codes))

    # structure
    def alternatives(self, outermost=False):
        """Branches up to the closing parenthesis, which is left, or to the end."""
        branches = [self.branch(outermost)]
        while not self.basic and self.eat("|"):
            branches.append(self.branch(outermost))
        return Alternatives(tuple(branches))

    def closes(self, outermost):
        """Whether the text goes on with what ends a branch."""
        if self.ended or not self.basic and self.sees("|"):
            return True
        if self.basic:
            if self.sees("\\)") and outermost:
                raise invalid("paren")
            return self.sees("\\)")
        if self.sees(")") and outermost and self.advanced:
            raise invalid("paren")
        return self.sees(")") and not outermost

    def branch(self, outermost):
        items, first = [], True
        while True:
            self.skip()
            if self.closes(outermost):
                return Sequence(tuple(items))
            item = self.item(first, outermost)
            first = first and item == Assertion("start")
            items.append(item)

    def item(self, first, outermost):
        """An atom with its quantifier, or an assertion."""
        if not (self.basic and first) and self.text[self.at] in ("*" if self.basic else "*+?"):
            raise invalid("quantifier")
        if self.sees("\\{") if self.basic else self.sees("{") and self.counts_follow():
            raise invalid("quantifier")
        atom = self.atom(first)
        return atom if isinstance(atom, (Assertion, Look)) else self.quantified(atom)

    def atom(self, first):
        letter = self.text[self.at]
        if letter == "[":
            return self.bracket()
        if letter == "\\":
            return self.escape()
        self.at += 1
        if letter == "^" and (not self.basic or first):
            return Assertion("line start" if self.options.newline_anchors else "start")
        if letter == "$" and (not self.basic or self.ended or self.sees("\\)")):
            return Assertion("line end" if self.options.newline_anchors else "end")
        if letter == ".":
            return Chars(complement(((10, 10),) if self.options.newline_stops else ()))
        if letter == "(" and not self.basic:
            return self.parenthesis()
        return self.one(letter)

    def parenthesis(self):
        """What follows an opening one."""
        if self.advanced and self.eat("?"):
            if self.eat(":"):
                return Group(self.group_content(), 0)
            for opening in ("=", "!", "<=", "<!"):
                if self.eat(opening):
                    ahead, positive = "<" not in opening, "=" in opening
                    self.depth_of_looks += 1
                    content = self.group_content()
                    self.depth_of_looks -= 1
                    return Look(ahead, positive, content)
            raise invalid("quantifier")
        if self.depth_of_looks:
            return Group(self.group_content(), 0)
        self.groups += 1
        number = self.groups
        content = self.contents[number] = self.group_content()
        return Group(content, number)

    def group_content(self):
        content = self.alternatives()
        if not self.eat("\\)" if self.basic else ")"):
            raise invalid("paren")
        return content

    # quantifiers
    def counts_follow(self):
        """Whether { here starts a repetition count: a digit must follow."""
        at = self.at + 1
        while self.options.expanded and self.text[at:at + 1] in tuple(" \t\n\v\f\r"):
            at += 1
        return self.text[at:at + 1].isascii() and self.text[at:at + 1].isdecimal()

    def quantified(self, atom):
        """The atom with the quantifier that follows, if one does."""
        self.skip()
        for sign, least, most in (("*", 0, None), ("+", 1, None), ("?", 0, 1)):
            if (not self.basic or sign == "*") and self.eat(sign):
                return Repeat(atom, least, most, self.preference())
        opening = "\\{" if self.basic else "{"
        if self.sees(opening) and (self.basic or self.counts_follow()):
            self.at += len(opening)
            return self.counted(atom)
        return Repeat(atom)

    def preference(self):
        return SHORT if self.advanced and self.eat("?") else LONG

    def counted(self, atom):
        """{m}, {m,} or {m,n}: only one with a comma has a preference of its own."""
        least = most = self.count()
        comma = self.token(",")
        if comma:
            most = self.count() if not self.ended and self.text[self.at] in "0123456789" else None
        if self.ended:
            raise invalid("brace")
        if most is not None and least > most or not self.eat("\\}" if self.basic else "}"):
            raise invalid("count")
        preference = self.preference()
        return Repeat(atom, least, most, preference if comma else 0)

    def token(self, sign):
        self.skip(in_count=True)
        found = self.eat(sign)
        self.skip(in_count=True)
        return found

    def count(self):
        """A number; basic syntax may leave it out for 0."""
        self.skip(in_count=True)
        if self.ended:
            raise invalid("brace")
        start = self.at
        while not self.ended and self.text[self.at] in "0123456789":
            self.at += 1
        digits = self.text[start:self.at] or ("0" if self.basic else "")
        if not digits or int(digits) > REPEAT_MAX:
            raise invalid("count")
        self.skip(in_count=True)
        return int(digits)

    # escapes
    def escape(self):
        """What a backslash starts, outside of brackets."""
        if self.at + 1 >= len(self.text):
            raise invalid("escape")
        letter = self.text[self.at + 1]
        if self.basic:
            return self.basic_escape(letter)
        if not self.advanced:
            self.at += 2
            return self.one(letter)
        if letter in ASSERTION_ESCAPES:
            self.at += 2
            return Assertion(ASSERTION_ESCAPES[letter])
        if letter.lower() in CLASS_ESCAPES and letter.isascii():
            self.at += 2
            ranges = unicode.char_class(CLASS_ESCAPES[letter.lower()])
            return Chars(complement(ranges) if letter.isupper() else ranges)
        digits = self.reference_digits()
        if digits:
            self.at += 1 + len(digits)
            return self.back_reference(int(digits))
        return self.one(self.escaped_code())

    def reference_digits(self):
        """The digits behind the backslash here if they name a group: one digit does, several if there are as many groups."""
        stop = self.at + 1
        while self.text[stop:stop + 1].isascii() and self.text[stop:stop + 1].isdecimal():
            stop += 1
        digits = self.text[self.at + 1:stop]
        return digits if digits and digits[0] != "0" and (len(digits) == 1 or int(digits) <= self.groups) else ""

    def basic_escape(self, letter):
        """Basic syntax: \\( \\{ \\1 \\< \\>; anything else stands for itself."""
        self.at += 2
        if letter == "(":
            return self.parenthesis()
        if letter in "<>":
            return Assertion("word start" if letter == "<" else "word end")
        if letter in "123456789":
            return self.back_reference(int(letter))
        return self.one(letter)

    def back_reference(self, number):
        if self.depth_of_looks or number not in self.contents:
            raise invalid("back")
        return Back(number)

    def escaped_code(self):
        """The code point of an escape that means one character; `at` is at the backslash, and then behind it all."""
        letter, self.at = self.text[self.at + 1], self.at + 2
        if not (letter.isascii() and letter.isalnum()):
            return ord(letter)
        if letter in SIMPLE_ESCAPES:
            return SIMPLE_ESCAPES[letter]
        if letter == "c":
            if self.ended:
                raise invalid("escape")
            self.at += 1
            return ord(self.text[self.at - 1]) & 31
        if letter in "uUx":
            least, most = {"u": (4, 4), "U": (8, 8), "x": (1, 255)}[letter]
            return self.digits("0123456789abcdefABCDEF", 16, least, most)
        if letter in "0123456789":
            self.at -= 1
            start = self.at
            code = self.digits("01234567", 8, 1, 3)
            if code > 255:
                self.at, code = start + 2, code >> 3
            return code
        raise invalid("escape")

    def digits(self, allowed, base, least, most):
        start = self.at
        while not self.ended and self.at - start < most and self.text[self.at] in allowed:
            self.at += 1
        if self.at - start < least:
            raise invalid("escape")
        code = int(self.text[start:self.at], base)
        if code > 0x7FFFFFFE:
            raise invalid("escape")
        return code

    # brackets
    def bracket(self):
        """[...]"""
        for words, kind in (("[[:<:]]", "word start"), ("[[:>:]]", "word end")):
            if self.eat(words):
                return Assertion(kind)
        self.at += 1
        negated, ranges, first = self.eat("^"), [], True
        while first or not self.sees("]"):
            if self.ended:
                raise invalid("bracket")
            ranges += self.bracket_part(first)
            first = False
        self.at += 1
        ranges = unicode.merged(ranges)
        if self.options.ignore_case:
            ranges = closed_under_case(ranges)
        if negated:
            ranges = complement(unicode.merged([*ranges, (10, 10)]) if self.options.newline_stops else ranges)
        return Chars(ranges)

    def bracket_part(self, first):
        """A character, a range or a class, as ranges."""
        if self.sees("-") and not first and not self.sees("-]"):
            raise invalid("range")
        start = self.bracket_element()
        if isinstance(start, tuple):
            return start
        if not self.sees("-") or self.sees("-]"):
            return ((start, start),)
        self.at += 1
        if self.ended:
            raise invalid("bracket")
        last = 45 if self.eat("-") else self.bracket_element()
        if isinstance(last, tuple) or start > last:
            raise invalid("range")
        return ((start, last),)

    def bracket_element(self):
        """A code point, or the ranges of a class."""
        for sign, reason in ((".", "collate"), ("=", "collate"), (":", "class")):
            if self.eat("[" + sign):
                end = self.text.find(sign + "]", self.at)
                if end < 0:
                    raise invalid("bracket")
                name, self.at = self.text[self.at:end], end + 2
                return self.named(sign, name, reason)
        letter = self.text[self.at]
        if letter == "\\" and self.advanced:
            if self.at + 1 >= len(self.text):
                raise invalid("escape")
            name = CLASS_ESCAPES.get(self.text[self.at + 1].lower())
            if name and self.text[self.at + 1].isascii():
                ranges = unicode.char_class(name)
                self.at += 2
                return complement(ranges) if self.text[self.at - 1].isupper() else ranges
            if self.text[self.at + 1] in ASSERTION_ESCAPES or self.reference_digits():
                raise invalid("escape")
            return self.escaped_code()
        self.at += 1
        return ord(letter)

    def named(self, sign, name, reason):
        """[:class:], [=element=] or [.element.]"""
        if sign == ":":
            if name not in CLASS_NAMES:
                raise invalid(reason)
            folded = self.options.ignore_case and name in ("lower", "upper")
            return unicode.char_class("alpha" if folded else name)
        code = named_element(name)
        if code is None:
            raise invalid(reason)
        return ((code, code),) if sign == "=" else code
