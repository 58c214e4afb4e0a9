"""Composite types: CREATE TYPE point AS (x int, y int) is records of these fields, under a name of their own.

    definition: {"fields": [["x", "int4", None], ["n", "numeric", [8, 2]]]}      names, types by their keys, modifiers
"""
from caldera.base.errors import error
from caldera.types.record import Field, NamedRecord
from caldera.types.registry import lookup
from caldera.types.user_types import UserType, family


def definition_of(fields):
    """The definition of a type of some Fields. Raises 42701 for a name that comes twice."""
    names = [field.name for field in fields]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise error("42701", f'column "{name}" specified more than once')
    return {"fields": [[field.name, field.type.name, None if field.modifier is None else list(field.modifier)]
                       for field in fields]}


@family("composite")
class Composite(UserType, NamedRecord):
    """Records of a user's type."""

    def define(self, definition):
        super().define(definition)
        NamedRecord.__init__(self, tuple(Field(name, lookup(key), None if modifier is None else tuple(modifier))
                                         for name, key, modifier in definition["fields"]))
