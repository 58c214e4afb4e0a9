"""Transactions: the order of commits, what a snapshot sees, and the log that survives.

    session ─begin─▶ Transaction ─add/remove things, take part─▶ commit ─▶ Log: one record, durable ─▶ Timeline.csn advances
                          └─snapshot()─▶ Snapshot.sees(thing)

    timeline.py    Timeline, Transaction, Snapshot: start here
    changes.py     what a record in the log can say
    log.py         the file of records: append, replay, rewrite
    files.py       files that exist whole or not at all; errors of the disk in PostgreSQL's words
    lock_file.py   one process owns a directory
"""
