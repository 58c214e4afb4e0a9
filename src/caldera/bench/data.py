"""Where a benchmark's file of hits comes from: generated once and kept, or the published file in our types.

    prepare(None, rows)  ──▶ <cache>/hits-1000000-1.parquet, generated if it is not there
    prepare("hits.parquet", None) ──▶ the file itself if it has our types, else a converted copy in the cache
"""
import contextlib
import os
from pathlib import Path

import pyarrow.parquet as pq
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from caldera.base.errors import error
from caldera.bench import hits, schema

DEFAULT_ROWS = 1_000_000
FORMAT = 1                          # raised when generated data changes, so that a kept file is not taken for the new one


def cache():
    """The directory for benchmark data, below the user's cache directory."""
    directory = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "caldera" / "bench"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def prepare(path, rows, seed=1):
    """A Parquet file in the types of caldera.bench.schema. Raises 58P01 if `path` is missing, 42P16 if it holds no hits."""
    if path is None:
        rows = rows or DEFAULT_ROWS
        target = cache() / f"hits-{rows}-{seed}-v{FORMAT}.parquet"
        if not target.exists():
            with progress_bar("Generating hits", rows) as advance:
                hits.generate(target, rows, seed, advance)
        return target
    source = Path(path)
    if not source.exists():
        raise error("58P01", f'could not open file "{path}": No such file or directory')
    file = opened_hits(source)
    total = file.metadata.num_rows
    if schema.conforms(file.schema_arrow) and (rows is None or rows >= total):
        return source
    return convert(source, file, min(rows or total, total))


def opened_hits(source):
    """The ParquetFile of a file of hits. Raises 22000 for what is no Parquet file, 42P16 where a column is absent."""
    try:
        file = pq.ParquetFile(source)
    except Exception as failure:
        raise error("22000", f'file "{source}" is not a Parquet file', detail=str(failure)) from None
    absent = [name for name, _ in schema.COLUMNS if name not in file.schema_arrow.names]
    if absent:
        raise error("42P16", f'file "{source}" is not a table of hits', detail=f"It has no column {absent[0]}.")
    return file


def convert(source, file, rows):
    """The first `rows` rows of a file, in our types, in a file in the cache."""
    stat = source.stat()
    target = cache() / f"{source.stem}-{rows}-{stat.st_size}-{stat.st_mtime_ns}-v{FORMAT}.parquet"
    unfinished = target.with_suffix(".unfinished")
    if target.exists():
        return target
    written = 0
    with progress_bar("Converting", rows) as advance, pq.ParquetWriter(unfinished, schema.arrow_schema()) as writer:
        for batch in file.iter_batches(131_072, columns=[name for name, _ in schema.COLUMNS]):
            batch = batch.slice(0, rows - written)
            if batch.num_rows == 0:
                break
            writer.write_batch(schema.conform(batch))
            written += batch.num_rows
            advance(written, rows)
    os.replace(unfinished, target)
    return target


def count(parquet):
    """The number of rows in a Parquet file."""
    return pq.read_metadata(parquet).num_rows


@contextlib.contextmanager
def progress_bar(title, total):
    """A bar on standard error, as a context that gives the function advance(done, total)."""
    columns = TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=total)
        yield lambda done, total: progress.update(task, completed=done, total=total)
