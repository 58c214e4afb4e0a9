"""Statistics: sketches count, summaries describe, tables put them together, files and logs keep them."""
import numpy as np
import pytest

import caldera
from caldera.storage import arrays
from caldera.storage.encodings import choose
from caldera.storage.engine import ColumnData
from caldera.storage.mergetree import format
from caldera.storage.mergetree.part import PartFile
from caldera.storage.segment import memory_segment
from caldera.storage.statistics.merged import TableStatistics, position
from caldera.storage.statistics.sketch import Sketch, mixed, of_all, sketch_of
from caldera.storage.statistics.summary import KEPT_ROWS, pack, summarize, unpack
from tests.execute.engine import rows_in_parts
from tests.layouts import Layout, arrange
from tests.storage.columns import column, numerics, samples, with_nulls


def encoded(data):
    """The values of a ColumnData as a part would have them."""
    return choose(data.type.layout, data.values, None if data.valid is None else data.valid != 0)


def counted(data):
    """How many different values the sketch of a column finds."""
    sketch, seen = sketch_of(data, encoded(data))
    return of_all(sketch.count(), seen, arrays.row_count(data))


def statistics(**columns):
    """The TableStatistics of a segment in memory."""
    return TableStatistics([memory_segment(columns)])


@pytest.mark.parametrize("distinct", [0, 1, 2, 100, 5_000, 200_000])
def test_a_sketch_counts_within_a_tenth(distinct):
    sketch = Sketch()
    for _ in range(2):                              # what comes again does not count
        sketch.add(mixed(np.arange(distinct, dtype=np.uint64)))
    assert abs(sketch.count() - distinct) <= 0.1 * distinct


def test_joined_sketches_have_seen_what_each_has():
    whole, left, right = Sketch(), Sketch(), Sketch()
    left.add(mixed(np.arange(0, 6000, dtype=np.uint64)))
    right.add(mixed(np.arange(4000, 9000, dtype=np.uint64)))
    whole.add(mixed(np.arange(0, 9000, dtype=np.uint64)))
    left.join(right)
    assert (left.registers == whole.registers).all()


@pytest.mark.parametrize("name, values", [
    ("int2", np.arange(30_000) % 700), ("int4", np.arange(30_000) % 700 * 1_000_003),
    ("int8", np.arange(30_000) % 700 << 40),
    ("float8", np.arange(30_000) % 700 / 8), ("date", np.arange(30_000) % 700 - 350),
    ("numeric", numerics(np.arange(30_000) % 700, np.full(30_000, 2))),
    ("numeric", numerics(np.arange(30_000) % 700 << 30, np.full(30_000, 2))),
    ("text", [b"a text of more than eight bytes, number %d" % (row % 700) for row in range(30_000)]),
])
def test_sketches_count_values_of_all_types(name, values):
    assert abs(counted(column(name, values)) - 700) < 70


def test_values_have_one_hash_however_they_are_stored():
    def registers(data):
        return sketch_of(data, encoded(data))[0].registers.tobytes()
    numbers = np.arange(1000)
    assert registers(column("int2", numbers)) == registers(column("int8", numbers))
    spread = np.append(numbers, 1 << 40)            # too wide to be packed; one more value
    joined = sketch_of(column("int8", numbers), encoded(column("int8", numbers)))[0]
    joined.add(mixed(np.array([1 << 40], np.uint64)))
    assert registers(column("int8", spread)) == joined.registers.tobytes()
    texts = [b"%d" % number for number in numbers]
    assert registers(column("text", texts)) == registers(column("text", texts * 3))         # plain, and by dictionary
    one, two = numerics(numbers, np.full(1000, 0)), numerics(numbers * 100, np.full(1000, 2))
    assert registers(column("numeric", one)) == registers(column("numeric", two)) \
        == registers(column("numeric", np.concatenate([one, two])))


