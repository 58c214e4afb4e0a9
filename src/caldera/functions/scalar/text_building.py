"""Making texts out of texts: concatenation, padding, repetition, replacement, single characters.

A result is written to scratch memory of the block: first its length is found, then room is taken, then pieces are copied.
"""
import functools

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar.text_parts import occurrences, place_of, slice_of
from caldera.functions.scalar.text_writing import written
from caldera.kernel.digits import ROOM, write_integer
from caldera.kernel.interface import I8, I32, I64
from caldera.kernel.layouts import BOOLEAN, INT2, INT4, INT8, TEXT
from caldera.kernel.nullable import Sql
from caldera.kernel.patterns import signed
from caldera.kernel.text import Text, copy_bytes, word_at
from caldera.kernel.utf8 import byte_at, char_size, count_chars, decode_char, skip_chars
from caldera.types.text import length_without_padding

BYTES_MAX = 0x3FFFFFFF - 4          # of one value in PostgreSQL
TOO_LONG = "54000", "requested length too large"


def joined(call, *pieces):
    """Texts, and bytes known while staging, in a row."""
    k, length = call.k, call.k.constant(I64, 0)
    for piece in pieces:
        length = length + (len(piece) if isinstance(piece, bytes) else piece.length)
    target = call.scratch(length)
    at = target
    for piece in pieces:
        if isinstance(piece, bytes):
            write_bytes(k, piece, at)
            at = at + len(piece)
        else:
            k.routine(copy_bytes, piece.address, piece.length, at)
            at = at + piece.length
    return Text(k, target, length, "block")


def write_bytes(k, data, target):
    """Write bytes known while staging; up to 7 more may be overwritten."""
    for start in range(0, len(data), 8):
        k.array(I64, target + start, alignment=1)[0] = signed(data[start:start + 8])


@scalar("textcat(text, text) -> text", operator="||", doc="The two texts in a row.",
        example="SELECT 'Post' || 'greSQL'  -- PostgreSQL")
def textcat(call, first, second):
    return joined(call, first, second)


@scalar("byteacat(bytea, bytea) -> bytea", operator="||", doc="The two values in a row.",
        example=r"SELECT '\x01'::bytea || '\x02'::bytea  -- \x0102")
def byteacat(call, first, second):
    return joined(call, first, second)


# ------------------------------------------------------------------------------------------------ values of any type

def integer_text(call, number):
    """A staged integer as Text."""
    k = call.k
    return Text(k, *k.routine(write_integer, k.convert(number, I64), call.scratch(k.constant(I64, ROOM))), "block")


def bool_text(call, value, words):
    """One of two words of up to 8 bytes, (for true, for false), as Text."""
    k, target = call.k, call.scratch(call.k.constant(I64, 8))
    yes, no = (word.encode() for word in words)
    k.array(I64, target, alignment=1)[0] = k.choose(value, k.constant(I64, signed(yes)), k.constant(I64, signed(no)))
    return Text(k, target, k.choose(value, k.constant(I64, len(yes)), k.constant(I64, len(no))), "block")


def text_of(call, type, sql, as_cast=False):
    """A value of any type (Sql) as Text in its output form, or in that of its cast to text: then bool is spelt out and
    char(n) loses its padding. Empty where it is NULL."""
    k = call.k
    if type.layout is TEXT and type.category in "SX":
        text = sql.value
        if as_cast and type.name == "bpchar":
            text = Text(k, text.address, k.routine(length_without_padding, text.address, text.length), text.lifetime)
    elif type.layout in (INT2, INT4, INT8) and type.python_type is int:
        text = integer_text(call, sql.value)
    elif type.layout is BOOLEAN:
        text = bool_text(call, sql.value, ("true", "false") if as_cast else ("t", "f"))
    else:
        with call.row.faults.guarded(sql.valid):
            text = written(call, type, sql.value)
    if sql.valid is True:
        return text
    return Text(k, text.address, k.choose(sql.valid, text.length, k.constant(I64, 0)), text.lifetime)


