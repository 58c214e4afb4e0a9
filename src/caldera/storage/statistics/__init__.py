"""Statistics of columns: what is gathered of a segment's rows, and what they tell the planner of a table.

    rows of a part ─ summarize ─▶ ColumnSummary ─ pack ─▶ bytes: a chunk of the part's file, or the log (ANALYZE)
                                                             │ unpack
    summaries of all segments that a snapshot sees ─ merged ─▶ ColumnStatistics: shares, distinct values, histogram

    sketch     how many different values: HyperLogLog, over all rows, which merges over segments without loss
    summary    what one segment knows of one column: NULLs, common values, bounds, lengths, and a sample of rows
    merged     the same of a table, as datums

The rows of a sample are the same ones for all columns of a segment, so that conditions on several columns may be tried on
them. Nothing here is needed to answer a query: a segment without statistics only makes worse plans.
"""
