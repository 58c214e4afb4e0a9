"""Dates and times in a jsonpath: what .datetime() and its like make of strings."""
import contextlib
import re
from typing import Any, NamedTuple

from caldera.base.errors import Error, error
from caldera.types.calendar import DAY
from caldera.types.json_of_datums import moment_text
from caldera.types.registry import lookup
from caldera.types.zones import session_zone

UNKNOWN = None
DATE, TIME = r"\d{4}-\d\d-\d\d", r"\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?"
ZONE = r"[ ]*[+-]\d\d(?::?\d\d)?|[ ]*Z"
FORMS = (("date", re.compile(DATE)), ("time", re.compile(TIME)), ("timetz", re.compile(rf"{TIME}(?:{ZONE})")),
         ("timestamp", re.compile(rf"{DATE}[ T]{TIME}")), ("timestamptz", re.compile(rf"{DATE}[ T]{TIME}(?:{ZONE})")))
WITHOUT_ZONE = {"date", "timestamp"}
SECOND = 1_000_000


class Moment(NamedTuple):
    """A datum of a date or time type, by the type's name."""
    type: str
    datum: Any

    def __str__(self):
        return moment_text(lookup(self.type), self.datum)


def kind_of(text):
    """Which date or time a text is the ISO form of, None if of none."""
    return next((name for name, form in FORMS if form.fullmatch(text)), None)


def read_moment(text, method):
    """The Moment in a text. Raises 22031 if it has not the form of one, 0A000 for times with a zone."""
    name = kind_of(text)
    if name == "timetz":
        raise error("0A000", "type time with time zone is not supported")
    with contextlib.suppress(Error):
        if name is not None:
            return Moment(name, lookup(name).parse(text))
    hint = "Use a datetime template argument to specify the input data format." if method == "datetime" else None
    raise error("22031", f'{method} format is not recognized: "{text}"', hint=hint)


def needs_zone(source, target):
    """The error for a conversion that depends on the session's zone."""
    return error("0A000", f"cannot convert value from {source} to {target} without time zone usage",
                 hint="Use *_tz() function for time zone support.")


def offset_at(evaluation, moment):
    """The microseconds by which the session's zone is ahead of UTC."""
    return session_zone(evaluation.session).offset_at(moment) * SECOND


def as_universal(evaluation, moment):
    """A date or timestamp as a moment, as its place in the session's zone says."""
    local = moment.datum * DAY if moment.type == "date" else moment.datum
    if moment.type == "timestamptz":
        return local
    if not evaluation.with_zones:
        raise needs_zone(moment.type, "timestamptz")
    return local - offset_at(evaluation, local)


def compared_moments(evaluation, a, b):
    """The order of two Moments, UNKNOWN for a time and something else."""
    if "time" in (a.type, b.type):
        return UNKNOWN if a.type != b.type else (a.datum > b.datum) - (a.datum < b.datum)
    if a.type in WITHOUT_ZONE and b.type in WITHOUT_ZONE:
        left, right = (moment.datum * DAY if moment.type == "date" else moment.datum for moment in (a, b))
    else:
        left, right = as_universal(evaluation, a), as_universal(evaluation, b)
    return (left > right) - (left < right)


def converted(evaluation, moment, target):
    """A Moment as one of another type. Raises 22031 if a part of it is not there, 0A000 if that takes a zone."""
    source = moment.type
    if source == target:
        return moment
    if source == "time" or target == "time" and source == "date":
        raise error("22031", f'{METHOD_OF[target]} format is not recognized: "{moment}"')
    if "timestamptz" in (source, target):
        if not evaluation.with_zones:
            raise needs_zone(source, target)
        if target == "timestamptz":
            return Moment(target, as_universal(evaluation, moment))
        moment = Moment("timestamp", moment.datum + offset_at(evaluation, moment.datum))
    if target == "timestamp":
        return Moment(target, moment.datum * DAY if moment.type == "date" else moment.datum)
    return Moment(target, moment.datum // DAY if target == "date" else moment.datum % DAY)


METHOD_OF = {"date": "date", "time": "time", "timestamp": "timestamp", "timestamptz": "timestamp_tz"}
TYPE_OF = {method: type for type, method in METHOD_OF.items()}
TYPE_NAMES = {"date": "date", "time": "time without time zone", "timestamp": "timestamp without time zone",
              "timestamptz": "timestamp with time zone"}
