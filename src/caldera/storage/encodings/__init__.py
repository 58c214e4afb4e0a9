"""Encodings of columns, one family a file, chosen by the data when a segment is written.

    constant         every row the same                              all layouts
    packed1..32      integers as distances from the least            BOOLEAN INT2 INT4 INT8
    numeric1..64     numerics of one scale, 64-bit mantissas         NUMERIC
    long             numerics of which some need more than two words NUMERIC
    dictionary8..32  texts as codes of a sorted dictionary           TEXT (text, bytea)
    plain            as in memory                                    all layouts

NULLs are kept apart: a column that has some comes with a second column of BOOLEAN layout, encoded like any other.
`choose` picks and encodes; `encoding_of` finds an encoding by its name in a file. `Encoding.stage` is the decoder that is
compiled for generated code; `DECODERS` lists all that exist.
"""
import functools

import numpy as np

from caldera.base.lazy import LazyModule
from caldera.kernel import layouts
from caldera.kernel.decimal import BIG
from caldera.storage.arrays import numbers_of, numeric_mantissa_high, numeric_tags, row_numbers
from caldera.storage.encodings.constant import Constant
from caldera.storage.encodings.encoding import SPARE_ROWS, Encoded, Encoding
from caldera.storage.encodings.numeric_long import NumericLong
from caldera.storage.encodings.numeric_packed import NumericPacked
from caldera.storage.encodings.packed import WIDTHS, Packed, width_for
from caldera.storage.encodings.plain import Plain
from caldera.storage.encodings.text_dictionary import DictionaryCodes, TextDictionary
from caldera.storage.encodings.text_plain import TextPlain
from caldera.types.text_arrays import from_binary, rebased, to_binary

pc = LazyModule("pyarrow.compute")

__all__ = ["DECODERS", "SPARE_ROWS", "Encoded", "Encoding", "choose", "choose_validity", "encode_plain", "encoding_of"]

INTEGERS = (layouts.BOOLEAN, layouts.INT2, layouts.INT4, layouts.INT8)
FIXED = (*INTEGERS, layouts.FLOAT4, layouts.FLOAT8, layouts.NUMERIC, layouts.INTERVAL, layouts.UUID)
DICTIONARY_SHARE = 0.6          # a dictionary pays while it has fewer entries than this share of the rows
SAMPLE_ROWS = 20_000


@functools.cache
def encoding_of(family, layout):
    """The encoding of that name for a layout. Raises KeyError for a name that is not known."""
    stem = family.rstrip("0123456789")
    width = int(family[len(stem):] or 0)
    if stem == "constant":
        return Constant(layout)
    if stem == "plain":
        return TextPlain(layout) if layout is layouts.TEXT else Plain(layout)
    if stem == "packed" and layout in INTEGERS and width in WIDTHS:
        return Packed(layout, width)
    if stem == "numeric" and layout is layouts.NUMERIC and width in WIDTHS:
        return NumericPacked(layout, width, encoding_of(f"packed{width}", layouts.INT8))
    if stem == "long" and layout is layouts.NUMERIC:
        return NumericLong(layout)
    if stem == "dictionary" and layout is layouts.TEXT and width in (8, 16, 32):
        return TextDictionary(layout, width, encoding_of(f"codes{width}", layouts.INT4))
    if stem == "codes" and layout is layouts.INT4 and width in (8, 16, 32):
        return DictionaryCodes(layout, width)
    raise KeyError(family)


def every_decoder():
    """All encodings that files or memory can hold, and those over their structs."""
    yield from (encoding_of(family, layout) for layout in (*FIXED, layouts.TEXT) for family in ("constant", "plain"))
    for layout in INTEGERS:
        yield from (encoding_of(f"packed{width}", layout) for width in WIDTHS if width < 8 * layout.size)
    yield encoding_of("packed64", layouts.INT8)         # mantissas of numeric64
    yield from (encoding_of(f"numeric{width}", layouts.NUMERIC) for width in WIDTHS)
    for width in (8, 16, 32):
        yield encoding_of(f"dictionary{width}", layouts.TEXT)
        yield encoding_of(f"codes{width}", layouts.INT4)


def encode_plain(layout, values):
    """The values as they are."""
    return encoding_of("plain", layout).encode(values)


