"""SQL values as JSON: numbers and truth values as such, json as it is, arrays as arrays, records as objects, all else as
strings of its text.

    json_of(type, datum, session)     the text that to_json gives       jsonb_of: the value that to_jsonb holds

Dates and times are written as ISO 8601 has them, whatever DateStyle says; NaN and infinities, which JSON lacks, as strings.
"""
import re

from caldera.base.errors import error
from caldera.types.json_values import quoted, read
from caldera.types.record import RecordType
from caldera.types.registry import base_of
from caldera.types.session import setting

MOMENT = re.compile(r"(\S+) (\S+?)([+-]\d\d)?( BC)?")
JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
INTEGERS, NUMBERS = {"int2", "int4", "int8"}, {"float4", "float8", "numeric"}
MOMENTS = {"date", "timestamp", "timestamptz"}
DOCUMENTS = {"json", "jsonb"}


class IsoStyle:
    """A session that shows dates as ISO does."""

    def __init__(self, session):
        self.session = session

    def setting(self, name):
        """A setting of the session."""
        return "ISO, MDY" if name.lower() == "datestyle" else setting(self.session, name)


def moment_text(type, datum, session=None):
    """A date or a timestamp as ISO 8601: with a T before the time, and minutes in the zone."""
    text = type.format(datum, IsoStyle(session))
    found = MOMENT.fullmatch(text) if type.name != "date" else None
    if not found:
        return text
    day, time, zone, era = found.groups()
    return f"{day}T{time}{zone + ':00' if zone else ''}{era or ''}"


def json_of(type, datum, session=None, line_feeds=False):
    """The text of a datum as JSON. line_feeds: between the elements of an array, the fields of a record."""
    if datum is None:
        return "null"
    type = base_of(type)
    name = type.name
    if name == "bool":
        return "true" if datum else "false"
    if name in INTEGERS:
        return str(datum)
    if name in DOCUMENTS:
        return datum
    if name in NUMBERS:
        text = type.format(datum, session)
        return text if JSON_NUMBER.fullmatch(text) else f'"{text}"'
    if type.category == "A":
        return array_json(type.element, datum, session, ",\n " if line_feeds else ",")
    if isinstance(type, RecordType):
        return record_json(type, datum, session, ",\n " if line_feeds else ",")
    return quoted(text_of(type, datum, session))


def text_of(type, datum, session):
    """The text of a datum that becomes a string."""
    return moment_text(type, datum, session) if type.name in MOMENTS else type.format(datum, session)


def array_json(element, array, session, comma):
    """An Array as arrays inside arrays."""
    parts = [json_of(element, part, session) for part in array.elements]
    for number, length in enumerate(reversed(array.dims)):
        separator = comma if number == len(array.dims) - 1 else ","
        parts = [f"[{separator.join(parts[first:first + length])}]" for first in range(0, len(parts), length)]
    return parts[0] if parts else "[]"


def record_json(type, record, session, comma):
    """A record as an object."""
    type, record = type.opened(record)
    return "{" + comma.join(f"{quoted(field.name)}:{json_of(field.type, part, session)}"
                            for field, part in zip(type.fields, record)) + "}"


def jsonb_of(type, datum, session=None):
    """A datum as a value of types.json_values."""
    type = base_of(type)
    name = type.name
    if datum is None or name == "bool" or name in INTEGERS:
        return datum
    if name in DOCUMENTS:
        return read(datum)
    if name in NUMBERS:
        text = type.format(datum, session)
        return read(text) if JSON_NUMBER.fullmatch(text) else text
    if type.category == "A":
        return nested(type.element, datum, session)
    if isinstance(type, RecordType):
        type, datum = type.opened(datum)
        return {field.name: jsonb_of(field.type, part, session) for field, part in zip(type.fields, datum)}
    return text_of(type, datum, session)


def nested(element, array, session):
    """An Array as lists inside lists."""
    parts = [jsonb_of(element, part, session) for part in array.elements]
    for length in reversed(array.dims[1:]):
        parts = [parts[first:first + length] for first in range(0, len(parts), length)]
    return parts


def key_of(type, datum, session=None):
    """A datum as the key of a member. Raises 22004 for NULL, 22023 for what is no scalar."""
    if datum is None:
        raise error("22004", "null value not allowed for object key")
    if type.name in DOCUMENTS or type.has_parts:
        raise error("22023", "key value must be scalar, not array, composite, or json")
    if type.name == "bool":
        return "true" if datum else "false"
    return text_of(type, datum, session)
