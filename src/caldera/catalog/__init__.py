"""The catalog: schemas, tables, views and columns, and how names mean them.

    entries.py       Schema, TableEntry: what the catalog holds
    columns.py       ColumnSchema
    catalog.py       Catalog: all versions of all entries; CREATE and DROP
    engines.py       table engines by name
    view.py          CatalogView: what one statement sees; start here
    search_path.py   where a bare name is looked for
    introspection.py pg_catalog and information_schema: their relations and rows
    type_tables.py   of them those about types
    names.py         names to OIDs and back, for the types regclass, regproc, ...
    facts.py         what PostgreSQL knows about its types, operators, functions and casts; oids.py: the OIDs of these
"""
