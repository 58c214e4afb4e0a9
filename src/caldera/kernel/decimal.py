"""Decimal numbers of two words: arithmetic over staged mantissas of 128 bits.

    word 0    the low 64 bits of the mantissa, which has 112 bits in two's complement
    word 1    its high 48 bits | tag << 48

The tag is the display scale (0 to 16383: the value is mantissa / 10^scale), or says that the number is NAN, INFINITY,
MINUS_INFINITY or BIG. A number whose mantissa needs more than 112 bits is BIG: a Python Decimal, of which word 0 is the
name (`BigNumbers`). So 34 digits are computed in registers and everything else is still exact:

    scale known while staging ──▶ one integer (kernel.scaled)
    same scale, fits ──▶ inline: a few instructions, no branch taken
    other scales     ──▶ a routine: powers of ten, division of 128 bits
    BIG, NaN, Infinity, results that do not fit ──▶ `out_of_line`: a Python function over the words

Of the last kind each operation that needs one registers its function (`python_operation`), so this module knows no rule
of SQL beyond the format. LLVM has no code for dividing 128 bits (it would call a library), hence `divide_magnitudes`.
"""
import ctypes
import decimal
import itertools
import threading
import weakref
from functools import cache

import numpy as np

from caldera.base.errors import Error
from caldera.base.forks import in_child
from caldera.kernel.interface import F64, FUNCTION, I64, I128, Owner, Pointer, Struct
from caldera.kernel import scaled
from caldera.kernel.layouts import Pair
from caldera.kernel.scaled import MANTISSA_BITS, MANTISSA_HIGH, SCALE_MAX, Scaled
from caldera.kernel.text import finish_hash, hash_words

BIG, NAN, INFINITY, MINUS_INFINITY = 0x4000, 0x8000, 0x8001, 0x8002
POWERS = 39                                     # 10^38 is the largest below 2^127
HASH_PRIME = (1 << 61) - 1                      # Python's own modulus for hashes of numbers
INVERSES = 64
KEY_DIGITS, KEY_DIGIT_BITS, KEY_EXPONENT_MIN, KEY_EXPONENT_MAX = 17, 57, -20, 42
KEY_INFINITY, KEY_NAN = (1 << 63) - 2, (1 << 63) - 1
EXACT = decimal.Context(prec=decimal.MAX_PREC, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN, traps=[])
OVERFLOW, DIVISION_BY_ZERO, FAILED = 1, 2, 3    # what an operation out of line may report; 0 is success
STATUS = {"22003": OVERFLOW, "22012": DIVISION_BY_ZERO}


class BigNumbers:
    """The numbers that do not fit in two words, by name.

    Names never come back. A number stays as long as a run that began before it was named, and after that until `BYTES_MAX`
    of others have come. Parts and constants hold their numbers themselves; results and kept maps have theirs held here, as
    long as they live (`keep_numbers`).
    """

    BYTES_MAX = 64 << 20

    def __init__(self):
        self.numbers, self.names, self.runs, self.bytes = {}, {}, {}, 0
        self.next_name, self.next_run, self.lock = 1, itertools.count(), threading.RLock()
        self.held = {}                              # name -> [number, how many hold it]

    def name(self, number):
        """The name of a Decimal. One that was named since the youngest run began keeps its name."""
        with self.lock:
            key = number.as_tuple()
            known = self.names.get(key, 0)
            if known >= next(reversed(self.runs.values()), self.next_name):
                return known
            name, self.next_name = self.next_name, self.next_name + 1
            self.numbers[name], self.names[key] = number, name
            self.bytes += self.size(number)
            return name

    def number(self, name):
        """The Decimal of that name."""
        found = self.numbers.get(name)
        return found if found is not None else self.held[name][0]

    def hold(self, names):
        """Keep numbers until `release`."""
        with self.lock:
            for name in names:
                self.held.setdefault(name, [self.number(name), 0])[1] += 1

    def release(self, names):
        """The opposite of `hold`. It may come from the garbage collector, whatever this thread is doing."""
        with self.lock:
            for name in names:
                self.held[name][1] -= 1
                if not self.held[name][1]:
                    del self.held[name]

    @staticmethod
    def size(number):
        """Bytes that a number takes here: its own, and its place in both tables with a tuple of its digits."""
        return 3 * number.__sizeof__() + 400

    def begin_run(self):
        """A run begins; the token is for `end_run`."""
        with self.lock:
            token = next(self.next_run)
            self.runs[token] = self.next_name
            return token

    def end_run(self, token):
        """A run has ended; the oldest numbers make room if there are too many."""
        with self.lock:
            del self.runs[token]
            oldest = next(iter(self.runs.values()), self.next_name)
            while self.bytes > self.BYTES_MAX and (name := next(iter(self.numbers))) < oldest:
                number = self.numbers.pop(name)
                self.bytes -= self.size(number)
                if self.names.get(number.as_tuple()) == name:
                    del self.names[number.as_tuple()]


