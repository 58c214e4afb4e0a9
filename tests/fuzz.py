"""Random queries over random tables, compared with PostgreSQL from a seed; a failing case is made small and printed.

    python -m tests.fuzz --seed 7 --tables 20 --queries 50          20 tables from seed 7, 50 queries over each

    Random(seed) ─▶ Table (columns, INSERTs, layout) ─────▶ both engines
                 └▶ Query (clauses as lists of texts) ────▶ answers in several configurations ─▶ different? ─▶ shrink

A case is a Table and a Query: values that render to SQL, so that shrinking is leaving out parts of them while the answers
still differ. What SQL leaves open is not generated: equal keys that look different (1.0 and 1.00), float sums that
depend on the order (floats that are summed are small multiples of 1/4), errors that only some orders of evaluation meet
(what can fail is guarded by CASE, or the query is compared only for whether some error of class 22 is allowed).
"""
import argparse
import random
import time
from dataclasses import dataclass, field, replace

from caldera.optimize import RULES
from tests.differential import BY_NAME, Configuration, difference, expect, for_postgres
from tests.fuzz_expressions import Writer
from tests.fuzz_tables import Column, Table, random_table
from tests.process import CalderaProcess

RULES_OFF = Configuration("rules_off", {"caldera.tier": "fast", "threads": "2",
                                        "disabled_rules": ",".join(rule.__name__ for rule in RULES)})
AUTO = Configuration("auto", {"caldera.tier": "auto", "threads": "2"})
SMALL_BLOCKS = Configuration("small_blocks", {"caldera.tier": "fast", "threads": "2", "caldera.block_rows": "7",
                                              "caldera.morsel_rows": "20"})
CONFIGURATIONS = {**BY_NAME, **{one.name: one for one in (RULES_OFF, AUTO, SMALL_BLOCKS)}}
PYTHON_ROWS_MAX = 300           # the Python kernel takes about a millisecond for a row
ONES_ROWS_MAX = 3000


@dataclass(frozen=True)
class Query:
    """A SELECT in pieces. keys: expressions of GROUP BY, which the first items repeat."""
    source: str
    items: tuple
    where: tuple = ()
    keys: tuple = ()
    having: tuple = ()
    order: tuple = ()
    limit: str = ""
    offset: str = ""
    distinct: bool = False

    def sql(self):
        """Its text."""
        shown = [f"{item} AS c{number}" for number, item in enumerate(self.items)]
        return "".join((
            "SELECT ", "DISTINCT " if self.distinct else "", ", ".join(shown), f" FROM {self.source}",
            f" WHERE {' AND '.join(self.where)}" if self.where else "",
            f" GROUP BY {', '.join(self.keys)}" if self.keys else "",
            f" HAVING {' AND '.join(self.having)}" if self.having else "",
            f" ORDER BY {', '.join(self.order)}" if self.order else "",
            f" LIMIT {self.limit}" if self.limit else "", f" OFFSET {self.offset}" if self.offset else ""))

    def smaller(self):
        """Queries with one piece less."""
        for name in ("order", "where", "having"):
            for position in range(len(getattr(self, name))):
                yield replace(self, **{name: without(getattr(self, name), position)})
        for name, value in (("limit", ""), ("offset", ""), ("distinct", False)):
            if getattr(self, name) != value:
                yield replace(self, **{name: value})
        for position in range(len(self.items)):
            if len(self.items) > 1:
                yield replace(self, items=without(self.items, position))
        for position in range(len(self.keys)):
            yield replace(self, keys=without(self.keys, position))


def without(values, position):
    return values[:position] + values[position + 1:]


def random_query(random, table):
    """A Query over the table, or over a subquery over it."""
    writer = Writer(random, table.columns)
    source = table.name
    if random.random() < 0.2:
        columns, text = subquery(random, writer, source)
        writer, source = Writer(random, columns), text
    where = tuple(writer.predicate(random.randint(0, 2)) for _ in range(random.choice((0, 0, 1, 1, 2))))
    shape = random.random()
    if shape < 0.35:
        return plain_query(random, writer, source, where)
    return grouped_query(random, writer, source, where)


