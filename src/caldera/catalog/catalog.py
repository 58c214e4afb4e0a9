"""The catalog: which schemas, relations and types there are, and the changes to that.

    catalog.view(snapshot, session)                  reading: resolve_relation(schema | None, name), relations(), ...
    catalog.create_table(transaction, view, ...)     changing: entries come and go with the transaction, as all things do
    types.create_type(catalog, transaction, ...)     the same for the types that users make

All versions of an entry stand in one list under their name; a snapshot sees at most one of them. Two transactions that
want the same name meet in `claim_name`: the second waits for the first, as in PostgreSQL. What the catalog does not know is
how tables store rows: `make_relation(entry)` is given by whoever opens the database, and so are the `changes` of its log.

A session, as the catalog needs it: `setting("search_path")`, `user`, and `temp_schema` (the name of the schema of its
temporary relations, or None), which the catalog sets.
"""
import itertools
import threading

from caldera.base.errors import error
from caldera.catalog import statistics, types
from caldera.catalog.columns import ColumnSchema
from caldera.catalog.entries import Schema, StatisticsEntry, TableEntry, TypeEntry, describe
from caldera.catalog.view import CatalogView
from caldera.types import registry

FIRST_OID, FIRST_CSN = 16384, 1         # smaller OIDs belong to the system; what it has was there from the first CSN on
COLUMNS_MAX = 1600
SYSTEM_SCHEMAS = {"pg_catalog": 11, "public": 2200, "information_schema": 13000}


