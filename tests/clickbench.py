"""ClickBench's 43 queries on generated hits, as files of the corpus.

2,000 rows are asked under every configuration, 30,000 (several granules and morsels) under those meant for speed.
"""
import io
import tempfile

from tests.differential import LARGE
from tests.queries import CorpusFile, Query

SIZES = {"clickbench_small": (2_000, None), "clickbench_large": (30_000, LARGE)}


class Hits:
    """Puts the same generated rows into both engines."""

    def __init__(self, rows):
        self.rows = rows

    def into_postgres(self, session):
        """Create the table and copy the rows as CSV."""
        from caldera.bench import schema
        session.run(schema.create_table("postgresql"))
        session.copy("hits", self.blocks())

    def into_caldera(self, session):
        """Create the sorted column table and copy the rows from a Parquet file."""
        from caldera.bench import hits, schema
        session.run(schema.create_table("caldera"))
        with tempfile.TemporaryDirectory(prefix="caldera-hits-") as folder:
            hits.generate(f"{folder}/hits.parquet", self.rows)
            session.run(f"COPY hits FROM '{folder}/hits.parquet' (FORMAT parquet)")

    def blocks(self):
        """The rows as blocks of CSV text."""
        import pyarrow.csv

        from caldera.bench import hits
        options = pyarrow.csv.WriteOptions(include_header=False)
        for batch in hits.batches(self.rows):
            sink = io.BytesIO()
            pyarrow.csv.write_csv(batch, sink, options)
            yield sink.getvalue()


def clickbench_files():
    """A CorpusFile for each size. Averages of floats are the only values whose last digits are open."""
    from caldera.bench import queries
    files = []
    for name, (rows, configurations) in SIZES.items():
        hits = Hits(rows)
        files.append(CorpusFile(name, "", tuple(Query(name, f"q{number:02}", text, frozenset({"float"}), ())
                                                for number, text in sorted(queries.texts().items())),
                                configurations, hits.into_postgres, hits.into_caldera))
    return files
