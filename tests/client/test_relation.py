"""Relations: fetching, other shapes, how they look; data frames as tables."""
import datetime

import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import caldera

MODULE_FRAME = pandas.DataFrame({"n": [1, 2]})


@pytest.fixture(scope="module")
def connection():
    with caldera.connect() as connection:
        yield connection


def test_fetching_goes_on_and_iterating_starts_anew(connection):
    relation = connection.sql("SELECT g FROM generate_series(1, 4) g ORDER BY g")
    assert relation.fetchone() == (1,) and relation.fetchmany(2) == [(2,), (3,)]
    assert list(relation) == [(1,), (2,), (3,), (4,)] and len(relation) == 4
    assert relation.fetchmany(-1) == [] and relation.fetchall() == [(4,)] and relation.fetchone() is None
    assert relation.columns == ["g"] and relation.types == ["integer"]


def test_a_relation_becomes_arrow_pandas_and_polars(connection):
    relation = connection.sql("SELECT 1 AS n, 'ä' AS t, NULL::float8 AS f, DATE '2024-02-29' AS d, 1.50::numeric(5,2) AS m")
    table = relation.arrow()
    assert table.schema.names == ["n", "t", "f", "d", "m"]
    assert table.to_pylist()[0]["d"] == datetime.date(2024, 2, 29) and str(table["m"][0].as_py()) == "1.50"
    assert relation.df()["t"].tolist() == ["ä"]
    assert relation.pl().rows()[0][:3] == (1, "ä", None)


def test_what_data_frames_have_no_type_for(connection):
    relation = connection.sql("SELECT INTERVAL '1 year 2 months 3 days 00:00:01' AS i, 1 AS x, 2 AS x, "
                              "'00000000-0000-0000-0000-000000000001'::uuid AS u")
    length = datetime.timedelta(days=365 + 60 + 3, seconds=1)
    assert relation.pl().rows() == [(length, 1, 2, "00000000-0000-0000-0000-000000000001")]
    assert relation.pl().columns == ["i", "x", "x_1", "u"]
    assert relation.df()["i"][0].to_pytimedelta() == length
    assert relation.df()["u"].tolist() == ["00000000-0000-0000-0000-000000000001"]


@pytest.mark.parametrize("value, text", [
    ("DATE 'infinity'", "infinity"), ("DATE '0044-03-15 BC'", "0044-03-15 BC"), ("TIME '24:00'", "24:00:00"),
    ("TIMESTAMP '-infinity'", "-infinity"), ("TIMESTAMPTZ 'infinity'", "infinity"), ("INTERVAL 'infinity'", "infinity"),
    ("TIMESTAMP '294270-01-01'", "294270-01-01 00:00:00"), ("NUMERIC 'NaN'", "NaN")])
def test_columns_with_values_that_data_frames_cannot_hold_are_texts_in_them(connection, value, text):
    relation = connection.sql(f"SELECT CASE g WHEN 2 THEN {value} END AS x FROM generate_series(1, 2) g")
    assert relation.pl()["x"].to_list() == [None, text]
    assert relation.df()["x"].dropna().tolist() == [text] and len(relation.df()) == 2


def test_numerics_too_long_for_polars_are_texts_there(connection):
    relation = connection.sql("SELECT repeat('9', 60)::numeric AS x")
    assert relation.pl()["x"].to_list() == ["9" * 60] and relation.df()["x"].tolist() == [relation.fetchone()[0]]


def test_empty_result_keeps_its_columns(connection):
    relation = connection.sql("SELECT 1 AS n, 'x' AS t WHERE false")
    assert len(relation) == 0 and relation.fetchall() == [] and relation.df().columns.tolist() == ["n", "t"]
    assert "0 rows" in repr(relation)


def test_the_relation_of_a_statement_without_rows_shows_its_command_tag(connection):
    relation = connection.sql("CREATE TEMPORARY TABLE nothing (a int)")
    assert relation.columns == [] and relation.fetchall() == [] and repr(relation) == "CREATE TABLE"


def test_a_relation_outlives_its_connection():
    with caldera.connect() as connection:
        relation = connection.sql("SELECT now() AS moment, 'a long text that does not fit into its cell' AS t")
    assert len(relation.fetchone()) == 2 and "moment" in repr(relation)


def test_show_draws_a_frame_with_types_and_spells_out_line_breaks(connection, capsys):
    connection.sql("SELECT * FROM (VALUES (1, E'x\\ny'), (20, NULL)) v (n, t)").show()
    assert capsys.readouterr().out == """\
╭──────┬──────╮
│    n │ t    │
│ int4 │ text │
├──────┼──────┤
│    1 │ x\\ny │
│   20 │ NULL │
╰──────┴──────╯
2 rows
"""


def test_show_takes_none_for_all_rows(connection, capsys):
    relation = connection.sql("SELECT g FROM generate_series(1, 30) g")
    relation.show(None)
    assert capsys.readouterr().out.endswith("╯\n30 rows\n")


def test_shown_table_is_cut_to_fit(connection):
    relation = connection.sql("SELECT g AS a, repeat('long ', 20) AS b, repeat('x', 50) AS c, g AS d, g AS e, g AS f "
                              "FROM generate_series(1, 1000) g")
    lines = relation.drawn(5, 60).splitlines()
    assert max(map(len, lines)) <= 60 and len({len(line) for line in lines[:-1]}) == 1
    assert lines[-1] == "1,000 rows, the first 5 shown" and "…" in lines[4]
    assert len(relation.drawn(5, 20).splitlines()[0]) <= 30