def test_few_of_the_rows_tell_how_many_values_there_are():
    values = np.random.default_rng(5).integers(0, 100_000, 1_200_000)
    assert abs(counted(column("int8", values << 20)) / 100_000 - 1) < 0.1
    assert of_all(100, 100, 1000) == 1000           # all different so far: all are
    assert of_all(0, 100, 1000) == 0


def test_a_summary_of_every_kind_of_column_survives_packing():
    whole = samples(3, 5_000)
    for name, data in (whole | with_nulls(whole, 4)).items():
        summary = summarize(data, encoded(data))
        assert unpack(pack(summary)) == summary, name
        assert summary.rows == 5_000
        assert summary.nulls == (0 if data.valid is None else int((data.valid == 0).sum())), name
        assert arrays.row_count(arrays.from_bytes(data.type, summary.kept)) == KEPT_ROWS, name


def test_columns_without_rows_or_values_have_statistics():
    nothing = ColumnData(column("int4", [1]).type, np.zeros(0, np.int32))
    assert summarize(nothing, encoded(nothing)).rows == 0
    for name, values in (("int4", [0, 0, 0]), ("text", [b""] * 3), ("numeric", numerics([0, 0, 0], [0, 0, 0]))):
        known = statistics(a=column(name, values, [0, 0, 0])).column("a")
        assert known.null_share == 1 and known.distinct == 0 and not known.common and not known.bounds


def test_common_values_are_those_that_come_more_often_than_others():
    generator = np.random.default_rng(7)
    values = np.where(generator.random(40_000) < 0.3, 17, generator.integers(0, 20_000, 40_000))
    known = statistics(a=column("int4", values)).column("a")
    assert list(known.common) == [17]
    assert abs(known.common[17] - 0.3) < 0.03
    assert abs(known.share_of(5) - 0.7 / 20_000) < 0.3 * 0.7 / 20_000
    few = statistics(a=column("text", [b"x"] * 900 + [b"y"] * 100)).column("a")
    assert few.is_complete and few.common == {"x": 0.9, "y": 0.1} and few.share_of("z") == 0


def test_histograms_tell_what_share_is_below_a_value():
    values = np.random.default_rng(9).exponential(100.0, 50_000)
    known = statistics(a=column("float8", values)).column("a")
    for bound in (1.0, 20.0, 100.0, 400.0):
        assert abs(known.share_below(bound, True) - np.mean(values <= bound)) < 0.03
    assert known.share_below(-1.0, True) == 0 and known.share_below(1e9, True) == 1
    assert known.share_below(float("nan"), False) == 1
    assert position([0, 10, 20], 5, float) == 0.25 and position([], 5, float) == 0


def test_correlation_is_that_of_places_and_values():
    rows = np.arange(20_000)
    known = statistics(up=column("int4", rows), down=column("int4", -rows),
                       mixed=column("int4", np.random.default_rng(1).permutation(rows)), same=column("int4", rows * 0))
    assert known.column("up").correlation == pytest.approx(1) and known.column("down").correlation == pytest.approx(-1)
    assert abs(known.column("mixed").correlation) < 0.1 and known.column("same").correlation is None


def test_the_sample_has_the_same_rows_of_all_columns():
    rows = np.arange(100_000)
    known = statistics(a=column("int4", rows), b=column("text", [b"%d" % row for row in rows.tolist()]))
    numbers, _ = known.sample("a")
    assert [int(text) for text in known.sample("b")[0]] == numbers.tolist() and len(numbers) == KEPT_ROWS
    assert abs(numbers[:100].mean() - 50_000) < 12_000          # the first ones come from everywhere


def test_segments_are_put_together_by_their_rows():
    parts = [memory_segment({"a": column("int4", np.arange(first, first + rows))})
             for first, rows in ((0, 30_000), (100_000, 10_000))]
    known = TableStatistics(parts).column("a")
    assert known.rows == 40_000 and abs(known.distinct - 40_000) < 4_000
    assert abs(known.share_below(50_000, True) - 0.75) < 0.03
    common = TableStatistics([memory_segment({"a": column("int4", [1] * 900 + [2] * 100)}),
                              memory_segment({"a": column("int4", [2] * 1000)})]).column("a").common
    assert common == pytest.approx({2: 0.55, 1: 0.45})


