"""A hash table of groups: a dense store of rows, and an index over it.

    index   one word an entry: 32 bits of the hash (the salt) | row number + 1; 0 is empty; linear probing
    rows    hash | validity of the keys, if one may be NULL | key words | cells of the aggregates

The table is built per worker and combined partition by partition, where a partition is the top bits of the hash: at the end
of its input a worker sorts its row numbers by partition (`partition`), then each partition of all workers is brought
together by one worker in a table whose index is cleared in between, so that it stays as small as one partition. Rows are
numbered in the order of arrival and never move within a block: `reserve` makes room for a whole block first.

Probing works in stages over a block: hash all rows, fetch index entries ahead, fetch the rows they point to, then compare
and update. (After Kersten et al., "Everything you always wanted to know about compiled and vectorized queries", 2018.)
"""
from caldera.kernel.interface import FUNCTION, I64, Cell, Pointer, Struct
from caldera.kernel.layouts import TEXT
from caldera.kernel.nullable import Sql
from caldera.kernel.structures.row_store import PARTITION_BITS, RowStore
from caldera.kernel.text import Text, hash_words

FIRST_INDEX = 1 << 12
INDEX_BYTES = 32                        # of a row's entry, with those that are free
LARGE_INDEX = 1 << 18                   # entries: what fits the second-level cache
PREFETCH_FROM = 1 << 15                 # index entries from which fetching ahead pays
SALT_MASK = -(1 << 32)


class WordsOf:
    """A type whose values here are equal exactly if their words are (two-word layouts only)."""

    def __init__(self, type):
        self.layout = type.layout

    @staticmethod
    def equal(k, a, b):
        return k.and_(a.low == b.low, a.high == b.high)

    @staticmethod
    def hash(k, a):
        return hash_words(k, a.low, a.high)


class KeyLayout:
    """One key of a row: its SqlType, its layout, whether it may be NULL, and where its words start."""

    def __init__(self, type, nullable, word, bit):
        self.type, self.layout, self.nullable, self.word, self.bit = type, type.layout, nullable, word, bit


