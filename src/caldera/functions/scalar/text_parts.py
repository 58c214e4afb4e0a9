"""Taking texts apart: substrings by position, fields, trimming. Results are slices of the argument: nothing is copied."""
from caldera.functions.registry import scalar
from caldera.kernel.interface import BOOL, I32, I64
from caldera.kernel.patterns import finder
from caldera.kernel.text import Text, same_bytes
from caldera.kernel.utf8 import byte_at, char_size, count_chars, last_char, skip_chars
from caldera.types.text import length_without_padding

NEGATIVE_LENGTH = "22011", "negative substring length not allowed"


def slice_of(k, text, start, length):
    """A text inside another one: `start` and `length` in bytes."""
    return Text(k, text.address + start, length, text.lifetime)


def chars(k, text, start, count):
    """`count` characters from number `start` (from 0) on; both I64 and not negative."""
    first = k.routine(skip_chars, text.address, text.length, start)
    size = k.routine(skip_chars, text.address + first, text.length - first, count)
    return slice_of(k, text, first, size)


def window(k, start, length):
    """SQL's start (from 1, may be outside) and length as (start from 0, length), both I64 and not negative."""
    start = k.convert(start, I64)
    stop = k.greatest(start + k.convert(length, I64), k.constant(I64, 1))
    start = k.greatest(start, k.constant(I64, 1))
    return start - 1, k.greatest(stop - start, k.constant(I64, 0))


@scalar("substring(text, int4, int4) -> text", "substr(text, int4, int4) -> text",
        doc="So many characters from a position (from 1) on.", example="SELECT substring('Thomas' FROM 2 FOR 3)  -- hom")
def substring(call, text, start, length):
    call.fault(length < 0, *NEGATIVE_LENGTH)
    return chars(call.k, text, *window(call.k, start, length))


@scalar("substring(text, int4) -> text", "substr(text, int4) -> text", doc="The characters from a position (from 1) on.",
        example="SELECT substring('Thomas' FROM 3)  -- omas")
def substring_to_end(call, text, start):
    k = call.k
    start = k.greatest(k.convert(start, I64), k.constant(I64, 1)) - 1
    first = k.routine(skip_chars, text.address, text.length, start)
    return slice_of(k, text, first, text.length - first)


@scalar("substring(bytea, int4, int4) -> bytea", "substr(bytea, int4, int4) -> bytea",
        doc="So many bytes from a position (from 1) on.", example=r"SELECT substring('\x010203'::bytea, 2, 1)  -- \x02")
def substring_bytes(call, text, start, length):
    k = call.k
    call.fault(length < 0, *NEGATIVE_LENGTH)
    first, count = window(k, start, length)
    first = k.least(first, text.length)
    return slice_of(k, text, first, k.least(count, text.length - first))


@scalar("substring(bytea, int4) -> bytea", "substr(bytea, int4) -> bytea", doc="The bytes from a position (from 1) on.",
        example=r"SELECT substring('\x010203'::bytea, 2)  -- \x0203")
def substring_bytes_to_end(call, text, start):
    k = call.k
    first = k.least(k.greatest(k.convert(start, I64), k.constant(I64, 1)) - 1, text.length)
    return slice_of(k, text, first, text.length - first)


def from_either_end(k, text, count):
    """`count` if it is not negative, else the number of characters but -count of them."""
    count = k.convert(count, I64)
    all_chars = k.routine(count_chars, text.address, text.length)
    return k.choose(count >= 0, count, k.greatest(all_chars + count, k.constant(I64, 0)))


@scalar("left(text, int4) -> text", doc="The first n characters; if n is negative, all but the last -n.",
        example="SELECT left('abcde', -2)  -- abc")
def left(call, text, count):
    k = call.k
    end = k.routine(skip_chars, text.address, text.length, from_either_end(k, text, count))
    return slice_of(k, text, k.constant(I64, 0), end)


@scalar("right(text, int4) -> text", doc="The last n characters; if n is negative, all but the first -n.",
        example="SELECT right('abcde', 2)  -- de")
