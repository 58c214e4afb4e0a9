"""Table engines by name: what USING may say, and what makes an engine's side of a table.

    CREATE TABLE ... USING name ─▶ ENGINES[name](database, entry) ─▶ Relation (engine.py)

A new engine is a folder beside mergetree/ and a line here.
"""
from caldera.base.settings import Setting, choice, define
from caldera.storage.mergetree.table import make_table

DEFAULT = "mergetree"
ENGINES = {"mergetree": make_table}

define(Setting("default_table_access_method", DEFAULT, choice(*ENGINES), "The engine of tables that name none."))
