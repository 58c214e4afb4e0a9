"""Bounds of ranges as bytes: in the order of the values, no one of which another begins with.

    bound_form(subtype) ─▶ BoundForm(write, read, shown)

What the bytes cannot tell stands at the end of a range's image (`shown`), where comparisons do not look: of numerics how
many decimals they show; of the values of most other types the values themselves, as the bytes are only of what Python
sorts them by (`key_bytes`).
"""
import struct
from collections.abc import Callable
from decimal import Decimal
from functools import singledispatch
from types import NoneType
from typing import NamedTuple
from uuid import UUID

from caldera.kernel import layouts
from caldera.types.registry import SIGN, base_of

EXPONENT_OFFSET = 1 << 31
NEGATIVE_INFINITY, NEGATIVE, ZERO, POSITIVE, POSITIVE_INFINITY, NOT_A_NUMBER = range(6)
INVERTED = bytes(255 - byte for byte in range(256))
END, NUL = b"\0\0", b"\0\xff"           # behind the bytes of a text, and what stands for a zero byte in it
INTEGERS = ("INT2", "INT4", "INT8")
NOTHING, DECIMALS, VALUES = "nothing", "decimals", "values"


class BoundForm(NamedTuple):
    """write: from a value to bytes. read: (image, at) -> (value, the place behind it). shown: what stands at the end of an
    image; with VALUES, `read` gives None for all of them."""
    write: Callable
    read: Callable
    shown: str = NOTHING


def bound_form(subtype):
    """The BoundForm of the values of a type."""
    type = base_of(subtype)
    if type.layout.name in INTEGERS:
        return BoundForm(integer_bytes, integer_at)
    if type.layout is layouts.NUMERIC:
        return BoundForm(numeric_bytes, numeric_at, DECIMALS)
    if type.layout is layouts.TEXT and type.bytes_are_ordered and type.equal_is_same:
        return BoundForm(lambda value: text_bytes(type.to_bytes(value)), lambda image, at: text_at(type, image, at))
    return BoundForm(lambda value: text_bytes(key_bytes(type.sort_key(value))),
                     lambda image, at: (None, end_of_text(image, at)), VALUES)


# ------------------------------------------------------------------------------------------------ integers, texts

def integer_bytes(value):
    """An integer, date or moment: eight bytes."""
    return struct.pack(">Q", value - SIGN)


def integer_at(image, at):
    """(the integer that begins at a place, the place behind it)."""
    return struct.unpack_from(">Q", image, at)[0] + SIGN, at + 8


def text_bytes(data):
    """Bytes of any length."""
    return data.replace(b"\0", NUL) + END


def text_at(type, image, at):
    """The same of a value of a type whose bytes they are."""
    end = end_of_text(image, at)
    return type.from_bytes(bytes(image[at:end - len(END)]).replace(NUL, b"\0")), end


def end_of_text(image, at):
    """The place behind what `text_bytes` made."""
    while True:
        at = image.index(b"\0", at)
        if image[at + 1] == 0:
            return at + len(END)
        at += len(NUL)


# ------------------------------------------------------------------------------------------------ numerics

def numeric_bytes(value):
    """A numeric: its sign, and unless that says all, the place of its first digit and its digits."""
    if value.is_nan():
        return bytes([NOT_A_NUMBER])
    if value.is_infinite():
        return bytes([POSITIVE_INFINITY if value > 0 else NEGATIVE_INFINITY])
    if not value:
        return bytes([ZERO])
    digits = "".join(map(str, value.as_tuple().digits)).lstrip("0").rstrip("0")
    size = struct.pack(">I", value.adjusted() + EXPONENT_OFFSET) + digits.encode() + b"\0"
    return bytes([POSITIVE]) + size if value > 0 else bytes([NEGATIVE]) + size.translate(INVERTED)


def numeric_at(image, at):
    """(the numeric that begins at a place, as yet without trailing zeros; the place behind it)."""
    sign = image[at]
    if sign not in (NEGATIVE, POSITIVE):
        return {NEGATIVE_INFINITY: Decimal("-Infinity"), ZERO: Decimal(0), POSITIVE_INFINITY: Decimal("Infinity"),
                NOT_A_NUMBER: Decimal("NaN")}[sign], at + 1
    end = image.index(b"\xff" if sign == NEGATIVE else b"\0", at + 5)
    size = image[at + 1:end].translate(INVERTED) if sign == NEGATIVE else image[at + 1:end]
    exponent, digits = struct.unpack_from(">I", size)[0] - EXPONENT_OFFSET, tuple(digit - ord("0") for digit in size[4:])
    return Decimal((int(sign == NEGATIVE), digits, exponent - len(digits) + 1)), end + 1


def decimals(value):
    """How many decimals a numeric shows."""
    return max(-value.as_tuple().exponent, 0) if value.is_finite() else 0


def with_decimals(value, count):
    """A numeric that shows so many."""
    if not value.is_finite():
        return value
    sign, digits, exponent = value.as_tuple()
    number = int("".join(map(str, digits))) * 10 ** (exponent + count)
    return Decimal((sign, tuple(map(int, str(number))), -count))


# ------------------------------------------------------------------------------------------------ keys of any type

@singledispatch
def key_bytes(key):
    """The bytes of what `SqlType.sort_key` gives: texts, numbers, UUIDs, None, and tuples of them."""
    raise TypeError(f"no bytes for {key!r}")


@key_bytes.register(tuple)
@key_bytes.register(list)
def tuple_bytes(key):
    """Its parts, each behind a 1, then a 0."""
    return b"".join(b"\1" + key_bytes(part) for part in key) + b"\0"


@key_bytes.register
def float_bytes(key: float):
    """A float; -0 is 0."""
    bits, = struct.unpack(">q", struct.pack(">d", key or 0.0))
    return struct.pack(">Q", (~bits if bits < 0 else bits | SIGN) & (1 << 64) - 1)


key_bytes.register(bytes, text_bytes)
key_bytes.register(str, lambda key: text_bytes(key.encode()))
key_bytes.register(bool, lambda key: bytes([key]))
key_bytes.register(int, lambda key: numeric_bytes(Decimal(key)))
key_bytes.register(Decimal, numeric_bytes)
key_bytes.register(UUID, lambda key: key.bytes)
key_bytes.register(NoneType, lambda key: b"")
