"""A statement's Result, read by people and programs: Python objects, texts, what DB-API calls a description."""
from typing import NamedTuple

from caldera.storage.engine import ColumnData
from caldera.types.columns import to_datums, to_text
from caldera.types.registry import SqlType

CHUNK_ROWS = 4096


class ColumnDescription(NamedTuple):
    """One column of `Cursor.description` (PEP 249). type_code: the type's OID."""
    name: str
    type_code: int
    display_size: int | None = None
    internal_size: int | None = None
    precision: int | None = None
    scale: int | None = None
    null_ok: bool | None = None


class Rows:
    """The rows of one Result (execute.actions.Result); values are converted when they are asked for."""

    def __init__(self, result, session):
        self.result, self.session = result, session

    def __len__(self):
        return self.result.row_count if self.has_rows else 0

    @property
    def has_rows(self):
        """Whether the statement answers with rows, be it none."""
        return self.result.columns is not None

    @property
    def description(self):
        """ColumnDescriptions, or None for a statement without rows."""
        if not self.has_rows:
            return None
        return [ColumnDescription(name, type.oid, None, type.length if type.length > 0 else None,
                                  *(modifier if type.name == "numeric" and modifier else (None, None)))
                for name, (type, modifier) in zip(self.result.names, self.result.types)]

    def objects(self, first, stop):
        """Rows number first to stop as tuples of Python objects."""
        columns = [python_objects(part(data, first, stop), self.session) for data in self.result.columns]
        return list(zip(*columns)) if columns else [()] * max(0, min(stop, len(self)) - first)

    def next_objects(self, first, size):
        """(the rows from number `first` on, at most `size`; the number of the row behind them)."""
        stop = min(first + max(size, 0), len(self))
        return (self.objects(first, stop) if stop > first else []), stop

    def texts(self, first, stop):
        """The columns of rows number first to stop: lists of texts as PostgreSQL writes them, None for NULL."""
        parts = [part(data, first, stop) for data in self.result.columns]
        return [to_text(data.type, data.values, data.valid, self.session) for data in parts]

    def __iter__(self):
        for first in range(0, len(self), CHUNK_ROWS):
            yield from self.objects(first, first + CHUNK_ROWS)


def part(data, first, stop):
    """Some rows of a ColumnData, without copying."""
    values, valid = data.values, data.valid
    if first == 0 and stop >= len(values[0] if isinstance(values, tuple) else values):
        return data
    cut = (values[0][first:stop + 1], values[1]) if isinstance(values, tuple) else values[first:stop]
    return ColumnData(data.type, cut, None if valid is None else valid[first:stop])


def python_objects(data, session):
    """A column as a list of Python objects."""
    datums = to_datums(data.type, data.values, data.valid)
    if type(data.type).to_python is SqlType.to_python:
        return datums
    convert = data.type.to_python
    return [None if datum is None else convert(datum, session) for datum in datums]
