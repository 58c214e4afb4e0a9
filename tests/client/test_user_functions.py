"""@caldera.function: bodies over staged values, over the kernel, and in plain Python, by every tier."""
import datetime
import decimal
import math

import pytest

import caldera
from caldera.functions import user

TIERS = ["python", "fast", "plain", "o3"]


@caldera.function("uf_tax(float8) -> float8")
def tax(amount):
    """The price with tax."""
    return amount * 1.25


@caldera.function
def uf_scaled(n: int, factor: int) -> int:
    return 2 * n * factor - 1


def uf_spelled(n, day):
    return day + n


uf_spelled.__annotations__ = {"n": "integer", "day": datetime.date, "return": "date"}
caldera.function(uf_spelled)


@caldera.function("uf_ratio(int4, int4) -> float8")
def ratio(a, b):
    return caldera.choose(b == 0, None, lambda: a.cast("float8") / b)


@caldera.function("uf_ones(int8) -> int8")
def ones(k, bits):
    return k.ones(bits)


@caldera.function("uf_slug(text) -> text", python=True)
def slug(title):
    return title.lower().replace(" ", "-")


@caldera.function("uf_greeting(text) -> text", "uf_greeting(text, text) -> text")
def greeting(name, title="Mx"):
    return "Dear " + title + " " + name.upper() + "!"


@caldera.function("uf_known(int4) -> int4", strict=False)
def known(n):
    return caldera.choose(n.is_null(), -1, n)


@caldera.function("uf_total(numeric, integer) -> numeric")
def total(price, count):
    return (price * count + decimal.Decimal("0.05")).round(1)


@caldera.function("uf_weekend(date) -> boolean")
def weekend(day):
    return (day - datetime.date(2000, 1, 1)) % 7 < 2           # that day was a Saturday


@caldera.function("uf_grade(int4) -> text")
def grade(points):
    return caldera.choose(points >= 90, "excellent, and more than twelve bytes",
                          lambda: caldera.choose((points >= 50) & ~(points == 77), "good", "poor"))


@pytest.fixture(scope="module")
def connection():
    with caldera.connect(threads=2) as connection:
        connection.execute("CREATE TABLE t (a int NOT NULL, n int, x float8, b text, d date, m numeric(10,2))")
        connection.execute("""INSERT INTO t VALUES (1, 0, 2.5, 'Ab c', '2000-01-01', 1.50),
                              (7, NULL, NULL, NULL, NULL, NULL),
                              (95, 5, -1, 'Zoë', '2024-02-29', 2.25), (77, 7, 8, '', '2024-03-03', 100)""")
        yield connection


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("expression, expected", [
    ("uf_tax(x)", [-1.25, 3.125, 10.0, None]),
    ("uf_tax(a)", [1.25, 8.75, 96.25, 118.75]),
    ("uf_scaled(a, 3::int2)", [5, 41, 461, 569]),
    ("uf_spelled(1, d)", [datetime.date(2000, 1, 2), datetime.date(2024, 3, 1), datetime.date(2024, 3, 4), None]),
    ("uf_ratio(a, n)", [11.0, 19.0, None, None]),
    ("uf_ones(a)", [1, 3, 4, 6]),
    ("uf_slug(b)", ["", "ab-c", "zoë", None]),
    ("uf_greeting(b)", ["Dear Mx !", "Dear Mx AB C!", "Dear Mx ZOË!", None]),
    ("uf_greeting(b, 'Dr')", ["Dear Dr !", "Dear Dr AB C!", "Dear Dr ZOË!", None]),
    ("uf_known(n)", [-1, 0, 5, 7]),
    ("uf_total(m, a)", [decimal.Decimal("1.6"), decimal.Decimal("213.8"), decimal.Decimal("7700.1"), None]),
    ("uf_weekend(d)", [False, True, True, None]),
    ("uf_grade(a)", ["excellent, and more than twelve bytes", "poor", "poor", "poor"]),
])
def test_functions_give_the_same_values_in_every_tier(connection, tier, expression, expected):
    connection.execute(f"SET caldera.tier = '{tier}'")
    rows = connection.sql(f"SELECT {expression} FROM t").fetchall()
    assert sorted((value for value, in rows if value is not None)) == [value for value in expected if value is not None]
    assert len(rows) == len(expected)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("query, sqlstate", [
    ("SELECT uf_scaled(a * 9223372036854775807, 1::int2) FROM t WHERE a = 1", "22003"),
    ("SELECT uf_slug(b) FROM t WHERE uf_fails(a) > 0", "38000"),
    ("SELECT uf_tax(b) FROM t", "42883"),
])
def test_errors_of_functions_and_calls_have_their_sqlstate(connection, tier, query, sqlstate):
    connection.execute(f"SET caldera.tier = '{tier}'")
    with pytest.raises(caldera.Error) as caught:
        connection.sql(query)
    assert caught.value.sqlstate == sqlstate


