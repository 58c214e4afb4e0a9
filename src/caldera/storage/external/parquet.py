"""Parquet files as tables.

A scan reads only the columns that it wants, and only row groups whose statistics may satisfy its ranges; of those a batch of
rows at a time, when a worker comes to it.
"""
import functools
import uuid

import pyarrow as pa
import pyarrow.parquet as pq

from caldera.base.errors import Error, error
from caldera.kernel import layouts
from caldera.storage.engine import ColumnData
from caldera.storage.external.relation import check_options, check_readable, schema_of, truth
from caldera.storage.external.row_stream import PIECE_BYTES, PIECE_ROWS, Lane, RowStream, StreamedRelation, piece_of
from caldera.storage.statistics.merged import ColumnStatistics
from caldera.transaction.files import file_error
from caldera.types.columns import from_arrow, to_datums

OPTIONS = ("binary_as_string",)
COUNTED_ROWS = 1 << 24          # of a piece without columns
FIRST_ROWS = 1 << 13            # of a piece where perhaps only the first rows are wanted
TEXT_ROWS = 1 << 13             # that are decoded in one go if there are texts, whose length dictionaries hide
BUFFER_BYTES = 1 << 17          # of a column's pages that are read at once


class ParquetRelation(StreamedRelation):
    """One or more Parquet files with the same columns. version: the files' fingerprints, in order (see files)."""

    def __init__(self, paths, options, version):
        check_options("read_parquet", options, OPTIONS)
        self.paths, self.prints, self.where = paths, dict(zip(paths, version)), f'file "{paths[0]}"'
        self.metadata, schemas = {}, {}
        for path in paths:
            with opened(path) as file:
                self.metadata[path], schemas[path] = file.metadata, file.schema_arrow
        self.columns = schema_of(schemas[paths[0]], self.where, truth(options, "binary_as_string"))
        self.types = {column.name: column.type for column in self.columns}
        self.arrow_types = {field.name: field.type for field in schemas[paths[0]]}
        for path in paths:
            self.check_columns(path, schemas[path])

    def check_columns(self, path, schema):
        """Raise 42703 or 42804 unless a file has the columns of the first; their order may differ."""
        for name, type in self.arrow_types.items():
            if schema.get_field_index(name) < 0:
                raise error("42703", f'file "{path}" has no column "{name}", which "{self.paths[0]}" has')
            if schema.field(name).type != type:
                raise error("42804", f'column "{name}" has type {schema.field(name).type} in file "{path}", '
                                     f'but {type} in "{self.paths[0]}"')

    def version(self, snapshot):
        return "parquet", tuple(self.prints.values())

    def row_estimate(self, snapshot):
        return sum(metadata.num_rows for metadata in self.metadata.values())

    def statistics(self, snapshot):
        return self.known

    @functools.cached_property
    def known(self):
        """The FileStatistics of all files together."""
        return FileStatistics(self)

    def stream(self, names, ranges=(), in_order=False):
        check_readable(self, names)
        names = list(dict.fromkeys(names))
        lanes, nullable, rows, pieces, units = [], dict.fromkeys(names, False), 0, 0, 0
        for path in self.paths:
            metadata = self.metadata[path]
            units += metadata.num_row_groups
            if not metadata.num_row_groups:
                continue
            places = column_places(metadata, self.types)
            groups = [(number, group) for number, group in enumerate(map(metadata.row_group, range(metadata.num_row_groups)))
                      if group.num_rows and all(self.may_satisfy(group, places, wanted) for wanted in ranges)]
            for name in names:
                nullable[name] |= self.types[name].category == "A" or any(
                    may_have_nulls(group.column(places[name])) for _, group in groups)
            for some in together(groups):
                count = sum(group.num_rows for _, group in some)
                size = piece_rows([(self.types[name], group.column(places[name])) for _, group in some for name in names],
                                  count) if names else COUNTED_ROWS
                lanes.append(self.lane(path, [number for number, _ in some], count, names, nullable,
                                       min(size, FIRST_ROWS) if in_order and names else size))
                rows, pieces = rows + count, pieces + -(-count // size)
        return RowStream(lanes, nullable, rows, pieces, "Row Groups", units)

    def lane(self, path, groups, row_count, names, nullable, size):
        """The Lane of some row groups of a file, in pieces of `size` rows."""
        def convert(table):
            columns = {}
            for name in names:
                values, valid = from_arrow(self.types[name], table.column(name))
                if valid is not None and not nullable[name]:
                    raise damaged(path, f'there are NULLs in column "{name}" where its statistics say that there are none')
                columns[name] = ColumnData(self.types[name], values, valid)
            return piece_of(table.num_rows, columns)
        if names:
            return Lane(self.read(path, groups, names, size), convert, len(groups))
        return Lane(self.counted(path, row_count, size), lambda count: piece_of(count, {}), len(groups))

    def counted(self, path, row_count, size):
        """Yield numbers of rows, together those of the row groups: no column is wanted."""
        self.check(path)
        yield from (min(size, row_count - first) for first in range(0, row_count, size))

    def read(self, path, groups, names, size):
        """Yield Tables of some row groups, of at most `size` rows and, but for very long texts, PIECE_BYTES. A file that has
        become another one since is not read."""
        step = min(size, TEXT_ROWS) if any(self.types[name].layout is layouts.TEXT for name in names) else size
        self.check(path)
        with opened(path, metadata=self.metadata[path], buffer_size=BUFFER_BYTES) as file:
            batches = file.iter_batches(step, row_groups=groups, columns=names, use_threads=True)
            waiting, rows, bytes = [], 0, 0
            while (batch := self.following(path, batches)) is not None:
                batch_bytes = sum(map(decoded_bytes, batch.columns))
                if waiting and (rows + batch.num_rows > size or bytes + batch_bytes > PIECE_BYTES):
                    yield pa.Table.from_batches(waiting)
                    waiting, rows, bytes = [], 0, 0
                waiting.append(batch)
                rows, bytes = rows + batch.num_rows, bytes + batch_bytes
            if waiting:
                yield pa.Table.from_batches(waiting)

    def following(self, path, batches):
        """The next record batch of a file, None at the end. Raises XX001 for a damaged one."""
        try:
            batch = next(batches, None)
        except (pa.ArrowException, OSError) as exception:
            self.check(path)
            raise damaged(path, exception) from exception
        self.check(path)
        return batch

    def may_satisfy(self, group, places, wanted):
        """Whether rows of a row group may satisfy a Range, by its statistics; True if there are none that can be used."""
        if wanted.column not in places or self.types[wanted.column].category == "A":
            return True
        statistics = group.column(places[wanted.column]).statistics
        if statistics is None:
            return True
        if wanted.nulls and (not statistics.has_null_count or statistics.null_count):
            return True
        if statistics.has_null_count and statistics.null_count == group.num_rows:
            return False
        type = self.types[wanted.column]
        low, high = bounds(statistics, type, self.arrow_types[wanted.column])
        least, greatest = place(wanted.low), place(wanted.high)
        if greatest is not None and low is not None and place(low) > greatest:
            return False
        if type.layout in (layouts.FLOAT4, layouts.FLOAT8) and (greatest is None or greatest == NAN_PLACE):
            return True                     # NaN, the greatest of floats, is not in the statistics
        return least is None or high is None or least <= place(high)


class FileStatistics:
    """What the metadata of Parquet files tell of columns (see storage.statistics.merged.TableStatistics): rows, NULLs,
    bounds. There is no sample."""
    sample_rows = 0

    def __init__(self, relation):
        self.relation, self.rows, self.columns = relation, relation.row_estimate(None), {}

    def column(self, name):
        """The ColumnStatistics of a column."""
        if name not in self.columns:
            self.columns[name] = self.found(name, self.relation.types[name])
        return self.columns[name]

    def found(self, name, type):
        """The same, made of the row groups' statistics."""
        chunks = [chunk.statistics for metadata in self.relation.metadata.values() for chunk in chunks_of(metadata, name)]
        known = ColumnStatistics(self.rows, type.sort_key)
        if self.rows and all(chunk is not None and chunk.has_null_count for chunk in chunks):
            known.null_share = sum(chunk.null_count for chunk in chunks) / self.rows
        ends = [bounds(chunk, type, self.relation.arrow_types[name]) for chunk in chunks
                if chunk is not None and (chunk.has_min_max or not chunk.has_null_count)]
        if ends and all(low is not None for low, _ in ends):
            low, high = min((end for end, _ in ends), key=place), max((end for _, end in ends), key=place)
            known.bounds = [end.decode("utf-8", "replace") if type.python_type is str and isinstance(end, bytes) else end
                            for end in (low, high)]
            if isinstance(low, int):
                known.distinct = min(high - low + 1, self.rows)
        return known


def chunks_of(metadata, name):
    """The chunks of a column in all row groups of a file."""
    places = [place for place in range(metadata.num_columns) if metadata.schema.column(place).path == name]
    return [metadata.row_group(number).column(place) for number in range(metadata.num_row_groups) for place in places]


NAN_PLACE = True, 0


def place(datum):
    """A key for the order of the datums of one type, as PostgreSQL has it; None for None."""
    if isinstance(datum, str):
        return False, datum.encode()
    return None if datum is None else NAN_PLACE if datum != datum else (False, datum)


def bounds(statistics, type, arrow_type):
    """(low, high): datums between which all values of a column chunk lie, but for NULL and NaN; None where that is not
    known."""
    if not statistics.has_min_max or pa.types.is_float16(arrow_type) or type.layout is layouts.INTERVAL:
        return None, None
    try:
        ends = statistics.min_raw, statistics.max_raw
        if type.layout is layouts.TEXT:
            return ends                     # as bytes; shortened ones bound the values as well
        if type.layout is layouts.UUID:
            return tuple(uuid.UUID(bytes=end) for end in ends)
        if pa.types.is_timestamp(arrow_type):
            low, high = to_datums(type, *from_arrow(type, pa.array(ends, pa.int64()).cast(arrow_type)))
        else:
            low, high = type.from_python(statistics.min), type.from_python(statistics.max)
        return (None, None) if low != low or high != high else (low, high)
    except (pa.ArrowException, ArithmeticError, TypeError, ValueError, AttributeError, Error):
        return None, None                   # what SQL's type does not hold is told when it is read


def may_have_nulls(chunk):
    """Whether a column chunk may have NULLs, by its statistics."""
    statistics = chunk.statistics
    return statistics is None or not statistics.has_null_count or statistics.null_count > 0


def together(groups):
    """Lists of neighbouring row groups that are read in one go: small ones up to the rows of a piece."""
    some, rows = [], 0
    for number, group in groups:
        if some and rows + group.num_rows > PIECE_ROWS:
            yield some
            some, rows = [], 0
        some.append((number, group))
        rows += group.num_rows
    if some:
        yield some


def column_places(metadata, names):
    """{name: number of the column chunk in a row group}; of a column of lists that of its elements."""
    places = {metadata.schema.column(place).path: place for place in range(metadata.num_columns)}
    for name in names:
        if name not in places:
            places[name] = next((place for path, place in places.items() if path.startswith(f"{name}.")), None)
    return {name: place for name, place in places.items() if place is not None}


def piece_rows(chunks, row_count):
    """How many rows a piece of columns, given as pairs (type, column chunk), shall have."""
    size = 0
    for type, chunk in chunks:
        size += max(type.layout.size * chunk.num_values, chunk.total_uncompressed_size)
    return max(1024, min(PIECE_ROWS, PIECE_BYTES * row_count // max(1, size)))


def decoded_bytes(array):
    """About how many bytes an Arrow array takes without its dictionary."""
    if not pa.types.is_dictionary(array.type):
        return array.nbytes
    return len(array) * (array.dictionary.nbytes // max(1, len(array.dictionary)))


def opened(path, **options):
    """The ParquetFile of a path. Raises XX001 for a file that is none."""
    try:
        return pq.ParquetFile(path, **options)
    except FileNotFoundError as exception:
        raise file_error(exception, "open file", path) from exception
    except (pa.ArrowInvalid, OSError) as exception:
        raise damaged(path, exception) from exception


def damaged(path, reason):
    """The error for a file that cannot be read."""
    return error("XX001", f'could not read file "{path}": {str(reason).splitlines()[0]}')
