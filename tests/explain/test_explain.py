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
    for name, rows in (("t", 4000), ("big", 100000)):
        connection.execute_text(f"CREATE TABLE {name} (x int NOT NULL, g int, s text) USING mergetree WITH (order_by = 'x')")
        connection.execute_text(f"INSERT INTO {name} SELECT i, i % 7, chr(97 + i % 3) || i % 100 "
                                f"FROM generate_series(1, {rows}) AS n (i)")
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


def test_analyze_tells_times(connection):
    lines = explained(connection, "ANALYZE", GROUPED)
    assert any(re.search(r"time=[\d.]+ ms \(open [\d.]+, emit [\d.]+, compile [\d.]+\)", line) for line in lines)
    assert lines[-2].startswith("Planning Time: ") and lines[-1].startswith("Execution Time: ")


def test_what_is_not_needed_is_said_so(connection):
    lines = explained(connection, QUIET, "SELECT count(*) FROM t")
    assert lines[0] == "Table Facts on t  (actual rows=1)" and any("never executed" in line for line in lines)
    assert "     not needed" in lines


def test_subqueries_are_shown_where_they_are_used(connection):
    lines = explained(connection, "COSTS OFF", "SELECT x FROM t WHERE g = (SELECT min(x) FROM t WHERE g > 3)")
    assert lines == ["Seq Scan on t", "  Filter: (g = (subquery))", "  InitPlan 1", "    ->  Aggregate",
                     "          Aggregates: min(x)", "          ->  Seq Scan on t", "                Granule Cond: (g >= 4)",
                     "                Filter: (g > 3)"]


def test_verbose_tells_the_output(connection):
    lines = explained(connection, "VERBOSE, COSTS OFF", "SELECT x + 1 AS y FROM t")
    assert "  Output: y" in lines


def test_pipelines(connection):
    lines = explained(connection, "PIPELINES, COSTS OFF", GROUPED)
    start = lines.index("Pipelines:")
    assert any(re.match(r"  \d: Seq Scan on t -> Filter \(x > 100\) -> .*Aggregate$", line) for line in lines[start:])
    assert any("Top-N Sort (limit 3)" in line for line in lines[start:])


def test_code_is_shown_with_its_origins(connection):
    lines = explained(connection, "CODE", "SELECT x + 1 FROM t WHERE x > 5")
    assert any("define i64 @run(" in line for line in lines)
    assert any("; operators/filter.py:" in line for line in lines)


def test_assembly(connection):
    assert any(line.strip() == "run:" for line in explained(connection, "ASM", "SELECT x + 1 FROM t WHERE x > 5"))


@pytest.mark.parametrize("options", ["", "ANALYZE", "ANALYZE, CODE, ASM, VERBOSE", "PIPELINES, CODE"])
def test_json_says_the_same(connection, options):
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
