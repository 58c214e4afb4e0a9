"""Columns on disk: rows that a sink has kept in columns, and memory has no room for.

    ColumnData of some rows ─ write ─▶ ColumnPage ─ read ─▶ the same

Arrays are written as they are; of texts, offsets from 0 and the bytes. What a page consists of is kept in memory.
"""
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from caldera.storage import arrays
from caldera.storage.engine import ColumnData
from caldera.types.text_arrays import padded


@dataclass(frozen=True)
class ColumnPage:
    """rows: how many; columns: for each the type, the shape of its values (bytes of texts), whether it has NULLs; extent:
    where the page lies (storage.temporary)."""
    rows: int
    columns: tuple
    extent: Any


class SpilledColumns:
    """Pages of columns that one sink has written. bytes, runs, partitions: what was written, for EXPLAIN."""

    def __init__(self):
        self.lock = threading.Lock()
        self.begin(None)

    def begin(self, run):
        """Nothing is written. `run.temporary_file()` makes a file for pages, which is closed when the run ends."""
        self.run, self.file, self.bytes, self.runs, self.partitions = run, None, 0, 0, 0

    def write(self, columns, rows):
        """The ColumnPage of `rows` rows."""
        with self.lock:
            if self.file is None:
                self.file = self.run.temporary_file()
        buffers, shapes = [], []
        for data in columns:
            if arrays.in_text_form(data):
                offsets, blob = data.values
                start, stop = int(offsets[0]), int(offsets[-1])
                buffers += [offsets - start, blob[start:stop]]
                shapes.append((data.type, stop - start, data.valid is not None))
            else:
                buffers.append(np.ascontiguousarray(data.values))
                shapes.append((data.type, data.values.shape, data.valid is not None))
            if data.valid is not None:
                buffers.append(np.ascontiguousarray(data.valid))
        extent = self.file.write(*(memoryview(buffer).cast("B") if buffer.size else b"" for buffer in buffers))
        with self.lock:
            self.bytes += extent.size
        return ColumnPage(rows, tuple(shapes), extent)

    def read(self, page):
        """The columns of a page as a list of ColumnData."""
        data, at, columns = self.file.read(page.extent), 0, []

        def piece(size):
            nonlocal at
            at += size
            return data[at - size:at]
        for type, shape, has_nulls in page.columns:
            if isinstance(shape, int):
                offsets = np.frombuffer(piece(8 * (page.rows + 1)).tobytes(), np.int64)
                values = offsets, padded(piece(shape))
            else:
                dtype = type.layout.dtype
                size = dtype.itemsize * int(np.prod(shape))
                values = np.frombuffer(piece(size).tobytes(), dtype).reshape(shape)
            columns.append(ColumnData(type, values, piece(page.rows).copy() if has_nulls else None))
        return columns
