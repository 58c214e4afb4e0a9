"""Text to statements: the first step in the life of a query.

    parse("SELECT 1; SELECT x FROM 'a.parquet'")
      ├─▶ Statement("SelectStmt", {"targetList": ...})
      └─▶ Statement("SelectStmt", {"targetList": ...}, files={36: "a.parquet"})
"""
from dataclasses import dataclass, field
from functools import cached_property

from caldera.base.errors import Error, error
from caldera.sql.libpg_query import extents, parse_tree, scan
from caldera.sql.tokens import with_files_named


@dataclass(frozen=True)
class Statement:
    """One statement's syntax tree.

    kind: the tree's root as PostgreSQL names it ("SelectStmt"); fields: what it holds, as `libpg_query.parse_tree` says.
    source: the whole text that was parsed; first and stop: the statement's bytes in it. files: where a file's name stood in
    place of a table's, {byte in source: name}; the tree has a placeholder there.
    """
    kind: str
    fields: dict
    source: str
    first: int = 0
    stop: int = 0
    files: dict = field(default_factory=dict)

    @cached_property
    def encoded(self):
        return self.source.encode()

    @property
    def text(self):
        """The statement as it was written, without the semicolon."""
        return self.encoded[self.first:self.stop].decode().strip()

    def position(self, location):
        """A location of the tree (bytes from 0) as PostgreSQL's position: characters from 1; None if it is unknown."""
        if location is None or location < 0:
            return None
        if self.source.isascii():
            return location + 1
        return len(self.encoded[:location].decode(errors="ignore")) + 1


def parse(text):
    """The statements of a text, in order; none if it is empty. Raises 42601 with PostgreSQL's message and position."""
    files = {}
    try:
        nodes = parse_tree(text)
    except Error as fault:
        accepted, files = with_files_named(text, fault)
        nodes = parse_tree(accepted)
    statements = []
    for node in nodes:
        (kind, fields), = node["stmt"].items()
        first, length = node.get("stmt_location", 0), node.get("stmt_len", 0)
        stop = first + length if length else len(text.encode())
        statements.append(Statement(kind, fields, text, first, stop,
                                    {at: name for at, name in files.items() if first <= at < stop}))
    return statements


def parse_one(text):
    """The only statement of a text; raises 42601 if there are none or several."""
    statements = parse(text)
    if len(statements) != 1:
        raise error("42601", "cannot insert multiple commands into a prepared statement" if statements
                    else "there is no statement")
    return statements[0]


def split(text):
    """The statements of a script as texts, without semicolons, whether they are valid or not: what a shell needs that runs
    them one by one. Raises 42601 for a text that ends inside a quotation or a comment."""
    encoded, statements, at = text.encode(), [], 0
    for first, length in [*extents(text), (len(encoded), 0)]:
        statements += wordless(encoded[at:first].decode())
        if length:
            statements.append(encoded[first:first + length].decode())
        at = first + length
    return statements


def wordless(between):
    """What stands between two statements and holds no keyword: semicolons and comments, mostly, but mistakes too."""
    if not between.strip(" \t\r\n;"):
        return []
    encoded, found, first, stop = between.encode(), [], None, 0
    for start, end, *_ in [*scan(between), (len(encoded), len(encoded))]:
        token = encoded[start:end]
        if token in (b";", b""):
            if first is not None:
                found.append(encoded[first:stop].decode())
            first = None
        elif not token.startswith((b"--", b"/*")):
            first, stop = start if first is None else first, end
    return found
