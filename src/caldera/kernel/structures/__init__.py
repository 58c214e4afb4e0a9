"""Data structures as staging-time classes: they own arrays, emit the code that works on them, and keep the layout private.

    arena.py        bytes that grow at one end: strings under construction, texts that a structure must own
    row_store.py    rows of 64-bit words that begin with a hash: what both tables are made of
    group_table.py  rows, appended, and a hash index over them: grouping, distinct sets
    join_table.py   rows with equal keys side by side, and a directory: joins
    pages.py        rows on disk, as they lay in memory
    memory.py       where the arrays come from: a pool, and the budget

Growth is a call out of generated code that allocates; generated code moves the rows and goes on.
"""
