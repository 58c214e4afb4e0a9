"""Integers as distances from the least of them (frame of reference), in the fewest bits of 1, 2, 4, 8, 16, 32 that do.

    values 1000 1003 1001  ─▶  base 1000, distances 0 3 1 in 2 bits each

A distance never straddles bytes, so decoding is a loop that widens and adds, and LLVM vectorises it. Distances of less than
a byte lie with the first row in the lowest bits; they are decoded by whole bytes, from the byte in which the first row lies.
"""
import numpy as np

from caldera.kernel.interface import I8, I16, I32, I64, Pointer, Struct
from caldera.storage.encodings.encoding import Encoded, Encoding, output_array

WIDTHS = (1, 2, 4, 8, 16, 32, 64)
MACHINE_TYPES = {8: I8, 16: I16, 32: I32, 64: I64}
UNSIGNED = {8: np.dtype(np.uint8), 16: np.dtype(np.uint16), 32: np.dtype(np.uint32), 64: np.dtype(np.uint64)}


def width_for(span):
    """The least width in WIDTHS for distances from 0 to `span`."""
    return next(width for width in WIDTHS if span < 1 << width)


def pack(distances, width):
    """uint64 distances to the array that is stored."""
    if width >= 8:
        return distances.astype(UNSIGNED[width])
    per_byte = 8 // width
    rows = np.zeros(-(-len(distances) // per_byte) * per_byte, np.uint8)
    rows[:len(distances)] = distances
    packed = np.zeros(len(rows) // per_byte, np.uint8)
    for place in range(per_byte):
        packed |= rows[place::per_byte] << np.uint8(place * width)
    return packed


def unpack(words, width, first, count):
    """The distances of a run of rows, as unsigned integers."""
    if width >= 8:
        return words[first:first + count]
    per_byte = 8 // width
    start, stop = first // per_byte, -(-(first + count) // per_byte)
    run = words[start:stop]
    rows = np.empty((len(run), per_byte), np.uint8)
    for place in range(per_byte):
        rows[:, place] = run >> np.uint8(place * width) & np.uint8((1 << width) - 1)
    skipped = first - start * per_byte
    return rows.reshape(-1)[skipped:skipped + count]


def stored_shape(row_count, width):
    """(dtype, element count) of packed words."""
    if width >= 8:
        return UNSIGNED[width], row_count
    return UNSIGNED[8], -(-row_count // (8 // width))


def emit_distances(k, words, width, type, first, count, store):
    """Stage the decoding loop: `store(place, distance)` for each row, distances widened to `type`. Returns how many rows
    before `first` were stored first (0 unless several rows share a byte), so that row r is at place r - first + that."""
    if width >= 8:
        source = words.starting_at(first)
        for row in k.range(0, count):
            store(row, k.convert(source[row], type, signed=False))
        return 0
    per_byte, shift = 8 // width, (8 // width).bit_length() - 1
    start, stop = first >> shift, (first + count + (per_byte - 1)) >> shift
    source = words.starting_at(start)
    for at in k.range(0, stop - start):
        byte = k.convert(source[at], type, signed=False)
        for place in range(per_byte):
            store(at * per_byte + place, byte >> place * width & (1 << width) - 1)
    return first & (per_byte - 1)


class Packed(Encoding):
    """parameters: `base`. arrays: `words`, the distances. For layouts that are integers."""

    def __init__(self, output, width):
        super().__init__(output)
        self.width, self.family = width, f"packed{width}"
        self.layout = Struct(words=Pointer(MACHINE_TYPES[max(8, width)]), reference=I64)

    def encode(self, values, base):
        """`values` minus `base` must fit the width."""
        distances = values.astype(np.int64).view(np.uint64) - np.uint64(base & (1 << 64) - 1)
        return Encoded(self, len(values), {"base": base}, {"words": pack(distances, self.width)})

    def array_shapes(self, row_count, parameters):
        return {"words": stored_shape(row_count, self.width)}

    def decode(self, encoded, first, count):
        distances = unpack(encoded.arrays["words"], self.width, first, count).astype(np.uint64)
        values = (distances + np.uint64(encoded.parameters["base"] & (1 << 64) - 1)).view(np.int64)
        return values.astype(self.output.dtype)

    def take(self, encoded, rows):
        words, base = encoded.arrays["words"], np.uint64(encoded.parameters["base"] & (1 << 64) - 1)
        if self.width >= 8:
            distances = words[rows]
        else:
            per_byte = 8 // self.width
            distances = words[rows // per_byte] >> (rows % per_byte * self.width).astype(np.uint8)
            distances &= np.uint8((1 << self.width) - 1)
        return (distances.astype(np.uint64) + base).view(np.int64).astype(self.output.dtype)

    def struct(self, encoded, keep):
        return self.layout.make(words=keep(encoded.arrays["words"]), reference=encoded.parameters["base"])

    def emit(self, k, column, first, count, out):
        target, base = output_array(k, self.output, out), k.convert(column.reference, self.output.element)

        def store(place, distance):
            target[place] = distance + base
        skipped = emit_distances(k, column.words, self.width, self.output.element, first, count, store)
        return k.address(target, skipped)
