"""What a SQL type is, and the registry of all of them.

A type is one file in this folder that defines one subclass of `SqlType` for each SQL type it covers and registers an
instance. It owns every aspect of the type: OID, memory layout, text form, Python and Arrow forms, comparison, hash. Casts
are functions (caldera.functions), registered with `cast=`.

A *datum* is a value of a type as Python code outside the engine handles it (literals while binding, results, plain Python
functions). NULL is None, for every type.

    type                      datum                                     layout (caldera.kernel.layouts)
    bool                      bool                                      BOOLEAN: one byte, 0 or 1
    int2 int4 int8            int                                       INT2 INT4 INT8
    float4 float8             float                                     FLOAT4 FLOAT8
    numeric                   decimal.Decimal; its exponent is the      NUMERIC: two words
                              display scale; NaN, Infinity
    text varchar bpchar       str                                       TEXT: two words (length, prefix, rest or pointer)
    bytea                     bytes                                     TEXT
    date                      int, days since 2000-01-01                INT4; -2^31 and 2^31-1 are the infinities
    time                      int, microseconds since midnight          INT8
    timestamp timestamptz     int, microseconds since 2000-01-01 (UTC)  INT8; -2^63 and 2^63-1 are the infinities
    interval                  Interval(months, days, microseconds)      INTERVAL: two words
    uuid                      uuid.UUID                                 UUID: two words, big-endian halves
    json jsonb                str, the text of JSON; jsonb's in one form    TEXT
    int4range, ...            Range(lower, upper, lower_inc, upper_inc)     TEXT: what ranges.py says
    int4multirange, ...       a tuple of Ranges                             TEXT
    int4[], text[], ...       Array(elements, dims, lowers)             TEXT: what array_image.py says
    record                    tuple of the fields' datums               TEXT: what record_image.py says
"""
from typing import Any

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.kernel.interface import BOOL, F64, I64
from caldera.kernel.layouts import Pair
from caldera.kernel.text import Text, equal_texts, hash_text, hash_words, less_text, low_bytes, word_at

SIGN = -(1 << 63)

TYPMOD_OFFSET = 4                   # what PostgreSQL adds to the lengths of texts and to the digits of numerics


