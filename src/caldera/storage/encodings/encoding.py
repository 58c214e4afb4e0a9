"""What an encoding is: how a column's values become arrays of bytes, and how both numpy and generated code get them back.

    values ──encode──▶ Encoded (parameters, arrays) ──▶ a part's file, or memory
                          │ decode(first, count)        numpy: merges, tests; the definition of what `emit` must do
                          └ struct + emit               generated code: one call for each block of a column

An encoding belongs to one layout, so `packed8` of INT4 and of INT8 are two encodings of one family. They are made by
`caldera.storage.encodings.encoding_of` and compare by identity, so that one decoder is compiled for each.
"""
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from caldera.kernel.interface import I8, Memory
from caldera.types.text_arrays import padded

SPARE_ROWS = 16                 # a decoder may write that many rows behind those it was asked for


@dataclass
class Encoded:
    """The values of one column of one segment. `parameters` are numbers kept in the footer, `arrays` what lies in chunks."""
    encoding: Any
    row_count: int
    parameters: dict = field(default_factory=dict)
    arrays: dict = field(default_factory=dict)

    @property
    def byte_count(self):
        return sum(array.nbytes for array in self.arrays.values())

    def decode(self, first=0, count=None):
        """The values of a run of rows, as `ColumnData.values` has them."""
        return self.encoding.decode(self, first, self.row_count - first if count is None else count)

    def take(self, rows):
        """The values of single rows, in the order given (int64 numbers)."""
        return self.encoding.take(self, rows)


class Encoding:
    """One family of encoding for one layout.

    family: its name in files. name: family and layout. layout: the Struct that generated code reads (`struct` makes one).
    output: the layout of what the decoder yields. codes: of a dictionary, else None: the Encoding by which generated code
    reads the numbers of entries as INT4 from this encoding's struct. mantissas: of numerics of one scale, else None:
    likewise for their mantissas as INT8.
    """
    family = ""
    layout: Any = None
    codes: Any = None
    mantissas: Any = None

    def __init__(self, output):
        self.output = output

    @property
    def name(self):
        return f"{self.family} {self.output.name}"

    def __repr__(self):
        return self.name

    def array_shapes(self, row_count, parameters):
        """{array name: (dtype, element count or None if it varies)}: what a file must hold."""
        raise NotImplementedError(self.family)

    def decode(self, encoded, first, count):
        """Values of `count` rows from `first`, by numpy."""
        raise NotImplementedError(self.family)

    def take(self, encoded, rows):
        """Values of single rows, by numpy. What is here decodes one after the other."""
        pieces = [self.decode(encoded, row, 1) for row in rows.tolist()] or [self.decode(encoded, 0, 0)]
        if not isinstance(pieces[0], tuple):
            return np.concatenate(pieces)
        lengths = [int(offsets[-1]) for offsets, _ in pieces]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)[:len(rows) + 1]
        blob = np.concatenate([blob[:length] for (_, blob), length in zip(pieces, lengths)])
        return offsets, padded(blob)

    def struct(self, encoded, keep):
        """A ctypes instance of `layout`. `keep(array)` gives an array's address and keeps the array alive."""
        raise NotImplementedError(self.family)

    def emit(self, k, column, first, count, out):
        """Stage: the address (I64) of `count` values from row `first`; `column` is the struct (Memory), `out` the address of
        room for `count` + SPARE_ROWS values, which is used unless the values lie ready somewhere."""
        raise NotImplementedError(self.family)

    def stage(self, k, struct, first, count, out):
        """The whole decoder as a plain function: (struct address, first row, row count, room) -> address; all I64."""
        return self.emit(k, Memory(k, self, k.array(I8, struct).base), first, count, out)


def output_array(k, layout, out):
    """The room for decoded values as an array of the layout's elements, which overlaps nothing else."""
    return k.array(layout.element, out, scope="decoded")
