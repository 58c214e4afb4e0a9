"""SET and SHOW: what values settings take. SQLSTATEs, messages and hints are PostgreSQL's."""
import pytest

import caldera
from caldera.base.inert_settings import GROUPS


@pytest.fixture
def connection():
    with caldera.connect() as connection:
        yield connection


@pytest.mark.parametrize("name, value, shown", [
    ("extra_float_digits", "1.5", "2"), ("extra_float_digits", "'0x2'", "2"), ("extra_float_digits", "-15", "-15"),
    ("work_mem", "65536", "64MB"), ("work_mem", "'1 GB'", "1GB"), ("statement_timeout", "'1.5s'", "1500ms"),
    ("client_encoding", "'utf-8'", "UTF8"), ("client_encoding", "unicode", "UTF8"), ("my.own", "'some text'", "some text"),
    ("a.b.c", "5", "5"),
    ("enable_seqscan", "off", "off"), ("jit", "false", "off"), ("effective_cache_size", "100", "800kB"),
    ("temp_buffers", "'10MB'", "10MB"), ("random_page_cost", "1.1", "1.1"), ("seq_page_cost", "1e20", "1e+20"),
    ("plan_cache_mode", "force_custom_plan", "force_custom_plan"), ("log_min_duration_statement", "1000", "1s"),
    ("log_min_duration_statement", "-1", "-1"), ("lc_messages", "'C'", "C"), ("role", "none", "none"),
    ("disabled_rules", "'top_n,  totals'", "top_n, totals"), ("seed", "0.5", "unavailable"),
    ("idle_session_timeout", "'0 s'", "0"), ("standard_conforming_strings", "'tr'", "on")])
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
    ("work_mem", "1", "22023",
     '1 kB is outside the valid range for parameter "work_mem" (64 kB .. 2147483647 kB)', None),
    ("work_mem", "'10TB'", "22023", 'invalid value for parameter "work_mem": "10TB"', "Value exceeds integer range."),
    ("temp_buffers", "10", "22023",
     '10 8kB is outside the valid range for parameter "temp_buffers" (100 8kB .. 1073741823 8kB)', None),
    ("random_page_cost", "-1", "22023",
     '-1 is outside the valid range for parameter "random_page_cost" (0 .. 1.79769e+308)', None),
    ("enable_sort", "maybe", "22023", 'parameter "enable_sort" requires a Boolean value', None),
    ("geqo_threshold", "1", "22023", '1 is outside the valid range for parameter "geqo_threshold" (2 .. 2147483647)', None),
    ("seed", "2", "22023", '2 is outside the valid range for parameter "seed" (-1 .. 1)', None),
    ("role", "nosuch", "22023", 'role "nosuch" does not exist', None),
    ("session_authorization", "nosuch", "22023", 'role "nosuch" does not exist', None),
    ("lc_collate", "'C'", "42704", 'unrecognized configuration parameter "lc_collate"', None),
    ("nosuch", "1", "42704", 'unrecognized configuration parameter "nosuch"', None)])
def test_a_wrong_value_is_refused(connection, name, value, state, message, extra):
    with pytest.raises(caldera.Error) as caught:
        connection.execute(f"SET {name} = {value}")
    fault = caught.value
    assert (fault.sqlstate, fault.message, fault.detail or fault.hint) == (state, message, extra)


def test_only_rules_that_there_are_can_be_disabled(connection):
    with pytest.raises(caldera.Error) as caught:
        connection.execute("SET disabled_rules = 'top_n, nosuch'")
    assert (caught.value.sqlstate, caught.value.message) == ("22023", 'unrecognized optimizer rule "nosuch"')
    assert "predicate_push_down" in caught.value.hint


@pytest.mark.parametrize("statement", ["SET standard_conforming_strings = off", "SET client_encoding = 'LATIN1'",
                                       "SET idle_session_timeout = 1000", "SET transform_null_equals = on"])
def test_a_setting_without_effect_here_is_refused(connection, statement):
    with pytest.raises(caldera.NotSupportedError):
        connection.execute(statement)


def test_settings_that_change_nothing_have_the_defaults_and_bounds_of_postgres(postgres):
    theirs = {name: bounds for name, *bounds in postgres.query(
        "SELECT name, CASE vartype WHEN 'string' THEN setting ELSE boot_val END, min_val, max_val, enumvals "
        "FROM pg_settings").rows}
    for parse, names in GROUPS:
        for name, _, value in (item.partition("=") for item in names.split()):
            default, low, high, words = theirs[name]
            assert parse(value) == value == parse(default), name
            for bound in (low, high):
                if bound is not None and not name.endswith("session_timeout") and name != "transaction_timeout":
                    postgres.run(f"SET {name} = '{bound}'")
                    kept = postgres.query(f"SHOW {name}").rows[0][0]
                    assert parse(bound) == kept or name.startswith("tcp_"), (name, bound)
            for word in (words or "{}").strip("{}").split(",") if words else ():
                assert parse(word) == word or name == "default_toast_compression", (name, word)


def test_the_seed_is_a_setting_and_a_function(connection):
    connection.execute("SET SEED TO 0.5")
    after_set = connection.execute("SELECT random()").fetchone()
    connection.execute("SELECT setseed(0.5)")
    assert connection.execute("SELECT random()").fetchone() == after_set


def test_there_is_one_user(connection):
    connection.execute("SET ROLE NONE")
    connection.execute("SET SESSION AUTHORIZATION DEFAULT")
    assert connection.execute("SHOW session_authorization").fetchone() == connection.execute("SELECT user").fetchone()


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