class RunWithBigNumbers:
    """What a run opens so that the numbers it names stay until it closes."""

    def open(self, run):
        """The run begins."""
        self.token = BIG_NUMBERS.begin_run()

    def close(self):
        """It is over."""
        BIG_NUMBERS.end_run(self.token)


BIG_NUMBERS = BigNumbers()
in_child(lambda: setattr(BIG_NUMBERS, "lock", threading.RLock()))


def keep_numbers(owner, words):
    """Let the BIG numbers among words (n, 2) stay as long as an object lives."""
    names = np.unique(words[(words[:, 1] >> 48 & 0xFFFF) == BIG, 0]).tolist()
    if names:
        BIG_NUMBERS.hold(names)
        weakref.finalize(owner, BIG_NUMBERS.release, names).atexit = False


OPERATIONS = []                                 # what may be called out of line; its number is its place


class Tables(Owner):
    """Powers of ten as pairs of words, their inverses modulo HASH_PRIME, and the way to Python."""
    layout = Struct(apply=FUNCTION, powers=Pointer(I64), inverses=Pointer(I64))

    def __init__(self):
        super().__init__()
        powers = np.frombuffer(b"".join((10 ** n).to_bytes(16, "little") for n in range(POWERS)), np.int64)
        inverses = np.array([pow(10, -n, HASH_PRIME) for n in range(INVERSES)], np.int64)
        apply = self.callback(self.apply, arguments=3)
        self.instances = [self.layout.make(apply=apply, powers=self.keep(powers), inverses=self.keep(inverses))]
        self.exception = None                   # the last one that no status stands for

    def open(self, run):
        """There is nothing to open but the run's own numbers."""
        run.open(RunWithBigNumbers())

    def apply(self, number, inputs, outputs):
        """Perform operation `number` on the words at `inputs`; write the resulting words to `outputs`. Returns a status."""
        function, count = OPERATIONS[number]
        try:
            words = (ctypes.c_int64 * count).from_address(inputs)
            results = function(*words)
            (ctypes.c_int64 * len(results)).from_address(outputs)[:] = results
            return 0
        except Error as exception:
            self.exception = exception
            return STATUS.get(exception.sqlstate, FAILED)
        except Exception as exception:          # a status is all that can cross machine code
            self.exception = exception
            return FAILED


@cache
def tables():
    """The one instance, made when decimals are first staged."""
    return Tables()


def python_operation(count):
    """Register a Python function of `count` words (signed ints) that returns a tuple of words, for `out_of_line`."""
    def register(function):
        OPERATIONS.append((function, count))
        function.number = len(OPERATIONS) - 1
        return function
    return register


def out_of_line(k, function, words, results):
    """Call a python_operation: (list of `results` I64 words, status)."""
    inputs, outputs = k.buffer(I64, len(words)), k.buffer(I64, results)
    for number, word in enumerate(words):
        inputs[number] = word
    for number in range(results):
        outputs[number] = 0
    status = k.call(k.memory(tables()).apply, k.constant(I64, function.number), k.address(inputs), k.address(outputs))
    return [outputs[number] for number in range(results)], status


