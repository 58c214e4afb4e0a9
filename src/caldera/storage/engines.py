"""The table engines there are, and the one that is meant where none is named. Importing an engine registers it with
catalog.engines."""
import caldera.storage.mergetree.table  # noqa: F401
from caldera.base.settings import Setting, choice, define
from caldera.catalog.engines import ENGINES

DEFAULT = "mergetree"


def engine_name(text):
    """The name of an engine, whatever the case. ValueError for other words."""
    return choice(*ENGINES)(text)


define(Setting("default_table_access_method", DEFAULT, engine_name, "The engine of tables that name none."))
