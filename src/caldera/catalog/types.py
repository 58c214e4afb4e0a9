"""Types that users make, in the catalog: made, changed and dropped with a transaction, and kept in the log.

    create_type ─▶ TypeEntry, with a new UserType ─▶ alter_type ─▶ another TypeEntry with the same UserType ─▶ drop_types

All entries of a type share its UserType, as columns and plans have it; `define` tells it what has changed.
"""
from uuid import uuid4

from caldera.base.errors import error
from caldera.catalog.entries import TypeEntry, describe
from caldera.types.registry import TYPES
from caldera.types.user_ranges import twin_of
from caldera.types.user_types import Identity, register_user_type, unregister, users_type

__all__ = ["alter_type", "checkpoint_changes", "column_types", "create_type", "drop_types", "replay", "unregister"]


# ------------------------------------------------------------------------------------------------ made

def create_type(catalog, transaction, view, schema_name, name, family, definition, uses=()):
    """CREATE TYPE: the TypeEntry. uses: the SqlTypes in the definition. Raises 42710, 3F000, 42501."""
    schema = catalog.schema_for_new(view, schema_name, name)
    with catalog.lock:
        claim_type_name(catalog, transaction, schema, name)
        identity = Identity(uuid4().hex, schema.name, name, catalog.new_oid(), catalog.new_oid())
        entry = TypeEntry(identity.oid, schema, name, family, definition, register_user_type(family, identity, definition),
                          used_oids(uses))
        catalog.bring(transaction, entry, None if schema.temporary else logged(catalog, entry))
        catalog.claim_used(transaction, entry.depends_on)
        holder = catalog.claim_name(transaction, lambda: [schema])
    if holder is None:
        raise error("3F000", f'schema "{schema.name}" does not exist')
    return entry


def claim_type_name(catalog, transaction, schema, name):
    """Raise 42710 if there is a type of that name in a schema; with the catalog's lock held. A relation counts as well,
    since its rows are of a type that is called as it is."""
    for things in (catalog.types, catalog.relations):
        if catalog.claim_name(transaction, lambda things=things: things.get((schema.name, name), ())) is not None:
            raise error("42710", f'type "{name}" already exists')


def used_oids(types):
    """The OIDs of the users' types among some SqlTypes."""
    return tuple(dict.fromkeys(type.oid for type in map(users_type, types) if type is not None))


def column_types(entry):
    """The OIDs of the users' types of a relation's columns."""
    return used_oids(column.type for column in entry.columns)


# ------------------------------------------------------------------------------------------------ changed, dropped

def alter_type(catalog, transaction, entry, definition=None, name=None, schema=None, uses=None):
    """Another definition, name or Schema for a type. uses: the SqlTypes in the definition, None if they are the same as
    before. Raises 42710 for a name that is taken, 42704 if another transaction has dropped or changed the type, or one of
    `uses`, meanwhile."""
    schema, name = schema or entry.schema, name or entry.name
    definition = entry.definition if definition is None else definition
    with catalog.lock:
        if (schema, name) != (entry.schema, entry.name):
            claim_type_name(catalog, transaction, schema, name)
    if not transaction.remove(entry):
        raise error("42704", f'type "{entry.name}" does not exist')
    depends_on = entry.depends_on if uses is None else used_oids(uses)
    changed = TypeEntry(entry.oid, schema, name, entry.family, definition, entry.type, depends_on)
    with catalog.lock:
        catalog.claim_used(transaction, [oid for oid in depends_on if oid not in entry.depends_on])
        catalog.bring(transaction, changed, None if schema.temporary else
                      catalog.changes.AlterType(entry.oid, schema.oid, name, definition, list(depends_on)))
        transaction.undo.append(lambda: tell(entry))
        tell(changed)
    return changed


def tell(entry):
    """Let the UserType be what an entry says."""
    entry.type.rename(entry.schema.name, entry.name)
    entry.type.define(entry.definition)


