"""Reading the catalog: names to entries, as one statement sees them."""
from caldera.base.errors import error
from caldera.catalog import search_path
from caldera.functions.scalar.quoting import quoted_name


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

    def relation_oid(self, text):
        """The OID of the relation that a text names as SQL would. Raises 42P01, 42602 and the like."""
        return self.resolve_relation(*search_path.schema_and_name(search_path.split_qualified(text))).oid

    def relation_text(self, oid):
        """The name of a relation as SQL text, with its schema where that is needed; None if there is none of that OID."""
        entry = self.relation_by_oid(oid)
        if entry is None:
            return None
        name = quoted_name(entry.name)
        return name if self.is_reachable(entry) else f"{quoted_name(entry.schema.name)}.{name}"

    def relations(self, schema=None):
        """All visible relations (of the schema with that name), in the order of their OIDs."""
        found = (self.visible(versions) for (place, _), versions in list(self.catalog.relations.items())
                 if schema is None or place == schema)
        own = (entry for entry in found if entry is not None
               and (not entry.temporary or entry.schema.name == self.temp_schema))
        return sorted(own, key=lambda entry: entry.oid)

    def is_reachable(self, entry):
        """Whether the bare name means this entry (pg_table_is_visible)."""
        return self.find_relation(None, entry.name) is entry

    def spell(self, entry):
        """The entry's name as messages give it: with its schema only where needed."""
        return entry.name if self.is_reachable(entry) else f"{entry.schema.name}.{entry.name}"

    # what depends on what
    def dependents(self, entries):
        """The views that read any of the entries, directly or not: pairs (view, what it reads), nearest first."""
        views = [entry for entry in self.relations() if entry.kind == "view"]
        found, sources, seen = [], list(entries), {entry.oid for entry in entries}
        while sources:
            source = sources.pop(0)
            for view in views:
                if source.oid in view.depends_on and view.oid not in seen:
                    seen.add(view.oid)
                    found.append((view, source))
                    sources.append(view)
        return found
