"""Column arrays: slicing, gathering, joining and ordering of `ColumnData` with numpy and pyarrow.

What a column array looks like is said in `engine.ColumnData`. Everything here is a pure function on whole columns; nothing
works row by row, except the order of numerics that have several scales.

    take(column, rows)     the rows in another order          concatenate(columns)    one after another
    cut(column, first, n)  a run of rows, sharing memory      sort_permutation(...)   the order of rows by some columns

Numerics of more than 112 bits have no words of their own: a word names them while a query runs (caldera.kernel.decimal). A
column that has such a number is kept here in *text form*: (offsets, blob) of the numbers' texts (`lasting`).
"""
import decimal

import numpy as np

from caldera.base.lazy import LazyModule
from caldera.kernel import layouts
from caldera.kernel.decimal import BIG, keep_numbers, number_of
from caldera.kernel.text import TEXT_PADDING
from caldera.storage.engine import ColumnData
from caldera.types import datums
from caldera.types.calendar import DAY
from caldera.types.registry import TYPES
from caldera.types.text_arrays import from_binary, no_texts, padded, rebased, text_from_bytes, to_binary

pa = LazyModule("pyarrow")
pc = LazyModule("pyarrow.compute")

MANTISSA_HIGH_BITS = 48                     # of a numeric's second word; the tag is above
INT64, DIGITS_MAX = np.iinfo(np.int64), 18  # 10**18 is an int64


def is_text(type):
    """Whether values are (offsets, blob) pairs."""
    return type.layout is layouts.TEXT


def in_text_form(column):
    """Whether a column's values are (offsets, blob)."""
    return isinstance(column.values, tuple)


def keep_big_numbers(owner, columns):
    """Let the numerics of columns that are too long for two words stay as long as an object lives."""
    for column in columns:
        if column.type.layout is layouts.NUMERIC and not in_text_form(column):
            keep_numbers(owner, column.values)


def row_count(column):
    """How many rows a column has."""
    return datums.row_count(column.values)


def byte_count(column):
    """Bytes of memory that the values take."""
    if in_text_form(column):
        offsets, _ = column.values
        size = offsets.nbytes + int(offsets[-1] - offsets[0])
    else:
        size = column.values.nbytes
    return size + (0 if column.valid is None else column.valid.nbytes)


def empty(type):
    """A column of no rows."""
    if is_text(type):
        return ColumnData(type, no_texts())
    shape = (0, 2) if type.layout.words == 2 else (0,)
    return ColumnData(type, np.zeros(shape, type.layout.dtype))


def take(column, rows):
    """The rows with those numbers, in that order."""
    valid = None if column.valid is None else column.valid[rows]
    if in_text_form(column):
        return ColumnData(column.type, from_binary(to_binary(column.values).take(row_numbers(rows))), valid)
    return ColumnData(column.type, column.values[rows], valid)


def row_numbers(rows):
    """int64 numbers as an Arrow array over the same memory. What pa.array does besides is to import pandas."""
    rows = np.ascontiguousarray(rows, np.int64)
    return pa.Array.from_buffers(pa.int64(), len(rows), [None, pa.py_buffer(rows)])


def truths(flags):
    """Flags (bool[n]) as an Arrow array, likewise without pandas."""
    bits = np.packbits(flags, bitorder="little")
    return pa.Array.from_buffers(pa.bool_(), len(flags), [None, pa.py_buffer(bits)])


def numbers_of(array, dtype):
    """An Arrow array of numbers without NULLs as a numpy array over the same memory, likewise without pandas."""
    if not len(array):
        return np.zeros(0, dtype)
    return np.frombuffer(array.buffers()[1], dtype)[array.offset:array.offset + len(array)]


def cut(column, first, count):
    """A run of rows. It shares memory with the column."""
    valid = None if column.valid is None else column.valid[first:first + count]
    if in_text_form(column):
        offsets, blob = column.values
        return ColumnData(column.type, (offsets[first:first + count + 1], blob), valid)
    return ColumnData(column.type, column.values[first:first + count], valid)


