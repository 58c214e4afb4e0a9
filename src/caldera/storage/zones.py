"""Zone maps: for each granule of a segment what its values lie between, how many are NULL and, for integers, their sum.

A scan leaves out the granules that cannot satisfy its ranges, and some aggregates are answered from zones alone. Bounds are
kept not as values but as *zone keys*, numbers of a function that never reverses the order of the values:

    bool int2 int4 int8 date time timestamp     the number itself                         int64     exact
    float4 float8                               the number; NaN is the greatest           float64   exact
    numeric, packed                             the mantissa at the column's scale        int64     exact
    numeric, otherwise                          about the number, widened a little        float64
    text, bytea by dictionary                   the code                                  int64     exact
    text, bytea, otherwise                      the first bytes, the high bound rounded up
    interval, uuid                              microseconds, saturated; the high half    int64

A granule without any value has a low key above its high key.
"""
import bisect
import decimal
import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from caldera.base.lazy import LazyModule
from caldera.kernel import layouts
from caldera.kernel.decimal import BIG, INFINITY, MINUS_INFINITY, NAN
from caldera.storage.arrays import in_text_form, is_text, numeric_mantissa_high, numeric_tags
from caldera.storage.encodings import INTEGERS
from caldera.storage.engine import GRANULE_ROWS
from caldera.types.calendar import DAY
from caldera.types.text_arrays import text_from_bytes, text_items, to_binary

pc = LazyModule("pyarrow.compute")

TEXT_KEY_BYTES = 32
SMALLEST, LARGEST = -(1 << 63), (1 << 63) - 1
FLOAT_SLACK = 1e-12             # relative; covers the rounding of mantissa and power of ten


@dataclass
class ZoneMap:
    """low, high: arrays of zone keys, one for each granule; for plain text lists of bytes. nulls: int32 counts. sums: int64
    sums of the values (of the mantissas, for numerics), or None. `kind`: "int64", "float64" or "bytes"."""
    kind: str
    low: Any
    high: Any
    nulls: Any
    sums: Any = None

    def arrays(self):
        """What a file keeps, by name."""
        arrays = {"zone.nulls": self.nulls}
        if self.kind == "bytes":
            for name, items in (("low", self.low), ("high", self.high)):
                arrays[f"zone.{name}_offsets"], arrays[f"zone.{name}_blob"] = text_from_bytes(items)
        else:
            arrays["zone.low"], arrays["zone.high"] = self.low, self.high
        if self.sums is not None:
            arrays["zone.sums"] = self.sums
        return arrays

    def cut(self, first, stop):
        """The zones of some granules."""
        sums = None if self.sums is None else self.sums[first:stop]
        return ZoneMap(self.kind, self.low[first:stop], self.high[first:stop], self.nulls[first:stop], sums)

    @classmethod
    def from_arrays(cls, kind, arrays):
        """The zone map whose `arrays` these are."""
        if kind == "bytes":
            low, high = (text_items((arrays[f"zone.{name}_offsets"], arrays[f"zone.{name}_blob"]))
                         for name in ("low", "high"))
        else:
            low, high = arrays["zone.low"], arrays["zone.high"]
        return cls(kind, low, high, arrays["zone.nulls"], arrays.get("zone.sums"))


def array_shapes(kind, granules, has_sums):
    """{array name: (dtype, element count or None)} of a zone map in a file."""
    shapes = {"zone.nulls": (np.dtype(np.int32), granules)}
    if kind == "bytes":
        for name in ("low", "high"):
            shapes[f"zone.{name}_offsets"] = np.dtype(np.int64), granules + 1
            shapes[f"zone.{name}_blob"] = np.dtype(np.uint8), None
    else:
        shapes["zone.low"] = shapes["zone.high"] = np.dtype(kind), granules
    if has_sums:
        shapes["zone.sums"] = np.dtype(np.int64), granules
    return shapes


# ------------------------------------------------------------------------------------------------ building

def build_zones(column, encoded):
    """The zone map of a column whose values were encoded as `encoded`; None for a column of no rows or of long numerics."""
    rows = encoded.row_count
    if rows == 0 or in_text_form(column) and not is_text(column.type):
        return None
    starts = np.arange(0, rows, GRANULE_ROWS)
    valid = None if column.valid is None else column.valid != 0
    nulls = np.zeros(len(starts), np.int32) if valid is None else np.add.reduceat(~valid, starts, dtype=np.int32)
    if is_text(column.type) and encoded.encoding.codes is None:
        low, high = text_bounds(column.values, valid, starts)
        return ZoneMap("bytes", low, high, nulls)
    low_keys, high_keys = zone_keys(column, encoded)
    kind = low_keys.dtype.name
    least, greatest = (SMALLEST, LARGEST) if kind == "int64" else (-np.inf, np.inf)
    if kind == "float64":
        low, high = float_bounds(low_keys, high_keys, valid, starts)
    else:
        low = np.minimum.reduceat(low_keys if valid is None else np.where(valid, low_keys, greatest), starts)
        high = np.maximum.reduceat(high_keys if valid is None else np.where(valid, high_keys, least), starts)
    if valid is not None:
        without_value = nulls == np.diff(np.append(starts, rows))
        low[without_value], high[without_value] = greatest, least
    return ZoneMap(kind, low, high, nulls, granule_sums(column, encoded, low_keys, valid, starts))


