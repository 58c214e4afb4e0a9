"""Functions on dates, times, timestamps and intervals against PostgreSQL: every definition, over the edges of its argument
types, in every tier, and those that know a time zone in several."""
import datetime
import itertools
import random

import pytest

import caldera.functions
from caldera.functions import registry
from caldera.functions.scalar.fields import SPECIALS, UNITS
from caldera.types.registry import lookup
from tests.functions.staged import TIERS, evaluate, find

caldera.functions.load()
MODULES = {f"caldera.functions.scalar.{name}" for name in "dates times timestamps intervals zones truncation".split()}
ZONES = "UTC", "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"
MOMENTS = ["2000-01-01 00:00:00", "1999-12-31 23:59:59.999999", "2024-02-29 12:34:56.789012", "1970-01-01 00:00:00",
           "4714-11-24 00:00:00 BC", "294276-12-31 23:59:59.999999", "infinity", "-infinity", "0001-01-01 00:00:00",
           "0001-12-31 23:59:59 BC", "2024-03-31 02:30:00", "2024-10-27 02:30:00", "2024-03-10 02:30:00",
           "2024-11-03 01:30:00", "1883-11-18 12:00:00", "1800-01-01 10:00:00", "3000-07-01 12:00:00",
           "2024-01-31 00:00:00", "2024-04-06 15:10:00", "0100-12-31 23:00:00 BC"]
EDGES = {
    "date": ["2000-01-01", "1999-12-31", "2024-02-29", "1970-01-01", "4714-11-24 BC", "5874897-12-31", "infinity",
             "-infinity", "0001-01-01", "0001-12-31 BC", "294276-12-31", "294277-01-01", "2021-01-03", "2020-12-31",
             "1900-02-28"],
    "time": ["00:00:00", "24:00:00", "12:34:56.789012", "23:59:59.999999", "00:00:00.000001", "01:02:03.5"],
    "timestamp": MOMENTS,
    "timestamptz": [text if "inf" in text else text.replace(" BC", "+00 BC") if " BC" in text else text + "+00"
                    for text in MOMENTS],
    "interval": ["0", "1 day", "-1 day", "1 month", "-1 month", "13 months", "1 year 2 mons 3 days 04:05:06.789",
                 "-1 year -2 mons +3 days -04:05:06.789", "25:00:00", "-00:00:00.000001", "infinity", "-infinity",
                 "178000000 years", "-178000000 years", "2147483647 days", "-2147483648 days", "2562047788:00:54.775807",
                 "40 days 30:00:00", "1 mon -1 hour", "-2147483648 months", "100 years", "1 month -30 days",
                 "36500000 days"],
    "int4": ["0", "1", "-1", "2", "12", "30", "31", "1000", "-4714", "2024", "2147483647", "-2147483648", "5000", "294276"],
    "float8": ["0", "1", "-1", "0.5", "1.5", "-2.25", "1e10", "NaN", "Infinity", "-Infinity", "0.3333333", "59.9999999",
               "60"],
}
ZONE_NAMES = ["UTC", "Europe/Paris", "america/new_york", "EST", "CEST", "MSK", "CET-1CEST", "+5", "-5", "5", "+05:30", "foo",
              ""]
ROWS_MAX = 200
ATTEMPT = """
CREATE FUNCTION attempt(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN EXECUTE statement INTO result; RETURN result;
EXCEPTION WHEN OTHERS THEN RETURN '! ' || SQLSTATE || ' ' || SQLERRM; END $$
"""


class Session:
    """As much of a session as functions ask for."""

    def __init__(self, zone):
        self.settings = {"timezone": zone, "datestyle": "ISO, MDY", "intervalstyle": "postgres", "extra_float_digits": "1"}

    def setting(self, name):
        return self.settings[name.lower()]

    def now(self):
        return datetime.datetime(2024, 5, 6, 7, 8, 9, tzinfo=datetime.UTC)


@pytest.fixture(scope="module")
def postgres(oracle):
    with oracle.session(ATTEMPT) as session:
        yield session
        session.run("RESET timezone")


