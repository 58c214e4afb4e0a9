"""sqllogictest files as records, and back.

    statement ok                        query IT rowsort label        hash-threshold 8
    CREATE TABLE t (a int)              SELECT a, b FROM t            halt
                                        ----
    statement error 22012               1   x                         skipif postgresql
    SELECT 1 / 0                        2   y                         onlyif caldera

A record ends at an empty line; lines that begin with # are comments.
"""
from dataclasses import dataclass, replace

SORT_MODES = ("nosort", "rowsort", "valuesort")
TYPES = set("ITR")
SEPARATOR = "----"


class BadFile(ValueError):
    """A file that is not as the format wants it; the message names the line."""


@dataclass(frozen=True)
class Record:
    """One record. kind: statement, query, hash-threshold, halt or "comment" (text that is kept). line: where it begins, from
    1. before: lines of comments and conditions above it, as they stand. conditions: pairs (word, engine).

    Of a statement: `error` is None if it must work, else what its error must be: "" for any, a SQLSTATE, or a regular
    expression. Of a query: types, a letter for each column; sort; label; expected, lines, or None where there are none."""
    kind: str
    line: int
    sql: str = ""
    before: tuple = ()
    conditions: tuple = ()
    error: str | None = None
    types: str = ""
    sort: str = "nosort"
    label: str = ""
    expected: tuple | None = None
    number: int = 0

    def meant_for(self, names):
        """Whether an engine with these names runs the record."""
        return all((engine in names) == (word == "onlyif") for word, engine in self.conditions)


def parse(text):
    """The records of a file. Raises BadFile."""
    records, block, first = [], [], 1
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.strip():
            first = first if block else number
            block.append(line.rstrip())
        elif block:
            records.append(record_of(block, first))
            block = []
    return records


def record_of(lines, first):
    """The Record of lines without an empty one among them."""
    before, conditions = [], []
    while lines and (lines[0].startswith("#") or lines[0].split()[0] in ("skipif", "onlyif")):
        words = lines[0].split("#")[0].split()
        if words:
            if len(words) != 2:
                raise BadFile(f"line {first + len(before)}: {words[0]} wants the name of an engine")
            conditions.append(tuple(words))
        before.append(lines[0])
        lines = lines[1:]
    line = first + len(before)
    common = Record("comment", line, before=tuple(before), conditions=tuple(conditions))
    if not lines:
        return common
    head, *words = lines[0].split()
    if head == "halt":
        return replace(common, kind=head)
    if head == "hash-threshold" and len(words) == 1 and words[0].isdigit():
        return replace(common, kind=head, number=int(words[0]))
    if head == "statement":
        return statement(common, words, lines)
    if head == "query":
        return query(common, words, lines)
    raise BadFile(f"line {line}: {lines[0]!r} begins no record")


def statement(common, words, lines):
    """A Record of `statement ok` or `statement error ...`."""
    if words[:1] not in (["ok"], ["error"]) or words[0] == "ok" and len(words) > 1:
        raise BadFile(f"line {common.line}: a statement is expected to be ok or an error")
    if len(lines) < 2:
        raise BadFile(f"line {common.line}: the statement is missing")
    error = " ".join(words[1:]) if words[0] == "error" else None
    return replace(common, kind="statement", sql="\n".join(lines[1:]), error=error)


def query(common, words, lines):
    """A Record of `query TYPES [sort] [label]` or `query error ...`."""
    if words[:1] == ["error"]:
        return replace(common, kind="statement", sql="\n".join(lines[1:]), error=" ".join(words[1:]))
    if not words or not set(words[0]) <= TYPES:
        raise BadFile(f"line {common.line}: a query has a type for each column, of I, T and R")
    sort = words[1] if words[1:2] and words[1] in SORT_MODES else "nosort"
    rest = words[1 + (words[1:2] == [sort]):]
    if len(rest) > 1:
        raise BadFile(f"line {common.line}: {rest[0]!r} is no sort mode: {', '.join(SORT_MODES)}")
    sql, expected = lines[1:], None
    if SEPARATOR in sql:
        at = sql.index(SEPARATOR)
        sql, expected = sql[:at], tuple(sql[at + 1:])
    if not sql:
        raise BadFile(f"line {common.line}: the query is missing")
    return replace(common, kind="query", sql="\n".join(sql), types=words[0], sort=sort, label="".join(rest),
                   expected=expected)


def written(records):
    """The text of a file with these records."""
    return "\n".join("".join(line + "\n" for line in lines_of(record)) for record in records)


def lines_of(record):
    """The lines of a record."""
    yield from record.before
    if record.kind == "statement":
        yield "statement ok" if record.error is None else f"statement error {record.error}".rstrip()
        yield record.sql
    elif record.kind == "query":
        sort = record.sort if record.sort != "nosort" or record.label else ""
        yield " ".join(filter(None, ("query", record.types, sort, record.label)))
        yield record.sql
        if record.expected is None:
            return
        yield SEPARATOR
        yield from record.expected
    elif record.kind == "hash-threshold":
        yield f"hash-threshold {record.number}"
    elif record.kind == "halt":
        yield "halt"
