"""How long a text is: in characters, bytes and bits. char(n) does not count the spaces at its end, except in bytes."""
from caldera.functions.registry import scalar
from caldera.kernel.interface import I32
from caldera.kernel.utf8 import count_chars
from caldera.types.text import length_without_padding

LENGTHS = "length", "char_length", "character_length"


@scalar(*(f"{name}(text) -> int4" for name in LENGTHS), "textlen(text) -> int4", doc="Characters in a text.",
        example="SELECT length('né')  -- 2")
def length_text(call, text):
    k = call.k
    return k.convert(k.routine(count_chars, text.address, text.length), I32)


@scalar(*(f"{name}(bpchar) -> int4" for name in LENGTHS), doc="Characters in a char(n), spaces at its end not counted.",
        example="SELECT length('ab'::char(5))  -- 2")
def length_bpchar(call, text):
    k = call.k
    size = k.routine(length_without_padding, text.address, text.length)
    return k.convert(k.routine(count_chars, text.address, size), I32)


@scalar("length(bytea) -> int4", "octet_length(bytea) -> int4", "octet_length(text) -> int4", "octet_length(bpchar) -> int4",
        cheap=True, doc="Bytes in a text or a bytea.", example="SELECT octet_length('né')  -- 3")
def octet_length(call, text):
    return call.k.convert(text.length, I32)


@scalar("bit_length(text) -> int4", "bit_length(bytea) -> int4", cheap=True, doc="Bits in a text or a bytea.",
        example="SELECT bit_length('né')  -- 24")
def bit_length(call, text):
    return call.k.convert(text.length << 3, I32)
