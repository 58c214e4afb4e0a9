"""Table engines by name: what USING may say, what pg_am lists, and what makes an engine's side of a table.

    @table_engine("mergetree", oid=16000)
    def make_table(database, entry): ...            the relation (storage.engine.StoredRelation) of a new TableEntry

    CREATE TABLE ... USING name ─▶ ENGINES[name].make(database, entry) ─▶ entry.relation

A new engine is a folder beside storage/mergetree/ and a line in storage/engines.py, which imports it.
"""
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class TableEngine:
    """One engine. oid: its row's in pg_am. make: (database, TableEntry) -> the relation."""
    name: str
    oid: int
    make: Callable


ENGINES: dict[str, TableEngine] = {}


def table_engine(name, oid):
    """Enter a function (database, entry) -> relation as the engine of that name."""
    def register(make):
        ENGINES[name] = TableEngine(name, oid, make)
        return make
    return register
