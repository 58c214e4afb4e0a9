"""generate_series over timestamps: from a start by steps of an interval up (or down) to an end."""
from caldera.base.errors import error
from caldera.functions.registry import TABLE_FUNCTIONS, TableFunction
from caldera.functions.scalar import spans, wall_clock
from caldera.functions.scalar.zones import named_zone
from caldera.types.registry import lookup
from caldera.types.zones import session_zone


def series(start, stop, step, zone=None):
    """The moments start, start + step, ... that are not beyond `stop`; each step starts from the moment before, on the
    zone's clock. The moment after the last one must exist, too, as PostgreSQL has it."""
    if spans.sign(step) == 0:
        raise error("22023", "step size cannot equal zero")
    if spans.is_infinite(step):
        raise error("22023", "step size cannot be infinite")
    direction, moment = spans.sign(step), start
    while (stop - moment) * direction >= 0:
        following = wall_clock.plus(moment, step, zone)
        yield (moment,)
        moment = following


def timestamps(session, start, stop, step):
    """Rows of generate_series(timestamp, timestamp, interval)."""
    return () if None in (start, stop, step) else series(start, stop, step)


def moments(session, start, stop, step):
    """Rows of generate_series(timestamptz, timestamptz, interval), on the session's clock."""
    return () if None in (start, stop, step) else series(start, stop, step, session_zone(session))


def moments_in_zone(session, start, stop, step, zone):
    """Rows of generate_series(timestamptz, timestamptz, interval, text), on the clock of a zone."""
    return () if None in (start, stop, step, zone) else series(start, stop, step, named_zone(zone, session))


for kind, arguments, rows in (("timestamp", "timestamp timestamp interval", timestamps),
                              ("timestamptz", "timestamptz timestamptz interval", moments),
                              ("timestamptz", "timestamptz timestamptz interval text", moments_in_zone)):
    TABLE_FUNCTIONS.setdefault("generate_series", []).append(TableFunction(
        "generate_series", tuple(map(lookup, arguments.split())), (("generate_series", lookup(kind)),), rows,
        doc="Timestamps from a start by steps of an interval up to an end"))
