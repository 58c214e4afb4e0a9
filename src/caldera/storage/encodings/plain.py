"""Values as they are in memory: nothing to decode, a block is an address in the mapped file."""
import numpy as np

from caldera.kernel.interface import Pointer, Struct
from caldera.storage.encodings.encoding import Encoded, Encoding


class Plain(Encoding):
    """arrays: `values`, of the layout's dtype, flat."""
    family = "plain"

    def __init__(self, output):
        super().__init__(output)
        self.layout = Struct(values=Pointer(output.element))

    def encode(self, values):
        return Encoded(self, len(values), {}, {"values": np.ascontiguousarray(values).reshape(-1)})

    def array_shapes(self, row_count, parameters):
        return {"values": (self.output.dtype, row_count * self.output.words)}

    def decode(self, encoded, first, count):
        words = self.output.words
        run = encoded.arrays["values"][first * words:(first + count) * words]
        return run.reshape(-1, 2) if words == 2 else run

    def take(self, encoded, rows):
        values = encoded.arrays["values"]
        return values.reshape(-1, 2)[rows] if self.output.words == 2 else values[rows]

    def struct(self, encoded, keep):
        return self.layout.make(values=keep(encoded.arrays["values"]))

    def emit(self, k, column, first, count, out):
        return k.address(column.values, first * self.output.width)
