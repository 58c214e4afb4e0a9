"""Column arrays to and from lists of datums and texts. See `columns` for what a column array is."""
from uuid import UUID

import numpy as np

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.kernel.decimal import number_of, words_of
from caldera.kernel.text import TEXT_PADDING
from caldera.types.interval import Interval

WORD = 2**64 - 1


def row_count(values):
    """How many rows the values of a column array have."""
    return len(values[0]) - 1 if isinstance(values, tuple) else len(values)


def text_from_bytes(items):
    """(offsets, blob) of a list of bytes, with the padding that readers of text rely on."""
    offsets = np.zeros(len(items) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, items), np.int64, len(items)), out=offsets[1:])
    blob = np.zeros(int(offsets[-1]) + TEXT_PADDING, np.uint8)
    blob[:int(offsets[-1])] = np.frombuffer(b"".join(items), np.uint8)
    return offsets, blob


def text_items(values):
    """The bytes of every row of (offsets, blob)."""
    offsets, blob = values
    start = int(offsets[0])
    whole, edges = blob[start:int(offsets[-1])].tobytes(), (offsets - start).tolist()
    return [whole[first:last] for first, last in zip(edges, edges[1:])]


def encoded(text):
    """UTF-8; 22021 for what has none (half a surrogate pair)."""
    try:
        return text.encode()
    except UnicodeEncodeError as fault:
        code = fault.object[fault.start].encode("utf-8", "surrogatepass")
        shown = " ".join(f"0x{byte:02x}" for byte in code)
        raise error("22021", f'invalid byte sequence for encoding "UTF8": {shown}') from None


def signed(word):
    """64 bits as a signed integer."""
    return word - (1 << 64) if word >> 63 else word


def interval_words(datum):
    """The words of an Interval."""
    return datum.microseconds, signed((datum.months & 0xFFFFFFFF) << 32 | datum.days & 0xFFFFFFFF)


def uuid_words(datum):
    """The words of a UUID: its halves."""
    return signed(datum.int >> 64), signed(datum.int & WORD)


TO_WORDS = {"NUMERIC": words_of, "INTERVAL": interval_words, "UUID": uuid_words}


def from_datums(type, datums):
    """(values, valid) of a list of datums, None for NULL."""
    valid = None
    if None in datums:
        valid = np.fromiter((datum is not None for datum in datums), np.uint8, len(datums))
    if type.layout is layouts.TEXT:
        to_bytes = bytes if type.name == "bytea" else encoded
        return text_from_bytes([b"" if datum is None else to_bytes(datum) for datum in datums]), valid
    if type.layout.name in TO_WORDS:
        to_words = TO_WORDS[type.layout.name]
        words = [(0, 0) if datum is None else to_words(datum) for datum in datums]
        return np.array(words, np.int64).reshape(-1, 2), valid
    with np.errstate(over="ignore"):            # a float8 may be infinite as float4
        return np.array([0 if datum is None else datum for datum in datums], type.layout.dtype), valid


def to_datums(type, values, valid=None):
    """The datums of a column array."""
    layout = type.layout
    if layout is layouts.TEXT:
        items = text_items(values)
        datums = items if type.name == "bytea" else [item.decode("utf-8", "replace") for item in items]
    elif layout is layouts.NUMERIC:
        datums = [number_of(low, high) for low, high in values.tolist()]
    elif layout is layouts.INTERVAL:
        months, days = (values[:, 1] >> 32).tolist(), values[:, 1].astype(np.int32).tolist()
        datums = [Interval(*parts) for parts in zip(months, days, values[:, 0].tolist())]
    elif layout is layouts.UUID:
        datums = [UUID(int=(high & WORD) << 64 | low & WORD) for high, low in values.tolist()]
    elif layout is layouts.BOOLEAN:
        datums = (values != 0).tolist()
    else:
        datums = values.tolist()
    return datums if valid is None else [datum if present else None for datum, present in zip(datums, valid.tolist())]


def to_text(type, values, valid=None, session=None):
    """What PostgreSQL would send for each row: str, or None for NULL."""
    datums = to_datums(type, values, valid)
    if type.python_type is str:
        return datums
    if type.layout in (layouts.INT2, layouts.INT4, layouts.INT8) and type.python_type is int:
        return [None if datum is None else str(datum) for datum in datums]
    write = type.format
    return [None if datum is None else write(datum, session) for datum in datums]