class SqlType:
    """One SQL type. Subclasses set the attributes and define the methods that only raise here.

    name: as in pg_type.typname ("int4"); sql_name: as format_type spells it ("integer").
    category and preferred: as in pg_type, for the resolution of overloads.
    layout: how a value lies in memory and what it is while staging; it may depend on the modifier (`layout_for`).
    A *modifier* is what stands in parentheses behind the type's name: (10, 2) for numeric(10, 2), (5,) for varchar(5),
    None if absent.
    """
    name = sql_name = ""
    schema_name = "pg_catalog"
    oid = array_oid = 0
    category, preferred = "U", False
    kind = "b"                      # pg_type.typtype
    base = base_modifier = None     # of a domain: the type whose values it has
    length = -1                     # pg_type.typlen
    comparable = True               # whether there are = and <
    equal_is_same = False           # whether equal values are the same: 1.0 and 1.00 are equal, and show apart
    bytes_are_ordered = True        # of the layout TEXT: whether the order of the bytes is the order of the values
    arrow_as_text = False           # whether Arrow carries the text form
    has_parts = False               # of the layout TEXT: whether values are images whose parts are read where they lie
    layout: Any = None
    python_type: type = object

    def __repr__(self):
        return self.name

    @property
    def catalog_name(self):
        """pg_type.typname."""
        return self.name

    @property
    def short_name(self):
        """What the type is called in the head of a column."""
        return self.catalog_name

    # text and Python forms
    def parse(self, text, modifier=None, session=None):
        """Text (str) to datum. Raises 22P02, 22007, 22008 or 22003 in PostgreSQL's words."""
        raise error("0A000", f"type {self.sql_name} has no text input")

    def format(self, datum, session=None):
        """Datum to PostgreSQL's text output, to the character; settings (DateStyle, TimeZone, ...) come from the session."""
        return str(datum)

    def apply_modifier(self, datum, modifier, explicit=False):
        """The datum made to fit varchar(n), numeric(p, s), ...; raises 22001 or 22003 where PostgreSQL does."""
        return datum

    def spell(self, modifier=None):
        """The type's name as format_type gives it: "numeric(10,2)"."""
        if modifier is None:
            return self.sql_name
        return f"{self.sql_name}({','.join(map(str, modifier))})"

    def encode_modifier(self, numbers, position=None):
        """The numbers written behind the name to a modifier tuple; raises 22023 for those that do not fit."""
        raise error("42601", f'type modifier is not allowed for type "{self.name}"', position=position)

    def typmod_of(self, modifier):
        """A modifier as pg_attribute.atttypmod has it; -1 for none."""
        return -1 if modifier is None else modifier[0]

    def modifier_of(self, typmod):
        """The modifier that a typmod means, or None."""
        return None

    def to_python(self, datum, session=None):
        """Datum to what a DB-API user gets: datetime.date for a date, and so on."""
        return datum

    def from_python(self, thing):
        """What a DB-API user passes as a parameter, to datum."""
        return thing

    def to_bytes(self, datum):
        """Of a type of the layout TEXT: what a datum consists of in memory. Raises 22021 for a text without UTF-8."""
        return utf8(datum)

    def from_bytes(self, data):
        """The datum that consists of these bytes."""
        return data.decode("utf-8", "replace")

    @property
    def bytes_are_text(self):
        """Whether a datum is the text of its bytes, as `from_bytes` says here."""
        return type(self).from_bytes is SqlType.from_bytes

    def sort_key(self, datum):
        """What Python sorts the type's datums by: NaN comes last."""
        return (True, 0) if datum != datum else (False, datum)

    # columns in memory: numpy arrays whose dtype is the layout's; see kernel.layouts
    def arrow_type(self, modifier=None):
        """The pyarrow type that carries this type's values."""
        raise error("0A000", f"type {self.sql_name} has no Arrow form")

    # staged: `k` is a kernel, `a` and `b` are staged values of this type's layout. Written once, they run in both kernels.
    # What stands here fits integers, floats, texts, and pairs of words that compare as unsigned numbers, high word first.
    def equal(self, k, a, b):
        """Staged BOOL: a = b by SQL's rules of the type (NaN equals NaN, 1.0 equals 1.00)."""
        if isinstance(a, Text):
            return equal_texts(k, a, b)
        if isinstance(a, Pair):
            return k.and_(a.low == b.low, a.high == b.high)
        a, b = k.as_condition(a), k.as_condition(b)
        if a.type.is_float:
            return k.or_(a == b, k.and_(a != a, b != b))
        return a == b

    def less(self, k, a, b):
        """Staged BOOL: a < b in the type's default order."""
        if isinstance(a, Text):
            return less_text(k, a, b)
        if isinstance(a, Pair):
            return k.or_(k.compare("ult", a.low, b.low), k.and_(a.low == b.low, k.compare("ult", a.high, b.high)))
        a, b = k.as_condition(a), k.as_condition(b)
        if a.type.is_float:                         # NaN is greater than everything else
            return k.or_(a < b, k.and_(b != b, a == a))
        return k.compare("ult", a, b) if a.type == BOOL else a < b

    def hash(self, k, a):
        """Staged I64; equal values have equal hashes."""
        return hash_text(k, a) if isinstance(a, Text) else hash_words(k, *self.key(k, a))

    def key(self, k, a):
        """Staged I64 words, most significant first, whose order as *signed* integers is the order of the values. Where the
        words cannot tell all values apart (text: the first 8 bytes), `key_is_exact` is False and ties need `less`."""
        if isinstance(a, Text):
            return [text_prefix(k, a)]
        if isinstance(a, Pair):
            return [a.low ^ SIGN, a.high ^ SIGN]
        a = k.as_condition(a)
        return [float_key(k, k.convert(a, F64)) if a.type.is_float else k.convert(a, I64)]

    @property
    def key_is_exact(self):
        """Whether equal keys mean equal values."""
        return self.layout is not layouts.TEXT

    @property
    def key_words(self):
        """How many words `key` gives."""
        return self.layout.words if self.layout is not layouts.TEXT else 1


def utf8(text):
    """UTF-8; 22021 for what has none (half a surrogate pair)."""
    try:
        return text.encode()
    except UnicodeEncodeError as fault:
        code = fault.object[fault.start].encode("utf-8", "surrogatepass")
        shown = " ".join(f"0x{byte:02x}" for byte in code)
        raise error("22021", f'invalid byte sequence for encoding "UTF8": {shown}') from None


def float_key(k, a):
    """The bits of an F64 as a signed number in the order of the values: -0 equals 0, all NaNs are one and the greatest."""
    bits = k.reinterpret(k.choose(a == 0.0, k.constant(F64, 0.0), a), I64)
    ordered = k.choose(bits < 0, bits ^ ((1 << 63) - 1), bits)
    return k.choose(a != a, k.constant(I64, (1 << 63) - 1), ordered)


def text_prefix(k, text):
    """The first 8 bytes of a text as a signed number in the order of texts; shorter ones are filled up with zeros."""
    return k.swap_bytes(word_at(k, text.address) & low_bytes(k, text.length)) ^ SIGN


TYPES, BY_OID = {}, {}
FIRST_USERS_OID = 16384                 # from here on an OID means something in one database only


def register(type):
    """Add a type to the registry; its name is then known to SQL."""
    TYPES[type.name] = type
    if type.oid < FIRST_USERS_OID:
        BY_OID[type.oid] = type
    return type


def lookup(name):
    """The type of that pg_type name or SQL spelling; KeyError if there is none."""
    return TYPES[name]


def base_of(type):
    """The type that is no domain and whose values a type has: of all others than domains the type itself."""
    while type.base is not None:
        type = type.base
    return type
