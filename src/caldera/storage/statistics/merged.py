"""Statistics of a table: what the summaries of all its segments say together, as datums.

    TableStatistics(segments) ─ column(name) ─▶ ColumnStatistics        ─ sample(name) ─▶ the same random rows of each column

Sketches are joined without loss. Frequencies of common values are added, weighted by the rows they stand for, and so are the
steps of histograms, from which a new equi-depth one is drawn.
"""
import bisect
import functools
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from caldera.kernel import layouts
from caldera.storage import arrays
from caldera.storage.statistics.sketch import of_all
from caldera.storage.statistics.summary import KEPT_ROWS, TARGET
from caldera.storage.zones import numeric_float_keys
from caldera.types.columns import to_datums

SAMPLE_ROWS = 1024              # of a table's sample, from all segments together


@dataclass
class ColumnStatistics:
    """What is known of a column. rows: of the table. order: what Python sorts datums by (SqlType.sort_key). null_share: of
    all rows. distinct: how many different values there are, without NULL; None if unknown. common: {datum: share of all
    rows}; is_complete: there are no other values. bounds: datums in order between which equally many of the rows with other
    values lie. correlation: of values and places, -1 to 1, or None. width: average bytes, longest: most bytes of a value."""
    rows: int
    order: Any
    null_share: float | None = None
    distinct: float | None = None
    common: dict = field(default_factory=dict)
    is_complete: bool = False
    bounds: list = field(default_factory=list)
    correlation: float | None = None
    width: float | None = None
    longest: int | None = None

    @property
    def rest(self):
        """The share of rows with values that are not common."""
        return 0.0 if self.is_complete else max(0.0, 1 - (self.null_share or 0.0) - sum(self.common.values()))

    @property
    def other_share(self):
        """The share of rows that have one value which is not common; None if nobody knows."""
        if self.distinct is None:
            return None
        return self.rest / max(1.0, self.distinct - len(self.common))

    def share_of(self, datum):
        """The share of rows with a value; None if nobody knows."""
        return self.common[datum] if datum in self.common else self.other_share

    def share_below(self, datum, or_equal):
        """The share of rows with a lesser value; None if nobody knows."""
        if not self.bounds and not self.is_complete:
            return None
        key = self.order(datum)
        share = sum(part for value, part in self.common.items() if self.order(value) < key or or_equal and value == datum)
        return share + self.rest * position(self.bounds, datum, self.order) if self.bounds else share


def position(bounds, datum, order):
    """The share of a histogram's rows below a datum, 0 to 1. Within a step numbers are taken to be spread evenly."""
    at = bisect.bisect_right(bounds, order(datum), key=order)
    if at in (0, len(bounds)) or len(bounds) < 2:
        return 0.0 if at == 0 else 1.0
    low, high = number(bounds[at - 1]), number(bounds[at])
    inside = (number(datum) - low) / (high - low) if high > low else 0.5
    return (at - 1 + (inside if inside == inside else 0.5)) / (len(bounds) - 1)


def number(datum):
    """A datum as a float in about the order of datums: texts and bytes by their first eight bytes."""
    if isinstance(datum, str):
        datum = datum.encode("utf-8", "surrogatepass")
    if isinstance(datum, bytes):
        return float(int.from_bytes(datum[:8].ljust(8, b"\0"), "big"))
    try:
        return float(datum)
    except (TypeError, ValueError, OverflowError):
        return float("nan")


