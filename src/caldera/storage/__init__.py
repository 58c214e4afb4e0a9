"""Storage: where rows are, and how the engine gets at them.

    Relation ──scan(snapshot, names, ranges)──▶ TableScan: segments and runs of rows ──▶ StoredColumn: encoding, struct
    INSERT, COPY ──append(transaction, columns)──▶ rows that come with the transaction

    engine.py      the interface; read this first          database.py    Database: a directory, its log, catalog and tables
    engines.py     engines by name
    arrays.py      columns in memory                       mergetree/     column tables: parts, deltas, merges
    encodings/     how columns are stored and decoded      external/      Parquet, CSV, Arrow and data frames, as tables
    segment.py     segments and their columns              zones.py       what granules hold, for leaving them out
    system.py      the relations of pg_catalog and information_schema
    statistics/    what the planner knows of columns           temporary.py   files for what memory has no room for
"""
