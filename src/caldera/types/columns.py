"""Column arrays, and what they can be made of and turned into. This is the place to import these functions from.

A column array is `(values, valid)`, as storage.engine.ColumnData describes it: a numpy array of the layout's dtype, of shape
(n, 2) for layouts of two words, (offsets, blob) for text (text_arrays); and a byte for each row, or None if no row is NULL.

    datums ─ from_datums ─▶ (values, valid) ─ to_datums ─▶ datums           row by row (datums)
    Arrow  ─ from_arrow ──▶        "        ─ to_arrow ──▶ Arrow            whole columns (arrow)
                                   "        ─ to_text ───▶ texts, as PostgreSQL writes them
"""
from caldera.types.arrow import from_arrow, sql_type_of, to_arrow
from caldera.types.datums import from_datums, row_count, to_datums, to_text
from caldera.types.text_arrays import text_from_bytes, text_items

__all__ = ["from_arrow", "from_datums", "row_count", "sql_type_of", "text_from_bytes", "text_items", "to_arrow", "to_datums",
           "to_text"]