def zone_keys(column, encoded):
    """(low, high): arrays of the zone keys of all rows; they differ where a key is not exact."""
    layout, values = column.type.layout, column.values
    if encoded.encoding.codes is not None:
        keys = encoded.arrays["codes"].astype(np.int64)
    elif encoded.encoding.mantissas is not None:
        keys = encoded.encoding.decode_mantissas(encoded, 0, encoded.row_count)
    elif layout is layouts.NUMERIC:
        return numeric_float_keys(values)[:2]
    elif layout is layouts.UUID:
        keys = values[:, 0] ^ SMALLEST
    elif layout is layouts.INTERVAL:
        return interval_keys(values)
    elif values.dtype.kind == "f":
        keys = values.astype(np.float64)
    else:
        keys = values.astype(np.int64)
    return keys, keys


def numeric_float_keys(values):
    """Floats below and above numerics of two words, and the floats themselves."""
    tags = numeric_tags(values)
    words, highs = np.ascontiguousarray(values[:, 0]), numeric_mantissa_high(values)
    mantissas = np.where(highs == words >> 63, words.astype(np.float64),        # else cancellation would leave nothing
                         highs.astype(np.float64) * 2.0 ** 64 + words.view(np.uint64).astype(np.float64))
    with np.errstate(over="ignore"):
        floats = mantissas / 10.0 ** np.minimum(tags, BIG - 1).astype(np.float64)
    low, high = floats - np.abs(floats) * FLOAT_SLACK, floats + np.abs(floats) * FLOAT_SLACK
    unknown = tags == BIG
    far = np.isnan(floats) | np.isinf(floats)
    for tag, value in ((NAN, np.nan), (INFINITY, np.inf), (MINUS_INFINITY, -np.inf)):
        low[tags == tag] = high[tags == tag] = value
    low[unknown | far & (tags < BIG)], high[unknown | far & (tags < BIG)] = -np.inf, np.inf
    return low, high, floats


def interval_keys(values):
    """Microseconds of intervals, months of 30 days, saturated: about, in floats, and therefore widened by a microsecond or
    more where the numbers are large."""
    months, days = values[:, 1] >> 32, values[:, 1] << 32 >> 32
    floats = (days + 30 * months).astype(np.float64) * DAY + values[:, 0].astype(np.float64)
    slack = np.abs(floats) * FLOAT_SLACK + 1
    limit = 2.0 ** 62
    return np.clip(floats - slack, -limit, limit).astype(np.int64), np.clip(floats + slack, -limit, limit).astype(np.int64)


def float_bounds(low_keys, high_keys, valid, starts):
    """Least and greatest float of each granule, where NaN is above all numbers."""
    low, high = np.where(np.isnan(low_keys), np.inf, low_keys), np.where(np.isnan(high_keys), np.inf, high_keys)
    some_nan = np.isnan(high_keys)
    if valid is not None:
        low, high, some_nan = np.where(valid, low, np.inf), np.where(valid, high, -np.inf), some_nan & valid
    lows, highs = np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)
    highs[np.logical_or.reduceat(some_nan, starts)] = np.nan
    only_nan = np.isnan(low_keys) if valid is None else np.isnan(low_keys) | ~valid
    lows[np.logical_and.reduceat(only_nan, starts)] = np.nan
    return lows, highs


def text_bounds(values, valid, starts):
    """Shortened least and greatest bytes of each granule."""
    array, low, high = to_binary(values), [], []
    for start in starts.tolist():
        run = array[start:start + GRANULE_ROWS]
        if valid is not None:
            run = run.filter(valid[start:start + GRANULE_ROWS])
        least, greatest = (value.as_py() for value in pc.min_max(run).values()) if len(run) else (None, None)
        low.append(b"\xff" if least is None else least[:TEXT_KEY_BYTES])
        high.append(b"" if greatest is None else rounded_up(greatest))
    return low, high


def rounded_up(text):
    """At most TEXT_KEY_BYTES bytes that sort at or behind `text`, if there are any."""
    if len(text) <= TEXT_KEY_BYTES:
        return text
    stem = text[:TEXT_KEY_BYTES].rstrip(b"\xff")
    return stem[:-1] + bytes([stem[-1] + 1]) if stem else text


def granule_sums(column, encoded, keys, valid, starts):
    """int64 sums of the granules of an integer column, or None where they might not fit or mean nothing."""
    if encoded.encoding.mantissas is None and column.type.layout not in INTEGERS:
        return None
    present = keys if valid is None else np.where(valid, keys, 0)
    if max(abs(int(present.min())), abs(int(present.max()))) > LARGEST // GRANULE_ROWS:
        return None
    return np.add.reduceat(present, starts)


