"""The generated hits: the same for a seed, in the table's types and order, with what the queries look for."""
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from caldera.bench import hits, schema, words

ROWS = 20_000


@pytest.fixture(scope="module")
def table():
    return pa.Table.from_batches(hits.batches(ROWS, seed=5))


def test_the_table_has_clickbench_s_105_columns_and_no_null(table):
    assert len(schema.COLUMNS) == 105 and table.schema == schema.arrow_schema()
    assert table.num_rows == ROWS and all(column.null_count == 0 for column in table.columns)


@pytest.mark.parametrize("rows", [1, 2, 3, 10, 100])
def test_any_number_of_rows_can_be_had(rows):
    assert sum(batch.num_rows for batch in hits.batches(rows)) == rows


def test_a_seed_gives_the_same_hits_and_another_seed_others(table):
    assert pa.Table.from_batches(hits.batches(ROWS, seed=5)) == table
    assert not pa.Table.from_batches(hits.batches(ROWS, seed=6))["URL"].equals(table["URL"])


def test_rows_come_sorted_by_counter_and_day(table):
    keys = np.stack([table["CounterID"].to_numpy(), table["EventDate"].to_numpy().astype(int)])
    assert (np.lexsort(keys[::-1]) == np.arange(ROWS)).all()


def test_every_hit_has_its_own_number(table):
    assert pc.count_distinct(table["WatchID"]).as_py() == ROWS


def test_a_day_is_the_day_of_its_time_and_lies_in_july_2013(table):
    assert table["EventTime"].cast(pa.date32()).equals(table["EventDate"])
    bounds = pc.min_max(table["EventDate"]).as_py()
    assert schema.FIRST_DAY <= bounds["min"] and (bounds["max"] - schema.FIRST_DAY).days < schema.DAYS


def test_an_address_has_one_hash_and_a_hash_one_address(table):
    for text, number in (("URL", "URLHash"), ("Referer", "RefererHash")):
        pairs = table.group_by([text, number]).aggregate([]).num_rows
        assert pairs == pc.count_distinct(table[text]).as_py() == pc.count_distinct(table[number]).as_py()


def test_what_the_queries_name_is_there(table):
    def count(condition):
        return pc.sum(condition).as_py()
    probed = pc.equal(table["CounterID"], hits.PROBED_COUNTER)
    assert count(probed) > ROWS // 5
    assert count(pc.and_(probed, pc.equal(table["URLHash"], hits.PROBED_URL_HASH))) > ROWS // 20
    assert count(pc.and_(probed, pc.equal(table["RefererHash"], hits.PROBED_REFERER_HASH))) > 0
    assert 0 < count(pc.equal(table["UserID"], hits.PROBED_USER)) < 100
    assert 0 < count(pc.match_substring(table["URL"], "google")) < ROWS // 100
    assert 0 < count(pc.match_substring(table["Title"], "Google")) < ROWS // 100


def test_most_phrases_and_models_are_empty_and_the_rest_is_skewed(table):
    filled = {name: pc.mean(pc.not_equal(table[name], "")).as_py() for name in ("SearchPhrase", "MobilePhoneModel")}
    assert 0.05 < filled["SearchPhrase"] < 0.3 and 0.01 < filled["MobilePhoneModel"] < 0.2
    users = pc.value_counts(table["UserID"]).field("counts").to_numpy()
    assert users.max() > 5 * users.mean()


def test_titles_and_phrases_are_russian_and_addresses_ascii(table):
    for name in ("Title", "SearchPhrase"):
        assert pc.any(pc.greater(pc.binary_length(table[name]), pc.utf8_length(table[name]))).as_py()
    for name in ("URL", "Referer"):
        assert pc.all(pc.string_is_ascii(table[name])).as_py()


def test_the_file_holds_the_batches_and_no_unfinished_file_stays(tmp_path, table):
    seen = []
    hits.generate(tmp_path / "hits.parquet", ROWS, seed=5, progress=lambda done, total: seen.append((done, total)))
    assert pq.read_table(tmp_path / "hits.parquet").equals(table) and seen == [(ROWS, ROWS)]
    assert [file.name for file in tmp_path.iterdir()] == ["hits.parquet"]


def test_batches_of_a_larger_set_are_drawn_anew(monkeypatch):
    monkeypatch.setattr(hits, "BATCH_ROWS", 1000)
    first, second, third = hits.batches(2500)
    assert (first.num_rows, second.num_rows, third.num_rows) == (1000, 1000, 500)
    assert not first["UserID"].equals(second["UserID"])
    numbers = pa.concat_arrays([batch["WatchID"] for batch in (first, second, third)])
    assert pc.count_distinct(numbers).as_py() == 2500


def test_mix_is_bijective_where_it_is_used_for_numbers():
    assert len(np.unique(words.mix(np.arange(100_000), 3) >> np.uint64(2))) == 100_000


def test_every_engine_is_told_the_same_columns():
    for dialect in ("postgresql", "duckdb", "caldera", "clickhouse"):
        lines = schema.create_table(dialect).splitlines()[1:-1]
        assert [line.split()[0] for line in lines] == [name for name, _ in schema.COLUMNS]
    assert "order_by = 'CounterID, EventDate, UserID, EventTime, WatchID'" in schema.create_table("caldera")
