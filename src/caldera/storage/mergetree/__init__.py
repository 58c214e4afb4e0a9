"""Column tables: immutable sorted parts, deltas for small inserts, merges in the background.

    INSERT ─▶ PendingRows ─┬─ many rows ─▶ Part (a file) ──────────┐
                           └─ few rows ─▶ log ─▶ Delta ─full─▶ Part ┴─ MERGE_FAN_IN of a size ─▶ one Part

    table.py     MergeTree: what a snapshot sees, append, truncate       delta.py     rows of small inserts
    pending.py   what a transaction inserted                             merge.py     parts become fewer
    part.py      writing and mapping a part                              format.py    the form of the file, and its checks
    options.py   WITH (order_by = ...)
"""
