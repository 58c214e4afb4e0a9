"""Ranges and multiranges, in memory as texts whose bytes are in the order of the values.

    range       0 empty                                                     multirange      range range ...
                1 no lower bound, or  2 lower bound, 0 inclusive or 1 exclusive
                2 no upper bound, or  1 upper bound, 0 exclusive or 1 inclusive     (behind the lower one)

A bound is what range_bounds.py makes of its value: bytes in the order of the values, no one of which another begins with.
So comparing, hashing and sorting are those of texts. What these bytes cannot tell stands at the end of the image, where
comparisons do not look: of numerics how many decimals are shown, 16 bits for each bound, of most other types a record of all
bounds; then 32 bits with the length of all that.
"""
import struct

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.kernel.text import Text, word_at
from caldera.types import range_text
from caldera.types.calendar import DATE_EARLY, DATE_LATE, DATE_MAX
from caldera.types.date import DATE
from caldera.types.integers import INT4, INT8
from caldera.types.numeric import NUMERIC
from caldera.types.range_algebra import EMPTY, Range, merged
from caldera.types.range_bounds import DECIMALS, NOTHING, bound_form, decimals, with_decimals
from caldera.types.record_image import pack, unpack
from caldera.types.registry import SqlType, register
from caldera.types.timestamp import TIMESTAMP, TIMESTAMPTZ

NO_RANGE, NO_LOWER, LOWER, UPPER, NO_UPPER = 0, 1, 2, 1, 2
LENGTH_BYTES = 4


# ------------------------------------------------------------------------------------------------ what both have

class OverRanges(SqlType):
    """What range and multirange types share. subtype: of the bounds."""
    category = "R"
    layout = layouts.TEXT
    arrow_as_text = True

    def __init__(self, name, oid, array_oid, subtype):
        self.name = self.sql_name = name
        self.oid, self.array_oid = oid, array_oid
        self.of_values(subtype)

    def of_values(self, subtype):
        """Be ranges, or lists of them, of the values of a type."""
        self.subtype, self.form = subtype, bound_form(subtype)
        self.equal_is_same = self.bytes_are_ordered = self.form.shown == NOTHING

    def to_python(self, datum, session=None):
        """The text form."""
        return self.format(datum, session)

    def from_python(self, thing):
        return self.parse(thing if isinstance(thing, str) else str(thing))

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.string()

    # ---- images

    def image(self, ranges):
        """The bytes of some Ranges."""
        data = b"".join(map(self.range_bytes, ranges))
        if self.form.shown == NOTHING or not data:
            return data
        bounds = [bound for range in ranges for bound in (range.lower, range.upper) if bound is not None]
        shown = pack((self.subtype,) * len(bounds), bounds) if self.form.shown != DECIMALS else \
            struct.pack(f"<{len(bounds)}H", *map(decimals, bounds))
        return data + shown + struct.pack("<I", len(shown) + LENGTH_BYTES)

    def range_bytes(self, range):
        """One Range."""
        if range.is_empty:
            return bytes([NO_RANGE])
        lower, upper = bytes([NO_LOWER]), bytes([NO_UPPER])
        if range.lower is not None:
            lower = bytes([LOWER]) + self.form.write(range.lower) + bytes([not range.lower_inc])
        if range.upper is not None:
            upper = bytes([UPPER]) + self.form.write(range.upper) + bytes([range.upper_inc])
        return lower + upper

    def ranges_of(self, image):
        """The Ranges of an image."""
        end, bounds, flags, at = len(image), [], [], 0
        if self.form.shown != NOTHING and image:
            end -= struct.unpack_from("<I", image, len(image) - LENGTH_BYTES)[0]
        while at < end:
            if image[at] == NO_RANGE:
                flags.append(None)
                at += 1
                continue
            lower_flag, at = self.read_bound(image, at, LOWER, bounds)
            upper_flag, at = self.read_bound(image, at, UPPER, bounds)
            flags.append((lower_flag, upper_flag))
        shown = iter(self.shown_bounds(bounds, image[end:-LENGTH_BYTES]))
        return [EMPTY if pair is None else Range(None if pair[0] is None else next(shown),
                                                 None if pair[1] is None else next(shown), pair[0] == 0, bool(pair[1]))
                for pair in flags]

    def read_bound(self, image, at, mark, bounds):
        """(a bound's flag, None for one that is not there; the place behind it); its value goes to a list. mark: of a bound
        that is there."""
        if image[at] != mark:
            return None, at + 1
        value, at = self.form.read(image, at + 1)
        bounds.append(value)
        return image[at], at + 1

    def shown_bounds(self, bounds, shown):
        """Bounds as what stands at the end of the image tells them."""
        if self.form.shown == NOTHING:
            return bounds
        if self.form.shown == DECIMALS:
            return map(with_decimals, bounds, struct.unpack(f"<{len(bounds)}H", shown))
        return unpack((self.subtype,) * len(bounds), shown)

    def sort_key(self, datum):
        return b"".join(map(self.range_bytes, self.parts(datum)))

    # ---- staged: comparisons look at what comes before that which is shown

    def ordered_part(self, k, text):
        """The Text that decides."""
        if self.form.shown == NOTHING:
            return text
        there = text.length >= LENGTH_BYTES
        at = k.choose(there, text.address + text.length - LENGTH_BYTES, text.address)
        behind = k.choose(there, word_at(k, at) & 0xFFFFFFFF, 0)
        return Text(k, text.address, text.length - behind, text.lifetime)

    def equal(self, k, a, b):
        return super().equal(k, self.ordered_part(k, a), self.ordered_part(k, b))

    def less(self, k, a, b):
        return super().less(k, self.ordered_part(k, a), self.ordered_part(k, b))

    def hash(self, k, a):
        return super().hash(k, self.ordered_part(k, a))

    def key(self, k, a):
        return super().key(k, self.ordered_part(k, a))


