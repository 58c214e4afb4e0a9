"""The names of date and time fields: what EXTRACT and date_trunc understand, and their words for what they do not.

Names are compared without case and by their first ten characters, as PostgreSQL compares them.
"""
from caldera.base.errors import error

LENGTH_MAX = 10
UNITS = {word: field for field, words in {
    "century": "c cent centuries century", "day": "d day days", "decade": "dec decs decade decades",
    "hour": "h hour hours hr hrs", "minute": "m minute min mins minutes",
    "microsecond": "microsecon us usec usecond useconds usecs", "millennium": "mil mils millennia millennium",
    "millisecond": "millisecon ms msec msecond mseconds msecs", "month": "mon mons month months", "quarter": "qtr quarter",
    "second": "s sec second seconds secs", "timezone": "timezone", "timezone_hour": "timezone_h",
    "timezone_minute": "timezone_m", "week": "w week weeks", "year": "y year years yr yrs"}.items()
    for word in words.split()}
SPECIALS = {word: field for field, words in {
    "epoch": "epoch", "julian": "julian jd j", "dow": "dow", "doy": "doy", "isodow": "isodow", "isoyear": "isoyear",
    "minute": "mm", "now": "now", "today": "today", "infinity": "infinity", "allballs": "allballs"}.items()
    for word in words.split()}
TIME_FIELDS = {"hour", "minute", "second", "millisecond", "microsecond"}
ZONE_FIELDS = {"timezone", "timezone_hour", "timezone_minute"}
DAY_FIELDS = {"day", "month", "quarter", "week", "dow", "isodow", "doy"}
GROWING_FIELDS = {"year", "decade", "century", "millennium", "julian", "isoyear", "epoch"}   # they tell the infinities apart
INTERVAL_FIELDS = TIME_FIELDS | {"day", "week", "month", "quarter", "year", "decade", "century", "millennium", "epoch"}
EXTRACTED = {
    "date": DAY_FIELDS | GROWING_FIELDS,
    "time": TIME_FIELDS | {"epoch"},
    "timestamp": TIME_FIELDS | DAY_FIELDS | GROWING_FIELDS,
    "timestamptz": TIME_FIELDS | DAY_FIELDS | GROWING_FIELDS | ZONE_FIELDS,
    "interval": INTERVAL_FIELDS,
}
UNKNOWN_TO = {"time": {"now", "today", "infinity", "allballs"}, "interval": {"now", "today", "infinity", "allballs"}}
TRUNCATED = {"microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade",
             "century", "millennium"}


def unsupported(word, type):
    """The error for a field that there is, but not for this type."""
    return error("0A000", f'unit "{word}" not supported for type {type.sql_name}')


def unrecognized(word, type):
    """The error for what is no field."""
    return error("22023", f'unit "{word}" not recognized for type {type.sql_name}')


def extracted_field(text, type):
    """The field that EXTRACT shall take from a value of a type. Raises 0A000 or 22023."""
    word = text.lower()
    field = UNITS.get(word[:LENGTH_MAX]) or SPECIALS.get(word[:LENGTH_MAX])
    if field is None or field in UNKNOWN_TO.get(type.name, ()):
        raise unrecognized(word, type)
    if field not in EXTRACTED[type.name] or (word == "mm" and type.name == "date"):
        raise unsupported(word, type)
    return field


def truncated_field(text, type):
    """The field to which date_trunc shall cut. Raises 0A000 or 22023."""
    word = text.lower()
    field = UNITS.get(word[:LENGTH_MAX])
    if field is None:
        raise unrecognized(word, type)
    if field not in TRUNCATED:
        raise unsupported(word, type)
    if field == "week" and type.name == "interval":
        raise error("0A000", f'unit "{word}" not supported for type interval',
                    detail="Months usually have fractional weeks.")
    return field
