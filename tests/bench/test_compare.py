"""Answers of two engines are compared as far as the query fixes them, and no further."""
import datetime
from decimal import Decimal

import pytest

from caldera.bench.compare import compare, doubtful, membership, missing, plain
from caldera.bench.queries import Shape

TOP = Shape.parse("SELECT a, COUNT(*) AS c FROM hits GROUP BY a ORDER BY c DESC LIMIT 3")
ALL = Shape.parse("SELECT a, b FROM hits WHERE a > 0")
ANY = Shape.parse("SELECT a, b FROM hits LIMIT 2")
PAGE = Shape.parse("SELECT a, COUNT(*) AS c FROM hits GROUP BY a ORDER BY c DESC LIMIT 3 OFFSET 5")


def test_values_of_different_interfaces_become_plain():
    day, moment = datetime.date(2013, 7, 1), datetime.datetime(2013, 7, 1, 12, 30)
    aware = moment.replace(tzinfo=datetime.UTC)
    rows = [(day, moment, aware, Decimal("3"), Decimal("2.50"), b"\xd1\x8f", True, None)]
    assert plain(rows) == [("2013-07-01", "2013-07-01 12:30:00", "2013-07-01 12:30:00", 3, 2.5, "я", 1, None)]


def test_rows_without_an_order_are_a_multiset():
    assert compare(ALL, [(1, "x"), (2, "y")], [(2, "y"), (1, "x")]) is None
    assert compare(ALL, [(1, "x"), (1, "x")], [(1, "x"), (2, "y")]) is not None
    assert compare(ALL, [(None, "x"), (1, None)], [(1, None), (None, "x")]) is None


def test_the_number_of_rows_counts():
    assert compare(ALL, [(1, "x")], []) == "1 rows against 0"


def test_averages_agree_within_their_last_bits_and_whole_numbers_exactly():
    assert compare(ALL, [(0.1 + 0.2, 1)], [(0.3, 1)]) is None
    assert compare(ALL, [(0.3000001, 1)], [(0.3, 1)]) is not None
    assert compare(ALL, [(10 ** 17 + 1, 1)], [(10 ** 17, 1)]) is not None


def test_sorted_rows_agree_whatever_the_last_bits_of_floats():
    assert compare(ALL, [(0.3, "b"), (0.3, "a")], [(0.1 + 0.2, "a"), (0.3, "b")]) is None


def test_rows_that_tie_at_the_limit_may_differ_and_those_above_may_not():
    assert compare(TOP, [("x", 9), ("y", 2), ("z", 2)], [("x", 9), ("u", 2), ("v", 2)]) is None
    assert compare(TOP, [("x", 9), ("y", 2), ("z", 2)], [("w", 9), ("y", 2), ("z", 2)]) is not None
    assert compare(TOP, [("x", 9), ("y", 3), ("z", 2)], [("x", 9), ("y", 2), ("z", 2)]) is not None


def test_a_result_shorter_than_its_limit_has_no_doubtful_rows():
    assert doubtful(TOP, [("x", 9), ("y", 2)]) == []
    assert doubtful(TOP, [("x", 9), ("y", 2), ("z", 2)]) == [("y", 2), ("z", 2)]


def test_an_offset_makes_the_first_rows_doubtful_too():
    assert doubtful(PAGE, [("x", 9), ("y", 5), ("z", 2)]) == [("x", 9), ("z", 2)]


def test_every_row_of_a_limit_without_order_is_doubtful():
    assert doubtful(ANY, [(1, 1), (2, 2)]) == [(1, 1), (2, 2)]
    assert compare(ANY, [(1, 1), (2, 2)], [(3, 3), (4, 4)]) is None


def test_doubtful_rows_are_looked_up_in_the_result_without_limit():
    assert membership(TOP, [("it's", 2), (None, 2)]) == (
        "SELECT * FROM (SELECT a, COUNT(*) AS c FROM hits GROUP BY a) AS u(c0, c1) "
        "WHERE (c0 = 'it''s' AND c1 = 2) OR (c0 IS NULL AND c1 = 2)")


def test_a_doubtful_row_that_does_not_occur_is_found():
    assert missing([("x", 0.3), ("y", 1.5)], [("x", 0.1 + 0.2), ("y", 1.4)]) == ("y", 1.5)
    assert missing([("x", 0.3)], [("x", 0.1 + 0.2)]) is None


@pytest.mark.parametrize("text", ["SELECT a FROM hits ORDER BY t LIMIT 1", "SELECT a AS t, b FROM hits ORDER BY c, b DESC"])
def test_keys_that_are_not_selected_are_added_for_the_comparison(text):
    shape = Shape.parse(text)
    assert Shape.parse(shape.keyed(text)).hidden == ()
    assert Shape.parse(shape.keyed(text)).order == shape.order