@scalar("textanycat(text, anynonarray) -> text", operator="||", volatility="s", doc="The text, then the value as text.",
        example="SELECT 'Value: ' || 42  -- Value: 42")
def textanycat(call, first, second):
    return joined(call, first, text_of(call, call.types[1], Sql(second, True), as_cast=True))


@scalar("anytextcat(anynonarray, text) -> text", operator="||", volatility="s", doc="The value as text, then the text.",
        example="SELECT 42 || '!'  -- 42!")
def anytextcat(call, first, second):
    return joined(call, text_of(call, call.types[0], Sql(first, True), as_cast=True), second)


@scalar("concat(any) -> text", strict=False, variadic=True, volatility="s",
        doc="The values as text in a row; NULLs are left out.", example="SELECT concat('abcde', 2, NULL, 22)  -- abcde222")
def concat(call, *values):
    return Sql(joined(call, *(text_of(call, type, value) for type, value in zip(call.types, values))), True)


@scalar("concat_ws(text, any) -> text", strict=False, variadic=True, volatility="s",
        doc="The values as text with a separator between them; NULLs are left out.",
        example="SELECT concat_ws(',', 'abcde', 2, NULL, 22)  -- abcde,2,22")
def concat_ws(call, separator, *values):
    k, pieces, started = call.k, [], False
    for type, value in zip(call.types[1:], values):
        wanted = k.and_(started, value.valid)
        length = separator.value.length
        if wanted is not True:
            length = k.constant(I64, 0) if wanted is False else k.choose(wanted, length, k.constant(I64, 0))
        pieces += [Text(k, separator.value.address, length), text_of(call, type, value)]
        started = k.or_(started, value.valid)
    return Sql(joined(call, *pieces), separator.valid)


def register_integer_cast(name):
    """The cast of an integer type to text."""
    @scalar(f"{name}_as_text({name}) -> text", cast="assignment", doc="The number in decimal.",
            example=f"SELECT 42::{name}::text  -- 42")
    def as_text(call, number):
        return integer_text(call, number)


for name in ("int2", "int4", "int8"):
    register_integer_cast(name)


@scalar("text(bool) -> text", "varchar(bool) -> varchar", "bpchar(bool) -> bpchar", cast="assignment",
        doc="true or false, spelt out.", example="SELECT true::text  -- true")
def text_of_bool(call, value):
    return bool_text(call, value, ("true", "false"))


# ------------------------------------------------------------------------------------------------ filling

def fill_bytes(k, target, size, pattern, pattern_length):
    """Routine: `size` bytes of a pattern over and over; returns the size. What is there already is copied, so that the
    stretches double."""
    at = k.variable(I64, k.routine(copy_bytes, pattern, k.least(pattern_length, size), target))
    for _ in k.while_(lambda: k.and_(at.get() < size, at.get() > 0)):
        length = k.least(at.get(), size - at.get())
        k.routine(copy_bytes, target, length, target + at.get())
        at.set(at.get() + length)
    return size


def fitted(call, text, length, fill):
    """(the text cut to `length` characters, address and length of a pattern, how many bytes of its repetition make the text
    so long). `fill`: a Text, or None for spaces."""
    k = call.k
    wanted = k.greatest(k.convert(length, I64), k.constant(I64, 0))
    filled = fill is None or fill.length > 0
    too_long = k.and_(filled, wanted * 4 > BYTES_MAX)
    call.fault(too_long, *TOO_LONG)
    text = slice_of(k, text, k.constant(I64, 0), k.routine(skip_chars, text.address, text.length, wanted))
    missing = wanted - k.routine(count_chars, text.address, text.length)
    missing = k.choose(k.and_(filled, k.not_(too_long)), missing, k.constant(I64, 0))
    if fill is None:
        address = call.scratch(k.constant(I64, 8))
        write_bytes(k, b" " * 8, address)
        return text, address, k.constant(I64, 8), missing
    chars = k.routine(count_chars, fill.address, fill.length)
    whole = k.binary("udiv", missing, chars)
    rest = k.routine(skip_chars, fill.address, fill.length, missing - whole * chars)
    return text, fill.address, fill.length, whole * fill.length + k.choose(chars == 0, k.constant(I64, 0), rest)


