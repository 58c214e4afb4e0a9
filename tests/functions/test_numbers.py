"""Functions on numbers against PostgreSQL: every definition, over the edges of its argument types, in every tier."""
import itertools
import random
from decimal import Decimal

import pytest

import caldera.functions.scalar.boolean
import caldera.functions.scalar.comparison
import caldera.functions.scalar.floats
import caldera.functions.scalar.integers
import caldera.functions.scalar.math
import caldera.functions.scalar.number_casts
import caldera.functions.scalar.numeric  # noqa: F401
from caldera.functions import registry
from tests.functions.staged import TIERS, evaluate

MODULES = ["integers", "boolean", "floats", "math", "numeric", "number_casts", "comparison"]
INFINITE, NOT_A_NUMBER = float("inf"), float("nan")
EDGES = {
    "bool": [True, False],
    "int2": [-2**15, -181, -7, -1, 0, 1, 2, 3, 16, 182, 2**15 - 1],
    "int4": [-2**31, -46341, -7, -1, 0, 1, 2, 3, 16, 31, 32, 33, 46341, 65536, 2**31 - 1],
    "int8": [-2**63, -3037000500, -2**31 - 1, -7, -1, 0, 1, 2, 3, 20, 2**31, 2**53 + 1,
             2**54 + 2**30 + 1, 10**18, 16777217, 2**63 - 1],
    "float4": [-INFINITE, -3.4028234663852886e38, -2.5, -1.0, -1.401298464324817e-45, -0.0, 0.0, 1.1754943508222875e-38,
               0.30000001192092896, 0.5, 1.5, 2.5, 32767.5, 2147483648.0, 16777216.0, 3.4028234663852886e38, INFINITE,
               NOT_A_NUMBER],
    "float8": [-INFINITE, -1.7976931348623157e308, -9223372036854775808.0, -1e19, -720.5, -90.0, -2.5, -1.0, -0.5, -5e-324,
               -0.0, 0.0, 5e-324, 2.2250738585072014e-308, 1e-39, 0.1, 0.5, 0.6, 1.0, 1.5, 2.5, 3.0, 45.0, 60.5, 171.5,
               720.0, 32767.5, 2147483647.5, 123456789.125, 9007199254740993.0, 9.223372036854775e18, 3.5e38, 1e200,
               1.7976931348623157e308, INFINITE, NOT_A_NUMBER],
    "numeric": [Decimal(text) for text in (
        "1.33333333333333333333", "123456789.0123456789012345", "9007199254740993.00000000000000001",
        "-16777217.0000000001",
        "NaN", "Infinity", "-Infinity", "0", "0.00", "1", "-1", "1.0", "1.000000000000000000000000000000", "0.5", "-0.5",
        "1.5",        "2.5", "-2.5", "0.1", "-0.001", "10", "12345.67", "-99999.99", "32767.5", "32767.4",
        "-32768.5", "2147483647.49",
        "2147483647.5", "-2147483648.5", "9223372036854775807.4", "9223372036854775807.5", "-9223372036854775808.5",
        "9007199254740993", "16777217", "0.30000000000000004", "1e-30", "3.4028236e38", "1e39", "1e-46", "1e309", "1e-320",
        "2596148429267413814265248164610047", "-2596148429267413814265248164610048", "2596148429267413814265248164610048",
        "123456789012345678901234567890.123456789", "-0.000000000000000000000000000000000000001", "7e60",
        "0.33333333333333333333")],
}
EDGES["numeric"] = [Decimal(int(number)) if number.is_finite() and number.as_tuple().exponent > 0 else number
                    for number in EDGES["numeric"]]
ROWS_MAX = 400
pytestmark = [pytest.mark.slow, pytest.mark.oracle]
ATTEMPT = """
CREATE FUNCTION attempt(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN EXECUTE statement INTO result; RETURN result;
EXCEPTION WHEN OTHERS THEN RETURN '! ' || SQLSTATE || ' ' || SQLERRM; END $$
"""


def own_functions():
    """The functions that the modules above define on the types above."""
    modules = {f"caldera.functions.scalar.{name}" for name in MODULES}
    return [function for name in sorted(registry.FUNCTIONS) for function in registry.FUNCTIONS[name]
            if function.body.__module__ in modules and function.arguments and function.volatility == "i"
            and all(getattr(type, "name", "") in EDGES for type in function.arguments)]


def rows_for(function):
    """Combinations of edges, all of them if they are not too many."""
    columns = [EDGES[type.name] for type in function.arguments]
    rows = list(itertools.product(*columns))
    if len(rows) > ROWS_MAX:
        rows = random.Random(repr(function)).sample(rows, ROWS_MAX)
    return rows


def literal(type, datum):
    return f"'{type.format(datum)}'::{type.name}"


def written(function, answer):
    """An answer of `evaluate` as `attempt` writes it."""
    if isinstance(answer, tuple):
        return "! " + " ".join(answer)
    return None if answer is None else function.result.format(answer)


@pytest.fixture(scope="module")
def postgres(oracle):
    with oracle.session(ATTEMPT) as session:
        yield session


def expected(postgres, function, rows):
    """PostgreSQL's answers."""
    calls = [f'SELECT pg_catalog."{function.name}"({", ".join(map(literal, function.arguments, row))})' for row in rows]
    quoted = ", ".join("'" + call.replace("'", "''") + "'" for call in calls)
    answer = postgres.run(f"SELECT attempt(statement) FROM unnest(ARRAY[{quoted}]::text[]) "
                          "WITH ORDINALITY AS t (statement, n) ORDER BY n")
    return [text for text, in answer.rows]


def same(function, got, wanted):
    """Equal texts; of several things wrong with one row PostgreSQL names the first, we any."""
    if got == wanted or function.result.name == "bool" and {"t": "true", "f": "false"}.get(got) == wanted:
        return True
    return bool(got and wanted and got.startswith("! ") and wanted.startswith("! ") and got[:7] == wanted[:7])


@pytest.mark.parametrize("function", own_functions(), ids=repr)
def test_function_gives_what_postgresql_gives(postgres, function):
    rows = rows_for(function)
    wanted = expected(postgres, function, rows)
    for tier in ("python",) if function.python else TIERS:
        answers = [written(function, answer) for answer in evaluate(function, rows, tier)]
        wrong = [(row, got, right) for row, got, right in zip(rows, answers, wanted) if not same(function, got, right)]
        assert not wrong, f"{tier}: {len(wrong)} of {len(rows)}: {wrong[:5]}"


def test_null_gives_null():
    for function in own_functions():
        if function.strict:
            row = tuple(EDGES[type.name][1] for type in function.arguments)
            assert evaluate(function, [(None, *row[1:])]) == [None], function
