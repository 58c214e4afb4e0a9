"""Parameters: placeholders of both styles, and what Python objects become."""
import datetime
import decimal
import uuid

import numpy
import pandas
import pytest

import caldera
from caldera.client.parameters import bound, translate

UTC = datetime.UTC


@pytest.fixture(scope="module")
def connection():
    with caldera.connect(TimeZone="UTC") as connection:
        yield connection


@pytest.mark.parametrize("text, translated, names", [
    ("a = %s AND b = %s", "a = $1 AND b = $2", (None, None)),
    ("a = %(x)s OR b = %(y)s OR c = %(x)s", "a = $1 OR b = $2 OR c = $1", ("x", "y")),
    ("a LIKE 'x%%' AND b = %s AND c %% 2 = 0", "a LIKE 'x%' AND b = $1 AND c % 2 = 0", (None,)),
    ("a = '%s' AND b = %s -- %s", "a = '%s' AND b = $1 -- %s", (None,)),
    ("$x$ %s $x$ || %s", "$x$ %s $x$ || $1", (None,)),
    ("E'\\'%s' || %s", "E'\\'%s' || $1", (None,)),
    ("a LIKE '%s%' AND b = $1", "a LIKE '%s%' AND b = $1", ()),
    ("a % b = $2", "a % b = $2", ()),
    ("100 %% 7", "100 % 7", ()),
])
def test_placeholders_of_every_style_become_numbered_ones(text, translated, names):
    assert translate(text)[:2] == (translated, names)


def test_a_text_without_parameters_is_left_alone(connection):
    assert bound("SELECT '%s' LIKE '%'", None) == ("SELECT '%s' LIKE '%'", [])
    assert connection.sql("SELECT 7 % 4").fetchone() == (3,)


@pytest.mark.parametrize("text, parameters", [
    ("SELECT %s, %s", (1,)), ("SELECT %s", (1, 2)), ("SELECT %(a)s", (1,)), ("SELECT %s", {"a": 1}), ("SELECT %(a)s", {}),
    ("SELECT %s, $1", (1,)), ("SELECT 1", (1,)), ("SELECT $2", (1,))])
def test_parameters_that_do_not_fit_are_refused(connection, text, parameters):
    with pytest.raises(caldera.ProgrammingError):
        connection.execute(text, parameters)


def test_names_are_given_to_both_ways_of_running(connection):
    for parameters in ({"a": 1}, {"a": 1, "unused": 2}):
        assert connection.sql("SELECT %(a)s", parameters).fetchone() == (1,)
        assert connection.execute("SELECT %(a)s", parameters).fetchone() == (1,)
    with pytest.raises(caldera.ProgrammingError, match="parameter a is missing"):
        connection.sql("SELECT %(a)s", {})


def test_several_statements_take_no_parameters(connection):
    with pytest.raises(caldera.ProgrammingError) as caught:
        connection.execute("SELECT $1::int; SELECT 2", [1])
    assert caught.value.sqlstate == "42601"


@pytest.mark.parametrize("thing, type", [
    (True, "boolean"), (7, "integer"), (2**40, "bigint"), (2**70, "numeric"), (1.5, "double precision"),
    (decimal.Decimal("1.10"), "numeric"), ("ä", "text"), (b"\0\1", "bytea"), (datetime.date(2024, 2, 29), "date"),
    (datetime.time(1, 2, 3, 4), "time without time zone"), (datetime.datetime(2024, 1, 2, 3), "timestamp without time zone"),
    (datetime.datetime(2024, 1, 2, tzinfo=UTC), "timestamp with time zone"), (datetime.timedelta(1, 2), "interval"),
    (uuid.UUID(int=5), "uuid"), (None, "text")])
def test_objects_come_back_as_they_were(connection, thing, type):
    relation = connection.sql("SELECT $1", thing)
    assert relation.fetchone() == (thing,) and relation.types == [type]


@pytest.mark.parametrize("thing, back", [(numpy.int64(5), 5), (numpy.float32(1.5), 1.5), (numpy.bool_(True), True),
                                         (bytearray(b"x"), b"x"), (numpy.uint64(2**64 - 1), 2**64 - 1),
                                         (numpy.datetime64("2024-02-29"), datetime.date(2024, 2, 29)),
                                         (numpy.datetime64("2024-02-29T01:02:03.000004567"),
                                          datetime.datetime(2024, 2, 29, 1, 2, 3, 4)),
                                         (numpy.timedelta64(90, "m"), datetime.timedelta(minutes=90)),
                                         (numpy.datetime64("NaT"), None), (numpy.array(7), 7), (pandas.NaT, None),
                                         (pandas.NA, None),
                                         (pandas.Timestamp("2024-02-29"), datetime.datetime(2024, 2, 29))])
def test_objects_of_numpy_and_pandas_are_taken_as_parameters(connection, thing, back):
    assert connection.sql("SELECT $1", thing).fetchone() == (back,)


@pytest.mark.parametrize("thing", [numpy.datetime64("12000-01-01"), numpy.timedelta64(1, "M")])
def test_moments_of_numpy_that_python_cannot_hold_are_refused(connection, thing):
    with pytest.raises(caldera.DataError) as caught:
        connection.sql("SELECT $1", thing)
    assert caught.value.sqlstate == "22008"


def test_texts_are_what_their_place_makes_of_them(connection):
    connection.execute("CREATE TABLE t (day date, n smallint, amount numeric(10,2), id uuid)")
    connection.execute("INSERT INTO t VALUES (%s, %s, %s, %s)", ["2024-02-29", "7", "1.239", str(uuid.UUID(int=1))])
    assert connection.execute("SELECT * FROM t WHERE day = %s", ["2024-02-29"]).fetchall() == [
        (datetime.date(2024, 2, 29), 7, decimal.Decimal("1.24"), uuid.UUID(int=1))]
    with pytest.raises(caldera.DataError) as caught:
        connection.execute("SELECT * FROM t WHERE day = %s", ["no day"])
    assert caught.value.sqlstate == "22007"
    with pytest.raises(caldera.DataError) as caught:
        connection.execute("INSERT INTO t (n) VALUES (%s)", [100_000])
    assert caught.value.sqlstate == "22003"


def test_lists_are_arrays(connection):
    rows = connection.sql("SELECT $1, 2 = ANY($2), $3::text[], $4::numeric[]", [[1, None], [3, 4]], [1, 2], ["a", None], [])
    assert rows.fetchall() == [([[1, None], [3, 4]], True, ["a", None], [])]
    with pytest.raises(caldera.Error, match="malformed array literal"):
        connection.sql("SELECT $1::int[]", [[1], [2, 3]])
    with pytest.raises(caldera.Error, match="operator does not exist"):
        connection.sql("SELECT 1 IN ($1)", [1, 2])


def test_objects_without_a_type_are_refused(connection):
    with pytest.raises(caldera.NotSupportedError):
        connection.sql("SELECT $1", object())
    with pytest.raises(caldera.NotSupportedError, match="Each value needs a placeholder"):
        connection.sql("SELECT $1", {1, 2})
    with pytest.raises(caldera.NotSupportedError, match="Each value needs a placeholder"):
        connection.sql("SELECT $1", numpy.array([1]))
    with pytest.raises(caldera.NotSupportedError, match="type time with time zone is not supported"):
        connection.sql("SELECT $1", datetime.time(1, tzinfo=UTC))
    with pytest.raises(caldera.InterfaceError, match="a statement is a str, not bytes"):
        connection.sql(b"SELECT 1")
    with pytest.raises(caldera.InterfaceError):
        connection.execute("SELECT %s", "text")
