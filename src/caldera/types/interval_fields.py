"""What an interval consists of: the datum, and the fields that a modifier (interval day to second) or a text may name."""
from typing import NamedTuple

from caldera.types.calendar import DAY, DAYS_PER_MONTH

YEAR, MONTH, DAY_FIELD, HOUR_FIELD, MINUTE_FIELD, SECOND_FIELD = (1 << bit for bit in (2, 1, 3, 10, 11, 12))
ALL_FIELDS = 0x7FFF
RANGES = {"year": YEAR, "month": MONTH, "day": DAY_FIELD, "hour": HOUR_FIELD, "minute": MINUTE_FIELD,
          "second": SECOND_FIELD, "year to month": YEAR | MONTH, "day to hour": DAY_FIELD | HOUR_FIELD,
          "day to minute": DAY_FIELD | HOUR_FIELD | MINUTE_FIELD,
          "day to second": DAY_FIELD | HOUR_FIELD | MINUTE_FIELD | SECOND_FIELD,
          "hour to minute": HOUR_FIELD | MINUTE_FIELD, "hour to second": HOUR_FIELD | MINUTE_FIELD | SECOND_FIELD,
          "minute to second": MINUTE_FIELD | SECOND_FIELD}
RANGE_NAMES = {mask: name for name, mask in RANGES.items()}


class Interval(NamedTuple):
    """The datum. Months and days have 32 bits, microseconds 64. All three at their least or greatest mean an infinity."""
    months: int = 0
    days: int = 0
    microseconds: int = 0

    @property
    def span(self):
        """Microseconds, for comparing: a month counts 30 days of 24 hours."""
        return (self.months * DAYS_PER_MONTH + self.days) * DAY + self.microseconds


EARLY = Interval(-2**31, -2**31, -2**63)
LATE = Interval(2**31 - 1, 2**31 - 1, 2**63 - 1)


def highest_bit(mask):
    """The finest field of a mask: for YEAR | MONTH it is MONTH, although YEAR's bit is higher."""
    return MONTH if mask == YEAR | MONTH else 1 << (mask.bit_length() - 1)
