"""Numbers as decimal digits, in staged code: written, and read from the forms that nearly all texts have."""
from caldera.kernel.interface import I8, I64
from caldera.kernel.utf8 import byte_at

ROOM = 32                           # bytes that `write_integer` may touch; the number ends at byte 24
END = 24
SCALE_MAX, DECIMAL_END, DECIMAL_ROOM = 40, 48, 56       # the same for `write_decimal`
LOWER_DIGITS = 18                   # of a number that is written as two
READ_MAX = 19                       # digits that are read: fewer than 2^64 always, and what is not below 2^63 shows its sign


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


def write_decimal(k, upper, lower, negative, scale, target):
    """Routine: write (upper * 10^LOWER_DIGITS + lower) / 10^scale (I64 all, neither below 0, the scale up to SCALE_MAX) with
    `scale` digits behind the point, and - if `negative`, so that it ends DECIMAL_END bytes behind `target`. Returns (its
    address, its length)."""
    at, count, left = k.variable(I64, DECIMAL_END), k.variable(I64, 0), k.variable(I64, lower)

    def more():
        return k.or_(left.get() != 0, count.get() <= scale, k.and_(upper != 0, count.get() < LOWER_DIGITS))
    for _ in k.while_(more):
        for _ in k.when(k.and_(count.get() == scale, scale > 0)):
            at.set(at.get() - 1)
            k.array(I8, target + at.get())[0] = ord(".")
        rest = k.binary("udiv", left.get(), 10)
        at.set(at.get() - 1)
        k.array(I8, target + at.get())[0] = k.convert(left.get() - rest * 10 + ord("0"), I8)
        count.set(count.get() + 1)
        left.set(k.choose(count.get() == LOWER_DIGITS, upper, rest))
    for _ in k.when(negative):
        at.set(at.get() - 1)
        k.array(I8, target + at.get())[0] = ord("-")
    return target + at.get(), k.constant(I64, DECIMAL_END) - at.get()


def write_padded(k, number, width, target):
    """Write a number (I64, not negative) of at most `width` digits (known) with leading zeros."""
    for place in reversed(range(width)):
        rest = k.binary("udiv", number, 10) if place else k.constant(I64, 0)
        k.array(I8, target + place)[0] = k.convert(number - rest * 10 + ord("0"), I8)
        number = rest


def write_bare(k, number, target):
    """Routine: write a number (I64, not negative) without leading zeros; returns its length."""
    length, left = k.variable(I64, 1), k.variable(I64, k.binary("udiv", number, 10))
    for _ in k.while_(lambda: left.get() != 0):
        left.set(k.binary("udiv", left.get(), 10))
        length.set(length.get() + 1)
    left.set(number)
    for place in k.range(0, length.get()):
        rest = k.binary("udiv", left.get(), 10)
        k.array(I8, target + length.get() - 1 - place)[0] = k.convert(left.get() - rest * 10 + ord("0"), I8)
        left.set(rest)
    return length.get()


def digits_at(k, address, count):
    """(number, whether these are digits) of so many (known) bytes."""
    number, good = k.constant(I64, 0), True
    for place in range(count):
        digit = byte_at(k, address + place) - ord("0")
        number, good = number * 10 + digit, k.and_(good, k.compare("ult", digit, 10))
    return number, good


def sign_of(k, address):
    """(whether there is a minus, how many bytes a sign takes: 0 or 1)."""
    first = byte_at(k, address)
    return first == ord("-"), k.convert(k.or_(first == ord("-"), first == ord("+")), I64)


def read_integer(k, address, length):
    """Routine: (number, whether it is one) of a text that is a sign, or none, and up to READ_MAX digits. Other texts may be
    numbers, too, and the smallest number is not among these."""
    negative, start = sign_of(k, address)
    number, strange = k.variable(I64, 0), k.variable(I64, 0)
    for place in k.range(start, k.least(length, k.constant(I64, READ_MAX + 1))):
        digit = byte_at(k, address + place) - ord("0")
        strange.set(strange.get() | k.convert(k.compare("ugt", digit, 9), I64))
        number.set(number.get() * 10 + digit)
    good = k.and_(strange.get() == 0, length > start, length - start <= READ_MAX, number.get() >= 0)
    return k.choose(negative, k.negate(number.get()), number.get()), good


def read_decimal(k, address, length):
    """Routine: (digits as a number, how many stand behind the point, where it ends, whether there is a minus, whether these
    are at least one and few enough digits) of a text that starts with a decimal number. What follows it is not looked at."""
    negative, start = sign_of(k, address)
    number, places, count = k.variable(I64, 0), k.variable(I64, 0), k.variable(I64, 0)
    at, point = k.variable(I64, start), k.variable(I64, -1)

    def here():
        return byte_at(k, address + at.get())

    def more():
        is_digit = k.compare("ult", here() - ord("0"), 10)
        return k.and_(at.get() < length, k.or_(is_digit, k.and_(here() == ord("."), point.get() < 0)))
    for _ in k.while_(more):
        is_point = here() == ord(".")
        number.set(k.choose(is_point, number.get(), number.get() * 10 + here() - ord("0")))
        point.set(k.choose(is_point, at.get(), point.get()))
        count.set(count.get() + k.convert(k.not_(is_point), I64))
        significant = k.and_(k.not_(is_point), k.or_(places.get() > 0, number.get() != 0))
        places.set(places.get() + k.convert(significant, I64))
        at.set(at.get() + 1)
    decimals = k.choose(point.get() < 0, k.constant(I64, 0), at.get() - point.get() - 1)
    return number.get(), decimals, at.get(), negative, k.and_(count.get() > 0, places.get() <= READ_MAX, number.get() >= 0)