def drop_types(catalog, transaction, view, what, names, if_exists=False, cascade=False):
    """DROP TYPE or DROP DOMAIN: a list of notices. what: "type" or "domain"; names: pairs (schema or None, name). Raises
    42704, 42809, 2BP01."""
    entries, notices = [], []
    for schema, name in names:
        entry, written = view.find_type(schema, name), name if schema is None else f"{schema}.{name}"
        if schema in (None, "pg_catalog") and name in TYPES:
            raise error("2BP01", f"cannot drop type {TYPES[name].sql_name} because it is required by the database system")
        table = view.find_relation(schema, name) if entry is None and what == "type" else None
        if table is not None:
            raise error("2BP01", f"cannot drop type {name} because {describe(view, table)} requires it",
                        hint=f"You can drop {describe(view, table)} instead.")
        if entry is None and not if_exists:
            raise error("42704", f'type "{written}" does not exist')
        if entry is None:
            notices.append(f'type "{written}" does not exist, skipping')
        elif what == "domain" and entry.family != "domain":
            raise error("42809", f'"{entry.name}" is not a domain')
        elif entry.family == "multirange":
            range = view.type_by_oid(entry.type.range.oid)
            raise error("2BP01", f"cannot drop {describe(view, entry)} because {describe(view, range)} requires it",
                        hint=f"You can drop {describe(view, range)} instead.")
        else:
            entries.append(entry)
    known = {entry.oid for entry in entries}
    reasons = [(dependent, describe(view, source)) for dependent, source in view.dependents(entries)
               if getattr(dependent, "oid", None) not in known]
    target = describe(view, entries[0]) if len(entries) == 1 else "desired object(s)"
    notices += catalog.drop_dependents(transaction, view, target, reasons, cascade)
    for entry in entries:
        if not catalog.drop_entry(transaction, entry) and not if_exists:
            raise error("42704", f'type "{entry.name}" does not exist')
    catalog.check_unused(transaction, view, entries)
    return notices


def drop(catalog, transaction, entry):
    """Take a type away, a range type and its multirange type together; False if another transaction has done so."""
    return all([transaction.remove(each, None if each.temporary else catalog.changes.DropType(each.oid))
                for each in with_twin(catalog, transaction, entry)])


def with_twin(catalog, transaction, entry):
    """An entry, and that of the multirange type of a range type or the other way round."""
    twin = twin_of(entry.type) if entry.kind == "type" else None
    versions = () if twin is None else catalog.types_by_oid.get(twin.oid, ())
    return [entry, *[version for version in versions if version.came > 0 or version.came == -transaction.id][-1:]]


# ------------------------------------------------------------------------------------------------ the log

def logged(catalog, entry):
    """The CreateType of an entry."""
    return catalog.changes.CreateType(entry.oid, entry.type.array_oid, entry.schema.oid, entry.name, entry.type.name,
                                      entry.family, entry.definition, list(entry.depends_on))


def replay(catalog, change, csn):
    """Do again what a record of the log says; True if it is about a type."""
    changes = catalog.changes
    if isinstance(change, changes.CreateType):
        schema = catalog.schema_by_oid(change.schema)
        identity = Identity(change.key, schema.name, change.name, change.oid, change.array_oid)
        catalog.next_oid = max(catalog.next_oid, change.array_oid + 1)
        type = register_user_type(change.family, identity, change.definition)
        catalog.keep(TypeEntry(change.oid, schema, change.name, change.family, change.definition, type,
                               tuple(change.depends_on), csn))
    elif isinstance(change, changes.AlterType):
        old = catalog.types_by_oid[change.oid][-1]
        schema = catalog.schema_by_oid(change.schema)
        depends_on = old.depends_on if change.depends_on is None else tuple(change.depends_on)
        entry = TypeEntry(change.oid, schema, change.name, old.family, change.definition, old.type, depends_on, csn)
        catalog.keep(entry)
        catalog.discard(old)
        tell(entry)
    elif isinstance(change, changes.DropType):
        catalog.discard(catalog.types_by_oid[change.oid][-1])
    else:
        return False
    return True


def checkpoint_changes(catalog, snapshot):
    """Changes that make all types that a snapshot sees, those that others are made of first."""
    entries = [entry for versions in catalog.types.values() for entry in versions
               if snapshot.sees(entry) and not entry.temporary]
    for entry in sorted(entries, key=lambda entry: entry.oid):
        yield logged(catalog, entry)