def concatenate(columns):
    """All rows of the first column, then of the second, and so on. They are of one type, and there is at least one."""
    if len(columns) == 1:
        return columns[0]
    valid = None
    if any(column.valid is not None for column in columns):
        valid = np.concatenate([np.ones(row_count(column), np.uint8) if column.valid is None else column.valid
                                for column in columns])
    type = columns[0].type
    if any(map(in_text_form, columns)):
        columns = [to_text_form(column) for column in columns]
    else:
        return ColumnData(type, np.concatenate([column.values for column in columns]), valid)
    starts = [int(column.values[0][0]) for column in columns]
    sizes = [int(column.values[0][-1]) - start for column, start in zip(columns, starts)]
    blob = np.zeros(sum(sizes) + TEXT_PADDING, np.uint8)
    offsets, at = [np.zeros(1, np.int64)], 0
    for column, start, size in zip(columns, starts, sizes):
        blob[at:at + size] = column.values[1][start:start + size]
        offsets.append(column.values[0][1:] + (at - start))
        at += size
    return ColumnData(type, (np.concatenate(offsets), blob), valid)


def to_text_form(column):
    """A numeric column with its values as texts."""
    if in_text_form(column):
        return column
    return ColumnData(column.type, text_from_bytes(format(number_of(low, high), "f").encode()
                                                   for low, high in column.values.tolist()), column.valid)


def lasting(column):
    """The column in a form that outlives the query: numerics in text form, if some are too long for two words."""
    if column.type.layout is layouts.NUMERIC and not in_text_form(column) and (numeric_tags(column.values) == BIG).any():
        return to_text_form(column)
    return column


def without_null_values(column):
    """The column with zeros at its NULLs, as ColumnData promises, and `valid` None if there is no NULL."""
    if column.valid is None:
        return column
    absent = column.valid == 0
    if not absent.any():
        return ColumnData(column.type, column.values)
    if in_text_form(column):
        lengths = np.diff(column.values[0])
        if (lengths[absent] != 0).any():
            kept = pc.if_else(truths(~absent), to_binary(column.values), pa.scalar(b"", pa.large_binary()))
            return ColumnData(column.type, from_binary(kept), column.valid)
    elif column.values[absent].any():
        values = column.values.copy()
        values[absent] = 0
        return ColumnData(column.type, values, column.valid)
    return column


# ------------------------------------------------------------------------------------------------ as bytes

def to_bytes(column):
    """A column as [values, valid or None] or, in text form, [offsets, blob, valid or None], all of them bytes."""
    valid = None if column.valid is None else column.valid.tobytes()
    if in_text_form(column):
        offsets, blob = rebased(column.values)
        return [offsets.tobytes(), blob[:int(offsets[-1])].tobytes(), valid]
    return [np.ascontiguousarray(column.values).tobytes(), valid]


def from_bytes(type, parts):
    """The column of a type of which `to_bytes` made these parts."""
    *values, valid = parts
    valid = None if valid is None else np.frombuffer(valid, np.uint8)
    if len(values) == 2:
        return ColumnData(type, (np.frombuffer(values[0], np.int64), padded(np.frombuffer(values[1], np.uint8))), valid)
    data = np.frombuffer(values[0], type.layout.dtype)
    return ColumnData(type, data.reshape(-1, 2) if type.layout.words == 2 else data, valid)


# ------------------------------------------------------------------------------------------------ order

def numeric_tags(values):
    """The tags of numerics (int64 array): their display scale, or which special value they are."""
    return (values[:, 1] >> MANTISSA_HIGH_BITS) & 0xFFFF


def numeric_mantissa_high(values):
    """The high 64 bits of the sign-extended mantissas (int64)."""
    return values[:, 1] << (64 - MANTISSA_HIGH_BITS) >> (64 - MANTISSA_HIGH_BITS)


