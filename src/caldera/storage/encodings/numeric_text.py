"""Numerics of which some are too long for two words, as texts. Rare, and slow to read.

Generated code knows such numbers by names that are good only while a query runs, so there is no decoder: a scan makes a plain
column of words each time (`StoredColumn.current`).
"""
import numpy as np

from caldera.storage.arrays import padded, rebased
from caldera.storage.encodings.encoding import Encoded, Encoding


class NumericText(Encoding):
    """arrays: `offsets` int64[n + 1], `blob` with its padding: decimal digits, a point, a sign; NaN, Infinity, -Infinity."""
    family = "text"

    def encode(self, values):
        """`values`: (offsets, blob)."""
        offsets, blob = rebased(values)
        return Encoded(self, len(offsets) - 1, {}, {"offsets": offsets, "blob": blob})

    def array_shapes(self, row_count, parameters):
        return {"offsets": (np.dtype(np.int64), row_count + 1, 1), "blob": (np.dtype(np.uint8), None, 1)}

    def decode(self, encoded, first, count):
        offsets, blob = encoded.arrays["offsets"][first:first + count + 1], encoded.arrays["blob"]
        return offsets - offsets[0], padded(blob[int(offsets[0]):int(offsets[-1])])
