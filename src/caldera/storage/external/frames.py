"""Arrow tables, and what becomes one: pandas and polars frames, record batches, readers."""
import itertools
import sys

import pyarrow as pa

from caldera.base.errors import error
from caldera.storage.external.relation import ReadOnlyRelation, arrow_segment, schema_of

NUMBERS = itertools.count(1)


class ArrowRelation(ReadOnlyRelation):
    """An Arrow table. Columns are converted once, when first asked for, and kept."""

    def __init__(self, table, where, columns=None):
        self.table, self.where, self.number = table, where, next(NUMBERS)
        self.columns = columns or schema_of(table.schema, where)
        self.segment = arrow_segment(table, self.columns)

    def version(self, snapshot):
        return "arrow", self.number

    def row_estimate(self, snapshot):
        return self.table.num_rows

    def segments(self, names, ranges):
        yield self.segment, 0


def is_frame(thing):
    """Whether `open_frame` can make a relation of an object; cheap, and imports nothing."""
    kind = type(thing)
    return any(hasattr(kind, name) for name in ("__arrow_c_stream__", "to_arrow")) or is_pandas(thing)


def is_pandas(thing):
    """Whether an object is a pandas frame."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(thing, pandas.DataFrame)


def open_frame(thing, name="frame"):
    """The relation of a pandas or polars frame, an Arrow table, record batch or reader, or anything that gives itself as an
    Arrow stream. Raises 42846 for other objects, 0A000 for columns that SQL has no type for."""
    return ArrowRelation(arrow_table(thing, name), f'"{name}"')


def arrow_table(thing, name):
    """A pyarrow Table of an object."""
    if isinstance(thing, pa.Table):
        return thing
    if isinstance(thing, pa.RecordBatch):
        return pa.Table.from_batches([thing])
    if isinstance(thing, pa.RecordBatchReader):
        return thing.read_all()
    if is_pandas(thing):
        try:
            return pa.Table.from_pandas(thing, preserve_index=False)
        except (pa.ArrowInvalid, pa.ArrowTypeError) as exception:
            reason = ": ".join(map(str, exception.args))
            raise error("42846", f'the data frame "{name}" cannot be read: {reason}') from exception
    polars = sys.modules.get("polars")
    if polars is not None and isinstance(thing, polars.LazyFrame):
        thing = thing.collect()
    if hasattr(thing, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(thing).read_all()
    if hasattr(thing, "to_arrow"):
        return arrow_table(thing.to_arrow(), name)
    raise error("42846", f'"{name}" of type {type(thing).__name__} is not a table')