def numeric_numbers(values):
    """Numerics as int64 in their order, equal ones equal and none the least int64: their mantissas at the largest scale.
    None if some are special or too long."""
    tags, mantissas = numeric_tags(values), values[:, 0]
    short = (tags < BIG) & (numeric_mantissa_high(values) == mantissas >> 63) & (mantissas != INT64.min)
    missing = tags.max(initial=0) - tags
    if not short.all() or missing.max(initial=0) > DIGITS_MAX:
        return None
    factors = 10 ** missing
    return mantissas * factors if (np.abs(mantissas) <= INT64.max // factors).all() else None


def numeric_rank(values):
    """Arrays that order numerics as SQL does, most significant first: -Infinity, numbers, Infinity, NaN."""
    if isinstance(values, tuple):
        encoded = to_binary(values).dictionary_encode()
        numbers = [decimal.Decimal(item.decode() or 0) for item in encoded.dictionary.to_pylist()]
        return [rank_datums(TYPES["numeric"], numbers)[numbers_of(encoded.indices, np.int32)]]
    tags = numeric_tags(values)
    if len(tags) == 0 or tags[0] < BIG and (tags == tags[0]).all():
        return [numeric_mantissa_high(values), values[:, 0].view(np.uint64)]
    distinct, inverse = np.unique(values, axis=0, return_inverse=True)
    numbers = [number_of(low, high) for low, high in distinct.tolist()]
    return [rank_datums(TYPES["numeric"], numbers)[inverse.reshape(-1)]]


def rank_datums(type, datums):
    """Of each datum of a type how many different ones are less."""
    keys = list(map(type.sort_key, datums))
    ranks, rank, previous = np.zeros(len(keys), np.int64), -1, None
    for at in sorted(range(len(keys)), key=keys.__getitem__):
        rank += keys[at] != previous
        ranks[at], previous = rank, keys[at]
    return ranks


def text_rank(type, values):
    """Codes of the values of a type of the layout TEXT, in the type's order."""
    encoded = to_binary(values).dictionary_encode()
    if not type.bytes_are_ordered:
        ranks = rank_datums(type, map(type.from_bytes, encoded.dictionary.to_pylist()))
        return ranks[numbers_of(encoded.indices, np.int32)]
    order = numbers_of(pc.sort_indices(encoded.dictionary), np.uint64)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank[numbers_of(encoded.indices, np.int32)]


def order_keys(column):
    """Arrays whose lexicographic order, most significant first, is the column's ascending order with NULLS LAST."""
    name, values = column.type.layout.name, column.values
    if name == "TEXT":
        keys = [text_rank(column.type, values)]
    elif name == "NUMERIC":
        keys = numeric_rank(values)
    elif name == "UUID":
        keys = [values[:, 0].view(np.uint64), values[:, 1].view(np.uint64)]
    elif name == "INTERVAL":
        months, days = values[:, 1] >> 32, values[:, 1] << 32 >> 32
        keys = [days + 30 * months + values[:, 0] // DAY, values[:, 0] % DAY]
    else:
        keys = [values]
    return keys if column.valid is None else [column.valid == 0, *keys]


def is_sorted(keys):
    """Whether rows are already in the lexicographic order of the key arrays."""
    undecided = None                        # adjacent pairs that are equal so far; None: all of them
    for key in keys:
        before, after = (key[:-1], key[1:]) if undecided is None else (key[undecided], key[undecided + 1])
        if key.dtype.kind == "f":
            after_nan = np.isnan(after)
            before_nan = np.isnan(before)
            wrong, equal = (before > after) | (before_nan & ~after_nan), (before == after) | (before_nan & after_nan)
        else:
            wrong, equal = before > after, before == after
        if wrong.any():
            return False
        undecided = np.flatnonzero(equal) if undecided is None else undecided[equal]
        if len(undecided) == 0:
            return True
    return True


def sort_permutation(columns):
    """Row numbers in the order of the columns (ascending, NULLS LAST, stable), or None if the rows are in order already."""
    keys = [key for column in columns for key in order_keys(column)]
    if not keys or len(keys[0]) < 2 or is_sorted(keys):
        return None
    return order_of(keys)


def order_of(keys):
    """Row numbers in the lexicographic order of key arrays, the most significant first; those of equal keys as they are.
    Numbers that have room for the row's own behind the keys are sorted as such, which takes vector instructions."""
    packed = packed_keys(keys) if len(keys[0]) else None
    if packed is None:
        return np.lexsort(keys[::-1])
    bits = (len(packed) - 1).bit_length()
    if int(packed.max()).bit_length() + bits > 64:
        return np.argsort(packed, kind="stable")
    numbered = (packed << np.uint64(bits)) | np.arange(len(packed), dtype=np.uint64)
    numbered.sort()
    return (numbered & np.uint64((1 << bits) - 1)).astype(np.int64)


def packed_keys(keys):
    """One uint64 array in the order of several integer key arrays, or None if their ranges need more than 64 bits."""
    shifts, total = [], 0
    for key in keys:
        if key.dtype.kind == "f":
            return None
        span = int(key.max()) - int(key.min())
        shifts.append(span.bit_length())
        total += shifts[-1]
    if total > 64:
        return None
    packed = np.zeros(len(keys[0]), np.uint64)
    for key, bits in zip(keys, shifts):
        if bits:
            distance = key.astype(np.int64, copy=False).view(np.uint64) if key.dtype != np.uint64 else key
            distance = distance - np.uint64(int(key.min()) & (1 << 64) - 1)
            packed = (packed << np.uint64(bits) if bits < 64 else packed) | distance
    return packed
