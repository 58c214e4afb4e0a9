"""SQL text to syntax trees.

    text ── parse.parse ──▶ [Statement(kind, fields, ...)]
              │  libpg_query.parse_tree: PostgreSQL's own grammar
              └─ tokens.with_files_named: `FROM 'file.parquet'`, which that grammar lacks, made a name of the same length

Nothing here knows a catalog, a type or a function: a syntax tree says what was written. Locations are bytes in the text;
`Statement.position` makes them the characters, counted from 1, that PostgreSQL reports.
"""
