"""Making uuids, and what they tell (RFC 9562)."""
import os
import time
import uuid

from caldera.functions.registry import scalar
from caldera.types.calendar import civil_from_days, days_from_civil, month_length

UNIX_TO_2000_US = 946_684_800_000_000
GREGORIAN_TO_2000_US = 13_165_977_600_000_000       # from 1582-10-15, where version 1 starts to count


@scalar("gen_random_uuid() -> uuid", "uuidv4() -> uuid", python=True, volatility="v", doc="A random uuid (version 4).",
        example="SELECT uuid_extract_version(gen_random_uuid())  -- 4")
def random_uuid():
    return uuid.uuid4()


def time_ordered(nanoseconds):
    """A uuid of version 7: milliseconds, 12 bits of the fraction of the millisecond, random bits."""
    milliseconds, rest = divmod(nanoseconds, 1_000_000)
    fraction = rest * 4096 // 1_000_000
    random_bits = int.from_bytes(os.urandom(8), "big") & (1 << 62) - 1
    return uuid.UUID(int=(milliseconds & (1 << 48) - 1) << 80 | 7 << 76 | fraction << 64 | 2 << 62 | random_bits)


LATEST = [0]


def next_moment():
    """The clock in nanoseconds, made later than at the call before by at least a step that a uuid can show."""
    LATEST[0] = max(time.time_ns(), LATEST[0] + 250)
    return LATEST[0]


@scalar("uuidv7() -> uuid", python=True, volatility="v", doc="A uuid that starts with the time (version 7).",
        example="SELECT uuid_extract_version(uuidv7())  -- 7")
def uuidv7():
    return time_ordered(next_moment())


@scalar("uuidv7(interval) -> uuid", python=True, volatility="v",
        doc="A uuid that starts with the time shifted by an interval.",
        example="SELECT uuid_extract_version(uuidv7(interval '-1 day'))  -- 7")
def uuidv7_shifted(shift):
    moment = next_moment()
    days, rest = divmod(moment // 1000 - UNIX_TO_2000_US, 86_400_000_000)
    if shift.months:
        year, month, day = civil_from_days(days)
        months = year * 12 + month - 1 + shift.months
        year, month = months // 12, months % 12 + 1
        days = days_from_civil(year, month, min(day, month_length(year, month)))
    microseconds = (days + shift.days) * 86_400_000_000 + rest + shift.microseconds + UNIX_TO_2000_US
    return time_ordered(microseconds * 1000 + moment % 1000)


@scalar("uuid_extract_version(uuid) -> int2", python=True, doc="The version of a uuid; NULL if it is of another variant.",
        example="SELECT uuid_extract_version('41db1265-8bc1-4ab3-992f-885799a4af1d'::uuid)  -- 4")
def uuid_extract_version(value):
    return value.int >> 76 & 15 if value.int >> 62 & 3 == 2 else None


@scalar("uuid_extract_timestamp(uuid) -> timestamptz", python=True, doc="The moment in a uuid of version 1 or 7, else NULL.",
        example="SELECT uuid_extract_timestamp('019535d9-3df7-79fb-b466-fa907fa17f9e'::uuid)  -- 2025-02-24 02:46:24.503+00")
def uuid_extract_timestamp(value):
    version = uuid_extract_version(value)
    if version == 1:
        return value.time // 10 - GREGORIAN_TO_2000_US
    if version == 7:
        return (value.int >> 80) * 1000 - UNIX_TO_2000_US
    return None
