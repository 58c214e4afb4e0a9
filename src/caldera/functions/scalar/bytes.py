"""Functions on bytea: single bytes and bits, stretches, checksums, and the conversions to and from integers."""
import binascii
import hashlib

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar.text_building import overlaid
from caldera.types.registry import lookup

CRC32C_POLYNOMIAL = 0x82F63B78      # reflected


def check_index(index, count):
    """Raise 2202E for an index outside of `count` elements."""
    if not 0 <= index < count:
        raise error("2202E", f"index {index} out of valid range, 0..{count - 1}")


@scalar("get_byte(bytea, int4) -> int4", python=True, doc="The n-th byte, from 0.",
        example=r"SELECT get_byte('\x1234567890'::bytea, 4)  -- 144")
def get_byte(data, index):
    check_index(index, len(data))
    return data[index]


@scalar("set_byte(bytea, int4, int4) -> bytea", python=True, doc="The bytes with the n-th, from 0, replaced.",
        example=r"SELECT set_byte('\x1234567890'::bytea, 4, 64)  -- \x1234567840")
def set_byte(data, index, value):
    check_index(index, len(data))
    return data[:index] + bytes([value & 255]) + data[index + 1:]


@scalar("get_bit(bytea, int8) -> int4", python=True, doc="The n-th bit, from 0, lowest bit of each byte first.",
        example=r"SELECT get_bit('\x1234567890'::bytea, 30)  -- 1")
def get_bit(data, index):
    check_index(index, len(data) * 8)
    return data[index >> 3] >> (index & 7) & 1


@scalar("set_bit(bytea, int8, int4) -> bytea", python=True, doc="The bytes with the n-th bit, from 0, set to 0 or 1.",
        example=r"SELECT set_bit('\x1234567890'::bytea, 30, 0)  -- \x1234563890")
def set_bit(data, index, value):
    check_index(index, len(data) * 8)
    if value not in (0, 1):
        raise error("22023", "new bit must be 0 or 1")
    changed = bytearray(data)
    changed[index >> 3] = changed[index >> 3] & ~(1 << (index & 7)) | value << (index & 7)
    return bytes(changed)


@scalar("bit_count(bytea) -> int8", python=True, doc="How many bits are set.",
        example=r"SELECT bit_count('\x1234567890'::bytea)  -- 15")
def bit_count(data):
    return int.from_bytes(data, "big").bit_count()


@scalar("reverse(bytea) -> bytea", python=True, doc="The bytes in reverse order.",
        example=r"SELECT reverse('\xabcd'::bytea)  -- \xcdab")
def reverse(data):
    return data[::-1]


@scalar("overlay(bytea, bytea, int4, int4) -> bytea", python=True, doc="So many bytes from a position on replaced.",
        example=r"SELECT overlay('\x1234567890'::bytea PLACING '\002\003'::bytea FROM 2 FOR 3)  -- \x12020390")
def overlay(data, new, start, length):
    return overlaid(data, new, start, length)


@scalar("overlay(bytea, bytea, int4) -> bytea", python=True,
        doc="As many bytes from a position on as the new ones replaced.",
        example=r"SELECT overlay('\x1234567890'::bytea PLACING '\002\003'::bytea FROM 2)  -- \x1202037890")
def overlay_as_long(data, new, start):
    return overlaid(data, new, start, len(new))


@scalar("btrim(bytea, bytea) -> bytea", python=True, doc="The bytes without those of a set at the ends.",
        example=r"SELECT btrim('\x1234567890'::bytea, '\x9012'::bytea)  -- \x345678")
def btrim(data, members):
    return data.strip(members) if members else data


@scalar("ltrim(bytea, bytea) -> bytea", python=True, doc="The bytes without those of a set at the start.",
        example=r"SELECT ltrim('\x1234567890'::bytea, '\x9012'::bytea)  -- \x34567890")
def ltrim(data, members):
    return data.lstrip(members) if members else data