def test_a_long_value_is_shown_whole_where_there_is_room(connection):
    assert "x" * 60 in connection.sql("SELECT 1 AS a, repeat('x', 60) AS b").drawn(5, 80)


def test_a_plan_is_shown_whole_and_without_a_box(connection):
    connection.execute("CREATE TEMPORARY TABLE planned (a int)")
    relation = connection.sql(f"EXPLAIN SELECT a FROM planned WHERE {' AND '.join(f'a % {n} <> 0' for n in range(2, 40))}")
    assert repr(relation).splitlines() == [line for line, in relation.fetchall()]


# ------------------------------------------------------------------------------------------------ variables of the caller

def test_variables_of_the_caller_are_tables(connection):
    orders = pandas.DataFrame({"price": [1.5, 2.5, None], "name": ["a", None, "ü"]})
    people = polars.DataFrame({"age": [30, None], "since": [datetime.date(2024, 1, 1), None]})
    table = pyarrow.table({"n": pyarrow.array([1, 2, None], pyarrow.int8())})
    assert len(orders) and len(people) and len(table)
    assert connection.sql("SELECT count(*), sum(price), max(name) FROM orders").fetchone() == (3, 4.0, "ü")
    assert connection.sql("SELECT count(age), max(since) FROM people").fetchone() == (1, datetime.date(2024, 1, 1))
    assert connection.sql('SELECT sum(n) FROM "table"').fetchone() == (3,)
    assert connection.execute("SELECT sum(n) FROM module_frame").fetchone() == (3,)
    assert connection.sql('SELECT sum(n) FROM "MODULE_FRAME"').fetchone() == (3,)


def test_a_relation_is_a_table_as_well(connection):
    first = connection.sql("SELECT g AS n FROM generate_series(1, 10) g")
    assert connection.sql("SELECT sum(n) FROM first").fetchone() == (55,)
    assert len(first) == 10


def test_variables_may_change_between_statements(connection):
    query, seen = "SELECT sum(n) FROM frame", []
    for frame in (pandas.DataFrame({"n": [1, 2]}), polars.DataFrame({"n": [5]}), pyarrow.table({"n": [7]}),
                  pyarrow.table({"n": [8]})):
        assert len(frame)
        seen.append(connection.sql(query).fetchone()[0])
    assert seen == [3, 5, 7, 8]
    frame = pandas.DataFrame({"n": [1]})
    assert connection.sql(query).fetchone() == (1,)
    frame.loc[0, "n"] = 100
    assert connection.sql(query).fetchone() == (100,)


def test_callers_of_the_caller_count_too_and_tables_come_first(connection):
    mine = pandas.DataFrame({"n": [4]})

    def inner():
        return connection.sql("SELECT n FROM mine").fetchone()
    assert inner() == (4,) and len(mine) == 1
    nothing_here = 3
    with pytest.raises(caldera.ProgrammingError) as caught:
        connection.sql("SELECT * FROM nothing_here")
    assert caught.value.sqlstate == "42P01" and nothing_here
    connection.execute("CREATE TEMPORARY TABLE taken (n int)")
    taken = pandas.DataFrame({"n": [1]})
    assert connection.sql("SELECT count(*) FROM taken").fetchone() == (0,) and len(taken) == 1


def test_frames_go_into_tables(connection):
    frame = polars.DataFrame({"id": [1, 2], "name": ["x", None]})
    connection.execute("CREATE TEMPORARY TABLE target (id int, name text)")
    assert connection.execute("INSERT INTO target SELECT * FROM frame").rowcount == len(frame)
    assert connection.sql("SELECT * FROM target ORDER BY id").fetchall() == [(1, "x"), (2, None)]


def test_a_column_of_a_type_that_sql_lacks_is_refused_only_where_it_is_wanted(connection, tmp_path):
    table = pyarrow.table({"n": [1, 2], "tags": [{"a": "x"}, None], "place": [{"x": 1}, {"x": 2}]})
    path = tmp_path / "nested.parquet"
    pyarrow.parquet.write_table(table, path)
    frame = table.to_pandas()                                                                               # noqa: F841
    for source in ("table_", "frame", f"'{path}'"):
        table_ = table                                                                                      # noqa: F841
        assert connection.sql(f"SELECT n FROM {source} ORDER BY n").fetchall() == [(1,), (2,)]
        assert connection.sql(f"SELECT sum(n) FROM (SELECT * FROM {source}) AS q").fetchone() == (3,)
        for wanted in ("SELECT * FROM {}", "SELECT tags FROM {}", "SELECT count(tags) FROM {}", "SELECT upper(tags) FROM {}",
                       "SELECT n FROM {} WHERE tags = 3", "SELECT n FROM {} WHERE tags", "SELECT n FROM {} ORDER BY tags",
                       "SELECT sum(tags) FROM {} AS t (n, tags)", "SELECT n FROM {} GROUP BY tags, n",
                       "SELECT n FROM (SELECT * FROM {}) AS q WHERE q.tags IS NULL", "SELECT -tags FROM {}"):
            with pytest.raises(caldera.NotSupportedError, match='"tags" of .* has type struct<.*not supported') as caught:
                connection.sql(wanted.format(source))
            assert caught.value.sqlstate == "0A000"