@caldera.function("uf_fails(int4) -> int4", python=True)
def fails(n):
    return {}[n]


def test_what_python_raised_is_the_cause(connection):
    with pytest.raises(caldera.DatabaseError, match="function uf_fails failed: KeyError: 1") as caught:
        connection.sql("SELECT uf_fails(1)")
    assert isinstance(caught.value.__cause__, KeyError)


def test_functions_stand_wherever_expressions_do(connection):
    rows = connection.sql("SELECT uf_grade(a), sum(uf_tax(a)) FROM t WHERE uf_scaled(a, 1::int2) > 1 "
                          "GROUP BY uf_grade(a) HAVING max(uf_ones(a)) > 0 ORDER BY uf_grade(a)").fetchall()
    assert rows == [("excellent, and more than twelve bytes", 118.75), ("poor", 105.0)]


def test_a_staged_body_is_part_of_the_loop(connection):
    """No call into Python: the program that is made of a user's function has no callback."""
    from caldera.operators.python_calls import PythonCall
    connection.execute("SET caldera.tier = 'fast'")
    query = "SELECT sum(uf_tax(a)) FROM t WHERE a < 1000"
    connection.sql(query)
    (prepared,) = [prepared for (text, *_), prepared in connection.session.plans.items() if text == query]
    owners = [owner for pipeline in prepared.split_plan.pipelines for owner in pipeline.staged.owners]
    assert owners and not any(isinstance(owner, PythonCall) for owner in owners)


def test_defining_again_replaces_and_forgets_plans(connection):
    connection.execute("SET caldera.tier = 'auto'")
    seen = []
    for factor in (2, 3):
        @caldera.function("uf_again(int4) -> int4")
        def again(n, factor=factor):
            return n * factor
        seen += [connection.sql("SELECT sum(uf_again(a)) FROM t").fetchone()[0] for _ in range(2)]
    assert seen == [360, 360, 540, 540]


def test_the_python_function_stays_what_it_was():
    assert tax(4) == 5.0 and greeting("a", "b") == "Dear b A!" and ratio.__name__ == "ratio"
    assert caldera.choose(True, 1, lambda: 1 / 0) == 1


def test_the_documentation_of_a_function_is_shown_by_backslash_df(connection):
    from caldera.client.describe import list_of_functions
    table = list_of_functions("uf_t*")
    assert table.columns[0] == ["uf_tax", "uf_total"] and table.columns[4][0] == "The price with tax."


@pytest.mark.parametrize("signature, sqlstate", [
    ("no signature", "42601"), ("f(int4)", "42601"), ("f(nothing) -> int4", "42704"), ("abs(int4) -> int4", "42723"),
    ("f(numeric) -> numeric(10,2)", "0A000"), ("f(varchar(3)) -> text", "0A000")])
def test_signatures_that_make_no_sense_are_refused(signature, sqlstate):
    with pytest.raises(caldera.Error) as caught:
        caldera.function(signature)(lambda n: n)
    assert caught.value.sqlstate == sqlstate


@pytest.mark.parametrize("signature, options", [
    ("uf_misfit(int4, int4) -> int4", {}), ("uf_misfit() -> int4", {}), ("uf_misfit(int4, int4) -> int4", {"python": True})])
def test_a_body_that_does_not_take_the_arguments_is_refused(signature, options):
    with pytest.raises(caldera.ProgrammingError, match='the body of function "uf_misfit" does not take') as caught:
        caldera.function(signature, **options)(lambda n: n)
    assert caught.value.sqlstate == "42601"


def test_an_unknown_volatility_is_refused():
    with pytest.raises(caldera.DataError, match='unrecognized volatility "volatile"'):
        caldera.function("uf_random() -> float8", volatility="volatile")


def test_annotations_must_be_complete():
    with pytest.raises(caldera.ProgrammingError, match="has no type for b"):
        @caldera.function
        def uf_incomplete(a: int, b) -> int:
            return a


@pytest.mark.parametrize("body", [
    lambda n: 1 if n > 0 else 0, lambda n: f"{n}", lambda n: str(n), lambda n: int(n), lambda n: len(n),
    lambda n: math.sqrt(n), lambda n: range(n)[0], lambda n: next(iter(n)), lambda n: n in (1, 2)])
def test_a_staged_value_is_not_known_yet(connection, body):
    caldera.function("uf_truth(int4) -> int4")(body)
    with pytest.raises(caldera.Error, match="function uf_truth failed: TypeError: .*caldera.choose") as caught:
        connection.sql("SELECT uf_truth(a) FROM t")
    assert caught.value.sqlstate == "38000"
    assert connection.sql("SELECT 1").fetchone() == (1,)
    assert any(definition.name == "uf_truth" for definition in user.DEFINED)
