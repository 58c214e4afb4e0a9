"""Segments and their columns, as scans hand them to the engine, whether they lie in a part's file or in memory.

    Segment ──column(name)──▶ StoredColumn: `encoding` and `struct` for generated code; `decode` for numpy
        └────granules(ranges)──▶ runs of rows that may satisfy the ranges, by zone maps and the sparse index
"""
import ctypes
import decimal
import functools
import threading

import numpy as np

from caldera.kernel import layouts
from caldera.kernel.text import TEXT_SPARE
from caldera.storage import arrays
from caldera.storage.encodings import choose_validity, encode_plain
from caldera.storage.encodings.numeric_long import NumericLong
from caldera.storage.engine import GRANULE_ROWS, ColumnData
from caldera.storage.statistics.summary import summarize
from caldera.storage.zones import sorted_window, surviving


class Dictionary:
    """The sorted dictionary of a text column of one segment. size: how many entries. address: of the struct
    (TextDictionary.layout) that also holds the cells."""

    def __init__(self, column):
        self.column, self.size = column, column.values.parameters["entries"]
        self.offsets, self.blob = (column.values.arrays[name] for name in ("offsets", "blob"))

    def entry(self, code):
        """The bytes of an entry."""
        return self.blob[int(self.offsets[code]):int(self.offsets[code + 1])].tobytes()

    def entries(self):
        """(offsets, blob) of all entries, in order."""
        return self.offsets, self.blob

    def position(self, text, after=False):
        """The first code whose entry does not sort before `text` (bytes); with `after`, the first that sorts behind it."""
        low, high = 0, self.size
        while low < high:
            middle = (low + high) // 2
            entry = self.entry(middle)
            if entry < text or after and entry == text:
                low = middle + 1
            else:
                high = middle
        return low


