"""SET and SHOW: what values settings take. SQLSTATEs, messages and hints are PostgreSQL's."""
import pytest

import caldera


@pytest.fixture
def connection():
    with caldera.connect() as connection:
        yield connection


@pytest.mark.parametrize("name, value, shown", [
    ("extra_float_digits", "1.5", "2"), ("extra_float_digits", "'0x2'", "2"), ("extra_float_digits", "-15", "-15"),
    ("work_mem", "65536", "64MB"), ("work_mem", "'1 GB'", "1GB"), ("statement_timeout", "'1.5s'", "1500ms"),
    ("client_encoding", "'utf-8'", "UTF8"), ("client_encoding", "unicode", "UTF8"), ("my.own", "'some text'", "some text"),
    ("a.b.c", "5", "5"), ("standard_conforming_strings", "'tr'", "on")])
def test_a_setting_is_shown_in_its_canonical_form(connection, name, value, shown):
    connection.execute(f"SET {name} = {value}")
    assert connection.execute(f"SHOW {name}").fetchone() == (shown,)
    assert connection.execute(f"SELECT current_setting('{name}')").fetchone() == (shown,)


@pytest.mark.parametrize("name, value, state, message, extra", [
    ("extra_float_digits", "4", "22023", '4 is outside the valid range for parameter "extra_float_digits" (-15 .. 3)', None),
    ("extra_float_digits", "x", "22023", 'invalid value for parameter "extra_float_digits": "x"', None),
    ("statement_timeout", "-1", "22023",
     '-1 ms is outside the valid range for parameter "statement_timeout" (0 ms .. 2147483647 ms)', None),
    ("statement_timeout", "'1 fortnight'", "22023", 'invalid value for parameter "statement_timeout": "1 fortnight"',
     'Valid units for this parameter are "us", "ms", "s", "min", "h", and "d".'),
    ("work_mem", "'1 foo'", "22023", 'invalid value for parameter "work_mem": "1 foo"',
     'Valid units for this parameter are "B", "kB", "MB", "GB", and "TB".'),
    ("bytea_output", "foo", "22023", 'invalid value for parameter "bytea_output": "foo"', "Available values: escape, hex."),
    ("standard_conforming_strings", "maybe", "22023",
     'parameter "standard_conforming_strings" requires a Boolean value', None),
    ("DateStyle", "nope", "22023", 'invalid value for parameter "DateStyle": "nope"', 'Unrecognized key word: "nope".'),
    ("DateStyle", "'ISO, German'", "22023", 'invalid value for parameter "DateStyle": "ISO, German"',
     'Conflicting "DateStyle" specifications.'),
    ("client_encoding", "nope", "22023", 'invalid value for parameter "client_encoding": "nope"', None),
    ("nosuch", "1", "42704", 'unrecognized configuration parameter "nosuch"', None)])
def test_a_wrong_value_is_refused(connection, name, value, state, message, extra):
    with pytest.raises(caldera.Error) as caught:
        connection.execute(f"SET {name} = {value}")
    fault = caught.value
    assert (fault.sqlstate, fault.message, fault.detail or fault.hint) == (state, message, extra)


@pytest.mark.parametrize("statement", ["SET standard_conforming_strings = off", "SET client_encoding = 'LATIN1'"])
def test_a_setting_without_effect_here_is_refused(connection, statement):
    with pytest.raises(caldera.NotSupportedError):
        connection.execute(statement)


def test_names_with_a_period_are_free_but_for_those_of_the_database(connection):
    with pytest.raises(caldera.Error) as caught:
        connection.execute("SET caldera.nosuch = 1")
    assert (caught.value.sqlstate, caught.value.detail) == ("42602", '"caldera" is a reserved prefix.')
    with pytest.raises(caldera.Error, match="unrecognized"):
        connection.execute("SHOW my.own")
    connection.execute("BEGIN")
    connection.execute("SET my.own = 1")
    connection.execute("ROLLBACK")
    with pytest.raises(caldera.Error, match="unrecognized"):
        connection.execute("SHOW my.own")
