"""Columns of texts to columns of a type, as its input function reads them.

Whole columns are converted at once where Arrow reads the same texts as PostgreSQL does and to the same values; all other
columns by parsing each different text once. Errors come from the type's own `parse`, for the first row that it refuses.
"""
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from caldera.base.errors import Error
from caldera.kernel import layouts
from caldera.storage.engine import ColumnData
from caldera.types.columns import from_arrow, from_datums, text_from_bytes


class Refused(Exception):
    """A text that the column's type does not take. row: its number; fault: the Error."""

    def __init__(self, row, fault):
        super().__init__(row)
        self.row, self.fault = row, fault


def column_of_texts(type, modifier, texts, session=None):
    """ColumnData of an Arrow (chunked) array of strings. Raises Refused for the first text that the type cannot read."""
    if isinstance(texts, pa.ChunkedArray):
        texts = texts.cast(pa.large_string()).combine_chunks()
    read = FAST.get(type.name)
    if read is not None:
        try:
            array = read(type, modifier, texts)
            if array is not None:
                return ColumnData(type, *from_arrow(type, array))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, Error):
            pass                            # some text needs a closer look
    return parse_each(type, modifier, texts, session)


def parse_each(type, modifier, texts, session):
    """Parse each different text once."""
    encoded = texts.dictionary_encode()
    codes = np.asarray(encoded.indices.fill_null(0).to_numpy(zero_copy_only=False), np.int64)
    present = None if texts.null_count == 0 else pc.is_valid(texts).to_numpy(zero_copy_only=False)
    datums = []
    for code, text in enumerate(encoded.dictionary.to_pylist()):
        try:
            datums.append(type.parse(text, modifier, session))
        except Error as fault:              # dictionaries are in the order of first occurrence, so this row is the first
            rows = np.flatnonzero(codes == code if present is None else (codes == code) & present)
            raise Refused(int(rows[0]), fault) from None
    if not datums:
        datums = [None]
    values, _ = from_datums(type, datums)
    valid = None if present is None else present.astype(np.uint8)
    if type.layout is layouts.TEXT:
        offsets, blob = values
        entries = [blob[start:stop].tobytes() for start, stop in zip(offsets.tolist(), offsets[1:].tolist())]
        chosen = (codes if present is None else np.where(present, codes, -1)).tolist()
        return ColumnData(type, text_from_bytes([entries[code] if code >= 0 else b"" for code in chosen]), valid)
    values = values[codes]
    if present is not None:
        values[~present] = 0
    return ColumnData(type, values, valid)


# ------------------------------------------------------------------------------------------------ whole columns

def read_integers(type, modifier, texts):
    """Arrow reads integers as PostgreSQL does, or refuses."""
    return texts.cast({"int2": pa.int16(), "int4": pa.int32(), "int8": pa.int64()}[type.name])


def read_floats(type, modifier, texts):
    """Arrow makes zero or infinity of what is out of range; PostgreSQL refuses it."""
    numbers = texts.cast(pa.float32() if type.name == "float4" else pa.float64())
    values = numbers.fill_null(1).to_numpy(zero_copy_only=False)
    tiny = np.finfo(values.dtype).smallest_normal
    suspicious = (np.abs(values) < tiny) | np.isinf(values) | np.isnan(values)
    if suspicious.any():
        for text in texts.filter(pa.array(suspicious)).unique().to_pylist():
            datum = np.array(type.parse(text), values.dtype)
            again = np.array(pa.scalar(text).cast(numbers.type).as_py(), values.dtype)
            if datum.tobytes() != again.tobytes():
                return None
    return numbers


def read_booleans(type, modifier, texts):
    """true, false, 1 and 0; Arrow refuses the other words."""
    return texts.cast(pa.bool_())


def read_texts(type, modifier, texts):
    """Texts as they are, if none is too long."""
    if modifier is not None and len(texts) and (pc.max(pc.utf8_length(texts)).as_py() or 0) > modifier[0]:
        return None
    return texts


def read_dates(type, modifier, texts):
    """ISO dates only."""
    return texts.cast(pa.date32())


def read_timestamps(type, modifier, texts):
    """ISO timestamps, without rounding to fewer digits."""
    return None if modifier is not None else texts.cast(pa.timestamp("us"))


def read_numerics(type, modifier, texts):
    """Only with a modifier, which gives all rows one scale."""
    if modifier is None or len(modifier) < 2 or not 0 <= modifier[1] <= modifier[0] <= 36:
        return None
    numbers = texts.cast(pa.decimal128(38, modifier[1]))
    limit = pa.scalar(10 ** modifier[0], pa.decimal128(38, 0)).cast(pa.decimal128(38, 0))
    extremes = pc.min_max(numbers)
    for end in (extremes["min"].as_py(), extremes["max"].as_py()):
        if end is not None and abs(end) >= limit.as_py() / 10 ** modifier[1]:
            return None
    return numbers


FAST = {"int2": read_integers, "int4": read_integers, "int8": read_integers, "float4": read_floats, "float8": read_floats,
        "bool": read_booleans, "text": read_texts, "varchar": read_texts, "date": read_dates, "timestamp": read_timestamps,
        "numeric": read_numerics}
