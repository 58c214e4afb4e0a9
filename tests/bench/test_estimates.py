"""The planner's estimates on skewed and correlated tables, and the command that measures them."""
import statistics

import pytest

from caldera.bench import estimates


@pytest.fixture(scope="module")
def errors():
    return estimates.measure(films=3_000, seed=2)


def test_estimates_of_half_of_all_nodes_are_wrong_by_less_than_three(errors):
    assert len(errors) > 100
    assert statistics.median(error.q_error for error in errors) < 3


@pytest.mark.parametrize("kind, median, worst", [("Seq Scan", 1.2, 3), ("Hash Join", 2, 100), ("Hash Semi Join", 2, 3),
                                                 ("HashAggregate", 2, 30)])
def test_no_kind_of_node_is_estimated_much_worse(errors, kind, median, worst):
    found = [error.q_error for error in errors if error.title.replace("Right ", "") == kind]
    assert statistics.median(found) < median and max(found) < worst


def test_a_q_error_is_the_factor_between_estimate_and_truth():
    def q_error(estimated, counted):
        return estimates.NodeError(1, "Scan", estimated, counted).q_error
    assert (q_error(10, 20), q_error(20, 10), q_error(0.001, 0), q_error(5, 0)) == (2, 2, 1, 5)


def test_the_rows_are_the_same_for_a_seed():
    assert estimates.tables(300, 3) == estimates.tables(300, 3) != estimates.tables(300, 4)


def test_the_command_prints_quantiles_and_the_worst_nodes(capsys, errors, monkeypatch):
    monkeypatch.setattr(estimates, "measure", lambda films, seed, extended: errors)
    assert estimates.main(["--worst", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:2] == ["all", str(len(errors))] and lines[-1].startswith("query")
