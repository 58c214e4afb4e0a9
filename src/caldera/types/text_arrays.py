"""Columns of texts in memory: a pair (offsets int64[n + 1], blob uint8), where row n is blob[offsets[n] : offsets[n + 1]].

    bytes ─ text_from_bytes ─▶ (offsets, blob) ─ text_items ─▶ bytes
    Arrow ─ from_binary ─────▶        "         ─ to_binary ──▶ Arrow

The first offset need not be 0. Behind the last row at least TEXT_PADDING bytes of the blob may be read, as generated code
works on whole words and lanes; functions here that make a blob see to that, by `padded`.
"""
import numpy as np

from caldera.base.lazy import LazyModule
from caldera.kernel.text import TEXT_PADDING

pa = LazyModule("pyarrow")


def padded(blob):
    """The bytes of `blob` followed by TEXT_PADDING zeros, in one array of which the blob proper is a view's beginning."""
    whole = np.zeros(len(blob) + TEXT_PADDING, np.uint8)
    whole[:len(blob)] = blob
    return whole


def no_texts():
    """(offsets, blob) of no row."""
    return np.zeros(1, np.int64), np.zeros(TEXT_PADDING, np.uint8)


def text_from_bytes(items):
    """(offsets, blob) of an iterable of bytes."""
    items = list(items)
    offsets = np.zeros(len(items) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, items), np.int64, len(items)), out=offsets[1:])
    return offsets, padded(np.frombuffer(b"".join(items), np.uint8))


def text_items(values):
    """The bytes of every row of (offsets, blob), as a list."""
    offsets, blob = values
    start = int(offsets[0])
    whole, edges = blob[start:int(offsets[-1])].tobytes(), (offsets - start).tolist()
    return [whole[first:last] for first, last in zip(edges, edges[1:])]


def text_strings(values):
    """The texts of every row of (offsets, blob), as a list. ASCII is decoded at once, anything else row by row, and
    what is not UTF-8 is replaced."""
    offsets, blob = values
    start = int(offsets[0])
    whole = blob[start:int(offsets[-1])].tobytes()
    if not whole.isascii():
        return [item.decode("utf-8", "replace") for item in text_items(values)]
    text, edges = whole.decode("ascii"), (offsets - start).tolist()
    return [text[first:last] for first, last in zip(edges, edges[1:])]


def to_binary(values):
    """(offsets, blob) as a pyarrow LargeBinaryArray that shares their memory."""
    offsets, blob = values
    return pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(offsets) - 1,
                                            [None, pa.py_buffer(np.ascontiguousarray(offsets)), pa.py_buffer(blob)])


def from_binary(array):
    """(offsets from 0, blob) of a pyarrow large_binary or large_string array without NULLs; the blob is copied to get its
    padding."""
    if len(array) == 0:
        return no_texts()
    _, offset_buffer, blob_buffer = array.buffers()
    offsets = np.frombuffer(offset_buffer, np.int64)[array.offset:array.offset + len(array) + 1]
    blob = np.zeros(0, np.uint8) if blob_buffer is None else np.frombuffer(blob_buffer, np.uint8)
    start, stop = int(offsets[0]), int(offsets[-1])
    return offsets - start, padded(blob[start:stop])


def rebased(values):
    """(offsets, blob) such that the first offset is 0 and the blob ends with the last row and its padding."""
    offsets, blob = values
    start, stop = int(offsets[0]), int(offsets[-1])
    if start == 0 and len(blob) == stop + TEXT_PADDING:
        return offsets, blob
    return offsets - start, padded(blob[start:stop])
