"""Types that statements of SQL make: CREATE TYPE, CREATE DOMAIN.

    @family("enum")                                         a family is one file: a subclass of UserType
    class Enum(UserType): ...

    register_user_type("enum", Identity(...), {"labels": [...]})    what the catalog makes of it, new or read from its log

To all else they are types of the registry. A key stands for one of them in logs and parts, as the names of others do.
"""
from dataclasses import dataclass

from caldera.base.errors import error
from caldera.base.names import quoted_name
from caldera.types.array import array_of
from caldera.types.registry import TYPES, SqlType, register


@dataclass(frozen=True)
class Identity:
    """What a user's type is called. key: its name in TYPES, which no other type of any database has; it stands in logs and
    parts, so it never changes. name: pg_type.typname; schema: where it stands."""
    key: str
    schema: str
    name: str
    oid: int
    array_oid: int


class UserType(SqlType):
    """A type that a statement of SQL made. Each family of them (enums, domains, ...) is a subclass, entered by `family`.

    definition: what the catalog's log keeps of it, a dict of texts, numbers and lists; types in it by their keys."""

    def __init__(self, identity, definition):
        self.name, self.oid, self.array_oid = identity.key, identity.oid, identity.array_oid
        self.rename(identity.schema, identity.name)
        self.define(definition)

    def rename(self, schema, name):
        """Call the type so from now on."""
        self.schema_name, self.type_name, bare = schema, name, quoted_name(name)
        self.sql_name = bare if schema == "public" else f"{quoted_name(schema)}.{bare}"

    def define(self, definition):
        """Take on a definition, the first or a changed one."""
        self.definition = definition

    @property
    def catalog_name(self):
        return self.type_name

    def catalog_row(self):
        """Columns of its row in pg_type that tell more than what every type has."""
        return {}

    def __repr__(self):
        return self.sql_name

    def encode_modifier(self, numbers, position=None):
        raise error("42601", f'type modifier is not allowed for type "{self.type_name}"', position=position)


FAMILIES: dict[str, type] = {}


def family(name):
    """Decorator: a subclass of UserType is what the catalog makes types of that family of."""
    def enter(implementation):
        FAMILIES[name] = implementation
        return implementation
    return enter


def register_user_type(family, identity, definition):
    """The new type of a family, known to all that look types up by name from now on, as that of its arrays."""
    type = register(FAMILIES[family](identity, definition))
    if identity.array_oid:
        array_of(type)
    return type


def unregister(type):
    """Forget a user's type, and that of its arrays, unless another has taken its place."""
    if TYPES.get(type.name) is type:
        del TYPES[type.name]
        TYPES.pop(f"_{type.name}", None)


def users_type(type):
    """The UserType that a type is, or arrays of which it is; else None."""
    element = None if isinstance(type, UserType) else getattr(type, "element", None)
    found = type if element is None else element
    return found if isinstance(found, UserType) else None
