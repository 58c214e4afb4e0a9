"""The examples that functions carry in their definitions, `SELECT abs(-3)  -- 3`, as queries of the corpus."""
import importlib
import pkgutil
import re

from tests.differential import BY_NAME
from tests.queries import CorpusFile, Query


def registered():
    """{example: names of the functions that carry it}, of all functions, aggregates and window functions."""
    import caldera.functions
    import caldera.types
    for package in (caldera.types, caldera.functions):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            importlib.import_module(module.name)
    from caldera.functions.registry import AGGREGATES, FUNCTIONS, WINDOW_FUNCTIONS
    found = {}
    tables = FUNCTIONS, AGGREGATES, WINDOW_FUNCTIONS
    for definition in (item for table in tables for items in table.values() for item in items):
        if definition.example:
            found.setdefault(definition.example, []).append(definition.name)
    return found


def is_ours(example, names):
    """Whether an example calls a function that PostgreSQL has not."""
    from caldera.catalog import facts
    return any(not facts.functions(name) and re.search(rf"\b{name}\(", example) for name in names)


def split_example(example):
    """'SELECT abs(-3)  -- 3' as the query and the text of its result; the result is None where the example gives none."""
    sql, dashes, result = example.partition("  -- ")
    return sql.strip(), result if dashes else None


def example_file():
    """A CorpusFile of the examples that PostgreSQL can run, each named after its function, and numbered."""
    queries, taken = [], {}
    for example, names in sorted(registered().items(), key=lambda item: (item[1][0], item[0])):
        if is_ours(example, names):
            continue
        sql, result = split_example(example)
        name = re.sub(r"\W", "_", names[0])
        taken[name] = taken.get(name, 0) + 1
        flags = frozenset({"float"} if result is not None else {"shape"})
        queries.append(Query("examples", f"{name}_{taken[name]}" if taken[name] > 1 else name, sql, flags, ()))
    return CorpusFile("examples", "", tuple(queries), tuple(BY_NAME[name] for name in ("fast", "python")))