def own_functions():
    """The definitions of the modules above whose arguments all have edges here."""
    return [function for name in sorted(registry.FUNCTIONS) for function in registry.FUNCTIONS[name]
            if function.body.__module__ in MODULES and function.arguments and not is_cast_to_itself(function)
            and all(getattr(type, "name", "") in EDGES for type in function.arguments)
            and not (name == "age" and len(function.arguments) == 1)]


def is_cast_to_itself(function):
    """Whether a definition applies a modifier; PostgreSQL's has the modifier as an argument."""
    return function.cast and function.arguments == (function.result,)


def rows_for(function):
    """Combinations of edges, all of them if they are not too many."""
    columns = [EDGES[type.name] for type in function.arguments]
    numbers = random.Random(repr(function))
    size = 1
    for column in columns:
        size *= len(column)
    rows = list(itertools.product(*columns)) if size <= ROWS_MAX else \
        [tuple(map(numbers.choice, columns)) for _ in range(ROWS_MAX)]
    if function.arguments[-1].name == "int4" and function.arguments[0] == function.result != lookup("date"):
        rows = [(*row[:-1], str(int(row[-1]) % 7)) for row in rows]         # a precision
    if not function.strict:
        rows = [tuple(None if numbers.random() < 0.1 else value for value in row) for row in rows]
    return rows


def check(postgres, function, rows, zone, static=(), tiers=TIERS):
    """The answers to rows of texts, by us and by PostgreSQL. `static`: datums known while staging, by argument."""
    session = Session(zone)
    postgres.run(f"SET timezone = '{zone}'")
    datums = [tuple(None if text is None else type.parse(text, None, session) for type, text in zip(function.arguments, row))
              for row in rows]
    literals = [", ".join("NULL" + f"::{type.name}" if text is None else f"{type.name} '{text}'"
                          for type, text in zip(function.arguments, row)) for row in rows]
    quoted = ", ".join("'" + f'SELECT pg_catalog."{function.name}"({arguments})::text'.replace("'", "''") + "'"
                       for arguments in literals)
    wanted = [text for text, in postgres.run(f"SELECT attempt(statement) FROM unnest(ARRAY[{quoted}]::text[]) "
                                             "WITH ORDINALITY AS t (statement, n) ORDER BY n").rows]
    for tier in ("python",) if function.python else tiers:
        answers = [written(function, answer, session) for answer in evaluate(function, datums, tier, session, static)]
        wrong = [(row, got, right) for row, got, right in zip(rows, answers, wanted) if got != right]
        assert not wrong, f"{tier}, {zone}: {len(wrong)} of {len(rows)}: {wrong[:5]}"


def written(function, answer, session):
    """An answer of `evaluate` as `attempt` writes it."""
    if isinstance(answer, tuple) and type(answer) is tuple:
        return "! " + " ".join(answer)
    if function.result.name == "bool" and answer is not None:
        return "true" if answer else "false"
    return None if answer is None else function.result.format(answer, session)


@pytest.mark.oracle
@pytest.mark.parametrize("function", own_functions(), ids=repr)
def test_function_gives_what_postgresql_gives(postgres, function):
    zoned = any(type.name == "timestamptz" for type in (*function.arguments, function.result))
    for zone in ZONES if zoned else ZONES[:1]:
        check(postgres, function, rows_for(function), zone, tiers=TIERS if zone in ZONES[:2] else ("fast",))