@scalar("rtrim(bytea, bytea) -> bytea", python=True, doc="The bytes without those of a set at the end.",
        example=r"SELECT rtrim('\x1234567890'::bytea, '\x9012'::bytea)  -- \x12345678")
def rtrim(data, members):
    return data.rstrip(members) if members else data


# ------------------------------------------------------------------------------------------------ hashes and checksums

@scalar("md5(text) -> text", python=True, doc="The MD5 hash in hexadecimal digits.",
        example="SELECT md5('abc')  -- 900150983cd24fb0d6963f7d28e17f72")
def md5(text):
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


@scalar("md5(bytea) -> text", python=True, doc="The MD5 hash in hexadecimal digits.",
        example=r"SELECT md5('\x616263'::bytea)  -- 900150983cd24fb0d6963f7d28e17f72")
def md5_bytes(data):
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


def register_hash(name):
    """One of the SHA-2 functions."""
    @scalar(f"{name}(bytea) -> bytea", python=True, doc=f"The {name.upper()} hash.",
            example=f"SELECT {name}('abc'::bytea)  -- \\x{getattr(hashlib, name)(b'abc').hexdigest()}")
    def hash(data):
        return getattr(hashlib, name)(data).digest()


for name in ("sha224", "sha256", "sha384", "sha512"):
    register_hash(name)


@scalar("crc32(bytea) -> int8", python=True, doc="The CRC-32 checksum.", example="SELECT crc32('abc'::bytea)  -- 891568578")
def crc32(data):
    return binascii.crc32(data)


def crc32c_table():
    """For each byte its effect on the CRC-32C (Castagnoli, 1993)."""
    table = []
    for number in range(256):
        for _ in range(8):
            number = number >> 1 ^ (CRC32C_POLYNOMIAL if number & 1 else 0)
        table.append(number)
    return table


CRC32C = crc32c_table()


@scalar("crc32c(bytea) -> int8", python=True, doc="The CRC-32C checksum.",
        example="SELECT crc32c('abc'::bytea)  -- 910901175")
def crc32c(data):
    state = 0xFFFFFFFF
    for byte in data:
        state = state >> 8 ^ CRC32C[(state ^ byte) & 255]
    return state ^ 0xFFFFFFFF


# ------------------------------------------------------------------------------------------------ integers

def register_integer(name, size):
    """The casts between bytea and an integer type, most significant byte first."""
    sql_name = lookup(name).sql_name

    @scalar(f"bytea({name}) -> bytea", python=True, cast="explicit", doc=f"The {size} bytes of a number, the highest first.",
            example=f"SELECT 1234::{name}::bytea  -- \\x{(1234).to_bytes(size, 'big').hex()}")
    def to_bytes(number):
        return number.to_bytes(size, "big", signed=True)

    @scalar(f"{name}(bytea) -> {name}", python=True, cast="explicit",
            doc=f"The number of up to {size} bytes, the highest first.",
            example=f"SELECT '\\x04d2'::bytea::{name}  -- 1234")
    def of_bytes(data):
        if len(data) > size:
            raise error("22003", f"{sql_name} out of range")
        return int.from_bytes(data, "big", signed=len(data) == size)


for name, size in (("int2", 2), ("int4", 4), ("int8", 8)):
    register_integer(name, size)


def register_digits(name, base, digits):
    """to_hex and its like: a number, taken without a sign, in another base."""
    for type, bits in (("int4", 32), ("int8", 64)):
        @scalar(f"{name}({type}) -> text", python=True, doc=f"The number in base {base}, negative ones as two's complement.",
                example=f"SELECT {name}(-10::{type})  -- {format(-10 & (1 << bits) - 1, digits)}")
        def to_digits(number, bits=bits):
            return format(number & (1 << bits) - 1, digits)


for name, base, digits in (("to_hex", 16, "x"), ("to_oct", 8, "o"), ("to_bin", 2, "b")):
    register_digits(name, base, digits)
