"""Datums to and from words in memory: of single values, and of column arrays (see `columns` for what those are).

    datum ─ TO_WORDS ─▶ (word 0, word 1), signed ─ FROM_WORDS ─▶ datum          by name of the layouts of two words
    [datum, None, ...] ─ from_datums ─▶ (values, valid) ─ to_datums ─▶ [datum, None, ...]
"""
from decimal import Decimal
from uuid import UUID

import numpy as np

from caldera.kernel import layouts
from caldera.kernel.decimal import number_of, numbers_of, words_of
from caldera.types.interval_fields import Interval
from caldera.types.text_arrays import text_from_bytes, text_items, text_strings

WORD = 2**64 - 1


def row_count(values):
    """How many rows the values of a column array have."""
    return len(values[0]) - 1 if isinstance(values, tuple) else len(values)


def signed(word):
    """64 bits as a signed integer."""
    return word - (1 << 64) if word >> 63 else word


def interval_words(datum):
    """The words of an Interval."""
    return datum.microseconds, signed((datum.months & 0xFFFFFFFF) << 32 | datum.days & 0xFFFFFFFF)


def interval_of_words(microseconds, months_and_days):
    """The Interval that two words mean."""
    days = months_and_days & 0xFFFFFFFF
    return Interval(months_and_days >> 32, days - (1 << 32) if days >> 31 else days, microseconds)


def uuid_words(datum):
    """The words of a UUID: its halves."""
    return signed(datum.int >> 64), signed(datum.int & WORD)


def uuid_of_words(high, low):
    """The UUID that two words mean."""
    return UUID(int=(high & WORD) << 64 | low & WORD)


TO_WORDS = {"NUMERIC": words_of, "INTERVAL": interval_words, "UUID": uuid_words}
FROM_WORDS = {"NUMERIC": number_of, "INTERVAL": interval_of_words, "UUID": uuid_of_words}


def from_datums(type, datums):
    """(values, valid) of a list of datums, None for NULL."""
    valid = None
    if None in datums:
        valid = np.fromiter((datum is not None for datum in datums), np.uint8, len(datums))
    if type.layout is layouts.TEXT:
        return text_from_bytes([b"" if datum is None else type.to_bytes(datum) for datum in datums]), valid
    if type.layout.name in TO_WORDS:
        to_words = TO_WORDS[type.layout.name]
        words = [(0, 0) if datum is None else to_words(datum) for datum in datums]
        return np.array(words, np.int64).reshape(-1, 2), valid
    with np.errstate(over="ignore"):            # a float8 may be infinite as float4
        return np.array([0 if datum is None else datum for datum in datums], type.layout.dtype), valid


def to_datums(type, values, valid=None):
    """The datums of a column array."""
    layout = type.layout
    if layout is layouts.TEXT and type.bytes_are_text:
        datums = text_strings(values)
    elif layout is layouts.TEXT:
        present = [True] * row_count(values) if valid is None else valid.tolist()
        datums = [type.from_bytes(item) if there else None for item, there in zip(text_items(values), present)]
    elif isinstance(values, tuple):             # numerics too long for two words
        datums = [Decimal(item.decode()) if item else None for item in text_items(values)]
    elif layout is layouts.NUMERIC:
        datums = numbers_of(values)
    elif layout.name in FROM_WORDS:
        from_words = FROM_WORDS[layout.name]
        datums = [from_words(*pair) for pair in values.tolist()]
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
