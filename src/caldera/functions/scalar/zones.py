"""Time zones in functions: AT TIME ZONE, and the casts between types with and without a zone.

A zone whose name is known while staging becomes a clock (see `clocks`); one that comes from a column is looked up row by row
in Python.
"""
from functools import partial

from caldera.base.errors import Error, error
from caldera.functions.registry import scalar
from caldera.functions.scalar import spans, wall_clock
from caldera.functions.scalar.clocks import clock_of_zone, session_clock
from caldera.functions.scalar.moments import (MOMENT_RANGE, date_of_moment, in_python, is_finite,
                                              is_finite_date, moment_of_date, moment_outside)
from caldera.kernel.calendar import split_moment
from caldera.kernel.nullable import Sql
from caldera.types import registry as types
from caldera.types.calendar import SECOND
from caldera.types.datetime_input import Malformed, displacement
from caldera.types.zones import ABBREVIATIONS, abbreviation_offset, find_zone, fixed_zone, session_zone


class Abbreviated:
    """A zone known by an abbreviation that has meant different offsets over time (MSK)."""
    is_fixed = False

    def __init__(self, name, zone, session):
        self.name, self.zone, self.session = name, zone, session

    def offset_of_local(self, local):
        """Seconds east, at a local time."""
        return abbreviation_offset(self.name, local, self.session)

    def offset_at(self, moment):
        """Seconds east, at a moment."""
        return abbreviation_offset(self.name, moment + self.zone.offset_at(moment) * SECOND, self.session)


def named_zone(name, session=None):
    """The zone that a name in a query means: an abbreviation ("EST"), a name ("Europe/Paris") or a POSIX specification. It
    has `offset_at`, `offset_of_local` and `is_fixed`. Raises 22023."""
    word, own = name.upper(), session_zone(session)
    if word in own.names and own.name != "UTC":
        return fixed_zone(own.offsets[0]) if own.is_fixed else Abbreviated(word, own, session)
    meaning = ABBREVIATIONS.get(word)
    if isinstance(meaning, str):
        return Abbreviated(word, find_zone(meaning), session)
    zone = fixed_zone(meaning) if meaning is not None else find_zone(name)
    if zone is None:
        raise error("22023", f'time zone "{name}" not recognized')
    return zone


def numbered_zone(name, session=None):
    """Like `named_zone`, but a number with a sign counts hours east of Greenwich, while POSIX counts west. Raises 22023."""
    if name[:1].isdigit():
        raise error("22023", f'invalid input syntax for type numeric time zone: "{name}"',
                    hint='Numeric time zones must have "-" or "+" as first character.')
    try:
        return fixed_zone(displacement(name[:1] + name[1:].lstrip()))
    except Malformed as problem:
        if problem.reason == "displacement":
            raise error("22023", f'numeric time zone "{name}" out of range') from None
        return named_zone(name, session)


def interval_zone(interval):
    """The zone that is always an interval ahead of UTC. Raises 22023."""
    if spans.is_infinite(interval) or interval.months or interval.days:
        text = types.lookup("interval").format(interval)
        rule = "be finite" if spans.is_infinite(interval) else "not include months or days"
        raise error("22023", f'interval time zone "{text}" must {rule}')
    seconds = spans.truncated(interval.microseconds, SECOND)[0]
    return fixed_zone((seconds + 2**31) % 2**32 - 2**31)        # an offset has 32 bits, as in PostgreSQL


def to_local(call, clock, moment):
    """What a clock shows at a moment; infinities stay, what is out of range is reported."""
    k = call.k
    finite, local = is_finite(k, moment), clock.local(k, moment)
    call.fault(k.and_(finite, moment_outside(k, local)), *MOMENT_RANGE)
    return k.choose(finite, local, moment)


def to_universal(call, clock, local):
    """The moment at which a clock shows a local time; infinities stay, what is out of range is reported."""
    k = call.k
    finite, moment = is_finite(k, local), clock.universal(k, local)
    call.fault(k.and_(finite, moment_outside(k, moment)), *MOMENT_RANGE)
    return k.choose(finite, moment, local)


# ------------------------------------------------------------------------------------------------ AT TIME ZONE

def local_in_named_zone(session, name, moment):
    """timezone(text, timestamptz) on datums."""
    if wall_clock.is_infinite(moment):
        return moment
    return wall_clock.in_range(wall_clock.to_local(moment, named_zone(name, session)))


def universal_in_named_zone(session, name, local):
    """timezone(text, timestamp) on datums."""
    return local if wall_clock.is_infinite(local) else wall_clock.to_universal(local, named_zone(name, session))


def at_zone(call, name, time, convert, function):
    """A time on the clock of the zone that the first argument names, by `convert` (to_local or to_universal); by `function`
    if the name is no constant, or one that has meant different zones."""
    zone = None
    if call.known(0) is not None:
        try:
            zone = named_zone(call.known(0), call.session)
        except Error as problem:
            call.fault(is_finite(call.k, time), problem.sqlstate, problem.message)      # infinite times need no zone
            return time
    if zone is None or isinstance(zone, Abbreviated):
        return in_python(call, partial(function, call.session), name, time)
    return convert(call, clock_of_zone(zone), time)