# ------------------------------------------------------------------------------------------------ in a database

def shown(connection, name="a"):
    """What pg_stats says of a column of t."""
    return connection.execute("SELECT null_frac, n_distinct, most_common_vals, histogram_bounds IS NOT NULL FROM pg_stats "
                              f"WHERE tablename = 't' AND attname = '{name}'").fetchall()


def test_statistics_come_with_rows_and_survive_reopening(tmp_path):
    with caldera.connect(tmp_path / "db") as connection:
        connection.execute_text("CREATE TABLE t (a int, b text)")
        assert shown(connection) == []
        connection.execute_text("INSERT INTO t SELECT nullif(i % 4, 0), i::text FROM generate_series(1, 100000) s (i)")
        before = shown(connection)
        assert [(*row[:2], sorted(row[2]), row[3]) for row in before] == [(0.25, 3.0, sorted("{1,2,3}"), False)]
        _, distinct, common, has_histogram = shown(connection, "b")[0]
        assert distinct < -0.9 and common is None and has_histogram
    with caldera.connect(tmp_path / "db") as connection:
        assert shown(connection) == before


def test_a_part_without_statistics_gets_them_from_analyze(tmp_path, monkeypatch):
    shapes = format.column_shapes

    def of_earlier_days(footer, column):
        return {name: shape for name, shape in shapes(footer, column).items() if name != "statistics"}
    path = tmp_path / "db"
    with monkeypatch.context() as earlier, rows_in_parts(), caldera.connect(path) as connection:
        earlier.setattr(format, "column_shapes", of_earlier_days)
        connection.execute_text("CREATE TABLE t (a int, b float8)")
        connection.execute_text("INSERT INTO t SELECT i % 7 * 1000, i FROM generate_series(1, 100000) s (i); VACUUM t")
        assert shown(connection) == [(0.0, 6001.0, None, True)]             # what the bounds suggest
        connection.execute_text("ANALYZE t (a)")
        assert shown(connection)[0][1] == 7 and shown(connection, "b")[0][1] is not None
    with monkeypatch.context() as earlier, caldera.connect(path) as connection:
        earlier.setattr(format, "column_shapes", of_earlier_days)
        assert shown(connection)[0][1] == 7
        connection.session.database.checkpoint()
    with monkeypatch.context() as earlier, caldera.connect(path) as connection:
        earlier.setattr(format, "column_shapes", of_earlier_days)
        assert shown(connection)[0][1] == 7


def test_analyze_looks_at_more_rows_where_the_target_asks_for_them():
    with caldera.connect() as connection:
        connection.execute_text("CREATE TABLE t (a int)")
        connection.execute_text("INSERT INTO t SELECT i FROM generate_series(1, 100000) s (i)")

        def rows_seen():
            relation = connection.session.database.tables()[0]
            return relation.visible_segments(connection.session.database.snapshot())[0].column("a").summary.rows_seen
        assert rows_seen() == 2000
        connection.execute_text("SET default_statistics_target = 50; ANALYZE t")
        assert rows_seen() == 15_000
        connection.execute_text("SET default_statistics_target = 10; ANALYZE t")
        assert rows_seen() == 15_000                # what is known of more rows stays


