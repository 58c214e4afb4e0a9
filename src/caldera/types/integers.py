"""int2, int4, int8, and oid: whole numbers of fixed width."""
import re
from decimal import ROUND_HALF_UP, Decimal

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.types.registry import SqlType, register

SPACE = " \t\n\v\f\r"
INTEGER = re.compile(r"([+-]?)(?:0[xX]((?:_?[0-9a-fA-F])+)|0[oO]((?:_?[0-7])+)|0[bB]((?:_?[01])+)|([0-9](?:_?[0-9])*))")
BASES = (16, 8, 2, 10)


def read_integer(text):
    """(value, base, whether all of the text was read) of an integer with sign, base prefix and underscores, or None."""
    stripped = text.strip(SPACE)
    found = INTEGER.match(stripped)
    if not found:
        return None
    digits, base = next((digits, base) for digits, base in zip(found.groups()[1:], BASES) if digits)
    value = int(digits.replace("_", ""), base) if len(digits) < 4000 else 10 ** 4000
    return -value if found[1] == "-" else value, base, found.end() == len(stripped)


class Integer(SqlType):
    """A signed integer of `length` bytes."""
    equal_is_same = True
    category = "N"
    python_type: type = int

    def __init__(self, name, sql_name, oid, array_oid, length, layout):
        self.name, self.sql_name, self.oid, self.array_oid = name, sql_name, oid, array_oid
        self.length, self.layout = length, layout
        self.minimum, self.maximum = -2 ** (8 * length - 1), 2 ** (8 * length - 1) - 1

    def parse(self, text, modifier=None, session=None):
        read = read_integer(text)
        if read:
            value, base, is_whole = read
            if is_whole and self.minimum <= value <= self.maximum:
                return value
            if is_whole or abs(value) // base > (self.maximum + 1) // base:    # too many digits before what is wrong
                raise error("22003", f'value "{text}" is out of range for type {self.sql_name}')
        raise error("22P02", f'invalid input syntax for type {self.sql_name}: "{text}"')

    def from_python(self, thing):
        if isinstance(thing, str):
            return self.parse(thing)
        value = int(thing.quantize(Decimal(1), ROUND_HALF_UP)) if isinstance(thing, Decimal) else int(thing)
        if not self.minimum <= value <= self.maximum:
            raise error("22003", f"{self.sql_name} out of range")
        return value

    def arrow_type(self, modifier=None):
        import pyarrow
        return {2: pyarrow.int16, 4: pyarrow.int32, 8: pyarrow.int64}[self.length]()


class Oid(Integer):
    """An unsigned integer of 32 bits that names a row of the catalog. In memory it takes 64, so that it compares as signed
    numbers do."""
    preferred = True

    def __init__(self, name, oid, array_oid, preferred):
        super().__init__(name, name, oid, array_oid, 4, layouts.INT8)
        self.preferred = preferred
        self.minimum, self.maximum = 0, 2**32 - 1

    def parse(self, text, modifier=None, session=None):
        stripped = text.strip(SPACE)
        found = re.fullmatch(r"([+-]?)(0[xX][0-9a-fA-F]+|[0-9]+)", stripped)
        is_octal = found and re.fullmatch(r"0[0-7]+", found[2])
        if not found or found[2][0] == "0" and len(found[2]) > 1 and found[2][1] not in "xX" and not is_octal:
            raise error("22P02", f'invalid input syntax for type {self.sql_name}: "{text}"')
        value = int(found[2], 8 if is_octal else 16 if found[2][:2] in ("0x", "0X") else 10)
        if found[1] == "-" and value <= 2**31:
            return -value % 2**32
        if found[1] == "-" or value > self.maximum:
            raise error("22003", f'value "{text}" is out of range for type {self.sql_name}')
        return value

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.uint32()


INT2 = register(Integer("int2", "smallint", 21, 1005, 2, layouts.INT2))
INT4 = register(Integer("int4", "integer", 23, 1007, 4, layouts.INT4))
INT8 = register(Integer("int8", "bigint", 20, 1016, 8, layouts.INT8))
OID = register(Oid("oid", 26, 1028, preferred=True))