def pad(call, text, length, fill, on_left):
    """lpad and rpad."""
    k = call.k
    text, pattern, pattern_length, size = fitted(call, text, length, fill)
    target = call.scratch(text.length + size)
    k.routine(copy_bytes, text.address, text.length, target + size if on_left else target)
    saved = word_at(k, target + size) if on_left else None
    k.routine(fill_bytes, target if on_left else target + text.length, size, pattern, pattern_length)
    if on_left:                     # filling may have run over the first bytes of the text
        k.array(I64, target + size, alignment=1)[0] = saved
    return Text(k, target, text.length + size, "block")


@scalar("lpad(text, int4, text) -> text", doc="The text filled up on the left, or cut, to so many characters.",
        example="SELECT lpad('hi', 5, 'xy')  -- xyxhi")
def lpad(call, text, length, fill):
    return pad(call, text, length, fill, True)


@scalar("lpad(text, int4) -> text", doc="The text filled up with spaces on the left, or cut, to so many characters.",
        example="SELECT lpad('hi', 3)  --  hi")
def lpad_spaces(call, text, length):
    return pad(call, text, length, None, True)


@scalar("rpad(text, int4, text) -> text", doc="The text filled up on the right, or cut, to so many characters.",
        example="SELECT rpad('hi', 5, 'xy')  -- hixyx")
def rpad(call, text, length, fill):
    return pad(call, text, length, fill, False)


@scalar("rpad(text, int4) -> text", doc="The text filled up with spaces on the right, or cut, to so many characters.",
        example="SELECT rpad('hi', 3) || '!'  -- hi !")
def rpad_spaces(call, text, length):
    return pad(call, text, length, None, False)


@scalar("repeat(text, int4) -> text", doc="The text so many times.", example="SELECT repeat('Pg', 4)  -- PgPgPgPg")
def repeat(call, text, count):
    k = call.k
    size = text.length * k.greatest(k.convert(count, I64), k.constant(I64, 0))
    call.fault(size > BYTES_MAX, *TOO_LONG)
    size = k.choose(size > BYTES_MAX, k.constant(I64, 0), size)
    target = call.scratch(size)
    k.routine(fill_bytes, target, size, text.address, text.length)
    return Text(k, target, size, "block")


# ------------------------------------------------------------------------------------------------ replacing

@scalar("replace(text, text, text) -> text", static=(1,),
        doc="The text with every occurrence of the second replaced by the third.",
        example="SELECT replace('abcdefabcdef', 'cd', 'XX')  -- abXXefabXXef")
def replace(call, text, old, new):
    k, find_next = call.k, place_of(call, text, old, 1)
    count, at, end = k.variable(I64, 0), k.variable(I64, 0), k.variable(I64, 0)
    for _ in occurrences(k, find_next, old.length):
        count.set(count.get() + 1)
    result = TEXT.variable(k, text)
    for _ in k.when(count.get() > 0):
        size = text.length + count.get() * (new.length - old.length)
        target = call.scratch(size)
        for place in occurrences(k, find_next, old.length):
            before = place - at.get()
            k.routine(copy_bytes, text.address + at.get(), before, target + end.get())
            k.routine(copy_bytes, new.address, new.length, target + end.get() + before)
            end.set(end.get() + before + new.length)
            at.set(place + old.length)
        k.routine(copy_bytes, text.address + at.get(), text.length - at.get(), target + end.get())
        result.set(Text(k, target, size, "block"))
    return result.get()


