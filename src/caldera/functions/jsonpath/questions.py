"""JSON_VALUE, JSON_QUERY, JSON_EXISTS and the rows of JSON_TABLE: what a jsonpath finds, as values of SQL types.

    Question.answer(document, path, variables, ...) ─▶ items found ─▶ one item ─▶ a datum of the RETURNING type
                                                      none: ON EMPTY   anything wrong: ON ERROR
"""
from dataclasses import dataclass
from itertools import chain
from typing import Any

from caldera.base.errors import Error, error
from caldera.functions.jsonpath.evaluation import LASTING, Evaluation
from caldera.functions.jsonpath.moments import Moment
from caldera.types.array_image import Array
from caldera.types.datums_of_json import datum_of, read_datum
from caldera.types.json_of_datums import jsonb_of
from caldera.types.json_values import number_text, read, write
from caldera.types.jsonpath import path_of
from caldera.types.record import RecordType
from caldera.types.registry import lookup

VALUE, QUERY, EXISTS = "JSON_VALUE", "JSON_QUERY", "JSON_EXISTS"
NO_WRAPPER, CONDITIONAL, ALWAYS = "none", "conditional", "always"
MOMENTS = {"date", "time", "timetz", "timestamp", "timestamptz"}
FIRST_VARIABLE = 4                  # arguments of an answer before the values that PASSING gives


@dataclass(frozen=True)
class Question:
    """One use of a function in a statement. type, modifier: what RETURNING says. column: the name that messages give the
    column of a JSON_TABLE. names: of the variables that PASSING gives. empty_fails, error_fails: ERROR ON EMPTY, ERROR ON
    ERROR; else a datum that comes with the arguments is the answer."""
    kind: str
    type: Any
    modifier: int | None = None
    column: str | None = None
    names: tuple = ()
    wrapper: str = NO_WRAPPER
    omits_quotes: bool = False
    empty_fails: bool = False
    error_fails: bool = False

    def answer(self, session, types, document, path, if_empty, if_error, *passed):
        """The datum for a document and a path; NULL if one of them is. Raises what goes wrong if `error_fails`, 22035 for
        nothing found if `empty_fails`."""
        if document is None or path is None:
            return None
        try:
            found = items(session, document, path, variables(self.names, types[FIRST_VARIABLE:], passed, session))
            if self.kind == EXISTS:
                return exists(found, path)
            found = list(found)
            if found:
                return self.converted(self.chosen(found), session)
        except Error as fault:
            if self.error_fails or fault.sqlstate in LASTING:
                raise
            return if_error
        if self.empty_fails:
            of_column = f' of column "{self.column}"' if self.column is not None else ""
            raise error("22035", f"no SQL/JSON item found for specified path{of_column}")
        return if_empty

    def chosen(self, found):
        """The one item, or all in an array. Raises 22034 for several, 2203F for what is no scalar."""
        if self.kind == VALUE:
            if len(found) > 1 or isinstance(found[0], (list, dict)):
                raise error("22034" if len(found) > 1 else "2203F", f"{self.expression} must return single scalar item")
            return found[0]
        if self.wrapper == ALWAYS or self.wrapper == CONDITIONAL and len(found) > 1:
            return list(map(plain, found))
        if len(found) > 1:
            raise error("22034", f"{self.expression} must return single item when no wrapper is requested",
                        hint="Use the WITH WRAPPER clause to wrap SQL/JSON items into an array.")
        return plain(found[0])

    @property
    def expression(self):
        """What messages call the path."""
        return f"JSON path expression in {self.kind}" if self.column is None \
            else f'JSON path expression for column "{self.column}"'

    def converted(self, value, session):
        """A value as a datum of the type."""
        as_text = value if isinstance(value, str) and (self.kind == VALUE or self.omits_quotes) else None
        if self.kind == VALUE:
            if value is None:
                return None
            if self.type.name in ("json", "jsonb"):
                return write(plain(value))
            as_text = scalar_text(value, session)
        if as_text is None:
            if self.type.name in ("json", "jsonb"):
                return write(value)
            if not isinstance(value, str) and (self.type.category == "A" or isinstance(self.type, RecordType)):
                return datum_of(self.type, self.modifier, write(value), session)
            as_text = write(value)
        return read_datum(self.type, self.modifier, as_text, session)


def plain(value):
    """A value as JSON has it: moments become strings."""
    return str(value) if isinstance(value, Moment) else value


def scalar_text(value, session):
    """The text of a scalar, as its SQL type would be written."""
    if isinstance(value, Moment):
        return lookup(value.type).format(value.datum, session)
    if isinstance(value, bool):
        return "t" if value else "f"
    return value if isinstance(value, str) else number_text(value)


# ------------------------------------------------------------------------------------------------ items

def items(session, document, path, named):
    """The values that a path finds in a document, both datums."""
    return Evaluation(path_of(path), read(document), named, session, with_zones=True).items()


def exists(found, path):
    """Whether there is an item; a strict path is followed to its end."""
    return bool(list(found)) if path_of(path).strict else next((True for _ in found), False)


def variables(names, types, datums, session):
    """{name: value} of what PASSING gives; the first of equal names counts."""
    named = {}
    for name, type, datum in zip(names, types, datums):
        if name not in named:
            named[name] = Moment(type.name, datum) if type.name in MOMENTS and datum is not None \
                else jsonb_of(type, datum, session)
    return named


# ------------------------------------------------------------------------------------------------ rows of JSON_TABLE

@dataclass(frozen=True)
class RowPattern:
    """A path that gives rows: at the top of a JSON_TABLE, or NESTED. number: its place among all of them, outer ones first.
    nested: the RowPatterns inside."""
    path: str
    number: int
    nested: tuple = ()

    @property
    def count(self):
        """How many patterns there are, with those inside."""
        return 1 + sum(pattern.count for pattern in self.nested)


@dataclass(frozen=True)
class TableRows:
    """The rows of a JSON_TABLE: for each an item of every pattern, as jsonb, and its number from 1; NULLs where a nested
    pattern finds nothing, or another beside it has its turn. error_fails: ERROR ON ERROR. failing: triples (number of a
    pattern, Question, path) of columns that may raise errors, which count whether the columns are used or not."""
    pattern: RowPattern
    names: tuple
    error_fails: bool
    failing: tuple = ()

    def rows(self, session, types, document, *passed):
        """An Array of records (item, number, item, number, ...); NULL for no document."""
        if document is None:
            return None
        named = variables(self.names, types[1:], passed, session)
        empty = (None, None) * self.pattern.count
        rows = [tuple(row) for row in self.rows_of(self.pattern, document, empty, named, session)]
        for row in rows:
            for number, question, path in self.failing:
                question.answer(session, (*(None,) * FIRST_VARIABLE, *types[1:]), row[2 * number], path, None, None, *passed)
        return Array.of(rows)

    def rows_of(self, pattern, document, outer, named, session):
        """Rows like `outer` with what a pattern and those inside find in a document."""
        for number, item in enumerate(self.found(pattern, document, named, session), 1):
            row = list(outer)
            row[2 * pattern.number:2 * pattern.number + 2] = item, number
            inside = chain.from_iterable(self.rows_of(each, item, row, named, session) for each in pattern.nested)
            first = next(inside, None)
            yield row if first is None else first
            yield from inside

    def found(self, pattern, document, named, session):
        """The items that a pattern finds, as jsonb; none if anything goes wrong and that is no error."""
        try:
            return [write(plain(value)) for value in items(session, document, pattern.path, named)]
        except Error as fault:
            if self.error_fails or fault.sqlstate in LASTING:
                raise
            return []
