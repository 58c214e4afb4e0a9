"""The 13 queries of the Star Schema Benchmark on its own rows at scale 0.01 (60,000 rows of lineorder), as a file of the
corpus. `make campaign-ssb` asks again over parts, and with programs compiled as far as it goes."""
from tests.benchmark_rows import into_caldera, into_postgres
from tests.differential import BY_NAME
from tests.queries import CorpusFile, Query

SCALE = 0.01
CONFIGURATIONS = tuple(BY_NAME[name] for name in ("fast2", "large_granules_fast", "large_granules_o3_2"))


def ssb_file(configurations=CONFIGURATIONS):
    """The CorpusFile."""
    from caldera.bench import ssb
    queries = tuple(Query("ssb", f"q{name.replace('.', '_')}", text, frozenset(), ()) for name, text in ssb.texts().items())
    return CorpusFile("ssb", "", queries, configurations, lambda session: into_postgres(session, ssb, SCALE, "ANALYZE"),
                      lambda session: into_caldera(session, ssb, SCALE))
