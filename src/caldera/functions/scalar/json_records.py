"""JSON as records: json_populate_record, json_to_record, and the same for jsonb. The type of the record is that of the first
argument, or what a column definition list says."""
from caldera.base.errors import Error, error
from caldera.functions.registry import scalar
from caldera.types.datums_of_json import record_datum
from caldera.types.mixed_records import MixedRecord
from caldera.types.record import RECORD, RecordType
from caldera.types.registry import base_of

OPTIONS = {"python": True, "wants_session": True, "wants_result": True, "volatility": "s"}
POPULATED = "A record with the members of an object as fields, the others as in the record that is given. "


def made_type(name, type, base):
    """The RecordType that a function makes, below domains. Raises 42804 for what is none, 0A000 if nothing tells the
    fields."""
    record = base_of(type)
    if not isinstance(record, RecordType):
        raise error("42804", f"first argument of {name} must be a row type")
    if isinstance(record, MixedRecord):
        raise error("0A000", f"{name} of a record whose type is not known before it runs is not supported yet")
    if record is RECORD and base is None:
        raise error("0A000", f"could not determine row type for result of {name}",
                    hint="Provide a non-null record argument, or call the function in the FROM clause using a column "
                         "definition list.")
    return record


def populated(name, session, type, base, document):
    """The record of a type, as `base` where the document has nothing for it; `base` if there is no document."""
    record = made_type(name, type, base)
    if document is None:
        return base
    datum = record_datum(record, document, base, session)
    return datum if type.base is None else session.checked(datum, type)


@scalar("json_populate_record(anyelement, json, bool) -> anyelement", strict=False, **OPTIONS,
        doc=POPULATED + "The third argument means nothing.",
        example="SELECT json_populate_record(ROW(1, 'a'), '{\"f1\": 7}')  -- (7,a)")
def json_populate_record(session, type, base, document, use_json_as_text):
    return populated("json_populate_record", session, type, base, document)


@scalar("jsonb_populate_record(anyelement, jsonb) -> anyelement", strict=False, **OPTIONS, doc=POPULATED,
        example="SELECT jsonb_populate_record(ROW(1, 'a'), '{\"f1\": 7}')  -- (7,a)")
def jsonb_populate_record(session, type, base, document):
    return populated("jsonb_populate_record", session, type, base, document)


@scalar("jsonb_populate_record_valid(anyelement, jsonb) -> bool", strict=False, python=True, wants_session=True,
        wants_types=True, volatility="s", doc="Whether jsonb_populate_record would give a record.",
        example="SELECT jsonb_populate_record_valid(ROW(1), '{\"f1\": \"one\"}')  -- f")
def jsonb_populate_record_valid(session, types, base, document):
    name = "jsonb_populate_record"
    made_type(name, types[0], base)
    try:
        return None if populated(name, session, types[0], base, document) is None else True
    except Error as fault:
        if fault.sqlstate[:2] not in ("22", "23"):          # of wrong values, and those that a domain refuses
            raise
        return False


@scalar("json_to_record(json) -> record", **OPTIONS,
        doc="The members of an object as the columns of a column definition list.",
        example="SELECT * FROM json_to_record('{\"a\": 7}') AS t(a int)  -- 7")
def json_to_record(session, type, document):
    return populated("json_to_record", session, type, None, document)


@scalar("jsonb_to_record(jsonb) -> record", **OPTIONS,
        doc="The members of an object as the columns of a column definition list.",
        example="SELECT * FROM jsonb_to_record('{\"a\": 7}') AS t(a int)  -- 7")
def jsonb_to_record(session, type, document):
    return populated("jsonb_to_record", session, type, None, document)
