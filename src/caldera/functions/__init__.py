"""Functions: registry.py says what one is; scalar/, aggregate/, table/ and window/ hold the definitions.

`load()` imports all definitions, once; whoever opens a database calls it.
"""
import importlib
import pkgutil

from caldera.functions import registry  # noqa: F401

LOADED = []


def load():
    """Import every module with definitions, so that they are in the registry."""
    if LOADED:
        return
    for folder in ("scalar", "aggregate", "table", "window"):
        package = importlib.import_module(f"caldera.functions.{folder}")
        for module in pkgutil.iter_modules(package.__path__):
            LOADED.append(importlib.import_module(f"{package.__name__}.{module.name}"))
