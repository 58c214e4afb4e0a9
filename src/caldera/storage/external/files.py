"""Files by name or pattern: which there are, what format they have, and their relation."""
import collections
import errno
import glob
import os

from caldera.base.errors import error
from caldera.transaction.files import file_error

FORMATS = {".parquet": "parquet", ".parq": "parquet", ".pq": "parquet", ".csv": "csv", ".tsv": "csv", ".txt": "csv",
           ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow"}
COMPRESSED = (".gz", ".bz2", ".zst", ".lz4")
CACHED_RELATIONS = 64
cache = collections.OrderedDict()           # relations opened lately; a key holds sizes and times of the files


def matching(path):
    """The files that a path or a pattern (*, ?, [...], **) means, sorted. Raises 58P01."""
    path = os.path.expanduser(path)
    if os.path.isdir(path):
        path = os.path.join(path, "*")
    if os.path.exists(path) or not glob.has_magic(path):
        return [path]
    found = sorted(name for name in glob.glob(path, recursive=True) if os.path.isfile(name))
    if not found:
        raise error("58P01", f'no file matches the pattern "{path}"')
    return found


def format_of(path):
    """The format that a file's ending says. Raises 42809."""
    stem = path.lower()
    for ending in COMPRESSED:
        stem = stem.removesuffix(ending)
    format = FORMATS.get(os.path.splitext(stem)[1])
    if format is None:
        raise error("42809", f'cannot tell the format of file "{path}" from its name',
                    hint="Use read_parquet('...') or read_csv('...').")
    return format


def fingerprint(path, purpose=""):
    """What changes when a file does. Raises 58P01, 42501, 42809."""
    try:
        facts = os.stat(path)
        if os.path.isdir(path):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
        return os.path.abspath(path), facts.st_size, facts.st_mtime_ns, facts.st_ino
    except OSError as exception:
        raise file_error(exception, "open file", path, purpose) from exception


def open_file(path, format=None, options=None, session=None):
    """The relation of a file, or of all files that a pattern means. format: "parquet", "csv" or "arrow"; by its ending if
    not given. options: of read_csv or read_parquet. Raises 58P01 and the like, 22023 for options, what the reader raises."""
    paths, options = matching(path), dict(options or {})
    format = format or format_of(paths[0])
    prints = tuple(map(fingerprint, paths))
    key = format, prints, tuple(sorted((name, str(value)) for name, value in options.items()))
    relation = cache.pop(key, None)
    if relation is None:
        relation = READERS[format](paths, options, prints)
    cache[key] = relation
    while len(cache) > CACHED_RELATIONS:
        cache.popitem(last=False)
    return relation


def open_parquet(paths, options, version):
    """The relation of Parquet files."""
    from caldera.storage.external.parquet import ParquetRelation
    return ParquetRelation(paths, options, version)


def open_csv(paths, options, version):
    """The relation of CSV files."""
    from caldera.storage.external.csv import CsvRelation
    return CsvRelation(paths, options, version)


def open_arrow(paths, options, version):
    """Arrow's own files, mapped."""
    import pyarrow as pa

    from caldera.storage.external.frames import ArrowRelation
    try:
        tables = [pa.ipc.open_file(pa.memory_map(path)).read_all() for path in paths]
        return ArrowRelation(pa.concat_tables(tables), f'file "{paths[0]}"')
    except (pa.ArrowInvalid, OSError) as exception:
        raise error("58030", f'could not read file "{paths[0]}": {exception}') from exception


READERS = {"parquet": open_parquet, "csv": open_csv, "arrow": open_arrow}
