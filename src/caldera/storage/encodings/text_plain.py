"""Texts one after another, and where each begins. For texts that are mostly different from each other."""
import numpy as np

from caldera.kernel.interface import I8, I64, Pointer, Struct
from caldera.kernel.text import INLINE_BYTES, word_at
from caldera.storage.encodings.encoding import Encoded, Encoding, output_array
from caldera.types.text_arrays import from_binary, padded, rebased, to_binary


class TextPlain(Encoding):
    """arrays: `offsets` int64[n + 1], `blob` with its padding. Decodes to cells; long ones point into the blob."""
    family = "plain"
    layout = Struct(offsets=Pointer(I64), blob=Pointer(I8))

    def encode(self, values):
        offsets, blob = rebased(values)
        return Encoded(self, len(offsets) - 1, {}, {"offsets": offsets, "blob": blob})

    def array_shapes(self, row_count, parameters):
        return {"offsets": (np.dtype(np.int64), row_count + 1), "blob": (np.dtype(np.uint8), None)}

    def decode(self, encoded, first, count):
        offsets, blob = encoded.arrays["offsets"][first:first + count + 1], encoded.arrays["blob"]
        return offsets - offsets[0], padded(blob[int(offsets[0]):int(offsets[-1])])

    def take(self, encoded, rows):
        return from_binary(to_binary((encoded.arrays["offsets"], encoded.arrays["blob"])).take(rows))

    def struct(self, encoded, keep):
        return self.layout.make(offsets=keep(encoded.arrays["offsets"]), blob=keep(encoded.arrays["blob"]))

    def emit(self, k, column, first, count, out):
        target, offsets, blob = output_array(k, self.output, out), column.offsets.starting_at(first), k.address(column.blob)
        for row in k.range(0, count):
            start = offsets[row]
            length, address = offsets[row + 1] - start, blob + start
            prefix = word_at(k, address) & first_bytes(k, k.least(length, k.constant(I64, 4)))
            behind = k.least(k.greatest(length - 4, k.constant(I64, 0)), k.constant(I64, 8))
            rest = word_at(k, address, 4) & first_bytes(k, behind)
            target[row * 2] = length | prefix << 32
            target[row * 2 + 1] = k.choose(length <= INLINE_BYTES, rest, address)
        return k.address(target)


def first_bytes(k, count):
    """A mask for the first `count` bytes of a word, 0 to 8: two shifts by half, as one by 64 has no meaning."""
    half = (k.constant(I64, 8) - count) << 2
    return (k.constant(I64, -1) >> half) >> half