def right(call, text, count):
    k = call.k
    count = k.convert(count, I64)
    all_chars = k.routine(count_chars, text.address, text.length)
    skipped = k.choose(count >= 0, k.greatest(all_chars - count, k.constant(I64, 0)), k.negate(count))
    skipped = k.choose(count == -2**31, k.constant(I64, 0), skipped)
    first = k.routine(skip_chars, text.address, text.length, skipped)
    return slice_of(k, text, first, text.length - first)


# ------------------------------------------------------------------------------------------------ trimming

def is_member(k, address, size, members, members_length):
    """Routine: whether the character of `size` bytes at an address is one of those in a text."""
    at, found = k.variable(I64, 0), k.variable(BOOL, False)
    for _ in k.while_(lambda: k.and_(at.get() < members_length, k.not_(found.get()))):
        other = char_size(k, byte_at(k, members + at.get()))
        found.set(k.and_(other == size, k.routine(same_bytes, address, members + at.get(), size)))
        at.set(at.get() + other)
    return found.get()


def trimmed_start(k, address, length, members, members_length):
    """Routine: the number of bytes at the start that belong to characters of a set."""
    at, going_on = k.variable(I64, 0), k.variable(BOOL, True)
    for _ in k.while_(lambda: k.and_(at.get() < length, going_on.get())):
        size = char_size(k, byte_at(k, address + at.get()))
        going_on.set(k.routine(is_member, address + at.get(), size, members, members_length))
        at.set(at.get() + k.choose(going_on.get(), size, k.constant(I64, 0)))
    return at.get()


def trimmed_end(k, address, length, members, members_length):
    """Routine: the length without the characters of a set at the end."""
    end, going_on = k.variable(I64, length), k.variable(BOOL, True)
    for _ in k.while_(lambda: k.and_(end.get() > 0, going_on.get())):
        start = k.routine(last_char, address, end.get())
        going_on.set(k.routine(is_member, address + start, end.get() - start, members, members_length))
        end.set(k.choose(going_on.get(), start, end.get()))
    return end.get()


def spaces_at_start(k, address, length):
    """Routine: how many spaces stand at the start."""
    at = k.variable(I64, 0)
    for _ in k.while_(lambda: k.and_(at.get() < length, byte_at(k, address + at.get()) == 32)):
        at.set(at.get() + 1)
    return at.get()


def trim(call, text, members, at_start, at_end):
    """A text without the characters of a set (None: spaces) at its start, its end, or both."""
    k, more = call.k, () if members is None else (members.address, members.length)
    start, end = k.constant(I64, 0), text.length
    if at_end:
        end = k.routine(length_without_padding if members is None else trimmed_end, text.address, text.length, *more)
    if at_start:
        start = k.routine(spaces_at_start if members is None else trimmed_start, text.address, end, *more)
    return slice_of(k, text, start, end - start)


@scalar("btrim(text) -> text", doc="The text without spaces at its ends.", example="SELECT btrim('  trim ')  -- trim")
def btrim(call, text):
    return trim(call, text, None, True, True)


@scalar("ltrim(text) -> text", doc="The text without spaces at its start.", example="SELECT ltrim('  trim')  -- trim")
def ltrim(call, text):
    return trim(call, text, None, True, False)


@scalar("rtrim(text) -> text", doc="The text without spaces at its end.", example="SELECT rtrim('trim  ')  -- trim")
def rtrim(call, text):
    return trim(call, text, None, False, True)


@scalar("btrim(text, text) -> text", doc="The text without those characters at its ends.",
        example="SELECT btrim('xyxtrimyyx', 'xyz')  -- trim")
def btrim_of(call, text, members):
    return trim(call, text, members, True, True)


@scalar("ltrim(text, text) -> text", doc="The text without those characters at its start.",
        example="SELECT ltrim('zzzytest', 'xyz')  -- test")
def ltrim_of(call, text, members):
    return trim(call, text, members, True, False)


@scalar("rtrim(text, text) -> text", doc="The text without those characters at its end.",
        example="SELECT rtrim('testxxzx', 'xyz')  -- test")
def rtrim_of(call, text, members):
    return trim(call, text, members, False, True)


# ------------------------------------------------------------------------------------------------ positions and fields

