"""What a run reports: ratios of the right times, JSON, and a page that needs nothing else."""
import json
import math
import re
from types import SimpleNamespace

import pytest

from caldera.bench import page, report
from caldera.bench.clickbench import Outcome, Timing

ENGINES = [SimpleNamespace(name=name, title=title, version="1", load_s=1.0, bytes=1_000_000)
           for name, title in (("caldera", "Caldera"), ("duckdb", "DuckDB"))]


def outcome(number, ours, theirs):
    return Outcome(number, f"SELECT '<{number}>' FROM hits", {"caldera": ours, "duckdb": theirs})


@pytest.fixture
def result():
    outcomes = [outcome(1, Timing(0.4, [0.2, 0.1, 0.3]), Timing(0.4, [0.2, 0.2, 0.2])),
                outcome(2, Timing(0.8, [0.8, 0.9]), Timing(0.1, [0.1, 0.1])),
                outcome(3, Timing(0.1, [0.001], "not DuckDB's answer: (1) against (2)"), Timing(0.1, [0.1])),
                outcome(4, Timing(problem="took longer than 1 s"), Timing(0.1, [0.1]))]
    return report.summarise(ENGINES, outcomes, rows=10, threads=2, data="hits.parquet")


def test_ratios_are_geometric_means_of_best_times_with_right_answers(result):
    versus = result["summary"]["versus"]["duckdb"]
    assert versus["queries"] == 2
    assert math.isclose(versus["hot_ratio"], math.sqrt(0.5 * 8)) and math.isclose(versus["cold_ratio"], math.sqrt(1 * 8))
    assert math.isclose(versus["median_ratio"], math.sqrt(1 * 8.5)) and math.isclose(versus["sum_ratio"], 0.9 / 0.3)
    assert (versus["faster"], versus["above_3"], versus["above_6"]) == ([1], [2], [2])


def test_json_holds_all_figures(result, tmp_path):
    report.write_json(result, tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text()) == result
    assert result["queries"][0]["engines"]["caldera"]["hot_s"] == [0.2, 0.1, 0.3]


def test_the_page_needs_no_other_file_and_escapes_what_it_shows(result):
    text = page.render(result)
    assert not re.search(r'(src|href)=|@import|url\(|<script', text)
    assert text.count("<svg") == text.count("</svg>") == 2 and "&lt;1&gt;" in text and "'<1>'" not in text
    assert 'class="wrong"' in text


def test_a_page_can_be_made_of_a_run_without_answers():
    failed = [outcome(1, Timing(problem="x"), Timing(problem="y"))]
    text = page.render(report.summarise(ENGINES, failed, rows=1, threads=1, data="d"))
    assert "No query was answered" in text


def test_lines_and_totals_say_what_is_wrong(result, capsys):
    report.header(ENGINES)
    report.line(ENGINES, outcome(3, Timing(0.1, [0.001], "not DuckDB's answer: [1]"), Timing(0.1, [0.1])))
    report.totals(result)
    text = capsys.readouterr().out
    assert "Q3" in text and "not DuckDB's answer: [1]" in text and "hot 2.00" in text and "above 6: Q2" in text


@pytest.mark.parametrize("seconds, text", [(0.00052, "0.52"), (0.0031, "3.1"), (1.234, "1234")])
def test_milliseconds_have_the_digits_that_mean_something(seconds, text):
    assert report.milliseconds(seconds) == text