def choose(layout, values, valid=None, hint=None):
    """Encode `values` (at least one row) in the best way for them. `valid` (bool array) tells which rows count: values at
    NULLs are whatever suits. `hint`: (codes, dictionary) of text, if they are known already."""
    if layout is layouts.TEXT:
        return choose_text(values, hint)
    if layout is layouts.NUMERIC:
        return choose_numeric(values, valid)
    if not len(values):
        return encode_plain(layout, values)
    if layout not in INTEGERS:
        bits = values if layout.words == 2 else values.view(f"i{layout.size}")      # so that -0.0 and 0.0 differ, NaNs not
        if (bits == bits[0]).all():
            return encoding_of("constant", layout).encode(values, len(values))
        return encode_plain(layout, values)
    present = values if valid is None or not valid.any() else values[valid]
    low, high = int(present.min()), int(present.max())
    if valid is not None:
        values = np.where(valid, values, np.array(low, values.dtype))
    if low == high:
        return encoding_of("constant", layout).encode(values, len(values))
    width = width_for(high - low)
    if width >= 8 * layout.size:
        return encode_plain(layout, values)
    return encoding_of(f"packed{width}", layout).encode(values, low)


def choose_validity(valid):
    """Encode a column's `valid` (uint8)."""
    return choose(layouts.BOOLEAN, valid.view(np.int8))


def choose_numeric(values, valid):
    """One scale and 64-bit mantissas, or two words each, or long ones."""
    if isinstance(values, tuple):
        return encoding_of("long", layouts.NUMERIC).encode(values)
    present = values if valid is None else values[valid]
    if not len(present):
        return encode_plain(layouts.NUMERIC, values) if not len(values) else \
            encoding_of("constant", layouts.NUMERIC).encode(values, len(values))
    tags = numeric_tags(present)
    scale = int(tags[0])
    if scale >= BIG or (tags != scale).any() or (numeric_mantissa_high(present) != present[:, 0] >> 63).any():
        return encode_plain(layouts.NUMERIC, values)
    low, high = int(present[:, 0].min()), int(present[:, 0].max())
    mantissas = values[:, 0] if valid is None else np.where(valid, values[:, 0], low)
    encoding = encoding_of(f"numeric{width_for(high - low)}", layouts.NUMERIC)
    return encoding.encode(np.ascontiguousarray(mantissas), low, scale)


def choose_text(values, hint):
    """A dictionary if it is small enough, else the texts themselves."""
    values = rebased(values)
    rows = len(values[0]) - 1
    codes, dictionary = hint or (None, None)
    if codes is None and rows and few_distinct(values):
        codes, dictionary = sorted_dictionary(values)
    if codes is None or len(dictionary[0]) - 1 > DICTIONARY_SHARE * rows and len(dictionary[0]) > 2:
        return encoding_of("plain", layouts.TEXT).encode(values)
    entries = len(dictionary[0]) - 1
    if entries == 1:
        return encoding_of("constant", layouts.TEXT).encode(dictionary, rows)
    width = max(8, 1 << (max(1, (entries - 1).bit_length()) - 1).bit_length())
    return encoding_of(f"dictionary{width}", layouts.TEXT).encode(codes, dictionary)


def few_distinct(values):
    """Whether a dictionary is worth trying, by a sample of runs of rows from everywhere."""
    offsets, blob = values
    rows = len(offsets) - 1
    if rows <= SAMPLE_ROWS:
        return True
    chosen = np.random.default_rng(0).choice(rows, SAMPLE_ROWS, replace=False)
    distinct = len(to_binary(values).take(row_numbers(np.sort(chosen))).unique())
    return distinct < 0.98 * SAMPLE_ROWS


def sorted_dictionary(values):
    """(codes int32, (offsets, blob) of the distinct texts in bytewise order)."""
    encoded = to_binary(values).dictionary_encode()
    order = pc.sort_indices(encoded.dictionary)
    rank = np.empty(len(order), np.int32)
    rank[numbers_of(order, np.uint64)] = np.arange(len(order), dtype=np.int32)
    return rank[numbers_of(encoded.indices, np.int32)], from_binary(encoded.dictionary.take(order))


DECODERS = tuple(every_decoder())
