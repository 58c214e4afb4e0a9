"""Errors that machine code finds come out with their message and detail, however many a program knows."""
import pytest

import caldera

both_kernels = pytest.mark.parametrize("tier", ["fast", "python"])


@pytest.fixture
def connection(tier):
    with caldera.connect() as connection:
        connection.execute(f"SET caldera.tier = '{tier}'")
        yield connection


@both_kernels
@pytest.mark.parametrize("number", [3, 63, 64, 65, 100])
def test_a_program_may_know_more_faults_than_a_word_has_bits(connection, number):
    connection.execute(f"CREATE TABLE wide ({', '.join(f'c{i} varchar({i})' for i in range(1, 101))})")
    connection.execute(f"CREATE TABLE source AS SELECT '{'y' * 80}'::text AS x")
    items = ", ".join("x || x" if i == number else f"left(x, {i})" for i in range(1, 101))
    with pytest.raises(caldera.DataError) as caught:
        connection.execute(f"INSERT INTO wide SELECT {items} FROM source")
    assert caught.value.message == f"value too long for type character varying({number})"


@both_kernels
@pytest.mark.parametrize("value, modifier, detail", [
    ("99.96", "3, 1", "A field with precision 3, scale 1 must round to an absolute value less than 10^2."),
    ("1", "2, 2", "A field with precision 2, scale 2 must round to an absolute value less than 1."),
    ("1e60", "3, -2", "A field with precision 3, scale -2 must round to an absolute value less than 10^5."),
    ("-Infinity", "3, 1", "A field with precision 3, scale 1 cannot hold an infinite value.")])
def test_a_numeric_that_does_not_fit_says_what_would(connection, value, modifier, detail):
    connection.execute(f"CREATE TABLE numbers AS SELECT '{value}'::numeric AS n")
    with pytest.raises(caldera.DataError) as caught:
        connection.execute(f"SELECT n::numeric({modifier}) FROM numbers").fetchall()
    assert (caught.value.sqlstate, caught.value.message, caught.value.detail) == ("22003", "numeric field overflow", detail)
