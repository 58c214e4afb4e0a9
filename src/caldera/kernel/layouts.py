"""How values of SQL types lie in memory, and what they are while staging.

    layout                        in an array               staged
    BOOLEAN                       int8, 0 or 1              Value of BOOL
    INT2 INT4 INT8 FLOAT4 FLOAT8  the machine type          Value of the machine type
    NUMERIC INTERVAL UUID         two int64                 Pair of I64
    TEXT                          two int64 (text.py)       Text

A layout moves values between arrays and staged form, and between rows of a data structure, which consist of 64-bit words,
and staged form. What the words of a Pair mean is the affair of the type (caldera.types).
"""
import numpy as np

from caldera.kernel.interface import BOOL, F32, F64, I8, I16, I32, I64, Variable
from caldera.kernel.text import Text, load_text, shorter, store_text, text_of_cell


class Pair:
    """A staged value of two words."""
    __slots__ = ("low", "high")

    def __init__(self, low, high):
        self.low, self.high = low, high


class Scalar:
    """One machine value. `element` is the type in arrays, `type` the type while staging."""
    width, words = 1, 1             # elements of an array and words of a row that one value takes

    def __init__(self, name, type, dtype, element=None):
        self.name, self.type, self.element, self.dtype = name, type, element or type, np.dtype(dtype)

    def __repr__(self):
        return self.name

    @property
    def size(self):
        """Bytes of one value in an array."""
        return self.dtype.itemsize

    def load(self, k, array, index, lifetime="part"):
        """Element `index` of an array; `lifetime`: how long texts in it last (kernel.text)."""
        value = array[index]
        return value != 0 if self.type == BOOL else value

    def store(self, k, array, index, value):
        array[index] = k.convert(k.as_condition(value), I8) if self.type == BOOL else value

    def to_words(self, k, value):
        if self.type == F64:
            return [k.reinterpret(value, I64)]
        if self.type == F32:
            return [k.convert(k.reinterpret(value, I32), I64)]
        return [k.convert(k.as_condition(value), I64)]

    def from_words(self, k, row, at, lifetime="part"):
        """The value at word `at` (a Python or staged number) of an array of I64."""
        word = row[at]
        if self.type == F64:
            return k.reinterpret(word, F64)
        if self.type == F32:
            return k.reinterpret(k.convert(word, I32), F32)
        return word != 0 if self.type == BOOL else k.convert(word, self.type)

    def choose(self, k, condition, a, b):
        return k.choose(condition, k.as_condition(a), k.as_condition(b)) if self.type == BOOL else k.choose(condition, a, b)

    def default(self, k):
        """A harmless value, for where there is none."""
        return k.constant(self.type, 0)

    def variable(self, k, value):
        slot = k.variable(self.type, k.as_condition(value))
        return Variables(self, [slot], lambda values: values[0], lambda value: [value])


class TwoWords:
    """A Pair of I64."""
    width, words, element, dtype, size = 2, 2, I64, np.dtype(np.int64), 16

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name

    def load(self, k, array, index, lifetime="part"):
        return Pair(array[index * 2], array[index * 2 + 1])

    def store(self, k, array, index, value):
        array[index * 2], array[index * 2 + 1] = value.low, value.high

    def to_words(self, k, value):
        return [value.low, value.high]

    def from_words(self, k, row, at, lifetime="part"):
        return Pair(row[at], row[at + 1])

    def choose(self, k, condition, a, b):
        return Pair(k.choose(condition, a.low, b.low), k.choose(condition, a.high, b.high))

    def default(self, k):
        return Pair(k.constant(I64, 0), k.constant(I64, 0))

    def variable(self, k, value):
        slots = [k.variable(I64, value.low), k.variable(I64, value.high)]
        return Variables(self, slots, lambda values: Pair(*values), lambda value: [value.low, value.high])


class TextLayout(TwoWords):
    """A cell; staged, a Text."""

    def load(self, k, array, index, lifetime="part"):
        return load_text(k, array, index, lifetime)

    def store(self, k, array, index, value):
        store_text(k, array, index, value)

    def to_words(self, k, value):
        return list(value.words())

    def from_words(self, k, row, at, lifetime="part"):
        return text_of_cell(k, row.starting_at(at), lifetime)

    def choose(self, k, condition, a, b):
        address, length = k.choose(condition, a.address, b.address), k.choose(condition, a.length, b.length)
        return Text(k, address, length, shorter(a.lifetime, b.lifetime))

    def default(self, k):
        return Text(k, k.address(k.buffer(I64, 3)), k.constant(I64, 0))

    def variable(self, k, value):
        slots = [k.variable(I64, value.address), k.variable(I64, value.length)]
        variables = Variables(self, slots, None, lambda value: [value.address, value.length])
        variables.lifetime = value.lifetime

        def wrap(values):
            return Text(k, *values, variables.lifetime)
        variables.wrap = wrap
        return variables


class Variables:
    """A variable for a value of any layout: one slot for each machine value it consists of."""

    def __init__(self, layout, slots: list[Variable], wrap, unwrap):
        self.layout, self.slots, self.wrap, self.unwrap = layout, slots, wrap, unwrap

    def get(self):
        return self.wrap([slot.get() for slot in self.slots])

    def set(self, value):
        if isinstance(value, Text):
            self.lifetime = shorter(self.lifetime, value.lifetime)
        for slot, part in zip(self.slots, self.unwrap(value)):
            slot.set(part)


BOOLEAN = Scalar("BOOLEAN", BOOL, np.int8, element=I8)
INT2, INT4, INT8 = Scalar("INT2", I16, np.int16), Scalar("INT4", I32, np.int32), Scalar("INT8", I64, np.int64)
FLOAT4, FLOAT8 = Scalar("FLOAT4", F32, np.float32), Scalar("FLOAT8", F64, np.float64)
NUMERIC, INTERVAL, UUID = TwoWords("NUMERIC"), TwoWords("INTERVAL"), TwoWords("UUID")
TEXT = TextLayout("TEXT")
