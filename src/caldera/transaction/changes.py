"""What a committed transaction did, as it stands in the log: one `Record` for each, a list of changes.

A change names things by number: schemas and relations by OID, parts and deltas by a number of their own. Replaying all
records in order gives the state of the database; so does replaying the list that a checkpoint writes.
"""
import msgspec


class ColumnChange(msgspec.Struct, array_like=True):
    """A column of a new relation; `type` is a pg_type name, or the key of a user's type."""
    name: str
    type: str
    modifier: list[int] | None
    nullable: bool
    default: str | None


class Change(msgspec.Struct, array_like=True, tag_field="change"):
    """Base of all changes."""


class CreateSchema(Change, tag="create schema"):
    """A new schema."""
    oid: int
    name: str


class DropSchema(Change, tag="drop schema"):
    """A schema goes."""
    oid: int


class CreateTable(Change, tag="create table"):
    """A new table. options: what stood in WITH (...)."""
    oid: int
    schema: int
    name: str
    columns: list[ColumnChange]
    engine: str
    options: dict[str, str]


class CreateView(Change, tag="create view"):
    """query: the SQL text of the view. depends_on: OIDs of the relations it reads."""
    oid: int
    schema: int
    name: str
    columns: list[ColumnChange]
    query: str
    depends_on: list[int]


class DropRelation(Change, tag="drop relation"):
    """A table or view goes, with all that it holds."""
    oid: int


class CreateType(Change, tag="create type"):
    """A new type of a user's. array_oid: of its arrays. key: what columns and parts call it. family, definition: see
    caldera.types.user_types; depends_on: OIDs of the types in the definition."""
    oid: int
    array_oid: int
    schema: int
    name: str
    key: str
    family: str
    definition: dict
    depends_on: list[int]


class AlterType(Change, tag="alter type"):
    """A type has another name, place or definition from now on. depends_on: as in CreateType; None if that stays."""
    oid: int
    schema: int
    name: str
    definition: dict
    depends_on: list[int] | None = None


class DropType(Change, tag="drop type"):
    """A type goes."""
    oid: int


class CreateStatistics(Change, tag="create statistics"):
    """New extended statistics on columns of a table. target: see default_statistics_target, -1 for that."""
    oid: int
    schema: int
    name: str
    table_oid: int
    columns: list[str]
    kinds: list[str]
    target: int


class AlterStatistics(Change, tag="alter statistics"):
    """Extended statistics have another name, place or target from now on."""
    oid: int
    schema: int
    name: str
    target: int


class DropStatistics(Change, tag="drop statistics"):
    """Extended statistics go."""
    oid: int


class FoundStatistics(Change, tag="found statistics"):
    """What ANALYZE has found for extended statistics (storage.statistics.extended)."""
    oid: int
    found: dict


class AddPart(Change, tag="add part"):
    """A part, whose file is complete. checksum: CRC-32 of its footer, which has those of all else, so that no other file
    can take its place; None in logs of earlier days."""
    table: int
    number: int
    row_count: int
    byte_count: int
    checksum: int | None = None


class DropPart(Change, tag="drop part"):
    """A part goes; its file is removed when nobody sees it any more."""
    table: int
    number: int


class AddStatistics(Change, tag="add statistics"):
    """What ANALYZE has found in a part: {column: packed ColumnSummary (storage.statistics)}. It counts instead of what the
    part's file says."""
    table: int
    number: int
    columns: dict[str, bytes]


class AddRows(Change, tag="add rows"):
    """Rows for a delta, which comes into being with its first ones. columns: see storage.mergetree.delta."""
    table: int
    delta: int
    row_count: int
    columns: dict[str, list]


class DropDelta(Change, tag="drop delta"):
    """A delta goes, as its rows have become a part or were truncated."""
    table: int
    delta: int


class Counters(Change, tag="counters"):
    """Numbers below these may have been given out. A checkpoint writes it, as what used them may be gone."""
    next_oid: int
    next_number: int


AnyChange = (CreateSchema | DropSchema | CreateTable | CreateView | DropRelation | CreateType | AlterType | DropType
             | CreateStatistics | AlterStatistics | DropStatistics | FoundStatistics
             | AddPart | DropPart | AddStatistics | AddRows | DropDelta | Counters)


class Record(msgspec.Struct, array_like=True):
    """One committed transaction. csn: its commit sequence number."""
    csn: int
    changes: list[AnyChange]


ENCODER, DECODER = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Record)
