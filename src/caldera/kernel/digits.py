"""Integers as decimal digits, in staged code."""
from caldera.kernel.interface import I8, I64

ROOM = 32                           # bytes that `write_integer` may touch; the number ends at byte 24
END = 24


def write_integer(k, number, target):
    """Routine: write a number (I64) in decimal, with - if negative, so that it ends END bytes behind `target`. Returns (its
    address, its length). The magnitude is taken without a sign, so the smallest number is no exception."""
    at, negative = k.variable(I64, END), number < 0
    left = k.variable(I64, k.choose(negative, k.negate(number), number))
    for _ in k.while_(lambda: k.or_(left.get() != 0, at.get() == END)):
        rest = k.binary("udiv", left.get(), 10)
        at.set(at.get() - 1)
        k.array(I8, target + at.get())[0] = k.convert(left.get() - rest * 10 + ord("0"), I8)
        left.set(rest)
    for _ in k.when(negative):
        at.set(at.get() - 1)
        k.array(I8, target + at.get())[0] = ord("-")
    return target + at.get(), k.constant(I64, END) - at.get()