def otherwise(k, done, values, slow):
    """`values` (I64) where `done` holds, else what `slow()` computes, which is as many I64. The one branch of this file's
    operations; it is well predicted, since whole columns are alike."""
    results = [k.variable(I64, value) for value in values]
    for _ in k.when(k.not_(done)):
        for result, value in zip(results, slow()):
            result.set(value)
    return [result.get() for result in results]


# the format
def tag_of(pair):
    """The tag of a number, I64."""
    return pair.number.kernel.constant(I64, pair.scale) if isinstance(pair, Scaled) else pair.high >> 48


def is_inline(k, pair):
    """Staged BOOL: neither BIG nor special."""
    if isinstance(pair, Scaled):
        return k.as_condition(True)
    return k.compare("ult", pair.high, BIG << 48)


def mantissa(k, pair):
    """The mantissa of an inline number, I128."""
    if isinstance(pair, Scaled):
        return k.convert(pair.number, I128)
    high = k.binary("ashr", pair.high << 16, 16)
    return k.convert(high, I128) << 64 | k.convert(pair.low, I128, signed=False)


def compose(k, number, tag):
    """The words of a mantissa (I128, which fits) and a tag (I64 or int)."""
    high = k.convert(number >> 64, I64) & MANTISSA_HIGH
    return Pair(k.convert(number, I64), high | (k.lift(tag, I64) << 48))


def of_integer(k, value):
    """An integer as a decimal of scale 0."""
    return scaled.of_integer(k, value)


def fits(k, number):
    """Staged BOOL: the I128 fits in a mantissa."""
    return k.binary("ashr", number << 128 - MANTISSA_BITS, 128 - MANTISSA_BITS) == number


def same_scale(k, a, b):
    """Staged BOOL: both numbers are inline and of one scale."""
    return k.and_(k.compare("ult", a.high ^ b.high, 1 << 48), is_inline(k, a))


def scale_of(number):
    """The display scale of a finite Decimal."""
    return max(0, -number.as_tuple().exponent)


def number_of(low, high, fetch=BIG_NUMBERS.number):
    """The Decimal that two words mean. `fetch(word 0)` gives a BIG one."""
    tag = high >> 48 & 0xFFFF
    if tag == BIG:
        return fetch(low)
    if tag >= NAN:
        return SPECIAL[tag]
    number = (high & MANTISSA_HIGH) << 64 | low & (1 << 64) - 1
    number -= number >> MANTISSA_BITS - 1 << MANTISSA_BITS
    return decimal.Decimal(number).scaleb(-tag, EXACT)


def numbers_of(words):
    """The Decimals that words (n, 2) mean. Those of one scale and 64 bits, as columns mostly are, are made at once."""
    lows, highs = words[:, 0], words[:, 1]
    tags = highs >> 48 & 0xFFFF
    if len(words) and tags[0] < BIG and (tags == tags[0]).all() and (highs << 16 >> 16 == lows >> 63).all():
        exponent = decimal.Decimal(-int(tags[0]))
        return [decimal.Decimal(number).scaleb(exponent, EXACT) for number in lows.tolist()]
    return [number_of(low, high) for low, high in zip(lows.tolist(), highs.tolist())]


def words_of(number, spill=BIG_NUMBERS.name):
    """The two words (signed) of a Decimal. `spill(number)` gives word 0 of a BIG one."""
    if not number.is_finite():
        tag = NAN if number.is_nan() else INFINITY if number > 0 else MINUS_INFINITY
        return 0, tag - 0x10000 << 48
    scale = scale_of(number)
    whole = int(number.scaleb(scale, EXACT))
    if -1 << MANTISSA_BITS - 1 <= whole < 1 << MANTISSA_BITS - 1 and scale <= SCALE_MAX:
        return (whole + (1 << 63) & (1 << 64) - 1) - (1 << 63), whole >> 64 & MANTISSA_HIGH | scale << 48
    return spill(number), BIG << 48


