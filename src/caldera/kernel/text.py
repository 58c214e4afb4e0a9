"""Text while staging, and in memory.

Staged, a text is an address and a length in bytes. Behind the last byte at least TEXT_SPARE bytes may be read, so that
loops work on whole words. In memory a text is a *cell* of 16 bytes (after Neumann and Freitag, "Umbra", 2020):

    word 0   length (32 bits) | first 4 bytes << 32
    word 1   the next 8 bytes, if length <= 12; otherwise the address of all bytes

Unused bytes are zero, so two short texts are equal exactly if their words are. `lifetime` is known while staging and tells
structures what to copy: "part" bytes live as long as the query, "block" bytes until the next block, "cell" bytes may stand
inside the cell they were read from.
"""
import ctypes

from caldera.kernel.interface import BOOL, I8, I32, I64, Cell

TEXT_SPARE = 16                 # bytes that may be read behind a text
TEXT_PADDING = 128              # what a blob of texts has behind its last byte, for searches in wide steps
INLINE_BYTES = 12
GOLDEN_RATIO = 0x9E3779B97F4A7C15 - (1 << 64)


LIFETIMES = "block", "cell", "part"         # from the shortest to the longest


def shorter(a, b):
    """The shorter one of two lifetimes."""
    return min(a, b, key=LIFETIMES.index)


def directly(result, function):
    """Decorator: how the Python kernel may do a routine at once (see `Verbs.routine`), giving a number of type `result`."""
    def mark(routine):
        routine.direct, routine.result = function, result
        return routine
    return mark


class Text:
    """A staged text: `address` and `length` (I64), and its two words if they are known already."""
    __slots__ = ("k", "address", "length", "lifetime", "known_words")

    def __init__(self, k, address, length, lifetime="part", words=None):
        self.k, self.address, self.length, self.lifetime, self.known_words = k, address, length, lifetime, words

    @property
    def bytes(self):
        """The bytes as an array."""
        return self.k.array(I8, self.address)

    def words(self):
        """The two words of this text's cell; the second may be this text's address."""
        if self.known_words is not None and self.known_words[0].region.open:
            return self.known_words
        return self.k.routine(text_words, self.address, self.length)


def word_at(k, address, offset=0):
    """Eight bytes from anywhere."""
    return k.array(I64, address + offset if offset else address, alignment=1)[0]


def low_bytes(k, count):
    """A mask for the first `count` bytes of a word: 0 to 8, more counts as 8."""
    shift = (k.constant(I64, 8) - count) << 3
    mask = k.constant(I64, -1) >> k.choose(shift < 0, 0, k.choose(shift > 63, 63, shift))
    return k.choose(count > 0, mask, k.constant(I64, 0))


def text_words(k, address, length):
    """Routine: the cell words of the bytes at an address."""
    prefix = word_at(k, address) & low_bytes(k, k.least(length, k.constant(I64, 4)))
    rest = word_at(k, address, 4) & low_bytes(k, length - 4)
    return length | prefix << 32, k.choose(length <= INLINE_BYTES, rest, address)


def load_text(k, words, index, lifetime="part"):
    """The text in the cell number `index` of an array of I64."""
    cell = words.starting_at(index * 2)
    return text_of_cell(k, cell, lifetime)


def text_of_cell(k, cell, lifetime="part"):
    """The text in the cell at which an array of I64 starts."""
    first, second = cell[0], cell[1]
    length = first & 0xFFFFFFFF
    address = k.choose(length <= INLINE_BYTES, k.address(cell) + 4, second)
    return Text(k, address, length, lifetime, (first, second))


def text_of_stored_cell(k, cell, blob):
    """The same where word 1 of a long text is its offset in a blob, whose address (I64) is given: cells in files."""
    first, offset = cell[0], cell[1]
    length = first & 0xFFFFFFFF
    is_long = length > INLINE_BYTES
    words = first, k.choose(is_long, blob + offset, offset)
    return Text(k, k.choose(is_long, words[1], k.address(cell) + 4), length, "part", words)


def store_text(k, words, index, text):
    """Write a text's cell; the bytes of a long one stay where they are."""
    first, second = text.words()
    Cell(words, index * 2).set(first)
    Cell(words, index * 2 + 1).set(second)


