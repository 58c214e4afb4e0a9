"""UTF-8 in staged code: counting and skipping characters, decoding and encoding one, changing case.

All functions here are routines or parts of routines over an address and a length in bytes; texts are valid UTF-8. Bytes that
continue a character are 10xxxxxx; eight bytes at a time, they are found with a few operations on one word. Up to 15 bytes
behind a text may be read, up to 7 behind what is written may be overwritten.
"""
import ctypes

import numpy as np

from caldera.kernel.interface import I8, I32, I64
from caldera.kernel.text import directly, low_bytes, word_at

EACH_BYTE = 0x0101010101010101


def byte_at(k, address):
    """One byte as I64, 0 to 255."""
    return k.convert(k.array(I8, address)[0], I64, signed=False)


def continuations(k, word):
    """A word with bit 0 of each byte set that continues a character."""
    return (word >> 7) & ((word ^ -1) >> 6) & EACH_BYTE


def char_starts(address, length):
    """For Python: the numbers of the bytes at which characters start."""
    return np.flatnonzero(np.frombuffer(ctypes.string_at(address, length), np.uint8) & 0xC0 != 0x80)


def skip_chars_directly(address, length, count):
    """As skip_chars, at once."""
    starts = char_starts(address, length) if count > 0 else (0,)
    return int(starts[max(count, 0)]) if count < len(starts) else length


@directly(I64, lambda address, length: len(char_starts(address, length)))
def count_chars(k, address, length):
    """Routine: how many characters."""
    skipped = k.variable(I64, 0)
    whole = length & -8
    for at in k.range(0, whole, step=8):
        skipped.set(skipped.get() + k.ones(continuations(k, word_at(k, address + at))))
    rest = word_at(k, address + whole) & low_bytes(k, length - whole)
    return length - skipped.get() - k.ones(continuations(k, rest))


@directly(I64, skip_chars_directly)
def skip_chars(k, address, length, count):
    """Routine: the number of the byte at which character number `count` (from 0) starts; `length` if there are fewer."""
    at, left = k.variable(I64, 0), k.variable(I64, count)

    def whole_word_is_skipped():
        return k.and_(at.get() + 8 <= length, left.get() >= 8)
    for _ in k.while_(whole_word_is_skipped):
        left.set(left.get() - 8 + k.ones(continuations(k, word_at(k, address + at.get()))))
        at.set(at.get() + 8)

    def more():
        continues = (byte_at(k, address + at.get()) & 0xC0) == 0x80
        return k.and_(at.get() < length, k.or_(left.get() > 0, continues))
    for _ in k.while_(more):
        starts = (byte_at(k, address + at.get()) & 0xC0) != 0x80
        left.set(left.get() - k.convert(starts, I64))
        at.set(at.get() + 1)
    return at.get()


def last_char(k, address, length):
    """Routine: the number of the byte at which the last character starts; 0 if there is none."""
    at = k.variable(I64, length - 1)
    for _ in k.while_(lambda: k.and_(at.get() > 0, (byte_at(k, address + at.get()) & 0xC0) == 0x80)):
        at.set(at.get() - 1)
    return k.greatest(at.get(), k.constant(I64, 0))


def char_size(k, first):
    """Bytes of the character that starts with a byte (I64)."""
    return k.choose(first < 0x80, k.constant(I64, 1), k.choose(first < 0xE0, k.constant(I64, 2),
                    k.choose(first < 0xF0, k.constant(I64, 3), k.constant(I64, 4))))


def decode_char(k, address):
    """(code point as I64, size in bytes) of the character at an address."""
    word = word_at(k, address)
    first = word & 0xFF
    second, third, fourth = (word >> shift & 0x3F for shift in (8, 16, 24))
    two = (first & 0x1F) << 6 | second
    three = (first & 0x0F) << 12 | second << 6 | third
    four = (first & 0x07) << 18 | second << 12 | third << 6 | fourth
    size = char_size(k, first)
    return k.choose(size == 1, first, k.choose(size == 2, two, k.choose(size == 3, three, four))), size


def encode_char(k, address, code):
    """Write a code point (I64); four bytes are touched. Returns its size in bytes."""
    low, middle, high, top = code & 0x3F, code >> 6 & 0x3F, code >> 12 & 0x3F, code >> 18
    two = (code >> 6 | 0xC0) | (low | 0x80) << 8
    three = (code >> 12 | 0xE0) | (middle | 0x80) << 8 | (low | 0x80) << 16
    four = (top | 0xF0) | (high | 0x80) << 8 | (middle | 0x80) << 16 | (low | 0x80) << 24
    size = k.choose(code < 0x80, k.constant(I64, 1), k.choose(code < 0x800, k.constant(I64, 2),
                    k.choose(code < 0x10000, k.constant(I64, 3), k.constant(I64, 4))))
    bytes = k.choose(size == 1, code, k.choose(size == 2, two, k.choose(size == 3, three, four)))
    k.array(I32, address, alignment=1)[0] = k.convert(bytes, I32)
    return size


def ascii_lower(k, word):
    """A word whose bytes are all ASCII, letters in lower case."""
    return word | ascii_letters(k, word, ord("A"), ord("Z")) >> 2


def ascii_upper(k, word):
    """A word whose bytes are all ASCII, letters in upper case."""
    return word ^ ascii_letters(k, word, ord("a"), ord("z")) >> 2


def ascii_letters(k, word, first, last):
    """Bit 7 of each byte from `first` to `last`; all bytes below 128."""
    at_least, above = word + EACH_BYTE * (0x80 - first), word + EACH_BYTE * (0x7F - last)
    return (at_least ^ above) & (EACH_BYTE << 7) - (1 << 64)


def copy_ascii_directly(source, length, target, change):
    """As copy_lower and copy_upper, at once."""
    data = ctypes.string_at(source, length)
    ctypes.memmove(target, change(data), length)
    return 0 if data.isascii() else 1


@directly(I64, lambda source, length, target: copy_ascii_directly(source, length, target, bytes.lower))
def copy_lower(k, source, length, target):
    """Routine: copy ASCII bytes in lower case; returns not 0 if there were others (then the copy is worthless)."""
    return copy_mapped(k, source, length, target, ascii_lower)


@directly(I64, lambda source, length, target: copy_ascii_directly(source, length, target, bytes.upper))
def copy_upper(k, source, length, target):
    """Routine: the same in upper case."""
    return copy_mapped(k, source, length, target, ascii_upper)


def copy_mapped(k, source, length, target, change):
    """The loop of both; the last word may reach behind the source, whose surplus is not looked at."""
    seen = k.variable(I64, 0)
    for at in k.range(0, length, step=8):
        word = word_at(k, source + at)
        seen.set(seen.get() | word & low_bytes(k, length - at))
        k.array(I64, target + at, alignment=1)[0] = change(k, word)
    return seen.get() & (EACH_BYTE << 7) - (1 << 64)


def copy_by_table(k, source, length, target, table, size):
    """Routine: copy characters, those below `size` mapped by a table of code points (address of I32). Returns the length of
    the copy, which is at most half as long again."""
    at, end = k.variable(I64, 0), k.variable(I64, 0)
    for _ in k.while_(lambda: at.get() < length):
        code, bytes = decode_char(k, source + at.get())
        known = code < size
        entry = k.array(I32, table)[k.choose(known, code, k.constant(I64, 0))]
        at.set(at.get() + bytes)
        end.set(end.get() + encode_char(k, target + end.get(), k.choose(known, k.convert(entry, I64), code)))
    return end.get()