@pytest.mark.oracle
@pytest.mark.parametrize("kind", ["date", "time", "timestamp", "timestamptz", "interval"])
@pytest.mark.parametrize("name", ["extract", "date_part", "date_trunc"])
def test_every_field_is_taken_and_cut_as_postgresql_does(postgres, name, kind):
    if (name, kind) in (("date_trunc", "date"), ("date_trunc", "time")):
        return
    function = find(f"{name}(text, {kind})")
    unlike = {"now", "today", "infinity", "allballs"} if kind == "interval" else set()
    for zone in ("UTC", "America/St_Johns") if kind == "timestamptz" else ("UTC",):
        for field in sorted(set(UNITS.values()) | set(SPECIALS) | {"foo", "MONTH", "microseconds", "yr"}):
            static = (field, None) if function.static else ()
            if field in unlike or field in ("julian", "jd", "j") and function.static and (name, kind) != ("extract", "date"):
                continue                                # the Julian day is computed in Python, out of line
            check(postgres, function, [(field, value) for value in EDGES[kind]], zone, static, ("python", "fast"))


@pytest.mark.oracle
@pytest.mark.parametrize("zone", ZONE_NAMES)
def test_a_named_zone_means_what_it_means_to_postgresql(postgres, zone):
    for signature in ("timezone(text, timestamptz)", "timezone(text, timestamp)"):
        function = find(signature)
        if zone != "MSK":                               # has meant different offsets, and is looked up row by row
            rows = [(zone, value) for value in EDGES[function.arguments[1].name]]
            check(postgres, function, rows, "Asia/Tokyo", (zone, None), ("python", "fast"))
    steps = [(moment, step, zone) for moment in EDGES["timestamptz"] for step in ("1 day", "1 month -3 hours")]
    for signature, rows in (("date_add(timestamptz, interval, text)", steps),
                            ("make_timestamptz(int4, int4, int4, int4, int4, float8, text)",
                             [("2024", "2", "3", "1", "0", "1.5", zone)])):
        check(postgres, find(signature), rows, "Asia/Tokyo")


@pytest.mark.oracle
@pytest.mark.parametrize("kind", ["time", "timestamp", "timestamptz", "interval"])
def test_a_precision_rounds_as_postgresql_does(postgres, kind):
    function, session = find(f"{kind}({kind})"), Session("UTC")
    postgres.run("SET timezone = 'UTC'")
    for precision in range(7):
        modifier = (0x7FFF, precision) if kind == "interval" else (precision,)
        wanted = [postgres.query(f"SELECT ({kind} '{text}')::{kind}({precision})::text") for text in EDGES[kind]]
        datums = [(function.result.parse(text, None, session),) for text in EDGES[kind]]
        for tier in TIERS:
            answers = evaluate(function, datums, tier, session, result_modifier=modifier)
            for text, answer, right in zip(EDGES[kind], answers, wanted):
                right = f"! {right.sqlstate} {right.message}" if right.failed else right.rows[0][0]
                assert written(function, answer, session) == right, (text, precision, tier)


def test_null_gives_null():
    for function in own_functions():
        if function.strict and not function.python:
            row = [type.parse(EDGES[type.name][0], None, None) for type in function.arguments]
            assert evaluate(function, [(None, *row[1:])], session=Session("UTC")) == [None], function


def test_series_of_timestamps_stop_where_postgresql_stops():
    series = next(function for function in registry.TABLE_FUNCTIONS["generate_series"]
                  if function.arguments[0].name == "timestamp")
    timestamp, interval = lookup("timestamp"), lookup("interval")

    def rows(start, stop, step):
        found = series.rows(None, timestamp.parse(start), timestamp.parse(stop), interval.parse(step))
        return [timestamp.format(moment) for moment, in found]
    assert rows("2024-01-31", "2024-05-01", "1 month") == [
        "2024-01-31 00:00:00", "2024-02-29 00:00:00", "2024-03-29 00:00:00", "2024-04-29 00:00:00"]
    assert rows("2024-01-01", "2023-12-31", "1 day") == []
    assert rows("2024-01-02", "2024-01-01", "-1 day") == ["2024-01-02 00:00:00", "2024-01-01 00:00:00"]
    for stop, step, message in (("2024-01-02", "0", "step size cannot equal zero"),
                                ("2024-01-02", "infinity", "step size cannot be infinite"),
                                ("infinity", "99999 years", "timestamp out of range")):
        with pytest.raises(caldera.base.errors.Error, match=message):
            rows("2024-01-01", stop, step)
