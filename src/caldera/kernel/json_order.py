"""jsonb values compared and hashed as they lie in memory: in the text that jsonb has for each (types.json_values.write).

The order is PostgreSQL's: null, strings, numbers, false, true, arrays, objects; longer arrays and objects behind shorter
ones; then the parts, keys before their values; an empty array by itself before everything else. Two texts are walked side by
side: up to the first difference they have the same structure, so punctuation is the same in both and nothing is nested.
"""
from caldera.kernel.interface import BOOL, I64
from caldera.kernel.json_walk import BACKSLASH, COMMA, OPEN_ARRAY, QUOTE, is_one_of, string_end, value_end
from caldera.kernel.text import equal_texts, finish_hash, mix
from caldera.kernel.utf8 import byte_at

NULL, STRING, NUMBER, FALSE, TRUE, ARRAY, OBJECT = range(1, 8)
ESCAPES = {ord(letter): ord(meant) for letter, meant in zip("bfnrt", "\b\f\n\r\t")}
RANK_SHIFT = 56
POINT, ZERO, MINUS = b".0-"


def equal(k, a, b):
    """Staged BOOL: the same value. Texts that differ may still mean the same."""
    same = k.variable(BOOL, equal_texts(k, a, b))
    for _ in k.when(k.not_(same.get())):
        same.set(compared(k, a, b) == 0)
    return same.get()


def compared(k, a, b):
    """Staged I64 below, at or above 0 as one value sorts before, with or behind the other."""
    return k.routine(compare_json, a.address, a.length, b.address, b.length)


def rank_at(k, address):
    """The rank of the value that begins at an address, 0 for punctuation."""
    byte, rank = byte_at(k, address), k.constant(I64, 0)
    for first, number in ((b"n", NULL), (b'"', STRING), (b"-0123456789", NUMBER), (b"f", FALSE), (b"t", TRUE),
                          (b"[", ARRAY), (b"{", OBJECT)):
        rank = k.choose(is_one_of(k, byte, first), k.constant(I64, number), rank)
    return rank


def top_rank(k, address, length):
    """The rank of a whole value."""
    return k.choose(k.and_(length == 2, byte_at(k, address) == OPEN_ARRAY), k.constant(I64, 0), rank_at(k, address))


def compare_json(k, a, a_length, b, b_length):
    """Routine: the order of two texts, as `compared` gives it."""
    i, j = k.variable(I64, 0), k.variable(I64, 0)
    order = k.variable(I64, top_rank(k, a, a_length) - top_rank(k, b, b_length))
    for _ in k.while_(lambda: k.and_(order.get() == 0, i.get() < a_length, j.get() < b_length)):
        left, right = a + i.get(), b + j.get()
        rank = rank_at(k, left)
        order.set(rank - rank_at(k, right))
        for _ in k.when(order.get() == 0):
            sizes = k.routine(compare_parts, rank, left, a_length - i.get(), right, b_length - j.get())
            order.set(sizes[0])
            i.set(i.get() + sizes[1])
            j.set(j.get() + sizes[2])
    return order.get()


def compare_parts(k, rank, left, left_rest, right, right_rest):
    """Routine: (order, bytes to go on in the left text, in the right one) of two parts of one rank."""
    order, left_size, right_size = k.variable(I64, 0), k.variable(I64, 1), k.variable(I64, 1)

    def outcome(parts):
        for variable, value in zip((order, left_size, right_size), parts):
            variable.set(value)
    zero = k.constant(I64, 0)
    for _ in k.when(rank == STRING):
        outcome((k.routine(compare_strings, left, right), k.routine(string_end, left, zero, left_rest),
                 k.routine(string_end, right, zero, right_rest)))
    for _ in k.when(rank == NUMBER):
        left_end, right_end = k.routine(value_end, left, zero, left_rest), k.routine(value_end, right, zero, right_rest)
        outcome((k.routine(compare_numbers, left, left_end, right, right_end), left_end, right_end))
    for _ in k.when(rank >= ARRAY):
        order.set(k.routine(count_parts, left, left_rest) - k.routine(count_parts, right, right_rest))
    return order.get(), left_size.get(), right_size.get()


def count_parts(k, address, rest):
    """Routine: how many commas of its own an array or object has, one more if it is not empty."""
    at, depth, count = k.variable(I64, 1), k.variable(I64, 1), k.variable(I64, 0)
    count.set(k.convert(k.not_(is_one_of(k, byte_at(k, address + 1), b"]}")), I64))
    for _ in k.while_(lambda: k.and_(depth.get() > 0, at.get() < rest)):
        byte = byte_at(k, address + at.get())
        count.set(count.get() + k.convert(k.and_(depth.get() == 1, byte == COMMA), I64))
        depth.set(depth.get() + k.convert(is_one_of(k, byte, b"[{"), I64) - k.convert(is_one_of(k, byte, b"]}"), I64))
        for _ in k.when(byte == QUOTE):
            at.set(k.routine(string_end, address, at.get(), rest) - 1)
        at.set(at.get() + 1)
    return count.get()


# ------------------------------------------------------------------------------------------------ scalars

