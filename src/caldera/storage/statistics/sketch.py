"""How many different values a column has: HyperLogLog.

    values ─ hashes ─▶ uint64 ─ Sketch.add ─▶ 2,048 registers ─ count ─▶ distinct values, within about 2 %
                                                                └ of_all ─▶ the same, where only some rows were looked at

Flajolet, Fusy, Gandouet, Meunier: "HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm" (2007),
with the estimator of Ertl: "New cardinality estimation algorithms for HyperLogLog sketches" (2017), which needs no
correction for small counts. A register holds the longest run of zeros at the top of the hashes whose low bits name it. The
sketch of several segments is the maximum of theirs.

Of many rows only some are looked at, one of each stretch, at random (`rows_to_hash`); how many more values the others have
is concluded from how often the same ones came again, as if all were equally frequent (Cardenas: "Analysis and performance of
inverted data base structures", 1975).

A value has one hash in whatever way it is stored: integers of all widths by their number, numerics by their floats, texts by
their length and up to four words of eight bytes, spread evenly; so texts of at most 32 bytes are told apart by all of them.
"""
import functools
import math

import numpy as np

from caldera.kernel import layouts
from caldera.storage.encodings import INTEGERS
from caldera.storage.zones import numeric_float_keys

REGISTER_BITS = 11
REGISTERS = 1 << REGISTER_BITS
RANK_MAX = 64 - REGISTER_BITS + 1
FACTOR, STIRRED = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)     # odd, with well-mixed bits
HIGH, MIDDLE = np.uint64(32), np.uint64(29)
BLOCK_ROWS = 8192               # that stay in the processor's cache between the steps
TEXT_WORDS = 4                  # of a text that its hash looks at
NARROW = 1 << 16                # integers of a smaller span are noted in a table of that size
ALL_ROWS = {"narrow": (1 << 16, 64), "wide": (1 << 18, 4), "text": (1 << 15, 16)}     # so many, or one of so many if more


def mixed(words):
    """uint64 words as hashes: every bit depends on every bit (the finaliser of SplitMix64, shortened)."""
    hashes = words * FACTOR
    hashes ^= hashes >> HIGH
    hashes *= STIRRED
    hashes ^= hashes >> MIDDLE
    return hashes


def noise(count, seed):
    """uint64 numbers that look like random ones, the same for a seed. numpy's own take 20 ms to import."""
    return mixed(mixed(np.arange(count, dtype=np.uint64) + np.uint64(seed << 20)) + np.uint64(1))


class Sketch:
    """The registers: uint8[REGISTERS]."""

    def __init__(self, registers=None):
        self.registers = np.zeros(REGISTERS, np.uint8) if registers is None else registers

    def add(self, hashes):
        """Take the hashes of some values, a block at a time. Those that can change no register are left out first."""
        lowest = int(self.registers.min())
        if lowest:
            hashes = hashes[hashes < np.uint64(1 << (64 - lowest))]
        places = (hashes & np.uint64(REGISTERS - 1)).astype(np.intp)
        lengths = np.frexp((hashes >> np.uint64(REGISTER_BITS)).astype(np.float64))[1]     # in bits, of what is left
        ranks = (RANK_MAX - lengths).astype(np.uint8)
        news = np.flatnonzero(ranks > self.registers[places])
        np.maximum.at(self.registers, places[news], ranks[news])

    def join(self, other):
        """Take what another sketch has seen."""
        np.maximum(self.registers, other.registers, out=self.registers)

    def count(self):
        """About how many different values have come."""
        counts = np.bincount(self.registers, minlength=RANK_MAX + 1).tolist()
        total = REGISTERS * tau(1 - counts[RANK_MAX] / REGISTERS)
        for rank in range(RANK_MAX - 1, 0, -1):
            total = 0.5 * (total + counts[rank])
        total += REGISTERS * sigma(counts[0] / REGISTERS)
        return REGISTERS ** 2 / (2 * math.log(2)) / total if math.isfinite(total) else 0.0


def sigma(x):
    """x + sum of x^(2^k) 2^(k-1): what empty registers stand for (Ertl, 2017)."""
    if x == 1:
        return math.inf
    total, factor, before = x, 1.0, -1.0
    while total != before:
        x *= x
        before, total, factor = total, total + x * factor, 2 * factor
    return total


def tau(x):
    """The same for full registers."""
    if x in (0, 1):
        return 0.0
    total, factor, before = 1 - x, 1.0, -1.0
    while total != before:
        x = math.sqrt(x)
        factor *= 0.5
        before, total = total, total - (1 - x) ** 2 * factor
    return total / 3


def expected_distinct(distinct, rows):
    """How many different values so many rows have, drawn from `distinct` equally frequent ones (Cardenas)."""
    return -distinct * math.expm1(-rows / distinct) if distinct > 0 else 0.0


