"""Records whose fields only their values know: those of several types in one column, and those of which PostgreSQL keeps no
more than that they are records.

    mixed_of((record_of(...), record_of(...)))     the type of VALUES (ROW(1, 2)), (ROW('a', true, NULL))

The datum is a pair (RecordType, tuple). The image is a word, the number of the type in this process, and then the image
of the record. Such values are in results and in tables of running queries, and never in files that outlive the process.
"""
import struct
from functools import cache

from caldera.base.errors import error
from caldera.kernel.interface import I64
from caldera.kernel.text import TEXT_SPARE, Text, copy_bytes
from caldera.types.record import RECORD, RecordType

HEAD = struct.Struct("<q")
NUMBERED: list[RecordType] = []         # the record types whose values have been mixed; each one's place is its number


@cache
def number_of(type):
    """The number of a RecordType, which it keeps."""
    NUMBERED.append(type)
    return len(NUMBERED) - 1


class MixedRecord(RecordType):
    """Records of some types, the `members`. They have an order if the members have the same types of fields; else comparing
    them raises 42804."""
    arrow_as_text = True

    def __init__(self, members):
        super().__init__(())
        self.members = members
        self.equal_is_same = len(members) == 1 and members[0].equal_is_same

    def opened(self, datum):
        return datum

    # ---- text and Python forms

    def format(self, datum, session=None):
        type, record = datum
        return type.format(record, session)

    def to_python(self, datum, session=None):
        type, record = datum
        return type.to_python(record, session)

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.string()

    # ---- bytes

    def to_bytes(self, datum):
        type, record = datum
        return HEAD.pack(number_of(type)) + type.to_bytes(record)

    def from_bytes(self, data):
        if not data:
            return RECORD, ()
        type = NUMBERED[HEAD.unpack_from(data)[0]]
        return type, type.from_bytes(data[HEAD.size:])

    def sort_key(self, datum):
        return self.shared().sort_key(datum[1])

    # ---- staged

    def shared(self):
        """The first member, if all have the same types of fields."""
        first = self.members[0]
        for other in self.members[1:]:
            check_alike(first, other)
        return first

    def inside(self, k, a):
        """The record's own image; of no bytes at all, as they stand for NULL, what is there."""
        skipped = k.choose(a.length > 0, k.constant(I64, HEAD.size), k.constant(I64, 0))
        return Text(k, a.address + skipped, a.length - skipped, a.lifetime)

    def equal(self, k, a, b):
        return self.shared().equal(k, self.inside(k, a), self.inside(k, b))

    def less(self, k, a, b):
        return self.shared().less(k, self.inside(k, a), self.inside(k, b))

    def compared(self, k, a, b):
        return self.shared().compared(k, self.inside(k, a), self.inside(k, b))

    def hash(self, k, a):
        return self.shared().hash(k, self.inside(k, a))

    def key(self, k, a):
        return self.shared().key(k, self.inside(k, a))


@cache
def mixed_of(members):
    """The type of records that may be of any of several RecordTypes, a tuple."""
    return MixedRecord(members)


def members_of(type):
    """The RecordTypes of which the values of a record type may be."""
    return type.members if isinstance(type, MixedRecord) else (type,)


def mixed_image(k, allocate, type, text):
    """The Text of a mixed record: that of a record of a type behind the type's number."""
    address = allocate(text.length + HEAD.size + TEXT_SPARE)
    k.array(I64, address)[0] = number_of(type)
    k.routine(copy_bytes, text.address, text.length, address + HEAD.size)
    return Text(k, address, text.length + HEAD.size, "block")


# ------------------------------------------------------------------------------------------------ comparing

def check_alike(one, other):
    """Raise 42804 unless the fields of two RecordTypes have the same types, one by one."""
    for number, (left, right) in enumerate(zip(one.types, other.types), 1):
        if isinstance(left, RecordType) and isinstance(right, RecordType):
            check_alike(left, right)
        elif left is not right:
            raise dissimilar(left, right, number)
    if len(one.types) != len(other.types):
        raise error("42804", "cannot compare record types with different numbers of columns")


def dissimilar(left, right, number):
    """The error for fields of different types."""
    return error("42804", f"cannot compare dissimilar column types {left.sql_name} and {right.sql_name} at record column "
                          f"{number}")


def order_of_datums(left, right, x, y):
    """Below, at or above 0 as a datum of a type sorts before, with or behind another one."""
    if isinstance(left, RecordType):
        return order_of((left, right), x, y)
    x, y = left.sort_key(x), right.sort_key(y)
    return (x > y) - (x < y)


def order_of(types, a, b, order_of_fields=order_of_datums):
    """Below, at or above 0 as one record sorts before, with or behind another, of whatever types. The first fields that
    differ decide; raises 42804 for fields before them that have different types, and for one record that goes on.
    order_of_fields: (types and datums of two fields) -> the same for them."""
    (one, a), (other, b) = types[0].opened(a), types[1].opened(b)
    for number, (left, right, x, y) in enumerate(zip(one.types, other.types, a, b), 1):
        if left is not right and not (isinstance(left, RecordType) and isinstance(right, RecordType)):
            raise dissimilar(left, right, number)
        missing = x is None or y is None
        order = (x is None) - (y is None) if missing else order_of_fields(left, right, x, y)
        if order != 0:
            return order
    if len(one.types) != len(other.types):
        raise error("42804", "cannot compare record types with different numbers of columns")
    return 0
