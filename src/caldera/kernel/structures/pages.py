"""Rows of a RowStore on disk: moved out as they lie, partition by partition, and back in.

    store ─ Spill.add ─▶ rows by the top bits of their hashes ─▶ a page for each partition ─▶ temporary file
    page ─ Spill.load ─▶ rows as they lay, for the same code that reads a store

A page has the rows' words, then the bytes of their long texts, then what Python keeps for them. Only addresses cannot stay:
the second word of a long text's cell becomes an offset into the page, and an address again when the page is loaded.

The hash's top bits are alike in a partition. So they are rotated to the low end when a row moves out, and whatever the rows
go to next (a hash table, 64 partitions more) finds fresh bits at the top. After `LEVELS_MAX` turns a hash has none left.
(Graefe: "Query Evaluation Techniques for Large Databases", 1993, on recursive partitioning.)
"""
import ctypes
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from caldera.kernel.text import INLINE_BYTES

PARTITION_BITS = 6
PARTITIONS = 1 << PARTITION_BITS
LEVELS_MAX = 64 // PARTITION_BITS - 1
LENGTH_MASK = 0xFFFFFFFF


@dataclass(frozen=True)
class Page:
    """rows: how many; blob: bytes of their long texts; extent: where the page lies (storage.temporary)."""
    rows: int
    blob: int
    extent: Any


@dataclass
class Partition:
    """Pages of rows whose hashes began alike. level: how often their hashes were turned; divides: whether dividing the rows
    once more may help, which it does not where all have one hash."""
    pages: list
    level: int = 0
    divides: bool = True

    @property
    def byte_count(self):
        """Of all pages."""
        return sum(page.extent.size for page in self.pages)


class Spill:
    """The rows of a store that were moved out. `text_words`: where cells of texts begin in a row. `extra(rows)`: bytes that
    Python keeps for rows, `restore(bytes)` takes them back; None if nothing.

    partition: the one that the store's rows come from. bytes, runs, partitions: what was written, for EXPLAIN.
    """

    def __init__(self, width, text_words, extra=None, restore=None):
        self.width, self.text_words, self.extra, self.restore = width, text_words, extra, restore
        self.lock = threading.Lock()
        self.begin(None)

    def begin(self, run):
        """Nothing is written. `run.temporary_file()` makes a file for pages, which is closed when the run ends."""
        self.run, self.file, self.partition = run, None, Partition([])
        self.pages, self.bytes, self.runs, self.partitions = [[] for _ in range(PARTITIONS)], 0, 0, 0

    @property
    def has_rows(self):
        """Whether rows were moved out and are not taken yet."""
        return any(self.pages)

    def add(self, rows):
        """Move rows (int64[n, width]) out, a page for each partition. Their texts must still be where they are."""
        with self.lock:
            if self.file is None:
                self.file = self.run.temporary_file()
            self.runs += 1
        parts = (rows[:, 0] >> (64 - PARTITION_BITS)) & (PARTITIONS - 1)
        order, counts = np.argsort(parts, kind="stable"), np.bincount(parts, minlength=PARTITIONS)
        stops = np.cumsum(counts)
        for part in np.flatnonzero(counts).tolist():
            self.write(part, rows[order[stops[part] - counts[part]:stops[part]]])

    def write(self, part, rows):
        """Write a page of rows, which may be changed."""
        hashes = rows[:, 0].view(np.uint64)
        hashes[:] = hashes << np.uint64(PARTITION_BITS) | hashes >> np.uint64(64 - PARTITION_BITS)
        blob = taken_texts(rows, self.text_words)
        extra = b"" if self.extra is None else self.extra(rows)
        extent = self.file.write(rows, blob, extra)
        with self.lock:
            self.pages[part].append(Page(len(rows), len(blob), extent))
            self.bytes += extent.size

    @property
    def waiting_bytes(self):
        """Bytes of the pages that nobody has taken."""
        return sum(page.extent.size for pages in self.pages for page in pages)

    def take_each(self):
        """What was moved out since `begin` or the last time, as a Partition for each number, some without pages."""
        found, self.pages = self.pages, [[] for _ in range(PARTITIONS)]
        count, level = sum(map(bool, found)), self.partition.level + 1
        self.partitions += count
        divides = level <= LEVELS_MAX and (count > 1 or level == 1)
        return [Partition(pages, level, divides) for pages in found]

    def take(self, bytes_max):
        """The same without empty ones; several are made one as long as that has no more than so many bytes."""
        taken = []
        for partition in self.take_each():
            if taken and taken[-1].byte_count + partition.byte_count <= bytes_max:
                taken[-1].pages += partition.pages
            elif partition.pages:
                taken.append(partition)
        return taken

    def load(self, page):
        """(rows of a page as int64[n, width], the array that holds them and their texts)."""
        data = self.file.read(page.extent)
        size = page.rows * self.width * 8
        rows = data[:size].view(np.int64).reshape(-1, self.width)
        place_texts(rows, self.text_words, data.ctypes.data + size)
        if self.restore is not None:
            self.restore(data[size + page.blob:page.extent.size].tobytes())
        return rows, data


def in_pieces(pages, bytes_max):
    """Lists of pages, in order, none with more bytes than that unless it is one page."""
    pieces, size = [[]], 0
    for page in pages:
        if pieces[-1] and size + page.extent.size > bytes_max:
            pieces.append([])
            size = 0
        pieces[-1].append(page)
        size += page.extent.size
    return pieces


def long_texts(rows, word):
    """Which rows have a text in the cell at a word that does not stand in the cell itself, and how long these are."""
    lengths = rows[:, word] & LENGTH_MASK
    numbers = np.flatnonzero(lengths > INLINE_BYTES)
    return numbers, lengths[numbers]


def taken_texts(rows, text_words):
    """The bytes of the rows' long texts, joined; their cells then hold offsets into it."""
    pieces, used = [], 0
    for word in text_words:
        numbers, lengths = long_texts(rows, word)
        if len(numbers):
            pieces += map(ctypes.string_at, rows[numbers, word + 1].tolist(), lengths.tolist())
            stops = used + np.cumsum(lengths)
            rows[numbers, word + 1] = stops - lengths
            used = int(stops[-1])
    return b"".join(pieces)


def place_texts(rows, text_words, address):
    """Let the cells of long texts point to their bytes, which begin at an address."""
    for word in text_words:
        numbers, _ = long_texts(rows, word)
        rows[numbers, word + 1] += address
