"""Merging parts: several parts become one, in order, while queries read the old ones and writers add new ones.

    deltas that are full ─▶ a part            parts of similar size ─▶ one part, as soon as there are MERGE_FAN_IN of them

A merge reads committed parts, writes the new one column by column, and installs it in a transaction that takes the old ones.
If any of them went meanwhile (a TRUNCATE), the merge is given up. Sizes are classed by powers of MERGE_FAN_IN, so a row is
rewritten about log(rows) times (size-tiered compaction; O'Neil et al., "The log-structured merge-tree", 1996).
"""
import numpy as np

from caldera.storage import arrays
from caldera.storage.encodings import DICTIONARY_SHARE, sorted_dictionary
from caldera.storage.engine import ColumnData
from caldera.storage.mergetree.delta import DELTA_ROWS, Delta

MERGE_FAN_IN = 4


class Abandoned(Exception):
    """Something that was to be merged is gone, or the database is being closed."""


def maintain(table):
    """Do whatever merging is due. Returns whether anything was done."""
    with table.merge_lock:
        done = False
        for delta in table.close_deltas():
            done |= merge(table, [delta])
        while (parts := due(live_parts(table), table.store.part_rows_max)):
            if not merge(table, parts):
                break
            done = True
    return done


def merge_all(table):
    """Bring all committed rows into as few parts as their largest size allows."""
    with table.merge_lock:
        things = sorted(live_parts(table), key=lambda part: -part.row_count) + table.close_deltas(all_of_them=True)
        group, rows = [], 0
        for thing in things:
            if rows + thing.row_count > table.store.part_rows_max and group:
                merge_group(table, group)
                group, rows = [], 0
            group.append(thing)
            rows += thing.row_count
        merge_group(table, group)


def merge_group(table, group):
    """Merge things, if that makes fewer of them or parts of deltas."""
    if len(group) > 1 or group and isinstance(group[0], Delta):
        merge(table, group)


def live_parts(table):
    """Committed parts that nobody is taking."""
    return [part for part in table.parts if part.came > 0 and part.gone == 0]


def due(parts, rows_max):
    """The parts to merge next: MERGE_FAN_IN or more of one class of sizes, the smallest class first; [] if none."""
    classes = {}
    for part in parts:
        if part.row_count <= rows_max // 2:
            classes.setdefault(size_class(part.row_count), []).append(part)
    for number in sorted(classes):
        if len(classes[number]) >= MERGE_FAN_IN:
            chosen, rows = [], 0
            for part in sorted(classes[number], key=lambda part: part.row_count):
                if rows + part.row_count <= rows_max:
                    chosen.append(part)
                    rows += part.row_count
            if len(chosen) > 1:
                return chosen
    return []


def size_class(rows):
    """0 up to DELTA_ROWS, then one more for each factor MERGE_FAN_IN."""
    number, limit = 0, DELTA_ROWS
    while rows > limit:
        number, limit = number + 1, limit * MERGE_FAN_IN
    return number


def merge(table, things):
    """Replace parts and closed deltas by one part. Returns False if that had to be given up."""
    transaction = table.store.timeline.begin()
    try:
        columns = merged_columns(table, [segment_of(thing) for thing in things])
        table.install_part(transaction, columns, sum(thing.row_count for thing in things))
        with table.store.timeline.lock:
            if any(thing.gone != 0 for thing in things):
                raise Abandoned
            for thing in things:
                transaction.remove(thing, table.drop_change(thing))
        transaction.commit()
    except Abandoned:
        transaction.rollback()
        return False
    except BaseException:
        transaction.rollback()
        raise
    return True


def segment_of(thing):
    """All rows of a part or of a closed delta."""
    return thing.buffer.segment(thing.row_count) if isinstance(thing, Delta) else thing.file.segment


def merged_columns(table, segments):
    """Functions that give (name, modifier, ColumnData, hint) for write_part, rows in the table's order."""
    keys = [joined(segments, name)[0] for name in table.order_by]
    permutation = arrays.sort_permutation(keys) if keys else None

    def merged(column):
        if table.store.closing:
            raise Abandoned
        data, hint = joined(segments, column.name)
        if permutation is not None:
            data = arrays.take(data, permutation)
            hint = None if hint is None else (hint[0][permutation], hint[1])
        return column.name, column.modifier, data, hint
    return [lambda column=column: merged(column) for column in table.columns]


def joined(segments, name):
    """The rows of all segments: (ColumnData, hint). hint: (codes, dictionary) of text that has a dictionary everywhere."""
    columns = [segment.column(name) for segment in segments]
    data = arrays.concatenate([column.decode() for column in columns])
    if any(column.dictionary is None for column in columns):
        return data, None
    entries = [ColumnData(column.type, column.dictionary.entries()) for column in columns]
    numbers, dictionary = sorted_dictionary(arrays.concatenate(entries).values)
    if len(dictionary[0]) - 1 > DICTIONARY_SHARE * arrays.row_count(data):
        return data, None
    codes, at = [], 0
    for column in columns:
        map_code = numbers[at:at + column.dictionary.size]
        codes.append(map_code[column.values.arrays["codes"]])
        at += column.dictionary.size
    return data, (np.concatenate(codes), dictionary)
