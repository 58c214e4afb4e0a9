"""A session and small tables for the tests of databases."""
import numpy as np

from caldera.catalog.columns import ColumnSchema
from caldera.types.text_arrays import text_items
from tests.storage.columns import column, lookup

COLUMNS = (ColumnSchema("a", lookup("int4")), ColumnSchema("t", lookup("text")), ColumnSchema("f", lookup("float8")))


class Session:
    """What the catalog asks of a session."""

    def __init__(self, search_path='"$user", public', user="alice"):
        self.settings, self.user, self.temp_schema = {"search_path": search_path}, user, None

    def setting(self, name):
        return self.settings[name]


def rows(numbers):
    """Rows of COLUMNS whose other columns follow from the first."""
    numbers = np.asarray(numbers)
    return {"a": column("int4", numbers), "t": column("text", [b"text %d" % number for number in numbers.tolist()]),
            "f": column("float8", numbers / 2, numbers % 3 != 0)}


def create(database, name="t", session=None, columns=COLUMNS, **options):
    """A new table, committed; its TableEntry."""
    transaction = database.begin()
    view = database.catalog.view(transaction.snapshot(), session or Session())
    entry, _ = database.catalog.create_table(transaction, view, None, name, columns, options=options)
    transaction.commit()
    return entry


def insert(database, table, numbers):
    """Insert and commit rows."""
    transaction = database.begin()
    table.append(transaction, rows(numbers))
    transaction.commit()


def numbers_in(table, snapshot):
    """The sorted numbers in a table, after a look at whether its other columns fit."""
    columns = table.decode(snapshot)
    numbers = columns["a"].values
    assert text_items(columns["t"].values) == [b"text %d" % number for number in numbers.tolist()]
    valid = columns["f"].valid if columns["f"].valid is not None else np.ones(len(numbers), np.uint8)
    assert np.array_equal(valid, numbers % 3 != 0)
    assert np.array_equal(columns["f"].values[valid != 0], numbers[valid != 0] / 2)
    return sorted(numbers.tolist())


def table_of(database, name="t"):
    """The relation of a table, as a new snapshot finds it."""
    return database.catalog.view(database.snapshot(), Session()).relation(name).relation


def check_all(file):
    """Compare every checksum of a PartFile. Raises XX001."""
    for footer in file.footer.columns:
        file.verify(footer, footer.chunks)