def subquery(random, writer, source):
    """(columns, "(SELECT ...) AS q"): expressions over the table, perhaps filtered, or groups of it."""
    where = f" WHERE {writer.predicate(1)}" if random.random() < 0.4 else ""
    if random.random() < 0.4:
        keys = random.sample(writer.columns, min(len(writer.columns), random.randint(1, 3)))
        counted = random.choice(writer.columns)
        items = [f"{column.name} AS s{number}" for number, column in enumerate(keys)]
        columns = [replace(column, name=f"s{number}") for number, column in enumerate(keys)]
        columns += [Column("n", "int8"), Column("m", "int8")]
        items += ["count(*) AS n", f"count(DISTINCT {counted.name}) AS m"]
        names = ", ".join(column.name for column in keys)
        return columns, f"(SELECT {', '.join(items)} FROM {source}{where} GROUP BY {names}) AS q"
    columns, items = [], []
    for number in range(random.randint(1, 4)):
        column = random.choice(writer.columns)
        text = column.name if random.random() < 0.4 else writer.expression(column.type, 1)
        items.append(f"{text} AS s{number}")
        columns.append(replace(column, name=f"s{number}", exact=column.exact and text == column.name))
    return columns, f"(SELECT {', '.join(items)} FROM {source}{where}) AS q"


def plain_query(random, writer, source, where):
    """Row by row: expressions, DISTINCT, ORDER BY, LIMIT."""
    distinct = random.random() < 0.3
    items = tuple(writer.key() if distinct or random.random() < 0.3 else writer.any_expression(random.randint(0, 3))
                  for _ in range(random.randint(1, 4)))
    order = [str(number + 1) for number in range(len(items))] if distinct else [writer.key() for _ in range(3)]
    random.shuffle(order)
    order = tuple(direction(random, key) for key in order[:random.choice((0, 1, 1, 2, 3))])
    return Query(source, items, where, (), (), order, *limits(random), distinct)


def grouped_query(random, writer, source, where):
    """Aggregates, with or without groups."""
    keys = tuple(writer.key() for _ in range(random.choice((0, 1, 1, 1, 2, 2, 3, 5))))
    items = keys + tuple(writer.aggregate() for _ in range(random.randint(0 if keys else 1, 4)))
    having = (writer.having(),) if random.random() < 0.2 else ()
    order = ()
    if random.random() < 0.5:
        positions = [str(number + 1) for number in range(len(items))] + ["count(*)"]
        random.shuffle(positions)
        order = tuple(direction(random, key) for key in positions[:random.randint(1, 2)])
    chosen = limits(random) if keys else ("", "")
    distinct = random.random() < 0.1 and "count(*)" not in "".join(order)
    return Query(source, items, where, keys, having, order, *chosen, distinct)


def direction(random, key):
    return key + random.choice(("", "", " DESC", " ASC NULLS FIRST", " DESC NULLS LAST", " NULLS LAST"))


def limits(random):
    if random.random() < 0.6:
        return "", ""
    return random.choice(("0", "1", "2", "3", "10", "100", "1000", "NULL", "9223372036854775807")), \
        random.choice(("", "", "0", "1", "5", "1000", "NULL", "9223372036854775807"))


# ---- comparing ------------------------------------------------------------------------------------------------------------
def configurations_for(random, rows):
    """The names of configurations to try: the usual one, and some of the others."""
    others = ["fast2", "o3", "o3_2", "hashes", "rules_off", "auto", "small_blocks"]
    if rows <= ONES_ROWS_MAX:
        others.append("ones")
    chosen = ["fast", *random.sample(others, 2)]
    if rows <= PYTHON_ROWS_MAX:
        chosen.append("python")
    return [CONFIGURATIONS[name] for name in chosen]


