"""Constants and parameters of a program: words in memory, so that programs that differ in them only are one program.

    Constants.slot(type, datum) ─▶ number of the first word ─▶ staged: words[number], of the type's layout
"""
import ctypes
import struct

import numpy as np

from caldera.kernel.decimal import EXACT, SCALE_MAX, scale_of
from caldera.kernel.interface import I64, Owner, Pointer, Struct
from caldera.kernel.layouts import BOOLEAN, FLOAT4, FLOAT8, NUMERIC, TEXT
from caldera.kernel.nullable import Sql
from caldera.kernel.scaled import known_bits, of_bits
from caldera.kernel.text import INLINE_BYTES, TEXT_PADDING
from caldera.types.datums import FROM_WORDS, TO_WORDS, signed


def datum_words(type, datum, place):
    """The words of a datum. `place(bytes)` puts a long text somewhere and returns its address."""
    layout = type.layout
    if layout is TEXT:
        data = type.to_bytes(datum)
        first = len(data) | int.from_bytes(data[:4], "little") << 32
        second = int.from_bytes(data[4:12], "little") if len(data) <= INLINE_BYTES else place(data)
        return [signed(first), signed(second)]
    if layout.name in TO_WORDS:
        return list(TO_WORDS[layout.name](datum))
    if layout is FLOAT8:
        return [struct.unpack("<q", struct.pack("<d", datum))[0]]
    if layout is FLOAT4:
        return [struct.unpack("<i", struct.pack("<f", datum))[0]]
    return [int(datum)]


def datum_of_words(type, layout, words, address):
    """The datum that words mean; `address`: where they stand, for texts inside them."""
    if layout is TEXT:
        length = words[0] & 0xFFFFFFFF
        data = ctypes.string_at(address + 4 if length <= INLINE_BYTES else words[1], length)
        return type.from_bytes(data)
    if layout.name in FROM_WORDS:
        return FROM_WORDS[layout.name](words[0], words[1])
    if layout is FLOAT8:
        return struct.unpack("<d", struct.pack("<q", words[0]))[0]
    if layout is FLOAT4:
        return struct.unpack("<f", struct.pack("<i", words[0]))[0]
    return bool(words[0]) if layout is BOOLEAN else words[0]


def scale_and_bits(number):
    """(scale, bits of the mantissa's magnitude) of a Decimal that 64 bits can hold, else None. Programs depend on them."""
    if not number.is_finite():
        return None
    scale = scale_of(number)
    mantissa = int(number.scaleb(scale, EXACT))
    bits = known_bits(mantissa, mantissa)
    return None if bits is None or scale > SCALE_MAX else (scale, bits)


class Members:
    """The values of a subquery, to look others up in: different datums of a type, or (of whole numbers) an array."""
    words = 3                                       # what stands among the constants: address, count, whether NULL is one

    def __init__(self, type, values, has_null):
        self.type, self.has_null = type, has_null
        if isinstance(values, np.ndarray):
            self.data, self.count = np.sort(values.astype(np.int64)), len(values)
        else:
            self.data, self.count = sorted(values, key=type.sort_key), len(values)

    def packed(self, constants):
        """The three words. The values stand in the type's order; without any there is a zero to read."""
        size = self.type.layout.words
        words = np.zeros(max(self.count, 1) * size, np.int64)
        if isinstance(self.data, np.ndarray):
            words[:self.count] = self.data
        else:
            for number, datum in enumerate(self.data):
                words[number * size:(number + 1) * size] = datum_words(self.type, datum, constants.place)
        return [constants.keep(words), self.count, self.has_null]


class Failed:
    """In place of what a subquery gives: the error that computing it raised, to be raised where some row asks for it."""

    def __init__(self, error):
        self.error = error

    def packed(self, constants):
        """The three words of Members; the last one tells of the failure."""
        return [constants.keep(np.zeros(2, np.int64)), 0, FAILED]