@directly(BOOL, lambda a, b, length: ctypes.string_at(a, length) == ctypes.string_at(b, length))
def same_bytes(k, a, b, length):
    """Routine: whether `length` bytes at two addresses are equal."""
    at, equal = k.variable(I64, 0), k.variable(I64, 1)
    for _ in k.while_(lambda: k.and_(at.get() < length, equal.get() != 0)):
        difference = (word_at(k, a + at.get()) ^ word_at(k, b + at.get())) & low_bytes(k, length - at.get())
        equal.set(k.convert(difference == 0, I64))
        at.set(at.get() + 8)
    return equal.get() != 0


def equal_texts(k, a, b):
    """Staged BOOL: the same bytes."""
    return k.routine(equal_cells, *a.words(), *b.words())


def equal_cells(k, a_first, a_second, b_first, b_second):
    """Routine: the same for the words of two texts' cells. Only long texts that agree in length and prefix are looked at
    byte by byte."""
    length = a_first & 0xFFFFFFFF
    equal = k.variable(I64, k.convert(k.and_(a_first == b_first, a_second == b_second), I64))
    undecided = k.and_(a_first == b_first, a_second != b_second, length > INLINE_BYTES)
    for _ in k.when(undecided):
        equal.set(k.convert(k.routine(same_bytes, a_second, b_second, length), I64))
    return equal.get() != 0


def compare_bytes_directly(a, a_length, b, b_length):
    """The order of two byte strings: -1, 0 or 1."""
    left, right = ctypes.string_at(a, a_length), ctypes.string_at(b, b_length)
    return (left > right) - (left < right)


@directly(I32, compare_bytes_directly)
def compare_bytes(k, a, a_length, b, b_length):
    """Routine: -1, 0 or 1 (I32) as the bytes of a sort before, with or behind those of b; a prefix sorts before."""
    shorter, at, order = k.least(a_length, b_length), k.variable(I64, 0), k.variable(I32, 0)
    for _ in k.while_(lambda: k.and_(at.get() < shorter, order.get() == 0)):
        mask = low_bytes(k, shorter - at.get())
        left = k.swap_bytes(word_at(k, a + at.get()) & mask)
        right = k.swap_bytes(word_at(k, b + at.get()) & mask)
        below, above = k.compare("ult", left, right), k.compare("ugt", left, right)
        order.set(k.convert(above, I32) - k.convert(below, I32))
        at.set(at.get() + 8)
    for _ in k.when(order.get() == 0):
        order.set(k.convert(a_length > b_length, I32) - k.convert(a_length < b_length, I32))
    return order.get()


def less_text(k, a, b):
    """Staged BOOL: a sorts before b, bytewise."""
    return k.routine(compare_bytes, a.address, a.length, b.address, b.length) < 0


def mix(k, hash, word):
    """One more word into a hash. Fibonacci hashing (Knuth, volume 3, 6.4); the best bits are at the top."""
    mixed = (hash ^ word) * GOLDEN_RATIO
    return mixed ^ mixed >> 32


def finish_hash(k, hash):
    """The last step: spreads the low bits to the top."""
    if k.equal_hashes:
        return k.constant(I64, 0)
    return hash * GOLDEN_RATIO


def hash_words(k, *words):
    """A hash of one or more I64."""
    hash = k.constant(I64, 0x243F6A88)
    for word in words:
        hash = mix(k, hash, word)
    return finish_hash(k, hash)


def hash_bytes(k, address, length):
    """Routine: a hash of bytes."""
    hash, at = k.variable(I64, mix(k, k.constant(I64, 0x243F6A88), length)), k.variable(I64, 0)
    for _ in k.while_(lambda: at.get() < length):
        hash.set(mix(k, hash.get(), word_at(k, address + at.get()) & low_bytes(k, length - at.get())))
        at.set(at.get() + 8)
    return finish_hash(k, hash.get())


def hash_text(k, text):
    """A hash of a text's bytes."""
    return k.routine(hash_bytes, text.address, text.length)


def copy_bytes_directly(source, length, target):
    """memmove."""
    ctypes.memmove(target, source, length)
    return length


@directly(I64, copy_bytes_directly)
def copy_bytes(k, source, length, target):
    """Routine: copy bytes by words; up to 7 bytes behind the target's end are overwritten. Returns the length."""
    for at in k.range(0, length, step=8):
        k.array(I64, target + at, alignment=1)[0] = word_at(k, source + at)
    return length
