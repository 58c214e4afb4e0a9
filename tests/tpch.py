"""TPC-H's 22 queries on its own rows at scale 0.01 (60,000 rows of lineitem), as a file of the corpus.

They run as people run them; `make campaign-tpch` asks again over parts, and with programs compiled as far as it goes. No
column is a float.
"""
import atexit
import functools
import io
import shutil
import tempfile

from tests.differential import BY_NAME
from tests.queries import CorpusFile, Query

SCALE = 0.01
CONFIGURATIONS = tuple(BY_NAME[name] for name in ("fast2", "large_granules_fast", "large_granules_o3_2"))
INDEXES = """
    CREATE INDEX ON part (p_partkey); CREATE INDEX ON supplier (s_suppkey);
    CREATE INDEX ON partsupp (ps_partkey, ps_suppkey);
    CREATE INDEX ON orders (o_orderkey); CREATE INDEX ON orders (o_custkey); CREATE INDEX ON customer (c_custkey);
    CREATE INDEX ON lineitem (l_orderkey); CREATE INDEX ON lineitem (l_partkey, l_suppkey); ANALYZE"""


@functools.cache
def paths():
    """{table: path of a Parquet file}, made once; they go when the process ends."""
    from caldera.bench import tpch
    folder = tempfile.mkdtemp(prefix="caldera-tpch-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return tpch.generate(folder, SCALE)


def into_postgres(session):
    """Create the tables, copy the rows as CSV, and make what PostgreSQL needs to answer soon."""
    import pyarrow
    import pyarrow.csv
    import pyarrow.parquet

    from caldera.bench import tpch
    session.run(tpch.create_tables())
    for name, path in paths().items():
        table, sink = pyarrow.parquet.read_table(path), io.BytesIO()
        table = table.cast(pyarrow.schema([(field.name, pyarrow.string() if pyarrow.types.is_string_view(field.type)
                                            else field.type) for field in table.schema]))
        pyarrow.csv.write_csv(table, sink, pyarrow.csv.WriteOptions(include_header=False))
        session.copy(name, [sink.getvalue()])
    session.run(INDEXES)


def into_caldera(session):
    """Create the tables and copy the rows from Parquet files."""
    from caldera.bench import tpch
    session.run(tpch.create_tables("USING mergetree"))
    for name, path in paths().items():
        session.run(f"COPY {name} FROM '{path}' (FORMAT parquet)")


def tpch_file(configurations=CONFIGURATIONS):
    """The CorpusFile."""
    from caldera.bench import tpch
    queries = tuple(Query("tpch", f"q{number:02}", text, frozenset(), ()) for number, text in sorted(tpch.texts().items()))
    return CorpusFile("tpch", "", queries, configurations, into_postgres, into_caldera)
