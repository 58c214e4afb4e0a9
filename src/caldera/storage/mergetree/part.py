"""Parts: immutable runs of sorted rows, each one file that exists whole or not at all.

    write_part(path, columns, order_by) ──▶ file ──▶ Part.segment: mapped, checked once, columns made when asked for

`write_part` is given a function for each column and calls them in a few threads (numpy and pyarrow let others run), so it
needs memory for that many columns. A part of a database without a directory is the same bytes in memory.
"""
import collections
import functools
import mmap
import os
import stat
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from caldera.base.errors import Error
from caldera.base.lazy import LazyModule
from caldera.kernel.text import TEXT_PADDING
from caldera.storage.encodings import choose, choose_validity, encoding_of
from caldera.storage.encodings.encoding import Encoded
from caldera.storage.mergetree import format
from caldera.storage.segment import Segment, StoredColumn
from caldera.storage.statistics.summary import pack, summarize, unpack
from caldera.storage.zones import ZoneMap, build_zones
from caldera.transaction.files import WholeFile, file_error
from caldera.types import registry
from caldera.types.text_arrays import to_binary

pc = LazyModule("pyarrow.compute")

THREADS, THREADED_ROWS = min(4, os.cpu_count() or 1), 50_000
BOUND_BYTES = 256               # longer least and greatest texts are not kept in the footer


class MemoryFile:
    """Stands for WholeFile where there is no directory: gathers the bytes."""

    def __init__(self):
        self.pieces, self.size, self.data = [], 0, b""

    def __enter__(self):
        return self

    def write(self, data):
        self.pieces.append(bytes(data))
        self.size += len(self.pieces[-1])

    def __exit__(self, kind, exception, traceback):
        self.data, self.pieces = b"".join(self.pieces), []


class PartWriter:
    """Writes chunks, aligned and padded, and remembers where they are."""

    def __init__(self, file):
        self.file = file
        file.write(format.HEADER.pack(format.HEADER_MAGIC, format.VERSION))

    def chunk(self, array):
        """Append an array; returns its Chunk."""
        array = np.ascontiguousarray(array)
        chunk = format.Chunk(self.file.size, array.nbytes, format.checksum(array))
        if array.nbytes:
            self.file.write(memoryview(array).cast("B"))
        self.file.write(bytes(format.PADDING + -(self.file.size + format.PADDING) % format.ALIGNMENT))
        return chunk

    def column(self, footer, stored):
        """Append an encoded column (see `encoded_column`); returns its ColumnFooter."""
        footer.chunks = {key: self.chunk(array) for key, array in stored.items()}
        return footer

    def finish(self, footer):
        """Append footer and trailer; returns the footer's checksum."""
        data = format.ENCODER.encode(footer)
        checksum = zlib.crc32(data)
        self.file.write(data)
        self.file.write(format.TRAILER.pack(checksum, format.VERSION, len(data), format.TRAILER_MAGIC))
        return checksum


def encoded_column(name, modifier, data, hint=None):
    """(ColumnFooter without chunks, {chunk name: array}) of a column. `hint` is for encodings.choose. A blob's own padding
    is not stored, as every chunk is followed by as much."""
    valid = None if data.valid is None else data.valid != 0
    encoded = choose(data.type.layout, data.values, valid, hint)
    zones = build_zones(data, encoded)
    stored = {key: array[:-TEXT_PADDING] if key == "blob" else array for key, array in encoded.arrays.items()}
    stored["statistics"] = np.frombuffer(pack(summarize(data, encoded)), np.uint8)
    footer = format.ColumnFooter(name, registry.base_of(data.type).name, None if modifier is None else list(modifier),
                                 encoded.encoding.family, encoded.parameters, {}, "" if zones is None else zones.kind)
    if valid is not None:
        validity = choose_validity(data.valid)
        footer.validity, footer.validity_parameters = validity.encoding.family, validity.parameters
        stored |= {f"valid.{key}": array for key, array in validity.arrays.items()}
    if zones is not None:
        stored |= zones.arrays()
        footer.bounds = text_bounds(data, valid) if zones.kind == "bytes" else None
    return footer, stored


def text_bounds(data, valid):
    """[least, greatest] bytes of a text column, or None if there are none or one is long."""
    values = to_binary(data.values)
    bounds = [value.as_py() for value in pc.min_max(values if valid is None else values.filter(valid)).values()]
    return None if bounds[0] is None or max(map(len, bounds)) > BOUND_BYTES else bounds


def write_part(path, columns, order_by, row_count, durable=True):
    """Write a part. `columns`: functions that each give (name, modifier, ColumnData, hint), the rows in the order of
    `order_by`. path: None for a part in memory. Returns (bytes of the file, checksum of its footer, its data if in memory).
    Raises 53100 etc."""
    with MemoryFile() if path is None else WholeFile(path, durable) as file:
        writer = PartWriter(file)
        encoded = in_threads([lambda column=column: encoded_column(*column()) for column in columns], row_count)
        footers = [writer.column(*column) for column in encoded]
        checksum = writer.finish(format.Footer(row_count, format.GRANULE_ROWS, list(order_by), footers))
    return file.size, checksum, file.data if path is None else None


