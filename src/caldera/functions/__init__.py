"""Functions: what SQL can call. registry.py says what one is, and holds all of them; a definition is one decorated body.

    @scalar, @aggregate ─▶ registry ─ bind.overloads: which is meant ─▶ Call, AggregateCall ─ operators.evaluate ─▶ staged

    scalar/, aggregate/, window/, table/   the definitions
    regexp/, jsonpath/                     regular expressions; questions about JSON
    user.py     @caldera.function: those of users          staged.py   what the body of a user's function computes with
    unicode.py                     classes and cases of characters, as C.UTF-8 has them

`load()` imports all definitions, once; whoever opens a database calls it.
"""
import importlib
import pkgutil

from caldera.base.garbage import AT_REST, leave_alone
from caldera.functions import registry  # noqa: F401

LOADED = []


def load():
    """Import every module with definitions, so that they are in the registry."""
    if LOADED:
        return
    with AT_REST:
        for folder in ("scalar", "aggregate", "window", "table"):
            package = importlib.import_module(f"caldera.functions.{folder}")
            for module in pkgutil.iter_modules(package.__path__):
                LOADED.append(importlib.import_module(f"{package.__name__}.{module.name}"))
        leave_alone()