SPECIAL = {NAN: decimal.Decimal("NaN"), INFINITY: decimal.Decimal("Infinity"),
           MINUS_INFINITY: decimal.Decimal("-Infinity")}


# integers of 128 bits
def magnitude(k, number):
    """The absolute value of an I128."""
    return k.choose(number < 0, k.negate(number), number)


def with_sign_of(k, number, sign):
    """A magnitude, negated where `sign` (an integer) is negative."""
    return k.choose(sign < 0, k.negate(number), number)


def bits_of(k, number):
    """How many bits a magnitude takes, I64."""
    return k.constant(I64, 128) - k.convert(k.leading_zeros(number), I64)


def power_of_ten(k, exponent):
    """10^exponent for an exponent (I64) of 0 to 38, I128; others are taken to the nearer end."""
    exponent = k.least(k.greatest(exponent, k.constant(I64, 0)), k.constant(I64, POWERS - 1))
    powers = k.memory(tables()).powers
    low, high = powers[exponent * 2], powers[exponent * 2 + 1]
    return k.convert(high, I128) << 64 | k.convert(low, I128, signed=False)


def scaled_up(k, number, exponent):
    """number * 10^exponent (exponent >= 0) as (I128, bad). Where bad, the product's magnitude is at least 2^125."""
    power = power_of_ten(k, exponent)
    too_long = bits_of(k, magnitude(k, number)) + bits_of(k, power) > 127
    return number * power, k.and_(number != 0, k.or_(too_long, exponent >= POWERS))


def digits_of(k, number):
    """How many decimal digits a magnitude has, I64; none for zero."""
    guess = (bits_of(k, number) * 1233) >> 12                  # bits * log10(2), never too large
    return guess + k.convert(number >= power_of_ten(k, guess), I64)


def to_float(k, number):
    """A magnitude as F64, with a relative error of at most 2^-52."""
    high, low = k.convert(number >> 64, I64), k.convert(number, I64)
    return k.convert(high, F64) * 2.0 ** 64 + k.convert(low, F64, signed=False)


def estimated_quotient(k, numerator, divisor):
    """At most the true quotient of two magnitudes with numerator >= divisor, at least 1, and nearly 49 bits right. I128."""
    quotient = k.binary("div", to_float(k, numerator), to_float(k, divisor)) * (1 - 2.0 ** -49)
    bits = k.reinterpret(quotient, I64)
    shift, fraction = (bits >> 52) - 1075, bits & (1 << 52) - 1 | 1 << 52
    zero, limit = k.constant(I64, 0), k.constant(I64, 63)
    left = k.convert(fraction, I128) << k.convert(k.greatest(shift, zero), I128)
    right = k.convert(fraction >> k.least(k.greatest(k.negate(shift), zero), limit), I128)
    estimate = k.choose(shift < 0, right, left)
    return k.choose(estimate == 0, k.constant(I128, 1), estimate)


def divide_magnitudes(k, numerator, divisor):
    """Routine: (quotient, remainder) of magnitudes below 2^127. A divisor of zero counts as one.

    Numbers of 64 bits are divided by the machine. Others by repeated estimates in floating point, each of which takes off 49
    bits of what is left and never too much.
    """
    divisor = k.choose(divisor == 0, k.constant(I128, 1), divisor)
    quotient, rest = k.variable(I128, 0), k.variable(I128, numerator)
    small = (numerator | divisor) >> 64 == 0
    for _ in k.when(small):
        low, by = k.convert(numerator, I64), k.convert(divisor, I64)
        whole = k.binary("udiv", low, by)
        quotient.set(k.convert(whole, I128, signed=False))
        rest.set(k.convert(low - whole * by, I128, signed=False))
    for _ in k.when(k.not_(small)):
        for _ in k.while_(lambda: rest.get() >= divisor):
            estimate = estimated_quotient(k, rest.get(), divisor)
            quotient.set(quotient.get() + estimate)
            rest.set(rest.get() - estimate * divisor)
    return quotient.get(), rest.get()