class RangeType(OverRanges):
    """Ranges of a type. next: of types whose values have neighbours the function from a value to the one behind it (to
    itself if there is none), so that each range can be given as [first, behind the last). multirange: the type of its
    multiranges, of which name and OIDs are given."""
    kind, next = "r", None

    def __init__(self, name, oid, array_oid, subtype, multirange, next=None):
        super().__init__(name, oid, array_oid, subtype)
        self.next, self.multirange = next, MultirangeType(*multirange, self)

    def value_key(self, value):
        """What Python sorts values of the subtype by."""
        return self.subtype.sort_key(value)

    def make(self, lower, upper, lower_inc=True, upper_inc=False):
        """The Range of bounds (None: without) in its canonical form. Raises 22000 for bounds in the wrong order, 22003 or
        22008 where a bound has no neighbour."""
        if lower is not None and upper is not None:
            low, high = self.value_key(lower), self.value_key(upper)
            if low > high:
                raise error("22000", "range lower bound must be less than or equal to range upper bound")
            if low == high and not (lower_inc and upper_inc):
                return EMPTY
        lower_inc, upper_inc = lower_inc and lower is not None, upper_inc and upper is not None
        if self.next is not None and lower is not None and not lower_inc:
            behind = self.next(lower)
            lower, lower_inc = behind, behind != lower
        if self.next is not None and upper is not None and upper_inc:
            behind = self.next(upper)
            upper, upper_inc = behind, behind == upper
        if lower is not None and lower == upper and not (lower_inc and upper_inc):
            return EMPTY
        return Range(lower, upper, lower_inc, upper_inc)

    def parts(self, datum):
        """The Ranges of a datum."""
        return (datum,)

    def parse(self, text, modifier=None, session=None):
        found = range_text.read_range(text, lambda bound: self.subtype.parse(bound, None, session))
        return EMPTY if found is None else self.make(*found)

    def format(self, datum, session=None):
        return range_text.write_range(datum, lambda bound: self.subtype.format(bound, session))

    def to_bytes(self, datum):
        return self.image((datum,))

    def from_bytes(self, data):
        return next(iter(self.ranges_of(data)), EMPTY)


class MultirangeType(OverRanges):
    """Ranges in order that neither overlap nor touch; a datum is a tuple of them. range: the type of the ranges."""
    kind = "m"

    def __init__(self, name, oid, array_oid, range):
        super().__init__(name, oid, array_oid, range.subtype)
        self.range = range

    def parts(self, datum):
        """The Ranges of a datum."""
        return datum

    def parse(self, text, modifier=None, session=None):
        return merged(self.range, [self.range.parse(part, None, session) for part in range_text.read_multirange(text)])

    def format(self, datum, session=None):
        return range_text.write_multirange(datum, lambda part: self.range.format(part, session))

    def to_bytes(self, datum):
        return self.image(datum)

    def from_bytes(self, data):
        return tuple(self.ranges_of(data))


def next_integer(type):
    """The function from an integer to the next; it raises 22003 behind the last."""
    def next(value):
        if value == type.maximum:
            raise error("22003", f"{type.sql_name} out of range")
        return value + 1
    return next


def next_day(day):
    """The next day; of infinity itself. Raises 22008."""
    if day == DATE_MAX:
        raise error("22008", "date out of range")
    return day if day in (DATE_EARLY, DATE_LATE) else day + 1


RANGES = [register(type) for type in (
    RangeType("int4range", 3904, 3905, INT4, ("int4multirange", 4451, 6150), next_integer(INT4)),
    RangeType("numrange", 3906, 3907, NUMERIC, ("nummultirange", 4532, 6151)),
    RangeType("tsrange", 3908, 3909, TIMESTAMP, ("tsmultirange", 4533, 6152)),
    RangeType("tstzrange", 3910, 3911, TIMESTAMPTZ, ("tstzmultirange", 4534, 6153)),
    RangeType("daterange", 3912, 3913, DATE, ("datemultirange", 4535, 6155), next_day),
    RangeType("int8range", 3926, 3927, INT8, ("int8multirange", 4536, 6157), next_integer(INT8)))]
for type in RANGES:
    register(type.multirange)
