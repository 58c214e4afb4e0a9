"""Rows of a RowStore on disk: moved out as they lie, partition by partition, and back in.

    store ─ Spill.add ─▶ rows by the top bits of their hashes ─▶ a page for each partition ─▶ temporary file, all at once
    pages ─ Spill.load ─▶ rows as they lay, for the same code that reads a store

A page has the rows' words, then the bytes of their long texts, then what Python keeps for them. Only addresses cannot stay:
the second word of a long text's cell becomes an offset into the page, and an address again when the page is loaded. Pages
are often small, so several are loaded as one.

The hash's top bits are alike in a partition. So they are rotated to the low end when a row moves out, and whatever the rows
go to next (a hash table, 64 partitions more) finds fresh bits at the top. After `LEVELS_MAX` turns a hash has none left.
(Graefe: "Query Evaluation Techniques for Large Databases", 1993, on recursive partitioning.)
"""
import ctypes
import itertools
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from caldera.kernel.interface import I64
from caldera.kernel.structures.memory import POOL
from caldera.kernel.text import INLINE_BYTES, TEXT_PADDING, copy_bytes

PARTITION_BITS = 6
PARTITIONS = 1 << PARTITION_BITS
LEVELS_MAX = 64 // PARTITION_BITS - 1
LENGTH_MASK = 0xFFFFFFFF
LOADED_BYTES = 1 << 18          # of pages that are loaded together
PAGE_EXPANSION = 3              # bytes in memory for each byte of a page: rows have an index, and room for more
EXPANSION_MIN, EXPANSION_SPARE = 0.05, 1.5      # of what was seen: at least, and how much more is expected next
FORCED_ROUNDS = 4               # over the rows of a store, where a test wants them


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

    @property
    def turns(self):
        """What is the same for Partitions that may come back together."""
        return self.level, self.divides

    def add(self, other):
        """Have another Partition's pages as well."""
        self.pages += other.pages

    def arrange(self):
        """Have the pages in the order of the file, where those of neighbours lie one behind the other."""
        self.pages.sort(key=lambda page: page.extent.offset)


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
        """Move rows (int64[n, width], one behind the other) out, a page for each partition. Their texts must still be where
        they are."""
        with self.lock:
            if self.file is None:
                self.file = self.run.temporary_file()
            self.runs += 1
        array = POOL.take(rows.size + PARTITIONS + 2)       # it is written at once, and a fresh one would be slow to touch
        try:
            rows, stops = self.partitioned(rows, array)
            self.write(rows, stops)
        finally:
            POOL.give_back(array)

    def write(self, rows, stops):
        """Write rows in the order of partitions. `stops`: where those of each partition end."""
        blob, ends = self.taken_texts(rows, stops)
        pages = []
        for part, (first, stop) in enumerate(itertools.pairwise([0, *stops])):
            if first < stop:
                begin = ends[part - 1] if part else 0
                extra = b"" if self.extra is None else self.extra(rows[first:stop])
                pages.append((part, stop - first, (rows[first:stop], blob[begin:ends[part]], extra)))
        is_dense = not self.text_words and self.extra is None
        extents = self.file.write_pages([buffers for _, _, buffers in pages], rows if is_dense else None)
        with self.lock:
            for (part, count, buffers), extent in zip(pages, extents):
                self.pages[part].append(Page(count, len(buffers[1]), extent))
                self.bytes += extent.size

    def partitioned(self, rows, copy):
        """(rows in the order of partitions, their hashes turned, in the array `copy`; where those of each partition end)."""
        count, words = len(rows), rows.size
        copy[words:words + PARTITIONS + 2] = 0
        partition = FOUR_WORDS(self.run.decoder(RowPartitioning))
        partition(rows.ctypes.data, count, self.width, copy.ctypes.data)
        return copy[:words].reshape(-1, self.width), copy[words + 1:words + PARTITIONS + 1].tolist()

    def taken_texts(self, rows, stops):
        """(bytes of the long texts of rows in the order of partitions, where those of each partition end); the texts' cells
        then hold offsets into their partition's bytes. `stops`: where the rows of each partition end."""
        if not self.text_words:
            return b"", [0] * PARTITIONS
        lengths = rows[:, self.text_words] & LENGTH_MASK
        lengths[lengths <= INLINE_BYTES] = 0
        taken, wanted = lengths.sum(axis=1).cumsum(), lengths > 0
        ends = [int(taken[stop - 1]) if stop else 0 for stop in stops]
        places = lengths.ravel().cumsum().reshape(lengths.shape) - lengths
        cells = rows[:, [word + 1 for word in self.text_words]]
        begins = np.repeat([0, *ends[:-1]], np.diff([0, *stops]))
        addresses, sizes = cells[wanted], lengths[wanted]
        blob = np.empty(ends[-1] + TEXT_PADDING, np.uint8)
        gather = FOUR_WORDS(self.run.decoder(TextGathering))
        gather(addresses.ctypes.data, sizes.ctypes.data, len(sizes), blob.ctypes.data)
        for number, word in enumerate(self.text_words):
            rows[:, word + 1] = np.where(wanted[:, number], places[:, number] - begins, cells[:, number])
        return blob[:ends[-1]], ends

    @property
    def waiting_bytes(self):
        """Bytes of the pages that nobody has taken."""
        return sum(page.extent.size for pages in self.pages for page in pages)

    @property
    def row_count(self):
        """How many rows nobody has taken."""
        return sum(page.rows for pages in self.pages for page in pages)

    def waiting_rows(self):
        """The same rows, as arrays int64[n, width], one after the other."""
        pages = list(itertools.chain.from_iterable(self.pages))
        while pages:
            yield self.load(together(pages))[0]

    def take_each(self):
        """What was moved out since `begin` or the last time, as a Partition for each number, some without pages."""
        found, self.pages = self.pages, [[] for _ in range(PARTITIONS)]
        count, level = sum(map(bool, found)), self.partition.level + 1
        self.partitions += count
        divides = level <= LEVELS_MAX and (count > 1 or level == 1)
        return [Partition(pages, level, divides) for pages in found]

    def take(self):
        """The same without empty ones."""
        return [partition for partition in self.take_each() if partition.pages]

    def load(self, pages):
        """(rows of some pages as int64[n, width], the array that holds them and their texts)."""
        count, blob = sum(page.rows for page in pages), sum(page.blob for page in pages)
        row_words, begins = count * self.width, []
        data = np.empty(row_words + -(-(blob + TEXT_PADDING) // 8), np.int64)
        bytes_, at, text_at, wanted = memoryview(data).cast("B"), 0, 8 * row_words, []
        for page in pages:
            row_bytes = 8 * page.rows * self.width
            extra = bytearray(page.extent.size - row_bytes - page.blob)
            wanted.append((page.extent, (bytes_[at:at + row_bytes], bytes_[text_at:text_at + page.blob], extra)))
            begins.append(data.ctypes.data + text_at)
            at, text_at = at + row_bytes, text_at + page.blob
        self.file.read_pages(wanted)
        if self.restore is not None:
            for _, (_, _, extra) in wanted:
                self.restore(bytes(extra))
        rows = data[:row_words].reshape(-1, self.width)
        if blob:
            place_texts(rows, self.text_words, np.repeat(begins, [page.rows for page in pages]))
        return rows, data


class TextGathering:
    """Native code that puts texts one behind the other: `i64 gather(addresses, lengths, count, target)`."""

    @staticmethod
    def stage(k, addresses, lengths, count, target):
        """Staged: the address behind the last one."""
        addresses, lengths, at = k.array(I64, addresses), k.array(I64, lengths), k.variable(I64, target)
        for number in k.range(0, count, vectorize=False):
            k.routine(copy_bytes, addresses[number], lengths[number], at.get())
            at.set(at.get() + lengths[number])
        return at.get()


class RowPartitioning:
    """Native code that copies rows in the order of partitions and turns their hashes: `i64 partition(rows, count, width,
    target)`. Behind the rows the target has PARTITIONS + 2 words, 0 before: then the words from the second on say how many
    rows there are up to each partition's end."""

    @staticmethod
    def stage(k, rows, count, width, target):
        """Staged: the count."""
        rows, copies = k.array(I64, rows, scope="rows"), k.array(I64, target, scope="copies")
        ends = k.array(I64, target + count * width * 8, scope="ends")
        for row in k.range(0, count, vectorize=False):
            after = (rows[row * width] >> (64 - PARTITION_BITS)) + 2
            ends[after] = ends[after] + 1
        for part in k.range(2, PARTITIONS + 2, vectorize=False):
            ends[part] = ends[part] + ends[part - 1]
        for row in k.range(0, count, vectorize=False):
            first, hash = row * width, rows[row * width]
            part = (hash >> (64 - PARTITION_BITS)) + 1
            place = ends[part]
            ends[part] = place + 1
            to = place * width
            copies[to] = (hash << PARTITION_BITS) | (hash >> (64 - PARTITION_BITS))
            for word in k.range(1, width, vectorize=False):
                copies[to + word] = rows[first + word]
        return count


FOUR_WORDS = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 4)


class WaitingPartitions:
    """What a store has moved out, to come back some Partitions at a time: as many as fit when it is their turn, by what
    those before them took. `taken()`: the Partitions that were moved out since it was asked last, or what has such."""

    def __init__(self, store, taken=None):
        self.store, self.waiting, self.expansion, self.forced_bytes = store, [], PAGE_EXPANSION, 0
        self.taken = taken or store.spill.take
        self.gather()

    def gather(self):
        """What the store holds and has moved out waits, too."""
        self.store.move_all_out()
        self.forced_bytes = self.store.spill.waiting_bytes // FORCED_ROUNDS
        self.waiting += self.taken()

    def again(self, partitions):
        """Have Partitions wait whose rows have come back before, and are as they were on disk."""
        self.waiting += [Partition(list(partition.pages), partition.level, partition.divides) for partition in partitions]
        self.forced_bytes = sum(partition.byte_count for partition in self.waiting) // FORCED_ROUNDS

    @property
    def bytes_at_once(self):
        """How many bytes of pages may come back together."""
        allocation = self.store.run.allocation
        return self.forced_bytes if allocation.always_refuses else int(allocation.room() / self.expansion)

    def take(self):
        """The next Partition, or several as one, if their hashes were turned as often."""
        taken, bytes_max = self.waiting.pop(), self.bytes_at_once
        while self.waiting and self.waiting[-1].turns == taken.turns:
            if taken.byte_count + self.waiting[-1].byte_count > bytes_max:
                break
            taken.add(self.waiting.pop())
        taken.arrange()
        return taken

    def learn(self, partition):
        """The rows of a Partition are all in memory: those of the next ones will need as much."""
        self.expansion = max(EXPANSION_MIN, EXPANSION_SPARE * self.store.wanted_bytes / max(1, partition.byte_count))


def together(pages, bytes_max=LOADED_BYTES):
    """Take pages off the end of a list, as many as have so many bytes, at least one."""
    taken, size = [], 0
    while pages and (not taken or size + pages[-1].extent.size <= bytes_max):
        taken.append(pages.pop())
        size += taken[-1].extent.size
    return taken


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


def place_texts(rows, text_words, addresses):
    """Let the cells of long texts point to their bytes, which begin at an address for each row."""
    for word in text_words:
        long = rows[:, word] & LENGTH_MASK > INLINE_BYTES
        rows[:, word + 1] += np.where(long, addresses, 0)
