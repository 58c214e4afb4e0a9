"""EXPLAIN in all its forms."""
import json
import re

import pytest

import caldera

QUIET = "ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF"
GROUPED = "SELECT g, count(*) AS c, avg(x) FROM t WHERE x > 100 AND s LIKE 'a%' GROUP BY g HAVING count(*) > 1 " \
          "ORDER BY c DESC LIMIT 3"


@pytest.fixture(scope="module")
def connection():
    connection = caldera.connect(threads=2)
    for name, rows in (("t", 4000), ("big", 100000), ("few", 300)):
        connection.execute_text(f"CREATE TABLE {name} (x int NOT NULL, g int, s text, n text) "
                                "USING mergetree WITH (order_by = 'x')")
        connection.execute_text(f"INSERT INTO {name} SELECT i, i % 7, chr(97 + i % 3) || i % 100, "
                                f"nullif(chr(97 + i % 6), 'f') FROM generate_series(1, {rows}) AS n (i)")
    connection.execute_text("CREATE TABLE copy (x int)")
    yield connection
    connection.close()


def explained(connection, options, query):
    """The lines of an EXPLAIN."""
    columns, rows = connection.execute_text(f"EXPLAIN ({options}) {query}" if options else f"EXPLAIN {query}")
    assert [name for name, _ in columns] == ["QUERY PLAN"]
    return [text for text, in rows]


def test_a_plan_has_the_layout_of_postgresql(connection):
    assert explained(connection, "COSTS OFF", "SELECT g, s FROM t WHERE x > 100 OFFSET 2 LIMIT 3") == [
        "Limit", "  Limit: 3", "  Offset: 2", "  ->  Seq Scan on t", "        Granule Cond: (x >= 101)",
        "        Filter: (x > 100)"]


def test_costs_and_rows_are_shown_unless_turned_off(connection):
    pattern = re.compile(r"  \(cost=\d+\.\d\d\.\.\d+\.\d\d rows=\d+ width=\d+\)$")
    lines = explained(connection, "", GROUPED)
    titles = [line for line in lines if "->" in line or not line.startswith(" ")]
    assert titles and all(pattern.search(line) for line in titles)
    assert not any("cost=" in line for line in explained(connection, "COSTS OFF", GROUPED))


def test_estimates_follow_what_segments_know(connection):
    def rows(query):
        return int(re.search(r"rows=(\d+)", explained(connection, "", query)[0]).group(1))
    assert rows("SELECT * FROM big") == 100000
    assert 24000 < rows("SELECT * FROM big WHERE x <= 25000") < 26000
    assert rows("SELECT * FROM big WHERE x = 5") == 1
    assert rows("SELECT DISTINCT g FROM big") == 7
    assert rows("SELECT * FROM big WHERE x IS NULL") == 1 and rows("SELECT * FROM big LIMIT 9") == 9


@pytest.mark.parametrize("condition, truth", [
    ("few.x = big.g", 85_714), ("few.x = big.x", 300), ("few.x = big.x AND big.x = 5", 1),
    ("few.x = big.g AND few.x = 5", 14_286), ("few.x = big.g AND few.x < 4", 42_857),
    ("few.x = big.x AND few.g = big.g", 300),
    ("few.x = big.x AND (few.x = 7 AND big.s LIKE '%9' OR few.x = 9 AND big.s LIKE '%7')", 1)])
def test_estimates_of_joins_follow_their_keys_and_what_filters_leave_of_them(connection, condition, truth):
    line = explained(connection, "", f"SELECT * FROM few JOIN big ON {condition}")[0]
    estimate = int(re.search(r"rows=(\d+)", line).group(1))
    assert truth / 1.5 < estimate < truth * 1.5


def test_analyze_counts_rows_and_granules(connection):
    lines = explained(connection, QUIET, "SELECT g, count(*) FROM big WHERE x <= 10 GROUP BY g ORDER BY g")
    assert lines[:6] == ["Sort  (actual rows=7)", "  Sort Key: g", "  ->  HashAggregate  (actual rows=7)",
                         "        Group Key: g",
                         "        Aggregates: count(*)", "        ->  Seq Scan on big  (actual rows=10 removed=8182)"]
    assert any("granules=1 of 13" in line for line in lines)


