"""Ranges of one's own: CREATE TYPE floatrange AS RANGE (SUBTYPE = float8) makes a range type and its multirange type.

    range        {"subtype": "float8", "facts": {"rngsubopc": 3123, ...}, "constructors": ["public", "floatrange"]}
    multirange   {"range": key of the range type, "constructors": ["public", "floatmultirange"]}

facts: further columns of pg_range. constructors: the schema and the name of the functions that make values; they stay what
they were when the type is renamed or moved.
"""
from caldera.types.ranges import MultirangeType, RangeType
from caldera.types.registry import lookup
from caldera.types.user_types import UserType, family


@family("range")
class UserRange(UserType, RangeType):
    """Ranges of a type."""

    def define(self, definition):
        super().define(definition)
        self.of_values(lookup(definition["subtype"]))


@family("multirange")
class UserMultirange(UserType, MultirangeType):
    """The multiranges of a UserRange, which knows them from now on."""

    def define(self, definition):
        super().define(definition)
        self.range = lookup(definition["range"])
        self.range.multirange = self
        self.of_values(self.range.subtype)


def twin_of(type):
    """The multirange type of a UserRange, or the other way round; None of other types."""
    return type.multirange if isinstance(type, UserRange) else type.range if isinstance(type, UserMultirange) else None