class StoredColumn:
    """A column of one segment (engine.SegmentColumn).

    values, validity: `Encoded`; validity is None if there is no NULL. zones: a ZoneMap or None.
    low, high: datums that bound the non-NULL values, None if unknown or if there are none; `exact_bounds` says that they
    occur. null_count: or None if unknown. total: the exact sum of an integer or packed numeric column (of its mantissas), or
    None. scale: the scale of a packed numeric, else None. `codes` and `mantissas` are further encodings over `struct`.
    read_summary: gives the ColumnSummary that is stored with the column, or None; without it, one is made of the values.
    """

    def __init__(self, type, values, validity=None, zones=None, bounds=None, verify=None, read_summary=None):
        self.type, self.values, self.validity, self.zones = type, values, validity, zones
        self.read_summary = read_summary
        self.bounds, self.verify, self.kept = bounds, verify, []
        self.lock = threading.RLock()   # threads that come to a column at once share what is made then
        self.kept_maps = {}             # values of expressions for the dictionary's entries (operators.dictionary)

    @property
    def encoding(self):
        return self.values.encoding

    @property
    def has_nulls(self):
        return self.validity is not None

    def keep(self, array):
        """The address of an array, which then lives as long as this column."""
        self.kept.append(array)
        return array.ctypes.data

    def check(self):
        """Look for damage, before the first use. Raises XX001."""
        if self.verify is not None:
            with self.lock:
                if self.verify is not None:
                    self.verify()
                    self.verify = None

    @functools.cached_property
    def struct(self):
        """The ctypes structure that generated code reads."""
        self.check()
        return self.only_one("struct", lambda: self.encoding.struct(self.values, self.keep))

    def only_one(self, name, make):
        """What all threads get that ask for a cached property at the same time: its address outlives the one who asked."""
        with self.lock:
            return self.__dict__[name] if name in self.__dict__ else self.__dict__.setdefault(name, make())

    @functools.cached_property
    def address(self):
        """The address of `struct`."""
        return ctypes.addressof(self.struct)

    @property
    def validity_encoding(self):
        """The decoder of validity bytes, or None."""
        return None if self.validity is None else self.validity.encoding

    @functools.cached_property
    def validity_struct(self):
        if self.validity is None:
            return None
        self.check()
        return self.only_one("validity_struct", lambda: self.validity.encoding.struct(self.validity, self.keep))

    @functools.cached_property
    def validity_address(self):
        return 0 if self.validity is None else ctypes.addressof(self.validity_struct)

    @functools.cached_property
    def dictionary(self):
        if self.codes is None:
            return None
        self.check()
        return Dictionary(self)

    @property
    def codes(self):
        return self.encoding.codes

    @property
    def scale(self):
        return None if self.mantissas is None else self.values.parameters["scale"]

    @property
    def mantissas(self):
        return self.encoding.mantissas

    @functools.cached_property
    def mantissa_bounds(self):
        """(low, high) that no mantissa of a packed numeric lies beyond, also not at NULLs; ints."""
        base = self.values.parameters["base"]
        low, high = base, base + (1 << self.encoding.width) - 1
        if self.zones is not None and self.null_count != self.values.row_count:
            low, high = max(low, int(self.zones.low.min())), min(high, int(self.zones.high.max()))
        return low, high

    @property
    def null_count(self):
        if self.validity is None:
            return 0
        return None if self.zones is None else int(self.zones.nulls.sum())

    @property
    def total(self):
        if self.zones is None or self.zones.sums is None:
            return None
        return sum(self.zones.sums.tolist())

    @property
    def low(self):
        return self.zone_bounds[0]

    @property
    def high(self):
        return self.zone_bounds[1]

    @property
    def exact_bounds(self):
        return self.zone_bounds[2]

    @functools.cached_property
    def zone_bounds(self):
        """(low, high, whether both occur in the column)."""
        if self.zones is None or self.null_count == self.values.row_count:
            return None, None, False
        return column_bounds(self)

    @functools.cached_property
    def summary(self):
        """The ColumnSummary (storage.statistics), or None if the file has none."""
        return summarize(self.decode(), self.values) if self.read_summary is None else self.read_summary()

    def reachable(self):
        """Yield pairs (address, size in bytes) of what generated code reaches through `address` and `validity_address`, for
        the kernel's checked mode."""
        for struct in (self.struct, self.validity_struct):
            if struct is not None:
                yield ctypes.addressof(struct), ctypes.sizeof(struct)
        # Dictionaries are found in parts only, where readable bytes follow every chunk: texts in cells are read by words.
        spare = 0 if self.codes is None else TEXT_SPARE
        for array in self.kept:
            yield array.ctypes.data, array.nbytes + spare

    def current(self):
        """This column, or, if its values have no lasting form for generated code, one that is good for the running query."""
        if not isinstance(self.encoding, NumericLong):
            return self
        self.check()
        return StoredColumn(self.type, encode_plain(self.type.layout, self.encoding.named(self.values)), self.validity)

    def decode(self, first=0, count=None):
        """The rows as ColumnData, by numpy; long numerics in text form."""
        self.check()
        count = self.values.row_count - first if count is None else count
        if self.validity is None:
            return ColumnData(self.type, self.values.decode(first, count))
        valid = self.validity.decode(first, count).view(np.uint8)
        return arrays.without_null_values(ColumnData(self.type, self.values.decode(first, count), valid))

    def take(self, rows):
        """Single rows as ColumnData, in the order given (int64 numbers), by numpy."""
        self.check()
        if self.validity is None:
            return ColumnData(self.type, self.values.take(rows))
        valid = self.validity.take(rows).view(np.uint8)
        return arrays.without_null_values(ColumnData(self.type, self.values.take(rows), valid))


