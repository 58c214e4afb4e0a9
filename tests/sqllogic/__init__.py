"""A runner for sqllogictest files: each runs on Caldera in all its configurations and, on request, on PostgreSQL 18.

    python -m tests.sqllogic FILE... [--postgres] [--complete] [--configurations fast,python]

    text ─ records.parse ─▶ records ─ runner.run_file(engine) ─▶ problems        each statement, each query
                                          │ results.rendered: Answer ─▶ lines
                                          └ --complete: PostgreSQL's answers ─ records.written ─▶ text

    records.py    the format: statements, queries, conditions, and back to text
    results.py    an answer as the lines of a file: types, sort modes, hashes
    runner.py     records on an engine; what is not as the file says
    engines.py    Caldera in one process for all configurations; PostgreSQL

Files are those of SQLite's sqllogictest (https://www.sqlite.org/sqllogictest/doc/trunk/about.wiki) with what later runners
added: results in rows (columns separated by tabs), and `statement error` and `query error` followed by a SQLSTATE or by a
regular expression for the message. Conditions know "caldera" and "postgresql"; Caldera is both, as it speaks the dialect.
"""
