"""Shell input to statements and backslash commands, line by line.

    SELECT 1;  SELECT '\\d;'            ─▶ Item("SELECT 1;"), then the rest waits for its semicolon
    \\d t                               ─▶ Item("\\d t", is_command=True)

What is open (a quotation, a comment, parentheses) is remembered between lines, so that a script of any length is read in
one pass. A semicolon ends a statement only outside of all of these; a backslash outside of quotations begins a command that
takes the rest of the line.
"""
import re
from dataclasses import dataclass

IN_TEXT = re.compile(r"""[eE]'|['"();\\]|--|/\*|\$(?:[^\W\d]\w*)?\$""")
WORD_BEFORE = re.compile(r"[\w$]\Z")
CLOSERS = {"'": re.compile(r"'"), "e'": re.compile(r"\\.|\\\Z|'", re.DOTALL), '"': re.compile(r'"'),
           "/*": re.compile(r"/\*|\*/")}


@dataclass(frozen=True)
class Item:
    """One thing to do. text: a statement with its semicolon, or a backslash command with its backslash. line: the number
    of the line where it ended, from 1."""
    text: str
    line: int
    is_command: bool = False


class Reader:
    """Takes lines, gives Items. `pending` is what still waits for its end; `waits_for` what that is, as psql's prompt shows
    it: "=" for a new statement, "-" for the rest of one, or what is open: a quote, "(" or "*"."""

    def __init__(self):
        self.line = 0
        self.reset()

    def reset(self):
        """Forget what was not finished."""
        self.pending, self.inside, self.depth, self.comment_depth, self.has_words = "", None, 0, 0, False

    @property
    def waits_for(self):
        if self.inside is not None:
            return {"/*": "*", "e'": "'"}.get(self.inside, self.inside[0])
        return "(" if self.depth else "-" if self.has_words else "="

    def feed(self, line):
        """Read one line, without its end; yields the Items that it completes. A command is yielded while `pending` still
        holds what stood before it: the command may want that (\\g)."""
        self.line += 1
        start = at = 0
        while True:
            match = self.next_mark(line, at)
            if match is None:
                break
            mark = match.group()
            between = line[at:match.start()]
            self.has_words |= self.inside is None and bool(between.strip())
            at = match.end()
            if self.inside is not None:
                self.close(mark)
            elif mark == "--":
                break
            elif mark == ";" and self.depth == 0:
                text = self.pending + line[start:match.end()]
                had_words, start = self.has_words, at
                self.reset()
                if had_words:
                    yield Item(text.strip(), self.line)
            elif mark == "\\":
                self.pending += line[start:match.start()]
                for text in commands_of(line[match.start():]):
                    yield Item(text, self.line, is_command=True)
                self.pending = self.pending if self.has_words else ""
                return
            else:
                self.open(mark, line, match)
        if self.inside is None and not (match and match.group() == "--"):
            self.has_words |= bool(line[at:].strip())
        if self.has_words or self.inside is not None or line[start:].strip():
            self.pending += line[start:] + "\n"

    def finish(self):
        """The input has ended: what is left counts as a statement."""
        text, had_words = self.pending.strip(), self.has_words
        self.reset()
        if had_words:
            yield Item(text, self.line)

    def next_mark(self, line, at):
        """The next thing in the line that opens, closes or ends something."""
        if self.inside is not None:
            closer = CLOSERS.get(self.inside)
            return (closer or re.compile(re.escape(self.inside))).search(line, at)
        match = IN_TEXT.search(line, at)
        while match and (match.group()[0] in "eE$") and WORD_BEFORE.search(line, 0, match.start()):
            word_quote = match.group()[0] in "eE"           # name'...' is no escape string, and a$b$ no quotation
            match = re.compile("'").search(line, match.start()) if word_quote else IN_TEXT.search(line, match.start() + 1)
            if word_quote:
                break
        return match

    def open(self, mark, line, match):
        """Something opens outside of quotations, or a parenthesis closes."""
        self.has_words |= mark != "/*"
        if mark == "(":
            self.depth += 1
        elif mark == ")":
            self.depth = max(0, self.depth - 1)
        elif mark != ";":
            self.inside, self.comment_depth = mark.lower() if mark[0] in "eE" else mark, 1

    def close(self, mark):
        """A mark inside a quotation or a comment; comments nest."""
        if self.inside == "/*":
            self.comment_depth += 1 if mark == "/*" else -1
            self.inside = None if self.comment_depth == 0 else "/*"
        elif self.inside != "e'" or mark == "'":
            self.inside = None


def commands_of(text):
    """The backslash commands of the rest of a line: one ends where the next begins, but for \\!, which takes all."""
    if text.startswith("\\!"):
        return [text.rstrip()]
    pieces = re.findall(r"""\\(?:'[^']*'|"[^"]*"|[^\\'"]|['"])*""", text)
    return [piece.rstrip() for piece in pieces if piece.strip("\\ \t")]


VARIABLE = re.compile(r"""(?P<skip>'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/|::)
                        | :(?P<quote>['"]?)(?P<name>[A-Za-z_]\w*)(?P=quote)""", re.VERBOSE | re.DOTALL)


def substituted(text, variables):
    """The text with :name, :'name' (as a literal) and :"name" (as a name) replaced by variables, where they are set."""
    def value(match):
        if match["skip"] is not None or match["name"] not in variables:
            return match.group()
        quote = match["quote"]
        return quote + variables[match["name"]].replace(quote, 2 * quote) + quote if quote else variables[match["name"]]
    return VARIABLE.sub(value, text) if ":" in text and variables else text