class Catalog:
    """All entries of one database. changes: the module caldera.transaction.changes, or one like it."""

    def __init__(self, changes, make_relation):
        self.changes, self.make_relation = changes, make_relation
        self.schemas, self.relations, self.by_oid = {}, {}, {}          # lists of versions by name, (schema, name), OID
        self.types, self.types_by_oid, self.statistics = {}, {}, {}     # likewise
        self.lock, self.next_oid, self.temporary_numbers = threading.RLock(), FIRST_OID, itertools.count(1)
        self.version = 0                # changes whenever a plan made before might resolve names otherwise
        for name, oid in SYSTEM_SCHEMAS.items():
            self.keep(Schema(oid, name, came=FIRST_CSN))

    def view(self, snapshot, session):
        """What a statement with that snapshot sees."""
        return CatalogView(self, snapshot, session)

    # versions
    def places(self, thing):
        """Where a thing's versions are listed."""
        if isinstance(thing, Schema):
            return [(self.schemas, thing.name)]
        if isinstance(thing, TypeEntry):
            return [(self.types, (thing.schema.name, thing.name)), (self.types_by_oid, thing.oid)]
        if isinstance(thing, StatisticsEntry):
            return [(self.statistics, (thing.schema.name, thing.name))]
        return [(self.relations, (thing.schema.name, thing.name)), (self.by_oid, thing.oid)]

    def keep(self, thing):
        with self.lock:
            self.version += 1
            for versions, key in self.places(thing):
                versions[key] = [*versions.get(key, ()), thing]
            if isinstance(thing, StatisticsEntry):
                statistics.attach(thing)

    def discard(self, thing):
        """Forget a version: it is rolled back, or nobody can see it any more."""
        with self.lock:
            self.version += 1
            for versions, key in self.places(thing):
                left = [version for version in versions.get(key, ()) if version is not thing]
                if left:
                    versions[key] = left
                else:
                    versions.pop(key, None)
            if isinstance(thing, StatisticsEntry):
                statistics.detach(thing)
            if isinstance(thing, TypeEntry) and thing.oid not in self.types_by_oid:
                types.unregister(thing.type)

    def forget(self, oldest_csn):
        """Forget versions that no snapshot from `oldest_csn` on can see; returns the tables among them."""
        with self.lock:
            kinds = self.schemas, self.relations, self.types, self.statistics
            dead = [thing for kept in kinds for versions in kept.values() for thing in versions
                    if 0 < thing.gone <= oldest_csn]
        for thing in dead:
            self.discard(thing)
        return [thing for thing in dead if isinstance(thing, TableEntry)]

    def new_oid(self):
        with self.lock:
            self.next_oid += 1
            return self.next_oid - 1

    def bring(self, transaction, thing, change):
        """Make a new version part of a transaction, which holds the name from now on."""
        transaction.add(thing, change)
        self.keep(thing)
        transaction.undo.append(lambda: self.discard(thing))

    def claim_name(self, transaction, versions_of):
        """Wait until no other transaction is about to make or drop the name; the version that has it, or None. To be called
        with the lock held, which is let go while waiting."""
        while True:
            other, holder = None, None
            for thing in versions_of():
                if thing.came < 0 and thing.came != -transaction.id:
                    other = -thing.came
                elif thing.gone < 0 and thing.gone != -transaction.id:
                    other = -thing.gone
                elif thing.gone == 0:
                    holder = thing
            if other is None:
                return holder
            self.lock.release()
            try:
                transaction.wait_for(other)
            finally:
                self.lock.acquire()

    # schemas
    def create_schema(self, transaction, name, if_not_exists=False):
        """CREATE SCHEMA: (Schema or None, notice or None). Raises 42P06, 42939."""
        if name.startswith("pg_"):
            raise error("42939", f'unacceptable schema name "{name}"',
                        detail='The prefix "pg_" is reserved for system schemas.')
        with self.lock:
            if self.claim_name(transaction, lambda: self.schemas.get(name, ())) is not None:
                if if_not_exists:
                    return None, f'schema "{name}" already exists, skipping'
                raise error("42P06", f'schema "{name}" already exists')
            schema = Schema(self.new_oid(), name)
            self.bring(transaction, schema, self.changes.CreateSchema(schema.oid, name))
        return schema, None

    def drop_schema(self, transaction, view, name, if_exists=False, cascade=False):
        """DROP SCHEMA: a list of notices. Raises 3F000, 2BP01, 42501."""
        schema = view.schema(name)
        if schema is None or not transaction.remove(schema, self.changes.DropSchema(schema.oid)):
            if if_exists:
                return [f'schema "{name}" does not exist, skipping']
            raise error("3F000", f'schema "{name}" does not exist')
        if schema.oid in (SYSTEM_SCHEMAS["pg_catalog"], SYSTEM_SCHEMAS["information_schema"]):
            raise error("2BP01", f"cannot drop schema {name} because it is required by the database system")
        with self.lock:         # whoever was about to create something in it has done so, or not
            for things in (self.relations, self.types, self.statistics):
                for key in [key for key in things if key[0] == name]:
                    self.claim_name(transaction, lambda things=things, key=key: things.get(key, ()))
        entries = view.relations(name) + view.types(name) + [
            entry for entry in view.statistics(name) if entry.table.schema.name != name]
        reasons = [(entry, f"schema {name}") for entry in entries]
        reasons += [(dependent, describe(view, source)) for dependent, source in view.dependents(entries)]
        return self.drop_dependents(transaction, view, f"schema {name}", reasons, cascade)

    def temporary_schema(self, session):
        """The Schema of a session's temporary relations, made at first use. It is in no log."""
        if session.temp_schema is None:
            schema = Schema(self.new_oid(), f"pg_temp_{next(self.temporary_numbers)}", temporary=True, came=FIRST_CSN)
            self.keep(schema)
            session.temp_schema = schema.name
        return self.schemas[session.temp_schema][-1]

    def discard_temporary(self, transaction, view):
        """Drop all temporary relations and types of the view's session, and what depends on them; the relations."""
        if view.temp_schema is None:
            return []
        entries = view.relations(view.temp_schema) + view.types(view.temp_schema)
        for entry in [*entries, *(dependent for dependent, _ in view.dependents(entries))]:
            if entry.kind != "column" or not entry.entry.temporary:
                self.drop_entry(transaction, entry)
        return [entry for entry in entries if entry.kind == "table"]

    def end_session(self, transaction, session):
        """Drop all temporary relations and types of a session."""
        name = session.temp_schema
        for (schema, _), versions in [*self.relations.items(), *self.types.items()]:
            if schema == name is not None:
                for entry in versions:
                    transaction.remove(entry)
        if name is not None:
            transaction.remove(self.schemas[name][-1])
            session.temp_schema = None

    def schema_for_new(self, view, schema_name, name, temporary=False):
        """The Schema in which a relation is to be made. Raises 3F000, 42P16, 42501."""
        if temporary or schema_name == "pg_temp":
            if schema_name is not None and schema_name not in ("pg_temp", view.temp_schema):
                raise error("42P16", "cannot create temporary relation in non-temporary schema")
            return self.temporary_schema(view.session)
        schema = view.creation_schema() if schema_name is None else view.schema(schema_name)
        if schema is None:
            raise error("3F000", "no schema has been selected to create in" if schema_name is None
                        else f'schema "{schema_name}" does not exist')
        if schema.name in ("pg_catalog", "information_schema"):
            raise error("42501", f'permission denied to create "{schema.name}.{name}"',
                        detail="System catalog modifications are currently disallowed.")
        return schema

    # relations
    def create_table(self, transaction, view, schema_name, name, columns, engine="mergetree", options=None, temporary=False,
                     if_not_exists=False):
        """CREATE TABLE: (TableEntry or None, notice or None). Raises 42P07, 3F000, 42701, 54011, what the engine raises."""
        check_columns(columns)
        schema = self.schema_for_new(view, schema_name, name, temporary)
        entry = TableEntry(self.new_oid(), schema, name, tuple(columns), "table", engine, dict(options or {}))
        change = None if schema.temporary else self.changes.CreateTable(
            entry.oid, schema.oid, name, self.logged_columns(columns), engine, entry.options)
        return self.create_relation(transaction, entry, change, if_not_exists)

    def create_view(self, transaction, view, schema_name, name, columns, query, depends_on=(), replace=False,
                    temporary=False):
        """CREATE [OR REPLACE] VIEW: (TableEntry, None). columns: ColumnSchemas of its output. query: its SQL text.
        depends_on: OIDs of the relations that it reads. A view of temporary relations is temporary. Raises 42P07, 42809,
        42P16."""
        check_columns(columns)
        read = [view.relation_by_oid(oid) for oid in depends_on]
        temporary = temporary or any(entry is not None and entry.temporary for entry in read)
        schema = self.schema_for_new(view, schema_name, name, temporary)
        entry = TableEntry(self.new_oid(), schema, name, tuple(columns), "view", query=query, depends_on=tuple(depends_on))
        if replace:
            old = view.find_relation(schema.name, name)
            if old is not None:
                check_replacement(old, entry)
                transaction.remove(old, None if schema.temporary else self.changes.DropRelation(old.oid))
                entry.oid = old.oid
        change = None if schema.temporary else self.changes.CreateView(
            entry.oid, schema.oid, name, self.logged_columns(columns), query, list(depends_on))
        return self.create_relation(transaction, entry, change, False)

    def create_relation(self, transaction, entry, change, if_not_exists):
        key = entry.schema.name, entry.name
        with self.lock:
            if self.claim_name(transaction, lambda: self.relations.get(key, ())) is not None:
                if if_not_exists:
                    return None, f'relation "{entry.name}" already exists, skipping'
                raise error("42P07", f'relation "{entry.name}" already exists')
            if self.claim_name(transaction, lambda: self.types.get(key, ())) is not None:
                raise error("42710", f'type "{entry.name}" already exists',
                            hint="A relation has an associated type of the same name, so you must use a name that doesn't "
                                 "conflict with any existing type.")
            if entry.kind == "table":
                entry.relation = self.make_relation(entry)
            self.bring(transaction, entry, change)
            self.claim_used(transaction, types.column_types(entry) if entry.kind == "table" else entry.depends_on)
            holder = self.claim_name(transaction, lambda: [entry.schema])      # a DROP SCHEMA may be under way
        if holder is None:
            raise error("3F000", f'schema "{entry.schema.name}" does not exist')
        return entry, None

    def drop_relations(self, transaction, view, kind, names, if_exists=False, cascade=False):
        """DROP TABLE or DROP VIEW: a list of notices. names: pairs (schema or None, name). Raises 42P01, 42809, 2BP01."""
        entries, notices = [], []
        for schema, name in names:
            entry = view.find_relation(schema, name)
            if entry is None and schema is not None and view.schema(schema) is None:
                if not if_exists:
                    raise error("3F000", f'schema "{schema}" does not exist')
                notices.append(f'schema "{schema}" does not exist, skipping')
            elif entry is None:
                if not if_exists:
                    raise error("42P01", f'{kind} "{name}" does not exist')
                notices.append(f'{kind} "{name}" does not exist, skipping')
            else:
                self.check_may_change(entry, kind)
                entries.append(entry)
        known = {entry.oid for entry in entries}
        reasons = [(dependent, describe(view, source)) for dependent, source in view.dependents(entries)
                   if dependent.oid not in known]
        target = describe(view, entries[0]) if len(entries) == 1 else "desired object(s)"
        notices += self.drop_dependents(transaction, view, target, reasons, cascade)
        for entry in entries:
            if not self.drop_entry(transaction, entry) and not if_exists:
                raise error("42P01", f'{kind} "{entry.name}" does not exist')
        self.check_unused(transaction, view, entries)
        return notices

    def drop_dependents(self, transaction, view, target, reasons, cascade):
        """Drop what depends on `target`, or raise 2BP01 unless `cascade`. reasons: pairs (entry, what it depends on)."""
        if not reasons:
            return []
        lines = [f"{describe(view, entry)} depends on {source}" for entry, source in reasons]
        if not cascade:
            them = "them" if target == "desired object(s)" else "it"
            raise error("2BP01", f"cannot drop {target} because other objects depend on {them}", detail="\n".join(lines),
                        hint="Use DROP ... CASCADE to drop the dependent objects too.")
        for entry, _ in reasons:
            self.drop_entry(transaction, entry)
        self.check_unused(transaction, view, [entry for entry, _ in reasons])
        if len(reasons) == 1:
            return [f"drop cascades to {describe(view, reasons[0][0])}"]
        return [f"drop cascades to {len(reasons)} other objects"]

    def check_unused(self, transaction, view, entries):
        """Raise 2BP01 if somebody has made use of relations or types that a transaction has dropped, where its snapshot did
        not show that; waits for who is about to."""
        dropped = [each for entry in entries if entry.kind not in ("column", "statistics object")
                   for each in types.with_twin(self, transaction, entry)]
        for entry in dropped:
            with self.lock:
                user = self.claim_name(transaction, lambda entry=entry: self.users_of(entry))
            if user is not None:
                raise error("2BP01", f"cannot drop {describe(view, entry)} because other objects depend on it",
                            detail=f"{describe(view, user)} depends on {describe(view, entry)}",
                            hint="Use DROP ... CASCADE to drop the dependent objects too.")

    def users_of(self, entry):
        """All versions of what uses a relation or a type: views, types, tables with a column of the type."""
        kept = [version for things in (self.relations, self.types) for versions in things.values() for version in versions]
        return [version for version in kept if entry.oid in version.depends_on
                or entry.kind == "type" and version.kind == "table" and entry.oid in types.column_types(version)]

    def claim_used(self, transaction, oids):
        """Wait until nobody is about to drop relations or types; raises 42704 if one has gone."""
        for oid in oids:
            if self.claim_name(transaction, lambda oid=oid: self.by_oid.get(oid) or self.types_by_oid.get(oid, ())) is None:
                raise error("42704", f"object with OID {oid} does not exist")

    def drop_entry(self, transaction, entry):
        self.version += 1
        if entry.kind == "column":
            raise error("0A000", "dropping columns is not supported yet")
        if entry.kind == "statistics object":
            return statistics.drop(self, transaction, entry)
        if entry.kind == "table":
            statistics.drop_of_table(self, transaction, entry)
        if entry.kind == "type":
            return types.drop(self, transaction, entry)
        return transaction.remove(entry, None if entry.temporary else self.changes.DropRelation(entry.oid))

    def check_may_change(self, entry, kind):
        """Raise 42809 unless an entry is of a kind ("table" or "view"), 42501 if it belongs to the system."""
        if entry.system:
            raise error("42501", f'permission denied: "{entry.name}" is a system catalog')
        if entry.kind != kind:
            article = "a table" if kind == "table" else "a view"
            raise error("42809", f'"{entry.name}" is not {article}',
                        hint=f"Use DROP {entry.kind.upper()} to remove a {entry.kind}.")

    def add_system_relation(self, schema, name, columns, relation, oid):
        """A relation of the system's own, such as pg_class; everybody sees it, nobody may change it."""
        self.keep(TableEntry(oid, self.schemas[schema][0], name, tuple(columns), relation=relation, system=True,
                             came=FIRST_CSN))

    # the log
    def logged_columns(self, columns):
        return [self.changes.ColumnChange(column.name, column.type.name, None if column.modifier is None
                                          else list(column.modifier), column.nullable, column.default) for column in columns]

    def replay(self, change, csn):
        """Do again what a record of the log says; True if the change is one of the catalog's."""
        changes = self.changes
        if isinstance(change, changes.CreateSchema):
            self.keep(Schema(change.oid, change.name, came=csn))
        elif isinstance(change, changes.DropSchema):
            schema = self.schema_by_oid(change.oid)
            self.discard(schema)
        elif isinstance(change, (changes.CreateTable, changes.CreateView)):
            self.keep(self.entry_of(change, csn))
        elif isinstance(change, changes.DropRelation):
            self.discard(self.by_oid[change.oid][-1])
        elif types.replay(self, change, csn) or statistics.replay(self, change, csn):
            pass
        elif isinstance(change, changes.Counters):
            self.next_oid = max(self.next_oid, change.next_oid)
            return True
        else:
            return False
        self.next_oid = max(self.next_oid, change.oid + 1)
        return True

    def entry_of(self, change, csn):
        """The TableEntry that a CreateTable or CreateView made."""
        columns = tuple(ColumnSchema(column.name, registry.lookup(column.type), None if column.modifier is None
                                     else tuple(column.modifier), column.nullable, column.default)
                        for column in change.columns)
        schema = self.schema_by_oid(change.schema)
        if isinstance(change, self.changes.CreateView):
            return TableEntry(change.oid, schema, change.name, columns, "view", query=change.query,
                              depends_on=tuple(change.depends_on), came=csn)
        entry = TableEntry(change.oid, schema, change.name, columns, "table", change.engine, dict(change.options), came=csn)
        entry.relation = self.make_relation(entry)
        return entry

    def schema_by_oid(self, oid):
        return next(schema for versions in self.schemas.values() for schema in versions if schema.oid == oid)

    def checkpoint_changes(self, snapshot):
        """Changes that make everything that a snapshot sees, for a log that begins anew."""
        visible = [schema for versions in self.schemas.values() for schema in versions
                   if snapshot.sees(schema) and not schema.temporary]
        for oid in SYSTEM_SCHEMAS.values():
            if not any(schema.oid == oid for schema in visible):
                yield self.changes.DropSchema(oid)
        for schema in visible:
            if schema.oid >= FIRST_OID:
                yield self.changes.CreateSchema(schema.oid, schema.name)
        yield from types.checkpoint_changes(self, snapshot)
        entries = [entry for versions in self.relations.values() for entry in versions
                   if snapshot.sees(entry) and not entry.system and not entry.temporary]
        for entry in sorted(entries, key=lambda entry: entry.oid):
            columns = self.logged_columns(entry.columns)
            if entry.kind == "view":
                yield self.changes.CreateView(entry.oid, entry.schema.oid, entry.name, columns, entry.query,
                                              list(entry.depends_on))
            else:
                yield self.changes.CreateTable(entry.oid, entry.schema.oid, entry.name, columns, entry.engine, entry.options)
        yield from statistics.checkpoint_changes(self, snapshot)


def check_columns(columns):
    """Raise 42701 for a name that comes twice, 54011 for too many columns."""
    seen = set()
    for column in columns:
        if column.name in seen:
            raise error("42701", f'column "{column.name}" specified more than once')
        seen.add(column.name)
    if len(columns) > COLUMNS_MAX:
        raise error("54011", f"tables can have at most {COLUMNS_MAX} columns")


def check_replacement(old, new):
    """Raise unless CREATE OR REPLACE VIEW may put `new` in the place of `old`."""
    if old.kind != "view":
        raise error("42809", f'"{old.name}" is not a view')
    if len(new.columns) < len(old.columns):
        raise error("42P16", "cannot drop columns from view")
    for before, after in zip(old.columns, new.columns):
        if before.name != after.name:
            raise error("42P16", f'cannot change name of view column "{before.name}" to "{after.name}"',
                        hint="Use ALTER VIEW ... RENAME COLUMN ... to change name of view column instead.")
        if (before.type, before.modifier) != (after.type, after.modifier):
            raise error("42P16", f'cannot change data type of view column "{before.name}" from '
                                 f"{before.type.spell(before.modifier)} to {after.type.spell(after.modifier)}")
