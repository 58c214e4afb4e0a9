"""The interface between the engine and whatever holds rows: column tables, files, data frames, later in-place row tables.

    Relation ──scan(snapshot, names, ranges)──▶ TableScan: segments ──▶ SegmentColumn: arrays that generated code decodes
             ──append(transaction, batch)─────▶ new rows, visible when the transaction commits

A *segment* is a run of rows whose columns are stored together: a part of a column table, a record batch of a file. A
morsel never spans segments. A *granule* is the unit of pruning inside a segment. A *snapshot* is a commit sequence number
(CSN): a segment is visible when it came at or before it and has not gone by then.
"""
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from caldera.catalog.columns import ColumnSchema

GRANULE_ROWS = 8192


@dataclass
class ColumnData:
    """A column of n rows in memory. `values`: an array of the layout's dtype, shape (n,); for two-word layouts int64 of
    shape (n, 2); for text a pair (offsets int64[n + 1], blob uint8) with TEXT_PADDING readable bytes behind the text.
    `valid`: uint8[n], 1 where there is a value, or None if there is no NULL. Values at NULLs are zeros."""
    type: Any
    values: Any
    valid: Any = None


@dataclass(frozen=True)
class Range:
    """low <= column <= high, as datums; None is open. What a scan may use to leave out granules. `nulls` tells whether NULL
    rows satisfy it."""
    column: str
    low: Any = None
    high: Any = None
    nulls: bool = False


class SegmentColumn(Protocol):
    """One column of one segment.

    encoding, address: the staged decoder to use, an `Encoding` (storage.encodings), and the address of the ctypes structure
    of `encoding.layout` that it reads (`struct`). has_nulls: whether any row is NULL; if so, validity_encoding and
    validity_address decode validity bytes in the same way.
    low, high: datums that bound the non-NULL values, or None if unknown; exact_bounds: both occur. null_count: or None if
    unknown. summary: what is known beyond that, a ColumnSummary (storage.statistics), or None. total: the sum of an
    integer column's values (of the mantissas, if `scale` is not None), or None if unknown. dictionary, codes: of text that
    is stored by code, else None: a sorted storage.segment.Dictionary, and the Encoding that decodes the codes (INT4) from
    the same structure. scale, mantissas: of numerics of one scale, else None: the scale, and the Encoding that decodes the
    mantissas (INT8) from the same structure.
    """
    encoding: Any
    struct: Any
    address: int
    has_nulls: bool
    validity_encoding: Any
    validity_address: int
    low: Any
    high: Any
    exact_bounds: bool
    null_count: int | None
    summary: Any
    total: int | None
    dictionary: Any
    codes: Any
    scale: int | None
    mantissas: Any


class Segment(Protocol):
    """A run of rows whose columns are stored together."""

    row_count: int

    def column(self, name: str) -> SegmentColumn: ...

    def granules(self, ranges: Sequence[Range]) -> Sequence[tuple[int, int]]:
        """(first row, row count) of the runs of rows that may satisfy all ranges, in order."""


@dataclass
class TableScan:
    """What a scan will read: segments, pinned until `close`, and for each its runs of rows. `granules_total` and
    `granules_read`, and `granule`, what they are called, are for EXPLAIN ANALYZE."""
    segments: list
    runs: list                          # for each segment a list of (first row, row count)
    granules_total: int = 0
    granules_read: int = 0
    granule: str = "Granules"
    pins: list = field(default_factory=list)

    @property
    def row_count(self):
        return sum(count for runs in self.runs for _, count in runs)

    def close(self):
        """Let go of the segments; their memory may be unmapped now."""
        for pin in self.pins:
            pin.release()
        self.pins = []


