"""Options of COPY that are wrong or do not go together: SQLSTATE and message are PostgreSQL's, before a file is opened."""
import pytest

import caldera

BOTH = ["FORMAT xml", "DELIMITER 'ab'",
        r"DELIMITER E'\n'", "DELIMITER 'a'", r"DELIMITER '\'", "DELIMITER '.'", "DELIMITER ''",
        r"NULL E'a\nb'", r"FORMAT csv, NULL E'a\nb'", "FORMAT csv, DELIMITER '\"'", "FORMAT csv, QUOTE 'ab'",
        "FORMAT csv, ESCAPE 'ab'", "FORMAT csv, NULL ','", "FORMAT csv, NULL '\"'", "FORMAT csv, DELIMITER ';', NULL ';a'",
        r"NULL E'a\tb'", "FORMAT csv, FORMAT text", "HEADER 3", "HEADER nope", "NOPE 1", "QUOTE '\"'", "ESCAPE 'x'",
        "FORCE_NULL (t)", "FORCE_QUOTE *", "LOG_VERBOSITY nope", "REJECT_LIMIT 5", "FORMAT 'CSV'", "FREEZE nope"]
FROM = ["DEFAULT 'x', NULL 'x'", "FORMAT csv, DEFAULT '\"'", r"DEFAULT E'\n'", r"DEFAULT E'a\tb'", "ON_ERROR nope",
        r"DEFAULT '\N'", "FORMAT csv, FORCE_QUOTE (t)", "FORMAT csv, FORCE_QUOTE nope",
        "FORMAT csv, FORCE_NULL (nope)",
        "FORMAT csv, FORCE_NOT_NULL (id, id)"]
TO = ["HEADER match", "ON_ERROR ignore", "ON_ERROR stop", "FREEZE", "DEFAULT 'x'", "FORMAT csv, FORCE_NULL (t)",
      "FORMAT csv, FORCE_NOT_NULL *", "FORMAT csv, FORCE_QUOTE (nope)", "FORMAT csv, FORCE_QUOTE (t, t)"]
CASES = [(direction, options) for direction, some in (("FROM", BOTH + FROM), ("TO", BOTH + TO)) for options in some]


@pytest.fixture(scope="module")
def connection():
    with caldera.connect() as opened:
        opened.execute("CREATE TABLE t (id int, t text)")
        yield opened


@pytest.mark.parametrize("direction, options", CASES)
def test_wrong_options_are_refused_as_in_postgresql(connection, postgres, direction, options):
    statement = f"COPY t {direction} '/no/such/file' ({options})"
    postgres.run("CREATE TABLE t (id int, t text)")
    theirs = postgres.query(statement)
    with pytest.raises(caldera.Error) as caught:
        connection.execute(statement)
    assert theirs.sqlstate not in ("58P01", "42501")
    assert (caught.value.sqlstate, caught.value.message) == (theirs.sqlstate, theirs.message)


def test_any_letter_may_stand_between_values(connection, tmp_path):
    connection.execute(f"COPY (SELECT 'axb', 'c', 'd]e') TO '{tmp_path}/x.csv' (FORMAT csv, DELIMITER 'x')")
    assert (tmp_path / "x.csv").read_text() == '"axb"xcxd]e\n'


def test_defaults_for_marked_values_are_refused_rather_than_left_out(connection):
    with pytest.raises(caldera.NotSupportedError, match="COPY DEFAULT"):
        connection.execute("COPY t FROM '/no/such/file' (FORMAT csv, DEFAULT 'd')")