def rounded_quotient(k, numerator, divisor):
    """The quotient of magnitudes, halves rounded up."""
    quotient, rest = k.routine(divide_magnitudes, numerator, divisor)
    return quotient + k.convert(rest >= divisor - rest, I128)


# comparison
def value_class(k, pair):
    """-1 for -Infinity, 0 for finite numbers, 1 for Infinity, 2 for NaN: I64."""
    tag = tag_of(pair)
    special = k.choose(tag == NAN, k.constant(I64, 2), k.choose(tag == INFINITY, k.constant(I64, 1), k.constant(I64, -1)))
    return k.choose(tag >= NAN, special, k.constant(I64, 0))


def sign_between(k, a, b):
    """-1, 0 or 1 (I64) as a is below, equal to or above b (integers)."""
    return k.convert(a > b, I64) - k.convert(a < b, I64)


def compare_inline(k, a, b):
    """The same for inline numbers. The one with fewer decimals is scaled up; where that overflows, its magnitude exceeds the
    other's."""
    a_number, b_number = mantissa(k, a), mantissa(k, b)
    difference = tag_of(a) - tag_of(b)
    swapped = difference > 0
    first, second = k.choose(swapped, b_number, a_number), k.choose(swapped, a_number, b_number)
    scaled, bad = scaled_up(k, first, k.choose(swapped, difference, k.negate(difference)))
    order = k.choose(bad, with_sign_of(k, k.constant(I64, 1), first), sign_between(k, scaled, second))
    return k.choose(swapped, k.negate(order), order)


def compare_words(k, a_low, a_high, b_low, b_high):
    """Routine: -1, 0 or 1 (I64) as a is below, equal to or above b. NaN equals itself and exceeds all others."""
    a, b = Pair(a_low, a_high), Pair(b_low, b_high)
    a_class, b_class = value_class(k, a), value_class(k, b)
    same_name = k.and_(a_low == b_low, a_high == b_high)
    inline = k.and_(is_inline(k, a), is_inline(k, b))
    decided = k.or_(inline, same_name, a_class != b_class, a_class != 0)
    special = k.choose(same_name, k.constant(I64, 0), sign_between(k, a_class, b_class))
    order = k.choose(inline, compare_inline(k, a, b), special)
    return otherwise(k, decided, [order], lambda: out_of_line(k, compare_bigs, [a_low, a_high, b_low, b_high], 1)[0])[0]


@python_operation(4)
def compare_bigs(a_low, a_high, b_low, b_high):
    """The same for finite numbers of which one is BIG."""
    a, b = number_of(a_low, a_high), number_of(b_low, b_high)
    return ((a > b) - (a < b),)


def compare(k, a, b):
    """-1, 0 or 1 (I64). Inline numbers of one scale are compared at once."""
    quick = sign_between(k, mantissa(k, a), mantissa(k, b))
    words = a.low, a.high, b.low, b.high
    return otherwise(k, same_scale(k, a, b), [quick], lambda: [k.routine(compare_words, *words)])[0]


def equal(k, a, b):
    """Staged BOOL: a = b."""
    known = scaled.compare(k, "eq", a, b)
    return compare(k, a, b) == 0 if known is None else known


def less(k, a, b):
    """Staged BOOL: a < b."""
    known = scaled.compare(k, "lt", a, b)
    return compare(k, a, b) < 0 if known is None else known


# hashes and keys
def modulo_prime(k, number):
    """A magnitude below 2^122 modulo HASH_PRIME, as I128."""
    folded = (number & HASH_PRIME) + (number >> 61)
    return k.choose(folded >= HASH_PRIME, folded - HASH_PRIME, folded)


