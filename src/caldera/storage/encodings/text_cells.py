"""Cells of texts (caldera.kernel.text) by numpy: 16 bytes with the length, a prefix, and the rest or where it is."""
import numpy as np

from caldera.kernel.text import INLINE_BYTES


def gather_words(blob, starts, dtype):
    """Unaligned little-endian words of `blob` at byte positions."""
    first, count = blob[:dtype.itemsize].view(dtype), len(blob) - dtype.itemsize + 1
    return np.lib.stride_tricks.as_strided(first, (count,), (1,))[starts]


def make_cells(offsets, blob, base=0, spare=0):
    """int64[n + spare, 2]: the cells of n texts; word 1 of a long one is its offset in the blob plus `base`. The blob is
    padded. Code that reads a short text where it lies, in its cell, needs a spare cell behind the last one (TEXT_SPARE)."""
    starts, lengths = offsets[:-1], np.diff(offsets)
    kept = np.minimum(lengths, 4)
    prefix = gather_words(blob, starts, np.dtype(np.uint32)).astype(np.uint64)
    prefix &= (np.uint64(1) << (kept * 8).astype(np.uint64)) - np.uint64(1)
    kept = np.clip(lengths - 4, 0, 8)
    rest = gather_words(blob, starts + 4, np.dtype(np.uint64))
    mask = np.where(kept >= 8, np.uint64((1 << 64) - 1),
                    (np.uint64(1) << (np.minimum(kept, 7) * 8).astype(np.uint64)) - np.uint64(1))
    cells = np.zeros((len(starts) + spare, 2), np.int64)
    used = cells[:len(starts)]
    used[:, 0] = lengths | (prefix << np.uint64(32)).view(np.int64)
    used[:, 1] = np.where(lengths > INLINE_BYTES, starts + base, (rest & mask).view(np.int64))
    return cells