def find(k, address, length, needle, needle_length, start):
    """Routine: the number of the byte from `start` on at which a needle starts; -1 if it does not occur."""
    at, found = k.variable(I64, start), k.variable(I64, -1)
    last, first = length - needle_length, byte_at(k, needle)
    for _ in k.while_(lambda: k.and_(at.get() <= last, found.get() < 0)):
        for _ in k.when(k.or_(needle_length == 0, byte_at(k, address + at.get()) == first)):
            for _ in k.when(k.routine(same_bytes, address + at.get(), needle, needle_length)):
                found.set(at.get())
        at.set(at.get() + 1)
    return found.get()


def place_of(call, text, needle, number):
    """A function of a start (in bytes, I64) that gives the next place of a needle in a text, or -1. `number`: of the needle
    among the arguments; a constant one is searched with lanes."""
    k, known = call.k, call.known(number)
    if known:
        search = finder(known if isinstance(known, bytes) else known.encode())
        return lambda start: k.routine(search, text.address, text.length, start)
    return lambda start: k.routine(find, text.address, text.length, needle.address, needle.length, start)


def occurrences(k, find_next, length):
    """Yields the places at which a needle of `length` bytes stands, one behind the other; none for an empty needle."""
    place = k.variable(I64, k.choose(length > 0, find_next(k.constant(I64, 0)), k.constant(I64, -1)))
    for _ in k.while_(lambda: place.get() >= 0):
        yield place.get()
        place.set(find_next(place.get() + length))


@scalar("strpos(text, text) -> int4", "position(text, text) -> int4", static=(1,),
        doc="Where the second text first occurs in the first; 0 if it does not.",
        example="SELECT strpos('high', 'ig')  -- 2")
def strpos(call, text, needle):
    k = call.k
    at = place_of(call, text, needle, 1)(k.constant(I64, 0))
    before = k.routine(count_chars, text.address, k.greatest(at, k.constant(I64, 0)))
    return k.convert(k.choose(at < 0, k.constant(I64, 0), before + 1), I32)


@scalar("position(bytea, bytea) -> int4", static=(1,),
        doc="Where the second value first occurs in the first; 0 if it does not.",
        example=r"SELECT position('\x02'::bytea IN '\x0102'::bytea)  -- 2")
def position_bytes(call, text, needle):
    k = call.k
    return k.convert(place_of(call, text, needle, 1)(k.constant(I64, 0)) + 1, I32)


@scalar("starts_with(text, text) -> bool", operator="^@", doc="Whether the first text starts with the second.",
        example="SELECT starts_with('alphabet', 'alph')  -- t")
def starts_with(call, text, prefix):
    k = call.k
    long_enough = text.length >= prefix.length
    compared = k.choose(long_enough, prefix.length, k.constant(I64, 0))
    return k.and_(long_enough, k.routine(same_bytes, text.address, prefix.address, compared))


@scalar("split_part(text, text, int4) -> text", static=(1,),
        doc="The n-th field of a text with a delimiter; from the end if n is negative.",
        example="SELECT split_part('abc~@~def~@~ghi', '~@~', 2)  -- def")
def split_part(call, text, delimiter, number):
    k, find_next, zero = call.k, place_of(call, text, delimiter, 1), call.k.constant(I64, 0)
    call.fault(number == 0, "22023", "field position must not be zero")
    divided = delimiter.length > 0
    wanted = k.variable(I64, k.convert(number, I64))

    def next_place(start):
        return k.choose(divided, find_next(start), k.constant(I64, -1))
    for _ in k.when(number < 0):                # from the end: all fields must be counted
        wanted.set(wanted.get() + 2)
        for _ in occurrences(k, find_next, delimiter.length):
            wanted.set(wanted.get() + 1)
    start, stop, left = k.variable(I64, 0), k.variable(I64, next_place(zero)), k.variable(I64, wanted.get())
    for _ in k.while_(lambda: k.and_(left.get() > 1, stop.get() >= 0)):
        start.set(stop.get() + delimiter.length)
        stop.set(next_place(start.get()))
        left.set(left.get() - 1)
    end = k.choose(stop.get() < 0, text.length, stop.get())
    length = k.choose(left.get() == 1, end - start.get(), zero)
    return slice_of(k, text, start.get(), length)
