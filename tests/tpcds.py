"""TPC-DS's 99 queries, 103 statements, on its own rows at scale 0.01 (29,000 rows of store_sales), as a file of the corpus.

An ordinary run asks some of them, `make campaign-tpcds` all, also over parts, and with programs compiled as far as it goes.
No column is a float.
"""
from tests.benchmark_rows import into_caldera, into_postgres
from tests.differential import BY_NAME
from tests.queries import CorpusFile, Query

SCALE = 0.01
CONFIGURATIONS = tuple(BY_NAME[name] for name in ("fast2", "large_granules_fast", "large_granules_o3_2"))
ORDINARY = frozenset({                      # each has rows to show, and PostgreSQL answers it soon
    "q01", "q07", "q12", "q17", "q18", "q23a", "q28", "q33", "q36", "q40", "q46", "q51", "q63", "q66", "q71", "q76", "q80",
    "q89", "q90", "q97"})


def indexes(tpcds):
    """An index for the first column of each table, by which it is joined, and statistics."""
    return "".join(f"CREATE INDEX ON {name} ({columns[0][0]});" for name, columns in tpcds.tables().items()) + "ANALYZE"


def tpcds_file(configurations=CONFIGURATIONS):
    """The CorpusFile."""
    from caldera.bench import tpcds
    queries = tuple(Query("tpcds", f"q{name:0>{2 + name[-1].isalpha()}}", text, frozenset(), ())
                    for name, text in tpcds.texts().items())
    return CorpusFile("tpcds", "", queries, configurations,
                      lambda session: into_postgres(session, tpcds, SCALE, indexes(tpcds)),
                      lambda session: into_caldera(session, tpcds, SCALE), ORDINARY)
