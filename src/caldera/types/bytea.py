"""bytea: strings of bytes. Read in hexadecimal (\\xDEADBEEF) or with escapes (a\\000b); written as bytea_output says."""
import re

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.types.registry import SqlType, register
from caldera.types.session import setting

ESCAPED = re.compile(rb"\\\\|\\[0-3][0-7][0-7]|[^\\]")
SPACE = b" \n\t\r"


def read_hexadecimal(digits):
    """The bytes of pairs of digits, with white space between pairs."""
    if digits.isalnum() and digits.isascii():
        try:
            return bytes.fromhex(digits.decode())
        except ValueError:
            pass                    # look for what is wrong
    position, result = 0, bytearray()
    while position < len(digits):
        if digits[position] in SPACE:
            position += 1
            continue
        high = hexadecimal_digit(digits, position)
        if position + 1 == len(digits):
            raise error("22023", "invalid hexadecimal data: odd number of digits")
        result.append(high << 4 | hexadecimal_digit(digits, position + 1))
        position += 2
    return bytes(result)


def hexadecimal_digit(data, position):
    """The value of the digit at a position."""
    value = b"0123456789abcdef".find(data[position:position + 1].lower())
    if value < 0:
        character = data[position:].decode()[0]
        raise error("22023", f'invalid hexadecimal digit: "{character}"')
    return value


class Bytea(SqlType):
    """Bytes, in the order of their unsigned values."""
    equal_is_same = True
    name = sql_name = "bytea"
    oid, array_oid = 17, 1001
    layout = layouts.TEXT
    python_type = bytes

    def parse(self, text, modifier=None, session=None):
        data = text.encode()
        if data.startswith(b"\\x"):
            return read_hexadecimal(data[2:])
        if b"\\" not in data:
            return data
        result, position = bytearray(), 0
        while position < len(data):
            found = ESCAPED.match(data, position)
            if not found:
                raise error("22P02", "invalid input syntax for type bytea")
            part, position = found[0], found.end()
            result.append(int(part[1:], 8) if len(part) == 4 else part[-1])
        return bytes(result)

    def format(self, datum, session=None):
        if setting(session, "bytea_output").lower() == "hex":
            return "\\x" + datum.hex()
        return "".join("\\\\" if byte == 92 else chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}" for byte in datum)

    def to_bytes(self, datum):
        return bytes(datum)

    def from_bytes(self, data):
        return bytes(data)

    def sort_key(self, datum):
        return datum

    def from_python(self, thing):
        return self.parse(thing) if isinstance(thing, str) else bytes(thing)

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.binary()


BYTEA = register(Bytea())