class TableStatistics:
    """What segments say together. `rows`: how many they have; what of it has no statistics is taken to be like the rest."""

    def __init__(self, segments):
        self.segments = [segment for segment in segments if segment.row_count]
        self.rows = sum(segment.row_count for segment in self.segments)
        self.columns, self.samples = {}, {}

    def column(self, name):
        """The ColumnStatistics of a column."""
        if name not in self.columns:
            self.columns[name] = self.merged(name)
        return self.columns[name]

    def merged(self, name):
        """The same, made of the segments' summaries, bounds and dictionaries."""
        columns = [segment.column(name) for segment in self.segments]
        summaries = [column.summary for column in columns if column.summary is not None]
        if sum(summary.rows for summary in summaries) * 2 < self.rows or not summaries:
            return from_bounds(columns, self.rows)
        found = from_summaries(columns[0].type, summaries)
        found.rows = self.rows
        exact = outer_bounds(columns)
        if exact is not None and len(found.bounds) > 1:
            ends = (exact[0], found.bounds[0]), (exact[1], found.bounds[-1])
            found.bounds[0], found.bounds[-1] = min(ends[0], key=found.order), max(ends[1], key=found.order)
        return found

    @functools.cached_property
    def taken(self):
        """How many rows of each segment's sample are in the table's, by their share of all rows."""
        counts = [-(-SAMPLE_ROWS * segment.row_count // self.rows) for segment in self.segments]
        return [min(count, KEPT_ROWS, segment.row_count) for count, segment in zip(counts, self.segments)]

    @property
    def sample_rows(self):
        """How many rows the sample has."""
        return sum(self.taken)

    def sample(self, name):
        """Random rows of a column, the same rows for all columns: (an array of numbers, of str objects for text; a bool
        array of those that are not NULL, or None). (None, None) if a segment has none, or for other types."""
        if name not in self.samples:
            columns = [segment.column(name) for segment in self.segments]
            known = all(column.summary is not None for column in columns)
            pieces = [rotated(arrays.from_bytes(column.type, column.summary.kept), number, count)
                      for number, (column, count) in enumerate(zip(columns, self.taken))] if known else []
            self.samples[name] = plain_values(arrays.concatenate(pieces)) if pieces else (None, None)
        return self.samples[name]


def rotated(data, number, count):
    """Some rows of a segment's sample, of each segment others: those of equally large segments are at the same places."""
    return arrays.cut(data, number * count % (arrays.row_count(data) - count + 1), count)


def plain_values(data):
    """A column array as `TableStatistics.sample` gives it; numerics as floats."""
    valid, layout = None if data.valid is None else data.valid != 0, data.type.layout
    if data.type.python_type is str:
        values = np.empty(arrays.row_count(data), object)
        values[:] = [text.rstrip(" ") if data.type.name == "bpchar" else text for text in to_datums(data.type, data.values)]
        return values, valid
    if arrays.in_text_form(data) or layout.words == 2 and layout is not layouts.NUMERIC:
        return None, None
    return (numeric_float_keys(data.values)[2] if layout is layouts.NUMERIC else data.values), valid


def outer_bounds(columns):
    """(least, greatest) datum of columns of segments whose zone maps know them; None if one does not, or for NaN."""
    known = [(column.low, column.high) for column in columns if column.low is not None]
    if len(known) < len(columns) or not known:
        return None
    order = columns[0].type.sort_key
    low, high = min((low for low, _ in known), key=order), max((high for _, high in known), key=order)
    return (low, high) if low == low and high == high else None


def from_bounds(columns, rows):
    """ColumnStatistics of what zone maps and dictionaries know, where nobody has gathered more."""
    nulls = [column.null_count for column in columns]
    order = columns[0].type.sort_key if columns else None
    found = ColumnStatistics(rows, order, sum(nulls) / rows if rows and None not in nulls else None)
    exact = outer_bounds(columns)
    if exact is not None:
        found.bounds = list(exact)
        if isinstance(exact[0], int):
            found.distinct = min(exact[1] - exact[0] + 1, rows)
    sizes = [column.dictionary.size for column in columns if column.dictionary is not None]
    if sizes and len(sizes) == len(columns):
        found.distinct = max(sizes)
    return found


def from_summaries(type, summaries):
    """ColumnStatistics of ColumnSummaries."""
    rows, nulls = sum(summary.rows for summary in summaries), sum(summary.nulls for summary in summaries)
    sketch = summaries[0].sketch
    for summary in summaries[1:]:
        sketch.join(summary.sketch)
    distinct = of_all(sketch.count(), sum(summary.hashed for summary in summaries), rows - nulls)
    common, steps = {}, []
    for summary in summaries:
        share = (summary.rows - summary.nulls) / max(1, summary.sampled) / rows        # of all rows, for one that was seen
        for datum, count in zip(values_of(type, summary.common), summary.counts):
            common[datum] = common.get(datum, 0.0) + count * share
        bounds = values_of(type, summary.bounds)
        weight = (summary.sampled - sum(summary.counts)) * share / max(1, len(bounds) - 1)
        steps.append((bounds, weight))
    is_complete = all(summary.is_complete for summary in summaries)
    if len(summaries) > 1:
        common, left_out = most_common(common)
        is_complete &= not left_out
        steps += [([datum], share) for datum, share in left_out.items()]
    weighted = [summary for summary in summaries if summary.correlation is not None]
    return ColumnStatistics(
        rows, type.sort_key, nulls / rows, len(common) if is_complete else max(distinct, len(common)), common, is_complete,
        joined(steps, type.sort_key),
        mean([(summary.correlation, summary.rows) for summary in weighted]) if weighted else None,
        mean([(summary.width, summary.rows) for summary in summaries]), max(summary.longest for summary in summaries))


def values_of(type, parts):
    """The datums of a column array as bytes; texts without spaces at the end, which do not count in char(n)."""
    found = to_datums(type, arrays.from_bytes(type, parts).values)
    return [datum.rstrip(" ") for datum in found] if type.python_type is str else found


def mean(pairs):
    """The mean of values, weighted."""
    return sum(value * weight for value, weight in pairs) / sum(weight for _, weight in pairs)


def most_common(common):
    """(the TARGET most common values with their shares, the others)."""
    ordered = sorted(common.items(), key=lambda pair: -pair[1])
    return dict(ordered[:TARGET]), dict(ordered[TARGET:])


def joined(steps, order):
    """The bounds of the histogram of several ones, given as pairs (bounds, rows of a step)."""
    steps = [(bounds, weight) for bounds, weight in steps if bounds]
    if len(steps) < 2:
        return list(steps[0][0]) if steps else []
    weighted = sorted(((order(bound), bound, weight) for bounds, weight in steps for bound in bounds),
                      key=lambda item: item[0])
    total, bounds, passed = sum(weight for *_, weight in weighted), [weighted[0][1]], 0.0
    for _, bound, weight in weighted:
        passed += weight
        while len(bounds) <= TARGET and passed >= total * len(bounds) / TARGET * (1 - 1e-9):
            bounds.append(bound)
    return bounds
