"""A hash table of rows to join with: rows whose hashes begin alike lie next to each other, and a directory says where.

    Arrivals     for each worker: its rows in the order of arrival, then their numbers by partition (RowStore)
    JoinTable    shared: the same rows in their final places, and the directory

    row          hash | validity of columns that may be NULL | the columns' words | whether it was met, where that matters
    directory    the row behind the last of a slot << 16 | which hashes are there (a Bloom filter of 16 bits). The slot is
                 the hash's top bits; it begins where the one before ends

A partition, the top bits of the hash, is put in place by one worker (`arrange`), which counts the rows of its slots, turns
counts into places and copies the rows there. So no worker writes where another one does, nothing is chained, and equal keys
are found side by side however many there are. (After Birler, Schmidt, Fent, Neumann: "Simple, Efficient, and Robust Hash
Tables for Join Processing", DaMoN 2024.)
"""
import numpy as np

from caldera.kernel.interface import I8, I64, Owner, Pointer, Struct
from caldera.kernel.layouts import TEXT
from caldera.kernel.nullable import Sql
from caldera.kernel.structures.group_table import text_is_borrowed
from caldera.kernel.structures.pages import Spill
from caldera.kernel.structures.row_store import PARTITIONS, RowStore
from caldera.kernel.text import hash_words

FILTER_BITS = 16                    # of a directory entry; the rest is a row number
VALIDITY_BITS = 63                  # of a word; the sign stays free
INDEX_BYTES = 20                    # of a row's number, and of its part of a directory
PREFETCH_FROM = 1 << 15             # directory entries from which fetching ahead pays


