"""What the catalog holds: schemas and relations.

An entry is immutable but for `came` and `gone`, the commits that brought and took it (see caldera.transaction.timeline); a
change of a relation is a new entry with the same OID.
"""
from dataclasses import dataclass, field
from typing import Any

from caldera.catalog.columns import ColumnSchema


@dataclass(eq=False)
class Schema:
    """A namespace. temporary: of one session's temporary relations."""
    oid: int
    name: str
    temporary: bool = False
    came: int = 0
    gone: int = 0


@dataclass(eq=False)
class TableEntry:
    """A table or a view.

    kind: "table" or "view". engine: the table engine's name ("mergetree"), None for a view. options: what stood in
    WITH (...), texts by name. relation: the engine's side of it (storage.engine.Relation). query: the SQL text of a view.
    depends_on: OIDs of the relations that a view reads. system: of the catalog itself, so nobody may change it.
    """
    oid: int
    schema: Schema
    name: str
    columns: tuple[ColumnSchema, ...]
    kind: str = "table"
    engine: str | None = None
    options: dict = field(default_factory=dict)
    query: str | None = None
    depends_on: tuple = ()
    relation: Any = None
    system: bool = False
    came: int = 0
    gone: int = 0

    @property
    def temporary(self):
        return self.schema.temporary

    def column(self, name):
        """The ColumnSchema of that name, or None."""
        return next((column for column in self.columns if column.name == name), None)

    def __repr__(self):
        return f"{self.schema.name}.{self.name}"
