"""Decimal numbers whose scale and bounds are known while staging: the mantissa is one machine integer.

    l_extendedprice * (1 - l_discount)     scales 2 + 2, bounds 24 + 9 bits  ─▶  sub i64, mul i64

Columns of one scale, integers and constants are read so. Sums, differences and products are again such numbers, with
PostgreSQL's scales, while their bounds show that the mantissa fits: then nothing can overflow, and there is nothing to
look at for each row. Whoever knows only Pairs gets one: the two words (kernel.decimal) are made where they are asked for.
An operation returns None where the bounds do not suffice, and the general one takes its place.
"""
from caldera.kernel.interface import I64, I128
from caldera.kernel.layouts import Pair

MANTISSA_BITS, SCALE_MAX = 112, 16383
MANTISSA_HIGH = (1 << 48) - 1                   # the mantissa's part of word 1
MANTISSA_MAX, WIDE_MAX, WORD_MAX = ((1 << bits - 1) - 1 for bits in (MANTISSA_BITS, 128, 64))


class Scaled(Pair):
    """number / 10^scale. `number`: staged, I64 if `least` and `most` (ints, which bound it) fit there, else I128."""
    __slots__ = ("number", "scale", "least", "most")

    def __init__(self, k, number, scale, least, most):
        self.number, self.scale, self.least, self.most = k.convert(number, type_for(least, most)), scale, least, most

    @property
    def low(self):
        """Word 0 of the Pair."""
        return self.number.kernel.convert(self.number, I64)

    @property
    def high(self):
        """Word 1 of the Pair."""
        k = self.number.kernel
        sign = k.binary("ashr", self.number, 63) if self.number.type == I64 else k.convert(self.number >> 64, I64)
        return sign & MANTISSA_HIGH | self.scale << 48


def type_for(*bounds):
    """The machine type for numbers between bounds, which have at most 127 bits."""
    return I64 if all(-WORD_MAX - 1 <= bound <= WORD_MAX for bound in bounds) else I128


def known_bits(least, most):
    """How many bits the magnitude of numbers between bounds may have, rounded up to one of eight classes, so that programs
    over data of about the same size are one program. None for more than 63."""
    bits = max(abs(least), abs(most)).bit_length()
    return next((known for known in (8, 16, 24, 32, 40, 48, 56, 63) if bits <= known), None)


def of_bits(k, number, scale, bits):
    """An I64 whose magnitude has at most so many bits."""
    return Scaled(k, number, scale, 1 - (1 << bits), (1 << bits) - 1)


def of_integer(k, value):
    """An integer of any width as a number of scale 0."""
    size = 1 << value.type.bits - 1
    return Scaled(k, value, 0, -size, size - 1)


def bounds_at(a, scale):
    """(least, most) of a number written with a scale that is not smaller than its own."""
    factor = 10 ** (scale - a.scale)
    return a.least * factor, a.most * factor


def written(k, a, scale, type):
    """The mantissa of a number at a scale that is not smaller than its own."""
    number = k.convert(a.number, type)
    return number if scale == a.scale else number * 10 ** (scale - a.scale)


def aligned(k, a, b, bound, *results):
    """(mantissa of a, of b, their scale) in a type that holds both and bounds of `results`, or None beyond `bound`."""
    scale = max(a.scale, b.scale)
    bounds = *bounds_at(a, scale), *bounds_at(b, scale), *results
    if max(map(abs, bounds)) > bound:
        return None
    type = type_for(*bounds)
    return written(k, a, scale, type), written(k, b, scale, type), scale


def both(a, b):
    """Whether two numbers are of this kind."""
    return isinstance(a, Scaled) and isinstance(b, Scaled)


def add(k, a, b):
    """a + b, or None."""
    if not both(a, b):
        return None
    (a_least, a_most), (b_least, b_most) = (bounds_at(number, max(a.scale, b.scale)) for number in (a, b))
    least, most = a_least + b_least, a_most + b_most
    found = aligned(k, a, b, MANTISSA_MAX, least, most)
    return found and Scaled(k, found[0] + found[1], found[2], least, most)


def subtract(k, a, b):
    """a - b, or None."""
    if not both(a, b):
        return None
    (a_least, a_most), (b_least, b_most) = (bounds_at(number, max(a.scale, b.scale)) for number in (a, b))
    least, most = a_least - b_most, a_most - b_least
    found = aligned(k, a, b, MANTISSA_MAX, least, most)
    return found and Scaled(k, found[0] - found[1], found[2], least, most)


def multiply(k, a, b):
    """a * b, or None."""
    if not both(a, b) or a.scale + b.scale > SCALE_MAX:
        return None
    products = [x * y for x in (a.least, a.most) for y in (b.least, b.most)]
    least, most = min(products), max(products)
    if max(map(abs, (least, most, a.least, a.most, b.least, b.most))) > MANTISSA_MAX:
        return None
    type = type_for(least, most, a.least, a.most, b.least, b.most)
    return Scaled(k, k.convert(a.number, type) * k.convert(b.number, type), a.scale + b.scale, least, most)


def negate(k, a):
    """-a, or None."""
    if not isinstance(a, Scaled) or max(-a.least, a.most) > MANTISSA_MAX:
        return None
    type = type_for(a.least, -a.least, -a.most)
    return Scaled(k, k.negate(k.convert(a.number, type)), a.scale, -a.most, -a.least)


def absolute(k, a):
    """The magnitude, or None."""
    opposite = negate(k, a)
    if opposite is None:
        return None
    type = type_for(a.least, -a.least)
    number, other = k.convert(a.number, type), k.convert(opposite.number, type)
    return Scaled(k, k.choose(number < 0, other, number), a.scale, 0, max(-a.least, a.most, 0))


def compare(k, name, a, b):
    """Staged BOOL of a comparison (`Verbs.compare`), or None."""
    found = aligned(k, a, b, WIDE_MAX) if both(a, b) else None
    return found and k.compare(name, found[0], found[1])


class ScaledLayout:
    """How mantissas of one scale lie in memory: as I64, in arrays and in rows. See kernel.layouts."""
    width, words, element, size = 1, 1, I64, 8

    def __init__(self, scale, bits):
        self.scale, self.bits = scale, bits

    def load(self, k, array, index, lifetime="part"):
        return of_bits(k, array[index], self.scale, self.bits)

    def store(self, k, array, index, value):
        array[index] = value.number