class RowLayout:
    """What the rows of a join consist of. `entries`: triples (id, SqlType, whether it may be NULL). `marked`: whether each
    has a word that tells if it was met."""

    def __init__(self, entries, marked=False):
        self.entries, self.word, self.validity = list(entries), {}, {}
        for id in (id for id, _, nullable in self.entries if nullable):
            word, bit = divmod(len(self.validity), VALIDITY_BITS)
            self.validity[id] = 1 + word, bit
        self.validity_words = -(-len(self.validity) // VALIDITY_BITS)
        word = 1 + self.validity_words
        for id, type, _ in self.entries:
            self.word[id] = word
            word += type.layout.words
        self.mark = word if marked else None
        self.width = word + marked
        self.text_words = [self.word[id] for id, type, _ in self.entries if type.layout is TEXT]
        self.lifetime = "part"              # of texts in rows, for whoever reads these; shorter where they come from disk

    def write(self, k, rows, first, hash, row, arena):
        """Store what a row has under the ids, at word `first`."""
        rows[first], validity = hash, [k.constant(I64, 0)] * self.validity_words
        for id, type, nullable in self.entries:
            sql = row[id]
            value = sql.value
            if type.layout is TEXT and not text_is_borrowed(sql):
                if nullable:
                    value = TEXT.choose(k, k.as_condition(sql.valid), value, TEXT.default(k))
                value = arena.own(k, value)
            words = type.layout.to_words(k, value)
            if nullable:
                valid = k.as_condition(sql.valid)
                words = [k.choose(valid, word, k.constant(I64, 0)) for word in words]
                place, bit = self.validity[id]
                validity[place - 1] = validity[place - 1] | k.convert(valid, I64) << bit
            for offset, word in enumerate(words):
                rows[first + self.word[id] + offset] = word
        for number, bits in enumerate(validity):
            rows[first + 1 + number] = bits
        if self.mark is not None:
            rows[first + self.mark] = 0

    def is_valid(self, rows, first, id):
        """Whether the row at word `first` has a value, not NULL, for an id."""
        if id not in self.validity:
            return True
        word, bit = self.validity[id]
        return (rows[first + word] & (1 << bit)) != 0

    def columns(self, k, rows, row_number, is_there=None):
        """Fetchers by id, for a block whose row n is row `row_number(n)`; `is_there(n)`: whether there is one at all."""
        def reader(id, type):
            def read(number, row):
                first = row_number(number) * self.width
                valid, value = self.is_valid(rows, first, id), type.layout.from_words(k, rows, first + self.word[id],
                                                                                                   self.lifetime)
                if is_there is None:
                    return Sql(value, valid)
                there = k.as_condition(is_there(number))     # in an empty table row 0 is no row: its words are anything
                return Sql(type.layout.choose(k, there, value, type.layout.default(k)), k.and_(valid, there))
            return lambda: read
        return {id: reader(id, type) for id, type, _ in self.entries}


class Arrivals(RowStore):
    """The rows as they come. `arena` owns their texts."""

    def __init__(self, layout, arena):
        super().__init__()
        self.row, self.arena, self.width = layout, arena, layout.width
        self.spill = Spill(self.width, layout.text_words)

    def held_beside(self):
        """Bytes of the rows' numbers by partition, and of the directory that they will have."""
        return INDEX_BYTES * sum(self.row_counts())

    def columns(self, k, rows, row_number):
        """Fetchers by id, and of "hash"."""
        columns = self.row.columns(k, rows, row_number)
        return columns | {"hash": lambda: lambda number, row: Sql(rows[row_number(number) * self.width], True)}

    def append(self, k, block, ids, hash_of):
        """Keep the rows of a settled block, of which `ids` are read. `hash_of(row)`: the pair of a hash and whether the row
        is wanted."""
        self.reserve(k)
        here = k.memory(self)
        rows, count = here.rows, k.variable(I64, here.row_count)
        for row in block.rows(ids, vectorize=False):
            hash, wanted = hash_of(row)
            for _ in k.when(wanted):
                self.row.write(k, rows, count.get() * self.width, hash, row, self.arena)
                count.set(count.get() + 1)
        k.memory(self).row_count = count.get()


class JoinTable(Owner):
    """The rows of all workers in their places. `partitions`: the PartitionRows of the Arrivals."""
    layout = Struct(rows=Pointer(I64), directory=Pointer(I64), directory_size=I64, shift=I64, starts=Pointer(I64), width=I64)

    def __init__(self, partitions):
        super().__init__()
        self.partitions, self.arrivals, self.row_layout = partitions, partitions.table, partitions.table.row

    # memory, in Python
    def open(self, run):
        """Room for all rows that have arrived, and an empty directory."""
        run.open(self.partitions)
        self.run = run
        places = np.zeros(PARTITIONS + 1, np.int64)
        np.cumsum(self.partitions.counts, out=places[1:])
        self.row_count = int(places[-1])
        size = max(PARTITIONS, 1 << max(0, self.row_count - 1).bit_length())
        rows = run.allocation.take(max(1, self.row_count) * self.row_layout.width + 4)
        directory = run.allocation.take(size + 1, zeroed=True)
        slots = directory[1:size + 1].reshape(PARTITIONS, -1)
        empty = self.partitions.counts == 0                     # nobody will work on these, and others begin where they end
        slots[empty] = (places[:-1] << FILTER_BITS)[empty, None]
        self.arrays = [rows, directory]
        self.instances = [self.layout.make(rows=rows.ctypes.data, directory=directory.ctypes.data, directory_size=size,
                                           shift=64 - (size.bit_length() - 1), starts=self.keep(places),
                                           width=self.row_layout.width)]

    def close(self):
        for array in self.arrays[:2]:
            self.run.allocation.give_back(array)
        self.instances, self.arrays = [], []

    def placed_rows(self):
        """All rows, as a list of one array int64[n, width]."""
        width = self.row_layout.width
        return [self.arrays[0][:self.row_count * width].reshape(-1, width)]

    # staged: the pipeline that fills it
    @staticmethod
    def filter_of(k, hash):
        """The bits that a hash sets in its slot's filter."""
        one = k.constant(I64, 1)
        return one << (hash & 15) | one << ((hash >> 4) & 15)

    def consume(self, k, partitions):
        """Put partition after partition in place. How wide rows are is a number in memory, so that one program does it for
        all joins."""
        for part, _ in partitions:
            here = k.memory(self)
            directory, shift, rows, width = here.directory, here.shift, here.rows, here.width
            for hash, _, _ in self.arrived(k, part, width):
                slot = (hash >> shift) + 1
                directory[slot] = (directory[slot] + (1 << FILTER_BITS)) | self.filter_of(k, hash)
            slots = here.directory_size >> (PARTITIONS.bit_length() - 1)
            place, mask = k.variable(I64, here.starts[part]), (1 << FILTER_BITS) - 1
            for slot in k.range(part * slots + 1, (part + 1) * slots + 1, vectorize=False):
                entry = directory[slot]
                directory[slot] = place.get() << FILTER_BITS | (entry & mask)
                place.set(place.get() + (entry >> FILTER_BITS))
            for hash, source, first in self.arrived(k, part, width):
                slot = (hash >> shift) + 1
                entry = directory[slot]
                directory[slot] = entry + (1 << FILTER_BITS)
                target = (entry >> FILTER_BITS) * width
                for word in k.range(0, width, vectorize=False):
                    rows[target + word] = source[first + word]

    def arrived(self, k, part, width):
        """The rows of one partition of all workers, so many words wide: (hash, array, first word)."""
        source = k.memory(self.partitions)
        for table in k.range(0, source.tables, vectorize=False):
            rows, numbers, starts = source.rows[table], source.numbers[table], source.starts[table]
            for at in k.range(starts[part], starts[part + 1], vectorize=False):
                first = k.convert(numbers[at], I64) * width
                yield rows[first], rows, first

    # staged: looking up
    def may_have(self, k, hash):
        """Whether there may be rows with a hash, as the directory's filters say."""
        here = k.memory(self)
        bits = self.filter_of(k, hash)
        return (here.directory[(hash >> here.shift) + 1] & bits) == bits

    def candidates(self, k, hashes, count, usable, keeps_all):
        """Where to look for partners: for rows 0 to `count` of a block, whose hashes are in a buffer, (how many rows there
        are to look at, buffers of their numbers in the block, of the first and behind the last candidate).

        usable: a buffer of bytes that are 0 for rows that can have no partner, or None. Rows without a candidate are left
        out, unless `keeps_all`.
        """
        here, spans = k.memory(self), [k.buffer(I64, k.block_rows) for _ in range(3)]
        wanted, routine = ([], find_candidates) if usable is None else ([k.address(usable)], find_usable_candidates)
        found = k.routine(routine, *wanted, k.address(here.directory), here.directory_size, here.shift, k.address(here.rows),
                          k.constant(I64, self.row_layout.width), k.address(hashes), count, k.constant(I64, keeps_all),
                          *map(k.address, spans))
        return found, *spans


def find_candidates(k, *words):
    """Routine: JoinTable.candidates where all rows may have partners. words: see `candidates_into`."""
    return candidates_into(k, lambda number: True, *words)


def find_usable_candidates(k, usable, *words):
    """Routine: the same for rows whose byte at an address is not 0."""
    usable = k.array(I8, usable, scope="usable")
    return candidates_into(k, lambda number: usable[number] != 0, *words)


def candidates_into(k, wanted, directory, size, shift, rows, width, hashes, count, keeps_all, *spans):
    """Fill the three buffers at the addresses `spans`; returns how many rows there are to look at. wanted(number): whether
    a row can have a partner. Other words: addresses, numbers, and 1 or 0."""
    directory, rows = k.array(I64, directory, scope="directory"), k.array(I64, rows, scope="rows")
    hashes, large = k.array(I64, hashes, scope="hashes"), size > PREFETCH_FROM
    numbers, starts, stops = (k.array(I64, address, scope=("span", n)) for n, address in enumerate(spans))
    for _ in k.when(large):
        for number in k.range(0, count, vectorize=False):
            k.prefetch(directory, hashes[number] >> shift)
    found = k.variable(I64, 0)
    for number in k.range(0, count, vectorize=False):
        hash = hashes[number]
        slot, bits = hash >> shift, JoinTable.filter_of(k, hash)
        entry, at = directory[slot + 1], found.get()
        possible = k.as_condition(k.and_((entry & bits) == bits, wanted(number)))
        start = directory[slot] >> FILTER_BITS
        numbers[at], starts[at] = number, start
        stops[at] = k.choose(possible, entry >> FILTER_BITS, start)
        found.set(at + (k.convert(possible, I64) | keeps_all))
    for _ in k.when(large):
        for number in k.range(0, found.get(), vectorize=False):
            k.prefetch(rows, starts[number] * width)
    return found.get()


def hash_of_keys(k, types, values):
    """The hash of key values, none of which is NULL; of no keys, a constant."""
    words = [type.hash(k, value) for type, value in zip(types, values)]
    if not words:
        return k.constant(I64, 0)
    return hash_words(k, *words) if len(words) > 1 else words[0]
