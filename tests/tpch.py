"""TPC-H's 22 queries on its own rows at scale 0.01 (60,000 rows of lineitem), as a file of the corpus.

They run as people run them; `make campaign-tpch` asks again over parts, and with programs compiled as far as it goes. No
column is a float.
"""
from tests.benchmark_rows import into_caldera, into_postgres
from tests.differential import BY_NAME
from tests.queries import CorpusFile, Query

SCALE = 0.01
CONFIGURATIONS = tuple(BY_NAME[name] for name in ("fast2", "large_granules_fast", "large_granules_o3_2"))
INDEXES = """
    CREATE INDEX ON part (p_partkey); CREATE INDEX ON supplier (s_suppkey);
    CREATE INDEX ON partsupp (ps_partkey, ps_suppkey);
    CREATE INDEX ON orders (o_orderkey); CREATE INDEX ON orders (o_custkey); CREATE INDEX ON customer (c_custkey);
    CREATE INDEX ON lineitem (l_orderkey); CREATE INDEX ON lineitem (l_partkey, l_suppkey); ANALYZE"""


def tpch_file(configurations=CONFIGURATIONS):
    """The CorpusFile."""
    from caldera.bench import tpch
    queries = tuple(Query("tpch", f"q{number:02}", text, frozenset(), ()) for number, text in sorted(tpch.texts().items()))
    return CorpusFile("tpch", "", queries, configurations, lambda session: into_postgres(session, tpch, SCALE, INDEXES),
                      lambda session: into_caldera(session, tpch, SCALE))
