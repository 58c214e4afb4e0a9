"""Character types: text, varchar(n), char(n) (bpchar), and the catalog's name, "char" and unknown (an untyped literal).

The order is that of code points (C.UTF-8), which is the order of the UTF-8 bytes. A char(n) datum is padded with spaces to
n characters; they count neither in comparisons nor when it is converted to text.
"""
from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.kernel.interface import I8, I64
from caldera.kernel.text import Text as StagedText
from caldera.types.registry import TYPMOD_OFFSET, SqlType, register, utf8

LENGTH_MAX = 10485760
NAME_BYTES = 63
SPACE = ord(" ")


class Text(SqlType):
    """Text of any length."""
    equal_is_same = True
    name = sql_name = "text"
    oid, array_oid = 25, 1009
    category, preferred = "S", True
    layout = layouts.TEXT
    python_type = str

    def parse(self, text, modifier=None, session=None):
        if "\0" in text:
            raise error("22021", 'invalid byte sequence for encoding "UTF8": 0x00')
        return self.apply_modifier(text, modifier)

    def format(self, datum, session=None):
        return datum

    def sort_key(self, datum):
        return utf8(datum)

    def from_python(self, thing):
        return self.parse(thing if isinstance(thing, str) else str(thing))

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.string()


class LimitedText(Text):
    """Text of at most n characters; `base_name` is what the type is called before the (n)."""
    preferred = False
    base_name = ""

    def spell(self, modifier=None):
        return self.sql_name if modifier is None else f"{self.base_name}({modifier[0]})"

    def typmod_of(self, modifier):
        return -1 if modifier is None else modifier[0] + TYPMOD_OFFSET

    def modifier_of(self, typmod):
        return (typmod - TYPMOD_OFFSET,) if typmod > TYPMOD_OFFSET else None

    def encode_modifier(self, numbers, position=None):
        if len(numbers) != 1:
            raise error("22023", "invalid type modifier", position=position)
        type_name = "char" if self.name == "bpchar" else self.name
        if numbers[0] < 1:
            raise error("22023", f"length for type {type_name} must be at least 1", position=position)
        if numbers[0] > LENGTH_MAX:
            raise error("22023", f"length for type {type_name} cannot exceed {LENGTH_MAX}", position=position)
        return (numbers[0],)

    def apply_modifier(self, datum, modifier, explicit=False):
        """Cut to n characters. Unless the cast was explicit, only spaces may be lost: else 22001."""
        if modifier is None or len(datum) <= modifier[0]:
            return datum
        if not explicit and datum[modifier[0]:].strip(" "):
            raise error("22001", f"value too long for type {self.spell(modifier)}")
        return datum[:modifier[0]]


class Varchar(LimitedText):
    """varchar(n), or varchar without limit."""
    name, sql_name, base_name = "varchar", "character varying", "character varying"
    oid, array_oid = 1043, 1015


class Bpchar(LimitedText):
    """char(n): blank-padded."""
    name, sql_name, base_name = "bpchar", "character", "character"
    equal_is_same = False
    oid, array_oid = 1042, 1014

    def apply_modifier(self, datum, modifier, explicit=False):
        datum = super().apply_modifier(datum, modifier, explicit)
        return datum if modifier is None else datum.ljust(modifier[0])

    def sort_key(self, datum):
        return super().sort_key(datum.rstrip(" "))

    def equal(self, k, a, b):
        return super().equal(k, without_padding(k, a), without_padding(k, b))

    def less(self, k, a, b):
        return super().less(k, without_padding(k, a), without_padding(k, b))

    def hash(self, k, a):
        return super().hash(k, without_padding(k, a))

    def key(self, k, a):
        return super().key(k, without_padding(k, a))


def without_padding(k, text):
    """A staged text without the spaces at its end."""
    return StagedText(k, text.address, k.routine(length_without_padding, text.address, text.length), text.lifetime)


def length_without_padding(k, address, length):
    """Routine: the length of some bytes without the spaces at their end."""
    text, rest, zero = k.array(I8, address), k.variable(I64, length), k.constant(I64, 0)
    for _ in k.while_(lambda: k.and_(rest.get() > 0, text[k.greatest(rest.get() - 1, zero)] == SPACE)):
        rest.set(rest.get() - 1)
    return rest.get()


class Name(Text):
    """An identifier: cut to 63 bytes."""
    name = sql_name = "name"
    oid, array_oid, length = 19, 1003, 64
    preferred = False

    def apply_modifier(self, datum, modifier, explicit=False):
        data = datum.encode()
        return datum if len(data) <= NAME_BYTES else data[:NAME_BYTES].decode(errors="ignore")


class Char(Text):
    """"char": one byte, used by the catalog. Bytes from 128 on are written in octal."""
    name, sql_name = "char", '"char"'
    oid, array_oid, length = 18, 1002, 1
    category, preferred = "Z", False

    def apply_modifier(self, datum, modifier, explicit=False):
        if len(datum) == 4 and datum[0] == "\\" and all("0" <= digit <= "7" for digit in datum[1:]):
            byte = int(datum[1:], 8) & 255
        else:
            byte = next(iter(datum.encode()), 0)
        return "" if byte == 0 else chr(byte) if byte < 128 else f"\\{byte:03o}"


class Unknown(Text):
    """The type of a literal in quotes before anything has told what it is meant to be."""
    name = sql_name = "unknown"
    oid, array_oid, length = 705, 0, -2
    category, preferred = "X", False


TEXT, VARCHAR, BPCHAR = register(Text()), register(Varchar()), register(Bpchar())
NAME, CHAR, UNKNOWN = register(Name()), register(Char()), register(Unknown())