@pytest.mark.parametrize("tier", ["python", "fast", "o3"])
@pytest.mark.parametrize("threads", [1, 2])
def test_analyze_counts_the_same_in_every_tier(connection, tier, threads):
    connection.execute_text(f"SET caldera.tier = {tier}; SET threads = {threads}")
    lines = explained(connection, QUIET, "SELECT count(DISTINCT s) FROM t WHERE x BETWEEN 2001 AND 3000 AND g <> 3")
    connection.execute_text("RESET caldera.tier; RESET threads")
    assert lines[0] == "Aggregate  (actual rows=1)"
    assert any("actual rows=857" in line for line in lines)
    assert any(f"tier={tier}" in line for line in lines)


NESTED = [          # a query, and from the top of its plan down what to count; None for nodes that stop early
    ("SELECT x + 1 FROM few WHERE x > 100", ["SELECT FROM few WHERE x > 100"] * 2),
    ("SELECT k, c FROM (SELECT x % 7 AS k, count(*) AS c FROM few GROUP BY 1) q WHERE c > 42 ORDER BY c",
     ["SELECT FROM generate_series(1, 6)"] * 2 + ["SELECT FROM few"]),
    ("SELECT n, count(*) FROM few WHERE n < 'f' GROUP BY n ORDER BY n LIMIT 2 OFFSET 1",
     ["VALUES (1), (2)", "SELECT DISTINCT n FROM few WHERE n < 'f'", "SELECT FROM few WHERE n < 'f'"]),
    ("SELECT n, g, count(*) FROM few GROUP BY n, g", ["SELECT DISTINCT n, g FROM few", "SELECT FROM few"]),
    ("SELECT DISTINCT x % 50 FROM few", ["SELECT FROM generate_series(1, 50)", "SELECT FROM few", "SELECT FROM few"]),
    ("SELECT n, count(DISTINCT g) FROM few GROUP BY n", ["SELECT DISTINCT n FROM few", "SELECT FROM few"]),
    ("SELECT sum(a) FROM (VALUES (1), (2), (3)) AS v (a) WHERE a > 1", ["SELECT 1", "VALUES (2), (3)"]),
    ("SELECT i % 10, count(*) FROM generate_series(1, 300) AS i WHERE i % 3 = 0 GROUP BY 1",
     ["SELECT FROM generate_series(1, 10)", "SELECT FROM generate_series(1, 100)"]),
    ("SELECT count(*) FROM (SELECT x FROM few LIMIT 150 OFFSET 10) AS q",
     ["SELECT 1", "SELECT FROM generate_series(1, 150)", None]),
    ("SELECT * FROM few ORDER BY s, x DESC", ["SELECT FROM few"] * 2),
    ("SELECT 1 WHERE false", ["SELECT 1 WHERE false"] * 2)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("tier", ["python", "fast", "o3"])
def test_analyze_counts_the_rows_of_every_node(connection, tier, threads):
    def counts(node):
        return [node.get("Actual Rows"), *(count for below in node.get("Plans", ()) for count in counts(below))]
    for query, levels in NESTED:
        expected = [level and int(connection.execute_text(f"SELECT count(*) FROM ({level}) AS q")[1][0][0])
                    for level in levels]
        connection.execute_text(f"SET caldera.tier = {tier}; SET threads = {threads}; SET caldera.morsel_rows = 64; "
                                "SET caldera.block_rows = 32")
        whole, = json.loads(explained(connection, "ANALYZE, FORMAT JSON", query)[0])
        connection.execute_text("RESET ALL; SET threads = 2")
        found = counts(whole["Plan"])
        assert [level and count for count, level in zip(found, levels, strict=True)] == expected, query


def test_pipelines_count_groups_and_not_the_room_for_them(connection):
    lines = explained(connection, QUIET, "SELECT n, count(*) FROM t WHERE n IS NOT NULL GROUP BY n")
    assert lines[-1].startswith("     rows=5 ") and "-> Result" in lines[-2]


def test_analyze_tells_what_became_of_maps_over_dictionaries(connection):
    def outcome(condition):
        lines = explained(connection, QUIET, f"SELECT count(*) FROM big WHERE {condition}")
        return [line.split()[0] for line in lines if "map=" in line]
    assert outcome("s LIKE '%7%'") == ["map=made"] and outcome("s LIKE '%7%'") == ["map=found"]
    assert outcome("x > 5 AND s || x::text LIKE 'a%'") == []
    connection.execute_text("SET caldera.keep_maps = off")
    assert outcome("s LIKE '%7%'") == ["map=made"] and outcome("s LIKE '%8%'") == ["map=made"]
    connection.execute_text("RESET caldera.keep_maps")
    assert outcome("s LIKE '%8%'") == ["map=made"] and outcome("s LIKE '%8%'") == ["map=found"]


def test_analyze_tells_of_a_map_that_an_error_ends_and_of_one_that_would_not_pay(connection):
    connection.execute_text("CREATE TABLE words AS SELECT i AS x, CASE i WHEN 1 THEN '' ELSE chr(97 + i % 3) END AS few, "
                            "'a' || i / 2 AS many, 'a' || i AS each FROM generate_series(1, 70000) AS n (i)")
    lines = explained(connection, QUIET, "SELECT count(*) FROM words WHERE x > 1 AND 1 / length(few) = 1")
    assert any("map=given up" in line for line in lines) and any("actual rows=69999" in line for line in lines)
    lines = explained(connection, QUIET, "SELECT count(*) FROM words WHERE many LIKE '%2%'")
    assert any("map=made" in line for line in lines)
    lines = explained(connection, QUIET, "SELECT count(*) FROM words WHERE each LIKE 'a2%'")
    assert any("map=not used" in line for line in lines) and any("actual rows=11111" in line for line in lines)


def test_analyze_tells_times_of_pipelines_and_of_the_whole(connection):
    lines = explained(connection, "ANALYZE", GROUPED)
    assert any(re.search(r"time=[\d.]+ ms \(open [\d.]+, emit [\d.]+, compile [\d.]+\)", line) for line in lines)
    assert lines[-2].startswith("Planning Time: ") and lines[-1].startswith("Execution Time: ")


def test_what_is_not_needed_is_said_so(connection):
    lines = explained(connection, QUIET, "SELECT count(*) FROM t")
    assert lines[0] == "Table Facts on t  (actual rows=1)" and any("never executed" in line for line in lines)
    assert "     not needed" in lines


@pytest.mark.parametrize("options", ["PIPELINES", "CODE", "ASM"])
def test_a_plan_without_pipelines_says_so_to_those_who_ask_for_them(connection, options):
    lines = explained(connection, options, "SELECT count(*) FROM t")
    assert lines[-1] == "Pipelines: none is needed, the rows are known"
    assert not any("Pipelines" in line for line in explained(connection, "COSTS OFF", "SELECT count(*) FROM t"))


def test_subqueries_are_shown_where_they_are_used(connection):
    lines = explained(connection, "COSTS OFF", "SELECT x FROM t WHERE g = (SELECT min(x) FROM t WHERE g > 3)")
    assert lines == ["Seq Scan on t", "  Filter: (g = (subquery))", "  InitPlan 1", "    ->  Aggregate",
                     "          Aggregates: min(x)", "          ->  Seq Scan on t", "                Granule Cond: (g >= 4)",
                     "                Filter: (g > 3)"]


def test_verbose_tells_the_output_of_every_node(connection):
    lines = explained(connection, "VERBOSE, COSTS OFF", "SELECT x + 1 AS y FROM t")
    assert "  Output: y" in lines


def test_pipelines_tells_the_source_steps_and_sink_of_each(connection):
    lines = explained(connection, "PIPELINES, COSTS OFF", GROUPED)
    start = lines.index("Pipelines:")
    assert any(re.match(r"  \d: Seq Scan on t -> .*Filter \(x > 100\) -> .*Aggregate$", line) for line in lines[start:])
    assert any("Top-N Sort (limit 3)" in line for line in lines[start:])


def test_code_is_shown_with_its_origins(connection):
    lines = explained(connection, "CODE", "SELECT x + 1 FROM t WHERE x > 5")
    assert any("define i64 @run(" in line for line in lines)
    assert any("; operators/filter.py:" in line for line in lines)


def test_asm_shows_the_assembly_of_each_pipeline(connection):
    assert any(line.strip() == "run:" for line in explained(connection, "ASM", "SELECT x + 1 FROM t WHERE x > 5"))


@pytest.mark.parametrize("options", ["", "ANALYZE", "ANALYZE, CODE, ASM, VERBOSE", "PIPELINES, CODE"])
def test_json_says_the_same_as_text(connection, options):
    lines = explained(connection, f"FORMAT JSON{', ' if options else ''}{options}", GROUPED)
    assert len(lines) == 1
    whole, = json.loads(lines[0])
    assert whole["Plan"]["Node Type"] == "Top-N Sort" and whole["Plan"]["Plan Rows"] in (1, 2, 3)
    assert ("Pipelines" in whole) == bool(options) and ("Execution Time" in whole) == ("ANALYZE" in options)
    if "ANALYZE" in options:
        assert whole["Plan"]["Actual Rows"] == 3
    assert ("CODE" in options) == ("Code" in str(whole.get("Pipelines")))


@pytest.mark.parametrize("query", [
    "SELECT 1", "VALUES (1), (2)", "SELECT * FROM generate_series(1, 10) AS s (i) ORDER BY i DESC",
    "SELECT DISTINCT g FROM t", "SELECT upper(s) FROM t",
    "SELECT * FROM t ORDER BY s, x LIMIT 5 OFFSET 2", "SELECT string_agg(s, ',' ORDER BY x) FROM t WHERE x < 9",
    "SELECT EXISTS (SELECT 1 FROM t WHERE x = 5)", "SELECT count(DISTINCT g), sum(x) FROM t GROUP BY s"])
@pytest.mark.parametrize("options", ["ANALYZE, VERBOSE", "PIPELINES, CODE", "ANALYZE, CODE, ASM, FORMAT JSON"])
def test_every_kind_of_query_can_be_explained(connection, query, options):
    assert explained(connection, options, query)


def test_analyze_carries_out_the_statement(connection):
    explained(connection, "", "INSERT INTO copy SELECT x FROM t")
    assert connection.execute_text("SELECT count(*) FROM copy")[1] == [("0",)]
    lines = explained(connection, "ANALYZE, COSTS OFF", "INSERT INTO copy SELECT x FROM t WHERE x <= 5")
    assert lines[0] == "Insert on copy"
    assert connection.execute_text("SELECT count(*), max(x) FROM copy")[1] == [("5", "5")]


def test_timing_without_analyze_is_an_error(connection):
    with pytest.raises(caldera.Error) as raised:
        explained(connection, "TIMING ON", "SELECT 1")
    assert raised.value.sqlstate == "22023"


def test_an_error_while_running_is_the_querys_error(connection):
    with pytest.raises(caldera.Error) as raised:
        explained(connection, "ANALYZE", "SELECT 1 / (x - 5) FROM t")
    assert raised.value.sqlstate == "22012"


def test_windows_are_named_and_spelled_out(connection):
    query = "SELECT sum(x) OVER w, rank() OVER (PARTITION BY g ORDER BY s DESC ROWS 2 PRECEDING EXCLUDE TIES), " \
            "count(*) FILTER (WHERE x > 1) OVER w FROM t WINDOW w AS (PARTITION BY g)"
    assert explained(connection, "COSTS OFF", query) == [
        "WindowAgg", "  Window: w AS (PARTITION BY g)",
        "  Functions: sum(x) OVER w, count(*) FILTER (WHERE (x > 1)) OVER w",
        "  ->  WindowAgg",
        "        Window: w1 AS (PARTITION BY g ORDER BY s DESC ROWS BETWEEN '2'::bigint PRECEDING AND CURRENT ROW "
        "EXCLUDE TIES)",
        "        Functions: rank() OVER w1", "        ->  Seq Scan on t"]


def test_a_window_says_whether_its_rows_come_sorted(connection):
    lines = explained(connection, "PIPELINES, COSTS OFF", "SELECT sum(x) OVER (PARTITION BY g ORDER BY x), "
                      "count(*) OVER (PARTITION BY g), rank() OVER (ORDER BY s) FROM t")
    assert sum("-> Window (sorted)" in line for line in lines) == 1, lines
    assert sum(line.endswith("Window") for line in lines) == 2, lines


def test_rows_of_joins_are_counted(connection):
    lines = [row[0] for row in connection.sql(
        "EXPLAIN (ANALYZE) SELECT count(*) FROM generate_series(1, 3) a, generate_series(1, 4) b").fetchall()]
    assert any("Join" in line and "actual rows=12" in line for line in lines)


def refused(connection, query, options=""):
    """The texts behind "Not Used" in an EXPLAIN, node after node."""
    _, rows = connection.execute_text(f"EXPLAIN ({options or 'VERBOSE OFF'}) {query}")
    return [line.split(": ", 1)[1] for line, in rows if line.strip().startswith("Not Used")]


def test_explain_tells_why_a_join_compares_all_rows():
    with caldera.connect() as connection:
        connection.execute_text("CREATE TABLE a (k int, x int); CREATE TABLE b (k int, y int)")
        for condition, reason in {
                "a.x / 2 < b.y": "Hash Join (no equality between the inputs), "
                                 "Range Join ((a.x / 2) may fail for rows that are not compared)",
                "a.k = b.k OR a.x = b.y": "Hash Join (equalities are alternatives of an OR), "
                                          "Range Join (no comparison between the inputs)"}.items():
            assert refused(connection, f"SELECT * FROM a JOIN b ON {condition}") == [reason]
        assert refused(connection, "SELECT * FROM a JOIN b ON a.x < b.y") == []
        connection.execute_text("SET disabled_rules = 'range_joins'")
        assert refused(connection, "SELECT * FROM a JOIN b ON a.x < b.y") == [
            "Hash Join (no equality between the inputs), Range Join (the rule range_joins is disabled)"]


def test_explain_verbose_tells_what_would_have_cost_more():
    with caldera.connect() as connection:
        connection.execute_text("CREATE TABLE a (k int, x int); CREATE TABLE b (k int, y int)")
        connection.execute_text("INSERT INTO a SELECT i, i FROM generate_series(1, 3000) AS g (i)")
        connection.execute_text("INSERT INTO b SELECT i, i FROM generate_series(1, 1000) AS g (i)")
        join, = refused(connection, "SELECT * FROM a JOIN b ON a.k = b.k", "VERBOSE")
        assert "Left input kept (cost" in join
        groups, _ = refused(connection, "SELECT b.y, count(*), sum(x) FROM a JOIN b ON a.k = b.k GROUP BY b.y", "VERBOSE")
        assert groups.startswith("Groups of the left input (about ")


def test_explain_analyze_tells_which_key_filter_was_of_no_use():
    with caldera.connect() as connection:
        connection.execute_text("CREATE TABLE a (k int, x int); CREATE TABLE b (k int, y int)")
        connection.execute_text("INSERT INTO a SELECT i, i FROM generate_series(1, 3000) AS g (i)")
        connection.execute_text("INSERT INTO b SELECT i, i FROM generate_series(1, 1000) AS g (i)")
        found = refused(connection, "SELECT count(*) FROM a JOIN b ON a.k = b.k WHERE y % 1 = 0", "ANALYZE")
        assert any(text.startswith("Key Filter (up to 1000 values are kept") for text in found)