class GroupTable(RowStore):
    """`keys`: pairs (SqlType, nullable). `cells`: pairs (machine type, initial number). `arena` owns texts. `text_cells`:
    numbers of cells with which a text's cell begins."""
    layout = Struct(**RowStore.fields, index=Pointer(I64), index_size=I64, shift=I64, first_indexed=I64, rows_seen=I64,
                    grow_index=FUNCTION)

    def __init__(self, keys, cells, arena, block_rows=1024, text_cells=()):
        super().__init__()
        self.arena, self.block_rows, self.cells, self.keys = arena, block_rows, list(cells), []
        self.may_forget = False             # whether one group may have several rows, because tables are combined later
        self.borrowed = set()               # words of keys whose texts live as long as the query anyway
        self.has_validity = any(nullable for _, nullable in keys)
        word = 1 + self.has_validity
        for number, (type, nullable) in enumerate(keys):
            self.keys.append(KeyLayout(type, nullable, word, number))
            word += type.layout.words
        self.first_cell, self.width = word, word + len(self.cells)
        self.text_words = [key.word for key in self.keys if key.layout is TEXT] + [word + cell for cell in text_cells]
        self.lifetime = "part"              # of texts in rows, for whoever reads these; shorter where they may move out

    # memory, in Python
    def open(self, run):
        """Empty tables for all workers."""
        super().open(run)
        for worker, state in enumerate(self.instances):
            self.place_index(worker, max(FIRST_INDEX, 4 * self.block_rows))
            state.grow_index = self.callback(run.control.guarded(lambda size, worker=worker: self.grow_index(worker, size)))

    def place_index(self, worker, size):
        state = self.instances[worker]
        old = self.place(worker, "index", size, zeroed=True)
        state.index_size, state.shift = size, 64 - (size.bit_length() - 1)
        if old is not None:
            self.forget(old)

    def grow_index(self, worker, size):
        """Called by generated code: an empty index of at least `size` entries; the code that called fills it again.

        Where groups hardly ever come twice, a large index only costs cache misses: then it starts anew at its size, and rows
        of one group that are no longer found are brought together later, as those of other workers are.
        """
        state = self.instances[worker]
        if self.spill is not None and not self.has_room(worker, 8 * size):
            size = 2 * (state.row_count - state.first_indexed + self.run.block_rows)
        size = 1 << (max(size, FIRST_INDEX) - 1).bit_length()
        if self.may_forget and size > LARGE_INDEX and 2 * state.row_count > state.rows_seen:
            state.first_indexed, size = state.row_count, state.index_size
        if size == state.index_size:
            self.stores[worker]["index"][:size] = 0
        else:
            self.place_index(worker, size)

    @property
    def wanted_bytes(self):
        """Bytes that the rows need, with an index and all that is kept beside."""
        workers = range(len(self.instances))
        return sum(self.row_counts()) * (8 * self.width + INDEX_BYTES) + self.held_beside() + sum(
            map(self.arena.held_bytes, workers))

    def start_over(self, worker):
        """Neither rows nor entries of the index."""
        super().start_over(worker)
        self.instances[worker].first_indexed = self.instances[worker].rows_seen = 0
        self.stores[worker]["index"][:self.instances[worker].index_size] = 0

    # staged
    def reserve(self, k):
        """Make room for a block of new groups, so that the loops over its rows need not check."""
        here = k.memory(self)
        super().reserve(k)
        wanted = (here.row_count - here.first_indexed + k.block_rows) * 2
        for _ in k.when(wanted > here.index_size):
            k.call(here.grow_index, here.index_size * 4)
            k.routine(enter_rows, here.first_indexed, here.row_count, k.constant(I64, self.width), here.shift,
                      here.index_size - 1, *map(k.address, (here.rows, here.index)))

    def clear_index(self, k, expected):
        """Start over with an empty index for `expected` new rows (I64); rows so far stay, and can no longer be found."""
        here = k.memory(self)
        here.first_indexed = here.row_count
        k.call(here.grow_index, (expected + k.block_rows) * 2)

    def hash_keys(self, k, keys):
        """The hash of key values (Sql)."""
        words = []
        for layout, sql in zip(self.keys, keys):
            hash = layout.type.hash(k, sql.value)
            words.append(hash if sql.valid is True else k.choose(k.as_condition(sql.valid), hash, k.constant(I64, 0)))
        return hash_words(k, *words) if len(words) != 1 else words[0]

    def find(self, k, block, ids, keys_of, hash_of=None):
        """Emit the stages that look the keys of all rows of a block up. Returns `row_of(row) -> number of the group's row`,
        to be called in one loop over the same block, which makes new groups with initial cells. `ids`: the columns that
        `keys_of(row) -> list of Sql` reads; `hash_of(row)`: a hash that is known already."""
        self.reserve(k)
        k.memory(self).rows_seen = k.memory(self).rows_seen + block.count
        hashes = k.buffer(I64, k.block_rows)
        stored = [k.buffer(I64, k.block_rows + 2) for _ in range(self.first_cell)]
        texts = {key.word: k.buffer(I64, 2 * k.block_rows + 4) for key in self.keys if key.layout is TEXT}
        for row in block.rows(ids):
            keys = keys_of(row)
            self.borrowed = {key.word for key, sql in zip(self.keys, keys) if text_is_borrowed(sql)}
            hashes[row.number] = self.hash_keys(k, keys) if hash_of is None else hash_of(row)
            self.store_keys(k, keys, stored, texts, row.number)
        here = k.memory(self)
        for _ in k.when(here.index_size > PREFETCH_FROM):
            k.routine(fetch_ahead, block.count, k.constant(I64, self.width), here.shift,
                      *map(k.address, (hashes, here.index, here.rows)))

        def row_of(row):
            return self.locate(k, hashes[row.number], lambda at: self.same_keys(k, at, stored, texts, row.number),
                               lambda at: self.insert(k, at, hashes[row.number], stored, texts, row.number))
        return row_of

    def store_keys(self, k, keys, stored, texts, number):
        """Keep the key words of one row of the block; words of NULLs are zero."""
        validity = k.constant(I64, 0)
        for key, sql in zip(self.keys, keys):
            words = key.layout.to_words(k, sql.value)
            if sql.valid is not True:
                valid = k.as_condition(sql.valid)
                words = [k.choose(valid, word, k.constant(I64, 0)) for word in words]
                validity = validity | k.convert(valid, I64) << key.bit
            elif self.has_validity:
                validity = validity | (1 << key.bit)
            if key.layout is TEXT:
                texts[key.word][number * 2], texts[key.word][number * 2 + 1] = words
                continue
            for offset, word in enumerate(words):
                stored[key.word + offset][number] = word
        if self.has_validity:
            stored[1][number] = validity

    def locate(self, k, hash, same, insert):
        """The row of a group, made if it is new."""
        here = k.memory(self)
        index, mask = here.index, here.index_size - 1
        at, found = k.variable(I64, home(hash, here.shift)), k.variable(I64, -1)
        salt = (hash << 24) & SALT_MASK
        for _ in k.while_(lambda: found.get() < 0):
            entry = index[at.get()]
            for _ in k.when(entry == 0):
                row = here.row_count
                here.row_count = row + 1
                index[at.get()] = salt | (row + 1)
                insert(row)
                found.set(row)
            for _ in k.when(k.and_(entry != 0, (entry & SALT_MASK) == salt)):
                row = (entry & 0xFFFFFFFF) - 1
                for _ in k.when(same(row)):
                    found.set(row)
            at.set((at.get() + 1) & mask)
        return found.get()

    def same_keys(self, k, row, stored, texts, number):
        """Staged: whether the keys of a table row are those kept for a row of the block."""
        rows, first = k.memory(self).rows, row * self.width
        equal = []
        if self.has_validity:
            equal.append(rows[first + 1] == stored[1][number])
        for key in self.keys:
            mine = key.layout.from_words(k, rows, first + key.word)
            equal.append(key.type.equal(k, mine, self.kept_key(k, key, stored, texts, number)))
        return k.and_(*equal)

    def kept_key(self, k, key, stored, texts, number):
        if key.layout is TEXT:
            return key.layout.load(k, texts[key.word], number)
        if key.layout.words == 1:
            return key.layout.from_words(k, stored[key.word], number)
        pair = k.buffer(I64, 2)
        pair[0], pair[1] = stored[key.word][number], stored[key.word + 1][number]
        return key.layout.from_words(k, pair, 0)

    def insert(self, k, row, hash, stored, texts, number):
        rows, first = k.memory(self).rows, row * self.width
        rows[first] = hash
        if self.has_validity:
            rows[first + 1] = stored[1][number]
        for key in self.keys:
            if key.layout is TEXT:
                text = key.layout.load(k, texts[key.word], number)
                words = (text if key.word in self.borrowed else self.arena.own(k, text)).words()
            else:
                words = [stored[key.word + offset][number] for offset in range(key.layout.words)]
            for offset, word in enumerate(words):
                rows[first + key.word + offset] = word
        for offset, (type, initial) in enumerate(self.cells):
            rows.of(type)[first + self.first_cell + offset] = k.constant(type, initial)

    def cells_of(self, k, row):
        """The cells of a group."""
        rows, first = k.memory(self).rows, row * self.width + self.first_cell
        return [Cell(rows.of(type), first + offset) for offset, (type, _) in enumerate(self.cells)]

    def columns(self, k, rows, row_number):
        """Fetchers of ("key", i), ("cell", i) and "hash" for a block whose row n is table row `row_number(n)` of `rows`."""
        def word_reader(read):
            return lambda: lambda number, row: read(row_number(number) * self.width)
        columns = {"hash": word_reader(lambda first: Sql(rows[first], True))}
        for i, key in enumerate(self.keys):
            columns["key", i] = word_reader(lambda first, key=key: Sql(
                key.layout.from_words(k, rows, first + key.word, self.lifetime),
                (rows[first + 1] & (1 << key.bit)) != 0 if key.nullable else True))
        for i, (type, _) in enumerate(self.cells):
            columns["cell", i] = word_reader(
                lambda first, i=i, type=type: Sql(rows.of(type)[first + self.first_cell + i], True))
        return columns


