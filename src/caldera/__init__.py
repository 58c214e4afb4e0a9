"""Caldera: PostgreSQL's SQL over columns, compiled to machine code.

    import caldera
    connection = caldera.connect()          # in memory; connect("folder") for one that stays
    connection.sql("SELECT 1 + 1").show()

Importing this package loads nothing else: names arrive from `caldera.client` when they are first used.
"""
__version__ = "0.1.0"
