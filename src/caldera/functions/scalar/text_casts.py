"""Casts among the character types, by functions: those that change the bytes, and those that fit a text to its length."""
from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.kernel.interface import I64
from caldera.kernel.text import Text, copy_bytes
from caldera.kernel.utf8 import count_chars, skip_chars
from caldera.types.registry import lookup
from caldera.types.text import length_without_padding

NAME_BYTES_MAX = 63


@scalar("text(bpchar) -> text", cast="implicit", doc="The text without the spaces at its end.",
        example="SELECT text('a'::char(3)) || '|'  -- a|")
def text_of_bpchar(call, text):
    return Text(call.k, text.address, call.k.routine(length_without_padding, text.address, text.length), text.lifetime)


@scalar("varchar(bpchar) -> varchar", cast="implicit", doc="The text without the spaces at its end.",
        example="SELECT 'a'::char(3)::varchar || '|'  -- a|")
def varchar_of_bpchar(call, text):
    return text_of_bpchar(call, text)


def cut(call, text, strict):
    """A text cut to the characters that its type allows. `strict`: only spaces may be lost."""
    k, limit = call.k, call.result_modifier
    if limit is None:
        return text
    size = k.routine(skip_chars, text.address, text.length, k.constant(I64, limit[0]))
    if strict:
        needed = k.routine(length_without_padding, text.address, text.length)
        call.fault(needed > size, "22001", f"value too long for type {call.result.spell(limit)}")
    return Text(k, text.address, size, text.lifetime)


def padded(call, text):
    """A text filled up with spaces to the characters that its type has."""
    k, limit = call.k, call.result_modifier
    if limit is None:
        return text
    missing = k.greatest(k.constant(I64, limit[0]) - k.routine(count_chars, text.address, text.length), k.constant(I64, 0))
    target = call.scratch(text.length + missing + 8)
    k.routine(copy_bytes, text.address, text.length, target)
    for at in k.range(0, missing, step=8):
        k.array(I64, target + text.length + at, alignment=1)[0] = int.from_bytes(b" " * 8, "little")
    return Text(k, target, text.length + missing, "block")


@scalar("varchar(varchar) -> varchar", cast="implicit", doc="The text cut to the length of its type.",
        example="SELECT 'abc'::varchar(2)  -- ab")
def fit_varchar(call, text):
    return cut(call, text, strict=False)


@scalar("assign_varchar(varchar) -> varchar", doc="The text, which must fit the length of its type but for spaces.",
        example="SELECT 'ab'::varchar(2)  -- ab")
def assign_varchar(call, text):
    return cut(call, text, strict=True)


@scalar("bpchar(bpchar) -> bpchar", cast="implicit", doc="The text cut or filled up to the length of its type.",
        example="SELECT 'abc'::char(2)  -- ab")
def fit_bpchar(call, text):
    return padded(call, cut(call, text, strict=False))


@scalar("assign_bpchar(bpchar) -> bpchar",
        doc="The text, which must fit the length of its type but for spaces, filled up to it.",
        example="SELECT octet_length('a'::char(2))  -- 2")
def assign_bpchar(call, text):
    return padded(call, cut(call, text, strict=True))


@scalar("text(name) -> text", "varchar(name) -> varchar", "bpchar(name) -> bpchar", python=True, cast="implicit",
        doc="An identifier as text.", example="SELECT 'abc'::name::text  -- abc")
def text_of_name(text):
    return text


@scalar("name(text) -> name", "name(varchar) -> name", python=True, cast="implicit",
        doc="The text as an identifier: its first 63 bytes.", example="SELECT 'abc'::text::name  -- abc")
def name_of_text(text):
    return text.encode()[:NAME_BYTES_MAX].decode(errors="ignore")


@scalar("name(bpchar) -> name", python=True, cast="implicit", doc="The text without the spaces at its end as an identifier.",
        example="SELECT 'abc'::char(5)::name  -- abc")
def name_of_bpchar(text):
    return name_of_text(text.rstrip(" "))


@scalar("text(char) -> text", "varchar(char) -> varchar", "bpchar(char) -> bpchar", python=True, cast="implicit",
        doc="A \"char\" as text.", example="SELECT 'a'::\"char\"::text  -- a")
def text_of_char(text):
    return text


@scalar("char(text) -> char", "char(varchar) -> char", "char(bpchar) -> char", python=True, cast="assignment",
        doc="The first byte of a text.", example="SELECT 'abc'::text::\"char\"  -- a")
def char_of_text(text):
    return lookup("char").apply_modifier(text, None)


@scalar("char(int4) -> char", python=True, cast="explicit", doc="The byte with a number.",
        example="SELECT 97::\"char\"  -- a")
def char_of_int4(number):
    if not -128 <= number <= 127:
        raise error("22003", '"char" out of range')
    return "" if number == 0 else chr(number) if number > 0 else f"\\{number & 255:03o}"


@scalar("int4(char) -> int4", python=True, cast="explicit", doc="The number of a byte.",
        example="SELECT 'a'::\"char\"::int4  -- 97")
def int4_of_char(text):
    if len(text) == 4:
        return int(text[1:], 8) - 256
    return ord(text) if text else 0
