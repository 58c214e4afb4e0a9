"""Numerics of which some are too long for two words: words, and the long ones as texts beside them.

Generated code knows long numbers by names that are good only while a query runs (caldera.kernel.decimal), so there is no
decoder: a scan makes a plain column of words each time (`StoredColumn.current`), with fresh names where they are needed.
"""
import decimal

import numpy as np

from caldera.kernel.decimal import BIG, BIG_NUMBERS, number_of, words_of
from caldera.storage.arrays import numeric_tags
from caldera.storage.encodings.encoding import Encoded, Encoding
from caldera.types.text_arrays import text_from_bytes, text_items


class NumericLong(Encoding):
    """arrays: `words` int64[2 n]; of a long number word 0 is its place among the texts; `offsets` int64[l + 1] and `blob`,
    the texts. parameters: `texts` (l)."""
    family = "long"

    def encode(self, values):
        """`values`: numerics in text form (storage.arrays)."""
        long = []

        def spill(number):
            long.append(format(number, "f").encode())
            return len(long) - 1
        words = [words_of(decimal.Decimal(item.decode() or 0), spill) for item in text_items(values)]
        offsets, blob = text_from_bytes(long)
        arrays = {"words": np.array(words, np.int64).reshape(-1), "offsets": offsets, "blob": blob}
        return Encoded(self, len(words), {"texts": len(long)}, arrays)

    def array_shapes(self, row_count, parameters):
        return {"words": (np.dtype(np.int64), 2 * row_count), "blob": (np.dtype(np.uint8), None),
                "offsets": (np.dtype(np.int64), parameters["texts"] + 1)}

    def long_numbers(self, encoded):
        """The long numbers as Decimals."""
        return [decimal.Decimal(item.decode()) for item in text_items((encoded.arrays["offsets"], encoded.arrays["blob"]))]

    def decode(self, encoded, first, count):
        """In text form."""
        words, long = encoded.arrays["words"].reshape(-1, 2)[first:first + count], self.long_numbers(encoded)
        return text_from_bytes(format(number_of(*pair, fetch=long.__getitem__), "f").encode() for pair in words.tolist())

    def named(self, encoded):
        """Two-word values whose long ones have names in the query that is running."""
        words, long = encoded.arrays["words"].reshape(-1, 2).copy(), self.long_numbers(encoded)
        for row in np.flatnonzero(numeric_tags(words) == BIG).tolist():
            words[row, 0] = BIG_NUMBERS.name(long[words[row, 0]])
        return words