@scalar("timezone(text, timestamptz) -> timestamp", static=(0,), doc="The local time of a zone at a moment: AT TIME ZONE",
        example="SELECT timestamptz '2024-07-01 12:00+00' AT TIME ZONE 'Europe/Paris'  -- 2024-07-01 14:00:00")
def local_at_zone(call, name, moment):
    return at_zone(call, name, moment, to_local, local_in_named_zone)


@scalar("timezone(text, timestamp) -> timestamptz", static=(0,), doc="The moment of a local time of a zone: AT TIME ZONE",
        example="SELECT timestamp '2024-07-01 14:00' AT TIME ZONE 'Europe/Paris'  -- 2024-07-01 12:00:00+00")
def moment_at_zone(call, name, local):
    return at_zone(call, name, local, to_universal, universal_in_named_zone)


@scalar("timezone(interval, timestamptz) -> timestamp", python=True, doc="The local time so far ahead of UTC: AT TIME ZONE",
        example="SELECT timestamptz '2024-07-01 12:00+00' AT TIME ZONE interval '2 hours'  -- 2024-07-01 14:00:00")
def local_at_offset(interval, moment):
    if wall_clock.is_infinite(moment):
        return moment
    return wall_clock.in_range(wall_clock.to_local(moment, interval_zone(interval)))


@scalar("timezone(interval, timestamp) -> timestamptz", python=True, doc="The moment of a local time so far ahead of UTC",
        example="SELECT timestamp '2024-07-01 14:00' AT TIME ZONE interval '2 hours'  -- 2024-07-01 12:00:00+00")
def moment_at_offset(interval, local):
    return local if wall_clock.is_infinite(local) else wall_clock.to_universal(local, interval_zone(interval))


@scalar("timezone(timestamptz) -> timestamp", volatility="s", doc="The session's local time at a moment: AT LOCAL",
        example="SELECT timestamptz '2024-07-01 12:00+00' AT LOCAL  -- 2024-07-01 12:00:00")
def local_of_session(call, moment):
    return to_local(call, session_clock(call), moment)


@scalar("timezone(timestamp) -> timestamptz", volatility="s", doc="The moment of a local time of the session: AT LOCAL",
        example="SELECT timestamp '2024-07-01 12:00' AT LOCAL  -- 2024-07-01 12:00:00+00")
def moment_of_session(call, local):
    return to_universal(call, session_clock(call), local)


# ------------------------------------------------------------------------------------------------ casts

@scalar("timestamp(timestamptz) -> timestamp", cast="assignment", volatility="s", doc="The session's local time at a moment",
        example="SELECT timestamptz '2024-07-01 12:00+00'::timestamp  -- 2024-07-01 12:00:00")
def timestamp_of_timestamptz(call, moment):
    return to_local(call, session_clock(call), moment)


@scalar("timestamptz(timestamp) -> timestamptz", cast="implicit", volatility="s",
        doc="The moment of a local time of the session",
        example="SELECT timestamp '2024-07-01 12:00'::timestamptz  -- 2024-07-01 12:00:00+00")
def timestamptz_of_timestamp(call, local):
    return to_universal(call, session_clock(call), local)


@scalar("date(timestamptz) -> date", cast="assignment", volatility="s", doc="The session's date at a moment",
        example="SELECT timestamptz '2024-07-01 12:00+00'::date  -- 2024-07-01")
def date_of_timestamptz(call, moment):
    k, clock = call.k, session_clock(call)
    return date_of_moment(k, k.choose(is_finite(k, moment), clock.local(k, moment), moment))


@scalar("time(timestamptz) -> time", cast="assignment", volatility="s", may_be_null=True,
        doc="The session's time of day at a moment; NULL for an infinite one",
        example="SELECT timestamptz '2024-07-01 12:00+00'::time  -- 12:00:00")
def time_of_timestamptz(call, moment):
    k = call.k
    _, time = split_moment(k, session_clock(call).local(k, moment))
    return Sql(time, is_finite(k, moment))


@scalar("timestamptz(date) -> timestamptz", cast="implicit", volatility="s",
        doc="Midnight at which the session's date begins",
        example="SELECT date '2024-07-01'::timestamptz  -- 2024-07-01 00:00:00+00")
def timestamptz_of_date(call, days):
    k = call.k
    local, bad = moment_of_date(k, days)
    moment, finite = session_clock(call).universal(k, local), is_finite_date(k, days)
    call.fault(k.or_(bad, k.and_(finite, moment_outside(k, moment))), "22008", "date out of range for timestamp")
    return k.choose(finite, moment, local)


@scalar("timestamptz(date, time) -> timestamptz", volatility="s", doc="The moment of a date and time of day of the session",
        example="SELECT timestamptz(date '2024-07-01', time '12:00')  -- 2024-07-01 12:00:00+00")
def timestamptz_of_date_and_time(call, days, time):
    k = call.k
    local, bad = moment_of_date(k, days)
    call.fault(bad, "22008", "date out of range for timestamp")
    finite, later = is_finite_date(k, days), local + time
    call.fault(k.and_(finite, moment_outside(k, later)), *MOMENT_RANGE)
    return to_universal(call, session_clock(call), k.choose(finite, later, local))
