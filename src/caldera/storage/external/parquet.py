"""Parquet files as tables.

Row groups are read when a scan opens: only those whose statistics may satisfy its ranges, and only the columns that it
wants. What a scan has read lives as long as the scan.
"""
import threading

import pyarrow as pa
import pyarrow.parquet as pq

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.storage.external.relation import ReadOnlyRelation, arrow_segment, schema_of, truth
from caldera.transaction.files import file_error

SEGMENT_ROWS = 1 << 20          # small row groups are read together up to so many rows
OPTIONS = {"binary_as_string"}


class ParquetRelation(ReadOnlyRelation):
    """One or more Parquet files with the same columns. version: see files.fingerprint."""

    def __init__(self, paths, options, version):
        unknown = set(options) - OPTIONS
        if unknown:
            raise error("22023", f'unrecognized option "{min(unknown)}" of read_parquet')
        self.paths, self.file_version, self.lock = paths, version, threading.Lock()
        self.where = f'file "{paths[0]}"'
        self.files = [opened(path) for path in paths]
        self.columns = schema_of(self.files[0].schema_arrow, self.where, truth(options.get("binary_as_string", False)))
        for path, file in zip(paths, self.files):
            self.check_columns(path, file)

    def check_columns(self, path, file):
        """Raise 42804 unless a file has the columns of the first."""
        first, other = self.files[0].schema_arrow, file.schema_arrow
        for field in first:
            if other.get_field_index(field.name) < 0:
                raise error("42703", f'file "{path}" has no column "{field.name}", which "{self.paths[0]}" has')
            if other.field(field.name).type != field.type:
                raise error("42804", f'column "{field.name}" has type {other.field(field.name).type} in file "{path}", '
                                     f'but {field.type} in "{self.paths[0]}"')

    def version(self, snapshot):
        return "parquet", self.file_version

    def row_estimate(self, snapshot):
        return sum(file.metadata.num_rows for file in self.files)

    def segments(self, names, ranges):
        types = {column.name: column.type for column in self.columns}
        for path, file in zip(self.paths, self.files):
            group, rows = [], 0
            for number in range(file.metadata.num_row_groups):
                facts = file.metadata.row_group(number)
                if not all(may_satisfy(facts, types[wanted.column], wanted) for wanted in ranges):
                    yield None, facts.num_rows
                    continue
                if group and rows + facts.num_rows > SEGMENT_ROWS:
                    yield self.read(path, file, group, rows, names), 0
                    group, rows = [], 0
                group.append(number)
                rows += facts.num_rows
            if group:
                yield self.read(path, file, group, rows, names), 0

    def read(self, path, file, group, rows, names):
        """The Segment of some row groups of a file with the columns of these names."""
        try:
            with self.lock:
                table = file.read_row_groups(group, columns=list(dict.fromkeys(names)), use_threads=True)
        except (pa.ArrowInvalid, OSError, pa.ArrowNotImplementedError) as exception:
            raise damaged(path, exception) from exception
        segment = arrow_segment(table, self.columns)
        segment.row_count = rows            # also where no column is wanted
        return segment


def opened(path):
    """The ParquetFile of a path. Raises XX001 for a file that is none."""
    try:
        return pq.ParquetFile(path)
    except FileNotFoundError as exception:
        raise file_error(exception, "open file", path) from exception
    except (pa.ArrowInvalid, OSError) as exception:
        raise damaged(path, exception) from exception


def damaged(path, exception):
    """The error for a file that cannot be read."""
    return error("XX001", f'could not read file "{path}": {str(exception).splitlines()[0]}')


def may_satisfy(facts, type, wanted):
    """Whether rows of a row group may satisfy a Range, by its statistics; True if there are none that can be used."""
    place = next((place for place in range(facts.num_columns) if facts.column(place).path_in_schema == wanted.column), None)
    statistics = None if place is None else facts.column(place).statistics
    if statistics is None or type.name == "bpchar":
        return True
    if wanted.nulls and (not statistics.has_null_count or statistics.null_count):
        return True
    if statistics.has_null_count and statistics.null_count == facts.num_rows:
        return False
    if not statistics.has_min_max:
        return True
    try:
        low, high = (comparable(type, type.from_python(end)) for end in (statistics.min, statistics.max))
        if wanted.low is not None and type.layout not in (layouts.FLOAT4, layouts.FLOAT8):   # their NaNs are not in it
            if comparable(type, wanted.low) > high:
                return False
        return wanted.high is None or comparable(type, wanted.high) >= low
    except (TypeError, ValueError, OverflowError, AttributeError):
        return True                         # a pair of types that do not compare: no reason to leave out rows


def comparable(type, datum):
    """A datum such that Python's order is SQL's."""
    return datum.encode() if isinstance(datum, str) else datum
