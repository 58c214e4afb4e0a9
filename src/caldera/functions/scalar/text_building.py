"""Making texts out of texts: concatenation, padding, repetition, replacement, single characters."""
import functools

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.kernel.interface import I32, I64
from caldera.kernel.text import Text, copy_bytes
from caldera.kernel.utf8 import decode_char

BYTES_MAX = 0x3FFFFFFF - 4          # of one value in PostgreSQL
TOO_LONG = "54000", "requested length too large"


def joined(call, first, second):
    """One text behind the other."""
    k = call.k
    target = call.scratch(first.length + second.length)
    k.routine(copy_bytes, first.address, first.length, target)
    k.routine(copy_bytes, second.address, second.length, target + first.length)
    return Text(k, target, first.length + second.length, "block")


@scalar("textcat(text, text) -> text", operator="||", doc="The two texts in a row.", example="SELECT 'Post' || 'greSQL'  -- PostgreSQL")
def textcat(call, first, second):
    return joined(call, first, second)


@scalar("byteacat(bytea, bytea) -> bytea", operator="||", doc="The two values in a row.",
        example=r"SELECT '\x01'::bytea || '\x02'::bytea  -- \x0102")
def byteacat(call, first, second):
    return joined(call, first, second)


def as_cast_to_text(type, datum, session):
    """A datum as the cast to text gives it: bool is spelt out, char(n) loses its padding."""
    if type.name == "bool":
        return "true" if datum else "false"
    return datum.rstrip(" ") if type.name == "bpchar" else type.format(datum, session)


@scalar("textanycat(text, anynonarray) -> text", operator="||", python=True, wants_session=True, wants_types=True, volatility="s",
        doc="The text, then the value as text.", example="SELECT 'Value: ' || 42  -- Value: 42")
def textanycat(session, types, first, second):
    return first + as_cast_to_text(types[1], second, session)


@scalar("anytextcat(anynonarray, text) -> text", operator="||", python=True, wants_session=True, wants_types=True, volatility="s",
        doc="The value as text, then the text.", example="SELECT 42 || '!'  -- 42!")
def anytextcat(session, types, first, second):
    return as_cast_to_text(types[0], first, session) + second


@scalar("concat(any) -> text", python=True, strict=False, variadic=True, wants_session=True, wants_types=True, volatility="s",
        doc="The values as text in a row; NULLs are left out.", example="SELECT concat('abcde', 2, NULL, 22)  -- abcde222")
def concat(session, types, *values):
    return "".join(type.format(value, session) for type, value in zip(types, values) if value is not None)


@scalar("concat_ws(text, any) -> text", python=True, strict=False, variadic=True, wants_session=True, wants_types=True, volatility="s",
        doc="The values as text with a separator between them; NULLs are left out.",
        example="SELECT concat_ws(',', 'abcde', 2, NULL, 22)  -- abcde,2,22")
def concat_ws(session, types, separator, *values):
    if separator is None:
        return None
    return separator.join(type.format(value, session) for type, value in zip(types[1:], values) if value is not None)


def padding(text, length, fill):
    """(the text cut to `length` characters, the padding that makes it so long)."""
    if fill and max(length, 0) * 4 > BYTES_MAX:
        raise error(*TOO_LONG)
    text = text[:max(length, 0)]
    missing = length - len(text)
    return text, (fill * (missing // len(fill) + 1))[:missing] if missing > 0 and fill else ""


@scalar("lpad(text, int4, text) -> text", python=True, doc="The text filled up on the left, or cut, to so many characters.",
        example="SELECT lpad('hi', 5, 'xy')  -- xyxhi")
def lpad(text, length, fill):
    text, before = padding(text, length, fill)
    return before + text


@scalar("lpad(text, int4) -> text", python=True, doc="The text filled up with spaces on the left, or cut, to so many characters.",
        example="SELECT lpad('hi', 3)  --  hi")
def lpad_spaces(text, length):
    return lpad(text, length, " ")


@scalar("rpad(text, int4, text) -> text", python=True, doc="The text filled up on the right, or cut, to so many characters.",
        example="SELECT rpad('hi', 5, 'xy')  -- hixyx")
def rpad(text, length, fill):
    text, behind = padding(text, length, fill)
    return text + behind


@scalar("rpad(text, int4) -> text", python=True, doc="The text filled up with spaces on the right, or cut, to so many characters.",
        example="SELECT rpad('hi', 3) || '!'  -- hi !")
def rpad_spaces(text, length):
    return rpad(text, length, " ")


@scalar("repeat(text, int4) -> text", python=True, doc="The text so many times.", example="SELECT repeat('Pg', 4)  -- PgPgPgPg")
def repeat(text, count):
    if len(text.encode()) * max(count, 0) > BYTES_MAX:
        raise error(*TOO_LONG)
    return text * count


@scalar("replace(text, text, text) -> text", python=True, doc="The text with every occurrence of the second replaced by the third.",
        example="SELECT replace('abcdefabcdef', 'cd', 'XX')  -- abXXefabXXef")
def replace(text, old, new):
    return text.replace(old, new) if old else text


@scalar("reverse(text) -> text", python=True, doc="The characters in reverse order.", example="SELECT reverse('abcde')  -- edcba")
def reverse(text):
    return text[::-1]


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


@scalar("overlay(text, text, int4, int4) -> text", python=True, doc="So many characters from a position on replaced by a text.",
        example="SELECT overlay('Txxxxas' PLACING 'hom' FROM 2 FOR 4)  -- Thomas")
def overlay(text, new, start, length):
    return overlaid(text, new, start, length)


@scalar("overlay(text, text, int4) -> text", python=True, doc="As many characters from a position on as the new text has replaced by it.",
        example="SELECT overlay('abcdef' PLACING 'XY' FROM 3)  -- abXYef")
def overlay_as_long(text, new, start):
    return overlaid(text, new, start, len(new))


def overlaid(text, new, start, length):
    """Text or bytes with a stretch replaced."""
    if start <= 0:
        raise error("22011", "negative substring length not allowed")
    if start + length > 2**31 - 1:
        raise error("22003", "integer out of range")
    return text[:start - 1] + new + text[max(start + length - 1, 0):]


@scalar("split_part(text, text, int4) -> text", python=True,
        doc="The n-th field of a text with a delimiter; from the end if n is negative.",
        example="SELECT split_part('abc~@~def~@~ghi', '~@~', 2)  -- def")
def split_part(text, delimiter, number):
    if number == 0:
        raise error("22023", "field position must not be zero")
    fields = text.split(delimiter) if delimiter and text else [text]
    number = number - 1 if number > 0 else len(fields) + number
    return fields[number] if 0 <= number < len(fields) else ""


@scalar("ascii(text) -> int4", doc="The code point of the first character; 0 for an empty text.", example="SELECT ascii('x')  -- 120")
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
