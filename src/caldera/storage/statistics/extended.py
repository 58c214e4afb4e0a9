"""Statistics of several columns together, as CREATE STATISTICS asks for them and ANALYZE gathers them.

    rows of a sample ─ codes ─▶ ndistinct       {"a, b": how many combinations of values there are}
                                dependencies    {"a => b": the share of rows whose a tells b}
                                mcv             the most common combinations, their shares, and what the shares would be if
                                                columns had nothing to do with each other

The values are plain ones (numerics are floats, NULL is None), so that they can be kept in the log.
"""
from itertools import combinations

import numpy as np

from caldera.storage import arrays
from caldera.storage.statistics.merged import plain_values
from caldera.storage.statistics.sketch import of_all

STRETCH = 256                   # rows that are read together


def gathered(relation, snapshot, names, kinds, rows_max, common_max):
    """What is found of some columns of a table in about `rows_max` rows, with up to `common_max` common combinations; {} if
    there is nothing to find."""
    segments = [segment for segment in relation.visible_segments(snapshot) if segment.row_count]
    rows = sum(segment.row_count for segment in segments)
    columns = [sampled(segments, name, rows_max / max(1, rows)) for name in names] if rows else []
    if not columns or any(values is None for values, _ in columns):
        return {}
    listed = [as_list(values, valid) for values, valid in columns]
    codes = [numbered(values) for values in listed]
    count, places, found = len(codes[0]), range(len(names)), {}
    together = {(place,): codes[place] for place in places}
    for size in range(2, len(names) + 1):
        for chosen in combinations(places, size):
            together[chosen] = joined(together[chosen[:-1]], codes[chosen[-1]])
    if "ndistinct" in kinds:
        found["ndistinct"] = {", ".join(names[place] for place in chosen): float(of_all(different(array), count, rows))
                              for chosen, array in together.items() if len(chosen) > 1}
    if "dependencies" in kinds:
        found["dependencies"] = {
            f"{', '.join(names[place] for place in chosen if place != told)} => {names[told]}":
                degree(together[tuple(place for place in chosen if place != told)], array)
            for chosen, array in together.items() if len(chosen) > 1 for told in chosen}
    if "mcv" in kinds:
        found["mcv"] = common(listed, codes, together[tuple(places)], names, common_max)
    return found


def sampled(segments, name, share):
    """(values, valid) of a column in stretches of rows, at the same places for all columns; see merged.plain_values."""
    pieces = []
    for segment in segments:
        step = max(1, round(1 / share)) * STRETCH if share < 1 else STRETCH
        column = segment.column(name)
        pieces += [column.decode(first, min(STRETCH, segment.row_count - first))
                   for first in range(0, segment.row_count, step)] if share < 1 else [column.decode()]
    return plain_values(arrays.concatenate(pieces))


def as_list(values, valid):
    """The values as a list, None for NULL."""
    items = values.tolist()
    return items if valid is None else [item if there else None for item, there in zip(items, valid.tolist())]


def numbered(values):
    """A number for each value (int64), equal for equal ones; NaNs are one value."""
    known = {}
    return np.fromiter((known.setdefault("NaN" if value != value else value, len(known)) for value in values), np.int64,
                       len(values))


def joined(left, right):
    """Numbers of the pairs of two arrays of numbers."""
    return np.unique(left * (right.max(initial=0) + 1) + right, return_inverse=True)[1]


def different(codes):
    """How many numbers there are."""
    return int(codes.max(initial=-1)) + 1


def degree(telling, pairs):
    """The share of rows whose number in `telling` comes with one number in `pairs` only."""
    first = np.unique(pairs, return_index=True)[1]
    per_value = np.bincount(telling[first], minlength=different(telling))
    return float((per_value[telling] == 1).mean())


def common(listed, codes, together, names, common_max):
    """The most common combinations that come more than once, as {"values": {name: list}, "shares", "base_shares": lists}."""
    count = len(together)
    frequencies, first = np.bincount(together), np.unique(together, return_index=True)[1]
    order = np.argsort(-frequencies, kind="stable")[:common_max]
    rows = first[order[frequencies[order] > 1]]
    alone = [np.bincount(code) / count for code in codes]
    base = np.ones(len(rows))
    for shares, code in zip(alone, codes):
        base *= shares[code[rows]]
    return {"values": {name: [values[row] for row in rows] for name, values in zip(names, listed)},
            "shares": (frequencies[together[rows]] / count).tolist(), "base_shares": base.tolist()}
