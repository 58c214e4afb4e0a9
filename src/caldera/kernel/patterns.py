"""LIKE in staged code: searches for bytes known while staging, and a matcher for patterns known only when the query runs.

    pattern ─ split_pattern ─▶ pieces of literal bytes between %, or None if it holds _
        'x'      equal_to          'x%'   starts_with_bytes      '%x'   ends_with_bytes
        '%x%'    finder            'x%y%z'  start, searches one behind the other, end
    otherwise    match_pattern, a routine over the pattern's bytes

A search looks at 16 places at a time: lanes find where the first and the last byte of the needle stand at its distance
(Mula, "SIMD-friendly algorithms for substring searching", 2016); only there the rest is compared.
"""
from functools import lru_cache

from caldera.kernel.interface import BOOL, I8, I64
from caldera.kernel.text import word_at
from caldera.kernel.utf8 import byte_at, char_size

LANES = 16
PERCENT, UNDERSCORE, BACKSLASH = b"%_\\"


def split_pattern(pattern):
    """A pattern (bytes) as literal pieces, between which anything may stand; None if it holds _ or ends in a single
    backslash."""
    pieces, at = [bytearray()], 0
    while at < len(pattern):
        byte = pattern[at]
        if byte == UNDERSCORE or byte == BACKSLASH and at + 1 == len(pattern):
            return None
        if byte == PERCENT:
            pieces.append(bytearray())
        else:
            at += byte == BACKSLASH
            pieces[-1].append(pattern[at])
        at += 1
    return [bytes(piece) for piece in (pieces[:1] + [piece for piece in pieces[1:-1] if piece] + pieces[1:][-1:])]


def signed(word):
    """Eight bytes, or fewer, as a signed number."""
    number = int.from_bytes(word.ljust(8, b"\0"), "little")
    return number - (1 << 64) if number >> 63 else number


def same_as(k, address, wanted):
    """Staged BOOL: the bytes at an address are these. All of them, and seven more, must be readable."""
    conditions = []
    for at in range(0, len(wanted), 8):
        if len(wanted) >= 8:
            at = min(at, len(wanted) - 8)
        word, piece = word_at(k, address, at), wanted[at:at + 8]
        if len(piece) < 8:
            word = word & ((1 << 8 * len(piece)) - 1)
        conditions.append(word == signed(piece))
    return k.as_condition(k.and_(*conditions))


def guarded_address(k, text, offset, enough):
    """The address `offset` into a text, or of its start if it is not long `enough`, so that nothing else is read."""
    return text.address + k.choose(enough, offset, k.constant(I64, 0))


def compare_at(k, text, offset, wanted, enough):
    """Staged BOOL: the text is long `enough` and has these bytes at an offset (I64)."""
    if not wanted:
        return enough
    matched = k.variable(BOOL, False) if len(wanted) > LANES else None
    if matched is None:
        return k.and_(enough, same_as(k, guarded_address(k, text, offset, enough), wanted))
    for _ in k.when(enough):
        matched.set(same_as(k, text.address + offset, wanted))
    return matched.get()


def equal_to(k, text, wanted):
    """Staged BOOL: the text is these bytes."""
    return compare_at(k, text, k.constant(I64, 0), wanted, text.length == len(wanted))


def starts_with_bytes(k, text, wanted):
    """Staged BOOL: the text starts with these bytes."""
    return compare_at(k, text, k.constant(I64, 0), wanted, text.length >= len(wanted))


def ends_with_bytes(k, text, wanted):
    """Staged BOOL: the text ends with these bytes."""
    return compare_at(k, text, text.length - len(wanted), wanted, text.length >= len(wanted))


@lru_cache(maxsize=1024)
def finder(needle):
    """The routine find(k, address, length, start): where the needle (one byte or more) first occurs in a text at or behind
    `start`; -1 if nowhere. One function for each needle, so that a program holds its code once."""
    size = len(needle)

    def find(k, address, length, start):
        at, found, last = k.variable(I64, start), k.variable(I64, -1), length - size
        for _ in k.while_(lambda: k.and_(at.get() <= last, found.get() < 0)):
            for place in set_bits(k, candidates(k, address + at.get(), needle), found):
                hit = at.get() + place
                for _ in k.when(hit <= last):
                    equal = same_as(k, address + hit + 1, needle[1:-1]) if size > 2 else True
                    for _ in k.when(equal):
                        found.set(hit)
            at.set(at.get() + LANES)
        return found.get()
    return find


def set_bits(k, word, found):
    """The numbers of the bits that are set in an I64, lowest first; no more once the variable `found` is not negative."""
    left = k.variable(I64, word)
    for _ in k.while_(lambda: k.and_(left.get() != 0, found.get() < 0)):
        yield k.trailing_zeros(left.get())
        left.set(left.get() & (left.get() - 1))