def home(hash, shift):
    """Where a hash belongs in the index. The bits above are the partition's, and equal for all rows of one."""
    return (hash << PARTITION_BITS) >> shift


def enter_rows(k, first, stop, width, shift, mask, rows, index):
    """Routine: enter the rows from `first` to `stop`, which are known to be new, into the index at an address."""
    rows, index = k.array(I64, rows, scope="rows"), k.array(I64, index, scope="index")
    for row in k.range(first, stop, vectorize=False):
        hash = rows[row * width]
        at = k.variable(I64, home(hash, shift))
        for _ in k.while_(lambda: index[at.get()] != 0):
            at.set((at.get() + 1) & mask)
        index[at.get()] = ((hash << 24) & SALT_MASK) | (row + 1)
    return stop


def fetch_ahead(k, count, width, shift, hashes, index, rows):
    """Routine: fetch the entries of hashes, and the rows that they point to, which will be looked at soon."""
    hashes, index, rows = (k.array(I64, address) for address in (hashes, index, rows))
    for number in k.range(0, count, vectorize=False):
        k.prefetch(index, home(hashes[number], shift))
    for number in k.range(0, count, vectorize=False):
        guess = k.greatest((index[home(hashes[number], shift)] & 0xFFFFFFFF) - 1, k.constant(I64, 0))
        k.prefetch(rows, guess * width)
    return count


def text_is_borrowed(sql):
    """Whether a key's bytes outlive the table."""
    return isinstance(sql.value, Text) and sql.value.lifetime == "part"