def char_at(k, address):
    """Routine: (the byte of a string that is written at an address, how many bytes that takes); -1 at the string's end."""
    byte, following = byte_at(k, address), byte_at(k, address + 1)
    meant = following
    for letter, code in ESCAPES.items():
        meant = k.choose(following == letter, k.constant(I64, code), meant)
    digits = hexadecimal(k, byte_at(k, address + 4)) << 4 | hexadecimal(k, byte_at(k, address + 5))
    is_escape, is_code = byte == BACKSLASH, following == ord("u")
    value = k.choose(is_escape, k.choose(is_code, digits, meant), k.choose(byte == QUOTE, k.constant(I64, -1), byte))
    return value, k.choose(is_escape, k.choose(is_code, k.constant(I64, 6), 2), k.constant(I64, 1))


def hexadecimal(k, digit):
    """The value of a lower-case digit."""
    return digit - k.choose(digit >= ord("a"), k.constant(I64, ord("a") - 10), ord("0"))


def compare_strings(k, left, right):
    """Routine: the order of two strings, which begin with their quotes, bytewise."""
    a, b, order, going_on = k.variable(I64, left + 1), k.variable(I64, right + 1), k.variable(I64, 0), k.variable(BOOL, True)
    for _ in k.while_(lambda: going_on.get()):
        (x, x_size), (y, y_size) = k.routine(char_at, a.get()), k.routine(char_at, b.get())
        order.set(x - y)
        going_on.set(k.and_(x == y, x >= 0))
        a.set(a.get() + x_size)
        b.set(b.get() + y_size)
    return order.get()


def compare_numbers(k, left, left_size, right, right_size):
    """Routine: the order of two numbers, which have no exponents. Zeros at the end of a fraction do not count."""
    a_negative, b_negative = (k.convert(byte_at(k, address) == MINUS, I64) for address in (left, right))
    order = k.variable(I64, b_negative - a_negative)
    a, b = left + a_negative, right + b_negative
    a_size, b_size = left_size - a_negative, right_size - b_negative
    for _ in k.when(order.get() == 0):
        order.set(k.routine(count_digits, a, a_size) - k.routine(count_digits, b, b_size))
        at = k.variable(I64, 0)
        for _ in k.while_(lambda: k.and_(order.get() == 0, k.or_(at.get() < a_size, at.get() < b_size))):
            order.set(digit_at(k, a, at.get(), a_size) - digit_at(k, b, at.get(), b_size))
            at.set(at.get() + 1)
        order.set(k.choose(a_negative != 0, k.negate(order.get()), order.get()))
    return order.get()


def digit_at(k, address, at, size):
    """The digit at a place, 0 for the point and behind the end."""
    byte = byte_at(k, address + k.choose(at < size, at, k.constant(I64, 0)))
    return k.choose(k.or_(at >= size, byte == POINT), k.constant(I64, 0), byte - ZERO)


def count_digits(k, address, size):
    """Routine: how many digits stand before the point."""
    at = k.variable(I64, 0)
    for _ in k.while_(lambda: k.and_(at.get() < size, byte_at(k, address + at.get()) != POINT)):
        at.set(at.get() + 1)
    return at.get()


# ------------------------------------------------------------------------------------------------ hashes and keys

def hash_json(k, address, length):
    """Routine: a hash that is the same for equal values: points, and zeros at the end of fractions, are left out."""
    hash, at = k.variable(I64, k.constant(I64, 0x243F6A88)), k.variable(I64, 0)
    in_string, in_fraction = k.variable(BOOL, False), k.variable(BOOL, False)
    zeros = k.variable(I64, 0)                      # that have been seen in a fraction and wait for another digit
    for _ in k.while_(lambda: at.get() < length):
        byte = byte_at(k, address + at.get())
        is_digit = k.and_(byte >= ZERO, byte <= ZERO + 9)
        in_fraction.set(k.and_(k.not_(in_string.get()), k.or_(byte == POINT, k.and_(in_fraction.get(), is_digit))))
        waits = k.and_(in_fraction.get(), k.or_(byte == ZERO, byte == POINT))
        for _ in k.when(k.not_(waits)):
            hash.set(mix(k, hash.get(), byte | k.choose(in_fraction.get(), zeros.get() + 1, 0) << 8))
        zeros.set(k.choose(waits, zeros.get() + 1, k.constant(I64, 0)))
        in_string.set(k.choose(byte == QUOTE, k.not_(in_string.get()), in_string.get()))
        at.set(at.get() + k.choose(k.and_(in_string.get(), byte == BACKSLASH), k.constant(I64, 2), 1))
    return finish_hash(k, hash.get())


def leading_key(k, address, length):
    """Routine: a word whose signed order does not contradict the order of the values: the rank, and of strings the first
    characters, of arrays and objects how many parts they have."""
    rank = top_rank(k, address, length)
    key = k.variable(I64, 0)
    for _ in k.when(rank == STRING):
        at, shift, going_on = k.variable(I64, address + 1), k.variable(I64, RANK_SHIFT - 8), k.variable(BOOL, True)
        for _ in k.while_(lambda: k.and_(going_on.get(), shift.get() >= 0)):
            value, size = k.routine(char_at, at.get())
            going_on.set(value >= 0)
            for _ in k.when(value >= 0):
                key.set(key.get() | value << shift.get())
            shift.set(shift.get() - 8)
            at.set(at.get() + size)
    for _ in k.when(rank >= ARRAY):
        key.set(k.routine(count_parts, address, length))
    return key.get() | rank << RANK_SHIFT
