"""What one segment knows of one column: gathered when a part is written or merged, by ANALYZE, or when a planner asks.

    ColumnData ─ summarize ─▶ ColumnSummary ─ pack ─▶ bytes (zlib, msgpack) ─ unpack ─▶ ColumnSummary

Distinct values are counted over all rows (sketch). Everything else comes from a sample of rows at places that depend on the
number of rows alone: every stretch of rows gives one, at random. Of it are taken the most common values, those that occur
clearly more often than the others would by chance, bounds between which equally many of the others lie (an equi-depth
histogram, Piatetsky-Shapiro and Connell: "Accurate estimation of the number of tuples satisfying a condition", 1984), and
how closely the order of values is that of the rows. A smaller sample is kept as it is: the same rows of all columns.
"""
import functools
import math
import zlib

import msgspec
import numpy as np

from caldera.storage import arrays
from caldera.storage.engine import ColumnData
from caldera.storage.statistics.sketch import Sketch, noise, of_all, sample_rows, sketch_of
from caldera.types.text_arrays import padded

TARGET = 100                    # common values, and steps of the histogram, as PostgreSQL's default_statistics_target
ROWS_MIN, ROWS_MAX, ROWS_SHARE = 2000, 30_000, 64      # rows that are looked at: one of ROWS_SHARE, within these bounds
KEPT_ROWS = 512                 # of the sample that is kept
KEPT_BYTES = 32 << 10           # of texts in it
LONG_BYTES = 1024               # longer texts are not kept as values
CLEARLY, OFTEN = 4.0, 5         # standard deviations; least count of a common value in a sample


class ColumnSummary(msgspec.Struct, array_like=True):
    """rows, nulls: of the segment, exactly. registers: of the sketch, which has seen `hashed` values. rows_seen: how many
    rows were looked at for the rest, sampled: how many of them have a value. common, counts: the most common values, and how
    often each came; is_complete: there are no others. bounds: of the histogram of the others, in order. correlation: from
    -1 to 1. width, longest: average and greatest bytes of a value. kept: values of the kept sample. Columns of values are as
    `arrays.to_bytes` makes them."""
    rows: int
    nulls: int
    registers: bytes
    hashed: int
    rows_seen: int
    sampled: int
    common: list
    counts: list[int]
    is_complete: bool
    bounds: list
    correlation: float | None
    width: float
    longest: int
    kept: list

    @property
    def sketch(self):
        return Sketch(np.frombuffer(self.registers, np.uint8).copy())


ENCODER, DECODER = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(ColumnSummary)


def pack(summary):
    """A ColumnSummary as bytes."""
    return zlib.compress(ENCODER.encode(summary), 1)


def unpack(data):
    """The ColumnSummary of bytes. Raises ValueError for others."""
    try:
        return DECODER.decode(zlib.decompress(data))
    except (zlib.error, msgspec.MsgspecError) as exception:
        raise ValueError(f"statistics cannot be read: {exception}") from exception


# ------------------------------------------------------------------------------------------------ gathering

@functools.lru_cache(maxsize=16)
def kept_rows(rows):
    """Which rows to keep, in random order, so that the first ones of them are a sample, too."""
    chosen = sample_rows(rows, KEPT_ROWS)
    return chosen[np.argsort(noise(len(chosen), rows + 1))]


