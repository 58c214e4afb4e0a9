"""What time it is: of the transaction, of the statement, of the wall clock. CURRENT_DATE and its like are casts of now()."""
import math
import time
from datetime import UTC, datetime

from caldera.functions.registry import scalar
from caldera.functions.scalar.wall_clock import from_datetime, to_local
from caldera.types.calendar import DAY, DAY_NAMES, MONTH_NAMES, civil_from_days, split_time
from caldera.types.session import now
from caldera.types.zones import session_zone

SLEEP_STEP = 0.05                # seconds after which a sleeper looks whether it shall stop


@scalar("now() -> timestamptz", "transaction_timestamp() -> timestamptz", python=True, wants_session=True, volatility="s",
        doc="When the transaction started", example="SELECT now() = transaction_timestamp()  -- t")
def transaction_time(session):
    return from_datetime(now(session))


@scalar("statement_timestamp() -> timestamptz", python=True, wants_session=True, volatility="s",
        doc="When the statement started", example="SELECT statement_timestamp() >= now()  -- t")
def statement_time(session):
    return from_datetime(now(session) if session is None else session.statement_started)


@scalar("clock_timestamp() -> timestamptz", python=True, volatility="v", doc="The time of the wall clock",
        example="SELECT clock_timestamp() >= now()  -- t")
def clock_time():
    return from_datetime(datetime.now(UTC))


@scalar("pg_sleep(float8) -> void", python=True, wants_session=True, volatility="v", doc="Wait for so many seconds",
        example="SELECT pg_sleep(0.001)  -- ")
def sleep(session, seconds):
    until = time.monotonic() + (0 if math.isnan(seconds) else seconds)
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(left, SLEEP_STEP))
        session.check_cancelled()
    return ""


@scalar("pg_sleep_for(interval) -> void", python=True, wants_session=True, volatility="v", doc="Wait for so long",
        example="SELECT pg_sleep_for('1 ms')  -- ")
def sleep_for(session, interval):
    return sleep(session, interval.span / 1e6)


@scalar("timeofday() -> text", python=True, wants_session=True, volatility="v", doc="The time of the wall clock, in words",
        example="SELECT timeofday() LIKE '___ ___ %'  -- t")
def time_of_day(session):
    moment, zone = clock_time(), session_zone(session)
    days, clock = divmod(to_local(moment, zone), DAY)
    (year, month, day), (hour, minute, second, microsecond) = civil_from_days(days), split_time(clock)
    date = f"{DAY_NAMES[days % 7]} {MONTH_NAMES[month - 1]} {day:02d}"
    return f"{date} {hour:02d}:{minute:02d}:{second:02d}.{microsecond:06d} {year} {zone.name_at(moment)}"
