"""The oracle itself: what it is and what shape its answers have."""
import pytest

pytestmark = pytest.mark.oracle


def test_the_oracle_is_postgresql_18_with_a_builtin_utf8_locale_and_utc(oracle):
    assert oracle.query("SHOW server_version").rows[0][0].startswith("18.")
    assert oracle.query("SELECT datlocprovider, datlocale, pg_encoding_to_char(encoding), current_setting('timezone') "
                        "FROM pg_database WHERE datname = current_database()").rows == [("b", "C.UTF-8", "UTF8", "UTC")]


def test_values_are_text_and_types_are_oids(oracle):
    answer = oracle.query("SELECT 1.50 AS price, NULL::text, 1e15::float8, E'\\\\xff'::bytea")
    assert answer.columns == ("price", "text", "float8", "bytea")
    assert answer.oids == (1700, 25, 701, 17)
    assert answer.rows == [("1.50", None, "1e+15", "\\xff")]


def test_an_error_is_an_answer_with_its_sqlstate(oracle):
    answer = oracle.query("SELECT 1 / 0")
    assert (answer.sqlstate, answer.message) == ("22012", "division by zero")


def test_a_session_has_tables_of_its_own(oracle):
    with oracle.session("CREATE TABLE t (x int); INSERT INTO t VALUES (1)") as first, oracle.session() as second:
        assert first.query("TABLE t").rows == [("1",)]
        assert second.query("TABLE t").sqlstate == "42P01"
