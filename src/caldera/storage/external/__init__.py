"""Files and data frames as tables, read in place; and COPY, from files and to files.

    FROM 'x_*.parquet'  ─ open_file ──▶ ParquetRelation: row groups, only the wanted ones and only the wanted columns
    FROM 'x.csv'        ─ open_file ──▶ CsvRelation: types inferred from the file's beginning
    a variable          ─ open_frame ─▶ ArrowRelation: pandas, polars, Arrow
    COPY t FROM 'x.csv' ─ open_copy ──▶ CopyRelation: the table's types, PostgreSQL's syntax and errors
    COPY ... TO 'x.csv' ─ copy_to ────▶ a file that exists whole or not at all

Files are read while the query runs, some ten thousand rows at a time for each worker (row_stream.py).

    files.py       patterns, formats by ending        relation.py   what all of these relations share
    parquet.py  csv.py  frames.py                      copy_reader.py  copy_rows.py  conversion.py  copy_writer.py
"""
import importlib

PLACES = {"open_file": "files", "open_copy": "copy_reader", "copy_to": "copy_writer", "open_frame": "frames"}


def __getattr__(name):
    """The functions above, imported when first used: pyarrow's readers take their time."""
    if name not in PLACES:
        raise AttributeError(name)
    return getattr(importlib.import_module(f"{__name__}.{PLACES[name]}"), name)
