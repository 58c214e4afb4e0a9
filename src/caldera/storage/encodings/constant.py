"""A column whose rows all have the same value.

One value is stored. In memory it is repeated for the length of the largest usual block, so that the decoder has nothing to
do but to give the address.
"""
import numpy as np

from caldera.kernel import layouts
from caldera.kernel.interface import BLOCK_ROWS, I64, Struct
from caldera.kernel.text import INLINE_BYTES
from caldera.storage.encodings.encoding import Encoded, Encoding, output_array
from caldera.storage.encodings.text_cells import make_cells
from caldera.types.text_arrays import padded

REPEATED_ROWS = BLOCK_ROWS


class Constant(Encoding):
    """arrays: `value`, one value; for text its bytes."""
    family = "constant"

    def __init__(self, output):
        super().__init__(output)
        self.layout = Struct(values=I64, capacity=I64)

    def encode(self, values, row_count):
        """All rows have the value of the first; there is at least one."""
        if self.output is layouts.TEXT:
            offsets, blob = values
            value = blob[int(offsets[0]):int(offsets[1])].copy()
        else:
            value = np.ascontiguousarray(values[:1]).reshape(-1)
        return Encoded(self, row_count, {}, {"value": value})

    def array_shapes(self, row_count, parameters):
        if self.output is layouts.TEXT:
            return {"value": (np.dtype(np.uint8), None)}
        return {"value": (self.output.dtype, self.output.words)}

    def decode(self, encoded, first, count):
        value = encoded.arrays["value"]
        if self.output is layouts.TEXT:
            return np.arange(count + 1, dtype=np.int64) * len(value), padded(np.tile(value, count))
        return np.tile(value, (count, 1)) if self.output.words == 2 else np.full(count, value[0])

    def take(self, encoded, rows):
        return self.decode(encoded, 0, len(rows))

    def struct(self, encoded, keep):
        value = encoded.arrays["value"]
        if self.output is layouts.TEXT:
            blob = padded(value)
            value = make_cells(np.array([0, len(value)], np.int64), blob)[0]
            if value[0] & 0xFFFFFFFF > INLINE_BYTES:
                value[1] = keep(blob)
        repeated = np.tile(value, (REPEATED_ROWS, 1))
        return self.layout.make(values=keep(repeated), capacity=REPEATED_ROWS)

    def emit(self, k, column, first, count, out):
        address = k.variable(I64, column.values)
        for _ in k.when(count > column.capacity):
            values = k.array(self.output.element, column.values, scope="encoded")
            target = output_array(k, self.output, out)
            for row in k.range(0, count):
                for word in range(self.output.width):
                    target[row * self.output.width + word] = values[word]
            address.set(out)
        return address.get()
