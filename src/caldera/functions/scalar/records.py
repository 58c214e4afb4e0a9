"""Records as wholes: comparisons, in the order of the first fields that differ, where two NULLs are alike; their JSON."""
import operator
from functools import partial

from caldera.functions.registry import scalar
from caldera.functions.scalar.comparison import OPERATORS, compared
from caldera.types.json_of_datums import record_json
from caldera.types.mixed_records import members_of, order_of
from caldera.types.registry import TYPES

HOLDS = {"=": operator.eq, "<>": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def comparison(symbol):
    """The body of a comparison of two records: of one type in generated code, of mixed ones in Python."""
    def body(call, a, b):
        types = call.types
        if types[0] is types[1] and len(members_of(types[0])) == 1:
            return compared(call.k, types[0], symbol, a, b)
        return call.python(partial(holds, HOLDS[symbol], types), types, TYPES["bool"], [a, b])
    return body


def holds(test, types, a, b):
    """Whether a comparison of two records holds, whatever their fields. Raises 42804 if these cannot be compared."""
    return test(order_of(types, a, b), 0)


for symbol, (suffix, words, for_smaller) in OPERATORS.items():
    scalar(f"record_{suffix}(record, record) -> bool", operator=symbol,
           doc=f"Whether the left record is {words} the right one: field by field, NULL last.",
           example=f"SELECT record_{suffix}(ROW(1, 2), ROW(1, 3))  -- {'t' if for_smaller else 'f'}")(comparison(symbol))


@scalar("btrecordcmp(record, record) -> int4", python=True, wants_types=True,
        doc="-1, 0 or 1 as the left record sorts before, with or behind the right one.",
        example="SELECT btrecordcmp(ROW(1, 2), ROW(1, 3))  -- -1")
def btrecordcmp(types, a, b):
    return order_of(types, a, b)


@scalar("row_to_json(record) -> json", python=True, wants_session=True, wants_types=True, volatility="s",
        doc="A record as an object of json.", example="SELECT row_to_json(ROW(1, 'foo'))  -- {\"f1\":1,\"f2\":\"foo\"}")
def row_to_json(session, types, record):
    return record_json(types[0], record, session, ",")


@scalar("row_to_json(record, bool) -> json", python=True, wants_session=True, wants_types=True, volatility="s",
        doc="A record as an object of json, with line feeds between its members.",
        example="SELECT row_to_json(ROW(1), true)  -- {\"f1\":1}")
def row_to_json_pretty(session, types, record, line_feeds):
    return record_json(types[0], record, session, ",\n " if line_feeds else ",")