def column_bounds(column):
    """Datums from zone keys, for `StoredColumn.zone_bounds`."""
    zones, layout = column.zones, column.type.layout
    if layout is layouts.TEXT:
        if column.dictionary is not None and column.type.bytes_are_ordered:
            low, high = column.dictionary.entry(int(zones.low.min())), column.dictionary.entry(int(zones.high.max()))
        elif column.bounds is None or not column.type.bytes_are_ordered:
            return None, None, False
        else:
            low, high = column.bounds
        return (*(column.type.from_bytes(bytes(text)) for text in (low, high)), True)
    if layout is layouts.NUMERIC and column.scale is not None:
        return (*(decimal.Decimal(int(key)).scaleb(-column.scale) for key in (zones.low.min(), zones.high.max())), True)
    if layout.words == 2:
        return None, None, False
    present = zones.nulls < np.diff(np.append(np.arange(0, column.values.row_count, GRANULE_ROWS), column.values.row_count))
    low, high = zones.low[present], zones.high[present]
    if zones.kind == "float64":
        numbers = low[~np.isnan(low)]
        return (float(numbers.min()) if len(numbers) else float("nan")), float(np.max(high)), True
    convert = bool if layout is layouts.BOOLEAN else int
    return convert(low.min()), convert(high.max()), True


class Segment:
    """A run of rows (engine.Segment). `make_column(name)` is called once for each column that is asked for. order_by: the
    names of the columns that the rows are sorted by."""

    def __init__(self, row_count, make_column, order_by=()):
        self.row_count, self.make_column, self.order_by, self.columns = row_count, make_column, order_by, {}
        self.known_runs = (), []                    # ranges that were asked for last, and what `granules` found

    def column(self, name):
        """The StoredColumn of that name."""
        column = self.columns.get(name)
        if column is None:
            column = self.columns.setdefault(name, self.make_column(name))
        return column

    def for_scan(self):
        """This segment with columns that generated code can read now and as long as the result is kept."""
        return Segment(self.row_count, lambda name: self.column(name).current(), self.order_by)

    @property
    def granule_count(self):
        return -(-self.row_count // GRANULE_ROWS)

    def granules(self, ranges=()):
        """(first row, row count) of the runs of rows that may satisfy all ranges, in order."""
        if not ranges or self.row_count == 0:
            return [(0, self.row_count)] if self.row_count else []
        asked, runs = self.known_runs
        if asked != ranges:
            runs = self.runs_within(ranges)
            self.known_runs = list(ranges), runs
        return runs

    def runs_within(self, ranges):
        """The same, by looking at the zones."""
        usable = [wanted for wanted in ranges if self.column(wanted.column).zones is not None
                  and self.column(wanted.column).type.name != "bpchar"]         # whose order ignores spaces at the end
        first, stop = self.window(usable)
        keep = np.zeros(self.granule_count, bool)
        keep[first:stop] = True
        for wanted in usable if first < stop else ():
            column = self.column(wanted.column)
            keep[first:stop] &= surviving(column.zones.cut(first, stop), column, wanted.low, wanted.high, wanted.nulls)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], keep.view(np.int8), [0]])))
        return [(int(start) * GRANULE_ROWS, min(int(stop) * GRANULE_ROWS, self.row_count) - int(start) * GRANULE_ROWS)
                for start, stop in zip(edges[::2], edges[1::2])]

    def window(self, ranges):
        """The first granule and the one behind the last that ranges of the first sort column leave, by binary search."""
        first, stop = 0, self.granule_count
        for wanted in ranges:
            if self.order_by and wanted.column == self.order_by[0]:
                found = sorted_window(self.column(wanted.column), wanted.low, wanted.high)
                if found is not None:
                    first, stop = max(first, found[0]), min(stop, found[1])
        return first, stop


def memory_column(data):
    """A column array as it is, as a StoredColumn; the memory is shared."""
    validity = None if data.valid is None else choose_validity(data.valid)
    return StoredColumn(data.type, encode_plain(data.type.layout, data.values), validity)


def memory_segment(columns):
    """The Segment of {name: ColumnData} with the same number of rows each."""
    row_count = arrays.row_count(next(iter(columns.values()))) if columns else 0
    return Segment(row_count, lambda name: memory_column(columns[name]))