def summarize(data, encoded, rows_max=None):
    """The ColumnSummary of a column array that is stored as `encoded`. rows_max: how many rows to look at at most."""
    rows = arrays.row_count(data)
    count = min(ROWS_MAX, max(ROWS_MIN, rows // ROWS_SHARE)) if rows_max is None else rows_max
    chosen = sample_rows(rows, count)
    if data.valid is not None:
        chosen = chosen[data.valid[chosen] != 0]
    has_long_numbers = arrays.in_text_form(data) and not arrays.is_text(data.type)         # others, once they are cut off
    if has_long_numbers or not data.type.bytes_are_ordered:         # or arrays, which take long to compare: only counted
        chosen = chosen[:0]
    sample = ColumnData(data.type, arrays.take(data, chosen).values)
    codes = encoded.encoding.codes and [encoded.arrays["codes"][chosen]]
    distinct = distinct_of(sample, codes or arrays.order_keys(sample))
    nulls = 0 if data.valid is None else int(rows - np.count_nonzero(data.valid))
    sketch, hashed = sketch_of(data, encoded)
    numbers, is_complete = common_of(distinct, of_all(sketch.count(), hashed, rows - nulls), rows - nulls)
    lengths = np.diff(data.values[0]) if arrays.in_text_form(data) else np.full(rows - nulls, data.type.layout.size)
    kept = short_texts(arrays.take(data, kept_rows(rows)), KEPT_BYTES)
    return ColumnSummary(
        rows, nulls, sketch.registers.tobytes(), hashed, min(rows, count), arrays.row_count(sample),
        arrays.to_bytes(distinct.values(numbers)), distinct.counts[numbers].tolist(), is_complete,
        arrays.to_bytes(distinct.values(distinct.bounds(numbers))),
        distinct.correlation, float(lengths.sum()) / max(1, rows - nulls), int(lengths.max(initial=0)),
        arrays.to_bytes(kept))


class Distinct:
    """The different values of a sample without NULLs, in order. counts: how often each came. places: where in the sample."""

    def __init__(self, sample, order, starts):
        self.sample, self.counts = sample, np.diff(np.append(starts, len(order)))
        self.places, self.correlation = order[starts], correlation_of(order, starts)

    def values(self, numbers):
        """The values of some numbers as a column array."""
        return short_texts(arrays.take(self.sample, self.places[numbers]))

    def bounds(self, common):
        """Numbers of values between which equally many of the others lie; those of `common` left out."""
        counts = self.counts.copy()
        counts[common] = 0
        ends = np.cumsum(counts)
        if not len(ends) or ends[-1] < 2:
            return np.zeros(0, np.int64)
        wanted = np.linspace(1, ends[-1], min(TARGET + 1, int(ends[-1]))).astype(np.int64)
        return np.searchsorted(ends, wanted)


def distinct_of(sample, keys):
    """The Distinct of a column array, of which arrays give the order (see arrays.order_keys)."""
    order = arrays.order_of(keys)
    differs = np.zeros(len(order), bool)
    differs[:1] = True
    for key in keys:
        ordered = key[order]
        if ordered.dtype.kind == "f":
            differs[1:] |= (ordered[1:] != ordered[:-1]) & ~(np.isnan(ordered[1:]) & np.isnan(ordered[:-1]))
        else:
            differs[1:] |= ordered[1:] != ordered[:-1]
    return Distinct(sample, order, np.flatnonzero(differs))


def correlation_of(order, starts):
    """How closely the values' ranks follow the places of their rows: Pearson's coefficient; None for less than two values.
    order: places in the order of values; starts: where each value begins in it."""
    if len(starts) < 2:
        return None
    ranks = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(order)))).astype(np.float64)
    places = order.astype(np.float64)
    ranks -= ranks.mean()
    places -= places.mean()
    return float((ranks * places).sum() / math.sqrt((ranks * ranks).sum() * (places * places).sum()))


def common_of(distinct, total_distinct, rows):
    """(numbers of the most common values, whether there are no others). A value is common if it came more often than the
    values that are left would on average, by more than chance explains."""
    counts, sampled = distinct.counts, int(distinct.counts.sum())
    if len(counts) <= TARGET and (sampled == rows or sampled and total_distinct < 1.1 * len(counts) + 1):
        return np.argsort(-counts, kind="stable"), True
    best = np.argsort(-counts, kind="stable")[:TARGET]
    left, others = sampled - np.cumsum(counts[best]), np.maximum(total_distinct - np.arange(1, len(best) + 1), 1)
    expected = left / others
    clear = counts[best] > np.maximum(expected + CLEARLY * np.sqrt(expected), OFTEN - 1)
    return best[:int(np.argmin(clear)) if not clear.all() else len(best)], False


def short_texts(data, total=None):
    """A column array whose long texts are cut off, so that together they take at most `total` bytes."""
    if not arrays.in_text_form(data):
        return data
    offsets, blob = data.values
    lengths = np.diff(offsets)
    limit = LONG_BYTES if total is None else min(LONG_BYTES, max(8, total // max(1, len(lengths))))
    if not len(lengths) or lengths.max() <= limit or total is not None and lengths.sum() <= total:
        return data
    kept = np.minimum(lengths, limit)
    ends = np.concatenate([[0], np.cumsum(kept)])
    bytes = np.repeat(offsets[:-1] - ends[:-1], kept) + np.arange(int(ends[-1]))
    return ColumnData(data.type, (ends, padded(blob[bytes])), data.valid)
