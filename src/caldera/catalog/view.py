"""Reading the catalog: names to entries, as one statement sees them."""
from caldera.base.errors import error
from caldera.catalog import facts, names, search_path
from caldera.catalog.entries import ColumnOf
from caldera.types.registry import BY_OID, FIRST_USERS_OID, TYPES
from caldera.types.user_ranges import twin_of
from caldera.types.user_types import users_type


class CatalogView:
    """The catalog as a snapshot sees it, with names resolved for a session (`setting("search_path")`, `user`,
    `temp_schema`)."""

    def __init__(self, catalog, snapshot, session):
        self.catalog, self.snapshot, self.session = catalog, snapshot, session

    # schemas
    def schema(self, name):
        """The Schema of that name, or None. pg_temp means the session's own."""
        if name == "pg_temp":
            name = self.temp_schema
        return self.visible(self.catalog.schemas.get(name, ()))

    def schemas(self):
        """All visible schemas, in the order of their names; of temporary ones only the session's own."""
        found = (self.visible(versions) for versions in list(self.catalog.schemas.values()))
        return sorted((schema for schema in found if schema is not None
                       and (not schema.temporary or schema.name == self.temp_schema)), key=lambda schema: schema.name)

    @property
    def temp_schema(self):
        return self.session.temp_schema

    @property
    def user(self):
        return self.session.user

    def search_path(self):
        """The Schemas in which a bare name is looked for, in order: current_schemas(true)."""
        names = search_path.schema_names(self.session.setting("search_path"), self.user, self.temp_schema)
        return [schema for schema in map(self.schema, names) if schema is not None]

    def creation_schema(self):
        """The Schema in which a bare name is created: current_schema(). None if there is none."""
        names = search_path.creation_names(self.session.setting("search_path"), self.user, self.temp_schema)
        return next((schema for schema in map(self.schema, names) if schema is not None), None)

    # relations
    def visible(self, versions):
        """The version that the snapshot sees, or None."""
        sees = self.snapshot.sees
        return next((thing for thing in reversed(versions) if sees(thing)), None)

    def find_relation(self, schema, name):
        """The TableEntry of a name, or None. schema: a name, or None for the search path."""
        relations = self.catalog.relations
        if schema is not None:
            if schema == "pg_temp":
                schema = self.temp_schema
            return self.visible(relations.get((schema, name), ()))
        for place in self.search_path():
            entry = self.visible(relations.get((place.name, name), ()))
            if entry is not None:
                return entry
        return None

    def resolve_relation(self, schema, name, position=None):
        """The TableEntry of a name. Raises 42P01, 3F000."""
        entry = self.find_relation(schema, name)
        if entry is None:
            written = name if schema is None else f"{schema}.{name}"
            raise error("42P01", f'relation "{written}" does not exist', position=position)
        return entry

    def relation(self, name):
        """The TableEntry that `name` or `schema.name` (already folded) means. Raises 42P01."""
        schema, _, bare = name.rpartition(".")
        return self.resolve_relation(schema or None, bare)

    def relation_by_oid(self, oid):
        """The TableEntry with an OID, or None."""
        return self.visible(self.catalog.by_oid.get(oid, ()))

    def relations(self, schema=None):
        """All visible relations (of the schema with that name), in the order of their OIDs."""
        found = (self.visible(versions) for (place, _), versions in list(self.catalog.relations.items())
                 if schema is None or place == schema)
        own = (entry for entry in found if entry is not None
               and (not entry.temporary or entry.schema.name == self.temp_schema))
        return sorted(own, key=lambda entry: entry.oid)

    def is_reachable(self, entry):
        """Whether the bare name means this entry (pg_table_is_visible, pg_type_is_visible)."""
        find = {"type": self.find_type, "statistics object": self.find_statistics}.get(entry.kind, self.find_relation)
        return find(None, entry.name) is entry

    def spell(self, entry):
        """The entry's name as messages give it: with its schema only where needed."""
        return entry.name if self.is_reachable(entry) else f"{entry.schema.name}.{entry.name}"

    # types
    def find_type(self, schema, name):
        """The TypeEntry of a name, or None. schema: a name, or None for the search path."""
        if schema is not None:
            return self.visible(self.catalog.types.get((self.temp_schema if schema == "pg_temp" else schema, name), ()))
        found = (self.visible(self.catalog.types.get((place.name, name), ())) for place in self.search_path())
        return next((entry for entry in found if entry is not None), None)

    def type_by_oid(self, oid):
        """The TypeEntry with an OID, or None."""
        return self.visible(self.catalog.types_by_oid.get(oid, ()))

    def find_constructed(self, schema, name):
        """The TypeEntry whose values a function of a name makes, or None. schema: a name, or None for the search path."""
        made = {tuple(entry.definition["constructors"]): entry for entry in self.types()
                if "constructors" in entry.definition}
        places = [self.temp_schema if schema == "pg_temp" else schema] if schema is not None else \
            [place.name for place in self.search_path()]
        return next((made[place, name] for place in places if (place, name) in made), None)

    def any_type_by_oid(self, oid):
        """The SqlType with an OID, built-in or a user's, of arrays of a user's, of a relation's rows; the TypeFact of one
        that only PostgreSQL has; None if there is none."""
        if oid in BY_OID:
            return BY_OID[oid]
        if oid < FIRST_USERS_OID:
            return facts.BY_OID.get(oid)
        relation = self.relation_by_oid(oid)
        if relation is not None:
            return relation.row_type
        return next((type for entry in self.types() for type in (entry.type, TYPES.get(f"_{entry.type.name}"))
                     if type is not None and type.oid == oid), None)

    def types(self, schema=None):
        """All visible types that users made (in the schema with that name), in the order of their OIDs."""
        found = (self.visible(versions) for (place, _), versions in list(self.catalog.types.items())
                 if schema is None or place == schema)
        return sorted((entry for entry in found if entry is not None), key=lambda entry: entry.oid)

    # names and OIDs
    def named_oid(self, kind, text):
        """The OID of what a text names as SQL would. kind: "regclass", "regproc", ... Raises what PostgreSQL does."""
        return names.FINDERS[kind](self, text)

    def oid_text(self, kind, oid):
        """The name as SQL text of what has an OID, with its schema where that is needed; None if nothing has it."""
        return names.WRITERS[kind](self, oid)

    # extended statistics
    def find_statistics(self, schema, name):
        """The StatisticsEntry of a name, or None. schema: a name, or None for the search path."""
        places = [self.temp_schema if schema == "pg_temp" else schema] if schema is not None else \
            [place.name for place in self.search_path()]
        found = (self.visible(self.catalog.statistics.get((place, name), ())) for place in places)
        return next((entry for entry in found if entry is not None), None)

    def statistics(self, schema=None):
        """All visible StatisticsEntries (in the schema with that name), in the order of their OIDs."""
        found = (self.visible(versions) for (place, _), versions in list(self.catalog.statistics.items())
                 if schema is None or place == schema)
        return sorted((entry for entry in found if entry is not None), key=lambda entry: entry.oid)

    # what depends on what
    def dependents(self, entries):
        """What depends on any of the entries, directly or not: pairs (dependent, source), nearest first. Views depend on
        what they read and on types they mention, types on types, and columns (`ColumnOf`) on their types."""
        users = [entry for entry in self.relations() if entry.kind == "view"] + self.types()
        found, sources, seen = [], list(entries), {entry.oid for entry in entries}
        while sources:
            source = sources.pop(0)
            if source.kind == "type":
                found += [(column, source) for column in self.columns_of_type(source)]
                sources += self.twins(source, seen)
            for user in users:
                if source.oid in user.depends_on and user.oid not in seen:
                    seen.add(user.oid)
                    found.append((user, source))
                    sources.append(user)
        return found

    def twins(self, entry, seen):
        """The entry of a range type's multirange type, or the other way round, unless it has been seen: they go together."""
        type = twin_of(entry.type)
        twin = None if type is None else self.type_by_oid(type.oid)
        if twin is None or twin.oid in seen:
            return []
        seen.add(twin.oid)
        return [twin]

    def columns_of_type(self, type_entry):
        """The ColumnOf of each column of a table that is of a user's type, or an array of it."""
        for entry in self.relations():
            for column in entry.columns if entry.kind == "table" and not entry.system else ():
                if users_type(column.type) is type_entry.type:
                    yield ColumnOf(entry, column.name)