def copy_reversed(k, source, length, target):
    """Routine: copy characters, last one first; returns the length."""
    at = k.variable(I64, 0)
    for _ in k.while_(lambda: at.get() < length):
        size = char_size(k, byte_at(k, source + at.get()))
        for number in k.range(0, size):
            k.array(I8, target + length - at.get() - size + number)[0] = k.array(I8, source + at.get() + number)[0]
        at.set(at.get() + size)
    return length


@scalar("reverse(text) -> text", doc="The characters in reverse order.", example="SELECT reverse('abcde')  -- edcba")
def reverse(call, text):
    target = call.scratch(text.length)
    call.k.routine(copy_reversed, text.address, text.length, target)
    return Text(call.k, target, text.length, "block")


@functools.lru_cache(maxsize=64)
def translation(old, new):
    """What str.translate needs; the first occurrence of a character in `old` counts."""
    table = {}
    for number, letter in enumerate(old):
        table.setdefault(ord(letter), new[number] if number < len(new) else None)
    return table


@scalar("translate(text, text, text) -> text", python=True,
        doc="Each character that is in the second text replaced by the one at its place in the third, or removed.",
        example="SELECT translate('12345', '143', 'ax')  -- a2x5")
def translate(text, old, new):
    return text.translate(translation(old, new))


@scalar("overlay(text, text, int4, int4) -> text", doc="So many characters from a position on replaced by a text.",
        example="SELECT overlay('Txxxxas' PLACING 'hom' FROM 2 FOR 4)  -- Thomas")
def overlay(call, text, new, start, length):
    return overlay_staged(call, text, new, start, call.k.convert(length, I64))


@scalar("overlay(text, text, int4) -> text", doc="As many characters from a position on as the new text has replaced by it.",
        example="SELECT overlay('abcdef' PLACING 'XY' FROM 3)  -- abXYef")
def overlay_as_long(call, text, new, start):
    return overlay_staged(call, text, new, start, call.k.routine(count_chars, new.address, new.length))


def overlay_staged(call, text, new, start, length):
    """A text with `length` characters (I64) from a position (from 1) on replaced."""
    k, zero = call.k, call.k.constant(I64, 0)
    start, stop = k.convert(start, I64), k.convert(start, I64) + length
    call.fault(start <= 0, "22011", "negative substring length not allowed")
    call.fault(k.and_(start > 0, stop > 2**31 - 1), "22003", "integer out of range")
    first = k.routine(skip_chars, text.address, text.length, k.greatest(start - 1, zero))
    second = k.routine(skip_chars, text.address, text.length, k.greatest(stop - 1, zero))
    return joined(call, slice_of(k, text, zero, first), new, slice_of(k, text, second, text.length - second))


def overlaid(data, new, start, length):
    """Bytes with a stretch replaced."""
    if start <= 0:
        raise error("22011", "negative substring length not allowed")
    if start + length > 2**31 - 1:
        raise error("22003", "integer out of range")
    return data[:start - 1] + new + data[max(start + length - 1, 0):]


@scalar("ascii(text) -> int4", doc="The code point of the first character; 0 for an empty text.",
        example="SELECT ascii('x')  -- 120")
def code_of(call, text):
    k = call.k
    code, _ = decode_char(k, text.address)
    return k.convert(k.choose(text.length > 0, code, k.constant(I64, 0)), I32)


@scalar("chr(int4) -> text", python=True, doc="The character with a code point.", example="SELECT chr(65)  -- A")
def char_of(code):
    if code < 0:
        raise error("22023", "character number must be positive")
    if code == 0:
        raise error("54000", "null character not permitted")
    if code > 0x10FFFF:
        raise error("54000", f"requested character too large for encoding: {code}")
    if 0xD800 <= code <= 0xDFFF:
        raise error("54000", f"requested character not valid for encoding: {code}")
    return chr(code)
