"""The rows of a benchmark's tables, given as Parquet files, on their way into both engines.

A benchmark is a module of caldera.bench with `create_tables(engine)` and `generate(folder, scale)`.
"""
import atexit
import functools
import io
import shutil
import tempfile


@functools.cache
def paths(benchmark, scale):
    """{table: path of a Parquet file}, made once; they go when the process ends."""
    folder = tempfile.mkdtemp(prefix="caldera-benchmark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return benchmark.generate(folder, scale)


def into_postgres(session, benchmark, scale, indexes):
    """Create the tables, copy the rows as CSV, and run `indexes`: what PostgreSQL needs to answer soon."""
    import pyarrow
    import pyarrow.csv
    import pyarrow.parquet
    session.run(benchmark.create_tables())
    for name, path in paths(benchmark, scale).items():
        table, sink = pyarrow.parquet.read_table(path), io.BytesIO()
        table = table.cast(pyarrow.schema([(field.name, pyarrow.string() if pyarrow.types.is_string_view(field.type)
                                            else field.type) for field in table.schema]))
        pyarrow.csv.write_csv(table, sink, pyarrow.csv.WriteOptions(include_header=False))
        session.copy(name, [sink.getvalue()])
    session.run(indexes)


def into_caldera(session, benchmark, scale):
    """Create the tables and copy the rows from Parquet files."""
    session.run(benchmark.create_tables("USING mergetree"))
    for name, path in paths(benchmark, scale).items():
        session.run(f"COPY {name} FROM '{path}' (FORMAT parquet)")