@dataclass
class Engines:
    """A session of PostgreSQL and a Caldera process, with one random table in both."""
    oracle: object
    table: Table = None
    postgres: object = None
    caldera: CalderaProcess = None
    stack: list = field(default_factory=list)

    def load(self, table):
        """Begin anew with that table."""
        self.close()
        session = self.oracle.session(for_postgres(table.sql()))
        self.postgres = session.__enter__()
        self.stack.append(session)
        self.table = table
        self.caldera = CalderaProcess(lambda caldera: caldera.run(table.sql()), table.layout)

    def close(self):
        """End both sessions."""
        while self.stack:
            self.stack.pop().__exit__(None, None, None)
        if self.caldera is not None:
            self.caldera.close()
        self.caldera = None

    def problem(self, query, configurations):
        """None, or (configuration, what differs)."""
        sql = query.sql()
        try:
            expected = expect(self.postgres, sql)
        except RuntimeError:                                            # the query that ranks was not written well
            return None
        if expected.answer.failed and self.postgres.query(f"EXPLAIN {sql}").failed:
            if not expected.answer.sqlstate.startswith("22"):           # the generator made nonsense: say so
                ours = self.caldera.query(sql)
                return None if ours.failed else ("any", f"no error instead of {expected.answer}")
            return None
        for configuration in configurations:
            self.caldera.use(configuration)
            for _ in range(2 if configuration.name == "auto" else 1):
                ours = self.caldera.query(sql)
                if expected.answer.failed and ours.failed and {expected.answer.sqlstate[:2], ours.sqlstate[:2]} == {"22"}:
                    continue
                if expected.answer.failed and query.limit and not ours.failed:
                    continue
                found = difference(expected, ours, approximate=True)
                if found:
                    return configuration.name, found
        return None


def shrink(engines, table, query, name, seconds_max=60):
    """The smallest (Table, Query) found that still differs in the configuration `name`."""
    until, configurations = time.monotonic() + seconds_max, [CONFIGURATIONS.get(name, CONFIGURATIONS["fast"])]

    def fails(candidate_table, candidate_query):
        try:
            if candidate_table is not engines.table:
                engines.load(candidate_table)
            found = engines.problem(candidate_query, configurations)
        except AssertionError:
            return False
        return found is not None and found[0] != "any"
    changed = True
    while changed and time.monotonic() < until:
        changed = False
        for smaller in query.smaller():
            if time.monotonic() < until and fails(table, smaller):
                query, changed = smaller, True
                break
    changed = True
    while changed and time.monotonic() < until:
        changed = False
        for smaller in table.smaller():
            if time.monotonic() < until and fails(smaller, query):
                table, changed = smaller, True
                break
    return table, query


def campaign(oracle, seed, tables, queries, report=print, stop_at=None, rows_max=None):
    """Run; returns the list of reports. stop_at: end after that many faults."""
    faults, engines = [], Engines(oracle)
    try:
        for number in range(tables):
            dice = random.Random(f"{seed}/{number}")
            table = random_table(dice, rows_max)
            engines.load(table)
            for at in range(queries):
                dice = random.Random(f"{seed}/{number}/{at}")
                query = random_query(dice, table)
                configurations = configurations_for(dice, table.row_count)
                try:
                    found = engines.problem(query, configurations)
                except AssertionError as odd:
                    found = "any", f"{type(odd).__name__}: {odd}"
                if found is None:
                    continue
                name, text = found
                small_table, small_query = (table, query) if name == "any" else shrink(engines, table, query, name)
                faults.append(f"-- seed {seed}, table {number}, query {at}, {name}, rows in {small_table.layout}: {text}\n"
                              f"{small_table.sql()[:3000]}\n"
                              f"{small_query.sql()}\n")
                report(faults[-1])
                engines.load(table)
                if stop_at and len(faults) >= stop_at:
                    return faults
    finally:
        engines.close()
    return faults


def main():
    """The command line."""
    from tests.oracle import Oracle
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", default=str(int(time.time())))
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--rows-max", type=int, default=None)
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    oracle = Oracle.start()
    started = time.monotonic()
    faults = campaign(oracle, options.seed, options.tables, options.queries, lambda text: print(text, flush=True),
                      rows_max=options.rows_max)
    print(f"{options.tables * options.queries} queries, {len(faults)} faults, {time.monotonic() - started:.0f} s")
    oracle.stop()
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
