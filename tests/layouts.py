"""Where the rows of a test's tables lie. Without these, tables so small stay in the delta, plain and without zone maps.

    use_granules(layout.granule_rows)              in this process; before any part is written
    connection.sql("CREATE TABLE ...")             rows in the delta
    arrange(connection, layout)                    every table is written anew: parts, and the rest in the delta

No more than three parts, so that no background merge is due.
"""
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Layout:
    """parts: into how many parts a table's rows go; share: which share of the rows, the others stay in the delta;
    granule_rows: of a granule, few so that zone maps have something to tell of small tables; 0 for the usual number."""
    parts: int
    share: float = 1.0
    granule_rows: int = 0


LAYOUTS = {"parts": Layout(1, granule_rows=8), "many_parts": Layout(3, granule_rows=4),
           "mixed": Layout(2, share=0.6, granule_rows=8), "large_granules": Layout(3)}


def use_granules(rows):
    """Let granules of this process have that many rows, which has to be decided before it writes or reads parts."""
    for name, module in list(sys.modules.items()) if rows else ():
        if name.startswith("caldera.") and hasattr(module, "GRANULE_ROWS"):
            module.GRANULE_ROWS = rows


def arrange(connection, layout):
    """Write the rows of all tables again, in the order they have, as the layout says."""
    from caldera.storage import arrays
    database = connection.database
    for table in database.tables():
        transaction = database.begin()
        columns = table.decode(transaction.snapshot())
        rows = arrays.row_count(next(iter(columns.values())))
        table.truncate(transaction)
        stop = round(rows * layout.share)
        for part in range(layout.parts):
            first, last = stop * part // layout.parts, stop * (part + 1) // layout.parts
            if last > first:
                table.append(transaction, {name: arrays.cut(data, first, last - first) for name, data in columns.items()})
                transaction.participants[table].write_part()
        table.append(transaction, {name: arrays.cut(data, stop, rows - stop) for name, data in columns.items()})
        transaction.commit()