ABSENT, PRESENT, FAILED = range(3)                  # what stands before a parameter's words


class Constants(Owner):
    """Words that are known when a run starts: constants of the statement, parameters, values of subqueries."""
    layout = Struct(words=Pointer(I64))

    def __init__(self):
        super().__init__()
        self.slots, self.tables, self.numbers, self.size, self.values = [], [], {}, 0, {}

    def slot(self, type, datum):
        """The number of the first word of a constant; equal constants share it."""
        key = "constant", type, repr(datum)
        if key not in self.numbers:
            self.add(key, type, lambda: datum)
        return self.numbers[key]

    def parameter_slot(self, key, type):
        """The same for a value that `values[key]` will hold when the run starts; its word 0 is ABSENT, PRESENT or FAILED."""
        key = "parameter", key
        if key not in self.numbers:
            self.add(key, type, lambda: self.values[key[1]], leading=1)
        return self.numbers[key]

    def members(self, k, key):
        """(the staged array of the Members that `values[key]` will hold, their count, whether NULL is among them, whether
        they could not be computed)."""
        slot = "members", key
        if slot not in self.numbers:
            self.add(slot, Members, lambda: self.values[key])
        at, words = self.numbers[slot], self.ready(k)
        return k.array(I64, words[at]), words[at + 1], words[at + 2] == PRESENT, words[at + 2] == FAILED

    def array(self, k, numbers):
        """The staged array of a tuple of integers."""
        key = "array", numbers
        if key not in self.numbers:
            self.numbers[key] = self.size
            self.tables.append((self.size, numbers))
            self.size += len(numbers)
        return self.ready(k).starting_at(self.numbers[key])

    def add(self, key, type, value, leading=0):
        self.numbers[key] = self.size
        self.slots.append((self.size, type, value, leading))
        self.size += leading + (Members.words if type is Members else type.layout.words)

    def add_all(self, type, datums):
        """Constants of one type, one after the other; the number of the first word."""
        start = self.size
        for datum in datums:
            self.slots.append((self.size, type, lambda datum=datum: datum, 0))
            self.size += type.layout.words
        return start

    def open(self, run):
        """Write the words, now that all values are known. Staging may add more until `refresh` is called."""
        self.arrays, self.instances = [], [self.layout.make()]
        self.refresh()

    def refresh(self):
        """Write all words anew: constants were added since they were last written."""
        words = np.zeros(self.size + 64, np.int64)
        for at, type, value, leading in self.slots:
            datum = value()
            if leading:
                words[at] = ABSENT if datum is None else FAILED if isinstance(datum, Failed) else PRESENT
            if datum is not None and not (leading and isinstance(datum, Failed)):
                packed = datum.packed(self) if type is Members else datum_words(type, datum, self.place)
                words[at + leading:at + leading + len(packed)] = packed
        for at, numbers in self.tables:
            words[at:at + len(numbers)] = numbers
        self.instances[0].words, self.written = self.keep(words), self.size

    def ready(self, k):
        """The staged words. Where the program already runs (the Python kernel), new constants are written at once."""
        if self.instances and self.written < self.size:
            self.refresh()
        return k.memory(self).words

    def place(self, data):
        return self.keep(np.frombuffer(data + bytes(TEXT_PADDING), np.uint8))

    def close(self):
        self.instances, self.arrays = [], []

    def load(self, k, type, datum):
        """The staged value of a constant that is not NULL."""
        at = self.slot(type, datum)
        if type.layout is NUMERIC and (known := scale_and_bits(datum)) is not None:
            return of_bits(k, self.ready(k)[at], *known)
        return type.layout.from_words(k, self.ready(k), at)

    def load_parameter(self, k, key, type):
        """(the staged Sql of a parameter, whether it could not be computed)."""
        at = self.parameter_slot(key, type)
        words = self.ready(k)
        return Sql(type.layout.from_words(k, words, at + 1), words[at] == PRESENT), words[at] == FAILED