def of_all(seen, looked_at, rows):
    """How many different values `rows` rows have, if `looked_at` random ones of them have `seen`."""
    if looked_at >= rows or seen <= 0:
        return min(seen, rows)
    if seen >= 0.999 * looked_at:
        return rows
    low, high = seen, seen * 2.0
    while expected_distinct(high, looked_at) < seen:
        low, high = high, high * 2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if expected_distinct(middle, looked_at) < seen else (low, middle)
    return expected_distinct(high, rows)


# ------------------------------------------------------------------------------------------------ of columns

@functools.lru_cache(maxsize=16)
def sample_rows(rows, count):
    """`count` of so many rows, in order: one of each stretch, at random; all of them if there are no more."""
    if rows <= count:
        return np.arange(rows)
    edges = np.linspace(0, rows, count + 1).astype(np.int64)
    return edges[:-1] + (noise(count, rows) / 2.0 ** 64 * np.diff(edges)).astype(np.int64)


def rows_to_hash(rows, kind):
    """The numbers of the rows to look at, or None for all."""
    least, share = ALL_ROWS[kind]
    return None if rows <= least else sample_rows(rows, max(least, rows // share))


def sketch_of(data, encoded):
    """(Sketch, how many values it has seen) of a column array that is stored as `encoded`; NULLs are no values."""
    sketch, values = Sketch(), data.values
    if encoded.encoding.codes is not None:
        entries = encoded.arrays["offsets"], encoded.arrays["blob"]
        add_texts(sketch, entries[1], entries[0][:-1], entries[0][1:])
        return sketch, encoded.row_count
    is_text = isinstance(values, tuple)
    is_narrow = not is_text and has_small_span(data, encoded)
    chosen = rows_to_hash(encoded.row_count, "text" if is_text else "narrow" if is_narrow else "wide")
    if data.valid is not None:
        chosen = np.flatnonzero(data.valid) if chosen is None else chosen[data.valid[chosen] != 0]
    chosen = slice(None) if chosen is None else chosen
    if is_text:
        starts, stops = values[0][:-1][chosen], values[0][1:][chosen]
        add_texts(sketch, values[1], starts, stops)
        return sketch, len(starts)
    values = values[chosen]
    seen = len(values)
    numbers = values[:, 0] if encoded.encoding.mantissas is not None else values
    numbers = different(numbers) if is_narrow and seen else numbers
    for first in range(0, len(numbers), BLOCK_ROWS):
        sketch.add(mixed(words_of(data.type.layout, numbers[first:first + BLOCK_ROWS], encoded.parameters.get("scale", 0))))
    return sketch, seen


def has_small_span(data, encoded):
    """Whether values are integers, or mantissas, that lie so near to each other that a table of all of them is small."""
    if encoded.encoding.family == "constant":
        return False
    if encoded.encoding.mantissas is not None or encoded.encoding.family.startswith("packed"):
        return encoded.encoding.width <= NARROW.bit_length() - 1
    return data.type.layout in INTEGERS and len(data.values) > 0 and \
        int(data.values.max()) - int(data.values.min()) < NARROW


def different(numbers):
    """The different ones of some integers of a small span."""
    low = int(numbers.min())
    seen = np.zeros(int(numbers.max()) - low + 1, bool)
    seen[numbers.astype(np.int64) - low] = True
    return np.flatnonzero(seen) + low


def words_of(layout, values, scale):
    """uint64 words that are equal for equal values. values: of a layout other than text, or mantissas of a scale."""
    if layout in INTEGERS:
        return values.astype(np.int64).view(np.uint64)
    if layout is layouts.NUMERIC:
        values = values / 10.0 ** scale if values.ndim == 1 else numeric_float_keys(values)[2]
    elif layout.words == 2:
        return mixed(values[:, 0].astype(np.uint64)) ^ values[:, 1].astype(np.uint64)
    return (values.astype(np.float64) + 0.0).view(np.uint64)          # + 0.0 makes 0 of -0


def add_texts(sketch, blob, starts, stops):
    """Add texts of a blob, which is readable behind the last of them."""
    words = np.ndarray(max(0, len(blob) - 7), np.uint64, blob, 0, (1,))
    for first in range(0, len(starts), BLOCK_ROWS):
        run = slice(first, first + BLOCK_ROWS)
        sketch.add(block_hashes(words, starts[run], stops[run] - starts[run]))


def block_hashes(words, starts, lengths):
    """Hashes of the texts of one block. words: what stands at each byte of their blob, as uint64."""
    hashes = lengths.astype(np.uint64)
    if not len(lengths):
        return hashes
    kept = np.minimum(lengths, 8).astype(np.uint64) * np.uint64(8)            # bits of a word that belong to the text
    mask = np.where(kept == 0, np.uint64(0), ~np.uint64(0) >> (np.uint64(64) - np.maximum(kept, np.uint64(8))))
    last, pieces = np.maximum(lengths - 8, 0), np.minimum((lengths + 7) >> 3, TEXT_WORDS)
    for number in range(int(pieces.max())):
        at = starts + last * number // np.maximum(pieces - 1, 1)
        hashes = np.where(pieces > number, mixed(hashes ^ (words[np.minimum(at, len(words) - 1)] & mask)), hashes)
    return mixed(hashes)
