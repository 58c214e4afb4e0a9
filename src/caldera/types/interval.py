"""interval: months, days and microseconds, kept apart since months and days vary in length; and two infinities.

Intervals compare as if a month had 30 days and a day 24 hours, so '1 mon' = '30 days', although the two differ as datums.

    modifier (fields, precision)    fields: a mask of YEAR, MONTH, ... or ALL_FIELDS; precision: digits of a second or None
"""
from datetime import timedelta

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.kernel.calendar import interval_order
from caldera.kernel.text import hash_words
from caldera.types.calendar import DAYS_PER_MONTH, HOUR, MINUTE, SECOND, round_to_precision
from caldera.types.interval_fields import (ALL_FIELDS, DAY_FIELD, EARLY, HOUR_FIELD, LATE, MINUTE_FIELD, MONTH, RANGE_NAMES,
                                           YEAR, Interval, highest_bit)
from caldera.types.interval_input import read_interval
from caldera.types.interval_output import WRITERS
from caldera.types.registry import SqlType, register
from caldera.types.session import setting

PRECISION_MAX, ANY_PRECISION = 6, 0xFFFF
YEAR_DAYS = 365                     # for Python's timedelta, which knows no years


class IntervalType(SqlType):
    """Reads PostgreSQL's verbose form, ISO 8601's and the SQL standard's; writes as IntervalStyle says."""
    name = sql_name = "interval"
    oid, array_oid = 1186, 1187
    category, preferred, length = "T", True, 16
    layout = layouts.INTERVAL
    python_type = timedelta

    def parse(self, text, modifier=None, session=None):
        fields = ALL_FIELDS if modifier is None else modifier[0]
        return self.apply_modifier(read_interval(text, fields, setting(session, "IntervalStyle").lower()), modifier)

    def format(self, datum, session=None):
        if datum in (EARLY, LATE):
            return "infinity" if datum == LATE else "-infinity"
        return WRITERS[setting(session, "IntervalStyle").lower()](datum)

    def sort_key(self, datum):
        return datum.span

    def apply_modifier(self, datum, modifier, explicit=False):
        """Cut to the fields and rounded to the precision."""
        if modifier is None or datum in (EARLY, LATE):
            return datum
        fields, precision = modifier
        months, days, microseconds = datum
        if fields != ALL_FIELDS:
            if fields == YEAR:
                months -= months % 12 if months >= 0 else -(-months % 12)
            if fields in (YEAR, MONTH, YEAR | MONTH):
                days = 0
            unit = {YEAR: 0, MONTH: 0, DAY_FIELD: 0, HOUR_FIELD: HOUR, MINUTE_FIELD: MINUTE}.get(highest_bit(fields), 1)
            whole = abs(microseconds) // unit * unit if unit else 0
            microseconds = whole if microseconds >= 0 else -whole
        if precision is not None and precision < PRECISION_MAX:
            microseconds = round_to_precision(microseconds, precision)
            if not -2**63 <= microseconds < 2**63:
                raise error("22008", "interval out of range")
        return Interval(months, days, microseconds)

    def encode_modifier(self, numbers, position=None):
        """`numbers`: a mask of fields, and a precision perhaps, as the grammar gives them."""
        if len(numbers) not in (1, 2) or numbers[0] != ALL_FIELDS and numbers[0] not in RANGE_NAMES:
            raise error("22023", "invalid INTERVAL type modifier", position=position)
        if len(numbers) == 1:
            return numbers[0], None
        if numbers[1] < 0:
            raise error("22023", f"INTERVAL({numbers[1]}) precision must not be negative", position=position)
        return numbers[0], min(numbers[1], PRECISION_MAX)

    def typmod_of(self, modifier):
        return -1 if modifier is None else modifier[0] << 16 | (ANY_PRECISION if modifier[1] is None else modifier[1])

    def modifier_of(self, typmod):
        """Raises XX000 for what is no typmod of an interval."""
        if typmod < 0:
            return None
        fields, precision = typmod >> 16, typmod & ANY_PRECISION
        if fields != ALL_FIELDS and fields not in RANGE_NAMES:
            raise error("XX000", f"invalid INTERVAL typmod: 0x{typmod:x}")
        return fields, None if precision == ANY_PRECISION else precision

    def spell(self, modifier=None):
        if modifier is None:
            return "interval"
        fields, precision = modifier
        name = "interval" if fields == ALL_FIELDS else f"interval {RANGE_NAMES[fields]}"
        return name if precision is None else f"{name}({precision})"

    def to_python(self, datum, session=None):
        """A timedelta, with 365 days for 12 months and 30 for each month more; what it cannot hold comes as text."""
        months, days, microseconds = datum
        years, months = divmod(abs(months), 12)
        length = years * YEAR_DAYS + months * DAYS_PER_MONTH
        try:
            return timedelta(days=days + (length if datum.months >= 0 else -length), microseconds=microseconds)
        except OverflowError:
            return self.format(datum, session)

    def from_python(self, thing):
        if isinstance(thing, timedelta):
            return Interval(0, thing.days, thing.seconds * SECOND + thing.microseconds)
        return self.parse(thing) if isinstance(thing, str) else Interval(*thing)

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.month_day_nano_interval()

    # staged: in the order of `Interval.span`

    def equal(self, k, a, b):
        (a_days, a_rest), (b_days, b_rest) = interval_order(k, a), interval_order(k, b)
        return k.and_(a_days == b_days, a_rest == b_rest)

    def less(self, k, a, b):
        (a_days, a_rest), (b_days, b_rest) = interval_order(k, a), interval_order(k, b)
        return k.or_(a_days < b_days, k.and_(a_days == b_days, a_rest < b_rest))

    def hash(self, k, a):
        return hash_words(k, *interval_order(k, a))

    def key(self, k, a):
        return interval_order(k, a)


INTERVAL = register(IntervalType())
