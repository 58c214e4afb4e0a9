"""The query corpus: files in tests/corpus, each with a set-up and named queries.

    -- What the file is about.
    -- setup
    CREATE TABLE t (x int) USING mergetree;
    INSERT INTO t VALUES (1), (NULL);

    -- name: sum_of_ints
    SELECT sum(x) FROM t;

    -- name: average_of_floats (float)
    -- with: TimeZone = 'Europe/Berlin'
    SELECT avg(f) FROM t;

Words in parentheses: `float` lets float columns differ by 1e-12; `exact` demands PostgreSQL's very order of rows; `shape`
compares names, types and the number of rows only (for values no two engines can agree on; the comment below the name says
why). `with:` lines are settings for that query. Queries in tests/known_gaps.txt do not give the right answer yet; that list
may only shrink.
"""
import pathlib
import re
from collections.abc import Callable
from dataclasses import dataclass

FOLDER = pathlib.Path(__file__).parent / "corpus"
GAPS = pathlib.Path(__file__).parent / "known_gaps.txt"
FLAGS = {"float", "exact", "shape"}
HEADER = re.compile(r"^-- name: *(\w+) *(?:\(([\w ,]*)\))? *$", re.MULTILINE)
SETTING = re.compile(r"^-- with: *([\w.]+) *= *(.+?) *$", re.MULTILINE)


@dataclass(frozen=True)
class Query:
    """One query of the corpus. settings: pairs of a setting's name and its value as SQL."""
    file: str
    name: str
    sql: str
    flags: frozenset
    settings: tuple

    @property
    def id(self):
        return f"{self.file}/{self.name}"


def nothing(session):
    """No further data."""


@dataclass(frozen=True)
class CorpusFile:
    """A file of the corpus: the script that makes its tables, and its queries.

    configurations: those that it is meant for, None for all. into_postgres, into_caldera: load further data into a session.
    ordinary: the names of the queries that an ordinary run asks, None for all; the others wait for a campaign.
    """
    name: str
    setup: str
    queries: tuple
    configurations: tuple | None = None
    into_postgres: Callable = nothing
    into_caldera: Callable = nothing
    ordinary: frozenset | None = None

    def prepare_caldera(self, session):
        """Make the tables in a Caldera session."""
        session.run(self.setup)
        self.into_caldera(session)


def read(path):
    """The CorpusFile at a path. ValueError for a malformed one."""
    text = path.read_text(encoding="utf-8")
    head, *pieces = HEADER.split(text)
    setup = head.split("-- setup", 1)[1] if "-- setup" in head else ""
    queries = []
    for name, words, body in zip(pieces[0::3], pieces[1::3], pieces[2::3]):
        flags = frozenset(re.findall(r"\w+", words or ""))
        if flags - FLAGS:
            raise ValueError(f"{path.name}: {name}: unknown words {set(flags - FLAGS)}")
        sql = "\n".join(line for line in body.splitlines() if not line.startswith("--")).strip().removesuffix(";")
        queries.append(Query(path.stem, name, sql, flags, tuple(SETTING.findall(body))))
    names = [query.name for query in queries]
    if len(set(names)) != len(names):
        raise ValueError(f"{path.name}: the same name twice: {sorted({name for name in names if names.count(name) > 1})}")
    return CorpusFile(path.stem, setup.strip(), tuple(queries))


def corpus():
    """All files of the corpus, by name: those in the folder, the benchmarks, and the examples of the functions."""
    from tests.clickbench import clickbench_files
    from tests.examples import example_file
    from tests.ssb import ssb_file
    from tests.tpcds import tpcds_file
    from tests.tpch import tpch_file
    files = [*(read(path) for path in sorted(FOLDER.glob("*.sql"))), *clickbench_files(), tpch_file(), tpcds_file(),
             ssb_file(), example_file()]
    return {file.name: file for file in files}


def known_gaps():
    """Ids of queries that are known to be wrong, with the reason noted behind each."""
    if not GAPS.exists():
        return {}
    lines = [line.strip() for line in GAPS.read_text(encoding="utf-8").splitlines()]
    return dict((line.split(None, 1) + [""])[:2] for line in lines if line and not line.startswith("#"))