def test_damaged_statistics_are_as_good_as_none(tmp_path):
    with caldera.connect(tmp_path / "db") as connection:
        connection.execute_text("CREATE TABLE t (a int)")
        connection.execute_text("INSERT INTO t SELECT i % 5 FROM generate_series(1, 100000) s (i)")
    path, = (tmp_path / "db" / "parts").iterdir()
    chunk = next(iter(PartFile(path).footer.columns)).chunks["statistics"]
    content = bytearray(path.read_bytes())
    content[chunk.offset + chunk.length // 2] ^= 1
    path.write_bytes(content)
    with caldera.connect(tmp_path / "db") as connection:
        assert shown(connection) == [(0.0, 5.0, None, True)]
        assert connection.execute("SELECT count(*) FROM t WHERE a = 3").fetchone() == (20_000,)


def test_arrays_are_counted_and_not_compared():
    with caldera.connect() as connection:
        connection.execute_text("CREATE TABLE t (a int[], b int)")
        connection.execute_text("INSERT INTO t SELECT ARRAY[i % 3, 1], i FROM generate_series(1, 1000) s (i); ANALYZE t")
        (nulls, distinct, common, has_histogram), = shown(connection)
        assert (nulls, round(distinct), common, has_histogram) == (0.0, 3, None, False)
        query = "SELECT count(*) FROM t WHERE a = ARRAY[1, 1] AND b > 5 AND a IS NOT NULL"
        assert connection.execute(query).fetchone() == (332,)


VALUES = {          # of every type: an expression over i, and two constants
    "bool": ("i % 2 = 0", "false", "true"),
    "int2": ("i % 900", "3", "700"),
    "int8": ("i * 10000000000", "5", "90000000000"),
    "float4": ("i / 7.0", "'NaN'", "3.5"),
    "float8": ("CASE i % 3 WHEN 0 THEN 'NaN'::float8 WHEN 1 THEN 'Infinity' ELSE i END", "5", "'Infinity'"),
    "numeric": ("CASE i % 3 WHEN 0 THEN 'NaN' ELSE i / 3.0 END", "'NaN'", "2.5"),
    "text": ("'a' || i", "'a1'", "'a7'"),
    "varchar(9)": ("'a' || i", "'a1'", "'a7'"),
    "char(9)": ("'a' || i", "'a1'", "'a7   '"),
    "bytea": ("('a' || i)::bytea", "'a1'", "'a7'"),
    "date": ("date '2020-01-01' + i", "'2020-02-01'", "'infinity'"),
    "time": ("time '01:00' + i * interval '1 s'", "'01:01'", "'01:30'"),
    "timestamp": ("timestamp '2020-01-01' + i * interval '1 h'", "'2020-02-01'", "'infinity'"),
    "timestamptz": ("timestamptz '2020-01-01' + i * interval '1 h'", "'2020-02-01'", "'-infinity'"),
    "interval": ("i * interval '1 h'", "'3 h'", "'5 days'"),
    "uuid": ("md5(i::text)::uuid", "md5('1')::uuid", "md5('7')::uuid"),
    "int[]": ("ARRAY[i, 1]", "'{5}'", "'{700}'"),
    "jsonb": ("jsonb_build_array(i)", "'[5]'", "'{}'"),
    "int4range": ("CASE i % 9 WHEN 0 THEN '(,5)' WHEN 1 THEN 'empty' ELSE int4range(i, NULL) END", "'[5,)'", "'(,)'"),
    "numrange": ("CASE i % 9 WHEN 0 THEN '(,5.0)' ELSE numrange(i, i + 1.50) END", "'[5,)'", "'(,)'"),
    "int4multirange": ("CASE i % 9 WHEN 0 THEN '{(,5)}' ELSE int4multirange(int4range(i, NULL)) END", "'{[5,)}'", "'{}'"),
    "name": ("'a' || i", "'a1'", "'a7'"),
    "oid": ("i * 800000", "5", "900"),
}


@pytest.mark.parametrize("type", VALUES)
@pytest.mark.parametrize("rows", [0, 40, 2500])
def test_conditions_and_joins_over_columns_of_every_type_are_estimated(type, rows):
    expression, low, high = VALUES[type]
    low, high = f"({low})::{type}", f"({high})::{type}"
    conditions = [f"a > {low} AND a <= {high}", f"a = {low} AND a <> {high}", f"a IN ({low}, {high}) AND a IS NOT NULL",
                  f"NOT a < {low} AND (a = {high} OR a IS NULL)", f"a IS DISTINCT FROM {low} AND a >= NULL",
                  "a > (SELECT a FROM t LIMIT 1) AND a = (SELECT a FROM t LIMIT 1)"]
    with caldera.connect() as connection:
        connection.execute_text(f"CREATE TABLE t (a {type}, b int)")
        for _ in range(2):
            connection.execute_text(f"INSERT INTO t SELECT nullif(({expression})::{type}, {low}), i "
                                    f"FROM generate_series(1, {rows}) s (i)")
            arrange(connection, Layout(2))
        for condition in conditions:
            plan = connection.execute(f"EXPLAIN SELECT a, count(*) FROM t WHERE {condition} AND b > 0 GROUP BY a")
            assert "rows=" in plan.fetchall()[0][0]
        plan = connection.execute("EXPLAIN SELECT * FROM t x JOIN t y USING (a) WHERE x.b > 5 AND EXISTS "
                                  "(SELECT FROM t z WHERE z.a = x.a)")
        assert "rows=" in plan.fetchall()[0][0]
        assert connection.execute("SELECT count(*) FROM pg_stats WHERE tablename = 't'").fetchone() == (2 if rows else 0,)


def test_parquet_files_tell_what_their_metadata_know(tmp_path):
    with caldera.connect() as connection:
        connection.execute_text("COPY (SELECT i AS a, 'x' || i AS b, nullif(i % 4, 0) AS c, i / 7.0 AS d, "
                                "date '2020-01-01' + i AS e, NULL::int AS f FROM generate_series(1, 4000) s (i)) "
                                f"TO '{tmp_path}/t.parquet' (FORMAT parquet)")

        def estimated(condition):
            plan = connection.execute(f"EXPLAIN SELECT * FROM '{tmp_path}/t.parquet' WHERE {condition}").fetchall()
            return int(plan[0][0].split("rows=")[1].split()[0])
        assert 900 < estimated("a <= 1000") < 1100 and estimated("a = 5") == 1
        assert estimated("c IS NULL") == 1000 and estimated("f IS NOT NULL") == 1
        assert 900 < estimated("e >= '2020-01-01'::date + 3000") < 1100
        assert estimated("b > 'x5' AND b < 'x9' AND d < 5.0 AND f = 3") >= 1


def test_plans_are_made_anew_when_tables_have_become_much_larger():
    with caldera.connect() as connection:
        connection.execute_text("CREATE TABLE t (a int); CREATE TABLE u (a int)")
        catalog = connection.session.database.catalog

        def versions_after(rows):
            before = catalog.version
            connection.execute_text(f"INSERT INTO t SELECT i FROM generate_series(1, {rows}) s (i)")
            return catalog.version - before
        assert [versions_after(rows) for rows in (100, 5_000, 6_000, 50_000, 70_000)] == [0, 0, 1, 0, 1]
        query = "SELECT count(*) FROM u JOIN t USING (a)"
        assert connection.execute(query).fetchone() == (0,)
        connection.execute_text("INSERT INTO u SELECT i FROM generate_series(1, 200000) s (i)")
        assert connection.execute(query).fetchone() == (131_100,)


def test_tables_with_numbers_of_a_thousand_digits_have_estimates():
    with caldera.connect() as connection:
        connection.sql("CREATE TABLE t (id int, n numeric)")
        connection.sql("INSERT INTO t VALUES (1, 1), (2, 1e1000), (3, 'NaN'), (4, NULL), (5, 1e2000 + 1)")
        for _ in range(2):
            found = connection.sql("SELECT a.id FROM t a JOIN t b USING (n) WHERE n > 5 ORDER BY 1").fetchall()
            assert found == [(2,), (3,), (5,)]
            connection.sql("ANALYZE t")
