"""Machine code for the decoders of column encodings: one function for each, compiled once and cached on disk as
programs are.

    Encoding.stage ──plain_function──▶ IR text ──jit, o3──▶ address ──▶ struct of the scan ──▶ one indirect call a block
"""
import numpy as np

from caldera.kernel.llvm import plain_function

ALL_VALID = np.ones(1 << 17, np.uint8)


class Decoders:
    """Addresses of decoders by encoding, for one process."""

    def __init__(self, jit):
        self.jit, self.addresses = jit, {}

    def address(self, encoding):
        """The address of `i64 decode(struct, first row, row count, room)`."""
        found = self.addresses.get(encoding)
        if found is None:
            found = self.addresses[encoding] = self.jit.program(plain_function(encoding.stage, 4), "o3").address
        return found

    def all_valid(self):
        """(struct, decoder) of a column of validity bytes without any NULL, in segments of a nullable column."""
        if "all valid" not in self.addresses:
            text = plain_function(lambda k, struct, first, count, room: struct, 4)
            self.addresses["all valid"] = self.jit.program(text, "fast").address
        return ALL_VALID.ctypes.data, self.addresses["all valid"]
