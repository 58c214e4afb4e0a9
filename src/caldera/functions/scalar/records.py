"""Records as wholes: comparisons, in the order of the first fields that differ, where two NULLs are alike; their JSON."""
from caldera.functions.registry import scalar
from caldera.functions.scalar.comparison import OPERATORS, compared
from caldera.types.json_of_datums import record_json


def comparison(symbol):
    """The body of a comparison of two records of one type."""
    return lambda call, a, b: compared(call.k, call.types[0], symbol, a, b)


for operator, (suffix, words, holds) in OPERATORS.items():
    scalar(f"record_{suffix}(record, record) -> bool", operator=operator,
           doc=f"Whether the left record is {words} the right one: field by field, NULL last.",
           example=f"SELECT record_{suffix}(ROW(1, 2), ROW(1, 3))  -- {'t' if holds else 'f'}")(comparison(operator))


@scalar("row_to_json(record) -> json", python=True, wants_session=True, wants_types=True, volatility="s",
        doc="A record as an object of json.", example="SELECT row_to_json(ROW(1, 'foo'))  -- {\"f1\":1,\"f2\":\"foo\"}")
def row_to_json(session, types, record):
    return record_json(types[0], record, session, ",")


@scalar("row_to_json(record, bool) -> json", python=True, wants_session=True, wants_types=True, volatility="s",
        doc="A record as an object of json, with line feeds between its members.",
        example="SELECT row_to_json(ROW(1), true)  -- {\"f1\":1}")
def row_to_json_pretty(session, types, record, line_feeds):
    return record_json(types[0], record, session, ",\n " if line_feeds else ",")
