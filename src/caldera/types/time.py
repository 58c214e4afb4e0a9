"""time without time zone: microseconds since midnight, up to and including 24:00:00. And the modifier for precision."""
from datetime import time

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.types.calendar import DAY, round_to_precision, split_time, write_time
from caldera.types.datetime_input import read
from caldera.types.registry import SqlType, register

PRECISION_MAX = 6


class WithPrecision(SqlType):
    """What time(p), timestamp(p) and their zoned kin share: p digits of a second, 0 to 6."""
    equal_is_same = True
    base_name, suffix = "", ""

    @property
    def sql_name(self):
        return f"{self.base_name} {self.suffix}"

    def spell(self, modifier=None):
        return f"{self.base_name}{'' if modifier is None else f'({modifier[0]})'} {self.suffix}"

    def modifier_of(self, typmod):
        return (typmod,) if typmod >= 0 else None

    def encode_modifier(self, numbers, position=None):
        if len(numbers) != 1:
            raise error("22023", "invalid type modifier", position=position)
        if numbers[0] < 0:
            zone = " WITH TIME ZONE" if self.suffix == "with time zone" else ""
            name = self.base_name.upper()
            raise error("22023", f"{name}({numbers[0]}){zone} precision must not be negative", position=position)
        return (min(numbers[0], PRECISION_MAX),)

    def apply_modifier(self, datum, modifier, explicit=False):
        if modifier is None or modifier[0] >= PRECISION_MAX:
            return datum
        return round_to_precision(datum, modifier[0])


class Time(WithPrecision):
    """A time of day. A zone in the text is ignored."""
    name, base_name, suffix = "time", "time", "without time zone"
    oid, array_oid = 1083, 1183
    category, length = "D", 8
    layout = layouts.INT8
    python_type = time

    def parse(self, text, modifier=None, session=None):
        reading = read(text, "time", session, time_only=True)
        return self.apply_modifier(reading.microseconds, modifier)

    def format(self, datum, session=None):
        return write_time(datum)

    def to_python(self, datum, session=None):
        """A datetime.time; 24:00:00, which Python does not know, comes as text."""
        return time(*split_time(datum)) if datum < DAY else self.format(datum)

    def from_python(self, thing):
        if isinstance(thing, time):
            return ((thing.hour * 60 + thing.minute) * 60 + thing.second) * 1_000_000 + thing.microsecond
        return self.parse(thing) if isinstance(thing, str) else thing

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.time64("us")


TIME = register(Time())