def candidates(k, address, needle):
    """Bits of an I64: where among LANES places the first byte of the needle stands, and the last one at its distance."""
    distance = len(needle) - 1
    heads = k.load(k.array(I8, address), 0, lanes=LANES) == signed_byte(needle[0])
    if distance == 0:
        return k.bits(heads)
    return k.bits(heads & (k.load(k.array(I8, address + distance), 0, lanes=LANES) == signed_byte(needle[-1])))


def signed_byte(byte):
    """A byte as an I8."""
    return byte - 256 if byte > 127 else byte


def matches_pieces(k, text, pieces):
    """Staged BOOL: the text consists of the pieces, with anything between them; the first stands at the start, the last at
    the end."""
    if len(pieces) == 1:
        return equal_to(k, text, pieces[0])
    first, *middle, last = pieces
    fits = text.length >= sum(map(len, pieces))
    fits = k.and_(fits, starts_with_bytes(k, text, first) if first else True,
                  ends_with_bytes(k, text, last) if last else True)
    if not middle:
        return fits
    matched, at, length = k.variable(BOOL, k.as_condition(fits)), k.variable(I64, len(first)), text.length - len(last)
    for piece in middle:
        for _ in k.when(matched.get()):
            place = k.routine(finder(piece), text.address, length, at.get())
            matched.set(place >= 0)
            at.set(place + len(piece))
    return matched.get()


def match_pattern(k, address, length, pattern, pattern_length):
    """Routine: (whether a text is LIKE a pattern of UTF-8, whether the pattern turned out to end in a lone backslash)."""
    return match(k, address, length, pattern, pattern_length, lambda at: char_size(k, byte_at(k, at)))


def match_byte_pattern(k, address, length, pattern, pattern_length):
    """Routine: the same for bytea, where _ stands for a byte."""
    return match(k, address, length, pattern, pattern_length, lambda at: k.constant(I64, 1))


def match(k, address, length, pattern, pattern_length, size_at):
    """Both texts are read once from left to right; when it does not go on, the last % takes one more character. A lone
    backslash counts as seen where text is left, or where a % before it was (then only _ stand between: `run`)."""
    at, place = k.variable(I64, 0), k.variable(I64, 0)
    restart, restart_place = k.variable(I64, 0), k.variable(I64, -1)
    going_on, bad, run = k.variable(BOOL, True), k.variable(BOOL, False), k.variable(BOOL, False)

    def step():
        byte = byte_at(k, address + at.get())
        more = place.get() < pattern_length
        sign = byte_at(k, pattern + place.get())
        any_text, any_char = k.and_(more, sign == PERCENT), k.and_(more, sign == UNDERSCORE)
        escaped = k.and_(more, sign == BACKSLASH)
        alone = k.and_(escaped, place.get() + 1 >= pattern_length)
        literal = k.choose(escaped, byte_at(k, pattern + place.get() + 1), sign)
        same = k.and_(more, k.not_(any_text), k.not_(any_char), k.not_(alone), literal == byte)
        forward = k.or_(any_char, same)
        bad.set(k.or_(bad.get(), alone))
        run.set(k.or_(any_text, k.and_(run.get(), any_char)))
        restart.set(k.choose(any_text, at.get(), restart.get()))
        restart_place.set(k.choose(any_text, place.get() + 1, restart_place.get()))
        back = k.and_(k.not_(any_text), k.not_(forward))
        going_on.set(k.and_(k.not_(alone), k.or_(k.not_(back), restart_place.get() >= 0)))
        retry = restart.get() + size_at(address + restart.get())
        restart.set(k.choose(back, retry, restart.get()))
        size = k.choose(any_char, size_at(address + at.get()), k.constant(I64, 1))
        at.set(k.choose(back, restart.get(), k.choose(forward, at.get() + size, at.get())))
        width = k.choose(k.and_(same, escaped), k.constant(I64, 2), k.constant(I64, 1))
        again = k.greatest(restart_place.get(), k.constant(I64, 0))     # -1 if there is no % to go back to
        place.set(k.choose(back, again, place.get() + width))
    for _ in k.while_(lambda: k.and_(at.get() < length, going_on.get())):
        step()
    alone = k.and_(place.get() + 1 == pattern_length, byte_at(k, pattern + place.get()) == BACKSLASH)
    bad.set(k.or_(bad.get(), k.and_(going_on.get(), run.get(), alone)))
    for _ in k.while_(lambda: k.and_(place.get() < pattern_length, byte_at(k, pattern + place.get()) == PERCENT)):
        place.set(place.get() + 1)
    return k.and_(going_on.get(), place.get() == pattern_length), bad.get()
