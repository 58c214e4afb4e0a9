"""What relations over files and frames share: they are read-only, all snapshots see the same, segments are made of Arrow."""
from caldera.base.errors import error
from caldera.base.settings import boolean
from caldera.catalog.columns import ColumnSchema
from caldera.storage.engine import GRANULE_ROWS, ColumnData, Relation, TableScan
from caldera.storage.segment import Segment, memory_column
from caldera.types.columns import from_arrow, sql_type_of
from caldera.types.registry import lookup
from caldera.types.void import Unreadable


def check_readable(relation, names):
    """Raise 0A000 with the name of a column that is wanted and cannot be had."""
    for column in relation.columns:
        if isinstance(column.type, Unreadable) and column.name in names:
            raise error("0A000", column.type.reason)


def schema_of(arrow_schema, where, binary_as_text=False):
    """ColumnSchemas of an Arrow schema; of type Unreadable for types that SQL has nothing for."""
    columns = []
    for field in arrow_schema:
        try:
            type, modifier = sql_type_of(field.type)
        except Exception:           # whatever a type that Arrow knows and SQL does not ends in
            reason = f'column "{field.name}" of {where} has type {field.type}, which is not supported'
            columns.append(ColumnSchema(field.name, Unreadable(reason)))
            continue
        if binary_as_text and type.name == "bytea":
            type = lookup("text")
        columns.append(ColumnSchema(field.name, type, modifier))
    names = [column.name for column in columns]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise error("42701", f'column "{twice}" of {where} occurs more than once')
    return tuple(columns)


def check_options(reader, options, known):
    """Raise 22023 for an option that a reader of files does not take."""
    unknown = set(options) - set(known)
    if unknown:
        raise error("22023", f'unrecognized option "{min(unknown)}" of {reader}', hint=f"It takes {', '.join(known)}.")


def truth(options, name, otherwise=False):
    """Whether an option says yes. Raises 42601 for what is no Boolean."""
    try:
        return boolean(str(options.get(name, otherwise))) == "on"
    except ValueError:
        raise error("42601", f"{name} requires a Boolean value") from None


def arrow_segment(table, columns):
    """A Segment of an Arrow table; a column is converted when it is asked for."""
    types = {column.name: column.type for column in columns}

    def make_column(name):
        values, valid = from_arrow(types[name], table.column(name))
        return memory_column(ColumnData(types[name], values, valid))
    return Segment(table.num_rows, make_column)


class ReadOnlyRelation(Relation):
    """Base of relations over things that are not the database's own. Subclasses have `columns`, `where` (what it is, for
    people), `version`, `row_estimate` and `segments(names, ranges)`, which yields Segments and the rows left out."""
    momentary = True

    def scan(self, snapshot, names, ranges=()):
        check_readable(self, names)
        known = {column.name for column in self.columns}
        scan = TableScan([], [])
        for segment, rows_left_out in self.segments(names, [range for range in ranges if range.column in known]):
            scan.granules_total += -(-rows_left_out // GRANULE_ROWS)
            if segment is not None and segment.row_count:
                scan.granules_total += segment.granule_count
                scan.granules_read += segment.granule_count
                scan.segments.append(segment)
                scan.runs.append([(0, segment.row_count)])
        return scan

    def append(self, transaction, columns):
        raise error("0A000", f"cannot insert into {self.where}", hint="Use COPY ... TO to write files.")

    def truncate(self, transaction):
        raise error("0A000", f"cannot truncate {self.where}")
