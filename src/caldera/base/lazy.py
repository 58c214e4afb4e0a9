"""Libraries that are loaded when something of them is first used, since that takes longer than many a query."""
import importlib


class LazyModule:
    """Stands for the module `name` of a library."""

    def __init__(self, name):
        self.name_of_module = name

    def __getattr__(self, name):
        value = getattr(importlib.import_module(self.name_of_module), name)
        setattr(self, name, value)
        return value
