"""What the catalog holds: schemas, relations and the types that users made.

An entry is immutable but for `came` and `gone`, the commits that brought and took it (see caldera.transaction.timeline); a
change of a relation or a type is a new entry with the same OID.
"""
from dataclasses import dataclass, field
from typing import Any

from caldera.catalog.columns import ColumnSchema
from caldera.types.record import Field, row_type


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

    @property
    def row_type(self):
        """The SqlType of its rows."""
        fields = tuple(Field(column.name, column.type, column.modifier) for column in self.columns)
        return row_type(fields, self.name, self.oid)

    def column(self, name):
        """The ColumnSchema of that name, or None."""
        return next((column for column in self.columns if column.name == name), None)

    def __repr__(self):
        return f"{self.schema.name}.{self.name}"


@dataclass(eq=False)
class TypeEntry:
    """A type that a user made. family: which of caldera.types.user_types.FAMILIES it is of; definition: what it was made
    of, or last changed to. type: the UserType, the same one for all entries of an OID. depends_on: OIDs of the user's types
    that the definition mentions."""
    oid: int
    schema: Schema
    name: str
    family: str
    definition: dict
    type: Any
    depends_on: tuple = ()
    came: int = 0
    gone: int = 0
    kind, system = "type", False            # not fields: alike for all

    @property
    def temporary(self):
        return self.schema.temporary

    def __repr__(self):
        return f"{self.schema.name}.{self.name}"


@dataclass(eq=False)
class StatisticsEntry:
    """Extended statistics. table: the TableEntry; columns: names of its columns; kinds: of "ndistinct", "dependencies" and
    "mcv". target: steps as of default_statistics_target, -1 for those. found: what ANALYZE has found, see
    storage.statistics.extended."""
    oid: int
    schema: Schema
    name: str
    table: TableEntry
    columns: tuple
    kinds: tuple
    target: int = -1
    found: dict = field(default_factory=dict)
    came: int = 0
    gone: int = 0
    kind, system = "statistics object", False

    @property
    def is_logged(self):
        return not self.schema.temporary and not self.table.temporary

    @property
    def temporary(self):
        return not self.is_logged


@dataclass(frozen=True)
class ColumnOf:
    """A column of a table or view, as something that depends on a type."""
    entry: TableEntry
    name: str
    kind = "column"


def describe(view, entry):
    """An entry as messages name it: `table s.t`."""
    if entry.kind == "column":
        return f"column {entry.name} of {describe(view, entry.entry)}"
    return f"{entry.kind} {view.spell(entry)}"