class RowStream(Protocol):
    """Rows that are read while the query runs, for relations whose rows should not all be in memory: files.

    nullable: {name: whether it may be NULL}. row_count, piece_count: how many rows there are and about how many runs of them
    (`take`), estimated where that is not known. rows_read: so far. granule, granules_total, granules_read: as of a
    TableScan.
    """
    nullable: dict
    row_count: int
    piece_count: int
    rows_read: int
    granule: str
    granules_total: int
    granules_read: int

    def take(self, worker, must_stop) -> Any:
        """The next run of rows for a worker: an object with `row_count`, `columns` ({name: ColumnData}) and `size` in bytes;
        None at the end. With one worker they come in order. `must_stop()` tells a worker that waits to give up."""

    def close(self) -> None: ...


class Relation:
    """What queries ask of anything that holds rows: of tables, files, data frames. Relations derive from it."""
    columns: Sequence[ColumnSchema]
    momentary = False               # a plan that reads it is made anew each time: the name may mean something else by then
    is_streamed = False             # read by `stream`
    extended_statistics = ()        # what the catalog has of CREATE STATISTICS: objects with came, gone, columns, found

    def version(self, snapshot) -> Any:
        """A hashable value that changes whenever a scan of the snapshot could see other segments: keys cached programs."""
        raise NotImplementedError

    def row_estimate(self, snapshot) -> int:
        """How many rows a snapshot sees, about."""
        raise NotImplementedError

    def scan(self, snapshot, names: Sequence[str], ranges: Sequence[Range] = ()) -> TableScan:
        """What is to be read of columns for a snapshot; rows outside of the ranges may be left out."""
        raise NotImplementedError

    def visible_segments(self, snapshot) -> Sequence[Segment]:
        """The Segments that a snapshot sees, for estimates. None where only a scan finds them."""
        return ()

    def statistics(self, snapshot) -> Any:
        """The TableStatistics (storage.statistics.merged) of the rows that a snapshot sees, or of nearly these; None where
        there are none."""
        return None

    def stream(self, names: Sequence[str], ranges: Sequence[Range] = (), in_order=False) -> RowStream:
        """In place of `scan`, if `is_streamed`. in_order: perhaps only the first rows are wanted."""
        raise NotImplementedError

    def append(self, transaction, columns: dict[str, ColumnData]) -> None:
        """Add rows; the arrays belong to the table from now on. Best called with many rows at a time, as often as there are
        more: large parts are made of all that a transaction appends. Raises 0A000 if the engine is read-only, 23502,
        53100."""
        raise NotImplementedError

    def truncate(self, transaction) -> None:
        """Take all rows. Raises 0A000 if the engine is read-only."""
        raise NotImplementedError


class StoredRelation(Relation):
    """A table engine's side of one table of a database: what its life asks for besides queries. An engine that keeps
    nothing in the database's log or directory needs none of it."""
    oid: int
    is_logged = False               # whether the log has what the table's transactions change

    def replay(self, change, csn: int) -> None:
        """Do again what a record of the log says of this table. Raises LookupError for what it never wrote."""
        raise LookupError(change)

    def checkpoint_changes(self, snapshot) -> Iterable[Any]:
        """Changes that bring everything that a snapshot sees, for a log that begins anew."""
        return ()

    def file_names(self) -> Iterable[str]:
        """The files in the database's directory of parts that belong to the table."""
        return ()

    def remove_files(self) -> None:
        """The table is gone and nobody sees it any more."""

    def collect(self, oldest_csn: int) -> None:
        """Let go of what no snapshot from `oldest_csn` on can see."""

    def maintain(self) -> None:
        """Called in the background after `database.wake(relation)`: merge what should be merged."""

    def merge_all(self) -> None:
        """VACUUM: merge what can be merged, now."""

    def analyze(self, transaction, names: Sequence[str], rows_max: int) -> None:
        """ANALYZE: gather statistics of columns from about so many rows, where what is known comes from fewer."""

    def has_outgrown_plans(self) -> bool:
        """Whether so many rows have come, since this was last asked and true, that plans should be made anew."""
        return False

    def visible_parts(self, snapshot) -> Sequence[Any]:
        """The files, or whatever else with a `byte_count`, that a snapshot's rows are in, for people."""
        return ()
