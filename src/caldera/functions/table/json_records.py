"""Arrays of JSON objects as rows: json_populate_recordset, json_to_recordset, and the same for jsonb."""
from caldera.base.errors import error
from caldera.functions.registry import TABLE_FUNCTIONS, TableFunction
from caldera.functions.scalar.json_records import made_type, populated
from caldera.types.json_parts import kind_of, parts
from caldera.types.registry import lookup


def records(name, session, type, base, document):
    """The records of an array's objects, as json_populate_record makes them; none for NULL. Raises 22023 for what is no
    array of objects."""
    made_type(name, type, base)
    if document is None:
        return
    kind = kind_of(document)
    if kind != "[":
        of_jsonb, of_json = "a non-array", "an object" if kind == "{" else "a scalar"
        raise error("22023", f"cannot call {name} on {of_jsonb if name.startswith('jsonb') else of_json}")
    for _, part in parts(document):
        if kind_of(part) != "{":
            raise error("22023", f"argument of {name} must be an array of objects")
        yield populated(name, session, type, base, part)


def define(type):
    """The functions of a type, json or jsonb."""
    populate, to_records = f"{type.name}_populate_recordset", f"{type.name}_to_recordset"

    def populated_rows(session, row, base, document, use_json_as_text=None):
        return records(populate, session, row, base, document)

    def rows(session, row, document):
        return () if document is None else records(to_records, session, row, None, document)
    arguments = ("anyelement", type, lookup("bool"))            # the last one, which json's may have, means nothing
    doc = "The objects of an array as records, with the fields of the given one where they lack members"
    for count in (2, 3) if type.name == "json" else (2,):
        enter(populate, arguments[:count], populated_rows, doc)
    enter(to_records, (type,), rows, "The objects of an array as rows, whose columns a column definition list names")


def enter(name, arguments, rows, doc):
    """Register a table function of records."""
    TABLE_FUNCTIONS.setdefault(name, []).append(TableFunction(name, arguments, None, rows, doc))


for type in (lookup("json"), lookup("jsonb")):
    define(type)
