"""jsonb_path_query: what a jsonpath finds, as rows."""
from caldera.functions.registry import TABLE_FUNCTIONS, TableFunction
from caldera.functions.scalar.json_queries import found, plain
from caldera.types.json_values import write
from caldera.types.registry import lookup


def rows(session, *question, with_zones=False):
    """A row for each value; none if an argument is NULL."""
    if None not in question:
        for value in found(session, *question, with_zones=with_zones):
            yield (write(plain(value)),)


def rows_with_zones(session, *question):
    """The same where times with and without a zone may be compared."""
    return rows(session, *question, with_zones=True)


ARGUMENTS = tuple(map(lookup, ("jsonb", "jsonpath", "jsonb", "bool")))
for name, body in (("jsonb_path_query", rows), ("jsonb_path_query_tz", rows_with_zones)):
    for count in (2, 3, 4):
        TABLE_FUNCTIONS.setdefault(name, []).append(TableFunction(
            name, ARGUMENTS[:count], ((name, lookup("jsonb")),), body, doc="What a jsonpath finds"))
