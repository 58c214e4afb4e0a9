"""Numerics of one display scale whose mantissas fit 64 bits: the mantissas as packed integers, the scale once.

This is what money and measurements look like. Two decoders read the same arrays: one yields numerics of two words, the other
(`mantissas`) plain 64-bit integers, for expressions that the type modifier allows to compute with scaled integers.
"""
import numpy as np

from caldera.kernel.interface import I64, Pointer, Struct
from caldera.storage.arrays import MANTISSA_HIGH_BITS
from caldera.storage.encodings.encoding import Encoded, Encoding, output_array
from caldera.storage.encodings.packed import MACHINE_TYPES, emit_distances, pack, stored_shape, unpack

HIGH_MASK = (1 << MANTISSA_HIGH_BITS) - 1


class NumericPacked(Encoding):
    """parameters: `base`, `scale`. arrays: `words`, the distances of the mantissas from `base`; at NULLs any number.
    mantissas: a Packed of INT8."""

    def __init__(self, output, width, mantissas):
        super().__init__(output)
        self.width, self.family, self.mantissas = width, f"numeric{width}", mantissas
        words = Pointer(MACHINE_TYPES[max(8, width)])
        self.layout = Struct(words=words, reference=I64, tag=I64)       # begins as Packed's does

    def encode(self, mantissas, base, scale):
        """`mantissas`: int64."""
        distances = mantissas.view(np.uint64) - np.uint64(base & (1 << 64) - 1)
        return Encoded(self, len(mantissas), {"base": base, "scale": scale}, {"words": pack(distances, self.width)})

    def array_shapes(self, row_count, parameters):
        return {"words": stored_shape(row_count, self.width)}

    def decode_mantissas(self, encoded, first, count):
        """int64 mantissas of a run of rows."""
        distances = unpack(encoded.arrays["words"], self.width, first, count).astype(np.uint64)
        return (distances + np.uint64(encoded.parameters["base"] & (1 << 64) - 1)).view(np.int64)

    def decode(self, encoded, first, count):
        mantissas = self.decode_mantissas(encoded, first, count)
        values = np.empty((count, 2), np.int64)
        values[:, 0] = mantissas
        values[:, 1] = mantissas >> 63 & HIGH_MASK | encoded.parameters["scale"] << MANTISSA_HIGH_BITS
        return values

    def struct(self, encoded, keep):
        parameters = encoded.parameters
        return self.layout.make(words=keep(encoded.arrays["words"]), reference=parameters["base"],
                                tag=parameters["scale"] << MANTISSA_HIGH_BITS)

    def emit(self, k, column, first, count, out):
        target, base, tag = output_array(k, self.output, out), column.reference, column.tag

        def store(place, distance):
            mantissa = distance + base
            target[place * 2] = mantissa
            target[place * 2 + 1] = k.binary("ashr", mantissa, 63) & HIGH_MASK | tag
        skipped = emit_distances(k, column.words, self.width, I64, first, count, store)
        return k.address(target, skipped * 2)