def in_threads(functions, row_count):
    """Yield the results of functions in order; for many rows a few functions run ahead in threads."""
    if row_count < THREADED_ROWS:
        yield from (function() for function in functions)
        return
    with ThreadPoolExecutor(THREADS) as pool:
        pending, waiting = collections.deque(), collections.deque(functions)
        try:
            while waiting or pending:
                while waiting and len(pending) < THREADS + 1:
                    pending.append(pool.submit(waiting.popleft()))
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()


class PartFile:
    """The mapped file of a part. Opened and checked at first use, so that opening a database touches no part. data: the
    bytes, if they are in memory. checksum: of its footer, if known. analyzed: {column: packed ColumnSummary} of what counts
    instead of the statistics in the file."""

    def __init__(self, path, data=None, checksum=None):
        self.path, self.given, self.checksum, self.analyzed = path, data, checksum, {}

    @functools.cached_property
    def data(self):
        """The bytes: a mapping, or what was given."""
        if self.given is not None:
            return self.given
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as exception:
            raise file_error(exception, "open file", self.path) from exception
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise format.broken(self.path, "it is not a file")
            if found.st_size == 0:
                raise format.broken(self.path, "it is empty")
            return mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
        except OSError as exception:
            raise file_error(exception, "map file", self.path) from exception
        finally:
            os.close(descriptor)

    @functools.cached_property
    def footer(self):
        return format.read_footer(self.path, self.data, self.checksum)

    @functools.cached_property
    def segment(self):
        """The part's rows."""
        self.by_name = {column.name: column for column in self.footer.columns}
        return Segment(self.footer.row_count, self.column, self.footer.order_by)

    def column(self, name):
        """The StoredColumn of a name; KeyError for columns that the part does not have."""
        column = self.by_name[name]
        type = registry.lookup(column.type)
        stored = {}
        for key, (dtype, _) in format.column_shapes(self.footer, column).items():
            chunk = column.chunks[key]
            stored[key] = format.chunk_array(self.data, chunk, dtype)
            if key == "blob":
                stored[key] = np.frombuffer(self.data, np.uint8, chunk.length + TEXT_PADDING, chunk.offset)
        encoding = encoding_of(column.encoding, type.layout)
        values = Encoded(encoding, self.footer.row_count, column.parameters,
                         {key: array for key, array in stored.items() if "." not in key and key != "statistics"})
        validity = None
        if column.validity is not None:
            own = {key.removeprefix("valid."): array for key, array in stored.items() if key.startswith("valid.")}
            validity = Encoded(format.validity_encoding(column.validity), self.footer.row_count, column.validity_parameters,
                               own)
        zones = None
        if column.zone_kind:
            self.verify(column, [key for key in stored if key.startswith("zone.")])
            zones = ZoneMap.from_arrays(column.zone_kind, stored)
        lazy = [key for key in stored if not key.startswith("zone.") and key != "statistics"]
        return StoredColumn(type, values, validity, zones, column.bounds,
                            functools.partial(self.verify, column, lazy) if self.given is None else None,
                            functools.partial(self.summary, column, stored.get("statistics")))

    def summary(self, column, stored):
        """The ColumnSummary of a column; None without one, or with one that is damaged: nothing but the choice of plans
        depends on it. stored: the chunk of statistics, or None."""
        try:
            if column.name in self.analyzed:
                return unpack(self.analyzed[column.name])
            if stored is None:
                return None
            self.verify(column, ["statistics"])
            return unpack(stored.tobytes())
        except (Error, ValueError):
            return None

    def analyze(self, names, rows_max):
        """Gather statistics of columns from at most so many rows, where what is known comes from fewer. Returns what is new:
        {column: packed ColumnSummary}."""
        found = {}
        for name in names:
            column = self.segment.column(name)
            if column.summary is None or column.summary.rows_seen < min(rows_max, column.values.row_count):
                found[name] = pack(summarize(column.decode(), column.values, rows_max))
        self.use(found)
        return found

    def use(self, packed):
        """Take statistics, {column: packed ColumnSummary}, instead of those in the file."""
        self.analyzed |= packed
        for name in packed if "segment" in self.__dict__ else ():
            self.segment.column(name).__dict__.pop("summary", None)

    def verify(self, column, names):
        """Compare chunks of a column with their checksums. Raises XX001."""
        for name in names:
            chunk = column.chunks[name]
            if zlib.crc32(memoryview(self.data)[chunk.offset:chunk.offset + chunk.length]) != chunk.checksum:
                raise format.broken(self.path, f'the checksum of "{column.name}" ({name}) is wrong')
