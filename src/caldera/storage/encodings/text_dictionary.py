"""Texts as numbers of entries in a dictionary that is sorted bytewise, so that codes have the order of their texts.

Predicates, groups and sorts may work on the codes of a part (`codes`) and look at each different text only once. The
dictionary is stored twice over: as offsets and bytes, for searches through all of it, and as ready-made cells whose long
texts are given by their offset, so that decoding a row is to fetch 16 bytes.
"""
import numpy as np

from caldera.kernel.interface import I32, I64, Pointer, Struct
from caldera.kernel.text import INLINE_BYTES
from caldera.storage.encodings.encoding import Encoded, Encoding, output_array
from caldera.storage.encodings.packed import MACHINE_TYPES, UNSIGNED
from caldera.storage.encodings.text_cells import make_cells
from caldera.types.text_arrays import from_binary, padded, rebased, to_binary


class TextDictionary(Encoding):
    """arrays: `codes` of `width` bits; `offsets` int64[d + 1], `blob` with padding, `cells` int64[2 d]: the dictionary.
    parameters: `entries` (d). codes: a DictionaryCodes."""

    def __init__(self, output, width, codes):
        super().__init__(output)
        self.width, self.family, self.codes = width, f"dictionary{width}", codes
        self.layout = Struct(codes=Pointer(MACHINE_TYPES[width]), cells=Pointer(I64), blob=I64, entries=I64,
                             offsets=Pointer(I64))

    def encode(self, codes, dictionary):
        """`codes`: integers; `dictionary`: (offsets, blob), sorted."""
        offsets, blob = rebased(dictionary)
        arrays = {"codes": codes.astype(UNSIGNED[self.width]), "offsets": offsets, "blob": blob,
                  "cells": make_cells(offsets, blob).reshape(-1)}
        return Encoded(self, len(codes), {"entries": len(offsets) - 1}, arrays)

    def array_shapes(self, row_count, parameters):
        entries = parameters["entries"]
        return {"codes": (UNSIGNED[self.width], row_count), "offsets": (np.dtype(np.int64), entries + 1),
                "blob": (np.dtype(np.uint8), None), "cells": (np.dtype(np.int64), 2 * entries)}

    def decode(self, encoded, first, count):
        if count == 0:
            return np.zeros(1, np.int64), padded(np.zeros(0, np.uint8))
        codes = encoded.arrays["codes"][first:first + count]
        entries = to_binary((encoded.arrays["offsets"], encoded.arrays["blob"]))
        return from_binary(entries.take(codes))

    def take(self, encoded, rows):
        entries = to_binary((encoded.arrays["offsets"], encoded.arrays["blob"]))
        return from_binary(entries.take(encoded.arrays["codes"][rows]))

    def struct(self, encoded, keep):
        arrays = encoded.arrays
        return self.layout.make(codes=keep(arrays["codes"]), cells=keep(arrays["cells"]), blob=keep(arrays["blob"]),
                                entries=encoded.parameters["entries"], offsets=keep(arrays["offsets"]))

    def emit(self, k, column, first, count, out):
        target, codes = output_array(k, self.output, out), column.codes.starting_at(first)
        cells, blob = column.cells, column.blob
        for row in k.range(0, count):
            entry = k.convert(codes[row], I64, signed=False)
            word0, word1 = cells[entry * 2], cells[entry * 2 + 1]
            target[row * 2] = word0
            target[row * 2 + 1] = word1 + k.choose((word0 & 0xFFFFFFFF) > INLINE_BYTES, blob, k.constant(I64, 0))
        return k.address(target)


class DictionaryCodes(Encoding):
    """Only the codes of a TextDictionary, as INT4: a second decoder over the same struct."""

    def __init__(self, output, width):
        super().__init__(output)
        self.width, self.family = width, f"codes{width}"
        self.layout = Struct(codes=Pointer(MACHINE_TYPES[width]))

    def decode(self, encoded, first, count):
        return encoded.arrays["codes"][first:first + count].astype(np.int32)

    def emit(self, k, column, first, count, out):
        if self.width == 32:
            return k.address(column.codes, first)
        target, codes = output_array(k, self.output, out), column.codes.starting_at(first)
        for row in k.range(0, count):
            target[row] = k.convert(codes[row], I32, signed=False)
        return k.address(target)