# ------------------------------------------------------------------------------------------------ asking

def range_keys(column, low, high):
    """The zone keys (low, high) of two datums for a stored column, None for an open side. A granule may hold values between
    the datums only if its own keys overlap these. Returns (None, None) where nothing is known."""
    layout = column.type.layout
    if column.dictionary is not None:
        return dictionary_keys(column.dictionary, low, high)
    if layout is layouts.TEXT:
        return as_bytes(low), as_bytes(high)
    if layout is layouts.NUMERIC:
        if column.scale is not None:
            return (scaled(low, column.scale, decimal.ROUND_CEILING),
                    scaled(high, column.scale, decimal.ROUND_FLOOR))
        return as_float(low), as_float(high)
    if layout is layouts.UUID:
        return tuple(None if datum is None else (datum.int >> 64) - (1 << 63) for datum in (low, high))
    if layout is layouts.INTERVAL:
        return tuple(None if datum is None else interval_datum_key(datum) for datum in (low, high))
    if layout in (layouts.FLOAT4, layouts.FLOAT8):
        return as_float(low), as_float(high)
    return None if low is None else int(low), None if high is None else int(high)


def as_bytes(datum):
    """A text or bytea datum as bytes."""
    return datum.encode() if isinstance(datum, str) else datum


def as_float(datum):
    """A number as a float, or None."""
    return None if datum is None else float(datum)


def scaled(datum, scale, rounding):
    """A Decimal as a mantissa at a scale. NaN and infinities are beyond all mantissas, on their side."""
    if datum is None:
        return None
    datum = decimal.Decimal(datum)
    if datum.is_nan() or datum.is_infinite():
        return SMALLEST if datum == decimal.Decimal("-Infinity") else LARGEST
    if datum.adjusted() + scale > 20:
        return LARGEST if datum > 0 else SMALLEST
    with decimal.localcontext() as context:
        context.prec = 20_000
        number = int(datum.scaleb(scale).to_integral_value(rounding))
    return min(max(number, SMALLEST), LARGEST)


def interval_datum_key(datum):
    """An Interval as the key that interval_keys surrounds."""
    number = (datum.days + 30 * datum.months) * DAY + datum.microseconds
    return min(max(number, -(1 << 62)), 1 << 62)


def dictionary_keys(dictionary, low, high):
    """Codes of the first entry not before `low` and of the last entry not behind `high`."""
    low_code = None if low is None else dictionary.position(as_bytes(low))
    high_code = None if high is None else dictionary.position(as_bytes(high), after=True) - 1
    return low_code, high_code


def sorted_window(column, low, high):
    """The first granule and the one behind the last that may hold rows between two datums, if the segment is sorted by this
    column; its zone keys are then the sparse index. None if the column has NULLs, which are last and out of order."""
    zones = column.zones
    if zones is None or zones.nulls.any():
        return None
    low_key, high_key = range_keys(column, low, high)
    find = bisect.bisect_left if zones.kind == "bytes" else np.searchsorted
    first = 0 if low_key is None else int(find(zones.high, low_key))
    find = bisect.bisect_right if zones.kind == "bytes" else functools.partial(np.searchsorted, side="right")
    stop = len(zones.nulls) if high_key is None else int(find(zones.low, high_key))
    return first, max(first, stop)


def surviving(zones, column, low, high, nulls):
    """Which granules may hold rows between two datums, or NULLs if `nulls`: a bool array. zones: of the column, or a part of
    them."""
    low_key, high_key = range_keys(column, low, high)
    if zones.kind == "bytes":
        overlaps = (bottom <= top and (low_key is None or top >= low_key) and (high_key is None or bottom <= high_key)
                    for bottom, top in zip(zones.low, zones.high))
        keep = np.fromiter(overlaps, bool, len(zones.nulls))
    else:
        keep = not_above(zones.low, zones.high)
        if low_key is not None:
            keep &= not_above(low_key, zones.high)
        if high_key is not None:
            keep &= not_above(zones.low, high_key)
    return keep | (zones.nulls > 0) if nulls else keep


def contained(zones, column, low, high):
    """Which granules hold nothing but rows between two datums, as far as exact keys can tell: a bool array."""
    if zones.kind != "int64" or column.type.layout in (layouts.UUID, layouts.INTERVAL):
        return np.zeros(len(zones.nulls), bool)
    low_key, high_key = range_keys(column, low, high)
    keep = (zones.low <= zones.high) & (zones.nulls == 0)
    if low_key is not None:
        keep &= zones.low >= low_key
    if high_key is not None:
        keep &= zones.high <= high_key
    return keep


def not_above(a, b):
    """a <= b for zone keys, with NaN as the greatest."""
    return np.asarray(a <= b) | np.isnan(b) if np.asarray(b).dtype.kind == "f" else np.asarray(a <= b)
