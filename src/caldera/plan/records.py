"""Expressions over records. A record is a tuple of expressions wherever it is made and taken apart in the same query:

    field_of(RowOf((a, b)), 1)  ──▶  b          so no record is made where only its fields are wanted
"""
from dataclasses import dataclass

from caldera.plan.expressions import Expression
from caldera.types.record import RecordType


@dataclass(frozen=True)
class RowOf(Expression):
    """ROW(...), or the row of an item of FROM. `there`: a column that is NULL where an outer join has found no row; then the
    record is NULL, as all its fields are."""
    fields: tuple
    type: RecordType
    there: Expression | None = None
    allocates = True

    @property
    def nullable(self):
        return self.there is not None

    def __str__(self):
        return f"ROW({', '.join(map(str, self.fields))})"


@dataclass(frozen=True)
class FieldOf(Expression):
    """A field of a record, by its number; NULL where the record is. Made by `field_of`."""
    record: Expression
    number: int

    @property
    def type(self):
        return self.record.type.fields[self.number].type

    @property
    def modifier(self):
        return self.record.type.fields[self.number].modifier

    def with_children(self, children):
        return field_of(*children, self.number)

    def __str__(self):
        return f"({self.record}).{self.record.type.fields[self.number].name}"


def field_of(record, number):
    """A field of a record, as it is if the record is made here."""
    return record.fields[number] if isinstance(record, RowOf) else FieldOf(record, number)


def fields_of(record):
    """All fields of a record."""
    return tuple(field_of(record, number) for number in range(len(record.type.fields)))
