"""Records: rows as values. Each list of fields is a type of its own, though all of them are called record.

    record_of((Field("f1", int4), Field("f2", text)))     the type of ROW(1, 'a')
    record_image.py  the bytes      record_text.py  '(1,a)'      staged_records.py  generated code

A record is a tuple of values while a query is bound and staged (plan.records), and becomes one value, which lies in memory
as a text does, where it must be stored: in tables of groups, sorts, arrays, results.
"""
from functools import cache, partial
from typing import Any, NamedTuple

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.types import record_text
from caldera.types.record_image import pack, unpack
from caldera.types.registry import SqlType, register
from caldera.types.staged_records import comparing, hashing, leading_key


class Field(NamedTuple):
    """A field of a record."""
    name: str
    type: SqlType
    modifier: Any = None


class RecordType(SqlType):
    """Records of some fields, in the order of the first fields that differ, NULL last. The datum: a tuple."""
    name = sql_name = "record"
    oid, array_oid, category, kind = 2249, 2287, "P", "p"
    layout = layouts.TEXT
    python_type = tuple
    bytes_are_ordered, has_parts = False, True

    def __init__(self, fields):
        self.fields, self.types = fields, tuple(field.type for field in fields)
        self.comparable = all(type.comparable for type in self.types)
        self.equal_is_same = all(type.equal_is_same for type in self.types)
        self.compare_routine, self.hash_routine = comparing(self.types), hashing(self.types)

    def opened(self, datum):
        """(the RecordType of a datum, the tuple of its fields)."""
        return self, datum

    def number_of(self, name):
        """The number of the field of a name; None if there is none."""
        return next((number for number, field in enumerate(self.fields) if field.name == name), None)

    # ---- text and Python forms

    def parse(self, text, modifier=None, session=None):
        raise error("0A000", "input of anonymous composite types is not implemented")

    def format(self, datum, session=None):
        return record_text.write([None if part is None else type.format(part, session)
                                  for type, part in zip(self.types, datum)])

    def to_python(self, datum, session=None):
        return tuple(None if part is None else type.to_python(part, session) for type, part in zip(self.types, datum))

    def from_python(self, thing):
        return tuple(None if part is None else type.from_python(part) for type, part in zip(self.types, thing))

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.struct([pyarrow.field(field.name, field.type.arrow_type(field.modifier)) for field in self.fields])

    # ---- bytes

    def to_bytes(self, datum):
        return pack(self.types, datum)

    def from_bytes(self, data):
        return unpack(self.types, data)

    def sort_key(self, datum):
        return tuple((part is None, None if part is None else type.sort_key(part)) for type, part in zip(self.types, datum))

    # ---- staged

    def equal(self, k, a, b):
        if self.equal_is_same:
            return super().equal(k, a, b)
        return self.compared(k, a, b) == 0

    def less(self, k, a, b):
        return self.compared(k, a, b) < 0

    def compared(self, k, a, b):
        """Below, at or above 0 as one record sorts before, with or behind the other."""
        return k.routine(self.compare_routine, a.address, a.length, b.address, b.length)

    def hash(self, k, a):
        return super().hash(k, a) if self.equal_is_same else k.routine(self.hash_routine, a.address, a.length)

    def key(self, k, a):
        return [leading_key(k, self.types, a)]


class NamedRecord(RecordType):
    """Records of a type that has a name, so that texts can be read as them."""
    category, kind = "C", "c"

    def parse(self, text, modifier=None, session=None):
        return record_text.read(text, [partial(read_field, field, session=session) for field in self.fields])


def read_field(field, text, session):
    """The datum of a field's text."""
    datum = field.type.parse(text, field.modifier, session)
    return datum if field.modifier is None else field.type.apply_modifier(datum, field.modifier)


class RowType(NamedRecord):
    """The rows of a relation. Its OID is the relation's; that of its arrays has the highest bit set besides."""

    def __init__(self, fields, name, oid):
        super().__init__(fields)
        self.sql_name, self.oid, self.array_oid = name, oid, oid | 1 << 31


@cache
def record_of(fields):
    """The type of the records of a tuple of Fields; those of the same fields have the same type."""
    return RecordType(fields)


@cache
def row_type(fields, name, oid):
    """The type of the rows of the relation of a name, which has the OID."""
    return RowType(fields, name, oid)


RECORD = register(record_of(()))            # ROW(), and what functions are declared with that take any record
