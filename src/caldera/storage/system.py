"""The system's own relations as the engine scans them: rows are made from the catalog when a scan opens."""
from caldera.catalog import type_tables  # noqa: F401  it enters its relations
from caldera.catalog.columns import ColumnSchema
from caldera.catalog.introspection import TABLES, column_types
from caldera.storage.engine import ColumnData, TableScan
from caldera.storage.external.relation import ReadOnlyRelation
from caldera.storage.segment import memory_segment
from caldera.types.columns import from_datums

ROWS_GUESS, FIRST_OID = 100, 12000


class Anyone:
    """Stands for the session where none is known: it has no temporary relations, cursors or prepared statements."""
    user = temp_schema = None
    cursors, prepared = {}, {}

    def setting(self, name):
        """The default search path; nothing else is asked for."""
        return "public"


class SystemRelation(ReadOnlyRelation):
    """A SystemTable over a catalog."""

    def __init__(self, table, catalog):
        self.table, self.catalog, self.kind = table, catalog, table.kind
        self.where = f'system relation "{table.name}"'
        self.columns = tuple(ColumnSchema(name, type) for name, type in column_types(table))

    def version(self, snapshot):
        return self.table.schema, self.table.name

    def row_estimate(self, snapshot):
        return ROWS_GUESS

    def scan(self, snapshot, names, ranges=()):
        session = Anyone() if snapshot.transaction is None else snapshot.transaction.session or Anyone()
        segment = self.segment(list(self.table.rows(self.catalog.view(snapshot, session))))
        if not segment.row_count:
            return TableScan([], [])
        return TableScan([segment], [[(0, segment.row_count)]], segment.granule_count, segment.granule_count)

    def segment(self, rows):
        """The Segment of rows given as dicts."""
        columns = {}
        for column in self.columns:
            values, valid = from_datums(column.type, [row.get(column.name) for row in rows])
            columns[column.name] = ColumnData(column.type, values, valid)
        return memory_segment(columns)


def add_system_relations(catalog):
    """Put all of them into a new catalog."""
    for number, table in enumerate(TABLES):
        relation = SystemRelation(table, catalog)
        catalog.add_system_relation(table.schema, table.name, relation.columns, relation, table.oid or FIRST_OID + number)