def residue_words(k, low, high):
    """Routine: the value modulo HASH_PRIME with its sign: m * 10^-scale is one number however it is written. I64."""
    pair = Pair(low, high)
    number, scale = mantissa(k, pair), k.variable(I64, tag_of(pair))
    inverses = k.memory(tables()).inverses
    rest = k.variable(I128, modulo_prime(k, magnitude(k, number)))
    for _ in k.while_(lambda: k.and_(scale.get() > 0, scale.get() < BIG)):
        step = k.least(scale.get(), k.constant(I64, INVERSES - 1))
        rest.set(modulo_prime(k, rest.get() * k.convert(inverses[step], I128)))
        scale.set(scale.get() - step)
    residue = with_sign_of(k, k.convert(rest.get(), I64), number)
    special = k.constant(I64, HASH_PRIME) + tag_of(pair)
    residue = k.choose(is_inline(k, pair), residue, special)
    return otherwise(k, tag_of(pair) != BIG, [residue], lambda: out_of_line(k, residue_of_big, [low, high], 1)[0])[0]


@python_operation(2)
def residue_of_big(low, high):
    """What `residue_words` gives, for a BIG number."""
    number = number_of(low, high)
    scale = scale_of(number)
    rest = int(number.copy_abs().scaleb(scale, EXACT)) * pow(10, -scale, HASH_PRIME) % HASH_PRIME
    return (-rest if number < 0 else rest,)


def hash_decimal(k, pair):
    """A hash that is the same for 1.0 and 1.00."""
    if k.equal_hashes:
        return finish_hash(k, pair.low)
    return hash_words(k, k.routine(residue_words, pair.low, pair.high))


def key_words(k, low, high):
    """Routine: a number (I64) in the order of the values, which tells those apart that differ in their first 17 digits and
    lie between 10^-20 and 10^43. Zero is 0."""
    pair = Pair(low, high)
    number = mantissa(k, pair)
    size = magnitude(k, number)
    digits = digits_of(k, size)
    exponent = digits - 1 - tag_of(pair)
    shorter, _ = k.routine(divide_magnitudes, size, power_of_ten(k, digits - KEY_DIGITS))
    longer = size * power_of_ten(k, k.constant(I64, KEY_DIGITS) - digits)
    leading = k.convert(k.choose(digits > KEY_DIGITS, shorter, longer), I64)
    key = (exponent - KEY_EXPONENT_MIN + 1) << KEY_DIGIT_BITS | leading
    key = k.choose(exponent < KEY_EXPONENT_MIN, k.constant(I64, 1), key)
    key = with_sign_of(k, k.choose(number == 0, k.constant(I64, 0), key), number)
    order = value_class(k, pair)
    special = k.choose(order == 1, KEY_INFINITY, k.constant(I64, KEY_NAN))
    special = k.choose(order < 0, k.constant(I64, -KEY_INFINITY), special)
    key = k.choose(is_inline(k, pair), key, special)
    return otherwise(k, tag_of(pair) != BIG, [key], lambda: out_of_line(k, key_of_big, [low, high], 1)[0])[0]


@python_operation(2)
def key_of_big(low, high):
    """What `key_words` gives, for a BIG number."""
    number = number_of(low, high)
    exponent = number.adjusted()
    if not number or exponent < KEY_EXPONENT_MIN:
        key = 1 if number else 0
    elif exponent > KEY_EXPONENT_MAX:
        key = KEY_INFINITY - 1
    else:
        leading = int(number.copy_abs().scaleb(KEY_DIGITS - 1 - exponent, EXACT))
        key = exponent - KEY_EXPONENT_MIN + 1 << KEY_DIGIT_BITS | leading
    return (-key if number < 0 else key,)


def key_decimal(k, pair):
    """A word (I64) for sorting; equal ones need `compare`."""
    return k.routine(key_words, pair.low, pair.high)
