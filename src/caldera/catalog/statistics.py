"""Extended statistics in the catalogue: made, changed and dropped with a transaction, and kept in the log.

    create_statistics ─▶ StatisticsEntry ─▶ alter_statistics ─▶ another one with the same OID ─▶ drop_statistics
    ANALYZE ─▶ keep_found: what was found (storage.statistics.extended), for the planner

An entry stands in a list of its table's relation, where estimates look for it. It goes with its table.
"""
from caldera.base.errors import error
from caldera.catalog.entries import StatisticsEntry

__all__ = ["alter_statistics", "attach", "checkpoint_changes", "create_statistics", "detach", "drop_of_table",
           "drop_statistics", "keep_found", "replay"]


def attach(entry):
    """Let the table's relation know an entry."""
    entry.table.relation.extended_statistics = (*entry.table.relation.extended_statistics, entry)


def detach(entry):
    """Let it forget the entry."""
    entry.table.relation.extended_statistics = tuple(
        other for other in entry.table.relation.extended_statistics if other is not entry)


def create_statistics(catalog, transaction, view, names, table, columns, kinds, if_not_exists=False):
    """CREATE STATISTICS: a notice or None. names: (schema or None, name), or None for a name that is made up. table: a
    TableEntry; columns: names. Raises 42710, 3F000, 42501."""
    if names is None:
        schema, name = table.schema, free_name(catalog, table, columns)
    else:
        schema, name = catalog.schema_for_new(view, *names), names[1]
    with catalog.lock:
        if catalog.claim_name(transaction, lambda: catalog.statistics.get((schema.name, name), ())) is not None:
            if if_not_exists:
                return f'statistics object "{name}" already exists, skipping'
            raise error("42710", f'statistics object "{name}" already exists')
        entry = StatisticsEntry(catalog.new_oid(), schema, name, table, tuple(columns), tuple(kinds))
        catalog.bring(transaction, entry, logged(catalog, entry) if entry.is_logged else None)
        if catalog.claim_name(transaction, lambda: [table]) is None:
            raise error("42P01", f'relation "{table.name}" does not exist')
    return None


def free_name(catalog, table, columns):
    """A name for statistics that were given none: table_a_b_stat, with a number behind it if that is taken."""
    stem, number = f"{table.name}_{'_'.join(columns)}_stat", 0
    while catalog.statistics.get((table.schema.name, name := stem + (str(number) if number else ""))):
        number += 1
    return name


def alter_statistics(catalog, transaction, entry, name=None, schema=None, target=None):
    """Another name, Schema or target (as an int, -1 for the default) for statistics. Raises 42710, 42704."""
    schema, name = schema or entry.schema, name or entry.name
    with catalog.lock:
        if (schema, name) != (entry.schema, entry.name) and \
                catalog.claim_name(transaction, lambda: catalog.statistics.get((schema.name, name), ())) is not None:
            raise error("42710", f'statistics object "{name}" already exists in schema "{schema.name}"')
    if not transaction.remove(entry):
        raise error("42704", f'statistics object "{entry.name}" does not exist')
    changed = StatisticsEntry(entry.oid, schema, name, entry.table, entry.columns, entry.kinds,
                              entry.target if target is None else target, entry.found)
    with catalog.lock:
        catalog.bring(transaction, changed, catalog.changes.AlterStatistics(
            entry.oid, schema.oid, name, changed.target) if entry.is_logged else None)


def drop_statistics(catalog, transaction, view, names, if_exists=False):
    """DROP STATISTICS: a list of notices. names: pairs (schema or None, name). Raises 42704, 3F000."""
    notices = []
    for schema, name in names:
        if schema is not None and view.schema(schema) is None:
            if not if_exists:
                raise error("3F000", f'schema "{schema}" does not exist')
            notices.append(f'schema "{schema}" does not exist, skipping')
            continue
        entry, written = view.find_statistics(schema, name), name if schema is None else f"{schema}.{name}"
        if entry is not None and drop(catalog, transaction, entry):
            continue
        if not if_exists:
            raise error("42704", f'statistics object "{written}" does not exist')
        notices.append(f'statistics object "{written}" does not exist, skipping')
    return notices


def drop(catalog, transaction, entry):
    """Take an entry; False if another transaction has."""
    catalog.version += 1                        # plans that were made with it may be bad ones now
    return transaction.remove(entry, catalog.changes.DropStatistics(entry.oid) if entry.is_logged else None)


def drop_of_table(catalog, transaction, table):
    """Take the statistics of a table that goes."""
    for entry in table.relation.extended_statistics:
        if entry.gone == 0:
            drop(catalog, transaction, entry)


def keep_found(catalog, transaction, entry, found):
    """Keep what ANALYZE has found. It counts at once, also if the transaction is rolled back: it is right."""
    entry.found = found
    if entry.is_logged:
        transaction.changes.append(catalog.changes.FoundStatistics(entry.oid, found))


# ------------------------------------------------------------------------------------------------ the log

def logged(catalog, entry):
    """The CreateStatistics of an entry."""
    return catalog.changes.CreateStatistics(entry.oid, entry.schema.oid, entry.name, entry.table.oid, list(entry.columns),
                                            list(entry.kinds), entry.target)


def current(catalog, oid):
    """The last version of the entry with an OID, or None."""
    return next((entry for versions in catalog.statistics.values() for entry in versions if entry.oid == oid), None)


def replay(catalog, change, csn):
    """Do again what a record of the log says; True if it is about statistics."""
    changes = catalog.changes
    if isinstance(change, changes.CreateStatistics):
        table = catalog.by_oid[change.table_oid][-1]
        catalog.keep(StatisticsEntry(change.oid, catalog.schema_by_oid(change.schema), change.name, table,
                                     tuple(change.columns), tuple(change.kinds), change.target, came=csn))
    elif isinstance(change, changes.AlterStatistics):
        old = current(catalog, change.oid)
        catalog.discard(old)
        catalog.keep(StatisticsEntry(change.oid, catalog.schema_by_oid(change.schema), change.name, old.table, old.columns,
                                     old.kinds, change.target, old.found, csn))
    elif isinstance(change, changes.DropStatistics):
        catalog.discard(current(catalog, change.oid))
    elif isinstance(change, changes.FoundStatistics):
        entry = current(catalog, change.oid)
        if entry is not None:                   # if not, it was dropped while the transaction ran
            entry.found = change.found
    else:
        return False
    return True


def checkpoint_changes(catalog, snapshot):
    """Changes that make all statistics that a snapshot sees, behind those that make their tables."""
    entries = [entry for versions in catalog.statistics.values() for entry in versions
               if snapshot.sees(entry) and entry.is_logged]
    for entry in sorted(entries, key=lambda entry: entry.oid):
        yield logged(catalog, entry)
        if entry.found:
            yield catalog.changes.FoundStatistics(entry.oid, entry.found)
