"""The options of `CREATE TABLE ... USING mergetree WITH (...)`: order_by, a list of column names."""
from caldera.base.errors import error
from caldera.catalog.search_path import split_identifiers

KNOWN = ("order_by", "partition_by")


def order_by_columns(entry):
    """The names of the columns in the option order_by, in order. Raises 22023, 42703, 0A000."""
    for name in entry.options:
        if name not in KNOWN:
            raise error("22023", f'unrecognized parameter "{name}"')
    if entry.options.get("partition_by"):
        raise error("0A000", "partition_by is not supported yet")
    text = entry.options.get("order_by") or ""
    text = text.strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    try:
        names = split_identifiers(text)
    except Exception as exception:
        raise error("22023", f'invalid value for parameter "order_by": "{text}"',
                    detail="It has to be a list of column names.") from exception
    for name in names:
        if entry.column(name) is None:
            raise error("42703", f'column "{name}" named in order_by does not exist')
    return tuple(dict.fromkeys(names))
